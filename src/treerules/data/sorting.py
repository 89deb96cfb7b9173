"""Orders of arrays and their distinct values: by counting, by a compiled radix sort, or by numpy."""

from functools import cached_property
from typing import Any

import numpy as np
from attrs import frozen

from treerules._internal.jit import GROWTH, SORTING, is_used, load_kernels

#: Fewer values are sorted by numpy, which needs no counts of digits.
_FEWEST = 1 << 10
#: The number of values of 16 bits, which numpy sorts in linear time.
_SHORTS = 1 << 16


def distinct_values(values: Any) -> tuple[Any, Any]:
    """Return the distinct values in order, and the position of each value among them: two integer arrays.

    Integers of a narrow range are counted; others are sorted.

    >>> [array.tolist() for array in distinct_values(np.array([30, 10, 30]))]
    [[10, 30], [1, 0, 1]]
    """
    if values.dtype.kind == "i" and len(values):
        low, high = int(np.minimum.reduce(values)), int(np.maximum.reduce(values))
        if high - low < max(len(values), 256):
            offsets = values.astype(np.int64, copy=False) - low
            (present,) = np.bincount(offsets).nonzero()
            if len(present) == high - low + 1:
                return present + low, offsets
            positions = np.empty(high - low + 1, dtype=np.int64)
            positions[present] = np.arange(len(present))
            return present + low, positions.take(offsets)
    order = sorted_rows(values)
    codes = np.empty(len(values), dtype=np.int64)
    codes[order.rows] = np.cumsum(order.is_new) - 1
    return values.take(order.rows[order.is_new]), codes


@frozen(eq=False)
class SortedRows:
    """Rows in ascending order of their values, equal ones in their order."""

    #: the numbers of the rows (int32)
    rows: Any
    #: whether each of them has another value than the row before it; true of the first
    is_new: Any

    @cached_property
    def n_values(self) -> int:
        """The number of distinct values."""
        return int(np.count_nonzero(self.is_new))


def sorted_rows(values: Any) -> SortedRows:
    """Return the rows of values in ascending order.

    >>> order = sorted_rows(np.array([2, 1, 2, 1]))
    >>> order.rows.tolist(), order.is_new.tolist()
    ([1, 3, 0, 2], [True, False, True, False])
    """
    order, is_new = _order(values) if len(values) < _FEWEST or not _is_ascending(values) else (None, None)
    rows = np.arange(len(values), dtype=np.int32) if order is None else order.astype(np.int32, copy=False)
    if is_new is None:
        is_new = _is_first_of_value(values if order is None else values.take(order))
    return SortedRows(rows, is_new)


def stable_order(values: Any) -> Any:
    """Return the positions of values in ascending order, equal ones in their order; None if they are sorted already.

    >>> stable_order(np.array([2, 1, 2, 1])).tolist()
    [1, 3, 0, 2]
    """
    return None if _is_ascending(values) else _order(values)[0].astype(np.intp, copy=False)


def _is_ascending(values: Any) -> bool:
    return bool(np.logical_and.reduce(values[:-1] <= values[1:]))


def _order(values: Any) -> tuple[Any, Any]:
    """Return the stable order, int32 or int64, and where a new value begins, None if that is not known."""
    if len(values) < _FEWEST:
        return np.argsort(values, kind="stable"), None
    if values.dtype.kind != "f":
        least = int(np.minimum.reduce(values))
        if int(np.maximum.reduce(values)) - least < _SHORTS:
            return np.argsort((values - least).astype(np.uint16), kind="stable"), None
    if is_used(GROWTH, 0):  # numba is not loaded only for sorting
        order, is_new = load_kernels(SORTING).radix_order(values)
        return order, is_new
    order = np.argsort(values)  # several times faster than a stable sort, and equally stable if all values differ
    is_new = _is_first_of_value(values.take(order))
    n_values = np.count_nonzero(is_new)
    if n_values == len(values):
        return order, is_new
    if n_values > _SHORTS:
        return np.argsort(values, kind="stable"), is_new
    ranks = np.empty(len(values), dtype=np.uint16)
    ranks[order] = np.cumsum(is_new) - 1
    return np.argsort(ranks, kind="stable"), is_new


def _is_first_of_value(in_order: Any) -> Any:
    """Return whether each of sorted values is the first of its value."""
    is_new = np.ones(len(in_order), dtype=bool)
    np.not_equal(in_order[1:], in_order[:-1], out=is_new[1:])
    return is_new
