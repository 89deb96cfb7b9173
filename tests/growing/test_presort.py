"""How columns become lists and tables: in the order of numpy, and which of the two a feature is changes no tree."""

from importlib.util import find_spec
from math import inf, nextafter
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treerules import Table, cart
from treerules.growing.problem import Problem, problem_of

pytestmark = [pytest.mark.compiled, pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")]

RECIPE = cart(missing="learned")
TYPES = {"small": "integer", "wide": "integer", "flag": "boolean"}


def column(rng: Any, kind: str, n: int) -> Any:
    """Return n values: of many kinds, or few, with runs of equal ones longer than those that are inserted."""
    return {
        "real": rng.normal(size=n),
        "half": np.round(2 * rng.normal(size=n)) / 2,
        "edge": rng.choice([inf, -inf, 0.0, 1.0, nextafter(1.0, 2.0), 5e-324], size=n),
        "small": rng.integers(-5, 5, size=n),
        "wide": rng.integers(-(2**62), 2**62, size=n),
        "flag": rng.random(n) < 0.3,
    }[kind]


def problem(kinds: list[str], n: int, seed: int, *, holes: float, n_classes: int) -> Problem:
    """Return a problem of such columns, every other one with holes."""
    rng = np.random.default_rng(seed)
    columns: dict[str, Any] = {}
    for index, kind in enumerate(kinds):
        values = column(rng, kind, n).tolist()
        missing = rng.random(n) < (holes if index % 2 else 0.0)
        columns[f"x{index}"] = [None if hole else value for hole, value in zip(missing, values, strict=True)]
    target = rng.integers(0, n_classes, size=n).tolist() if n_classes else rng.normal(size=n).tolist()
    types = {name: TYPES.get(kind, "number") for name, kind in zip(columns, kinds, strict=True)}
    table = Table.from_columns({**columns, "y": target}, types=types)
    task: Any = "classification" if n_classes else "regression"
    return problem_of(table, target="y", recipe=RECIPE, task=task, features=list(columns))


problems = st.builds(
    problem,
    st.lists(st.sampled_from(["real", "half", "edge", "small", "wide", "flag"]), min_size=1, max_size=5),
    st.sampled_from([1, 2, 5, 40, 200]),
    st.integers(0, 1000),
    holes=st.sampled_from([0.1, 0.6, 1.0]),
    n_classes=st.sampled_from([0, 2, 3]),
)


@given(problems, st.booleans())
def test_a_list_has_the_order_of_lexsort(problem: Problem, alone: bool) -> None:
    """Rows stand by value, missing ones last, then by number; a mark begins each value: as np.lexsort has it."""
    from treerules.growing.compiled import columns as presort

    with patch.multiple(presort, _FEW=-1, _FEWER=-1, _HASHED=0 if alone else presort._HASHED):
        presorted = presort.kernel_columns(problem, RECIPE)
    lists = presorted.lists
    assert presorted.storage.tolist() == list(range(len(problem.columns)))
    for entries, column in zip(lists.entries, problem.columns, strict=True):
        order = np.lexsort([np.arange(len(problem.target)), column.data, column.missing])
        assert (entries & lists.row_mask).tolist() == order.tolist()
        assert (entries >> np.uint32(30) & 1).tolist() == column.missing[order].tolist()
        values = [
            None if hole else value for hole, value in zip(column.missing[order], column.data[order], strict=True)
        ]
        begins = [index == 0 or values[index - 1] != values[index] for index in range(len(values))]
        assert (entries >> np.uint32(31)).tolist() == begins
        if not problem.schema.is_regression:
            classes = entries >> np.uint32(lists.class_shift) & np.uint32(lists.class_mask)
            assert classes.tolist() == problem.target[order].tolist()


@given(problems, st.sampled_from([-1, 3, 255]))
def test_lists_and_tables_give_the_tree_of_the_reference(problem: Problem, few: int) -> None:
    """Whether a feature is listed or counted by value is a matter of speed alone."""
    from treerules.growing.compiled import columns as presort
    from treerules.growing.growers import grow

    with patch.multiple(presort, _FEW=few, _FEWER=few):
        tree = grow(problem, RECIPE, compiled=True)
        with patch.object(presort, "_HASHED", 0):
            assert grow(problem, RECIPE, compiled=True) == tree
    assert tree == grow(problem, RECIPE, compiled=False)


def equal(one: Any, other: Any) -> bool:
    """Return whether two records or arrays, however nested, are equal, types of arrays included."""
    if isinstance(one, np.ndarray):
        return bool(np.array_equal(one, other)) and one.dtype == other.dtype and one.flags.c_contiguous
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(equal, one, other))
    return bool(one == other)


@given(problems, st.sampled_from([-1, 0, 1, 2, 7, 64, 255]))
def test_few_rows_and_many_are_listed_alike(problem: Problem, few: int) -> None:
    """Lists, codes and first rows are the same, whether all columns are sorted or codes are looked up."""
    from treerules.growing.compiled import columns as presort

    with patch.multiple(presort, _FEW=few, _FEWER=few):
        expected = presort.kernel_columns(problem, RECIPE)
        with patch.object(presort, "_HASHED", 0):
            columns = presort.kernel_columns(problem, RECIPE)
    for name in ("lists", "codes", "storage", "rows_of_codes"):
        assert equal(getattr(columns, name), getattr(expected, name)), name


def codes_of(values: list[Any], kind: str, most: int = 255) -> tuple[Any, Any]:
    """Return the codes of a column, and the first row of each."""
    from treerules.growing.compiled.value_codes import encode_column

    built = Table.from_columns({"x": values}, types={"x": kind}).column("x")
    codes = np.full(len(values), 99, dtype=np.uint8)
    return codes, encode_column(codes, built, most)


EXTREMES = {
    "integer": [-(2**63), 2**63 - 1, -1, 0, 1, 2**53, 2**53 + 1, *range(100, 5000, 100)],
    "number": [inf, -inf, 0.0, 1.0, nextafter(1.0, 2.0), 5e-324, -5e-324, 1e308, *range(100, 5000, 100)],
    "boolean": [False, True],
}


@given(st.data(), st.sampled_from(list(EXTREMES)), st.sampled_from([3, 900, 1100, 3000]), st.floats(0, 1))
def test_codes_are_those_of_unique(data: st.DataObject, kind: str, n: int, holes: float) -> None:
    """Codes are ranks, those of missing values the number of values, first rows first: as np.unique has it."""
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    candidates = data.draw(
        st.lists(st.sampled_from(EXTREMES[kind]), min_size=1, max_size=len(EXTREMES[kind]), unique=True)
    )
    values = [candidates[index] for index in rng.integers(0, len(candidates), n)]
    values[-1] = candidates[-1]  # it may be there once, after blocks of two values
    missing = rng.random(n) < (holes if holes > 0.5 else 0)
    codes, firsts = codes_of([None if m else v for m, v in zip(missing, values, strict=True)], kind)
    known_values = np.array(values)[~missing]
    distinct, first, ranks = np.unique(known_values, return_index=True, return_inverse=True)
    assert firsts.tolist() == np.flatnonzero(~missing)[first].tolist()
    assert codes[~missing].tolist() == ranks.tolist()
    assert set(codes[missing].tolist()) <= {len(distinct)}


@pytest.mark.parametrize("n_values", [254, 255, 256])
def test_no_codes_of_more_values_than_allowed(n_values: int) -> None:
    """There are codes up to the most values that there may be, with missing ones too, and none beyond."""
    codes, firsts = codes_of([*range(n_values), None, *range(n_values)], "integer")
    if n_values > 255:
        assert firsts is None
    else:
        assert codes.tolist() == [*range(n_values), n_values, *range(n_values)]
        assert firsts.tolist() == list(range(n_values))


def test_both_zeros_are_one_value() -> None:
    """-0.0 equals 0.0, so they have one code, and the least integer, of the same bits, is not 0."""
    from treerules.data.column import Column
    from treerules.data.schema import Feature, Kind
    from treerules.growing.compiled.value_codes import encode_column

    data = np.array([0.0, -0.0, 1.0] * 1000)
    codes = np.empty(3000, dtype=np.uint8)
    assert encode_column(codes, Column(Feature("x", Kind.NUMBER), data, np.isnan(data)), 2).tolist() == [0, 2]
    assert codes.tolist() == [0, 0, 1] * 1000
    codes, firsts = codes_of([0, -(2**63)] * 2000, "integer")
    assert (codes.tolist(), firsts.tolist()) == ([1, 0] * 2000, [1, 0])
