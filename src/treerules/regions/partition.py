"""Partition of a space into cells in which few boxes lie, as in a k-d tree. Each search over many boxes uses it.

A cell is cut where few boxes lie on both sides, until those in it are few enough to compare each with each. A bad cut
costs time, never an answer.
"""

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

import numpy as np
from attrs import frozen

from treerules.regions.axes import Part
from treerules.regions.ordered_axis import Cost
from treerules.regions.space import Box, Space

#: Boxes of one space are compared each with each where there are no more than this in a cell.
FEW = 128
#: Boxes of two spaces are, where no more than this number of pairs is in a cell.
_FEW_PAIRS = 1 << 18
#: A cut is chosen by about this number of the boxes of each space.
_SAMPLE = 256


@frozen(eq=False)
class SpaceCell:
    """A box, and the positions of the boxes of each space that share an atom with it: an ascending array for each."""

    box: Box
    inside: tuple[Any, ...]

    @property
    def boxes(self) -> Any:
        """The positions of the boxes of the first space."""
        return self.inside[0]


def whole_cell(*spaces: Space) -> SpaceCell:
    """Return the whole space with all boxes that are not empty."""
    return SpaceCell(spaces[0].whole, tuple(space.nonempty for space in spaces))


def partition(*spaces: Space) -> Iterator[SpaceCell]:
    """Yield cells that do not overlap and fill the space, with the boxes of one space or of two with equal axes.

    A cell is divided until it holds few boxes of one space, or few pairs of boxes of two.
    """
    waiting = [whole_cell(*spaces)]
    while waiting:
        cell = waiting.pop()
        halves = None if _is_small(cell) else _halves(spaces, cell)
        if halves is None:
            yield cell
        else:
            waiting.extend(halves)


def divide_cell(spaces: Sequence[Space], cell: SpaceCell, index: int, parts: Sequence[Part]) -> list[SpaceCell]:
    """Return the cells of parts of one axis of a cell."""
    cells = []
    for part in parts:
        inside = [
            boxes[space.axes[index].intersects(boxes, part)] for space, boxes in zip(spaces, cell.inside, strict=True)
        ]
        cells.append(SpaceCell((*cell.box[:index], part, *cell.box[index + 1 :]), tuple(inside)))
    return cells


def _is_small(cell: SpaceCell) -> bool:
    return len(cell.boxes) <= FEW if len(cell.inside) == 1 else prod(map(len, cell.inside)) <= _FEW_PAIRS


def _halves(spaces: Sequence[Space], cell: SpaceCell) -> list[SpaceCell] | None:
    """Return the two parts of a cell of the least cost, judged on a sample; None if most boxes lie in both."""
    samples = [boxes[:: max(1, len(boxes) // _SAMPLE)] for boxes in cell.inside]
    cost: Cost = _cost_of_one if len(spaces) == 1 else _cost_of_two
    worth = 0.95 if len(spaces) == 1 else 0.8
    least, best = worth * float(cost(list(map(len, samples)))), None
    for index, part in enumerate(cell.box):
        on_axis = [(space.axes[index], sample) for space, sample in zip(spaces, samples, strict=True)]
        halves: Any = on_axis[0][0].best_halves(on_axis, part, cost)  # type: ignore[arg-type]
        if halves is not None and halves[0] < least:
            least, best = halves[0], (index, halves[1])
    return None if best is None else divide_cell(spaces, cell, *best)


def _cost_of_one(counts: Sequence[Any]) -> Any:
    """Return about what it costs to compare the boxes of a cell with each other, by dividing them further."""
    return counts[0] * np.log2(counts[0] + 1.0)


def _cost_of_two(counts: Sequence[Any]) -> Any:
    """Return what it costs to compare the boxes of two spaces in a cell."""
    return counts[0] * counts[1]
