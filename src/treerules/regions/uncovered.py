"""Regions covered by no rule: by counting atoms where rules are disjoint, by subtraction of boxes elsewhere.

Where the budget ends a subtraction, single atoms are tried, which are cheap to test; see `_by_descent`.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, compress
from math import prod
from typing import Any

import numpy as np
from attrs import field, frozen
from toolz import concat

from treerules._internal.field_converters import as_tuple
from treerules.regions.partition import SpaceCell
from treerules.regions.space import Box, Space
from treerules.regions.subtract import Budget, BudgetExceeded, constraints_in, subtract

#: The atoms of up to this number of overlapping boxes of a cell are counted, in this number of steps at most.
_FEW, _STEPS = 8, 100
#: One of so many steps of a budget is kept for atoms that are tried after a subtraction that did not end.
_DESCENT_SHARE = 10
#: So many sides of boxes are looked at in one step of a descent to an atom.
_SIDES_IN_STEP = 64


@frozen
class Gaps:
    """Boxes that no box of a space takes; they do not overlap."""

    boxes: tuple[Box, ...] = field(converter=as_tuple)
    #: whether there are more than the limit
    more: bool
    #: whether the budget ended the search, so that there may be more
    out_of_budget: bool

    @property
    def complete(self) -> bool | None:
        """Whether there is no gap; None if that was not decided within the budget."""
        return False if self.boxes else None if self.out_of_budget else True


def find_gaps(space: Space, cells: Sequence[tuple[SpaceCell, Sequence[int]]], limit: int, budget: int) -> Gaps:
    """Return at most `limit` boxes that no box takes, each as large as it can be without meeting those before it.

    One box more is looked for, to know whether there are more.

    Args:
        space: the boxes.
        cells: the cells of its partition, each with those of its boxes that overlap another.
        limit: the greatest number of gaps.
        budget: the number of steps in which boxes that overlap are subtracted, and atoms among them tried.
    """
    gaps: list[Box] = []
    descents = Budget(budget // _DESCENT_SHARE)
    steps = Budget(budget - descents.steps_left)
    disjoint = [cell for cell, overlapping in cells if not len(overlapping)]
    others = [cell for cell, overlapping in cells if len(overlapping) and not _is_full(space, cell, overlapping)]
    counted = (_by_counting(space, cell, gaps) for cell in disjoint)
    subtracted = (_by_subtraction(space, cell, gaps, steps) for cell in others)
    try:
        more = _add_gaps(space, gaps, concat(chain(counted, subtracted)), limit)
        return Gaps(gaps, more, out_of_budget=False)
    except BudgetExceeded:
        more = _add_gaps(space, gaps, concat(_by_descent(space, cell, gaps, descents) for cell in others), limit)
        return Gaps(gaps, more, out_of_budget=not more)


def _add_gaps(space: Space, gaps: list[Box], boxes: Iterable[Box], limit: int) -> bool:
    """Append boxes to gaps, each expanded before the next is asked for; return whether there are more than a limit."""
    for box in boxes:
        if len(gaps) == limit:
            return True
        gaps.append(expand_box(space, box, gaps))
    return False


# ---- by counting


def _by_counting(space: Space, cell: SpaceCell, gaps: Sequence[Box]) -> Iterator[Box]:
    """Yield atoms that neither the boxes of a cell, which are disjoint, nor the gaps take, while there are any.

    The caller adds gaps meanwhile; they count too.
    """
    n_atoms, n_taken = space.size(cell.box), _n_taken(space, cell)
    while True:
        inside = _within(space, cell, gaps)
        if n_taken + sum(map(space.size, inside)) >= n_atoms:
            return
        atom = _free_atom(space, cell, inside)
        assert atom is not None, "fewer atoms are taken than there are"
        yield atom


def _within(space: Space, cell: SpaceCell, gaps: Sequence[Box]) -> list[Box]:
    """Return the parts of gaps that lie in a cell."""
    return [shared for gap in gaps if (shared := space.intersection(cell.box, gap)) is not None]


def _is_full(space: Space, cell: SpaceCell, overlapping: Sequence[int]) -> bool:
    """Whether the boxes of a cell take all of it, by counting; False also where too many of them overlap for that."""
    if len(overlapping) > _FEW:
        return False
    n_taken = _n_taken(space, cell)
    boxes = [(at, box) for at in overlapping if (box := space.intersection(cell.box, space.box(at))) is not None]
    budget = Budget(_STEPS)
    try:
        for turn, (_, box) in enumerate(boxes):
            pieces = subtract(space.axes, box, constraints_in(space.axes, box, boxes[:turn]), budget)
            n_taken += sum(map(space.size, pieces)) - space.size(box)
    except BudgetExceeded:
        return False
    return n_taken == space.size(cell.box)


def _n_taken(space: Space, cell: SpaceCell) -> int:
    """Return the sum of the numbers of atoms that the boxes of a cell take of it, exactly."""
    sizes = [axis.sizes(cell.boxes, part) for axis, part in zip(space.axes, cell.box, strict=True)]
    return sum(map(prod, np.stack(sizes, axis=1).tolist())) if sizes else len(cell.boxes)


def _free_atom(space: Space, cell: SpaceCell, gaps: Sequence[Box]) -> Box | None:
    """Return an atom of a cell that neither its boxes nor some gaps inside it take, None if none was found.

    Axis by axis an atom is fixed over which they add up to too little to fill what is left. If their atoms are fewer
    than those of the cell there always is one. Otherwise it is the atom over which they add up to the least.
    """
    chosen = list(cell.box)
    sizes = [axis.size(part) for axis, part in zip(space.axes, cell.box, strict=True)]
    spaces = space, space.of_boxes(gaps)
    inside = [cell.boxes, spaces[1].every]
    products = [_products(one, boxes, cell.box) for one, boxes in zip(spaces, inside, strict=True)]
    turns = [list(range(len(boxes))) for boxes in inside]
    for index, part in enumerate(cell.box):
        weights = [
            one.axes[index].atom_weights(boxes, [beyond[index + 1][turn] for turn in inside_turns], part)
            for one, boxes, inside_turns, beyond in zip(spaces, inside, turns, products, strict=True)
        ]
        n_beyond = prod(sizes[index + 1 :])
        n_taken = list(map(sum, zip(*weights, strict=True)))
        atom = next((at for at, n in enumerate(n_taken) if n < n_beyond), n_taken.index(min(n_taken)))
        chosen[index] = space.axes[index].atom(part, atom)
        stay = [one.axes[index].intersects(boxes, chosen[index]) for one, boxes in zip(spaces, inside, strict=True)]
        inside = [boxes[mask] for boxes, mask in zip(inside, stay, strict=True)]
        turns = [list(compress(inside_turns, mask.tolist())) for inside_turns, mask in zip(turns, stay, strict=True)]
    return None if any(map(len, inside)) else tuple(chosen)


def _products(space: Space, boxes: Any, box: Box) -> list[list[int]]:
    """Return, for each axis and for the end, the product of the sizes of every box within a box from that axis on."""
    sizes_by_axis = [axis.sizes(boxes, part).tolist() for axis, part in zip(space.axes, box, strict=True)]
    products = [[1] * len(boxes)]
    for sizes in reversed(sizes_by_axis):
        products.append([size * rest for size, rest in zip(sizes, products[-1], strict=True)])
    return products[::-1]


# ---- by subtraction


def _by_subtraction(space: Space, cell: SpaceCell, gaps: Sequence[Box], budget: Budget) -> Iterator[Box]:
    """Yield boxes of a cell that neither its boxes nor the gaps take, while there are any."""
    axes = space.axes
    constraints = constraints_in(axes, cell.box, ((at, space.box(at)) for at in cell.boxes.tolist()))
    for box in subtract(axes, cell.box, constraints, budget):
        while (free := next(subtract(axes, box, constraints_in(axes, box, enumerate(gaps)), budget), None)) is not None:
            yield free


# ---- by descent


def _by_descent(space: Space, cell: SpaceCell, gaps: Sequence[Box], budget: Budget) -> Iterator[Box]:
    """Yield atoms of a cell that neither its boxes nor the gaps take, until none is found or the budget is spent.

    Found are those with a value that no box takes on some axis, such as missing, unseen or beyond all bounds, and
    often others. That none is found proves nothing.
    """
    while True:
        inside = _within(space, cell, gaps)
        n_steps = 1 + (len(cell.boxes) + len(inside)) * len(space.axes) // _SIDES_IN_STEP
        if budget.steps_left < n_steps:
            return
        budget.take_steps(n_steps)
        atom = _free_atom(space, cell, inside)
        if atom is None:
            return
        yield atom


# ---- expanding a gap


def expand_box(space: Space, box: Box, gaps: Sequence[Box] = ()) -> Box:
    """Return the box enlarged axis by axis as far as possible without meeting a box of the space or another gap."""
    spaces = space, space.of_boxes(gaps)
    chosen = list(box)
    apart = [_apart(one, box) for one in spaces]
    n_apart = [np.count_nonzero(by_axis, axis=0) for by_axis in apart]
    for index, axis in enumerate(space.axes):
        taken = [
            one.axes[index].taken_atoms(np.flatnonzero(n == by_axis[index]))  # those that only this axis keeps apart
            for one, by_axis, n in zip(spaces, apart, n_apart, strict=True)
        ]
        part = axis.expand(chosen[index], taken[0] | taken[1])
        if part == chosen[index]:
            continue
        chosen[index] = part
        for one, by_axis, n in zip(spaces, apart, n_apart, strict=True):
            now = ~one.axes[index].intersects(one.every, part)
            n -= by_axis[index] & ~now
            by_axis[index] = now
    return tuple(chosen)


def _apart(space: Space, box: Box) -> Any:
    """Return booleans of shape (axes, boxes): whether the box of a space takes nothing of a box on an axis."""
    apart = [~axis.intersects(space.every, part) for axis, part in zip(space.axes, box, strict=True)]
    return np.array(apart, dtype=bool).reshape(len(apart), space.n_boxes)
