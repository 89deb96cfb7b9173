"""The `trees.tree_arrays` of an array tree of a fast grower, computed without its nodes."""

from typing import Any

import numpy as np

from treerules.growing.array_tree import LEAF, ArrayTree
from treerules.growing.problem import Problem
from treerules.growing.unchecked import leaves_by_counts
from treerules.learning.array_tree_routing import routing_of_array_tree
from treerules.pruning.common import checked_risk, own_cost
from treerules.recipes.recipe import Recipe
from treerules.trees.class_weighting import TOLERANCE, ClassWeighting
from treerules.trees.node_parts import MeanPrediction
from treerules.trees.nodes import Leaf
from treerules.trees.tree_arrays import TreeArrays, predictions_of_leaves


def arrays_of_array_tree(tree: ArrayTree, problem: Problem, recipe: Recipe) -> TreeArrays:
    """Return the arrays of a binary tree that a recipe grew from a problem.

    Raises:
        DataError: squared errors of the size of the root's exceed the range of floats.
    """
    order, parents, sizes = preorder_of_array_tree(tree)
    statistics = tree.statistics[order]
    if problem.weighing is None:
        n, predictions, spread = statistics.T
        checked_risk(Leaf(MeanPrediction(predictions[0].item(), spread[0].item()), (n[0].item(),)))
        risks = n * spread * spread
    else:
        predictions, risks = labels_and_risks(statistics, problem.weighing)
    splits = np.flatnonzero(tree.kind[order] != LEAF)
    second = splits + 1 + sizes[splits + 1]
    children: list[Any] = [()] * len(order)
    for split, child in zip(splits.tolist(), second.tolist(), strict=True):
        children[split] = split + 1, child
    routing = routing_of_array_tree(tree, order, sizes, problem, recipe)
    return TreeArrays(children, parents, sizes, risks.tolist(), predictions, statistics, routing)


def preorder_of_array_tree(tree: ArrayTree) -> tuple[Any, Any, Any]:
    """Return the numbers of the nodes in preorder, the positions of their parents, and the sizes of their subtrees."""
    levels = [np.zeros(1, dtype=np.int64)]
    while True:
        splits = levels[-1][tree.kind[levels[-1]] != LEAF]
        if not len(splits):
            break
        levels[-1] = splits
        levels.append(np.concatenate([tree.first_child[splits], tree.first_child[splits] + 1]))
    sizes, number, parents = (np.empty(len(tree.kind), dtype=np.int64) for _ in range(3))
    sizes[:] = 1
    for splits in reversed(levels[:-1]):
        sizes[splits] += sizes[tree.first_child[splits]] + sizes[tree.first_child[splits] + 1]
    number[0], parents[0] = 0, -1
    for splits in levels[:-1]:
        first = tree.first_child[splits]
        number[first] = number[splits] + 1
        number[first + 1] = number[first] + sizes[first]
        parents[first] = parents[first + 1] = number[splits]
    order = np.empty_like(number)
    order[number] = np.arange(len(number))
    return order, parents[order], sizes[order]


def labels_and_risks(counts: Any, weighing: ClassWeighting) -> tuple[Any, Any]:
    """Return, for each row of class counts, the position of its label and its risk, equal to `own_cost`."""
    if weighing.costs or any(factor != 1 for factor in weighing.factors):
        rows = list(map(tuple, counts.tolist()))
        by_counts = leaves_by_counts(rows, weighing)
        leaves = [by_counts[row] for row in rows]
        risks = np.array([own_cost(leaf, weighing) for leaf in leaves], dtype=np.float64)
        return predictions_of_leaves(leaves, weighing.classes), risks
    n = counts.sum(axis=1)  # counts are integers, so sums are exact
    labels = (counts >= (counts.max(axis=1) - TOLERANCE * n)[:, None]).argmax(axis=1)
    return labels, n - counts[np.arange(len(counts)), labels]
