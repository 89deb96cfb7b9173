"""Connections to databases: one that is opened here, by a URL, or one of the user's.

A database that is opened here gets temporary tables and functions, and a file is opened to be read: nothing of the
user's is changed. On a connection of the user's no object is created.
"""

import re
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import date, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from attrs import evolve, field, frozen

from treerules.errors import DataError, FileError, MissingExtraError, OptionError
from treerules.readers.duckdb_connection import open_connection
from treerules.sql.dialect import Dialect
from treerules.sql.dialects import DIALECTS, dialect_to_emit
from treerules.verification.sql_statements import dialect_of

Cells = Sequence[Sequence[Any]]


@frozen
class Connection:
    """An open connection, and how rows reach a statement on it."""

    #: the engine and its version, or the package of a connection of the user's
    engine: str
    #: how it spells and reads types, names and values
    dialect: Dialect
    #: runs a statement; returns the names of its columns, and its rows
    run: Callable[[str], tuple[list[str], list[tuple[Any, ...]]]]
    #: puts columns of cells, each with its type, into a table; None where rows go into the statement as literals
    fill: Callable[[str, Sequence[str], Cells], None] | None = None
    #: what stands before the names of temporary tables
    temporary: str = ""
    #: how a macro or a temporary function begins, by kind, with "{}" for its name
    creating: Mapping[str, str] = field(default=MappingProxyType({}), hash=False)
    #: the scalars whose values are fetched as text: DuckDB's package needs another one for timestamps with a zone, and
    #: both hold dates that Python does not
    as_text: frozenset[str] = frozenset()


Opened = AbstractContextManager[Connection]


@frozen(eq=False)
class Sql:
    """SQL text on an open connection of any DB-API 2 package, to be compared by `assert_equivalent`.

    Only SELECT is run, with rows of literals instead of the table that the text reads, so that table need not be
    there.

    Attributes:
        text: An expression, or a statement that reads one table, as `to_sql` emits them.
        connection: An open connection, such as one of sqlite3, duckdb, psycopg, pymysql or clickhouse_connect.dbapi.
        dialect: The dialect of the connection, as in `to_sql`. By default the one that the first line of the text
            names, else that of the connection's package.
        rename: The `rename` with which the text was emitted: names in the database by names of the model, or of the
            result where the model has none of that name.

    Examples:
        >>> import sqlite3
        >>> from contextlib import closing
        >>> from treerules import Table, learn, to_sql
        >>> from treerules.testing import assert_equivalent
        >>> tree = learn(Table.from_columns({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]}), target="y")
        >>> with closing(sqlite3.connect(":memory:")) as connection:
        ...     assert_equivalent(tree, Sql(to_sql(tree, dialect="sqlite"), connection))
    """

    text: str
    connection: Any
    dialect: str | None = None
    rename: Mapping[str, str] = field(default=MappingProxyType({}), hash=False)

    def __repr__(self) -> str:
        return f"<Sql {' '.join(self.text[:60].split())!r} on {self.package}>"

    @property
    def package(self) -> str:
        """The package of the connection."""
        return type(self.connection).__module__.partition(".")[0]


def connection_of(sql: Sql) -> Connection:
    """Return a connection of the user's as one that is run on.

    Raises:
        UnknownNameError: the dialect is unknown.
        OptionError: neither `dialect`, nor the text, nor the package of the connection tells the dialect.
    """
    name = sql.dialect or dialect_of(sql.text) or _DIALECT_OF_PACKAGE.get(sql.package)
    if name is None:
        raise OptionError("dialect", None, f"the dialect of the connection: {', '.join(DIALECTS)}")
    dialect = dialect_to_emit(name)

    def run(query: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        try:
            with closing(sql.connection.cursor()) as cursor:
                cursor.execute(query)
                return [column[0] for column in cursor.description], [tuple(row) for row in cursor.fetchall()]
        except Exception as error:
            raise statement_error("the SQL", sql.package, error) from error

    name = dialect.name
    types = {**dialect.spelling.types, **dialect.cast_types}
    own = evolve(dialect, spelling=evolve(dialect.spelling, types=types))
    return Connection(sql.package, own, run, as_text=_AS_TEXT.get(name, frozenset()))


def statement_error(path: str, engine: str, error: Exception) -> FileError:
    """Return the error for a statement that a database refuses."""
    message = " ".join(str(error).split("\n\n")[0].split())[:300]
    return FileError(path, f"{engine} refuses it: {message}", "correct it, or name its dialect")


def cell_of(value: Any) -> Any:
    """Return a value as it is passed to a database: dates and timestamps as text."""
    return str(value) if isinstance(value, (date, datetime)) else value


#: The dialect of a connection, by the package that it comes from.
_DIALECT_OF_PACKAGE = {package: name for name, dialect in DIALECTS.items() for package in dialect.drivers}
_MOMENTS = frozenset(("date", "timestamp", "timestamp_utc"))
_AS_TEXT = {"duckdb": _MOMENTS, "postgres": _MOMENTS}


# ---- DuckDB


@contextmanager
def _duckdb(path: str, time_limit: float) -> Iterator[Connection]:
    with open_connection(_existing(path)) as connection:
        import duckdb

        connection.execute("SET threads = 1")  # several threads may return the rows of a query in another order

        def run(sql: str) -> tuple[list[str], list[tuple[Any, ...]]]:
            with _interrupted(connection.interrupt, time_limit):
                cursor = connection.execute(sql)
                return [column[0] for column in cursor.description], cursor.fetchall()

        def fill(table: str, types: Sequence[str], columns: Cells) -> None:
            lists = ", ".join(f"unnest(CAST(? AS {kind}[]))" for kind in types)
            connection.execute(f"INSERT INTO {table} SELECT {lists}", [list(column) for column in columns])

        yield Connection(
            f"DuckDB {duckdb.__version__}",
            DIALECTS["duckdb"],
            run,
            fill,
            "temp.",
            {"MACRO": "CREATE TEMPORARY MACRO {}", "FUNCTION": "CREATE TEMPORARY MACRO {}"},
            _AS_TEXT["duckdb"],
        )


# ---- SQLite


@contextmanager
def _sqlite(path: str, time_limit: float) -> Iterator[Connection]:
    existing = _existing(path)
    source = f"file:{quote(str(existing))}?mode=ro" if existing else ":memory:"
    connection = sqlite3.connect(source, uri=existing is not None, check_same_thread=False, isolation_level=None)

    def run(sql: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        with _interrupted(connection.interrupt, time_limit):
            cursor = connection.execute(sql)
            return [column[0] for column in cursor.description or ()], cursor.fetchall()

    def fill(table: str, types: Sequence[str], columns: Cells) -> None:
        connection.execute("BEGIN")
        connection.executemany(
            f"INSERT INTO {table} VALUES ({', '.join('?' * len(types))})", zip(*columns, strict=True)
        )
        connection.execute("COMMIT")

    try:
        yield Connection(f"SQLite {sqlite3.sqlite_version}", DIALECTS["sqlite"], run, fill, "temp.")
    finally:
        connection.close()


# ---- Postgres


@contextmanager
def _postgres(url: str, time_limit: float) -> Iterator[Connection]:
    try:
        import psycopg
    except ImportError as error:
        raise MissingExtraError("psycopg", "engines") from error
    try:
        connection = psycopg.connect("postgresql:" + url, connect_timeout=max(2, int(time_limit)))
    except psycopg.Error as error:
        message = " ".join(str(error).split())[:300]
        raise DataError(f"no connection to Postgres: {message}", "check the URL, and that the server runs") from error

    def run(sql: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        cursor = connection.execute(sql.encode())
        if cursor.description is None:
            return [], []
        return [column.name for column in cursor.description], cursor.fetchall()

    def fill(table: str, types: Sequence[str], columns: Cells) -> None:
        with connection.cursor().copy(f"COPY {table} FROM STDIN".encode()) as copy:
            for row in zip(*columns, strict=True):
                copy.write_row(row)

    try:
        run("SET TIME ZONE 'UTC'")
        run(f"SET statement_timeout = {max(1, int(time_limit * 1000))}")
        yield Connection(
            f"Postgres {connection.info.server_version // 10000}",
            DIALECTS["postgres"],
            run,
            fill,
            "pg_temp.",
            {"FUNCTION": "CREATE FUNCTION pg_temp.{}"},
            _AS_TEXT["postgres"],
        )
    finally:
        connection.rollback()  # removes all that was created
        connection.close()


# ---- all


def _existing(path: str) -> Path | None:
    if path in ("", ":memory:"):
        return None
    if not Path(path).is_file():
        raise FileError(path, "there is no such database", "check the path, or name no database")
    return Path(path)


@contextmanager
def _interrupted(interrupt: Callable[[], None], time_limit: float) -> Iterator[None]:
    """Interrupt the statement that runs inside after some seconds."""
    is_late = threading.Event()

    def stop() -> None:
        is_late.set()
        interrupt()

    timer = threading.Timer(time_limit, stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    except Exception as error:
        if is_late.is_set():
            raise TimeoutError(f"it was still running after {time_limit:g} seconds") from error
        raise
    finally:
        timer.cancel()
        timer.join()


#: How a database is opened, by its dialect: with the rest of its URL, "" for one of its own, and the seconds that a
#: statement may take.
DATABASES: Mapping[str, Callable[[str, float], Opened]] = {"duckdb": _duckdb, "sqlite": _sqlite, "postgres": _postgres}


def open_database(dialect: str | None, url: str | None, time_limit: float, *, is_given: bool = True) -> Opened:
    """Open the database that runs a dialect, which is given or stands in a file, or the one that a URL names.

    Raises:
        OptionError: the URL names no engine, or another one than the dialect; or neither names one.
        UnknownNameError: there is no such dialect.
    """
    dialect = None if dialect is None else dialect_to_emit(dialect).name
    scheme, colon, rest = (url or "").partition(":")
    engine = {"postgresql": "postgres"}.get(scheme, scheme)
    wanted = dialect if dialect in DATABASES else None
    shown = None if url is None else re.sub(r"//([^:/@]*):[^@]*@", r"//\1:***@", url)  # no password in a message
    if url is not None and (engine not in DATABASES or not colon):
        raise OptionError("database", shown, "duckdb:PATH, sqlite:PATH or postgresql://...")
    if wanted is None and url is None:
        others = "or a database to run on; treerules diff MODEL FILE compares SQL of any dialect by a proof"
        option = "dialect" if is_given or dialect is None else "the dialect that the first line of the file names"
        raise OptionError(option, dialect, f"one of {', '.join(DATABASES)}, {others}")
    if wanted is not None and url is not None and engine != wanted:
        raise OptionError("database", shown, f"a database of the dialect, {wanted}")
    if url is None and wanted == "postgres":
        raise OptionError("database", url, "the server to run on: postgresql://user@host/name")
    return DATABASES[wanted or engine](rest, time_limit)
