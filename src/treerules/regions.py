"""The search behind `check`: regions of the space of rows, exact, by dividing and counting.

Overlaps: divide the space where few rules lie on both sides, until the rules left in a region are few enough to
compare each with each. Gaps: where no two rules overlap, the space is filled when the rules' sizes, counted in atoms,
add up to the space's; where some do, regions are divided until one rule fills them, or no rules overlap in them.
"""

from collections.abc import Sequence
from math import log2, prod
from typing import Any

import numpy as np
from attrs import frozen

from treerules.axes import Axis, axes_of
from treerules.rules import RuleSet
from treerules.schema import Feature

#: So few rules are compared each with each.
_FEW = 256

Region = tuple[Any, ...]
Row = dict[str, Any]


@frozen(eq=False)
class Space:
    """The axes of a rule set, and its rules by position."""

    features: tuple[Feature, ...]
    axes: tuple[Axis, ...]
    n_rules: int

    @property
    def whole(self) -> Region:
        """The region of every row."""
        return tuple(axis.whole for axis in self.axes)

    def row(self, region: Region) -> Row:
        """Return a row of the region; a column that no rule asks about is missing."""
        values = {axis.feature.name: axis.value(part) for axis, part in zip(self.axes, region, strict=True)}
        return {feature.name: values.get(feature.name) for feature in self.features}

    def sizes(self, rules: Any, region: Region) -> list[Any]:
        """Return, for each axis, how many atoms of the region each rule takes."""
        return [axis.sizes(rules, part) for axis, part in zip(self.axes, region, strict=True)]

    def inside(self, rules: Any, region: Region) -> Any:
        """Return the rules that take some of the region."""
        taken = np.ones(len(rules), dtype=bool)
        for sizes in self.sizes(rules, region):
            taken &= sizes > 0
        return rules[taken]


def _space(rules: RuleSet) -> Space:
    return Space(rules.schema.features, axes_of(rules), len(rules.rules))


def find_overlap(rules: RuleSet) -> Row | None:
    """Return a row that fires two rules, None when there is none."""
    space = _space(rules)
    waiting = [(space.inside(np.arange(space.n_rules), space.whole), space.whole)]
    while waiting:
        held, region = waiting.pop()
        parts = _best_parts(space, held, region) if len(held) > _FEW else None
        if parts is None:
            found = _shared(space, held, region)
            if found is not None:
                return space.row(found)
        else:
            waiting.extend((space.inside(held, part), part) for part in parts)
    return None


def find_gap(rules: RuleSet, *, exclusive: bool, budget: int) -> tuple[Row | None, bool]:
    """Return a row that fires no rule, or None, and whether that is decided."""
    space = _space(rules)
    waiting = [(space.inside(np.arange(space.n_rules), space.whole), space.whole)]
    while waiting:
        if budget < 0:
            return None, False
        budget -= 1
        held, region = waiting.pop()
        gap = _counted_gap(space, held, region)
        if gap is not None:
            return space.row(gap), True
        if exclusive or _is_settled(space, held, region):
            continue
        parts = _best_parts(space, held, region) or _any_parts(space, held, region)
        waiting.extend((space.inside(held, part), part) for part in parts)
    return None, True


def _is_settled(space: Space, held: Any, region: Region) -> bool:
    """Whether one rule fills the region, or none overlap in it; then it has no gap, since the sizes add up."""
    filled = np.ones(len(held), dtype=bool)
    for axis, part, sizes in zip(space.axes, region, space.sizes(held, region), strict=True):
        filled &= sizes == axis.size(part)
    return bool(filled.any()) or (len(held) <= _FEW and _shared(space, held, region) is None)


# ---- counting


def _counted_gap(space: Space, held: Any, region: Region) -> Region | None:
    """Return an atom that no rule takes, if the rules' sizes add up to less than the region's: exact integers.

    Axis by axis an atom is fixed over which the rules still add up to too little; there always is one.
    """
    wanted = [axis.size(part) for axis, part in zip(space.axes, region, strict=True)]
    taken = [sizes.tolist() for sizes in space.sizes(held, region)]
    rest = _products_from(taken, len(held))
    if sum(rest[0]) >= prod(wanted):
        return None
    chosen = list(region)
    for place, axis in enumerate(space.axes):
        sums = axis.weights(held, rest[place + 1], region[place])
        atom = next(at for at, total in enumerate(sums) if total < prod(wanted[place + 1 :]))
        chosen[place] = axis.atom(region[place], atom)
        stay = axis.sizes(held, chosen[place]) > 0
        held = held[stay]
        rest = [[value for value, stays in zip(values, stay.tolist(), strict=True) if stays] for values in rest]
    return tuple(chosen)


def _products_from(taken: Sequence[Sequence[int]], n_rules: int) -> list[list[int]]:
    """Return, for each axis and the end, the product of every rule's sizes from that axis on."""
    products = [[1] * n_rules]
    for sizes in reversed(taken):
        products.append([size * rest for size, rest in zip(sizes, products[-1], strict=True)])
    return products[::-1]


# ---- comparing


def _shared(space: Space, held: Any, region: Region) -> Region | None:
    """Return an atom that two of the rules share, None when there is none."""
    for start in range(0, len(held), _FEW):
        some, others = held[start : start + _FEW], held[start:]
        meet = np.triu(np.ones((len(some), len(others)), dtype=bool), k=1)
        for axis, part in zip(space.axes, region, strict=True):
            meet &= axis.meet(some, others, part)
        pairs = np.argwhere(meet)
        if len(pairs):
            pair = np.array([some[pairs[0][0]], others[pairs[0][1]]])
            return tuple(_shared_atom(axis, pair, part) for axis, part in zip(space.axes, region, strict=True))
    return None


def _shared_atom(axis: Axis, pair: Any, part: Any) -> Any:
    sums = axis.weights(pair, [1, 1], part)
    return axis.atom(part, sums.index(2))


# ---- dividing


def _best_parts(space: Space, held: Any, region: Region) -> list[Region] | None:
    """Return the two parts of the region that share the fewest rules, judged on a sample; None if all share most."""
    sample = held[:: max(1, len(held) // _FEW)]
    best, found = 0.95 * _cost(len(sample)), None
    for place, axis in enumerate(space.axes):
        for parts in axis.parts(sample, region[place]):
            cost: float = sum(_cost(int(np.count_nonzero(axis.sizes(sample, part)))) for part in parts)
            if cost < best:
                best, found = cost, _replaced(region, place, parts)
    return found


def _cost(n: int) -> float:
    return float(n * log2(n + 1))


def _any_parts(space: Space, held: Any, region: Region) -> list[Region]:
    """Return the region divided where some rule ends; there is one, since no rule fills it."""
    for place, axis in enumerate(space.axes):
        for parts in axis.parts(held, region[place]):
            return _replaced(region, place, parts)
    raise AssertionError("a region that no rule fills has no bound in it")


def _replaced(region: Region, place: int, parts: Sequence[Any]) -> list[Region]:
    return [(*region[:place], part, *region[place + 1 :]) for part in parts]
