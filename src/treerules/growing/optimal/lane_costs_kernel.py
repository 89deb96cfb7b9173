"""Kernels: the least costs of trees of depth 1 on both sides of 16 cuts at once.

A side of a cut is a set of rows, given by one bit of each row's `mask`: lane j is bit j. All rows are visited once in
the order of each column. "Label a below a threshold, else b" costs the sum of b's costs on the side plus the prefix sum
of (cost of a - cost of b) below the threshold: so the least and the greatest prefix of each pair of labels give the
best threshold and labels.
"""

from typing import Any

from treerules._internal.jit import kernel
from treerules._internal.lanes import (
    add,
    divide,
    greater,
    lesser,
    load,
    multiply,
    repeat,
    store,
    subtract,
    where_bit,
    where_both,
)

#: Positions in `constants`: 0, the price of a leaf, that of two, a cost above all others; all of the type of costs.
ZERO, LEAF_PRICE, TWO_LEAVES, INFINITE = range(4)
#: The squared error of a side that is too light for a leaf.
INFINITE_ERROR = 1e300


@kernel
def costs_of_leaves(mask: Any, costs: Any, constants: Any, sums: Any) -> Any:
    """Return the costs of one leaf on both sides, without its price; write the sums of each label's costs to `sums`."""
    zero = repeat(constants[ZERO])
    inside_best = repeat(constants[INFINITE])
    outside_best = inside_best
    for label in range(costs.shape[1]):
        inside = zero
        total = zero
        for row in range(costs.shape[0]):
            cost = costs[row, label]
            total = add(total, repeat(cost))
            inside = add(inside, where_bit(mask[row], cost))
        outside = subtract(total, inside)
        store(sums, 32 * label, inside)
        store(sums, 32 * label + 16, outside)
        inside_best = lesser(inside_best, inside)
        outside_best = lesser(outside_best, outside)
    return inside_best, outside_best


@kernel
def costs_of_sides(
    mask: Any,
    costs: Any,
    first_label: Any,
    second_label: Any,
    start: Any,
    rows: Any,
    differences: Any,
    is_new: Any,
    constants: Any,
    sums: Any,
    sides: Any,
) -> Any:
    """Write the least cost of depth 1 of the rows in each lane's mask to `sides[:16]`, of the others to `sides[16:]`.

    Args:
        mask: one bit for each lane, uint16, shape (rows,).
        costs: the cost of each label, shape (rows, labels).
        first_label: the first label of each pair.
        second_label: the second label of each pair.
        start: where the rows of each pair of labels start in the following arrays, shape (pairs + 1,).
        rows: the rows of which the two labels have different costs, by column, pair and rank, shape (columns, items).
        differences: the cost of the first label less that of the second, shape (columns, items).
        is_new: whether the rank is another one than that of the pair's item before, shape (columns, items).
        constants: see ZERO and the following.
        sums: space for the sums of costs, shape (32 x labels,).
        sides: the result, shape (32,).
    """
    zero = repeat(constants[ZERO])
    inside_best, outside_best = costs_of_leaves(mask, costs, constants, sums)
    # a leaf pays for one leaf: all costs are without their second leaf until the end
    price = repeat(constants[LEAF_PRICE])
    inside_best = subtract(inside_best, price)
    outside_best = subtract(outside_best, price)
    for pair in range(len(first_label)):
        if start[pair] == start[pair + 1]:
            continue
        low = zero
        high = zero
        low_outside = zero
        high_outside = zero
        for column in range(rows.shape[0]):
            inside = zero
            outside = zero
            for item in range(start[pair], start[pair + 1]):
                if is_new[column, item]:
                    low = lesser(low, inside)
                    high = greater(high, inside)
                    low_outside = lesser(low_outside, outside)
                    high_outside = greater(high_outside, outside)
                difference = differences[column, item]
                part = where_bit(mask[rows[column, item]], difference)
                inside = add(inside, part)
                outside = add(outside, subtract(repeat(difference), part))
        first = 32 * first_label[pair]
        second = 32 * second_label[pair]
        best = lesser(add(load(sums, second), low), subtract(load(sums, first), high))
        inside_best = lesser(inside_best, best)
        best = lesser(add(load(sums, second + 16), low_outside), subtract(load(sums, first + 16), high_outside))
        outside_best = lesser(outside_best, best)
    both = repeat(constants[TWO_LEAVES])
    store(sides, 0, add(inside_best, both))
    store(sides, 16, add(outside_best, both))


@kernel
def weights_of_sides(mask: Any, weights: Any) -> Any:
    """Return the summed weights on both sides."""
    inside = repeat(weights[0] * 0.0)
    total = inside
    for row in range(len(weights)):
        total = add(total, repeat(weights[row]))
        inside = add(inside, where_bit(mask[row], weights[row]))
    return inside, subtract(total, inside)


@kernel
def bounded_costs_of_sides(
    mask: Any,
    costs: Any,
    first_label: Any,
    second_label: Any,
    order: Any,
    ranks: Any,
    weights: Any,
    least_weight: Any,
    constants: Any,
    sums: Any,
    sides: Any,
) -> Any:
    """Write costs as `costs_of_sides` does, of trees whose leaves have at least a weight.

    A side that is too light for a leaf has the cost `constants[INFINITE]`. Arguments are as there, and

    Args:
        order: the rows by rank, shape (columns, rows).
        ranks: the rank of each row, shape (columns, rows).
        weights: the weight of each row, float64.
        least_weight: the least weight of a leaf.
    """
    n_rows = costs.shape[0]
    zero = repeat(constants[ZERO])
    infinite = repeat(constants[INFINITE])
    no_weight = repeat(weights[0] * 0.0)
    least = repeat(least_weight)
    inside_weight, outside_weight = weights_of_sides(mask, weights)
    inside_best, outside_best = costs_of_leaves(mask, costs, constants, sums)
    price = repeat(constants[LEAF_PRICE])
    inside_best = where_both(inside_weight, inside_weight, least, add(inside_best, price), infinite)
    outside_best = where_both(outside_weight, outside_weight, least, add(outside_best, price), infinite)
    both = repeat(constants[TWO_LEAVES])
    for pair in range(len(first_label)):
        a = first_label[pair]
        b = second_label[pair]
        first = load(sums, 32 * a)
        second = load(sums, 32 * b)
        first_outside = load(sums, 32 * a + 16)
        second_outside = load(sums, 32 * b + 16)
        for column in range(order.shape[0]):
            inside = zero
            outside = zero
            weight = no_weight
            weight_outside = no_weight
            last = ranks[column, order[column, 0]]
            for item in range(n_rows):
                row = order[column, item]
                if ranks[column, row] != last:
                    last = ranks[column, row]
                    best = add(both, lesser(add(second, inside), subtract(first, inside)))
                    rest = subtract(inside_weight, weight)
                    inside_best = lesser(where_both(weight, rest, least, best, infinite), inside_best)
                    best = add(both, lesser(add(second_outside, outside), subtract(first_outside, outside)))
                    rest = subtract(outside_weight, weight_outside)
                    outside_best = lesser(where_both(weight_outside, rest, least, best, infinite), outside_best)
                constants[4] = costs[row, a] - costs[row, b]  # of the type of costs
                difference = constants[4]
                part = where_bit(mask[row], difference)
                inside = add(inside, part)
                outside = add(outside, subtract(repeat(difference), part))
                part_weight = where_bit(mask[row], weights[row])
                weight = add(weight, part_weight)
                weight_outside = add(weight_outside, subtract(repeat(weights[row]), part_weight))
    store(sides, 0, inside_best)
    store(sides, 16, outside_best)


@kernel
def squared_errors(weight: Any, total: Any, square: Any, gain: Any, least: Any, penalty: Any) -> Any:
    """Return the lesser of the squared errors of a leaf and of the best split, with the prices of the leaves.

    Args:
        weight: the summed weight of a side.
        total: its summed weight times target.
        square: its summed weight times the square of the target.
        gain: what the best split takes from `square`; -1 where there is none.
        least: the least weight of a leaf.
        penalty: the price of a leaf.
    """
    price = repeat(penalty)
    infinite = repeat(INFINITE_ERROR + 0.0 * penalty)
    zero = repeat(0.0 * penalty)
    leaf = add(price, greater(zero, subtract(square, divide(multiply(total, total), weight))))
    leaf = where_both(weight, weight, least, leaf, infinite)
    split = add(add(price, price), greater(zero, subtract(square, gain)))
    return lesser(leaf, where_both(gain, gain, zero, split, infinite))


@kernel
def squared_errors_of_sides(
    mask: Any, figures: Any, order: Any, ranks: Any, least_weight: Any, penalty: Any, sides: Any
) -> Any:
    """Write the least squared error of depth 1, plus its leaves' prices, of both sides of 16 cuts.

    Args:
        mask: one bit for each lane, uint16, shape (rows,).
        figures: weight, weight times target, weight times its square, of each row, shape (rows, 3).
        order: the rows by rank, shape (columns, rows).
        ranks: the rank of each row, shape (columns, rows).
        least_weight: the least weight of a leaf, above 0.
        penalty: the price of a leaf.
        sides: the result, shape (32,), as in `costs_of_sides`.
    """
    n_rows = figures.shape[0]
    zero = repeat(figures[0, 0] * 0.0)
    least = repeat(least_weight)
    nothing = repeat(-1.0 + 0.0 * figures[0, 0])
    weight = zero
    total = zero
    square = zero
    all_weight = zero
    all_total = zero
    all_square = zero
    for row in range(n_rows):
        bits = mask[row]
        weight = add(weight, where_bit(bits, figures[row, 0]))
        total = add(total, where_bit(bits, figures[row, 1]))
        square = add(square, where_bit(bits, figures[row, 2]))
        all_weight = add(all_weight, repeat(figures[row, 0]))
        all_total = add(all_total, repeat(figures[row, 1]))
        all_square = add(all_square, repeat(figures[row, 2]))
    weight_outside = subtract(all_weight, weight)
    total_outside = subtract(all_total, total)
    square_outside = subtract(all_square, square)
    gain = nothing
    gain_outside = nothing
    for column in range(order.shape[0]):
        n = zero
        s = zero
        n_outside = zero
        s_outside = zero
        last = ranks[column, order[column, 0]]
        for item in range(n_rows):
            row = order[column, item]
            if ranks[column, row] != last:
                last = ranks[column, row]
                n_rest = subtract(weight, n)
                s_rest = subtract(total, s)
                upper = add(multiply(multiply(s, s), n_rest), multiply(multiply(s_rest, s_rest), n))
                value = divide(upper, multiply(n, n_rest))
                gain = greater(where_both(n, n_rest, least, value, nothing), gain)
                n_rest = subtract(weight_outside, n_outside)
                s_rest = subtract(total_outside, s_outside)
                upper = add(
                    multiply(multiply(s_outside, s_outside), n_rest), multiply(multiply(s_rest, s_rest), n_outside)
                )
                value = divide(upper, multiply(n_outside, n_rest))
                gain_outside = greater(where_both(n_outside, n_rest, least, value, nothing), gain_outside)
            bits = mask[row]
            part = where_bit(bits, figures[row, 0])
            n = add(n, part)
            n_outside = add(n_outside, subtract(repeat(figures[row, 0]), part))
            part = where_bit(bits, figures[row, 1])
            s = add(s, part)
            s_outside = add(s_outside, subtract(repeat(figures[row, 1]), part))
    store(sides, 0, squared_errors(weight, total, square, gain, least, penalty))
    store(sides, 16, squared_errors(weight_outside, total_outside, square_outside, gain_outside, least, penalty))
