"""Sorted lists and coded columns of a problem, made once: no column is sorted again in any node."""

from typing import Any

import numpy as np
from attrs import frozen

import treerules.data.sort_kernel  # noqa: F401  (the columns of the next problem are sorted by it)
from treerules._internal.jit import kernel
from treerules.data.column import Column
from treerules.growing.compiled.class_numeric import MISSING_BIT, NEW_VALUE_BIT
from treerules.growing.compiled.codes import (
    allocate_codes,
    coded_columns,
    encode_column,
    encode_sorted_column,
    integer_array,
)
from treerules.growing.compiled.histograms import CodedColumns
from treerules.growing.compiled.stable_partition import SortedLists
from treerules.growing.encoding import FEW_VALUES, is_cut_in_order
from treerules.growing.problem import Problem
from treerules.recipes.recipe import Recipe

#: Integers with a range up to this, or up to four times the number of rows, are sorted by counting.
_NARROW = 1 << 16
#: With fewer rows than this every column is sorted, even one of few values.
_SHORT = 1 << 13
#: Features of at most this many values are coded, others have lists: in classifications of many rows; in others.
#: Counting by value is fast in large nodes, but in a small node most codes are absent.
_FEW, _FEWER = 64, 16
#: A tree of limited depth has only large nodes if its leaves have this many rows on average.
_LARGE = 512
#: The bit of an entry that begins a new value.
_NEW_VALUE = np.uint32(1 << NEW_VALUE_BIT)


@frozen(eq=False)
class PresortedColumns:
    """The columns of a problem as sorted lists and codes."""

    lists: SortedLists
    columns: CodedColumns
    #: for each feature: a row that holds each code, if the feature is coded and cut in its order; otherwise None
    rows_of_codes: tuple[Any, ...]
    #: the parts of a list entry: the mask of its row, the shift and the mask of its class
    row_mask: int
    class_shift: int
    class_mask: int


def row_bits(n_rows: int) -> int:
    """Return the number of bits of a row index."""
    return max(1, (n_rows - 1).bit_length())


def presort_problem(problem: Problem, recipe: Recipe, map_columns: Any = map) -> PresortedColumns:
    """Return the sorted lists and codes of a problem.

    `map_columns` is `map`, or the map of a thread pool, and is applied to the columns.
    """
    n_rows = len(problem.target)
    shift, exact = row_bits(n_rows), problem.exact
    n_classes = len(problem.schema.classes)
    class_mask = (1 << max(0, (n_classes - 1).bit_length())) - 1
    classes = problem.target.astype(np.uint16) if n_classes else np.zeros(n_rows, dtype=np.uint16)
    cuts = [index for index, column in enumerate(problem.columns) if is_cut_in_order(column.feature, recipe)]
    codes = allocate_codes(problem.columns, cuts, n_rows)
    presort_columns = _presort_few_rows if n_rows < _SHORT else _presort_many_rows
    list_features, entries, rows_of_codes = presort_columns(
        problem, cuts, codes, most_counted(problem, recipe), classes, shift, map_columns
    )
    has_lists_only = len(list_features) == len(problem.columns)
    lists = SortedLists(
        entries=entries.ravel(),
        stride=n_rows,
        features=integer_array(list_features),
        rows=np.arange(0 if has_lists_only and n_classes else n_rows, dtype=np.int32),
        classes=classes,
        target=_NO_TARGET if n_classes else problem.target if exact is None else exact.multiples.astype(np.float64),
        child_of_row=np.zeros(n_rows, dtype=np.uint8),
        spare=np.empty(n_rows, dtype=np.uint32),
    )
    columns = _NO_COLUMNS if has_lists_only else coded_columns(problem, recipe, codes, rows_of_codes)
    return PresortedColumns(lists, columns, rows_of_codes, (1 << shift) - 1, shift, class_mask)


def _presort_few_rows(
    problem: Problem, cuts: list[int], codes: Any, most: int, classes: Any, shift: int, map_columns: Any
) -> tuple[list[int], Any, tuple[Any, ...]]:
    """Return the features with lists, their lists, and the rows of codes of the others, whose codes are written.

    All columns are sorted; those that turn out to have few values are then coded from their lists.
    """

    def listed(index: int) -> tuple[Any, int]:
        entries = np.empty(len(problem.target), dtype=np.uint32)
        return entries, write_list(entries, problem.columns[index], classes, shift)

    by_feature = dict(zip(cuts, map_columns(listed, cuts), strict=True))
    list_features = [index for index in cuts if by_feature[index][1] > most]
    entries = np.empty((len(list_features), len(problem.target)), dtype=np.uint32)
    for line, index in enumerate(list_features):
        entries[line] = by_feature.pop(index)[0]
    rows_of_codes: list[Any] = [None] * len(problem.columns)
    for index, (sorted_rows, n_codes) in by_feature.items():
        rows_of_codes[index] = encode_sorted_column(codes[index], sorted_rows, n_codes, (1 << shift) - 1)
    return list_features, entries, tuple(rows_of_codes)


def _presort_many_rows(
    problem: Problem, cuts: list[int], codes: Any, most: int, classes: Any, shift: int, map_columns: Any
) -> tuple[list[int], Any, tuple[Any, ...]]:
    """Return the same; features of few values are found by hashing, and only the others are sorted."""

    def encode(index: int) -> Any:
        return encode_column(codes[index], problem.columns[index], most)

    rows_of_codes: list[Any] = [None] * len(problem.columns)
    for index, rows in zip(cuts, map_columns(encode, cuts), strict=True):
        rows_of_codes[index] = rows
    list_features = [index for index in cuts if rows_of_codes[index] is None]
    entries = np.empty((len(list_features), len(problem.target)), dtype=np.uint32)

    def list_column(line: int) -> None:
        column = problem.columns[list_features[line]]
        if not _list_by_counting(entries[line], column, classes, shift):
            write_list(entries[line], column, classes, shift)

    for _ in map_columns(list_column, range(len(list_features))):
        pass
    return list_features, entries, tuple(rows_of_codes)


def most_counted(problem: Problem, recipe: Recipe) -> int:
    """Return the greatest number of values of a feature that is coded."""
    n_rows = len(problem.target)
    if recipe.max_depth is not None and n_rows >> recipe.max_depth >= _LARGE:
        return FEW_VALUES
    return _FEW if problem.weighing is not None and n_rows >= _SHORT else _FEWER


def _list_by_counting(entries: Any, column: Column, classes: Any, shift: int) -> bool:
    """Write the list of an integer column of a small range by counting; return whether the column is one."""
    if column.data.dtype.kind != "i":
        return False
    known_values = column.data[~column.missing] if column.n_missing else column.data
    least = int(known_values.min()) if len(known_values) else 0
    value_range = int(known_values.max()) - least if len(known_values) else 0
    if value_range >= max(_NARROW, 4 * len(column.data)):
        return False
    data = np.ascontiguousarray(column.data, dtype=np.int64)
    data.flags.writeable = False  # as columns are: the kernel is compiled for one type of array
    ends = np.zeros(value_range + 2, dtype=np.uint32)
    _fill_by_counting(entries, ends, data, least, column.missing, column.n_missing > 0, classes, shift)
    return True


@kernel
def _fill_by_counting(
    entries: Any, ends: Any, data: Any, least: int, missing: Any, has_missing: bool, classes: Any, shift: int
) -> None:
    """Write a list by counting its values, missing values as one more after the last. `ends` must be zeros.

    Rows are in the order of their classes, so the entries of each value come in ascending order.
    """
    last = np.uint64(len(ends) - 1)
    for row in range(len(data)):
        ends[last if has_missing and missing[row] else np.uint64(data[row] - least)] += np.uint32(1)
    total = np.uint32(0)
    for value in range(len(ends)):
        total, ends[value] = total + ends[value], total
    for row in range(len(data)):
        entry, value = np.int64(classes[row]) << shift | row, np.uint64(data[row] - least)
        if has_missing and missing[row]:
            entry, value = entry | (1 << MISSING_BIT), last
        entries[ends[value]] = np.uint32(entry)
        ends[value] += np.uint32(1)
    start = np.uint32(0)
    for value in range(len(ends)):
        if ends[value] > start:
            entries[start] |= _NEW_VALUE
        start = ends[value]


def write_list(entries: Any, column: Column, classes: Any, shift: int) -> int:
    """Write the list of a column in its order, missing values last; return the number of distinct values."""
    order, missing = column.order, np.flatnonzero(column.missing) if column.n_missing else _NO_ROWS
    _fill_list(entries, order.rows, order.is_new, missing, classes, shift)
    return order.n_values


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


_NO_ROWS, _NO_TARGET = np.empty(0, dtype=np.int64), np.empty(0)
_NO_COLUMNS = CodedColumns(
    codes=np.empty((0, 0), dtype=np.uint8),
    features=integer_array([]),
    n_codes=integer_array([]),
    offsets=integer_array([0]),
    split_kind=integer_array([]),
    bits=np.empty((0, 0), dtype=np.uint64),
    bit_features=integer_array([]),
    bit_flips=integer_array([]),
    bit_split_kind=integer_array([]),
)
