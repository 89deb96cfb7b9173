"""The reference grower: one node at a time, with every option of a recipe. All growers give the tree that it gives."""

from collections.abc import Callable
from typing import Any

import numpy as np

from treerules.growing.reference.decide import PendingNode, SplitDecision
from treerules.growing.reference.leaves import UNBOUNDED
from treerules.growing.reference.row_partition import partition_rows
from treerules.growing.reference.split_tests import n_children_of
from treerules.growing.task import Grower, GrowthTask
from treerules.trees.nodes import Leaf, Node
from treerules.trees.walkers import unfold


def refusal(task: GrowthTask) -> str | None:
    """Return None: the reference grows every tree."""
    return None


def grow_node_by_node(task: GrowthTask) -> Node:
    """Return the root of the tree: one `unfold`, depth first, or best first where the number of leaves is bounded."""
    problem, recipe, progress, validation = task.problem, task.recipe, task.progress, task.validation
    context = task.context()
    data = context.data
    total_weight = float(len(problem.target)) if problem.weights is None else float(problem.weights.sum())
    weight_in_leaves, n_leaves, n_rows = 0.0, 1, len(problem.target)

    def finish(leaf: Leaf) -> Leaf:
        nonlocal weight_in_leaves
        weight_in_leaves += leaf.n
        if progress is not None:
            progress(round(weight_in_leaves / total_weight * n_rows), n_rows)
        return leaf

    def grow_node(pending: PendingNode) -> Leaf | tuple[Callable[[tuple[Node, ...]], Node], list[PendingNode]]:
        nonlocal n_leaves
        decision = decisions.pop(id(pending), None) or context.decide(pending)
        if decision.candidate is None or decision.test is None:
            return finish(decision.leaf)
        n_more = n_children_of(decision.candidate, decision.test) - 1
        if recipe.max_leaves is not None and n_leaves + n_more > recipe.max_leaves:
            return finish(decision.leaf)
        n_leaves += n_more
        return partition_rows(context, pending, decision)

    decisions: dict[int, SplitDecision] = {}  # by id of the pending nodes of best-first growth

    def by_decrease(pending: PendingNode) -> Any:
        decision = decisions[id(pending)] = context.decide(pending)
        return -decision.decrease

    rows = np.arange(n_rows, dtype=np.int32)
    validation_rows = None if validation is None else np.arange(len(validation.target))
    priority = None if recipe.max_leaves is None else by_decrease
    pending = PendingNode(rows, data.presorted, data.weights, 0, None, UNBOUNDED, validation_rows)
    return unfold(pending, grow_node, priority=priority)


REFERENCE = Grower("reference", refusal, grow_node_by_node)
