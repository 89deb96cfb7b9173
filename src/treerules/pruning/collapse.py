"""The first step of C4.5's pruning: subtrees that do not reduce the training error become leaves."""

from treerules.pruning.common import check_classification, own_cost, replace_children, with_root
from treerules.pruning.leaf_errors import rows_per_weight_of
from treerules.pruning.pruner import Pruner
from treerules.trees.class_weighting import class_weighting_of_tree
from treerules.trees.nodes import Leaf, Node, Split, as_leaf
from treerules.trees.tree import Tree
from treerules.trees.walkers import fold

#: The least reduction of errors, in rows, for which a subtree is kept (C4.5 release 8).
_SAVED = 1e-3


def collapse(tree: Tree) -> Tree:
    """Return the tree in which each split whose subtree saves less than 0.001 training errors is a leaf.

    C4.5 release 8 does so before it writes the tree that it calls unpruned, and Weka's J48 also with -U (its option
    `collapseTree`). Errors are summed costs where the recipe has class weights, priors or costs.

    Raises:
        OptionError: the tree is a regression.
        DataError: a split has no leaf to replace it.
    """
    check_classification(tree, "collapse")
    return collapse_by_rows(tree, rows_per_weight_of(tree))


def collapse_by_rows(tree: Tree, rows_per_weight: float) -> Tree:
    """Return what `collapse` does of a tree whose figures become numbers of rows by a factor."""
    weigh = class_weighting_of_tree(tree)
    least = _SAVED / rows_per_weight

    def leaf(node: Leaf) -> tuple[float, Node]:
        return own_cost(node, weigh), node

    def split(node: Split, below: tuple[tuple[float, Node], ...]) -> tuple[float, Node]:
        errors, own_leaf = sum(loss for loss, _ in below), as_leaf(node)
        if errors >= own_cost(own_leaf, weigh) - least:
            return errors, own_leaf
        return errors, replace_children(node, [child for _, child in below])

    return with_root(tree, fold(tree.root, leaf, split)[1])


COLLAPSE = Pruner("collapse", options=(), prune=collapse)
