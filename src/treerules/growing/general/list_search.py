"""The cuts of a sorted list of a node, as candidates."""

from typing import Any

import numpy as np

from treerules._internal.jit import inlined_kernel, inner_kernel
from treerules.criteria.table import ENTROPY_KERNEL
from treerules.growing.array_tree import CUT
from treerules.growing.compiled.best_split import x_log2_x
from treerules.growing.compiled.class_numeric import MISSING_BIT, NEW_VALUE_BIT
from treerules.growing.general.candidates import (
    ERROR,
    HIGH,
    LEAST_SIZE,
    LOW,
    N_CUTS,
    N_FIRST,
    N_KEPT,
    TOLERANCE,
    is_monotone,
    offer,
    offer_missing_test,
    write_right,
)
from treerules.growing.general.list_entries import CONSTANT, VARIES, add_row, bar_of, least_size_of_cuts, write_cut
from treerules.growing.general.pair_scan import scan_pairs

#: Each step adds a rounding error of this share of the weight, times the bits of the logarithms of entropy.
_PER_STEP, _MOST_BITS = 2.0**-51, 32.0
#: C4.5 as published: values that differ by no more are not divided.
_LEAST_DISTANCE = 1e-5


@inlined_kernel
def search_list(search: Any, scoring: Any, lists: Any, line: int, start: int, stop: int, feature: int) -> int:
    """Let all cuts of a list be candidates; return CONSTANT, VARIES or DISTINCT: missing is one more value."""
    entries, n, k = lists.entries[line, start:stop], stop - start, scoring.n_sums
    end = _sum_missing(search.missing, scoring, lists, entries)
    for index in range(k + 1):
        search.known[index] = search.totals[index] - search.missing[index]
    if end == 0:
        return CONSTANT
    is_divided = scoring.is_learned and end < n
    search.state[LEAST_SIZE] = least_size_of_cuts(search, scoring)
    if k > 2 or scoring.criterion == ENTROPY_KERNEL:
        variety = VARIES if _scan_many(search, scoring, lists, line, entries, end, feature, is_divided) else CONSTANT
    else:
        variety = scan_pairs(search, scoring, lists, entries, end, feature, is_divided)
    if is_divided and offer_missing_test(search, scoring, feature):
        last = int(search.state[N_KEPT]) - 1
        search.kept[last, LOW] = search.kept[last, HIGH] = -1.0
        search.kept[last, N_FIRST] = end
    return variety if end == n else VARIES


@inlined_kernel
def _sum_missing(missing: Any, scoring: Any, lists: Any, entries: Any) -> int:
    """Write the statistics of the entries with a missing value; return the number of the others."""
    end = len(entries)
    missing[:] = 0.0
    while end > 0 and (np.int64(entries[end - 1]) >> MISSING_BIT) & 1:
        end -= 1
    for index in range(end, len(entries)):
        entry = np.int64(entries[index])
        add_row(missing, scoring, (entry >> lists.class_shift) & lists.class_mask, entry & lists.row_mask)
    return end


@inner_kernel
def _scan_many(
    search: Any, scoring: Any, lists: Any, line: int, entries: Any, end: int, feature: int, is_divided: bool
) -> bool:
    """Let the cuts of a list be candidates, for any number of classes and where missing values go to either side.

    The sums of terms of both sides, without and with the missing values, are updated row by row. They are rough:
    `offer` computes the gains that are near the best.
    """
    state, left, known, missing, k = search.state, search.left, search.known, search.missing, scoring.n_sums
    has_logarithms = scoring.criterion == ENTROPY_KERNEL
    sent = 1.0 if is_divided else 0.0
    n_left, of_left = 0.0, 0.0
    n_right, n_missing, of_right, with_left, with_right = _first_sums(known, missing, sent, scoring)
    n = n_right + n_missing
    node = _purity(with_right, n, scoring)
    rounding = (end + k) * _PER_STEP * n * (_MOST_BITS if has_logarithms else 1.0)  # of the sums
    node -= rounding
    left[:] = 0.0
    cost, gains, least, n_known = scoring.costs[feature], search.sums, state[LEAST_SIZE], known[k]
    can_raise, sent_size = not (scoring.has_directions and scoring.directions[feature] != 0), sent * missing[k]
    slack = (state[TOLERANCE] + 4 * state[ERROR]) * cost
    bar, varies, entry = bar_of(state) * cost + node, False, np.int64(entries[0])
    for index in range(1, end):
        label, row = (entry >> lists.class_shift) & lists.class_mask, entry & lists.row_mask
        factor = scoring.factors[label]
        step = factor * (scoring.weights[row] if scoring.has_weights else 1.0)
        a = factor * left[label]
        b = factor * known[label] - a
        of_left += _change(a, step, scoring)
        of_right += _change(b, -step, scoring)
        if is_divided:
            c = factor * missing[label]
            with_left += _change(a + c, step, scoring)
            with_right += _change(b + c, -step, scoring)
        add_row(left, scoring, label, row)
        n_left += step
        n_right -= step
        entry = np.int64(entries[index])
        gains[index] = -np.inf
        if not (entry >> NEW_VALUE_BIT) & 1:
            continue
        varies = True
        fits_left = left[k] + sent_size >= least and n_known - left[k] >= least
        fits_right = left[k] >= least and n_known - left[k] + sent_size >= least
        if scoring.is_published:
            values = scoring.cut_values[line]
            if values[row] + _LEAST_DISTANCE >= values[entry & lists.row_mask]:
                continue
            write_right(search, scoring)
            state[N_CUTS] += (fits_left or fits_right) and is_monotone(search, scoring, feature)
        pure_left, pure_right = _purity(of_left, n_left, scoring), _purity(of_right, n_right, scoring)
        on_left = on_right = pure_left + pure_right
        if is_divided:
            on_left = _purity(with_left, n_left + n_missing, scoring) + pure_right
            on_right = pure_left + _purity(with_right, n_right + n_missing, scoring)
        highest = max(on_left, on_right)
        error = rounding if has_logarithms else _error_of_squares(rounding, n, n_left, n_right)
        gains[index] = highest + error
        may_raise = can_raise and ((fits_left and highest == on_left) or (fits_right and highest == on_right))
        if may_raise and highest - error - slack > bar:
            bar = highest - error - slack
    _offer_above(search, scoring, lists, entries, end, feature, bar, node)
    return varies


@inner_kernel
def _first_sums(known: Any, missing: Any, sent: float, scoring: Any) -> Any:
    """Return the sums before the first row: the sizes of known and missing rows, and the terms of the right side.

    Behind these come the terms of both sides with the missing values, which count `sent` times.
    """
    n_right, n_missing, of_right, with_left, with_right = 0.0, 0.0, 0.0, 0.0, 0.0
    for label in range(scoring.n_sums):
        of_known, of_missing = scoring.factors[label] * known[label], sent * scoring.factors[label] * missing[label]
        n_right += of_known
        n_missing += of_missing
        of_right += _term(of_known, scoring)
        with_left += _term(of_missing, scoring)
        with_right += _term(of_known + of_missing, scoring)
    return n_right, n_missing, of_right, with_left, with_right


@inner_kernel
def _error_of_squares(rounding: float, n: float, n_left: float, n_right: float) -> float:
    """Return the error of a gain from sums of squares, which are divided by the sizes of the sides."""
    smallest = min(n_left, n_right)
    return rounding * n / smallest if smallest > 0 else np.inf


@inner_kernel
def _offer_above(
    search: Any, scoring: Any, lists: Any, entries: Any, end: int, feature: int, bar: float, node: float
) -> None:
    """Let the cuts of a list whose rough gain, in `search.sums`, is not below a bar be candidates."""
    left, gains, cost, done = search.left, search.sums, scoring.costs[feature], 0
    left[:] = 0.0
    for index in range(1, end):
        if gains[index] < bar:
            continue
        for before in range(done, index):
            entry = np.int64(entries[before])
            label = (entry >> lists.class_shift) & lists.class_mask
            add_row(left, scoring, label, entry & lists.row_mask)
        done = index
        if offer(search, scoring, feature, CUT, 0):
            write_cut(search, entries, index, lists.row_mask)
            bar = max(bar, bar_of(search.state) * cost + node)


@inner_kernel
def _change(weighed: float, step: float, scoring: Any) -> float:
    """Return the change of the term of a class whose weight changes by a step."""
    if scoring.criterion == ENTROPY_KERNEL:
        return _term(weighed + step, scoring) - _term(weighed, scoring)
    return step * (2.0 * weighed + step)


@inner_kernel
def _term(weighed: float, scoring: Any) -> float:
    """Return the term of the weight of a class in the purity of a group; that of a count is looked up."""
    if scoring.has_terms:
        return scoring.terms[np.uint64(weighed)]
    return x_log2_x(weighed) if scoring.criterion == ENTROPY_KERNEL else weighed * weighed


@inner_kernel
def _purity(terms: float, n: float, scoring: Any) -> float:
    """Return the purity of a group from the sum of its terms and its weight."""
    if scoring.criterion == ENTROPY_KERNEL:
        return terms - _term(n, scoring)
    return terms / n if n > 0 else 0.0
