"""Search and split of one node by several threads, each for some of its features at a time.

A thread takes the work arrays of a free worker, and gives them back.
"""

from collections import deque
from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Any

import numpy as np

from treerules.growing.compiled.best_split import FEATURE
from treerules.growing.compiled.driver import KernelGrowth
from treerules.growing.compiled.growth_loop import START, STOP
from treerules.growing.compiled.parallel_merge import merge_best, merge_regression, partition_lists
from treerules.growing.compiled.regression_candidates import N_KEPT


def search_in_parallel(growth: KernelGrowth, others: Sequence[KernelGrowth], pool: Executor) -> bool:
    """Search the only node on a growth's stack by all threads; False where the reference must search it."""
    search = _search_regression_node if growth.is_regression else _search_class_node
    return search(growth, deque([growth, *others]), pool)


def _portions(numbers: Any, n_threads: int) -> list[Any]:
    """Return consecutive portions of an array, more than threads: some portions take longer than others."""
    return [portion for portion in np.array_split(numbers, 2 * n_threads) if len(portion)]


def _search_class_node(growth: KernelGrowth, free: deque[KernelGrowth], pool: Executor) -> bool:
    """Find the best split of a node of a classification; False where the reference must search it."""
    scoring, stopping, lists, columns, _, nodes, workspace = growth.kernel_arguments
    no_columns = columns._replace(features=columns.features[:0], bit_features=columns.bit_features[:0])
    may_vary, n_lists = workspace.may_vary[0].copy(), len(lists.features)

    def search(portion: Any) -> tuple[bool, Any, Any, Any]:
        own = free.pop()
        arrays = own.workspace._replace(
            stack=workspace.stack, code_counts=workspace.code_counts, bit_counts=workspace.bit_counts
        )
        arrays.may_vary[0] = 0
        arrays.may_vary[0, portion] = 1
        of_tables = columns if portion[0] >= n_lists else no_columns
        is_searched = growth.kernels.search(scoring, stopping, lists, of_tables, own.counts, nodes, arrays, 0)
        constant = portion[arrays.may_vary[0, portion] == 0]
        result = bool(is_searched), arrays.best.copy(), own.counts.best_sides.copy(), constant
        free.append(own)
        return result

    of_lists, of_tables = np.flatnonzero(may_vary[:n_lists]), n_lists + np.flatnonzero(may_vary[n_lists:])
    portions = [*([of_tables] if len(of_tables) else []), *_portions(of_lists, len(free))]
    results = list(pool.map(search, portions))
    workspace.best[:] = 0.0
    n_rows = float(workspace.stack[0, STOP] - workspace.stack[0, START])
    for _, best, sides, constant in results:
        may_vary[constant] = 0
        if merge_best(workspace.best, best, scoring, n_rows):
            growth.counts.best_sides[:] = sides
    workspace.may_vary[0] = may_vary
    return all(is_searched for is_searched, *_ in results)


def _search_regression_node(growth: KernelGrowth, free: deque[KernelGrowth], pool: Executor) -> bool:
    """Find the candidates of a node of a regression; False where the reference must search it."""
    scoring, stopping, lists, columns, _, nodes, workspace = growth.kernel_arguments

    def search(portion: Any) -> tuple[bool, Any, Any, Any]:
        own, first, last = free.pop(), int(portion[0]), int(portion[-1])
        storage_of = workspace.storage_of[first : last + 1]
        arrays = own.workspace._replace(stack=workspace.stack, may_vary=workspace.may_vary, storage_of=storage_of)
        is_searched = growth.kernels.search(scoring, stopping, lists, columns, own.counts, nodes, arrays, 0)
        kept = arrays.kept.copy()
        kept[: int(arrays.search_state[N_KEPT]), FEATURE] += first
        result = bool(is_searched), kept, arrays.search_state.copy(), own.counts.kept_sides.copy()
        free.append(own)
        return result

    results = list(pool.map(search, _portions(np.arange(len(workspace.storage_of)), len(free))))
    workspace.search_state[:] = 0.0
    for _, kept, search_state, sides in results:
        merge_regression(workspace, growth.counts, kept, search_state, sides)
    return all(is_searched for is_searched, *_ in results)


def divide_in_parallel(growth: KernelGrowth, others: Sequence[KernelGrowth], pool: Executor, n_left: int) -> None:
    """Split a node whose rows are marked: one thread does all but the lists, the others partition the lists."""
    scoring, stopping, lists, columns, counts, nodes, workspace = growth.kernel_arguments
    varying_lists = np.flatnonzero(workspace.may_vary[0, : len(lists.features)])
    _, start, stop, depth = workspace.stack[0].tolist()
    free = deque(others)

    def run(portion: Any) -> None:
        if portion is None:
            no_lists = lists._replace(features=lists.features[:0])
            growth.kernels.divide(scoring, stopping, no_lists, columns, counts, nodes, workspace, n_left)
            free.append(growth)
            return
        own = free.pop()
        partition_lists(lists, portion, start, stop - start, n_left, own.presorted.lists.spare, scoring.row_mask)
        free.append(own)

    are_leaves = depth + 1 == stopping.max_depth
    list(pool.map(run, [None, *([] if are_leaves else _portions(varying_lists, len(others) + 1))]))
