"""The weight, mean and standard deviation of each node of a regression, as the reference rounds them."""

from fractions import Fraction
from math import frexp, ldexp, sqrt
from typing import Any

import numpy as np

from treerules._internal.jit import inner_kernel, kernel
from treerules.growing.compiled.exact_sum import rounded_sum
from treerules.growing.compiled.scoring import Scoring
from treerules.growing.exact_figures import SQUARES_BIT, exact_deviation, exact_mean, exact_sums, rounded_figures
from treerules.growing.problem import Problem

#: The columns of the statistics of a node.
WEIGHT, MEAN, SD = range(3)
#: The columns of exact sums: the value that is subtracted from the targets, the sum and the sum of squares of the
#: differences, and 1 where the squares are too great to be added here.
_CENTRE, _SUM, _SQUARES, _IS_OPEN = range(4)
#: Sums below this are int64 numbers.
_MOST_SUM = 2.0**62
#: The most terms that a correctly rounded sum keeps apart: the exponents of doubles, divided by their bits.
_PARTIALS = 64


def write_figures(problem: Problem, scoring: Scoring, rows: Any, nodes: Any) -> None:
    """Write the statistics of the nodes of a regression; `rows` are those of the problem, each node's together."""
    n = len(problem.target)
    if problem.exact is None:
        of_weights = -frexp(float(scoring.weights.max()))[1]
        arrays = np.zeros(2 * n), np.zeros(2 * n), np.zeros(_PARTIALS)
        _write_rounded(scoring.values, scoring.weights, scoring.has_weights, of_weights, rows, nodes, *arrays)
        return
    sums = np.zeros((len(nodes.kind), 4), dtype=np.int64)
    _write_sums(scoring.values, scoring.weights, scoring.has_weights, rows, nodes, sums)
    statistics, unit, weight_unit = nodes.statistics, problem.exact.unit, problem.exact.weight_unit
    varying = np.flatnonzero(sums[:, _SQUARES])
    centre, total, squares, _ = sums[varying].T
    parts = squares >> SQUARES_BIT, squares & np.int64((1 << SQUARES_BIT) - 1)
    figures = rounded_figures(statistics[varying, WEIGHT], centre, total, parts, unit)
    statistics[:, WEIGHT] = statistics[:, WEIGHT] * weight_unit.numerator / weight_unit.denominator
    statistics[:, MEAN], statistics[:, SD] = sums[:, _CENTRE] * float(unit.numerator) / unit.denominator, 0.0
    statistics[varying, MEAN], statistics[varying, SD] = figures
    is_open = sums[:, _IS_OPEN]
    for node in np.flatnonzero(is_open).tolist():
        of_node = rows[nodes.start[node] : nodes.stop[node]]
        statistics[node, MEAN:] = _exact_figures(problem, of_node, unit)


def _exact_figures(problem: Problem, rows: Any, unit: Fraction) -> tuple[float, float]:
    """Return the mean and the standard deviation of rows whose sums of squares need more than 62 bits."""
    assert problem.exact is not None
    multiples, weights = problem.exact.multiples[rows], problem.exact.weights
    centre = int(multiples[0])
    differences = multiples - centre if problem.exact.spread_fits else multiples.astype(object) - centre
    n, total, squares = exact_sums(differences, None if weights is None else weights[rows])
    return exact_mean(n, total + n * centre, unit), exact_deviation(n, total, squares, unit)


@kernel
def _write_sums(values: Any, weights: Any, has_weights: bool, rows: Any, nodes: Any, sums: Any) -> None:
    """Write the weight of each node, and the exact sums of its whole targets."""
    for node in range(len(nodes.kind)):
        of_node, size = rows[nodes.start[node] : nodes.stop[node]], 0.0
        centre = values[of_node[len(of_node) // 2]]
        low, high = centre, centre
        for row in of_node:
            size += weights[row] if has_weights else 1.0
            low, high = min(low, values[row]), max(high, values[row])
        nodes.statistics[node, WEIGHT], sums[node, _CENTRE] = size, np.int64(centre)
        if (high - low) * (high - low) * size >= _MOST_SUM:
            sums[node, _IS_OPEN] = 1
            continue
        total, squares = np.int64(0), np.int64(0)
        for row in of_node:
            difference = np.int64(values[row] - centre)
            weighted = difference * np.int64(weights[row] if has_weights else 1.0)
            total += weighted
            squares += weighted * difference
        sums[node, _SUM], sums[node, _SQUARES] = total, squares


@kernel
def _write_rounded(
    values: Any, weights: Any, has_weights: bool, of_weights: int, rows: Any, nodes: Any, terms: Any, spare: Any,
    partials: Any,
) -> None:  # fmt: skip
    """Write the correctly rounded figures of each node.

    Weights are multiplied by 2**of_weights, and the targets of a node scaled to at most 1. `terms`, `spare` and
    `partials` are work arrays, the first two of twice as many entries as rows.
    """
    for node in range(len(nodes.kind)):
        of_node = rows[nodes.start[node] : nodes.stop[node]]
        n, statistics = len(of_node), nodes.statistics[node]
        low, high = values[of_node[0]], values[of_node[0]]
        for index in range(n):
            row = of_node[index]
            low, high = min(low, values[row]), max(high, values[row])
            terms[index] = ldexp(weights[row], of_weights) if has_weights else 1.0
        weight = rounded_sum(terms[:n], partials) if has_weights else float(n)
        statistics[WEIGHT], statistics[MEAN], statistics[SD] = (
            (ldexp(weight, -of_weights) if has_weights else weight), low, 0.0
        )  # fmt: skip
        if low == high:
            continue
        exponent = frexp(max(abs(low), abs(high)))[1]
        for index in range(n):
            spare[index] = ldexp(values[of_node[index]], -exponent)
        mean = _weighted_sum(spare, weights, has_weights, of_weights, of_node, terms, partials) / weight
        for index in range(n):
            spare[index] = (spare[index] - mean) * (spare[index] - mean)
        sd = sqrt(_weighted_sum(spare, weights, has_weights, of_weights, of_node, terms, partials) / weight)
        statistics[MEAN], statistics[SD] = ldexp(mean, exponent), ldexp(sd, exponent)


@inner_kernel
def _weighted_sum(
    values: Any, weights: Any, has_weights: bool, of_weights: int, rows: Any, terms: Any, partials: Any
) -> float:
    """Return the correctly rounded sum of weighted values, as `reference.leaves` defines it: with rounding errors."""
    n = len(rows)
    if not has_weights:
        return rounded_sum(values[:n], partials)
    for index in range(n):
        value, weight = values[index], ldexp(weights[rows[index]], of_weights)
        product = value * weight
        high, heavy = _upper_half(value), _upper_half(weight)
        low, light = value - high, weight - heavy
        terms[index] = product
        terms[n + index] = ((high * heavy - product) + high * light + low * heavy) + low * light
    return rounded_sum(terms[: 2 * n], partials)


@inner_kernel
def _upper_half(value: float) -> float:
    """Return the upper bits of a double (Veltkamp 1968), as `reference.leaves` does."""
    spread = value * (2.0**27 + 1)
    return spread - (spread - value)
