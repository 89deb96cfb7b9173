"""The readable grower: one node at a time, whatever a recipe asks for. It defines the tree that all others give."""

from collections.abc import Callable
from typing import Any

import numpy as np

from treerules.growing.reference.decide import Choice, Seed
from treerules.growing.reference.leaves import UNBOUNDED
from treerules.growing.reference.row_partition import divided
from treerules.growing.reference.split_tests import n_children
from treerules.growing.task import Grower, GrowthTask
from treerules.trees.nodes import garbage_uncollected
from treerules.trees.tree import Leaf, Node, unfold


def refusal(task: GrowthTask) -> str | None:
    """Return None: the reference grows every tree."""
    return None


def grow_node_by_node(task: GrowthTask) -> Node:
    """Return the root of a tree: one unfold, whose step makes a node of the rows that reach it."""
    problem, recipe, progress, validation = task.problem, task.recipe, task.progress, task.validation
    grower = task.context()
    data = grower.data
    total = float(len(problem.target)) if problem.weights is None else float(problem.weights.sum())
    settled, n_leaves, n_rows = 0.0, 1, len(problem.target)

    def stop(leaf: Leaf) -> Leaf:
        nonlocal settled
        settled += leaf.n
        if progress is not None:
            progress(round(settled / total * n_rows), n_rows)
        return leaf

    def step(seed: Seed) -> Leaf | tuple[Callable[[tuple[Node, ...]], Node], list[Seed]]:
        nonlocal n_leaves
        choice = choices.pop(id(seed), None) or grower.choice(seed)
        if choice.split is None or choice.test is None:
            return stop(choice.leaf)
        more = n_children(choice.split, choice.test) - 1
        if recipe.max_leaves is not None and n_leaves + more > recipe.max_leaves:
            return stop(choice.leaf)
        n_leaves += more
        return divided(grower, seed, choice)

    choices: dict[int, Choice] = {}  # of the seeds that wait

    def most_first(seed: Seed) -> Any:
        choice = choices[id(seed)] = grower.choice(seed)
        return -choice.decrease

    start = np.arange(n_rows, dtype=np.int32)
    judges = None if validation is None else np.arange(len(validation.target))
    with garbage_uncollected():
        priority = None if recipe.max_leaves is None else most_first
        seed = Seed(start, data.presorted, data.weights, 0, None, UNBOUNDED, judges)
        return unfold(seed, step, priority=priority)


REFERENCE = Grower("reference", refusal, grow_node_by_node)
