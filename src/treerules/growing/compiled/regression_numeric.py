"""The cuts of a sorted list of a regression, and the separation of missing values, as candidates."""

from typing import Any

import numpy as np

from treerules._internal.jit import kernel
from treerules.growing.array_tree import CUT, MISSING_TEST
from treerules.growing.compiled.best_split import FEATURE, GAIN, HIGH, KIND, LARGEST_CHILD, LOW, MISSING_CHILD, N_FIRST
from treerules.growing.compiled.class_numeric import MISSING_BIT, NEW_VALUE_BIT
from treerules.growing.compiled.exact_gains import TOO_WIDE
from treerules.growing.compiled.growth_loop import LEARNED
from treerules.growing.compiled.regression_candidates import (
    N_KEPT,
    consider_regression_split,
    keep_if_near_best,
    least_winning_mean_gain,
    mean_gain,
    write_groups,
)

#: The values of a list in a node: all equal, some equal, all different.
CONSTANT, VARIES, DISTINCT = range(3)
#: The number of positions of a list that are tested together; not worth it for at most _SHORT.
_BLOCK, _SHORT = 256, 16


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
    if scale.comparison == TOO_WIDE:
        _sum_wide_list(sums, begin, target, entries, first, n, mask, scale.centre)
        return VARIES
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
def _sum_wide_list(
    sums: Any, begin: int, target: Any, entries: Any, first: int, n: int, mask: int, centre: float
) -> None:
    """Write the cumulative sums of a list, correctly rounded: they exceed the whole numbers that doubles hold."""
    total = np.int64(0)
    for index in range(np.uint64(n)):
        total += np.int64(target[np.uint64(entries[first + index]) & mask] - centre)
        sums[begin + index] = np.float64(total)


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
    write_groups(candidate, n_known, sum_known, n_missing, sum_missing)
    candidate[FEATURE] = feature
    candidate[KIND] = MISSING_TEST
    candidate[LARGEST_CHILD] = 0.0
    candidate[MISSING_CHILD] = 1.0
    candidate[GAIN] = mean_gain(n_known, sum_known, n_missing, sum_missing, n)
    if keep_if_near_best(kept, candidate, search_state):
        last = int(search_state[N_KEPT]) - 1
        kept[last, N_FIRST] = end
        kept[last, LOW] = kept[last, HIGH] = -1.0
