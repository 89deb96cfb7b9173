"""Which features are left out of a long table: they are asked by few rows first, and by all in the end."""

from typing import Any

import numpy as np
import pytest

from treerules import Table, cart
from treerules.data.column import column_of
from treerules.growing.problem import problem_of
from treerules.growing.unusable_columns import ColumnShape, is_consecutive

N = 3000
CONSTANT, COUNTER = np.full(N, 7), np.arange(5, 5 + N)


def with_one(values: Any, row: int, value: Any) -> Any:
    """Return values of which one is another."""
    values = values.copy()
    values[row] = value
    return values


def is_used(values: Any) -> bool:
    """Return whether the column takes part beside another one."""
    target = np.arange(N) % 2
    table = Table.from_columns({"x": values, "other": np.arange(N) // 7 / 2, "y": target})
    return "x" in [f.name for f in problem_of(table, target="y", recipe=cart()).schema.features]


def shape_of(values: Any) -> ColumnShape:
    """Return the figures of a column of values."""
    return ColumnShape(column_of("x", values))


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
@pytest.mark.parametrize("row", [0, 1, 999, 1000, 1001, 2000, N - 1])
def test_a_column_is_constant_in_all_rows_or_used(row: int, dtype: Any) -> None:
    """One other value, wherever it stands, makes a column useful."""
    assert not is_used(CONSTANT.astype(dtype))
    assert is_used(with_one(CONSTANT.astype(dtype), row, 8))


@pytest.mark.parametrize("order", ["ascending", "descending", "mixed"])
@pytest.mark.parametrize("row", [3, 998, 999, 1000, 2000])
def test_consecutive_integers_have_no_value_twice(row: int, order: str) -> None:
    """Consecutive integers in any order are a row number; with one of them twice they are not consecutive."""
    places = {"ascending": slice(None), "descending": slice(None, None, -1)}
    counter = COUNTER[places.get(order, np.random.default_rng(1).permutation(N))]
    assert not is_used(counter)
    assert is_consecutive(shape_of(counter))
    assert not is_consecutive(shape_of(with_one(counter, row, counter[row - 1])))
    assert not is_consecutive(shape_of(with_one(counter, row, counter[row - 3])))
    assert not is_consecutive(shape_of(with_one(counter, row, 10 * N)))


def test_remarks_on_many_columns_are_few() -> None:
    """Of 25 columns with many categories and a target of three classes twenty are named and five counted."""
    columns = {f"c{n}": [f"k{(row + n) % 12}" for row in range(36)] for n in range(25)}
    table = Table.from_columns({**columns, "y": ["u", "v", "w"] * 12})
    notes = problem_of(table, target="y", recipe=cart(), features=list(columns)).notes
    assert sum("categories: where a node has more than" in note for note in notes) == 20
    assert notes[-1] == "so are those of 5 more columns"
