"""The first step of C4.5's pruning: subtrees that do not reduce the training errors become leaves (J48's collapse)."""

from treerules.pruning.common import own_cost, replace_children, with_root
from treerules.trees.class_weighting import class_weighting_of_tree
from treerules.trees.nodes import Leaf, Node, Split, as_leaf
from treerules.trees.tree import Tree
from treerules.trees.walkers import fold

#: The least reduction of errors for which a subtree is kept (C4.5 release 8).
_SAVED = 1e-3


def collapse_useless_splits(tree: Tree) -> Tree:
    """Return the tree in which each split whose subtree saves less than 0.001 training errors is a leaf.

    Raises:
        DataError: a split has no leaf to replace it.
    """
    weigh = class_weighting_of_tree(tree)

    def leaf(node: Leaf) -> tuple[float, Node]:
        return own_cost(node, weigh), node

    def split(node: Split, below: tuple[tuple[float, Node], ...]) -> tuple[float, Node]:
        errors, own_leaf = sum(loss for loss, _ in below), as_leaf(node)
        if errors >= own_cost(own_leaf, weigh) - _SAVED:
            return errors, own_leaf
        return errors, replace_children(node, [child for _, child in below])

    return with_root(tree, fold(tree.root, leaf, split)[1])
