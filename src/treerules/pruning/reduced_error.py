"""Reduced-error pruning: by the errors on a validation table (Quinlan 1987)."""

from collections.abc import Callable
from math import hypot, sqrt
from typing import Any, cast

import numpy as np

from treerules.data.table import Table
from treerules.errors import DataError
from treerules.pruning.common import TOLERANCE, WEIGHT, collapse_nodes, with_root
from treerules.pruning.pruner import Option, Pruner, Switch, TableRows
from treerules.trees.class_weighting import class_weighting_of_tree
from treerules.trees.ground_truth import ground_truth
from treerules.trees.node_parts import MeanPrediction
from treerules.trees.nodes import Leaf, Split, as_leaf
from treerules.trees.predict import apply
from treerules.trees.tree import Tree
from treerules.trees.walkers import preorder, with_child_numbers

#: The validation rows that reach a node: their weight by class position ...
Classes = dict[int, float]
#: ... or, for a regression, their weight, mean, and the square root of their summed squared distances from the mean:
#: the squares may leave the range of floats where the distances do not.
Moments = tuple[float, float, float]
#: Targets beyond this are divided by it.
_LARGE = 2.0**900


def reduced_error(tree: Tree, *, table: Table, weight: Any = None, drop_missing_target: bool = False) -> Tree:
    """Return the smallest subtree with the fewest errors on a validation table.

    From the leaves up, a split becomes a leaf if the leaf makes at most as many errors on the validation rows that
    reach it as the branches do, or if no row reaches it. Errors are summed costs where the recipe has class weights,
    priors or costs, and squared errors of the predicted means for a regression. `weight` names the table's column of
    case weights, or is an array of them. The figures in the tree remain those of the training table.

    A label that the tree does not know is an error for every prediction, so it has no effect.

    Raises:
        DataError: no row has a target, or some lack it (`drop_missing_target=True` leaves them out); a split has no
            leaf to replace it.
        ColumnError: the table lacks a column, or has one of the wrong kind; a weight is missing, negative or infinite.
        UnknownNameError: the table has no such column of weights.
    """
    truth = ground_truth(tree, table, weight=weight, drop_missing_target=drop_missing_target)
    number = truth.of(apply(tree, table)) - 1
    weights = np.ones(len(number)) if truth.weight is None else truth.weight
    decide = _regression if tree.schema.is_regression else _classification
    return with_root(tree, collapse_nodes(tree.root, decide(tree, number, truth.values, weights)))


def _classification(tree: Tree, number: Any, labels: Any, weights: Any) -> set[int]:
    weigh = class_weighting_of_tree(tree)
    is_known = labels < len(weigh.classes)
    pairs, pair_of_row = np.unique(number[is_known] * len(weigh.classes) + labels[is_known], return_inverse=True)
    weights_by_leaf: dict[int, Classes] = {}
    for pair, n in zip(pairs.tolist(), np.bincount(pair_of_row, weights=weights[is_known]).tolist(), strict=True):
        leaf, label = divmod(pair, len(weigh.classes))
        weights_by_leaf.setdefault(leaf, {})[label] = n

    def errors(leaf: Leaf, rows: Classes) -> float:
        cost = weigh.cost_column(weigh.classes.index(leaf.prediction.value))
        return sum(n * cost[label] for label, n in sorted(rows.items()))

    return _find_cuts(tree, lambda leaf: weights_by_leaf.get(leaf, {}), _sum_class_weights, errors)


def _sum_class_weights(below: list[Classes]) -> Classes:
    """Return the summed weights; the largest mapping is reused."""
    largest = max(below, key=len)
    for rows in below:
        if rows is not largest:
            for label, n in rows.items():
                largest[label] = largest.get(label, 0.0) + n
    return largest


def _regression(tree: Tree, number: Any, values: Any, weights: Any) -> set[int]:
    unit = _unit(tree, values)
    values = values / unit
    n = np.bincount(number, weights=weights, minlength=tree.n_leaves)
    mean = np.bincount(number, weights=weights * values, minlength=tree.n_leaves) / np.where(n > 0, n, 1.0)
    distance = np.abs(values - mean[number])
    farthest = np.zeros(tree.n_leaves)
    np.maximum.at(farthest, number, distance)
    shares = distance / np.where(farthest > 0, farthest, 1.0)[number]  # their squares neither overflow nor vanish
    root = farthest * np.sqrt(np.bincount(number, weights=weights * shares**2, minlength=tree.n_leaves))
    moments: list[Moments] = list(zip(n.tolist(), mean.tolist(), root.tolist(), strict=True))

    def errors(leaf: Leaf, rows: Moments) -> float:
        return hypot(rows[2], sqrt(rows[0]) * (rows[1] - cast(MeanPrediction, leaf.prediction).value / unit))

    return _find_cuts(tree, moments.__getitem__, _combine_moments, errors, total=lambda below: hypot(*below))


def _unit(tree: Tree, values: Any) -> float:
    """Return the power of two by which values are divided, so that sums and differences of them do not overflow.

    Raises:
        DataError: a value is infinite.
    """
    if not np.isfinite(values).all():
        raise DataError("the target holds an infinite value", "leave such rows out, or give them a finite value")
    nodes = (as_leaf(node) for node in preorder(tree.root))
    predictions = (abs(cast(MeanPrediction, leaf.prediction).value) for leaf in nodes)
    return 1.0 if max(float(np.abs(values).max()), *predictions) < _LARGE else _LARGE


def _combine_moments(below: list[Moments]) -> Moments:
    """Return the moments of all rows together (Chan, Golub and LeVeque 1979)."""
    n = sum(rows[0] for rows in below)
    if n == 0:
        return (0.0, 0.0, 0.0)
    mean = sum(rows[0] * rows[1] for rows in below) / n
    return n, mean, hypot(*(part for rows in below for part in (rows[2], sqrt(rows[0]) * (rows[1] - mean))))


def _find_cuts(
    tree: Tree,
    rows_of_leaf: Callable[[int], Any],
    combine: Callable[[list[Any]], Any],
    errors: Callable[[Leaf, Any], float],
    total: Callable[[list[float]], float] = sum,
) -> set[int]:
    """Return the numbers of the splits to prune.

    `rows_of_leaf` takes the position of a leaf, from 0; `total` adds up the errors of the children of a split.
    """
    nodes, cuts, leaf = with_child_numbers(tree.root), set(), tree.n_leaves
    rows: list[Any] = [None] * len(nodes)
    least = [0.0] * len(nodes)
    for number in reversed(range(len(nodes))):
        node, below = nodes[number]
        if isinstance(node, Split):
            rows[number] = combine([rows[child] for child in below])
            as_many = total([least[child] for child in below])
        else:
            leaf -= 1
            rows[number] = rows_of_leaf(leaf)
        as_one = errors(as_leaf(node), rows[number])
        least[number] = as_one
        if isinstance(node, Split):
            if as_one <= as_many + TOLERANCE * as_one:
                cuts.add(number)
            else:
                least[number] = as_many
    return cuts


REDUCED_ERROR = Pruner(
    "reduced_error",
    options=(
        Option(
            name="table",
            values=TableRows(training=False),
            help="read other rows from this file",
            required=True,
            flag="--data",
            example="validation",
        ),
        WEIGHT,
        Option(name="drop_missing_target", values=Switch()),
    ),
    prune=reduced_error,
)
