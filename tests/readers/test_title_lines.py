"""Lines above the header are skipped with --skip, and hinted at; files of other formats of text say what they are."""

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from command_line import printed, run
from selection import few
from treerules import cart, learn, read
from treerules.errors import ColumnError, DataError, FileError, OptionError

ROWS = "age,job,y\n31,cook,a\n54,clerk,b\n"
TITLES = ["Report of 2024\n", "Report,,\n", "Report of the bank,,\n\n", ",Group,\n", '"Sales, in\nCNY"\n']


def written(folder: Path, text: str, name: str = "table.csv") -> Path:
    """Return the path of a file of this text."""
    path = folder / name
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize(("ends", "titles"), few(product(["\n", "\r\n"], TITLES), 3))
def test_skipped_lines_do_not_count(titles: str, ends: str, tmp_path: Path) -> None:
    """The table is that of the file without these lines, and lines in messages are those of the file."""
    n = titles.count("\n")
    path = written(tmp_path, (titles + ROWS).replace("\n", ends))
    assert read(path, skip=n) == read(written(tmp_path, ROWS, "rows.csv"))
    odd = written(tmp_path, (titles + ROWS + "12\n").replace("\n", ends))
    with pytest.raises(FileError, match=f"line {n + 4} has 1 cell where the header has 3"):
        read(odd, skip=n)
    many = written(tmp_path, titles + "x,y\n" + "1,a\n" * 20 + "-,b\n")
    assert f"'-' in line {n + 22}" in read(many, skip=n).notes[-1]


@pytest.mark.parametrize(
    "titles", ["Report of 2024\n", "Report,,\n", "Report of the bank,,\n\n", "Bank\nReport of 2024\n"]
)
def test_titles_are_hinted_at(titles: str, tmp_path: Path) -> None:
    """Where the first lines look like titles, the error names the option that leaves them out."""
    n = titles.count("\n")
    with pytest.raises(FileError, match=f"skip={n}, --skip {n}"):
        read(written(tmp_path, titles + ROWS))


@pytest.mark.parametrize(
    ("content", "n"), [("Sales report 2024\n\nday,amount,grade\n", 2), ("销售报表\nday,amount,grade\n", 1)]
)
def test_an_unknown_column_below_titles_is_hinted_at(content: str, n: int, tmp_path: Path) -> None:
    """By `learn` for its target, and by `predict` for the columns of the model."""
    path = written(tmp_path, content + "".join(f"{day},{3 * day},{'ab'[day % 2]}\n" for day in range(1, 30)))
    hint = f"skip={n}, --skip {n}"
    with pytest.raises(DataError, match=f"no column named 'grade' in its first line.*{hint}"):
        read(path, extra_columns=["grade"])
    tree = learn(read(path, skip=n), target="grade", recipe=cart())
    with pytest.raises(DataError, match=hint):
        read(path, schema=tree.schema)
    done = run("learn", path, "--target", "grade")
    assert done.returncode != 0
    assert hint in done.stderr


def test_a_total_without_a_target_is_named(tmp_path: Path) -> None:
    """The row of the table, and the line of the file that looks like a total."""
    path = written(tmp_path, "x,y\n" + "1,a\n2,b\n" * 9 + "合计,\n")
    with pytest.raises(DataError, match=r"1 row without .* 'y': row 19 .*line 20 looks like a total"):
        learn(read(path), target="y")


@pytest.mark.parametrize("task", [None, "regression"])
def test_a_cell_that_makes_the_target_text_is_named(task: Any, tmp_path: Path) -> None:
    """One of 61 cells is no number, or all of them have two readings."""
    path = written(tmp_path, "x,y\n" + "".join(f"{n},{n}.5\n" for n in range(60)) + "60,unknown\n")
    with pytest.raises(ColumnError, match="'unknown' in line 62"):
        learn(read(path), target="y", task=task)
    path = written(tmp_path, "y;t\n" + "1.500;a\n2.300;b\n3.250;a\n4.125;b\n" * 5)
    with pytest.raises(ColumnError, match=r"'1\.500' can be 1.5 or 1500"):
        learn(read(path), target="y", task="regression")


def test_a_title_above_two_columns_is_noted(tmp_path: Path) -> None:
    """Nothing is wrong with such a file, which has a column without a name."""
    notes = read(written(tmp_path, "Report,\nage,y\n31,a\n54,b\n")).notes
    assert "the first line looks like a title: skip=1, --skip 1" in notes
    assert not any("title" in note for note in read(written(tmp_path, ROWS)).notes)
    assert not any("title" in note for note in read(written(tmp_path, ",age,y\n0,31,a\n1,54,b\n")).notes)


def test_what_skip_cannot_be(tmp_path: Path) -> None:
    """N beyond the end, or into a quoted cell, is an error with the line."""
    path = written(tmp_path, ROWS)
    with pytest.raises(FileError, match="has no line 4: skip=3 leaves nothing"):
        read(path, skip=3)
    with pytest.raises(FileError, match="has no line 100"):
        read(path, skip=99)
    quoted = written(tmp_path, 'title\n"two\nlines",b\n' + ROWS)
    with pytest.raises(FileError, match="a quoted cell from line 2 to line 3, which skip=2 divides"):
        read(quoted, skip=2)
    for value in (-1, 1.5, True):
        with pytest.raises(OptionError, match="skip"):
            read(path, skip=value)  # type: ignore[arg-type]
    (tmp_path / "a.jsonl").write_text('{"a": 1}\n')
    with pytest.raises(OptionError, match="it does not apply to JSON"):
        read(tmp_path / "a.jsonl", skip=1)


def test_skip_belongs_to_the_file_and_not_to_the_model(tmp_path: Path) -> None:
    """A model of a file with titles reads one without them."""
    path = written(tmp_path, "Report\n" + ROWS)
    printed("learn", path, "--target", "y", "--skip", "1", "--algorithm", "cart", "-o", tmp_path / "m.json")
    rows = written(tmp_path, ROWS, "rows.csv")
    assert printed("predict", tmp_path / "m.json", rows) == printed("predict", tmp_path / "m.json", path, "--skip", "1")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("r.arff", "% own toy\n\n@RELATION toy\n@attribute x numeric\n@data\n1\n", "is an ARFF file of Weka"),
        ("r.csv", "@relation 'a b'\n@attribute x numeric\n@data\n1\n", "is an ARFF file of Weka"),
        ("r.xls", "<html><table><tr><td>1</td></tr></table></html>", "is an XML or HTML document"),
        ("r.csv", '<?xml version="1.0"?>\n<rows/>\n', "is an XML or HTML document"),
        ("r.names", "yes, no.\n\nage: continuous.\njob: cook, clerk.\n", "names the columns of a C4.5 data file"),
    ],
)
def test_texts_of_other_formats_say_what_they_are(name: str, text: str, said: str, tmp_path: Path) -> None:
    """They were read as CSV, with an error about a column."""
    with pytest.raises(FileError, match=said):
        read(written(tmp_path, text, name))
