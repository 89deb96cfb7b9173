"""The tree that every grower must give: grown node by node by the reference."""

from typing import Any

import numpy as np

from treerules import Recipe, Tree
from treerules.growing.encoding import encode_problem
from treerules.growing.problem import Problem
from treerules.growing.reference.context import growth_context
from treerules.growing.reference.decide import PendingNode
from treerules.growing.reference.leaves import UNBOUNDED
from treerules.growing.reference.row_partition import partition_rows
from treerules.trees.walkers import unfold


def reference(problem: Problem, recipe: Recipe) -> Tree:
    """Return the tree grown node by node, for a recipe without `max_leaves`."""
    data = encode_problem(problem, recipe)
    context = growth_context(problem, recipe, None)

    def step(pending: PendingNode) -> Any:
        decision = context.decide(pending)
        return decision.leaf if decision.candidate is None else partition_rows(context, pending, decision)

    rows = np.arange(len(problem.target), dtype=np.int32)
    root = unfold(PendingNode(rows, data.presorted, None, 0, None, UNBOUNDED), step)
    return Tree(problem.schema, root, recipe, problem.notes)
