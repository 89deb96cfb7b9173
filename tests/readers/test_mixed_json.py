"""JSON with a column that mixes kinds, and the JSON that pandas writes."""

import json
from pathlib import Path

import pandas as pd
import pytest

from command_line import run
from treerules import Table, load, read
from treerules.errors import ColumnError, FileError, UnknownNameError

ROWS = [
    {"Title": title, "n": n, "y": "ab"[n % 2]}
    for n, title in enumerate(["The Land Girls", 1776, 12.5, None, True, "x"])
]


@pytest.fixture
def movies(tmp_path: Path) -> Path:
    """Return a file of JSON with a column that mixes kinds."""
    path = tmp_path / "movies.json"
    path.write_text(json.dumps(ROWS))
    return path


def test_a_mixed_column_can_be_left_out(movies: Path) -> None:
    """drop= comes before kinds are inferred, for JSON, CSV and the command line."""
    with pytest.raises(ColumnError, match=r"mixes .*--types Title=category or --drop Title"):
        read(movies)
    assert tuple(read(movies, drop=["Title"]).schema.indices) == ("n", "y")
    with pytest.raises(UnknownNameError, match="'Titel'; did you mean 'Title'"):
        read(movies, drop=["Titel"])
    table = movies.with_name("t.csv")
    table.write_text("a,b\n1,x\n2,y\n")
    assert tuple(read(table, drop=["a"]).schema.indices) == ("b",)
    model = movies.with_name("m.tree.json")
    assert run("learn", movies, "--target", "y", "--drop", "Title", "-o", model).returncode == 0
    assert run("learn", movies, "--target", "y", "-o", model).returncode == 3


def test_a_mixed_column_that_is_declared_a_category_is_text(movies: Path) -> None:
    """All its cells become text, in a file, in rows and in a frame of objects."""
    texts = ["The Land Girls", "1776", "12.5", None, "true", "x"]
    types = {"Title": "category"}
    frame = pd.DataFrame({"Title": pd.Series([row["Title"] for row in ROWS], dtype=object)})
    for table in (
        read(movies, types=types),
        Table.from_rows(ROWS, types=types),
        Table.from_columns({"Title": [row["Title"] for row in ROWS]}, types=types),
        Table.from_frame(frame, types=types),
    ):
        assert [row["Title"] for row in table.rows()] == texts
    model = movies.with_name("m.tree.json")
    options = ["--types", "Title=category", "--features", "Title"]
    assert run("learn", movies, "--target", "y", *options, "-o", model).returncode == 0
    assert load(model).schema.features[0].scalar == "text"


@pytest.mark.parametrize("orient", ["columns", "split", "records"])
@pytest.mark.parametrize("indent", [0, 2])
def test_the_json_of_pandas_is_read(tmp_path: Path, orient: str, indent: int) -> None:
    """By columns, split or by records, on one line or many, the table is that of the frame."""
    frame = pd.DataFrame({"x": [1, 2, 3], "data": ["a", "b", None]})
    path = tmp_path / "frame.json"
    frame.to_json(path, orient=orient, indent=indent)  # type: ignore[call-overload]
    assert list(read(path).rows()) == [{"x": 1, "data": "a"}, {"x": 2, "data": "b"}, {"x": 3, "data": None}]


def test_errors_stay_short(tmp_path: Path) -> None:
    """A cell of thousands of characters is cut in the message."""
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"a": {"k": list(range(3000))}}) + "\n")
    with pytest.raises((ColumnError, FileError)) as caught:
        read(path)
    assert len(str(caught.value)) < 600
