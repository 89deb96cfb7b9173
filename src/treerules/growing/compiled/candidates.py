"""The candidates for the split of a node: those that may be the first within the tolerance of the best.

They come in the order of ties. Where rounding leaves open which of them wins, the reference decides.
"""

from typing import Any, NamedTuple

import numpy as np

from treerules._internal.jit import inlined_kernel, inner_kernel
from treerules.growing.array_tree import MISSING_TEST, SUBSETS
from treerules.growing.compiled.arithmetic import copy_into
from treerules.growing.compiled.gains import (
    UNKNOWN,
    compare_whole,
    gain_of_two,
    is_proportional,
    mean_or_share,
    plain_sum,
)
from treerules.growing.compiled.scoring import GREATEST, LEAST

#: Positions in a record. N_FIRST: the number of list entries of the first child. SLOT: the line of `sides` that holds
#: the children of categories. DIVISOR, SCORE: gain ratio. GROUPS: here begin the statistics of the two groups that are
#: scored.
GAIN, FEATURE, KIND, LOW, HIGH, MISSING_CHILD, LARGEST_CHILD, N_FIRST, SLOT, DIVISOR, SCORE, GROUPS = range(12)
#: Positions in the state of a search: the tolerance and the error of gains; the best gain, and the best one of
#: candidates that could not be compared; the number of candidates kept, and the number ever kept; whether gains are
#: compared exactly; what multiplies bounds on impurity and gain. Where features have costs, the gains here and in
#: records are divided by them. The least size of a child, and the number of cuts of C4.5 as published. The index of
#: the table that holds the statistics of codes that are bytes, plus 1; 0 before they are counted. Whether the candidate
#: ties with the kept one, subsets of the same feature: their first sides decide.
TOLERANCE, ERROR, BEST, OPEN, N_KEPT, N_EVER, IS_EXACT, UNIT, LEAST_SIZE, N_CUTS, TABLE, IS_TIED = range(12)
N_STATES = 12
#: At most this many candidates are kept.
MOST_KEPT = 16
#: Children within this share of the weight of all are equally large.
EQUAL = 1e-12
#: Predictions from rounded sums may differ by this share from those of sums in another order.
_ROUNDING = 1e-9


class Search(NamedTuple):
    """The work arrays of the search of a node."""

    state: Any
    #: records, shape (MOST_KEPT, length); the current one; the best of each feature, shape (features, length)
    kept: Any
    candidate: Any
    finalists: Any
    #: the child of each code, by slot
    sides: Any
    #: the greatest gain of each feature
    best_of: Any
    #: the weight and the sum of the first rows of a list, shape (rows,)
    sizes: Any
    sums: Any
    #: the cuts of a list that may win, or four counts of each class
    noted: Any
    #: statistics of groups
    totals: Any
    known: Any
    missing: Any
    left: Any
    right: Any
    one: Any
    other: Any


@inner_kernel
def offer(search: Any, scoring: Any, feature: int, kind: int, left_child: int) -> bool:
    """Let the split of the known rows into `left` and the rest be a candidate; return whether it is kept, as the last.

    `left_child` is the child that `left` is.
    """
    left, right, missing, k, least = search.left, search.right, search.missing, scoring.n_sums, search.state[LEAST_SIZE]
    write_right(search, scoring)
    if not is_monotone(search, scoring, feature):
        return False
    n_left, n_right = plain_sum(left, scoring.n_weights), plain_sum(right, scoring.n_weights)
    n_first, n_second = (n_left, n_right) if left_child == 0 else (n_right, n_left)
    largest = 0 if n_first >= n_second - EQUAL * (n_left + n_right) else 1
    one, other, missing_child = left, right, largest
    if scoring.is_learned and missing[k] > 0:
        missing_child = _child_of_missing(search, scoring, feature, left_child, largest)
        if missing_child < 0:
            return False
        if missing_child == left_child:
            one = search.one
        else:
            other = search.other
    elif left[k] < least or right[k] < least:
        return False
    return _keep(search, scoring, one, other, feature, kind, missing_child, largest)


@inner_kernel
def write_right(search: Any, scoring: Any) -> None:
    """Write the statistics of the known rows that are not in `left`."""
    for index in range(scoring.n_sums + 1):
        search.right[index] = search.known[index] - search.left[index]


@inner_kernel
def is_monotone(search: Any, scoring: Any, feature: int) -> bool:
    """Return whether the predictions of `left` and `right` are within the bounds and in the feature's direction.

    They may be anything where the feature has no direction. Where rounded sums leave the answer open, the reference
    must decide.
    """
    if not scoring.has_directions or scoring.directions[feature] == 0:
        return True
    left, right, scale = search.left, search.right, scoring.scale
    one, other = mean_or_share(left, scoring), mean_or_share(right, scoring)
    distance = (other - one) * scoring.directions[feature]
    room = min(distance, min(one, other) - scale[LEAST], scale[GREATEST] - max(one, other))
    if scoring.is_rounded and abs(room) <= _ROUNDING * max(abs(one), abs(other)):
        search.best_of[feature] = search.state[OPEN] = np.inf
        return False
    return bool(distance >= 0 and min(one, other) >= scale[LEAST] and max(one, other) <= scale[GREATEST])


@inlined_kernel
def _child_of_missing(search: Any, scoring: Any, feature: int, left_child: int, largest: int) -> int:
    """Return the child in which missing values help more, of equal ones the largest; -1 where no child is large enough.

    The groups with the missing values are written: `one` is the left one, `other` the right one.
    """
    left, right, missing, one, other = search.left, search.right, search.missing, search.one, search.other
    k, least = scoring.n_sums, search.state[LEAST_SIZE]
    fits_left = left[k] + missing[k] >= least and right[k] >= least
    fits_right = left[k] >= least and right[k] + missing[k] >= least
    if not (fits_left or fits_right):
        return -1
    for label in range(k):
        one[label], other[label] = left[label] + missing[label], right[label] + missing[label]
    gain_left = gain_of_two(one, right, scoring) if fits_left else -1.0
    gain_right = gain_of_two(left, other, scoring) if fits_right else -1.0
    order = 1 if gain_left > gain_right else -1
    if fits_left and fits_right:
        order = _order_of_sides(search, scoring, feature, gain_left, gain_right)
    return largest if order == 0 else (left_child if order > 0 else 1 - left_child)


@inner_kernel
def _order_of_sides(search: Any, scoring: Any, feature: int, gain_left: float, gain_right: float) -> int:
    """Return 1, 0 or -1 where missing values gain more on the left, equally, or less.

    Where that is not clear, the reference must decide if the gain is near the best.
    """
    state, k, distance, error = search.state, scoring.n_sums, abs(gain_left - gain_right), 2 * search.state[ERROR]
    order = 1 if gain_left > gain_right else -1
    if distance > state[TOLERANCE] + error:
        return order
    if state[IS_EXACT]:
        candidate, spare = search.candidate, search.kept[MOST_KEPT]
        for label in range(k):
            candidate[GROUPS + label], candidate[GROUPS + k + label] = search.one[label], search.right[label]
            spare[GROUPS + label], spare[GROUPS + k + label] = search.left[label], search.other[label]
        order = compare_whole(candidate, spare, GROUPS, scoring)
        if order != UNKNOWN:
            return order
    elif distance <= state[TOLERANCE] - error:
        return 0
    state[OPEN] = max(state[OPEN], max(gain_left, gain_right) / scoring.costs[feature], error)
    return 0


@inner_kernel
def offer_missing_test(search: Any, scoring: Any, feature: int) -> bool:
    """Let the separation of known rows from those with a missing value be a candidate."""
    known, missing, k = search.known, search.missing, scoring.n_sums
    if known[k] < scoring.least or missing[k] < scoring.least or known[k] <= 0 or missing[k] <= 0:
        return False
    return _keep(search, scoring, known, missing, feature, MISSING_TEST, 1, 0)


@inlined_kernel
def _keep(
    search: Any, scoring: Any, one: Any, other: Any, feature: int, kind: int, missing_child: int, largest: int
) -> bool:
    """Keep the candidate of two groups if it may win; return whether it is kept."""
    state, candidate, k = search.state, search.candidate, scoring.n_sums
    gain = gain_of_two(one, other, scoring) / scoring.costs[feature]
    search.best_of[feature] = max(search.best_of[feature], gain)
    candidate[GAIN], candidate[FEATURE], candidate[KIND] = gain, feature, kind
    candidate[MISSING_CHILD], candidate[LARGEST_CHILD] = missing_child, largest
    if gain < state[BEST] - state[TOLERANCE] - 2 * state[ERROR]:
        return False
    for label in range(k):
        candidate[GROUPS + label], candidate[GROUPS + k + label] = one[label], other[label]
    return keep_exactly(search, scoring) if state[IS_EXACT] else keep_near(search, scoring)


@inlined_kernel
def keep_exactly(search: Any, scoring: Any) -> bool:
    """Keep the candidate alone if its score, of whole numbers, is greater than that of the kept one."""
    state, candidate, kept, k = search.state, search.candidate, search.kept, scoring.n_sums
    gain, error = candidate[GAIN], 2 * state[ERROR]
    is_open = False
    if gain <= error:
        has_none = is_proportional(candidate[GROUPS : GROUPS + k], candidate[GROUPS + k :], scoring)
        if has_none == 1:
            return False
        is_open = has_none == UNKNOWN
    order = 1
    if state[N_KEPT] > 0 and gain <= state[BEST] + error:
        order = compare_whole(candidate, kept[0], GROUPS, scoring)
        costs, feature, kept_feature = scoring.costs, int(candidate[FEATURE]), int(kept[0, FEATURE])
        if scoring.has_costs and (order != 0 or costs[feature] != costs[kept_feature]):  # divided scores are rounded
            order = UNKNOWN
        if order == 0 and candidate[KIND] == SUBSETS and kept_feature == feature and kept[0, KIND] == SUBSETS:
            state[IS_TIED] = 1.0  # subsets of one feature do not come in the order of ties
    if is_open or order == UNKNOWN:
        state[OPEN] = max(state[OPEN], gain, error, state[BEST])
        return False
    if order <= 0:
        return False
    return keep_alone(search)


@inner_kernel
def keep_alone(search: Any) -> bool:
    """Keep the candidate instead of those kept."""
    search.state[N_KEPT] = 0.0
    return _append(search)


@inlined_kernel
def keep_near(search: Any, scoring: Any) -> bool:
    """Keep the candidate if its score is greater than all before; drop those that it leaves behind."""
    state, candidate = search.state, search.candidate
    gain, error = candidate[GAIN], 2 * state[ERROR]
    over = gain * scoring.costs[int(candidate[FEATURE])] - state[TOLERANCE]  # a gain within the tolerance is none
    if over <= error:
        if over > -error:
            state[OPEN] = max(state[OPEN], gain, error)
        return False
    if candidate[KIND] == SUBSETS:
        _note_near_subsets(search, gain, state[TOLERANCE] + error)
    if state[N_KEPT] and gain <= state[BEST]:
        if gain >= state[BEST] + state[TOLERANCE] - error:  # it may be better by more than the tolerance
            state[OPEN] = max(state[OPEN], gain)
        return False
    _drop_below(search, gain - state[TOLERANCE] - error)
    if state[N_KEPT] == MOST_KEPT:
        state[OPEN] = max(state[OPEN], gain)
        state[N_KEPT] -= 1
    return _append(search)


@inner_kernel
def _note_near_subsets(search: Any, gain: float, reach: float) -> None:
    """Note that only the reference can decide among subsets of one feature that are near: they come in any order."""
    state, kept = search.state, search.kept
    for index in range(int(state[N_KEPT])):
        if kept[index, FEATURE] == search.candidate[FEATURE] and abs(gain - kept[index, GAIN]) <= reach:
            state[OPEN] = max(state[OPEN], gain, kept[index, GAIN])


@inner_kernel
def _drop_below(search: Any, least: float) -> None:
    """Drop the kept candidates whose gain is below a number; gains ascend."""
    state, kept, n_dropped = search.state, search.kept, 0
    n_kept = int(state[N_KEPT])
    while n_dropped < n_kept and kept[n_dropped, GAIN] < least:
        n_dropped += 1
    if n_dropped:
        for index in range(n_dropped, n_kept):
            copy_into(kept[index], kept[index - n_dropped])
        state[N_KEPT] = n_kept - n_dropped


@inner_kernel
def _append(search: Any) -> bool:
    """Keep the candidate behind those that are kept."""
    state, kept = search.state, search.kept
    last = int(state[N_KEPT])
    copy_into(search.candidate, kept[last])
    kept[last, SLOT] = state[N_EVER] % (2 * MOST_KEPT)
    state[N_KEPT], state[N_EVER] = last + 1, state[N_EVER] + 1
    state[BEST] = max(state[BEST], search.candidate[GAIN])
    return True


@inner_kernel
def winner(search: Any) -> int:
    """Return the index of the kept candidate that wins; -1: there is none; -2: the reference must decide."""
    state, kept = search.state, search.kept
    reach = state[TOLERANCE] + 2 * state[ERROR]
    if state[OPEN] > 0 and state[OPEN] >= state[BEST] - reach:
        return -2
    if state[N_KEPT] == 0:
        return -1
    if state[IS_EXACT]:
        return 0
    last, index = int(state[N_KEPT]) - 1, 0
    while index < last and kept[index, GAIN] < state[BEST] - reach:
        index += 1
    is_clear = index == last or kept[index, GAIN] >= state[BEST] - state[TOLERANCE] + 2 * state[ERROR]
    return index if is_clear else -2
