"""What the reference decides by: the encoded problem, the order of ties, directions, and arrays to work in."""

import numpy as np

from treerules.growing.encoding import encoded
from treerules.growing.problem import Problem
from treerules.growing.reference.decide import GrowthContext
from treerules.growing.validation import Validation
from treerules.recipes.recipe import Recipe


def growth_context(problem: Problem, recipe: Recipe, validation: Validation | None) -> GrowthContext:
    """Return what stays the same from node to node while a recipe grows a tree of a problem."""
    n_rows, indices = len(problem.target), problem.schema.indices
    preferred = [indices[name] for name in recipe.prefer if name in indices]
    order = [*preferred, *(index for index in range(len(indices)) if index not in preferred)]
    first = [0] * len(order)
    for place, index in enumerate(order):
        first[index] = place
    directions = {indices[name]: sign for name, sign in recipe.monotone if name in indices} or None
    child = np.zeros(n_rows, dtype=np.int8 if recipe.is_binary else np.int32)
    weight = np.zeros(n_rows) if recipe.missing == "fraction" else np.empty(0)
    return GrowthContext(encoded(problem, recipe), problem.schema, recipe, validation, first, directions, child, weight)
