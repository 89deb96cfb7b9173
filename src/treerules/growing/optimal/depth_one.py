"""The best tree of depth 1 of some rows, in numpy: the reference of the kernels, and the last splits of every tree."""

from typing import Any

import numpy as np
from attrs import frozen

from treerules.growing.optimal.search_rows import SearchRows, SearchTask

#: The cost of what is not possible.
INFINITE = 1 << 60


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
    in_order = np.take_along_axis(rows.ranks, rows.order, axis=1)
    column, position = np.nonzero(in_order[:, 1:] != in_order[:, :-1])
    if not len(column):
        return leaf
    prefix = np.cumsum(costs[rows.order], axis=1)  # (columns, rows, labels)
    below, total = prefix[column, position], costs.sum(axis=0)
    if task.is_regression:
        both = _squared_errors(below, task) + _squared_errors(total - below, task)
        split_costs = both + 2 * task.penalty
    else:
        split_costs = below.min(axis=1) + (total - below).min(axis=1) + 2 * task.penalty
    if rows.has_least_weight:
        weight = np.cumsum(rows.weights[rows.order], axis=1)[column, position]
        is_light = np.minimum(weight, rows.weights.sum() - weight) < task.least_weight
        split_costs = np.where(is_light, INFINITE, split_costs)
    first = int(split_costs.argmin())
    if split_costs[first] >= leaf.cost:
        return leaf
    return Stump(int(split_costs[first]), int(column[first]), int(in_order[column[first], position[first] + 1]))


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
    return np.floor((square - total * total / weight) / task.unit).astype(np.int64)
