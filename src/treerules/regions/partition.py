"""The space of a rule set divided into cells in which few rules lie: the sweep that every search begins with.

A cell is cut where few rules lie on both sides, until those left are few enough to compare each with each. A bad cut
costs time, never an answer.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from attrs import frozen

from treerules.regions.axes import cost_of
from treerules.regions.space import Box, Space

#: So few rules are compared each with each.
FEW = 128
#: Of more rules, so many are looked at to cut a cell.
_SAMPLE = 256


@frozen(eq=False)
class Cell:
    """A box, and the rules that take some of it, by position."""

    box: Box
    rules: Any


def cells(space: Space) -> Iterator[Cell]:
    """Yield boxes that do not overlap and fill the space, each with its rules."""
    waiting = [Cell(space.whole, space.held)]
    while waiting:
        cell = waiting.pop()
        halves = _halves(space, cell) if len(cell.rules) > FEW else None
        if halves is None:
            yield cell
        else:
            waiting.extend(halves)


def _halves(space: Space, cell: Cell) -> list[Cell] | None:
    """Return the two parts of a cell that cost least, judged on some rules; None if most rules lie in both."""
    some = cell.rules[:: max(1, len(cell.rules) // _SAMPLE)]
    least, found = 0.95 * float(cost_of(len(some))), None
    for place, axis in enumerate(space.axes):
        best = axis.best(some, cell.box[place])
        if best is not None and best[0] < least:
            least, found = best[0], (place, best[1])
    if found is None:
        return None
    place, parts = found
    axis, box = space.axes[place], cell.box
    return [Cell((*box[:place], part, *box[place + 1 :]), cell.rules[axis.touched(cell.rules, part)]) for part in parts]


def met(space: Space, some: Any, others: Any) -> Iterator[Any]:
    """Yield pairs of one of some rules and one of others, after it, that share an atom: arrays of two columns."""
    for start in range(0, len(some), FEW):
        rows = some[start : start + FEW]
        for begin in range(0, len(others), 8 * FEW):
            columns = others[begin : begin + 8 * FEW]
            if rows[0] < columns[-1] and len(pairs := _meeting(space, rows, columns)):
                yield pairs


def _meeting(space: Space, rows: Any, columns: Any) -> Any:
    left, right = np.nonzero(rows[:, None] < columns)
    left, right = rows[left], columns[right]
    for axis in space.axes:
        if not len(left):
            break
        stay = axis.meet(left, right)
        left, right = left[stay], right[stay]
    return np.stack([left, right], axis=1)


def distinct_pairs(found: Iterable[Any]) -> Any:
    """Return the pairs found, each once, sorted."""
    return np.unique(np.concatenate([np.zeros((0, 2), dtype=np.int64), *found]), axis=0)
