"""A note names each column that alone decides the target, by a definition that is tried on all pairs of rows."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treerules import Table, cart
from treerules.growing.possible_leaks import leak_notes
from treerules.growing.problem import problem_of


def decides(values: list[Any], target: list[Any], *, is_regression: bool) -> bool:
    """Return whether known values decide the target: equal ones alike, and many rows each, or in their order."""
    rows = sorted((value, y) for value, y in zip(values, target, strict=True) if value is not None)
    n_values = len({value for value, _ in rows})
    if 10 * len(rows) < 9 * len(target) or n_values < 2 or len(set(rows)) > n_values:
        return False
    targets = [y for _, y in rows]
    if is_regression:
        return len(rows) >= 5 * n_values or targets in (sorted(targets), sorted(targets, reverse=True))
    n_runs = 1 + sum(one != other for one, other in pairwise(targets))
    return len(rows) >= 5 * n_values or n_runs == len(set(targets))


@pytest.mark.parametrize("is_regression", [False, True])
@given(
    cells=st.lists(st.one_of(st.none(), st.integers(-3, 30)), min_size=24, max_size=60),
    kind=st.sampled_from(["same", "half", "seven", "odd"]),
    is_broken=st.booleans(),
)
def test_a_note_names_a_column_that_decides_all_pairs_of_rows(
    is_regression: bool, cells: list[int | None], kind: str, is_broken: bool
) -> None:
    """The target is made of the column, and broken in one row."""
    made = {"same": lambda n: n, "half": lambda n: n > 7, "seven": lambda n: n // 7, "odd": lambda n: n % 2}[kind]
    numbers = [float(made(0 if cell is None else cell)) for cell in cells]
    numbers[5] += is_broken
    labels = sorted(set(numbers))
    target = numbers if is_regression else [labels.index(number) for number in numbers]
    column = Table.from_columns({"x": cells}, types={"x": "integer"}).columns[0]
    counts = [target.count(value) for value in set(target)]
    is_asked = len(counts) > 1 and (is_regression or min(counts) >= 10)
    notes = leak_notes([column], np.array(target), is_regression)
    assert bool(notes) is (is_asked and decides(list(cells), target, is_regression=is_regression))


@pytest.mark.parametrize("row", [0, 1, 1999, 2999])
@pytest.mark.parametrize("n_values", [3000, 500])
def test_one_row_of_many_denies_that_a_column_decides(row: int, n_values: int) -> None:
    """A part of the rows is looked at before all of them."""
    values = np.arange(3000) % n_values
    target = (values > n_values // 2).astype(int)
    column = Table.from_columns({"x": values.astype(float)}).columns[0]
    assert len(leak_notes([column], target, False)) == 1
    target[row] = 1 - target[row]
    assert not leak_notes([column], target, False)


def test_rows_of_weight_0_deny_nothing() -> None:
    """They are not learned from."""
    columns = {"x": [float(n) for n in range(40)], "y": ["a"] * 20 + ["b"] * 19 + ["a"]}
    notes = [
        problem_of(Table.from_columns(columns), target="y", recipe=cart(), weight=np.array([1.0] * 39 + [last])).notes
        for last in (1.0, 0.0)
    ]
    assert ["alone decides" in " ".join(each) for each in notes] == [False, True]
