"""The best splits of one feature for a regression, scored to the last bit as the reference scores them.

Sums of targets are rounded, so ties are decided by a tolerance and not exactly. Therefore everything is summed in
the order of the reference, and candidates come in the order of ties. Those within the tolerance of the best are
kept, and the first of them wins.

Groups of rows are described by their size and by the sum of their targets, centred and scaled as in `TargetScale`.
"""

from typing import Any

import numpy as np

from treerules._internal.jit import kernel
from treerules.growing.array_tree import CUT, MISSING_TEST, SUBSETS
from treerules.growing.compiled.best_split import (
    FEATURE,
    GAIN,
    HIGH,
    KIND,
    LARGEST_CHILD,
    LOW,
    MISSING_CHILD,
    N_FIRST,
    SUMS,
    copy_into,
)
from treerules.growing.compiled.class_numeric import MISSING_BIT, NEW_VALUE_BIT
from treerules.growing.compiled.growth_loop import LEARNED
from treerules.growing.compiled.regression_arrays import MOST_KEPT

#: Positions in `search_state`: the tolerance of ties and the slack of rounding, the greatest score, the greatest score
#: of candidates whose order is unknown here, the number of candidates kept, and the number that was ever kept.
TOLERANCE, SLACK, BEST_GAIN, UNCERTAIN_GAIN, N_KEPT, N_KEPT_EVER = range(6)
#: The values of a list in a node: all equal, some equal, all different.
CONSTANT, VARIES, DISTINCT = range(3)
#: The number of positions of a list that are tested together; not worth it for at most _SHORT.
_BLOCK, _SHORT = 256, 16
#: Position in a record: the line of `kept_sides` with the sides of the candidate's categories.
SLOT = SUMS


@kernel
def mean_gain(n_left: float, left: float, n_right: float, right: float, n: float) -> float:
    """Return the decrease of the squared error by two groups, as a share of n rows."""
    total = left + right
    return ((left * left / n_left + right * right / n_right) - total * total / (n_left + n_right)) / n


@kernel
def greatest_gain(target: Any, rows: Any, scale: Any) -> float:
    """Return the greatest gain of any split of rows in the order of the target: that of a cut of the target."""
    n, total, left, greatest = len(rows), 0.0, 0.0, 0.0
    for index in range(n):
        total += (target[rows[index]] - scale.centre) * scale.factor
    for index in range(n - 1):
        left += (target[rows[index]] - scale.centre) * scale.factor
        greatest = max(greatest, mean_gain(index + 1.0, left, n - index - 1.0, total - left, float(n)))
    return greatest


@kernel
def consider_regression_split(
    kept: Any, candidate: Any, search_state: Any, scoring: Any, n: float, n_left: float, sum_left: float,
    n_known: float, sum_known: float, n_missing: float, sum_missing: float, feature: int, kind: int, is_first: bool,
) -> bool:  # fmt: skip
    """Let a split of the rows with known values be a candidate; return whether it is kept, as the last one.

    Groups are given by their size and sum; `is_first` says whether the left group is the first child. With LEARNED,
    missing values go to the child where they help more; within the tolerance to the larger one.
    """
    least = scoring.least
    n_right = n_known - n_left
    sum_right = sum_known - sum_left
    left_child = 0.0 if is_first else 1.0
    largest = left_child if n_left > n_right else (1.0 - left_child if n_left < n_right else 0.0)
    missing_child = largest
    if n_missing == 0 or scoring.missing_policy != LEARNED:
        if n_left < least or n_right < least:
            return False
        gain = mean_gain(n_left, sum_left, n_right, sum_right, n)
    else:
        fits_left = n_left + n_missing >= least and n_right >= least
        fits_right = n_left >= least and n_right + n_missing >= least
        if not (fits_left or fits_right):
            return False
        gain_left = (
            mean_gain(n_left + n_missing, sum_left + sum_missing, n_right, sum_right, n) if fits_left else -np.inf
        )
        gain_right = (
            mean_gain(n_left, sum_left, n_right + n_missing, sum_right + sum_missing, n) if fits_right else -np.inf
        )
        gain = max(gain_left, gain_right)
        tied_left = gain_left >= gain - search_state[TOLERANCE]
        tied_right = gain_right >= gain - search_state[TOLERANCE]
        if not (tied_left and tied_right):
            missing_child = left_child if tied_left else 1.0 - left_child
    if gain <= search_state[TOLERANCE] or (kind == CUT and search_state[N_KEPT] and gain <= search_state[BEST_GAIN]):
        return False
    candidate[GAIN] = gain
    candidate[FEATURE] = feature
    candidate[KIND] = kind
    candidate[LARGEST_CHILD] = largest
    candidate[MISSING_CHILD] = missing_child
    return keep_if_near_best(kept, candidate, search_state)


@kernel
def keep_if_near_best(kept: Any, candidate: Any, search_state: Any) -> bool:
    """Keep a candidate that is the best so far, next to those within the tolerance of it; return whether it is kept."""
    gain, tolerance, n_kept = candidate[GAIN], search_state[TOLERANCE], int(search_state[N_KEPT])
    if gain <= tolerance:
        return False
    if candidate[KIND] == SUBSETS:  # subsets of one feature do not come in the order of ties
        for index in range(n_kept):
            if kept[index, FEATURE] == candidate[FEATURE] and abs(gain - kept[index, GAIN]) <= tolerance:
                search_state[UNCERTAIN_GAIN] = max(search_state[UNCERTAIN_GAIN], gain, kept[index, GAIN])
    if n_kept and gain <= search_state[BEST_GAIN]:
        return False
    search_state[BEST_GAIN] = gain
    n_dropped = 0
    while n_dropped < n_kept and kept[n_dropped, GAIN] < gain - tolerance:
        n_dropped += 1
    if n_dropped:
        for index in range(n_dropped, n_kept):
            copy_into(kept[index], kept[index - n_dropped])
        n_kept -= n_dropped
    if n_kept == MOST_KEPT:
        search_state[UNCERTAIN_GAIN] = gain
        n_kept -= 1
    copy_into(candidate, kept[n_kept])
    kept[n_kept, SLOT] = search_state[N_KEPT_EVER] % (2 * MOST_KEPT)
    search_state[N_KEPT], search_state[N_KEPT_EVER] = n_kept + 1, search_state[N_KEPT_EVER] + 1
    return True


@kernel
def least_winning_mean_gain(search_state: Any) -> float:
    """Return the score below which a candidate cannot be kept."""
    return max(0.0, search_state[BEST_GAIN] - search_state[SLACK]) if search_state[N_KEPT] else 0.0


@kernel
def scan_regression_list(
    kept: Any, candidate: Any, search_state: Any, scoring: Any, scale: Any, target: Any, entries: Any, base: int,
    n: int, sums: Any, start: int, feature: int,
) -> int:  # fmt: skip
    """Let all cuts of a list be candidates; return whether it is CONSTANT, VARIES or DISTINCT.

    The list are the n entries from `base` on. `sums` is a work array, used from `start` on. Indices are unsigned,
    which saves numba the code for negative ones.
    """
    mask, first, begin, end = np.uint64(scoring.row_mask), np.uint64(base), np.uint64(start), n
    while end > 0 and (np.int64(entries[base + end - 1]) >> MISSING_BIT) & 1:
        end -= 1
    if end == 0:
        return CONSTANT
    variety = _sum_list(sums, begin, target, entries, first, n, mask, scale)
    sum_known = sums[start + end - 1]
    n_missing, sum_missing = float(n - end), sums[start + n - 1] - sum_known if end < n else 0.0
    is_learned, n_known, n_rows = end < n and scoring.missing_policy == LEARNED, float(end), float(n)
    bar, done, last = least_winning_mean_gain(search_state) * n_rows * n_known, 0, end - 1
    while done < last:
        stop = min(done + _BLOCK, last)
        if not (is_learned or stop - done <= _SHORT or _any_passes(sums, start, done, stop, sum_known, n_known, bar)):
            done = stop
            continue
        for index in range(np.uint64(done), np.uint64(stop)):
            next_entry = np.uint64(entries[first + index + np.uint64(1)])
            n_left, sum_left = np.int64(index) + 1.0, sums[begin + index]
            distance = sum_left * n_known - sum_known * n_left
            is_cut = next_entry >> np.uint64(NEW_VALUE_BIT)
            passes = is_learned or distance * distance > bar * n_left * (n_known - n_left)
            if is_cut and passes and consider_regression_split(
                kept, candidate, search_state, scoring, n_rows, n_left, sum_left, n_known, sum_known, n_missing,
                sum_missing, feature, CUT, True,
            ):  # fmt: skip
                record = kept[int(search_state[N_KEPT]) - 1]
                record[LOW] = np.uint64(entries[first + index]) & mask
                record[HIGH] = next_entry & mask
                record[N_FIRST] = np.int64(index) + 1
                bar = least_winning_mean_gain(search_state) * n_rows * n_known
        done = stop
    if is_learned:
        consider_missing_test(
            kept, candidate, search_state, scoring, n_rows, n_known, sum_known, n_missing, sum_missing, feature, end
        )
    return variety


@kernel
def _sum_list(sums: Any, begin: int, target: Any, entries: Any, first: int, n: int, mask: int, scale: Any) -> int:
    """Write the cumulative sums of a list; return CONSTANT, VARIES or DISTINCT. Missing is one more value."""
    centre, factor, entry = scale.centre, scale.factor, np.uint64(entries[first])
    total = 0.0 + (target[entry & mask] - centre) * factor
    sums[begin], all_bits, any_bits = total, entry, np.uint64(0)
    for index in range(np.uint64(1), np.uint64(n)):
        entry = np.uint64(entries[first + index])
        all_bits &= entry
        any_bits |= entry
        total += (target[entry & mask] - centre) * factor
        sums[begin + index] = total
    if not any_bits >> np.uint64(NEW_VALUE_BIT):
        return CONSTANT
    return DISTINCT if all_bits >> np.uint64(NEW_VALUE_BIT) else VARIES


@kernel
def _any_passes(sums: Any, start: int, done: int, stop: int, sum_known: float, n_known: float, bar: float) -> bool:
    """Return whether some position of a block would exceed the bar if it were a cut; without branches, for SIMD."""
    n_passing = np.int32(0)
    sums_left = sums[start + done : start + stop]
    for index in range(np.int32(stop - done)):
        n_left = np.float64(np.int32(done) + np.int32(index) + np.int32(1))
        distance = sums_left[index] * n_known - sum_known * n_left
        n_passing += np.int32(distance * distance > bar * n_left * (n_known - n_left))
    return n_passing > 0


@kernel
def consider_missing_test(
    kept: Any, candidate: Any, search_state: Any, scoring: Any, n: float, n_known: float, sum_known: float,
    n_missing: float, sum_missing: float, feature: int, end: int,
) -> None:  # fmt: skip
    """Let the separation of known values from missing ones be a candidate."""
    if n_known < scoring.least or n_missing < scoring.least:
        return
    candidate[FEATURE] = feature
    candidate[KIND] = MISSING_TEST
    candidate[LARGEST_CHILD] = 0.0
    candidate[MISSING_CHILD] = 1.0
    candidate[GAIN] = mean_gain(n_known, sum_known, n_missing, sum_missing, n)
    if keep_if_near_best(kept, candidate, search_state):
        last = int(search_state[N_KEPT]) - 1
        kept[last, N_FIRST] = end
        kept[last, LOW] = kept[last, HIGH] = -1.0
