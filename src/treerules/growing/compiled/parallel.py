"""Growing on several threads: over the features of nodes that hold most rows, over the subtrees of the others.

Every call of a kernel is a task of a pool of threads. Between tasks the caller's own thread decides who goes on with
what, asks the reference and tells progress. So threads write nothing that others read meanwhile, nothing is locked, and
an interruption waits for one task a thread at most.

    the whole          a job; its features are searched and its lists divided by all threads
      ├─ a subtree     a job: one thread grows it, node by node
      └─ a subtree     another: whenever no job waits, a thread leaves the largest node that waits with it as the next
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any

import numpy as np
from attrs import evolve, field, frozen

from treerules._internal.jit import ENOUGH
from treerules.growing.array_tree import SUBSETS, ArrayTree
from treerules.growing.compiled.class_loop import ASKS, FULL, NEXT, NODE, SIDES, START, STOP, TOP, Nodes
from treerules.growing.compiled.driver import Growth, answer, flat_of, grown, growth_of, room_of, with_larger_pool
from treerules.growing.compiled.parallel_node import divide, searched
from treerules.growing.compiled.presort import listing_of
from treerules.growing.problem import Problem
from treerules.growing.reference.decide import GrowthContext
from treerules.recipes.recipe import Recipe

#: A task looks at about so many cells, some ten milliseconds; nodes of fewer are not shared.
_TASK = 2_000_000
#: A waiting node of fewer cells is not left to others.
_LEFT = 100_000
#: The arrays of a state that have a line for each place on the stack.
_PLACED = ("stack", "varies", "cells", "ones")


@frozen(eq=False)
class Job:
    """A node that waits: its lines of the arrays by place, and the numbers that the nodes below it may take."""

    waiting: dict[str, Any]
    first: int
    end: int

    @property
    def node(self) -> int:
        """The number of the node."""
        return int(self.waiting["stack"][NODE])

    @property
    def n_rows(self) -> int:
        """How many rows reach the node."""
        return int(self.waiting["stack"][STOP] - self.waiting["stack"][START])


@frozen(eq=False)
class Seat:
    """Room for one thread to grow in, and the job that it has."""

    growth: Growth
    root: int = 0
    first: int = 1
    end: int = 1
    #: nodes of the job that were left to others
    left: tuple[int, ...] = ()

    @property
    def n_waiting(self) -> int:
        """How many nodes wait."""
        return int(self.growth.state.figures[TOP])

    @property
    def n_rows(self) -> int:
        """How many rows the waiting nodes hold."""
        waiting = self.growth.state.stack[: self.n_waiting]
        return int((waiting[:, STOP] - waiting[:, START]).sum())


@frozen(eq=False)
class Grown:
    """What jobs have left: the numbers of their nodes (first, end), and the sides of their categories."""

    runs: list[tuple[int, int]] = field(factory=lambda: [(0, 1)])
    pools: list[Any] = field(factory=lambda: [np.empty(0, dtype=np.uint8)])


def grown_by_team(
    problem: Problem, recipe: Recipe, reference: Callable[[], GrowthContext], threads: int, progress: Any = None
) -> ArrayTree:
    """Return the tree that the kernels grow on some threads, if it is worth it: the same for any number of them."""
    n = len(problem.target)
    if threads == 1 or n * len(problem.columns) < ENOUGH:
        return grown(problem, recipe, reference, progress)

    def tell(waiting: int) -> None:
        if progress is not None:
            progress(n - waiting, n)

    tell(n)
    with _pool(threads) as pool:
        growth = growth_of(problem, recipe, reference, listing_of(problem, recipe, pool.map))
        seats = [Seat(growth, end=2 * n - 1), *(Seat(_beside(growth)) for _ in range(threads - 1))]
        found = Grown()
        jobs = [_parted_from(seats[0])[1]] if growth.state.figures[TOP] else []
        _over_features(jobs, seats, pool, found, tell)
        _over_subtrees(jobs, seats, pool, found, tell)
    tell(0)
    return _flat(growth, found)


@contextmanager
def _pool(threads: int) -> Iterator[Executor]:
    """Give a pool of threads; whatever happens, none is left behind."""
    pool = ThreadPoolExecutor(threads, thread_name_prefix="treerules")
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _beside(growth: Growth) -> Growth:
    """Return the same growth with room of its own; lists, tables and nodes are shared."""
    listing = growth.listing
    own = listing.lists._replace(side=np.zeros_like(listing.lists.side), spare=np.empty_like(listing.lists.spare))
    counts, state = room_of(growth.problem, listing)
    return evolve(growth, listing=evolve(listing, lists=own), counts=counts, state=state)


# ---- jobs


def _begun(seat: Seat, job: Job) -> Seat:
    """Return a seat that has a job."""
    state = seat.growth.state
    state.figures[:] = 0
    state.figures[TOP], state.figures[NEXT] = 1, job.first
    for name, line in job.waiting.items():
        getattr(state, name)[0] = line
    return evolve(seat, root=job.node, first=job.first, end=job.end, left=())


def _parted_from(seat: Seat) -> tuple[Seat, Job]:
    """Return a seat without the largest node that waits, and that node.

    A node of n rows has at most 2n - 2 nodes below it: their numbers are the last ones of the seat's.
    """
    state = seat.growth.state
    top = int(state.figures[TOP])
    waiting = {}
    for name in set(_PLACED).intersection(state._fields):
        lines = getattr(state, name)
        waiting[name] = lines[0].copy()
        lines[: top - 1] = lines[1:top]
    state.figures[TOP] = top - 1
    job = Job(waiting, 0, seat.end)
    job = evolve(job, first=seat.end - 2 * job.n_rows + 2)
    return evolve(seat, end=job.first, left=(*seat.left, job.node)), job


def _ended(seat: Seat, found: Grown) -> None:
    """Keep what a seat's job has left."""
    state, nodes = seat.growth.state, seat.growth.nodes
    end, n_sides = int(state.figures[NEXT]), int(state.figures[SIDES])
    if end > seat.first:
        found.runs.append((seat.first, end))
    if n_sides:
        before = sum(map(len, found.pools))
        own = np.setdiff1d([seat.root, *range(seat.first, end)], seat.left)  # the others' know their own
        nodes.sides[own[nodes.kind[own] == SUBSETS]] += before
        found.pools.append(state.pool[:n_sides].copy())


def _flat(growth: Growth, found: Grown) -> ArrayTree:
    """Return the tree with its nodes numbered without gaps; every child still comes after its parent."""
    runs = np.array(sorted(found.runs))
    kept = np.concatenate([np.arange(first, end) for first, end in runs.tolist()])
    gaps = runs[:, 0] - np.concatenate([[0], np.cumsum(runs[:, 1] - runs[:, 0])[:-1]])
    nodes = Nodes(*(each[kept] for each in growth.nodes))
    nodes.child[:] -= gaps[np.searchsorted(runs[:, 0], nodes.child, side="right") - 1]
    figures = growth.state.figures.copy()
    figures[NEXT] = len(kept)
    state = growth.state._replace(pool=np.concatenate(found.pools), figures=figures)
    return flat_of(evolve(growth, nodes=nodes, state=state))


# ---- over subtrees


def _over_subtrees(
    jobs: list[Job], seats: Sequence[Seat], pool: Executor, found: Grown, tell: Callable[[int], None]
) -> None:
    """Grow what waits, a job a thread, the largest first."""
    idle, busy, rows = list(seats), dict[Future[int], Seat](), dict[Future[int], int]()

    def runs(seat: Seat) -> None:
        future = pool.submit(seat.growth.run, _TASK)
        busy[future], rows[future] = seat, seat.n_rows

    while jobs or busy:
        jobs.sort(key=lambda job: job.n_rows)
        while jobs and idle:
            runs(_begun(idle.pop(), jobs.pop()))
        for future in wait(busy, return_when=FIRST_COMPLETED).done:
            seat = busy.pop(future)
            del rows[future]
            status = future.result()
            if status == ASKS:
                answer(seat.growth)
            elif status == FULL:
                seat = evolve(seat, growth=with_larger_pool(seat.growth))
            if not seat.n_waiting:
                _ended(seat, found)
                idle.append(seat)
                continue
            if not jobs and _is_worth_leaving(seat):
                seat, job = _parted_from(seat)
                jobs.append(job)
            runs(seat)
        tell(sum(rows.values()) + sum(job.n_rows for job in jobs))


def _is_worth_leaving(seat: Seat) -> bool:
    """Whether several nodes wait, and the largest is worth another thread."""
    largest = seat.growth.state.stack[0]
    return seat.n_waiting > 1 and (largest[STOP] - largest[START]) * len(seat.growth.problem.columns) >= _LEFT


# ---- over features


def _over_features(
    jobs: list[Job], seats: list[Seat], pool: Executor, found: Grown, tell: Callable[[int], None]
) -> None:
    """Grow nodes of more than one thread's share of all rows by all threads together, until none waits."""
    growth = seats[0].growth
    share = max(len(growth.problem.target) / len(seats), _TASK / len(growth.problem.columns))
    while jobs and jobs[-1].n_rows > share:
        lead = _grown_together(_begun(seats[0], jobs.pop()), [seat.growth for seat in seats[1:]], pool)
        seats[0] = lead
        while lead.n_waiting:
            lead, job = _parted_from(lead)
            jobs.append(job)
        _ended(lead, found)
        jobs.sort(key=lambda job: job.n_rows)
        tell(sum(job.n_rows for job in jobs))


def _grown_together(lead: Seat, others: list[Growth], pool: Executor) -> Seat:
    """Let all threads search and divide the node that waits with the lead."""
    growth = lead.growth
    if len(growth.state.pool) < len(growth.counts.sides):
        growth = with_larger_pool(growth)
    is_found = searched(growth, others, pool)
    n_left = int(growth.kernels.marked(*growth.given, 0)) if is_found else -1
    if n_left < 0:
        answer(growth)
    elif n_left == 0:
        growth.state.figures[TOP] = 0
    else:
        divide(growth, others, pool, n_left)
    return evolve(lead, growth=growth)
