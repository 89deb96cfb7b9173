"""The statistics of many nodes at once, to the last bit those of the reference, and which nodes may be split."""

from typing import Any, cast

import numpy as np
from attrs import frozen

from treerules.criteria import Base
from treerules.growing.encoding import EncodedProblem
from treerules.growing.exact_figures import SQUARES_BIT, rounded_figures
from treerules.growing.exact_target import ExactTarget
from treerules.growing.reference.leaves import UNBOUNDED, exact_scale, leaf_from_rows
from treerules.growing.reference.scoring import in_units
from treerules.recipes.recipe import Recipe

#: Each term of a sum is split into two integers, in units of 2**-39 and 2**-79; sums of at most _MOST_SUMMED are exact.
_BITS = 39
_MOST_SUMMED = 1 << 12
#: Exact differences are divided into parts of this many bits, so that sums of their products are int64 numbers.
_LIMB, _MASK = 18, (1 << 18) - 1
#: Variances this near to a bound, as a share of it, are compared exactly.
_NEAR = 1e-9


@frozen(eq=False)
class LevelStatistics:
    """The statistics of some nodes, and whether each may be split."""

    #: class counts, shape (nodes, classes); for a regression weight, mean and standard deviation, shape (nodes, 3)
    statistics: Any
    #: shape (nodes,)
    is_splittable: Any


def level_statistics(
    data: EncodedProblem, recipe: Recipe, rows: Any, target: Any, size: Any, depth: Any
) -> LevelStatistics:
    """Return the statistics of nodes whose rows follow each other, each node's in the order of the target.

    Args:
        data: The encoded problem.
        recipe: The recipe; its stopping rules decide which nodes may be split.
        rows: Row indices of the problem, node by node, shape (rows,).
        target: The target of each of these rows.
        size: The number of rows of each node, shape (nodes,).
        depth: The depth of each node, shape (nodes,).
    """
    is_splittable = size >= recipe.least_to_split
    if recipe.max_depth is not None:
        is_splittable &= depth != recipe.max_depth
    start = np.cumsum(size) - size
    low, high = target[start], target[start + size - 1]
    is_splittable &= low != high
    if data.exact is not None:
        statistics = _exact_statistics(data, data.exact, rows, target, size)
    elif data.is_regression:
        statistics = _mean_statistics(data, rows, target, size, low, high)
    else:
        keys = np.repeat(np.arange(len(size)) * data.n_classes, size) + target
        statistics = np.bincount(keys, minlength=len(size) * data.n_classes).reshape(len(size), -1)
    if recipe.min_impurity:
        is_splittable &= _is_impure_enough(data, recipe, statistics, low, high, rows, size)
    return LevelStatistics(statistics, is_splittable)


def _is_impure_enough(
    data: EncodedProblem, recipe: Recipe, statistics: Any, low: Any, high: Any, rows: Any, size: Any
) -> Any:
    """Return whether the impurity of each node is at least `min_impurity`, shape (nodes,)."""
    if not data.is_regression:
        base, largest = cast(Base, recipe.base), recipe.scoring.largest_score
        return np.array([largest(counts, base) >= recipe.min_impurity for counts in statistics.tolist()], dtype=bool)
    if data.exact is not None:
        return _exceeds(data, recipe.min_impurity, np.square(statistics[:, 2]), rows, size)
    exponent = -np.frexp(high - low)[1] - data.exponent
    sd = np.ldexp(statistics[:, 2], exponent)
    with np.errstate(over="ignore"):
        return sd * sd >= np.ldexp(recipe.min_impurity, 2 * exponent)


def _exceeds(data: EncodedProblem, bound: float, variance: Any, rows: Any, size: Any) -> Any:
    """Return whether the exact variance of each node, rounded, is at least a bound; `variance` is roughly that."""
    result = variance >= bound
    start = np.cumsum(size) - size
    for node in np.flatnonzero(np.abs(variance - bound) <= _NEAR * bound).tolist():
        span = rows[start[node] : start[node] + size[node]]
        result[node] = in_units(data, exact_scale(data, span, None, UNBOUNDED).variance) >= bound
    return result


def _exact_statistics(data: EncodedProblem, exact: ExactTarget, rows: Any, target: Any, size: Any) -> Any:
    """Return weight, mean and standard deviation of each node from exact sums, shape (nodes, 3)."""
    start = np.cumsum(size) - size
    centre = target[start + size // 2]
    differences = target - np.repeat(centre, size)
    total, n = np.add.reduceat(differences, start), size.astype(np.float64)
    means, deviations = rounded_figures(n, centre, total, _sums_of_squares(differences, start), exact.unit)
    return np.stack([n, means, deviations], axis=1)


def _sums_of_squares(differences: Any, start: Any) -> tuple[Any, Any]:
    """Return the sum of squares of each node, divided at `SQUARES_BIT`: of at most 2**25 differences below 2**54."""

    def total(products: Any) -> Any:
        return np.add.reduceat(products, start)

    greatest = int(np.abs(differences).max(initial=0))
    if greatest * greatest * len(differences) < 1 << 62:
        squares = total(differences * differences)
        return squares >> SQUARES_BIT, squares & ((1 << SQUARES_BIT) - 1)
    absolute = np.abs(differences)
    upper, middle, lower = absolute >> 2 * _LIMB, (absolute >> _LIMB) & _MASK, absolute & _MASK
    digits = [
        total(lower * lower),
        2 * total(middle * lower),
        total(middle * middle + 2 * upper * lower),
        2 * total(upper * middle),
        total(upper * upper),
    ]
    for position in range(3):
        digits[position + 1] += digits[position] >> _LIMB
        digits[position] &= _MASK
    low = digits[0] + (digits[1] << _LIMB) + (digits[2] << 2 * _LIMB)  # 54 bits
    high = digits[3] + (digits[4] << _LIMB)
    return 2 * high + (low >> SQUARES_BIT), low & ((1 << SQUARES_BIT) - 1)


def _mean_statistics(data: EncodedProblem, rows: Any, target: Any, size: Any, low: Any, high: Any) -> Any:
    """Return weight, mean and standard deviation of each node, shape (nodes, 3)."""
    statistics = np.zeros((len(size), 3))
    statistics[:, 0], statistics[:, 1] = size, np.ldexp(low, data.exponent)
    varying = np.flatnonzero(low != high)
    if not len(varying):
        return statistics
    n, start = size[varying], (np.cumsum(size) - size)[varying]
    values = target if len(varying) == len(size) else target[np.repeat(low != high, size)]
    exponent = np.frexp(np.maximum(np.abs(low), np.abs(high))[varying])[1]
    values = np.ldexp(values, np.repeat(-exponent, n))
    total, is_exact = _rounded_sums(values, n)
    mean = total / n
    squares = np.square(values - np.repeat(mean, n))
    shift = np.minimum(np.frexp(np.maximum.reduceat(squares, np.cumsum(n) - n))[1], 0)
    total, is_exact_square = _rounded_sums(np.ldexp(squares, np.repeat(-shift, n)), n)
    sd = np.sqrt(np.ldexp(total, shift) / n)
    statistics[varying, 1] = np.ldexp(mean, exponent + data.exponent)
    statistics[varying, 2] = np.ldexp(sd, exponent + data.exponent)
    for index in np.flatnonzero(~(is_exact & is_exact_square)).tolist():
        span = rows[start[index] : start[index] + n[index]]
        prediction: Any = leaf_from_rows(data, span, None, UNBOUNDED).prediction
        statistics[varying[index], 1:] = prediction.value, prediction.sd
    return statistics


def _rounded_sums(values: Any, size: Any) -> tuple[Any, Any]:
    """Return the correctly rounded sums of values between -4 and 4 by node, and whether each is certainly correct.

    The last addition of two floats is rounded once; each of the two is an integer below 2**53 times a power of two.
    """
    start = np.cumsum(size) - size
    high = np.rint(np.ldexp(values, _BITS))
    rest = values - np.ldexp(high, -_BITS)
    low = np.rint(np.ldexp(rest, 2 * _BITS + 1))
    has_rest = rest != np.ldexp(low, -2 * _BITS - 1)
    sums = np.ldexp(np.add.reduceat(high, start), -_BITS) + np.ldexp(np.add.reduceat(low, start), -2 * _BITS - 1)
    return sums, ~np.logical_or.reduceat(has_rest, start) & (size <= _MOST_SUMMED)
