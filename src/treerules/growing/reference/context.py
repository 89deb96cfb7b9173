"""The context of the reference grower: data that are the same for all nodes of a tree."""

import numpy as np

from treerules.growing.encoding import encode_problem
from treerules.growing.problem import Problem
from treerules.growing.reference.decide import GrowthContext
from treerules.growing.validation import Validation
from treerules.recipes.recipe import Recipe


def growth_context(problem: Problem, recipe: Recipe, validation: Validation | None) -> GrowthContext:
    """Return the encoded problem, the order of ties, monotone directions and work arrays."""
    n_rows, indices = len(problem.target), problem.schema.indices
    preferred = [indices[name] for name in recipe.prefer if name in indices]
    features = [*preferred, *(index for index in range(len(indices)) if index not in preferred)]
    tie_order = [0] * len(features)
    for position, index in enumerate(features):
        tie_order[index] = position
    directions = {indices[name]: sign for name, sign in recipe.monotone if name in indices} or None
    child_of_row = np.zeros(n_rows, dtype=np.int8 if recipe.is_binary else np.int32)
    weight_of_row = np.zeros(n_rows) if recipe.missing == "fraction" else np.empty(0)
    share_of_row = np.zeros(n_rows) if problem.counts_rows else None
    return GrowthContext(
        encode_problem(problem, recipe),
        problem.schema,
        recipe,
        validation,
        tie_order,
        directions,
        child_of_row,
        weight_of_row,
        share_of_row,
    )
