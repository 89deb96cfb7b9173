"""Gaps between evaluated cuts of a column, and their lower bounds.

A gap holds consecutive cuts of a column that are not evaluated. At both ends, the least costs of trees below and above
are known, or bounded. Cost falls where rows are left out, by at most the greatest cost of each. So for a cut t between
the cuts i < j (Brița et al. 2025, sections 4.1 and 4.2):

    below(t) >= max(below(i), below(j) - weight(t..j))      above(t) >= max(above(j), above(i) - weight(i..t))

The sum of the two falls, is constant, then rises along the gap: the cuts that may cost less than the best tree so far
are consecutive, and their least bound is that of the constant part.
"""

from typing import Any

import numpy as np
from attrs import evolve, frozen


@frozen
class GapEnd:
    """An evaluated cut: the greatest cost of the rows below it, and lower bounds of the least costs on both sides."""

    weight: int
    cost_below: int
    cost_above: int


@frozen
class CutGap:
    """Cuts of a column, from the first to the last, and the evaluated cuts beside them."""

    column: int
    first: int
    last: int
    start: GapEnd
    end: GapEnd

    @property
    def bound(self) -> int:
        """The lower bound of the costs of all cuts in the gap."""
        start, end = self.start, self.end
        return max(start.cost_below + end.cost_above, end.cost_below - end.weight + start.cost_above + start.weight)

    def below_at(self, weight: int) -> int:
        """Return the lower bound of the cost below a cut of the gap, given the greatest cost of the rows below it."""
        return max(self.start.cost_below, self.end.cost_below - (self.end.weight - weight))

    def above_at(self, weight: int) -> int:
        """Return the lower bound of the cost above a cut of the gap."""
        return max(self.end.cost_above, self.start.cost_above - (weight - self.start.weight))


def narrowed(gap: CutGap, weight_below: Any, best: int) -> CutGap | None:
    """Return the gap with the cuts that may cost less than `best`; None where there are none.

    Args:
        gap: the gap.
        weight_below: the greatest cost of all rows below each cut of the column, ascending, shape (cuts,).
        best: the cost to improve on.
    """
    if gap.bound >= best:
        return None
    start, end = gap.start, gap.end
    above_start = start.cost_below + start.cost_above + start.weight - best
    below_end = best - (end.cost_below + end.cost_above - end.weight)
    cuts = weight_below[gap.first : gap.last + 1]
    first = gap.first + int(np.searchsorted(cuts, above_start, side="right"))
    last = gap.first + int(np.searchsorted(cuts, below_end, side="left")) - 1
    return evolve(gap, first=first, last=last) if first <= last else None
