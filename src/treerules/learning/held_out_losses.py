"""Losses of a tree on held-out rows, unpruned or pruned at several alphas at once."""

import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import get_context
from typing import Any

import numpy as np
from attrs import frozen

from treerules.errors import OptionError
from treerules.growing.problem import Problem
from treerules.learning.folds import Folds
from treerules.learning.grow_and_prune import grow_and_prune
from treerules.learning.grown_arrays import grown_arrays
from treerules.learning.piecewise_sums import PiecewiseSums, piecewise_sums, rounded_sums
from treerules.learning.problem_arrays import (
    alphas_of,
    arrays_of_problem,
    cost_matrix,
    exponent_of,
    leaf_of_rows,
    weight_of,
)
from treerules.learning.shared_presort import PresortedByKey, presort_for_folds, presorted_part
from treerules.pruning.cost_complexity import greatest_alpha_reached
from treerules.recipes.recipe import Recipe
from treerules.trees.class_weighting import ClassWeighting
from treerules.trees.tree_arrays import TreeArrays

Progress = Callable[[int, int], None]


@frozen(eq=False)
class FoldLosses:
    """The losses of the rows of a fold at each alpha: their weighted sum, and the sum of their squares."""

    sums: PiecewiseSums
    squares: PiecewiseSums


def held_out_losses(
    folds: Folds,
    recipe: Recipe,
    alphas: Sequence[float] = (),
    *,
    whole: bool = False,
    least: float | None = None,
    processes: int = 1,
    progress: Progress | None = None,
    presorted: PresortedByKey | None = None,
) -> list[FoldLosses]:
    """Return, for each fold, the losses of its rows by trees that are learned from the other folds.

    The trees are pruned at each of `alphas`, which ascend and are in
    the unit of the whole problem's weight; with `whole` they are not pruned. With a `least` alpha they are pruned by
    the shortcut of rpart. `progress` is called with (folds done, folds). `processes` is the number of processes that
    learn folds in parallel. Presorted columns are looked up in `presorted`; new ones are added to it.

    Raises:
        OptionError: `processes` is not an integer of at least 1, or a process died.
    """
    if isinstance(processes, bool) or not isinstance(processes, int) or processes < 1:
        raise OptionError("processes", processes, "a whole number from 1")
    n_folds, problem = folds.n, folds.problem
    listing = presort_for_folds(problem, recipe, n_folds, {} if presorted is None else presorted)
    run = partial(_of_fold, folds, recipe, listing, None if whole else np.array(alphas), least)
    losses_by_fold = []
    for n_done, losses in enumerate(_losses_by_fold(run, n_folds, processes), 1):
        losses_by_fold.append(losses)
        if progress is not None:
            progress(n_done, n_folds)
    return losses_by_fold


def _losses_by_fold(run: Callable[[int], FoldLosses], n_folds: int, processes: int) -> Iterator[FoldLosses]:
    if min(processes, n_folds) == 1:
        yield from map(run, range(n_folds))
        return
    try:
        pickle.dumps(run)
    except (AttributeError, TypeError, pickle.PicklingError) as error:
        accepted = "1, or a criterion whose functions are defined in a module: others cannot be sent to a process"
        raise OptionError("processes", processes, accepted) from error
    try:
        with ProcessPoolExecutor(min(processes, n_folds), mp_context=get_context("spawn")) as pool:
            yield from pool.map(run, range(n_folds))
    except BrokenProcessPool as error:
        accepted = 'fewer, or put what your script does below if __name__ == "__main__":'
        raise OptionError("processes", processes, accepted) from error


def _of_fold(folds: Folds, recipe: Recipe, listing: Any, alphas: Any, least: float | None, fold: int) -> FoldLosses:
    problem, (rows, rest) = folds.problem, folds.part(fold)
    training, held_out = problem.part(rows), problem.part(rest)
    arrays = _arrays(training, recipe, presorted_part(listing, rows, problem))
    if alphas is None:
        node_alphas, reach = np.zeros(len(arrays.sizes)), -np.ones(1)
    else:
        share = weight_of(training) / weight_of(problem)
        node_alphas = np.array(alphas_of(arrays, None if least is None else least * share))
        reach = np.array([greatest_alpha_reached(alpha) for alpha in (alphas * share).tolist()])
    return _losses(held_out, arrays, node_alphas, reach, exponent_of(problem))


def _arrays(problem: Problem, recipe: Recipe, listing: Any) -> TreeArrays:
    """Return the tree that a recipe learns from a problem; presorted columns, if any, are overwritten."""
    if recipe.confidence is not None or recipe.size_choice is not None:
        return arrays_of_problem(grow_and_prune(problem, recipe), problem)
    return grown_arrays(problem, recipe, listing)


# ---- rows that end at nodes


def _losses(rows: Problem, arrays: TreeArrays, node_alphas: Any, reach: Any, exponent: int) -> FoldLosses:
    """Return the losses of rows by a tree in which each split becomes a leaf at its own alpha, given by `node_alphas`.

    No node has a greater alpha than its parent. So a row ends at a node for the alphas of `reach` from that of the node
    (at a leaf: from the least) up to, but excluding, that of its parent.
    """
    start = np.searchsorted(reach, node_alphas)
    start[arrays.leaves] = 0
    end = np.append(start, len(reach))[arrays.parents]  # the root has no parent
    ends = leaf_of_rows(arrays, rows)
    if rows.weighing is not None and rows.weights is None:
        values, times, nodes = _of_classes(rows.target, rows.weighing, arrays, ends)
        weights: Any = 1.0
    else:
        row_of_pair, nodes = _pairs(arrays.parents, start < end, ends)
        values, times = (
            _of_rows(rows, arrays.predictions, row_of_pair, nodes, exponent),
            np.ones(len(nodes), dtype=np.int64),
        )
        weights = 1.0 if rows.weights is None else rows.weights[row_of_pair]
    n, span = len(reach), (times, start[nodes], end[nodes])
    return FoldLosses(piecewise_sums(n, values * weights, *span), piecewise_sums(n, values * values * weights, *span))


def _of_classes(target: Any, weighing: ClassWeighting, arrays: TreeArrays, ends: Any) -> tuple[Any, Any, Any]:
    """Return the losses of rows of equal weight by class and node: losses, numbers of rows, and nodes."""
    n, n_classes = len(arrays.sizes), len(weighing.classes)
    counts = np.bincount(ends * n_classes + target, minlength=n * n_classes).reshape(n, n_classes)
    before = np.concatenate([np.zeros((1, n_classes), dtype=np.int64), np.cumsum(counts, axis=0)])
    counts = before[np.arange(n) + arrays.sizes] - before[:-1]  # descendants follow their node
    nodes, classes = np.nonzero(counts)
    return cost_matrix(weighing)[classes, arrays.predictions[nodes]], counts[nodes, classes], nodes


def _pairs(parents: Any, is_end: Any, ends: Any) -> tuple[Any, Any]:
    """Return the pairs (row, node) of each row and the nodes on its path at which rows end at some alpha."""
    above = parents.copy()
    while len(jumps := np.flatnonzero((above >= 0) & ~is_end[above])):
        above[jumps] = above[above[jumps]]
    rows, nodes, pairs = np.arange(len(ends)), np.where(is_end[ends], ends, above[ends]), []
    while len(rows):
        rows, nodes = rows[nodes >= 0], nodes[nodes >= 0]
        pairs.append((rows, nodes))
        nodes = above[nodes]
    return np.concatenate([rows for rows, _ in pairs]), np.concatenate([nodes for _, nodes in pairs])


def _of_rows(rows: Problem, predictions: Any, row_of_pair: Any, nodes: Any, exponent: int) -> Any:
    """Return the losses of rows at nodes, without their weights."""
    if rows.weighing is None:
        return np.square(np.ldexp(predictions[nodes], -exponent) - np.ldexp(rows.target[row_of_pair], -exponent))
    return cost_matrix(rows.weighing)[rows.target[row_of_pair], predictions[nodes]]


def sums_of(problem: Problem, parts: Sequence[FoldLosses], n: int) -> tuple[Any, Any]:
    """Return, for each of `n` alphas, the weighted sum of the losses and its standard error, over all held-out rows.

    The standard error is that of rpart: of a sum of independent losses, sqrt(sum w l^2 - (sum w l)^2 / sum w).
    """
    sums, squares = rounded_sums([part.sums for part in parts], n), rounded_sums([part.squares for part in parts], n)
    errors, exponent = np.sqrt(np.maximum(squares - sums * sums / weight_of(problem), 0.0)), 2 * exponent_of(problem)
    with np.errstate(over="ignore"):
        return np.ldexp(sums, exponent), np.ldexp(errors, exponent)
