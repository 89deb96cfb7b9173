"""Dividing the lists and the rows of a node between its children, in place."""

from typing import Any, NamedTuple

import numpy as np

from treerules._internal.jit import kernel
from treerules.growing.compiled.class_numeric import MISSING, NEW


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
    lot, room, rows = entries[base : base + n], spare[start : start + n], np.uint64(mask)
    at_left, at_right, one, first = np.uint64(0), np.uint64(0), np.uint64(1), np.uint64(1 << NEW)
    left_skips, right_skips = np.uint64(0), np.uint64(0)  # the mark of a new value that a side has not seen yet
    for at in range(n):
        entry = np.uint64(lot[at])
        goes = np.uint64(side[entry & rows])
        left_skips |= entry & first
        right_skips |= entry & first
        lot[at_left] = np.uint32(entry | left_skips)  # written again where it does not belong: nothing unread is lost
        room[at_right] = np.uint32(entry | right_skips)
        at_left += one - goes
        at_right += goes
        left_skips &= -goes
        right_skips &= goes - one
    rest = entries[base + middle : base + n]
    for at in range(n - middle):
        rest[at] = room[at]


@kernel
def parted_rows(rows: Any, start: int, stop: int, middle: int, side: Any, spare: Any) -> None:
    """Divide ascending rows in place and stably."""
    lot, room, n = rows[start:stop], spare[start:stop], stop - start
    at_left, at_right, one = np.uint64(0), np.uint64(0), np.uint64(1)
    for at in range(n):
        row = np.uint32(lot[at])
        goes = np.uint64(side[row])
        lot[at_left] = np.int32(row)
        room[at_right] = row
        at_left += one - goes
        at_right += goes
    rest = rows[start + middle : stop]
    for at in range(n - middle):
        rest[at] = np.int32(room[at])


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
