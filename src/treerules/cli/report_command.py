"""`treerules report`: a page about a model."""

from pathlib import Path

import click

from treerules.cli.model_options import MODEL, TEMPLATES, TREE_NUMBER, load_tree
from treerules.cli.output import LANG, OUT, print_text
from treerules.report.page.report_page import report_page


@click.command("report")
@MODEL
@TREE_NUMBER
@LANG
@TEMPLATES
@OUT
def report_command(
    model_file: Path, tree_number: int | None, lang: str, templates: Path | None, output: Path | None
) -> None:
    """Write a page about MODEL, with a form that predicts.

    The page is one HTML file that needs no network. Its form shows the prediction, the rule that fires and its
    conditions; the rules can be filtered and sorted.
    """
    page = report_page(load_tree(model_file, tree_number), lang=lang, templates=templates)
    print_text(page, output)
