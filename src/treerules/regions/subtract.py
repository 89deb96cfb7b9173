"""What a box leaves of others: exact, box by box.

A box is cut where the fewest rules lie on both sides, or the rule that asks least there is taken out of it. What is
left falls into boxes, each of which meets fewer rules and is treated alike, until a rule takes all of it or none takes
any.
"""

from collections.abc import Iterable, Iterator, Sequence

from attrs import define

from treerules.regions.axes import Axis, Part
from treerules.regions.space import Box

#: What a rule asks in a box: its part of each axis that it does not take all of there; and what stands for the rule.
Asked = tuple[tuple[tuple[int, Part], ...], int]


@define
class Budget:
    """The steps that a search may still take."""

    left: int

    @property
    def is_spent(self) -> bool:
        """Whether no step is left."""
        return self.left <= 0


#: So few rules are taken out one by one; more are divided first.
_FEW = 3


class Spent(Exception):
    """A search has used up its budget."""


def asked_in(axes: Sequence[Axis], box: Box, boxes: Iterable[tuple[int, Box]]) -> list[Asked]:
    """Return what boxes ask within a box, those left out that share nothing with it."""
    found = ((tuple(enumerate(other)), number) for number, other in boxes)
    return _within(axes, box, found)


def _within(axes: Sequence[Axis], box: Box, rules: Iterable[Asked]) -> list[Asked]:
    found = []
    for asked, number in rules:
        left = []
        for place, part in asked:
            held = box[place]
            if part == held:
                continue
            common = axes[place].common(held, part)
            if common is None:
                break
            if common != held:
                left.append((place, common))
        else:
            found.append((tuple(left), number))
    return found


def uncovered(
    axes: Sequence[Axis], box: Box, rules: Sequence[Asked], budget: Budget, used: set[int] | None = None
) -> Iterator[Box]:
    """Yield boxes that do not overlap and are together what a box has that no rule takes.

    `used` gathers which rules took something.

    Raises:
        Spent: more boxes had to be looked at than the budget has steps.
    """
    waiting = [(box, list(rules))]
    while waiting:
        box, held = waiting.pop()
        budget.left -= 1
        if budget.left < 0:
            raise Spent
        if not held:
            yield box
            continue
        asked, number = min(held, key=_n_asked)
        if asked:
            halves = _halves(axes, box, held) if len(asked) > 1 and len(held) > _FEW else None
            pieces = halves or _pieces(axes, box, asked)
            waiting.extend((piece, _within(axes, piece, held)) for piece in pieces)
        if used is not None and not (asked and halves):
            used.add(number)


def _n_asked(rule: Asked) -> int:
    return len(rule[0])


def _pieces(axes: Sequence[Axis], box: Box, asked: Sequence[tuple[int, Part]]) -> list[Box]:
    """Return what a box leaves when a rule is taken out of it that asks so."""
    pieces = []
    for place, part in asked:
        for left in axes[place].minus(box[place], part):
            pieces.append((*box[:place], left, *box[place + 1 :]))
        box = (*box[:place], part, *box[place + 1 :])
    return pieces


def _halves(axes: Sequence[Axis], box: Box, held: Sequence[Asked]) -> list[Box] | None:
    """Return the halves of a box in which the fewest rules lie, None if most lie in both.

    Edited rules of a tree are cut along the tree's own splits by this, so a few that overlap do not cut up the others.
    """
    parts: dict[int, list[Part]] = {}
    for asked, _ in held:
        for place, part in asked:
            parts.setdefault(place, []).append(part)
    least, found = 1.2 * float(len(held)) ** 1.5, None
    for place, asked_there in parts.items():
        for both, halves in axes[place].cuts(box[place], asked_there):
            rest = len(held) - len(asked_there)
            cost = sum(float(rest + n) ** 1.5 for n in both)
            if cost < least:
                least, found = cost, (place, halves)
    if found is None:
        return None
    place, halves = found
    return [(*box[:place], half, *box[place + 1 :]) for half in halves]
