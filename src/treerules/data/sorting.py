"""Orders of arrays and their distinct values: by counting, by a compiled radix sort, or by numpy."""

from typing import Any

import numpy as np

from treerules._internal.jit import GROWTH, SORTING, is_used, load_kernels

#: Fewer values are sorted by numpy, which needs no counts of digits.
_FEWEST = 1 << 11
#: The number of values of 16 bits, which numpy sorts in linear time.
_NARROW = 1 << 16


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
    return np.unique(values, return_inverse=True)


def sorted_rows(values: Any) -> Any:
    """Return the positions of values in ascending order, equal ones in their order (int32).

    >>> sorted_rows(np.array([2, 1, 2, 1])).tolist()
    [1, 3, 0, 2]
    """
    order = _order(values)
    return np.arange(len(values), dtype=np.int32) if order is None else order.astype(np.int32, copy=False)


def stable_order(values: Any) -> Any:
    """Return the positions of values in ascending order, equal ones in their order; None if they are sorted already.

    >>> stable_order(np.array([2, 1, 2, 1])).tolist()
    [1, 3, 0, 2]
    """
    order = _order(values)
    return None if order is None else order.astype(np.intp, copy=False)


def _order(values: Any) -> Any:
    """Return the stable order, int32 or int64; None for values in ascending order."""
    if np.logical_and.reduce(values[:-1] <= values[1:]):
        return None
    if values.dtype.kind != "f":
        least = int(np.minimum.reduce(values))
        if int(np.maximum.reduce(values)) - least < _NARROW:
            return np.argsort((values - least).astype(np.uint16), kind="stable")
    if len(values) >= _FEWEST and is_used(GROWTH, 0):  # numba is not loaded only for sorting
        return load_kernels(SORTING).radix_order(values)
    order = np.argsort(values)  # several times faster than a stable sort, and equally stable if all values differ
    sorted_values = values.take(order)
    return order if (sorted_values[:-1] < sorted_values[1:]).all() else np.argsort(values, kind="stable")
