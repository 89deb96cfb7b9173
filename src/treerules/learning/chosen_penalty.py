"""The leaf penalty of an optimal tree, chosen by cross-validation.

whole table ──▶ path: the trees that are optimal for some penalty       for each fold: the optimal trees of the other
                │                                                       folds, at the same penalties times their share
                └── the tree that `auto` would choose by its errors on the held-out rows ──▶ searched once more, with
                                                                                             the rest of the time
"""

from math import isinf
from time import monotonic
from typing import Any

import numpy as np
from attrs import define, evolve, field

from treerules._internal.interrupts import on_interrupt
from treerules._internal.notes import Note
from treerules.data.schema import Feature, Kind
from treerules.errors import OptionError
from treerules.growing.optimal.optimal_growth import FoundTree, SearchedProblem, bounds_note
from treerules.growing.optimal.penalty_path import PathVertex, penalty_path, trees_at
from treerules.growing.optimal.whole_costs import costs_of_rows
from treerules.growing.problem import Problem
from treerules.growing.task import Progress
from treerules.growing.thresholds import threshold_between
from treerules.growing.validation import Validation
from treerules.learning.chosen_size import are_errors
from treerules.learning.folds import Folds, dealt_folds
from treerules.learning.fresh_error import fresh_error
from treerules.learning.greedy_tree import no_worse_than_greedy
from treerules.learning.problem_arrays import arrays_of_problem, exponent_of, leaf_of_rows, weight_of
from treerules.learning.size_note import size_note
from treerules.learning.size_path import SizePath, corrected_by_choice, held_out_class_figures, measure_of
from treerules.learning.subtree_losses import FoldTree, cost_loss, error_loss, losses_by_unit, squared_loss, whole_tree
from treerules.recipes.recipe import Recipe
from treerules.trees.error_estimate import ErrorEstimate
from treerules.trees.tree import Tree

#: The share of the time limit for the choice of the penalty, and the usual number of searches of a path.
_SHARE_OF_CHOICE, _SEARCHES = 0.6, 6
#: The penalty where there is no time to choose one, as a share of the cost of a leaf alone.
_USUAL_SHARE = 0.01


def grow_with_chosen_penalty(
    problem: Problem,
    recipe: Recipe,
    progress: Progress | None = None,
    validation: Validation | None = None,
    compiled: bool | None = None,
    folds: Folds | None = None,
) -> Tree:
    """Return the optimal tree of the leaf penalty that cross-validation chooses, with its estimated error.

    `folds` are those of the cross-validation; None deals them. A table of one distinct row has no estimate.

    Raises:
        OptionError: there is a validation table.
    """
    if validation is not None:
        raise OptionError("validation", "a table", "None with optimal(): its tree is not grown split by split")
    choice, search = recipe.size_choice, recipe.optimal_search
    assert choice is not None and search is not None
    clock = _Clock(search.time_limit, progress)
    with on_interrupt(clock.interrupt):
        try:
            of_rows = problem.normalised()
            folds = dealt_folds(of_rows, choice.folds) if folds is None else folds.normalised()
            penalty, estimate = _chosen_penalty(of_rows, recipe, folds, compiled, clock)
            penalty /= problem.rows_per_weight
            notes = [Note("penalty", "leaf penalty {penalty:.6g}, chosen by cross-validation", penalty=penalty)]
        except _OutOfTimeError:
            penalty, estimate = _usual_penalty(problem), None
            share = "leaf penalty {penalty:.6g}, {share:.1%} of the cost of a leaf alone"
            text = f"{share}: there was no time to choose it by cross-validation"
            notes = [Note("penalty_by_default", text, penalty=penalty, share=_USUAL_SHARE)]
        fixed = evolve(recipe, optimal_search=evolve(search, leaf_penalty=penalty), size_choice=None)
        final = SearchedProblem(problem, fixed, compiled, lambda: clock.is_interrupted)
        task = final.task(final.penalty_in_units(penalty))
        found = final.search(task, seconds=clock.rest(), gap=search.gap)
    notes.append(bounds_note(final.bounds(found), recipe))
    if estimate is not None:
        notes.append(size_note(estimate, choice, problem.size))
    tree = no_worse_than_greedy(final.tree(found, tuple(notes)), problem)
    return evolve(tree, recipe=recipe, estimate=estimate)


class _OutOfTimeError(Exception):
    """The time for the choice of the penalty has passed, or Ctrl-C was pressed."""


@define
class _Clock:
    """The time of the choice and of the last search together."""

    limit: float | None
    progress: Progress | None
    is_interrupted: bool = False
    #: the number of searches that are expected, and of those that began
    n_expected: int = 1
    n_begun: int = 0
    start: float = field(factory=lambda: monotonic())

    def interrupt(self) -> None:
        """End the choice and the last search."""
        self.is_interrupted = True

    def rest(self) -> float:
        """Return the seconds that are left."""
        return float("inf") if self.limit is None else max(0.0, self.start + self.limit - monotonic())

    def seconds(self) -> float:
        """Return the seconds of the next search: a share of the time for the choice.

        Raises:
            _OutOfTimeError: that time has passed.
        """
        if self.is_interrupted:
            raise _OutOfTimeError
        self.n_begun += 1
        if self.progress is not None:
            self.progress(min(self.n_begun, self.n_expected), self.n_expected)
        if self.limit is None:
            return float("inf")
        if self.rest() < (1 - _SHARE_OF_CHOICE) * self.limit:
            raise _OutOfTimeError
        return _SHARE_OF_CHOICE * self.limit / self.n_expected


def _usual_penalty(problem: Problem) -> float:
    """Return a penalty for tables that leave no time to choose one: a share of the cost of a leaf alone."""
    if problem.weighing is not None:
        total = float(costs_of_rows(problem.target, problem.weights, problem.weighing).sum(axis=0).min())
    else:
        weights = None if problem.weights is None else problem.weights
        mean = np.average(problem.target, weights=weights)
        total = float(np.average(np.square(problem.target - mean), weights=weights)) * weight_of(problem)
    return float(f"{_USUAL_SHARE * total:.1g}")


def _chosen_penalty(
    problem: Problem, recipe: Recipe, folds: Folds, compiled: bool | None, clock: _Clock
) -> tuple[float, ErrorEstimate | None]:
    """Return the penalty that cross-validation chooses, and the estimated error.

    Raises:
        _OutOfTimeError: there was no time.
    """
    clock.n_expected = _SEARCHES * (folds.n + 1)
    searched = SearchedProblem(problem, recipe, compiled, lambda: clock.is_interrupted)
    path = penalty_path(searched, clock.seconds)
    chosen, estimate = 0, None
    if folds.n > 1 or folds.is_in_time:
        chosen, estimate = _choice(searched, path, folds, clock.seconds)
    if clock.is_interrupted:
        raise _OutOfTimeError
    return _penalty_of(path[chosen], searched), estimate


def _representative(vertex: PathVertex) -> float:
    """Return a penalty, in units, at which the tree of a vertex is optimal: not near the ends of its interval."""
    if isinf(vertex.greatest):
        return 2 * vertex.least or vertex.cost + 1.0
    return (vertex.least * vertex.greatest) ** 0.5 or vertex.greatest / 2


def _penalty_of(vertex: PathVertex, searched: SearchedProblem) -> float:
    """Return the leaf penalty of a vertex: the number of fewest digits in the middle of its interval."""
    unit = searched.task(0).unit
    least = vertex.least * unit
    greatest = (2 * vertex.least or vertex.cost + 1.0) * unit if isinf(vertex.greatest) else vertex.greatest * unit
    quarter = (greatest - least) / 4
    penalty: float = threshold_between(Feature("", Kind.NUMBER), "short", least + quarter, greatest - quarter, ())
    return penalty


def _choice(searched: SearchedProblem, path: list[PathVertex], folds: Folds, seconds: Any) -> tuple[int, ErrorEstimate]:
    """Return the position of the chosen tree, and its estimated error."""
    problem, recipe = searched.problem, searched.recipe
    choice = recipe.size_choice
    assert choice is not None
    penalties = [_representative(vertex) for vertex in path]
    by_fold = []
    for rows, held_out in folds.parts():
        share = weight_of(folds.problem, rows) / weight_of(folds.problem)
        part, rest = folds.problem.part(rows), folds.problem.part(held_out)
        searched_part = SearchedProblem(part, recipe, searched.compiled, searched.is_ended)
        found = trees_at(searched_part, [penalty * share for penalty in penalties], seconds)
        units = folds.units[held_out], folds.n_units[held_out]
        by_fold.append(_fold_trees(searched_part, found, share, rest, units))
    exponent = exponent_of(problem)
    usual = squared_loss(exponent) if problem.weighing is None else cost_loss
    losses = errors = _losses(by_fold, usual)
    if problem.weighing is not None and not are_errors(problem.weighing):
        errors = _losses(by_fold, cost_loss if problem.weighing.costs else error_loss)
    n_rules = [vertex.n_leaves for vertex in path]
    n_eligible = sum(n <= choice.max_rules for n in n_rules)
    sizes = SizePath(n_rules, losses, errors, n_eligible, problem.weighing is not None)
    chosen = sizes.chosen_of_table(choice)
    best = trees_at(searched, [penalties[chosen]], seconds)[0]
    whole = whole_tree(arrays_of_problem(searched.tree(best, ()), problem), folds.problem, folds)
    ends = [(trees[chosen], trees[chosen].leaves) for trees in by_fold]
    figures = corrected_by_choice([sizes], choice)
    error, standard_error, reason = fresh_error(problem, figures, ends, (whole, whole.leaves), folds, n_rules[chosen])
    unit, weight = searched.task(0).unit, weight_of(problem)
    estimate = ErrorEstimate(
        measure=measure_of(problem),
        chosen_by=measure_of(problem),
        n_folds=folds.n,
        training_error=path[chosen].cost * unit / weight,
        error=error,
        standard_error=standard_error,
        baseline_error=path[0].cost * unit / weight,
        **held_out_class_figures(ends, problem),
        n_rules=n_rules[chosen],
        sizes=sizes.size_errors(2 * exponent),
        reason=reason,
    )
    return chosen, estimate


def _fold_trees(
    searched: SearchedProblem, found: list[FoundTree], share: float, rest: Problem, units: tuple[Any, Any]
) -> list[FoldTree]:
    """Return the trees of a fold, one for each penalty; equal ones are one value."""
    trees: dict[int, FoldTree] = {}
    for each in found:
        if id(each) not in trees:
            arrays = arrays_of_problem(searched.tree(each, ()), searched.problem)
            trees[id(each)] = FoldTree(arrays, share, rest, *units, leaf_of_rows(arrays, rest))
    return [trees[id(each)] for each in found]


def _losses(by_fold: list[list[FoldTree]], loss: Any) -> Any:
    """Return the losses of held-out rows by the tree of each penalty, summed by unit."""
    losses = [
        (trees[0], np.concatenate([loss(tree.arrays, tree.held_out, tree.leaves[None]) for tree in trees]))
        for trees in by_fold
    ]
    return losses_by_unit(losses, len(by_fold[0]))
