"""The axis of an ordered feature: the half-open steps between all bounds that rules name, and missing."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from attrs import frozen

from treerules.data.domain import ColumnDomain
from treerules.data.interval import Interval
from treerules.data.sample_values import value_between
from treerules.data.schema import Feature
from treerules.rules.rule import Condition

Part = Any
#: Of the bounds that rules suggest to cut at, about so many are tried.
_MOST_CUTS = 64


def cost_of(n: Any) -> Any:
    """Return about what it costs to compare so many rules with each other, by dividing them on."""
    return n * np.log2(n + 1.0)


@frozen(eq=False)
class OrderedAxis:
    """An ordered feature. A part without steps begins and ends at 0, so that equal parts are equal."""

    feature: Feature
    #: the last value of each step; the last of all is the highest of the domain
    ends: tuple[Any, ...]
    domain: ColumnDomain
    #: the part of all atoms
    whole: Part
    #: the steps of each rule, from lo to before hi, and whether it takes missing
    lo: Any
    hi: Any
    missing: Any

    def size(self, part: Part) -> int:
        """Return the number of atoms of a part."""
        return int(part[1] - part[0] + part[2])

    def sizes(self, rules: Any, part: Part) -> Any:
        """Return how many atoms of the part each rule takes."""
        known = np.minimum(self.hi[rules], part[1]) - np.maximum(self.lo[rules], part[0])
        return np.maximum(known, 0) + (self.missing[rules] & part[2])

    def touched(self, rules: Any, part: Part) -> Any:
        """Return which rules take an atom of the part."""
        known = np.minimum(self.hi[rules], part[1]) > np.maximum(self.lo[rules], part[0])
        return known | self.missing[rules] if part[2] else known

    def meet(self, some: Any, others: Any) -> Any:
        """Return which rules share an atom with which, pair by pair, or as a matrix when `some` is a column."""
        lo, hi = np.maximum(self.lo[some], self.lo[others]), np.minimum(self.hi[some], self.hi[others])
        return (lo < hi) | (self.missing[some] & self.missing[others])

    def takes_corner(self, rules: Any, others: Any, *, last: bool) -> Any:
        """Return, pair by pair, whether other rules take the first step of rules, or the last."""
        lo, hi = self.lo[rules], self.hi[rules]
        corner = hi - 1 if last else lo
        taken = (self.lo[others] <= corner) & (corner < self.hi[others])
        return np.where(lo < hi, taken, self.missing[others])

    @property
    def codes(self) -> Any:
        """A number for each rule, the same where rules take the same."""
        n = len(self.ends) + 1
        return (self.lo.astype(np.int64) * n + self.hi) * 2 + self.missing

    def best(self, rules: Any, part: Part) -> tuple[float, tuple[Part, Part]] | None:
        """Return the two halves of the part, cut at a bound of these rules, that they cost least in, and that cost."""
        first, end, missing = part
        lo, hi = self.lo[rules], self.hi[rules]
        cuts = np.sort(np.concatenate([lo, hi]))
        cuts = cuts[np.searchsorted(cuts, first, side="right") : np.searchsorted(cuts, end)]
        if not len(cuts):
            return self._known_apart(rules, part)
        cuts = cuts[:: 1 + len(cuts) // _MOST_CUTS]  # a bound that many rules share is still among them
        known = lo < hi
        starts, ends = np.where(known, lo, end), np.where(known, hi, 0)
        takes = self.missing[rules]
        found = []
        for side in (0, 1) if missing and takes.any() else (0,):  # missing goes with what is below the cut, or above
            below = np.where(takes, -1, starts) if missing and not side else starts
            above = np.where(takes, end, ends) if side else ends
            costs = cost_of(np.searchsorted(np.sort(below), cuts, side="left"))
            costs += cost_of(len(rules) - np.searchsorted(np.sort(above), cuts, side="right"))
            cut = int(cuts[at := int(np.argmin(costs))])
            found.append((float(costs[at]), ((first, cut, missing and not side), (cut, end, missing and side == 1))))
        return min(found)

    def _known_apart(self, rules: Any, part: Part) -> tuple[float, tuple[Part, Part]] | None:
        first, end, missing = part
        if not missing or first >= end:
            return None
        parts = (first, end, False), (0, 0, True)
        return float(sum(cost_of(np.count_nonzero(self.touched(rules, half))) for half in parts)), parts

    def cuts(self, part: Part, asked: Sequence[Part]) -> Iterator[tuple[tuple[int, int], tuple[Part, Part]]]:
        """Yield the ways to cut the part at a bound of what rules take of it: how many lie in each half, the halves."""
        first, end, missing = part
        for side in (0, 1) if missing else (0,):  # missing goes with what is below the cut, or above
            starts = sorted(-1 if takes and not side else (lo if lo < hi else end) for lo, hi, takes in asked)
            ends = sorted(end if takes and side else (hi if lo < hi else 0) for lo, hi, takes in asked)
            for cut in sorted({*starts, *ends}):
                if first < cut < end:
                    n = bisect_left(starts, cut), len(ends) - bisect_right(ends, cut)
                    yield n, ((first, cut, missing and not side), (cut, end, missing and side == 1))
        if missing and first < end:
            n = sum(1 for lo, hi, _ in asked if lo < hi), sum(1 for *_, takes in asked if takes)
            yield n, ((first, end, False), (0, 0, True))

    def weights(self, rules: Any, weights: Sequence[int], part: Part) -> list[int]:
        """Return, for each atom of the part, the summed weights (exact integers) of the rules that take it."""
        first, end, missing = part
        steps = [0] * (end - first + 1)
        for lo, hi, weight in zip(self.lo[rules].tolist(), self.hi[rules].tolist(), weights, strict=True):
            lo, hi = max(lo, first), min(hi, end)
            if lo < hi:
                steps[lo - first] += weight
                steps[hi - first] -= weight
        sums, total = [], 0
        for change in steps[:-1]:
            total += change
            sums.append(total)
        if missing:
            sums.append(sum(w for w, takes in zip(weights, self.missing[rules].tolist(), strict=True) if takes))
        return sums

    def atom(self, part: Part, place: int) -> Part:
        """Return the part of one atom of a part."""
        step = part[0] + place
        return (step, step + 1, False) if step < part[1] else (0, 0, True)

    def part(self, rule: int) -> Part:
        """Return what a rule takes of this axis."""
        return int(self.lo[rule]), int(self.hi[rule]), bool(self.missing[rule])

    def of_parts(self, parts: Sequence[Part]) -> "OrderedAxis":
        """Return the axis with other rules: one a part."""
        array = np.array(parts, dtype=np.int32).reshape(-1, 3)
        lo, hi, missing = array.T
        return OrderedAxis(self.feature, self.ends, self.domain, self.whole, lo.copy(), hi.copy(), missing.astype(bool))

    def common(self, part: Part, other: Part) -> Part | None:
        """Return what two parts share, None when nothing."""
        lo, hi = max(part[0], other[0]), min(part[1], other[1])
        missing = part[2] and other[2]
        return (lo, hi, missing) if lo < hi else ((0, 0, True) if missing else None)

    def minus(self, part: Part, other: Part) -> list[Part]:
        """Return what a part leaves of another, as parts that do not overlap."""
        lo, hi, missing = part[0], part[1], part[2] and not other[2]
        if other[0] >= other[1] or other[1] <= lo or hi <= other[0]:
            steps = [(lo, hi)] if lo < hi else []
        else:
            steps = [(a, b) for a, b in ((lo, other[0]), (other[1], hi)) if a < b]
        if not steps:
            return [(0, 0, True)] if missing else []
        return [(a, b, missing and not at) for at, (a, b) in enumerate(steps)]

    def union(self, part: Part, other: Part) -> Part | None:
        """Return two parts as one, None when that takes two intervals."""
        missing = part[2] or other[2]
        if part[0] >= part[1] or other[0] >= other[1]:
            lo, hi = (part if part[0] < part[1] else other)[:2]
            return lo, hi, missing
        if max(part[0], other[0]) > min(part[1], other[1]):
            return None
        return min(part[0], other[0]), max(part[1], other[1]), missing

    def busy(self, rules: Any) -> Any:
        """Return for each step, and for missing, whether one of these rules takes it."""
        lo, hi = self.lo[rules], self.hi[rules]
        known = lo < hi
        changes = np.bincount(lo[known], minlength=len(self.ends) + 1)
        changes -= np.bincount(hi[known], minlength=len(self.ends) + 1)
        found = np.cumsum(changes) > 0
        found[-1] = self.missing[rules].any()
        return found

    def widest(self, part: Part, busy: Any) -> Part:
        """Return the part made as large as can be with what is not busy."""
        n = len(self.ends)
        missing = part[2] or (self.whole[2] and not bool(busy[-1]))
        taken = np.flatnonzero(busy[:-1])
        at = part[0] if part[0] < part[1] else int(np.argmin(busy[:-1]))
        if part[0] >= part[1] and busy[at]:
            return 0, 0, missing
        after = int(np.searchsorted(taken, at))
        first = int(taken[after - 1]) + 1 if after else 0
        return first, int(taken[after]) if after < len(taken) else n, missing

    def beside(self, rules: Any, part: Part) -> Any:
        """Return which rules, of some that share no atom with a part, lie next to it."""
        lo, hi = self.lo[rules], self.hi[rules]
        known = lo < hi
        if part[0] >= part[1]:
            return known
        next_to = known & ((hi == part[0]) | (lo == part[1]))
        return next_to | self.missing[rules]

    def value(self, part: Part) -> Any:
        """Return a value in a part that holds an atom."""
        step = part[0]
        if step >= part[1]:
            return None
        above = self.ends[step - 1] if step else None
        upto = self.ends[step] if step < len(self.ends) - 1 else None
        return value_between(self.feature, self.domain, above, upto)

    def condition(self, part: Part) -> Condition:
        """Return the condition that takes a part. Steps that reach an end of the domain are not bounded there."""
        lo, hi, missing = part
        if lo >= hi:
            return Condition(None, missing)
        above = self.ends[lo - 1] if lo else None
        return Condition(Interval(above, self.ends[hi - 1] if hi < len(self.ends) else None), missing)
