"""SQLite in the process. It has no decimals and no dates: they are stored as the double and the ISO text."""

import sqlite3
from contextlib import closing
from datetime import date
from decimal import Decimal
from typing import Any

from engines.storing import Answers, Stored, by_key, quoted, rows_of

_TYPES = {"number": "REAL", "float32": "REAL", "decimal": "REAL", "integer": "INTEGER", "boolean": "BOOLEAN"}


def ask(columns: list[Stored], queries: list[str]) -> Answers:
    """Return the rows of each query of the columns, in their order."""
    with closing(sqlite3.connect(":memory:")) as connection:
        fields = "".join(f", {quoted(column.name, '`')} {_TYPES.get(column.type, 'TEXT')}" for column in columns)
        connection.execute(f"CREATE TABLE t (rid INTEGER{fields})")
        marks = ", ".join("?" * (len(columns) + 1))
        connection.executemany(f"INSERT INTO t VALUES ({marks})", [tuple(map(_cell, row)) for row in rows_of(columns)])
        return [by_key(connection.execute(query).fetchall()) for query in queries]


def _cell(cell: Any) -> Any:
    if isinstance(cell, Decimal):
        return float(cell)
    return str(cell) if isinstance(cell, date) else cell
