"""The stable partition of a node's lists and rows between its children, in place."""

from typing import Any

import numpy as np

from treerules._internal.jit import inner_kernel
from treerules.growing.compiled.sorted_lists import MISSING_BIT, NEW_VALUE_BIT


@inner_kernel
def partition_list(
    entries: Any, base: int, n: int, middle: int, child_of_row: Any, spare: Any, start: int, mask: int
) -> None:
    """Partition a list, the n entries from `base` on, in place and stably: the `middle` entries of child 0 come first.

    The first entry of each value is marked in both children. `spare` may be overwritten from `start` on.
    """
    segment, of_right, rows = entries[base : base + n], spare[start : start + n], np.uint64(mask)
    next_left, next_right, one, new_value = np.uint64(0), np.uint64(0), np.uint64(1), np.uint64(1 << NEW_VALUE_BIT)
    left_skips = np.uint64(0)
    right_skips = np.uint64(0)
    for index in range(n):
        entry = np.uint64(segment[index])
        is_right = np.uint64(child_of_row[entry & rows])
        left_skips |= entry & new_value
        right_skips |= entry & new_value
        segment[next_left] = np.uint32(
            entry | left_skips
        )  # overwritten if it goes right; only entries already read are overwritten
        of_right[next_right] = np.uint32(entry | right_skips)
        next_left += one - is_right
        next_right += is_right
        left_skips &= -is_right
        right_skips &= is_right - one
    right_segment = entries[base + middle : base + n]
    for index in range(n - middle):
        right_segment[index] = of_right[index]


@inner_kernel
def partition_row_list(rows: Any, start: int, stop: int, middle: int, child_of_row: Any, spare: Any) -> None:
    """Partition the ascending rows of a node in place and stably."""
    segment, of_right, n = rows[start:stop], spare[start:stop], stop - start
    next_left, next_right, one = np.uint64(0), np.uint64(0), np.uint64(1)
    for index in range(n):
        row = np.uint32(segment[index])
        is_right = np.uint64(child_of_row[row])
        segment[next_left] = np.int32(row)
        of_right[next_right] = row
        next_left += one - is_right
        next_right += is_right
    right_segment = rows[start + middle : stop]
    for index in range(n - middle):
        right_segment[index] = np.int32(of_right[index])


@inner_kernel
def mark_by_list(entries: Any, base: int, n: int, end: int, missing_child: int, child_of_row: Any, mask: int) -> int:
    """Write the child of each row of a list that is cut at position `end`; return the size of the first child."""
    n_left = 0
    for index in range(n):
        entry = np.int64(entries[base + index])
        is_right = np.int64(index >= end)
        if (entry >> MISSING_BIT) & 1:
            is_right = np.int64(missing_child)
        child_of_row[entry & mask] = is_right
        n_left += 1 - is_right
    return n_left


@inner_kernel
def partition_distinct_list(
    entries: Any, base: int, n: int, middle: int, child_of_row: Any, spare: Any, start: int, mask: int
) -> None:
    """Partition a list as `partition_list` does, where every entry begins a new value: all marks stay."""
    next_left, next_right, rows = np.uint64(base), np.uint64(start), np.uint64(mask)
    for index in range(np.uint64(base), np.uint64(base + n)):
        entry = entries[index]
        is_right = np.uint64(child_of_row[np.uint64(entry) & rows])
        entries[next_left] = entry  # overwritten if it goes right; only entries already read are overwritten
        spare[next_right] = entry
        next_left += np.uint64(1) - is_right
        next_right += is_right
    for index in range(next_right - np.uint64(start)):
        entries[next_left + index] = spare[np.uint64(start) + index]
