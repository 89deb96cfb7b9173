"""The gain of a split from the class weights of its children, times the weight of the node.

The statistics of a group of rows are an array: the weight of each class, and behind them what least numbers of rows
count. Class factors (altered priors) multiply the weights when a gain is computed, so whole counts stay exact.
"""

from typing import Any

import numpy as np

from treerules._internal.jit import inner_kernel
from treerules.growing.compiled.best_split import ENTROPY, product_128, x_log2_x

#: The result of an exact comparison that is not possible here.
UNKNOWN = 2
#: Whole gains are compared exactly in nodes of at most this many rows and classes: integers fit into 128 bits.
_MOST_ROWS, _MOST_CLASSES = 1 << 15, 100


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
    """Return the sum of the weighed classes of a group."""
    n = 0.0
    for label in range(len(factors)):
        n += group[label] * factors[label]
    return n


@inner_kernel
def plain_sum(group: Any, n_classes: int) -> float:
    """Return the weight of a group."""
    n = 0.0
    for label in range(n_classes):
        n += group[label]
    return n


@inner_kernel
def gain_of_two(one: Any, other: Any, factors: Any, criterion: int) -> float:
    """Return n times the decrease of impurity by two groups.

    That of Gini is the sum over the classes of (a n2 - b n1)^2 / (n1 n2 n): no large terms cancel.
    """
    n_one, n_other = weighed_sum(one, factors), weighed_sum(other, factors)
    if n_one <= 0 or n_other <= 0:
        return 0.0
    if criterion == ENTROPY:
        both = 0.0
        for label in range(len(factors)):
            both += x_log2_x((one[label] + other[label]) * factors[label])
        node = both - x_log2_x(n_one + n_other)
        return purity(one, factors) + purity(other, factors) - node
    total = 0.0
    for label in range(len(factors)):
        distance = (one[label] * n_other - other[label] * n_one) * factors[label]
        total += distance * distance
    return total / (n_one * n_other * (n_one + n_other))


@inner_kernel
def is_proportional(one: Any, other: Any, n_classes: int) -> bool:
    """Return whether two groups of whole counts have equal shares of all classes: then no gain is above 0."""
    n_one, n_other = plain_sum(one, n_classes), plain_sum(other, n_classes)
    n_unequal = 0
    for label in range(n_classes):
        n_unequal += one[label] * n_other != other[label] * n_one
    return n_unequal == 0


@inner_kernel
def compare_whole(record: Any, kept: Any, start: int, n_classes: int) -> int:
    """Compare the Gini gains of two records of whole counts, from `start` on: 1, 0 or -1, or UNKNOWN."""
    one, other = record[start : start + n_classes], record[start + n_classes : start + 2 * n_classes]
    first, second = kept[start : start + n_classes], kept[start + n_classes : start + 2 * n_classes]
    is_same, is_mirrored = True, True
    for label in range(n_classes):
        is_same = is_same and one[label] == first[label] and other[label] == second[label]
        is_mirrored = is_mirrored and one[label] == second[label] and other[label] == first[label]
    if is_same or is_mirrored:
        return 0
    sizes = plain_sum(one, n_classes), plain_sum(other, n_classes)
    kept_sizes = plain_sum(first, n_classes), plain_sum(second, n_classes)
    if max(sizes[0] + sizes[1], kept_sizes[0] + kept_sizes[1]) > _MOST_ROWS or n_classes > _MOST_CLASSES:
        return UNKNOWN
    high, low = product_128(_squares(one, other, sizes, n_classes), _product(kept_sizes))
    kept_high, kept_low = product_128(_squares(first, second, kept_sizes, n_classes), _product(sizes))
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
