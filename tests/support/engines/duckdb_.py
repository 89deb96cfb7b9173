"""DuckDB in the process, loaded from Arrow."""

from collections.abc import Sequence

from engines.storing import Answers, Stored, arrow, by_key


def ask(columns: list[Stored], queries: list[str], settings: Sequence[str] = ()) -> Answers:
    """Return the rows of each query of the columns, in their order, asked after the settings are made."""
    from duckdb_session import session

    with session() as connection:
        connection.register("loaded", arrow(columns))  # names and types are Arrow's
        connection.execute("CREATE TEMP TABLE t AS SELECT * FROM loaded")
        for setting in settings:
            connection.execute(setting)
        return [by_key(connection.execute(query).fetchall()) for query in queries]
