"""Notes on rows of totals, and on categories that are equal but for case and blanks."""

from pathlib import Path

import pytest

from treerules import learn, read
from treerules.readers import read_query

ROWS = "answer,n\n" + "Yes,1\n" * 5 + " yes ,2\nYES,3\n" + "no,4\n" * 4


def written(folder: Path, text: str) -> Path:
    """Return the path of a file of this text."""
    path = folder / "table.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_near_equal_categories_are_counted_and_a_query_makes_them_one(tmp_path: Path) -> None:
    """Case is not folded: the note shows the query, which gives the folded table."""
    path = written(tmp_path, ROWS)
    table = read(path)
    (note,) = [note for note in table.notes if "differ in case or blanks alone" in note]
    assert "column 'answer'" in note
    assert all(part in note for part in ("'Yes' (5)", "' yes ' (1)", "'YES' (1)"))
    assert table.schema.feature("answer").categories == (" yes ", "YES", "Yes", "no")
    query = note.partition("--query '")[2].removesuffix("'")
    assert read_query(query).schema.feature("answer").categories == ("no", "yes")
    assert note in learn(table, target="answer").notes


def test_the_query_on_a_file_of_another_encoding_needs_utf_8(tmp_path: Path) -> None:
    """DuckDB does not read GBK: the note says to save the file in UTF-8, and then the query is right."""
    path = tmp_path / "table.csv"
    path.write_text(ROWS.replace("answer", "回答"), encoding="gb18030")
    (note,) = [note for note in read(path).notes if "differ in case or blanks alone" in note]
    assert "if they are one, save the file in UTF-8: read_query, " in note
    path.write_text(ROWS.replace("answer", "回答"), encoding="utf-8")
    query = note.partition("--query '")[2].removesuffix("'")
    assert read_query(query).schema.feature("回答").categories == ("no", "yes")


def test_different_categories_and_models_give_no_note(tmp_path: Path) -> None:
    """A word and another are two; with a model its categories are known."""
    path = written(tmp_path, "answer,n\nyes,1\nno,2\nno.,3\n")
    assert not any("differ in case" in note for note in read(path).notes)
    path = written(tmp_path, ROWS)
    assert not any("differ in case" in note for note in read(path, schema=read(path).schema).notes)


@pytest.mark.parametrize("word", ["Total", "合计", "grand total:", " SUM "])
def test_a_row_of_totals_is_named_by_its_line(word: str, tmp_path: Path) -> None:
    """It stands last, where people look; a category of that name that other rows have is none."""
    path = written(tmp_path, "region,n\n" + "north,1\nsouth,2\n" * 3 + f"{word},9\n")
    assert read(path).doubts == read(path).notes[-1:]
    assert "line 8 looks like a total" in read(path).notes[-1]
    often = written(tmp_path, "region,n\n" + f"{word},1\nsouth,2\n" * 3 + f"{word},9\n")
    assert not read(often).doubts
