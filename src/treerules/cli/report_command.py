"""`treerules report`: a page about a model, or about rules."""

from pathlib import Path
from typing import Any

import click

from treerules.cli.input_paths import PATH, RULES_PATH
from treerules.cli.model_options import TEMPLATES, TREE_NUMBER
from treerules.cli.output import LANG, OUT, print_text
from treerules.cli.progress import progress
from treerules.cli.rule_file_options import (
    CASE,
    chosen_part,
    declared_schema,
    ensemble_of,
    opened_rules,
    parts_of,
    rule_file_options,
)
from treerules.cli.table_options import csv_options, read_for_model
from treerules.data.table import Table
from treerules.errors import OptionError
from treerules.report.page.report_page import model_of_page, report_page
from treerules.trees.tree import Tree


@click.command("report")
@click.argument("file", type=RULES_PATH, metavar="RULES")
@rule_file_options
@CASE
@TREE_NUMBER
@click.option("--data", type=PATH, metavar="FILE", help="Measure the model on the rows of this file.")
@LANG
@TEMPLATES
@OUT
@csv_options
def report_command(
    file: Path,
    case: int | None,
    data: Path | None,
    lang: str,
    templates: Path | None,
    output: Path | None,
    **options: Any,
) -> None:
    """Write a page about a model, with a form that predicts.

    RULES is a model, or any file of rules that `check` reads. The page is one HTML file that needs no network. It has
    a summary, the form, the tree and the rules; with --data also the confusion matrix, the cp table and importances.
    """
    tree = _tree(file, case, options)
    table = None if data is None else _table(tree, data, options)
    with progress("measuring"):
        page = report_page(tree, data=table, lang=lang, templates=templates)
    print_text(page, output)


def _tree(file: Path, case: int | None, options: dict[str, Any]) -> Tree:
    """Return the tree of a model, or the one that is made of rules.

    Raises:
        OptionError: The file is an ensemble, and no tree of it is named.
    """
    opened, form = opened_rules(file, options)
    if ensemble_of(opened, form) is not None:
        wanted = "a model of one tree, or rules; this is an ensemble: give --tree with the number of a tree"
        raise OptionError("RULES", str(file), wanted)
    return model_of_page(chosen_part(parts_of(opened, form, declared_schema(options)), file, case))


def _table(tree: Tree, data: Path, options: dict[str, Any]) -> Table:
    """Return the rows with all columns of the tree, which its cp table needs, or else those that it tests."""
    return read_for_model(tree, data, options, is_tested=tree.recipe is None)
