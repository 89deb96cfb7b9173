"""From a problem to lists and tables: each column is sorted once, and never again."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import frozen

from treerules.columns import Column
from treerules.compiled import kernel, making_kernel
from treerules.learn.encoded import FEW_VALUES, is_cut_in_order
from treerules.learn.kernels.classes import MISSING, NEW
from treerules.learn.kernels.counting import Tables
from treerules.learn.kernels.parting import Lists
from treerules.learn.kernels.tables import IN_ORDER, ONE_AGAINST_REST, SUBSET
from treerules.learn.problem import Problem
from treerules.learn.recipe import Recipe

#: Integers of a range up to this are sorted by counting.
_NARROW = 1 << 16
#: Columns of fewer rows than this are sorted together: to call numpy for each would take longer than to sort it.
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
    blocks = _blocks(problem.columns, cuts, n)

    def entries_of(block: list[int]) -> Any:
        return _entries([problem.columns[index] for index in block], classes, shift)

    found: dict[int, Any] = {}
    for block, (lines, n_values) in zip(blocks, each(entries_of, blocks), strict=True):
        found.update(zip(block, zip(lines, n_values.tolist(), strict=True), strict=True))
    most = _most_counted(problem, recipe)
    listed = [index for index in cuts if found[index][1] > most]
    entries = np.empty((len(listed), n), dtype=np.uint32)
    for line, index in enumerate(listed):
        entries[line] = found.pop(index)[0]
    is_whole = len(listed) == len(problem.columns)
    tables, firsts = (
        (_NO_TABLES, (None,) * len(listed)) if is_whole else _tables(problem, recipe, found, (1 << shift) - 1, classes)
    )
    lists = Lists(
        entries=entries.ravel(),
        stride=n,
        features=np.array(listed, dtype=np.int64),
        rows=np.arange(0 if is_whole and n_classes else n, dtype=np.int32),
        target=classes,
        y=np.empty(0) if n_classes else problem.target,
        side=np.zeros(n, dtype=np.uint8),
        spare=np.empty(n, dtype=np.uint32),
    )
    return Listing(lists, tables, firsts, (1 << shift) - 1, shift, class_mask)


def _most_counted(problem: Problem, recipe: Recipe) -> int:
    """Return how many values a feature may have that is counted by value."""
    n = len(problem.target)
    if recipe.max_depth is not None and n >> recipe.max_depth >= _LARGE:
        return FEW_VALUES
    return _FEW if problem.weighing is not None and n >= _SHORT else _FEWER


def _blocks(columns: Sequence[Column], cuts: list[int], n: int) -> list[list[int]]:
    """Return which features are sorted together: short ones of a type without missing values, each other one alone."""
    together: dict[str, list[int]] = {}
    alone = []
    for index in cuts:
        if n < _SHORT and not columns[index].n_missing:
            together.setdefault(columns[index].data.dtype.kind, []).append(index)
        else:
            alone.append([index])
    return [*together.values(), *alone]


def _entries(columns: Sequence[Column], classes: Any, shift: int) -> tuple[Any, Any]:
    """Return the lists of columns, a line each, and how many distinct values each has."""
    dtype, fill = (np.float64, _fill_floats) if columns[0].data.dtype.kind == "f" else (np.int64, _fill_integers)
    if len(columns) == 1:  # it may be large, so it is not copied
        data = np.ascontiguousarray(columns[0].data, dtype=dtype)[None]
    else:
        data = np.array([column.data for column in columns], dtype=dtype)
    known = np.flatnonzero(~columns[0].missing) if columns[0].n_missing else None  # such a column is alone
    order, is_stable = _order(data if known is None else data[:, known])
    if known is not None:
        order = np.concatenate([known[order], np.flatnonzero(columns[0].missing)[None]], axis=1)
    entries, n_values = np.empty(data.shape, dtype=np.uint32), np.empty(len(data), dtype=np.int64)
    n_known = data.shape[1] - columns[0].n_missing
    fill(entries, n_values, order.astype(np.int64, copy=False), data, n_known, is_stable, classes, shift)
    return entries, n_values


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


def _tables(problem: Problem, recipe: Recipe, found: dict[int, Any], mask: int, classes: Any) -> tuple[Tables, Any]:
    """Return the tables of the features of few values, whose lists `found` holds, and of categories."""
    n = len(problem.target)
    columns: list[tuple[int, Any, int, int]] = []  # feature, codes, number of codes, how
    rows_of_codes: list[Any] = [None] * len(problem.columns)
    for index, column in enumerate(problem.columns):
        if index in found:
            entries, n_codes = found[index]
            codes, firsts = np.empty(n, dtype=np.int32), np.empty(n_codes, dtype=np.int64)
            _code(codes, firsts, entries, mask)
            rows_of_codes[index] = firsts
            columns.append((index, codes, n_codes, IN_ORDER))
        elif not is_cut_in_order(column.feature, recipe):
            n_codes = len(column.feature.categories)
            codes = np.where(column.missing, n_codes, column.data) if column.n_missing else column.data
            how = SUBSET if recipe.categories == "subset" else ONE_AGAINST_REST
            columns.append((index, codes, n_codes, how))
    is_bit = [
        n_codes == 2 and problem.weighing is not None and not problem.columns[index].n_missing
        for index, _, n_codes, _ in columns
    ]
    bits = [each for each, fits in zip(columns, is_bit, strict=True) if fits]
    tables = [each for each, fits in zip(columns, is_bit, strict=True) if not fits]
    most = max([0, *(n_codes for _, _, n_codes, _ in tables)])
    matrix = np.empty((n, len(tables)), dtype=np.uint8 if most < 256 else np.int32)
    for line, (_, codes, _, _) in enumerate(tables):
        matrix[:, line] = codes
    words = np.zeros((n, (len(bits) + 63) // 64), dtype=np.uint64)
    flips = []
    for line, (_, codes, _, _) in enumerate(bits):
        flips.append(int(2 * np.count_nonzero(codes) > n))
        words[:, line // 64] |= (codes == 1 - flips[-1]).astype(np.uint64) << np.uint64(line % 64)
    offsets = np.cumsum([0, *(n_codes + 1 for _, _, n_codes, _ in tables)])
    return Tables(
        codes=matrix,
        features=_whole([each[0] for each in tables]),
        n_codes=_whole([each[2] for each in tables]),
        offsets=_whole(offsets),
        how=_whole([each[3] for each in tables]),
        bits=words,
        bit_features=_whole([each[0] for each in bits]),
        bit_flips=_whole(flips),
        bit_how=_whole([each[3] for each in bits]),
    ), tuple(rows_of_codes)


def _whole(numbers: Any) -> Any:
    return np.array(numbers, dtype=np.int64)


_NO_TABLES = Tables(
    codes=np.empty((0, 0), dtype=np.uint8),
    features=_whole([]),
    n_codes=_whole([]),
    offsets=_whole([0]),
    how=_whole([]),
    bits=np.empty((0, 0), dtype=np.uint64),
    bit_features=_whole([]),
    bit_flips=_whole([]),
    bit_how=_whole([]),
)


@kernel
def _code(codes: Any, firsts: Any, entries: Any, mask: int) -> None:
    """Write the code of each row, by the marks of its column's list, and a row that holds each code."""
    code = -1
    for at in range(len(entries)):
        entry = np.int64(entries[at])
        code += entry >> NEW
        codes[entry & mask] = code
        if entry >> NEW and code < len(firsts):
            firsts[code] = entry & mask
