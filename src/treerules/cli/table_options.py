"""The options of reading a table, and the reading itself."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import click

from treerules.cli.column_names import names_callback
from treerules.cli.command_group import Command, add_options
from treerules.cli.input_paths import PATH
from treerules.cli.progress import progress
from treerules.data.schema import Schema
from treerules.data.table import Table, Types
from treerules.errors import DataError, counted, listed
from treerules.readers.duckdb import read_query
from treerules.readers.files import read
from treerules.trees.ensemble import TreeModel
from treerules.trees.tested_columns import tested_features

WEIGHT = click.option("--weight", metavar="COL", help="Weigh each row by this column.")
DROP_MISSING_TARGET = click.option(
    "--drop-missing-target", is_flag=True, help="Ignore rows without a value of the target."
)
_SOURCE = (
    click.argument("file", type=PATH, required=False),
    click.option(
        "--query", metavar="SQL", help="Read the result of an SQL query, in DuckDB or, if FILE is a database, in FILE."
    ),
    click.option("--table", "source_table", metavar="T", help="Read this table of FILE, if FILE is a database."),
)
_TEXT = (
    click.option(
        "--columns",
        callback=names_callback,
        metavar="A,B",
        help="Name the columns of a CSV file that has no header.",
    ),
    click.option(
        "--header/--no-header",
        default=None,
        help="Take the first line of a CSV file as the header, or as data whose columns are c1, c2, and so on.  "
        "[default: detected]",
    ),
    click.option(
        "--missing", metavar="X,Y", help="Read these words of a CSV file as missing values.  [default: NA,NaN,null,?]"
    ),
    click.option(
        "--encoding",
        metavar="NAME",
        help="Decode a CSV file by this encoding.  [default: UTF-8, else GB18030 or cp1252]",
    ),
    click.option(
        "--delimiter",
        metavar="C",
        help="Divide the lines of a CSV file at this character; \\t is a tab.  [default: detected from the file]",
    ),
    click.option(
        "--quote",
        metavar="C",
        help="Take this character of a CSV file as the quotation mark.  [default: detected from the file]",
    ),
    click.option(
        "--decimal",
        metavar="C",
        help="Take this character, a point or a comma, as the decimal mark of all numbers in a CSV file.  "
        "[default: detected from each column]",
    ),
    click.option(
        "--thousands",
        metavar="C",
        help="Take this character as the mark between thousands in all numbers of a CSV file.  "
        "[default: detected from each column]",
    ),
    click.option(
        "--max-characters",
        type=int,
        metavar="N",
        help="Read rows of CSV, and lines or entries of JSON, of at most N characters; a longer one is an error.  "
        "[default: 100000000]",
    ),
)
#: The names of the options of reading CSV files, of reading files of text, and of reading any table.
_CSV_NAMES = ("columns", "header", "missing", "encoding", "delimiter", "quote", "decimal", "thousands")
_TEXT_NAMES = (*_CSV_NAMES, "max_characters")
READING_NAMES = ("query", "source_table", *_TEXT_NAMES)


def table_options(command: Command) -> Command:
    """Add FILE and the options of reading it."""
    return add_options(command, (*_SOURCE, *_TEXT))


def csv_options(command: Command) -> Command:
    """Add the options of reading files of text."""
    return add_options(command, _TEXT)


def read_table(
    file: Path | None,
    options: Mapping[str, Any],
    *,
    types: Types | None = None,
    schema: Schema | None = None,
    extra_columns: Collection[str] = (),
    drop: Collection[str] = (),
) -> Table:
    """Return the table that the options of reading describe; of a file without the columns to drop.

    Raises:
        click.UsageError: neither a file nor a query is given.
        OptionError: An option does not fit the file.
    """
    if file is not None:
        source = {"table": options.get("source_table"), "query": options.get("query"), "drop": drop}
        return read_file(file, options, types=types, schema=schema, extra_columns=extra_columns, **source)
    reading_options = [name for name in READING_NAMES if options.get(name) is not None]
    if reading_options != ["query"]:
        raise click.UsageError("Missing argument FILE, or option '--query' alone.", click.get_current_context())
    with progress("reading") as report_progress:
        return read_query(
            options["query"], types=types, schema=schema, extra_columns=extra_columns, progress=report_progress
        )


def read_file(
    file: Path,
    options: Mapping[str, Any],
    *,
    types: Types | None = None,
    schema: Schema | None = None,
    extra_columns: Collection[str] = (),
    **source: Any,
) -> Table:
    """Return a file as a table, read by the options of reading files of text."""
    source = {name: value for name, value in source.items() if value not in (None, ())}
    csv = {name: _csv_value(name, options[name]) for name in _TEXT_NAMES if options.get(name) is not None}
    with progress(f"reading {file.name}") as report_progress:
        return read(
            file, types=types, schema=schema, extra_columns=extra_columns, progress=report_progress, **source, **csv
        )


def read_for_model(
    tree: TreeModel,
    file: Path | None,
    options: Mapping[str, Any],
    *,
    extra_columns: Collection[str | None] = (),
    is_tested: bool = False,
) -> Table:
    """Return a table with the features and the target of a model, and further columns.

    `is_tested`: only the features that the tree tests.
    """
    schema = Schema(tested_schema(tree).features, tree.schema.target) if is_tested else tree.schema
    extra = [name for name in extra_columns if name]
    table = read_table(file, options, schema=whole_schema(schema), extra_columns=extra)
    require_columns_of_model(schema, table)
    return table


def require_columns_of_model(schema: Schema, table: Table) -> None:
    """Raise DataError for columns of a model that a table lacks."""
    names = [column.name for column in whole_schema(schema).features if column.name not in table.schema.indices]
    if names:
        columns = f"{counted(len(names), 'column')} of the model: {listed(names, 5)}"
        raise DataError(f"the table lacks {columns}", "give rows of the same columns as those that it was learned from")


def tested_schema(tree: TreeModel) -> Schema:
    """Return the schema of the features that a tree tests, without a target: the columns that a prediction needs."""
    return Schema(tested_features(tree))


def whole_schema(schema: Schema) -> Schema:
    """Return a schema with the target among the features, so that it is read too."""
    return Schema([*schema.features, *([schema.target] if schema.target else [])])


def _csv_value(name: str, value: Any) -> Any:
    if name == "missing":
        return [word for word in value.split(",") if word]
    return "\t" if name == "delimiter" and value == "\\t" else value
