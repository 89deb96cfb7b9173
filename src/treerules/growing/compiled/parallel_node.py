"""Search and split of one node by several threads, each for some of its features at a time.

A thread takes the work arrays of a free worker, and gives them back.
"""

from collections import deque
from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Any

import numpy as np
from attrs import frozen

from treerules._internal.jit import kernel
from treerules.growing.array_tree import MISSING_TEST, MULTIWAY
from treerules.growing.compiled.arithmetic import copy_into
from treerules.growing.compiled.candidates import (
    BEST,
    ERROR,
    FEATURE,
    GAIN,
    IS_EXACT,
    KIND,
    N_KEPT,
    OPEN,
    SLOT,
    TOLERANCE,
    keep_exactly,
    keep_near,
)
from treerules.growing.compiled.growth import Growth
from treerules.growing.compiled.list_entries import CONSTANT
from treerules.growing.compiled.loop_state import DEPTH, START, STOP
from treerules.growing.compiled.node_loop import divide_node, grow_nodes, mark_node
from treerules.growing.compiled.node_search import (
    ENDS_AFTER_SEARCH,
    IS_LEAF,
    IS_OPEN,
    N_NODES,
    N_WAITING,
    WINNER,
    checked_winner,
    reset_counters,
)
from treerules.growing.compiled.reference_decisions import decision_at, divide_by
from treerules.growing.compiled.stable_partition import partition_list

#: The number of cells after which the loop ends: it searches a single node here.
_NO_LIMIT = 1 << 62


def split_in_parallel(growth: Growth, others: Sequence[Growth], pool: Executor) -> None:
    """Search and split the only node on a growth's stack by all threads, or take it from the stack as a leaf."""
    index = _search(growth, deque([growth, *others]), pool)
    search, loop, scoring = growth.search, growth.loop, growth.scoring
    if index == IS_LEAF:
        loop.counters[N_WAITING] = 0
        return
    if index == IS_OPEN:
        divide_by(growth, decision_at(growth, 0, IS_OPEN))
        return
    search.kept[0] = search.kept[index]
    record = search.kept[0]
    if scoring.has_directions and record[KIND] != MISSING_TEST and scoring.directions[int(record[FEATURE])] != 0:
        divide_by(growth, decision_at(growth, 0, 0))
    elif record[KIND] == MULTIWAY:
        _divide(growth, int(mark_node(growth.columns.lists, growth.columns.codes, search, loop, 0)))
    else:
        mark_node(growth.columns.lists, growth.columns.codes, search, loop, 0)
        _divide_in_parallel(growth, deque(others), pool)


def _divide(growth: Growth, n_children: int) -> None:
    """Split the node on top of the stack, whose rows are marked, by the first kept candidate."""
    columns = growth.columns
    divide_node(
        growth.scoring, growth.stopping, columns.lists, columns.codes, growth.tables, growth.search, growth.nodes,
        growth.loop, n_children,
    )  # fmt: skip


def _portions(numbers: Any, n_threads: int) -> list[Any]:
    """Return consecutive portions of an array, more than threads: some portions take longer than others."""
    return [portion for portion in np.array_split(numbers, 2 * n_threads) if len(portion)]


def _search(growth: Growth, free: deque[Growth], pool: Executor) -> int:
    """Return the index of the kept candidate that wins in the only node on the stack, IS_LEAF or IS_OPEN.

    By gain ratio features compete when all were searched, which one thread does.
    """
    loop, scoring, order = growth.loop, growth.scoring, growth.loop.order
    is_coded = growth.columns.storage[order] < 0
    coded, listed = order[is_coded], order[~is_coded]  # codes of all features are counted together
    portions = [*([coded] if len(coded) else []), *_portions(listed, len(free))]
    if scoring.has_divisor:
        portions = [order]
    line, varies = loop.stack[0].copy(), loop.varies[0].copy()

    def search(portion: Any) -> _Found:
        own = free.pop()
        reset_counters(own.loop)
        own.loop.stack[0], own.loop.varies[0] = line, varies
        own.loop.counters[N_WAITING] = own.loop.counters[ENDS_AFTER_SEARCH] = 1
        *arguments, own_loop = own.kernel_arguments
        grow_nodes(*arguments, own_loop._replace(order=portion), _NO_LIMIT)
        found = _found(own)
        free.append(own)
        return found

    n_nodes = int(loop.counters[N_NODES])
    found = list(pool.map(search, portions))
    reset_counters(loop)
    loop.counters[N_NODES], loop.counters[N_WAITING], loop.stack[0] = n_nodes, 1, line
    for portion, of_portion in zip(portions, found, strict=True):
        loop.varies[0, portion] = of_portion.varies[portion]
    return _merged_winner(growth, found)


@frozen(eq=False)
class _Found:
    """What the search of some features found, as copies."""

    winner: int
    varies: Any
    scale: Any
    state: Any
    kept: Any
    sides: Any
    best_of: Any
    totals: Any


def _found(growth: Growth) -> _Found:
    """Return what the search that just ended found."""
    loop, search = growth.loop, growth.search
    arrays = growth.scoring.scale, search.state, search.kept, search.sides, search.best_of, search.totals
    return _Found(int(loop.counters[WINNER]), loop.varies[0].copy(), *(array.copy() for array in arrays))


def _merged_winner(growth: Growth, found: list[_Found]) -> int:
    """Return the index of the candidate that wins among those of all portions, which are kept; IS_LEAF or IS_OPEN.

    They come in the order of features, as if all had been searched on one thread. One that is not near the best of its
    portion is not near the best of all, so none is lost.
    """
    search, scoring, first = growth.search, growth.scoring, found[0]
    scoring.scale[:], search.totals[:], search.state[:] = first.scale, first.totals, first.state
    if len(found) == 1:
        search.kept[:], search.sides[:], search.best_of[:] = first.kept, first.sides, first.best_of
        return first.winner
    search.best_of[:] = np.max([one.best_of for one in found], axis=0)
    if np.isinf(search.best_of).any():  # only the reference can search it
        return IS_OPEN
    search.state[[BEST, N_KEPT]] = 0.0
    search.state[OPEN] = max(one.state[OPEN] for one in found)
    place_of = {int(feature): place for place, feature in enumerate(growth.loop.order)}
    kept = [(one, one.kept[index]) for one in found for index in range(int(one.state[N_KEPT]))]
    kept.sort(key=lambda pair: place_of[int(pair[1][FEATURE])])  # stable: those of a feature stay in their order
    if kept:
        sides = np.array([one.sides[int(record[SLOT])] for one, record in kept])
        _keep_all(search, scoring, np.array([record for _, record in kept]), sides)
    return int(checked_winner(search, scoring, growth.stopping))


@kernel
def _keep_all(search: Any, scoring: Any, records: Any, sides: Any) -> None:
    """Let records be candidates, with the children of their categories."""
    state = search.state
    for index in range(len(records)):
        if records[index, GAIN] < state[BEST] - state[TOLERANCE] - 2 * state[ERROR]:
            continue
        copy_into(records[index], search.candidate)
        is_kept = keep_exactly(search, scoring) if state[IS_EXACT] else keep_near(search, scoring)
        if is_kept:
            copy_into(sides[index], search.sides[int(search.kept[int(state[N_KEPT]) - 1, SLOT])])


def _divide_in_parallel(growth: Growth, free: deque[Growth], pool: Executor) -> None:
    """Split a node in two, whose rows are marked: one thread does all but the lists, the others partition the lists."""
    loop, lists = growth.loop, growth.columns.lists
    start, stop = loop.stack[0, START], loop.stack[0, STOP]
    n_first = int(np.count_nonzero(loop.child_of_row[loop.rows[start:stop]] == 0))
    varies, storage = loop.varies[0].copy(), growth.columns.storage
    varying = np.flatnonzero((storage >= 0) & (varies != CONSTANT))
    loop.varies[0, varying] = CONSTANT  # the lead leaves them alone

    def run(portion: Any) -> None:
        if portion is None:
            _divide(growth, 2)
            free.append(growth)
            return
        own = free.pop()
        _partition_lists(lists, storage[portion], start, stop - start, n_first, loop.child_of_row, own.loop.spare)
        free.append(own)

    are_leaves = loop.stack[0, DEPTH] + 1 == growth.stopping.max_depth
    list(pool.map(run, [None, *([] if are_leaves else _portions(varying, len(free) + 1))]))
    loop.varies[: loop.counters[N_WAITING], varying] = varies[varying]


@kernel
def _partition_lists(lists: Any, lines: Any, start: int, n: int, n_first: int, child_of_row: Any, spare: Any) -> None:
    """Partition some lists of a node, n rows from `start` on; no other thread uses `spare`."""
    for line in lines:
        partition_list(lists.entries[line], start, n, n_first, child_of_row, spare, start, lists.row_mask)
