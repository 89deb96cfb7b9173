"""The choice of a tree's size: a subtree of its cost-complexity path, by cross-validation, with its error."""

from collections.abc import Container, Sequence

import numpy as np
from attrs import frozen

from treerules.growing.problem import Problem
from treerules.learning.folds import Folds
from treerules.learning.fresh_error import fresh_error
from treerules.learning.problem_arrays import exponent_of, weight_of
from treerules.learning.size_path import SizePath, corrected_by_choice, held_out_class_figures, measure_of
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
from treerules.pruning.cost_complexity import Step, alphas_between, greatest_alpha_reached, steps_of, weakest_links
from treerules.recipes.size_choice import SizeChoice
from treerules.trees.class_weighting import ClassWeighting
from treerules.trees.error_estimate import ErrorEstimate
from treerules.trees.tree_arrays import TreeArrays

#: Subtrees of more rules than may be chosen are compared too, so that what more rules would bring can be told: one for
#: each time that the number of rules grows by this factor.
_GROWTH = 1.4


@frozen(eq=False)
class _Path:
    """The subtrees of one path that are compared, the root alone first, and their losses."""

    risk: Risk
    steps: Sequence[Step]
    #: the alphas at which the trees of the folds are pruned
    alphas: Sequence[float]
    sizes: SizePath


@frozen(eq=False)
class ChosenSize:
    """The subtree that was chosen, and its estimated error."""

    #: the numbers of the nodes of the whole tree that are leaves of the subtree, or below one
    collapsed: frozenset[int]
    estimate: ErrorEstimate


def choose_size(
    whole: FoldTree, problem: Problem, trees: Sequence[FoldTree], choice: SizeChoice, folds: Folds
) -> ChosenSize:
    """Return the choice among the subtrees of a whole tree.

    A classification whose errors would keep the root alone is chosen by log loss: a rare class may have a region of
    its own that no label shows.

    Args:
        whole: the whole tree, with the rows of all folds.
        problem: the problem that it was learned from.
        trees: the trees of the folds.
        choice: how a subtree is chosen.
        folds: the folds.
    """
    arrays, exponent = whole.arrays, exponent_of(problem)
    usual = squared_loss(exponent) if problem.weighing is None else cost_loss
    paths = [_path(arrays, problem, trees, choice, own_risk, usual)]
    chosen = paths[0].sizes.chosen_of_table(choice)
    if chosen == 0 and problem.weighing is not None and len(arrays.parents) > 1:
        paths.append(_path(arrays, problem, trees, choice, entropy_risk, smoothed_log_loss))
        chosen = paths[1].sizes.chosen_of_table(choice)
    path = paths[-1]
    node_alphas = weakest_links(path.risk(arrays, problem), arrays.children)
    reached = greatest_alpha_reached(path.steps[chosen].alpha)
    collapsed = frozenset(number for number, alpha in enumerate(node_alphas) if alpha <= reached)
    sizes = [each.sizes for each in paths]
    *ends, of_whole = ((tree, end_nodes(tree, path.risk, [path.alphas[chosen]])[0]) for tree in (*trees, whole))
    n_rules = path.steps[chosen].n_leaves
    figures = corrected_by_choice(sizes, choice)
    error, standard_error, reason = fresh_error(problem, figures, ends, of_whole, folds, n_rules)
    estimate = ErrorEstimate(
        measure=measure_of(problem),
        chosen_by="log loss" if len(paths) > 1 else measure_of(problem),
        n_folds=folds.n,
        training_error=training_error(arrays, problem, collapsed),
        error=error,
        standard_error=standard_error,
        baseline_error=training_error(arrays, problem, range(len(arrays.parents))),
        **held_out_class_figures(ends, problem),
        n_rules=n_rules,
        sizes=path.sizes.size_errors(2 * exponent),
        reason=reason,
    )
    return ChosenSize(collapsed, estimate)


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
    if problem.weighing is not None and not (loss is cost_loss and are_errors(problem.weighing)):
        errors = unit_losses(trees, risk, alphas, cost_loss if problem.weighing.costs else error_loss)
    sizes = SizePath(
        [step.n_leaves for step in steps],
        losses,
        errors,
        sum(step.n_leaves <= choice.max_rules for step in steps),
        problem.weighing is not None,
        loss is smoothed_log_loss,
    )
    return _Path(risk, steps, alphas, sizes)


def are_errors(weighing: ClassWeighting) -> bool:
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


def training_error(arrays: TreeArrays, problem: Problem, collapsed: Container[int]) -> float:
    """Return the error on the training rows of the subtree in which some nodes are leaves, or below one."""
    ends = [n for n, above in enumerate(arrays.parents.tolist()) if n in collapsed and above not in collapsed]
    weighing = problem.weighing
    counts = arrays.statistics[ends]
    if weighing is None or weighing.costs:
        errors = np.array(arrays.risks)[ends].sum()
    else:
        errors = counts.sum() - counts[np.arange(len(ends)), arrays.predictions[ends]].sum()
    return float(errors / weight_of(problem))
