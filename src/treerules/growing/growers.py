"""The table of growers: the first that does not refuse a task grows the tree. They differ only in speed.

A recipe of `optimal()` has no grower: its tree is searched as a whole (`optimal.optimal_growth`).

compiled    numba kernels                           all but what `kernel_refusals` lists
levelwise   numpy, all nodes of a level at once     binary splits of plain counts and means
reference   numpy, one node at a time               everything
"""

from typing import Any, cast

from treerules.data.sample_weights import are_whole
from treerules.errors import OptionError
from treerules.growing.array_tree import ArrayTree
from treerules.growing.array_tree_nodes import to_nodes
from treerules.growing.compiled.grower import COMPILED
from treerules.growing.levelwise.grower import LEVELWISE
from treerules.growing.optimal.optimal_growth import grow_optimal
from treerules.growing.problem import Problem
from treerules.growing.reference.grower import REFERENCE
from treerules.growing.task import Grower, GrowthTask, Progress
from treerules.growing.validation import Validation
from treerules.recipes.recipe import Recipe
from treerules.trees.tree import Tree

#: In order of preference. A new grower is one more record before the reference, which refuses nothing.
GROWERS = (COMPILED, LEVELWISE, REFERENCE)


def grower_for(task: GrowthTask) -> Grower:
    """Return the first grower that does not refuse a task.

    Raises:
        OptionError: All growers refuse it; the error gives the reason of each.
    """
    reasons = {}
    for grower in GROWERS:
        reasons[grower.name] = reason = grower.refusal(task)
        if reason is None:
            return grower
    reasons_text = "; ".join(f"{name}: {reason}" for name, reason in reasons.items())
    raise OptionError("recipe", task.recipe, f"one that some grower supports ({reasons_text})")


def grow(
    problem: Problem,
    recipe: Recipe,
    progress: Progress | None = None,
    validation: Validation | None = None,
    compiled: bool | None = None,
    threads: int = 1,
) -> Tree:
    """Return the tree that a recipe learns from a problem; the arguments are the fields of a GrowthTask.

    Raises:
        OptionError: No grower supports the recipe.
    """
    if recipe.optimal_search is not None:
        return _search(problem, recipe, progress, validation, compiled)
    task = GrowthTask(problem, recipe, progress, validation, compiled, threads)
    result = grower_for(task).grow(task)
    root = to_nodes(result, problem, recipe) if isinstance(result, ArrayTree) else result
    return Tree._unchecked(problem.schema, root, recipe, problem.notes)


def _search(
    problem: Problem, recipe: Recipe, progress: Progress | None, validation: Validation | None, compiled: bool | None
) -> Tree:
    """Return the tree of least cost, which no grower grows."""
    if validation is not None:
        raise OptionError("validation", "a table", "None with optimal(): its tree is not grown split by split")
    return grow_optimal(problem, recipe, progress, compiled)


def grow_array_tree(
    problem: Problem, recipe: Recipe, *, compiled: bool | None = None, presorted: Any = None
) -> ArrayTree | None:
    """Return the binary tree of whole counts or means that `grow` makes, as arrays; None for others, made of nodes.

    Those of monotone features are others: their predictions have bounds.

    `presorted` are the presorted columns of the problem; growing overwrites them.
    """
    is_other = recipe.optimal_search is not None or not recipe.is_binary or bool(recipe.monotone)
    if is_other or not are_whole(problem.weights):
        return None
    task = GrowthTask(problem, recipe, compiled=compiled, presorted=presorted)
    grower = grower_for(task)
    return cast(ArrayTree, grower.grow(task)) if grower.makes_arrays else None
