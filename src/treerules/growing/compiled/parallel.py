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
from treerules.growing.compiled.driver import (
    KernelGrowth,
    allocate_workspace,
    array_tree_of,
    decide_by_reference,
    grow_with_kernels,
    start_growth,
    with_larger_pool,
)
from treerules.growing.compiled.growth_loop import (
    FULL,
    N_SIDE_BYTES,
    N_WAITING,
    NEEDS_REFERENCE,
    NEXT_NODE,
    NODE,
    START,
    STOP,
    NodeArrays,
)
from treerules.growing.compiled.parallel_node import divide_in_parallel, search_in_parallel
from treerules.growing.compiled.presort import presort_problem
from treerules.growing.problem import Problem
from treerules.growing.reference.decide import GrowthContext
from treerules.recipes.recipe import Recipe

#: The least number of cells (rows times columns) that are shared among threads.
ENOUGH = 1_000_000
#: The number of cells of a task, about ten milliseconds; smaller nodes are not split by several threads.
_TASK_CELLS = 2_000_000
#: A node on a worker's stack is handed over if it has at least this many cells.
_LEAST_CELLS = 100_000
#: The arrays of a workspace with one line per position on the stack.
_BY_POSITION = ("stack", "may_vary", "code_counts", "bit_counts")


@frozen(eq=False)
class SubtreeTask:
    """A node that a worker grows with all its descendants."""

    #: the node's lines of the arrays by stack position
    waiting: dict[str, Any]
    #: the numbers from `first` on, below `end`, are for its descendants
    first: int
    end: int

    @property
    def node(self) -> int:
        """The number of the node."""
        return int(self.waiting["stack"][NODE])

    @property
    def n_rows(self) -> int:
        """The number of rows of the node."""
        return int(self.waiting["stack"][STOP] - self.waiting["stack"][START])


@frozen(eq=False)
class Worker:
    """One thread's workspace and its current task."""

    growth: KernelGrowth
    #: the node of the task, and the numbers for its descendants
    root: int = 0
    first: int = 1
    end: int = 1
    #: nodes of the task that were handed over
    handed_over: tuple[int, ...] = ()

    @property
    def n_waiting(self) -> int:
        """The number of nodes on the stack."""
        return int(self.growth.workspace.counters[N_WAITING])

    @property
    def n_rows(self) -> int:
        """The number of rows of the nodes on the stack."""
        waiting = self.growth.workspace.stack[: self.n_waiting]
        return int((waiting[:, STOP] - waiting[:, START]).sum())


@frozen(eq=False)
class FinishedNodes:
    """The results of finished tasks: ranges (first, end) of node numbers, and the pools of sides."""

    ranges: list[tuple[int, int]] = field(factory=lambda: [(0, 1)])
    pools: list[Any] = field(factory=lambda: [np.empty(0, dtype=np.uint8)])


def grow_in_parallel(
    problem: Problem, recipe: Recipe, reference: Callable[[], GrowthContext], threads: int, progress: Any = None
) -> ArrayTree:
    """Return the tree that the kernels grow on several threads; the same tree for any number of threads.

    Small problems are grown on one thread.
    """
    n = len(problem.target)
    if threads == 1 or n * len(problem.columns) < ENOUGH:
        return grow_with_kernels(problem, recipe, reference, progress)

    def report(waiting: int) -> None:
        if progress is not None:
            progress(n - waiting, n)

    report(n)
    with _pool(threads) as pool:
        growth = start_growth(problem, recipe, reference, presort_problem(problem, recipe, pool.map))
        workers = [Worker(growth, end=2 * n - 1), *(Worker(_with_own_workspace(growth)) for _ in range(threads - 1))]
        finished = FinishedNodes()
        tasks = [_hand_over(workers[0])[1]] if growth.workspace.counters[N_WAITING] else []
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


def _with_own_workspace(growth: KernelGrowth) -> KernelGrowth:
    """Return the same growth with work arrays of its own; lists, columns and nodes are shared."""
    presorted = growth.presorted
    own_lists = presorted.lists._replace(
        child_of_row=np.zeros_like(presorted.lists.child_of_row), spare=np.empty_like(presorted.lists.spare)
    )
    counts, workspace = allocate_workspace(growth.problem, presorted)
    return evolve(growth, presorted=evolve(presorted, lists=own_lists), counts=counts, workspace=workspace)


def _assign(worker: Worker, task: SubtreeTask) -> Worker:
    """Return a worker with a new task."""
    workspace = worker.growth.workspace
    workspace.counters[:] = 0
    workspace.counters[N_WAITING], workspace.counters[NEXT_NODE] = 1, task.first
    for name, line in task.waiting.items():
        getattr(workspace, name)[0] = line
    return evolve(worker, root=task.node, first=task.first, end=task.end, handed_over=())


def _hand_over(worker: Worker) -> tuple[Worker, SubtreeTask]:
    """Return a worker without the largest node of its stack, and that node as a task.

    A node of n rows has at most 2n - 2 descendants; their numbers are the last ones of the worker's range.
    """
    workspace = worker.growth.workspace
    top = int(workspace.counters[N_WAITING])
    waiting = {}
    for name in set(_BY_POSITION).intersection(workspace._fields):
        lines = getattr(workspace, name)
        waiting[name] = lines[0].copy()
        lines[: top - 1] = lines[1:top]
    workspace.counters[N_WAITING] = top - 1
    task = SubtreeTask(waiting, 0, worker.end)
    task = evolve(task, first=worker.end - 2 * task.n_rows + 2)
    return evolve(worker, end=task.first, handed_over=(*worker.handed_over, task.node)), task


def _collect(worker: Worker, finished: FinishedNodes) -> None:
    """Add the results of a worker's finished task."""
    workspace, nodes = worker.growth.workspace, worker.growth.nodes
    end, n_sides = int(workspace.counters[NEXT_NODE]), int(workspace.counters[N_SIDE_BYTES])
    if end > worker.first:
        finished.ranges.append((worker.first, end))
    if n_sides:
        n_bytes = sum(map(len, finished.pools))
        # nodes that were handed over are moved by the workers that split them
        own_nodes = np.setdiff1d([worker.root, *range(worker.first, end)], worker.handed_over)
        nodes.sides_start[own_nodes[nodes.kind[own_nodes] == SUBSETS]] += n_bytes
        finished.pools.append(workspace.side_pool[:n_sides].copy())


def _number_without_gaps(growth: KernelGrowth, finished: FinishedNodes) -> ArrayTree:
    """Return the tree with consecutive node numbers; every child still comes after its parent."""
    ranges = np.array(sorted(finished.ranges))
    numbers = np.concatenate([np.arange(first, end) for first, end in ranges.tolist()])
    gaps = ranges[:, 0] - np.concatenate([[0], np.cumsum(ranges[:, 1] - ranges[:, 0])[:-1]])
    nodes = NodeArrays(*(values[numbers] for values in growth.nodes))
    nodes.first_child[:] -= gaps[np.searchsorted(ranges[:, 0], nodes.first_child, side="right") - 1]
    counters = growth.workspace.counters.copy()
    counters[NEXT_NODE] = len(numbers)
    workspace = growth.workspace._replace(side_pool=np.concatenate(finished.pools), counters=counters)
    return array_tree_of(evolve(growth, nodes=nodes, workspace=workspace))


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
        future = pool.submit(worker.growth.run, _TASK_CELLS)
        busy[future], rows[future] = worker, worker.n_rows

    while tasks or busy:
        tasks.sort(key=lambda task: task.n_rows)
        while tasks and idle:
            run(_assign(idle.pop(), tasks.pop()))
        for future in wait(busy, return_when=FIRST_COMPLETED).done:
            worker = busy.pop(future)
            del rows[future]
            status = future.result()
            if status == NEEDS_REFERENCE:
                decide_by_reference(worker.growth)
            elif status == FULL:
                worker = evolve(worker, growth=with_larger_pool(worker.growth))
            if not worker.n_waiting:
                _collect(worker, finished)
                idle.append(worker)
                continue
            if not tasks and _is_worth_sharing(worker):
                worker, task = _hand_over(worker)
                tasks.append(task)
            run(worker)
        report(sum(rows.values()) + sum(task.n_rows for task in tasks))


def _is_worth_sharing(worker: Worker) -> bool:
    """Return whether a worker's stack has several nodes, and the largest is large enough to hand over."""
    largest = worker.growth.workspace.stack[0]
    return (
        worker.n_waiting > 1 and (largest[STOP] - largest[START]) * len(worker.growth.problem.columns) >= _LEAST_CELLS
    )


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
        lead = _split_by_all(_assign(workers[0], tasks.pop()), [worker.growth for worker in workers[1:]], pool)
        workers[0] = lead
        while lead.n_waiting:
            lead, task = _hand_over(lead)
            tasks.append(task)
        _collect(lead, finished)
        tasks.sort(key=lambda task: task.n_rows)
        report(sum(task.n_rows for task in tasks))


def _split_by_all(lead: Worker, others: list[KernelGrowth], pool: Executor) -> Worker:
    """Search and split the only node on the lead's stack by all threads."""
    growth = lead.growth
    if len(growth.workspace.side_pool) < len(growth.counts.sides):
        growth = with_larger_pool(growth)
    is_searched = search_in_parallel(growth, others, pool)
    n_left = int(growth.kernels.mark(*growth.kernel_arguments, 0)) if is_searched else -1
    if n_left < 0:
        decide_by_reference(growth)
    elif n_left == 0:
        growth.workspace.counters[N_WAITING] = 0
    else:
        divide_in_parallel(growth, others, pool, n_left)
    return evolve(lead, growth=growth)
