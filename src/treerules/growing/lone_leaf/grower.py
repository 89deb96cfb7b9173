"""The grower of classifications whose root is not split, as a record: the counts of the classes are the tree."""

import numpy as np

from treerules.growing.array_tree import LEAF, Flat
from treerules.growing.refusals import common_reasons, first_of
from treerules.growing.task import Grower, GrowthTask


def refusal(task: GrowthTask) -> str | None:
    """Return why a tree may be more than a leaf, or its leaf more than the counts of its rows."""
    return first_of(
        [
            *common_reasons(task.problem, task.recipe, task.validation),
            (task.problem.weighing is None, "the target is a number, whose mean the reference finds"),
            (not _is_closed(task), "the root may be split"),
        ]
    )


def _is_closed(task: GrowthTask) -> bool:
    """Return whether the recipe stops at the root: by its depth, by its one class, or by its rows."""
    target, recipe = task.problem.target, task.recipe
    is_pure = bool(target[0] == target[-1])  # rows stand in the order of the target
    return recipe.max_depth == 0 or is_pure or len(target) < recipe.least_to_split


def grow(task: GrowthTask) -> Flat:
    """Return the leaf as arrays of one row."""
    target = task.problem.target
    counts = np.bincount(target, minlength=len(task.problem.schema.classes))
    if task.progress is not None:
        task.progress(len(target), len(target))
    kind, to = np.array([LEAF], dtype=np.int8), np.zeros(1, dtype=np.int8)
    feature, place = np.zeros(1, dtype=np.int32), np.zeros(1, dtype=np.int64)
    return Flat(kind, feature, place, place, to, to, place, counts[None].astype(np.float64), [])


LONE_LEAF = Grower("lone_leaf", refusal, grow, makes_arrays=True)
