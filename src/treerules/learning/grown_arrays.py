"""A tree that is grown as arrays, without its nodes where a grower makes none."""

from typing import Any

from treerules.growing.growers import grow, grow_array_tree
from treerules.growing.problem import Problem
from treerules.growing.validation import Validation
from treerules.learning.array_tree_arrays import arrays_of_array_tree
from treerules.learning.problem_arrays import arrays_of_problem
from treerules.recipes.recipe import Recipe
from treerules.trees.tree_arrays import TreeArrays


def grown_arrays(
    problem: Problem,
    recipe: Recipe,
    listing: Any = None,
    validation: Validation | None = None,
    compiled: bool | None = None,
) -> TreeArrays:
    """Return the arrays of the tree that a recipe grows; presorted columns, if any, are overwritten.

    Raises:
        DataError: squared errors of the size of the root's exceed the range of floats.
    """
    array_tree = None
    if validation is None:
        array_tree = grow_array_tree(problem, recipe, compiled=compiled, presorted=listing)
    if array_tree is None:
        return arrays_of_problem(grow(problem, recipe, validation=validation, compiled=compiled), problem)
    return arrays_of_array_tree(array_tree, problem, recipe)
