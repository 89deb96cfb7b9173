"""The least costs of trees of depth 1 of many sets of rows, and of the rows outside them, in numpy."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from treerules.proof.bounded_rows import BoundedRows

#: What a side that is too light for a leaf costs.
IMPOSSIBLE = 1 << 60
#: More than any sum of costs, and less than half of the impossible cost: a prefix sum where there is no cut.
_NO_PREFIX = 1 << 58


def stump_costs(rows: BoundedRows, is_below: Any) -> tuple[Any, Any]:
    """Return the least costs of trees of depth 1 of the rows in each set, and of the rows outside it.

    "Label a below a cut, else b" costs the sum of b's costs, plus the prefix sum of (cost of a - cost of b) up to the
    cut. So the least and the greatest prefix sum of each pair of labels give the best cut of a column.

    Args:
        rows: the rows.
        is_below: the rows of each set, shape (sets, rows).

    Returns:
        Two arrays of shape (sets,).
    """
    sums = is_below @ rows.costs, rows.costs.sum(axis=0) - is_below @ rows.costs
    weight = is_below @ rows.weights
    weights = weight, rows.weights.sum() - weight
    best = [
        np.where(heavy >= rows.least_weight, total.min(axis=1) + rows.penalty, IMPOSSIBLE)
        for total, heavy in zip(sums, weights, strict=True)
    ]
    for column in range(len(rows.ranks)):
        light = _light_cuts(rows, column, is_below, weights) if rows.least_weight else (None, None)
        for first, second, items, is_new, differences in _pairs(rows, column, keeps_all=bool(rows.least_weight)):
            inside = np.where(is_below[:, items], differences, 0).cumsum(axis=1, dtype=differences.dtype)
            outside = differences.cumsum(dtype=differences.dtype) - inside
            for side, prefix in enumerate((inside, outside)):
                cuts = prefix[:, is_new]
                if not cuts.shape[1]:
                    continue
                low, high = (cuts, cuts) if light[side] is None else _without(cuts, light[side])
                costs = np.minimum(sums[side][:, second] + low.min(axis=1), sums[side][:, first] - high.max(axis=1))
                best[side] = np.minimum(best[side], costs + 2 * rows.penalty)
    return best[0], best[1]


def _pairs(rows: BoundedRows, column: int, *, keeps_all: bool) -> Iterator[tuple[int, int, Any, Any, Any]]:
    """Yield each pair of labels, the rows of different costs by rank, where a cut follows one, and the differences.

    A cut follows the last row of each rank, but not that of the greatest.
    """
    order = rows.orders[column]
    in_order = rows.ranks[column][order]
    for first in range(rows.costs.shape[1]):
        for second in range(first + 1, rows.costs.shape[1]):
            differences = (rows.costs[:, first] - rows.costs[:, second])[order]
            is_item = np.ones(len(order), dtype=bool) if keeps_all else differences != 0
            if is_item.any():
                items, ranks = order[is_item], in_order[is_item]
                is_last = np.append(ranks[1:] != ranks[:-1], False)
                yield first, second, items, is_last, differences[is_item].astype(rows.sum_type)


def _light_cuts(rows: BoundedRows, column: int, is_below: Any, weights: tuple[Any, Any]) -> tuple[Any, Any]:
    """Return, for the cuts of a column, the sets whose rows below or above a cut are too light, and those outside."""
    order = rows.orders[column]
    in_order = rows.ranks[column][order]
    is_last = np.append(in_order[1:] != in_order[:-1], False)
    inside = np.where(is_below[:, order], rows.weights[order], 0.0).cumsum(axis=1)
    outside = rows.weights[order].cumsum() - inside
    light = []
    for prefix, total in zip((inside, outside), weights, strict=True):
        cuts = prefix[:, is_last]
        light.append(np.minimum(cuts, total[:, None] - cuts) < rows.least_weight)
    return light[0], light[1]


def _without(prefixes: Any, is_light: Any) -> tuple[Any, Any]:
    """Return prefix sums of which those at light cuts are never the least, and such that are never the greatest."""
    wide = prefixes.astype(np.int64)
    return np.where(is_light, _NO_PREFIX, wide), np.where(is_light, -_NO_PREFIX, wide)
