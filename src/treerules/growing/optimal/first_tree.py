"""The first of all trees of least cost: a leaf, else the first column and the lowest cut that reach the cost.

Which of several optimal trees a search meets depends on its order, and so on the kernels. The cost is known when this
starts: cuts that cost more are excluded by the bounds of gaps, from the lowest cut up.
"""

from collections.abc import Callable
from typing import Any

from attrs import evolve

from treerules.growing.optimal.depth_one import INFINITE, best_stump, leaf_cost
from treerules.growing.optimal.division import cuts_of
from treerules.growing.optimal.gaps import CutGap, GapEnd, narrowed
from treerules.growing.optimal.search_result import Branching
from treerules.growing.optimal.search_rows import SearchRows, SearchTask

#: A function of rows, a depth and a cost to improve on: the least cost, at most that.
LeastCost = Callable[[SearchRows, int, int], int]
#: A function of rows and a cost: the first column, and the rank above its lowest cut, that reach the cost at depth 2.
FirstCut = Callable[[SearchRows, int], tuple[int, int]]


def first_tree(
    rows: SearchRows,
    depth: int,
    cost: int,
    task: SearchTask,
    least_cost: LeastCost,
    first_of_two: FirstCut | None = None,
) -> Branching | None:
    """Return the splits of the first tree of at most a depth that has the least cost; None is a leaf, or depth 1.

    Args:
        rows: the rows.
        depth: the greatest depth.
        cost: the least cost of all trees.
        task: the search.
        least_cost: the search for costs.
        first_of_two: the kernel that finds the first cut of depth 2, or None.

    Raises:
        LookupError: the search for costs was ended before.
    """
    if depth < 2 or best_stump(rows, task).cost == cost or leaf_cost(rows, task) == cost:
        return None
    if depth == 2 and first_of_two is not None:
        column, cut = first_of_two(rows, cost)
        return Branching(column, cut) if column >= 0 else None
    for column, (ranks, weight_below, total) in enumerate(cuts_of(rows, 0)):
        if not len(ranks):
            continue
        start, end = GapEnd(0, task.penalty, task.penalty), GapEnd(total, task.penalty, task.penalty)
        whole = CutGap(column, 0, len(ranks) - 1, start, end)
        costs = _Costs(rows, column, ranks, depth - 1, cost, least_cost)
        position = _first_cut(whole, weight_below, cost, costs)
        if position is not None:
            cut = int(ranks[position])
            sides = [rows.on_side(column, cut, is_below) for is_below in (True, False)]
            low, high = (
                first_tree(side, depth - 1, least_cost(side, depth - 1, INFINITE), task, least_cost, first_of_two)
                for side in sides
            )
            return Branching(column, cut, low, high)
    raise LookupError(f"no tree costs {cost}")


class _Costs:
    """The costs below and above the cuts of a column."""

    def __init__(self, rows: SearchRows, column: int, ranks: Any, depth: int, cost: int, least_cost: LeastCost) -> None:
        self.rows, self.column, self.ranks = rows, column, ranks
        self.depth, self.cost, self.least_cost = depth, cost, least_cost

    def at(self, position: int, gap: CutGap, weight: int) -> tuple[int, int, bool]:
        """Return lower bounds of the costs on both sides of a cut, and whether their sum is the cost that is sought.

        Bounds hold for trees of lighter leaves too where leaves have a least weight, and are exact where they matter.
        """
        bounds = [gap.below_at(weight), gap.above_at(weight)]
        reach = min(weight - gap.start.weight, gap.end.weight - weight)
        parts = [self.rows.on_side(self.column, int(self.ranks[position]), is_below) for is_below in (True, False)]
        for side, part in enumerate(parts):
            upper = self.cost + 1 - bounds[1 - side] + reach
            if upper > bounds[side]:
                bounds[side] = max(bounds[side], self.least_cost(part.without_weights(), self.depth, upper))
        is_reached = sum(bounds) <= self.cost
        if is_reached and self.rows.has_least_weight:
            own = self.least_cost(parts[0], self.depth, self.cost + 1)
            is_reached = own <= self.cost and own + self.least_cost(parts[1], self.depth, self.cost + 1) == self.cost
        return bounds[0], bounds[1], is_reached


def _first_cut(whole: CutGap, weight_below: Any, cost: int, costs: _Costs) -> int | None:
    """Return the position of the lowest cut of a column that reaches the cost; None where there is none."""
    first = None
    gaps = [whole]
    while gaps:
        gap = gaps.pop()
        if first is not None:
            gap = evolve(gap, last=min(gap.last, first - 1))
        rest = narrowed(gap, weight_below, cost + 1) if gap.first <= gap.last else None
        if rest is None:
            continue
        position = (rest.first + rest.last) // 2
        weight = int(weight_below[position])
        below, above, is_reached = costs.at(position, rest, weight)
        evaluated = GapEnd(weight, below, above)
        if is_reached:
            first = position
        elif position < rest.last:
            gaps.append(evolve(rest, first=position + 1, start=evaluated))
        if position > rest.first:
            gaps.append(evolve(rest, last=position - 1, end=evaluated))  # the lower part is next
    return first
