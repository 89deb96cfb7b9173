"""The scoring parameters of the nodes of a level: deviations of rows, tolerances and bounds on rounding errors."""

from typing import Any, cast

import numpy as np
from attrs import frozen

from treerules.criteria import Base
from treerules.criteria.scores import LOGARITHMS
from treerules.criteria.table import ENTROPY_KERNEL, kernel_of
from treerules.growing.encoding import EncodedProblem
from treerules.growing.exact_target import ExactTarget
from treerules.growing.levelwise.entropy_gains import EntropyTables, entropy_tables
from treerules.growing.levelwise.level_rows import (
    Level,
)
from treerules.recipes.recipe import Recipe

#: In nodes of at most this many rows unequal gains of classes are unequal as floats: they are quotients of integers,
#: at most n^4 / 8 over n^2 / 4, and differ by more than half a unit in the last place.
MOST_EXACT = 700


#: The relative rounding error of gains of classes in larger nodes.
_RELATIVE_ERROR = 1e-13


#: Scores tie within this share of a node's impurity (as in `reference.scoring`).
_TOLERANCE = 1e-12


#: Doubles hold all whole numbers up to this.
_MOST_WHOLE = 2.0**53


#: Half a unit in the last place of 1.
_UNIT = 2.0**-53


@frozen(eq=False)
class LevelScoring:
    """The scoring parameters of the nodes of a level. Arrays have one entry per node or per row of the subset."""

    #: for each class position but the last: the deviation of each row, and the number of the level's first rows up to
    #: the last node that has more classes than this
    deviations: tuple[tuple[Any, int], ...]
    #: the position of each row's class among the classes of its node, shape (rows of the level,), and the counts by
    #: that position, shape (classes, nodes); None for a regression
    class_position: Any
    class_counts: Any
    #: whether the square of the last class is added; with two classes it equals that of the first
    adds_last_class: bool
    #: the factor of the divisor m (n - m)
    size_factor: float
    #: the least number of rows of a child
    least: float
    #: scores tie within the tolerance; the rounding error of a score is at most the error, and its share of the score
    tolerance: Any
    error: Any
    relative_error: Any
    #: a score is the gain of the reference times this
    unit: Any
    #: where gains are those of entropy, which need no carried sums
    entropy: EntropyTables | None = None


def level_scoring(level: Level, data: EncodedProblem, recipe: Recipe, statistics: Any) -> LevelScoring:
    """Return the scoring parameters of a level; `statistics` are those of its nodes."""
    if data.exact is not None:
        return _exact_scoring(level, data.exact, recipe)
    if data.is_regression:
        return _regression_scoring(level, data, recipe, statistics)
    return _class_scoring(level, recipe, statistics)


def _class_scoring(level: Level, recipe: Recipe, counts: Any) -> LevelScoring:
    """Return the scoring of a classification."""
    target, size = level.subset.target.take(level.rows), level.size
    is_present = counts > 0
    n_classes = is_present.sum(axis=1)
    most_classes = int(n_classes.max())
    class_position = (np.cumsum(is_present, axis=1) - 1)[np.repeat(np.arange(len(size)), size), target]
    present_first = np.argsort(~is_present, axis=1, kind="stable")[:, :most_classes]  # the classes of each node
    totals = np.take_along_axis(counts, present_first, axis=1).T
    ends = [int(size[: np.flatnonzero(n_classes > position + 1)[-1] + 1].sum()) for position in range(most_classes - 1)]
    if kernel_of(recipe.scoring) == ENTROPY_KERNEL:
        return _entropy_scoring(level, recipe, class_position, totals.astype(np.intp), ends)
    n_of_row, deviations = np.repeat(size, size), []
    for position, end in enumerate(ends):
        deviation = np.zeros(len(level.subset.rows))
        deviation[level.rows] = np.where(class_position == position, n_of_row, 0) - np.repeat(totals[position], size)
        deviations.append((deviation, end))
    error = np.where(size > MOST_EXACT, _RELATIVE_ERROR, 0.0)
    zero, squared = np.zeros(len(size)), np.square(size.astype(np.float64))
    adds_last_class, size_factor = most_classes > 2, 1.0 if most_classes > 2 else 0.5
    return LevelScoring(
        tuple(deviations),
        class_position,
        totals,
        adds_last_class,
        size_factor,
        recipe.least,
        zero,
        zero,
        error,
        squared,
    )


def _entropy_scoring(level: Level, recipe: Recipe, class_position: Any, totals: Any, ends: list[int]) -> LevelScoring:
    """Return the scoring by entropy."""
    tables = entropy_tables(level, class_position, totals, ends)
    unit = level.size / LOGARITHMS[cast(Base, recipe.base)](2.0)
    tolerance = _TOLERANCE * tables.impurity
    return LevelScoring((), class_position, totals, True, 1.0, recipe.least, tolerance, tables.error, 0.0, unit, tables)


def _regression_scoring(level: Level, data: EncodedProblem, recipe: Recipe, statistics: Any) -> LevelScoring:
    """Return the scoring of a regression: deviations from each node's mean as integers that add up to 0."""
    size, start = level.size, level.start
    target = level.subset.target.take(level.rows)
    low, centre, high = (target[positions] for positions in (start, start + size // 2, start + size - 1))
    exponent = -np.frexp(high - low)[1]
    centred = np.ldexp(target - np.repeat(centre, size), np.repeat(exponent, size))  # between -1 and 1
    integers, error, bits = _deviations(level, centred)
    sd = np.ldexp(statistics[:, 2], exponent - data.exponent)
    unit = np.ldexp(1.0, 2 * bits)
    tolerance = _TOLERANCE * sd * sd * unit
    deviations = ((_by_row(level, integers), len(integers)),)
    return LevelScoring(deviations, None, None, False, 1.0, recipe.least, tolerance, error * unit, 0.0, unit)


def _deviations(level: Level, centred: Any) -> tuple[Any, Any, Any]:
    """Return the deviation of each row from its node's mean as integers that add up to 0, in units of 2**-bits.

    Args:
        level: The level.
        centred: The targets of its rows, centred and scaled to -1 to 1.

    Returns:
        The integers, shape (rows,); a bound on the rounding errors of scores before scaling; and the bits, (nodes,).
    """
    size, start = level.size, level.start
    bits = 61 - np.frexp(size)[1]
    integers = np.rint(np.ldexp(centred, np.repeat(bits, size))).astype(np.int64)
    total = np.add.reduceat(integers, start)
    mean = total // size
    integers -= np.repeat(mean, size)
    is_first = np.arange(len(integers)) - np.repeat(start, size) < np.repeat(total - mean * size, size)
    integers -= is_first  # so that they add up to 0
    spread = np.add.reduceat(np.abs(centred), start)
    # the reference's error, which depends on the order of summation, and ours, which depends on the number of bits
    return integers, _UNIT * (32 * spread + 32) + np.ldexp(4.0, -bits), bits


def _by_row(level: Level, deviations: Any) -> Any:
    """Return the deviations of a level's rows by row of its subset."""
    by_row = np.zeros(len(level.subset.rows), dtype=np.int64)
    by_row[level.rows] = deviations
    return by_row


def _exact_scoring(level: Level, exact: ExactTarget, recipe: Recipe) -> LevelScoring:
    """Return the scoring of a regression with exact figures: no tolerance.

    The deviations of a node are those from its mean times its size, exactly, where sums of them are whole doubles.
    Scores of such a node are quotients of integers: where these are small enough, unequal ones are unequal as floats.
    """
    size, start = level.size, level.start
    target = level.subset.target.take(level.rows)
    low, centre, high = (target[positions] for positions in (start, start + size // 2, start + size - 1))
    n, spread = size.astype(np.float64), (high - low).astype(np.float64)
    differences = target - np.repeat(centre, size)
    exponent = -np.frexp(spread)[1]
    integers, error, bits = _deviations(level, np.ldexp(differences.astype(np.float64), np.repeat(exponent, size)))
    is_whole = n * n * spread < _MOST_WHOLE
    of_rows = np.repeat(is_whole, size)
    total = np.repeat(np.add.reduceat(differences, start), size)
    integers = np.where(of_rows, differences * np.repeat(size, size) - total, integers)
    unit = np.where(is_whole, n * n, np.ldexp(1.0, 2 * (bits + exponent)))
    error = np.where(is_whole, 0.0, np.ldexp(error, 2 * bits))
    is_small = np.square(n * n * spread / 4) * n * n / 4 < _MOST_WHOLE
    relative_error = np.where(is_whole & ~is_small, _RELATIVE_ERROR, 0.0)
    unit /= float(exact.unit**2)
    deviations = ((_by_row(level, integers), len(integers)),)
    return LevelScoring(
        deviations, None, None, False, 1.0, recipe.least, np.zeros(len(size)), error, relative_error, unit
    )
