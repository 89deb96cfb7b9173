"""A compiled radix sort of numbers. Importing this module loads numba and the kernel."""

from typing import Any

import numpy as np

from treerules._internal.jit import allocating_kernel, kernel

#: The bits of a digit, and the number of digits of 64 bits: the counts of a digit fit in the first cache.
_BITS, _DIGITS = 11, 6


def radix_order(values: Any) -> tuple[Any, Any]:
    """Return the positions of numbers in ascending order (int32), stably, and where a new number begins.

    They are floats without NaN, or signed integers.
    """
    is_float = values.dtype.kind == "f"
    bits = np.ascontiguousarray(values, dtype=np.float64 if is_float else np.int64).view(np.int64)
    bits.flags.writeable = False  # the kernel is compiled for one type of array
    order, is_new = order_of_bits(bits, is_float)
    return order, is_new


@kernel
def _ascending_key(number: Any, is_float: bool) -> Any:
    """Return 64 bits that ascend with a number, which is given by its bits."""
    sign = np.int64(-(2**63))
    if is_float and number < 0:  # floats below 0 have descending bits; -0.0 is 0.0
        number = np.int64(0) if number == sign else ~number ^ sign
    return np.uint64(number ^ sign)


@allocating_kernel
def order_of_bits(bits: Any, is_float: bool) -> Any:
    """Return the order of numbers, given by their bits, and where a new one begins: a radix sort (Knuth, 5.2.5).

    Digits that are the same in all numbers are left out.
    """
    n, mask = len(bits), np.uint64((1 << _BITS) - 1)
    keys, order = np.empty(n, dtype=np.uint64), np.empty(n, dtype=np.int32)
    sorted_keys, sorted_order = np.empty(n, dtype=np.uint64), np.empty(n, dtype=np.int32)
    counts = np.zeros((_DIGITS, 1 << _BITS), dtype=np.uint32)
    for row in range(n):
        key = _ascending_key(bits[row], is_float)
        keys[row], order[row] = key, row
        for digit in range(_DIGITS):
            counts[digit, (key >> np.uint64(_BITS * digit)) & mask] += np.uint32(1)
    for digit in range(_DIGITS):
        shift, starts = np.uint64(_BITS * digit), counts[digit]
        if starts[(keys[0] >> shift) & mask] == n:
            continue
        start = np.uint32(0)
        for value in range(len(starts)):
            start, starts[value] = start + starts[value], start
        for position in range(n):
            key = keys[position]
            value = (key >> shift) & mask
            target = starts[value]
            starts[value] = target + np.uint32(1)
            sorted_keys[target], sorted_order[target] = key, order[position]
        keys, sorted_keys, order, sorted_order = sorted_keys, keys, sorted_order, order
    is_new = np.ones(n, dtype=np.bool_)
    for position in range(1, n):
        is_new[position] = keys[position] != keys[position - 1]
    return order, is_new


radix_order(
    np.zeros(1)
)  # compiles it where that was not done: growing loads this module, so that later sorts need not wait
