"""Pairs of boxes that share an atom: rules with rules, rows with rules. Exact.

Boxes in the same cell of a partition are compared each with each, axis by axis: as a matrix while many pairs are left,
then pair by pair.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from treerules.regions.partition import FEW, SpaceCell, partition
from treerules.regions.space import Space

#: Number of pairs, about, that are compared at once.
_CHUNK = 1 << 17
#: The matrix is given up where fewer than one pair in this number is left.
_SPARSE = 12


def overlapping_pairs(first: Space, second: Space | None = None, labels: tuple[Any, Any] | None = None) -> Any:
    """Return all pairs of boxes that share an atom, sorted: an array of shape (pairs, 2) of positions.

    Args:
        first: some boxes.
        second: other boxes on the same axes; None pairs those of `first` with each other, each pair once.
        labels: an integer for each box of the first space, and of the second; only boxes with different ones are
            paired.
    """
    spaces = (first,) if second is None else (first, second)
    return distinct_pairs(pairs for cell in partition(*spaces) for pairs in pairs_in(cell, *spaces, labels=labels))


def distinct_pairs(chunks: Iterable[Any]) -> Any:
    """Return the pairs of some arrays, each once, sorted."""
    pairs = np.concatenate([np.zeros((0, 2), dtype=np.int64), *chunks])
    width = int(pairs[:, 1].max(initial=0)) + 1
    return np.stack(np.divmod(np.unique(pairs[:, 0] * width + pairs[:, 1]), width), axis=1)


def pairs_in(cell: SpaceCell, *spaces: Space, labels: tuple[Any, Any] | None = None) -> Iterator[Any]:
    """Yield the pairs of boxes of a cell that share an atom, as arrays of two columns; of one space each pair once."""
    some, others = cell.inside[0], cell.inside[-1]
    width = min(len(others), 8 * FEW)
    height = FEW if len(spaces) == 1 else max(FEW, _CHUNK // max(1, width))
    for start in range(0, len(some), height):
        rows = some[start : start + height]
        for begin in range(0, len(others), 8 * FEW):
            columns = others[begin : begin + 8 * FEW]
            if len(spaces) == 1 and rows[0] >= columns[-1]:
                continue
            if len(spaces) == 1:
                wanted = rows[:, None] < columns
            elif labels is None:
                wanted = np.ones((len(rows), len(columns)), dtype=bool)
            else:
                wanted = labels[0][rows][:, None] != labels[1][columns]
            pairs = _sharing(spaces[0], rows, spaces[-1], columns, wanted)
            if len(pairs):
                yield pairs


def _sharing(first: Space, rows: Any, second: Space, columns: Any, wanted: Any) -> Any:
    """Return the wanted pairs that share an atom."""
    axes: list[Any] = list(zip(first.axes, second.axes, strict=True))
    while axes and np.count_nonzero(wanted) * _SPARSE > wanted.size:
        axis, other = axes.pop(0)
        wanted &= axis.share_atoms(rows[:, None], other, columns)
    row_indices, column_indices = np.nonzero(wanted)
    some, others = rows[row_indices], columns[column_indices]
    for axis, other in axes:
        if not len(some):
            break
        stay = axis.share_atoms(some, other, others)
        some, others = some[stay], others[stay]
    return np.stack([some, others], axis=1)
