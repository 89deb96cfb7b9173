"""What no rule takes: in cells where no two rules meet by counting, elsewhere by taking the rules out of the cell."""

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

import numpy as np
from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.regions.partition import Cell
from treerules.regions.space import Box, Space
from treerules.regions.subtract import Budget, Spent, asked_in, uncovered

#: So few rules of a cell that meet another are cut apart, in so many steps at most, to count what they take.
_FEW, _STEPS = 8, 100


@frozen
class Gaps:
    """Boxes that no rule takes, which do not overlap. Where none is found, `decided` says that there is none."""

    boxes: tuple[Box, ...] = field(converter=as_tuple)
    decided: bool
    #: whether there are more, or may be
    more: bool


def gaps_of(space: Space, cells: Sequence[tuple[Cell, Sequence[int]]], limit: int, budget: Budget) -> Gaps:
    """Return at most so many boxes that no rule takes, each as large as it can be beside the ones before.

    Each cell comes with those of its rules that meet another. One box more is looked for, to know whether there are
    more.
    """
    found: list[Box] = []
    decided = True
    turns = [_counted(space, cell, found) for cell, crossing in cells if not len(crossing)]
    waiting = [cell for cell, crossing in cells if len(crossing) and not _is_full(space, cell, crossing)]
    for atoms in [*turns, *(_taken_out(space, cell, found, budget) for cell in waiting)]:
        try:
            for box in atoms:
                if len(found) == limit:
                    return Gaps(found, True, True)
                found.append(grown(space, box, found))
        except Spent:
            decided = False
            break
    return Gaps(found, decided or bool(found), not decided)


def _counted(space: Space, cell: Cell, found: Sequence[Box]) -> Iterator[Box]:
    """Yield atoms of a cell whose rules do not meet that neither they nor the boxes found take, while there are any.

    The boxes that are found meanwhile count.
    """
    sizes = [axis.sizes(cell.rules, part) for axis, part in zip(space.axes, cell.box, strict=True)]
    wanted = space.size(cell.box)
    total = _total(sizes, len(cell.rules))
    while True:
        inside = [common for box in found if (common := space.common(cell.box, box)) is not None]
        if total + sum(space.size(box) for box in inside) >= wanted:
            return
        yield _free_atom(space, cell, inside)


def _is_full(space: Space, cell: Cell, crossing: Sequence[int]) -> bool:
    """Whether a cell is full by counting, where so few of its rules meet another that they are soon cut apart."""
    if len(crossing) > _FEW:
        return False
    taken = _total(
        [axis.sizes(cell.rules, part) for axis, part in zip(space.axes, cell.box, strict=True)], len(cell.rules)
    )
    boxes = [(rule, box) for rule in crossing if (box := space.common(cell.box, space.box(rule))) is not None]
    budget = Budget(_STEPS)
    try:
        for turn, (_, box) in enumerate(boxes):
            pieces = uncovered(space.axes, box, asked_in(space.axes, box, boxes[:turn]), budget)
            taken += sum(map(space.size, pieces)) - space.size(box)
    except Spent:
        return False
    return taken == space.size(cell.box)


def _total(sizes: Sequence[Any], n_rules: int) -> int:
    """Return the sum of the products of sizes, exactly."""
    return sum(map(prod, np.stack(sizes, axis=1).tolist())) if sizes else n_rules


def _free_atom(space: Space, cell: Cell, inside: Sequence[Box]) -> Box:
    """Return an atom of a cell that its rules, which do not meet, and the boxes inside do not take.

    Axis by axis an atom is fixed over which they still add up to too little; there always is one.
    """
    chosen = list(cell.box)
    wanted = [axis.size(part) for axis, part in zip(space.axes, cell.box, strict=True)]
    others = space.of_boxes(inside)
    sources = [_weighed(space, cell.rules, cell.box), _weighed(others, others.every, cell.box)]
    for place, part in enumerate(cell.box):
        sums = [
            axis.weights(held, [rest[place + 1][turn] for turn in turns], part)
            for axis, (held, turns, rest) in zip((space.axes[place], others.axes[place]), sources, strict=True)
        ]
        atom = next(at for at, both in enumerate(zip(*sums, strict=True)) if sum(both) < prod(wanted[place + 1 :]))
        chosen[place] = space.axes[place].atom(part, atom)
        for at, one in enumerate((space, others)):
            held, turns, rest = sources[at]
            stay = np.flatnonzero(one.axes[place].touched(held, chosen[place]))
            sources[at] = held[stay], [turns[turn] for turn in stay.tolist()], rest
    return tuple(chosen)


def _weighed(space: Space, rules: Any, box: Box) -> tuple[Any, list[int], list[list[int]]]:
    """Return rules, the place of each, and by axis and place the product of their sizes in a box from that axis on."""
    taken = [axis.sizes(rules, part).tolist() for axis, part in zip(space.axes, box, strict=True)]
    return rules, list(range(len(rules))), _products_from(taken, len(rules))


def _products_from(taken: Sequence[Sequence[int]], n_rules: int) -> list[list[int]]:
    """Return, for each axis and the end, the product of every rule's sizes from that axis on."""
    products = [[1] * n_rules]
    for sizes in reversed(taken):
        products.append([size * rest for size, rest in zip(sizes, products[-1], strict=True)])
    return products[::-1]


def _taken_out(space: Space, cell: Cell, found: Sequence[Box], budget: Budget) -> Iterator[Box]:
    """Yield boxes of a cell that neither its rules nor the boxes found take, while there are any."""
    rules = asked_in(space.axes, cell.box, ((rule, space.box(rule)) for rule in cell.rules.tolist()))
    for box in uncovered(space.axes, cell.box, rules, budget):
        while (free := next(uncovered(space.axes, box, _of(space, box, found), budget), None)) is not None:
            yield free


def _of(space: Space, box: Box, found: Sequence[Box]) -> Any:
    return asked_in(space.axes, box, enumerate(found))


# ---- making a gap as large as it can be


def grown(space: Space, box: Box, found: Sequence[Box] = ()) -> Box:
    """Return a box that no rule takes made as large as it can be, axis by axis, while it stays clear of boxes found."""
    others = space.of_boxes(found)
    chosen = list(box)
    far = [_apart(one, box) for one in (space, others)]
    counts = [np.count_nonzero(apart, axis=0) for apart in far]
    for place, axis in enumerate(space.axes):
        blocking = [np.flatnonzero(count == apart[place]) for count, apart in zip(counts, far, strict=True)]
        busy = axis.busy(blocking[0]) | others.axes[place].busy(blocking[1])
        part = axis.widest(chosen[place], busy)
        if part == chosen[place]:
            continue
        chosen[place] = part
        for one, apart, count in zip((space, others), far, counts, strict=True):
            now = ~one.axes[place].touched(one.every, part)
            count -= apart[place] & ~now
            apart[place] = now
    return tuple(chosen)


def _apart(space: Space, box: Box) -> Any:
    """Return, for each axis and rule, whether the rule takes nothing of the box there."""
    apart = [~axis.touched(space.every, part) for axis, part in zip(space.axes, box, strict=True)]
    return np.array(apart, dtype=bool).reshape(len(apart), space.n_rules)
