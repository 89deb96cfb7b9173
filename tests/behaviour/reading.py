"""Tables: what every reader makes of files, queries, connections, frames and rows, with fingerprints."""

import gzip
import math
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from behaviour import calls
from behaviour.calls import (
    Table,
    outcome,
    read,
    read_connection,
    read_csv,
    read_jsonl,
    read_parquet,
    read_query,
    read_sqlite,
    told,
)
from behaviour.stored import content_of, files, from_plain, tables

ROWS = [
    {"x": 1.5, "n": 3, "ok": True, "名": "否", "day": date(2024, 2, 29), "at": datetime(2024, 3, 21, 20, 21, 9, 5)},
    {"x": None, "n": -7, "ok": False, "名": "it's", "day": None, "at": datetime(1969, 12, 31)},
    {"x": -0.0, "n": 2**53 + 1, "ok": None, "名": None, "day": date(1, 1, 1), "at": None},
    {"x": 1e300, "n": None, "ok": True, "名": "", "day": date(9999, 12, 31), "at": datetime(9999, 12, 31, 23, 59, 59)},
]


@contextmanager
def working_in(names: dict[str, bytes]) -> Iterator[Path]:
    """Work in a temporary folder that holds these files."""
    before = Path.cwd()
    with TemporaryDirectory() as folder:
        for name, content in names.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        os.chdir(folder)
        try:
            yield Path(folder)
        finally:
            os.chdir(before)


def recorded() -> Iterator[tuple[str, str]]:
    """Yield what is read through every door."""
    for place, call in enumerate(content_of("reads.json.gz")):
        given = {name: from_plain(value) for name, value in call["kwargs"].items()}
        with working_in({call["file"]: files()[call["content"]]}):
            function: Any = getattr(calls, call["function"])
            text = outcome(lambda f=function, file=call["file"], given=given: f(file, **given))
            yield f"{call['function']} {place:04} {call['file']}"[:90].strip(), without_engine(text)
    for name, table in tables().items():
        yield f"table {name}", told(table)
    with working_in(_files()):
        yield from _doors()
    with working_in(_late()):
        yield from _read_late()
    yield from _frames()
    yield from _rows()


def without_engine(text: str) -> str:
    """Return a text without what DuckDB says in an error."""
    marks = ("Invalid Input Error:", "IO Error:", "Conversion Error:", "Binder Error:", "Parser Error:",
             "Catalog Error:", "CSV Error", "INTERNAL Error:")  # fmt: skip
    places = [place for place in map(text.find, marks) if place >= 0]
    return text[: min(places)] + "..." if places else text


def _files() -> dict[str, bytes]:
    lines = b"a,b,c,d\n1,x,2024-03-21,true\n2,y,2024/3/22,false\n,z,,\n4,x,2024-03-24,true\n"
    semicolons = "Größe;Preis;Art\n1,5;2;'a;b'\n2,5;3;c\n".encode()
    return {
        "a.csv": lines,
        "a.csv.gz": gzip.compress(lines, mtime=0),
        "tabs.tsv": lines.replace(b",", b"\t"),
        "pipes.txt": lines.replace(b",", b"|").replace(b"\n", b"\r\n"),
        "old.csv": lines.replace(b"\n", b"\r"),
        "semi.csv": semicolons,
        "gb.csv": "年龄,类别\n青年,否\n老年,是\n".encode("gb18030"),
        "bom.csv": "\ufeff年龄,类别\n青年,否\n老年,是\n".encode(),
        "blank.csv": b"a, b, c\n1, 2, x\n3, 4, y\n",
        "quoted.csv": b'a,b\n"1","say ""hi"""\n"2","two\nlines"\n',
        "empty.csv": b"",
        "header.csv": b"a,b\n",
        "ragged.csv": b"a,b\n1,2\n3\n",
        "twice.csv": b"a,a\n1,2\n",
        "zeros.csv": b"code,n\n00123,1\n0456,2\n",
        "na.csv": b"a,b\nNA,1\n?,2\n5,NULL\n-,4\n",
        "mixed.csv": b"a,b\n1,x\ntwo,y\n3,z\n",
        "zoned.csv": b"t,u\n2024-03-21T20:21:09+08:00,2024-03-21 20:21\n2024-03-22T20:21:09+08:00,2024-03-22 08:00\n",
        "rows.jsonl": (
            b'{"a": 1, "b": "x", "day": "2024-03-21"}\n{"a": null, "b": "y", "day": "2024-03-22"}\n{"c": true}\n'
        ),
        "rows.json": b'[{"a": 1.5, "b": [1]}, {"a": 2}]',
        "list.json": b'[{"a": 1.5, "b": "x"}, {"a": 2, "b": null}]',
        "bad.jsonl": b'{"a": 1}\n{"a": \n',
        "scalar.jsonl": b"1\n2\n",
        "rows.jsonl.gz": gzip.compress(b'{"a": 1}\n{"a": 2}\n', mtime=0),
    }


def _late() -> dict[str, bytes]:
    """Return files whose columns are told by their first rows, and are something else further on."""
    n = 21_000
    columns = {
        "text": [str(place % 7) for place in range(n)] + ["late"],
        "large": [str(place) for place in range(n)] + [str(2**63)],
        "real": [str(place % 5) for place in range(n)] + ["0.5"],
        "day": ["2024-03-21"] * n + ["2024-03-21 08:00:00"],
        "moment": ["2024-03-21 08:00:00"] * n + ["soon"],
        "flag": ["true"] * n + ["yes"],
        "hole": ["1.5"] * n + [""],
        "new": ["ab"[place % 2] for place in range(n)] + ["c"],
        "unique": [f"id{place}" for place in range(n + 1)],
    }
    files = {f"{name}.csv": "\n".join(["a,b", *(f"{cell},x" for cell in cells), ""]).encode()
             for name, cells in columns.items()}  # fmt: skip
    lines = [",".join(columns), *(",".join(row) for row in zip(*columns.values(), strict=True)), ""]
    return {
        **files,
        "all.csv": "\n".join(lines).encode(),
        "gb.csv": "\n".join(["列,b", *["否,1"] * 300, ""]).encode("gb18030"),
    }


def _read_late() -> Iterator[tuple[str, str]]:
    for name in _late():
        given: dict[str, Any]
        for choice, given in (("", {}), (" keep", {"keep": ["a"]}), (" number", {"types": {"a": "number"}}),
                              (" category", {"types": {"a": "category"}})):  # fmt: skip
            text = outcome(lambda name=name, given=given: read_csv(name, **given))
            yield f"late {name}{choice}", without_engine(text)


def _doors() -> Iterator[tuple[str, str]]:
    choices: dict[str, dict[str, Any]] = {
        "types": {"types": {"a": "category", "b": "ordinal:x<y<z"}}, "keep": {"keep": ["a"]},
        "missing": {"missing": ["x", "?"]}, "no missing": {"missing": []}, "delimiter": {"delimiter": ";"},
        "quote": {"quote": "'"}, "encoding": {"encoding": "latin-1"}, "bad encoding": {"encoding": "utf-16"},
        "columns": {"columns": ["p", "q", "r", "s"]}, "few columns": {"columns": ["p"]},
        "wrong type": {"types": {"a": "date"}}, "no column": {"types": {"zz": "number"}},
        "no kind": {"types": {"a": "text"}},
    }  # fmt: skip
    for name in sorted(_files()):
        yield f"read_file {name}", without_engine(outcome(lambda name=name: read(name)))
        if not name.endswith((".jsonl", ".json", "jsonl.gz")):
            for choice, given in choices.items():
                text = outcome(lambda name=name, given=given: read_csv(name, **given))
                yield f"read_csv {name} {choice}", without_engine(text)
        else:
            yield f"read_jsonl {name}", outcome(lambda name=name: read_jsonl(name))
            yield f"read_jsonl {name} types", outcome(lambda name=name: read_jsonl(name, types={"a": "category"}))
    schema = outcome(lambda: read_csv("a.csv", schema=read_csv("a.csv").schema))
    yield "read_csv schema", schema
    yield "read_csv schema of another", outcome(lambda: read_csv("na.csv", schema=read_csv("a.csv").schema))
    heard: list[Any] = []
    read_csv("a.csv", progress=lambda *said: heard.append(said))
    yield "read_csv progress", repr(heard[-1:])
    yield "read_file nothing", outcome(lambda: read("none.csv"))
    yield "read_file folder", outcome(lambda: read("."))
    yield from _databases()
    yield from _parquet()


def _databases() -> Iterator[tuple[str, str]]:
    with closing(sqlite3.connect("s.db")) as connection:
        connection.executescript(
            "CREATE TABLE p (x REAL, n INTEGER, ok BOOLEAN, s TEXT, d TEXT, b BLOB);"
            "INSERT INTO p VALUES (1.5, 3, 1, 'a', '2024-03-21', NULL), (NULL, 4, 0, 'b', '2024-03-22', NULL);"
            "CREATE TABLE q (v); INSERT INTO q VALUES (1), ('a');"
        )
        connection.commit()
        asked = (
            "SELECT x, n, s FROM p", "SELECT * FROM q", "SELECT 1 WHERE 0", "SELECT 1 AS a, 2 AS a",
            "SELECT d FROM p", "DELETE FROM q WHERE 0",
        )  # fmt: skip
        for query in asked:
            yield f"read_connection {query}", outcome(lambda query=query: read_connection(connection, query))
        yield (
            "read_connection types",
            outcome(
                lambda: read_connection(connection, "SELECT n, s FROM p", types={"n": "category"}, extra_columns=["n"])
            ),
        )
    for table in ("p", "q", "none", None):
        yield f"read_sqlite {table}", outcome(lambda table=table: read_sqlite("s.db", table=table))
    yield "read_sqlite query", outcome(lambda: read_sqlite("s.db", query="SELECT n + 1 AS m, s FROM p"))
    yield "read_sqlite both", outcome(lambda: read_sqlite("s.db", query="SELECT 1", table="p"))
    yield "read_file sqlite", outcome(lambda: read("s.db", table="p"))
    yield "read_sqlite no database", outcome(lambda: read_sqlite("a.csv", table="p"))
    with duckdb.connect("d.duckdb") as connection:
        connection.execute(
            "CREATE TABLE t AS SELECT * FROM (VALUES (1, 'x', DATE '2024-03-21', TIMESTAMP '2024-03-21 20:21:09'),"
            " (2, NULL, NULL, NULL)) AS v(a, b, c, d)"
        )
        yield "read_connection duckdb", outcome(lambda: read_connection(connection, "SELECT * FROM t"))
    queries = (
        "SELECT * FROM 'a.csv'", "SELECT 1::DECIMAL(10,2) AS d, 'a'::VARCHAR AS s, true AS t",
        "SELECT 1 AS x WHERE false", "SELECT [1, 2] AS l", "SELECT 1 AS a; SELECT 2 AS b", "nonsense",
        "SELECT 'a'::ENUM('b', 'a') AS e, 3::UBIGINT AS u, TIMESTAMPTZ '2024-03-21 20:21:09+08' AS z, INTERVAL 1 DAY i",
        "SELECT 3000000000000000000000::HUGEINT AS h, 1::TINYINT AS t, NULL AS n, 'nan'::DOUBLE AS f",
    )  # fmt: skip
    for place, query in enumerate(queries):
        yield f"read_query {place}", without_engine(outcome(lambda query=query: read_query(query)))
    yield (
        "read_query database",
        outcome(lambda: read_query("SELECT * FROM t", database="d.duckdb", types={"a": "category"})),
    )
    yield "read_query no database", without_engine(outcome(lambda: read_query("SELECT 1", database="none.duckdb")))
    yield "read_file duckdb", without_engine(outcome(lambda: read("d.duckdb")))


def _arrow() -> Any:
    columns = {name: [row[name] for row in ROWS] for name in ROWS[0]}
    return pa.table(
        {
            **columns,
            "kind": pa.array(["a", "b", None, "a"]).dictionary_encode(),
            "zoned": pa.array([datetime(2024, 3, 21, tzinfo=UTC), None, None, None], pa.timestamp("us", "UTC")),
            "small": pa.array([1, 2, None, 3], pa.int8()),
            "single": pa.array([0.1, None, 2.5, math.inf], pa.float32()),
        }
    )


def _parquet() -> Iterator[tuple[str, str]]:
    pq.write_table(_arrow(), "p.parquet")
    pq.write_table(pa.table({"l": [[1], [2]]}), "lists.parquet")
    pq.write_table(pa.table({"d": [Decimal("1.10"), None], "t": [timedelta(1), None]}), "odd.parquet")
    for name in ("p.parquet", "lists.parquet", "odd.parquet", "a.csv"):
        yield f"read_parquet {name}", without_engine(outcome(lambda name=name: read_parquet(name)))
        typed = outcome(lambda name=name: read(name, types={"n": "category"}))
        yield f"read_file {name} as parquet", without_engine(typed)
    yield "read_parquet types", outcome(lambda: read_parquet("p.parquet", types={"n": "category"}, extra_columns=["x"]))
    yield "read_parquet schema", outcome(lambda: read_parquet("p.parquet", schema=read_parquet("p.parquet").schema))


def _frames() -> Iterator[tuple[str, str]]:
    """Yield the tables of data frames of every library."""
    arrow = _arrow()
    frames: dict[str, Callable[[], Any]] = {
        "arrow": lambda: arrow,
        "pandas": lambda: arrow.to_pandas(),
        "pandas of rows": lambda: pd.DataFrame(ROWS),
        "pandas ordered": lambda: pd.DataFrame(
            {"s": pd.Categorical(["S", "L", None], ["S", "M", "L"], ordered=True), "o": ["a", 1, None]}
        ),
        "pandas categories": lambda: pd.DataFrame({"s": pd.Categorical([2, 1, None], [2, 1]), "t": [1.5, None, 2]}),
        "pandas named by numbers": lambda: pd.DataFrame({0: [1], 1: [2]}),
        "pandas lists": lambda: pd.DataFrame({"l": [[1], [2]]}),
        "polars": lambda: pl.from_arrow(arrow),
        "polars lazy": lambda: pl.from_arrow(arrow).lazy(),
        "polars enum": lambda: pl.DataFrame({"e": pl.Series(["b", "a", None], dtype=pl.Enum(["b", "a", "c"]))}),
        "polars lists": lambda: pl.DataFrame({"l": [[1], [2]]}),
        "polars times": lambda: pl.DataFrame(
            {"t": [timedelta(1)], "u": [2**63]}, schema={"t": pl.Duration, "u": pl.UInt64}
        ),
        "polars zoned": lambda: pl.DataFrame(
            {"z": pl.Series([datetime(2024, 3, 21)]).dt.replace_time_zone("Asia/Shanghai")}
        ),
        "no frame": lambda: [1, 2],
        "empty": lambda: pd.DataFrame({"a": []}),
    }  # fmt: skip
    for name, make in frames.items():
        yield f"frame {name}", outcome(lambda make=make: Table.from_frame(make()))
        yield f"frame {name} types", outcome(lambda make=make: Table.from_frame(make(), types={"n": "category"}))


def _rows() -> Iterator[tuple[str, str]]:
    """Yield tables of rows and columns in memory."""
    columns: dict[str, dict[str, Any]] = {
        "arrays": {"a": np.array([1.5, np.nan]), "b": np.array([1, 2], dtype=np.int32), "c": np.array(["x", "y"])},
        "booleans": {"a": np.array([True, False]), "b": [True, None]},
        "dates": {"a": np.array(["2024-03-21", "NaT"], dtype="datetime64[D]"), "b": [date(2024, 3, 1), None]},
        "moments": {"a": np.array(["2024-03-21T20:21:09.000001", "NaT"], dtype="datetime64[us]")},
        "zoned": {"a": [datetime(2024, 3, 21, tzinfo=UTC), None], "b": [datetime(2024, 3, 21), None]},
        "large": {"a": [2**63, 1], "b": [2**70, -(2**70)]},
        "numbers": {"a": [1, 2.5], "b": [Decimal("1.5"), 2], "c": [np.float32(0.1), np.int64(3)]},
        "mixed": {"a": [1, "x"]},
        "mixed dates": {"a": [date(2024, 3, 1), datetime(2024, 3, 1)]},
        "mixed zones": {"a": [datetime(2024, 3, 21, tzinfo=UTC), datetime(2024, 3, 21)]},
        "objects": {"a": [object.__class__, 1]},
        "missing": {"a": [None, None], "b": [math.nan, None]},
        "lengths": {"a": [1], "b": [1, 2]},
        "bytes": {"a": [b"x", b"y"]},
        "two dimensions": {"a": np.zeros((2, 2))},
        "empty": {},
        "no rows": {"a": []},
        "text": {"a": ["1", "2"], "b": ["2024-03-21", "x"]},
    }
    for name, given in columns.items():
        yield f"from_columns {name}", outcome(lambda given=given: Table.from_columns(given))
    kinds = (
        "number",
        "integer",
        "boolean",
        "category",
        "ordinal:x<y",
        "ordinal",
        "date",
        "timestamp",
        "text",
        "ordinal:1<2",
    )
    values: dict[str, list[Any]] = {
        "numbers": [1, 2.5, None], "integers": [1, 2, None], "whole": [1.0, 2.0, None], "text": ["x", "y", None],
        "digits": ["1", "2", "x"], "dates": [date(2024, 3, 1), None, date(2024, 3, 2)], "flags": [True, False, None],
        "spelled": ["2024-03-01", None, "2024/3/2"], "moments": [datetime(2024, 3, 1, 5), None, datetime(2024, 3, 2)],
        "truths": ["true", "false", None],
    }  # fmt: skip
    for name, cells in values.items():
        for kind in kinds:
            text = outcome(lambda cells=cells, kind=kind: Table.from_columns({"a": cells}, types={"a": kind}))
            yield f"from_columns {name} as {kind}", text
    yield "from_rows", told(Table.from_rows(ROWS))
    yield "from_rows types", told(Table.from_rows(ROWS, types={"n": "category", "名": "ordinal:否<it's<"}))
    yield "from_rows odd", outcome(lambda: Table.from_rows([{"a": 1}, {"b": 2}, {}]))
    table = Table.from_rows(ROWS)
    yield "table repr", repr(table) + told([table.row(1), list(table.rows()), table == Table.from_rows(ROWS)])
    yield "table column", outcome(lambda: table.column("nn"))
