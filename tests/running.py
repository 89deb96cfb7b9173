"""Running what was emitted, for real: Python in a fresh namespace, SQL on DuckDB, SQLite and a Postgres server."""

import math
import os
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from datetime import date, datetime
from functools import cache
from itertools import count
from types import SimpleNamespace
from typing import Any

import duckdb
import pytest

from treerules import RuleSet, Schema, Tree, to_python, to_sql

Rows = Sequence[dict[str, Any]]

_DUCKDB_TYPES = {
    "number": "DOUBLE",
    "integer": "BIGINT",
    "boolean": "BOOLEAN",
    "text": "VARCHAR",
    "date": "DATE",
    "timestamp": "TIMESTAMP",
    "timestamp_utc": "TIMESTAMPTZ",
}


def module(text: str) -> SimpleNamespace:
    """Return the emitted module, executed."""
    names: dict[str, Any] = {"__name__": "emitted"}
    exec(compile(text, "emitted.py", "exec"), names)
    return SimpleNamespace(**names)


def by_python(layout: str) -> Callable[[Tree | RuleSet, Rows], list[Any]]:
    """Return what predicts by an emitted Python module."""

    def predict(source: Tree | RuleSet, rows: Rows) -> list[Any]:
        emitted = module(to_python(source, layout=layout))
        return [emitted.predict(row) for row in rows]

    return predict


def by_duckdb(layout: str) -> Callable[[Tree | RuleSet, Rows], list[Any]]:
    """Return what predicts by SQL on DuckDB."""

    def predict(source: Tree | RuleSet, rows: Rows) -> list[Any]:
        schema = source.schema
        sql = to_sql(source, dialect="duckdb", layout=layout, kind="select", table="t", keys=["rid"])
        with duckdb.connect() as connection:
            connection.execute("SET TimeZone = 'UTC'")
            names = [_quoted(feature.name, '"') for feature in schema.features]
            types = [_DUCKDB_TYPES[feature.scalar] for feature in schema.features]
            fields = ", ".join(f"{name} {kind}" for name, kind in zip(names, types, strict=True))
            connection.execute(f"CREATE TABLE t (rid INTEGER, {fields})")
            marks = ", ".join(f"CAST(? AS {kind})" for kind in ["INTEGER", *types])
            if rows:
                connection.executemany(f"INSERT INTO t VALUES ({marks})", list(_cells(schema, rows)))
            return _by_key(connection.execute(sql).fetchall())

    return predict


def by_sqlite(layout: str) -> Callable[[Tree | RuleSet, Rows], list[Any]]:
    """Return what predicts by SQL on SQLite; booleans come back as 0 and 1."""

    def predict(source: Tree | RuleSet, rows: Rows) -> list[Any]:
        schema = source.schema
        sql = to_sql(source, dialect="sqlite", layout=layout, kind="select", table="t", keys=["rid"])
        connection = sqlite3.connect(":memory:")
        try:
            fields = ", ".join(_quoted(feature.name, "`") for feature in schema.features)
            connection.execute(f"CREATE TABLE t (rid, {fields})")
            marks = ", ".join("?" * (len(schema.features) + 1))
            connection.executemany(f"INSERT INTO t VALUES ({marks})", _cells(schema, rows))
            found = _by_key(connection.execute(sql).fetchall())
        finally:
            connection.close()
        booleans = bool(schema.classes) and isinstance(schema.classes[0], bool)
        return [bool(value) if booleans else value for value in found]

    return predict


#: How to connect to a Postgres server; `.ci/run` starts one. Tests that need it are skipped without, and say so.
POSTGRES = os.environ.get("TREERULES_POSTGRES")
_POSTGRES_TYPES = {**_DUCKDB_TYPES, "number": "DOUBLE PRECISION", "text": "TEXT"}


@cache
def postgres() -> Any:
    """Return a connection to the server."""
    import psycopg

    connection = psycopg.connect(POSTGRES or "", autocommit=True)
    connection.execute("SET TimeZone = 'UTC'")
    return connection


def by_postgres(layout: str) -> Callable[[Tree | RuleSet, Rows], list[Any]]:
    """Return what predicts by SQL on Postgres."""

    def predict(source: Tree | RuleSet, rows: Rows) -> list[Any]:
        schema = source.schema
        sql = to_sql(source, dialect="postgres", layout=layout, kind="select", table="pg_temp.t", keys=["rid"])
        names = [_quoted(feature.name, '"') for feature in schema.features]
        types = [_POSTGRES_TYPES[feature.scalar] for feature in schema.features]
        fields = "".join(f", {name} {kind}" for name, kind in zip(names, types, strict=True))
        marks = ", ".join(["%s", *(f"CAST(%s AS {kind})" for kind in types)])
        with postgres().cursor() as cursor:
            cursor.execute("DROP TABLE IF EXISTS pg_temp.t")
            cursor.execute(f"CREATE TEMP TABLE t (rid INTEGER{fields})".encode())
            if rows:
                cursor.executemany(f"INSERT INTO t VALUES ({marks})".encode(), list(_cells(schema, rows)))
            return _by_key(cursor.execute(sql.encode()).fetchall())

    return predict


def _quoted(name: str, quote: str) -> str:
    return quote + name.replace(quote, quote * 2) + quote


def _cells(schema: Schema, rows: Rows) -> Iterable[list[Any]]:
    for rid, row in enumerate(rows):
        yield [rid, *(_cell(row.get(feature.name)) for feature in schema.features)]


def _cell(value: Any) -> Any:
    return str(value) if isinstance(value, (date, datetime)) else value


def _by_key(rows: list[tuple[Any, ...]]) -> list[Any]:
    return [value for _, value in sorted(rows, key=lambda row: row[0])]


ENGINES: dict[str, Callable[[Tree | RuleSet, Rows], list[Any]]] = {
    f"{name}-{layout}": make(layout)
    for name, make in (
        ("python", by_python),
        ("duckdb", by_duckdb),
        ("sqlite", by_sqlite),
        *([("postgres", by_postgres)] if POSTGRES else []),
    )
    for layout in ("flat", "guarded")
}


def statements(dialect: str, *sql: str) -> list[tuple[Any, ...]] | None:
    """Return the rows of the last of some statements, run in an empty database; None without a server."""
    if dialect == "postgres":
        if not POSTGRES:
            return None
        schema = f"s{os.getpid()}_{next(_SCHEMAS)}"  # suites may run side by side
        postgres().execute(
            f"DROP SCHEMA IF EXISTS {schema} CASCADE; CREATE SCHEMA {schema}; SET search_path TO {schema}"
        )
        return _last(postgres(), sql)
    with closing(duckdb.connect() if dialect == "duckdb" else sqlite3.connect(":memory:")) as connection:
        return _last(connection, sql)


def _last(connection: Any, sql: Sequence[str]) -> list[tuple[Any, ...]]:
    for statement in sql:
        found = connection.execute(statement)
    return [tuple(row) for row in found.fetchall()]


_SCHEMAS = count()

#: Every engine for pytest.mark.parametrize: those that are not here are skipped with the reason.
PARAMETERS = [
    *sorted(ENGINES),
    *(
        pytest.param(f"postgres-{layout}", marks=pytest.mark.skip("no Postgres server (TREERULES_POSTGRES is not set)"))
        for layout in ("flat", "guarded")
        if not POSTGRES
    ),
]


def same(a: Any, b: Any) -> bool:
    """Whether two answers are the same value of the same type."""
    return type(a) is type(b) and (a == b or (isinstance(a, float) and math.isnan(a) and math.isnan(b)))
