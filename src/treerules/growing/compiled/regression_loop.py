"""Growing below a node of a regression: as `class_loop` does, with the figures of the target around the mean."""

from math import frexp, ldexp, sqrt
from typing import Any

import numpy as np

from treerules._internal.jit import kernel
from treerules.growing.compiled.best_split import (
    END,
    FEATURE,
    GAIN,
    HIGH,
    KIND,
    LARGEST,
    LOW,
    MISSING_TEST,
    NONE,
    SUBSETS,
    TO,
    copied,
)
from treerules.growing.compiled.class_loop import (
    ASKS,
    DEPTH,
    DONE,
    FULL,
    NEXT,
    NODE,
    PAUSED,
    SIDES,
    START,
    STOP,
    TOP,
    WORK,
    put,
)
from treerules.growing.compiled.exact_sum import rounded_sum
from treerules.growing.compiled.regression_categorical import held, searched
from treerules.growing.compiled.regression_numeric import (
    DISTINCT,
    KEPT,
    SLACK,
    SLOT,
    TOLERANCE,
    UNKNOWN,
    most_gained,
    parted_distinct,
    scanned,
    view_of,
)
from treerules.growing.compiled.stable_partition import parted, parted_rows, sided_by_codes, sided_by_list

#: Scores are within rounding of each other below this share of the node's impurity, and tie below that one.
_NEAR, _TIED = 1e-11, 1e-12
#: Powers of two up to this are floats, and so are their inverses.
_MOST_EXPONENT = 1000
_OVERHEAD = 64
#: In nodes of at most so many rows some feature often gains as much as any could, which ends the search. With no more,
#: rounding (29 units of 2^-53 in a score whose targets span 1/2 to 1) stays below half of the tolerance.
_TINY = 8
#: The figures of a node.
WEIGHT, MEAN, SD = range(3)


@kernel
def figures_of(target: Any, rows: Any, room: Any, partials: Any, figures: Any) -> None:
    """Write the weight, mean and standard deviation of rows that stand in the target's order."""
    n = len(rows)
    first, last = target[rows[0]], target[rows[n - 1]]
    figures[WEIGHT], figures[MEAN], figures[SD] = n, first, 0.0
    if first == last:
        return
    exponent = frexp(max(abs(first), abs(last)))[1]
    is_plain = abs(exponent) <= _MOST_EXPONENT
    factor = ldexp(1.0, -exponent) if is_plain else 1.0
    for at in range(np.uint64(n)):
        value = target[np.uint64(rows[at])]
        room[at] = value * factor if is_plain else ldexp(value, -exponent)
    mean = rounded_sum(room[:n], partials) / n
    for at in range(np.uint64(n)):
        room[at] = (room[at] - mean) * (room[at] - mean)
    sd = sqrt(rounded_sum(room[:n], partials) / n)
    figures[MEAN], figures[SD] = ldexp(mean, exponent), ldexp(sd, exponent)


@kernel
def is_leaf(stops: Any, target: Any, rows: Any, depth: int) -> bool:
    """Whether a node is a leaf whatever its features say."""
    n = len(rows)
    return depth == stops.max_depth or n < stops.min_samples_split or target[rows[0]] == target[rows[n - 1]]


@kernel
def search(terms: Any, stops: Any, lists: Any, tables: Any, counts: Any, nodes: Any, state: Any, at: int) -> bool:
    """Search the node at a place of the stack; False where the reference must. Features come as they win ties.

    A node that is pure enough has no candidates.
    """
    start, stop = state.stack[at, START], state.stack[at, STOP]
    rows, n, marks = lists.rows[start:stop], float(stop - start), state.marks
    view = view_of(lists.y, rows, nodes.counts[state.stack[at, NODE], SD])
    marks[:] = 0.0
    if view.impurity < ldexp(stops.min_impurity, 2 * view.exponent):
        return True
    if abs(view.exponent) > _MOST_EXPONENT:
        return False
    marks[TOLERANCE], marks[SLACK] = _TIED * view.impurity, _NEAR * view.impurity
    enough = np.inf
    if len(rows) <= _TINY and state.is_whole:
        enough = most_gained(lists.y, rows, view) - 0.5 * marks[TOLERANCE]
    for feature in range(len(state.line_of)):
        if marks[KEPT] and state.kept[0, GAIN] >= enough:
            break  # no other one can be better by more than the tolerance
        line = state.line_of[feature]
        if line >= 0:
            if state.varies[at, line]:
                base = line * lists.stride + start
                state.varies[at, line] = scanned(
                    state.kept, state.room, marks, terms, view, lists.y, lists.entries, base, stop - start, state.sums,
                    start, feature,
                )  # fmt: skip
            continue
        line = -1 - line
        n_held = held(tables, counts, line, rows, lists.y, view)
        if not searched(state.kept, state.room, marks, terms, counts, n, n_held, feature, tables.how[line]):
            return False
    return True


@kernel
def marked(terms: Any, stops: Any, lists: Any, tables: Any, counts: Any, nodes: Any, state: Any, at: int) -> int:
    """Mark the child of each row of the node at a place of the stack, by the best of the candidates of a search.

    Return the rows of the first child, 0 where the node is a leaf, -1 where the reference must decide.
    """
    start, stop, marks = state.stack[at, START], state.stack[at, STOP], state.marks
    if marks[KEPT] > 0 and marks[UNKNOWN] >= state.kept[int(marks[KEPT]) - 1, GAIN] - marks[TOLERANCE]:
        return -1
    view, best = view_of(lists.y, lists.rows[start:stop], nodes.counts[state.stack[at, NODE], SD]), state.kept[0]
    if marks[KEPT] == 0 or best[GAIN] < ldexp(stops.min_gain, 2 * view.exponent):
        return 0
    return sided(lists, tables, counts, state, best, start, stop, terms.row_mask)


@kernel
def sided(lists: Any, tables: Any, counts: Any, state: Any, best: Any, start: int, stop: int, mask: int) -> int:
    """Mark the child of each row of a node by its best candidate; return the rows of the first child."""
    feature, kind, to = int(best[FEATURE]), int(best[KIND]), int(best[TO])
    line = state.line_of[feature]
    if line >= 0:
        return sided_by_list(
            lists.entries, line * lists.stride + start, stop - start, int(best[END]), to, lists.side, mask
        )
    line = -1 - line
    for code in range(tables.n_codes[line]):
        if kind == SUBSETS:
            counts.sides[code] = counts.kept_sides[int(best[SLOT]), code]
        else:
            counts.sides[code] = 0 if kind == MISSING_TEST or code <= int(best[LOW]) else 1
    return sided_by_codes(tables, line, lists.rows[start:stop], counts.sides, to, lists.side)


@kernel
def divide(terms: Any, stops: Any, lists: Any, tables: Any, counts: Any, nodes: Any, state: Any, n_left: int) -> None:
    """Divide the node on top of the stack, whose rows' children are marked, by its best candidate."""
    figures, stack, best = state.figures, state.stack, state.kept[0]
    at = figures[TOP] - 1
    node, start, stop, depth = stack[at, NODE], stack[at, START], stack[at, STOP], stack[at, DEPTH] + 1
    child, middle = figures[NEXT], start + n_left
    figures[NEXT] += 2
    nodes.kind[node], nodes.feature[node], nodes.child[node] = int(best[KIND]), int(best[FEATURE]), child
    nodes.low[node], nodes.high[node] = int(best[LOW]), int(best[HIGH])
    nodes.to[node], nodes.largest[node], nodes.sides[node] = int(best[TO]), int(best[LARGEST]), -1
    if best[KIND] == SUBSETS:
        n_codes = tables.n_codes[-1 - state.line_of[int(best[FEATURE])]]
        nodes.sides[node] = figures[SIDES]
        for code in range(n_codes):
            state.pool[figures[SIDES] + code] = counts.kept_sides[int(best[SLOT]), code]
        figures[SIDES] += n_codes
    parted_rows(lists.rows, start, stop, n_left, lists.side, lists.spare)
    for one, begin, end in ((child, start, middle), (child + 1, middle, stop)):
        nodes.kind[one] = NONE
        figures_of(lists.y, lists.rows[begin:end], state.sums[begin:end], state.partials, nodes.counts[one])
    figures[TOP] = at
    left_ends = is_leaf(stops, lists.y, lists.rows[start:middle], depth)
    right_ends = is_leaf(stops, lists.y, lists.rows[middle:stop], depth)
    if left_ends and right_ends:
        return
    for line in range(len(lists.features)):
        if state.varies[at, line]:
            base = line * lists.stride + start
            if state.varies[at, line] == DISTINCT:
                parted_distinct(
                    lists.entries, base, stop - start, n_left, lists.side, lists.spare, start, terms.row_mask
                )
            else:
                parted(lists.entries, base, stop - start, n_left, lists.side, lists.spare, start, terms.row_mask)
    place = at
    for is_larger in (True, False):
        is_left = (n_left * 2 > stop - start) == is_larger
        if left_ends if is_left else right_ends:
            continue
        if place > at:
            copied(state.varies[at], state.varies[place])
        put(stack, place, (child, start, middle) if is_left else (child + 1, middle, stop), depth)
        place += 1
    figures[TOP] = place


@kernel
def grow(terms: Any, stops: Any, lists: Any, tables: Any, counts: Any, nodes: Any, state: Any, limit: int) -> int:
    """Grow until nothing waits, `limit` cells were looked at, or something is asked; return how it ended."""
    figures = state.figures
    figures[WORK] = 0
    while figures[TOP] > 0:
        if figures[WORK] > limit:
            return PAUSED
        at = figures[TOP] - 1
        figures[WORK] += (state.stack[at, STOP] - state.stack[at, START]) * len(state.line_of) + _OVERHEAD
        if figures[SIDES] + counts.kept_sides.shape[1] > len(state.pool):
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
