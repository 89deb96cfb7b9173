"""How many errors a leaf is expected to make, and C4.5's pruning by them without raising subtrees."""

from treerules.pruning.common import Risk, cheapest, check_classification, with_root
from treerules.pruning.error_bounds import check_limit, extra_errors
from treerules.trees.class_weighting import weighing
from treerules.trees.nodes import Leaf
from treerules.trees.tree import Tree

#: How many errors more a leaf may make than the subtree that it takes the place of (C4.5 release 8, J48).
SLACK = 0.1


def estimated_errors(tree: Tree, confidence: float, limit: str) -> Risk:
    """Return the function that estimates a leaf's errors: those seen and the extra ones."""
    weigh = weighing(tree)

    def errors(leaf: Leaf) -> float:
        weights = weigh.weighed(leaf.counts)
        own = weigh.classes.index(leaf.prediction.value)
        seen = sum(weights[:own]) + sum(weights[own + 1 :])
        return seen + extra_errors(sum(weights), seen, confidence, limit)

    return errors


def check_pessimistic(tree: Tree, confidence: float, limit: str) -> None:
    """Raise OptionError or UnknownNameError unless a tree can be pruned pessimistically by these choices."""
    check_classification(tree, "pessimistic")
    check_limit(confidence, limit)


def pruned_without_rows(tree: Tree, confidence: float, limit: str) -> Tree:
    """Return the tree pruned from the leaves up by the figures that it holds: no subtree is raised."""
    return with_root(tree, cheapest(tree.root, estimated_errors(tree, confidence, limit), slack=SLACK))
