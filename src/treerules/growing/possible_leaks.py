"""Columns that alone decide the target: each may be a leak, the same fact in another column."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from treerules._internal.notes import Note
from treerules.data.column import Column

#: With fewer rows than this for each value of a column, its values decide the target by chance.
_ROWS_PER_VALUE = 5
#: A column is compared with the target in so many rows before it is compared in all.
_FIRST_ROWS = 1000
#: Fewer rows, or fewer rows of a class, say too little.
_FEWEST_ROWS, _FEWEST_ROWS_OF_A_CLASS = 20, 10


def leak_notes(columns: Iterable[Column], target: Any, is_regression: bool) -> list[Note]:
    """Return a remark for each column that alone decides the target.

    `target` holds the class positions or values of the rows of positive weight, shape (rows,).
    """
    n = len(target)
    if n < _FEWEST_ROWS or (target == target[0]).all() or not (is_regression or _has_enough_rows(target)):
        return []
    fact = "column {place!r} alone decides the target, which may be a leak"
    remedy = "leave it out with drop=[{place!r}], --drop, if it is not known when the target is to be predicted"
    return [
        Note("leak", fact, column.feature.name, remedy) for column in columns if _decides(column, target, is_regression)
    ]


def _has_enough_rows(classes: Any) -> bool:
    counts = np.bincount(classes)
    return bool(counts[counts > 0].min() >= _FEWEST_ROWS_OF_A_CLASS)


def _decides(column: Column, target: Any, is_regression: bool) -> bool:
    """Return whether rows of equal values have equal targets, and the values say something of other rows.

    They do where there are some rows of each value, or where the target never falls, or never rises, with them.
    """
    few = slice(None, None, -(-len(target) // _FIRST_ROWS))
    first = Column(column.feature, column.data[few], column.missing[few]) if few.step > 1 else column
    parts = (first, target[few]), (column, target)
    if any(part.n_missing * 10 > len(part.data) for part, _ in parts) or not _is_function(*parts[0]):
        return False
    if column.order.n_values * _ROWS_PER_VALUE <= len(column.order.rows):
        return _is_function(column, target)
    return column.feature.is_ordered and all(
        _is_function(*part) and _is_ordered_alike(*part, is_regression) for part in parts
    )


def _is_function(column: Column, target: Any) -> bool:
    """Return whether there are several values, and rows of equal values have equal targets."""
    targets = target.take(column.order.rows)
    return column.order.n_values > 1 and not ((targets[1:] != targets[:-1]) > column.order.is_new[1:]).any()


def _is_ordered_alike(column: Column, target: Any, is_regression: bool) -> bool:
    """Return whether the target never falls, or never rises, with the values, and each class is one interval."""
    targets = target.take(column.order.rows)
    if is_regression:
        return bool((targets[1:] >= targets[:-1]).all() or (targets[1:] <= targets[:-1]).all())
    return int(np.count_nonzero(targets[1:] != targets[:-1])) == np.count_nonzero(np.bincount(targets)) - 1
