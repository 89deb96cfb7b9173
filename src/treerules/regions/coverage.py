"""Coverage of a space by its boxes: which of them overlap, and which regions none of them takes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import frozen

from treerules.regions.overlaps import distinct_pairs, pairs_in
from treerules.regions.partition import SpaceCell, partition
from treerules.regions.space import Space
from treerules.regions.uncovered import Gaps, find_gaps


@frozen(eq=False)
class Overlaps:
    """The pairs of boxes of a space that overlap, by position and sorted, and the cells in which they were found."""

    pairs: Any
    #: False if more pairs were found than the budget has steps
    has_all_pairs: bool
    #: each cell of the partition with those of its boxes that overlap another, or may
    cells: Sequence[tuple[SpaceCell, Sequence[int]]]


def scan_overlaps(space: Space, budget: int) -> Overlaps:
    """Return which boxes of a space overlap; once more pairs than `budget` are found, no more are looked for."""
    chunks: list[Any] = []
    cells, n_pairs = [], 0
    for cell in partition(space):
        n_before = len(chunks)
        for chunk in pairs_in(cell, space) if n_pairs <= budget else ():
            chunks.append(chunk)
            n_pairs += len(chunk)
            if n_pairs > budget:
                break
        overlapping = np.unique(np.concatenate(chunks[n_before:])).tolist() if len(chunks) > n_before else []
        cells.append((cell, overlapping if n_pairs <= budget or len(cell.boxes) < 2 else cell.boxes))
    return Overlaps(distinct_pairs(chunks), n_pairs <= budget, cells)


@frozen(eq=False)
class Coverage:
    """The pairs of boxes of a space that overlap, by position and sorted, whether these are all, and the gaps."""

    pairs: Any
    has_all_pairs: bool
    gaps: Gaps


def analyse_coverage(space: Space, limit: int, budget: int) -> Coverage:
    """Return which boxes of a space overlap, and at most `limit` boxes that none of them takes.

    Args:
        space: the boxes.
        limit: the greatest number of gaps.
        budget: the greatest number of steps in which overlapping boxes are subtracted, and of pairs, about.
    """
    overlaps = scan_overlaps(space, budget)
    gaps = find_gaps(space, overlaps.cells, limit, budget)
    return Coverage(overlaps.pairs, overlaps.has_all_pairs, gaps)
