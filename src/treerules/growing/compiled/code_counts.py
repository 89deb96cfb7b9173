"""The statistics of the codes of a node that are counted column by column, and orders of codes."""

from typing import Any, NamedTuple

import numpy as np

from treerules._internal.jit import inlined_kernel, inner_kernel
from treerules.criteria.table import SQUARES_KERNEL
from treerules.growing.compiled.arithmetic import copy_into
from treerules.growing.compiled.gains import plain_sum
from treerules.growing.compiled.list_entries import add_row

#: How a coded feature is split.
IN_ORDER, SUBSET, ONE_AGAINST_REST, EACH = range(4)


class Codes(NamedTuple):
    """The features that are split by codes: of few values, or of categories."""

    #: the code of each row; missing values have the code after the last. Columns of codes that are bytes come first,
    #: shape (rows, bytes); of the others, shape (columns, rows)
    of_bytes: Any
    wide: Any
    #: where the values of each byte begin among those of all of them
    offsets: Any
    #: the number of columns of bytes, and of each of them: its byte, and the shift and the mask of its code there.
    #: Columns of two values without missing ones share a byte.
    n_bytes: int
    places: Any
    shifts: Any
    masks: Any
    #: of all columns
    n_codes: Any
    #: IN_ORDER, SUBSET, ...
    ways: Any
    #: nodes of at least this many rows look at all codes that are bytes
    large: int


class CodeArrays(NamedTuple):
    """The work arrays of the search of one coded feature."""

    #: the statistics of the codes of a node, ascending, shape (codes, classes + 1), and these codes
    groups: Any
    present: Any
    #: by code: the group it has in this node, valid where the stamp is that of the search
    group_of: Any
    stamp: Any
    #: shares of categories, or their coordinates on an axis, and their order by them
    shares: Any
    order: Any
    #: see `principal_axis`: by category, the weights of the node's classes, the size, and the deviations of shares; the
    #: products, their eigenvectors, and the axis
    weighted: Any
    sizes: Any
    deviations: Any
    matrix: Any
    vectors: Any
    axis: Any


@inner_kernel
def code_at(codes: Any, column: int, row: int) -> int:
    """Return the code of a row."""
    if column < codes.n_bytes:
        return (np.int64(codes.of_bytes[row, codes.places[column]]) >> codes.shifts[column]) & codes.masks[column]
    return np.int64(codes.wide[column - codes.n_bytes, row])


@inner_kernel
def count_codes(
    search: Any, scoring: Any, codes: Any, arrays: Any, column: int, rows: Any, target: Any, number: int
) -> int:
    """Write the statistics of a wide column's codes in a node, and of its missing values; return the number of codes.

    `number` differs from that of every search before.
    """
    search.missing[:] = 0.0
    n_codes, of_rows = codes.n_codes[column], codes.wide[column - codes.n_bytes]
    if n_codes <= len(rows):
        return _count_all(search, scoring, of_rows, arrays, n_codes, rows, target)
    return _count_present(search, scoring, of_rows, arrays, n_codes, rows, target, number)


@inlined_kernel
def _count_all(search: Any, scoring: Any, codes: Any, arrays: Any, n_codes: int, rows: Any, target: Any) -> int:
    """Do what `count_codes` does in a node of at least as many rows as there are codes."""
    n_present, groups = 0, arrays.groups
    for code in range(n_codes + 1):
        groups[code] = 0.0
    _add_rows(groups[: n_codes + 1], scoring, codes, rows, target)
    copy_into(groups[n_codes], search.missing)
    for code in range(n_codes):
        if plain_sum(groups[code], scoring.n_weights) > 0:
            if code != n_present:
                copy_into(groups[code], groups[n_present])
            arrays.present[n_present] = code
            n_present += 1
    return n_present


@inner_kernel
def _add_rows(groups: Any, scoring: Any, codes: Any, rows: Any, target: Any) -> None:
    """Add rows to the statistics of their codes. Indices are unsigned, which saves the code for negative ones."""
    k = np.uint64(scoring.n_sums)
    if scoring.has_weights or scoring.criterion == SQUARES_KERNEL:
        for index in range(len(rows)):
            row = np.uint64(rows[index])
            add_row(groups[np.uint64(codes[row])], scoring, target[row], row)
        return
    for index in range(len(rows)):
        row = np.uint64(rows[index])
        groups[np.uint64(codes[row]), np.uint64(target[row])] += 1.0
    for code in range(len(groups)):
        n = 0.0
        for label in range(k):
            n += groups[code, label]
        groups[code, k] = n


@inlined_kernel
def _count_present(
    search: Any, scoring: Any, codes: Any, arrays: Any, n_codes: int, rows: Any, target: Any, number: int
) -> int:
    """Do what `count_codes` does in a node of fewer rows than there are codes: only those of its rows are looked at."""
    n_present, groups = 0, arrays.groups
    for row in rows:
        code = int(codes[row])
        if code < n_codes and arrays.stamp[code] != number:
            arrays.stamp[code] = number
            arrays.present[n_present] = code
            n_present += 1
    _sort(arrays.present, n_present)
    for index in range(n_present):
        arrays.group_of[arrays.present[index]] = index
        groups[index] = 0.0
    for row in rows:
        code = int(codes[row])
        add_row(search.missing if code == n_codes else groups[arrays.group_of[code]], scoring, target[row], row)
    return n_present


@inner_kernel
def _sort(numbers: Any, n: int) -> None:
    """Sort the first n numbers (Shell 1959)."""
    gap = n // 2
    while gap:
        for index in range(gap, n):
            number, position = numbers[index], index
            while position >= gap and numbers[position - gap] > number:
                numbers[position] = numbers[position - gap]
                position -= gap
            numbers[position] = number
        gap //= 2


@inner_kernel
def sort_stably(values: Any, order: Any, n: int) -> None:
    """Write the indices of the first n values in ascending order, equal ones in their order (Shell 1959)."""
    for index in range(n):
        order[index] = index
    gap = n // 2
    while gap:
        for index in range(gap, n):
            moved, position = order[index], index
            while position >= gap and _is_after(values, order[position - gap], moved):
                order[position] = order[position - gap]
                position -= gap
            order[position] = moved
        gap //= 2


@inner_kernel
def _is_after(values: Any, one: int, other: int) -> bool:
    return bool(values[one] > values[other] or (values[one] == values[other] and one > other))
