"""The best cut of one feature of many values for the classes of a node: scans along its list of rows.

A list holds a node's rows in the order of the feature, each as 32 bits: whether it begins a new value, whether the
value is missing (those stand last), the class, and the row. So a scan reads nothing else.
"""

from typing import Any, NamedTuple

import numpy as np

from treerules._internal.jit import kernel
from treerules.growing.compiled.best_split import (
    ASK,
    CUT,
    END,
    ENTROPY,
    FEATURE,
    GAIN,
    GINI,
    HIGH,
    KIND,
    KNOWN,
    LARGEST,
    LEFT,
    LOW,
    MISSING_TEST,
    NONE,
    TO,
    challenged,
    compared,
    copied,
    slack_of,
    weighed,
    x_log_x,
)
from treerules.growing.compiled.gini_scan import MOST_WHOLE, best_of_many, best_of_two
from treerules.growing.compiled.gini_scan import NEW as NEW

#: The second highest bit of an entry of a list.
MISSING = 30
#: What becomes of missing values while splits are scored: they count for nothing, or go where they help most.
LARGER, LEARNED = range(2)


class Terms(NamedTuple):
    """What splits of all nodes are scored by."""

    #: the place of each feature among those that win ties
    first: Any
    criterion: int
    policy: int
    #: the rows that a child must have
    least: float
    n_sums: int
    #: x log2 x of all counts, of entropies
    x_log_x: Any
    #: of an entry of a list: the bits of its row, and how far those of its class lie above
    row_mask: int
    class_shift: int
    class_mask: int


@kernel
def offered(
    best: Any, room: Any, terms: Any, n: float, left: Any, known: Any, missing: Any, feature: int, kind: int
) -> int:
    """Let a division of the known counts challenge the champion: 0, 1 or 2 as `challenged`; 0 where it does not fit.

    `room` holds the candidate, and what it would be with its missing values on the other side.
    """
    n_sums, least = len(left), terms.least
    one, other = room[0], room[1]
    n_left, n_known, n_missing = 0.0, 0.0, 0.0
    for at in range(n_sums):
        n_left += left[at]
        n_known += known[at]
        n_missing += missing[at]
        one[LEFT + at], one[LEFT + n_sums + at] = left[at], known[at] - left[at]
        one[LEFT + 2 * n_sums + at] = missing[at]
    n_right = n_known - n_left
    one[FEATURE], one[KIND], one[ASK], one[KNOWN] = feature, kind, 0.0, n_known
    one[LARGEST] = 0.0 if n_left >= n_right or kind == MISSING_TEST else 1.0
    one[TO] = 1.0 if kind == MISSING_TEST else one[LARGEST]
    if kind == MISSING_TEST or n_missing == 0 or terms.policy == LARGER:
        if n_left < least or n_right < least:
            return 0
        one[GAIN] = _gain(one, n_sums, terms.criterion)
        return challenged(best, one, terms.first, n, n_sums, terms.criterion)
    fits_left = n_left + n_missing >= least and n_right >= least
    fits_right = n_left >= least and n_right + n_missing >= least
    if not (fits_left or fits_right):
        return 0
    one[KNOWN] = n_known + n_missing
    copied(one, other)
    for at in range(n_sums):
        one[LEFT + at] += missing[at]
        other[LEFT + n_sums + at] += missing[at]
    one[TO], other[TO] = 0.0, 1.0
    one[GAIN], other[GAIN] = _gain(one, n_sums, terms.criterion), _gain(other, n_sums, terms.criterion)
    takes_left = fits_left
    if fits_left and fits_right:
        order = 1 if one[GAIN] > other[GAIN] else -1
        if abs(one[GAIN] - other[GAIN]) <= slack_of(n, terms.criterion):
            order = compared(one, other, n_sums, terms.criterion)
        takes_left = order == 1 or (order == 0 and one[LARGEST] == 0.0)
        if order == 2:
            one[ASK], other[ASK] = 1.0, 1.0
    if not takes_left:
        copied(other, one)
    return challenged(best, one, terms.first, n, n_sums, terms.criterion)


@kernel
def _gain(one: Any, n_sums: int, criterion: int) -> float:
    """Return n times the gain of a candidate's groups."""
    by_left, by_right, by_both, n_left, n_right = 0.0, 0.0, 0.0, 0.0, 0.0
    for at in range(n_sums):
        left, right = one[LEFT + at], one[LEFT + n_sums + at]
        n_left, n_right = n_left + left, n_right + right
        by_left += weighed(left, criterion)
        by_right += weighed(right, criterion)
        by_both += weighed(left + right, criterion)
    if criterion == ENTROPY:
        return by_left + by_right - by_both - x_log_x(n_left) - x_log_x(n_right) + x_log_x(n_left + n_right)
    return by_left / n_left + by_right / n_right - by_both / (n_left + n_right)


@kernel
def bar_of(best: Any, n: float, criterion: int) -> float:
    """Return the gain from which a candidate may win or tie."""
    return (0.0 if best[KIND] == NONE else best[GAIN]) - slack_of(n, criterion)


@kernel
def scanned(
    best: Any, room: Any, terms: Any, entries: Any, base: int, n: int, totals: Any, counts: Any, feature: int
) -> bool:
    """Let all cuts of a list, `n` entries from `base` on, challenge the champion; whether the list is constant."""
    shift, mask, n_sums = terms.class_shift, terms.class_mask, terms.n_sums
    left, known, missing, right = counts.left, counts.known, counts.missing, counts.right
    end = n
    for at in range(n_sums):
        left[at] = missing[at] = 0.0
    while end > 0 and (np.int64(entries[base + end - 1]) >> MISSING) & 1:
        end -= 1
        missing[(np.int64(entries[base + end]) >> shift) & mask] += 1.0
    if end == 0:
        return True
    for at in range(n_sums):
        known[at] = totals[at] - missing[at]
    if is_whole(terms, end, n - end):
        is_constant = _scan_whole(best, room, terms, entries, base, end, n, left, known, missing, counts, feature)
    elif n_sums > 2 or terms.criterion == ENTROPY:
        is_constant = _scan_many(best, room, terms, entries, base, end, n, left, known, missing, right, feature)
    else:
        is_constant = _scan_two(best, room, terms, entries, base, end, n, left, known, missing, totals, feature)
    if end < n and terms.policy == LEARNED:
        for at in range(n_sums):
            right[at] = 0.0
        if offered(best, room, terms, float(n), known, totals, right, feature, MISSING_TEST) == 1:
            best[END] = end
            best[LOW] = best[HIGH] = -1.0
    return is_constant and end == n


@kernel
def _cut_at(best: Any, entries: Any, row_mask: int, base: int, at: int) -> None:
    best[LOW] = np.int64(entries[base + at]) & row_mask
    best[HIGH] = np.int64(entries[base + at + 1]) & row_mask
    best[END] = at + 1


@kernel
def is_whole(terms: Any, n: int, n_missing: float) -> bool:
    """Whether the best cut of a feature is told by sums of squares: not by where its missing values help."""
    return terms.criterion == GINI and n <= MOST_WHOLE and (n_missing == 0 or terms.policy != LEARNED)


@kernel
def _scan_whole(
    best: Any, room: Any, terms: Any, entries: Any, base: int, end: int, n_all: int,
    left: Any, known: Any, missing: Any, counts: Any, feature: int,
) -> bool:  # fmt: skip
    n, shift, mask, whole, seen = float(n_all), terms.class_shift, terms.class_mask, counts.whole, counts.seen
    bar, slack = bar_of(best, n, terms.criterion), slack_of(n, terms.criterion)
    if len(known) == 2:
        at, ones, is_constant = best_of_two(entries, base, end, int(known[1]), shift, bar, slack, terms.least)
        left[1], left[0] = ones, at + 1 - ones
    else:
        for place in range(len(known)):
            whole[place] = np.int64(known[place])
        at, is_constant = best_of_many(entries, base, end, whole, seen, shift, mask, bar, slack, terms.least)
        for place in range(at + 1):
            left[(np.int64(entries[base + place]) >> shift) & mask] += 1.0
    if at >= 0 and offered(best, room, terms, n, left, known, missing, feature, CUT) == 1:
        _cut_at(best, entries, terms.row_mask, base, at)
    return is_constant


@kernel
def _scan_two(
    best: Any, room: Any, terms: Any, entries: Any, base: int, end: int, n_all: int,
    left: Any, known: Any, missing: Any, totals: Any, feature: int,
) -> bool:  # fmt: skip
    """Scan for two classes by Gini, whose gain is 2 d^2 / (n n_left n_right): d = n count - n_left total is whole."""
    n, shift, learned = float(n_all), terms.class_shift, terms.policy == LEARNED and end < n_all
    n_known = n if learned else float(end)
    ones = totals[1] if learned else known[1]
    step, apart, n_missing = n_known - ones, 0.0, 0.0
    if learned:
        n_missing = missing[0] + missing[1]
        apart = missing[1] * n - ones * n_missing
    half = n_known / 2
    bar = max(0.0, bar_of(best, n, terms.criterion)) * half
    distance, count, is_constant = 0.0, 0.0, True
    following = np.int64(entries[base])
    for at in range(end - 1):
        is_one = (following >> shift) & 1
        following = np.int64(entries[base + at + 1])
        count += is_one
        distance += step if is_one else -ones
        if not following >> NEW:
            continue
        is_constant = False
        n_left = at + 1.0
        passes = distance * distance > bar * n_left * (n_known - n_left)
        if learned:
            shifted, n_more = distance + apart, n_left + n_missing
            passes = passes or shifted * shifted > bar * n_more * (n_known - n_more)
        if passes:
            left[1], left[0] = count, n_left - count
            if offered(best, room, terms, n, left, known, missing, feature, CUT) == 1:
                _cut_at(best, entries, terms.row_mask, base, at)
                bar = max(0.0, bar_of(best, n, terms.criterion)) * half
    return is_constant


@kernel
def _scan_many(
    best: Any, room: Any, terms: Any, entries: Any, base: int, end: int, n_all: int,
    left: Any, known: Any, missing: Any, right: Any, feature: int,
) -> bool:  # fmt: skip
    """Scan for any classes and criterion; the purities of both sides grow and shrink with each row."""
    n, shift, mask, entropy = float(n_all), terms.class_shift, terms.class_mask, terms.criterion == ENTROPY
    every = terms.policy == LEARNED and end < n_all
    by_left, by_right, n_known, is_constant, table = 0.0, 0.0, float(end), True, terms.x_log_x
    for at in range(len(known)):
        right[at] = known[at]
        by_right += table[int(known[at])] if entropy else known[at] * known[at]
    own = by_right - table[end] if entropy else by_right / n_known
    bar = bar_of(best, n, terms.criterion) + own
    following = np.int64(entries[base])
    for at in range(end - 1):
        place = (following >> shift) & mask
        following = np.int64(entries[base + at + 1])
        one, other = left[place], right[place]
        if entropy:
            by_left += table[int(one) + 1] - table[int(one)]
            by_right += table[int(other) - 1] - table[int(other)]
        else:
            by_left += 2.0 * one + 1.0
            by_right -= 2.0 * other - 1.0
        left[place], right[place] = one + 1.0, other - 1.0
        if not following >> NEW:
            continue
        is_constant = False
        n_left = at + 1.0
        n_right = n_known - n_left
        if entropy:
            passes = by_left - table[at + 1] + by_right - table[end - at - 1] > bar
        else:
            passes = by_left * n_right + by_right * n_left > bar * n_left * n_right
        if (passes or every) and offered(best, room, terms, n, left, known, missing, feature, CUT) == 1:
            _cut_at(best, entries, terms.row_mask, base, at)
            bar = bar_of(best, n, terms.criterion) + own
    return is_constant
