"""`treerules relearn`: a model learned again by its own recipe."""

from pathlib import Path
from typing import Any

import click

from treerules.cli.input_paths import PATH
from treerules.cli.model_options import MODEL, load_tree
from treerules.cli.note_limits import first_of_each_kind
from treerules.cli.output import OUT, print_notes, print_text
from treerules.cli.progress import progress
from treerules.cli.table_options import read_file, read_for_model, table_options, whole_schema
from treerules.data.table import Table
from treerules.evaluation.evaluation import evaluate
from treerules.learning.relearn import relearn
from treerules.report.error_estimate_report import estimate_lines, test_line, training_lines
from treerules.trees.json_codec import tree_to_json
from treerules.trees.predict import predict
from treerules.trees.tree import Tree


@click.command("relearn")
@MODEL
@table_options
@click.option("--validation", type=PATH, metavar="FILE", help="Read the validation rows with which MODEL was learned.")
@click.option("--anew", is_flag=True, help="Learn by the same recipe from other data.")
@OUT
def relearn_command(
    model_file: Path, file: Path | None, validation: Path | None, anew: bool, output: Path | None, **options: Any
) -> None:
    """Learn MODEL again from FILE by its own recipe.

    Prints the model (JSON). The same rows give the same model, byte for byte; with other rows it is an error that
    the data differ (exit code 3). With --anew also prints how well the new model predicts new rows, and how well
    MODEL predicts these.
    """
    tree = load_tree(model_file, has_option=False)
    origin = tree.origin
    weight = [origin.weight] if origin is not None and origin.weight else []
    fold_columns = [] if origin is None else [name for name in (origin.groups, origin.time) if name is not None]
    table = read_for_model(tree, file, options, extra_columns=[*weight, *fold_columns])
    validation_table = None
    if validation is not None:
        validation_table = read_file(validation, options, schema=whole_schema(tree.schema), extra_columns=weight)
    with progress("learning") as report_progress:
        result = relearn(tree, table, validation=validation_table, anew=anew, progress=report_progress)
    if anew:
        print_notes([*first_of_each_kind(result.notes), *_comparison(tree, result, table)])
    print_text(tree_to_json(result), output)


def _comparison(old: Tree, new: Tree, table: Table) -> list[str]:
    """Return the lines that say how well a new tree predicts, and how the old one compares on the rows of the new."""
    lines = training_lines(new, "en") if new.estimate is None else estimate_lines(new.estimate, "en")
    weight = None if new.origin is None else new.origin.weight
    of_old = evaluate(old, table, weight=weight, drop_missing_target=True)
    n_other = int((predict(old, table) != predict(new, table)).sum())
    is_same = old.origin is not None and new.origin is not None and old.origin.data == new.origin.data
    rows = f"these rows{', its training rows,' if is_same else ''} by the old model"
    sizes = [f"{tree.n_leaves:,} {'leaf' if tree.n_leaves == 1 else 'leaves'}" for tree in (new, old)]
    return [
        f"learned {sizes[0]}, depth {new.depth}; the old model has {sizes[1]}, depth {old.depth}",
        *lines,
        test_line(rows, of_old, "en"),
        f"the two models answer {n_other:,} of {table.n_rows:,} rows differently",
    ]
