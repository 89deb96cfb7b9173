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
from treerules.errors import DataError
from treerules.report.page.report_page import model_of_page, report_page
from treerules.trees.ensemble import Ensemble
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
    Of an ensemble it shows the margin and what each tree adds to it; --tree shows one tree.
    """
    model = _model(file, case, options)
    table = None if data is None else _table(model, data, options)
    with progress("measuring"):
        page = report_page(model, data=table, lang=lang, templates=templates)
    print_text(page, output)


def _model(file: Path, case: int | None, options: dict[str, Any]) -> Tree | Ensemble:
    """Return the tree or the ensemble of a file, or the tree that is made of rules."""
    opened, form = opened_rules(file, options)
    ensemble = ensemble_of(opened, form)
    if ensemble is not None:
        return ensemble
    return model_of_page(chosen_part(parts_of(opened, form, declared_schema(options)), file, case))


def _table(model: Tree | Ensemble, data: Path, options: dict[str, Any]) -> Table:
    """Return the rows with all columns of the model, which its cp table needs, or else those that it tests."""
    if isinstance(model, Ensemble) or model.recipe is None:
        return read_for_model(model, data, options, is_tested=True)
    try:
        origin = model.origin
        columns = [] if origin is None else [origin.groups, origin.time]
        return read_for_model(model, data, options, extra_columns=columns)
    except DataError:  # the page says why it has no cp table
        return read_for_model(model, data, options, is_tested=True)
