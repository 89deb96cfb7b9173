"""Growth of a tree whose size is chosen by cross-validation."""

from collections.abc import Callable
from functools import partial
from typing import Any

from attrs import evolve

from treerules.growing.column_preparation import Preparation, preparation_of, prepared, prepared_columns, restored
from treerules.growing.growers import grow
from treerules.growing.kernel_choice import kernels_wanted
from treerules.growing.problem import Problem
from treerules.growing.task import Progress
from treerules.growing.validation import Validation
from treerules.learning.chosen_size import choose_size
from treerules.learning.folds import Folds, dealt_folds
from treerules.learning.grown_arrays import grown_arrays
from treerules.learning.problem_arrays import arrays_of_problem
from treerules.learning.shared_presort import presort_for_folds, presorted_part
from treerules.learning.size_note import size_note
from treerules.learning.subtree_losses import fold_trees, whole_tree
from treerules.pruning.common import collapse_nodes
from treerules.recipes.auto import growth_recipe
from treerules.recipes.recipe import Recipe
from treerules.trees.tree import Tree
from treerules.trees.tree_arrays import TreeArrays


def grow_and_choose(
    problem: Problem,
    recipe: Recipe,
    progress: Progress | None = None,
    validation: Validation | None = None,
    compiled: bool | None = None,
    threads: int = 1,
    folds: Folds | None = None,
) -> Tree:
    """Return the tree that a recipe grows, cut to the size that its `size_choice` chooses, with its estimated error.

    `folds` are those of the cross-validation; None deals them. A table of one distinct row has no estimate.
    """
    choice = recipe.size_choice
    assert choice is not None
    growth = growth_recipe(recipe, is_regression=problem.schema.is_regression, size=problem.size)
    folds = dealt_folds(problem.normalised(), choice.folds) if folds is None else folds.normalised()
    report = _progress_of_part(progress, len(problem.target), folds.n + 1)
    preparation = preparation_of(problem)
    joined = prepared(problem, preparation)
    if compiled is None:
        compiled = kernels_wanted(joined, growth, folds.n + 1)
    tree = grow(joined, growth, report(0), _prepared_validation(validation, preparation), compiled, threads)
    estimate = None
    if folds.n > 1 or folds.is_in_time:
        grow_fold = _fold_grower(folds, growth, report, validation, compiled)
        trees = list(fold_trees(folds, grow_fold))
        arrays = arrays_of_problem(tree, joined)
        arrays = arrays.times(joined.rows_per_weight, is_regression=joined.schema.is_regression)
        whole = whole_tree(arrays, prepared(folds.problem, preparation), folds)
        chosen = choose_size(whole, joined.normalised(), trees, choice, folds)
        tree = evolve(tree, root=collapse_nodes(tree.root, chosen.collapsed))
        estimate = chosen.estimate
    notes = [*tree.notes, *preparation.notes]
    if estimate is not None:
        notes.append(size_note(estimate, choice, problem.size))
    root = restored(tree, preparation).root
    return Tree._unchecked(problem.schema, root, recipe, tuple(notes), estimate=estimate)


def _fold_grower(
    folds: Folds,
    growth: Recipe,
    report: Callable[[int], Any],
    validation: Validation | None,
    compiled: bool | None,
) -> Callable[[int, Any], tuple[TreeArrays, Callable[[Problem], Problem]]]:
    """Return the function that grows the tree of a fold, as `fold_trees` takes it."""
    listing = presort_for_folds(folds.problem, growth, folds.n, {}) if compiled is not False else None

    def grow_fold(number: int, rows: Any) -> tuple[TreeArrays, Callable[[Problem], Problem]]:
        training = folds.problem.part(rows)
        preparation = preparation_of(training)
        if preparation.notes:  # the columns are others than the presorted ones
            judges = _prepared_validation(validation, preparation)
            arrays = grown_arrays(prepared(training, preparation), growth, None, judges, compiled)
            prepare: Callable[[Problem], Problem] = partial(prepared, preparation=preparation)
        else:
            arrays = grown_arrays(training, growth, presorted_part(listing, rows, training), validation, compiled)
            prepare = _unchanged
        done = report(number + 1)
        if done is not None:
            done(1, 1)
        return arrays, prepare

    return grow_fold


def _prepared_validation(validation: Validation | None, preparation: Preparation) -> Validation | None:
    if validation is None:
        return None
    return evolve(validation, columns=prepared_columns(validation.columns, preparation))


def _unchanged(problem: Problem) -> Problem:
    return problem


def _progress_of_part(progress: Progress | None, n_rows: int, n_parts: int) -> Callable[[int], Progress | None]:
    """Return the function that gives the progress callback of each of several growths of equal work."""
    if progress is None:
        return lambda part: None
    return lambda part: lambda done, total: progress(round((part + done / total) * n_rows), n_parts * n_rows)
