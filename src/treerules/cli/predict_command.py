"""`treerules predict`: the predictions for a table."""

from pathlib import Path
from typing import Any

import click

from treerules.cli.column_names import names_callback
from treerules.cli.evaluate_command import unseen_notes
from treerules.cli.model_options import MODEL, OUTSIDE, load_model
from treerules.cli.output import OUT, format_option, print_notes, print_text, report_text
from treerules.cli.progress import progress
from treerules.cli.table_options import read_table, table_options, tested_schema
from treerules.data.domain import Outside, require_outside
from treerules.errors import OptionError
from treerules.report.parquet import write_parquet
from treerules.report.predictions_report import PREDICTIONS
from treerules.trees.ensemble import Ensemble
from treerules.trees.prediction_table import predict_table


@click.command("predict")
@MODEL
@table_options
@click.option("--proba", is_flag=True, help="Print the probability of each class too.")
@click.option("--rule", is_flag=True, help="Print the number of the rule that fires too.")
@click.option("--keys", metavar="A,B", callback=names_callback, help="Print these columns of FILE with the prediction.")
@OUTSIDE
@format_option(PREDICTIONS, default="csv")
@OUT
def predict_command(
    model_file: Path,
    file: Path | None,
    proba: bool,
    rule: bool,
    keys: tuple[str, ...] | None,
    outside: Outside,
    format_: str,
    output: Path | None,
    **options: Any,
) -> None:
    """Predict each row of FILE by MODEL.

    Prints a column `prediction`; with --proba a column `p_CLASS` for each class, with --rule a column `rule`.
    With -o a file named .parquet is written as Parquet, any other in the format of --format.
    """
    tree = load_model(model_file)
    refuses = require_outside(outside, {} if isinstance(tree, Ensemble) else tree.domain)
    schema = tested_schema(tree, declared=refuses)
    table = read_table(file, options, schema=schema, model=tree, extra_columns=keys or ())
    print_notes(unseen_notes(tree, table))
    with progress("predicting") as report_progress:
        choices: dict[str, Any] = {"proba": proba, "rule": rule, "outside": outside}
        predictions = predict_table(tree, table, keys=keys or (), progress=report_progress, **choices)
    if output is not None and output.suffix.lower() == ".parquet":
        if format_ != "csv":
            raise OptionError("--format", format_, "no format together with a file named .parquet")
        write_parquet(predictions, output)
        print_notes([f"wrote {output}"])
    else:
        print_text(report_text(PREDICTIONS, predictions, format_=format_, lang="en"), output)
