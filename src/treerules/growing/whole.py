"""A recipe from beginning to end: grow, and prune where the recipe says so; with the tree's origin."""

from typing import Any

import numpy as np

from treerules.data.casting import aligned
from treerules.data.column import all_taken, known_alone, taken
from treerules.data.sample_weights import case_weights
from treerules.data.schema import UNSEEN
from treerules.data.table import Table
from treerules.errors import ColumnError, DataError, counted
from treerules.growing.growers import Progress, grow
from treerules.growing.problem import Problem, posed
from treerules.growing.validation import validation_of
from treerules.pruning.subtree_raising import pruned_with_rows
from treerules.recipes.recipe import Recipe
from treerules.trees.provenance import Origin, hash_of
from treerules.trees.tree import Tree


def learned(
    problem: Problem,
    recipe: Recipe,
    progress: Progress | None = None,
    validation: Table | None = None,
    weight: Any = None,
    compiled: bool | None = None,
    threads: int = 1,
) -> Tree:
    """Return the tree that a recipe makes of a problem; `weight` is what the problem's weights came from."""
    judges = None if validation is None else validation_of(validation, problem.schema, weight, problem.weighing)
    tree = made(problem, recipe, progress, judges, compiled, threads)
    origin = Origin(
        data=hash_of(problem.columns, problem.target, problem.weights),
        n_rows=len(problem.target),
        weight=weight if weight is None or isinstance(weight, str) else "",
        validation=None if judges is None else hash_of(judges.columns, judges.target, judges.weights),
    )
    object.__setattr__(tree, "origin", origin)  # nobody else has the tree yet; `evolve` would check every node again
    return tree


def made(
    problem: Problem,
    recipe: Recipe,
    progress: Progress | None = None,
    judges: Any = None,
    compiled: bool | None = None,
    threads: int = 1,
) -> Tree:
    """Return the tree that a recipe grows, and prunes where it has a confidence."""
    tree = grow(problem, recipe, progress, judges, compiled, threads)
    if recipe.confidence is None:
        return tree

    return pruned_with_rows(tree, problem, confidence=recipe.confidence)


def problem_again(tree: Tree, table: Table, weight: Any) -> Problem:
    """Return the problem that a table poses with the features and the target of a tree."""
    schema, goal = tree.schema, tree.schema.target
    assert goal is not None
    weights = None if weight is None else case_weights(table, weight)
    target = aligned(goal, table.column(goal.name))
    if target.n_missing == len(target.data):
        raise DataError(f"the table has no row with a value of {goal.name!r}", "give some")
    rows = np.flatnonzero(~target.missing) if target.n_missing else None
    target = taken(target, rows)
    if not schema.is_regression and (target.data == UNSEEN).any():
        n = int((target.data == UNSEEN).sum())
        raise ColumnError(goal.name, f"{counted(n, 'row')} of classes that the tree does not know", "learn it anew")
    columns = all_taken([aligned(feature, table.column(feature.name)) for feature in schema.features], rows)
    columns = tuple(map(known_alone, columns))
    values = target.data.astype(np.float64 if schema.is_regression else np.int64)
    weights = weights if weights is None or rows is None else weights[rows]
    return posed(schema, columns, values, weights, tree.recipe, rows, table.notes)
