"""Rows for models of other libraries: cells at and beside thresholds, missing cells."""

from typing import Any

import numpy as np

from treerules.importers.float32_thresholds import exact_thresholds

FLOAT32_MAX = float(np.finfo(np.float32).max)


def with_missing(rows: Any, seed: int = 0) -> Any:
    """Return a copy in which a tenth of the cells is missing."""
    holes = np.random.default_rng(seed).random(rows.shape) < 0.1
    return np.where(holes, np.nan, rows)


def cells_around(thresholds: Any) -> Any:
    """Return doubles at, one ulp and one float32 beside thresholds of the library, and at the exact ones."""
    with np.errstate(over="ignore"):
        singles = thresholds.astype(np.float32)
        cells = [singles, np.nextafter(singles, np.float32(-np.inf)), np.nextafter(singles, np.float32(np.inf))]
    for doubles in (thresholds, exact_thresholds(thresholds), *(cell.astype(np.float64) for cell in cells)):
        cells += [doubles, np.nextafter(doubles, -np.inf), np.nextafter(doubles, np.inf)]
    middles = np.concatenate([np.asarray(cell, dtype=np.float64) for cell in cells])
    return middles[np.abs(middles) <= FLOAT32_MAX]


def takes_missing(model: Any) -> bool:
    """Return whether a model answers a row of missing values."""
    try:
        return bool(len(model.predict([[np.nan] * model.n_features_in_])))
    except ValueError:
        return False
