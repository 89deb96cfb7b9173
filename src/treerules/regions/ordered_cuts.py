"""Cuts of an ordered axis in two, and the number of boxes on either side of them."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

Part = tuple[int, int, bool]
#: Of more bounds than about twice this number some are tried as cuts, evenly spread.
_MOST_CUTS = 64


def cuts_of_parts(part: Part, taken: Sequence[Part]) -> Iterator[tuple[tuple[int, int], tuple[Part, Part]]]:
    """Yield the ways to cut a part at a bound of parts of it: the number of parts in each half, and the halves."""
    first, end, missing = part
    for side in (0, 1) if missing else (0,):  # missing goes with what is below the cut, or above
        starts = sorted(-1 if takes and not side else (lo if lo < hi else end) for lo, hi, takes in taken)
        ends = sorted(end if takes and side else (hi if lo < hi else 0) for lo, hi, takes in taken)
        cuts = [cut for cut in sorted({*starts, *ends}) if first < cut < end]
        for cut in cuts[:: max(1, len(cuts) // _MOST_CUTS)]:
            n = bisect_left(starts, cut), len(ends) - bisect_right(ends, cut)
            yield n, ((first, cut, missing and not side), (cut, end, missing and side == 1))
    if missing and first < end:
        n = sum(1 for lo, hi, _ in taken if lo < hi), sum(1 for *_, takes in taken if takes)
        yield n, ((first, end, False), (0, 0, True))


def counts_beside(cuts: Any, bounds: tuple[Any, Any, Any], end: int, side: int | None) -> tuple[Any, Any]:
    """Return how many boxes take something below each cut, and above; `side` 0 or 1 is that of missing."""
    lo, hi, missing = bounds
    has_steps = lo < hi
    starts, ends = np.where(has_steps, lo, end), np.where(has_steps, hi, 0)
    below = np.where(missing, -1, starts) if side == 0 else starts
    above = np.where(missing, end, ends) if side == 1 else ends
    n_below = np.searchsorted(np.sort(below), cuts, side="left")
    return n_below, len(lo) - np.searchsorted(np.sort(above), cuts, side="right")
