"""Columns that alone decide the target: each may be a leak, the same fact in another column."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from treerules._internal.notes import Note
from treerules.data.column import Column, distinct_values

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
    few = slice(None, None, -(-n // _FIRST_ROWS))
    fact = "column {place!r} alone decides the target, which may be a leak"
    remedy = "leave it out with drop=[{place!r}], --drop, if it is not known when the target is to be predicted"
    return [
        Note("leak", fact, column.feature.name, remedy)
        for column in columns
        if all(_decides(column, target, is_regression, rows) for rows in (few, slice(None)))
    ]


def _has_enough_rows(classes: Any) -> bool:
    counts = np.bincount(classes)
    return bool(counts[counts > 0].min() >= _FEWEST_ROWS_OF_A_CLASS)


def _decides(column: Column, target: Any, is_regression: bool, rows: slice) -> bool:
    """Return whether rows of equal values have equal targets, and the values say something of other rows.

    They do where there are some rows of each value, or where the target never falls, or never rises, with them.
    """
    data, target, missing = column.data[rows], target[rows], column.missing[rows]
    if missing.any():
        data, target = data[~missing], target[~missing]
        if len(data) * 10 < 9 * len(missing):
            return False
    values, codes = distinct_values(data)
    of_value = np.empty(len(values), dtype=target.dtype)
    of_value[codes] = target
    if len(values) < 2 or not (of_value[codes] == target).all():
        return False
    if rows.step is not None or len(data) >= _ROWS_PER_VALUE * len(values):
        return True
    with np.errstate(over="ignore"):  # an infinite step has the right sign
        steps = np.diff(of_value)
    if not column.feature.is_ordered:
        return False
    if not is_regression:
        return int(np.count_nonzero(steps)) == len(np.unique(target)) - 1
    return bool((steps >= 0).all() or (steps <= 0).all())
