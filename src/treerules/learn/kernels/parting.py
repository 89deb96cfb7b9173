"""Dividing the lists and the rows of a node between its children, in place."""

from typing import Any, NamedTuple

import numpy as np

from treerules.compiled import kernel
from treerules.learn.kernels.classes import MISSING, NEW


class Lists(NamedTuple):
    """The features of many values: their lists, one after the other, divided in place; and each node's rows."""

    entries: Any
    #: where one list begins after another
    stride: int
    features: Any
    #: the rows of each node, ascending; empty where there are no tables
    rows: Any
    #: the class of each row, and room for the child of each row
    target: Any
    #: the target of a regression
    y: Any
    side: Any
    #: room for one list
    spare: Any


@kernel
def parted(entries: Any, base: int, n: int, middle: int, side: Any, spare: Any, start: int, mask: int) -> None:
    """Divide a list, `n` entries from `base` on, in place and stably: the `middle` entries of side 0 come first.

    Both sides keep marking new values. `spare` is free from `start` on.
    """
    at_left, at_right, group = base, start, np.int64(0)
    of_left, of_right = np.int64(-1), np.int64(-1)  # the value group of the last entry of each side
    for at in range(base, base + n):
        entry = np.int64(entries[at])
        group += entry >> NEW
        goes = np.int64(side[entry & mask])
        last = of_right if goes else of_left
        marked = np.uint32((entry & 0x7FFFFFFF) | (np.int64(group != last) << NEW))
        entries[at_left] = marked  # written again where it does not belong: nothing unread is lost
        spare[at_right] = marked
        at_left += 1 - goes
        at_right += goes
        of_left = of_left if goes else group
        of_right = group if goes else of_right
    for at in range(at_right - start):
        entries[base + middle + at] = spare[start + at]


@kernel
def parted_rows(rows: Any, start: int, stop: int, middle: int, side: Any, spare: Any) -> None:
    """Divide ascending rows in place and stably."""
    at_left, at_right = start, start
    for at in range(start, stop):
        row = rows[at]
        goes = np.int64(side[row])
        rows[at_left] = row
        spare[at_right] = row
        at_left += 1 - goes
        at_right += goes
    for at in range(at_right - start):
        rows[start + middle + at] = spare[start + at]


@kernel
def sided_by_list(entries: Any, base: int, n: int, end: int, to: int, side: Any, mask: int) -> int:
    """Mark the child of each row of a list that is cut before its place `end`; return the rows of the first child."""
    n_left = 0
    for at in range(n):
        entry = np.int64(entries[base + at])
        goes = np.int64(at >= end)
        if (entry >> MISSING) & 1:
            goes = np.int64(to)
        side[entry & mask] = goes
        n_left += 1 - goes
    return n_left


@kernel
def sided_by_codes(tables: Any, line: int, rows: Any, by_code: Any, to: int, side: Any) -> int:
    """Mark the child of each row by its code; return the rows of the first child."""
    n_left, n_codes = 0, tables.n_codes[line]
    for at in range(len(rows)):
        row = rows[at]
        code = np.int64(tables.codes[row, line])
        goes = np.int64(to if code == n_codes else by_code[code])
        side[row] = goes
        n_left += 1 - goes
    return n_left


@kernel
def sided_by_bit(tables: Any, line: int, rows: Any, side: Any) -> int:
    """Mark the child of each row by its bit; return the rows of the first child."""
    n_left, flip, word, place = 0, tables.bit_flips[line], line // 64, np.uint64(line % 64)
    for at in range(len(rows)):
        row = rows[at]
        goes = np.int64((tables.bits[row, word] >> place) & np.uint64(1)) ^ flip
        side[row] = goes
        n_left += 1 - goes
    return n_left
