"""The search for the tree of least cost.

The cuts of all columns lie in gaps, and a heap yields the gap of the least lower bound (`division`). A cut in its
middle is evaluated: the best trees of the rows below and above it, of one level less. They are searched for a little
beyond what the cut itself needs, so that their costs exclude the cuts near it. What is left of the gap goes back to the
heap. The least bound in the heap is a lower bound of the cost of every tree, at any time.

Trees of depth 2 are found by a kernel where numba is there, otherwise by this same search over trees of depth 1.
"""

from collections.abc import Callable
from time import monotonic
from typing import Any

import numpy as np
from attrs import define, evolve

from treerules._internal.jit import OPTIMAL, load_kernels
from treerules.growing.optimal.bit_rows import has_two_values, is_short
from treerules.growing.optimal.bit_search import BitSearch
from treerules.growing.optimal.depth_one import INFINITE, best_stump, leaf_cost
from treerules.growing.optimal.division import Division, Hints
from treerules.growing.optimal.first_tree import first_tree
from treerules.growing.optimal.gaps import CutGap
from treerules.growing.optimal.search_result import Branching, Mark, SearchResult
from treerules.growing.optimal.search_rows import SearchRows, SearchTask

#: CPU nanoseconds of the kernel for each row, column and pair of labels, at 16 cuts: for the time limit alone.
_NANOSECONDS = 3.0
#: The kernels of squared errors, and of leaves of a least weight, take as many times longer.
_SLOWER = 10
#: Seconds between two calls of the progress function.
_PAUSE = 0.1
_NO_LIMIT = 1 << 40


@define
class Search:
    """One run of the search, with its clock."""

    task: SearchTask
    #: the seconds after which the search ends; loading and compiling kernels is not counted
    seconds: float = float("inf")
    #: called with (lower bound, cost of the best tree) in units, now and then
    progress: Callable[[int, int], None] | None = None
    #: whether the evaluated cuts are kept for a certificate
    keeps_marks: bool = False
    #: whether kernels search trees of depth 2
    compiled: bool = False
    #: returns whether the work that the search is part of is to end
    is_ended: Callable[[], bool] = bool
    _is_interrupted: bool = False
    _next_progress: float = 0.0
    _kernels: Any = None
    #: the search where all columns have two values
    _bits: BitSearch | None = None
    _deadline: float = float("inf")

    def run(self, max_depth: int, gap: float = 0.0) -> SearchResult:
        """Return the best tree of at most a depth, and its lower bound; the search ends at a gap or at the deadline.

        Args:
            max_depth: the greatest depth.
            gap: the search ends where the tree costs at most this share more than the lower bound.
        """
        rows = self.task.rows
        if self.compiled and rows.n_rows > 1 and len(rows.order):
            self._load_kernels(rows)
        self._deadline = monotonic() + self.seconds
        if self._bits is not None and max_depth > 1:
            result = self._bits.solve(self._bits.rows, max_depth, INFINITE, is_root=True)
        elif max_depth < 3 or rows.n_rows < 2 or not len(rows.order):
            result = self._solve(rows, max_depth, INFINITE)
        else:
            result = self._divide(rows, max_depth, INFINITE, gap=gap, is_root=True)
        is_exact = result.lower == result.cost and not self.task.is_regression and not self.keeps_marks
        return self._first(result, max_depth) if is_exact and result.branching is not None else result

    def _first(self, result: SearchResult, max_depth: int) -> SearchResult:
        """Return the result with the first of all trees of its cost, which does not depend on how it was found."""
        rows, task = self.task.rows, self.task
        try:
            if self._bits is not None:
                branching = self._bits.first(self._bits.rows, max_depth, result.cost)
            else:
                first_of_two = None if self._kernels is None else self._first_of_two
                branching = first_tree(rows, max_depth, result.cost, task, self._least_cost, first_of_two)
        except LookupError:  # there was no time
            return result
        return evolve(result, branching=branching)

    def _least_cost(self, rows: SearchRows, depth: int, upper: int) -> int:
        return self._solve(rows, depth, upper).cost

    def _first_of_two(self, rows: SearchRows, cost: int) -> tuple[int, int]:
        task = self.task
        rule = task.first_label, task.second_label, task.least_weight, task.penalty, cost
        column, cut = map(int, self._kernels.first_of_classes(*rows.arrays, *rule))
        return column, cut

    def _load_kernels(self, rows: SearchRows) -> None:
        """Load the kernels, and compile them where that was not done: the first call of a kernel does."""
        self._kernels = load_kernels(OPTIMAL)
        if not self.task.is_regression and not self.keeps_marks and has_two_values(rows) and is_short(rows):
            self._bits = BitSearch(self.task, self._kernels, self._is_late, self._report)
            self._bits.solve(self._bits.rows & self._bits.column(0), 3, INFINITE)
            return
        self._of_kernel(self._side(rows, 0, int(rows.ranks[0].max()), False), INFINITE)

    def interrupt(self) -> None:
        """End the search at the next opportunity, with the best tree so far."""
        self._is_interrupted = True

    def _is_late(self) -> bool:
        if not self._is_interrupted and (self.is_ended() or monotonic() > self._deadline):
            self._is_interrupted = True
        return self._is_interrupted

    def _solve(self, rows: SearchRows, depth: int, upper: int) -> SearchResult:
        """Return the best tree of some rows that costs less than `upper`.

        Cost and bound are `upper` where no tree does; where there was no time, the bound is less.
        """
        penalty = self.task.penalty
        if depth < 2 or rows.n_rows < 2 or not len(rows.order):
            cost = min(upper, best_stump(rows, self.task).cost if depth else leaf_cost(rows, self.task))
            return SearchResult(cost, cost)
        if 2 * penalty >= upper:  # only a leaf may cost less
            cost = min(upper, leaf_cost(rows, self.task))
            return SearchResult(cost, cost)
        if self._is_late():
            return SearchResult(upper, min(upper, penalty))
        if depth == 2 and self._kernels is not None:
            return self._of_kernel(rows, upper)[0]
        return self._divide(rows, depth, upper)

    # ---- depth 2, by kernels

    def _of_kernel(self, rows: SearchRows, upper: int) -> tuple[SearchResult, Hints]:
        """Return the best tree of depth 2 that costs less than `upper`, and what was seen of each column."""
        task, n_columns = self.task, len(rows.order)
        hints = Hints(np.empty(n_columns, dtype=np.int64), np.empty(n_columns, dtype=np.int64))
        most_batches = self._most_batches(rows)
        seen = hints.cost_of_column, hints.cut_of_column
        if task.is_regression:
            least_row = float(rows.costs[:, 0].min()) / 2
            rule = task.least_weight, task.penalty, upper, task.step, task.unit, least_row, most_batches
            figures = self._kernels.best_of_means(rows.order, rows.ranks, rows.costs, rows.weights, *rule, *seen)
        else:
            labels = task.first_label, task.second_label
            limits = task.least_weight, task.penalty, upper, most_batches
            figures = self._kernels.best_of_classes(*rows.arrays, *labels, *limits, *seen)
        cost, column, cut, lower = map(int, figures)
        if lower < cost:
            self._is_late()
        return SearchResult(cost, lower, Branching(column, cut) if column >= 0 else None), hints

    def _most_batches(self, rows: SearchRows) -> int:
        """Return the number of batches of cuts for which there is time."""
        left = self._deadline - monotonic()
        if left == float("inf"):
            return _NO_LIMIT
        n_items = max(len(rows.entry_pair), rows.n_rows)
        seconds = 1e-9 * _NANOSECONDS * (n_items * len(rows.order) + 8 * rows.n_rows) + 1e-7
        if self.task.is_regression or rows.has_least_weight:
            seconds *= _SLOWER
        return max(1, int(left / seconds))

    def _side(self, rows: SearchRows, column: int, cut: int, is_below: bool) -> SearchRows:
        if self._kernels is not None:
            return SearchRows(*self._kernels.rows_on_side(*rows.arrays, column, cut, is_below))
        return rows.on_side(column, cut, is_below)

    # ---- greater depths

    def _divide(
        self, rows: SearchRows, depth: int, upper: int, *, gap: float = 0.0, is_root: bool = False
    ) -> SearchResult:
        """Return the best tree of some rows by dividing gaps, as the module says."""
        division = self._division(rows, depth, upper)
        while (item := division.next_gap()) is not None:
            if is_root and self._is_near_enough(division, gap):
                break
            if self._is_late():
                break
            self._evaluate(division, item)
        return division.result(keeps_marks=self.keeps_marks)

    def _division(self, rows: SearchRows, depth: int, upper: int) -> Division:
        """Return the gaps of some rows, with the best tree of one level less."""
        best = min(upper, leaf_cost(rows, self.task))
        shallow, hints = SearchResult(best, self.task.penalty), None
        if self._kernels is not None and depth > 2:
            # the cuts of depth 2 show where to begin
            shallow, hints = self._of_kernel(rows, INFINITE if depth == 3 else upper)
        if depth > 3 or (depth == 3 and hints is None):
            shallow = self._solve(rows, depth - 1, upper)
        branching = shallow.branching if shallow.cost < best else None
        return Division(rows, depth, self.task, min(best, shallow.cost), branching, shallow, hints)

    def _is_near_enough(self, division: Division, gap: float) -> bool:
        """Tell the bounds, and return whether they are as near to each other as was asked for."""
        self._report(division.bound, division.best)
        total = division.best + self.task.base
        return division.best - division.bound <= gap * total

    def _report(self, lower: int, cost: int) -> None:
        if self.progress is not None and monotonic() >= self._next_progress:
            self._next_progress = monotonic() + _PAUSE
            self.progress(lower, cost)

    def _evaluate(self, division: Division, gap: CutGap) -> None:
        """Evaluate a cut of a gap: the best trees on both sides."""
        position, cut, weight = division.cut_of(gap)
        rows = division.rows
        relaxed = rows.without_weights() if rows.has_least_weight else rows
        below, above = self._sides_of_cut(relaxed, division, gap, cut, weight)
        own = below, above
        if rows.has_least_weight:
            bounds = max(below.lower, gap.below_at(weight)), max(above.lower, gap.above_at(weight))
            own = self._own_sides_of_cut(division, gap.column, cut, *bounds)
        if own[0].cost + own[1].cost < division.best:
            division.best = own[0].cost + own[1].cost
            division.branching = Branching(gap.column, cut, own[0].branching, own[1].branching)
        if self.keeps_marks:
            mark = Mark(gap.column, cut, below.lower, above.lower, below.proof, above.proof)
            if rows.has_least_weight:
                own_bounds = {"own_below": own[0].lower, "own_above": own[1].lower}
                mark = evolve(mark, **own_bounds, proof_own_below=own[0].proof, proof_own_above=own[1].proof)
            division.marks.append(mark)
        division.use(gap, position, below, above)

    def _sides_of_cut(
        self, rows: SearchRows, division: Division, gap: CutGap, cut: int, weight: int
    ) -> tuple[SearchResult, SearchResult]:
        """Return the best trees below and above a cut, the heavier side first; each by as much as it needs.

        A side is solved for costs below what the other one leaves, and beyond that by the weight to the nearer end of
        the gap: a cost that is too great by some weight excludes all cuts within that weight.
        """
        is_bounded = self.task.step == 0
        reach = min(weight - gap.start.weight, gap.end.weight - weight) if is_bounded else 0
        bounds = [gap.below_at(weight), gap.above_at(weight)]
        results = [SearchResult(INFINITE, self.task.penalty)] * 2
        heavier = 1 if is_bounded and 2 * weight < int(rows.greatest_cost.sum()) else 0
        for side in (heavier, 1 - heavier):
            upper = division.best - bounds[1 - side] + reach
            if upper <= bounds[side]:
                continue
            part = self._side(rows, gap.column, cut, side == 0)
            result = self._solve(part, division.depth - 1, upper)
            # bounds of squared errors are rounded: what was not found must not seem to be cheap by one unit
            results[side] = evolve(result, cost=INFINITE) if result.cost >= upper else result
            bounds[side] = max(bounds[side], results[side].lower)
        return results[0], results[1]

    def _own_sides_of_cut(
        self, division: Division, column: int, cut: int, bound_below: int, bound_above: int
    ) -> tuple[SearchResult, SearchResult]:
        """Return the best trees of a least weight on both sides of a cut, as far as it may cost less than the best.

        Args:
            division: the rows that are cut.
            column: the column.
            cut: the rank above the cut.
            bound_below: a lower bound of the cost below.
            bound_above: a lower bound of the cost above.
        """
        rows, depth, penalty = division.rows, division.depth - 1, self.task.penalty
        unknown = SearchResult(INFINITE, penalty)
        upper = division.best - bound_above
        if bound_below >= upper:
            return unknown, unknown
        below = self._solve(self._side(rows, column, cut, True), depth, upper)
        if below.cost >= upper:
            return SearchResult(INFINITE, below.lower, proof=below.proof), unknown
        return below, self._solve(self._side(rows, column, cut, False), depth, division.best - below.cost)
