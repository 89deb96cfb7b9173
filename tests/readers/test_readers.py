"""Every door gives the same Table: hypothesis draws one, it is written with what we did not write, and read back."""

import csv
import gzip
import io
import json
import os
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from profiles import examples
from run_emitted import POSTGRES, postgres
from selection import few
from treerules import Feature, Kind, Table, apply, cart, learn, predict, read
from treerules.errors import ColumnError, DataError, FileError, OptionError, UnknownNameError
from treerules.readers import read_connection, read_csv, read_jsonl, read_parquet, read_query, read_sqlite
from treerules.trees import find_leaf, leaves

Columns = dict[str, list[Any]]

#: Values that every door can carry; text that spells nothing else and has no blank or quote at its ends.
_POOLS: dict[str, tuple[Any, ...]] = {
    "number": (0.5, -1.0, 1e300, 5e-324, float("inf"), 0.1 + 0.2, 2.0),
    "整数": (0, 1, -1, 2**53 + 1, -(2**63), 2**63 - 1),
    "flag": (True, False),
    "text": ("青年", "a,b", "it's", 'q"q', "two\nlines", "x;y", "tab\there", "Ünïcode", "a|b", "no"),
    "day": (date(1, 1, 1), date(2024, 3, 21), date(9999, 12, 31)),
    "moment": (datetime(1, 1, 1), datetime(2024, 3, 21, 20, 21, 9), datetime(9999, 12, 31, 23, 59, 59, 999999)),
    "utc": (datetime(2024, 3, 21, 20, 21, 9, 1, tzinfo=UTC), datetime(1970, 1, 1, tzinfo=UTC)),
}
_SQL = ("DOUBLE", "BIGINT", "BOOLEAN", "VARCHAR", "DATE", "TIMESTAMP", "TIMESTAMPTZ")
#: SQLite has no dates: they are text.
_SQLITE = ("REAL", "INTEGER", "BOOLEAN", "TEXT", "TEXT", "TEXT", "TEXT")


@st.composite
def drawn_columns(draw: st.DrawFn, *, lines: bool = True) -> Columns:
    """Draw a column of every kind, some cells missing, none all missing."""
    n = draw(st.integers(2, 12))
    random = Random(draw(st.integers(0, 2**32)))
    columns = {}
    for name, pool in _POOLS.items():
        values = [value for value in pool if lines or not (isinstance(value, str) and "\n" in value)]
        cells = [random.choice(values) if random.random() < 0.8 else None for _ in range(n)]
        cells[random.randrange(n)] = random.choice(values)
        columns[name] = cells
    return columns


def table_of(columns: Columns) -> Table:
    """Return the table that every door must give."""
    return Table.from_columns(columns)


def as_text(value: Any) -> Any:
    """Return a value as a text file spells it."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, (date, float)) else value


# ---- the doors: each writes the columns, then reads them


def by_parquet(columns: Columns, folder: Path) -> Table:
    """Through a Parquet file that Arrow writes."""
    pq.write_table(arrow(columns), folder / "data.parquet")
    return read_parquet(folder / "data.parquet")


def by_query(columns: Columns, folder: Path) -> Table:
    """Through a query of that file."""
    pq.write_table(arrow(columns), folder / "data.parquet")
    return read_query(f"SELECT * FROM '{folder / 'data.parquet'}';")


def by_duckdb(columns: Columns, folder: Path) -> Table:
    """Through a DuckDB database."""
    with duckdb.connect(str(folder / "data.duckdb")) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        fields = ", ".join(f'"{name}" {kind}' for name, kind in zip(columns, _SQL, strict=True))
        connection.execute(f"CREATE TABLE people ({fields})")
        marks = ", ".join(f"CAST(? AS {kind})" for kind in _SQL)
        rows = [[str(v) if isinstance(v, date) else v for v in row] for row in zip(*columns.values(), strict=True)]
        connection.executemany(f"INSERT INTO people VALUES ({marks})", rows)
        found = read_connection(connection, "SELECT * EXCLUDE (utc) FROM people")  # which its driver needs pytz for
    assert found == table_of({name: cells for name, cells in columns.items() if name != "utc"})
    table = read(folder / "data.duckdb", table="people")
    (folder / "data.duckdb").unlink()
    return table


def by_jsonl(columns: Columns, folder: Path) -> Table:
    """Through JSON lines, of which some lack the keys of missing cells."""
    lines = [
        json.dumps(
            {n: str(v) if isinstance(v, date) else v for n, v in zip(columns, row, strict=True) if v is not None}
        )
        for row in zip(*columns.values(), strict=True)
    ]
    first = dict.fromkeys(columns)  # so that the columns stand in this order
    text = "\n".join([json.dumps(first), *lines]) + "\n\n"
    (folder / "data.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    table = read(folder / "data.jsonl.gz")
    kept = np.arange(1, table.n_rows)
    return Table([type(c)(c.feature, c.data[kept], c.missing[kept]) for c in table.columns])


def by_sqlite(columns: Columns, folder: Path) -> Table:
    """Through an SQLite file."""
    path = folder / "data.db"
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path)
    fields = ", ".join(f'"{name}" {kind}' for name, kind in zip(columns, _SQLITE, strict=True))
    connection.execute(f"CREATE TABLE people ({fields})")
    rows = [[str(v) if isinstance(v, date) else v for v in row] for row in zip(*columns.values(), strict=True)]
    connection.executemany(f"INSERT INTO people VALUES ({', '.join('?' * len(columns))})", rows)
    connection.commit()
    without_flag = [name for name in columns if name != "flag"]
    named = ", ".join(f'"{name}"' for name in without_flag)
    found = read_connection(connection, f"SELECT {named} FROM people")
    connection.close()
    assert found == table_of({name: columns[name] for name in without_flag})
    return read(path)


def arrow(columns: Columns) -> Any:
    """Return an Arrow table, its text dictionary-encoded."""
    kinds = (
        pa.float64(),
        pa.int64(),
        pa.bool_(),
        pa.string(),
        pa.date32(),
        pa.timestamp("us"),
        pa.timestamp("us", "UTC"),
    )
    arrays = [pa.array(cells, kind) for cells, kind in zip(columns.values(), kinds, strict=True)]
    return pa.table(dict(zip(columns, arrays, strict=True)))


def by_arrow(columns: Columns, folder: Path) -> Table:
    """Through an Arrow table whose text is a dictionary."""
    frame = arrow(columns)
    place = list(columns).index("text")
    return Table.from_frame(frame.set_column(place, "text", frame["text"].dictionary_encode()))


def by_pandas(columns: Columns, folder: Path) -> Table:
    """Through a pandas frame with nullable types."""
    kinds = ("float64", "Int64", "boolean", "str", "object", "datetime64[us]", "datetime64[us, UTC]")
    series = {n: pd.Series(cells, dtype=kind) for (n, cells), kind in zip(columns.items(), kinds, strict=True)}
    return Table.from_frame(pd.DataFrame(series))


def by_polars(columns: Columns, folder: Path) -> Table:
    """Through a polars frame, and a lazy one."""
    kinds = (pl.Float64, pl.Int64, pl.Boolean, pl.String, pl.Date, pl.Datetime("us"), pl.Datetime("us", "UTC"))
    frame = pl.DataFrame(columns, schema=dict(zip(columns, kinds, strict=True)))
    assert Table.from_frame(frame.lazy()) == Table.from_frame(frame)
    return Table.from_frame(frame)


DOORS: tuple[Callable[[Columns, Path], Table], ...] = (
    by_parquet, by_query, by_duckdb, by_jsonl, by_sqlite, by_arrow, by_pandas, by_polars,
)  # fmt: skip


@pytest.mark.parametrize("door", few(DOORS, 4), ids=lambda door: door.__name__)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(20), deadline=None)
@given(columns=drawn_columns())
def test_every_door_gives_the_same_table(
    door: Callable[[Columns, Path], Table], columns: Columns, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Equal columns, kinds, categories, values to the bit, missing cells."""
    assert door(columns, tmp_path_factory.mktemp("door")) == table_of(columns)


@settings(max_examples=examples(150), deadline=None)
@given(
    columns=drawn_columns(),
    delimiter=st.sampled_from(",;\t|"),
    quote=st.sampled_from("\"'"),
    encoding=st.sampled_from(("utf-8", "utf-8-sig", "gb18030", "utf-16")),
    end=st.sampled_from(("\n", "\r\n", "\r")),
    blanks=st.booleans(),
    packed=st.booleans(),
    header=st.booleans(),
)
def test_a_csv_file_gives_the_same_table_however_it_is_written(
    columns: Columns,
    delimiter: str,
    quote: str,
    encoding: str,
    end: str,
    blanks: bool,
    packed: bool,
    header: bool,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Delimiter, quote, encoding, line ends, blanks after delimiters, gzip, with and without a header: all sniffed."""
    rows = [list(columns)] if header else []
    rows += [["" if v is None else as_text(v) for v in row] for row in zip(*columns.values(), strict=True)]
    quoted = [[quote + str(cell).replace(quote, quote * 2) + quote for cell in row] for row in rows]
    text = "".join((delimiter + " " * blanks).join(row) + end for row in quoted)
    if encoding == "gb18030":
        text = text.replace("Ünïcode", "中文")
    path = tmp_path_factory.mktemp("door") / "data.txt"
    path.write_bytes((gzip.compress if packed else bytes)(text.encode(encoding)))
    wanted = {n: ["中文" if v == "Ünïcode" and encoding == "gb18030" else v for v in c] for n, c in columns.items()}
    found = read(path, columns=None if header else list(columns))
    assert found == table_of(wanted)
    assert any("gb18030" in note for note in found.notes) == (encoding == "gb18030" and not text.isascii())


@pytest.mark.large
@given(columns=drawn_columns(lines=False), at=st.integers(0, 10))
def test_what_comes_after_the_first_rows_counts_as_much(
    columns: Columns, at: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Rows beyond those that make the guess: the same table, whatever the first ones suggested."""
    path = tmp_path_factory.mktemp("door") / "data.csv"
    dull: dict[str, Any] = {"number": 1, "整数": 7, "flag": "true", "text": "no", "day": "", "moment": "", "utc": ""}
    n_dull = 20_001
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows([dull.values()] * n_dull)
        writer.writerows(["" if v is None else as_text(v) for v in row] for row in zip(*columns.values(), strict=True))
    found = read_csv(path)
    before: dict[str, Any] = {**dict.fromkeys(columns), "number": 1.0, "整数": 7, "flag": True, "text": "no"}
    assert found == table_of({name: [before[name]] * n_dull + cells for name, cells in columns.items()})


@pytest.mark.parametrize(
    ("last", "kind"),
    [
        ("007", Kind.CATEGORY),
        (" 007", Kind.CATEGORY),
        ("1_000", Kind.CATEGORY),
        ("１２", Kind.CATEGORY),
        ("1.0", Kind.NUMBER),
        ("1e3", Kind.NUMBER),
        ("inf", Kind.NUMBER),
        ("0x1F", Kind.CATEGORY),
        ("nan", Kind.CATEGORY),
        ("-07", Kind.INTEGER),
        ("+5", Kind.INTEGER),
        (" 5 ", Kind.INTEGER),
        ("9223372036854775808", Kind.NUMBER),
        ("", Kind.INTEGER),
        ("2024-01-01", Kind.CATEGORY),
    ],
)
@pytest.mark.parametrize("n_rows", [3, pytest.param(25_000, marks=pytest.mark.large)])
def test_one_odd_cell_decides_wherever_it_stands(tmp_path: Path, last: str, kind: Kind, n_rows: int) -> None:
    """In a short file and after the rows that make the guess: 007, 1_000 and full-width digits make text."""
    path = tmp_path / "data.csv"
    path.write_text("x,y\n" + "12,a\n" * n_rows + f"{last},b\n", encoding="utf-8")
    assert read_csv(path).columns[0].feature.kind is kind
    if kind is not Kind.INTEGER:
        path.write_text("x,y\n" + "1.5,a\n" * n_rows + f"{last},b\n", encoding="utf-8")
        assert read_csv(path).columns[0].feature.kind is kind


@pytest.mark.large
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"a,b\n", b"x,w\r\ny,z\r\n"),
        (b"a,b\n", "汉,w\n".encode("gb18030")),
        (b"a,b\n", b"x," + b"w" * 5_000_000 + b"\n"),
        (b"a,b\n", b'"q\r\nq","w"\n'),
    ],
    ids=["other line ends", "another encoding", "a cell of megabytes", "CRLF in quotes"],
)
def test_what_the_fast_way_cannot_read_is_read_all_the_same(tmp_path: Path, before: bytes, after: bytes) -> None:
    """Far down in a file that began in a way that DuckDB reads: the rows are those of Python's csv."""
    path = tmp_path / "a.csv"
    path.write_bytes(before + b"q,w\n" * 50_000 + after)
    text = (b"q,w\n" * 50_000 + after).decode("gb18030")
    found = read_csv(path)
    with _any_length():
        rows = list(csv.reader(io.StringIO(text, newline="")))
    assert found == Table.from_columns({"a": [row[0] for row in rows], "b": [row[1] for row in rows]})
    assert any("as gb18030" in note for note in found.notes) == (not after.isascii())


class _any_length:  # noqa: N801
    """Lets Python's csv read long cells."""

    def __enter__(self) -> None:
        self.before = csv.field_size_limit(2**31 - 1)

    def __exit__(self, *error: object) -> None:
        csv.field_size_limit(self.before)


#: No blank comes first: after every delimiter it would be none of the cells.
_cell = st.text(st.sampled_from("ab 1\"',;\n\r"), max_size=4).filter(lambda cell: not cell.startswith(" "))


@settings(max_examples=examples(150), deadline=None)
@given(
    rows=st.lists(st.lists(_cell, min_size=2, max_size=2), min_size=1, max_size=5), end=st.sampled_from(("\n", "\r\n"))
)
def test_both_ways_of_reading_agree_with_pythons_csv(
    rows: list[list[str]], end: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Cells of quotes, blanks, delimiters and line ends in any mixture: what csv.reader gives, or an error of ours."""
    text = "k,v" + end + "".join(",".join(row) + end for row in rows)
    path = tmp_path_factory.mktemp("door") / "a.csv"
    path.write_text(text, encoding="utf-8", newline="")
    try:
        wanted = [row for row in csv.reader(io.StringIO(text, newline=""), strict=True) if row]
    except csv.Error:
        wanted = []
    is_even = len(wanted) > 1 and all(len(row) == 2 for row in wanted)
    types = {"k": "category", "v": "category"}
    try:
        found = read_csv(path, types=types, delimiter=",", quote='"')
    except FileError:
        assert not is_even or len(wanted) == 1
        return
    blanks = any("blanks" in note for note in found.notes)
    if not blanks:
        assert is_even, text
        cells = [[None if cell == "" else cell for cell in row] for row in wanted[1:]]
        shown = [[None if v is None else str(v) for v in row.values()] for row in found.rows()]
        assert shown == cells, text


@pytest.mark.parametrize("line", ["1,2,", '1,2,""', "1,2,3", "1", '"1" ,2'])
@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
@pytest.mark.parametrize("n_rows", [1, pytest.param(30_000, marks=pytest.mark.large)])
def test_a_ragged_line_is_refused_whatever_reads_it(tmp_path: Path, line: str, encoding: str, n_rows: int) -> None:
    """Also where what is too much is empty, or stands between a quote and a delimiter."""
    path = tmp_path / "a.csv"
    path.write_bytes(("甲,b\n" + "1,2\n" * n_rows + line + "\n1,2\n").encode(encoding))
    with pytest.raises(FileError, match=f"line {n_rows + 2} "):
        read_csv(path)


def test_a_declared_category_keeps_its_spellings_wherever_they_stand(tmp_path: Path) -> None:
    """001 beside 1, TRUE beside true, after the rows that make the guess: text; an order that lacks one is refused."""
    path = tmp_path / "a.csv"
    path.write_text("a,y\n" + "1,u\n2,v\n" * 15_000 + "001,u\n")
    assert read_csv(path, types={"a": "category"}).columns[0].feature.categories == ("001", "1", "2")
    with pytest.raises(ColumnError, match="001"):
        read_csv(path, types={"a": "ordinal:0<1<2"})
    path.write_text("a,y\n" + "true,u\nfalse,v\n" * 15_000 + "TRUE,u\n")
    assert read_csv(path, types={"a": "category"}).columns[0].feature.categories == ("TRUE", "false", "true")


def test_a_model_takes_from_a_file_what_it_asks_for(tmp_path: Path) -> None:
    """Other columns may hold anything; where it asks for none there is a prediction a row; unseen cells are told."""
    from treerules.trees.tested_columns import unseen_cells

    tree = learn(Table.from_columns({"a": ["x", "x", "y", "y"], "b": ["p", "p", "q", "q"]}), target="b", recipe=cart())
    (tmp_path / "a.jsonl").write_text('{"a": "x", "tags": [1, 2]}\n{"a": "new", "tags": null}\n')
    table = read(tmp_path / "a.jsonl", schema=tree.schema)
    assert predict(tree, table).tolist() == ["p", "p"]
    assert unseen_cells(tree, table) == {"a": 1}
    leaf = learn(Table.from_columns({"a": ["x", "y"], "b": ["p", "p"]}), target="b", recipe=cart())
    (tmp_path / "other.csv").write_text("c,d\n1,2\n3,4\n5,6\n")
    pq.write_table(pa.table({"c": [1, 2, 3]}), tmp_path / "other.parquet")
    for name in ("other.csv", "other.parquet"):
        assert predict(leaf, read(tmp_path / name, schema=leaf.schema)).tolist() == ["p"] * 3
    assert predict(tree, Table.from_columns({"a": []})).tolist() == []


def test_parquet_columns_keep_their_names_and_nothing_is_added(tmp_path: Path) -> None:
    """Names that differ in case alone, an empty name, a path that looks like a partition."""
    folder = tmp_path / "x=5"
    folder.mkdir()
    pq.write_table(pa.table({"a": [1], "A": [2], "": [3]}), folder / "p[1].parquet")
    assert [list(row.items()) for row in read_parquet(folder / "p[1].parquet").rows()] == [
        [("a", 1), ("A", 2), ("", 3)]
    ]


def test_what_is_piped_in_is_read(tmp_path: Path) -> None:
    """A named pipe gives the table of what goes through it."""
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text("a,b\n1,x\n2,y\n"))
    writer.start()
    assert read(pipe) == Table.from_columns({"a": [1, 2], "b": ["x", "y"]})
    writer.join()
    writer = threading.Thread(target=lambda: pipe.write_text("a,b\n1,x\n2\n"))
    writer.start()
    with pytest.raises(FileError, match=r"pipe\.csv: line 3 has 1 cell"):
        read(pipe)
    writer.join()


def test_moments_beyond_the_years_are_refused_in_every_unit() -> None:
    """Seconds whose microseconds do not fit, and a nanosecond before 1970, which belongs to the microsecond before."""
    with pytest.raises(ColumnError, match="outside the years"):
        Table.from_frame(pa.table({"t": pa.array([2**60, 0], pa.timestamp("s"))}))
    table = Table.from_frame(pa.table({"t": pa.array([-1, 1], pa.timestamp("ns"))}))
    assert [row["t"] for row in table.rows()] == [datetime(1969, 12, 31, 23, 59, 59, 999999), datetime(1970, 1, 1)]
    wide = pl.DataFrame({"n": pl.Series([1, 2], dtype=pl.Int128)})
    nulled = pa.table({"c": pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array(["x", None]))})
    assert [row["c"] for row in Table.from_frame(nulled).rows()] == ["x", None]
    with pytest.raises(ColumnError, match="Int128"):
        Table.from_frame(wide)


# ---- categories


def test_categories_that_no_row_holds_are_kept() -> None:
    """A pandas categorical, an Arrow dictionary and a polars enum give one column; an ordered one is an ordinal."""
    wanted = Feature("c", Kind.CATEGORY, ("x", "y", "z"))
    cells, categories = ["y", None, "x"], ["z", "y", "x"]
    by_pandas = pd.DataFrame({"c": pd.Categorical(cells, categories=categories)})
    indices = pa.array([1, None, 2], pa.int8())
    by_arrow = pa.table({"c": pa.DictionaryArray.from_arrays(indices, pa.array(categories))})
    by_polars = pl.DataFrame({"c": pl.Series(cells, dtype=pl.Enum(categories))})
    by_duckdb = read_query("SELECT unnest(['y', NULL, 'x'])::ENUM ('z', 'y', 'x') AS c")
    tables = [Table.from_frame(frame) for frame in (by_pandas, by_arrow, by_polars)]
    for table in (*tables, by_duckdb):
        assert table.columns[0].feature == wanted
        assert [row["c"] for row in table.rows()] == cells
    ordered = pd.DataFrame({"c": pd.Categorical(["M", "S"], categories=["S", "M", "L"], ordered=True)})
    assert Table.from_frame(ordered).columns[0].feature == Feature("c", Kind.ORDINAL, ("S", "M", "L"))
    numbers = pd.DataFrame({"c": pd.Categorical([2, 1], categories=[3, 2, 1])})
    assert Table.from_frame(numbers).columns[0].feature == Feature("c", Kind.CATEGORY, (1, 2, 3), "integer")


def test_frames_are_not_copied_and_may_be_read_only() -> None:
    """Doubles and 64-bit integers share their memory with the frame; a table cannot write to it."""
    values = np.arange(6.0)
    values.flags.writeable = False
    whole = np.arange(6)
    for frame in (pl.DataFrame({"x": values, "n": whole}), pa.table({"x": values, "n": whole})):
        table = Table.from_frame(frame)
        theirs = [np.asarray(frame["x"].to_numpy()), np.asarray(frame["n"].to_numpy())]
        for column, their in zip(table.columns, theirs, strict=True):
            assert np.shares_memory(column.data, their)
            assert not column.data.flags.writeable
    frame = pd.DataFrame({"x": values, "y": list("ababab")}, copy=False)
    table = Table.from_frame(frame)
    assert np.shares_memory(table.columns[0].data, frame["x"].to_numpy())
    assert predict(learn(table, target="y", recipe=cart()), table).tolist() == list("ababab")
    assert np.shares_memory(Table.from_columns({"x": values}).columns[0].data, values)


def test_kinds_are_declared_for_typed_sources_too(tmp_path: Path) -> None:
    """Text of a Parquet, JSON or SQLite source is read as the kind that was declared, by the rules of CSV."""
    pq.write_table(pa.table({"d": ["2024/3/21", None], "n": ["07", "8"], "s": ["M", "S"]}), tmp_path / "a.parquet")
    types = {"d": "date", "n": "integer", "s": "ordinal:S<M<L"}
    table = read_parquet(tmp_path / "a.parquet", types=types)
    assert [row["d"] for row in table.rows()] == [date(2024, 3, 21), None]
    assert [row["n"] for row in table.rows()] == [7, 8]
    assert table.column("s").feature == Feature("s", Kind.ORDINAL, ("S", "M", "L"))
    (tmp_path / "a.jsonl").write_text('{"d": "2024/3/21", "n": "07", "s": "M"}\n{"n": "8", "s": "S"}\n')
    assert read_jsonl(tmp_path / "a.jsonl", types=types) == table
    plain = read_jsonl(tmp_path / "a.jsonl")
    assert [column.feature.kind for column in plain.columns] == [Kind.DATE, Kind.CATEGORY, Kind.CATEGORY]
    with pytest.raises(ColumnError, match="2 of 2 cells cannot be read as whole numbers: 'M' in row 1, 'S' in row 2"):
        read_jsonl(tmp_path / "a.jsonl", types={"s": "integer"})


@pytest.mark.engine
@pytest.mark.skipif(not POSTGRES, reason="no Postgres server (TREERULES_POSTGRES is not set)")
@settings(max_examples=examples(10), deadline=None)
@given(columns=drawn_columns())
def test_a_postgres_connection_gives_the_same_table(columns: Columns) -> None:
    """psycopg's own types: floats, integers, booleans, dates, timestamps with and without a zone, numerics."""
    kinds = ("DOUBLE PRECISION", "BIGINT", "BOOLEAN", "TEXT", "DATE", "TIMESTAMP", "TIMESTAMPTZ")
    connection = postgres()
    connection.execute("DROP TABLE IF EXISTS pg_temp.doors")
    fields = ", ".join(f'"{name}" {kind}' for name, kind in zip(columns, kinds, strict=True))
    connection.execute(f"CREATE TEMP TABLE doors ({fields})")
    marks = ", ".join(f"CAST(%s AS {kind})" for kind in kinds)
    with connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO doors VALUES ({marks})", list(zip(*columns.values(), strict=True)))
    assert read_connection(connection, "SELECT * FROM doors") == table_of(columns)
    with pytest.raises(DataError, match="the query fails: UndefinedColumn"):
        read_connection(connection, "SELECT nothing FROM doors")
    (row,) = read_connection(connection, "SELECT 1.5::numeric AS a, 'x'::char(3) AS b").rows()
    assert row == {"a": 1.5, "b": "x  "}


#: The files of the data folder: the columns of those without a header, and a target.
_FILES: dict[str, tuple[int, str]] = {
    "adult_test": (15, "c14"),
    "adult_train": (15, "c14"),
    "california_housing": (0, "median_house_value"),
    "covertype_a": (0, "Cover_Type"),
    "diamonds": (0, "price"),
    "iris": (5, "c4"),
    "mushroom": (0, "class"),
    "nursery": (0, "class"),
    "penguins": (0, "species"),
    "sales_zh": (0, "销售额"),
    "taxis": (0, "fare"),
    "titanic": (0, "Survived"),
    "wine_quality_red": (12, "c11"),
}


@pytest.mark.large
@pytest.mark.skipif("TREERULES_DATA" not in os.environ, reason="TREERULES_DATA does not name the folder of real data")
@pytest.mark.parametrize("name", _FILES)
def test_real_files_are_read_and_learned_from(name: str) -> None:
    """As pandas reads them: as many rows and missing cells, the same sums; then a tree is learned and predicts."""
    path = Path(os.environ["TREERULES_DATA"]) / f"{name}.csv"
    n_columns, target = _FILES[name]
    columns = [f"c{place}" for place in range(n_columns)] or None
    table = read_csv(path, columns=columns)
    encoding, quote = "gb18030" if name == "sales_zh" else "utf-8", "'" if name == "nursery" else '"'
    header = None if columns else 0
    written: dict[str, Any] = {"names": columns, "header": header, "encoding": encoding, "quotechar": quote}
    frame = pd.read_csv(path, skipinitialspace=True, na_values=["?"], **written)
    assert table.n_rows == len(frame)
    for column in table.columns:
        theirs = frame[column.feature.name]
        assert int(column.missing.sum()) == int(theirs.isna().sum()), column.feature.name
        if column.feature.kind in (Kind.NUMBER, Kind.INTEGER):
            assert float(np.nansum(column.data)) == pytest.approx(float(theirs.sum()), rel=1e-12)
    tree = learn(table, target=target, recipe=cart(max_depth=3), drop_missing_target=True)
    assert tree.n_leaves > 1
    assert len(predict(tree, table)) == table.n_rows


def test_rows_that_are_mappings_are_read_by_name() -> None:
    """As dictionary cursors give them; sqlite3.Row too."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript("CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 'x'), (2, 'y')")
        wanted = Table.from_columns({"a": [1, 2], "b": ["x", "y"]})
        for factory in (
            lambda cursor, row: dict(zip([field[0] for field in cursor.description], row, strict=True)),
            sqlite3.Row,
        ):
            connection.row_factory = factory
            assert read_connection(connection, "SELECT * FROM t") == wanted


def test_nanoseconds_are_rounded_down_through_every_door(tmp_path: Path) -> None:
    """With and without a zone, before 1970 too: Parquet, a query and a frame agree."""
    cells = [1704103200123456789, -1, None]
    frame = pa.table(
        {"t": pa.array(cells, pa.timestamp("ns")), "z": pa.array(cells, pa.timestamp("ns", "Asia/Shanghai"))}
    )
    pq.write_table(frame, tmp_path / "a.parquet")
    table = read_parquet(tmp_path / "a.parquet")
    assert table == Table.from_frame(frame) == read_query(f"SELECT * FROM '{tmp_path / 'a.parquet'}'")
    moment = datetime(2024, 1, 1, 10, 0, 0, 123456)
    assert [row["t"] for row in table.rows()] == [moment, datetime(1969, 12, 31, 23, 59, 59, 999999), None]
    assert table.row(0)["z"] == moment.replace(tzinfo=UTC)


def test_a_table_does_not_change_with_the_array_that_it_was_made_of() -> None:
    """Whoever can write to an array may: it was copied."""
    values, whole = np.array([1.0, 2.0]), np.array([1, 2])
    table = Table.from_columns({"x": values, "n": whole})
    values[0], whole[0] = np.nan, 9
    assert table == Table.from_columns({"x": [1.0, 2.0], "n": [1, 2]})


def test_names_and_prefaces_of_spreadsheets(tmp_path: Path) -> None:
    """Blanks before names are none of them; Excel's first line names the delimiter."""
    path = tmp_path / "a.csv"
    path.write_text("a, b, y\n1,2,p\n3,4,q\n")
    wanted = Table.from_columns({"a": [1, 3], "b": [2, 4], "y": ["p", "q"]})
    assert read_csv(path) == wanted
    path.write_text("sep=;\r\na;b;y\r\n1;2;p\r\n3;4;q\r\n", newline="")
    assert read_csv(path) == wanted
    assert read_csv(path, missing=["q"]).row(1)["y"] is None


# ---- what came, comes back in its form


def test_values_are_printed_in_the_form_in_which_they_came(tmp_path: Path) -> None:
    """Dates, timestamps with their zone, booleans: in rules, drawings, predictions; the model file keeps the form."""
    from treerules import compile_rules, load, predict_table, render, save

    path = tmp_path / "a.csv"
    days = ["2024/3/1", "2024/3/2", "2024/3/20", "2024/3/21"]
    moments = [f"2024-03-0{n}T20:00:00+08:00" for n in (1, 2, 3, 4)]
    rows = zip(days, moments, ["TRUE", "TRUE", "FALSE", "FALSE"], strict=True)
    path.write_text("day,moment,flag\n" + "".join(",".join(row) + "\n" for row in rows))
    table = read_csv(path)
    tree = learn(table, target="flag", drop=["moment"], recipe=cart())
    save(tree, tmp_path / "a.tree.json")
    tree = load(tmp_path / "a.tree.json")
    text = render(compile_rules(tree))
    assert "day <= 2024/3/11" in text and "flag = TRUE" in text
    assert "day <= 2024/3/11" in render(tree) and "TRUE" in render(tree)
    assert render(predict_table(tree, table), format="csv").split() == ["prediction", "TRUE", "TRUE", "FALSE", "FALSE"]
    zoned = render(compile_rules(learn(table, target="flag", drop=["day"], recipe=cart())))
    assert "moment <= 2024-03-03T08:00:00+08:00" in zoned
    keys = render(predict_table(tree, table, keys=["day", "moment"]), format="csv").splitlines()
    assert keys[1] == "2024/3/1,2024-03-01T20:00:00+08:00,TRUE"


# ---- what is refused


def _asked(query: str) -> Table:
    with closing(sqlite3.connect(":memory:")) as connection:
        return read_connection(connection, query)


@pytest.mark.parametrize(
    ("error", "call", "message"),
    [
        (OptionError, lambda p: Table.from_frame([1]), "frame='list'): expected a data frame of pandas, polars"),
        (DataError, lambda p: Table.from_frame(pd.DataFrame({1: [2]})), "a column named 1, which is not text"),
        (DataError, lambda p: Table.from_frame(pd.DataFrame([[1, 2]], columns=["a", "a"])), "'a' 2 times"),
        (ColumnError, lambda p: Table.from_frame(pl.DataFrame({"a": [[1]]})), "column 'a' holds List"),
        (ColumnError, lambda p: Table.from_frame(pd.DataFrame({"a": [1, "x", None]}, dtype=object)), "mixes integers"),
        (DataError, lambda p: read_query("SELEC 1"), "the query fails: Parser Error: syntax error"),
        (DataError, lambda p: read_query("SELECT 1 AS a WHERE false"), "the query has no rows"),
        (ColumnError, lambda p: read_query("SELECT [1] AS a"), "holds INTEGER[] values; convert it in a query"),
        (ColumnError, lambda p: read_query("SELECT DATE '20000-01-01' AS d"), "outside the years 1 to 9999"),
        (UnknownNameError, lambda p: read_query("SELECT 1 AS a", types={"b": "number"}), "no column named 'b'"),
        (FileError, lambda p: read_parquet(p / "none.parquet"), "is not a file"),
        (FileError, lambda p: read_parquet(p / "text.jsonl"), "check that it is Parquet"),
        (FileError, lambda p: read_jsonl(p / "text.jsonl"), "line 2 is not JSON (Expecting value"),
        (FileError, lambda p: read_jsonl(p / "list.jsonl"), "entry 1 is not a JSON object: 1; correct that entry"),
        (ColumnError, lambda p: read_jsonl(p / "nested.jsonl"), "holds values of type dict"),
        (FileError, lambda p: read_sqlite(p / "none.db"), "is not a file"),
        (FileError, lambda p: read_sqlite(p / "text.jsonl"), "file is not a database"),
        (DataError, lambda p: read_sqlite(p / "two.db"), "has 2 tables: 'a', 'b'; name one: table='people'"),
        (UnknownNameError, lambda p: read_sqlite(p / "two.db", table="c"), "no table named 'c'; known: 'a', 'b'"),
        (FileError, lambda p: read_sqlite(p / "two.db", query="SELECT x FROM a"), "no such column: x"),
        (DataError, lambda p: read_sqlite(p / "two.db", table="a"), "the query gives no rows"),
        (
            DataError,
            lambda p: _asked("SELECT"),
            "the query fails: OperationalError",
        ),
        (DataError, lambda p: read_connection(duckdb.connect(), "SELECT x"), "the query fails: BinderException"),
        (
            OptionError,
            lambda p: read(p / "two.db", encoding="gb18030"),
            "encoding='gb18030'): expected no value: it does not apply to SQLite",
        ),
        (OptionError, lambda p: read(p / "text.jsonl", table="a"), "it does not apply to JSON, the format of"),
        (FileError, lambda p: read(p / "none.csv"), "No such file or directory"),
        (
            OptionError,
            lambda p: read_csv(p / "a.csv", encoding="gb99"),
            "encoding='gb99'): expected an encoding of text",
        ),
        (OptionError, lambda p: read_csv(p / "a.csv", delimiter=",,"), "expected one ASCII character"),
        (OptionError, lambda p: read_csv(p / "a.csv", columns="a,b"), 'such as ["age", "income"]'),
        (OptionError, lambda p: read_csv(p / "a.csv", columns=[]), "a sequence of names"),
        (OptionError, lambda p: read_csv(p / "a.csv", missing="NA"), 'such as ["NA", "-"]'),
        (OptionError, lambda p: read_csv(p / "a.csv", missing=5), 'such as ["NA", "-"]'),
        (OptionError, lambda p: read_csv(p / "a.csv", missing=["a,b"]), "words without delimiters"),
        (UnknownNameError, lambda p: read_query("SELECT 1 AS a", extra_columns=["b"]), "no column named 'b'"),
        (OptionError, lambda p: read_csv(p / "a.csv", encoding="hex"), "expected an encoding of text"),
        (OptionError, lambda p: read_csv(p / "a.csv", encoding=5), "expected an encoding of text"),
        (UnknownNameError, lambda p: read_csv(p / "a.csv", extra_columns=["zz"]), "no column named 'zz'"),
        (FileError, lambda p: read_csv("a\0b"), "is not a valid path"),
        (DataError, lambda p: read_jsonl(p / "empty.jsonl"), "has no columns"),
        (ColumnError, lambda p: read_jsonl(p / "half.jsonl", types={"a": "date"}), "cannot be read as dates: "),
        (OptionError, lambda p: read_csv(p / "a.csv", columns=["a", "a"]), "expected each name once"),
        (
            FileError,
            lambda p: read_csv(p / "a.csv", columns=["a", "b"]),
            "line 1 has 3 cells where the names given are 2",
        ),
        (FileError, lambda p: read_csv(p / "a.csv", encoding="ascii"), "is not ascii; name its encoding"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_what_a_door_refuses(tmp_path: Path, error: type[Exception], call: Callable[[Path], Any], message: str) -> None:
    """One of our errors on one line: what was asked, what is true, what to do."""
    (tmp_path / "text.jsonl").write_text('{"a": 1}\n{"a": \n')
    (tmp_path / "list.jsonl").write_text("[1]\n")
    (tmp_path / "empty.jsonl").write_text("{}\n{}\n")
    (tmp_path / "half.jsonl").write_text('{"a": "2024-01-01"}\n{"a": "x"}\n')
    (tmp_path / "nested.jsonl").write_text('{"a": {"b": 1}}\n')
    (tmp_path / "a.csv").write_text("1,2,é\n3,4,5\n", encoding="utf-8")
    connection = sqlite3.connect(tmp_path / "two.db")
    connection.executescript("CREATE TABLE a (y); CREATE TABLE b (y)")
    connection.close()
    with pytest.raises(error) as caught:
        call(tmp_path)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_nothing_is_written_to_a_source(tmp_path: Path) -> None:
    """Databases are opened to read only; a query cannot change them."""
    connection = sqlite3.connect(tmp_path / "a.db")
    connection.executescript("CREATE TABLE a (y); INSERT INTO a VALUES (1)")
    connection.close()
    with pytest.raises(FileError, match="readonly"):
        read_sqlite(tmp_path / "a.db", query="INSERT INTO a VALUES (2)")
    assert read_sqlite(tmp_path / "a.db").n_rows == 1


def test_a_learned_tree_predicts_the_same_through_every_door(tmp_path: Path) -> None:
    """Learn from one door, predict from the others."""
    columns: Columns = {
        "size": ["S", "M", "L", "M", "S", None],
        "x": [1.5, 2.5, None, 4.0, 8.0, 2.0],
        "day": [date(2024, 1, n) for n in range(1, 7)],
        "y": ["a", "a", "b", "b", "a", "b"],
    }
    tree = learn(Table.from_columns(columns), target="y", recipe=cart())
    wanted = predict(tree, Table.from_columns(columns)).tolist()
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row, default=str) + "\n" for row in rows))
    out = io.StringIO()
    csv.writer(out).writerows(
        [list(columns), *([as_text(v) if v is not None else "" for v in r.values()] for r in rows)]
    )
    (tmp_path / "a.csv").write_text(out.getvalue())
    frame = pl.DataFrame(columns)
    frame.write_parquet(tmp_path / "a.parquet")
    for name in ("a.jsonl", "a.csv", "a.parquet"):
        assert predict(tree, read(tmp_path / name, schema=tree.schema)).tolist() == wanted, name
    assert predict(tree, Table.from_frame(frame)).tolist() == wanted


#: Spellings of each kind, and what they spell; the classes are those of `c`.
_SPELLED: dict[str, tuple[list[Any], str]] = {
    "boolean": (["true", "false", None, "true", "false", None], "boolean"),
    "category": (["u", "v", None, "u", "v", None], "category"),
    "ordinal": (["S", "L", None, "S", "M", None], "ordinal:S<M<L"),
    "integer": (["1", "5", None, "2", "7", None], "integer"),
    "number": (["1.5", "5", None, "-2.5", "7", None], "number"),
    "date": (["2024-03-21", "2024-04-01", None, "2023-01-01", "2025-01-01", None], "date"),
    "timestamp": (
        ["2024-03-21 01:02", "2024-04-01 01:02", None, "2023-01-01 01:02", "2025-01-01 01:02", None],
        "timestamp",
    ),
}


@pytest.fixture(scope="module")
def spelled_rows(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Callable[..., Table]]:
    """Write the spellings, all as text, and return what reads them, by its name."""
    folder = tmp_path_factory.mktemp("spelled")
    columns = {name: cells * 4 for name, (cells, _) in _SPELLED.items()}
    columns["y"] = ["p", "q", "p", "p", "q", "p"] * 4
    rows = list(zip(*columns.values(), strict=True))
    pq.write_table(pa.table(columns), folder / "a.parquet")
    lines = [json.dumps(dict(zip(columns, row, strict=True))) for row in rows]
    (folder / "a.jsonl").write_text("\n".join(lines))
    with (folder / "a.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([list(columns), *rows])
    with closing(sqlite3.connect(folder / "a.db")) as connection:
        connection.execute(f"CREATE TABLE a ({', '.join(f'{name} TEXT' for name in columns)})")
        connection.executemany(f"INSERT INTO a VALUES ({', '.join('?' * len(columns))})", rows)
        connection.commit()

    def by_connection(**choices: Any) -> Table:
        with closing(sqlite3.connect(folder / "a.db")) as connection:
            return read_connection(connection, "SELECT * FROM a", **choices)

    return {
        "csv": lambda **choices: read_csv(folder / "a.csv", **choices),
        "parquet": lambda **choices: read_parquet(folder / "a.parquet", **choices),
        "jsonl": lambda **choices: read_jsonl(folder / "a.jsonl", **choices),
        "sqlite": lambda **choices: read_sqlite(folder / "a.db", **choices),
        "connection": by_connection,
    }


@pytest.mark.parametrize("door", ["csv", "parquet", "jsonl", "sqlite", "connection"])
@pytest.mark.parametrize("kind", few(_SPELLED, 1))
def test_cells_that_were_spelled_go_where_their_rows_go(
    spelled_rows: dict[str, Callable[..., Table]], door: str, kind: str
) -> None:
    """Read as declared, or as a model knows it, a missing cell is missing: it has its own leaf, as its row has."""
    read = spelled_rows[door]
    declared = read(types={name: spelling for name, (_, spelling) in _SPELLED.items()})
    subset = Table([declared.column(name) for name in (kind, "y")])
    tree = learn(subset, target="y", recipe=cart(missing="branch"))
    places = {id(leaf): place for place, leaf in enumerate(leaves(tree.root), start=1)}
    for table in (declared, read(schema=tree.schema)):
        assert predict(tree, table)[:3].tolist() == ["p", "q", "p"]
        assert apply(tree, table).tolist() == [places[id(find_leaf(tree, row))] for row in table.rows()]
        column = table.column(kind)
        assert column.missing[:3].tolist() == [False, False, True]
        assert column.feature.is_ordered or (column.data[column.missing] == -1).all()
