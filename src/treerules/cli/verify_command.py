"""`treerules verify`: emitted code compared with its model."""

from pathlib import Path
from typing import Any

import click

from treerules.cli.input_paths import PATH
from treerules.cli.model_options import MODEL, RENAME, load_model, read_rename
from treerules.cli.output import LANG, format_option, print_text, report_text
from treerules.cli.table_options import csv_options, read_file, tested_schema
from treerules.report.equivalence_report import EQUIVALENCE
from treerules.verification.verify import verify


def _require_against(context: click.Context, option: click.Parameter, file: Path | None) -> Path | None:
    """Return the file of the code; it is named by an option, so that nobody takes it for the model."""
    if file is None and not context.resilient_parsing:
        raise click.UsageError("Missing option '--against': the file of the code, as in --against rules.sql.", context)
    return file


@click.command("verify")
@MODEL
@click.option(
    "--against",
    type=PATH,
    callback=_require_against,
    metavar="FILE",
    help="Run this code (.py, .js, .mjs, .sql), or read these rules (.rules, .csv, .md, .dmn, .json).",
)
@click.option(
    "--database", metavar="URL", help="Run SQL in this database: duckdb:PATH, sqlite:PATH or postgresql://..."
)
@click.option(
    "--table",
    metavar="NAME",
    help="Compare on the rows of this table of --database, which SQL reads in its own types and collations.",
)
@click.option("--dialect", metavar="NAME", help="Run SQL of this dialect.  [default: detected from its first line]")
@RENAME
@click.option("--data", type=PATH, metavar="FILE", help="Compare on the rows of this file too.")
@click.option(
    "--rows",
    type=click.IntRange(1),
    metavar="N",
    help="Make at most N rows from the model, or read at most N of --table.  [default: both sides of every test, or "
    "all rows]",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(0, min_open=True),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="Stop code that takes longer for a batch of rows.",
)
@format_option(EQUIVALENCE, default="text")
@LANG
@csv_options
def verify_command(
    model_file: Path,
    against: Path,
    database: str | None,
    table: str | None,
    dialect: str | None,
    rename: Path | None,
    data: Path | None,
    rows: int | None,
    time_limit: float,
    format_: str,
    lang: str,
    **options: Any,
) -> int:
    """Compare the answers of emitted code with MODEL.

    The code is run on rows where the answers of MODEL may change. Prints how many rows were compared and on what. A
    difference comes with a row that can be pasted, and with exit code 1. SQL runs in a database of its own, in
    temporary tables of --database, or on --table; then notes tell of columns whose type or collation is not what the
    SQL needs.
    """
    tree = load_model(model_file)
    schema = tested_schema(tree, declared=True)
    rows_of_data = None if data is None else read_file(data, options, schema=schema, model=tree)
    equivalence = verify(
        tree,
        against,
        database=database,
        dialect=dialect,
        rename=read_rename(rename),
        data=rows_of_data,
        most=rows,
        time_limit=time_limit,
        table=table,
    )
    print_text(report_text(EQUIVALENCE, equivalence, format_=format_, lang=lang, file=str(against)))
    return 0 if equivalence else 1
