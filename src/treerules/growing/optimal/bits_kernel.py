"""Kernels: optimal trees of depth 2 and 3 where all columns have two values, 64 rows in a word.

Columns are words of bits, side by side: that of a column is `bits[word * n_columns + column]`, so that 16 columns are
counted at once. Their number is a multiple of 16; those added for that have no rows. The costs of a label are planes of
bits, as the digits of a binary number: the cost of some rows is the sum over the planes of the number of bits that are
set, times the plane's weight.
"""

from typing import Any

import numpy as np

from treerules._internal.jit import allocating_kernel, kernel
from treerules._internal.lanes import N_LANES, add, bit_count, common_bits, load, multiply, repeat, store, subtract


@kernel
def counts_of_columns(
    bits: Any, n_columns: Any, words: Any, start: Any, stop: Any, first: Any, weight: Any, counts: Any
) -> Any:
    """Add to `counts`, for the columns from `first` on, the bits that they share with some words, times a weight.

    The words before `start` and from `stop` on are 0. The block of 16 columns with `first` is added to as a whole.
    """
    for column in range(first // N_LANES * N_LANES, n_columns, N_LANES):
        old = load(counts, column)
        total = subtract(old, old)
        for word in range(start, stop):
            total = add(total, bit_count(common_bits(repeat(words[word]), load(bits, word * n_columns + column))))
        store(counts, column, add(old, multiply(total, repeat(weight))))


@kernel
def costs_of_two(bits: Any, n_columns: Any, planes: Any, plane_facts: Any, rows: Any, penalty: Any, arrays: Any) -> Any:
    """Return the least cost of trees of depth 2 of some rows, the column of the root, and the cost of depth 1.

    Args:
        bits: the columns, int64, shape (words x columns,).
        n_columns: the number of columns.
        planes: the planes of the costs, int64, shape (planes, words).
        plane_facts: the label of each plane, its power of two, its first word, and the one after its last.
        rows: the rows, as bits, shape (words,).
        penalty: the price of a leaf.
        arrays: those of `space_for`; `ones` and `zeros` get the least costs of depth 1 with and without each column.
    """
    single, pair, total, ones, zeros, inside, words, cells = arrays
    total[:] = 0
    single[:] = 0
    for plane in range(len(planes)):
        label, weight, start, stop = plane_facts[plane]
        for word in range(start, stop):
            inside[plane, word] = planes[plane, word] & rows[word]
            total[label] += bit_count(inside[plane, word]) * weight
        counts_of_columns(bits, n_columns, inside[plane], start, stop, 0, weight, single[label])
    shallow = total[0]
    for label in range(1, len(total)):
        shallow = min(shallow, total[label])
    shallow += penalty
    for column in range(n_columns):
        least_one = single[0, column]
        least_zero = total[0] - single[0, column]
        for label in range(1, len(total)):
            least_one = min(least_one, single[label, column])
            least_zero = min(least_zero, total[label] - single[label, column])
        ones[column] = least_one + penalty
        zeros[column] = least_zero + penalty
        shallow = min(shallow, least_one + least_zero + 2 * penalty)
    for column in range(n_columns - 1):
        for label in range(len(total)):
            pair[label, (column + 1) // N_LANES * N_LANES :] = 0
        for plane in range(len(planes)):
            label, weight, start, stop = plane_facts[plane]
            for word in range(start, stop):
                words[word] = inside[plane, word] & bits[word * n_columns + column]
            counts_of_columns(bits, n_columns, words, start, stop, column + 1, weight, pair[label])
        use_pairs(column, single, pair, total, ones, zeros, 2 * penalty, cells)
    best = shallow
    root = -1
    for column in range(n_columns):
        if ones[column] + zeros[column] < best:
            best = ones[column] + zeros[column]
            root = column
    return best, root, shallow


@kernel
def use_pairs(column: Any, single: Any, pair: Any, total: Any, ones: Any, zeros: Any, prices: Any, cells: Any) -> Any:
    """Take over the costs of a column below each later one, and of the later one below it.

    `cells` holds the least costs of the four parts of each pair: both columns, the first, the second, neither.
    """
    n_columns = single.shape[1]
    for label in range(len(total)):
        own = single[label, column]
        rest = total[label] - own
        for other in range(column + 1, n_columns):
            both = pair[label, other]
            second = single[label, other] - both
            if label == 0:
                cells[0, other] = both
                cells[1, other] = own - both
                cells[2, other] = second
                cells[3, other] = rest - second
            else:
                cells[0, other] = min(cells[0, other], both)
                cells[1, other] = min(cells[1, other], own - both)
                cells[2, other] = min(cells[2, other], second)
                cells[3, other] = min(cells[3, other], rest - second)
    least_one = ones[column]
    least_zero = zeros[column]
    for other in range(column + 1, n_columns):
        least_one = min(least_one, cells[0, other] + cells[1, other] + prices)
        least_zero = min(least_zero, cells[2, other] + cells[3, other] + prices)
    for other in range(column + 1, n_columns):
        ones[other] = min(ones[other], cells[0, other] + cells[2, other] + prices)
        zeros[other] = min(zeros[other], cells[1, other] + cells[3, other] + prices)
    ones[column] = least_one
    zeros[column] = least_zero


@allocating_kernel
def space_for(n_labels: Any, n_columns: Any, n_planes: Any, n_words: Any) -> Any:
    """Return the arrays that `costs_of_two` needs.

    They are the costs of each label with each column, and with two columns; the sums of the costs; the least costs of
    depth 1 with and without each column; planes and words of the rows; the parts of pairs.
    """
    return (
        np.empty((n_labels, n_columns), np.int64),
        np.empty((n_labels, n_columns), np.int64),
        np.empty(n_labels, np.int64),
        np.empty(n_columns, np.int64),
        np.empty(n_columns, np.int64),
        np.empty((n_planes, n_words), np.int64),
        np.empty(n_words, np.int64),
        np.empty((4, n_columns), np.int64),
    )


@allocating_kernel
def best_of_bits(
    bits: Any,
    n_used: Any,
    planes: Any,
    plane_facts: Any,
    n_labels: Any,
    greatest: Any,
    greatest_facts: Any,
    rows: Any,
    penalty: Any,
    depth: Any,
    upper: Any,
) -> Any:
    """Return the least cost of trees of depth 2 or 3 that cost less than `upper`, and the column of the root.

    At depth 3 the columns are tried in the order of their costs at depth 2. The cost on one side of a column is at
    least that on a side of an earlier one, less the greatest costs of the rows that the two sides do not share.

    Args:
        bits: the columns, as `costs_of_two` takes them.
        n_used: the number of columns without those that were added.
        planes: the planes of the costs.
        plane_facts: the label of each plane, its power of two, its first word, and the one after its last.
        n_labels: the number of labels.
        greatest: the planes of the greatest cost of each row.
        greatest_facts: the same facts of these.
        rows: all rows, as bits.
        penalty: the price of a leaf.
        depth: 2 or 3.
        upper: the cost to improve on.

    Returns:
        The cost, `upper` where no tree costs less; the column of the root, -1 for a tree of one level less, or none.
    """
    n_words = len(rows)
    n_columns = len(bits) // n_words
    arrays = space_for(n_labels, n_columns, len(planes), n_words)
    ones = arrays[3]
    zeros = arrays[4]
    shallow, root, _ = costs_of_two(bits, n_columns, planes, plane_facts, rows, penalty, arrays)
    best = min(upper, shallow)
    if depth == 2:
        return best, root if shallow < upper else -1
    root = -1
    order = np.argsort((ones + zeros)[:n_used])
    is_one_first = ones >= zeros
    own_greatest = greatest & rows
    total, weights, shared = shared_weights(bits, n_columns, own_greatest, greatest_facts)
    costs = np.full((2, n_columns), penalty, np.int64)
    side = np.empty(n_words, np.int64)
    for number in range(n_used):
        column = order[number]
        for earlier in range(number):
            other = order[earlier]
            both = shared[column, other]
            neither = total - weights[column] - weights[other] + both
            costs[1, column] = max(
                costs[1, column], costs[1, other] - (weights[other] - both), costs[0, other] - neither
            )
            costs[0, column] = max(costs[0, column], costs[1, other] - both, costs[0, other] - (weights[column] - both))
        for step in range(2):
            if costs[0, column] + costs[1, column] >= best:
                break
            is_one = is_one_first[column] == (step == 0)
            for word in range(n_words):
                own = bits[word * n_columns + column]
                side[word] = rows[word] & (own if is_one else ~own)
            cost, _, _ = costs_of_two(bits, n_columns, planes, plane_facts, side, penalty, arrays)
            costs[1 if is_one else 0, column] = cost
            if step == 1 and costs[0, column] + costs[1, column] < best:
                best = costs[0, column] + costs[1, column]
                root = column
    return best, root


@allocating_kernel
def shared_weights(bits: Any, n_columns: Any, greatest: Any, greatest_facts: Any) -> Any:
    """Return the greatest cost of all rows, of those with each column, and of those with each two columns."""
    n_words = len(bits) // n_columns
    total = np.int64(0)
    weights = np.zeros(n_columns, np.int64)
    shared = np.zeros((n_columns, n_columns), np.int64)
    words = np.empty(n_words, np.int64)
    for plane in range(len(greatest)):
        _, weight, start, stop = greatest_facts[plane]
        counts_of_columns(bits, n_columns, greatest[plane], start, stop, 0, weight, weights)
        for word in range(n_words):
            total += bit_count(greatest[plane, word]) * weight
        for column in range(n_columns):
            for word in range(n_words):
                words[word] = greatest[plane, word] & bits[word * n_columns + column]
            counts_of_columns(bits, n_columns, words, start, stop, 0, weight, shared[column])
    return total, weights, shared
