"""The gain of a split from the statistics of its children, times the weight of the node.

The statistics of a group of rows are an array: of a classification the weight of each class; of a regression the
weight, and the weighted sum of the target, centred and scaled (`target_scale`). Behind them stands what least numbers
of rows count. Class factors (altered priors) multiply the weights when a gain is computed, so whole counts stay exact.
"""

from typing import Any

import numpy as np

from treerules._internal.jit import inner_kernel
from treerules.criteria.table import ENTROPY_KERNEL, SQUARES_KERNEL
from treerules.growing.compiled.arithmetic import product_128, x_log2_x

#: The result of an exact comparison that is not possible here.
UNKNOWN = 2
#: Whole gains are compared exactly in nodes of at most this many rows and classes: integers fit into 128 bits.
_MOST_ROWS, _MOST_CLASSES = 1 << 15, 100
#: Distances of sums and products of sizes below these have squares and products below 2**63.
_MOST_DISTANCE, _MOST_SIZE = 2.0**31, 2.0**20
#: Products of whole numbers up to these are whole doubles.
_MOST_PROPORTIONAL, _MOST_WHOLE = 2.0**26, 2.0**53


@inner_kernel
def purity(group: Any, factors: Any) -> float:
    """Return the sum of x log2 x over the weighed classes of a group, less that of their sum: n times -entropy."""
    total, n = 0.0, 0.0
    for label in range(len(factors)):
        weighed = group[label] * factors[label]
        n += weighed
        total += x_log2_x(weighed)
    return total - x_log2_x(n)


@inner_kernel
def weighed_sum(group: Any, factors: Any) -> float:
    """Return the sum of the weighed classes of a group; of a regression its weight."""
    n = 0.0
    for label in range(len(factors)):
        n += group[label] * factors[label]
    return n


@inner_kernel
def plain_sum(group: Any, n_weights: int) -> float:
    """Return the weight of a group."""
    n = 0.0
    for label in range(n_weights):
        n += group[label]
    return n


@inner_kernel
def mean_or_share(group: Any, scoring: Any) -> float:
    """Return the mean of a group, or the weighted share of the second of two classes."""
    if scoring.criterion == SQUARES_KERNEL:
        return group[1] / (group[0] if group[0] > 0 else 1.0)
    first, second = group[0] * scoring.label_factors[0], group[1] * scoring.label_factors[1]
    return second / (first + second if first + second > 0 else 1.0)


@inner_kernel
def gain_of_two(one: Any, other: Any, scoring: Any) -> float:
    """Return n times the decrease of impurity by two groups.

    That of Gini is the sum over the classes of (a n2 - b n1)^2 / (n1 n2 n), that of the squared error
    (s1 n2 - s2 n1)^2 / (n1 n2 n): no large terms cancel.
    """
    factors = scoring.factors
    n_one, n_other = weighed_sum(one, factors), weighed_sum(other, factors)
    if n_one <= 0 or n_other <= 0:
        return 0.0
    if scoring.criterion == ENTROPY_KERNEL:
        both = 0.0
        for label in range(len(factors)):
            both += x_log2_x((one[label] + other[label]) * factors[label])
        node = both - x_log2_x(n_one + n_other)
        return purity(one, factors) + purity(other, factors) - node
    total = 0.0
    if scoring.criterion == SQUARES_KERNEL:
        distance = one[1] * n_other - other[1] * n_one
        total = distance * distance
    else:
        for label in range(len(factors)):
            distance = (one[label] * n_other - other[label] * n_one) * factors[label]
            total += distance * distance
    return total / (n_one * n_other * (n_one + n_other))


@inner_kernel
def is_proportional(one: Any, other: Any, scoring: Any) -> int:
    """Return 1 or 0 whether two groups of whole numbers have equal shares or means, so no gain; UNKNOWN where unclear.

    Products are whole doubles; where those of a regression may exceed 2**53, 128 bits are compared.
    """
    n_one, n_other = plain_sum(one, scoring.n_weights), plain_sum(other, scoring.n_weights)
    if scoring.criterion == SQUARES_KERNEL:
        left, right = one[1] * n_other, other[1] * n_one
        if left != right or abs(left) <= _MOST_WHOLE:
            return int(left == right)
        high, low = product_128(np.int64(abs(one[1])), np.int64(n_other))
        other_high, other_low = product_128(np.int64(abs(other[1])), np.int64(n_one))
        return int(high == other_high and low == other_low)
    if n_one + n_other > _MOST_PROPORTIONAL:
        return UNKNOWN
    n_unequal = 0
    for label in range(scoring.n_sums):
        n_unequal += one[label] * n_other != other[label] * n_one
    return int(n_unequal == 0)


@inner_kernel
def compare_whole(record: Any, kept: Any, start: int, scoring: Any) -> int:
    """Compare the gains of two records of whole numbers, from `start` on: 1, 0 or -1, or UNKNOWN."""
    k = scoring.n_sums
    one, other = record[start : start + k], record[start + k : start + 2 * k]
    first, second = kept[start : start + k], kept[start + k : start + 2 * k]
    is_same, is_mirrored = True, True
    for label in range(k):
        is_same = is_same and one[label] == first[label] and other[label] == second[label]
        is_mirrored = is_mirrored and one[label] == second[label] and other[label] == first[label]
    if is_same or is_mirrored:
        return 0
    sizes = plain_sum(one, scoring.n_weights), plain_sum(other, scoring.n_weights)
    kept_sizes = plain_sum(first, scoring.n_weights), plain_sum(second, scoring.n_weights)
    n = max(sizes[0] + sizes[1], kept_sizes[0] + kept_sizes[1])
    if scoring.criterion == SQUARES_KERNEL:
        products = one[1] * sizes[1], other[1] * sizes[0], first[1] * kept_sizes[1], second[1] * kept_sizes[0]
        distance, kept_distance = abs(products[0] - products[1]), abs(products[2] - products[3])
        greatest = max(abs(products[0]), abs(products[1]), abs(products[2]), abs(products[3]))
        if greatest > _MOST_WHOLE or max(distance, kept_distance) >= _MOST_DISTANCE or n >= _MOST_SIZE:
            return UNKNOWN
        squares = np.int64(distance) * np.int64(distance)
        kept_squares = np.int64(kept_distance) * np.int64(kept_distance)
    else:
        if n > _MOST_ROWS or k > _MOST_CLASSES:
            return UNKNOWN
        squares, kept_squares = _squares(one, other, sizes, k), _squares(first, second, kept_sizes, k)
    high, low = product_128(squares, _product(kept_sizes))
    kept_high, kept_low = product_128(kept_squares, _product(sizes))
    if high != kept_high:
        return 1 if high > kept_high else -1
    return 0 if low == kept_low else (1 if low > kept_low else -1)


@inner_kernel
def _squares(one: Any, other: Any, sizes: Any, n_classes: int) -> int:
    """Return the sum of squares of (a n2 - b n1) over the classes."""
    total = np.int64(0)
    for label in range(n_classes):
        distance = np.int64(one[label]) * np.int64(sizes[1]) - np.int64(other[label]) * np.int64(sizes[0])
        total += distance * distance
    return total


@inner_kernel
def _product(sizes: Any) -> int:
    return np.int64(sizes[0]) * np.int64(sizes[1]) * np.int64(sizes[0] + sizes[1])
