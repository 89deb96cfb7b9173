"""The axes of a rule set's space: one a feature, its values reduced to the atoms that no rule tells apart.

    OrderedAxis     the half-open steps between all bounds that rules name, and missing
    CategoryAxis    categories, unseen and missing, those grouped together that every rule takes or leaves together

Both answer the same questions about rules (rows of an axis) and a region (a part of its atoms), so that the search in
`regions.py` knows only axes.
"""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from math import nextafter
from typing import Any

import numpy as np
from attrs import frozen

from treerules.domains import unseen_value
from treerules.rules import Condition, Interval, Members, RuleSet
from treerules.schema import Feature

Part = tuple[Any, Any]
#: Of the divisions that rules suggest, about so many are tried.
_MOST_SIDES = 32


@frozen(eq=False)
class OrderedAxis:
    """An ordered feature. A region is (first step, end of steps, whether missing belongs to it)."""

    feature: Feature
    bounds: tuple[Any, ...]
    #: the steps of each rule, from lo to before hi, and whether it takes missing
    lo: Any
    hi: Any
    missing: Any

    @property
    def whole(self) -> Any:
        """The region of all steps; above the last bound none is left where that is the highest value."""
        closed = bool(self.bounds) and self.bounds[-1] == self.feature.highest
        return 0, len(self.bounds) + (not closed), True

    def size(self, region: Any) -> int:
        """Return the number of atoms of a region."""
        return int(region[1] - region[0] + region[2])

    def sizes(self, rules: Any, region: Any) -> Any:
        """Return how many atoms of the region each rule takes."""
        lo, hi = np.maximum(self.lo[rules], region[0]), np.minimum(self.hi[rules], region[1])
        return np.maximum(hi - lo, 0) + (self.missing[rules] & region[2])

    def meet(self, some: Any, others: Any, region: Any) -> Any:
        """Return the matrix of which rules share an atom of the region with which."""
        lo = np.maximum(np.maximum(self.lo[some][:, None], self.lo[others]), region[0])
        hi = np.minimum(np.minimum(self.hi[some][:, None], self.hi[others]), region[1])
        return (lo < hi) | (self.missing[some][:, None] & self.missing[others] & region[2])

    def parts(self, rules: Any, region: Any) -> list[Part]:
        """Return the ways to divide the region in two at a bound of these rules, or missing from the rest."""
        first, end, missing = region
        ends = np.unique(np.concatenate([self.lo[rules], self.hi[rules]]))
        cuts = [((first, int(cut), missing), (int(cut), end, False)) for cut in ends if first < cut < end]
        return [*cuts, ((first, end, False), (first, first, True))] if missing and first < end else cuts

    def weights(self, rules: Any, weights: Any, region: Any) -> list[Any]:
        """Return, for each atom of the region, the summed weights (exact integers) of the rules that take it."""
        steps = [0] * (region[1] - region[0] + 1)
        for lo, hi, weight in zip(self.lo[rules].tolist(), self.hi[rules].tolist(), weights, strict=True):
            lo, hi = max(lo, region[0]), min(hi, region[1])
            if lo < hi:
                steps[lo - region[0]] += weight
                steps[hi - region[0]] -= weight
        sums = np.cumsum(np.array(steps, dtype=object)).tolist()[:-1]
        missing = sum(w for w, takes in zip(weights, self.missing[rules].tolist(), strict=True) if takes)
        return [*sums, missing] if region[2] else sums

    def atom(self, region: Any, place: int) -> Any:
        """Return the region of one atom of a region."""
        step = region[0] + place
        return (step, step + 1, False) if step < region[1] else (step, step, True)

    def part(self, rule: int) -> Any:
        """Return the region that a rule takes of this axis."""
        return int(self.lo[rule]), min(int(self.hi[rule]), self.whole[1]), bool(self.missing[rule])

    def of_parts(self, parts: Sequence[Any]) -> "OrderedAxis":
        """Return the axis with other rules: one a region."""
        lo, hi, missing = (np.array(field) for field in zip(*parts, strict=True)) if parts else np.zeros((3, 0), int)
        return OrderedAxis(self.feature, self.bounds, lo, hi, missing.astype(bool))

    def common(self, region: Any, other: Any) -> Any:
        """Return what two regions share."""
        lo = max(region[0], other[0])
        return lo, max(lo, min(region[1], other[1])), region[2] and other[2]

    def minus(self, region: Any, other: Any) -> list[Any]:
        """Return what a region leaves of another, as regions that do not overlap."""
        lo, hi, missing = region[0], region[1], region[2] and not other[2]
        below, above = (lo, min(hi, other[0]), missing), (max(lo, other[1]), hi, missing)
        if other[0] >= other[1]:
            below, above = (lo, hi, missing), (hi, hi, missing)
        steps = [part for part in (below, above) if part[0] < part[1]]
        return [(a, b, missing and not at) for at, (a, b, _) in enumerate(steps)] or (
            [(lo, lo, True)] if missing else []
        )

    def value(self, region: Any) -> Any:
        """Return a value in a region that holds an atom."""
        if region[0] >= region[1]:
            return None
        if region[0] < len(self.bounds):
            return self.bounds[region[0]]
        return _beyond(self.bounds[-1]) if self.bounds else self.feature.lowest


def _beyond(bound: Any) -> Any:
    """Return a value above a bound that is not the highest of its kind."""
    if isinstance(bound, float):
        return bound + 1.0 if bound + 1.0 > bound else nextafter(bound, float("inf"))
    if isinstance(bound, datetime):
        return bound + timedelta(microseconds=1)
    return bound + timedelta(days=1) if isinstance(bound, date) else bound + 1


@frozen(eq=False)
class CategoryAxis:
    """A feature with categories. A region is an array of atoms."""

    feature: Feature
    #: which rule takes which atom
    takes: Any
    #: a value of each atom; None is missing
    values: tuple[Any, ...]

    @property
    def whole(self) -> Any:
        """The region of all atoms."""
        return np.arange(len(self.values))

    def size(self, region: Any) -> int:
        """Return the number of atoms of a region."""
        return len(region)

    def sizes(self, rules: Any, region: Any) -> Any:
        """Return how many atoms of the region each rule takes."""
        return np.count_nonzero(self.takes[np.ix_(rules, region)], axis=1)

    def meet(self, some: Any, others: Any, region: Any) -> Any:
        """Return the matrix of which rules share an atom of the region with which."""
        left, right = (self.takes[np.ix_(rules, region)].astype(np.float32) for rules in (some, others))
        return left @ right.T > 0

    def parts(self, rules: Any, region: Any) -> list[Part]:
        """Return ways to divide the region in two: what one of these rules takes, from the rest; and in halves."""
        sides = np.unique(self.takes[np.ix_(rules, region)], axis=0)
        sides = sides[:: max(1, len(sides) // _MOST_SIDES)]
        own = [(region[side], region[~side]) for side in sides if 0 < np.count_nonzero(side) < len(region)]
        half = len(region) // 2
        return [*own, (region[:half], region[half:])] if own else []

    def weights(self, rules: Any, weights: Any, region: Any) -> list[Any]:
        """Return, for each atom of the region, the summed weights (exact integers) of the rules that take it."""
        sums = [0] * len(region)
        for takes, weight in zip(self.takes[np.ix_(rules, region)], weights, strict=True):
            for place in np.flatnonzero(takes).tolist():
                sums[place] += weight
        return sums

    def atom(self, region: Any, place: int) -> Any:
        """Return the region of one atom of a region."""
        return region[place : place + 1]

    def part(self, rule: int) -> Any:
        """Return the region that a rule takes of this axis."""
        return np.flatnonzero(self.takes[rule])

    def of_parts(self, parts: Sequence[Any]) -> "CategoryAxis":
        """Return the axis with other rules: one a region."""
        takes = np.zeros((len(parts), len(self.values)), dtype=bool)
        for rule, part in enumerate(parts):
            takes[rule, part] = True
        return CategoryAxis(self.feature, takes, self.values)

    def common(self, region: Any, other: Any) -> Any:
        """Return what two regions share."""
        return np.intersect1d(region, other, assume_unique=True)

    def minus(self, region: Any, other: Any) -> list[Any]:
        """Return what a region leaves of another, as regions that do not overlap."""
        left = np.setdiff1d(region, other, assume_unique=True)
        return [left] if len(left) else []

    def value(self, region: Any) -> Any:
        """Return a value in a region that holds an atom."""
        return self.values[int(region[0])]


Axis = OrderedAxis | CategoryAxis


def axes_of(rules: RuleSet) -> tuple[Axis, ...]:
    """Return an axis for every feature that some rule asks about."""
    everything = Condition(None, True, True)
    found: list[Axis] = []
    for feature in rules.schema.features:
        asked = [dict(rule.conditions).get(feature.name, everything) for rule in rules.rules]
        if all(condition is everything for condition in asked):
            continue
        found.append(
            _ordered_axis(feature, asked, everything)
            if feature.is_ordered
            else _category_axis(feature, asked, everything)
        )
    return tuple(found)


def _ordered_axis(feature: Feature, asked: Sequence[Condition], everything: Condition) -> OrderedAxis:
    intervals = [Interval() if condition is everything else condition.values for condition in asked]
    named = {b for i in intervals if isinstance(i, Interval) for b in (i.above, i.upto) if b is not None}
    bounds = tuple(sorted(named))
    place = {bound: step + 1 for step, bound in enumerate(bounds)}
    lo, hi = np.zeros(len(asked), dtype=np.int64), np.zeros(len(asked), dtype=np.int64)
    for rule, interval in enumerate(intervals):
        if isinstance(interval, Interval):
            lo[rule] = 0 if interval.above is None else place[interval.above]
            hi[rule] = len(bounds) + 1 if interval.upto is None else place[interval.upto]
    return OrderedAxis(feature, bounds, lo, hi, np.array([condition.missing for condition in asked]))


def _category_axis(feature: Feature, asked: Sequence[Condition], everything: Condition) -> CategoryAxis:
    n = len(feature.categories)
    takes = np.zeros((len(asked), n + 2), dtype=bool)
    for rule, condition in enumerate(asked):
        values = condition.values
        if condition is everything or (isinstance(values, Members) and values.complement):
            takes[rule, :n] = True
        if isinstance(values, Members):
            takes[rule, [feature.positions[value] for value in values.values]] = not values.complement
        takes[rule, n:] = condition.unseen, condition.missing
    other = unseen_value(feature) if feature.is_open else None
    samples = (*feature.categories, other, None)
    if other is None:  # a closed feature, or every value of its type is a category
        takes, samples = np.delete(takes, n, axis=1), (*feature.categories, None)
    _, first = np.unique(np.packbits(takes, axis=0), axis=1, return_index=True)
    first = np.sort(first)
    return CategoryAxis(feature, takes[:, first], tuple(samples[place] for place in first.tolist()))
