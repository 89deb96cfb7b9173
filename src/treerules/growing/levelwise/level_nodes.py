"""The statistics of many nodes at once, to the last bit those of the reference, and which nodes may be split."""

from typing import Any, cast

import numpy as np
from attrs import frozen

from treerules.criteria import Base
from treerules.growing.encoding import EncodedProblem
from treerules.growing.reference.leaves import UNBOUNDED, leaf_from_rows
from treerules.recipes.recipe import Recipe

#: Each term of a sum is split into two integers, in units of 2**-39 and 2**-79; sums of at most _MOST_SUMMED are exact.
_BITS = 39
_MOST_SUMMED = 1 << 12


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
    if data.is_regression:
        statistics = _mean_statistics(data, rows, target, size, low, high)
    else:
        keys = np.repeat(np.arange(len(size)) * data.n_classes, size) + target
        statistics = np.bincount(keys, minlength=len(size) * data.n_classes).reshape(len(size), -1)
    if recipe.min_impurity:
        is_splittable &= _is_impure_enough(data, recipe, statistics, low, high)
    return LevelStatistics(statistics, is_splittable)


def _is_impure_enough(data: EncodedProblem, recipe: Recipe, statistics: Any, low: Any, high: Any) -> Any:
    """Return whether the impurity of each node is at least `min_impurity`, shape (nodes,)."""
    if not data.is_regression:
        base, largest = cast(Base, recipe.base), recipe.scoring.largest_score
        return np.array([largest(counts, base) >= recipe.min_impurity for counts in statistics.tolist()], dtype=bool)
    exponent = -np.frexp(high - low)[1] - data.exponent
    sd = np.ldexp(statistics[:, 2], exponent)
    with np.errstate(over="ignore"):
        return sd * sd >= np.ldexp(recipe.min_impurity, 2 * exponent)


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
