"""Growth of a tree with the kernels: depth first, or best first where the number of leaves is bounded."""

from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from typing import Any, cast

from attrs import field, frozen

from treerules.growing.array_tree import ArrayTree
from treerules.growing.compiled.columns import KernelColumns, kernel_columns
from treerules.growing.compiled.finished_tree import to_array_tree
from treerules.growing.compiled.growth import Growth, start_growth, with_larger_pool
from treerules.growing.compiled.loop_state import DONE, FULL, NEEDS_BOUNDS, NEEDS_REFERENCE, NODE, START, STOP
from treerules.growing.compiled.node_loop import grow_nodes
from treerules.growing.compiled.node_search import ENDS_AFTER_SEARCH, IS_LEAF, IS_OPEN, N_SIDES, N_WAITING, WINNER
from treerules.growing.compiled.reference_decisions import decision_at, divide_by
from treerules.growing.problem import Problem
from treerules.growing.reference.decide import GrowthContext, SplitDecision
from treerules.growing.reference.node_data import Candidate
from treerules.growing.reference.split_tests import n_children_of
from treerules.recipes.recipe import Recipe
from treerules.trees.node_parts import Test

#: The number of cells that a kernel searches, in about 0.1 s, before it returns for Python to handle signals.
_CELLS = 20_000_000


def grow_with_kernels(
    problem: Problem,
    recipe: Recipe,
    reference: Callable[[], GrowthContext],
    progress: Any = None,
    columns: KernelColumns | None = None,
) -> ArrayTree:
    """Return the tree that the kernels grow, as arrays.

    Args:
        problem: The learning problem; `kernel_refusal` must be None.
        recipe: The recipe.
        reference: Returns the context of the reference.
        progress: Called as progress(rows in leaves, all rows).
        columns: The columns of the problem as lists and codes, which are overwritten; None: they are made here.
    """
    growth = start_growth(problem, recipe, reference, columns or kernel_columns(problem, recipe))
    grown = _grow_depth_first if recipe.max_leaves is None else _grow_best_first
    return to_array_tree(grown(growth, progress or (lambda done, all_rows: None)))


def _grow_depth_first(growth: Growth, progress: Any) -> Growth:
    """Split the node on top of the stack until none waits, and return the growth."""
    n = len(growth.problem.target)
    while (status := int(grow_nodes(*growth.kernel_arguments, _CELLS))) != DONE:
        if status in (NEEDS_REFERENCE, NEEDS_BOUNDS):
            top = int(growth.loop.counters[N_WAITING]) - 1
            divide_by(growth, decision_at(growth, top, 0 if status == NEEDS_BOUNDS else IS_OPEN))
        elif status == FULL:
            growth = with_larger_pool(growth)
        waiting = growth.loop.stack[: growth.loop.counters[N_WAITING]]
        progress(n - int((waiting[:, STOP] - waiting[:, START]).sum()), n)
    progress(n, n)
    return growth


@frozen(order=True)
class _OpenNode:
    """A searched node of best-first growth: the one of greatest decrease is split first, of equal ones the oldest."""

    priority: Any
    node: int
    position: Any = field(order=False)
    varies: Any = field(order=False)
    decision: SplitDecision = field(order=False)


def _grow_best_first(growth: Growth, progress: Any) -> Growth:
    """Split the node that decreases the impurity most, while the number of leaves allows it, and return the growth."""
    loop, recipe, n = growth.loop, growth.recipe, len(growth.problem.target)
    waiting: list[_OpenNode] = []
    n_leaves = 1
    while True:
        for open_node in _searched(growth):
            heappush(waiting, open_node)
        if not waiting:
            progress(n, n)
            return growth
        chosen = heappop(waiting)
        candidate, test = chosen.decision.candidate, chosen.decision.test
        n_more = n_children_of(cast(Candidate, candidate), cast(Test, test)) - 1
        if n_leaves + n_more > cast(int, recipe.max_leaves):
            continue
        n_leaves += n_more
        if loop.counters[N_SIDES] + growth.search.sides.shape[1] > len(loop.side_pool):
            growth = with_larger_pool(growth)
            loop = growth.loop
        loop.stack[0], loop.varies[0], loop.counters[N_WAITING] = chosen.position, chosen.varies, 1
        divide_by(growth, chosen.decision)


def _searched(growth: Growth) -> Iterator[_OpenNode]:
    """Search the nodes on the stack, take them from it, and yield those that have a split."""
    loop, n_waiting = growth.loop, int(growth.loop.counters[N_WAITING])
    loop.counters[ENDS_AFTER_SEARCH] = 1
    for position in range(n_waiting):
        loop.counters[N_WAITING] = position + 1
        grow_nodes(*growth.kernel_arguments, _CELLS)
        winner = int(loop.counters[WINNER])
        if winner == IS_LEAF:
            continue
        decision = decision_at(growth, position, winner)
        if decision.candidate is not None:
            line = loop.stack[position].copy()
            yield _OpenNode(-decision.decrease, int(line[NODE]), line, loop.varies[position].copy(), decision)
    loop.counters[N_WAITING] = 0
