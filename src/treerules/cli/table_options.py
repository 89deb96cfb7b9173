"""Options that say what is read and how, and the table that they make."""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from treerules.cli.progress import progress
from treerules.data.schema import Schema
from treerules.data.table import Table, Types
from treerules.readers.duckdb import read_query
from treerules.readers.files import read

Command = TypeVar("Command", bound=Callable[..., Any])

PATH = click.Path(path_type=Path)


def _names(context: Any, option: Any, text: str | None) -> list[str] | None:
    return None if text is None else [name.strip() for name in text.split(",")]


_READING = (
    click.argument("file", type=PATH, required=False),
    click.option("--query", metavar="SQL", help="Read what a query gives: of DuckDB, or of FILE, a database."),
    click.option("--table", "source_table", metavar="T", help="The table of FILE, a database."),
)
_CSV = (
    click.option("--columns", callback=_names, metavar="A,B", help="CSV: the columns of a file without a header."),
    click.option(
        "--missing", metavar="X,Y", help="CSV: what is missing besides empty cells.  [default: NA,NaN,null,?]"
    ),
    click.option("--encoding", metavar="NAME", help="CSV: otherwise UTF-8, or else GB18030."),
    click.option("--delimiter", metavar="C", help="CSV: otherwise told by the file; tab is written \\t."),
    click.option("--quote", metavar="C", help="CSV: otherwise told by the file."),
)
#: What those options are called.
_OF_CSV = ("columns", "missing", "encoding", "delimiter", "quote")
OPTIONS = ("query", "source_table", *_OF_CSV)


def reading(command: Command) -> Command:
    """Give a command FILE and the options of reading it."""
    for option in reversed((*_READING, *_CSV)):
        command = option(command)
    return command


def reading_csv(command: Command) -> Command:
    """Give a command the options of reading CSV files."""
    for option in reversed(_CSV):
        command = option(command)
    return command


def csv_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the options of reading CSV files say."""
    return {name: _spelled(name, options[name]) for name in _OF_CSV if options.get(name) is not None}


def table_of(
    file: Path | None,
    options: Mapping[str, Any],
    *,
    types: Types | None = None,
    schema: Schema | None = None,
    keep: Collection[str] = (),
) -> Table:
    """Return the table that the options of reading ask for.

    Raises:
        click.UsageError: neither a file nor a query is given.
        OptionError: an option does not fit the file.
    """
    given = {name: options[name] for name in OPTIONS if options.get(name) is not None}
    query, table = given.pop("query", None), given.pop("source_table", None)
    given = {name: _spelled(name, value) for name, value in given.items()}
    if file is None:
        if query is None or given or table is not None:
            raise click.UsageError("Give a FILE, or --query with an SQL query alone.", click.get_current_context())
        with progress("reading") as tell:
            return read_query(query, types=types, schema=schema, extra_columns=keep, progress=tell)
    with progress(f"reading {file.name}") as tell:
        return read(
            file, types=types, schema=schema, extra_columns=keep, table=table, query=query, progress=tell, **given
        )


def _spelled(name: str, value: Any) -> Any:
    if name == "missing":
        words: Sequence[str] = [word for word in value.split(",") if word]
        return words
    return "\t" if name == "delimiter" and value == "\\t" else value
