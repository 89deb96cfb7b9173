"""The hash of the data that a tree was learned from."""

from importlib.util import find_spec
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from treerules import Table, cart
from treerules.data.column import Column, take_rows
from treerules.data.row_hash import row_hashes
from treerules.growing.problem import problem_of
from treerules.trees.provenance import hash_of

needs_numba = pytest.mark.skipif(find_spec("numba") is None, reason="numba (the extra [fast]) is not installed")
CELLS = {
    "number": st.one_of(st.none(), st.floats(-2, 2).map(lambda value: value + 0.0), st.just(float("inf"))),
    "integer": st.one_of(st.none(), st.integers(-2, 2), st.just(2**62)),
    "category": st.one_of(st.none(), st.sampled_from("ab")),
}


@st.composite
def columns(draw: st.DrawFn) -> dict[str, list[Any]]:
    """Draw a column of each of three kinds, each with a value that makes its kind known."""
    n = draw(st.integers(1, 12))
    return {
        "number": [0.5, *draw(st.lists(CELLS["number"], min_size=n, max_size=n))],
        "integer": [1, *draw(st.lists(CELLS["integer"], min_size=n, max_size=n))],
        "category": ["a", *draw(st.lists(CELLS["category"], min_size=n, max_size=n))],
    }


def hash_of_data(data: dict[str, list[Any]]) -> str:
    """Return the hash of a table without target."""
    return hash_of(Table.from_columns(data, types={name: name for name in data}).columns)


@given(data=columns(), draw=st.data())
def test_the_hash_does_not_know_the_order_of_rows(data: dict[str, list[Any]], draw: st.DataObject) -> None:
    """The rows are summed up."""
    order = draw.draw(st.permutations(range(len(data["number"]))))
    assert hash_of_data({name: [cells[row] for row in order] for name, cells in data.items()}) == hash_of_data(data)


@given(data=columns(), draw=st.data())
def test_the_hash_knows_every_cell(data: dict[str, list[Any]], draw: st.DataObject) -> None:
    """Another value in one cell, or none, or one row twice, is another table; so is a swap that makes other rows."""
    name = draw.draw(st.sampled_from(sorted(data)))
    row, other = (draw.draw(st.integers(0, len(data[name]) - 1)) for _ in range(2))
    cell = draw.draw(CELLS[name].filter(lambda cell: cell != data[name][row]))
    assert hash_of_kept(data, name, {row: cell}) != hash_of_kept(data, name, {})
    swapped = {row: data[name][other], other: data[name][row]}
    changed = {**data, name: [swapped.get(place, value) for place, value in enumerate(data[name])]}
    same = sorted(map(repr, zip(*changed.values(), strict=True))) == sorted(map(repr, zip(*data.values(), strict=True)))
    assert (hash_of_kept(data, name, swapped) == hash_of_kept(data, name, {})) is same
    assert hash_of_data({each: [*cells, cells[row]] for each, cells in data.items()}) != hash_of_data(data)


def hash_of_kept(data: dict[str, list[Any]], name: str, changes: dict[int, Any]) -> str:
    """Return the hash of a table in which some cells were changed, and no category was lost or won."""
    levels = "ordinal:a<b"
    cells = [changes.get(row, value) for row, value in enumerate(data[name])]
    types = {"number": "number", "integer": "integer", "category": levels}
    return hash_of(Table.from_columns({**data, name: cells}, types=types).columns)


@pytest.mark.compiled
@needs_numba
@given(data=columns(), n=st.sampled_from((1, 3, 17_000)), draw=st.data())
def test_the_compiled_hash_is_numpys(data: dict[str, list[Any]], n: int, draw: st.DataObject) -> None:
    """Whatever the columns hold, in one block and in several, writeable or not."""
    repeated = {name: (cells * n)[: max(n, len(cells))] for name, cells in data.items()}
    columns = Table.from_columns(repeated, types={name: name for name in data}).columns
    more = np.array(draw.draw(st.sampled_from(([0.0, -0.0, 1e300], [-1, 0, 2**63 - 1], [True, False, True]))))
    more = np.resize(more, len(columns[0].data))
    more.flags.writeable = draw.draw(st.booleans())
    with patch("treerules.data.row_hash.is_used", return_value=False):
        expected = hash_of(columns, more, more[::-1])
    with patch("treerules.data.row_hash.is_used", return_value=True):
        assert hash_of(columns, more, more[::-1]) == expected


def test_the_hash_knows_names_kinds_categories_and_arrays() -> None:
    """And where a column or an array stands, and whether it is there at all."""
    one, other = Table.from_columns({"a": [0, 1, 2], "b": [0, 1, 1]}).columns
    text, more = (Table.from_columns({"a": values}).columns[0] for values in (["x", "y", "z"], ["x", "y", "w"]))
    renamed = evolve(one, feature=evolve(one.feature, name="c"))
    number = Table.from_columns({"a": [0, 1, 2]}, types={"a": "number"}).columns[0]
    ones, twos = np.ones(3), np.full(3, 2.0)
    found = [
        hash_of(columns, *arrays)
        for columns, arrays in (
            ([one], ()), ([other], ()), ([one, other], ()), ([other, one], ()), ([renamed], ()), ([number], ()),
            ([text], ()), ([more], ()), ([one], (ones,)), ([one], (twos,)), ([one], (ones, None)),
            ([one], (None, ones)), ([one], (ones, ones)), ([one], (ones, twos)), ([one], (twos, ones)),
        )
    ]  # fmt: skip
    assert len(set(found)) == len(found)


def test_the_hash_is_that_of_one_block() -> None:
    """More rows than are mixed at once hash as they do in another order, so block by block is as all at once."""
    rng = np.random.default_rng(1)
    column = Table.from_columns({"x": rng.normal(size=100_000)}).columns[0]
    shuffled = take_rows(column, rng.permutation(100_000))
    assert hash_of([column]) == hash_of([shuffled])
    assert hash_of([column]) != hash_of([take_rows(column, np.arange(99_999))])


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ({"x": [0.0, 963.0], "z": [543.0, 606.0]}, {"x": [0.0, 963.0], "z": [606.0, 543.0]}),
        (
            dict(zip("abcdefg", [[3.0], [8.0], [7.0], [8.0], [8.0], [6.0], [-1.0]], strict=True)),
            dict(zip("abcdefg", [[-1.0], [-1.0], [5.0], [6.0], [7.0], [7.0], [8.0]], strict=True)),
        ),
    ],
    ids=["two cells swapped", "one row"],
)
def test_the_hash_tells_tables_that_one_factor_does_not(a: dict[str, list[float]], b: dict[str, list[float]]) -> None:
    """Mixed with one factor a cell and one a row, each pair had one sum."""
    assert hash_of(Table.from_columns(a).columns) != hash_of(Table.from_columns(b).columns)


def mixed(*columns: Any) -> Any:
    """Return the number of each row, which the hash sums up."""
    return row_hashes([(column, None) for column in columns])


@pytest.mark.parametrize("dtype", [np.float64, np.int64])
def test_no_swap_of_small_whole_numbers_hides(dtype: Any) -> None:
    """Two cells of z change places in rows with different x: of 500 million such swaps each changes the sum of rows.

    The sum stays where from x = 0 to the other x both rows' numbers change by the same.
    """
    x, z = np.arange(1001).astype(dtype), np.arange(1001).astype(dtype)
    rows = mixed(np.repeat(x, 1001), np.tile(z, 1001)).reshape(1001, 1001)
    changes = np.sort(rows[0] - rows[1:], axis=1)
    assert (changes[:, 1:] != changes[:, :-1]).all()


@pytest.mark.large
@pytest.mark.parametrize("most", [30, 1000, 10**6])
def test_random_swaps_change_the_sum_each_by_its_own(most: int) -> None:
    """Small whole floats in two columns: no two of some 200,000 swaps change the sum by the same, and none by 0."""
    drawn = np.unique(np.random.default_rng(most).integers(0, most, (600_000, 4)), axis=0).astype(np.float64)
    x, other_x, z, other_z = drawn[(drawn[:, 0] < drawn[:, 1]) & (drawn[:, 2] != drawn[:, 3])].T.copy()
    changes = mixed(x, z) + mixed(other_x, other_z) - mixed(x, other_z) - mixed(other_x, z)
    assert changes.all() and len(np.unique(changes)) == len(changes) > 190_000


@pytest.mark.large
@pytest.mark.parametrize(("values", "n_columns"), [((-1.0, 0.0, 1.0), 12), ((0.0, 1.0), 19), (range(1000), 2)])
def test_all_rows_of_few_values_have_numbers_of_their_own(values: Any, n_columns: int) -> None:
    """The half to one million rows that these columns can have."""
    grid = np.meshgrid(*[np.array(values)] * n_columns)
    rows = mixed(*(np.ravel(column) for column in grid))
    assert len(np.unique(rows)) == len(values) ** n_columns


@given(labels=st.lists(st.integers(0, 2), min_size=2, max_size=30), draw=st.data())
def test_rows_stand_by_target_then_weight_then_number(labels: list[int], draw: st.DataObject) -> None:
    """That is np.lexsort, without the rows that weigh nothing; cells and numbers follow."""
    n = len(labels)
    weights = draw.draw(st.none() | st.lists(st.sampled_from((0.0, 0.5, 1.0, 2.0)), min_size=n, max_size=n))
    weights = None if weights is None else [*weights[:-1], 2.0]
    x = np.arange(n) * 2.0
    table = Table.from_columns({"x": x, "hole": [None, *range(n - 1)], "y": labels})
    problem = problem_of(table, target="y", recipe=cart(), weight=weights, features=["x", "hole"])
    w = np.ones(n) if weights is None else np.array(weights)
    order = [row for row in np.lexsort([np.arange(n), w, np.array(labels)]) if w[row] > 0]
    assert problem.rows.tolist() == order
    assert problem.columns[0].data.tolist() == x[order].tolist()
    assert problem.columns[1].missing.tolist() == [row == 0 for row in order]
    assert [problem.schema.classes[place] for place in problem.target] == [labels[row] for row in order]


def test_columns_are_laid_out_in_a_line() -> None:
    """Rows that stand in order are not copied, unless their cells lie apart in the caller's array."""
    matrix = np.arange(12.0).reshape(6, 2)
    matrix.flags.writeable = False
    lone = np.arange(6.0) * 2
    lone.flags.writeable = False
    table = Table.from_columns({"apart": matrix[:, 0], "lone": lone, "y": [0, 0, 0, 1, 1, 1]})
    apart, alone = problem_of(table, target="y", recipe=cart()).columns
    assert apart.data.flags.c_contiguous and apart.data.tolist() == matrix[:, 0].tolist()
    assert np.shares_memory(alone.data, lone)


@given(missing=st.lists(st.booleans(), max_size=20))
def test_missing_cells_are_counted(missing: list[bool]) -> None:
    """Once for a column."""
    column = Table.from_columns({"x": [None if each else 1.5 for each in missing]}).columns[0]
    assert isinstance(column, Column)
    assert column.n_missing == sum(missing)
