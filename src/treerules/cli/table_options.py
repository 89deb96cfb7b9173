"""The options of reading a table, and the reading itself."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from treerules._internal.notes import Note
from treerules.cli.column_names import names_callback
from treerules.cli.command_group import Command, add_options
from treerules.cli.input_paths import PATH
from treerules.cli.note_limits import first_of_each_kind
from treerules.cli.output import print_notes
from treerules.cli.progress import progress
from treerules.data.cell_reading import MissingWords
from treerules.data.domain import narrowing
from treerules.data.schema import Schema
from treerules.data.table import Table, Types
from treerules.errors import DataError, counted, listed
from treerules.readers.duckdb import read_query
from treerules.readers.files import read
from treerules.trees.ensemble import Ensemble, TreeModel
from treerules.trees.tested_columns import require_reading_of, tested_features

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
        "--missing",
        multiple=True,
        callback=lambda context, option, values: missing_words(values),
        metavar="[COL=]X,Y",
        help="Read these words as missing values, of all columns or of one: --missing NA,- --missing months=-999,-99. "
        "The model keeps them.  [default: NA,NaN,null,? in files of text]",
    ),
    click.option(
        "--trim",
        is_flag=True,
        callback=lambda context, option, value: value or None,
        help="Remove blanks and tabs at both ends of text. The model keeps this.",
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
        "--skip",
        type=click.IntRange(0),
        metavar="N",
        help="Leave out the N lines above the header of a CSV file, such as titles.  [default: 0]",
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
        "--unreadable",
        multiple=True,
        metavar="[COL=]missing",
        help="Make cells of a CSV file missing that cannot be read as the numbers, dates, timestamps or truth values "
        "that the others of their column are: those of column COL, or of all columns where nine of ten cells can be "
        "read.  [default: such a column is text, with a note]",
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
_CSV_NAMES = ("columns", "header", "encoding", "delimiter", "quote", "skip", "decimal", "thousands", "unreadable")
_TEXT_NAMES = (*_CSV_NAMES, "max_characters")
#: The codes of notes on rows that are read for a model.
_OF_ROWS = ("choices_of_rows", "made_missing", "other_form", "open_point")
#: The names of the options that count for every source.
_CHOICES = ("missing", "trim")
READING_NAMES = ("query", "source_table", *_CHOICES, *_TEXT_NAMES)


def missing_words(values: Sequence[str]) -> MissingWords | None:
    """Return the words that options --missing name: those of all columns, or by column; None without an option.

    >>> missing_words(["NA,-"]), missing_words(["months=-999,-99", "NA"])
    (['NA', '-'], {'months': ['-999', '-99'], None: ['NA']})
    """
    words: dict[str | None, list[str]] = {}
    for value in values:
        name, is_named, listed_words = value.rpartition("=")
        words.setdefault(name if is_named else None, []).extend(filter(None, listed_words.split(",")))
    return (words[None] if set(words) == {None} else words) if words else None


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
    model: TreeModel | None = None,
    extra_columns: Collection[str] = (),
    drop: Collection[str] = (),
) -> Table:
    """Return the table that the options of reading describe; of a file without the columns to drop.

    `model` is the model of the schema, whose choices of reading must be those of the options.

    Raises:
        click.UsageError: neither a file nor a query is given.
        OptionError: An option does not fit the file.
    """
    if file is not None:
        source: dict[str, Any] = {"schema": schema, "model": model, "extra_columns": extra_columns, "drop": drop}
        source |= {"table": options.get("source_table"), "query": options.get("query")}
        return read_file(file, options, types=types, **source)
    given = [name for name in READING_NAMES if options.get(name) not in (None, ())]
    reading_options = [name for name in given if name not in _CHOICES]
    if reading_options != ["query"]:
        raise click.UsageError("Missing argument FILE, or option '--query' alone.", click.get_current_context())
    with progress("reading") as report_progress:
        arguments: dict[str, Any] = {"extra_columns": extra_columns, "progress": report_progress}
        arguments |= {name: options.get(name) for name in _CHOICES}
        table = read_query(options["query"], types=types, schema=schema, **arguments)
    return _with_notes(table, schema, model)


def read_file(
    file: Path,
    options: Mapping[str, Any],
    *,
    types: Types | None = None,
    schema: Schema | None = None,
    model: TreeModel | None = None,
    extra_columns: Collection[str] = (),
    **source: Any,
) -> Table:
    """Return a file as a table, read by the options of reading files of text."""
    source = {name: value for name, value in source.items() if value not in (None, ())}
    given = [name for name in (*_CHOICES, *_TEXT_NAMES) if options.get(name) not in (None, ())]
    csv = {name: _csv_value(name, options[name]) for name in given}
    with progress(f"reading {file.name}") as report_progress:
        table = read(
            file, types=types, schema=schema, extra_columns=extra_columns, progress=report_progress, **source, **csv
        )
    return _with_notes(table, schema, model)


def _with_notes(table: Table, schema: Schema | None, model: TreeModel | None) -> Table:
    """Return a table, after printing where its rows were read in another way than those of the model.

    Raises:
        OptionError: the table was read by other choices than the model holds.
    """
    require_reading_of(model, table)
    if schema is not None:
        notes = [note for note in table.notes if isinstance(note, Note) and note.code in _OF_ROWS]
        print_notes(first_of_each_kind(notes, click.get_current_context().params.get("lang") or "en"))
    return table


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
    table = read_table(file, options, schema=whole_schema(schema), model=tree, extra_columns=extra)
    require_columns_of_model(schema, table)
    return table


def require_columns_of_model(schema: Schema, table: Table) -> None:
    """Raise DataError for columns of a model that a table lacks."""
    names = [column.name for column in whole_schema(schema).features if column.name not in table.schema.indices]
    if names:
        columns = f"{counted(len(names), 'column')} of the model: {listed(names, 5)}"
        hints = [note for note in table.notes if isinstance(note, Note) and note.code == "other_case"]
        remedy = hints[0] if hints else "give rows of the same columns as those that it was learned from"
        raise DataError(f"the table lacks {columns}", remedy)


def tested_schema(tree: TreeModel, *, declared: bool = False) -> Schema:
    """Return the schema of the features that a tree tests, without a target: the columns that a prediction needs.

    `declared`: with the features whose domain it declares.
    """
    others = () if isinstance(tree, Ensemble) or not declared else narrowing(tree.schema, tree.domain)
    needed = {*(feature.name for feature in tested_features(tree)), *others}
    return Schema([feature for feature in tree.schema.features if feature.name in needed])


def whole_schema(schema: Schema) -> Schema:
    """Return a schema with the target among the features, so that it is read too."""
    return Schema([*schema.features, *([schema.target] if schema.target else [])])


def _csv_value(name: str, value: Any) -> Any:
    if name == "unreadable":
        named = {column: what for column, equals, what in (text.rpartition("=") for text in value) if equals}
        return named if len(named) == len(value) else value[0] if len(value) == 1 else " ".join(value)
    return "\t" if name == "delimiter" and value == "\\t" else value
