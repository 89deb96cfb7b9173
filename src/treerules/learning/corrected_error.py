"""The error of a tree that was chosen among several, corrected for the choosing.

The least of several cross-validated errors is too small an estimate of its tree's error: it was chosen for being small.
So the choice is repeated on bootstrap samples of the held-out units, and judged by the units that a sample lacks
(BBC-CV: Tsamardinos, Greasidou and Borboudakis 2018).
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from treerules.learning.unit_losses import UnitLosses, sums_in_samples

#: The number of bootstrap samples; of many units fewer are drawn, so that the draws do not pass the greatest number.
_SAMPLES, _MOST_DRAWS = 500, 4_000_000
_LEAST_SAMPLES = 50


def corrected_error(errors: UnitLosses, choose: Callable[[Any], Any]) -> tuple[float, float]:
    """Return the mean error, outside bootstrap samples, of the subtrees that are chosen on them, and its deviation.

    The deviation among samples takes the place of a standard error. Unlike that of the chosen subtree, it knows that
    another table could have another subtree chosen.

    Args:
        errors: the errors of units by each subtree.
        choose: a function of how often each sample holds each unit, shape (samples, units), that returns the position
            of the subtree that is chosen on each sample.
    """
    n = len(errors.weights)
    copies = _bootstrap_samples(n, max(_LEAST_SAMPLES, min(_SAMPLES, _MOST_DRAWS // n)))
    chosen = choose(copies)
    outside = (copies == 0).astype(np.float64)
    weights = sums_in_samples(outside, errors.weights)
    sums = sums_in_samples(outside, errors.sums.T)[np.arange(len(copies)), chosen]
    has_rows = weights > 0
    if not has_rows.any():  # a single unit
        return float(errors.means[chosen[0]]), 0.0
    means = sums[has_rows] / weights[has_rows]
    return float(means.mean()), float(means.std())


def _bootstrap_samples(n: int, n_samples: int) -> Any:
    """Return how often each sample of n draws holds each of n units, shape (samples, units)."""
    draws = np.random.default_rng(0).integers(0, n, (n_samples, n))
    positions = draws + n * np.arange(n_samples)[:, None]
    return np.bincount(positions.ravel(), minlength=n * n_samples).reshape(n_samples, n).astype(np.float64)
