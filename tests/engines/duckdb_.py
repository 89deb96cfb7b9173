"""DuckDB in the process, loaded from Arrow."""

from engines.storing import Answers, Stored, arrow, by_key, quoted

_TYPES = {
    "number": "DOUBLE",
    "float32": "FLOAT",
    "decimal": "DECIMAL(38, 19)",
    "integer": "BIGINT",
    "boolean": "BOOLEAN",
    "text": "VARCHAR",
    "date": "DATE",
    "timestamp": "TIMESTAMP",
    "timestamp_utc": "TIMESTAMPTZ",
}


def ask(columns: list[Stored], queries: list[str]) -> Answers:
    """Return the rows of each query of the columns, in their order."""
    import duckdb

    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        fields = "".join(f", {quoted(column.name)} {_TYPES[column.type]}" for column in columns)
        connection.execute(f"CREATE TABLE t (rid INTEGER{fields})")
        connection.register("loaded", arrow(columns))
        connection.execute("INSERT INTO t SELECT * FROM loaded")
        return [by_key(connection.execute(query).fetchall()) for query in queries]
