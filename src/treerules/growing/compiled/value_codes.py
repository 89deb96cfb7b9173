"""The ranks of the values of a column of few values, found in a hash table, without sorting the column."""

from typing import Any

import numpy as np

from treerules._internal.jit import kernel
from treerules.data.column import Column
from treerules.growing.encoding import FEW_VALUES

#: Values are found in a hash table: the hash is the highest bits of the product with an odd number (Fibonacci hashing).
#: The table has four times as many slots as there may be values.
_SLOT_BITS = 10
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
#: The number of rows that are looked at together.
_BLOCK = 1024


def encode_column(codes: Any, column: Column, most: int) -> Any:
    """Write the code of each row: the rank of its value; missing values have the code after the last.

    Returns a row that holds each code, in the order of codes; None where there are more than `most` values.
    """
    is_float = column.data.dtype.kind == "f"
    bit_patterns = np.ascontiguousarray(column.data, dtype=np.float64 if is_float else np.int64).view(np.uint64)
    bit_patterns.flags.writeable = False  # as columns are: the kernel is compiled for one type of array
    first_rows = np.empty(FEW_VALUES + 1, dtype=np.int64)
    slot_values, slot_ids = np.empty(1 << _SLOT_BITS, dtype=np.uint64), np.zeros(1 << _SLOT_BITS, dtype=np.int64)
    negative_zero = np.uint64(1 << 63 if is_float else 0)
    has_missing = column.n_missing > 0
    n_codes = _number_values(
        codes, first_rows, slot_values, slot_ids, bit_patterns, negative_zero, column.missing, has_missing, most
    )
    if n_codes > most:
        return None
    first_rows = first_rows[:n_codes]
    order = np.argsort(column.data[first_rows])
    ranks = np.full(FEW_VALUES + 1, n_codes, dtype=codes.dtype)
    ranks[order] = np.arange(n_codes)
    _replace_by_ranks(codes, ranks)
    return first_rows[order]


@kernel
def _number_values(
    codes: Any,
    first_rows: Any,
    slot_values: Any,
    slot_ids: Any,
    bit_patterns: Any,
    negative_zero: Any,
    missing: Any,
    has_missing: bool,
    most: int,
) -> int:
    """Number the values, given as 64-bit patterns, in the order of appearance; write the number of each row's value.

    Returns the number of values; stops where it exceeds `most`. Missing values get the number FEW_VALUES. `slot_ids`
    holds the numbers plus 1 by slot, and zeros before.
    """
    count, n = 0, len(bit_patterns)
    for start in range(0, n, _BLOCK):
        stop = min(start + _BLOCK, n)
        if count == 2 and not has_missing:
            first, second = bit_patterns[first_rows[0]], bit_patterns[first_rows[1]]
            if _encode_two_values(codes[start:stop], bit_patterns[start:stop], first, second):
                continue
        for row in range(start, stop):
            if has_missing and missing[row]:
                codes[row] = FEW_VALUES
                continue
            pattern = bit_patterns[row]
            if pattern == negative_zero:
                pattern = np.uint64(0)
            slot = (pattern * _MULTIPLIER) >> np.uint64(64 - _SLOT_BITS)
            while slot_ids[slot] and slot_values[slot] != pattern:
                slot = (slot + np.uint64(1)) & np.uint64((1 << _SLOT_BITS) - 1)
            if not slot_ids[slot]:
                if count >= most:
                    return most + 1
                first_rows[count] = row
                count += 1
                slot_ids[slot], slot_values[slot] = count, pattern
            codes[row] = slot_ids[slot] - 1
    return count


@kernel
def _encode_two_values(codes: Any, bit_patterns: Any, first: Any, second: Any) -> bool:
    """Write 0 for rows with the first of two values and 1 for the second; return whether there are no other values."""
    has_others = 0
    for row in range(len(bit_patterns)):
        is_second = bit_patterns[row] == second
        has_others |= (bit_patterns[row] != first) & ~is_second
        codes[row] = is_second
    return has_others == 0


@kernel
def _replace_by_ranks(codes: Any, ranks: Any) -> None:
    """Replace the number of each row's value by its rank."""
    for row in range(len(codes)):
        codes[row] = ranks[codes[row]]
