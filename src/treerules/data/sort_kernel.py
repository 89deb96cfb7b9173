"""A compiled radix sort of numbers. Importing this module loads numba and the kernel."""

from typing import Any

import numpy as np

from treerules._internal.jit import kernel

#: The bits of a digit, and the number of digits of 64 bits: the counts of a digit fit in the first cache.
_BITS, _DIGITS = 11, 6


def radix_order(values: Any) -> tuple[Any, Any]:
    """Return the positions of numbers in ascending order (int32), stably, and where a new number begins.

    They are floats without NaN, or signed integers.
    """
    is_float = values.dtype.kind == "f"
    bits = np.ascontiguousarray(values, dtype=np.float64 if is_float else np.int64).view(np.int64)
    bits.flags.writeable = False  # the kernel is compiled for one type of array
    n = len(bits)
    keys, orders, is_new = np.empty((2, n), dtype=np.uint64), np.empty((2, n), dtype=np.int32), np.empty(n, dtype=bool)
    # the kernel returns no arrays: numba would lose an interruption that comes while it wraps them
    line = order_of_bits(bits, is_float, keys, orders, np.zeros((_DIGITS, 1 << _BITS), dtype=np.uint32), is_new)
    return orders[line], is_new


@kernel
def _ascending_key(number: Any, is_float: bool) -> Any:
    """Return 64 bits that ascend with a number, which is given by its bits."""
    sign = np.int64(-(2**63))
    if is_float and number < 0:  # floats below 0 have descending bits; -0.0 is 0.0
        number = np.int64(0) if number == sign else ~number ^ sign
    return np.uint64(number ^ sign)


@kernel
def order_of_bits(bits: Any, is_float: bool, keys: Any, orders: Any, counts: Any, is_new: Any) -> int:
    """Write the order of numbers, given by their bits, and where a new one begins: a radix sort (Knuth, 5.2.5).

    Digits that are the same in all numbers are left out.

    Args:
        bits: The numbers.
        is_float: Whether they are floats.
        keys: A work array of two lines, of an entry for each number.
        orders: Another, in which the order is written.
        counts: Zeros, shape (digits, values of a digit).
        is_new: Where the other result is written.

    Returns:
        The line of `orders` that holds the order.
    """
    n, mask, line = len(bits), np.uint64((1 << _BITS) - 1), 0
    for row in range(n):
        key = _ascending_key(bits[row], is_float)
        keys[0, row], orders[0, row] = key, row
        for digit in range(_DIGITS):
            counts[digit, (key >> np.uint64(_BITS * digit)) & mask] += np.uint32(1)
    for digit in range(_DIGITS):
        shift, starts = np.uint64(_BITS * digit), counts[digit]
        from_keys, from_order, to_keys, to_order = keys[line], orders[line], keys[1 - line], orders[1 - line]
        if starts[(from_keys[0] >> shift) & mask] == n:
            continue
        start = np.uint32(0)
        for value in range(len(starts)):
            start, starts[value] = start + starts[value], start
        for position in range(n):
            key = from_keys[position]
            value = (key >> shift) & mask
            target = starts[value]
            starts[value] = target + np.uint32(1)
            to_keys[target], to_order[target] = key, from_order[position]
        line = 1 - line
    is_new[:1] = True
    for position in range(1, n):
        is_new[position] = keys[line, position] != keys[line, position - 1]
    return line


radix_order(
    np.zeros(1)
)  # compiles it where that was not done: growing loads this module, so that later sorts need not wait
