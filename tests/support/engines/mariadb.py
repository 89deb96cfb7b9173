"""A MariaDB server, loaded through PyMySQL. `.ci/mariadb` starts one.

Its TIMESTAMP ends in 2106 at most, so that moments in UTC are DATETIME(6), as those without a zone are.
"""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any

from engines.storing import Answers, Stored, by_key, quoted, rows_of

_TYPES = {
    "number": "DOUBLE",
    "float32": "FLOAT",
    "decimal": "DECIMAL(38, 19)",
    "integer": "BIGINT",
    "boolean": "BOOLEAN",
    "text": "TEXT",
    "date": "DATE",
    "timestamp": "DATETIME(6)",
    "timestamp_utc": "DATETIME(6)",
}


@cache
def connection() -> Any:
    """Return a connection to the server."""
    import pymysql

    options = dict(part.split("=", 1) for part in os.environ["TREERULES_MARIADB"].split())
    port = int(options.pop("port"))
    return pymysql.connect(**options, port=port, charset="utf8mb4", autocommit=True)


def ask(columns: list[Stored], queries: list[str], settings: Sequence[str] = ()) -> Answers:
    """Return the rows of each query of the columns, in their order, asked after the settings are made."""
    fields = "".join(f", {quoted(column.name, '`')} {_TYPES[column.type]}" for column in columns)
    marks = ", ".join(["%s"] * (len(columns) + 1))
    with connection().cursor() as cursor:
        cursor.execute(f"CREATE OR REPLACE TEMPORARY TABLE t (rid INTEGER{fields})")
        cursor.executemany(f"INSERT INTO t VALUES ({marks})", [tuple(map(_cell, row)) for row in rows_of(columns)])
        for setting in settings:
            cursor.execute(setting)
        found = [_rows(cursor, query) for query in queries]
    if settings:
        connection().close()
        connection.cache_clear()
    return found


def _rows(cursor: Any, query: str) -> list[tuple[Any, ...]]:
    cursor.execute(query)
    return by_key(cursor.fetchall())


def _cell(cell: Any) -> Any:
    return cell.astimezone(UTC).replace(tzinfo=None) if isinstance(cell, datetime) and cell.tzinfo else cell
