"""`cut_gains`: the gain of each cut of an ordered feature, for plots."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from treerules.data.column import Column
from treerules.evaluation.gain_records import CutGain
from treerules.growing.problem import Problem

#: Of more cuts the best of each of so many neighbouring groups is kept.
MOST_CUTS = 400


def cut_gains(problem: Problem, column: Column, base: str) -> tuple[CutGain, ...]:
    """Return the gain of the cuts between neighbouring values of an ordered feature, in ascending order.

    The gain of a classification is the information gain, of a regression the decrease of the sum of squared errors.
    Where values are missing the information gain is multiplied by the share of the known rows. Where the squares of a
    regression's numbers overflow there is no curve.
    """
    known = np.flatnonzero(~column.missing)
    known = known[np.argsort(column.data[known], kind="stable")]
    values = column.data[known]
    ends = np.flatnonzero(values[1:] > values[:-1])  # the last row of each value but the greatest
    if not len(ends):
        return ()
    weights = np.ones(len(known)) if problem.weights is None else problem.weights[known]
    target = problem.target[known]
    gain_of = _decreases if problem.schema.is_regression else _information_gains
    with np.errstate(over="ignore", invalid="ignore"):
        gains = gain_of(problem, target, weights, ends, base)
    if not np.isfinite(gains).all():  # squares of numbers beyond 1e154
        return ()
    places = values[ends] / 2 + values[ends + 1] / 2
    kept = list(_kept(gains)) if len(gains) > MOST_CUTS else range(len(gains))
    return tuple(CutGain(float(places[index]), max(0.0, float(gains[index]))) for index in kept)


def _information_gains(problem: Problem, target: Any, weights: Any, ends: Any, base: str) -> Any:
    """Return the information gain of each cut: an array a class, never rows times classes.

    The entropy of counts c that sum to n, times n, is n log n less the sum of c log c.
    """
    sizes = weights.cumsum()
    left_sizes, n = sizes[ends], sizes[-1]
    entropies = _times_log(left_sizes) + _times_log(n - left_sizes)
    whole = _times_log(n)
    for position in range(len(problem.schema.classes)):
        counts = (weights * (target == position)).cumsum()
        entropies -= _times_log(counts[ends]) + _times_log(counts[-1] - counts[ends])
        whole -= _times_log(counts[-1])
    all_rows = len(problem.target) if problem.weights is None else problem.weights.sum()
    per_bit = 1.0 if base == "2" else np.log(2.0)
    return (whole - entropies) / all_rows * per_bit


def _times_log(counts: Any) -> Any:
    """Return counts times their binary logarithms; 0 for 0."""
    counts = np.asarray(counts, dtype=float)
    return counts * np.log2(counts, out=np.zeros_like(counts), where=counts > 0)


def _decreases(problem: Problem, target: Any, weights: Any, ends: Any, base: str) -> Any:
    centred = target - np.average(target, weights=weights)
    sums, sizes = (weights * centred).cumsum(), weights.cumsum()
    left_sums, left_sizes = sums[ends], sizes[ends]
    right_sums, right_sizes = sums[-1] - left_sums, sizes[-1] - left_sizes
    parts = [
        np.divide(s * s, n, out=np.zeros_like(s), where=n > 0)
        for s, n in ((left_sums, left_sizes), (right_sums, right_sizes))
    ]
    return parts[0] + parts[1] - sums[-1] ** 2 / sizes[-1]


def _kept(gains: Any) -> Iterator[int]:
    """Yield the index of the greatest gain of each group of neighbours."""
    for group in np.array_split(np.arange(len(gains)), MOST_CUTS):
        yield int(group[np.argmax(gains[group])])
