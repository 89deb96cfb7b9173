"""How fast are compiling, printing and running, beside m2cgen?

A ratio is m2cgen's CPU time on a scikit-learn tree over ours on our tree of the same data: larger is better. Their
tree is, of five seeds', the one nearest to ours in leaves; where leaves or training impurity still differ by more than
1% the row prints UNEQUAL in place of its ratios.
"""

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from typing import Any

import m2cgen
import numpy as np
from attrs import frozen
from learn import SEEDS, Case, Depth, Work, bundled, case_of, continuous, impurity, is_equal, our_fit, our_work, ratio
from learn import their_fit

from treerules import Tree, compile_rules, to_python

#: Rows that an emitted module answers in one round.
ROWS = 1_000
FAILURES = (RecursionError, SyntaxError, MemoryError)  # IndentationError is a SyntaxError


@frozen(eq=False)
class Pair:
    """Two trees of one data set, ours and scikit-learn's, and what each amounts to."""

    case: Case
    tree: Tree
    model: Any
    works: tuple[Work, Work]

    @property
    def is_equal(self) -> bool:
        """Whether the two are equal work to emit."""
        ours, theirs = self.works
        return is_equal(ours.leaves, theirs.leaves) and is_equal(ours.impurity, theirs.impurity)


def pair_of(case: Case, depth: Depth) -> Pair:
    """Return our tree and the scikit-learn tree nearest to it in leaves."""
    tree = our_fit(case, depth)
    models = [their_fit(case, depth, seed) for seed in SEEDS]
    model = min(models, key=lambda model: abs(int(model.get_n_leaves()) - tree.n_leaves))
    theirs = Work(int(model.get_n_leaves()), impurity(case.target, model.apply(case.features)))
    return Pair(case, tree, model, (our_work(case, tree), theirs))


def chain(n: int) -> Case:
    """Return a regression whose tree is a chain: each split takes one row off."""
    return case_of("chain", np.arange(n, dtype=np.float64)[:, None], 1.4 ** np.arange(n))


def pairs(quick: bool) -> Iterator[Pair]:
    """Yield the trees to emit, small to large, then deep."""
    yield pair_of(bundled("breast_cancer"), 5)
    yield pair_of(bundled("digits"), None)
    yield pair_of(continuous(10_000 if quick else 50_000, 10), 10)
    if not quick:
        yield pair_of(continuous(50_000, 10), 15)
    yield pair_of(chain(200), None)
    yield pair_of(chain(1_000), None)


# ---- emitting and loading


def our_text(tree: Tree, layout: Any) -> str:
    """Return our module, from the tree on."""
    return to_python(compile_rules(tree), layout=layout)


def their_text(model: Any) -> str | None:
    """Return m2cgen's module, None where it fails."""
    try:
        return m2cgen.export_to_python(model)
    except FAILURES:
        return None


def loaded(text: str | None, function: str) -> Callable[[Any], Any] | None:
    """Return a function of a module's text, None where the text does not load."""
    namespace: dict[str, Any] = {"__name__": "emitted"}
    try:
        exec(compile(text or "", "<emitted>", "exec"), namespace)
    except FAILURES:
        return None
    return namespace.get(function)
