"""Targets of text that are rather numbers, or names of rows, are refused with both ways out."""

from pathlib import Path
from typing import Any

import pytest

from treerules import Kind, Table, cart, learn, read
from treerules.errors import ColumnError

#: 90 prices that a comma may divide in two ways, and prices of two kinds of money.
DOUBTFUL = [f"{n % 9 + 1},{100 + n}" for n in range(90)]
MIXED = [f"${n}.50" if n % 2 else f"€{n}.50" for n in range(90)]


def table_of(prices: list[str], **more: Any) -> Table:
    """Return a table of a feature and a price."""
    return Table.from_columns({"x": [n % 7 for n in range(len(prices))], "price": prices}, **more)


@pytest.mark.parametrize("prices", [DOUBTFUL, MIXED])
def test_prices_in_text_are_never_classes_in_silence(prices: list[str]) -> None:
    """The error names the declaration as numbers, and as categories, in Python and on the command line."""
    with pytest.raises(ColumnError) as error:
        learn(table_of(prices), target="price")
    for way in (
        "types={'price': 'number",
        "--types price=number",
        "types={'price': 'category'}",
        "--types price=category",
    ):
        assert way in str(error.value)


def test_each_way_out_of_the_error_is_a_way() -> None:
    """Declared as numbers the target is a regression; as categories, or by the task, a classification."""
    assert learn(table_of(DOUBTFUL, types={"price": "number:1,234.5"}), target="price").schema.is_regression
    values = table_of(["1,660", "2,751"], types={"price": "number:1234,5"})
    assert [row["price"] for row in values.rows()] == [1.66, 2.751]
    assert len(learn(table_of(DOUBTFUL, types={"price": "category"}), target="price").schema.classes) == 90
    assert len(learn(table_of(DOUBTFUL), target="price", task="classification").schema.classes) == 90


def test_a_recognised_price_is_a_regression(tmp_path: Path) -> None:
    """$1,100.50 in a file is a number, so the target is learned as one without a word."""
    path = tmp_path / "a.csv"
    path.write_text("x,price\n" + "".join(f'{n % 7},"${n + 900:,}.50"\n' for n in range(200)))
    tree = learn(read(path), target="price")
    assert tree.schema.is_regression and tree.schema.target.kind is Kind.NUMBER  # type: ignore[union-attr]


def test_names_of_rows_are_no_target() -> None:
    """A text that differs in nearly every row is refused; a class of a few rows each is not."""
    with pytest.raises(ColumnError, match=r"90 different texts in 90 rows.*--types price=category"):
        learn(table_of([f"name {n}" for n in range(90)]), target="price")
    assert learn(table_of([f"name {n % 30}" for n in range(90)]), target="price", recipe=cart()).n_leaves > 1
    assert learn(table_of([f"name {n}" for n in range(20)]), target="price", recipe=cart()).n_leaves > 1


@pytest.mark.parametrize("classes", [["0", "1"], ["1", "2", "3"], ["3月", "4月", "5月"], ["12.5%", "30%"]])
def test_a_few_classes_may_look_like_numbers(classes: list[str]) -> None:
    """Digits in text are classes where they are few, and so are two texts of any look."""
    assert learn(table_of(classes * 7), target="price").schema.classes == tuple(sorted(classes))
