"""A tree as arrays: its structure, the prediction and risk of each node as a leaf, and its routing table.

Cross-validation and cost-complexity pruning work on these. They are computed here from frozen nodes, and by
`learning.array_tree_arrays` from the array trees of the fast growers, without building nodes.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from attrs import evolve, frozen

from treerules.trees.nodes import Leaf, TreeLike, as_leaf
from treerules.trees.routing import RoutingTable
from treerules.trees.tree import Tree
from treerules.trees.walkers import with_child_numbers

#: The numbers of the children of each node, by its number; empty for a leaf.
ChildNumbers: TypeAlias = Sequence[Sequence[int]]


@frozen(eq=False)
class TreeArrays:
    """A tree by the numbers of its nodes, which are in preorder."""

    children: ChildNumbers
    #: the number of each node's parent, -1 for the root, shape (nodes,)
    parents: Any
    #: the number of nodes of each node's subtree, itself included, shape (nodes,)
    sizes: Any
    #: the risk of each node as a leaf, summed over its training rows
    risks: Sequence[float]
    #: the prediction of each node as a leaf: the position of its class, or its mean, shape (nodes,)
    predictions: Any
    #: the figures of each node: class counts, shape (nodes, classes); of a regression weight, mean and standard
    #: deviation, shape (nodes, 3)
    statistics: Any
    routing: RoutingTable

    @property
    def leaves(self) -> Any:
        """The numbers of the leaves."""
        return np.flatnonzero(self.sizes == 1)

    def times(self, factor: float, *, is_regression: bool) -> "TreeArrays":
        """Return the arrays of the tree learned with weights times a factor."""
        if factor == 1:
            return self
        statistics = self.statistics * ([factor, 1.0, 1.0] if is_regression else factor)
        return evolve(self, risks=[risk * factor for risk in self.risks], statistics=statistics)


def leaves_and_children(tree: TreeLike) -> tuple[list[Leaf], ChildNumbers]:
    """Return, for every node in preorder, the leaf that it is or would be, and the numbers of its children.

    Raises:
        DataError: a split has no leaf to replace it.
    """
    nodes = with_child_numbers(tree)
    return [as_leaf(node) for node, _ in nodes], [children for _, children in nodes]


def arrays_of_tree(tree: Tree, risk: Callable[[Leaf], float]) -> TreeArrays:
    """Return the arrays of a tree; `risk` gives the risk of a leaf, summed over its training rows.

    Raises:
        DataError: a split has no leaf to replace it.
    """
    leaves, children = leaves_and_children(tree)
    parents, sizes = [-1] * len(leaves), [1] * len(leaves)
    for number, below in enumerate(children):
        for child in below:
            parents[child] = number
    for number in range(len(leaves) - 1, 0, -1):
        sizes[parents[number]] += sizes[number]
    risks = list(map(risk, leaves))
    predictions = predictions_of_leaves(leaves, tree.schema.classes)
    statistics = statistics_of_leaves(leaves, tree.schema.is_regression)
    return TreeArrays(children, np.array(parents), np.array(sizes), risks, predictions, statistics, tree._routing)


def predictions_of_leaves(leaves: Sequence[Leaf], classes: Sequence[Any]) -> Any:
    """Return the positions of the classes that leaves predict (int64); without classes, their means (float64)."""
    values = [leaf.prediction.value for leaf in leaves]
    if not classes:
        return np.array(values, dtype=np.float64)
    positions = {label: position for position, label in enumerate(classes)}
    return np.array([positions[value] for value in values])


def statistics_of_leaves(leaves: Sequence[Leaf], is_regression: bool) -> Any:
    """Return the class counts of leaves; of a regression their weights, means and standard deviations."""
    if not is_regression:
        return np.array([leaf.counts for leaf in leaves], dtype=np.float64)
    rows = [(leaf.n, leaf.prediction.value, leaf.prediction.sd) for leaf in leaves]  # type: ignore[union-attr]
    return np.array(rows, dtype=np.float64)
