"""The command that runs emitted code and compares it with its model."""

from pathlib import Path
from typing import Any

import click

from treerules.cli.options import MODEL, RENAME, model, names_of
from treerules.cli.output import put
from treerules.cli.progress import progress
from treerules.cli.table_options import PATH, csv_options, reading_csv
from treerules.readers.files import read
from treerules.rendering.output_formats import json_text
from treerules.rendering.text_tables import finite
from treerules.verification.answers import RaisedError
from treerules.verification.equivalence import Equivalence
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
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
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
    put(json_text(_record(against, found)) if format_ == "json" else f"{against}: {found}\n")
    return 0 if found else 1


def _record(against: Path, found: Equivalence) -> dict[str, Any]:
    difference = found.difference
    shown = None
    if difference is not None:
        raised = isinstance(difference.answer, RaisedError)
        shown = {
            "row": {name: _plain(value) for name, value in difference.row.items()},
            "expected": _plain(difference.expected),
            "rule": difference.rule,
            "answer": None if raised else _plain(difference.answer),
            "raised": str(difference.answer) if raised else None,
            "paste": difference.paste,
        }
    return {
        "format": "treerules.equivalence",
        "version": 1,
        "file": str(against),
        "engine": found.engine,
        "rows": found.n_rows,
        "rows_of_data": found.n_data,
        "rows_left_out": found.n_left_out,
        "equal": bool(found),
        "difference": shown,
    }


def _plain(value: Any) -> Any:
    return "nan" if value != value else finite(value)
