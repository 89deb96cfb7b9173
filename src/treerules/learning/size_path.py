"""Trees of several sizes that are compared by their losses on held-out rows, and the choice of one of them."""

from collections.abc import Sequence
from math import ldexp, log
from typing import Any

import numpy as np
from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.growing.problem import Problem
from treerules.learning import metrics
from treerules.learning.corrected_error import corrected_error
from treerules.learning.subtree_losses import FoldTree
from treerules.learning.unit_losses import UnitLosses, least_with_price, smallest_near_least
from treerules.recipes.size_choice import SizeChoice
from treerules.trees.error_estimate import SizeError

#: Added to the errors of a classification, so that none at all is not infinitely better than one.
_HALF_AN_ERROR = 0.5
#: A classification keeps the root alone unless a tree errs less by as many standard errors of the difference.
_ROOT_ERRORS = 1.25
#: Tables of fewer rows, such as those of textbooks, cannot show such a difference: there the least price decides.
_TINY = 30


@frozen(eq=False)
class SizePath:
    """The trees that are compared, the root alone first, and their losses."""

    #: the number of rules of each
    n_rules: tuple[int, ...] = field(converter=as_tuple)
    #: the losses by which a tree is chosen
    losses: UnitLosses
    #: the errors that are told: misclassified shares, mean costs or squared errors
    errors: UnitLosses
    #: the number of trees that may be chosen: the first ones
    n_eligible: int
    is_classification: bool
    is_by_log_loss: bool = False

    def chosen(self, choice: SizeChoice, copies: Any) -> Any:
        """Return the position of the tree that is chosen on each sample of units."""
        eligible = self.losses.first(self.n_eligible)
        if self.is_by_log_loss:
            return smallest_near_least(eligible, copies)
        n_rules = np.array(self.n_rules[: self.n_eligible])
        weight = round(float(self.losses.weights.sum()), 6)  # weights of mean 1 sum up to a whole number
        price = choice.price(weight)
        if not self.is_classification:
            return least_with_price(eligible, n_rules, price, copies)
        root_errors = 0.0 if weight < _TINY else _ROOT_ERRORS
        return least_with_price(eligible, n_rules, price, copies, added=_HALF_AN_ERROR, root_errors=root_errors)

    def chosen_of_table(self, choice: SizeChoice) -> int:
        """Return the position of the tree that is chosen on the table itself."""
        return int(self.chosen(choice, np.ones((1, len(self.losses.weights))))[0])

    def size_errors(self, exponent: int) -> list[SizeError]:
        """Return the losses of the trees, times two to the power of `exponent`; log losses in nats."""
        unit = log(2) if self.is_by_log_loss else 1.0
        means, errors = (unit * figures for figures in (self.losses.means, self.losses.standard_errors))
        figures = zip(self.n_rules, means.tolist(), errors.tolist(), strict=True)
        return [SizeError(n, ldexp(mean, exponent), ldexp(error, exponent)) for n, mean, error in figures]


def corrected_by_choice(paths: Sequence[SizePath], choice: SizeChoice) -> tuple[float, float]:
    """Return the error, corrected for the choice, and its standard error.

    Of two paths the second is used where the first one chooses the root alone.
    """
    first = paths[0]
    if len(paths) == 1:
        return corrected_error(first.errors, lambda copies: first.chosen(choice, copies))
    second, n = paths[1], len(first.n_rules)
    errors = UnitLosses(first.errors.weights, np.concatenate([first.errors.sums, second.errors.sums]))

    def chosen(copies: Any) -> Any:
        position = first.chosen(choice, copies)
        return np.where(position == 0, n + second.chosen(choice, copies), position)

    return corrected_error(errors, chosen)


def held_out_class_figures(ends: Sequence[tuple[FoldTree, Any]], problem: Problem) -> dict[str, Any]:
    """Return the figures of a classification on held-out rows.

    Args:
        ends: the tree of each fold, and the node where each of its held-out rows ends.
        problem: the problem.
    """
    if problem.weighing is None:
        return dict.fromkeys(("balanced_accuracy", "log_loss", "auc"))
    n = len(problem.weighing.classes)
    counts, shares, confusion = [], [], np.zeros((n, n))
    for tree, end_of_row in ends:
        rows = tree.held_out
        weight = np.ones(len(rows.target)) if rows.weights is None else rows.weights
        nodes, of_row = np.unique(end_of_row, return_inverse=True)
        while not (has_rows := tree.arrays.statistics[nodes].any(axis=1)).all():  # a leaf without rows is as its parent
            nodes = np.where(has_rows, nodes, tree.arrays.parents[nodes])
        counts.append(metrics.counts_of_pairs(of_row, rows.target, weight, (len(nodes), n)))
        weighed = tree.arrays.statistics[nodes] * np.array(problem.weighing.factors, dtype=np.float64)
        shares.append(weighed / weighed.sum(axis=1, keepdims=True))
        confusion += metrics.counts_of_pairs(rows.target, tree.arrays.predictions[nodes][of_row], weight, (n, n))
    groups = np.concatenate(counts), np.concatenate(shares)
    return {
        "balanced_accuracy": metrics.balanced_accuracy(confusion),
        "log_loss": metrics.log_loss(*groups),
        "auc": metrics.roc_auc(*groups),
    }


def measure_of(problem: Problem) -> str:
    """Return what the error of a problem's trees is: "error", "cost" or "squared error"."""
    if problem.weighing is None:
        return "squared error"
    return "cost" if problem.weighing.costs else "error"
