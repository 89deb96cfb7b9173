"""Orders and distinct values of arrays are numpy's, whichever way they are found."""

from importlib.util import find_spec
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treerules.data import sorting
from treerules.data.sorting import distinct_values, sorted_rows, stable_order

INTEGERS = st.one_of(st.integers(-3, 3), st.integers(-300, 300), st.sampled_from((-(2**63), 2**63 - 1, 2**53 + 1)))
FLOATS = st.one_of(st.sampled_from((0.0, 1.0, -1.0, 5e-324, float("inf"), float("-inf"))), st.floats(allow_nan=False))
ARRAYS = st.one_of(
    st.lists(INTEGERS, max_size=40).map(lambda values: np.array(values, dtype=np.int64)),
    st.lists(FLOATS, max_size=40).map(lambda values: np.array(values, dtype=np.float64)),
    st.lists(st.booleans(), max_size=40).map(lambda values: np.array(values, dtype=bool)),
)
LIMITS = [
    {"_FEWEST": 1 << 10},  # each array is short
    {"_FEWEST": 0, "_SHORTS": 4},  # hardly any fits into 16 bits, nor do the ranks of its values
    {"_FEWEST": 0},  # each has few values
]


def limited(limits: dict[str, int]) -> Any:
    """Return a context in which numpy sorts, and not the kernel, by these limits."""
    return patch.multiple(sorting, **limits, is_used=lambda *_: False)


@pytest.mark.parametrize("limits", LIMITS, ids=str)
@given(values=ARRAYS)
def test_the_order_is_numpys_stable_one(limits: dict[str, int], values: Any) -> None:
    """Equal values stay as they stand, whichever way they are sorted; None is for those that stand right."""
    expected = np.argsort(values, kind="stable")
    with limited(limits):
        order = stable_order(values)
    assert np.array_equal(np.arange(len(values)) if order is None else order, expected)
    assert (order is None) is np.array_equal(expected, np.arange(len(values)))


@given(values=ARRAYS)
def test_distinct_values_are_numpys_unique_ones(values: Any) -> None:
    """Counting and sorting find the same values and positions."""
    for found, expected in zip(distinct_values(values), np.unique(values, return_inverse=True), strict=True):
        assert np.array_equal(found, expected)
    assert distinct_values(values)[1].dtype == np.int64


@pytest.mark.parametrize("limits", LIMITS, ids=str)
@given(values=ARRAYS)
def test_sorted_rows_begin_each_value_once(limits: dict[str, int], values: Any) -> None:
    """Both zeros are one value."""
    with limited(limits):
        order = sorted_rows(values)
    assert_sorted(values, order.rows, order.is_new)
    assert order.n_values == len(np.unique(values))


def assert_sorted(values: Any, rows: Any, is_new: Any) -> None:
    """Raise AssertionError unless rows are in numpy's stable order, and a new value begins where it does."""
    assert rows.dtype == np.int32
    assert np.array_equal(rows, np.argsort(values, kind="stable"))
    assert np.array_equal(np.flatnonzero(is_new), np.unique(values[rows], return_index=True)[1])


@pytest.mark.compiled
@pytest.mark.skipif(find_spec("numba") is None, reason="numba (the extra [fast]) is not installed")
@given(values=ARRAYS, seed=st.integers(0, 99), n=st.sampled_from([1, 3, 3000]))
def test_the_radix_sort_is_stable_and_exact(values: Any, seed: int, n: int) -> None:
    """Of all doubles and 64-bit integers, subnormal ones and both zeros too, in any number of copies."""
    from treerules.data.sort_kernel import radix_order

    if values.dtype == bool or not len(values):
        return
    copies = values[np.random.default_rng(seed).integers(0, len(values), n)]
    assert_sorted(copies, *radix_order(copies))
    assert_sorted(-copies[::2], *radix_order(-copies[::2]))
