"""What became of each rule: unchanged, moved bounds, another answer, added, removed.

Rules are matched in that order, each at most once: those with the same conditions and answer; those with the same
conditions; those that ask about the same columns and have the same answer, the ones that differ in fewest columns
first. Ties go to the same number, then to the order in which the rules stand.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.rules.rule import Condition, Rule

UNCHANGED, MOVED, ANSWER, ADDED, REMOVED = "unchanged", "moved", "answer", "added", "removed"
#: What can become of a rule, in the order in which it is told.
KINDS = (ANSWER, MOVED, REMOVED, ADDED, UNCHANGED)
#: Of so many pairs that ask about the same columns the most alike are chosen; of more, those at the same place.
_MOST = 250_000

Asked = dict[str, Condition]
#: What rules that are alike have in common, of what they ask and predict.
Key = Callable[[Asked, Any], Hashable]


@frozen
class Edit:
    """What became of a rule: its number in the old rules and in the new (None where it is in one only).

    kind: "unchanged"; "moved" (other bounds or categories in `columns`); "answer" (the same conditions, another
    answer); "added"; "removed".
    """

    kind: str
    old: int | None
    new: int | None
    columns: tuple[str, ...] = field(default=(), converter=as_tuple)


def edit_script(old: Sequence[Rule], new: Sequence[Rule]) -> list[Edit]:
    """Return what became of each rule, given conditions in one spelling: by the old rules' order, the added ones last.

    Rules of which nothing remains alike are removed and added.
    """
    match = _Match((old, new))
    match.take(UNCHANGED, match.by_place(lambda conditions, value: (frozenset(conditions.items()), value)))
    match.take(ANSWER, match.by_place(lambda conditions, value: frozenset(conditions.items())))
    match.take(MOVED, match.by_likeness(lambda conditions, value: (frozenset(conditions), value)))
    told = [match.found.get(place, Edit(REMOVED, rule.number, None)) for place, rule in enumerate(old)]
    return [*told, *(Edit(ADDED, None, new[place].number) for place in match.left[1])]


@frozen(eq=False)
class _Match:
    """Old and new rules that are matched: what each asks, which are left on either side, what became of the others."""

    rules: tuple[Sequence[Rule], Sequence[Rule]]
    found: dict[int, Edit] = field(factory=dict)
    asked: tuple[list[Asked], list[Asked]] = field()
    left: tuple[dict[int, None], dict[int, None]] = field()

    @asked.default
    def _(self) -> Any:
        return tuple([dict(rule.conditions) for rule in side] for side in self.rules)

    @left.default
    def _(self) -> Any:
        return tuple(dict.fromkeys(range(len(side))) for side in self.rules)

    def take(self, kind: str, pairs: Iterator[tuple[int, int]]) -> None:
        """Match pairs, by place, of which both are left."""
        (old, new), (left, others) = self.rules, self.left
        for one, other in pairs:
            if one in left and other in others:
                del left[one], others[other]
                asked, wanted = self.asked[0][one], self.asked[1][other]
                columns = [name for name, condition in asked.items() if wanted[name] != condition]
                self.found[one] = Edit(kind, old[one].number, new[other].number, columns)

    def by_place(self, key: Key) -> Iterator[tuple[int, int]]:
        """Yield pairs with the same key, of each group those of the same number first, then as they stand."""
        for some, others in self._groups(key):
            yield from _by_number(*self.rules, some, others)

    def by_likeness(self, key: Key) -> Iterator[tuple[int, int]]:
        """Yield pairs with the same key, the most alike first."""
        (old, new), (asked, wanted) = self.rules, self.asked
        for some, others in self._groups(key):
            if len(some) * len(others) > _MOST:
                yield from _by_number(old, new, some, others)
                continue
            pairs = [
                (_distance(asked[one], wanted[other]), old[one].number != new[other].number, one, other)
                for one in some
                for other in others
            ]
            yield from ((one, other) for _, _, one, other in sorted(pairs))

    def _groups(self, key: Key) -> list[tuple[list[int], list[int]]]:
        keyed = [
            [(place, key(asked[place], rules[place].value)) for place in left]
            for asked, rules, left in zip(self.asked, self.rules, self.left, strict=True)
        ]
        return list(_alike(keyed))


def _alike(keyed: Sequence[Sequence[tuple[int, Hashable]]]) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the places of old and new rules that have the same key."""
    groups: dict[Hashable, tuple[list[int], list[int]]] = {}
    for side, pairs in enumerate(keyed):
        for place, key in pairs:
            groups.setdefault(key, ([], []))[side].append(place)
    yield from ((some, others) for some, others in groups.values() if some and others)


def _by_number(old: Sequence[Rule], new: Sequence[Rule], some: list[int], others: list[int]) -> list[tuple[int, int]]:
    """Return pairs of the same number first, the others by their places."""
    by_number = {new[place].number: place for place in others}
    same = [(place, by_number[old[place].number]) for place in some if old[place].number in by_number]
    firsts, seconds = {pair[0] for pair in same}, {pair[1] for pair in same}
    rest = zip([p for p in some if p not in firsts], [p for p in others if p not in seconds], strict=False)
    return [*same, *rest]


def _distance(one: Asked, other: Asked) -> int:
    return sum(other.get(name) != condition for name, condition in one.items())
