"""The commands that judge a model: how well it predicts, and what it owes to each feature."""

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from treerules.cli.options import MODEL, TEMPLATES, model
from treerules.cli.output import LANG, format_option, note, put_report
from treerules.cli.progress import progress
from treerules.cli.table_options import reading, table_of
from treerules.data.schema import Schema
from treerules.data.table import Table
from treerules.errors import counted
from treerules.evaluation.evaluation import evaluate
from treerules.evaluation.importances import Importances, importances, permutation_importances
from treerules.report.evaluation_report import EVALUATION
from treerules.report.importances_report import IMPORTANCES
from treerules.trees.predict import unseen_cells
from treerules.trees.tree import Tree

_WEIGHT = click.option("--weight", metavar="COL", help="A column of FILE: how much each row counts.")
_DROP = click.option("--drop-missing-target", is_flag=True, help="Leave rows without a target out.")


@click.command("evaluate")
@MODEL
@reading
@_WEIGHT
@_DROP
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
    """Say how well MODEL predicts FILE, which has the target too.

    Of a classification: accuracy, balanced accuracy, log loss, Brier score, AUC, the confusion matrix, and precision,
    recall and F1 of each class. Of a regression: RMSE, MAE, R2. All as scikit-learn defines them.
    """
    tree = model(model_file)
    table = _table(tree, file, options, weight)
    with progress("predicting") as tell:
        found = evaluate(tree, table, weight=weight, drop_missing_target=drop_missing_target, progress=tell)
    note([*_unseen(tree, table), *found.notes])
    put_report(EVALUATION, found, format_=format_, lang=lang, templates=templates)


@click.command("importances")
@MODEL
@reading
@click.option("--permutation", is_flag=True, help="Shuffle the columns of FILE instead.")
@click.option("--repeats", type=click.IntRange(1), default=5, show_default=True, metavar="N", help="How often.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, metavar="N", help="Of the shuffling.")
@_WEIGHT
@_DROP
@format_option(IMPORTANCES)
@LANG
@TEMPLATES
def importances_command(
    model_file: Path, permutation: bool, format_: str | None, lang: str, templates: Path | None, **options: Any
) -> None:
    """Say what MODEL owes to each feature.

    That is the share of the impurity which its splits take away; or, with --permutation, how much worse MODEL predicts
    FILE (accuracy, or R2) when the feature's column is shuffled.
    """
    tree = model(model_file)
    found = _permutation(tree, options) if permutation else _impurity(tree)
    note(found.notes)
    put_report(IMPORTANCES, found, format_=format_, lang=lang, templates=templates)


def _impurity(tree: Tree) -> Importances:
    """Return the importances that need no table; what says something about one is refused."""
    context = click.get_current_context()
    for parameter in context.command.params:
        is_given = context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
        if is_given and parameter.name not in ("model_file", "permutation", "format_", "lang", "templates"):
            name = "FILE" if parameter.name == "file" else parameter.opts[0]
            raise click.UsageError(f"{name} means nothing without --permutation.", context)
    return importances(tree)


def _permutation(tree: Tree, options: dict[str, Any]) -> Importances:
    file, weight = options["file"], options["weight"]
    if file is None and options["query"] is None:
        context = click.get_current_context()
        raise click.UsageError("--permutation needs a FILE (or --query), whose columns are shuffled.", context)
    table = _table(tree, file, options, weight)
    note(_unseen(tree, table))
    with progress("shuffling") as tell:
        return permutation_importances(
            tree,
            table,
            repeats=options["repeats"],
            seed=options["seed"],
            weight=weight,
            drop_missing_target=options["drop_missing_target"],
            progress=tell,
        )


def _table(tree: Tree, file: Path | None, options: dict[str, Any], weight: str | None) -> Table:
    """Return the table of FILE with the columns of a model, its target and the weights."""
    goal = tree.schema.target
    schema = Schema([*tree.schema.features, *([goal] if goal else [])])
    return table_of(file, options, schema=schema, keep=[] if weight is None else [weight])


def _unseen(tree: Tree, table: Table) -> list[str]:
    return [
        f"column {name!r}: {counted(n, 'cell')} hold values that the model has not seen"
        for name, n in unseen_cells(tree, table).items()
    ]
