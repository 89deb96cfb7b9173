"""Axis of an ordered feature: the half-open steps between all bounds that conditions name, and missing."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from attrs import evolve, frozen

from treerules.data.column import Column
from treerules.data.domain import ColumnDomain
from treerules.data.interval import Interval
from treerules.data.sample_values import value_between
from treerules.data.schema import Feature, ordinate
from treerules.regions.ordered_cuts import counts_beside, cuts_of_parts
from treerules.rules.conditions import all_bounds
from treerules.rules.rule import Condition

Part = Any
#: Cost of a cell from the number of boxes of each space in it: arrays, one entry a cut, or plain numbers.
Cost = Callable[[Sequence[Any]], Any]
#: Number of bounds, about, that are tried as cuts.
_MOST_CUTS = 64


@frozen(eq=False)
class OrderedAxis:
    """An ordered feature, and the part of it that each box takes.

    Step k holds the values above `ends[k - 1]` and up to `ends[k]`. A part is a tuple: the first step, the end of the
    steps (excluded), and whether missing belongs to it. A part without steps begins and ends at 0, so that equal parts
    are equal tuples. `boxes`, `some` and `others` are integer arrays of positions.
    """

    feature: Feature
    #: the last value of each step; the last of all is the highest of the domain
    ends: tuple[Any, ...]
    domain: ColumnDomain
    #: arrays of shape (boxes,): the first step, the end of the steps, whether missing is taken
    lo: Any
    hi: Any
    missing: Any

    @classmethod
    def of_conditions(
        cls, feature: Feature, domain: ColumnDomain, conditions: Sequence[Condition], kinds: Any
    ) -> "OrderedAxis":
        """Return the axis of boxes that each have one of some conditions, or none.

        `kinds` holds an integer for each box: 0 without a condition, otherwise 1 + the position of its condition.
        """
        ends, steps = axis_steps(domain, conditions)
        lo, hi, missing = [0], [len(ends)], [domain.missing]
        for condition in conditions:
            first = end = 0
            for interval in condition.intervals:  # at most one
                first, end = steps[interval.above], len(ends) if interval.upto is None else steps[interval.upto]
            lo.append(first if first < end else 0)
            hi.append(end if first < end else 0)
            missing.append(condition.missing and domain.missing)
        arrays = np.array(lo, dtype=np.int32)[kinds], np.array(hi, dtype=np.int32)[kinds], np.array(missing)[kinds]
        return cls(feature, ends, domain, *arrays)

    def of_parts(self, parts: Sequence[Part]) -> "OrderedAxis":
        """Return the axis with other boxes, which take these parts."""
        array = np.array(parts, dtype=np.int32).reshape(-1, 3)
        lo, hi, missing = array.T
        return evolve(self, lo=lo.copy(), hi=hi.copy(), missing=missing.astype(bool))

    def of_column(self, column: Column) -> "OrderedAxis":
        """Return the axis with the cells of a column as boxes; a cell outside the domain takes nothing."""
        ends = np.array([ordinate(end) for end in self.ends], dtype=column.data.dtype)
        lo = np.searchsorted(ends, column.data, side="left")
        inside = ~column.missing & (lo < len(ends)) & (column.data >= ordinate(self.domain.lowest))
        lo = np.where(inside, lo, 0).astype(np.int32)
        return evolve(self, lo=lo, hi=lo + inside, missing=column.missing & self.domain.missing)

    def select(self, boxes: Any) -> "OrderedAxis":
        """Return the axis with some of its boxes."""
        return evolve(self, lo=self.lo[boxes], hi=self.hi[boxes], missing=self.missing[boxes])

    # ---- parts

    @property
    def whole(self) -> Part:
        """The part of all atoms."""
        return 0, len(self.ends), self.domain.missing

    def size(self, part: Part) -> int:
        """Return the number of atoms of a part."""
        return int(part[1] - part[0] + part[2])

    def intersection(self, part: Part, other: Part) -> Part | None:
        """Return the atoms of both parts, None if there are none."""
        lo, hi = max(part[0], other[0]), min(part[1], other[1])
        missing = part[2] and other[2]
        return (lo, hi, missing) if lo < hi else ((0, 0, True) if missing else None)

    def difference(self, part: Part, other: Part) -> list[Part]:
        """Return the atoms of a part that are not in another, as parts that do not overlap."""
        lo, hi, missing = part[0], part[1], part[2] and not other[2]
        if other[0] >= other[1] or other[1] <= lo or hi <= other[0]:
            steps = [(lo, hi)] if lo < hi else []
        else:
            steps = [(a, b) for a, b in ((lo, other[0]), (other[1], hi)) if a < b]
        if not steps:
            return [(0, 0, True)] if missing else []
        return [(a, b, missing and not at) for at, (a, b) in enumerate(steps)]

    def union(self, part: Part, other: Part) -> Part | None:
        """Return the atoms of either part, None if one interval cannot hold them."""
        missing = part[2] or other[2]
        if part[0] >= part[1] or other[0] >= other[1]:
            lo, hi = (part if part[0] < part[1] else other)[:2]
            return lo, hi, missing
        if max(part[0], other[0]) > min(part[1], other[1]):
            return None
        return min(part[0], other[0]), max(part[1], other[1]), missing

    def atom(self, part: Part, index: int) -> Part:
        """Return one atom of a part, as a part."""
        step = part[0] + index
        return (step, step + 1, False) if step < part[1] else (0, 0, True)

    def value(self, part: Part) -> Any:
        """Return a value of the first atom of a part that is not empty."""
        return None if part[0] >= part[1] else self._between(part[0], part[0] + 1)

    def plain_value(self, part: Part) -> Any:
        """Return a value of a part that is not empty: missing if everything is taken, else one that is short."""
        if part[0] >= part[1] or (part[2] and part == self.whole):
            return None
        return self._between(part[0], part[1])

    def _between(self, first: int, end: int) -> Any:
        above = self.ends[first - 1] if first else None
        return value_between(self.feature, self.domain, above, self.ends[end - 1] if end < len(self.ends) else None)

    def condition(self, part: Part) -> Condition:
        """Return the condition that takes a part. Steps that reach an end of the domain are not bounded there."""
        lo, hi, missing = part
        if lo >= hi:
            return Condition(None, missing)
        above = self.ends[lo - 1] if lo else None
        return Condition(Interval(above, self.ends[hi - 1] if hi < len(self.ends) else None), missing)

    # ---- boxes

    def part(self, box: int) -> Part:
        """Return the part that a box takes."""
        return int(self.lo[box]), int(self.hi[box]), bool(self.missing[box])

    @property
    def codes(self) -> Any:
        """Integers of shape (boxes,), equal where boxes take the same part."""
        n = len(self.ends) + 1
        return (self.lo.astype(np.int64) * n + self.hi) * 2 + self.missing

    def sizes(self, boxes: Any, part: Part) -> Any:
        """Return the number of atoms of a part that each box takes."""
        n_steps = np.minimum(self.hi[boxes], part[1]) - np.maximum(self.lo[boxes], part[0])
        return np.maximum(n_steps, 0) + (self.missing[boxes] & part[2])

    def intersects(self, boxes: Any, part: Part) -> Any:
        """Return, for each box, whether it takes an atom of a part."""
        share_steps = np.minimum(self.hi[boxes], part[1]) > np.maximum(self.lo[boxes], part[0])
        return share_steps | self.missing[boxes] if part[2] else share_steps

    def share_atoms(self, some: Any, axis: "OrderedAxis", others: Any) -> Any:
        """Return whether boxes share an atom with others of the same axis: pair by pair; as a matrix for a column."""
        lo, hi = np.maximum(self.lo[some], axis.lo[others]), np.minimum(self.hi[some], axis.hi[others])
        return (lo < hi) | (self.missing[some] & axis.missing[others])

    def lies_within(self, some: Any, axis: "OrderedAxis", others: Any) -> Any:
        """Return, pair by pair, whether every atom of a box is one of the other, of the same axis."""
        lo, hi = self.lo[some], self.hi[some]
        steps = (lo >= hi) | ((axis.lo[others] <= lo) & (hi <= axis.hi[others]))
        return steps & (~self.missing[some] | axis.missing[others])

    def takes_corner(self, boxes: Any, others: Any, *, last: bool) -> Any:
        """Return, pair by pair, whether other boxes take the first step of boxes, or the last."""
        lo, hi = self.lo[boxes], self.hi[boxes]
        corner = hi - 1 if last else lo
        taken = (self.lo[others] <= corner) & (corner < self.hi[others])
        return np.where(lo < hi, taken, self.missing[others])

    def atom_weights(self, boxes: Any, weights: Sequence[int], part: Part) -> list[int]:
        """Return, for each atom of a part, the sum of the weights (exact integers) of the boxes that take it."""
        first, end, missing = part
        changes = [0] * (end - first + 1)
        for lo, hi, weight in zip(self.lo[boxes].tolist(), self.hi[boxes].tolist(), weights, strict=True):
            lo, hi = max(lo, first), min(hi, end)
            if lo < hi:
                changes[lo - first] += weight
                changes[hi - first] -= weight
        sums, total = [], 0
        for change in changes[:-1]:
            total += change
            sums.append(total)
        if missing:
            sums.append(sum(w for w, takes in zip(weights, self.missing[boxes].tolist(), strict=True) if takes))
        return sums

    def taken_atoms(self, boxes: Any) -> Any:
        """Return, for each step and for missing, whether one of these boxes takes it."""
        lo, hi = self.lo[boxes], self.hi[boxes]
        has_steps = lo < hi
        changes = np.bincount(lo[has_steps], minlength=len(self.ends) + 1)
        changes -= np.bincount(hi[has_steps], minlength=len(self.ends) + 1)
        taken = np.cumsum(changes) > 0
        taken[-1] = self.missing[boxes].any()
        return taken

    def expand(self, part: Part, taken: Any) -> Part:
        """Return the largest part that holds a part and otherwise only atoms that are not taken."""
        n = len(self.ends)
        missing = part[2] or (self.domain.missing and not bool(taken[-1]))
        taken_steps = np.flatnonzero(taken[:-1])
        step = part[0] if part[0] < part[1] else int(np.argmin(taken[:-1]))
        if part[0] >= part[1] and taken[step]:
            return 0, 0, missing
        after = int(np.searchsorted(taken_steps, step))
        first = int(taken_steps[after - 1]) + 1 if after else 0
        return first, int(taken_steps[after]) if after < len(taken_steps) else n, missing

    def is_next_to(self, boxes: Any, part: Part) -> Any:
        """Return which boxes, of some that share no atom with a part, lie next to it."""
        lo, hi = self.lo[boxes], self.hi[boxes]
        has_steps = lo < hi
        if part[0] >= part[1]:
            return has_steps
        return has_steps & ((hi == part[0]) | (lo == part[1])) | self.missing[boxes]

    def joinable_pairs(self, boxes: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield the pairs of boxes whose parts have a union."""
        ordered = sorted((self.part(box), box) for box in boxes)
        with_steps = [(part, box) for part, box in ordered if part[0] < part[1]]
        missing_only = [box for part, box in ordered if part[0] >= part[1]]
        for turn, (part, box) in enumerate(with_steps):
            for other, second in with_steps[turn + 1 :]:
                if other[0] > part[1]:
                    break
                yield box, second
            yield from ((box, second) for second in missing_only)
        yield from combinations(missing_only, 2)

    # ---- cuts

    def best_halves(
        self, samples: Sequence[tuple["OrderedAxis", Any]], part: Part, cost: Cost
    ) -> tuple[float, tuple[Part, Part]] | None:
        """Return the least cost of two halves of a part, cut at a bound of the boxes, and these halves.

        Args:
            samples: pairs of this axis with the boxes of a space, and positions of some of them.
            part: what is cut; the boxes all take some of it.
            cost: the cost of one half, from the number of boxes of each sample in it.
        """
        first, end, missing = part
        bounds = [(axis.lo[boxes], axis.hi[boxes], axis.missing[boxes]) for axis, boxes in samples]
        cuts = np.sort(np.concatenate([bound for lo, hi, _ in bounds for bound in (lo, hi)]))
        cuts = cuts[np.searchsorted(cuts, first, side="right") : np.searchsorted(cuts, end)]
        if not len(cuts):
            return _known_from_missing(samples, part, cost)
        cuts = cuts[:: 1 + len(cuts) // _MOST_CUTS]  # a bound that many boxes share is still among them
        candidates = []
        # missing goes with the values below the cut (0), or with those above (1)
        for side in (0, 1) if missing and any(takes.any() for *_, takes in bounds) else (0,):
            counts = [counts_beside(cuts, bound, end, side if missing else None) for bound in bounds]
            costs = cost([below for below, _ in counts]) + cost([above for _, above in counts])
            cut = int(cuts[at := int(np.argmin(costs))])
            halves = (first, cut, missing and not side), (cut, end, missing and side == 1)
            candidates.append((float(costs[at]), halves))
        return min(candidates)

    def cuts(self, part: Part, taken: Sequence[Part]) -> Iterator[tuple[tuple[int, int], tuple[Part, Part]]]:
        """Yield the ways to cut a part at a bound of parts of it: the number of parts in each half, and the halves."""
        return cuts_of_parts(part, taken)


def axis_steps(domain: ColumnDomain, conditions: Sequence[Condition]) -> tuple[tuple[Any, ...], dict[Any, int]]:
    """Return the last value of each step between the bounds of conditions, and by each bound the step after it."""
    lowest, highest = domain.lowest, domain.highest
    bounds = {bound for condition in conditions for bound in all_bounds(condition)}
    ends = (*sorted(bound for bound in bounds if lowest <= bound < highest), highest)
    steps = {bound: step + 1 for step, bound in enumerate(ends)}
    steps.update((bound, 0) for bound in bounds if bound < lowest)
    steps.update((bound, len(ends)) for bound in bounds if bound > highest)
    steps[None] = 0
    return ends, steps


def _known_from_missing(
    samples: Sequence[tuple[OrderedAxis, Any]], part: Part, cost: Cost
) -> tuple[float, tuple[Part, Part]] | None:
    """Return the cost of the known values of a part and of missing as its halves; None if one of them is empty."""
    first, end, missing = part
    if not missing or first >= end:
        return None
    halves = (first, end, False), (0, 0, True)
    counts = [[np.count_nonzero(axis.intersects(boxes, half)) for axis, boxes in samples] for half in halves]
    return float(sum(map(cost, counts))), halves
