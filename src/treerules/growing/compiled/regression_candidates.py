"""The candidates for the split of a node of a regression, scored to the last bit as the reference scores them.

Sums of targets are rounded, so ties are decided by a tolerance and not exactly. Therefore everything is summed in
the order of the reference, and candidates come in the order of ties. Those within the tolerance of the best are
kept, and the first of them wins.

Groups of rows are described by their size and by the sum of their targets, centred and scaled as in `TargetScale`.
"""

from typing import Any, NamedTuple

import numpy as np

from treerules._internal.jit import kernel
from treerules.growing.array_tree import CUT, SUBSETS
from treerules.growing.compiled.best_split import (
    FEATURE,
    GAIN,
    KIND,
    LARGEST_CHILD,
    MISSING_CHILD,
    SUMS,
    copy_into,
)
from treerules.growing.compiled.exact_gains import (
    BY_TOLERANCE,
    EXACTLY,
    N_ONE,
    N_TWO,
    SUM_ONE,
    SUM_TWO,
    TOO_WIDE,
    UNKNOWN,
    compare_gains,
    compare_sides,
    has_gain,
)
from treerules.growing.compiled.growth_loop import LEARNED
from treerules.growing.compiled.regression_arrays import MOST_KEPT

#: Positions in `search_state`: the tolerance of ties and the slack of rounding, the greatest score, the greatest score
#: of candidates whose order is unknown here, the number of candidates kept, and the number that was ever kept; how
#: gains are compared (see `exact_gains`): if exactly, at most one candidate is kept.
TOLERANCE, SLACK, BEST_GAIN, UNCERTAIN_GAIN, N_KEPT, N_KEPT_EVER, COMPARISON = range(7)
#: Position in a record: the line of `kept_sides` with the sides of the candidate's categories.
SLOT = SUMS


@kernel
def mean_gain(n_left: float, left: float, n_right: float, right: float, n: float) -> float:
    """Return the decrease of the squared error by two groups, as a share of n rows."""
    total = left + right
    return ((left * left / n_left + right * right / n_right) - total * total / (n_left + n_right)) / n


class GreatestSplit(NamedTuple):
    """The cut of the target of greatest gain: no split of its rows gains more."""

    gain: float
    #: the size and the sum of the first side
    n_left: float
    sum_left: float
    #: whether all other cuts gain less, beyond rounding
    is_unique: bool


NO_SPLIT = GreatestSplit(0.0, 0.0, 0.0, False)


@kernel
def greatest_split(target: Any, rows: Any, scale: Any, slack: float) -> Any:
    """Return the greatest split of rows that are in the order of the target."""
    n, total, left, gain, n_left, sum_left, is_unique = len(rows), 0.0, 0.0, 0.0, 0.0, 0.0, False
    for index in range(n):
        total += (target[rows[index]] - scale.centre) * scale.factor
    for index in range(n - 1):
        left += (target[rows[index]] - scale.centre) * scale.factor
        size = index + 1.0
        gain_here = mean_gain(size, left, n - size, total - left, float(n))
        if gain_here > gain:
            is_unique = gain_here > gain + slack
            gain, n_left, sum_left = gain_here, size, left
        elif gain_here >= gain - slack:
            is_unique = False
    return GreatestSplit(gain, n_left, sum_left, is_unique)


@kernel
def is_greatest(record: Any, greatest: Any, search_state: Any) -> bool:
    """Return whether no split gains more than that of a record, beyond the tolerance."""
    if search_state[COMPARISON] == BY_TOLERANCE:
        return bool(record[GAIN] >= greatest.gain - 0.5 * search_state[TOLERANCE])
    if search_state[COMPARISON] == TOO_WIDE or not greatest.is_unique:
        return False
    is_first = record[N_ONE] == greatest.n_left and record[SUM_ONE] == greatest.sum_left
    return bool(is_first or (record[N_TWO] == greatest.n_left and record[SUM_TWO] == greatest.sum_left))


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
        write_groups(candidate, n_left, sum_left, n_right, sum_right)
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
        is_left_less = gain_left < gain - search_state[TOLERANCE]
        is_right_less = gain_right < gain - search_state[TOLERANCE]
        write_groups(candidate, n_left + n_missing, sum_left + sum_missing, n_right, sum_right)
        if search_state[COMPARISON] != BY_TOLERANCE:
            order = (
                1
                if not fits_right
                else (
                    -1
                    if not fits_left
                    else order_of_sides(gain_left, gain_right, candidate, search_state, n_missing, sum_missing)
                )
            )
            is_left_less, is_right_less = order < 0, order == 1
        if is_left_less:
            write_groups(candidate, n_left, sum_left, n_right + n_missing, sum_right + sum_missing)
        if is_left_less or is_right_less:
            missing_child = left_child if is_right_less else 1.0 - left_child
    if search_state[COMPARISON] == BY_TOLERANCE and (
        gain <= search_state[TOLERANCE] or (kind == CUT and search_state[N_KEPT] and gain <= search_state[BEST_GAIN])
    ):
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
    if search_state[COMPARISON] != BY_TOLERANCE:
        return _keep_if_best(kept, candidate, search_state)
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
def _keep_if_best(kept: Any, candidate: Any, search_state: Any) -> bool:
    """Keep a candidate alone if its gain is greater than that of the kept one, compared exactly; return whether it is.

    Where gains are near and cannot be compared here, the reference decides.
    """
    gain, slack, best_gain, n_kept = candidate[GAIN], search_state[SLACK], search_state[BEST_GAIN], search_state[N_KEPT]
    if gain < best_gain - slack and n_kept:
        return False
    is_narrow = search_state[COMPARISON] == EXACTLY
    if gain <= slack and is_narrow and not has_gain(candidate):
        return False
    is_unknown = gain <= slack and not is_narrow
    if n_kept and gain <= best_gain + slack:
        order = compare_gains(candidate, kept[0]) if is_narrow else UNKNOWN
        is_unknown = order == UNKNOWN
        if order == 0:  # subsets of one feature do not come in the order of ties
            is_unknown = candidate[KIND] == SUBSETS and kept[0, FEATURE] == candidate[FEATURE]
        if order <= 0 and not is_unknown:
            return False
    if is_unknown:
        search_state[UNCERTAIN_GAIN] = max(search_state[UNCERTAIN_GAIN], gain, slack)
        return False
    search_state[BEST_GAIN] = max(gain, best_gain)
    copy_into(candidate, kept[0])
    kept[0, SLOT] = search_state[N_KEPT_EVER] % (2 * MOST_KEPT)
    search_state[N_KEPT], search_state[N_KEPT_EVER] = 1, search_state[N_KEPT_EVER] + 1
    return True


@kernel
def write_groups(record: Any, n_one: float, sum_one: float, n_two: float, sum_two: float) -> None:
    """Write the sizes and sums of the two groups from which a gain is computed."""
    record[N_ONE], record[SUM_ONE], record[N_TWO], record[SUM_TWO] = n_one, sum_one, n_two, sum_two


@kernel
def order_of_sides(
    gain_left: float, gain_right: float, candidate: Any, search_state: Any, n_missing: float, sum_missing: float
) -> int:
    """Return 1, 0 or -1 where missing values gain more on the left, equally, or less; the candidate has them there."""
    if abs(gain_left - gain_right) > search_state[SLACK]:
        return 1 if gain_left > gain_right else -1
    order = UNKNOWN
    if search_state[COMPARISON] == EXACTLY:
        order = compare_sides(candidate, n_missing, sum_missing)
    if order == UNKNOWN:
        search_state[UNCERTAIN_GAIN] = max(search_state[UNCERTAIN_GAIN], gain_left, gain_right)
        return 0
    return order


@kernel
def least_winning_mean_gain(search_state: Any) -> float:
    """Return the score below which a candidate cannot be kept; negative where any that is not exactly 0 is kept."""
    if search_state[COMPARISON] != BY_TOLERANCE and not search_state[N_KEPT]:
        return -1.0
    return max(0.0, search_state[BEST_GAIN] - search_state[SLACK]) if search_state[N_KEPT] else 0.0
