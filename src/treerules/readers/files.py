"""Reading of any file: the format is detected by content and, for JSON, by name."""

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import Any

from attrs import evolve

from treerules._internal.arguments import require_columns, require_names
from treerules._internal.atomic_files import unreadable_file
from treerules._internal.file_signatures import refuse_models_and_rules, refuse_other_formats
from treerules._internal.sql_quotes import quote_identifier
from treerules.data.cell_reading import MissingWords
from treerules.data.schema import Schema
from treerules.data.table import Table, Types
from treerules.errors import FileError, OptionError
from treerules.readers.connections import read_sqlite
from treerules.readers.csv.fetch import Progress
from treerules.readers.csv.reader import read_csv
from treerules.readers.csv.sniff import open_bytes
from treerules.readers.duckdb import read_parquet, read_query
from treerules.readers.json_lines import read_jsonl
from treerules.readers.reader_arguments import Unreadable, check_reader_arguments

_CHOSEN = ("table", "query")
_OF_CSV = ("columns", "header", "encoding", "delimiter", "quote", "skip", "decimal", "thousands", "unreadable")
_COMMON = ("types", "schema", "extra_columns", "missing", "trim", "progress")
_JSON = (".jsonl", ".ndjson", ".json")
#: How the text of a file without an ending starts that is JSON: with an object, or an array of them.
_JSON_START = re.compile(rb"(\xef\xbb\xbf)?\s*(\[\s*)?\{\s*(\"|\Z)").match


def read(
    path: str | Path,
    *,
    types: Types | None = None,
    schema: Schema | None = None,
    extra_columns: Collection[str] = (),
    drop: Collection[str] = (),
    table: str | None = None,
    query: str | None = None,
    columns: Sequence[str] | None = None,
    header: bool | None = None,
    missing: MissingWords | None = None,
    trim: bool | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    quote: str | None = None,
    skip: int | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    unreadable: Unreadable = None,
    max_characters: int | None = None,
    progress: Progress | None = None,
) -> Table:
    """Read a file: CSV, Parquet, JSON lines (.jsonl, .ndjson, .json), SQLite or DuckDB.

    The format is detected from the content. `treerules.readers` has a function for each format.

    Args:
        path: the path of the file, which may be a pipe.
        types: the kinds of columns by name, such as {"zip": "category", "size": "ordinal:S<M<L"}; the kinds of the
            others are inferred.
        schema: the schema of a model. Its columns are read with the model's kinds and categories, and no others.
        extra_columns: names of columns to read in addition to those of `schema`.
        drop: names of columns that are left out, such as one that mixes kinds.
        table: the name of a table of a database file.
        query: a SELECT statement for a database file, instead of `table`.
        columns: CSV only: the names of the columns of a file without a header line.
        header: CSV only: whether the first line is the header; without one the columns are c1, c2, ... None: it is one
            unless it clearly is data, and the notes say what was decided.
        missing: words that are missing values, in addition to empty cells of text files; None: NA, NaN, null and ?, in
            text files alone. By column they count besides these: {"months": ["-999", "-99"]}, where None names those of
            all columns. A word that spells a value of its column is compared as that value. The words stay with a model
            that is learned from the table; with `schema` those of the model count, and others are an error.
        trim: whether blanks and tabs at both ends of text are removed; text that is empty then is missing. It stays
            with a model, as `missing` does.
        encoding: CSV only: the encoding of the text, such as "cp1252"; None: UTF-8, else GB18030 or cp1252.
        delimiter: CSV only: the character between cells; None: detected among comma, semicolon, tab and bar.
        quote: CSV only: the character around cells; None: detected, " or ', doubled inside.
        skip: CSV only: the number of lines above the header that are left out, such as titles.
        decimal: CSV only: the decimal mark of all numbers, "." or ","; None: found for each column where one fits.
        thousands: CSV only: the character between thousands in numbers, such as "," or "."; None: likewise.
        unreadable: CSV only: "missing": cells become missing, with a note, that cannot be read as what nine of ten
            cells of their column are (numbers, dates, timestamps or truth values); {"height": "missing"}: those of some
            columns; None: such a column is text, with a note, and an error where its kind is declared.
        max_characters: CSV and JSON only: the most characters of a row of CSV, or of a line or entry of JSON, which are
            held in memory as a whole; None: 100 million.
        progress: called with (steps or rows done, number of them or 0).

    Returns:
        The table; its notes say what was detected.

    Raises:
        OptionError: an argument does not apply to this format.
        FileError: the file cannot be read, a row of text is too long, or memory does not suffice.
        DataError: a query fails or returns no rows.
        ColumnError: the values of a column do not fit `types` or `schema`.
        UnknownNameError: there is no such table or column.
        MissingExtraError: DuckDB is not installed.

    Examples:
        >>> read("examples/weather.csv")
        <Table 14 rows: outlook category, temperature category, humidity category, windy boolean, play category>
    """
    options: dict[str, Any] = {
        "types": types,
        "schema": schema,
        "extra_columns": extra_columns,
        "table": table,
        "query": query,
        "columns": columns,
        "header": header,
        "missing": missing,
        "trim": trim,
        "encoding": encoding,
        "delimiter": delimiter,
        "quote": quote,
        "skip": skip,
        "decimal": decimal,
        "thousands": thousands,
        "unreadable": unreadable,
        "max_characters": max_characters,
        "progress": progress,
    }
    check_reader_arguments(path=path, **options)
    options["drop"] = require_names("drop", drop)
    with seekable_file(Path(path)) as resting:
        return _read(resting, options)


@contextmanager
def seekable_file(path: Path) -> Iterator[Path]:
    """Yield the path of a file that can be read repeatedly: for a pipe, a temporary copy.

    A file whose path is not UTF-8 is copied too: DuckDB cannot open it, nor a link to it.

    Raises:
        FileError: the pipe cannot be read.
    """
    try:
        is_there = path.exists()
        is_pipe = is_there and not path.is_file() and not path.is_dir()
    except OSError as error:  # a name that is too long, or in a folder that cannot be read
        raise unreadable_file(path, error) from error
    is_utf8 = not any("\ud800" <= character <= "\udfff" for character in str(path))
    if not is_pipe and (is_utf8 or not is_there):
        yield path
        return
    with TemporaryDirectory() as folder:
        copy = Path(folder) / path.name.encode("utf-8", "backslashreplace").decode()
        try:
            with path.open("rb") as source, copy.open("wb") as target:
                copyfileobj(source, target)
        except OSError as error:
            raise FileError(str(path), error.strerror or str(error), "check what is piped in") from error
        try:
            yield copy
        except FileError as error:
            raise FileError(str(path), error.problem, error.remedy) from error


def _read(path: Path, options: dict[str, Any]) -> Table:
    """Return the table of a file, without the columns to drop."""
    drop = options.pop("drop")
    if _format(path) == "JSON":
        return _read_format(path, {**options, "drop": drop})
    found = _read_format(path, options)
    require_columns(found.schema.indices, drop=drop)
    kept = [column for column in found.columns if column.feature.name not in drop]
    return evolve(found, columns=kept) if drop else found


def _read_format(path: Path, options: dict[str, Any]) -> Table:
    table, query = options["table"], options["query"]
    of_database, of_csv, common = ({name: options[name] for name in names} for names in (_CHOSEN, _OF_CSV, _COMMON))
    format_ = _format(path)
    _refuse(path, format_, {} if format_ in ("SQLite", "DuckDB") else of_database)
    _refuse(path, format_, {} if format_ == "CSV" else of_csv)
    of_text = {"max_characters": options["max_characters"]}
    _refuse(path, format_, {} if format_ in ("CSV", "JSON") else of_text)
    if format_ == "Parquet":
        return read_parquet(path, **common)
    if format_ == "JSON":
        return read_jsonl(path, drop=options["drop"], **of_text, **common)
    if format_ == "SQLite":
        return read_sqlite(path, **of_database, **common)
    if format_ == "DuckDB":
        if table is None and query is None:
            raise OptionError("table", None, "the name of a table of the database, or a query")
        return read_query(query or f"SELECT * FROM {quote_identifier(table)}", database=path, **common)
    return read_csv(path, **common, **of_csv, **of_text)


def _format(path: Path) -> str:
    with open_bytes(path) as file:
        start = file.read(200)
    refuse_other_formats(path, start)
    refuse_models_and_rules(path, start)
    if start.startswith(b"PAR1"):
        return "Parquet"
    if start.startswith(b"SQLite format 3\0"):
        return "SQLite"
    if start[8:12] == b"DUCK":
        return "DuckDB"
    ending = Path(path.name.lower().removesuffix(".gz")).suffix
    is_json = ending in _JSON or (not ending and _JSON_START(start[:16]))
    return "JSON" if is_json else "CSV"


def _refuse(path: Path, format_: str, options: dict[str, Any]) -> None:
    argument = next((name for name, value in options.items() if value is not None), None)
    if argument is not None:
        raise OptionError(
            argument, options[argument], f"no value: it does not apply to {format_}, the format of {path}"
        )
