"""Minimum-error pruning (Niblett and Bratko 1986) with the m-estimate of probabilities (Cestnik and Bratko 1991)."""

from treerules.pruning.common import check_amount, check_classification, min_cost_subtree, with_root
from treerules.pruning.leaf_errors import rows_per_weight_of
from treerules.pruning.pruner import NumberRange, Option, Pruner
from treerules.trees.class_weighting import class_weighting_of_tree
from treerules.trees.nodes import Leaf, as_leaf
from treerules.trees.tree import Tree


def minimum_error(tree: Tree, *, m: float = 2.0) -> Tree:
    """Return the smallest subtree of least expected error, with class shares shrunk towards those of the root.

    A class with n_c of a node's n rows and the share p_c at the root has the probability (n_c + m p_c) / (n + m); the
    node's static error is the expected error (or cost, by the recipe) of the best label, and its backed-up error the
    mean of its children's, weighted by their rows. A split becomes a leaf with its majority label if its static error
    is at most its backed-up error. A larger m prunes more; m = 0 uses the counts alone; m = number of classes with
    equal shares is Niblett and Bratko's estimate.

    Raises:
        OptionError: the tree is a regression; `m` is not a number of at least 0.
        DataError: a split has no leaf to replace it.
    """
    check_classification(tree, "minimum-error")
    check_amount("m", m, finite=True)
    m /= rows_per_weight_of(tree)
    weigh = class_weighting_of_tree(tree)
    root_weights = weigh.weigh_counts(as_leaf(tree.root).counts)
    shares = [weight / sum(root_weights) if sum(root_weights) else 1 / len(root_weights) for weight in root_weights]

    def errors(leaf: Leaf) -> float:
        weights = weigh.weigh_counts(leaf.counts)
        n = sum(weights)
        if n == 0:
            return 0.0
        estimates = [(weight + m * share) / (n + m) for weight, share in zip(weights, shares, strict=True)]
        return n * min(weigh.cost(estimates, position) for position in range(len(estimates)))

    return with_root(tree, min_cost_subtree(tree.root, errors))


MINIMUM_ERROR = Pruner(
    "minimum_error",
    options=(Option(name="m", values=NumberRange(), help="let the prior weigh as many rows as X", flag="--m"),),
    prune=minimum_error,
)
