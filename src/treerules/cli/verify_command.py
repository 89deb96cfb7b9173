"""The command that runs emitted code and compares it with its model."""

from pathlib import Path
from typing import Any

import click

from treerules.cli.options import MODEL, RENAME, model, names_of
from treerules.cli.output import format_option, put
from treerules.cli.progress import progress
from treerules.cli.table_options import PATH, csv_options, reading_csv
from treerules.readers.files import read
from treerules.report.equivalence_report import EQUIVALENCE
from treerules.report.render_report import render_report
from treerules.verification.verify import verify


@click.command("verify")
@MODEL
@click.option(
    "--against", type=PATH, required=True, metavar="FILE", help="The code: .py, .js, .mjs or .sql. It is run."
)
@click.option("--database", metavar="URL", help="Where SQL is run: duckdb:PATH, sqlite:PATH, postgresql://...")
@click.option("--dialect", metavar="NAME", help="Of SQL, otherwise told by its first line.")
@RENAME
@click.option("--data", type=PATH, metavar="FILE", help="Compare on the rows of this file too.")
@click.option("--rows", type=click.IntRange(1), default=1000, show_default=True, metavar="N", help="So many made rows.")
@click.option(
    "--time-limit", type=click.FloatRange(0, min_open=True), default=60.0, show_default=True, metavar="SECONDS"
)
@format_option(EQUIVALENCE, default="text")
@reading_csv
def verify_command(
    model_file: Path,
    against: Path,
    database: str | None,
    dialect: str | None,
    rename: Path | None,
    data: Path | None,
    rows: int,
    time_limit: float,
    format_: str,
    **options: Any,
) -> int:
    """Run emitted code on rows where the answers of MODEL may change, and compare.

    Prints how many rows were compared and on what. A difference comes with a row that can be pasted, and with exit
    code 1. SQL is run in a database of its own, or in temporary tables of --database.
    """
    tree = model(model_file)
    table = None
    if data is not None:
        with progress(f"reading {data.name}") as tell:
            table = read(data, schema=tree.schema, progress=tell, **csv_options(options))
    names = names_of(rename)
    found = verify(
        tree, against, database=database, dialect=dialect, rename=names, data=table, most=rows, time_limit=time_limit
    )
    put(render_report(EQUIVALENCE, found, format=format_, lang="en", file=str(against)))
    return 0 if found else 1
