"""The command that predicts a file."""

from pathlib import Path
from typing import Any

import click

from treerules.cli.options import MODEL, model
from treerules.cli.output import OUT, format_option, note, put
from treerules.cli.progress import progress
from treerules.cli.table_options import reading, table_of
from treerules.errors import OptionError, counted
from treerules.report.parquet import write_parquet
from treerules.report.predictions_report import PREDICTIONS
from treerules.report.render_report import render_report
from treerules.trees.predict import unseen_cells
from treerules.trees.prediction_table import predict_table


@click.command("predict")
@MODEL
@reading
@click.option("--proba", is_flag=True, help="Give the share of each class too.")
@click.option("--rule", is_flag=True, help="Give the number of the rule that fires too.")
@click.option("--keys", default="", metavar="A,B", help="Columns of FILE to give beside the prediction.")
@format_option(PREDICTIONS, default="csv")
@OUT
def predict_command(
    model_file: Path,
    file: Path | None,
    proba: bool,
    rule: bool,
    keys: str,
    format_: str,
    output: Path | None,
    **options: Any,
) -> None:
    """Predict each row of FILE by MODEL.

    Prints a column `prediction`; with --proba a column `p_` and its name for each class, with --rule a column `rule`.
    A file named .parquet with -o is written as Parquet, any other as --format says.
    """
    tree = model(model_file)
    beside = [key for key in keys.split(",") if key]
    table = table_of(file, options, schema=tree.schema, keep=beside)
    for name, n in unseen_cells(tree, table).items():
        note([f"column {name!r}: {counted(n, 'cell')} hold values that the model has not seen"])
    with progress("predicting") as tell:
        found = predict_table(tree, table, proba=proba, rule=rule, keys=beside, progress=tell)
    if output is not None and output.suffix.lower() == ".parquet":
        if format_ != "csv":
            raise OptionError("--format", format_, "no format with a file named .parquet")
        write_parquet(found, output)
        note([f"wrote {output}"])
    else:
        put(render_report(PREDICTIONS, found, format=format_, lang="en"), output)
