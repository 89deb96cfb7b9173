"""The growers of compiled kernels, as records: numba is loaded when one of them grows a tree, not before."""

from typing import cast

from treerules._internal.jit import GROWTH, MULTIWAY_GROWTH, PARALLEL_GROWTH, is_used, load_kernels
from treerules.growing.array_tree import ArrayTree
from treerules.growing.kernel_refusals import kernel_refusal, multiway_refusal
from treerules.growing.task import Grower, GrowthTask
from treerules.trees.nodes import Node


def _unused(task: GrowthTask) -> str:
    """Return why kernels that could grow a tree are not used."""
    if task.compiled is None:  # asking whether numba is installed would load it
        return "the table is small and numba is not loaded, or numba is not installed"
    return "numba is not installed" if task.compiled else "compiled=False is asked for"


def refusal(task: GrowthTask) -> str | None:
    """Return why the kernels for splits in two do not grow a tree."""
    reason = kernel_refusal(task.problem, task.recipe, task.validation)
    if reason is not None or task.presorted is not None:
        return reason
    return None if is_used(GROWTH, task.n_cells, task.compiled) else _unused(task)


def parallel_refusal(task: GrowthTask) -> str | None:
    """Return why the kernels do not grow a tree on several threads."""
    return "one thread is asked for" if task.threads == 1 else refusal(task)


def multiway_use_refusal(task: GrowthTask) -> str | None:
    """Return why the kernels for many children do not grow a tree."""
    reason = multiway_refusal(task.problem, task.recipe, task.validation)
    if reason is not None:
        return reason
    return None if is_used(MULTIWAY_GROWTH, task.n_cells, task.compiled) else _unused(task)


def grow(task: GrowthTask) -> ArrayTree:
    """Return the tree as arrays."""
    grown = load_kernels(GROWTH).grown(task.problem, task.recipe, task.context, task.progress, task.presorted)
    return cast(ArrayTree, grown)


def grow_parallel(task: GrowthTask) -> ArrayTree:
    """Return the tree as arrays, grown on several threads."""
    grown = load_kernels(PARALLEL_GROWTH).grown_by_team(
        task.problem, task.recipe, task.context, task.threads, task.progress
    )
    return cast(ArrayTree, grown)


def grow_multiway(task: GrowthTask) -> Node:
    """Return the root of a tree of a child for each category."""
    return cast(
        Node, load_kernels(MULTIWAY_GROWTH).grown_multiway(task.problem, task.recipe, task.context, task.progress)
    )


PARALLEL = Grower("compiled_parallel", parallel_refusal, grow_parallel, makes_arrays=True)
COMPILED = Grower("compiled", refusal, grow, makes_arrays=True)
MULTIWAY = Grower("compiled_multiway", multiway_use_refusal, grow_multiway)
