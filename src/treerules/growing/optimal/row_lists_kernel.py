"""Kernels: the cuts of the columns of some rows, the rows of pairs of labels, and the rows on one side of a cut."""

from typing import Any

import numpy as np

from treerules._internal.jit import allocating_kernel


@allocating_kernel
def cuts_of_columns(order: Any, ranks: Any, greatest_cost: Any, step: Any) -> Any:
    """Return the cuts of each column: the ranks above, the greatest costs of the rows below, the numbers of cuts.

    Args:
        order: the rows by rank, shape (columns, rows).
        ranks: the rank of each row, shape (columns, rows).
        greatest_cost: the greatest cost of each row.
        step: added to the weight at each cut: more than all costs where weights give no bound, otherwise 0.

    Returns:
        The ranks and the costs, shape (columns, rows), the numbers of cuts, and the greatest cost of all rows.
    """
    n_columns, n_rows = order.shape
    cut_rank = np.empty((n_columns, n_rows), np.int32)
    weight_below = np.empty((n_columns, n_rows), np.int64)
    n_cuts = np.empty(n_columns, np.int64)
    for column in range(n_columns):
        n = 0
        total = 0
        last = ranks[column, order[column, 0]]
        for position in range(n_rows):
            row = order[column, position]
            rank = ranks[column, row]
            if rank != last:
                last = rank
                total += step
                cut_rank[column, n] = rank
                weight_below[column, n] = total
                n += 1
            total += greatest_cost[row]
        n_cuts[column] = n
    return cut_rank, weight_below, n_cuts, greatest_cost.sum() + step * (n_rows + 1)


@allocating_kernel
def rows_of_pairs(
    order: Any, ranks: Any, entry_start: Any, entry_pair: Any, entry_difference: Any, n_pairs: Any
) -> Any:
    """Return the rows of each pair of labels with different costs, by column and rank, as `costs_of_sides` reads them.

    Returns:
        Where the rows of each pair start, shape (pairs + 1,); the rows, the differences of costs, and whether the rank
        is a new one, shape (columns, entries).
    """
    n_columns, n_entries = len(order), len(entry_pair)
    start = np.zeros(n_pairs + 1, np.int64)
    rows = np.empty((n_columns, n_entries), np.int32)
    differences = np.empty((n_columns, n_entries), entry_difference.dtype)
    is_new = np.empty((n_columns, n_entries), np.bool_)
    next_item = np.empty(n_pairs, np.int64)
    last_rank = np.empty(n_pairs, np.int32)
    for entry in range(n_entries):
        start[entry_pair[entry] + 1] += 1
    for pair in range(n_pairs):
        start[pair + 1] += start[pair]
    for column in range(n_columns):
        for pair in range(n_pairs):
            next_item[pair] = start[pair]
            last_rank[pair] = -1
        for position in range(order.shape[1]):
            row = order[column, position]
            rank = ranks[column, row]
            for entry in range(entry_start[row], entry_start[row + 1]):
                pair = entry_pair[entry]
                item = next_item[pair]
                rows[column, item] = row
                differences[column, item] = entry_difference[entry]
                is_new[column, item] = rank != last_rank[pair]
                last_rank[pair] = rank
                next_item[pair] = item + 1
    return start, rows, differences, is_new


@allocating_kernel
def numbers_on_side(ranks: Any, cut: Any, is_below: Any) -> Any:
    """Return the new number of each row on one side of a cut (-1: on the other side), and how many there are."""
    number = np.full(len(ranks), -1, np.int32)
    n = 0
    for row in range(len(ranks)):
        if (ranks[row] < cut) == is_below:
            number[row] = n
            n += 1
    return number, n


@allocating_kernel
def rows_on_side(
    order: Any,
    ranks: Any,
    costs: Any,
    greatest_cost: Any,
    entry_start: Any,
    entry_pair: Any,
    entry_difference: Any,
    weights: Any,
    column: Any,
    cut: Any,
    is_below: Any,
) -> Any:
    """Return the arrays of the rows on one side of a cut, as the kernels above take them; some are empty, as there."""
    n_columns, n_rows = order.shape
    number, n = numbers_on_side(ranks[column], cut, is_below)
    n_entries = 0
    if len(entry_start):
        for row in range(n_rows):
            if number[row] >= 0:
                n_entries += entry_start[row + 1] - entry_start[row]
    new_order = np.empty((n_columns, n), np.int32)
    new_ranks = np.empty((n_columns, n), np.int32)
    new_costs = np.empty((n, costs.shape[1]), costs.dtype)
    new_greatest = np.empty(n, np.int64)
    new_weights = np.empty(n if len(weights) else 0, np.float64)
    new_start = np.empty(n + 1 if len(entry_start) else 0, np.int64)
    new_pair = np.empty(n_entries, np.int32)
    new_difference = np.empty(n_entries, costs.dtype)
    n_entries = 0
    for row in range(n_rows):
        new = number[row]
        if new < 0:
            continue
        for label in range(costs.shape[1]):
            new_costs[new, label] = costs[row, label]
        new_greatest[new] = greatest_cost[row]
        if len(weights):
            new_weights[new] = weights[row]
        if len(entry_start):
            new_start[new] = n_entries
            for entry in range(entry_start[row], entry_start[row + 1]):
                new_pair[n_entries] = entry_pair[entry]
                new_difference[n_entries] = entry_difference[entry]
                n_entries += 1
    if len(entry_start):
        new_start[n] = n_entries
    for line in range(n_columns):
        for row in range(n_rows):
            if number[row] >= 0:
                new_ranks[line, number[row]] = ranks[line, row]
        position = 0
        for old in range(n_rows):
            new = number[order[line, old]]
            if new >= 0:
                new_order[line, position] = new
                position += 1
    return new_order, new_ranks, new_costs, new_greatest, new_start, new_pair, new_difference, new_weights
