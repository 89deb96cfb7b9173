"""Running what was emitted, for real: Python in a fresh namespace, SQL on DuckDB and SQLite."""

import math
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from types import SimpleNamespace
from typing import Any

import duckdb

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
    for name, make in (("python", by_python), ("duckdb", by_duckdb), ("sqlite", by_sqlite))
    for layout in ("flat", "guarded")
}


def same(a: Any, b: Any) -> bool:
    """Whether two answers are the same value of the same type."""
    return type(a) is type(b) and (a == b or (isinstance(a, float) and math.isnan(a) and math.isnan(b)))
