"""Mean and standard deviation from exact sums, each correctly rounded.

The figures of n rows (their weight) whose targets are whole multiples of a unit come from the exact integers n, the
sum S and the sum of squares Q of the multiples: mean = S / n and sd = sqrt(n Q - S^2) / n, in units.
"""

from fractions import Fraction
from math import isqrt, ldexp
from typing import Any

import numpy as np

from treerules._internal.double_double import DoubleDouble, is_decided

#: Sums of squares are divided at this bit into two integers that doubles hold.
SQUARES_BIT = 53
#: The relative error of double-double results here is far below 2**_ERROR_BITS.
_ERROR_BITS = -94
#: The figures of this many nodes are computed together, so that work arrays stay in the processor's cache.
_NODES = 4096
#: The integer square root has this many bits more than a double.
_MORE_BITS = 3


def exact_mean(n: int, total: int, unit: Fraction) -> float:
    """Return the correctly rounded mean of n rows with a total of so many units.

    >>> exact_mean(3, 4, Fraction(1, 10))
    0.13333333333333333
    """
    return (total * unit.numerator) / (n * unit.denominator)


def exact_deviation(n: int, total: int, squares: int, unit: Fraction) -> float:
    """Return the correctly rounded standard deviation of n rows from the sums of their multiples and of the squares.

    >>> exact_deviation(2, 1, 1, Fraction(1, 100)), exact_deviation(3, 3, 5, Fraction(1))
    (0.005, 0.816496580927726)
    """
    return rounded_root(Fraction(n * squares - total * total, n * n) * unit**2)


def rounded_root(square: Fraction) -> float:
    """Return the correctly rounded square root of a fraction that is not negative.

    >>> rounded_root(Fraction(1, 4)), rounded_root(Fraction(2)) == 2**0.5
    (0.5, True)
    """
    if square == 0:
        return 0.0
    numerator, denominator = square.numerator, square.denominator
    # the quotient below has at least 2 x (53 + _MORE_BITS) bits, so its root has 53 + _MORE_BITS
    shift = 2 * (53 + _MORE_BITS) - numerator.bit_length() + denominator.bit_length() + 1
    shift += shift % 2
    scaled, rest = divmod(numerator << max(shift, 0), denominator << max(-shift, 0))
    root = isqrt(scaled)
    is_inexact = rest != 0 or root * root != scaled
    return ldexp(float(2 * root + is_inexact), -shift // 2 - 1)  # the last bit says which way a half is rounded


def exact_sums(multiples: Any, weights: Any) -> tuple[int, int, int]:
    """Return n, the sum and the sum of squares of multiples, exactly; `weights` are whole, or None (all 1)."""
    n = len(multiples) if weights is None else int(weights.sum())
    if n == 0:
        return 0, 0, 0
    greatest = max(abs(int(multiples.max())), abs(int(multiples.min())))
    if greatest * greatest * n >= 1 << 63:
        multiples = multiples.astype(object)
    weighted = multiples if weights is None else multiples * weights.astype(multiples.dtype)
    return n, int(weighted.sum()), int((weighted * multiples).sum())


def rounded_figures(n: Any, centre: Any, total: Any, squares: Any, unit: Fraction) -> tuple[Any, Any]:
    """Return the correctly rounded means and standard deviations of many nodes, shape (nodes,).

    Args:
        n: the weight of each node, float64, whole.
        centre: the multiple of the unit that is subtracted from those of the node's rows, int64.
        total: the sum of these differences, int64.
        squares: the sum of their squares, two int64 arrays: the bits from `SQUARES_BIT` on, and those below.
        unit: the unit.
    """
    figures = np.empty((2, len(n)))
    for first in range(0, len(n), _NODES):
        part = slice(first, first + _NODES)
        figures[:, part] = _rounded_figures(
            n[part], centre[part], total[part], (squares[0][part], squares[1][part]), unit
        )
    return figures[0], figures[1]


def _rounded_figures(n: Any, centre: Any, total: Any, squares: Any, unit: Fraction) -> tuple[Any, Any]:
    """Return what `rounded_figures` returns, of nodes that are few enough to be computed together."""
    high, low = squares
    sums, scale = DoubleDouble.of_integers(total), n * float(unit.denominator)
    mean = (sums + DoubleDouble.of_integers(centre).times(n)).over(scale)
    sums_of_squares = DoubleDouble.of_integers(high).scaled(SQUARES_BIT) + DoubleDouble.of_integers(low)
    deviation = (sums_of_squares.times(n) - sums * sums).root().over(scale)
    numerator = float(unit.numerator)
    means, deviations = mean.high * numerator, deviation.high * numerator
    is_open = ~(is_decided(mean, _ERROR_BITS) & is_decided(deviation, _ERROR_BITS))
    is_open |= scale > 2.0**SQUARES_BIT  # products of great weights are rounded
    for node in is_open.nonzero()[0].tolist():
        size, middle, of_node = int(n[node]), int(centre[node]), int(total[node])
        of_squares = (int(high[node]) << SQUARES_BIT) + int(low[node])
        means[node] = exact_mean(size, of_node + size * middle, unit)
        deviations[node] = exact_deviation(size, of_node, of_squares, unit)
    return means, deviations
