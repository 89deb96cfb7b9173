"""Pruning by a penalised loss: C_alpha(T) = sum of the leaves' losses + alpha |T| (Li Hang, section 5.4)."""

from math import fsum
from typing import get_args

from treerules.criteria import ENTROPY, Base
from treerules.pruning.common import ALPHA, check_amount, min_cost_subtree, risk_of, with_root
from treerules.pruning.pruner import OneOf, Option, Pruner
from treerules.trees.ensemble import require_tree
from treerules.trees.tree import Tree
from treerules.trees.walkers import leaves


def penalised(tree: Tree, *, alpha: float, base: Base = "2") -> Tree:
    """Return the smallest subtree of least loss C_alpha(T) (Li Hang, algorithm 5.4).

    C_alpha(T) = sum over leaves of N_t H_t(T) + alpha |T|, entropies in bits unless base="e"; of a regression, the
    sum of squared errors + alpha |T|. Class weights and priors of the recipe weigh the counts. Every leaf counts in
    |T|, even an empty one. One pass from the leaves up finds the subtree. Ties (within 1e-12 of the loss as a leaf) go
    to the leaf.

    Raises:
        OptionError: `alpha` is not a number of at least 0.
        UnknownNameError: there is no such base of logarithms.
        DataError: a split has no leaf to replace it.
    """
    check_amount("alpha", alpha)
    risk = risk_of(tree, None if tree.schema.is_regression else ENTROPY.name, base=base)
    return with_root(tree, min_cost_subtree(tree.root, lambda leaf: risk(leaf) + alpha))


def penalised_loss(tree: Tree, *, alpha: float, base: Base = "2") -> float:
    """Return the penalised loss C_alpha(T) of a tree (Li Hang, formulas 5.11 to 5.14).

    C_alpha(T) = sum over the leaves t of N_t H_t(T) + alpha |T|. H_t is the entropy of a leaf; for a regression N_t H_t
    is the sum of squared errors. Class weights and priors of the recipe weigh the counts. Every leaf counts in |T|.

    Args:
        tree: the Tree whose loss is computed.
        alpha: the penalty per leaf, a number of at least 0, in the unit of the loss.
        base: the base of the logarithms: "2" (bits) or "e".

    Returns:
        The loss, a float.

    Raises:
        OptionError: `tree` is not a Tree, or `alpha` is not a number of at least 0.
        UnknownNameError: `base` is neither "2" nor "e".
        DataError: squared errors exceed the range of floats.

    Examples:
        >>> from treerules import cart, learn, Table
        >>> tree = learn(Table.from_columns({"x": [1, 2, 4], "y": ["a", "a", "b"]}), target="y", recipe=cart())
        >>> penalised_loss(tree, alpha=0.5)
        1.0
    """
    require_tree("tree", tree)
    check_amount("alpha", alpha)
    risk = risk_of(tree, None if tree.schema.is_regression else ENTROPY.name, base=base)
    return fsum(risk(leaf) for leaf in leaves(tree.root)) + alpha * tree.n_leaves


PENALISED = Pruner(
    "penalised",
    options=(
        ALPHA,
        Option(name="base", values=OneOf(get_args(Base)), help="take logarithms of this base", flag="--base"),
    ),
    prune=penalised,
)
