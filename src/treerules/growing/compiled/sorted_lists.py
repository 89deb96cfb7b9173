"""The sorted list of a column, as the kernels read it.

An entry has 32 bits: whether it begins a new value, whether the value is missing (those entries are last), the class of
the row, and the row. So a scan reads nothing else.
"""

from typing import Any

import numpy as np

import treerules.data.sort_kernel  # noqa: F401  (the columns of the next problem are sorted by it)
from treerules._internal.jit import kernel
from treerules.data.column import Column

#: The bit of an entry that begins a new value, and that of a missing value.
NEW_VALUE_BIT, MISSING_BIT = 31, 30
_NEW_VALUE = np.uint32(1 << NEW_VALUE_BIT)
_NO_ROWS = np.empty(0, dtype=np.int64)


def row_bits(n_rows: int) -> int:
    """Return the number of bits of a row index."""
    return max(1, (n_rows - 1).bit_length())


def write_list(entries: Any, column: Column, classes: Any, shift: int) -> None:
    """Write the list of a column in its order, missing values last."""
    order, missing = column.order, np.flatnonzero(column.missing) if column.n_missing else _NO_ROWS
    _fill_list(entries, order.rows, order.is_new, missing, classes, shift)


@kernel
def _fill_list(entries: Any, rows: Any, is_new: Any, missing: Any, classes: Any, shift: int) -> None:
    """Write a list from the rows of known values in order, and where a new value begins, and from the other rows.

    Rows are in the order of their classes, so the entries of each value ascend.
    """
    for index in range(len(rows)):
        row = np.int64(rows[index])
        entry = np.uint32((np.int64(classes[row]) << shift) | row)
        entries[index] = entry | _NEW_VALUE if is_new[index] else entry
    for index in range(len(missing)):
        row = missing[index]
        entries[len(rows) + index] = np.uint32((np.int64(classes[row]) << shift) | row | (1 << MISSING_BIT))
    if len(missing):
        entries[len(rows)] |= _NEW_VALUE


@kernel
def copy_entries(target: Any, entries: Any, new_row: Any, mask: int) -> None:
    """Copy the entries of a list whose rows remain, with new row numbers; the first entry of each value is marked."""
    is_new, position = np.int64(0), 0
    for index in range(len(entries)):
        entry = np.int64(entries[index])
        is_new |= entry >> NEW_VALUE_BIT
        row = new_row[entry & mask]
        if row >= 0:
            target[position] = np.uint32(
                (entry & ~(np.int64(mask) | (1 << NEW_VALUE_BIT))) | row | (is_new << NEW_VALUE_BIT)
            )
            is_new = np.int64(0)
            position += 1
