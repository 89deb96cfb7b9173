"""Losses of held-out rows by the subtrees of a cost-complexity path, each row by each subtree.

whole tree ──▶ path: its subtrees at alphas a0 < a1 < ...         one tree for each fold, without its rows
                                 │                                               │
                                 └──── pruned at the same alphas ◀───────────────┘
                                                 │
                               losses of the held-out rows, summed by unit
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import log2
from typing import Any

import numpy as np
from attrs import frozen

from treerules._internal.libm import of_each
from treerules.growing.problem import Problem
from treerules.learning.folds import Folds
from treerules.learning.problem_arrays import cost_matrix, leaf_of_rows, weight_of
from treerules.learning.unit_losses import UnitLosses
from treerules.pruning.cost_complexity import greatest_alpha_reached, weakest_links
from treerules.trees.tree_arrays import TreeArrays

#: More units than this are joined at random: the losses of a table of any size take as much room.
_MOST_UNITS = 20_000
#: Rows of the training data's own class shares that are added to each node's counts, for its log loss.
_PRIOR_ROWS = 2.0

#: A function of the arrays of a tree, held-out rows and the nodes where they end, shape (subtrees, rows): their losses.
Loss = Callable[[TreeArrays, Problem, Any], Any]


@frozen(eq=False)
class FoldTree:
    """A tree that was learned without the rows of one fold."""

    arrays: TreeArrays
    #: the weight of its rows, as a share of that of all rows
    share: float
    held_out: Problem
    #: the unit of each held-out row, and how many units it is: that one and those after it
    units: Any
    n_units: Any
    #: the number of the leaf that each held-out row reaches
    leaves: Any


def fold_trees(
    folds: Folds, grow: Callable[[int, Any], tuple[TreeArrays, Callable[[Problem], Problem]]]
) -> Iterator[FoldTree]:
    """Yield the tree of each fold that is held out.

    `grow` takes the number of the fold and the rows to learn from. It returns the arrays of a tree and the function
    that prepares other rows of the problem for it.
    """
    problem = folds.problem
    for number, (rows, held_out) in enumerate(folds.parts()):
        arrays, prepare = grow(number, rows)
        rest = prepare(problem.part(held_out))
        share = weight_of(problem, rows) / weight_of(problem)
        units = folds.units[held_out], folds.n_units[held_out]
        yield FoldTree(arrays, share, rest, *units, leaf_of_rows(arrays, rest))


def whole_tree(arrays: TreeArrays, rows: Problem, folds: Folds) -> FoldTree:
    """Return the tree of all rows with the rows of all folds, which are not held out."""
    return FoldTree(arrays, 1.0, rows, folds.units, folds.n_units, leaf_of_rows(arrays, rows))


def unit_losses(trees: Iterable[FoldTree], risk: "Risk", alphas: Sequence[float], loss: Loss) -> UnitLosses:
    """Return the losses of the held-out rows of all folds by the trees pruned at each alpha.

    Args:
        trees: the trees of the folds.
        risk: gives the risk of each node, which the path minimises.
        alphas: the alphas, which descend: the smallest subtree comes first.
        loss: gives the loss of each row by each subtree.
    """
    losses = [(tree, loss(tree.arrays, tree.held_out, end_nodes(tree, risk, alphas))) for tree in trees]
    return losses_by_unit(losses, len(alphas))


def losses_by_unit(losses_of_trees: Sequence[tuple[FoldTree, Any]], n_sizes: int) -> UnitLosses:
    """Return the losses of the held-out rows of all folds, summed by unit.

    Args:
        losses_of_trees: for each fold a tree, and the losses of its held-out rows, shape (sizes, rows).
        n_sizes: the number of sizes of trees.
    """
    n = min(_MOST_UNITS, max(int((tree.units + tree.n_units).max()) for tree, _ in losses_of_trees))
    weights, sums = np.zeros(n), np.zeros((n_sizes, n))
    for tree, losses_of_rows in losses_of_trees:
        rows = tree.held_out
        weight = (np.ones(len(tree.units)) if rows.weights is None else rows.weights) / tree.n_units
        losses = losses_of_rows * weight
        of_unit = np.repeat(np.arange(len(weight)), tree.n_units)
        starts = np.cumsum(tree.n_units) - tree.n_units
        units = (tree.units[of_unit] + np.arange(len(of_unit)) - starts[of_unit]) % n
        weights += np.bincount(units, weight[of_unit], minlength=n)
        for line, of_subtree in zip(sums, losses, strict=True):
            line += np.bincount(units, of_subtree[of_unit], minlength=n)
    is_used = weights > 0
    return UnitLosses(weights[is_used], sums[:, is_used])


def end_nodes(tree: FoldTree, risk: "Risk", alphas: Sequence[float]) -> Any:
    """Return the number of the node where each held-out row ends in the tree pruned at each alpha, which descend.

    A row ends at the highest node of its path that is a leaf of the pruned tree. Shape (alphas, rows).
    """
    arrays = tree.arrays
    node_alphas = np.array(weakest_links(risk(arrays, tree.held_out), arrays.children))
    leaves, of_row = np.unique(tree.leaves, return_inverse=True)
    ends = []
    for alpha in reversed(alphas):
        reached = greatest_alpha_reached(alpha * tree.share)
        while True:
            above = arrays.parents[leaves]
            rises = (above >= 0) & (node_alphas[above] <= reached)
            if not rises.any():
                break
            leaves = np.where(rises, above, leaves)
        ends.append(leaves[of_row])
    return np.stack(ends[::-1])


# ---- risks of nodes, which paths minimise

#: A function of the arrays of a tree and a problem with its classes: the risk of each node.
Risk = Callable[[TreeArrays, Problem], Sequence[float]]


def own_risk(arrays: TreeArrays, problem: Problem) -> Sequence[float]:
    """Return the cost of the label of each node for its rows, or its squared error."""
    return arrays.risks


def entropy_risk(arrays: TreeArrays, problem: Problem) -> Sequence[float]:
    """Return the entropy of each node times its weight, in bits."""
    assert problem.weighing is not None
    counts = arrays.statistics * np.array(problem.weighing.factors, dtype=np.float64)
    total = counts.sum(axis=1, keepdims=True)
    ratios = np.divide(total, counts, out=np.ones_like(counts), where=counts > 0)
    risks: list[float] = (counts * of_each(log2, ratios)).sum(axis=1).tolist()
    return risks


# ---- losses of rows


def cost_loss(arrays: TreeArrays, rows: Problem, nodes: Any) -> Any:
    """Return the cost of the label of each node for its rows, with class weights."""
    assert rows.weighing is not None
    return cost_matrix(rows.weighing)[rows.target, arrays.predictions[nodes]]


def error_loss(arrays: TreeArrays, rows: Problem, nodes: Any) -> Any:
    """Return 1 where a row has another class than the label of its node, otherwise 0."""
    return (arrays.predictions[nodes] != rows.target).astype(np.float64)


def squared_loss(exponent: int) -> Loss:
    """Return the loss that is the squared error of each row by the mean of its node, divided by 4**exponent.

    With the exponent of the greatest target, squares neither overflow nor underflow.
    """

    def loss(arrays: TreeArrays, rows: Problem, nodes: Any) -> Any:
        return np.square(np.ldexp(arrays.predictions[nodes], -exponent) - np.ldexp(rows.target, -exponent))

    return loss


def smoothed_log_loss(arrays: TreeArrays, rows: Problem, nodes: Any) -> Any:
    """Return -log of the share of each row's class in its node, in bits.

    The shares are those of the node with a few rows more, of the shares of the root (an m-estimate: Cestnik 1990), so
    that a class without rows in a small node does not have an infinite loss.
    """
    counts = arrays.statistics
    root = (counts[0] + 1) / (counts[0].sum() + counts.shape[1])
    shares = (counts + _PRIOR_ROWS * root) / (counts.sum(axis=1, keepdims=True) + _PRIOR_ROWS)
    return -of_each(log2, shares)[nodes, rows.target]
