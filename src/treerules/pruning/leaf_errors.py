"""Estimated errors of leaves, and C4.5's pruning by them without subtree raising."""

from treerules.pruning.common import Risk, check_classification, min_cost_subtree, with_root
from treerules.pruning.error_bounds import check_limit, extra_errors
from treerules.trees.class_weighting import class_weighting_of_tree
from treerules.trees.nodes import Leaf, as_leaf
from treerules.trees.tree import Tree

#: The number of errors by which a leaf may exceed the subtree that it replaces (C4.5 release 8, J48).
SLACK = 0.1


def estimated_errors(tree: Tree, confidence: float, limit: str, rows_per_weight: float = 1.0) -> Risk:
    """Return the function that estimates the errors of a leaf, in rows: training errors plus extra errors."""
    weigh = class_weighting_of_tree(tree)

    def errors(leaf: Leaf) -> float:
        weights = [weight * rows_per_weight for weight in weigh.weigh_counts(leaf.counts)]
        position = weigh.classes.index(leaf.prediction.value)
        n_errors = sum(weights[:position]) + sum(weights[position + 1 :])
        return n_errors + extra_errors(sum(weights), n_errors, confidence, limit)

    return errors


def check_pessimistic(tree: Tree, confidence: float, limit: str) -> None:
    """Raise OptionError or UnknownNameError unless a tree can be pruned pessimistically with these options."""
    check_classification(tree, "pessimistic")
    check_limit(confidence, limit)


def rows_per_weight_of(tree: Tree) -> float:
    """Return the factor by which the figures of a tree become numbers of rows: 1 where they are some."""
    weight = as_leaf(tree.root).n
    if tree.schema.counted == "rows" or tree.origin is None or not weight:
        return 1.0
    return tree.origin.n_rows / weight


def prune_without_rows(tree: Tree, confidence: float, limit: str, rows_per_weight: float) -> Tree:
    """Return the tree pruned from the leaves up by the figures stored in it, without subtree raising."""
    errors = estimated_errors(tree, confidence, limit, rows_per_weight)
    return with_root(tree, min_cost_subtree(tree.root, errors, slack=SLACK))
