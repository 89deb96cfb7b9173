"""Reading of CSV files: the format is detected, DuckDB reads the cells, and kinds are inferred."""

import tempfile
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from attrs import evolve

from treerules._internal.arguments import require_columns
from treerules._internal.memory_errors import within_memory
from treerules._internal.sql_quotes import quote_doubling
from treerules.data.cell_reading import MissingWords
from treerules.data.column import Column
from treerules.data.find_number_form import NumberMarks
from treerules.data.schema import Schema
from treerules.data.table import Table, Types, with_types
from treerules.errors import DataError, FileError
from treerules.readers.choices import Choices, cell_sql
from treerules.readers.csv.column_plans import TextCells
from treerules.readers.csv.fetch import Progress, fetch_columns, reading_note
from treerules.readers.csv.misfits import LinesOf, lines_of_rows
from treerules.readers.csv.normalise import inspect_bytes, write_clean_copy
from treerules.readers.csv.sniff import CsvFormat, detect_format, is_gzip
from treerules.readers.csv.value_notes import near_equal_notes, total_notes
from treerules.readers.duckdb_connection import open_connection
from treerules.readers.reader_arguments import Unreadable, check_reader_arguments
from treerules.readers.text_bounds import READ_LESS, longest_allowed, too_long

#: Bytes that DuckDB reads at once; its own 32 MB leave the caches of a processor and take a quarter longer.
_BUFFER = 4_000_000


def read_csv(
    path: str | Path,
    *,
    types: Types | None = None,
    schema: Schema | None = None,
    extra_columns: Collection[str] = (),
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
    """Read a CSV file.

    The format is detected from the start of the file: delimiter, quote, line ends, byte order mark, gzip, and blanks
    after every delimiter, which are skipped. The notes of the table say what was detected. The text of a column that
    differs in each of more than 100,000 rows stays in the file, unless `extra_columns`, `types` or `schema` names it.

    Args:
        path: the path of the file.
        types: the kinds of columns by name, such as {"zip": "category", "size": "ordinal:S<M<L"}; the kinds of the
            others are inferred.
        schema: the schema of a model. Its columns are read with the model's kinds and categories, and no others.
        extra_columns: names of columns to read in addition to those of `schema`.
        columns: the names of the columns of a file without a header line.
        header: whether the first line is the header; without one the columns are c1, c2, ... None: it is one unless it
            clearly is data, and the notes say what was decided.
        missing: words that are read as missing, in addition to empty cells; None: NA, NaN, null and ?. By column they
            count besides these: {"months": ["-999", "-99"]}, in which None names those of all columns. They stay with
            the model; one that spells a number, or another value of its column, is compared as that value.
        trim: whether blanks and tabs at both ends of text are removed; text that is empty then is missing.
        encoding: the encoding of the text, such as "cp1252"; None: UTF-8, else GB18030 or cp1252.
        delimiter: the character between cells; None: detected among comma, semicolon, tab and bar.
        quote: the character around cells; None: detected, " or ', doubled inside.
        skip: the number of lines above the header, or above the first row, that are left out, such as titles.
        decimal: the decimal mark of all numbers, "." or ","; None: found for each column, where one fits alone.
        thousands: the character between thousands in all numbers, such as "," or "."; None: likewise.
        unreadable: "missing": cells that cannot be read as the numbers, dates, timestamps or truth values that nine of
            ten cells of their column are become missing, with a note; {"height": "missing"}: those of some columns,
            where most are; None: such a column is text, with a note, and an error where its kind is declared.
        max_characters: the most characters of a row, which are held in memory as a whole; None: 100 million.
        progress: called with (steps done, number of steps).

    Returns:
        The table. Its columns have the order of the file; their kinds are decided by all rows.

    Raises:
        FileError: the file cannot be read or decoded, or has no rows, duplicate names or ragged lines; a row is too
            long, or memory does not suffice.
        DataError: the lines are not divided: one column, whose name holds a delimiter, and another one is asked for; or
            none of the columns asked for is in the first line, which looks like a title.
        ColumnError: the values of a column do not fit `types` or `schema`.
        OptionError: an argument has an invalid value.
        UnknownNameError: `types` or `extra_columns` names a column that the file does not have.
        MissingExtraError: DuckDB is not installed.
    """
    layout: dict[str, Any] = {"columns": columns, "header": header, "encoding": encoding}
    layout |= {"delimiter": delimiter, "quote": quote, "skip": skip}
    wanted: dict[str, Any] = {"types": {} if types is None else types, "schema": schema, "extra_columns": extra_columns}
    wanted |= {"progress": progress}
    others = {"decimal": decimal, "thousands": thousands, "unreadable": unreadable, "max_characters": max_characters}
    check_reader_arguments(path=path, **wanted, **layout, **others)
    choices = Choices(missing, trim, schema, unreadable)
    path, types, most = Path(path), dict(types or {}), longest_allowed(max_characters)
    asked = [*types, *extra_columns, *choices.columns, *(() if schema is None else schema.indices)]
    missing_words = {word for name in ("", *asked) for word in choices.reading(name).words_in_files}
    csv_format = detect_format(path, asked=asked, missing=missing_words, **layout)
    if csv_format.has_header and sum(map(len, csv_format.names)) > most:
        raise too_long(path, "the header has", most, "check that it is a table")
    _refuse_wrong_header(path, csv_format, asked)
    require_columns(csv_format.names, types=types, extra_columns=extra_columns)
    choices.require_columns(csv_format.names)
    with within_memory(path, READ_LESS), ExitStack() as stack:
        connection = stack.enter_context(open_connection())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))

        def table_of(source: Path, csv_format: CsvFormat, longest: int | None = None) -> Table:
            scan = _scan_sql(source, csv_format, choices, most, longest)
            is_exact = longest is None and not suspicions.odd_digits
            lines_of = partial(lines_of_rows, path, csv_format)
            mark, names, unreadable = NumberMarks(decimal, thousands), csv_format.names, choices.made_missing
            cells = TextCells(*(connection, scan, names, is_exact, mark, unreadable, lines_of, csv_format.delimiter))
            fetched = fetch_columns(cells, **wanted)
            if fetched is None:
                raise _no_rows(path, csv_format)
            columns_read, form_notes, doubts = fetched
            columns_read = choices.read(columns_read, types)
            alike, totals = _value_notes(columns_read if schema is None else [], path, csv_format, lines_of)
            notes = [*csv_format.notes, reading_note(path.name, columns_read), *form_notes, *alike, *choices.notes]
            return with_types(Table(columns_read, [*notes, *totals, *doubts], doubts=[*totals, *doubts]), types)

        suspicions = inspect_bytes(path, csv_format, most)
        is_plain = csv_format.is_plain and not suspicions.odd_rows
        clean_copy = partial(write_clean_copy, path, csv_format, folder, encoding, most)
        return _read_or_copy(path, evolve(csv_format, is_plain=is_plain), folder, clean_copy, table_of)


def _refuse_wrong_header(path: Path, csv_format: CsvFormat, asked: Collection[str]) -> None:
    """Raise DataError where the header has no column that is asked for, and is a title, or holds a delimiter."""
    if not asked or set(asked) & set(csv_format.names):
        return
    if csv_format.title_hint:
        raise DataError(f"{path} has no column named {next(iter(asked))!r} in its first line", csv_format.title_hint)
    if len(csv_format.names) == 1 and any(delimiter in csv_format.names[0] for delimiter in ",;\t|"):
        remedy = "name its delimiter, as in --delimiter ';'; if each line is quoted as a whole, take these quotes out"
        raise DataError(f"{path} has one column, {csv_format.names[0]!r}", remedy)


def _value_notes(
    columns: Sequence[Column], path: Path, csv_format: CsvFormat, lines_of: LinesOf
) -> tuple[list[str], list[str]]:
    """Return the notes on near-equal categories, and those on rows of totals."""
    return near_equal_notes(columns, path, csv_format.encoding), total_notes(columns, lines_of)


def _no_rows(path: Path, csv_format: CsvFormat) -> FileError:
    if csv_format.has_header:
        remedy = "give it at least one row; if its only line is one: header=False, --no-header"
        return FileError(str(path), "has a header and no rows", remedy)
    return FileError(str(path), "has no rows", "give it at least one row")


def _read_or_copy(
    path: Path,
    csv_format: CsvFormat,
    folder: Path,
    clean_copy: Callable[[], tuple[Path, CsvFormat, int]],
    read_table: Callable[..., Table],
) -> Table:
    """Return the table of the file, or of a clean copy if DuckDB cannot read the file itself."""
    import duckdb

    if csv_format.is_plain:
        source = path.resolve()
        if set("*?[") & set(str(source)):  # DuckDB would treat the name as a pattern
            source = folder / "cells.csv"
            source.symlink_to(path.resolve())
        try:
            return read_table(source, csv_format)
        except (duckdb.InterruptException, duckdb.OutOfMemoryException):
            raise
        except duckdb.Error:
            pass  # the clean copy is readable, or writing it reports the error
    copy, copy_format, longest = clean_copy()
    try:
        return read_table(copy, copy_format, longest)
    except duckdb.OutOfMemoryException:
        raise
    except duckdb.Error as error:
        raise FileError(str(path), f"cannot be read: {error}".splitlines()[0], "look for a line that is odd") from error


def _scan_sql(source: Path, csv_format: CsvFormat, choices: Choices, most: int, longest: int | None) -> str:
    """Return SQL that selects the file's cells as text, c0, c1, ...; missing cells are NULL.

    `longest` is a bound on the bytes of a row of a clean copy, None if the original file is read: then DuckDB refuses
    rows of more than `most` bytes, which may have more than `most` characters.
    """
    is_clean = longest is not None
    fields = ", ".join(f"'c{position}': 'VARCHAR'" for position in range(len(csv_format.names)))
    read_by = list(map(choices.reading, csv_format.names))
    is_one = len({(reading.words_in_files, reading.trim) for reading in read_by}) == 1 and not read_by[0].trim
    nulls = ", ".join(map(quote_doubling, read_by[0].words_in_files if is_one else [""]))
    delimiter, quote = (",", '"') if is_clean else (csv_format.delimiter, csv_format.quote)
    new_line = "new_line = '\\n', " if is_clean else ""  # line ends within quotes do not matter
    packed = "none" if is_clean or not is_gzip(source) else "gzip"
    # small buffers are faster; a row longer than one is read from a clean copy
    size = _BUFFER if longest is None else max(_BUFFER, 2 * longest)
    most_bytes = size // 2 if longest is not None else min(size // 2, most)
    scan = (
        f"read_csv({quote_doubling(str(source))}, auto_detect = false, "
        f"header = {not is_clean and csv_format.has_header}, "
        f"delim = {quote_doubling(delimiter)}, quote = {quote_doubling(quote)}, escape = {quote_doubling(quote)}, "
        f"strict_mode = true, {new_line} buffer_size = {size}, max_line_size = {most_bytes}, "
        f"hive_partitioning = false, compression = '{packed}', nullstr = [{nulls}], columns = {{{fields}}})"
    )
    if is_one:
        return scan
    cells = (f"{cell_sql(f'c{at}', by, by.words_in_files)} AS c{at}" for at, by in enumerate(read_by))
    return f"(SELECT {', '.join(cells)} FROM {scan})"
