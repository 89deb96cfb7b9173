"""A file may write the numbers and dates of a model in another form: the same values with a note, or an error."""

from datetime import date
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

import command_line
from selection import few
from treerules import Tree, cart, learn, predict, read, save
from treerules.errors import ColumnError

FORMS = ("1234.5", "1234,5", "1.234,5", "1,234.5", "1'234.5", "1 234,5")
DAYS = ("%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y年%m月%d日")


def spelled(number: float, form: str) -> str:
    """Return a number with two decimals in a form."""
    whole, _, decimals = f"{number:.2f}".partition(".")
    thousands, decimal = form[1] if form[1] != "2" else "", form[-2]
    return f"{int(whole):,}".replace(",", thousands) + decimal + decimals


def written(folder: Path, name: str, delimiter: str, header: str, cells: list[str], labels: list[str]) -> Path:
    """Return a file of a column and of labels, whose cells are quoted where they hold the delimiter."""
    quoted = [f'"{cell}"' if delimiter in cell else cell for cell in cells]
    lines = [f"{header}{delimiter}y", *(delimiter.join(row) for row in zip(quoted, labels, strict=True))]
    (folder / name).write_text("\n".join([*lines, ""]), encoding="utf-8")
    return folder / name


@pytest.mark.parametrize(("form", "other"), few(product(FORMS, FORMS), 7))
def test_numbers_in_another_form_have_the_same_values(form: str, other: str, tmp_path: Path) -> None:
    """Whatever the delimiter; the note names both forms, where the form of the model does not read the cells."""
    random = Random(form + other)
    numbers = [round(random.uniform(0.5, 99999), 2) for _ in range(40)]
    labels = ["a" if number < 20000 else "b" for number in numbers]
    for delimiter in ",;":
        own = written(tmp_path, "own.csv", delimiter, "x", [spelled(number, form) for number in numbers], labels)
        tree = learn(read(own), target="y", recipe=cart(min_samples_leaf=1))
        for theirs in ",;":
            cells = [spelled(number, other) for number in numbers]
            table = read(written(tmp_path, "other.csv", theirs, "x", cells, labels), schema=tree.schema)
            assert table.column("x").data.tolist() == numbers
            assert predict(tree, table).tolist() == labels
            notes = [note for note in table.notes if f"in the form {other}; that of the model is {form}" in note]
            assert len(notes) == 1 or (not notes and is_read_by(form, other))


def is_read_by(form: str, other: str) -> bool:
    """Return whether a form reads the cells of another one: thousands may lack, and a plain point cannot be misread."""
    return other in (form, form.replace(form[1], "")) or (other == "1234.5" and form != "1.234,5")


@pytest.mark.parametrize(("form", "other"), few(product(DAYS, DAYS), 7))
def test_dates_in_another_form_have_the_same_values(form: str, other: str, tmp_path: Path) -> None:
    """The note names both; where the form of the model reads all cells, it is taken."""
    days = [date(2024, month, day) for month in range(1, 13) for day in (3, 14, 28)]
    labels = ["a" if day.month < 6 else "b" for day in days]
    own = written(tmp_path, "own.csv", ",", "x", [day.strftime(form) for day in days], labels)
    tree = learn(read(own), target="y", recipe=cart())
    other_file = written(tmp_path, "other.csv", ",", "x", [day.strftime(other) for day in days], labels)
    table = read(other_file, schema=tree.schema)
    assert [row["x"] for row in table.rows()] == days
    assert predict(tree, table).tolist() == labels


def plain_model(folder: Path) -> Tree:
    """Return a model of plain numbers: a is up to 500, b above."""
    cells, labels = ["1.5", "2.25", "1500", "1700.5"], ["a", "a", "b", "b"]
    return learn(read(written(folder, "own.csv", ",", "x", cells, labels)), target="y", recipe=cart())


@pytest.mark.parametrize("rates", [[], ["0,5", "0,25"]])
def test_a_point_before_three_digits_beside_semicolons_is_noted(rates: list[str], tmp_path: Path) -> None:
    """With and without a column of decimal commas; the option reads the other values, and no note is left."""
    tree, model = plain_model(tmp_path), tmp_path / "m.tree.json"
    save(tree, model)
    rows = ["x;rate", *map(";".join, zip(["1.500", "2.750"], rates or ["5", "5"], strict=True)), ""]
    path = tmp_path / "other.csv"
    path.write_text("\n".join(rows))
    done = command_line.run("predict", model, path, "--keys", "rate")
    assert [line.rpartition(",")[2] for line in done.stdout.split()[1:]] == ["a", "a"]
    assert "each point stands before three digits" in done.stderr and "--decimal ," in done.stderr
    done = command_line.run("predict", model, path, "--decimal", ",")
    assert (done.stdout.split()[1:], done.stderr) == (["b", "b"], "")
    path.write_text(path.read_text().replace("1.500", "1.5"))
    assert "each point" not in command_line.run("predict", model, path).stderr


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (["1,500", "2,750"], "can be 1.5 or 1500.*--decimal.*--thousands"),
        (["1,500", "x"], "cannot be read|can be 1.5 or 1500"),
        (["12 kg", "15 kg"], "cannot be read as numbers"),
        (["$12", "$15"], "cannot be read as numbers"),
    ],
)
def test_what_can_be_read_in_two_ways_or_has_a_unit_is_refused(cells: list[str], said: str, tmp_path: Path) -> None:
    """The error names the options."""
    tree = plain_model(tmp_path)
    other: Any = written(tmp_path, "other.csv", ";", "x", cells, ["a", "b"])
    with pytest.raises(ColumnError, match=said):
        read(other, schema=tree.schema)


def test_ambiguous_dates_are_refused(tmp_path: Path) -> None:
    """A model of ISO dates: 1/3/2024 can be two days."""
    days = ["2024-01-05", "2024-02-05", "2024-11-05", "2024-12-05"]
    tree = learn(read(written(tmp_path, "own.csv", ",", "x", days, [*"aabb"])), target="y", recipe=cart())
    with pytest.raises(ColumnError, match=r"two ways.*1/3/2024.*write them as 2024-03-21"):
        read(written(tmp_path, "other.csv", ",", "x", ["1/3/2024", "12/5/2024"], [*"ab"]), schema=tree.schema)


def test_cells_in_another_form_are_not_made_missing(tmp_path: Path) -> None:
    """A model that makes unreadable cells missing reads a file with decimal commas; what is no number stays missing."""
    cells, labels = ["1.5", "2.25", "-", "1500", "1700.5"], ["a", "a", "b", "b", "b"]
    own = read(written(tmp_path, "own.csv", ",", "x", cells, labels), unreadable={"x": "missing"})
    schema = learn(own, target="y", recipe=cart()).schema
    other = written(tmp_path, "other.csv", ";", "x", ["1,5", "1.700,5"], ["a", "b"])
    assert [row["x"] for row in read(other, schema=schema).rows()] == [1.5, 1700.5]
    other = written(tmp_path, "other.csv", ";", "x", ["1.5", "u"], ["a", "b"])
    assert [row["x"] for row in read(other, schema=schema).rows()] == [1.5, None]
