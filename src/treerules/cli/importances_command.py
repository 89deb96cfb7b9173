"""`treerules importances`: how important each feature is to a model."""

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from treerules.cli.evaluate_command import unseen_notes
from treerules.cli.model_options import MODEL, TEMPLATES, TREE_NUMBER, load_tree
from treerules.cli.output import LANG, format_option, print_notes, print_report
from treerules.cli.progress import progress
from treerules.cli.table_options import DROP_MISSING_TARGET, WEIGHT, read_for_model, table_options
from treerules.cli.top_option import TOP_OPTION
from treerules.evaluation.importances import Importances, importances, permutation_importances
from treerules.report.importances_report import IMPORTANCES
from treerules.trees.tree import Tree


@click.command("importances")
@MODEL
@TREE_NUMBER
@table_options
@click.option("--permutation", is_flag=True, help="Measure by shuffling the columns of FILE.")
@click.option(
    "--repeats", type=click.IntRange(1), default=5, show_default=True, metavar="N", help="Shuffle each column N times."
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, metavar="N", help="Shuffle by this seed.")
@WEIGHT
@DROP_MISSING_TARGET
@TOP_OPTION
@format_option(IMPORTANCES)
@LANG
@TEMPLATES
def importances_command(
    model_file: Path,
    tree_number: int | None,
    permutation: bool,
    top: int | None,
    format_: str | None,
    lang: str,
    templates: Path | None,
    **options: Any,
) -> None:
    """Print the importance of each feature to MODEL.

    That is its share of the decrease of impurity by the splits of MODEL; or, with --permutation, how much worse MODEL
    predicts FILE (accuracy, or R2) when the column of the feature is shuffled.
    """
    tree = load_tree(model_file, tree_number)
    result = _by_permutation(tree, options) if permutation else _by_impurity(tree)
    print_notes(result.notes)
    print_report(IMPORTANCES, result, format_=format_, lang=lang, templates=templates, top=top)


def _by_impurity(tree: Tree) -> Importances:
    """Return the importances that need no table; refuse options that describe one."""
    context = click.get_current_context()
    for parameter in context.command.params:
        is_given = context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
        if is_given and parameter.name not in (
            "model_file",
            "tree_number",
            "permutation",
            "top",
            "format_",
            "lang",
            "templates",
        ):
            name = "FILE" if parameter.name == "file" else parameter.opts[0]
            raise click.UsageError(f"{name} needs --permutation.", context)
    return importances(tree)


def _by_permutation(tree: Tree, options: dict[str, Any]) -> Importances:
    """Return the importances by shuffling the columns of a table."""
    file, weight = options["file"], options["weight"]
    if file is None and options["query"] is None:
        context = click.get_current_context()
        raise click.UsageError("--permutation needs a FILE (or --query), whose columns are shuffled.", context)
    table = read_for_model(tree, file, options, extra_columns=[weight])
    print_notes(unseen_notes(tree, table))
    with progress("shuffling") as report_progress:
        return permutation_importances(
            tree,
            table,
            repeats=options["repeats"],
            seed=options["seed"],
            weight=weight,
            drop_missing_target=options["drop_missing_target"],
            progress=report_progress,
        )
