"""The grower of most trees that the loops for plain counts and means refuse."""

from typing import cast

from treerules._internal.jit import GENERAL_GROWTH, is_used, load_kernels
from treerules.growing.array_tree import ArrayTree
from treerules.growing.compiled.grower import unused
from treerules.growing.kernel_choice import seconds_saved
from treerules.growing.kernel_refusals import general_refusal
from treerules.growing.task import Grower, GrowthTask


def refusal(task: GrowthTask) -> str | None:
    """Return why the general kernels do not grow a tree; None where they do."""
    reason = general_refusal(task.problem, task.recipe, task.validation)
    if reason is not None:
        return reason
    saved = 0.0 if task.compiled is not None else seconds_saved(task.problem, task.recipe)
    return None if is_used(GENERAL_GROWTH, saved, task.compiled) else unused(task)


def grow_general(task: GrowthTask) -> ArrayTree:
    """Return the tree as arrays."""
    tree = load_kernels(GENERAL_GROWTH).grow_generally(task.problem, task.recipe, task.context, task.progress)
    return cast(ArrayTree, tree)


GENERAL = Grower("compiled_general", refusal, grow_general, makes_arrays=True)
