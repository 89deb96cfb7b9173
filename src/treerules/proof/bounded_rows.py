"""Rows whose trees are bounded: ranks, whole costs, and the rules of the trees that are compared."""

from functools import cached_property
from typing import Any

import numpy as np
from attrs import evolve, frozen

from treerules.proof.certificate import ProofColumn

#: Below this, sums of costs fit into int32.
_MOST_INT32 = 1 << 30


@frozen(eq=False, slots=False)
class BoundedRows:
    """Rows, the costs of their labels, and the rules of the trees that are compared."""

    columns: tuple[ProofColumn, ...]
    #: shape (columns, rows)
    ranks: Any
    #: int64, at least 0, shape (rows, labels)
    costs: Any
    #: what the least weight of a leaf counts of each row, shape (rows,)
    weights: Any
    #: the price of a leaf
    penalty: int
    #: the least weight of a leaf; 0 where it does not matter
    least_weight: float

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.costs)

    @cached_property
    def orders(self) -> Any:
        """The rows by rank, for each column."""
        return np.argsort(self.ranks, axis=1, kind="stable")

    @cached_property
    def sum_type(self) -> Any:
        """The smallest type of integers that holds all sums of costs."""
        return np.int32 if int(self.costs.max(axis=1, initial=0).sum()) < _MOST_INT32 else np.int64

    def part(self, is_inside: Any) -> "BoundedRows":
        """Return some of the rows."""
        return evolve(
            self, ranks=self.ranks[:, is_inside], costs=self.costs[is_inside], weights=self.weights[is_inside]
        )

    def relaxed(self) -> "BoundedRows":
        """Return the same rows where leaves may be as light as they like."""
        return evolve(self, least_weight=0.0)


def joined(rows: BoundedRows) -> tuple[BoundedRows, int]:
    """Return the rows without what no tree changes, and the cost that no tree avoids.

    Equal rows are one row, of their summed costs. Its least cost is taken out. Where leaves have no least weight, a row
    whose labels cost the same is left out. Of columns that divide the rows in the same way the first is kept.
    """
    _, first, group = np.unique(rows.ranks, axis=1, return_index=True, return_inverse=True)
    group = group.ravel()
    costs = np.zeros((len(first), rows.costs.shape[1]), dtype=np.int64)
    np.add.at(costs, group, rows.costs)
    weights = np.bincount(group, rows.weights, minlength=len(first))
    least = costs.min(axis=1)
    costs -= least[:, None]
    rows = evolve(rows, ranks=rows.ranks[:, first], costs=costs, weights=weights)
    is_kept: dict[bytes, int] = {}
    for number, line in enumerate(rows.ranks):
        flipped = 1 - line if line.max(initial=0) == 1 and line[0] else line
        is_kept.setdefault(flipped.tobytes(), number)
    kept = sorted(is_kept.values())
    rows = evolve(rows, columns=tuple(rows.columns[number] for number in kept), ranks=rows.ranks[kept])
    return (rows.part(costs.any(axis=1)) if not rows.least_weight else rows), int(least.sum())
