"""The growers that use compiled kernels; numba is loaded when one of them grows a tree, not before."""

from typing import cast

from treerules._internal.jit import GROWTH, MULTIWAY_GROWTH, PARALLEL_GROWTH, is_used, load_kernels
from treerules.growing.array_tree import ArrayTree
from treerules.growing.kernel_choice import main_kernel, seconds_saved
from treerules.growing.kernel_refusals import kernel_refusal, multiway_refusal
from treerules.growing.task import Grower, GrowthTask
from treerules.trees.nodes import Node


def unused(task: GrowthTask) -> str:
    """Return why kernels that support a tree are not used."""
    if task.compiled is None:  # finding out whether numba is installed would load it
        return "kernels would save less time than loading or compiling them takes, or numba is not installed"
    return "numba is not installed" if task.compiled else "compiled=False is asked for"


def refusal(task: GrowthTask) -> str | None:
    """Return why the kernels for binary splits do not grow a tree; None where they do."""
    reason = kernel_refusal(task.problem, task.recipe, task.validation)
    if reason is not None or task.presorted is not None:
        return reason
    saved = 0.0 if task.compiled is not None else seconds_saved(task.problem, task.recipe)
    return None if is_used(GROWTH, saved, task.compiled, main_kernel(task.problem)) else unused(task)


def parallel_refusal(task: GrowthTask) -> str | None:
    """Return why the kernels do not grow a tree on several threads; None where they do."""
    return "one thread is asked for" if task.threads == 1 else refusal(task)


def multiway_grower_refusal(task: GrowthTask) -> str | None:
    """Return why the kernels for multiway splits do not grow a tree; None where they do."""
    reason = multiway_refusal(task.problem, task.recipe, task.validation)
    if reason is not None:
        return reason
    saved = 0.0 if task.compiled is not None else seconds_saved(task.problem, task.recipe)
    return None if is_used(MULTIWAY_GROWTH, saved, task.compiled) else unused(task)


def grow_compiled(task: GrowthTask) -> ArrayTree:
    """Return the tree as arrays."""
    tree = load_kernels(GROWTH).grow_with_kernels(
        task.problem, task.recipe, task.context, task.progress, task.presorted
    )
    return cast(ArrayTree, tree)


def grow_compiled_parallel(task: GrowthTask) -> ArrayTree:
    """Return the tree as arrays, grown on several threads."""
    tree = load_kernels(PARALLEL_GROWTH).grow_in_parallel(
        task.problem, task.recipe, task.context, task.threads, task.progress
    )
    return cast(ArrayTree, tree)


def grow_compiled_multiway(task: GrowthTask) -> Node:
    """Return the root of a tree with one child per category."""
    return cast(
        Node, load_kernels(MULTIWAY_GROWTH).grow_multiway_tree(task.problem, task.recipe, task.context, task.progress)
    )


PARALLEL = Grower("compiled_parallel", parallel_refusal, grow_compiled_parallel, makes_arrays=True)
COMPILED = Grower("compiled", refusal, grow_compiled, makes_arrays=True)
MULTIWAY = Grower("compiled_multiway", multiway_grower_refusal, grow_compiled_multiway)
