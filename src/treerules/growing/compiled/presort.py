"""From a problem to lists and tables: each column is sorted once, and never again."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import frozen

from treerules._internal.jit import kernel, making_kernel
from treerules.data.column import Column
from treerules.growing.compiled.class_numeric import MISSING, NEW
from treerules.growing.compiled.codes import coded, coded_of_list, lines_for, tables_of, whole
from treerules.growing.compiled.histograms import Tables
from treerules.growing.compiled.stable_partition import Lists
from treerules.growing.encoding import FEW_VALUES, is_cut_in_order
from treerules.growing.problem import Problem
from treerules.recipes.recipe import Recipe

#: Integers of a range up to this are sorted by counting; of many rows, those of a range up to four times these.
_NARROW = 1 << 16
#: Columns of fewer rows than this are sorted, those of a type together: to call numpy for each would take longer.
_SHORT = 1 << 13
#: Features of at most so many values are counted by value, those of more are listed: in classifications of many rows,
#: and in others. To count pays in large nodes: in a small one, codes are put in order that few rows hold.
_FEW, _FEWER = 64, 16
#: A tree of limited depth whose nodes have so many rows, on average, has large nodes alone.
_LARGE = 512
#: So many rows of one value, or fewer, are sorted by insertion.
_RUN = 16
#: The mark of a new value.
_FIRST = np.uint32(1 << NEW)


@frozen(eq=False)
class Listing:
    """A problem as lists and tables."""

    lists: Lists
    tables: Tables
    #: of tables and bits that are cut in their order, by feature: a row that holds each code; None of others
    firsts: tuple[Any, ...]
    row_mask: int
    class_shift: int
    class_mask: int


def row_bits(n_rows: int) -> int:
    """Return how many bits the number of a row takes."""
    return max(1, (n_rows - 1).bit_length())


def listing_of(problem: Problem, recipe: Recipe, each: Any = map) -> Listing:
    """Return the lists and tables of a problem; `each` maps a function over the columns, on threads if it likes."""
    n = len(problem.target)
    shift = row_bits(n)
    n_classes = len(problem.schema.classes)
    class_mask = (1 << max(0, (n_classes - 1).bit_length())) - 1
    classes = problem.target.astype(np.uint16) if n_classes else np.zeros(n, dtype=np.uint16)
    cuts = [index for index, column in enumerate(problem.columns) if is_cut_in_order(column.feature, recipe)]
    lines = lines_for(problem.columns, cuts, n)
    make = _of_few_rows if n < _SHORT else _of_many_rows
    listed, entries, firsts = make(problem, cuts, lines, most_counted(problem, recipe), classes, shift, each)
    is_whole = len(listed) == len(problem.columns)
    lists = Lists(
        entries=entries.ravel(),
        stride=n,
        features=whole(listed),
        rows=np.arange(0 if is_whole and n_classes else n, dtype=np.int32),
        target=classes,
        y=np.empty(0) if n_classes else problem.target,
        side=np.zeros(n, dtype=np.uint8),
        spare=np.empty(n, dtype=np.uint32),
    )
    tables = _NO_TABLES if is_whole else tables_of(problem, recipe, lines, firsts)
    return Listing(lists, tables, firsts, (1 << shift) - 1, shift, class_mask)


def _of_few_rows(
    problem: Problem, cuts: list[int], lines: Any, most: int, classes: Any, shift: int, each: Any
) -> tuple[list[int], Any, tuple[Any, ...]]:
    """Return which features are listed, their lists, and the first rows of those whose codes `lines` gets: all are
    sorted, and counted by value where they turn out to have few."""
    blocks = _blocks(problem.columns, cuts)

    def sorted_block(block: list[int]) -> Any:
        entries = np.empty((len(block), len(problem.target)), dtype=np.uint32)
        return entries, _sorted(entries, [problem.columns[index] for index in block], classes, shift).tolist()

    found: dict[int, Any] = {}
    for block, (entries, n_values) in zip(blocks, each(sorted_block, blocks), strict=True):
        found.update(zip(block, zip(entries, n_values, strict=True), strict=True))
    listed = [index for index in cuts if found[index][1] > most]
    entries = np.empty((len(listed), len(problem.target)), dtype=np.uint32)
    for line, index in enumerate(listed):
        entries[line] = found.pop(index)[0]
    firsts: list[Any] = [None] * len(problem.columns)
    for index, (sorted_rows, n_codes) in found.items():
        firsts[index] = coded_of_list(lines[index], sorted_rows, n_codes, (1 << shift) - 1)
    return listed, entries, tuple(firsts)


def _of_many_rows(
    problem: Problem, cuts: list[int], lines: Any, most: int, classes: Any, shift: int, each: Any
) -> tuple[list[int], Any, tuple[Any, ...]]:
    """Return the same: what has few values is found out first, and only the others are sorted."""

    def code(index: int) -> Any:
        return coded(lines[index], problem.columns[index], most)

    firsts: list[Any] = [None] * len(problem.columns)
    for index, rows in zip(cuts, each(code, cuts), strict=True):
        firsts[index] = rows
    listed = [index for index in cuts if firsts[index] is None]
    entries = np.empty((len(listed), len(problem.target)), dtype=np.uint32)

    def sort(line: int) -> None:
        column = problem.columns[listed[line]]
        if not _counted(entries[line], column, classes, shift):
            _sorted(entries[line : line + 1], [column], classes, shift)

    for _ in each(sort, range(len(listed))):
        pass
    return listed, entries, tuple(firsts)


def most_counted(problem: Problem, recipe: Recipe) -> int:
    """Return how many values a feature may have that is counted by value."""
    n = len(problem.target)
    if recipe.max_depth is not None and n >> recipe.max_depth >= _LARGE:
        return FEW_VALUES
    return _FEW if problem.weighing is not None and n >= _SHORT else _FEWER


def _blocks(columns: Sequence[Column], cuts: list[int]) -> list[list[int]]:
    """Return which features are sorted together: those of a type without missing values, each other one alone."""
    together: dict[str, list[int]] = {}
    alone = []
    for index in cuts:
        if columns[index].n_missing:
            alone.append([index])
        else:
            together.setdefault(columns[index].data.dtype.kind, []).append(index)
    return [*together.values(), *alone]


def _counted(entries: Any, column: Column, classes: Any, shift: int) -> bool:
    """Write the list of a column of whole numbers of a narrow range, and return whether it is one."""
    if column.data.dtype.kind != "i":
        return False
    known = column.data[~column.missing] if column.n_missing else column.data
    least = int(known.min()) if len(known) else 0
    span = int(known.max()) - least if len(known) else 0
    if span >= max(_NARROW, 4 * len(column.data)):
        return False
    data = np.ascontiguousarray(column.data, dtype=np.int64)
    data.flags.writeable = False  # as those that are no copies
    ends = np.zeros(span + 2, dtype=np.uint32)
    _count(entries, ends, data, least, column.missing, column.n_missing > 0, classes, shift)
    return True


@kernel
def _count(
    entries: Any, ends: Any, data: Any, least: int, missing: Any, has_missing: bool, classes: Any, shift: int
) -> None:
    """Write a list by counting its values, the missing ones as one more after the last; `ends` are nothing before.

    Rows stand in the order of their classes, so each value's come in the order of their entries.
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
            entry, value = entry | (1 << MISSING), last
        entries[ends[value]] = np.uint32(entry)
        ends[value] += np.uint32(1)
    start = np.uint32(0)
    for value in range(len(ends)):
        if ends[value] > start:
            entries[start] |= _FIRST
        start = ends[value]


def _sorted(entries: Any, columns: Sequence[Column], classes: Any, shift: int) -> Any:
    """Write the lists of columns, a line each, and return how many distinct values each has."""
    dtype, fill = (np.float64, _fill_floats) if columns[0].data.dtype.kind == "f" else (np.int64, _fill_integers)
    if len(columns) == 1:  # it may be large, so it is not copied
        data = np.ascontiguousarray(columns[0].data, dtype=dtype)[None]
    else:
        data = np.array([column.data for column in columns], dtype=dtype)
    data.flags.writeable = False  # whether the columns are or not: kernels are compiled for one kind of array
    known = np.flatnonzero(~columns[0].missing) if columns[0].n_missing else None  # such a column is alone
    order, is_stable = _order(data if known is None else data[:, known])
    if known is not None:
        order = np.concatenate([known[order], np.flatnonzero(columns[0].missing)[None]], axis=1)
    n_values = np.empty(len(data), dtype=np.int64)
    n_known = data.shape[1] - columns[0].n_missing
    fill(entries, n_values, order.astype(np.int64, copy=False), data, n_known, is_stable, classes, shift)
    return n_values


def _order(data: Any) -> tuple[Any, bool]:
    """Return the places of each line's values in ascending order, and whether equal ones stand as they did."""
    if data.dtype.kind == "i" and data.size:
        least = int(data.min())
        if int(data.max()) - least < _NARROW:
            return np.argsort((data - least).astype(np.uint16), kind="stable"), True
    return np.argsort(data), False  # several times faster than a stable sort


def _filled(
    entries: Any, n_values: Any, order: Any, data: Any, n_known: int, is_stable: bool, classes: Any, shift: int
) -> None:
    """Write lists, a line each, and how many distinct values each has; `order` has the missing values last.

    Rows of equal values are put in their order where sorting left them as it liked: rows stand in the order of their
    classes, so entries that differ in nothing else are sorted as numbers.
    """
    for line in range(len(data)):
        to, places, values = entries[line], order[line], data[line]
        count, start, last = 0, 0, values[places[0]]
        for at in range(n_known):
            row = places[at]
            value = values[row]
            if value != last:
                if not is_stable and at - start > 1:
                    _sort(to, start, at)
                to[start] |= _FIRST
                count, start, last = count + 1, at, value
            to[at] = np.uint32((np.int64(classes[row]) << shift) | row)
        if n_known:
            if not is_stable and n_known - start > 1:
                _sort(to, start, n_known)
            to[start] |= _FIRST
            count += 1
        for at in range(n_known, len(places)):
            row = places[at]
            to[at] = np.uint32((np.int64(classes[row]) << shift) | row | (1 << MISSING))
        if n_known < len(places):
            to[n_known] |= _FIRST
        n_values[line] = count


@making_kernel
def _sort(entries: Any, start: int, stop: int) -> None:
    """Sort the entries of one value, which are few as a rule."""
    if stop - start > _RUN:
        entries[start:stop].sort()
        return
    for at in range(start + 1, stop):
        entry, to = entries[at], at
        while to > start and entries[to - 1] > entry:
            entries[to] = entries[to - 1]
            to -= 1
        entries[to] = entry


_fill_floats, _fill_integers = making_kernel(_filled), making_kernel(_filled)


_NO_TABLES = Tables(
    codes=np.empty((0, 0), dtype=np.uint8),
    features=whole([]),
    n_codes=whole([]),
    offsets=whole([0]),
    how=whole([]),
    bits=np.empty((0, 0), dtype=np.uint64),
    bit_features=whole([]),
    bit_flips=whole([]),
    bit_how=whole([]),
)
