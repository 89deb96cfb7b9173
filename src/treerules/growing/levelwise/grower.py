"""The level-wise grower, with numpy alone."""

from treerules.growing.array_tree import ArrayTree
from treerules.growing.levelwise.level_growth import grow_by_levels, level_refusal
from treerules.growing.task import Grower, GrowthTask

#: Problems of fewer rows are grown node by node: a level would have too few nodes to pay for its numpy calls.
LEAST_ROWS = 64


def refusal(task: GrowthTask) -> str | None:
    """Return why a tree is not grown level by level; None where it can be."""
    if len(task.problem.target) < LEAST_ROWS:
        return f"there are fewer than {LEAST_ROWS} rows"
    return level_refusal(task.problem, task.recipe, task.validation)


def grow_levelwise(task: GrowthTask) -> ArrayTree:
    """Return the tree as arrays."""
    return grow_by_levels(task.problem, task.recipe, task.context(), task.progress)


LEVELWISE = Grower("levelwise", refusal, grow_levelwise, makes_arrays=True)
