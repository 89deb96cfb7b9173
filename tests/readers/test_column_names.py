"""Blanks at the ends of names of columns: one rule for all text, told; names are matched exactly, then without them."""

import csv
import runpy
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from command_line import printed, run
from treerules import Table, cart, learn, predict, read, to_python
from treerules.data.column_names import stripped_names
from treerules.errors import ColumnError

HEADERS = ["x , y,z", '" x ",y ,z', "x\t,y,z\u3000", ' x, "y ", z']


def written(folder: Path, text: str, name: str = "data.csv") -> Path:
    """Return a file with this text."""
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return path


@pytest.mark.parametrize("header", HEADERS)
def test_blanks_at_both_ends_of_names_are_left_out(tmp_path: Path, header: str) -> None:
    """Quoted or not, in CSV and JSON, with a note that shows them."""
    table = read(written(tmp_path, header + "\n1,a,p\n2,b,q\n"))
    assert tuple(table.schema.indices) == ("x", "y", "z")
    assert [note for note in table.notes if "left out the blanks at the ends of names: '" in note]
    lines = read(written(tmp_path, '{" x ": 1, "y\\t": "a"}\n', "data.jsonl"))
    assert tuple(lines.schema.indices) == ("x", "y")
    assert "left out the blanks at the ends of names: ' x ', 'y\\t'" in lines.notes


def test_names_that_would_become_equal_keep_their_blanks(tmp_path: Path) -> None:
    """Columns 'a' and ' a' of one file stay two columns."""
    assert stripped_names(["a", " a", "b "]) == ("a", " a", "b")
    assert tuple(read(written(tmp_path, "a, a,b \n1,x,p\n2,y,q\n")).schema.indices) == ("a", " a", "b")


def test_names_of_a_caller_are_matched_without_blanks(tmp_path: Path) -> None:
    """`types` and `extra_columns` may spell a name as the file does, and so may a model."""
    path = written(tmp_path, "life , sex\n1,a\n2,b\n")
    assert tuple(read(path, types={"life ": "category"}).schema.indices) == ("life ", "sex")
    assert tuple(read(path, extra_columns=["life "]).schema.indices) == ("life ", "sex")


@pytest.mark.parametrize("header", HEADERS[:3])  # pandas takes a quote after a blank for part of the name
def test_all_ways_to_predict_read_the_file_that_was_learned_from(tmp_path: Path, header: str) -> None:
    """The emitted script, a frame of pandas, which keeps blanks, and a model of such a frame answer alike."""
    path = written(tmp_path, header + "\n1,a,p\n2,b,q\n3,a,p\n4,b,q\n")
    tree = learn(read(path), target="z", features=["y"], recipe=cart())
    answers = ["p", "q", "p", "q"]
    frame = pd.read_csv(path)
    assert predict(tree, Table.from_frame(frame)).tolist() == answers
    of_frame = learn(
        Table.from_frame(frame), target=str(frame.columns[2]), features=[str(frame.columns[1])], recipe=cart()
    )
    assert predict(of_frame, read(path, schema=of_frame.schema)).tolist() == answers
    assert predict(of_frame, read(path)).tolist() == answers
    for number, model in enumerate((tree, of_frame)):
        script = written(tmp_path, to_python(model, style="full"), f"m{number}.py")
        command = [sys.executable, str(script), "--only", str(path)]
        scored = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert [row[0] for row in csv.reader(scored.splitlines()[1:])] == answers
        assert runpy.run_path(str(script))["FEATURES"]


def test_a_name_that_is_ambiguous_is_not_guessed() -> None:
    """Of two columns that differ from the asked one in blanks alone neither is taken."""
    tree = learn(Table.from_columns({"x": [1, 2], "y": ["a", "b"]}), target="y", recipe=cart())
    with pytest.raises(ColumnError, match="the table lacks column"):
        predict(tree, Table.from_columns({" x": [1], "x ": [2]}))


def test_a_header_that_differs_in_case_is_named(tmp_path: Path) -> None:
    """Case is not folded; the error says which column may be meant."""
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    first.write_text("id,age,y\n" + "1,31,a\n2,54,b\n" * 4)
    second.write_text("id,Age,y\n1,31,a\n2,54,b\n")
    printed("learn", first, "--target", "y", "--drop", "id", "--algorithm", "cart", "-o", tmp_path / "m.json")
    assert "the table lacks column 'age', which the model tests; did you mean 'Age'?" in (
        run("predict", tmp_path / "m.json", second).stderr
    )
    said = run("evaluate", tmp_path / "m.json", second).stderr
    assert "the table lacks 1 column of the model: 'age'; no column 'age'; did you mean 'Age'?" in said
