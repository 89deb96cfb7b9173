"""The first step of C4.5's pruning: what does not even reduce the training errors is cut off (J48's collapse)."""

from treerules.pruning.common import own_cost, rebuilt, with_root
from treerules.trees.class_weighting import weighing
from treerules.trees.nodes import Leaf, Node, Split, as_leaf
from treerules.trees.tree import Tree
from treerules.trees.walkers import fold

#: How many errors a subtree must save to stay (C4.5 release 8).
_SAVED = 1e-3


def collapsed_where_useless(tree: Tree) -> Tree:
    """Return the tree in which a split is its leaf where its subtree saves less than 0.001 training errors.

    Raises:
        DataError: a split was built without the leaf that it would be.
    """
    weigh = weighing(tree)

    def leaf(node: Leaf) -> tuple[float, Node]:
        return own_cost(node, weigh), node

    def split(node: Split, below: tuple[tuple[float, Node], ...]) -> tuple[float, Node]:
        errors, own = sum(each for each, _ in below), as_leaf(node)
        if errors >= own_cost(own, weigh) - _SAVED:
            return errors, own
        return errors, rebuilt(node, [child for _, child in below])

    return with_root(tree, fold(tree.root, leaf, split)[1])
