"""Which categories of a column are rare: too few rows have them, or all together they do not predict the target.

Of a column of more than ten categories those of fewer than ten rows are joined; all of them are if the column says
nothing certain about other rows: each row's target (a number, or 0 and 1 for classes) is predicted by the mean of the
other rows of its category, drawn towards the mean of all rows as if ten more rows had it. If this does not lower the
squared error by two standard errors, a split would only choose the categories that happen to fit.
"""

from typing import Any

import numpy as np

from treerules._internal.notes import Note
from treerules.data.column import Column
from treerules.growing.problem import Problem
from treerules.growing.problem_checks import MOST_EXHAUSTIVE

#: A category of fewer rows is rare in a column of many categories.
_FEWEST_ROWS = 10
#: The rows with the mean of all rows that are added to each category.
_SMOOTHING = 10.0
#: The least decrease of the squared error, in standard errors.
_STANDARD_ERRORS = 2.0


def joined_categories(problem: Problem, column: Column) -> tuple[Any, Note]:
    """Return whether each category of a column is rare, shape (categories,), and the reason in words.

    Sums are over rows in the order of the problem, so that the order of the table is of no account.
    """
    n = len(column.feature.categories)
    known = ~column.missing
    codes = column.data[known]
    weights = np.ones(len(codes)) if problem.weights is None else problem.weights[known]
    counts = np.bincount(codes, weights=weights, minlength=n)
    if np.count_nonzero(counts) <= MOST_EXHAUSTIVE:
        return np.zeros(n, dtype=bool), Note("", "")
    if not _predicts(problem, codes, weights, counts, problem.target[known]):
        return np.ones(n, dtype=bool), Note("uncertain", "say nothing certain about other rows")
    return counts < _FEWEST_ROWS, Note("rare", "have fewer than {n} rows", n=_FEWEST_ROWS)


def _predicts(problem: Problem, codes: Any, weights: Any, counts: Any, target: Any) -> bool:
    """Return whether the other rows of a category predict the target of a row better than all other rows do."""
    decreases, times = (
        _of_numbers(codes, weights, counts, target)
        if problem.weighing is None
        else _of_classes(codes, weights, counts, target, len(problem.schema.classes))
    )
    total = times.sum()
    if total <= 1:
        return False
    mean = (times * decreases).sum() / total
    variance = (times * np.square(decreases - mean)).sum() / total
    return bool(mean > _STANDARD_ERRORS * np.sqrt(variance / total))


def _of_numbers(codes: Any, weights: Any, counts: Any, target: Any) -> tuple[Any, Any]:
    """Return by how much the squared error of each row decreases, and the weight of the row."""
    target = np.ldexp(target, -int(np.frexp(np.abs(target).max())[1]))  # squares do not overflow
    total = weights.sum()
    centred = target - (weights * target).sum() / total
    sums = np.bincount(codes, weights=weights * centred, minlength=len(counts))
    predicted = (sums[codes] - centred) / np.maximum(counts[codes] - 1 + _SMOOTHING, _SMOOTHING)
    of_all = -centred / max(total - 1, 1.0)
    return np.square(centred - of_all) - np.square(centred - predicted), weights


def _of_classes(codes: Any, weights: Any, counts: Any, target: Any, n_classes: int) -> tuple[Any, Any]:
    """Return by how much the squared error decreases for the rows of each category and class, and their weight."""
    n = len(counts)
    table = np.bincount(codes * n_classes + target, weights=weights, minlength=n * n_classes).reshape(n, n_classes)
    totals = table.sum(axis=0)
    smoothed = table + _SMOOTHING * totals / totals.sum()
    of_category = _squared_errors(smoothed, np.maximum(counts - 1 + _SMOOTHING, _SMOOTHING)[:, None])
    of_all = _squared_errors(totals[None, :], np.maximum(totals.sum() - 1, 1.0))
    return of_all - of_category, table


def _squared_errors(counts: Any, n: Any) -> Any:
    """Return for a row of each class the squared error of the shares `counts / n` without that row."""
    squares = np.square(counts).sum(axis=1, keepdims=True)
    return 1 - 2 * (counts - 1) / n + (squares - 2 * counts + 1) / n**2
