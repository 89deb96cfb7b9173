"""CSV files: our own inference, the same Table as from rows, errors with file and line."""

import csv
import math
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import treerules.readers.csv.column_plans
from profiles import examples
from selection import few
from treerules import Kind, Table, cart, learn, predict
from treerules.data.cell_reading import USUAL_WORDS
from treerules.errors import ColumnError, FileError, UnknownNameError
from treerules.readers import read_csv
from treerules.readers.csv.wide_tables import MANY


def written(folder: Path, text: str, name: str = "data.csv") -> Path:
    """Return a file with this text."""
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return path


@pytest.mark.parametrize(
    ("cells", "kind", "values"),
    [
        (["1", "-7", "+12", ""], Kind.INTEGER, [1, -7, 12, None]),
        (["9223372036854775807", "-9223372036854775808"], Kind.INTEGER, [2**63 - 1, -(2**63)]),
        (["00123", "45"], Kind.CATEGORY, ["00123", "45"]),
        (["1_000", "2"], Kind.CATEGORY, ["1_000", "2"]),
        (["１２", "3"], Kind.CATEGORY, ["１２", "3"]),
        (["1", "2.50", "NA", "1e3", ".5", "-inf", "NaN"], Kind.NUMBER, [1.0, 2.5, None, 1000.0, 0.5, -math.inf, None]),
        (["0.1", "0.30000000000000004", "5e-324"], Kind.NUMBER, [0.1, 0.1 + 0.2, 5e-324]),
        (["-0.0", "1.5"], Kind.NUMBER, [0.0, 1.5]),
        (["true", "false", "?"], Kind.BOOLEAN, [True, False, None]),
        (["TRUE", "FALSE"], Kind.BOOLEAN, [True, False]),
        (["true", "False"], Kind.CATEGORY, ["true", "False"]),
        (["yes", "no"], Kind.CATEGORY, ["yes", "no"]),
        (["2024-03-21", "2024/3/1", "null"], Kind.DATE, [date(2024, 3, 21), date(2024, 3, 1), None]),
        (["2024-13-01", "2024-01-01"], Kind.CATEGORY, ["2024-13-01", "2024-01-01"]),
        (["0000-01-01", "2024-01-01"], Kind.CATEGORY, ["0000-01-01", "2024-01-01"]),
        (["9999-12-31 23:59:59-01:00"], Kind.CATEGORY, ["9999-12-31 23:59:59-01:00"]),
        (["99999999999999999999", "1"], Kind.NUMBER, [1e20, 1.0]),
        (["0001-01-01", "9999-12-31"], Kind.DATE, [date.min, date.max]),
        (
            ["2024-03-21 20:21:09", "2024-03-21T20:21:09.000001"],
            Kind.TIMESTAMP,
            [datetime(2024, 3, 21, 20, 21, 9), datetime(2024, 3, 21, 20, 21, 9, 1)],
        ),
        (
            ["2024-03-21 20:21:09+08:00", "2024-03-21T12:21:09Z"],
            Kind.TIMESTAMP,
            [datetime(2024, 3, 21, 12, 21, 9, tzinfo=UTC)] * 2,
        ),
        (
            ["2024-03-21 20:21:09Z", "2024-03-21 20:21:09"],
            Kind.CATEGORY,
            ["2024-03-21 20:21:09Z", "2024-03-21 20:21:09"],
        ),
        (["", ""], Kind.CATEGORY, [None, None]),
        (["a,b", 'say "hi"', "two\nlines"], Kind.CATEGORY, ["a,b", 'say "hi"', "two\nlines"]),
    ],
)
def test_kinds_are_inferred_from_cells(tmp_path: Path, cells: list[str], kind: Kind, values: list[Any]) -> None:
    """The first kind that every known cell fits; else text."""
    with (tmp_path / "data.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["x", "row"], *([cell, n] for n, cell in enumerate(cells))])
    table = read_csv(tmp_path / "data.csv")
    assert table.columns[0].feature.kind is kind
    assert [row["x"] for row in table.rows()] == values
    assert "x " + kind in table.notes[0]


_CELLS = [
    "",
    "1",
    "-7",
    "2.50",
    "1e3",
    "007",
    "true",
    "FALSE",
    "2024-03-21",
    "2024/3/1",
    "2024-03-21 20:21:09Z",
    "it's",
]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(25))
@given(st.data(), st.integers(1, 4))
def test_a_column_is_read_alike_alone_and_among_many(tmp_path: Path, data: st.DataObject, n_rows: int) -> None:
    """Many columns are examined by shared statements, with the kinds, forms, categories and values of one alone."""
    drawn = st.lists(st.sampled_from(_CELLS), min_size=n_rows, max_size=n_rows)
    alike = st.tuples(st.sampled_from(_CELLS), drawn).map(lambda pair: [pair[0]] * 8 * n_rows + pair[1][:1])
    columns = data.draw(st.lists(drawn, min_size=1, max_size=2) | st.lists(alike, min_size=1, max_size=2))
    with (tmp_path / "data.csv").open("w", encoding="utf-8", newline="") as file:
        names = [f"x{n}" for n in range(len(columns) * MANY)]
        csv.writer(file).writerows([names, *zip(*(columns * MANY), strict=True)])
    many = read_csv(tmp_path / "data.csv")
    for n, cells in enumerate(columns):
        text = "\n".join(f"{cell},1" for cell in [f"x{n}", *cells])
        by_itself = read_csv(written(tmp_path, text, "alone.csv"), header=True)
        alone = by_itself.columns[0]
        assert [note for note in many.doubts if f"column 'x{n}'" in note] == list(by_itself.doubts)
        assert (many.columns[n].feature, many.columns[n].feature.form) == (alone.feature, alone.feature.form)
        assert [row[f"x{n}"] for row in Table([many.columns[n]]).rows()] == [
            row[f"x{n}"] for row in Table([alone]).rows()
        ]


def test_the_note_of_a_wide_table_is_short(tmp_path: Path) -> None:
    """It names twenty columns and counts the others."""
    names = [f"x{n}" for n in range(1, 1_523)]
    table = read_csv(written(tmp_path, ",".join(names) + "\n" + ",".join("1" for _ in names)))
    assert table.notes[0].endswith("x19 integer, x20 integer, and 1,502 more")


_text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r\n"), max_size=5)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(25))
@given(
    st.lists(
        st.tuples(
            st.none() | st.integers(-(2**63), 2**63 - 1),
            st.none() | st.floats(allow_nan=False),
            st.none() | _text.filter(lambda text: text not in ("", *USUAL_WORDS)),
            st.none() | st.booleans(),
            st.none() | st.dates(),
        ),
        min_size=1,
    )
)
def test_a_file_makes_the_table_of_its_rows(tmp_path: Path, rows: list[tuple[Any, ...]]) -> None:
    """Cells written by Python's csv read back equal, missing ones missing."""
    with (tmp_path / "data.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["n", "x", "text", "flag", "day"], *rows])
    table = read_csv(tmp_path / "data.csv", types={"x": "number"} if any(row[1] is not None for row in rows) else {})
    shown = [tuple(row.values()) for row in table.rows()]
    for found, row in zip(shown, rows, strict=True):
        for value, wanted in zip(found, row, strict=True):
            assert (
                value == wanted
                or (isinstance(wanted, str) and str(value).lower() == wanted.lower())
                or _spelled(value, wanted)
            )


def _spelled(value: Any, wanted: Any) -> bool:
    """Whether a column of text happened to spell another kind."""
    return isinstance(wanted, str) and not isinstance(value, str)


def test_kinds_may_be_declared(tmp_path: Path) -> None:
    """A declared number may have leading zeros; a category keeps the type that its cells spell."""
    path = written(tmp_path, "code,zip,size\n007,1,S\n010,2,L\n")
    table = read_csv(path, types={"code": "integer", "zip": "category", "size": "ordinal:S<M<L"})
    assert [row["code"] for row in table.rows()] == [7, 10]
    assert table.schema.feature("zip").categories == (1, 2)
    assert table.schema.feature("size").categories == ("S", "M", "L")
    assert read_csv(path).schema.feature("code").kind is Kind.CATEGORY
    with pytest.raises(ColumnError, match="2 of 2 cells cannot be read as numbers: 'S' in line 2, 'L' in line 3; "):
        read_csv(path, types={"size": "number"})
    odd = written(tmp_path, "x,y\n1_000,a\n0x10,b\n", "odd.csv")
    for declared in ("integer", "number"):
        with pytest.raises(ColumnError, match=r"'1_000' in line 2, '0x10' in line 3"):
            read_csv(odd, types={"x": declared})
    whole = written(tmp_path, "x,y\n3.0,a\n1.5,b\n", "whole.csv")
    with pytest.raises(ColumnError, match=r"1 of 2 cells cannot be read as whole numbers: '1\.5' in line 3; "):
        read_csv(whole, types={"x": "integer"})
    with pytest.raises(UnknownNameError, match="did you mean 'code'"):
        read_csv(path, types={"cod": "number"})


def test_a_model_reads_a_file_as_it_knows_its_columns(tmp_path: Path) -> None:
    """A file of digits alone is text where the model was trained on text."""
    train = written(tmp_path, "zip,y\n00123,a\n00123,a\n45,b\n45,b\n")
    tree = learn(read_csv(train), target="y", recipe=cart())
    later = written(tmp_path, "other,zip\n1,45\n2,46\n", "later.csv")
    table = read_csv(later, schema=tree.schema)
    assert [row["zip"] for row in table.rows()] == ["45", "46"]
    assert predict(tree, table).tolist()[0] == "b"


def test_a_declared_category_keeps_the_spelling_of_its_cells(tmp_path: Path) -> None:
    """1.10 and 1.1 are two categories; integers spelled in one way are integers."""
    path = written(tmp_path, "v,zip,flag,y\n1.10,100,true,a\n1.1,200,false,b\n")
    table = read_csv(path, types={"v": "category", "zip": "category", "flag": "category"})
    assert table.schema.feature("v").categories == ("1.1", "1.10")
    assert table.schema.feature("zip").categories == (100, 200)
    assert table.schema.feature("flag").categories == (False, True)
    mixed = written(tmp_path, "zip\n0100\n100\n+5\n", "mixed.csv")
    assert read_csv(mixed, types={"zip": "category"}).schema.feature("zip").categories == ("+5", "0100", "100")


def test_cells_that_spell_no_category_of_a_model_are_unseen(tmp_path: Path) -> None:
    """0100 is not zip 100, and A12 is no error: categories are open."""
    train = written(tmp_path, "zip,y\n100,a\n100,a\n200,b\n200,b\n200,b\n")
    tree = learn(read_csv(train, types={"zip": "category"}), target="y", recipe=cart())
    later = written(tmp_path, "zip\n100\n0100\nA12\n200\n?\n", "later.csv")
    assert predict(tree, read_csv(later, schema=tree.schema)).tolist() == ["a", "b", "b", "b", "b"]


def test_long_unique_text_stays_in_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Above the limit such a column is left out by learn, and an error where it is asked for unread."""
    monkeypatch.setattr(treerules.readers.csv.column_plans, "MOST_UNFETCHED", 3)
    path = written(tmp_path, "name,x,y\n" + "".join(f"person {n},{n % 2}.5,{'ab'[n % 2]}\n" for n in range(6)))
    table = read_csv(path)
    assert not table.column("name").fetched
    tree = learn(table, target="y", recipe=cart())
    assert any("'name': text, different in every row" in note for note in tree.notes)
    with pytest.raises(ColumnError, match=r"read it with extra_columns=\['name'\]"):
        learn(table, target="y", features=["name"], recipe=cart())
    assert (
        learn(read_csv(path, extra_columns=["name"]), target="y", features=["name"], recipe=cart())
        .schema.features[0]
        .name
        == "name"
    )


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty; give it a header line and rows"),
        (b"\n\r\n", "holds only blank lines; give it a header line and rows"),
        (
            b"a,b\n",
            "has a header and no rows; give it at least one row; if its only line is one: header=False, --no-header",
        ),
        (
            b"a,a\n1,2\n",
            "has two columns named 'a'; rename one in the header line; where there is none: "
            "header=False, --no-header, or columns=[...], --columns",
        ),
        (b"a,b\n1,2\n3\n", "line 3 has 1 cell where the header has 2: '3'; correct that line"),
        (b"a,b\n1,2,3\n", "line 2 has 3 cells where the header has 2: '1,2,3'; correct that line"),
        (b'a,b\n"x\ny",2\n1,2\n3\n', "line 5 has 1 cell where the header has 2: '3'; correct that line"),
        (b'a,b\n1,"x\n', "line 2 cannot be read as CSV: unexpected end of data: '1,\"x'; correct that line"),
        (b'a,b\n1,"x"y\n', "line 2 cannot be read as CSV: ',' expected after '\"': '1,\"x\"y'; correct that line"),
        (
            b"a,b\n1,\xff\xfe\n",
            "is neither UTF-8 nor GB18030; name its encoding: encoding='cp1252', --encoding cp1252",
        ),
        (
            b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03",
            "is a damaged gzip file (Compressed file ended before the end-of-stream marker was reached); "
            "make or fetch it again",
        ),
    ],
)
def test_a_malformed_file_is_refused_with_its_line(tmp_path: Path, data: bytes, message: str) -> None:
    """File, line, what is wrong and what to do, in our words; far down in a long file too."""
    path = tmp_path / "bad.csv"
    path.write_bytes(data)
    with pytest.raises(FileError) as caught:
        read_csv(path)
    assert str(caught.value) == f"{path}: {message}"


@pytest.mark.parametrize("n_before", few([0, 60_000], 1))
@pytest.mark.parametrize(
    ("cells", "encoding"),
    [
        (["Müller", "Größe", "Straße"], "cp1252"),
        (["Köln", "5 €", "fenêtre"], "cp1252"),
        (["北京", "上海", "镕"], "gb18030"),
    ],
)
def test_western_and_chinese_text_are_told_apart(
    cells: list[str], encoding: str, n_before: int, tmp_path: Path
) -> None:
    """Text that is not UTF-8 is decoded as it was written, and a note says how and how to overrule it."""
    path = tmp_path / "a.csv"
    path.write_bytes("\n".join(["x,y", *["abc,1"] * n_before, *(f"{cell},2" for cell in cells), ""]).encode(encoding))
    table = read_csv(path)
    assert [table.row(n_before + n)["x"] for n in range(len(cells))] == cells
    assert any(f"as {encoding}; " in note and "--encoding" in note for note in table.notes)


def test_a_ragged_line_is_found_after_a_million_cells(tmp_path: Path) -> None:
    """Whatever reads the file, the line is named as an editor numbers it."""
    path = written(tmp_path, "a,b\n" + "1,x\n" * 50_000 + "2,y,z\n" + "1,x\n" * 10)
    with pytest.raises(FileError) as caught:
        read_csv(path)
    assert str(caught.value) == f"{path}: line 50002 has 3 cells where the header has 2: '2,y,z'; correct that line"


def test_awkward_paths_and_marks(tmp_path: Path) -> None:
    """Names that look like patterns, Chinese names, a byte order mark; a file that is not there."""
    for name in ("贷款 表.csv", "a[1].csv", "b*.csv", "it's.csv"):
        assert read_csv(written(tmp_path, "\ufeff编号,x\n1,2.5\n", name)).schema.features[0].name == "编号"
    (tmp_path / "c0=5").mkdir()
    assert [row["x"] for row in read_csv(written(tmp_path / "c0=5", "编号,x\n1,2.5\n")).rows()] == [2.5]
    assert read_csv(written(tmp_path, "编号,x\n1,2.5\n", "plain.csv.gz")).n_rows == 1
    with pytest.raises(FileError, match="No such file"):
        read_csv(tmp_path / "none.csv")
    with pytest.raises(FileError):
        read_csv(tmp_path)


def test_line_ends_of_windows(tmp_path: Path) -> None:
    """CR LF is a line end."""
    assert read_csv(written(tmp_path, "a,b\r\n1,x\r\n2,y\r\n")) == Table.from_columns({"a": [1, 2], "b": ["x", "y"]})
