"""Columns that alone decide the target: each may be a leak, the same fact in another column."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from treerules._internal.notes import Note
from treerules.data.column import Column
from treerules.data.sorting import distinct_values

#: With fewer rows than this for each value of a column, its values decide the target by chance.
_ROWS_PER_VALUE = 5
#: A column is compared with the target in so many rows before it is compared in all.
_FIRST_ROWS = 1000
#: Fewer rows, or fewer rows of a class, say too little.
_FEWEST_ROWS, _FEWEST_ROWS_OF_A_CLASS = 20, 10


def leak_notes(columns: Iterable[Column], target: Any, is_regression: bool) -> list[Note]:
    """Return a remark for each column that alone decides the target.

    `target` holds class positions or values, shape (rows,).
    """
    n = len(target)
    if n < _FEWEST_ROWS or (target == target[0]).all() or not (is_regression or _has_enough_rows(target)):
        return []
    fact = "column {place!r} alone decides the target, which may be a leak"
    remedy = "leave it out with drop=[{place!r}], --drop, if it is not known when the target is to be predicted"
    return [
        Note("leak", fact, column.feature.name, remedy)
        for column in columns
        if (n <= _FIRST_ROWS or _may_decide(column, target)) and _decides(column, target, is_regression)
    ]


def _has_enough_rows(classes: Any) -> bool:
    counts = np.bincount(classes)
    return bool(counts[counts > 0].min() >= _FEWEST_ROWS_OF_A_CLASS)


def _may_decide(column: Column, target: Any) -> bool:
    """Return whether equal values have equal targets in some of the rows, of which nine of ten have values."""
    rows = slice(None, None, -(-len(target) // _FIRST_ROWS))
    data, target, missing = column.data[rows], target[rows], column.missing[rows]
    if missing.any():
        data, target = data[~missing], target[~missing]
        if not _are_most(len(data), len(missing)):
            return False
    values, codes = distinct_values(data)
    of_value = np.empty(len(values), dtype=target.dtype)
    of_value[codes] = target
    return len(values) > 1 and bool((of_value[codes] == target).all())


def _decides(column: Column, target: Any, is_regression: bool) -> bool:
    """Return whether rows of equal values have equal targets, and the values say something of other rows.

    They do where there are some rows of each value, or where the target never falls, or never rises, with them.
    """
    if not _are_most(len(target) - column.n_missing, len(target)):
        return False
    values, targets = column.data.take(column.order), target.take(column.order)
    is_new, is_step = values[1:] != values[:-1], targets[1:] != targets[:-1]
    n_values = np.count_nonzero(is_new) + 1
    if n_values < 2 or (is_step > is_new).any():
        return False
    if len(values) >= _ROWS_PER_VALUE * n_values:
        return True
    if not column.feature.is_ordered:
        return False
    if not is_regression:
        return int(np.count_nonzero(is_step)) == np.count_nonzero(np.bincount(targets)) - 1
    return bool((targets[1:] >= targets[:-1]).all() or (targets[1:] <= targets[:-1]).all())


def _are_most(n_known: int, n: int) -> bool:
    return n_known * 10 >= 9 * n
