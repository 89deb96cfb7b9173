"""The conversion of an array tree to frozen nodes.

Predictions and figures of nodes are made by the functions that make those of the reference's nodes.
"""

from collections.abc import Iterable
from itertools import repeat
from operator import attrgetter
from typing import Any

import numpy as np

from treerules._internal.paused_gc import paused_gc
from treerules.data.sample_weights import integer_if_whole
from treerules.growing.array_tree import LEAF, MULTIWAY, ArrayTree
from treerules.growing.binary_branches import binary_branches
from treerules.growing.multiway_branches import multiway_branches
from treerules.growing.problem import Problem
from treerules.growing.reference.leaves import bounded_leaf
from treerules.growing.unchecked import allocate, assign_fields, leaves_by_counts
from treerules.recipes.recipe import Recipe
from treerules.trees.class_weighting import ClassWeighting
from treerules.trees.node_parts import MeanPrediction
from treerules.trees.nodes import Leaf, Node, Split

#: Keys of class counts stay below this.
_MOST_KEYS = 1 << 62


@paused_gc()  # saves a third of the time of learning a large regression tree
def to_nodes(tree: ArrayTree, problem: Problem, recipe: Recipe) -> Node:
    """Return the root of an array tree as frozen nodes. Splits of equal class counts share the leaf they would be."""
    weighing = problem.weighing
    nodes: list[Any] = _mean_leaves(tree.statistics) if weighing is None else _class_leaves(tree, weighing)
    if tree.bounds is not None:
        nodes = [bounded_leaf(leaf, bounds, weighing) for leaf, bounds in zip(nodes, tree.bounds.tolist(), strict=True)]
    numbers = tree.kind.nonzero()[0]
    as_leaves = list(map(nodes.__getitem__, numbers.tolist()))
    splits = allocate(Split, len(as_leaves))
    for number, split in zip(numbers.tolist(), splits, strict=True):
        nodes[number] = split
    assign_fields(Split, splits, *_branches(tree, numbers, nodes, as_leaves, problem, recipe), as_leaves)
    return nodes[0]  # type: ignore[no-any-return]


def _branches(
    tree: ArrayTree, numbers: Any, nodes: list[Any], as_leaves: list[Leaf], problem: Problem, recipe: Recipe
) -> tuple[Iterable[Any], ...]:
    """Return the tests, the children, the child of missing values and that of unseen ones, for each split."""
    has_many = tree.kind[numbers] == MULTIWAY
    if has_many.all() or not has_many.any():
        branches = multiway_branches if tree.is_multiway else binary_branches
        return branches(tree, numbers, nodes, as_leaves, problem, recipe)
    fields: tuple[list[Any], ...] = tuple([None] * len(numbers) for _ in range(4))
    for make, is_own in ((binary_branches, ~has_many), (multiway_branches, has_many)):
        places = is_own.nonzero()[0]
        own_leaves = [as_leaves[place] for place in places.tolist()]
        for field, values in zip(fields, make(tree, numbers[places], nodes, own_leaves, problem, recipe), strict=True):
            for place, value in zip(places.tolist(), values, strict=False):
                field[place] = value
    return fields


def _class_leaves(tree: ArrayTree, weighing: ClassWeighting) -> list[Leaf]:
    """Return the leaf that each node of a classification is or would be."""
    if tree.statistics.dtype.kind == "f" and (tree.statistics % 1).any():  # fractional weights
        rows = [tuple(map(integer_if_whole, row)) for row in tree.statistics.tolist()]
        predictions = leaves_by_counts(rows, weighing)
        return [Leaf(predictions[row].prediction, row) for row in rows]
    counts = tree.statistics.astype(np.int64)
    _, first_of_equal, position = np.unique(_keys_of_counts(counts), return_index=True, return_inverse=True)
    leaves = list(leaves_by_counts(list(map(tuple, counts[first_of_equal].tolist())), weighing).values())
    nodes = list(map(leaves.__getitem__, position.tolist()))
    if tree.is_multiway:  # leaves with equal counts are one object, which saves time and memory
        return nodes
    numbers = (tree.kind == LEAF).nonzero()[0].tolist()
    shared = list(map(nodes.__getitem__, numbers))
    fields = (map(attrgetter(name), shared) for name in ("prediction", "counts"))
    own = assign_fields(Leaf, allocate(Leaf, len(numbers)), *fields, repeat(None))
    for number, leaf in zip(numbers, own, strict=True):
        nodes[number] = leaf
    return nodes


def _keys_of_counts(counts: Any) -> Any:
    """Return an integer for each row of counts, equal for equal rows, shape (nodes,)."""
    keys = counts[:, 0]
    for of_class in counts.T[1:]:
        n_values = int(of_class.max()) + 1
        if int(keys.max()) >= _MOST_KEYS // n_values:
            keys = np.unique(keys, return_inverse=True)[1]
        keys = keys * n_values + of_class
    return keys


def _mean_leaves(statistics: Any) -> list[Leaf]:
    """Return the leaf that each node of a regression is or would be, from weight, mean and standard deviation."""
    n, weights = len(statistics), statistics[:, 0]
    numbers: list[float] = (weights if (weights % 1).any() else weights.astype(np.int64)).tolist()
    counts = {weight: (weight,) for weight in set(numbers)}
    deviations = [deviation or 0.0 for deviation in statistics[:, 2].tolist()]  # about half are 0: one shared object
    means = assign_fields(MeanPrediction, allocate(MeanPrediction, n), statistics[:, 1].tolist(), deviations)
    return assign_fields(Leaf, allocate(Leaf, n), means, map(counts.__getitem__, numbers), repeat(None))
