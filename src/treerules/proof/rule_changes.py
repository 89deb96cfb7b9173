"""Changes of rules between two rule sets: unchanged, other bounds, another answer, added, removed.

Old and new rules are matched in three rounds, each rule at most once: those with the same conditions and answer; those
with the same conditions; those with conditions on the same columns and the same answer, where fewest columns differ
first. Ties go to the same number, then to the order of the rules.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

from attrs import field, frozen
from toolz import groupby

from treerules._internal.field_converters import as_tuple
from treerules._internal.short_repr import short_repr
from treerules.rules.rule import Condition, Rule

UNCHANGED, MOVED, ANSWER, ADDED, REMOVED = "unchanged", "moved", "answer", "added", "removed"
#: The kinds of changes, in the order of reports.
KINDS = (ANSWER, MOVED, REMOVED, ADDED, UNCHANGED)
#: Up to this number of pairs on the same columns, the most similar rules are matched; beyond it, rules in the same
#: order.
_MOST_PAIRS = 250_000

Conditions = dict[str, Condition]
#: Returns the part of a rule's conditions and value in which matched rules agree.
Key = Callable[[Conditions, Any], Hashable]
#: A position among the old rules, and one among the new.
Pair = tuple[int, int]


@short_repr
@frozen
class Edit:
    """The change of one rule.

    Attributes:
        kind: "unchanged"; "moved": other bounds or categories in `columns`; "answer": the same conditions, another
            answer; "added"; or "removed".
        old: its number among the old rules; None if it was added.
        new: its number among the new rules; None if it was removed.
        columns: the columns whose conditions differ.
    """

    kind: str
    old: int | None
    new: int | None
    columns: tuple[str, ...] = field(default=(), converter=as_tuple)


def edit_script(old: Sequence[Rule], new: Sequence[Rule]) -> list[Edit]:
    """Return the change of each rule: in the order of the old rules, added ones last.

    Equal conditions must have the same form. Rules without a match count as removed or added.
    """
    match = _Match((old, new))
    match.take(UNCHANGED, match.by_order(lambda conditions, value: (frozenset(conditions.items()), value)))
    match.take(ANSWER, match.by_order(lambda conditions, value: frozenset(conditions.items())))
    match.take(MOVED, match.by_likeness(lambda conditions, value: (frozenset(conditions), value)))
    edits = [match.edits.get(position, Edit(REMOVED, rule.number, None)) for position, rule in enumerate(old)]
    return [*edits, *(Edit(ADDED, None, new[position].number) for position in match.unmatched[1])]


@frozen(eq=False)
class _Match:
    """A matching of old and new rules: the edits of those that are matched, and the positions of the others."""

    rules: tuple[Sequence[Rule], Sequence[Rule]]
    #: by the position of the old rule
    edits: dict[int, Edit] = field(factory=dict)
    conditions: tuple[list[Conditions], list[Conditions]] = field()
    #: positions in order, as keys, so that each can be removed fast
    unmatched: tuple[dict[int, None], dict[int, None]] = field()

    @conditions.default
    def _(self) -> Any:
        return tuple([dict(rule.conditions) for rule in side] for side in self.rules)

    @unmatched.default
    def _(self) -> Any:
        return tuple(dict.fromkeys(range(len(side))) for side in self.rules)

    def take(self, kind: str, pairs: Iterator[Pair]) -> None:
        """Match the pairs whose rules are both unmatched."""
        (old, new), (old_left, new_left) = self.rules, self.unmatched
        for old_position, new_position in pairs:
            if old_position in old_left and new_position in new_left:
                del old_left[old_position], new_left[new_position]
                before, after = self.conditions[0][old_position], self.conditions[1][new_position]
                columns = [name for name, condition in before.items() if after[name] != condition]
                self.edits[old_position] = Edit(kind, old[old_position].number, new[new_position].number, columns)

    def by_order(self, key: Key) -> Iterator[Pair]:
        """Yield pairs with equal keys: in each group those of the same number first, the others in order."""
        for old_positions, new_positions in self._groups(key):
            yield from _by_number(*self.rules, old_positions, new_positions)

    def by_likeness(self, key: Key) -> Iterator[Pair]:
        """Yield pairs with equal keys: in each group the most similar first."""
        (old, new), (before, after) = self.rules, self.conditions
        for old_positions, new_positions in self._groups(key):
            if len(old_positions) * len(new_positions) > _MOST_PAIRS:
                yield from _by_number(old, new, old_positions, new_positions)
                continue
            pairs = [
                (
                    _distance(before[old_position], after[new_position]),
                    old[old_position].number != new[new_position].number,
                    old_position,
                    new_position,
                )
                for old_position in old_positions
                for new_position in new_positions
            ]
            yield from ((old_position, new_position) for _, _, old_position, new_position in sorted(pairs))

    def _groups(self, key: Key) -> list[tuple[list[int], list[int]]]:
        """Return the positions of unmatched old and new rules with equal keys, where there are both."""
        old, new = (self._by_key(side, key) for side in (0, 1))
        return [(positions, new[shared]) for shared, positions in old.items() if shared in new]

    def _by_key(self, side: int, key: Key) -> dict[Hashable, list[int]]:
        rules, conditions = self.rules[side], self.conditions[side]
        positions: dict[Hashable, list[int]] = groupby(
            lambda position: key(conditions[position], rules[position].value), self.unmatched[side]
        )
        return positions


def _by_number(
    old: Sequence[Rule], new: Sequence[Rule], old_positions: list[int], new_positions: list[int]
) -> list[Pair]:
    """Return pairs of the same number first, then the other positions in order."""
    by_number = {new[position].number: position for position in new_positions}
    same = [
        (position, by_number[old[position].number]) for position in old_positions if old[position].number in by_number
    ]
    matched_old, matched_new = {one for one, _ in same}, {other for _, other in same}
    unmatched_old = [position for position in old_positions if position not in matched_old]
    unmatched_new = [position for position in new_positions if position not in matched_new]
    return [*same, *zip(unmatched_old, unmatched_new, strict=False)]


def _distance(one: Conditions, other: Conditions) -> int:
    """Return the number of columns whose conditions differ."""
    return sum(other.get(name) != condition for name, condition in one.items())
