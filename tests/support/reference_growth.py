"""The definition of growth: node by node, each decided by the readable reference; all else must give its trees."""

from typing import Any

import numpy as np

from treerules import Recipe, Tree
from treerules.growing.encoding import encoded
from treerules.growing.problem import Problem
from treerules.growing.reference.context import growth_context
from treerules.growing.reference.decide import Seed
from treerules.growing.reference.leaves import UNBOUNDED
from treerules.growing.reference.row_partition import divided
from treerules.trees.tree import unfold


def reference(problem: Problem, recipe: Recipe) -> Tree:
    """Return the tree that is grown node by node; of a recipe without a bound on leaves."""
    data = encoded(problem, recipe)
    grower = growth_context(problem, recipe, None)

    def step(seed: Seed) -> Any:
        choice = grower.choice(seed)
        return choice.leaf if choice.split is None else divided(grower, seed, choice)

    rows = np.arange(len(problem.target), dtype=np.int32)
    root = unfold(Seed(rows, data.presorted, None, 0, None, UNBOUNDED), step)
    return Tree(problem.schema, root, recipe, problem.notes)
