"""ClickHouse in the process (chdb), one session, loaded from Parquet and read by way of Arrow."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engines.storing import Answers, Stored, arrow, by_key


@cache
def session() -> Any:
    """Return the session."""
    from chdb.session import Session

    found = Session()
    found.query("SET session_timezone = 'UTC'")
    return found


def ask(columns: list[Stored], queries: list[str]) -> Answers:
    """Return the rows of each query of the columns, in their order."""
    import pyarrow.parquet as pq

    with TemporaryDirectory() as folder:
        file = Path(folder) / "t.parquet"
        pq.write_table(arrow(columns), file)
        session().query("DROP TABLE IF EXISTS t")
        # names and types are those of the file: Nullable(Float64), Nullable(Decimal(38, 19)), Nullable(Date32), ...
        session().query(f"CREATE TABLE t ENGINE = Memory AS SELECT * FROM file('{file}', 'Parquet')")
    return [by_key(_rows(query)) for query in queries]


def _rows(query: str) -> list[tuple[Any, ...]]:
    import pyarrow as pa

    found = session().query(query, "ArrowStream").bytes()
    with pa.ipc.open_stream(found) as stream:
        table = stream.read_all()
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))
