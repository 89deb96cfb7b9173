"""The grower that uses compiled kernels; numba is loaded when it grows a tree, not before."""

from typing import cast

from treerules._internal.jit import GROWTH, PARALLEL_GROWTH, is_used, load_kernels
from treerules.growing.array_tree import ArrayTree
from treerules.growing.kernel_choice import seconds_saved
from treerules.growing.kernel_refusals import kernel_refusal
from treerules.growing.task import Grower, GrowthTask


def _unused(task: GrowthTask) -> str:
    """Return why kernels that support a tree are not used."""
    if task.compiled is None:  # finding out whether numba is installed would load it
        return "kernels would save less time than loading or compiling them takes, or numba is not installed"
    return "numba is not installed" if task.compiled else "compiled=False is asked for"


def refusal(task: GrowthTask) -> str | None:
    """Return why the kernels do not grow a tree; None where they do."""
    reason = kernel_refusal(task.problem, task.recipe, task.validation)
    if reason is not None or task.presorted is not None:
        return reason
    saved = 0.0 if task.compiled is not None else seconds_saved(task.problem, task.recipe)
    return None if is_used(GROWTH, saved, task.compiled) else _unused(task)


def grow_compiled(task: GrowthTask) -> ArrayTree:
    """Return the tree as arrays, grown on one thread or several."""
    arguments = task.problem, task.recipe, task.context, task.progress
    if task.threads > 1 and task.presorted is None:
        return cast(ArrayTree, load_kernels(PARALLEL_GROWTH).grow_in_parallel(*arguments, task.threads))
    return cast(ArrayTree, load_kernels(GROWTH).grow_with_kernels(*arguments, task.presorted))


COMPILED = Grower("compiled", refusal, grow_compiled, makes_arrays=True)
