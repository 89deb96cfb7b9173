"""Growth on several threads: over the features of the largest nodes, and over the subtrees of the others.

Each call of a kernel is a task of a thread pool. Between tasks the caller's thread assigns the next tasks, asks the
reference and reports progress. So no thread writes what another one reads meanwhile, nothing is locked, and an
interruption waits for at most one task per thread.

- Large nodes are split one by one: all threads search their features and partition their lists.
- A subtree is grown by one thread, node by node. When no subtree is left to assign, a worker hands over the
  largest node of its stack as a new one.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any

import numpy as np
from attrs import evolve, field, frozen

from treerules.growing.array_tree import SUBSETS, ArrayTree
from treerules.growing.compiled.columns import kernel_columns
from treerules.growing.compiled.driver import grow_with_kernels
from treerules.growing.compiled.finished_tree import to_array_tree
from treerules.growing.compiled.growth import Growth, start_growth, with_larger_pool, with_own_arrays
from treerules.growing.compiled.loop_state import FULL, NEEDS_BOUNDS, NEEDS_REFERENCE, NODE, START, STOP
from treerules.growing.compiled.node_arrays import Nodes
from treerules.growing.compiled.node_loop import grow_nodes
from treerules.growing.compiled.node_search import IS_OPEN, N_NODES, N_SIDES, N_WAITING, reset_counters
from treerules.growing.compiled.parallel_node import split_in_parallel
from treerules.growing.compiled.reference_decisions import decision_at, divide_by
from treerules.growing.problem import Problem
from treerules.growing.reference.decide import GrowthContext
from treerules.recipes.recipe import Recipe

#: The least number of cells (rows times columns) that are shared among threads.
ENOUGH = 1_000_000
#: The number of cells of a task, about ten milliseconds; smaller nodes are not split by several threads.
_TASK_CELLS = 2_000_000
#: A node on a worker's stack is handed over if it has at least this many cells.
_LEAST_CELLS = 100_000


@frozen(eq=False)
class SubtreeTask:
    """A node that a worker grows with all its descendants."""

    #: the node's lines of the stack, and of the features that vary
    line: Any
    varies: Any
    #: the numbers from `first` on, below `end`, are for its descendants
    first: int
    end: int

    @property
    def n_rows(self) -> int:
        """The number of rows of the node."""
        return int(self.line[STOP] - self.line[START])


@frozen(eq=False)
class Worker:
    """One thread's work arrays and its current task."""

    growth: Growth
    #: the node of the task, and the numbers for its descendants
    root: int = 0
    first: int = 1
    end: int = 1
    #: nodes of the task that were handed over
    handed_over: tuple[int, ...] = ()

    @property
    def n_waiting(self) -> int:
        """The number of nodes on the stack."""
        return int(self.growth.loop.counters[N_WAITING])

    @property
    def n_rows(self) -> int:
        """The number of rows of the nodes on the stack."""
        waiting = self.growth.loop.stack[: self.n_waiting]
        return int((waiting[:, STOP] - waiting[:, START]).sum())


@frozen(eq=False)
class FinishedNodes:
    """The results of finished tasks: ranges (first, end) of node numbers, and the pools of sides."""

    ranges: list[tuple[int, int]] = field(factory=lambda: [(0, 1)])
    pools: list[Any] = field(factory=lambda: [np.empty(0, dtype=np.int32)])


def grow_in_parallel(
    problem: Problem, recipe: Recipe, reference: Callable[[], GrowthContext], progress: Any, threads: int
) -> ArrayTree:
    """Return the tree that the kernels grow on several threads; the same tree for any number of threads.

    Small problems, and trees that are grown best first, are grown on one thread.
    """
    n = len(problem.target)
    if n * len(problem.columns) < ENOUGH or recipe.max_leaves is not None:
        return grow_with_kernels(problem, recipe, reference, progress)

    def report(waiting: int) -> None:
        if progress is not None:
            progress(n - waiting, n)

    report(n)
    with _pool(threads) as pool:
        growth = start_growth(problem, recipe, reference, kernel_columns(problem, recipe, pool.map))
        workers = [Worker(growth, end=2 * n - 1), *(Worker(with_own_arrays(growth)) for _ in range(threads - 1))]
        finished = FinishedNodes()
        tasks = [_hand_over(workers[0])[1]] if growth.loop.counters[N_WAITING] else []
        _grow_large_nodes(tasks, workers, pool, finished, report)
        _grow_subtrees(tasks, workers, pool, finished, report)
    report(0)
    return _number_without_gaps(growth, finished)


@contextmanager
def _pool(threads: int) -> Iterator[Executor]:
    """Yield a thread pool that is always shut down."""
    pool = ThreadPoolExecutor(threads, thread_name_prefix="treerules")
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _assign(worker: Worker, task: SubtreeTask) -> Worker:
    """Return a worker with a new task."""
    loop = worker.growth.loop
    reset_counters(loop)
    loop.counters[N_WAITING], loop.counters[N_NODES] = 1, task.first
    loop.stack[0], loop.varies[0], worker.growth.tables.is_kept[:] = task.line, task.varies, 0
    return evolve(worker, root=int(task.line[NODE]), first=task.first, end=task.end, handed_over=())


def _hand_over(worker: Worker) -> tuple[Worker, SubtreeTask]:
    """Return a worker without the largest node of its stack, and that node as a task.

    A node of n rows has at most 2n - 2 descendants; their numbers are the last ones of the worker's range.
    """
    loop = worker.growth.loop
    top = int(loop.counters[N_WAITING])
    line, varies = loop.stack[0].copy(), loop.varies[0].copy()
    for lines in (loop.stack, loop.varies):
        lines[: top - 1] = lines[1:top]
    loop.counters[N_WAITING], worker.growth.tables.is_kept[:] = top - 1, 0
    first = worker.end - 2 * int(line[STOP] - line[START]) + 2
    task = SubtreeTask(line, varies, first, worker.end)
    return evolve(worker, end=first, handed_over=(*worker.handed_over, int(line[NODE]))), task


def _collect(worker: Worker, finished: FinishedNodes) -> None:
    """Add the results of a worker's finished task."""
    loop, nodes = worker.growth.loop, worker.growth.nodes
    end, n_sides = int(loop.counters[N_NODES]), int(loop.counters[N_SIDES])
    if end > worker.first:
        finished.ranges.append((worker.first, end))
    if n_sides:
        n_before = sum(map(len, finished.pools))
        # nodes that were handed over are moved by the workers that split them
        own_nodes = np.setdiff1d([worker.root, *range(worker.first, end)], worker.handed_over)
        nodes.sides_start[own_nodes[nodes.kind[own_nodes] == SUBSETS]] += n_before
        finished.pools.append(loop.side_pool[:n_sides].copy())


def _number_without_gaps(growth: Growth, finished: FinishedNodes) -> ArrayTree:
    """Return the tree with consecutive node numbers; every child still comes after its parent."""
    ranges = np.array(sorted(finished.ranges))
    numbers = np.concatenate([np.arange(first, end) for first, end in ranges.tolist()])
    gaps = ranges[:, 0] - np.concatenate([[0], np.cumsum(ranges[:, 1] - ranges[:, 0])[:-1]])
    of_nodes = {name: values[numbers] for name, values in growth.nodes._asdict().items() if name != "bounds"}
    bounds = growth.nodes.bounds[numbers] if growth.scoring.has_directions else growth.nodes.bounds
    nodes = Nodes(bounds=bounds, **of_nodes)
    nodes.first_child[:] -= gaps[np.searchsorted(ranges[:, 0], nodes.first_child, side="right") - 1]
    counters = growth.loop.counters.copy()
    counters[N_NODES] = len(numbers)
    loop = growth.loop._replace(side_pool=np.concatenate(finished.pools), counters=counters)
    return to_array_tree(evolve(growth, nodes=nodes, loop=loop))


def _grow_subtrees(
    tasks: list[SubtreeTask],
    workers: Sequence[Worker],
    pool: Executor,
    finished: FinishedNodes,
    report: Callable[[int], None],
) -> None:
    """Grow all tasks, one per thread, the largest first."""
    idle, busy, rows = list(workers), dict[Future[int], Worker](), dict[Future[int], int]()

    def run(worker: Worker) -> None:
        future = pool.submit(lambda: int(grow_nodes(*worker.growth.kernel_arguments, _TASK_CELLS)))
        busy[future], rows[future] = worker, worker.n_rows

    while tasks or busy:
        tasks.sort(key=lambda task: task.n_rows)
        while tasks and idle:
            run(_assign(idle.pop(), tasks.pop()))
        for future in wait(busy, return_when=FIRST_COMPLETED).done:
            worker = busy.pop(future)
            del rows[future]
            worker = _continued(worker, int(future.result()))
            if not worker.n_waiting:
                _collect(worker, finished)
                idle.append(worker)
                continue
            if not tasks and _is_worth_sharing(worker):
                worker, task = _hand_over(worker)
                tasks.append(task)
            run(worker)
        report(sum(rows.values()) + sum(task.n_rows for task in tasks))


def _continued(worker: Worker, status: int) -> Worker:
    """Return a worker whose loop can go on, after it ended with a status."""
    growth = worker.growth
    if status in (NEEDS_REFERENCE, NEEDS_BOUNDS):
        divide_by(growth, decision_at(growth, worker.n_waiting - 1, 0 if status == NEEDS_BOUNDS else IS_OPEN))
    elif status == FULL:
        worker = evolve(worker, growth=with_larger_pool(growth))
    return worker


def _is_worth_sharing(worker: Worker) -> bool:
    """Return whether a worker's stack has several nodes, and the largest is large enough to hand over."""
    largest = worker.growth.loop.stack[0]
    n_cells = (largest[STOP] - largest[START]) * len(worker.growth.problem.columns)
    return bool(worker.n_waiting > 1 and n_cells >= _LEAST_CELLS)


def _grow_large_nodes(
    tasks: list[SubtreeTask],
    workers: list[Worker],
    pool: Executor,
    finished: FinishedNodes,
    report: Callable[[int], None],
) -> None:
    """Split nodes with more than one thread's share of all rows, by all threads together, until none remains."""
    growth = workers[0].growth
    share = max(len(growth.problem.target) / len(workers), _TASK_CELLS / len(growth.problem.columns))
    while tasks and tasks[-1].n_rows > share:
        lead = _assign(workers[0], tasks.pop())
        growth = lead.growth
        if growth.search.sides.shape[1] > len(growth.loop.side_pool):
            growth = with_larger_pool(growth)
        split_in_parallel(growth, [worker.growth for worker in workers[1:]], pool)
        lead = workers[0] = evolve(lead, growth=growth)
        while lead.n_waiting:
            lead, task = _hand_over(lead)
            tasks.append(task)
        _collect(lead, finished)
        tasks.sort(key=lambda task: task.n_rows)
        report(sum(task.n_rows for task in tasks))
