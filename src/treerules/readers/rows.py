"""Sources of single Python values to tables: JSON lines, SQLite files, any DB-API connection.

JSON and SQLite have no dates: there a column of text that is all dates, or all timestamps, is one.
"""

import io
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from treerules.data.column import Column
from treerules.data.schema import MISSING, OPEN, Feature, Kind, Schema, kind_of_scalar
from treerules.data.table import Table, Types, with_types
from treerules.errors import ColumnError, DataError, FileError, UnknownNameError, counted, listed
from treerules.readers.csv.cell_types import cell_type_of, kind_of, moment_type, value_format_of
from treerules.readers.csv.fetch import Progress, reading_note
from treerules.readers.csv.sniff import open_bytes
from treerules.readers.duckdb_connection import connected, explained, quoted

if TYPE_CHECKING:
    import sqlite3

#: So many rows are fetched from a connection at once.
_BATCH = 10_000


def read_jsonl(
    path: str | Path,
    *,
    types: Types | None = None,
    schema: Schema | None = None,
    extra_columns: Collection[str] = (),
    progress: Progress | None = None,
) -> Table:
    """Read a file of JSON lines, one object per line, or of one array of objects; gzip is unpacked.

    A missing key and null are missing values. Columns have the order in which their names first occur. A text column
    of dates only becomes a date column, one of timestamps only a timestamp column.

    Args:
        path: the path of the file.
        types: the kinds of columns by name, such as {"zip": "category", "size": "ordinal:S<M<L"}; the kinds of the
            others are inferred.
        schema: the schema of a model. Its columns are read with the model's kinds and categories, and no others.
        extra_columns: names of columns to read in addition to those of `schema`.
        progress: called with (rows read, 0) from time to time.

    Returns:
        The table.

    Raises:
        FileError: the file cannot be read, or a line is not a JSON object.
        ColumnError: a column mixes kinds, or does not fit `types` or `schema`.
        UnknownNameError: `types` or `extra_columns` names a column that the file does not have.
        MissingExtraError: DuckDB is not installed.
    """
    path = Path(path)
    columns: dict[str, list[Any]] = {}
    n_rows = 0
    for n_rows, record in enumerate(_objects(path), 1):
        for name, value in record.items():
            cells = columns.setdefault(name, [])
            cells.extend([None] * (n_rows - 1 - len(cells)))
            cells.append(value)
        if progress is not None and n_rows % _BATCH == 0:
            progress(n_rows, 0)
    if not n_rows:
        raise FileError(str(path), "has no rows", "give it at least one object")
    filled = {name: cells + [None] * (n_rows - len(cells)) for name, cells in columns.items()}
    return _table(filled, path.name, types or {}, schema, extra_columns, has_moments=False)


def _objects(path: Path) -> Iterator[Mapping[str, Any]]:
    with open_bytes(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8-sig")
        try:
            is_array = text.read(4096).lstrip()[:1] == "["
            text.seek(0)
            found = enumerate(_array(path, text), 1) if is_array else _by_line(path, text)
            for place, value in found:
                if not isinstance(value, dict):
                    where = "entry" if is_array else "line"
                    raise FileError(
                        str(path), f"{where} {place} is no JSON object: {value!r:.100}", f"mend that {where}"
                    )
                yield value
        except UnicodeDecodeError as error:
            raise FileError(str(path), f"is not UTF-8 ({error.reason})", "convert it to UTF-8") from error
        finally:
            text.detach()


def _by_line(path: Path, text: Iterable[str]) -> Iterator[tuple[int, Any]]:
    for place, line in enumerate(text, 1):
        if line.strip():
            try:
                yield place, json.loads(line)
            except (ValueError, RecursionError) as error:
                shown = line.rstrip("\r\n")
                raise FileError(
                    str(path), f"line {place} is no JSON ({error}): {shown!r:.100}", "mend that line"
                ) from error


def _array(path: Path, text: io.TextIOWrapper) -> Sequence[Any]:
    try:
        found: Sequence[Any] = json.load(text)
    except (ValueError, RecursionError) as error:
        raise FileError(str(path), f"is no JSON ({error})", "mend the file") from error
    return found


def read_sqlite(
    path: str | Path,
    *,
    table: str | None = None,
    query: str | None = None,
    types: Types | None = None,
    schema: Schema | None = None,
    extra_columns: Collection[str] = (),
    progress: Progress | None = None,
) -> Table:
    """Read a table of an SQLite file, or the result of a query. The file is opened read-only.

    Columns that are declared BOOLEAN are booleans. A text column of dates only becomes a date column, one of timestamps
    only a timestamp column.

    Args:
        path: the path of the file.
        table: the name of the table; None: the only table of the file, unless `query` is given.
        query: a SELECT statement, instead of `table`.
        types: the kinds of columns by name, such as {"zip": "category", "size": "ordinal:S<M<L"}; the kinds of the
            others are inferred.
        schema: the schema of a model. Its columns are read with the model's kinds and categories, and no others.
        extra_columns: names of columns to read in addition to those of `schema`.
        progress: called with (rows read, 0) from time to time.

    Returns:
        The table.

    Raises:
        FileError: the file cannot be read.
        UnknownNameError: the file has no such table, or no such column.
        DataError: the file has several tables, or the query fails or returns no rows.
        ColumnError: a column mixes kinds, or does not fit `types` or `schema`.
        MissingExtraError: DuckDB is not installed.
    """
    import sqlite3

    path = Path(path)
    if not path.is_file():
        raise FileError(str(path), "is no file", "check the path")
    try:
        with closing(sqlite3.connect(path.resolve().as_uri() + "?mode=ro", uri=True)) as connection:
            if query is None:
                table = _table_of(path, connection, table)
                query = f"SELECT * FROM {quoted(table)}"
            columns = _fetched(connection, query, progress)
            for name in () if table is None else _booleans(connection, table):
                columns[name] = [_as_boolean(cell) for cell in columns[name]]
    except sqlite3.Error as error:
        raise FileError(str(path), f"cannot be read: {error}", "check the file, its table and the query") from error
    return _table(columns, path.name, types or {}, schema, extra_columns, has_moments=False)


def _table_of(path: Path, connection: "sqlite3.Connection", table: str | None) -> str:
    found = [
        name
        for (name,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
            "ORDER BY name"
        )
    ]
    if table is not None and table not in found:
        raise UnknownNameError("table", table, found)
    if table is None and len(found) != 1:
        problem = f"{path} has {counted(len(found), 'table')}: {listed(found)}" if found else f"{path} has no table"
        raise DataError(problem, "name one: table='people', --table people")
    return found[0] if table is None else table


def _booleans(connection: "sqlite3.Connection", table: str) -> list[str]:
    """Return the columns declared BOOLEAN."""
    fields = connection.execute(f"PRAGMA table_info({quoted(table)})").fetchall()
    return [name for _, name, declared, *_ in fields if declared.upper() in ("BOOLEAN", "BOOL")]


def _as_boolean(cell: Any) -> Any:
    return bool(cell) if cell in (0, 1) and isinstance(cell, int) else cell


def read_connection(
    connection: Any,
    query: str,
    *,
    types: Types | None = None,
    schema: Schema | None = None,
    extra_columns: Collection[str] = (),
    progress: Progress | None = None,
) -> Table:
    """Read the result of a query on a DB-API connection (PEP 249), such as those of psycopg and pymysql.

    Columns have the types of the driver. With sqlite3, a text column of dates only becomes a date column, one of
    timestamps only a timestamp column.

    Args:
        connection: an open connection; it stays open.
        query: a SELECT statement in the dialect of the database.
        types: the kinds of columns by name, such as {"zip": "category", "size": "ordinal:S<M<L"}; the kinds of the
            others are inferred.
        schema: the schema of a model. Its columns are read with the model's kinds and categories, and no others.
        extra_columns: names of columns to read in addition to those of `schema`.
        progress: called with (rows read, 0) from time to time.

    Returns:
        The table.

    Raises:
        DataError: the query fails or returns no rows.
        ColumnError: a column mixes kinds, or does not fit `types` or `schema`.
        UnknownNameError: `types` or `extra_columns` names a column that the result does not have.
    """
    import sqlite3

    try:
        columns = _fetched(connection, query, progress)
    except DataError:
        raise
    except Exception as error:  # each driver has errors of its own
        text = " ".join(str(error).split())[:300]
        raise DataError(
            f"the query fails: {type(error).__name__}: {text}", "mend the query or the connection"
        ) from error
    has_moments = not isinstance(connection, sqlite3.Connection)
    return _table(columns, "the query", types or {}, schema, extra_columns, has_moments=has_moments)


def _fetched(connection: Any, query: str, progress: Progress | None) -> dict[str, list[Any]]:
    with closing(connection.cursor()) as cursor:
        cursor.execute(query)
        if cursor.description is None:
            raise DataError("the query gives no columns", "give a SELECT")
        names = [str(field[0]) for field in cursor.description]
        twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
        if twice is not None:
            raise DataError(f"the query gives two columns named {twice!r}", "rename one with AS")
        cells: list[list[Any]] = [[] for _ in names]
        while rows := cursor.fetchmany(_BATCH):
            if isinstance(rows[0], Mapping):  # what some drivers give on request
                rows = [tuple(row[name] for name in names) for row in rows]
            for column, values in zip(cells, zip(*rows, strict=True), strict=True):
                column.extend(values)
            if progress is not None:
                progress(len(cells[0]), 0)
    if not cells[0]:
        raise DataError("the query gives no rows", "give it at least one row")
    return dict(zip(names, cells, strict=True))


# ---- text that spells something


def _table(
    columns: Mapping[str, Sequence[Any]],
    name: str,
    types: Types,
    schema: Schema | None,
    extra_columns: Collection[str],
    *,
    has_moments: bool,
) -> Table:
    for declared in (*types, *extra_columns):
        if declared not in columns:
            raise UnknownNameError("column", declared, tuple(columns))
    if not columns:
        raise DataError(f"{name} has no columns", "give its rows at least one value")
    wanted = [column for column in columns if schema is None or column in schema.indices or column in extra_columns]
    table = Table.from_columns({column: columns[column] for column in wanted or list(columns)[:1]})
    made = [_as_spelled(column, types, schema, has_moments) for column in table.columns]
    return with_types(Table(made, [reading_note(name, made)]), types)


_LIKE_A_MOMENT = re.compile(r"[0-9]{4}[-/][0-9]{1,2}[-/][0-9]{1,2}").match


def _as_spelled(column: "Column", types: Types, schema: Schema | None, has_moments: bool) -> "Column":
    """Return a text column as what it spells: what was declared, what a model knows, or a date or timestamp."""
    name, feature = column.feature.name, column.feature
    if feature.kind is not Kind.CATEGORY or feature.scalar != "text" or not feature.categories:
        return column
    known = schema.feature(name) if schema is not None and name in schema.indices else None
    declared = kind_of(name, types, schema)
    if declared in OPEN or (declared is None and (has_moments or not all(map(_LIKE_A_MOMENT, feature.categories)))):
        return column

    texts = {"c0": np.array(feature.categories, dtype=object)}
    ours = explained(lambda said: ColumnError(name, f"cannot be read as {declared}: {said}", "mend these cells"))
    with ours, connected() as connection:
        connection.register("texts", texts)
        connection.execute("CREATE TEMP TABLE cells AS SELECT c0 FROM texts")
        if declared is None:
            reading = moment_type(connection, "c0")
        else:
            reading = cell_type_of(connection, "c0", name, types, known)
        if reading.scalar == "text":
            return column
        form = value_format_of(connection, "c0", reading)
        found = connection.execute(f"SELECT {reading.converted.format(c='c0')} AS c0 FROM cells").fetchnumpy()["c0"]
    kind = kind_of_scalar(reading.scalar)
    dtype, hole = {Kind.NUMBER: ("float64", np.nan), Kind.BOOLEAN: ("int32", MISSING)}.get(kind, ("int64", 0))
    places = np.append(np.asarray(found), hole)  # the last: missing, code -1
    return Column(Feature(name, kind, (), reading.scalar, form), places.astype(dtype)[column.data], column.missing)
