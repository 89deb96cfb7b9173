"""The candidates for the split of a node: those that may be the first within the tolerance of the best.

They come in the order of ties. Where rounding leaves open which of them wins, the reference decides.
"""

from typing import Any, NamedTuple

from treerules._internal.jit import inner_kernel
from treerules.growing.array_tree import MISSING_TEST, SUBSETS
from treerules.growing.compiled.best_split import copy_into
from treerules.growing.general.gains import (
    UNKNOWN,
    compare_whole,
    gain_of_two,
    is_proportional,
    plain_sum,
)

#: Positions in a record. N_FIRST: the number of list entries of the first child. SLOT: the line of `sides` that holds
#: the children of categories. DIVISOR, SCORE: gain ratio. GROUPS: here begin the class weights of the two groups that
#: are scored.
GAIN, FEATURE, KIND, LOW, HIGH, MISSING_CHILD, LARGEST_CHILD, N_FIRST, SLOT, DIVISOR, SCORE, GROUPS = range(12)
#: Positions in the state of a search: the tolerance and the error of gains; the best gain, and the best one of
#: candidates that could not be compared; the number of candidates kept, and the number ever kept; whether gains are
#: compared exactly.
TOLERANCE, ERROR, BEST, OPEN, N_KEPT, N_EVER, IS_EXACT = range(7)
#: At most this many candidates are kept.
MOST_KEPT = 16
#: Products of whole weights up to this are whole doubles.
_MOST_PROPORTIONAL = 2.0**26
#: Children within this share of the weight of all are equally large.
_EQUAL = 1e-12


class Scoring(NamedTuple):
    """The scoring parameters of a tree."""

    criterion: int
    #: the factor of each class
    factors: Any
    n_classes: int
    #: the least size of a child
    least: float
    #: whether missing values go to the child where they help more
    is_learned: bool
    #: whether features compete by gain ratio
    has_divisor: bool
    #: the weight of each row, in the order of the problem; one entry where `has_weights` is false
    weights: Any
    has_weights: bool
    #: whether least numbers of rows count rows
    counts_rows: bool


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
    left, right, known, missing, k = search.left, search.right, search.known, search.missing, scoring.n_classes
    for index in range(k + 1):
        right[index] = known[index] - left[index]
    n_left, n_right = plain_sum(left, k), plain_sum(right, k)
    n_first, n_second = (n_left, n_right) if left_child == 0 else (n_right, n_left)
    largest = 0 if n_first >= n_second - _EQUAL * (n_left + n_right) else 1
    if scoring.is_learned and missing[k] > 0:
        return _offer_filled(search, scoring, feature, kind, left_child, largest)
    if left[k] < scoring.least or right[k] < scoring.least:
        return False
    return _keep(search, scoring, left, right, feature, kind, largest, largest)


@inner_kernel
def _offer_filled(search: Any, scoring: Any, feature: int, kind: int, left_child: int, largest: int) -> bool:
    """Let the better of two splits be a candidate: missing values go to the left group, or to the right one."""
    left, right, missing, one, other = search.left, search.right, search.missing, search.one, search.other
    k, least = scoring.n_classes, scoring.least
    fits_left = left[k] + missing[k] >= least and right[k] >= least
    fits_right = left[k] >= least and right[k] + missing[k] >= least
    if not (fits_left or fits_right):
        return False
    for label in range(k):
        one[label], other[label] = left[label] + missing[label], right[label] + missing[label]
    gain_left = gain_of_two(one, right, scoring.factors, scoring.criterion) if fits_left else -1.0
    gain_right = gain_of_two(left, other, scoring.factors, scoring.criterion) if fits_right else -1.0
    order = 1 if gain_left > gain_right else -1
    if fits_left and fits_right:
        order = _order_of_sides(search, scoring, gain_left, gain_right)
    missing_child = largest if order == 0 else (left_child if order > 0 else 1 - left_child)
    if missing_child == left_child:
        return _keep(search, scoring, one, right, feature, kind, missing_child, largest)
    return _keep(search, scoring, left, other, feature, kind, missing_child, largest)


@inner_kernel
def _order_of_sides(search: Any, scoring: Any, gain_left: float, gain_right: float) -> int:
    """Return 1, 0 or -1 where missing values gain more on the left, equally, or less.

    Where that is not clear, the reference must decide if the gain is near the best.
    """
    state, k, distance, error = search.state, scoring.n_classes, abs(gain_left - gain_right), 2 * search.state[ERROR]
    order = 1 if gain_left > gain_right else -1
    if distance > state[TOLERANCE] + error:
        return order
    if state[IS_EXACT]:
        candidate, spare = search.candidate, search.kept[MOST_KEPT]
        for label in range(k):
            candidate[GROUPS + label], candidate[GROUPS + k + label] = search.one[label], search.right[label]
            spare[GROUPS + label], spare[GROUPS + k + label] = search.left[label], search.other[label]
        order = compare_whole(candidate, spare, GROUPS, k)
        if order != UNKNOWN:
            return order
    elif distance <= state[TOLERANCE] - error:
        return 0
    state[OPEN] = max(state[OPEN], gain_left, gain_right)
    return 0


@inner_kernel
def offer_missing_test(search: Any, scoring: Any, feature: int) -> bool:
    """Let the separation of known rows from those with a missing value be a candidate."""
    known, missing, k = search.known, search.missing, scoring.n_classes
    if known[k] < scoring.least or missing[k] < scoring.least or known[k] <= 0 or missing[k] <= 0:
        return False
    return _keep(search, scoring, known, missing, feature, MISSING_TEST, 1, 0)


@inner_kernel
def _keep(
    search: Any, scoring: Any, one: Any, other: Any, feature: int, kind: int, missing_child: int, largest: int
) -> bool:
    """Keep the candidate of two groups if it may win; return whether it is kept."""
    state, candidate, k = search.state, search.candidate, scoring.n_classes
    gain = gain_of_two(one, other, scoring.factors, scoring.criterion)
    search.best_of[feature] = max(search.best_of[feature], gain)
    candidate[GAIN], candidate[FEATURE], candidate[KIND] = gain, feature, kind
    candidate[MISSING_CHILD], candidate[LARGEST_CHILD] = missing_child, largest
    if gain < state[BEST] - state[TOLERANCE] - 2 * state[ERROR]:
        return False
    for label in range(k):
        candidate[GROUPS + label], candidate[GROUPS + k + label] = one[label], other[label]
    return keep_exactly(search, scoring) if state[IS_EXACT] else keep_near(search)


@inner_kernel
def keep_exactly(search: Any, scoring: Any) -> bool:
    """Keep the candidate alone if its gain, of whole counts, is greater than that of the kept one."""
    state, candidate, kept, k = search.state, search.candidate, search.kept, scoring.n_classes
    gain, error = candidate[GAIN], 2 * state[ERROR]
    if gain <= error:
        if plain_sum(search.totals, k) > _MOST_PROPORTIONAL:
            state[OPEN] = max(state[OPEN], gain, error)
            return False
        if is_proportional(candidate[GROUPS : GROUPS + k], candidate[GROUPS + k :], k):
            return False
    if state[N_KEPT] > 0 and gain <= state[BEST] + error:
        order = compare_whole(candidate, kept[0], GROUPS, k)
        is_open = order == UNKNOWN
        if order == 0:  # subsets of one feature do not come in the order of ties
            is_open = candidate[KIND] == SUBSETS and kept[0, FEATURE] == candidate[FEATURE]
        if is_open:
            state[OPEN] = max(state[OPEN], gain, state[BEST])
        if is_open or order <= 0:
            return False
    state[N_KEPT] = 0.0
    return append(search)


@inner_kernel
def keep_near(search: Any) -> bool:
    """Keep the candidate if its gain is greater than all before; drop those that it leaves behind."""
    state, candidate = search.state, search.candidate
    gain, reach = candidate[GAIN], state[TOLERANCE] + 2 * state[ERROR]
    if candidate[KIND] == SUBSETS:
        _note_near_subsets(search, gain, reach)
    if state[N_KEPT] and gain <= state[BEST]:
        if gain >= state[BEST] + state[TOLERANCE] - 2 * state[ERROR]:  # it may be better by more than the tolerance
            state[OPEN] = max(state[OPEN], gain)
        return False
    _drop_below(search, gain - reach)
    if state[N_KEPT] == MOST_KEPT:
        state[OPEN] = max(state[OPEN], gain)
        state[N_KEPT] -= 1
    return append(search)


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
def append(search: Any) -> bool:
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
    if state[BEST] <= reach:
        return -1 if state[BEST] <= state[TOLERANCE] - 2 * state[ERROR] else -2
    last, index = int(state[N_KEPT]) - 1, 0
    while index < last and kept[index, GAIN] < state[BEST] - reach:
        index += 1
    is_clear = index == last or kept[index, GAIN] >= state[BEST] - state[TOLERANCE] + 2 * state[ERROR]
    return index if is_clear else -2
