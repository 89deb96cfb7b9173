"""JSON lines files, one object per line, or one array of objects, to tables."""

import io
import json
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import evolve

from treerules._internal.arguments import require_names
from treerules._internal.memory_errors import within_memory
from treerules.data.cell_reading import MissingWords
from treerules.data.column_names import stripped_names, stripping_notes
from treerules.data.schema import Schema
from treerules.data.table import Table, Types
from treerules.errors import FileError
from treerules.readers.choices import Choices
from treerules.readers.csv.fetch import Progress
from treerules.readers.csv.sniff import open_bytes
from treerules.readers.json_entries import array_entries
from treerules.readers.reader_arguments import check_reader_arguments
from treerules.readers.rows import BATCH, table_of_values
from treerules.readers.text_bounds import READ_LESS, longest_allowed, too_long


def read_jsonl(
    path: str | Path,
    *,
    types: Types | None = None,
    schema: Schema | None = None,
    extra_columns: Collection[str] = (),
    drop: Collection[str] = (),
    missing: MissingWords | None = None,
    trim: bool | None = None,
    max_characters: int | None = None,
    progress: Progress | None = None,
) -> Table:
    """Read a file of JSON lines, one object per line, or of one array of objects; gzip is unpacked.

    The JSON of a pandas frame is read too: one object of columns, each an object of cells by the numbers of rows, or
    `orient="split"`.
    A missing key and null are missing values. Columns have the order in which their names first occur. A text column
    of dates only becomes a date column, one of timestamps only a timestamp column.

    Args:
        path: the path of the file.
        types: the kinds of columns by name, such as {"zip": "category", "size": "ordinal:S<M<L"}; the kinds of the
            others are inferred.
        schema: the schema of a model. Its columns are read with the model's kinds and categories, and no others.
        extra_columns: names of columns to read in addition to those of `schema`.
        drop: names of columns that are not read, such as one that mixes kinds.
        missing: words that are missing values, of all columns or by column, as in `read`.
        trim: whether blanks and tabs at both ends of text are removed.
        max_characters: the most characters of a line, of an entry of an array, or of the JSON of a frame, which are
            held in memory as a whole; None: 100 million.
        progress: called with (rows read, 0) from time to time.

    Returns:
        The table.

    Raises:
        FileError: the file cannot be read, a line is too long or not a JSON object, or memory does not suffice.
        ColumnError: a column mixes kinds, or does not fit `types` or `schema`.
        UnknownNameError: `types` or `extra_columns` names a column that the file does not have.
        MissingExtraError: DuckDB is not installed.
    """
    check_reader_arguments(
        path=path,
        types=types,
        schema=schema,
        extra_columns=extra_columns,
        max_characters=max_characters,
        progress=progress,
    )
    dropped, choices = require_names("drop", drop), Choices(missing, trim, schema)
    path = Path(path)
    with within_memory(path, READ_LESS):
        columns = _columns(path, longest_allowed(max_characters), progress)
        names = stripped_names(list(columns))
        named = dict(zip(names, columns.values(), strict=True))
        options: dict[str, Any] = {"has_moments": False, "choices": choices, "drop": dropped}
        table = table_of_values(named, path.name, types or {}, schema, extra_columns, **options)
    return evolve(table, notes=[*stripping_notes(list(columns), names), *table.notes])


def _columns(path: Path, most: int, progress: Progress | None) -> dict[str, list[Any]]:
    """Return the cells of a file by the names of their columns."""
    columns: dict[str, list[Any]] = {}
    n_rows = 0
    for n_rows, record in enumerate(_objects(path, most), 1):
        for name, value in record.items():
            cells = columns.setdefault(name, [])
            cells.extend([None] * (n_rows - 1 - len(cells)))
            cells.append(value)
        if progress is not None and n_rows % BATCH == 0:
            progress(n_rows, 0)
    if not n_rows:
        raise FileError(str(path), "has no rows", "give it at least one object")
    return {name: cells + [None] * (n_rows - len(cells)) for name, cells in columns.items()}


def _objects(path: Path, most: int) -> Iterator[Mapping[str, Any]]:
    with open_bytes(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8-sig")
        try:
            start = text.read(4096).lstrip()
            text.seek(0)
            is_array = start[:1] == "["
            frame = None if is_array or not _FRAME_START(start) else _rows_of_frame(path, text, most)
            if not is_array and frame is None:
                text.seek(0)
            rows = array_entries(path, text, most) if is_array else frame
            entries = _by_line(path, text, most) if rows is None else enumerate(rows, 1)
            for number, value in entries:
                if not isinstance(value, dict):
                    unit = "entry" if is_array else "line"
                    raise FileError(
                        str(path), f"{unit} {number} is not a JSON object: {value!r:.100}", f"correct that {unit}"
                    )
                yield value
        except UnicodeDecodeError as error:
            raise FileError(str(path), f"is not UTF-8 ({error.reason})", "convert it to UTF-8") from error
        finally:
            text.detach()


def _by_line(path: Path, text: io.TextIOWrapper, most: int) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(iter(lambda: text.readline(most + 1), ""), 1):
        if len(line) > most:
            raise too_long(path, f"line {number} has", most, "split that line")
        if line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError) as error:
                line_text = line.rstrip("\r\n")
                raise FileError(
                    str(path), f"line {number} is not JSON ({error}): {line_text!r:.100}", "correct that line"
                ) from error


#: Characters that are read at once where they are only looked through.
_AT_ONCE = 1 << 16
#: The start of the JSON of a pandas frame: an object in an object, or one that begins with columns, index or data.
_FRAME_START = re.compile(r'\{\s*"(?:(?:[^"\\]|\\.)*"\s*:\s*\{|(columns|index|data)"\s*:\s*\[)').match


def _rows_of_frame(path: Path, text: io.TextIOWrapper, most: int) -> list[dict[str, Any]] | None:
    """Return the rows of a pandas frame in JSON, by columns or split; None where the file is no such object."""
    frame = _only_value(path, text, most)
    if not isinstance(frame, dict):
        return None
    names, data = frame.get("columns"), frame.get("data")
    if isinstance(names, list) and isinstance(data, list) and set(frame) <= {"columns", "index", "data"}:
        is_even = all(isinstance(row, list) and len(row) == len(names) for row in data)
        return [dict(zip(map(str, names), row, strict=True)) for row in data] if is_even else None
    columns = list(frame.values())
    if not columns or not all(isinstance(column, dict) and column.keys() == columns[0].keys() for column in columns):
        return None
    if not columns[0] or not all(map(str.isdecimal, columns[0])):  # a row that holds an object
        return None
    return [{name: column[row] for name, column in frame.items()} for row in columns[0]]


def _only_value(path: Path, text: io.TextIOWrapper, most: int) -> Any:
    """Return the value of a file that holds one value of JSON; None where it holds several, one on each line."""
    first = text.readline(most + 1)
    try:
        value = json.loads(first)
    except (ValueError, RecursionError):  # a value on several lines
        whole = first + text.read(most + 1 - len(first))
        if len(whole) > most:
            raise too_long(path, "the object that begins in line 1 has", most, "write one object a line") from None
        try:
            return json.loads(whole)
        except (ValueError, RecursionError):
            return None
    is_alone = not any(piece.strip() for piece in iter(lambda: text.read(_AT_ONCE), ""))
    return value if is_alone else None
