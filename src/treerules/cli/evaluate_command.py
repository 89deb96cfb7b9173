"""`treerules evaluate`: how well a model predicts a table."""

from pathlib import Path
from typing import Any

import click

from treerules.cli.model_options import MODEL, TEMPLATES, load_model
from treerules.cli.output import LANG, format_option, print_notes, print_report
from treerules.cli.progress import progress
from treerules.cli.table_options import DROP_MISSING_TARGET, WEIGHT, read_for_model, table_options
from treerules.data.table import Table
from treerules.errors import counted
from treerules.evaluation.evaluation import evaluate
from treerules.report.evaluation_report import EVALUATION
from treerules.trees.ensemble import TreeModel
from treerules.trees.tested_columns import decimal_cells, unseen_cells


@click.command("evaluate")
@MODEL
@table_options
@WEIGHT
@DROP_MISSING_TARGET
@format_option(EVALUATION)
@LANG
@TEMPLATES
def evaluate_command(
    model_file: Path,
    file: Path | None,
    weight: str | None,
    drop_missing_target: bool,
    format_: str | None,
    lang: str,
    templates: Path | None,
    **options: Any,
) -> None:
    """Measure how well MODEL predicts FILE.

    FILE also has the target. For a classification: accuracy, balanced accuracy, log loss, Brier score, AUC, the
    confusion matrix, and precision, recall and F1 of each class. For a regression: RMSE, MAE, R2. All as scikit-
    learn defines them.
    """
    tree = load_model(model_file)
    table = read_for_model(tree, file, options, extra_columns=[weight], is_tested=True)
    with progress("predicting") as report_progress:
        evaluation = evaluate(
            tree, table, weight=weight, drop_missing_target=drop_missing_target, progress=report_progress
        )
    print_notes([*unseen_notes(tree, table), *evaluation.notes])
    print_report(EVALUATION, evaluation, format_=format_, lang=lang, templates=templates)


def unseen_notes(tree: TreeModel, table: Table) -> list[str]:
    """Return a note for each column with values that the model has not seen, or decimals where it knows integers."""
    decimals = [
        f"column {name!r}: the model knows integers; other numbers in {counted(n, 'cell')}, compared as they are"
        for name, n in decimal_cells(tree, table).items()
    ]
    return decimals + [
        f"column {name!r}: values that the model has not seen in {counted(n, 'cell')}"
        for name, n in unseen_cells(tree, table).items()
    ]
