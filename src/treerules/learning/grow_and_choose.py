"""Growth of a tree whose size is chosen by cross-validation."""

from collections.abc import Callable
from typing import Any

from attrs import evolve

from treerules.growing.growers import grow
from treerules.growing.problem import Problem
from treerules.growing.task import Progress
from treerules.growing.validation import Validation
from treerules.learning.chosen_size import choose_size
from treerules.learning.folds import Folds, dealt_folds
from treerules.learning.grown_arrays import grown_arrays
from treerules.learning.problem_arrays import arrays_of_problem
from treerules.learning.shared_presort import presort_for_folds, presorted_part
from treerules.learning.subtree_losses import fold_trees
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
    growth = growth_recipe(recipe, problem.schema.is_regression)
    folds = folds or dealt_folds(problem, choice.folds)
    report = _progress_of_part(progress, len(problem.target), folds.n + 1)
    tree = evolve(grow(problem, growth, report(0), validation, compiled, threads), recipe=recipe)
    if folds.n < 2 and not folds.is_in_time:
        return tree

    listing = presort_for_folds(folds.problem, growth, folds.n, {})

    def grow_fold(number: int, rows: Any) -> tuple[TreeArrays, Callable[[Problem], Problem]]:
        arrays = grown_arrays(folds.problem.part(rows), growth, presorted_part(listing, rows), validation, compiled)
        if progress is not None:
            report(number + 1)(len(problem.target), len(problem.target))
        return arrays, lambda rest: rest

    arrays = arrays_of_problem(tree, problem)
    chosen = choose_size(arrays, problem, list(fold_trees(folds, grow_fold)), choice, folds.n)
    root = collapse_nodes(tree.root, chosen.collapsed)
    return Tree._unchecked(tree.schema, root, recipe, tree.notes, estimate=chosen.estimate)


def _progress_of_part(progress: Progress | None, n_rows: int, n_parts: int) -> Callable[[int], Any]:
    """Return the function that gives the progress callback of one of several growths of equal work."""
    if progress is None:
        return lambda part: None
    return lambda part: lambda done, total: progress(part * n_rows + done, n_parts * n_rows)
