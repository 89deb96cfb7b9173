"""The best tree of depth 1 of some rows, in numpy: the reference of the kernels, and the last splits of every tree."""

from typing import Any

import numpy as np
from attrs import evolve, frozen

from treerules.growing.optimal.search_rows import SearchRows, SearchTask

#: The cost of what is not possible.
INFINITE = 1 << 60
#: As many sums of costs are made at once.
_BLOCK = 1 << 20


@frozen
class Stump:
    """A tree of at most one split: its cost with the price of its leaves, the column and the rank above the cut."""

    cost: int
    #: -1 for a leaf alone
    column: int = -1
    cut: int = -1


def best_stump(rows: SearchRows, task: SearchTask) -> Stump:
    """Return the tree of depth 1 that costs least.

    Of equal costs a leaf wins, then the first column and the lowest threshold.
    """
    costs = rows.costs.astype(np.float64 if task.is_regression else np.int64)
    leaf = Stump(_leaf_cost(costs, rows.weights, task))
    n_columns, n_rows = rows.order.shape
    if n_rows < 2 or not n_columns:
        return leaf
    best = leaf
    size = max(1, _BLOCK // costs.size)
    for first in range(0, n_columns, size):
        stump = _best_of_block(rows, task, costs, slice(first, first + size))
        if stump is not None and stump.cost < best.cost:
            best = evolve(stump, column=stump.column + first)
    return best


def _best_of_block(rows: SearchRows, task: SearchTask, costs: Any, block: slice) -> Stump | None:
    """Return the best split by some columns, which are counted from the first of the block; None without a cut."""
    order = rows.order[block]
    in_order = np.take_along_axis(rows.ranks[block], order, axis=1)
    column, position = np.nonzero(in_order[:, 1:] != in_order[:, :-1])
    if not len(column):
        return None
    prefix = np.cumsum(costs[order], axis=1)  # (columns, rows, labels)
    below, total = prefix[column, position], costs.sum(axis=0)
    if task.is_regression:
        both = _squared_errors(below, task) + _squared_errors(total - below, task)
        split_costs = both + 2 * task.penalty
    else:
        split_costs = below.min(axis=1) + (total - below).min(axis=1) + 2 * task.penalty
    if rows.has_least_weight:
        weight = np.cumsum(rows.weights[order], axis=1)[column, position]
        is_light = np.minimum(weight, rows.weights.sum() - weight) < task.least_weight
        split_costs = np.where(is_light, INFINITE, split_costs)
    best = int(split_costs.argmin())
    return Stump(int(split_costs[best]), int(column[best]), int(in_order[column[best], position[best] + 1]))


def _leaf_cost(costs: Any, weights: Any, task: SearchTask) -> int:
    if len(weights) and weights.sum() < task.least_weight:
        return INFINITE
    if not len(costs):
        return task.penalty
    total = costs.sum(axis=0)
    if task.is_regression:
        return int(_squared_errors(total[None], task)[0]) + task.penalty
    return int(total.min()) + task.penalty


def leaf_cost(rows: SearchRows, task: SearchTask) -> int:
    """Return the cost of one leaf for some rows, with its price."""
    return _leaf_cost(rows.costs, rows.weights, task)


def _squared_errors(figures: Any, task: SearchTask) -> Any:
    """Return the squared error of the mean, in units, from sums of weight, weighted target and square."""
    weight, total, square = figures.T
    errors = np.maximum(square - total * total / weight, 0.0)  # of equal targets the difference is rounding
    return np.floor(errors / task.unit).astype(np.int64)
