"""The axis of categories, unseen and missing ones too: those are one atom that every rule takes or leaves together."""

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from typing import Any

import numpy as np
from attrs import field, frozen

from treerules.data.schema import Feature
from treerules.regions.ordered_axis import Part, cost_of
from treerules.rules.rule import Condition, Members

#: Of the ways to divide categories in two that rules suggest, about so many are tried.
_MOST_SIDES = 32


def _words(takes: Any) -> tuple[Any, ...]:
    """Return rows of booleans as integers: an array for each 64 columns."""
    n_rows, n = takes.shape
    padded = np.zeros((n_rows, 64 * (n // 64 + 1)), dtype=bool)
    padded[:, :n] = takes
    return tuple(np.packbits(padded, axis=1).view(np.uint64).T.copy())


def _any(words: Iterable[Any]) -> Any:
    return reduce(np.bitwise_or, words) != 0


@frozen(eq=False)
class CategoryAxis:
    """A feature with categories. A part's bit n says that it holds atom n."""

    feature: Feature
    #: the categories of each atom by position, whether it holds unseen values, whether missing
    atoms: tuple[tuple[tuple[int, ...], bool, bool], ...]
    #: a value of each atom; None is missing
    values: tuple[Any, ...]
    #: which atoms each kind of rule takes, and the kind of each rule
    takes: Any
    kinds: Any
    #: `takes` as arrays of 64 bits
    words: tuple[Any, ...] = field(init=False)

    @words.default
    def _(self) -> tuple[Any, ...]:
        return _words(self.takes)

    @property
    def whole(self) -> Part:
        """The part of all atoms."""
        return (1 << len(self.values)) - 1

    def size(self, part: Part) -> int:
        """Return the number of atoms of a part."""
        return int(part).bit_count()

    def _places(self, part: Part) -> Any:
        n = len(self.values)
        bits = np.frombuffer(part.to_bytes(n // 8 + 1, "little"), dtype=np.uint8)
        return np.flatnonzero(np.unpackbits(bits, bitorder="little")[:n])

    def sizes(self, rules: Any, part: Part) -> Any:
        """Return how many atoms of the part each rule takes."""
        return np.count_nonzero(self.takes[:, self._places(part)], axis=1)[self.kinds[rules]]

    def touched(self, rules: Any, part: Part) -> Any:
        """Return which rules take an atom of the part."""
        return self.takes[:, self._places(part)].any(axis=1)[self.kinds[rules]]

    def meet(self, some: Any, others: Any) -> Any:
        """Return which rules share an atom with which, pair by pair, or as a matrix when `some` is a column."""
        left, right = self.kinds[some], self.kinds[others]
        return _any(word[left] & word[right] for word in self.words)

    def takes_corner(self, rules: Any, others: Any, *, last: bool) -> Any:
        """Return, pair by pair, whether other rules take the first atom of rules, or the last."""
        n = len(self.values)
        corner = n - 1 - np.argmax(self.takes[:, ::-1], axis=1) if last else np.argmax(self.takes, axis=1)
        return self.takes[self.kinds[others], corner[self.kinds[rules]]]

    @property
    def codes(self) -> Any:
        """A number for each rule, the same where rules take the same."""
        return self.kinds

    def best(self, rules: Any, part: Part) -> tuple[float, tuple[Part, Part]] | None:
        """Return the two halves of the part, what some rule takes and the rest, that these cost least in; and that."""
        places = self._places(part)
        kinds, counts = np.unique(self.kinds[rules], return_counts=True)
        takes = self.takes[np.ix_(kinds, places)]
        sides = takes[:: max(1, len(takes) // _MOST_SIDES)]
        sides = sides[sides.any(axis=1) & ~sides.all(axis=1)]
        if not len(sides):
            return None
        sides = np.concatenate([sides, (np.arange(len(places)) < len(places) // 2)[None]])
        held = _words(takes)
        meets = (_any(a[:, None] & b for a, b in zip(held, _words(side), strict=True)) for side in (sides, ~sides))
        costs = sum(cost_of(counts @ meet) for meet in meets)
        at = int(np.argmin(costs))
        chosen = sum(1 << place for place in places[sides[at]].tolist())
        return float(costs[at]), (chosen, part & ~chosen)

    def cuts(self, part: Part, asked: Sequence[Part]) -> Iterator[tuple[tuple[int, int], tuple[Part, Part]]]:
        """Yield ways to cut the part, what a rule takes of it from the rest: how many rules lie in each, the halves."""
        sides = list(dict.fromkeys(asked))
        for side in sides[:: max(1, len(sides) // _MOST_SIDES)]:
            rest = part & ~side
            n = sum(1 for taken in asked if taken & side), sum(1 for taken in asked if taken & rest)
            yield n, (side, rest)

    def weights(self, rules: Any, weights: Sequence[int], part: Part) -> list[int]:
        """Return, for each atom of the part, the summed weights (exact integers) of the rules that take it."""
        places = self._places(part)
        of_kinds: dict[int, int] = {}
        for kind, weight in zip(self.kinds[rules].tolist(), weights, strict=True):
            of_kinds[kind] = of_kinds.get(kind, 0) + weight
        sums = [0] * len(places)
        for kind, weight in of_kinds.items():
            for place in np.flatnonzero(self.takes[kind, places]).tolist():
                sums[place] += weight
        return sums

    def atom(self, part: Part, place: int) -> Part:
        """Return the part of one atom of a part."""
        return 1 << int(self._places(part)[place])

    def part(self, rule: int) -> Part:
        """Return what a rule takes of this axis."""
        packed = np.packbits(self.takes[self.kinds[rule]], bitorder="little")
        return int.from_bytes(packed.tobytes(), "little")

    def of_parts(self, parts: Sequence[Part]) -> "CategoryAxis":
        """Return the axis with other rules: one a part."""
        kinds = {part: kind for kind, part in enumerate(dict.fromkeys(parts))}
        takes = np.zeros((len(kinds), len(self.values)), dtype=bool)
        for part, kind in kinds.items():
            takes[kind, self._places(part)] = True
        of_rules = np.array([kinds[part] for part in parts], dtype=np.int64)
        return CategoryAxis(self.feature, self.atoms, self.values, takes, of_rules)

    def common(self, part: Part, other: Part) -> Part | None:
        """Return what two parts share, None when nothing."""
        return part & other or None

    def minus(self, part: Part, other: Part) -> list[Part]:
        """Return what a part leaves of another, as parts that do not overlap."""
        return [part & ~other] if part & ~other else []

    def union(self, part: Part, other: Part) -> Part | None:
        """Return two parts as one."""
        return part | other

    def busy(self, rules: Any) -> Any:
        """Return for each atom whether one of these rules takes it."""
        found: Any = self.takes[np.unique(self.kinds[rules])].any(axis=0)
        return found

    def widest(self, part: Part, busy: Any) -> Part:
        """Return the part made as large as can be with what is not busy."""
        return part | sum(1 << place for place in np.flatnonzero(~busy).tolist())

    def beside(self, rules: Any, part: Part) -> Any:
        """Return which rules, of some that share no atom with a part, lie next to it: all, without an order."""
        return np.ones(len(rules), dtype=bool)

    def value(self, part: Part) -> Any:
        """Return a value in a part that holds an atom."""
        return self.values[(part & -part).bit_length() - 1]

    def condition(self, part: Part) -> Condition:
        """Return the condition that takes a part; unseen values have no names, so with them the others are named."""
        held = [self.atoms[place] for place in self._places(part).tolist()]
        unseen, missing = any(atom[1] for atom in held), any(atom[2] for atom in held)
        categories, positions = self.feature.categories, {position for atom in held for position in atom[0]}
        if not positions:
            return Condition(None, missing, unseen)
        named = [value for at, value in enumerate(categories) if (at in positions) is not unseen]
        return Condition(Members(named, unseen), missing, unseen)
