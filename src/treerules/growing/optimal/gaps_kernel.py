"""Kernels: gaps between evaluated cuts of a column, their lower bounds, and a heap of them.

A gap holds consecutive cuts of a column that are not evaluated. At its ends i < j are evaluated cuts, of which the
least costs below and above are known, or bounded. For a cut t between them (`facts` of the search, Brița et al. 2025):

    below(t) >= max(below(i), below(j) - weight(t..j))      above(t) >= max(above(j), above(i) - weight(i..t))

since cost falls where rows are left out, by at most the greatest cost of each.
"""

from typing import Any

import numpy as np

from treerules._internal.jit import allocating_kernel, kernel

#: The fields of a gap: the column, the first and the last cut, and for both ends the weight of the rows below, the
#: cost below and the cost above.
COLUMN, FIRST, LAST, WEIGHT_I, BELOW_I, ABOVE_I, WEIGHT_J, BELOW_J, ABOVE_J = range(9)
N_FIELDS = 9
#: The state of a search: the numbers of gaps, of those in the heap and of lanes in use; the least cost, its column, and
#: the rank above its cut.
N_GAPS, N_HEAP, N_LANES_USED, BEST, BEST_COLUMN, BEST_CUT = range(6)
N_LANES = 16


@kernel
def first_above(values: Any, n: Any, bound: Any) -> Any:
    """Return the position of the first of n ascending values above a bound."""
    low = 0
    high = n
    while low < high:
        middle = (low + high) >> 1
        if values[middle] <= bound:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def narrow_gap(gap: Any, weight_below: Any, best: Any) -> Any:
    """Leave the cuts in a gap that may cost less than `best`; return its lower bound, or `best` where none is left.

    Args:
        gap: the fields of the gap; the first and the last cut are changed.
        weight_below: the greatest cost of all rows below each cut of the column.
        best: the cost to improve on.
    """
    start = gap[BELOW_I] + gap[ABOVE_I] + gap[WEIGHT_I]
    end = gap[BELOW_J] + gap[ABOVE_J] - gap[WEIGHT_J]
    bound = max(gap[BELOW_I] + gap[ABOVE_J], gap[BELOW_J] - gap[WEIGHT_J] + gap[ABOVE_I] + gap[WEIGHT_I])
    if bound >= best:
        return best
    n = gap[LAST] + 1
    first = max(gap[FIRST], first_above(weight_below, n, start - best))
    last = min(gap[LAST], first_above(weight_below, n, best - end - 1) - 1)
    gap[FIRST] = first
    gap[LAST] = last
    return bound if first <= last else best


@kernel
def push(keys: Any, items: Any, n: Any, key: Any, item: Any) -> Any:
    """Add an item to a heap of n items, the least key first; return n + 1."""
    position = n
    while position > 0:
        above = (position - 1) >> 1
        if keys[above] <= key:
            break
        keys[position] = keys[above]
        items[position] = items[above]
        position = above
    keys[position] = key
    items[position] = item
    return n + 1


@kernel
def remove_first(keys: Any, items: Any, n: Any) -> Any:
    """Remove the first item of a heap of n items; return n - 1."""
    n -= 1
    key = keys[n]
    item = items[n]
    position = 0
    while True:
        below = 2 * position + 1
        if below >= n:
            break
        if below + 1 < n and keys[below + 1] < keys[below]:
            below += 1
        if keys[below] >= key:
            break
        keys[position] = keys[below]
        items[position] = items[below]
        position = below
    keys[position] = key
    items[position] = item
    return n


@allocating_kernel
def empty_gaps(n_cuts: Any, upper: Any) -> Any:
    """Return the arrays of a search without gaps: gaps, keys and items of the heap, gaps and cuts of lanes, the state.

    Each evaluated cut divides one gap into two: there are never more gaps than cuts and columns.
    """
    size = n_cuts.sum() + len(n_cuts) + 1
    state = np.zeros(6, np.int64)
    state[BEST] = upper
    state[BEST_COLUMN] = -1
    state[BEST_CUT] = -1
    return (
        np.empty((size, N_FIELDS), np.int64),
        np.empty(size, np.int64),
        np.empty(size, np.int64),
        np.zeros(N_LANES + 1, np.int64),
        np.zeros(N_LANES, np.int64),
        state,
    )


@kernel
def add_whole_columns(
    cuts: Any, n_cuts: Any, total_weight: Any, penalty: Any, shallow: Any, arrays: Any, first: Any, stop: Any
) -> Any:
    """Put one gap of all cuts of some columns into the heap; its ends are all rows above, and all rows below.

    Args:
        cuts: the rank above each cut, and the greatest cost of the rows below, shapes (columns, cuts).
        n_cuts: the number of cuts of each column.
        total_weight: the greatest cost of all rows.
        penalty: the price of a leaf.
        shallow: the least cost of all rows by trees of depth 1.
        arrays: those of `empty_gaps`.
        first: the first column.
        stop: the column after the last.
    """
    _, weight_below = cuts
    gaps, keys, heap, _, _, state = arrays
    for column in range(first, stop):
        if n_cuts[column] == 0:
            continue
        gap = gaps[state[N_GAPS]]
        gap[COLUMN] = column
        gap[FIRST] = 0
        gap[LAST] = n_cuts[column] - 1
        gap[WEIGHT_I] = 0
        gap[BELOW_I] = penalty
        gap[ABOVE_I] = shallow
        gap[WEIGHT_J] = total_weight
        gap[BELOW_J] = shallow
        gap[ABOVE_J] = penalty
        add_gap(gap, state[N_GAPS], weight_below, keys, heap, state)


@kernel
def add_gap(gap: Any, number: Any, weight_below: Any, keys: Any, heap: Any, state: Any) -> Any:
    """Put a gap into the heap, unless it has no cut that may cost less than the best."""
    if gap[FIRST] > gap[LAST]:
        return
    bound = narrow_gap(gap, weight_below[gap[COLUMN]], state[BEST])
    if bound < state[BEST]:
        state[N_HEAP] = push(keys, heap, state[N_HEAP], bound, number)
        if number == state[N_GAPS]:
            state[N_GAPS] += 1


@kernel
def use_best(values: Any, cuts: Any, arrays: Any, cost_of_column: Any, cut_of_column: Any) -> Any:
    """Take over the costs of the cuts in the lanes: the best cut of all, and that of each column.

    Args:
        values: the costs below the cuts, then those above, shape (32,).
        cuts: the rank above each cut, and the greatest cost of the rows below, shapes (columns, cuts).
        arrays: those of `empty_gaps`.
        cost_of_column: the least cost at an evaluated cut of each column.
        cut_of_column: the rank above that cut.
    """
    cut_rank, _ = cuts
    gaps, _, _, lane_gap, lane_cut, state = arrays
    for lane in range(state[N_LANES_USED]):
        cost = values[lane] + values[N_LANES + lane]
        column = gaps[lane_gap[lane], COLUMN]
        if cost < cost_of_column[column]:
            cost_of_column[column] = cost
            cut_of_column[column] = cut_rank[column, lane_cut[lane]]
        if cost < state[BEST]:
            state[BEST] = cost
            state[BEST_COLUMN] = column
            state[BEST_CUT] = cut_rank[column, lane_cut[lane]]


@kernel
def divide_gaps(bounds: Any, cuts: Any, arrays: Any) -> Any:
    """Put what the cuts in the lanes leave of their gaps into the heap.

    Args:
        bounds: the lower bounds of the costs below the cuts, then of those above, shape (32,).
        cuts: the rank above each cut, and the greatest cost of the rows below, shapes (columns, cuts).
        arrays: those of `empty_gaps`; the lanes of a gap are consecutive, and its cuts ascend.
    """
    _, weight_below = cuts
    gaps, keys, heap, lane_gap, lane_cut, state = arrays
    n_lanes = state[N_LANES_USED]
    lane_gap[n_lanes] = -1
    for lane in range(n_lanes):
        old = gaps[lane_gap[lane]]
        column = old[COLUMN]
        cut = lane_cut[lane]
        gap = gaps[state[N_GAPS]]
        gap[COLUMN] = column
        gap[LAST] = cut - 1
        if lane == 0 or lane_gap[lane - 1] != lane_gap[lane]:
            gap[FIRST] = old[FIRST]
            gap[WEIGHT_I] = old[WEIGHT_I]
            gap[BELOW_I] = old[BELOW_I]
            gap[ABOVE_I] = old[ABOVE_I]
        else:
            gap[FIRST] = lane_cut[lane - 1] + 1
            gap[WEIGHT_I] = weight_below[column, lane_cut[lane - 1]]
            gap[BELOW_I] = bounds[lane - 1]
            gap[ABOVE_I] = bounds[N_LANES + lane - 1]
        gap[WEIGHT_J] = weight_below[column, cut]
        gap[BELOW_J] = bounds[lane]
        gap[ABOVE_J] = bounds[N_LANES + lane]
        add_gap(gap, state[N_GAPS], weight_below, keys, heap, state)
        if lane_gap[lane + 1] != lane_gap[lane]:  # the last cut of its gap: the rest goes on in its place
            old[FIRST] = cut + 1
            old[WEIGHT_I] = weight_below[column, cut]
            old[BELOW_I] = bounds[lane]
            old[ABOVE_I] = bounds[N_LANES + lane]
            add_gap(old, lane_gap[lane], weight_below, keys, heap, state)


@kernel
def next_cuts(ranks: Any, cuts: Any, arrays: Any, mask: Any) -> Any:
    """Choose the cuts of the next batch, from the gaps of the least bounds; write the rows below each to `mask`.

    Where there are fewer gaps than lanes, a gap has several cuts, at equal distances.
    """
    cut_rank, weight_below = cuts
    gaps, keys, heap, lane_gap, lane_cut, state = arrays
    share = max(1, N_LANES // max(1, state[N_HEAP]))
    n_lanes = 0
    while state[N_HEAP] > 0 and n_lanes < N_LANES:
        number = heap[0]
        state[N_HEAP] = remove_first(keys, heap, state[N_HEAP])
        gap = gaps[number]
        if narrow_gap(gap, weight_below[gap[COLUMN]], state[BEST]) >= state[BEST]:
            continue
        width = gap[LAST] - gap[FIRST] + 1
        n = min(min(share, width), N_LANES - n_lanes)
        for part in range(n):
            lane_gap[n_lanes] = number
            lane_cut[n_lanes] = gap[FIRST] + (2 * part + 1) * width // (2 * n)
            n_lanes += 1
    state[N_LANES_USED] = n_lanes
    mask[:] = 0
    for lane in range(n_lanes):
        column = gaps[lane_gap[lane], COLUMN]
        rank = cut_rank[column, lane_cut[lane]]
        bit = np.uint16(1 << lane)
        for row in range(len(mask)):
            mask[row] |= bit if ranks[column, row] < rank else np.uint16(0)
