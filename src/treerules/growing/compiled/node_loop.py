"""The growth loop: search the node on top of the stack, split it by the winner, until no node waits.

The smaller children of a split are searched first, so the stack stays short.
"""

from typing import Any

from treerules._internal.jit import kernel
from treerules.growing.array_tree import LEAF, MISSING_TEST
from treerules.growing.compiled.arithmetic import copy_into
from treerules.growing.compiled.candidates import FEATURE, KIND
from treerules.growing.compiled.loop_state import (
    DEPTH,
    DONE,
    FULL,
    NEEDS_BOUNDS,
    NEEDS_REFERENCE,
    NODE,
    NODE_CELLS,
    PAUSED,
    START,
    STOP,
)
from treerules.growing.compiled.node_division import count_rows, divide, is_leaf, mark_rows
from treerules.growing.compiled.node_search import (
    ENDS_AFTER_SEARCH,
    IS_LEAF,
    IS_OPEN,
    N_CELLS,
    N_NODES,
    N_SIDES,
    N_WAITING,
    WINNER,
    search_node,
)


@kernel
def begin_growth(scoring: Any, stopping: Any, nodes: Any, loop: Any, n: int) -> None:
    """Write the root, of n rows, and push it on the stack unless it is a leaf."""
    nodes.kind[0], nodes.start[0], nodes.stop[0], loop.counters[N_NODES] = LEAF, 0, n, 1
    count_rows(scoring, loop, nodes.statistics[0], 0, n)
    if not is_leaf(scoring, stopping, loop, nodes.statistics[0], 0, n, 0):
        loop.counters[N_WAITING] = 1
        loop.stack[0, NODE], loop.stack[0, START], loop.stack[0, STOP], loop.stack[0, DEPTH] = 0, 0, n, 0
        loop.varies[0] = 1


@kernel
def mark_node(lists: Any, codes: Any, search: Any, loop: Any, position: int) -> int:
    """Mark the child of each row of the node at a stack position by the first kept candidate; return their number."""
    return mark_rows(
        lists, codes, search, loop, search.kept[0], loop.stack[position, START], loop.stack[position, STOP]
    )


@kernel
def divide_node(
    scoring: Any, stopping: Any, lists: Any, codes: Any, bytes_of: Any, search: Any, nodes: Any, loop: Any,
    n_children: int,
) -> None:  # fmt: skip
    """Split the node on top of the stack, whose rows are marked, by the first kept candidate."""
    divide(scoring, stopping, lists, codes, bytes_of, search, nodes, loop, n_children)


@kernel
def grow_nodes(
    scoring: Any, stopping: Any, lists: Any, codes: Any, bytes_of: Any, arrays: Any, search: Any, nodes: Any, loop: Any,
    limit: int,
) -> int:  # fmt: skip
    """Grow until no node waits, `limit` cells were searched, or Python is needed; return how the loop ended."""
    counters = loop.counters
    counters[N_CELLS] = 0
    while counters[N_WAITING] > 0:
        if counters[N_CELLS] > limit:
            return PAUSED
        if not counters[ENDS_AFTER_SEARCH] and counters[N_SIDES] + search.sides.shape[1] > len(loop.side_pool):
            return FULL
        top = counters[N_WAITING] - 1
        counters[N_CELLS] += (loop.stack[top, STOP] - loop.stack[top, START]) * len(loop.storage) + NODE_CELLS
        index = search_node(scoring, stopping, lists, codes, bytes_of, arrays, search, nodes, loop, top)
        if counters[ENDS_AFTER_SEARCH]:
            counters[WINNER] = index
            return PAUSED
        if index == IS_OPEN:
            return NEEDS_REFERENCE
        if index == IS_LEAF:
            counters[N_WAITING] = top
            continue
        if index > 0:
            copy_into(search.kept[index], search.kept[0])
        is_cut = search.kept[0, KIND] != MISSING_TEST
        if scoring.has_directions and is_cut and scoring.directions[int(search.kept[0, FEATURE])] != 0:
            return NEEDS_BOUNDS
        start, stop = loop.stack[top, START], loop.stack[top, STOP]
        n_children = mark_rows(lists, codes, search, loop, search.kept[0], start, stop)
        divide(scoring, stopping, lists, codes, bytes_of, search, nodes, loop, n_children)
    return DONE
