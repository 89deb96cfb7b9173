"""A Postgres server, loaded by binary COPY. `.ci/postgres` starts one."""

import os
from collections.abc import Sequence
from functools import cache
from typing import Any

from engines.storing import Answers, Stored, by_key, quoted, rows_of

_TYPES = {
    "number": "float8",
    "float32": "float4",
    "decimal": "numeric",
    "integer": "int8",
    "boolean": "bool",
    "text": "text",
    "date": "date",
    "timestamp": "timestamp",
    "timestamp_utc": "timestamptz",
}


@cache
def connection() -> Any:
    """Return a connection to the server."""
    import psycopg

    dsn = os.environ.get("TREERULES_POSTGRES", "")
    return psycopg.connect(dsn, autocommit=True, options="-c TimeZone=UTC")


def ask(columns: list[Stored], queries: list[str], settings: Sequence[str] = ()) -> Answers:
    """Return the rows of each query of the columns, in their order, asked after the settings are made."""
    types = [_TYPES[column.type] for column in columns]
    fields = "".join(f", {quoted(column.name)} {kind}" for column, kind in zip(columns, types, strict=True))
    with connection().cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS pg_temp.t")
        cursor.execute(f"CREATE TEMP TABLE t (rid int4{fields})".encode())
        with cursor.copy("COPY pg_temp.t FROM STDIN (FORMAT BINARY)") as copy:
            copy.set_types(["int4", *types])
            for row in rows_of(columns):
                copy.write_row(row)
        for setting in settings:
            cursor.execute(setting.encode())
        found = [by_key(cursor.execute(query.encode()).fetchall()) for query in queries]
        cursor.execute("RESET ALL")
    return found
