"""The growers: the first that does not refuse a tree grows it. They differ in speed alone.

compiled_parallel   numba's kernels on several threads      splits in two
compiled            numba's kernels                         splits in two
levelwise           numpy, all nodes of a level at once     splits in two, without missing values
compiled_multiway   numba's kernels                         a child for each category
reference           one node at a time, readable            everything
"""

from typing import Any, cast

from treerules.errors import OptionError
from treerules.growing.array_tree import Flat, root_of
from treerules.growing.compiled.grower import COMPILED, MULTIWAY, PARALLEL
from treerules.growing.levelwise.grower import LEVELWISE
from treerules.growing.problem import Problem
from treerules.growing.reference.grower import REFERENCE
from treerules.growing.task import Grower, GrowthTask, Progress
from treerules.growing.validation import Validation
from treerules.recipes.recipe import Recipe
from treerules.trees.tree import Tree

#: A new grower is one more row, before the reference, which refuses nothing that can be grown.
GROWERS = (PARALLEL, COMPILED, LEVELWISE, MULTIWAY, REFERENCE)


def grower_for(task: GrowthTask) -> Grower:
    """Return the first grower that does not refuse a tree.

    Raises:
        OptionError: all refuse it; the error gives the reason of each.
    """
    reasons = {}
    for grower in GROWERS:
        reasons[grower.name] = reason = grower.refusal(task)
        if reason is None:
            return grower
    said = "; ".join(f"{name}: {reason}" for name, reason in reasons.items())
    raise OptionError("recipe", task.recipe, f"one that some grower supports ({said})")


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
        OptionError: no grower supports the recipe.
    """
    task = GrowthTask(problem, recipe, progress, validation, compiled, threads)
    grown = grower_for(task).grow(task)
    root = root_of(grown, problem) if isinstance(grown, Flat) else grown
    return Tree._of_known(problem.schema, root, recipe, problem.notes)


def grown_flat(problem: Problem, recipe: Recipe, *, compiled: bool | None = None, listing: Any = None) -> Flat | None:
    """Return the tree that `grow` makes as arrays; None where it is grown as nodes. A listing is used up."""
    task = GrowthTask(problem, recipe, compiled=compiled, listing=listing)
    grower = grower_for(task)
    return cast(Flat, grower.grow(task)) if grower.makes_arrays else None
