"""Thresholds on doubles of models that compare in float32."""

from typing import Any

import numpy as np


def exact_thresholds(thresholds: Any) -> Any:
    """Return for each threshold t the only double T with: x <= T if and only if float32(x) <= t, for every double x.

    The rounding to float32 keeps the order of doubles, so the doubles whose float32 is at most t are all those up to a
    greatest one. With f the greatest float32 up to t and g the next float32, it is the middle of both where the middle
    rounds to f (it rounds to the one whose last bit is 0), else the double before the middle. From the greatest float32
    on it is inf: what is beyond has no float32.

    Args:
        thresholds: an array of float64, shape (thresholds,), without NaN.

    Returns:
        An array of float64 of the same shape.

    Examples:
        >>> exact_thresholds(np.array([0.5, 16777216.0, np.inf])).tolist()
        [0.5000000298023224, 16777217.0, inf]
        >>> float(np.float32(16777217.0)) <= 16777216.0, float(np.float32(16777217.000000004)) <= 16777216.0
        (True, False)
    """
    thresholds = np.asarray(thresholds, dtype=np.float64)
    with np.errstate(over="ignore", invalid="ignore"):  # of numbers from the greatest float32 on
        nearest = thresholds.astype(np.float32)
        lower = np.where(nearest > thresholds, np.nextafter(nearest, np.float32(-np.inf)), nearest)
        middle = (lower.astype(np.float64) + np.nextafter(lower, np.float32(np.inf)).astype(np.float64)) / 2
        exact = np.where(middle.astype(np.float32) == lower, middle, np.nextafter(middle, -np.inf))
    return np.where(lower >= np.finfo(np.float32).max, np.inf, exact) + 0.0  # -0.0 is 0.0
