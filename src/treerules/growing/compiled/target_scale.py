"""The terms in which a node of a regression is searched: centred, and scaled where the target has no unit."""

from math import frexp, ldexp
from typing import Any

import numpy as np

from treerules._internal.jit import inner_kernel
from treerules.growing.compiled.candidates import UNIT
from treerules.growing.compiled.scoring import CENTRE, FACTOR

#: 2**exponent, its inverse and its square are doubles up to this exponent.
_MOST_EXPONENT = 500
#: Doubles hold all whole numbers up to this.
_MOST_WHOLE = 2.0**53
#: The error of a gain from exact sums, as a share of the sum of squares.
_PER_TERM = 2.0**-46
#: Variances that are this share of the mean square are not known well enough.
_LEAST_SHARE = 1e-6


@inner_kernel
def write_totals(totals: Any, state: Any, scoring: Any, stopping: Any, rows: Any) -> Any:
    """Write the scale of a node and its totals; return its variance in that scale, and the error of a gain.

    `rows` are in the order of the target. The target of the middle row is subtracted; differences without a unit are
    scaled to at most 1, so that their squares stay in range. The variance is -1 where only the reference can search
    the node.
    """
    values, scale, n_rows = scoring.values, scoring.scale, len(rows)
    centre, spread = values[rows[n_rows // 2]], values[rows[n_rows - 1]] - values[rows[0]]
    factor, state[UNIT] = 1.0, 1.0 / (stopping.unit * stopping.unit)
    if not stopping.is_exact:
        exponent = -frexp(spread)[1]
        if abs(exponent) > _MOST_EXPONENT:
            return -1.0, 0.0
        factor = ldexp(1.0, exponent)
        state[UNIT] = factor * factor
    scale[CENTRE], scale[FACTOR] = centre, factor
    n, total, squares, magnitude = 0.0, 0.0, 0.0, 0.0
    for row in rows:
        weight = scoring.weights[row] if scoring.has_weights else 1.0
        value = (values[row] - centre) * factor
        n += weight
        total += weight * value
        squares += weight * value * value
        magnitude += weight * abs(value)
    totals[0], totals[1], totals[2] = n, total, (np.float64(n_rows) if scoring.counts_rows else n)
    if stopping.is_exact and spread * n > _MOST_WHOLE:
        return -1.0, 0.0
    variance = (squares - total * total / n) / n
    if variance < _LEAST_SHARE * squares / n:
        return -1.0, 0.0
    if stopping.is_exact:
        return variance, _PER_TERM * squares
    # a sum of m terms is off by m roundings of their magnitude, so is the size of a group of fractional weights; both
    # change a gain by at most twice as much, since deviations are at most 1
    error = magnitude + (n if scoring.has_weights else 0.0)
    return variance, (n_rows + 32.0) * 2.0**-51 * error
