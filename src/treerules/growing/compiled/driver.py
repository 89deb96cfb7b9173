"""Growing a tree with the kernels: what they are given, when they ask the reference, and the tree they leave."""

from collections.abc import Callable
from typing import Any

import numpy as np
from attrs import evolve, frozen

from treerules.growing.array_tree import CUT, LEAF, MISSING_TEST, SUBSETS, ArrayTree
from treerules.growing.compiled import best_split, class_loop, regression_loop
from treerules.growing.compiled.class_loop import ASKS, DEPTH, DONE, FULL, NEXT, NODE, START, STOP, TOP, Nodes, Stops
from treerules.growing.compiled.class_numeric import Terms
from treerules.growing.compiled.histograms import counted_bits, counted_cells
from treerules.growing.compiled.presort import Listing, listing_of
from treerules.growing.compiled.workspace import nodes_of, room_of_classes, room_of_means, stops_of, terms_of
from treerules.growing.problem import Problem
from treerules.growing.reference.decide import GrowthContext, PendingNode
from treerules.growing.reference.node_data import Candidate
from treerules.growing.reference.row_partition import child_of_rows
from treerules.growing.reference.split_tests import missing_child_of
from treerules.recipes.recipe import Recipe

#: The kernels look at so many cells before they let Python see to signals and progress: about a tenth of a second.
_CELLS = 20_000_000


@frozen(eq=False)
class Growth:
    """One tree that grows."""

    problem: Problem
    #: returns the reference's grower; made when it is first asked
    reference: Callable[[], GrowthContext]
    listing: Listing
    terms: Terms
    stops: Stops
    counts: Any
    nodes: Nodes
    state: Any

    @property
    def is_regression(self) -> bool:
        """Whether the target is a number."""
        return self.problem.weighing is None

    @property
    def given(self) -> tuple[Any, ...]:
        """What kernels are given first."""
        return self.terms, self.stops, self.listing.lists, self.listing.tables, self.counts, self.nodes, self.state

    @property
    def kernels(self) -> Any:
        """The module of the kernels that search, mark, divide and grow."""
        return regression_loop if self.is_regression else class_loop

    def run(self, cells: int) -> int:
        """Let the kernels grow until they are done, pause after so many cells, or ask; return how it ended."""
        return int(self.kernels.grow(*self.given, cells))


def grown(
    problem: Problem,
    recipe: Recipe,
    reference: Callable[[], GrowthContext],
    progress: Any = None,
    listing: Listing | None = None,
) -> ArrayTree:
    """Return the tree that the kernels grow; `progress` hears (rows in leaves, all rows).

    A `listing` is that of the problem, where it is made already; growing uses it up.
    """
    n = len(problem.target)
    if progress is not None:
        progress(0, n)  # sorting a large table takes its time
    growth = growth_of(problem, recipe, reference, listing or listing_of(problem, recipe))
    while (status := growth.run(_CELLS)) != DONE:
        if status == ASKS:
            answer(growth)
        elif status == FULL:
            growth = with_larger_pool(growth)
        if progress is not None:
            waiting = growth.state.stack[: growth.state.figures[TOP]]
            progress(n - int((waiting[:, STOP] - waiting[:, START]).sum()), n)
    if progress is not None:
        progress(n, n)
    return flat_of(growth)


def growth_of(problem: Problem, recipe: Recipe, reference: Callable[[], GrowthContext], listing: Listing) -> Growth:
    """Return a tree whose root waits, with lists and tables that are its own."""
    n, n_sums = len(problem.target), len(problem.schema.classes)
    terms, stops = terms_of(problem, recipe, listing), stops_of(problem, recipe)
    room = room_of(problem, listing)
    growth = Growth(problem, reference, listing, terms, stops, room[0], nodes_of(n, n_sums or 3), room[1])
    _begin(growth)
    return growth


def room_of(problem: Problem, listing: Listing) -> Any:
    """Return room to search and to let nodes wait."""
    n, n_sums = len(problem.target), len(problem.schema.classes)
    return room_of_classes(listing, n, n_sums) if n_sums else room_of_means(listing, n)


def _begin(growth: Growth) -> None:
    """Put the root on the stack."""
    lists, tables, state, nodes = growth.listing.lists, growth.listing.tables, growth.state, growth.nodes
    n = len(growth.problem.target)
    nodes.kind[0], state.figures[NEXT] = 0, 1
    if growth.is_regression:
        regression_loop.figures_of(lists.y, lists.rows, state.sums, state.partials, nodes.counts[0])
        is_leaf = regression_loop.is_leaf(growth.stops, lists.y, lists.rows, 0)
    else:
        nodes.counts[0] = np.bincount(growth.problem.target, minlength=growth.terms.n_sums)
        is_pure = np.count_nonzero(nodes.counts[0]) < 2
        is_leaf = is_pure or growth.stops.max_depth == 0 or n < growth.stops.min_samples_split
        if n >= growth.stops.many and len(lists.rows):
            counted_cells(tables, state.cells[0], lists.rows, lists.target)
            counted_bits(tables, state.ones[0], lists.rows, lists.target)
    if not is_leaf:
        state.figures[TOP] = 1
        state.stack[0] = (0, 0, n, 0)


def with_larger_pool(growth: Growth) -> Growth:
    """Return a growth that has more room for the sides of categories."""
    state, most = growth.state, len(growth.counts.sides)
    pool = np.empty(2 * len(state.pool) + most, dtype=np.uint8)
    pool[: len(state.pool)] = state.pool
    return evolve(growth, state=state._replace(pool=pool))


# ---- what the kernels ask


def answer(growth: Growth) -> None:
    """Let the reference decide the node on top of the stack."""
    grower, state, lists = growth.reference(), growth.state, growth.listing.lists
    at = int(state.figures[TOP]) - 1
    node, start, stop, depth = (int(state.stack[at, place]) for place in (NODE, START, STOP, DEPTH))
    data = grower.data
    if len(lists.rows):
        rows = lists.rows[start:stop].copy()
    else:
        line = int(state.varies[at].argmax())
        rows = np.sort(
            lists.entries[line * lists.stride + start : line * lists.stride + stop] & np.uint32(growth.listing.row_mask)
        ).astype(np.int32)
    order = np.empty((len(data.sorted_features), len(rows)), dtype=np.int32)
    for line, feature in enumerate(data.sorted_features.tolist()):
        order[line] = rows[np.argsort(data.codes[feature, rows], kind="stable")]
    decision = grower.decide(PendingNode(rows, order, None, depth, None))
    best, test = decision.candidate, decision.test
    if best is None or test is None:
        state.figures[TOP] = at
        growth.nodes.kind[node] = 0
        return
    missing_child = missing_child_of(best, test)
    child = child_of_rows(data, rows, best, test, missing_child)
    lists.side[rows] = child
    _write(growth, best, missing_child, rows, child)
    growth.kernels.divide(*growth.given, int(np.count_nonzero(child == 0)))


def _write(growth: Growth, best: Candidate, to: int, rows: Any, child: Any) -> None:
    """Write the reference's candidate where the kernels look for theirs."""
    one = growth.state.kept[0] if growth.is_regression else growth.state.best
    one[:] = 0.0
    one[best_split.FEATURE], one[best_split.TO], one[best_split.LARGEST] = best.feature, to, best.largest_child
    one[best_split.KIND] = MISSING_TEST if best.is_missing_test else CUT if best.is_cut else SUBSETS
    if not growth.is_regression:
        target, n_sums = growth.problem.target[rows], growth.terms.n_sums
        for side in (0, 1):
            begin = best_split.LEFT + side * n_sums
            one[begin : begin + n_sums] = np.bincount(target[child == side], minlength=n_sums)
    if best.is_missing_test:
        return
    if best.is_cut:
        codes = growth.reference().data.codes[best.feature, rows]
        low, high = (int(np.argmax(codes == side[0])) for side in best.sides)
        is_list = best.feature in growth.listing.lists.features
        one[best_split.LOW], one[best_split.HIGH] = (rows[low], rows[high]) if is_list else (codes[low], codes[high])
        return
    sides = growth.counts.kept_sides[0] if growth.is_regression else growth.counts.best_sides
    sides[:] = 2
    for side, group in enumerate(best.sides):
        sides[list(group)] = side


# ---- the tree


def flat_of(growth: Growth) -> ArrayTree:
    """Return the tree as arrays; cuts are given by rows that hold the values next to them."""
    nodes, n = growth.nodes, int(growth.state.figures[NEXT])
    kind, feature = nodes.kind[:n], nodes.feature[:n]
    low, high = nodes.low[:n].copy(), nodes.high[:n].copy()
    feature[kind == LEAF] = 0
    sides = []
    for index, firsts in enumerate(growth.listing.firsts):
        if firsts is not None:
            cuts = np.flatnonzero((kind == CUT) & (feature == index))
            low[cuts], high[cuts] = firsts[low[cuts]], firsts[high[cuts]]
    for place, at in enumerate(np.flatnonzero(kind == SUBSETS).tolist()):
        n_codes = len(growth.problem.columns[int(feature[at])].feature.categories)
        begin = int(nodes.sides[at])
        sides.append(growth.state.pool[begin : begin + n_codes])
        low[at] = place
    return ArrayTree(
        kind=kind,
        feature=feature,
        first_child=nodes.child[:n],
        missing_child=nodes.to[:n],
        largest_child=nodes.largest[:n],
        statistics=nodes.counts[:n],
        low=low,
        high=high,
        sides=sides,
    )
