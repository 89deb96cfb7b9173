"""Running what was emitted, for real: Python in a fresh namespace, SQL on DuckDB, SQLite and a Postgres server.

These are quick enough for every law; test_sql_engines.py runs all engines.
"""

import math
import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import count
from types import SimpleNamespace
from typing import Any

import duckdb
import pytest

import engines
from engines import Stored
from engines.postgres import connection as postgres
from treerules import RuleSet, Tree, to_python, to_sql

Rows = Sequence[dict[str, Any]]


def module(text: str) -> SimpleNamespace:
    """Return the emitted module, executed."""
    names: dict[str, Any] = {"__name__": "emitted"}
    exec(compile(text, "emitted.py", "exec"), names)
    return SimpleNamespace(**names)


def by_python(layout: str, style: str) -> Callable[[Tree | RuleSet, Rows], list[Any]]:
    """Return what predicts by an emitted Python module."""

    def predict(source: Tree | RuleSet, rows: Rows) -> list[Any]:
        emitted = module(to_python(source, layout=layout, style=style))
        return [emitted.predict(row) for row in rows]

    return predict


def by_sql(dialect: str, layout: str) -> Callable[[Tree | RuleSet, Rows], list[Any]]:
    """Return what predicts by SQL on an engine."""
    engine = engines.ENGINES[dialect]

    def predict(source: Tree | RuleSet, rows: Rows) -> list[Any]:
        features = source.schema.features
        columns = [Stored(f.name, f.scalar, [row.get(f.name) for row in rows]) for f in features]
        sql = to_sql(source, dialect=dialect, layout=layout, kind="select", table=engine.table, keys=["rid"])
        return engine.predictions(source.schema, engine.ask(columns, [sql])[0])

    return predict


#: Where a Postgres server is; `.ci/run` starts one. Tests that need it are skipped without, and say so.
POSTGRES = os.environ.get("TREERULES_POSTGRES")

ENGINES: dict[str, Callable[[Tree | RuleSet, Rows], list[Any]]] = {
    f"{name}-{layout}": by_sql(name, layout)
    for name in ("duckdb", "sqlite", *(["postgres"] if POSTGRES else []))
    for layout in ("flat", "guarded")
} | {
    f"python-{style}-{layout}": by_python(layout, style)
    for style in ("plain", "full")
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
    *(name for name in sorted(ENGINES) if not name.startswith("postgres")),
    *(
        pytest.param(
            f"postgres-{layout}",
            marks=[
                pytest.mark.engine,
                pytest.mark.skipif(not POSTGRES, reason="no Postgres server (TREERULES_POSTGRES is not set)"),
            ],
        )
        for layout in ("flat", "guarded")
    ),
]


def same(a: Any, b: Any) -> bool:
    """Whether two answers are the same value of the same type."""
    return type(a) is type(b) and (a == b or (isinstance(a, float) and math.isnan(a) and math.isnan(b)))
