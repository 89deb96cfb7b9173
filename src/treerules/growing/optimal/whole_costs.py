"""Costs as whole numbers, so that sums and comparisons of the search are exact.

cost of a label for a row = weight x factor of its class x cost of the error      (`ClassWeighting`)
"""

from typing import Any

import numpy as np
from attrs import frozen

from treerules.growing.problem import Problem
from treerules.trees.class_weighting import ClassWeighting

#: Powers of ten by which costs are multiplied, if that makes all of them whole.
_EXACT_SCALES = tuple(10**digits for digits in range(23))
#: Sums of costs stay below this, so that they are exact in int64 and, where they are not whole, in doubles.
MOST_COST = 1 << 52


@frozen(eq=False)
class WholeCosts:
    """The costs of all rows times a factor, as integers."""

    #: the cost of each label for each row, int64, shape (rows, labels)
    costs: Any
    #: the factor
    scale: float
    #: whether costs times the factor are whole; otherwise they are rounded
    is_exact: bool
    #: the least cost above 0, before the factor
    least: float

    @property
    def is_below_one_error(self) -> bool:
        """Whether rounding makes less of a difference than one error, in the cost of a tree and in its lower bound."""
        return 4 * self.error_bound < self.least

    @property
    def error_bound(self) -> float:
        """The greatest difference that rounding makes to the cost of a tree."""
        return 0.0 if self.is_exact else len(self.costs) / (2 * self.scale)


def costs_of_rows(target: Any, weights: Any, weighing: ClassWeighting) -> Any:
    """Return the cost of each label for each row, float64, shape (rows, labels)."""
    n = len(weighing.classes)
    matrix = np.array([weighing.cost_column(label) for label in range(n)], dtype=np.float64).T
    costs = matrix[target]
    return costs if weights is None else costs * weights[:, None]


def whole_costs(problem: Problem, penalty: float = 0.0, multiple: int = 1) -> WholeCosts:
    """Return the costs of a classification as whole numbers.

    They are multiplied by a power of ten that makes all of them and the price of a leaf whole; where there is none, by
    the power of two that keeps their sum below `MOST_COST`.

    Args:
        problem: the problem.
        penalty: the price of a leaf.
        multiple: the scale is a multiple of this whole number.
    """
    assert problem.weighing is not None
    costs = costs_of_rows(problem.target, problem.weights, problem.weighing)
    total = float(costs.max(axis=1).sum()) + 64 * penalty
    distinct = np.append(np.unique(costs), penalty)
    least = float(costs[costs > 0].min(initial=np.inf))
    for scale in _EXACT_SCALES:
        scaled = distinct * scale
        whole = np.rint(scaled)
        if total * scale * multiple < MOST_COST and bool((whole / scale == distinct).all()):
            return WholeCosts(np.rint(costs * scale).astype(np.int64) * multiple, scale * multiple, True, least)
    exponent = int(np.floor(np.log2(MOST_COST / max(total * multiple, 1e-300))))
    scale_of_rounding = float(np.ldexp(1.0, exponent))
    return WholeCosts(
        np.rint(costs * scale_of_rounding).astype(np.int64) * multiple, scale_of_rounding * multiple, False, least
    )
