"""The time that compiled kernels save in growing trees, against which the cost of loading or compiling them is set."""

from math import log2

from treerules._internal.jit import GROWTH, is_used
from treerules.growing.kernel_refusals import kernel_refusal
from treerules.growing.levelwise.level_growth import level_refusal
from treerules.growing.problem import Problem
from treerules.recipes.recipe import Recipe

#: The CPU seconds that kernels save per cell (a row's value of a feature) and level of a tree: where numpy grows it
#: level by level, and where the reference grows it node by node. Measured on tables of 30,000 to 1,000,000 rows.
_SAVED_BY_LEVELS, _SAVED_BY_NODES = 2.5e-8, 3e-7


def seconds_saved(problem: Problem, recipe: Recipe, n_trees: int = 1) -> float:
    """Return the CPU seconds that loaded kernels save in growing so many trees of about this size: an estimate."""
    n_rows = len(problem.target)
    n_levels = log2(n_rows + 1)
    if recipe.max_depth is not None:
        n_levels = min(n_levels, recipe.max_depth + 1)
    rate = _SAVED_BY_LEVELS if level_refusal(problem, recipe, None) is None else _SAVED_BY_NODES
    return rate * n_levels * n_rows * len(problem.columns) * n_trees


def kernels_wanted(problem: Problem, recipe: Recipe, n_trees: int) -> bool | None:
    """Return True where kernels save more time in growing so many trees than they cost, else None.

    It is the argument `compiled` of each growth: a single tree may be too small for the choice that all together make.
    """
    saved = seconds_saved(problem, recipe, n_trees)
    is_grown = kernel_refusal(problem, recipe, None) is None
    return True if is_grown and is_used(GROWTH, saved) else None
