"""What a box leaves of others: exact, box by box.

From a box the rule that asks least there is taken out; what is left of the box falls into boxes, each of which meets
fewer rules and is treated alike, until a rule takes all of it or no rule takes any.
"""

from collections.abc import Iterable, Iterator, Sequence

from attrs import define

from treerules.axes import Axis, Part
from treerules.spaces import Box

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
        asked, number = min(held, key=lambda rule: len(rule[0]))
        if used is not None:
            used.add(number)
        if asked:
            pieces = _pieces(axes, box, asked)
            waiting.extend((piece, _within(axes, piece, held)) for piece in pieces)


def _pieces(axes: Sequence[Axis], box: Box, asked: Sequence[tuple[int, Part]]) -> list[Box]:
    """Return what a box leaves when a rule is taken out of it that asks so."""
    pieces = []
    for place, part in asked:
        for left in axes[place].minus(box[place], part):
            pieces.append((*box[:place], left, *box[place + 1 :]))
        box = (*box[:place], part, *box[place + 1 :])
    return pieces
