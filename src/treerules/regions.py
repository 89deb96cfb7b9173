"""The search behind `check`: regions of the space of rows, exact, by dividing and counting.

Overlaps: divide the space where few rules lie on both sides, until the rules left in a region are few enough to
compare each with each. Gaps: where no two rules overlap, the space is filled when the rules' sizes, counted in atoms,
add up to the space's; where some do, they are first cut into boxes that do not.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
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

    def box(self, rule: int) -> Region:
        """Return the region that a rule takes."""
        return tuple(axis.part(rule) for axis in self.axes)

    def of_boxes(self, boxes: Sequence[Region]) -> "Space":
        """Return the space with other rules: one a box."""
        axes = [axis.of_parts([box[place] for box in boxes]) for place, axis in enumerate(self.axes)]
        return Space(self.features, tuple(axes), len(boxes))

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
    found = next(_overlaps(space), None)
    return None if found is None else space.row(found[2])


def find_gap(rules: RuleSet, *, exclusive: bool, budget: int) -> tuple[Row | None, bool]:
    """Return a row that fires no rule, or None, and whether that is decided.

    Rules that overlap are cut into boxes that do not, in at most `budget` steps; then sizes add up, or a gap is left.
    """
    space = _space(rules)
    if not exclusive:
        gap = _counted_gap(space)  # even counted twice they may be too few
        boxes = None if gap is not None else _disjoint(space, budget)
        if gap is None and boxes is None:
            return None, False
        space = space if boxes is None else space.of_boxes(boxes)
    gap = _counted_gap(space)
    return (None if gap is None else space.row(gap)), True


def _overlaps(space: Space) -> Iterator[tuple[int, int, Region]]:
    """Yield pairs of rules that share an atom, by position, and the atom; a pair may come more than once."""
    waiting = [(space.inside(np.arange(space.n_rules), space.whole), space.whole)]
    while waiting:
        held, region = waiting.pop()
        parts = _best_parts(space, held, region) if len(held) > _FEW else None
        if parts is None:
            yield from _shared(space, held, region)
        else:
            waiting.extend((space.inside(held, part), part) for part in parts)


def _disjoint(space: Space, budget: int) -> list[Region] | None:
    """Return boxes that hold what the rules hold and do not overlap, None when that takes more steps than the budget.

    A step is a pair of rules that overlap, or a box that is taken out of another.

    Rules that overlap most stay whole and are taken out of the others: few widened rules cut each neighbour a little,
    where many neighbours would cut a widened rule to pieces.
    """
    pairs = set()
    for steps, (first, second, _) in enumerate(_overlaps(space)):
        if steps >= budget:
            return None
        pairs.add((first, second))
    degree = Counter(rule for pair in pairs for rule in pair)
    before: dict[int, list[int]] = {}
    for pair in sorted(pairs):
        whole, cut = sorted(pair, key=lambda rule: (-degree[rule], rule))
        before.setdefault(cut, []).append(whole)
    boxes: list[Region] = []
    for rule in space.inside(np.arange(space.n_rules), space.whole).tolist():
        pieces = [space.box(rule)]
        for other in before.get(rule, ()):
            budget -= len(pieces)
            if budget < 0:
                return None
            taken = space.box(other)
            pieces = [left for piece in pieces for left in _minus(space, piece, taken)]
        boxes.extend(pieces)
    return boxes


def _minus(space: Space, box: Region, taken: Region) -> list[Region]:
    """Return what a box leaves of another, as boxes that do not overlap."""
    common = [axis.common(a, b) for axis, a, b in zip(space.axes, box, taken, strict=True)]
    if not all(axis.size(part) for axis, part in zip(space.axes, common, strict=True)):
        return [box]
    left = []
    for place, axis in enumerate(space.axes):
        for part in axis.minus(box[place], taken[place]):
            left.append((*common[:place], part, *box[place + 1 :]))
    return left


# ---- counting


def _counted_gap(space: Space) -> Region | None:
    """Return an atom that no rule takes, if the rules' sizes add up to less than the space's: exact integers.

    Axis by axis an atom is fixed over which the rules still add up to too little; there always is one.
    """
    region = space.whole
    held = space.inside(np.arange(space.n_rules), region)
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


def _shared(space: Space, held: Any, region: Region) -> Iterator[tuple[int, int, Region]]:
    """Yield the pairs of these rules that share an atom of the region, and the atom."""
    for start in range(0, len(held), _FEW):
        some, others = held[start : start + _FEW], held[start:]
        meet = np.triu(np.ones((len(some), len(others)), dtype=bool), k=1)
        for axis, part in zip(space.axes, region, strict=True):
            meet &= axis.meet(some, others, part)
        for first, second in np.argwhere(meet).tolist():
            pair = np.array([some[first], others[second]])
            atom = tuple(_shared_atom(axis, pair, part) for axis, part in zip(space.axes, region, strict=True))
            yield int(pair[0]), int(pair[1]), atom


def _shared_atom(axis: Axis, pair: Any, part: Any) -> Any:
    common = axis.common(axis.common(axis.part(int(pair[0])), axis.part(int(pair[1]))), part)
    return axis.atom(common, 0)


# ---- dividing


def _best_parts(space: Space, held: Any, region: Region) -> list[Region] | None:
    """Return the two parts of the region that share the fewest rules, judged on some; None if all share most."""
    some = held[:: max(1, len(held) // _FEW)]
    best, found = 0.95 * _cost(len(some)), None
    for place, axis in enumerate(space.axes):
        for parts in axis.parts(some, region[place]):
            cost: float = sum(_cost(int(np.count_nonzero(axis.sizes(some, part)))) for part in parts)
            if cost < best:
                best, found = cost, _replaced(region, place, parts)
    return found


def _cost(n: int) -> float:
    return float(n * log2(n + 1))


def _replaced(region: Region, place: int, parts: Sequence[Any]) -> list[Region]:
    return [(*region[:place], part, *region[place + 1 :]) for part in parts]
