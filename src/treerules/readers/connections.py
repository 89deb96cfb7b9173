"""Query results on DB-API connections (PEP 249), and SQLite files, to tables."""

from collections.abc import Collection, Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treerules._internal.arguments import require_type
from treerules._internal.atomic_files import require_file
from treerules._internal.memory_errors import within_memory
from treerules._internal.sql_quotes import quote_identifier
from treerules.data.cell_reading import MissingWords
from treerules.data.schema import Schema
from treerules.data.table import Table, Types
from treerules.errors import DataError, FileError, UnknownNameError, counted, listed
from treerules.readers.choices import Choices
from treerules.readers.csv.fetch import Progress
from treerules.readers.reader_arguments import check_reader_arguments
from treerules.readers.rows import BATCH, table_of_values
from treerules.readers.text_bounds import FETCH_LESS, READ_LESS

if TYPE_CHECKING:
    import sqlite3


def read_sqlite(
    path: str | Path,
    *,
    table: str | None = None,
    query: str | None = None,
    types: Types | None = None,
    schema: Schema | None = None,
    extra_columns: Collection[str] = (),
    missing: MissingWords | None = None,
    trim: bool | None = None,
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
        missing: words that are missing values, of all columns or by column, as in `read`.
        trim: whether blanks and tabs at both ends of text are removed.
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
    check_reader_arguments(
        path=path, table=table, query=query, types=types, schema=schema, extra_columns=extra_columns, progress=progress
    )
    choices = Choices(missing, trim, schema)
    path = Path(path)
    require_file(path)
    with within_memory(path, READ_LESS):
        columns = _sqlite_columns(path, table, query, progress)
        options: dict[str, Any] = {"has_moments": False, "choices": choices}
        return table_of_values(columns, path.name, types or {}, schema, extra_columns, **options)


def _sqlite_columns(
    path: Path, table: str | None, query: str | None, progress: Progress | None
) -> dict[str, list[Any]]:
    """Return the cells of a table of an SQLite file, or of the result of a query."""
    import sqlite3

    try:
        with closing(sqlite3.connect(path.resolve().as_uri() + "?mode=ro", uri=True)) as connection:
            if query is None:
                table = _table_of(path, connection, table)
                query = f"SELECT * FROM {quote_identifier(table)}"
            columns = _fetch_columns(connection, query, progress)
            for name in () if table is None else _booleans(connection, table):
                columns[name] = [_as_boolean(cell) for cell in columns[name]]
            return columns
    except sqlite3.Error as error:
        raise FileError(str(path), f"cannot be read: {error}", "check the file, its table and the query") from error


def _table_of(path: Path, connection: "sqlite3.Connection", table: str | None) -> str:
    names = [
        name
        for (name,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
            "ORDER BY name"
        )
    ]
    if table is not None and table not in names:
        raise UnknownNameError("table", table, names)
    if table is None and len(names) != 1:
        problem = f"{path} has {counted(len(names), 'table')}: {listed(names)}" if names else f"{path} has no table"
        raise DataError(problem, "name one: table='people', --table people")
    return names[0] if table is None else table


def _booleans(connection: "sqlite3.Connection", table: str) -> list[str]:
    """Return the columns declared BOOLEAN."""
    fields = connection.execute(f"PRAGMA table_info({quote_identifier(table)})").fetchall()
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
    missing: MissingWords | None = None,
    trim: bool | None = None,
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
        missing: words that are missing values, of all columns or by column, as in `read`.
        trim: whether blanks and tabs at both ends of text are removed.
        progress: called with (rows read, 0) from time to time.

    Returns:
        The table.

    Raises:
        DataError: the query fails or returns no rows.
        ColumnError: a column mixes kinds, or does not fit `types` or `schema`.
        UnknownNameError: `types` or `extra_columns` names a column that the result does not have.
    """
    require_type("query", query, str, "a query, as text")
    check_reader_arguments(types=types, schema=schema, extra_columns=extra_columns, progress=progress)
    choices = Choices(missing, trim, schema)
    import sqlite3

    has_moments = not isinstance(connection, sqlite3.Connection)
    with within_memory("the result of the query", FETCH_LESS):
        columns = _query_columns(connection, query, progress)
        options: dict[str, Any] = {"has_moments": has_moments, "choices": choices}
        return table_of_values(columns, "the query", types or {}, schema, extra_columns, **options)


def _query_columns(connection: Any, query: str, progress: Progress | None) -> dict[str, list[Any]]:
    """Return the cells of the result of a query on a connection of any driver."""
    try:
        return _fetch_columns(connection, query, progress)
    except (DataError, MemoryError):
        raise
    except Exception as error:  # each driver has errors of its own
        text = " ".join(str(error).split())[:300]
        raise DataError(
            f"the query fails: {type(error).__name__}: {text}", "correct the query or the connection"
        ) from error


def _fetch_columns(connection: Any, query: str, progress: Progress | None) -> dict[str, list[Any]]:
    with closing(connection.cursor()) as cursor:
        cursor.execute(query)
        if cursor.description is None:
            raise DataError("the query gives no columns", "give a SELECT")
        names = [str(field[0]) for field in cursor.description]
        twice = next((name for position, name in enumerate(names) if name in names[:position]), None)
        if twice is not None:
            raise DataError(f"the query gives two columns named {twice!r}", "rename one with AS")
        cells: list[list[Any]] = [[] for _ in names]
        while rows := cursor.fetchmany(BATCH):
            if isinstance(rows[0], Mapping):  # some drivers can return rows as mappings
                rows = [tuple(row[name] for name in names) for row in rows]
            for column, values in zip(cells, zip(*rows, strict=True), strict=True):
                column.extend(values)
            if progress is not None:
                progress(len(cells[0]), 0)
    if not cells[0]:
        raise DataError("the query gives no rows", "give it at least one row")
    return dict(zip(names, cells, strict=True))
