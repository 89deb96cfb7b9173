"""The choice of a tree's size: a subtree of its cost-complexity path, by cross-validation, with its error."""

from collections.abc import Container, Sequence
from math import ldexp
from typing import Any

import numpy as np
from attrs import frozen

from treerules.growing.problem import Problem
from treerules.learning import metrics
from treerules.learning.corrected_error import corrected_error
from treerules.learning.problem_arrays import exponent_of, weight_of
from treerules.learning.subtree_losses import (
    FoldTree,
    Loss,
    Risk,
    cost_loss,
    end_nodes,
    entropy_risk,
    error_loss,
    own_risk,
    smoothed_log_loss,
    squared_loss,
    unit_losses,
)
from treerules.learning.unit_losses import UnitLosses, least_with_price, smallest_near_least
from treerules.pruning.cost_complexity import Step, alphas_between, greatest_alpha_reached, steps_of, weakest_links
from treerules.recipes.size_choice import SizeChoice
from treerules.trees.class_weighting import ClassWeighting
from treerules.trees.error_estimate import ErrorEstimate, SizeError
from treerules.trees.tree_arrays import TreeArrays

#: Subtrees of more rules than may be chosen are compared too, so that what more rules would bring can be told: one for
#: each time that the number of rules grows by this factor.
_GROWTH = 1.4
#: Added to the errors of a classification, so that none at all is not infinitely better than one.
_HALF_AN_ERROR = 0.5
#: A classification keeps the root alone unless a subtree errs less by as many standard errors of the difference.
_ROOT_ERRORS = 1.25
#: Tables of fewer rows, such as those of textbooks, cannot show such a difference: there the least price decides.
_TINY = 30


@frozen(eq=False)
class _Path:
    """The subtrees of one path that are compared, the root alone first, and their losses."""

    risk: Risk
    steps: Sequence[Step]
    #: the alphas at which the trees of the folds are pruned
    alphas: Sequence[float]
    #: the losses by which a subtree is chosen
    losses: UnitLosses
    #: the errors that are told: misclassified shares, mean costs or squared errors
    errors: UnitLosses
    #: the number of subtrees that may be chosen: the first ones
    n_eligible: int
    is_classification: bool
    is_by_log_loss: bool

    def chosen(self, choice: SizeChoice, copies: Any) -> Any:
        """Return the position of the subtree that is chosen on each sample of units."""
        eligible = self.losses.first(self.n_eligible)
        if self.is_by_log_loss:
            return smallest_near_least(eligible, copies)
        n_rules = np.array([step.n_leaves for step in self.steps[: self.n_eligible]])
        weight = self.losses.weights.sum()
        price = choice.price(weight)
        if not self.is_classification:
            return least_with_price(eligible, n_rules, price, copies)
        root_errors = 0.0 if weight < _TINY else _ROOT_ERRORS
        return least_with_price(eligible, n_rules, price, copies, added=_HALF_AN_ERROR, root_errors=root_errors)


@frozen(eq=False)
class ChosenSize:
    """The subtree that was chosen, and its estimated error."""

    #: the numbers of the nodes of the whole tree that are leaves of the subtree, or below one
    collapsed: frozenset[int]
    estimate: ErrorEstimate


def choose_size(
    arrays: TreeArrays, problem: Problem, trees: Sequence[FoldTree], choice: SizeChoice, n_folds: int
) -> ChosenSize:
    """Return the choice among the subtrees of a whole tree.

    A classification whose errors would keep the root alone is chosen by log loss: a rare class may have a region of
    its own that no label shows.

    Args:
        arrays: the whole tree.
        problem: the problem that it was learned from.
        trees: the trees of the folds.
        choice: how a subtree is chosen.
        n_folds: the number of folds.
    """
    exponent = exponent_of(problem)
    usual = squared_loss(exponent) if problem.weighing is None else cost_loss
    paths = [_path(arrays, problem, trees, choice, own_risk, usual)]
    chosen = _chosen(paths[0], choice)
    if chosen == 0 and problem.weighing is not None and len(arrays.parents) > 1:
        paths.append(_path(arrays, problem, trees, choice, entropy_risk, smoothed_log_loss))
        chosen = _chosen(paths[1], choice)
    path = paths[-1]
    node_alphas = weakest_links(path.risk(arrays, problem), arrays.children)
    reached = greatest_alpha_reached(path.steps[chosen].alpha)
    collapsed = frozenset(number for number, alpha in enumerate(node_alphas) if alpha <= reached)
    error, standard_error = (ldexp(figure, 2 * exponent) for figure in _corrected(paths, choice))
    estimate = ErrorEstimate(
        measure=_measure(problem),
        chosen_by="log loss" if len(paths) > 1 else _measure(problem),
        n_folds=n_folds,
        training_error=_training_error(arrays, problem, collapsed),
        error=error,
        standard_error=standard_error,
        baseline_error=_training_error(arrays, problem, range(len(arrays.parents))),
        **_class_figures(trees, problem, path.risk, path.alphas[chosen]),
        n_rules=path.steps[chosen].n_leaves,
        sizes=_size_errors(path, 2 * exponent),
    )
    return ChosenSize(collapsed, estimate)


def _chosen(path: _Path, choice: SizeChoice) -> int:
    return int(path.chosen(choice, np.ones((1, len(path.losses.weights))))[0])


def _measure(problem: Problem) -> str:
    if problem.weighing is None:
        return "squared error"
    return "cost" if problem.weighing.costs else "error"


def _path(
    arrays: TreeArrays, problem: Problem, trees: Sequence[FoldTree], choice: SizeChoice, risk: Risk, loss: Loss
) -> _Path:
    """Return the path of subtrees that minimise a risk, with their losses on held-out rows."""
    risks = risk(arrays, problem)
    steps = steps_of(risks, arrays.children, weakest_links(risks, arrays.children))[::-1]
    alphas = alphas_between([step.alpha for step in steps])
    compared = _compared([step.n_leaves for step in steps], choice.max_rules)
    steps, alphas = [steps[position] for position in compared], [alphas[position] for position in compared]
    losses = unit_losses(trees, risk, alphas, loss)
    errors = losses
    if problem.weighing is not None and not (loss is cost_loss and _are_errors(problem.weighing)):
        errors = unit_losses(trees, risk, alphas, cost_loss if problem.weighing.costs else error_loss)
    return _Path(
        risk,
        steps,
        alphas,
        losses,
        errors,
        sum(step.n_leaves <= choice.max_rules for step in steps),
        problem.weighing is not None,
        loss is smoothed_log_loss,
    )


def _are_errors(weighing: ClassWeighting) -> bool:
    """Return whether the costs of labels are those that are told: each error 1, or the costs of a recipe."""
    return bool(weighing.costs) or all(factor == 1 for factor in weighing.factors)


def _compared(sizes: Sequence[int], max_rules: int) -> list[int]:
    """Return the positions of the subtrees that are compared: all that may be chosen, and some larger ones."""
    positions, least = [], 0.0
    for position, size in enumerate(sizes):
        if size <= max_rules or size >= least or position == len(sizes) - 1:
            positions.append(position)
            least = size * _GROWTH
    return positions


def _corrected(paths: Sequence[_Path], choice: SizeChoice) -> tuple[float, float]:
    """Return the error, corrected for the choice that `choose_size` makes, and its standard error."""
    first = paths[0]
    if len(paths) == 1:
        return corrected_error(first.errors, lambda copies: first.chosen(choice, copies))
    second, n = paths[1], len(first.steps)
    errors = UnitLosses(first.errors.weights, np.concatenate([first.errors.sums, second.errors.sums]))

    def chosen(copies: Any) -> Any:
        position = first.chosen(choice, copies)
        return np.where(position == 0, n + second.chosen(choice, copies), position)

    return corrected_error(errors, chosen)


def _training_error(arrays: TreeArrays, problem: Problem, collapsed: Container[int]) -> float:
    """Return the error on the training rows of the subtree in which some nodes are leaves, or below one."""
    ends = [n for n, above in enumerate(arrays.parents.tolist()) if n in collapsed and above not in collapsed]
    weighing = problem.weighing
    counts = arrays.statistics[ends]
    if weighing is None or weighing.costs:
        errors = np.array(arrays.risks)[ends].sum()
    else:
        errors = counts.sum() - counts[np.arange(len(ends)), arrays.predictions[ends]].sum()
    return float(errors / weight_of(problem))


def _size_errors(path: _Path, exponent: int) -> list[SizeError]:
    """Return the losses of the subtrees, times two to the power of `exponent`."""
    figures = zip(path.steps, path.losses.means.tolist(), path.losses.standard_errors.tolist(), strict=True)
    return [SizeError(step.n_leaves, ldexp(mean, exponent), ldexp(error, exponent)) for step, mean, error in figures]


def _class_figures(trees: Sequence[FoldTree], problem: Problem, risk: Risk, alpha: float) -> dict[str, float | None]:
    """Return the figures of a classification on the held-out rows of all folds, pruned at an alpha."""
    if problem.weighing is None:
        return dict.fromkeys(("balanced_accuracy", "log_loss", "auc"))
    n = len(problem.weighing.classes)
    counts, shares, confusion = [], [], np.zeros((n, n))
    for tree in trees:
        rows = tree.held_out
        weight = np.ones(len(rows.target)) if rows.weights is None else rows.weights
        nodes, of_row = np.unique(end_nodes(tree, risk, [alpha])[0], return_inverse=True)
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
