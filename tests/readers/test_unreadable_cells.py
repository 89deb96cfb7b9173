"""Cells that cannot be read as what their column is: rows are counted, lines named, and `unreadable` drops them."""

import random
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from profiles import examples
from selection import few
from treerules import Kind, read
from treerules.errors import ColumnError, OptionError, UnknownNameError
from treerules.readers import read_csv
from treerules.readers.csv.wide_tables import MANY


def file_of(folder: Path, cells: list[str], name: str = "x") -> Path:
    """Return a CSV file of a column, and of another one of letters."""
    path = folder / "table.csv"
    path.write_text(
        f"{name},y\n" + "".join(f"{cell},{'ab'[n % 2]}\n" for n, cell in enumerate(cells)), encoding="utf-8"
    )
    return path


DRAWN = random.Random(39)
RATINGS = [str(DRAWN.randint(1, 5)) for _ in range(1000)]
HEIGHTS = [str(DRAWN.randint(150, 200)) for _ in range(1014)] + ["1m60", "tall", "??"] * 27
DAYS = [f"2024-{DRAWN.randint(1, 12):02}-{DRAWN.randint(1, 28):02}" for _ in range(60)]
SHARES = [f"{DRAWN.randint(1, 100)}%" for _ in range(600)]


@pytest.mark.parametrize(
    ("cells", "said", "kind", "n_missing"),
    [
        ([*RATINGS, "-"], "1 of 1,001 cells cannot be read as whole numbers: '-' in line 1002;", Kind.INTEGER, 1),
        (HEIGHTS, "81 of 1,095 cells cannot be read as whole numbers: '1m60' in line 1016", Kind.INTEGER, 81),
        ([*DAYS, "n/a", "n/a"], "2 of 62 cells cannot be read as dates: 'n/a' in line 62, 'n/a' in", Kind.DATE, 2),
        ([*SHARES, "Source: bank"], "1 of 601 cells cannot be read as numbers in the form 1234.5%: '", Kind.NUMBER, 1),
        ([f"{day} 07:30" for day in DAYS] + ["soon"], "1 of 61 cells cannot be read as timestamps", Kind.TIMESTAMP, 1),
        (
            [f"{day}T07:30Z" for day in DAYS] + ["x"],
            "as timestamps with a zone: 'x' in line 62",
            Kind.TIMESTAMP,
            1,
        ),
        (["true", "false"] * 50 + ["maybe"], "cannot be read as truth values (true, false): 'maybe'", Kind.BOOLEAN, 1),
        (["3/31/2024", "4/1/2024"] * 9 + ["?!"], "cannot be read as dates in the form %m/%d/%Y: '?!'", Kind.DATE, 1),
    ],
)
def test_rows_are_counted_and_lines_are_named(
    cells: list[str], said: str, kind: Kind, n_missing: int, tmp_path: Path
) -> None:
    """Nine of ten cells can be read: the last note names the others, and unreadable="missing" makes them missing."""
    path = file_of(tmp_path, cells)
    table = read(path)
    assert table.schema.feature("x").kind is Kind.CATEGORY
    assert said in table.notes[-1]
    assert table.doubts == table.notes[-1:]
    for unreadable in ("missing", {"x": "missing"}):
        table = read(path, unreadable=unreadable)
        assert table.schema.feature("x").kind is kind
        assert int(table.column("x").missing.sum()) == n_missing
        assert "column 'x': made missing: " in table.notes[-1]
        assert said.rstrip(";") in table.notes[-1]
        assert not table.doubts


@pytest.mark.parametrize(
    ("cells", "declared", "said", "values"),
    [
        (["1", "x", "3"], "number", "1 of 3 cells cannot be read as numbers: 'x' in line 3; ", [1, None, 3]),
        (["1", "1.5"], "integer", "1 of 2 cells cannot be read as whole numbers: '1.5' in line 3; ", [1, None]),
        (["S", "M", "XL"], "ordinal:S<M<L", "1 of 3 cells cannot be read as levels of the order", ["S", "M", None]),
        (["True", "-"], "boolean", "cannot be read as truth values (true, false): '-' in line 3", [True, None]),
        (["31/1/2024", "x"], "date:%d/%m/%Y", "dates in the form %d/%m/%Y: 'x'", [date(2024, 1, 31), None]),
        (["2024-01-31 07:30", "x"], "timestamp", "timestamps: 'x' in", [datetime(2024, 1, 31, 7, 30), None]),
        ([*["60", "62.5"] * 9, "5cm?", "63cm"], "number", "'5cm?' in line 20; ", [60, 62.5] * 9 + [None, 63]),
    ],
)
def test_a_declared_column_names_what_does_not_fit(
    cells: list[str], declared: str, said: str, values: list[Any], tmp_path: Path
) -> None:
    """The error names the cells and their lines, by the form of most rows; unreadable makes them missing."""
    path = file_of(tmp_path, cells)
    with pytest.raises(ColumnError) as caught:
        read(path, types={"x": declared})
    assert said in str(caught.value)
    assert "--unreadable x=missing" in str(caught.value)
    table = read(path, types={"x": declared}, unreadable={"x": "missing"})
    assert [row["x"] for row in table.rows()] == values


def test_a_model_reads_new_rows_in_which_cells_are_made_missing(tmp_path: Path) -> None:
    """With a schema all kinds are known, and no share of readable cells is asked for."""
    schema = read(file_of(tmp_path, ["1", "2"])).schema
    path = file_of(tmp_path, ["7", "?!", "-"])
    with pytest.raises(ColumnError, match="2 of 3 cells cannot be read as numbers"):
        read(path, schema=schema)
    assert [row["x"] for row in read(path, schema=schema, unreadable="missing").rows()] == [7, None, None]


def test_columns_of_codes_and_of_words_are_text_without_a_word(tmp_path: Path) -> None:
    """007 beside 123 is a code; in a column of which few cells are numbers none is lost, unless the user names it."""
    codes = file_of(tmp_path, [*(str(n) for n in range(100, 200)), "007"])
    assert read(codes, unreadable="missing").row(100)["x"] == "007"
    assert not read(codes).doubts
    words = file_of(tmp_path, ["a"] * 5 + ["1"] * 6)
    assert read(words, unreadable="missing").row(0)["x"] == "a"
    assert read(words, unreadable={"x": "missing"}).row(0)["x"] is None
    with pytest.raises(ColumnError, match="less than half of its cells are numbers"):
        read(file_of(tmp_path, ["a"] * 6 + ["1"] * 5), unreadable={"x": "missing"})


def test_lines_are_those_of_the_file(tmp_path: Path) -> None:
    """Blank lines, line ends in quotes, and a first line sep=; are counted."""
    path = tmp_path / "table.csv"
    path.write_bytes(b'sep=;\r\nx;y\r\n1;"a\r\nb"\r\n\r\n-;c\r\n' + b"2;d\r\n" * 10)
    assert "'-' in line 6" in read(path).notes[-1]


@pytest.mark.parametrize("row", few([3, 19_999, 20_000, 24_999], 1))
def test_one_odd_cell_of_a_long_file_is_found(row: int, tmp_path: Path) -> None:
    """The first 20,000 rows are read first; the count and the line are those of the whole file."""
    cells = ["5"] * 25_000
    cells[row] = "-"
    path = file_of(tmp_path, cells)
    said = f"1 of 25,000 cells cannot be read as whole numbers: '-' in line {row + 2}"
    assert said in read(path).notes[-1]
    table = read(path, unreadable="missing")
    assert said in table.notes[-1]
    assert table.column("x").missing.nonzero()[0].tolist() == [row]
    with pytest.raises(ColumnError, match=said):
        read(path, types={"x": "integer"})


def test_a_wide_table_names_odd_cells_too(tmp_path: Path) -> None:
    """Of a hundred columns and more, which are examined together, each is told that nearly is one of numbers."""
    path = tmp_path / "wide.csv"
    rows = [[str(n)] * MANY for n in range(20)] + [["x"] * MANY]
    path.write_text("\n".join(",".join(row) for row in [[f"c{n}" for n in range(MANY)], *rows]) + "\n")
    assert len(read(path, header=True).doubts) == MANY
    assert {column.feature.kind for column in read(path, header=True, unreadable="missing").columns} == {Kind.INTEGER}


@settings(max_examples=examples(20), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(odd=st.sets(st.integers(0, 199), min_size=1, max_size=19))
def test_what_is_made_missing_is_what_cannot_be_read(odd: set[int], tmp_path: Path) -> None:
    """The numbers of all other rows are those of the file without these cells."""
    cells = ["bad" if n in odd else str(n) for n in range(200)]
    table = read_csv(file_of(tmp_path, cells), unreadable="missing")
    assert [row["x"] for row in table.rows()] == [None if n in odd else n for n in range(200)]


def test_what_unreadable_can_be(tmp_path: Path) -> None:
    """ "missing", or a mapping from names of columns to it."""
    path = file_of(tmp_path, ["1"])
    for value in ("zero", {"x": "0"}, 5):
        with pytest.raises(OptionError, match="unreadable"):
            read(path, unreadable=value)  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match="no column named 'z'"):
        read(path, unreadable={"z": "missing"})
