"""Kernel: the best tree of depth 2 of some rows, 16 cuts of the root at a time."""

from typing import Any

import numpy as np

from treerules._internal.jit import allocating_kernel, kernel
from treerules.growing.optimal.gaps_kernel import (
    BEST,
    BEST_COLUMN,
    BEST_CUT,
    LAST,
    N_HEAP,
    N_LANES,
    N_LANES_USED,
    add_whole_columns,
    divide_gaps,
    empty_gaps,
    next_cuts,
    use_best,
)
from treerules.growing.optimal.lane_costs_kernel import (
    INFINITE_ERROR,
    bounded_costs_of_sides,
    costs_of_sides,
    squared_errors_of_sides,
)
from treerules.growing.optimal.row_lists_kernel import cuts_of_columns, rows_of_pairs

#: The cost of what is not found yet, of int32 costs and of others.
INFINITE_32, INFINITE_64 = 1 << 29, 1 << 60


@allocating_kernel
def space_for_classes(costs: Any, penalty: Any) -> Any:
    """Return a cost above all others, the constants of `costs_of_sides`, its space for sums, and for results."""
    infinite = np.int64(INFINITE_64) if costs.itemsize == 8 else np.int64(INFINITE_32)
    constants = np.array([0, penalty, 2 * penalty, infinite, 0]).astype(costs.dtype)
    sums = np.empty(2 * N_LANES * costs.shape[1], costs.dtype)
    return infinite, constants, sums, np.empty(2 * N_LANES, costs.dtype)


@allocating_kernel
def best_of_classes(
    order: Any,
    ranks: Any,
    costs: Any,
    greatest_cost: Any,
    entry_start: Any,
    entry_pair: Any,
    entry_difference: Any,
    weights: Any,
    first_label: Any,
    second_label: Any,
    least_weight: Any,
    penalty: Any,
    upper: Any,
    most_batches: Any,
    cost_of_column: Any,
    cut_of_column: Any,
) -> Any:
    """Return the cost of the best tree of depth 2 that costs less than `upper`, the cut of its root, and a bound.

    Args:
        order: the rows by rank, int32, shape (columns, rows).
        ranks: the rank of each row, int32, shape (columns, rows).
        costs: the cost of each label, shape (rows, labels).
        greatest_cost: the greatest cost of each row, int64.
        entry_start: where the pairs of labels with different costs of each row start, shape (rows + 1,).
        entry_pair: the pair of each entry.
        entry_difference: the cost of its first label less that of its second, of the type of costs.
        weights: the weight of each row; empty where leaves have no least weight.
        first_label: the first label of each pair.
        second_label: the second label of each pair.
        least_weight: the least weight of a leaf.
        penalty: the price of a leaf.
        upper: the cost to improve on.
        most_batches: the search ends after as many batches of 16 cuts.
        cost_of_column: the least cost at an evaluated cut of each column; written.
        cut_of_column: the rank above that cut, or -1; written.

    Returns:
        The cost (`upper` where no tree costs less), the column and the rank above the cut of the root (-1: a tree of
        depth 1, or none), and the lower bound.
    """
    cut_rank, weight_below, n_cuts, total_weight = cuts_of_columns(order, ranks, greatest_cost, 0)
    cuts = (cut_rank, weight_below)
    start, rows, differences, is_new = rows_of_pairs(
        order, ranks, entry_start, entry_pair, entry_difference, len(first_label)
    )
    infinite, constants, sums, sides = space_for_classes(costs, penalty)
    arrays = empty_gaps(n_cuts, upper)
    state = arrays[-1]
    mask = np.ones(order.shape[1], np.uint16)
    bounds = np.empty(2 * N_LANES, np.int64)
    values = np.empty(2 * N_LANES, np.int64)
    cost_of_column[:] = infinite
    cut_of_column[:] = -1
    for batch in range(most_batches + 1):  # the first batch is one lane of all rows: the best tree of depth 1
        costs_of_sides(mask, costs, first_label, second_label, start, rows, differences, is_new, constants, sums, sides)
        bounds[:] = sides
        if len(weights):
            bounded_costs_of_sides(
                mask, costs, first_label, second_label, order, ranks, weights, least_weight, constants, sums, sides
            )
        values[:] = sides
        if batch == 0:
            state[BEST] = min(upper, values[0])
            add_whole_columns(cuts, n_cuts, total_weight, penalty, bounds[0], arrays, 0, len(n_cuts))
        use_best(values, cuts, arrays, cost_of_column, cut_of_column)
        divide_gaps(bounds, cuts, arrays)
        if batch == most_batches:
            break
        next_cuts(ranks, cuts, arrays, mask)
        if state[N_LANES_USED] == 0:
            break
    return found(arrays)


@allocating_kernel
def first_of_classes(
    order: Any,
    ranks: Any,
    costs: Any,
    greatest_cost: Any,
    entry_start: Any,
    entry_pair: Any,
    entry_difference: Any,
    weights: Any,
    first_label: Any,
    second_label: Any,
    least_weight: Any,
    penalty: Any,
    cost: Any,
) -> Any:
    """Return the first column, and its lowest cut, at which a tree of depth 2 has a cost: the least of all trees.

    The arguments are those of `best_of_classes`; the cut is given by the rank above it. -1: there is none.
    """
    cut_rank, weight_below, n_cuts, total_weight = cuts_of_columns(order, ranks, greatest_cost, 0)
    cuts = (cut_rank, weight_below)
    start, rows, differences, is_new = rows_of_pairs(
        order, ranks, entry_start, entry_pair, entry_difference, len(first_label)
    )
    _, constants, sums, sides = space_for_classes(costs, penalty)
    mask = np.ones(order.shape[1], np.uint16)
    bounds = np.empty(2 * N_LANES, np.int64)
    for column in range(len(n_cuts)):
        arrays = empty_gaps(n_cuts, cost + 1)
        state = arrays[-1]
        add_whole_columns(cuts, n_cuts, total_weight, penalty, penalty, arrays, column, column + 1)
        first = n_cuts[column]
        while state[N_HEAP] > 0:
            next_cuts(ranks, cuts, arrays, mask)
            if state[N_LANES_USED] == 0:
                break
            costs_of_sides(
                mask, costs, first_label, second_label, start, rows, differences, is_new, constants, sums, sides
            )
            bounds[:] = sides
            if len(weights):
                bounded_costs_of_sides(
                    mask, costs, first_label, second_label, order, ranks, weights, least_weight, constants, sums, sides
                )
            first = min(first, first_reached(sides, cost, arrays))
            divide_gaps(bounds, cuts, arrays)
            leave_out_from(first, arrays)
        if first < n_cuts[column]:
            return column, cut_rank[column, first]
    return -1, -1


@kernel
def first_reached(sides: Any, cost: Any, arrays: Any) -> Any:
    """Return the lowest cut in the lanes that has a cost; a great number where none has."""
    _, _, _, _, lane_cut, state = arrays
    first = np.int64(INFINITE_64)
    for lane in range(state[N_LANES_USED]):
        if np.int64(sides[lane]) + np.int64(sides[N_LANES + lane]) == cost:
            first = min(first, lane_cut[lane])
    return first


@kernel
def leave_out_from(first: Any, arrays: Any) -> Any:
    """Take the cuts from one on out of all gaps; a gap without cuts stays in the heap, and is passed over."""
    gaps, _, heap, _, _, state = arrays
    for item in range(state[N_HEAP]):
        gap = gaps[heap[item]]
        gap[LAST] = min(gap[LAST], first - 1)


@allocating_kernel
def best_of_means(
    order: Any,
    ranks: Any,
    figures: Any,
    weights: Any,
    least_weight: Any,
    penalty: Any,
    upper: Any,
    step: Any,
    unit: Any,
    least_row: Any,
    most_batches: Any,
    cost_of_column: Any,
    cut_of_column: Any,
) -> Any:
    """Return of a regression what `best_of_classes` returns. Its arguments are as there, and

    Args:
        figures: weight, weight times target, weight times its square, of each row, shape (rows, 3).
        step: more than all costs: weights give no bound of squared errors.
        unit: the squared error of one unit of cost.
        least_row: a weight below that of each row: lighter sides are empty.
    """
    nothing = np.zeros(order.shape[1], np.int64)
    cut_rank, weight_below, n_cuts, total_weight = cuts_of_columns(order, ranks, nothing, step)
    cuts = (cut_rank, weight_below)
    arrays = empty_gaps(n_cuts, upper)
    state = arrays[-1]
    mask = np.ones(order.shape[1], np.uint16)
    sides = np.empty(2 * N_LANES, np.float64)
    bounds = np.empty(2 * N_LANES, np.int64)
    values = np.empty(2 * N_LANES, np.int64)
    cost_of_column[:] = INFINITE_64
    cut_of_column[:] = -1
    for batch in range(most_batches + 1):
        squared_errors_of_sides(mask, figures, order, ranks, least_row, penalty * unit, sides)
        write_units(sides, unit, bounds)
        if len(weights):
            squared_errors_of_sides(mask, figures, order, ranks, least_weight, penalty * unit, sides)
        write_units(sides, unit, values)
        if batch == 0:
            state[BEST] = min(upper, values[0])
            add_whole_columns(cuts, n_cuts, total_weight, penalty, bounds[0], arrays, 0, len(n_cuts))
        use_best(values, cuts, arrays, cost_of_column, cut_of_column)
        divide_gaps(bounds, cuts, arrays)
        if batch == most_batches:
            break
        next_cuts(ranks, cuts, arrays, mask)
        if state[N_LANES_USED] == 0:
            break
    return found(arrays)


@kernel
def found(arrays: Any) -> Any:
    """Return the least cost, the column and the rank above its cut, and the lower bound that is left in the heap."""
    _, keys, _, _, _, state = arrays
    lower = min(state[BEST], keys[0]) if state[N_HEAP] > 0 else state[BEST]
    return state[BEST], state[BEST_COLUMN], state[BEST_CUT], lower


@kernel
def write_units(sides: Any, unit: Any, costs: Any) -> Any:
    """Write squared errors as whole units, rounded down."""
    for side in range(len(sides)):
        costs[side] = np.int64(np.floor(sides[side] / unit)) if sides[side] < INFINITE_ERROR else INFINITE_64
