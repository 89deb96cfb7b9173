"""Which categories of a column are rare: too few rows have them, or they do not predict the target of other rows."""

from typing import Any

import numpy as np

from treerules.data.column import Column
from treerules.growing.problem import MOST_EXHAUSTIVE, Problem

#: A category of fewer rows is rare in a column of many categories.
_FEWEST_ROWS = 10


def joined_categories(problem: Problem, column: Column) -> tuple[Any, str]:
    """Return whether each category of a column is rare, shape (categories,), and the reason in words."""
    n = len(column.feature.categories)
    known = ~column.missing
    weights = None if problem.weights is None else problem.weights[known]
    counts = np.bincount(column.data[known], weights=weights, minlength=n)
    if np.count_nonzero(counts) <= MOST_EXHAUSTIVE:
        return np.zeros(n, dtype=bool), ""
    return counts < _FEWEST_ROWS, f"have fewer than {_FEWEST_ROWS} rows"
