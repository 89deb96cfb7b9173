"""The rows of a search as arrays: equal rows are one row, and costs that no tree avoids are taken out."""

from typing import Any

import numpy as np
from attrs import evolve, frozen

from treerules.errors import DataError

#: Below this, sums of costs fit into int32, of which 16 are added at once.
_MOST_INT32 = 1 << 28


@frozen(eq=False)
class SearchRows:
    """Some rows of a search; cuts compare ranks of the whole table."""

    #: the rows by rank, int32, shape (columns, rows)
    order: Any
    #: the rank of each row, int32, shape (columns, rows)
    ranks: Any
    #: the cost of each label, int32 or int64, shape (rows, labels); of a regression weight, weight x target, and
    #: weight x target squared, float64, shape (rows, 3)
    costs: Any
    #: the greatest cost of each row, int64; 0 in a regression
    greatest_cost: Any
    #: the pairs of labels with different costs: where those of each row start, their pairs, the differences; empty in a
    #: regression
    entry_start: Any
    entry_pair: Any
    entry_difference: Any
    #: the weight of each row, or the number of rows that it stands for, float64; empty where leaves have no least one
    weights: Any

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self.order.shape[1])

    @property
    def arrays(self) -> tuple[Any, ...]:
        """The arrays, as the kernels take them."""
        return (
            self.order,
            self.ranks,
            self.costs,
            self.greatest_cost,
            self.entry_start,
            self.entry_pair,
            self.entry_difference,
            self.weights,
        )

    @property
    def has_least_weight(self) -> bool:
        """Whether leaves have a least weight."""
        return len(self.weights) > 0

    def on_side(self, column: int, cut: int, is_below: bool) -> "SearchRows":
        """Return the rows below a cut, or those above; the reference of the kernel."""
        is_inside = (self.ranks[column] < cut) == is_below
        number = np.cumsum(is_inside) - 1
        order = number[self.order[is_inside[self.order]]].reshape(len(self.order), -1)
        entries = self.entry_start, self.entry_pair, self.entry_difference
        if len(self.entry_start):
            sizes = np.diff(self.entry_start)
            is_entry = np.repeat(is_inside, sizes)
            start = np.concatenate([[0], np.cumsum(sizes[is_inside])]).astype(np.int64)
            entries = start, self.entry_pair[is_entry], self.entry_difference[is_entry]
        return SearchRows(
            order.astype(np.int32),
            np.ascontiguousarray(self.ranks[:, is_inside]),
            self.costs[is_inside],
            self.greatest_cost[is_inside],
            *entries,
            self.weights[is_inside] if self.has_least_weight else self.weights,
        )

    def without_weights(self) -> "SearchRows":
        """Return the rows where leaves have no least weight."""
        return evolve(self, weights=self.weights[:0])


@frozen(eq=False)
class SearchTask:
    """A search: its rows, and what is the same for all parts of it."""

    rows: SearchRows
    #: the labels of each pair, int64
    first_label: Any
    second_label: Any
    #: the price of a leaf
    penalty: int
    #: the least weight of a leaf
    least_weight: float
    #: the cost that no tree avoids, taken out of the rows
    base: int
    #: the cost of one unit: 1 / scale, or the squared error that counts as one
    unit: float
    #: added to the weights at each cut: more than all costs where weights give no bound, otherwise 0
    step: int = 0

    @property
    def is_regression(self) -> bool:
        """Whether costs are squared errors."""
        return self.step > 0


def classification_task(
    ranks: Any, costs: Any, weights: Any, *, penalty: int, least_weight: float, unit: float
) -> SearchTask:
    """Return the search of a classification.

    Args:
        ranks: the ranks of the columns, int32, shape (columns, rows).
        costs: whole costs, int64, shape (rows, labels).
        weights: what the least weight of a leaf counts of each row, or None (all 1).
        penalty: the price of a leaf.
        least_weight: the least weight of a leaf.
        unit: the cost of one unit.
    """
    ranks, has_least = _splitting(ranks, weights, least_weight)
    ranks, costs, weights = _joined(ranks, costs, weights)
    least = costs.min(axis=1)
    base = int(least.sum())
    costs = costs - least[:, None]
    if not has_least:  # a row of equal costs has no say
        is_used = costs.max(axis=1) > 0
        ranks, costs, weights = ranks[:, is_used], costs[is_used], weights[:0]
    greatest = costs.max(axis=1, initial=0)
    item_type = np.int32 if int(greatest.sum()) + 64 * penalty < _MOST_INT32 else np.int64
    costs = np.ascontiguousarray(costs, dtype=item_type)
    first, second = np.triu_indices(costs.shape[1], 1)
    differences = costs[:, first] - costs[:, second]
    row, pair = np.nonzero(differences)
    start = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=len(costs)))]).astype(np.int64)
    rows = SearchRows(
        _order(ranks),
        np.ascontiguousarray(ranks),
        costs,
        greatest.astype(np.int64),
        start,
        pair.astype(np.int32),
        differences[row, pair].astype(item_type),
        weights,
    )
    return SearchTask(rows, first.astype(np.int64), second.astype(np.int64), penalty, least_weight, base, unit)


def _splitting(ranks: Any, weights: Any, least_weight: float) -> tuple[Any, bool]:
    """Return the ranks, none where rows are too light for two leaves, and whether the least weight matters."""
    total = float(ranks.shape[1]) if weights is None else float(weights.sum())
    if total < 2 * least_weight:
        return ranks[:0], False
    return ranks, least_weight > (1.0 if weights is None else float(weights.min()))


def _order(ranks: Any) -> Any:
    if ranks.max(initial=0) < 1 << 16:  # numpy sorts 16-bit integers in linear time
        ranks = ranks.astype(np.uint16)
    return np.argsort(ranks, axis=1, kind="stable").astype(np.int32)


def _joined(ranks: Any, figures: Any, weights: Any) -> tuple[Any, Any, Any]:
    """Return the rows with equal rows joined, sorted by rank, and their summed figures and weights."""
    n_rows = ranks.shape[1]
    weights = np.ones(n_rows) if weights is None else weights.astype(np.float64)
    keys = ranks
    if ranks.max(initial=0) <= 1:  # 32 columns of two values are one key
        padded = np.zeros((-(-len(ranks) // 32) * 32, n_rows), dtype=bool)
        padded[: len(ranks)] = ranks
        keys = np.ascontiguousarray(np.packbits(padded.T, axis=1)).view(">u4").T.astype(np.uint32)
    order = np.lexsort(keys[::-1]) if len(ranks) else np.arange(n_rows)
    in_order, keys = ranks[:, order], keys[:, order]
    is_first = np.ones(n_rows, dtype=bool)
    is_first[1:] = (keys[:, 1:] != keys[:, :-1]).any(axis=0)
    starts = np.flatnonzero(is_first)
    return (
        in_order[:, starts],
        np.add.reduceat(figures[order], starts, axis=0),
        np.add.reduceat(weights[order], starts),
    )


#: The squared error of a table is this many units of cost, to which sums and bounds are rounded down.
MOST_UNITS = 1 << 36


def regression_task(
    ranks: Any, target: Any, weights: Any, sizes: Any, *, penalty: float, least_weight: float
) -> SearchTask:
    """Return the search of a regression; costs are squared errors, in units of 2**-36 of that of the mean.

    Args:
        ranks: the ranks of the columns, int32, shape (columns, rows).
        target: the target of each row.
        weights: the weight of each row, or None (all 1).
        sizes: what the least weight of a leaf counts of each row, or None (all 1).
        penalty: the price of a leaf, in squared errors.
        least_weight: the least weight of a leaf.

    Raises:
        DataError: squared errors exceed the range of floats.
    """
    ranks, has_least = _splitting(ranks, sizes, least_weight)
    row_weights = np.ones(len(target)) if weights is None else weights.astype(np.float64)
    centred = target - np.average(target, weights=row_weights)
    with np.errstate(over="ignore"):
        figures = np.stack([row_weights, row_weights * centred, row_weights * centred * centred], axis=1)
    with np.errstate(over="ignore"):
        total = float(figures[:, 2].sum())
    if not np.isfinite(total) or (total / MOST_UNITS == 0) is not bool((centred == 0).all()):
        raise DataError("the squares of the target leave the range of floats", "learn the tree from one in other units")
    unit = (total or 1.0) / MOST_UNITS
    nothing = np.zeros(0, dtype=np.int64)
    ranks, figures, sizes = _joined(ranks, figures, sizes)
    rows = SearchRows(
        _order(ranks),
        np.ascontiguousarray(ranks),
        np.ascontiguousarray(figures),
        np.zeros(figures.shape[0], dtype=np.int64),
        nothing,
        nothing.astype(np.int32),
        np.zeros(0),
        sizes if has_least else sizes[:0],
    )
    price = min(round(penalty / unit), MOST_UNITS)
    return SearchTask(rows, nothing, nothing, price, least_weight, 0, unit, step=64 * MOST_UNITS)
