"""`treerules relearn`: a model learned again by its own recipe."""

from pathlib import Path
from typing import Any

import click

from treerules.cli.input_paths import PATH
from treerules.cli.model_options import MODEL, load_tree
from treerules.cli.output import OUT, print_text
from treerules.cli.progress import progress
from treerules.cli.table_options import read_file, read_for_model, table_options, whole_schema
from treerules.learning.relearn import relearn
from treerules.trees.json_codec import tree_to_json


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
    the data differ (exit code 3).
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
    print_text(tree_to_json(result), output)
