"""The search where all columns have two values: sets of rows as bits, depth 2 and 3 by kernels, greater depths here.

A tree splits at one of the columns. They are tried in the order of their costs at depth 2, and a side is skipped where
the costs of earlier sides bound it: sets of rows that differ little cost about the same (`bits_kernel`). Different
splits lead to the same sets of rows, so what is known of a set is kept.
"""

from typing import Any

import numpy as np
from attrs import define, field

from treerules.growing.optimal.bit_rows import bit_arguments
from treerules.growing.optimal.search_result import Branching, SearchResult
from treerules.growing.optimal.search_rows import SearchTask

_KERNEL_DEPTH = 3


@define
class BitSearch:
    """One run of the search over sets of rows."""

    task: SearchTask
    kernels: Any
    #: returns whether the search is to end
    is_late: Any
    #: called with the lower bound and the cost of the best tree
    report: Any
    _known: dict[tuple[bytes, int], tuple[int, SearchResult]] = field(factory=dict)
    _arguments: tuple[Any, ...] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._arguments = bit_arguments(self.task.rows)

    @property
    def rows(self) -> Any:
        """All rows, as bits."""
        return self._arguments[-1]

    def column(self, number: int) -> Any:
        """Return the rows that have a column, as bits."""
        bits, n_words = self._arguments[0], len(self.rows)
        return bits.reshape(n_words, -1)[:, number]

    def solve(self, rows: Any, depth: int, upper: int, *, is_root: bool = False) -> SearchResult:
        """Return the best tree of some rows that costs less than `upper`, which cost and bound are where none does."""
        key = rows.tobytes(), depth
        known = self._known.get(key)
        if known is not None and (known[1].cost < known[0] or known[0] >= upper):
            result = known[1]
            return result if result.cost < upper else SearchResult(upper, min(upper, result.lower))
        if depth == 1:
            cost = min(upper, self._stump_cost(rows))
            return SearchResult(cost, cost)
        if depth <= _KERNEL_DEPTH:
            result = self._of_kernel(rows, depth, upper)
        else:
            result = self._of_columns(rows, depth, upper, is_root=is_root)
        if result.lower == result.cost:  # an interrupted search knows nothing for sure
            self._known[key] = upper, result
        return result

    def _of_kernel(self, rows: Any, depth: int, upper: int) -> SearchResult:
        arguments, penalty = self._arguments[:-1], self.task.penalty
        cost, column = map(int, self.kernels.best_of_bits(*arguments, rows, penalty, depth, upper))
        if cost >= upper or depth == 2:
            return SearchResult(cost, cost, Branching(column, 1) if column >= 0 else None)
        if column < 0:  # no tree of depth 3 costs less than one of depth 2
            return self._of_kernel(rows, 2, upper)
        sides = (self._of_kernel(side, 2, cost + 1) for side in self._sides(rows, column))
        return SearchResult(cost, cost, Branching(column, 1, *(side.branching for side in sides)))

    def first(self, rows: Any, depth: int, cost: int) -> Branching | None:
        """Return the first tree of the least cost: a tree of depth 1, else of the first column (see `first_tree`).

        Raises:
            LookupError: the search was ended before.
        """
        if depth < 2:
            return None
        space = self._space()
        if self._costs_of_two(rows, space)[2] == cost:
            return None
        if depth == 2:
            return Branching(int(np.argmax(space[3] + space[4] == cost)), 1)
        for column in range(self._arguments[1]):
            without, with_it = self._sides(rows, column)
            below = self.solve(without, depth - 1, cost + 1 - self.task.penalty).cost
            above = self.solve(with_it, depth - 1, cost + 1 - below).cost if below <= cost else cost + 1
            if below + above == cost:
                sides = self.first(without, depth - 1, below), self.first(with_it, depth - 1, above)
                return Branching(column, 1, *sides)
        raise LookupError(f"no tree costs {cost}")

    def _stump_cost(self, rows: Any) -> int:
        """Return the least cost of trees of depth 1."""
        return int(self._costs_of_two(rows, self._space())[2])

    def _space(self) -> Any:
        """Return the arrays that the kernel needs; it writes the costs of columns to the fourth and the fifth."""
        bits, _, planes, _, n_labels, *_ = self._arguments
        return self.kernels.space_for(n_labels, len(bits) // len(self.rows), len(planes), len(self.rows))

    def _costs_of_two(self, rows: Any, space: Any) -> Any:
        bits, _, planes, facts, *_ = self._arguments
        n_columns = len(bits) // len(self.rows)
        return self.kernels.costs_of_two(bits, n_columns, planes, facts, rows, self.task.penalty, space)

    def _sides(self, rows: Any, column: int) -> tuple[Any, Any]:
        """Return the rows below the cut of a column, which lack it, and those above."""
        own = self.column(column)
        return rows & ~own, rows & own

    def _of_columns(self, rows: Any, depth: int, upper: int, *, is_root: bool) -> SearchResult:
        bits, n_used, _, _, _, greatest, greatest_facts, _ = self._arguments
        penalty, n_columns = self.task.penalty, len(bits) // len(rows)
        shallow = self.solve(rows, depth - 1, upper)
        best, branching = shallow.cost, shallow.branching
        space = self._space()
        self._costs_of_two(rows, space)
        order = np.argsort((space[3] + space[4])[:n_used], kind="stable")
        total, weights, shared = self.kernels.shared_weights(bits, n_columns, greatest & rows, greatest_facts)
        costs = np.full((2, n_columns), penalty, dtype=np.int64)
        for number, column in enumerate(order.tolist()):
            bounds = _bounds(costs, column, order[:number], int(total), weights, shared, penalty)
            results = [SearchResult(upper, bound) for bound in bounds]
            sides = self._sides(rows, column)
            for side in (0, 1) if weights[column] * 2 < total else (1, 0):
                most = best - bounds[1 - side]
                if bounds[side] >= most:
                    break
                results[side] = self.solve(sides[side], depth - 1, most)
                bounds[side] = max(bounds[side], results[side].lower)
            costs[:, column] = bounds
            if results[0].cost + results[1].cost < best:
                best = results[0].cost + results[1].cost
                branching = Branching(column, 1, results[0].branching, results[1].branching)
            if is_root:
                self.report(penalty, best)
            if self.is_late():
                return SearchResult(best, min(best, 2 * penalty), branching)
        return SearchResult(best, best, branching)


def _bounds(costs: Any, column: int, earlier: Any, total: int, weights: Any, shared: Any, penalty: int) -> list[int]:
    """Return the lower bounds of the costs without and with a column, from those of earlier columns.

    The cost of a set of rows is at least that of another one, less the greatest costs of the rows of the other one that
    the set lacks.
    """
    if not len(earlier):
        return [penalty, penalty]
    both, own = shared[column, earlier], weights[column]
    others = weights[earlier]
    zeros, ones = costs[0, earlier], costs[1, earlier]
    neither = total - own - others + both
    without = np.maximum(ones - both, zeros - (own - both)).max()
    with_it = np.maximum(ones - (others - both), zeros - neither).max()
    return [max(penalty, int(without)), max(penalty, int(with_it))]
