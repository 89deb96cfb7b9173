"""The stopping rules of a classification."""

from typing import Any

from treerules._internal.jit import kernel
from treerules.growing.compiled.best_split import ENTROPY, GAIN, GINI, score_term

#: A value within this share of a bound may be on either side of it by rounding.
_CLOSE = 1e-9


@kernel
def is_class_leaf(stopping: Any, class_counts: Any, n: int, depth: int) -> bool:
    """Return whether a node is a leaf by its depth, its size or its only class, before any search."""
    if depth == stopping.max_depth or n < stopping.min_samples_split:
        return True
    n_present = 0
    for count in class_counts:
        n_present += count > 0
    return n_present < 2


@kernel
def reaches_bounds(scoring: Any, stopping: Any, best: Any, class_counts: Any, n: int) -> int:
    """Return whether a node's impurity and the gain of its best split reach the bounds: 1, 0, or 2 (uncertain)."""
    if stopping.min_gain == 0 and stopping.min_impurity == 0:
        return 1
    if scoring.criterion == GINI:
        impurity = 1.0 - score_term(class_counts, GINI) / n
    else:
        impurity = -score_term(class_counts, ENTROPY) / n
    for value, bound in ((best[GAIN] / n, stopping.min_gain), (impurity, stopping.min_impurity)):
        if bound > 0 and abs(value - bound) <= _CLOSE * max(bound, value):
            return 2
        if value < bound:
            return 0
    return 1
