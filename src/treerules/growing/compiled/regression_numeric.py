"""The best split of one feature for the mean of a node: to the last bit as the reference scores it.

Sums of targets are rounded, so ties are decided by a tolerance, not exactly. Therefore all is summed in the reference's
order, and of the candidates that come in the order in which they win ties, those within the tolerance of the best are
kept: the first of them wins.

    figures of a group   its rows, and the sum of their targets as the node sees them: centred, and scaled by 2^exponent
"""

from math import frexp, ldexp
from typing import Any, NamedTuple

import numpy as np

from treerules._internal.jit import kernel
from treerules.growing.compiled.best_split import (
    CUT,
    END,
    FEATURE,
    GAIN,
    HIGH,
    KIND,
    LARGEST,
    LEFT,
    LOW,
    MISSING_TEST,
    SUBSETS,
    TO,
    copied,
)
from treerules.growing.compiled.class_numeric import LEARNED, MISSING, NEW

#: Of the node at hand: the tolerance and the slack of its scores, the greatest score, the greatest one of which the
#: order is not known here, how many candidates are kept, and how many were.
TOLERANCE, SLACK, BEST, UNKNOWN, KEPT, SERIAL = range(6)
#: What a list is in a node: constant, of some values, or of a different value in each row.
CONSTANT, VARIES, DISTINCT = range(3)
#: Places of a list are looked at together, so many; of fewer than that it does not pay.
_BLOCK, _SHORT = 256, 16
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
    #: whether no feature has missing values
    is_whole: bool


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
def most_gained(target: Any, rows: Any, view: Any) -> float:
    """Return the greatest gain of any two groups of rows that stand in the target's order: where it is cut once."""
    n, total, left, most = len(rows), 0.0, 0.0, 0.0
    for at in range(n):
        total += (target[rows[at]] - view.centre) * view.factor
    for at in range(n - 1):
        left += (target[rows[at]] - view.centre) * view.factor
        most = max(most, score(at + 1.0, left, n - at - 1.0, total - left, float(n)))
    return most


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
    return kept_if_near(kept, room, marks)


@kernel
def kept_if_near(kept: Any, one: Any, marks: Any) -> bool:
    """Keep a candidate that may be the best, beside those that tie with it; whether it was kept."""
    gain, tolerance, count = one[GAIN], marks[TOLERANCE], int(marks[KEPT])
    if gain <= tolerance:
        return False
    if one[KIND] == SUBSETS:  # candidates of one feature's categories do not come in the order of their sides
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
) -> int:  # fmt: skip
    """Let all cuts of a list, `n` entries from `base` on, be candidates; whether it is CONSTANT, DISTINCT, or neither.

    `sums` is room for its running sums, from `start` on. Places are unsigned: no negative ones need be looked for.
    """
    mask, first, begin, end = np.uint64(terms.row_mask), np.uint64(base), np.uint64(start), n
    while end > 0 and (np.int64(entries[base + end - 1]) >> MISSING) & 1:
        end -= 1
    if end == 0:
        return CONSTANT
    variety = _summed(sums, begin, target, entries, first, n, mask, view)
    of_known = sums[start + end - 1]
    n_missing, of_missing = float(n - end), sums[start + n - 1] - of_known if end < n else 0.0
    every, n_known, rows = end < n and terms.policy == LEARNED, float(end), float(n)
    bar, done, last = bar_of(marks) * rows * n_known, 0, end - 1
    while done < last:
        stop = min(done + _BLOCK, last)
        if not (every or stop - done <= _SHORT or _is_hopeful(sums, start, done, stop, of_known, n_known, bar)):
            done = stop
            continue
        for at in range(np.uint64(done), np.uint64(stop)):
            after = np.uint64(entries[first + at + np.uint64(1)])
            n_left, of_left = np.int64(at) + 1.0, sums[begin + at]
            distance = of_left * n_known - of_known * n_left
            is_cut = after >> np.uint64(NEW)
            if is_cut and (every or distance * distance > bar * n_left * (n_known - n_left)) and offered(
                kept, room, marks, terms, rows, n_left, of_left, n_known, of_known, n_missing, of_missing, feature, CUT,
                True,
            ):  # fmt: skip
                one = kept[int(marks[KEPT]) - 1]
                one[LOW], one[HIGH], one[END] = np.uint64(entries[first + at]) & mask, after & mask, np.int64(at) + 1
                bar = bar_of(marks) * rows * n_known
        done = stop
    if every:
        apart(kept, room, marks, terms, rows, n_known, of_known, n_missing, of_missing, feature, end)
    return variety


@kernel
def _summed(sums: Any, begin: int, target: Any, entries: Any, first: int, n: int, mask: int, view: Any) -> int:
    """Write the running sums of a list; whether it is CONSTANT, DISTINCT, or neither. Missing is a value of its own."""
    centre, factor, entry = view.centre, view.factor, np.uint64(entries[first])
    total = 0.0 + (target[entry & mask] - centre) * factor
    sums[begin], in_all, in_some = total, entry, np.uint64(0)
    for at in range(np.uint64(1), np.uint64(n)):
        entry = np.uint64(entries[first + at])
        in_all &= entry
        in_some |= entry
        total += (target[entry & mask] - centre) * factor
        sums[begin + at] = total
    if not in_some >> np.uint64(NEW):
        return CONSTANT
    return DISTINCT if in_all >> np.uint64(NEW) else VARIES


@kernel
def _is_hopeful(sums: Any, start: int, done: int, stop: int, of_known: float, n_known: float, bar: float) -> bool:
    """Whether some place of a part of a list would pass the bar if it were a cut; a loop without branches, for SIMD."""
    some = np.int32(0)
    of_left = sums[start + done : start + stop]
    for at in range(np.int32(stop - done)):
        n_left = np.float64(np.int32(done) + np.int32(at) + np.int32(1))
        distance = of_left[at] * n_known - of_known * n_left
        some += np.int32(distance * distance > bar * n_left * (n_known - n_left))
    return some > 0


@kernel
def parted_distinct(entries: Any, base: int, n: int, middle: int, side: Any, spare: Any, start: int, mask: int) -> None:
    """Divide a list as `stable_partition.parted` does, one whose every entry marks a new value: so all marks stay."""
    at_left, at_right, rows = np.uint64(base), np.uint64(start), np.uint64(mask)
    for at in range(np.uint64(base), np.uint64(base + n)):
        entry = entries[at]
        goes = np.uint64(side[np.uint64(entry) & rows])
        entries[at_left] = entry  # written again where it does not belong: nothing unread is lost
        spare[at_right] = entry
        at_left += np.uint64(1) - goes
        at_right += goes
    for at in range(at_right - np.uint64(start)):
        entries[at_left + at] = spare[np.uint64(start) + at]


@kernel
def apart(
    kept: Any, room: Any, marks: Any, terms: Any, n: float, n_known: float, of_known: float, n_missing: float,
    of_missing: float, feature: int, end: int,
) -> None:  # fmt: skip
    """Let the known values against the missing ones be a candidate."""
    if n_known < terms.least or n_missing < terms.least:
        return
    room[FEATURE], room[KIND], room[LARGEST], room[TO] = feature, MISSING_TEST, 0.0, 1.0
    room[GAIN] = score(n_known, of_known, n_missing, of_missing, n)
    if kept_if_near(kept, room, marks):
        last = int(marks[KEPT]) - 1
        kept[last, END] = end
        kept[last, LOW] = kept[last, HIGH] = -1.0
