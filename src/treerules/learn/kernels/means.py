"""The best split of one feature for the mean of a node: to the last bit as the reference scores it.

Sums of targets are rounded, so ties are decided by a tolerance, not exactly. Therefore all is summed in the reference's
order, and of the candidates that come in the order in which they win ties, those within the tolerance of the best are
kept: the first of them wins.

    figures of a group   its rows, and the sum of their targets as the node sees them: centred, and scaled by 2^exponent
"""

from math import frexp, ldexp
from typing import Any, NamedTuple

import numpy as np

from treerules.compiled import kernel
from treerules.learn.kernels.champion import (
    APART,
    CUT,
    END,
    FEATURE,
    GAIN,
    GROUPS,
    HIGH,
    KIND,
    LARGEST,
    LEFT,
    LOW,
    TO,
    copied,
)
from treerules.learn.kernels.classes import LEARNED, MISSING, NEW

#: Of the node at hand: the tolerance and the slack of its scores, the greatest score, the greatest one of which the
#: order is not known here, how many candidates are kept, and how many were.
TOLERANCE, SLACK, BEST, UNKNOWN, KEPT, SERIAL = range(6)
#: As many are kept; the reference decides where more come this close.
MOST_KEPT = 8
#: Where a candidate has the place of its categories' sides.
SLOT = LEFT


class MeanCounts(NamedTuple):
    """Room for the figures of one feature of few values."""

    #: by code: rows and sum
    cells: Any
    #: the codes that some row holds, and their figures
    held: Any
    by_held: Any
    #: of known and of missing values: rows and sum
    known: Any
    missing: Any
    #: by code: the child of each category; those of the candidates that are kept
    sides: Any
    kept_sides: Any
    #: of the held categories: their means, and their order by them
    means: Any
    order: Any


class MeanState(NamedTuple):
    """What waits, and room to work in."""

    figures: Any
    stack: Any
    varies: Any
    #: the candidates that are kept, the one at hand, and the marks above
    kept: Any
    room: Any
    marks: Any
    #: running sums of a list
    sums: Any
    partials: Any
    #: by feature: its list, or -1 minus its table
    line_of: Any
    pool: Any


class View(NamedTuple):
    """How a node sees the target."""

    centre: float
    #: 2^exponent, and the exponent
    factor: float
    exponent: int
    impurity: float


@kernel
def view_of(target: Any, rows: Any, sd: float) -> Any:
    """Return how a node sees the target, whose rows stand in its order; sd is its standard deviation."""
    low, high = target[rows[0]], target[rows[len(rows) - 1]]
    exponent = -frexp(high - low)[1]
    scaled = ldexp(sd, exponent)
    return View(target[rows[len(rows) // 2]], ldexp(1.0, exponent), exponent, scaled * scaled)


@kernel
def score(n_left: float, left: float, n_right: float, right: float, n: float) -> float:
    """Return the gain of two groups, as a share of n rows."""
    total = left + right
    return ((left * left / n_left + right * right / n_right) - total * total / (n_left + n_right)) / n


@kernel
def offered(
    kept: Any, room: Any, marks: Any, terms: Any, n: float, n_left: float, of_left: float, n_known: float,
    of_known: float, n_missing: float, of_missing: float, feature: int, kind: int, is_first: bool,
) -> bool:  # fmt: skip
    """Let a division of the known rows be a candidate; whether it is kept, as the last one.

    Groups are given by their rows and their sum; `is_first` says whether the left side is the first child.
    """
    least, n_right, of_right, own = terms.least, n_known - n_left, of_known - of_left, 0.0 if is_first else 1.0
    largest = own if n_left > n_right else (1.0 - own if n_left < n_right else 0.0)
    to = largest
    if n_missing == 0 or terms.policy != LEARNED:
        if n_left < least or n_right < least:
            return False
        gain = score(n_left, of_left, n_right, of_right, n)
    else:
        fits_left = n_left + n_missing >= least and n_right >= least
        fits_right = n_left >= least and n_right + n_missing >= least
        if not (fits_left or fits_right):
            return False
        by_left = score(n_left + n_missing, of_left + of_missing, n_right, of_right, n) if fits_left else -np.inf
        by_right = score(n_left, of_left, n_right + n_missing, of_right + of_missing, n) if fits_right else -np.inf
        gain = max(by_left, by_right)
        tied_left, tied_right = by_left >= gain - marks[TOLERANCE], by_right >= gain - marks[TOLERANCE]
        if not (tied_left and tied_right):
            to = own if tied_left else 1.0 - own
    if gain <= marks[TOLERANCE] or (kind == CUT and marks[KEPT] and gain <= marks[BEST]):
        return False
    room[GAIN], room[FEATURE], room[KIND], room[LARGEST], room[TO] = gain, feature, kind, largest, to
    return _kept(kept, room, marks)


@kernel
def _kept(kept: Any, one: Any, marks: Any) -> bool:
    gain, tolerance, count = one[GAIN], marks[TOLERANCE], int(marks[KEPT])
    if gain <= tolerance:
        return False
    if one[KIND] == GROUPS:  # candidates of one feature's categories do not come in the order of their sides
        for at in range(count):
            if kept[at, FEATURE] == one[FEATURE] and abs(gain - kept[at, GAIN]) <= tolerance:
                marks[UNKNOWN] = max(marks[UNKNOWN], gain, kept[at, GAIN])
    if count and gain <= marks[BEST]:
        return False
    marks[BEST] = gain
    start = 0
    while start < count and kept[start, GAIN] < gain - tolerance:
        start += 1
    if start:
        for at in range(start, count):
            copied(kept[at], kept[at - start])
        count -= start
    if count == MOST_KEPT:
        marks[UNKNOWN] = gain
        count -= 1
    copied(one, kept[count])
    kept[count, SLOT] = marks[SERIAL] % (2 * MOST_KEPT)
    marks[KEPT], marks[SERIAL] = count + 1, marks[SERIAL] + 1
    return True


@kernel
def bar_of(marks: Any) -> float:
    """Return the score from which a candidate may count, but for rounding."""
    return max(0.0, marks[BEST] - marks[SLACK]) if marks[KEPT] else 0.0


@kernel
def scanned(
    kept: Any, room: Any, marks: Any, terms: Any, view: Any, target: Any, entries: Any, base: int, n: int, sums: Any,
    start: int, feature: int,
) -> bool:  # fmt: skip
    """Let all cuts of a list, `n` entries from `base` on, be candidates; whether the list is constant.

    `sums` is room for its running sums, from `start` on.
    """
    mask, centre, factor = terms.row_mask, view.centre, view.factor
    end, total = n, 0.0
    while end > 0 and (np.int64(entries[base + end - 1]) >> MISSING) & 1:
        end -= 1
    if end == 0:
        return True
    for at in range(n):
        total += (target[np.int64(entries[base + at]) & mask] - centre) * factor
        sums[start + at] = total
    of_known = sums[start + end - 1]
    n_missing, of_missing = float(n - end), total - of_known if end < n else 0.0
    is_constant, every = True, end < n and terms.policy == LEARNED
    n_known, rows = float(end), float(n)
    bar = bar_of(marks) * rows * n_known
    for at in range(end - 1):
        if not np.int64(entries[base + at + 1]) >> NEW:
            continue
        is_constant = False
        n_left, of_left = at + 1.0, sums[start + at]
        distance = of_left * n_known - of_known * n_left
        if (every or distance * distance > bar * n_left * (n_known - n_left)) and offered(
            kept,
            room,
            marks,
            terms,
            rows,
            n_left,
            of_left,
            n_known,
            of_known,
            n_missing,
            of_missing,
            feature,
            CUT,
            True,
        ):
            last = int(marks[KEPT]) - 1
            kept[last, LOW] = np.int64(entries[base + at]) & mask
            kept[last, HIGH] = np.int64(entries[base + at + 1]) & mask
            kept[last, END] = at + 1
            bar = bar_of(marks) * rows * n_known
    if every:
        apart(kept, room, marks, terms, rows, n_known, of_known, n_missing, of_missing, feature, end)
    return is_constant and end == n


@kernel
def apart(
    kept: Any, room: Any, marks: Any, terms: Any, n: float, n_known: float, of_known: float, n_missing: float,
    of_missing: float, feature: int, end: int,
) -> None:  # fmt: skip
    """Let the known values against the missing ones be a candidate."""
    if n_known < terms.least or n_missing < terms.least:
        return
    room[FEATURE], room[KIND], room[LARGEST], room[TO] = feature, APART, 0.0, 1.0
    room[GAIN] = score(n_known, of_known, n_missing, of_missing, n)
    if _kept(kept, room, marks):
        last = int(marks[KEPT]) - 1
        kept[last, END] = end
        kept[last, LOW] = kept[last, HIGH] = -1.0
