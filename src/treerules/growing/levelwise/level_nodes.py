"""The figures of many nodes at once, and which of them may be split: to the bit those that the reference makes."""

from typing import Any, cast

import numpy as np
from attrs import frozen

from treerules.criteria import Base
from treerules.growing.encoding import EncodedProblem
from treerules.growing.reference.leaves import UNBOUNDED, leaf_from_rows
from treerules.recipes.recipe import Recipe

#: Sums are made of two whole numbers each, in units of 2**-39 and 2**-79; of at most so many terms those are exact.
_BITS = 39
_MOST_SUMMED = 1 << 12


@frozen(eq=False)
class Nodes:
    """Some nodes: their figures, and whether they may be split."""

    figures: Any
    is_open: Any


def nodes_of(data: EncodedProblem, recipe: Recipe, rows: Any, target: Any, size: Any, depth: Any) -> Nodes:
    """Return what nodes are whose rows stand one after another, each in the order of the target.

    `rows` are rows of the problem, `size` says how many each node has.
    """
    is_open = size >= recipe.least_to_split
    if recipe.max_depth is not None:
        is_open &= depth != recipe.max_depth
    start = np.cumsum(size) - size
    low, high = target[start], target[start + size - 1]
    is_open &= low != high
    if data.is_regression:
        figures = _means(data, rows, target, size, low, high)
    else:
        keys = np.repeat(np.arange(len(size)) * data.n_classes, size) + target
        figures = np.bincount(keys, minlength=len(size) * data.n_classes).reshape(len(size), -1)
    if recipe.min_impurity:
        is_open &= _is_mixed(data, recipe, figures, low, high)
    return Nodes(figures, is_open)


def _is_mixed(data: EncodedProblem, recipe: Recipe, figures: Any, low: Any, high: Any) -> Any:
    """Return whether the impurity of each node is large enough."""
    if not data.is_regression:
        base, largest = cast(Base, recipe.base), recipe.scoring.largest_score
        return np.array([largest(counts, base) >= recipe.min_impurity for counts in figures.tolist()], dtype=bool)
    exponent = -np.frexp(high - low)[1] - data.exponent
    sd = np.ldexp(figures[:, 2], exponent)
    with np.errstate(over="ignore"):
        return sd * sd >= np.ldexp(recipe.min_impurity, 2 * exponent)


def _means(data: EncodedProblem, rows: Any, target: Any, size: Any, low: Any, high: Any) -> Any:
    """Return weight, mean and standard deviation of each node, shape (nodes, 3)."""
    figures = np.zeros((len(size), 3))
    figures[:, 0], figures[:, 1] = size, np.ldexp(low, data.exponent)
    mixed = np.flatnonzero(low != high)
    if not len(mixed):
        return figures
    n, start = size[mixed], (np.cumsum(size) - size)[mixed]
    values = target if len(mixed) == len(size) else target[np.repeat(low != high, size)]
    exponent = np.frexp(np.maximum(np.abs(low), np.abs(high))[mixed])[1]
    values = np.ldexp(values, np.repeat(-exponent, n))
    total, is_sure = _sums(values, n)
    mean = total / n
    squares = np.square(values - np.repeat(mean, n))
    shift = np.minimum(np.frexp(np.maximum.reduceat(squares, np.cumsum(n) - n))[1], 0)
    total, is_sure_too = _sums(np.ldexp(squares, np.repeat(-shift, n)), n)
    sd = np.sqrt(np.ldexp(total, shift) / n)
    figures[mixed, 1] = np.ldexp(mean, exponent + data.exponent)
    figures[mixed, 2] = np.ldexp(sd, exponent + data.exponent)
    for place in np.flatnonzero(~(is_sure & is_sure_too)).tolist():
        span = rows[start[place] : start[place] + n[place]]
        prediction: Any = leaf_from_rows(data, span, None, UNBOUNDED).prediction
        figures[mixed[place], 1:] = prediction.value, prediction.sd
    return figures


def _sums(values: Any, size: Any) -> tuple[Any, Any]:
    """Return the correctly rounded sums of values from -4 to 4 that stand one after another; and whether they are sure.

    A sum of two floats is rounded once; each of these is a whole number of less than 53 bits, made exactly.
    """
    start = np.cumsum(size) - size
    high = np.rint(np.ldexp(values, _BITS))
    rest = values - np.ldexp(high, -_BITS)
    low = np.rint(np.ldexp(rest, 2 * _BITS + 1))
    is_left = rest != np.ldexp(low, -2 * _BITS - 1)
    sums = np.ldexp(np.add.reduceat(high, start), -_BITS) + np.ldexp(np.add.reduceat(low, start), -2 * _BITS - 1)
    return sums, ~np.logical_or.reduceat(is_left, start) & (size <= _MOST_SUMMED)
