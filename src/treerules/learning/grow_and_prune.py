"""Growth of a tree by a recipe, and pruning if the recipe has a confidence."""

from typing import Any

from treerules._internal.paused_gc import paused_gc
from treerules.data.table import Table
from treerules.growing.column_preparation import preparation_of, unseen_as_missing
from treerules.growing.growers import grow
from treerules.growing.problem import Problem
from treerules.growing.task import Progress
from treerules.growing.validation import validation_from_table
from treerules.learning.chosen_penalty import grow_with_chosen_penalty
from treerules.learning.fold_columns import FoldColumns
from treerules.learning.folds import Folds
from treerules.learning.greedy_tree import no_worse_than_greedy
from treerules.learning.grow_and_choose import grow_and_choose
from treerules.pruning.subtree_raising import prune_with_rows
from treerules.recipes.recipe import Recipe
from treerules.trees.provenance import Origin, hash_of
from treerules.trees.training_values import training_values_of
from treerules.trees.tree import Tree

_NO_COLUMNS = FoldColumns()


@paused_gc()  # collections would scan all nodes: a fifth of the time of learning a large regression tree
def fit(
    problem: Problem,
    recipe: Recipe,
    progress: Progress | None = None,
    validation: Table | None = None,
    weight: Any = None,
    compiled: bool | None = None,
    threads: int = 1,
    table: Table | None = None,
    fold_columns: FoldColumns = _NO_COLUMNS,
) -> Tree:
    """Return the tree that a recipe learns from a problem, with its origin; `weight` is the argument of `learn`.

    `table` is the table of the problem; it is needed where `fold_columns` names a column.
    """
    judges = None if validation is None else validation_from_table(validation, problem.schema, weight, problem.weighing)
    folds = None if table is None else fold_columns.folds(table, problem, recipe)
    tree = unseen_as_missing(grow_and_prune(problem, recipe, progress, judges, compiled, threads, folds))
    origin = Origin(
        data=hash_of(problem.columns, problem.target, problem.weights),
        n_rows=len(problem.target),
        weight=weight if weight is None or isinstance(weight, str) else "",
        validation=None if judges is None else hash_of(judges.columns, judges.target, judges.weights),
        groups=fold_columns.groups,
        time=fold_columns.time,
        target_step=problem.target_step,
        values=training_values_of(problem.columns, _joined_columns(problem, recipe)),
    )
    return tree._with_origin(origin)


def _joined_columns(problem: Problem, recipe: Recipe) -> tuple[str, ...]:
    """Return the names of the columns of which a recipe joins categories that occur in the rows."""
    is_prepared = recipe.size_choice is not None and recipe.optimal_search is None
    return preparation_of(problem).joined_columns if is_prepared else ()


def grow_and_prune(
    problem: Problem,
    recipe: Recipe,
    progress: Progress | None = None,
    judges: Any = None,
    compiled: bool | None = None,
    threads: int = 1,
    folds: Folds | None = None,
) -> Tree:
    """Return the tree that a recipe grows, pruned if the recipe has a confidence or a choice of the size.

    `folds` are those by which the size is chosen; None deals them.
    """
    if recipe.size_choice is not None and recipe.optimal_search is not None:
        return grow_with_chosen_penalty(problem, recipe, progress, judges, compiled, folds)
    if recipe.size_choice is not None:
        return grow_and_choose(problem, recipe, progress, judges, compiled, threads, folds)
    tree = grow(problem, recipe, progress, judges, compiled, threads)
    if recipe.optimal_search is not None:
        return no_worse_than_greedy(tree, problem)
    if recipe.confidence is None:
        return tree

    return prune_with_rows(tree, problem, confidence=recipe.confidence)
