"""Growing below a node: search, divide, go on with the smaller child; the larger one waits on a stack.

Lists and rows are divided in place. So few nodes wait that each may keep its counts and the lists that still vary.
"""

from typing import Any, NamedTuple

from treerules._internal.jit import kernel
from treerules.growing.compiled.best_split import (
    ASK,
    END,
    ENTROPY,
    FEATURE,
    GAIN,
    GINI,
    HIGH,
    KIND,
    LARGEST,
    LEFT,
    LOW,
    MISSING_TEST,
    NONE,
    SUBSETS,
    TO,
    copied,
    is_perfect,
    purity,
)
from treerules.growing.compiled.class_numeric import LARGER, scanned
from treerules.growing.compiled.histograms import counted_bits, counted_cells
from treerules.growing.compiled.search import searched_large, searched_small
from treerules.growing.compiled.stable_partition import parted, parted_rows, sided_by_bit, sided_by_codes, sided_by_list

#: How growing ends: nothing waits; enough work was done for now; the reference must decide the node at hand; a pool
#: is full.
DONE, PAUSED, ASKS, FULL = range(4)
#: What `State.figures` holds: how many nodes wait, the number of the next new node, bytes of sides, cells looked at.
TOP, NEXT, SIDES, WORK = range(4)
#: What the stack holds of a node: its number, its first row and the row after its last, its depth.
NODE, START, STOP, DEPTH = range(4)
#: Bounds are reached beyond rounding where a figure is not within this share of them; what a node costs in cells.
_CLOSE, _OVERHEAD = 1e-9, 64


class Stops(NamedTuple):
    """Where nodes are leaves."""

    #: -1: unbounded
    max_depth: int
    min_samples_split: float
    min_gain: float
    min_impurity: float
    #: nodes of at least so many rows keep the counts of their tables
    many: int


class Nodes(NamedTuple):
    """The tree as arrays by node number; a node is a leaf where `kind` is 0."""

    kind: Any
    feature: Any
    low: Any
    high: Any
    to: Any
    largest: Any
    #: the number of the first child; the second is the next
    child: Any
    #: where its categories' sides begin in the pool; -1 where it has none
    sides: Any
    counts: Any


class State(NamedTuple):
    """What waits, and room to work in."""

    figures: Any
    stack: Any
    #: by place on the stack
    cells: Any
    ones: Any
    varies: Any
    #: the champion, and room for candidates
    best: Any
    room: Any
    #: the sides of categories of all nodes
    pool: Any


@kernel
def search(terms: Any, stops: Any, lists: Any, tables: Any, counts: Any, nodes: Any, state: Any, at: int) -> bool:
    """Search the node at a place of the stack for its champion; False where the reference must search it."""
    node, start, stop = state.stack[at, NODE], state.stack[at, START], state.stack[at, STOP]
    best, room, totals = state.best, state.room, nodes.counts[node]
    best[:] = 0.0
    is_settled = False
    for line in range(len(lists.features)):
        feature = lists.features[line]
        if state.varies[at, line] and not (is_settled and terms.first[feature] > terms.first[int(best[FEATURE])]):
            base = line * lists.stride + start
            if scanned(best, room, terms, lists.entries, base, stop - start, totals, counts, feature):
                state.varies[at, line] = 0
            elif best[FEATURE] == feature:
                is_settled = is_perfect(best, terms.n_sums, stop - start)
    if len(lists.rows) == 0:
        return True
    varies = state.varies[at, len(lists.features) :]
    if stop - start >= stops.many:
        n, cells, ones = float(stop - start), state.cells[at], state.ones[at]
        return searched_large(best, room, terms, tables, counts, cells, ones, n, totals, varies)
    bound = terms.first[int(best[FEATURE])] if is_settled else len(terms.first)
    return searched_small(
        best, room, terms, tables, counts, lists.rows[start:stop], lists.target, totals, varies, bound
    )


@kernel
def is_leaf(stops: Any, counts: Any, n: int, depth: int) -> bool:
    """Whether a node is a leaf whatever its features say."""
    if depth == stops.max_depth or n < stops.min_samples_split:
        return True
    n_classes = 0
    for count in counts:
        n_classes += count > 0
    return n_classes < 2


@kernel
def worth(terms: Any, stops: Any, best: Any, counts: Any, n: int) -> int:
    """Return whether a champion's node and gain reach the bounds: 1, 0, or 2 where rounding might decide."""
    if stops.min_gain == 0 and stops.min_impurity == 0:
        return 1
    impurity = 1.0 - purity(counts, GINI) / n if terms.criterion == GINI else -purity(counts, ENTROPY) / n
    for value, bound in ((best[GAIN] / n, stops.min_gain), (impurity, stops.min_impurity)):
        if bound > 0 and abs(value - bound) <= _CLOSE * max(bound, value):
            return 2
        if value < bound:
            return 0
    return 1


@kernel
def sided(lists: Any, tables: Any, counts: Any, best: Any, start: int, stop: int, mask: int) -> int:
    """Mark the child of each row of a node by its champion; return the rows of the first child."""
    feature, kind, to = int(best[FEATURE]), int(best[KIND]), int(best[TO])
    for line in range(len(lists.features)):
        if lists.features[line] == feature:
            return sided_by_list(
                lists.entries, line * lists.stride + start, stop - start, int(best[END]), to, lists.side, mask
            )
    rows = lists.rows[start:stop]
    for line in range(len(tables.bit_features)):
        if tables.bit_features[line] == feature:
            return sided_by_bit(tables, line, rows, lists.side)
    line = 0
    while tables.features[line] != feature:
        line += 1
    by_code = counts.sides
    for code in range(tables.n_codes[line]):
        if kind == SUBSETS:
            by_code[code] = counts.best_sides[code]
        else:
            by_code[code] = 0 if kind == MISSING_TEST or code <= int(best[LOW]) else 1
    return sided_by_codes(tables, line, rows, by_code, to, lists.side)


@kernel
def marked(terms: Any, stops: Any, lists: Any, tables: Any, counts: Any, nodes: Any, state: Any, at: int) -> int:
    """Mark the child of each row of the node at a place of the stack, by the champion that a search left.

    Return the rows of the first child, 0 where the node is a leaf, -1 where the reference must decide.
    """
    node, start, stop, best = state.stack[at, NODE], state.stack[at, START], state.stack[at, STOP], state.best
    reaches = 0 if best[KIND] == NONE else worth(terms, stops, best, nodes.counts[node], stop - start)
    if best[ASK] > 0 or reaches == 2:
        return -1
    return sided(lists, tables, counts, best, start, stop, terms.row_mask) if reaches else 0


@kernel
def recorded(terms: Any, tables: Any, counts: Any, nodes: Any, state: Any, node: int) -> None:
    """Write the champion into the arrays of the tree, and the counts of its children."""
    best, figures, n_sums = state.best, state.figures, terms.n_sums
    child = figures[NEXT]
    figures[NEXT] += 2
    nodes.kind[node], nodes.feature[node] = int(best[KIND]), int(best[FEATURE])
    nodes.low[node], nodes.high[node] = int(best[LOW]), int(best[HIGH])
    nodes.to[node], nodes.largest[node], nodes.child[node] = int(best[TO]), int(best[LARGEST]), child
    nodes.sides[node] = -1
    if best[KIND] == SUBSETS:
        nodes.sides[node] = figures[SIDES]
        n_codes = 2
        for line in range(len(tables.features)):
            if tables.features[line] == int(best[FEATURE]):
                n_codes = tables.n_codes[line]
        for code in range(n_codes):
            state.pool[figures[SIDES] + code] = counts.best_sides[code]
        figures[SIDES] += n_codes
    joins = terms.policy == LARGER and best[KIND] != MISSING_TEST
    for at in range(n_sums):
        missing = best[LEFT + 2 * n_sums + at] if joins else 0.0
        left, right = best[LEFT + at], best[LEFT + n_sums + at]
        nodes.counts[child, at] = left + missing if best[TO] == 0 else left
        nodes.counts[child + 1, at] = right + missing if best[TO] == 1 else right


@kernel
def pushed(stops: Any, lists: Any, tables: Any, nodes: Any, state: Any, at: int, n_left: int) -> None:
    """Put the children of the node at a place of the stack in its place, the smaller one above; leaves are done."""
    stack, figures = state.stack, state.figures
    node, start, stop, depth = stack[at, NODE], stack[at, START], stack[at, STOP], stack[at, DEPTH] + 1
    child, middle = nodes.child[node], start + n_left
    figures[TOP] = at
    left_ends = is_leaf(stops, nodes.counts[child], n_left, depth)
    right_ends = is_leaf(stops, nodes.counts[child + 1], stop - middle, depth)
    nodes.kind[child], nodes.kind[child + 1] = NONE, NONE
    if left_ends and right_ends:
        return
    is_left_smaller = n_left * 2 <= stop - start
    small = (child, start, middle) if is_left_smaller else (child + 1, middle, stop)
    large = (child + 1, middle, stop) if is_left_smaller else (child, start, middle)
    is_small_done = left_ends if is_left_smaller else right_ends
    is_large_done = right_ends if is_left_smaller else left_ends
    if stop - start >= stops.many and (not is_large_done or small[2] - small[1] >= stops.many):
        rows = lists.rows[small[1] : small[2]]
        counted_cells(tables, state.cells[at + 1], rows, lists.target)
        counted_bits(tables, state.ones[at + 1], rows, lists.target)
        if large[2] - large[1] >= stops.many:
            _less(state.cells[at], state.cells[at + 1])
            _less(state.ones[at], state.ones[at + 1])
    place = at
    if is_large_done:  # its place is the smaller one's
        for line in range(len(state.cells[at])):
            copied(state.cells[at + 1, line], state.cells[at, line])
        for line in range(len(state.ones[at])):
            copied(state.ones[at + 1, line], state.ones[at, line])
    else:
        put(stack, place, large, depth)
        place += 1
    if not is_small_done:
        if place > at:
            copied(state.varies[at], state.varies[place])
        put(stack, place, small, depth)
        place += 1
    figures[TOP] = place


@kernel
def _less(counts: Any, others: Any) -> None:
    """Take counts away from others of the same shape."""
    for line in range(len(counts)):
        for place in range(counts.shape[1]):
            counts[line, place] -= others[line, place]


@kernel
def put(stack: Any, at: int, what: Any, depth: int) -> None:
    """Let a node wait: (its number, its first row, the row after its last)."""
    stack[at, NODE], stack[at, START], stack[at, STOP], stack[at, DEPTH] = what[0], what[1], what[2], depth


@kernel
def are_leaves(stops: Any, nodes: Any, state: Any, at: int, n_left: int) -> bool:
    """Whether both children of the node at a place of the stack are leaves: then nothing needs to be divided."""
    stack = state.stack
    child, depth, n = nodes.child[stack[at, NODE]], stack[at, DEPTH] + 1, stack[at, STOP] - stack[at, START]
    return is_leaf(stops, nodes.counts[child], n_left, depth) and is_leaf(
        stops, nodes.counts[child + 1], n - n_left, depth
    )


@kernel
def divide(terms: Any, stops: Any, lists: Any, tables: Any, counts: Any, nodes: Any, state: Any, n_left: int) -> None:
    """Divide the node on top of the stack, whose rows' children are marked, by its champion."""
    at = state.figures[TOP] - 1
    start, stop = state.stack[at, START], state.stack[at, STOP]
    recorded(terms, tables, counts, nodes, state, state.stack[at, NODE])
    if not are_leaves(stops, nodes, state, at, n_left):
        for line in range(len(lists.features)):
            if state.varies[at, line]:
                base = line * lists.stride + start
                parted(lists.entries, base, stop - start, n_left, lists.side, lists.spare, start, terms.row_mask)
        if len(lists.rows):
            parted_rows(lists.rows, start, stop, n_left, lists.side, lists.spare)
    pushed(stops, lists, tables, nodes, state, at, n_left)


@kernel
def grow(terms: Any, stops: Any, lists: Any, tables: Any, counts: Any, nodes: Any, state: Any, limit: int) -> int:
    """Grow until nothing waits, `limit` cells were looked at, or something is asked; return how it ended."""
    figures = state.figures
    n_features = len(lists.features) + len(tables.features) + len(tables.bit_features)
    figures[WORK] = 0
    while figures[TOP] > 0:
        if figures[WORK] > limit:
            return PAUSED
        at = figures[TOP] - 1
        figures[WORK] += (state.stack[at, STOP] - state.stack[at, START]) * n_features + _OVERHEAD
        if figures[SIDES] + len(counts.best_sides) > len(state.pool):
            return FULL
        found = search(terms, stops, lists, tables, counts, nodes, state, at)
        n_left = marked(terms, stops, lists, tables, counts, nodes, state, at) if found else -1
        if n_left < 0:
            return ASKS
        if n_left == 0:
            figures[TOP] = at
        else:
            divide(terms, stops, lists, tables, counts, nodes, state, n_left)
    return DONE
