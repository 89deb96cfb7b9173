"""A node that all threads of a team search and divide together, each some of its features at a time.

A thread takes the room of a free member of the team, and gives it back.
"""

from collections import deque
from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Any

import numpy as np

from treerules.growing.compiled.best_split import FEATURE
from treerules.growing.compiled.class_loop import START, STOP
from treerules.growing.compiled.driver import Growth
from treerules.growing.compiled.parallel_merge import joined, joined_means, parted_lists
from treerules.growing.compiled.regression_numeric import KEPT


def searched(growth: Growth, others: Sequence[Growth], pool: Executor) -> bool:
    """Search the only node that waits with a growth, in its room and that of others; False where the reference must."""
    search = _candidates if growth.is_regression else _champion
    return search(growth, deque([growth, *others]), pool)


def _portions(numbers: Any, n_threads: int) -> list[Any]:
    """Return consecutive portions of some numbers, more than there are threads: some take longer than others."""
    return [portion for portion in np.array_split(numbers, 2 * n_threads) if len(portion)]


def _champion(growth: Growth, free: deque[Growth], pool: Executor) -> bool:
    """Search a node of classes for its champion; False where the reference must."""
    terms, stops, lists, tables, _, nodes, state = growth.given
    nothing = tables._replace(features=tables.features[:0], bit_features=tables.bit_features[:0])
    varies, n_lists = state.varies[0].copy(), len(lists.features)

    def search(portion: Any) -> tuple[bool, Any, Any, Any]:
        own = free.pop()
        room = own.state._replace(stack=state.stack, cells=state.cells, ones=state.ones)
        room.varies[0] = 0
        room.varies[0, portion] = 1
        of_tables = tables if portion[0] >= n_lists else nothing
        is_found = growth.kernels.search(terms, stops, lists, of_tables, own.counts, nodes, room, 0)
        constant = portion[room.varies[0, portion] == 0]
        result = bool(is_found), room.best.copy(), own.counts.best_sides.copy(), constant
        free.append(own)
        return result

    of_lists, of_tables = np.flatnonzero(varies[:n_lists]), n_lists + np.flatnonzero(varies[n_lists:])
    portions = [*([of_tables] if len(of_tables) else []), *_portions(of_lists, len(free))]
    results = list(pool.map(search, portions))
    state.best[:] = 0.0
    n_rows = float(state.stack[0, STOP] - state.stack[0, START])
    for _, best, sides, constant in results:
        varies[constant] = 0
        if joined(state.best, best, terms, n_rows):
            growth.counts.best_sides[:] = sides
    state.varies[0] = varies
    return all(is_found for is_found, *_ in results)


def _candidates(growth: Growth, free: deque[Growth], pool: Executor) -> bool:
    """Search a node of a regression for its candidates; False where the reference must."""
    terms, stops, lists, tables, _, nodes, state = growth.given

    def search(portion: Any) -> tuple[bool, Any, Any, Any]:
        own, first, last = free.pop(), int(portion[0]), int(portion[-1])
        line_of = state.line_of[first : last + 1]
        room = own.state._replace(stack=state.stack, varies=state.varies, line_of=line_of)
        is_found = growth.kernels.search(terms, stops, lists, tables, own.counts, nodes, room, 0)
        kept = room.kept.copy()
        kept[: int(room.marks[KEPT]), FEATURE] += first
        result = bool(is_found), kept, room.marks.copy(), own.counts.kept_sides.copy()
        free.append(own)
        return result

    results = list(pool.map(search, _portions(np.arange(len(state.line_of)), len(free))))
    state.marks[:] = 0.0
    for _, kept, marks, sides in results:
        joined_means(state, growth.counts, kept, marks, sides)
    return all(is_found for is_found, *_ in results)


def divide(growth: Growth, others: Sequence[Growth], pool: Executor, n_left: int) -> None:
    """Divide a node whose rows' children are marked: one thread divides all but the lists, the others those."""
    terms, stops, lists, tables, counts, nodes, state = growth.given
    lines, (_, start, stop, depth) = np.flatnonzero(state.varies[0, : len(lists.features)]), state.stack[0].tolist()
    free = deque(others)

    def part(portion: Any) -> None:
        if portion is None:
            rest = lists._replace(features=lists.features[:0])
            growth.kernels.divide(terms, stops, rest, tables, counts, nodes, state, n_left)
            free.append(growth)
            return
        own = free.pop()
        parted_lists(lists, portion, start, stop - start, n_left, own.listing.lists.spare, terms.row_mask)
        free.append(own)

    are_leaves = depth + 1 == stops.max_depth
    list(pool.map(part, [None, *([] if are_leaves else _portions(lines, len(others) + 1))]))
