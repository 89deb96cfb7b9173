"""Pruning by a penalised loss: C_alpha(T) = sum of the leaves' losses + alpha |T| (Li Hang, section 5.4)."""

from math import fsum
from typing import get_args

from treerules.criteria import ENTROPY, Base
from treerules.pruning.common import ALPHA, cheapest, check_amount, risk_of, with_root
from treerules.pruning.pruner import OneOf, Option, Pruner
from treerules.trees.tree import Tree
from treerules.trees.walkers import leaves


def penalised(tree: Tree, *, alpha: float, base: Base = "2") -> Tree:
    """Return the subtree of least loss C_alpha(T), the smallest of such (Li Hang, algorithm 5.4).

    C_alpha(T) = sum over leaves of N_t H_t(T) + alpha |T|, entropies in bits unless base="e"; of a regression, the
    sum of squared errors + alpha |T|. Class weights and priors of the recipe weigh the counts. Every leaf counts in
    |T|, empty ones too. Found by one pass from the leaves up, not by trying. Ties (within 1e-12 of the loss as a leaf)
    go to the leaf.

    Raises:
        OptionError: alpha is no number from 0.
        UnknownNameError: there is no such base of logarithms.
        DataError: a split was built without the leaf that it would be.
    """
    check_amount("alpha", alpha)
    risk = risk_of(tree, None if tree.schema.is_regression else ENTROPY.name, base=base)
    return with_root(tree, cheapest(tree.root, lambda leaf: risk(leaf) + alpha))


def penalised_loss(tree: Tree, *, alpha: float, base: Base = "2") -> float:
    """Return C_alpha(T), as `penalised` defines it (Li Hang, formulas 5.11 to 5.14).

    Raises:
        OptionError, UnknownNameError, DataError: as `penalised` does.
    """
    check_amount("alpha", alpha)
    risk = risk_of(tree, None if tree.schema.is_regression else ENTROPY.name, base=base)
    return fsum(risk(leaf) for leaf in leaves(tree.root)) + alpha * tree.n_leaves


PENALISED = Pruner(
    "penalised",
    options=(ALPHA, Option(name="base", values=OneOf(get_args(Base)), help="the base of logarithms", flag="--base")),
    prune=penalised,
)
