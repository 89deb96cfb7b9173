"""The gaps of some rows while they are divided, the one of the least lower bound first."""

from heapq import heappop, heappush
from itertools import count
from typing import Any

import numpy as np
from attrs import define, evolve, field

from treerules.growing.optimal.gaps import CutGap, GapEnd, narrowed
from treerules.growing.optimal.search_result import Branching, Mark, Proof, SearchResult
from treerules.growing.optimal.search_rows import SearchRows, SearchTask


@define
class Hints:
    """What a search of depth 2 saw at the cuts of each column: the least cost, and the rank above that cut (or -1)."""

    cost_of_column: Any
    cut_of_column: Any


@define
class Division:
    """The gaps of some rows, the best tree so far, and the bound that is proved so far."""

    rows: SearchRows
    depth: int
    task: SearchTask
    #: the cost of the best tree, or the cost to improve on
    best: int
    branching: Branching | None
    #: the best trees of one level less
    shallow: SearchResult
    hints: Hints | None
    #: no tree costs less than this, if it costs less than the best
    bound: int = 0
    marks: list[Mark] = field(factory=list)
    #: the cuts of each column
    _cuts: list[Any] = field(init=False)
    #: (lower bound, cost at the hint, number, gap)
    _heap: list[tuple[int, int, int, CutGap]] = field(factory=list)
    _numbers: Any = field(factory=count)
    _is_new: list[bool] = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Put one gap of all cuts of each column into the heap; its ends are all rows above, and all rows below."""
        penalty, whole = self.task.penalty, self.bound_of_all
        self._cuts = cuts_of(self.rows, self.task.step)
        self._is_new = [True] * len(self._cuts)
        for column, (_, weight_below, total) in enumerate(self._cuts):
            if len(weight_below):
                start, end = GapEnd(0, penalty, whole), GapEnd(total, whole, penalty)
                self._add(CutGap(column, 0, len(weight_below) - 1, start, end))

    @property
    def bound_of_all(self) -> int:
        """The lower bound of trees of one level less for all rows; they may have lighter leaves than the tree."""
        return self.task.penalty if self.rows.has_least_weight else self.shallow.lower

    def next_gap(self) -> CutGap | None:
        """Return the gap of the least bound with a cut that may cost less than the best tree; None: there is none."""
        while self._heap:
            bound, order, _, item = heappop(self._heap)
            self.bound = max(self.bound, bound)
            gap = None if bound >= self.best else narrowed(item, self._cuts[item.column][1], self.best)
            if gap is None:
                continue
            if gap.bound > bound and self._heap and gap.bound > self._heap[0][0]:
                heappush(self._heap, (gap.bound, order, next(self._numbers), gap))
                continue
            return gap
        self.bound = self.best
        return None

    def cut_of(self, gap: CutGap) -> tuple[int, int, int]:
        """Return the cut of a gap that is evaluated next: its position, its rank, and the weight of the rows below.

        It is the hint the first time, then the middle.
        """
        ranks, weight_below, _ = self._cuts[gap.column]
        position = (gap.first + gap.last) // 2
        hint = -1 if self.hints is None else int(self.hints.cut_of_column[gap.column])
        if self._is_new[gap.column] and hint >= 0:
            position = min(max(int(np.searchsorted(ranks, hint)), gap.first), gap.last)
        self._is_new[gap.column] = False
        return position, int(ranks[position]), int(weight_below[position])

    def use(self, gap: CutGap, position: int, below: SearchResult, above: SearchResult) -> None:
        """Divide a gap at an evaluated cut, given the bounds of the costs on both sides."""
        weight_below = self._cuts[gap.column][1]
        weight = int(weight_below[position])
        lower = max(below.lower, gap.below_at(weight)), max(above.lower, gap.above_at(weight))
        evaluated = GapEnd(weight, *lower)
        parts = (
            evolve(gap, last=position - 1, end=evaluated),
            evolve(gap, first=position + 1, start=evaluated),
        )
        for part in parts:
            rest = narrowed(part, weight_below, self.best) if part.first <= part.last else None
            if rest is not None:
                self._add(rest)

    def _add(self, gap: CutGap) -> None:
        order = 0 if self.hints is None else int(self.hints.cost_of_column[gap.column])
        heappush(self._heap, (max(gap.bound, self.bound), order, next(self._numbers), gap))

    def result(self, *, keeps_marks: bool) -> SearchResult:
        """Return the best tree, and the bound that is proved."""
        lower = min(self.bound, self.best)
        proof = Proof(lower, self.bound_of_all, tuple(self.marks), self.shallow.proof) if keeps_marks else None
        return SearchResult(self.best, lower, self.branching, proof)


def cuts_of(rows: SearchRows, step: int) -> list[tuple[Any, Any, int]]:
    """Return, for each column, the rank above each cut, the greatest cost of the rows below, and that of all rows.

    Args:
        rows: the rows.
        step: added to the weight at each cut.
    """
    result = []
    for ranks, order in zip(rows.ranks, rows.order, strict=True):
        in_order = ranks[order]
        position = np.flatnonzero(in_order[1:] != in_order[:-1]) + 1
        weight = np.cumsum(rows.greatest_cost[order])
        n = len(position)
        weight_below = weight[position - 1] + step * np.arange(1, n + 1)
        result.append((in_order[position], weight_below, int(weight[-1]) + step * (n + 1)))
    return result
