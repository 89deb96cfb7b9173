"""Exact sums of a node of a regression whose target is whole numbers, and exact comparison of the gains of splits.

A split of groups (n1, S1) and (n2, S2) decreases the squared error by D^2 / (n1 n2 (n1 + n2)), D = S1 n2 - S2 n1.
"""

from math import sqrt
from typing import Any

import numpy as np

from treerules._internal.jit import kernel
from treerules.growing.compiled.best_split import SUMS, product_128
from treerules.growing.exact_figures import SQUARES_BIT

#: Positions in a record of a regression: the sizes and sums of the two groups that its gain was computed from.
N_ONE, SUM_ONE, N_TWO, SUM_TWO = range(SUMS + 1, SUMS + 5)
#: How gains are compared: by a tolerance; exactly; or the reference must, since sums exceed 2**53 (`_MOST_WHOLE`).
BY_TOLERANCE, EXACTLY, TOO_WIDE = range(3)
#: The result of a comparison that is not possible here.
UNKNOWN = 2
#: The columns of the sums of a node: the value subtracted from its targets, the sum of the differences, and that of
#: their squares, divided at SQUARES_BIT.
CENTRE, SUM, SQUARES_HIGH, SQUARES_LOW = range(4)
#: Doubles hold all whole numbers up to this.
_MOST_WHOLE = 2.0**53
#: Distances and products of sizes below these have squares and products below 2**63.
_MOST_DISTANCE, _MOST_SIZE = 2.0**31, 2.0**20
#: Sums of squares below this fit into int64; greater ones are added in parts of this many bits.
_MOST_SQUARES, _PART = 2.0**62, 27


@kernel
def is_wide(low: float, high: float, n: int) -> bool:
    """Return whether sums of n differences of targets between two values may exceed the whole numbers of doubles."""
    return (high - low) * n > _MOST_WHOLE


@kernel
def compare_gains(one: Any, other: Any) -> int:
    """Return 1, 0 or -1 where the gain of the first record is greater, equal or less; UNKNOWN where it is not clear."""
    return _compare(
        one[N_ONE], one[SUM_ONE], one[N_TWO], one[SUM_TWO], other[N_ONE], other[SUM_ONE], other[N_TWO], other[SUM_TWO]
    )


@kernel
def _compare(
    n1: float, s1: float, n2: float, s2: float, other_n1: float, other_s1: float, other_n2: float, other_s2: float
) -> int:
    """Compare the gains of two pairs of groups, each given by size and sum, as `compare_gains` does."""
    if n1 == other_n1 and n2 == other_n2 and s1 == other_s1 and s2 == other_s2:
        return 0
    if n1 == other_n2 and n2 == other_n1 and s1 == other_s2 and s2 == other_s1:
        return 0
    distance, other_distance = abs(s1 * n2 - s2 * n1), abs(other_s1 * other_n2 - other_s2 * other_n1)
    n, other_n = n1 + n2, other_n1 + other_n2
    if max(distance, other_distance) >= _MOST_DISTANCE or max(n, other_n) >= _MOST_SIZE:
        return UNKNOWN
    size = np.int64(n1) * np.int64(n2) * np.int64(n)
    other_size = np.int64(other_n1) * np.int64(other_n2) * np.int64(other_n)
    high, low = product_128(np.int64(distance) * np.int64(distance), other_size)
    other_high, other_low = product_128(np.int64(other_distance) * np.int64(other_distance), size)
    if high != other_high:
        return 1 if high > other_high else -1
    return 0 if low == other_low else (1 if low > other_low else -1)


@kernel
def compare_sides(record: Any, n_missing: float, sum_missing: float) -> int:
    """Compare the gain of a record, whose missing values are in its first group, with that where they are in the other.

    Returns what `compare_gains` returns.
    """
    n_one, n_two = record[N_ONE] - n_missing, record[N_TWO] + n_missing
    sum_one, sum_two = record[SUM_ONE] - sum_missing, record[SUM_TWO] + sum_missing
    return _compare(record[N_ONE], record[SUM_ONE], record[N_TWO], record[SUM_TWO], n_one, sum_one, n_two, sum_two)


@kernel
def has_gain(record: Any) -> bool:
    """Return whether the gain of a record is above 0: whether S1 n2 and S2 n1 differ.

    Both are products of whole doubles; where one exceeds 2**53, 128 bits are compared.
    """
    left, right = record[SUM_ONE] * record[N_TWO], record[SUM_TWO] * record[N_ONE]
    if left != right or abs(left) <= _MOST_WHOLE:
        return bool(left != right)
    high, low = product_128(np.int64(abs(record[SUM_ONE])), np.int64(record[N_TWO]))
    other_high, other_low = product_128(np.int64(abs(record[SUM_TWO])), np.int64(record[N_ONE]))
    return bool(high != other_high or low != other_low)


@kernel
def write_exact_sums(target: Any, rows: Any, statistics: Any, sums: Any) -> None:
    """Write the weight, and roughly the mean and the standard deviation of rows in the order of the target; and sums.

    `target` are whole doubles; their differences, times the number of rows, are below 2**62.
    """
    n = len(rows)
    low, centre, high = target[rows[0]], target[rows[n // 2]], target[rows[n - 1]]
    statistics[0], statistics[1], statistics[2] = n, centre, 0.0
    sums[CENTRE], sums[SUM], sums[SQUARES_HIGH], sums[SQUARES_LOW] = np.int64(centre), 0, 0, 0
    if low == high:
        return
    if (high - low) * (high - low) * n < _MOST_SQUARES:
        total, squares = np.int64(0), np.int64(0)
        for index in range(np.uint64(n)):
            difference = np.int64(target[np.uint64(rows[index])] - centre)
            total += difference
            squares += difference * difference
        sums[SUM], sums[SQUARES_HIGH] = total, squares >> SQUARES_BIT
        sums[SQUARES_LOW] = squares - (sums[SQUARES_HIGH] << SQUARES_BIT)
    else:
        _write_long_sums(target, rows, centre, sums)
    square = np.float64(sums[SQUARES_HIGH]) * _MOST_WHOLE + np.float64(sums[SQUARES_LOW])
    statistics[2] = sqrt(max(0.0, (square - np.float64(sums[SUM]) * np.float64(sums[SUM]) / n) / n))


@kernel
def _write_long_sums(target: Any, rows: Any, centre: float, sums: Any) -> None:
    """Write the sum of differences below 2**54 and that of their squares, added in parts."""
    total, high, low, mask = np.int64(0), np.int64(0), np.int64(0), np.int64((1 << _PART) - 1)
    for index in range(len(rows)):
        difference = np.int64(target[rows[index]] - centre)
        total += difference
        upper, lower = abs(difference) >> _PART, abs(difference) & mask
        middle = 2 * upper * lower  # the square is upper^2 2^54 + middle 2^27 + lower^2
        high += 2 * upper * upper + (middle >> (SQUARES_BIT - _PART))
        low += ((middle & np.int64((1 << (SQUARES_BIT - _PART)) - 1)) << _PART) + lower * lower
        high += low >> SQUARES_BIT
        low &= np.int64((1 << SQUARES_BIT) - 1)
    sums[SUM], sums[SQUARES_HIGH], sums[SQUARES_LOW] = total, high, low
