"""Subtraction of boxes from a box: exact, box by box, within a budget of steps.

A box is cut where the fewest constraints lie on both sides, or the constraint with the fewest sides is taken out of it.
The pieces have fewer constraints each and are treated alike, until one constraint takes all of a piece or none is left.
"""

from collections.abc import Iterable, Iterator, Sequence

from attrs import define

from treerules.regions.axes import Axis, Part
from treerules.regions.space import Box

#: What is subtracted, as seen from a box around it: its part of each axis of which it does not take all, and a number.
Constraint = tuple[tuple[tuple[int, Part], ...], int]


@define
class Budget:
    """The number of steps that a search may still take.

    Steps are counted, not time, so that the answer is the same on every machine. Each search counts what it works on:
    a step is about 15 microseconds of a core of 2024, a default budget some ten seconds.
    """

    steps_left: int

    @property
    def is_spent(self) -> bool:
        """Whether no step is left."""
        return self.steps_left <= 0

    def take_steps(self, n: int = 1) -> None:
        """Count some steps.

        Raises:
            BudgetExceeded: there are not as many left.
        """
        self.steps_left -= n
        if self.steps_left < 0:
            raise BudgetExceeded


#: Up to this number of constraints are taken out one by one; of more, the box is cut first.
_FEW = 3
#: So many sides of constraints are looked at in one step.
_SIDES_IN_STEP = 8


class BudgetExceeded(Exception):
    """A search has used up its budget."""


def constraints_in(axes: Sequence[Axis], box: Box, boxes: Iterable[tuple[int, Box]]) -> list[Constraint]:
    """Return numbered boxes as constraints on a box, without those that share nothing with it."""
    return _restricted(axes, box, ((tuple(enumerate(other)), number) for number, other in boxes))


def _restricted(axes: Sequence[Axis], box: Box, constraints: Iterable[Constraint]) -> list[Constraint]:
    """Return constraints as seen from a smaller box."""
    restricted = []
    for sides, number in constraints:
        sides_left = []
        for index, part in sides:
            whole = box[index]
            if part == whole:
                continue
            shared = axes[index].intersection(whole, part)
            if shared is None:
                break
            if shared != whole:
                sides_left.append((index, shared))
        else:
            restricted.append((tuple(sides_left), number))
    return restricted


def subtract(
    axes: Sequence[Axis],
    box: Box,
    constraints: Sequence[Constraint],
    budget: Budget,
    used: set[int] | None = None,
) -> Iterator[Box]:
    """Yield boxes that do not overlap and together are what constraints leave of a box.

    Args:
        axes: the axes of the space.
        box: what is subtracted from.
        constraints: what is subtracted, from `constraints_in`.
        budget: two steps are taken for each box that is looked at, one for each eight sides of constraints in it.
        used: the numbers of the constraints that took something are added to it.

    Raises:
        BudgetExceeded: more boxes had to be looked at than the budget has steps.
    """
    waiting = [(box, list(constraints))]
    while waiting:
        box, inside = waiting.pop()
        budget.take_steps(2 + sum(map(_n_sides, inside)) // _SIDES_IN_STEP)
        if not inside:
            yield box
            continue
        sides, number = min(inside, key=_n_sides)
        if sides:
            halves = _halves(axes, box, inside) if len(sides) > 1 and len(inside) > _FEW else None
            pieces = halves or _pieces(axes, box, sides)
            waiting.extend((piece, _restricted(axes, piece, inside)) for piece in pieces)
        if used is not None and not (sides and halves):
            used.add(number)


def _n_sides(constraint: Constraint) -> int:
    return len(constraint[0])


def _pieces(axes: Sequence[Axis], box: Box, sides: Sequence[tuple[int, Part]]) -> list[Box]:
    """Return what is left of a box without one constraint."""
    pieces = []
    for index, part in sides:
        for rest in axes[index].difference(box[index], part):
            pieces.append((*box[:index], rest, *box[index + 1 :]))
        box = (*box[:index], part, *box[index + 1 :])
    return pieces


def _halves(axes: Sequence[Axis], box: Box, inside: Sequence[Constraint]) -> list[Box] | None:
    """Return the halves of a box in which the fewest constraints lie, None if most lie in both.

    Edited rules of a tree are cut along the tree's own splits by this, so a few that overlap do not cut up the others.
    """
    parts_by_axis: dict[int, list[Part]] = {}
    for sides, _ in inside:
        for index, part in sides:
            parts_by_axis.setdefault(index, []).append(part)
    least, best = 1.2 * float(len(inside)) ** 1.5, None
    for index, parts in parts_by_axis.items():
        for counts, halves in axes[index].cuts(box[index], parts):
            n_unconstrained = len(inside) - len(parts)
            cost = sum(float(n_unconstrained + n) ** 1.5 for n in counts)
            if cost < least:
                least, best = cost, (index, halves)
    if best is None:
        return None
    index, halves = best
    return [(*box[:index], half, *box[index + 1 :]) for half in halves]
