"""Databases as data: how one is opened, what its types are called, how rows of ours get in and answers out.

Everything that is made is temporary, and a database file is opened to be read: nothing of the user's is touched.
"""

import re
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import date, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from attrs import frozen

from treerules.errors import DataError, FileError, MissingExtraError, OptionError
from treerules.readers.duckdb_connection import connected
from treerules.sql.dialects import DIALECTS, emitted_dialect
from treerules.sql.language import Language

Cells = Sequence[Sequence[Any]]


@frozen
class Connection:
    """An open database, as far as a check needs it."""

    engine: str
    #: runs a statement; gives the names of its columns, and its rows
    run: Callable[[str], tuple[list[str], list[tuple[Any, ...]]]]
    #: puts columns of cells, each with its type, into a table
    fill: Callable[[str, Sequence[str], Cells], None]


@frozen
class Database:
    """How an engine is used."""

    #: how it spells types, names and values
    language: Language
    #: before the names of temporary tables
    temporary: str
    #: opens the rest of a URL, "" for a database of its own, for statements that take at most so many seconds
    opened: Callable[[str, float], AbstractContextManager[Connection]]
    #: how a macro or function begins that is gone afterwards, "{}" for its name
    creating: Mapping[str, str] = MappingProxyType({})
    #: queries that give answers of a scalar as text, {0} for the column, {1} for the query: DuckDB's package needs
    #: another package for timestamps with a zone
    as_text: Mapping[str, str] = MappingProxyType({})

    def dropping(self, kind: str, name: str) -> str:
        """Return the statement that drops what was made."""
        return f"DROP {kind} {name}"

    def literal(self, value: Any, scalar: str) -> str:
        """Return a value of a scalar as an expression of its type.

        >>> DATABASES["duckdb"].literal(0.3, "number"), DATABASES["sqlite"].literal(float("nan"), "number")
        ('CAST(0.3e0 AS DOUBLE)', 'CAST(NULL AS REAL)')
        """
        is_nan = isinstance(value, float) and value != value
        if value is None or (is_nan and self.language.is_number is None):
            text = "NULL"
        else:
            text = "'NaN'" if is_nan else self.language.literal(value)
        return f"CAST({text} AS {self.language.types[scalar]})"


def cell_of(value: Any) -> Any:
    """Return a value as it is handed to a database: dates and timestamps as text."""
    return str(value) if isinstance(value, (date, datetime)) else value


# ---- DuckDB


@contextmanager
def _duckdb(path: str, time_limit: float) -> Iterator[Connection]:
    with connected(_existing(path)) as connection:
        import duckdb

        def run(sql: str) -> tuple[list[str], list[tuple[Any, ...]]]:
            with _interrupted(connection.interrupt, time_limit):
                found = connection.execute(sql)
                return [column[0] for column in found.description], found.fetchall()

        def fill(table: str, types: Sequence[str], columns: Cells) -> None:
            lists = ", ".join(f"unnest(CAST(? AS {kind}[]))" for kind in types)
            connection.execute(f"INSERT INTO {table} SELECT {lists}", [list(column) for column in columns])

        yield Connection(f"DuckDB {duckdb.__version__}", run, fill)


# ---- SQLite


@contextmanager
def _sqlite(path: str, time_limit: float) -> Iterator[Connection]:
    existing = _existing(path)
    source = f"file:{quote(str(existing))}?mode=ro" if existing else ":memory:"
    connection = sqlite3.connect(source, uri=existing is not None, check_same_thread=False, isolation_level=None)

    def run(sql: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        with _interrupted(connection.interrupt, time_limit):
            found = connection.execute(sql)
            return [column[0] for column in found.description or ()], found.fetchall()

    def fill(table: str, types: Sequence[str], columns: Cells) -> None:
        connection.execute("BEGIN")
        connection.executemany(
            f"INSERT INTO {table} VALUES ({', '.join('?' * len(types))})", zip(*columns, strict=True)
        )
        connection.execute("COMMIT")

    try:
        yield Connection(f"SQLite {sqlite3.sqlite_version}", run, fill)
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
        said = " ".join(str(error).split())[:300]
        raise DataError(f"no connection to Postgres: {said}", "check --database, and that the server runs") from error

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
        yield Connection(f"Postgres {connection.info.server_version // 10000}", run, fill)
    finally:
        connection.rollback()  # what was made is gone
        connection.close()


# ---- all


def _existing(path: str) -> Path | None:
    if path in ("", ":memory:"):
        return None
    if not Path(path).is_file():
        raise FileError(path, "there is no such database", "check the path, or leave --database out")
    return Path(path)


@contextmanager
def _interrupted(interrupt: Callable[[], None], time_limit: float) -> Iterator[None]:
    """Interrupt what runs inside once its time is up."""
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


DATABASES = {
    database.language.name: database
    for database in (
        Database(
            DIALECTS["duckdb"].spelling,
            "temp.",
            _duckdb,
            creating={"MACRO": "CREATE TEMPORARY MACRO {}", "FUNCTION": "CREATE TEMPORARY MACRO {}"},
            as_text={"timestamp_utc": "SELECT * REPLACE (CAST({0} AS VARCHAR) AS {0}) FROM (\n{1}\n) AS answers"},
        ),
        Database(DIALECTS["sqlite"].spelling, "temp.", _sqlite),
        Database(
            DIALECTS["postgres"].spelling,
            "pg_temp.",
            _postgres,
            creating={"FUNCTION": "CREATE FUNCTION pg_temp.{}"},
        ),
    )
}


def database_of(dialect: str | None, url: str | None) -> tuple[Database, str]:
    """Return the engine that runs a dialect, and what is opened of it.

    Raises:
        OptionError: the URL names no engine, or another than the dialect's; or neither names one.
        UnknownNameError: there is no such dialect.
    """
    if dialect is not None:
        emitted_dialect(dialect)  # an unknown one is refused
    scheme, colon, rest = (url or "").partition(":")
    engine = {"postgresql": "postgres"}.get(scheme, scheme)
    wanted = dialect if dialect in DATABASES else None
    shown = None if url is None else re.sub(r"//([^:/@]*):[^@]*@", r"//\1:***@", url)  # no password in a message
    if url is not None and (engine not in DATABASES or not colon):
        raise OptionError("database", shown, "duckdb:PATH, sqlite:PATH or postgresql://...")
    if wanted is None and url is None:
        raise OptionError("dialect", dialect, f"one of {', '.join(DATABASES)}, or a database to run on")
    if wanted is not None and url is not None and engine != wanted:
        raise OptionError("database", shown, f"a database of the dialect, {wanted}")
    if url is None and wanted == "postgres":
        raise OptionError("database", url, "the server to run on: postgresql://user@host/name")
    return DATABASES[wanted or engine], rest
