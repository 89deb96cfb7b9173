"""The grower in numpy alone, as a record."""

from treerules.growing.array_tree import ArrayTree
from treerules.growing.levelwise.level_growth import grown_by_levels, level_refusal
from treerules.growing.task import Grower, GrowthTask

#: Trees of fewer rows are grown node by node: levels would have too few nodes to be worth their calls.
LEAST_ROWS = 64


def refusal(task: GrowthTask) -> str | None:
    """Return why a tree is not grown level by level."""
    if len(task.problem.target) < LEAST_ROWS:
        return f"there are fewer than {LEAST_ROWS} rows"
    return level_refusal(task.problem, task.recipe, task.validation)


def grow(task: GrowthTask) -> ArrayTree:
    """Return the tree as arrays."""
    return grown_by_levels(task.problem, task.recipe, task.context(), task.progress)


LEVELWISE = Grower("levelwise", refusal, grow, makes_arrays=True)
