"""The cuts of a sorted list of a node, as candidates.

A list holds an entry for each row of the node: the row, its class, and whether a new value begins with it. Entries of
missing values come last.
"""

from typing import Any, NamedTuple

import numpy as np

from treerules._internal.jit import inner_kernel
from treerules.growing.array_tree import CUT
from treerules.growing.compiled.best_split import ENTROPY, x_log2_x
from treerules.growing.compiled.class_numeric import MISSING_BIT, NEW_VALUE_BIT
from treerules.growing.general.candidates import (
    BEST,
    ERROR,
    HIGH,
    LOW,
    N_FIRST,
    N_KEPT,
    TOLERANCE,
    offer,
    offer_missing_test,
)

#: Each step adds a rounding error of this share of the weight, times the bits of the logarithms of entropy.
_PER_STEP, _MOST_BITS = 2.0**-51, 32.0


class Lists(NamedTuple):
    """The features of many values: a list of each, sorted within each node."""

    #: uint32, shape (lists, rows)
    entries: Any
    #: the parts of an entry: the mask of its row, the shift and the mask of its class
    row_mask: int
    class_shift: int
    class_mask: int


@inner_kernel
def search_list(search: Any, scoring: Any, lists: Any, entries: Any, feature: int) -> bool:
    """Let all cuts of a list be candidates; return whether its values, missing ones included, vary."""
    n, k = len(entries), scoring.n_classes
    end = _sum_missing(search.missing, scoring, lists, entries)
    for index in range(k + 1):
        search.known[index] = search.totals[index] - search.missing[index]
    if end == 0:
        return False
    is_divided = scoring.is_learned and end < n
    if is_divided or k > 2 or scoring.criterion == ENTROPY:
        varies = _scan_many(search, scoring, lists, entries, end, feature, is_divided)
    else:
        varies = _scan_two(search, scoring, lists, entries, end, feature)
    if is_divided and offer_missing_test(search, scoring, feature):
        last = int(search.state[N_KEPT]) - 1
        search.kept[last, LOW] = search.kept[last, HIGH] = -1.0
        search.kept[last, N_FIRST] = end
    return varies or end < n


@inner_kernel
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
def add_row(statistics: Any, scoring: Any, label: int, row: int) -> None:
    """Add a row to the statistics of a group."""
    weight = scoring.weights[row] if scoring.has_weights else 1.0
    statistics[label] += weight
    statistics[scoring.n_classes] += 1.0 if scoring.counts_rows else weight


@inner_kernel
def bar_of(state: Any) -> float:
    """Return the gain below which no candidate may win."""
    return state[BEST] - state[TOLERANCE] - 2 * state[ERROR] if state[N_KEPT] else -1.0


@inner_kernel
def _scan_two(search: Any, scoring: Any, lists: Any, entries: Any, end: int, feature: int) -> bool:
    """Let the cuts of a list be candidates: two classes, Gini, known values alone decide."""
    state, left, known = search.state, search.left, search.known
    first_factor, second_factor = scoring.factors[0], scoring.factors[1]
    of_second = second_factor * known[1]
    n_known = first_factor * known[0] + of_second
    bar, varies = bar_of(state), False
    first, second, size = 0.0, 0.0, 0.0
    entry = np.int64(entries[0])
    for index in range(1, end):
        weight = scoring.weights[entry & lists.row_mask] if scoring.has_weights else 1.0
        if (entry >> lists.class_shift) & 1:
            second += weight
        else:
            first += weight
        size += 1.0 if scoring.counts_rows else weight
        entry = np.int64(entries[index])
        if not (entry >> NEW_VALUE_BIT) & 1:
            continue
        varies = True
        n_left = first_factor * first + second_factor * second
        distance = second_factor * second * n_known - of_second * n_left
        if 2.0 * distance * distance <= bar * n_left * (n_known - n_left) * n_known:
            continue
        left[0], left[1], left[2] = first, second, size
        if offer(search, scoring, feature, CUT, 0):
            write_cut(search, entries, index, lists.row_mask)
            bar = bar_of(state)
    return varies


@inner_kernel
def write_cut(search: Any, entries: Any, index: int, mask: int) -> None:
    """Write the rows around the cut before an entry, and the number of entries before it, into the last candidate."""
    record = search.kept[int(search.state[N_KEPT]) - 1]
    record[LOW], record[HIGH] = np.int64(entries[index - 1]) & mask, np.int64(entries[index]) & mask
    record[N_FIRST] = index


@inner_kernel
def _scan_many(search: Any, scoring: Any, lists: Any, entries: Any, end: int, feature: int, is_divided: bool) -> bool:
    """Let the cuts of a list be candidates, for any number of classes and where missing values go to either side.

    The sums of terms of both sides, without and with the missing values, are updated row by row. They are rough:
    `offer` computes the gains that are near the best.
    """
    state, left, known, missing, k = search.state, search.left, search.known, search.missing, scoring.n_classes
    sums_logarithms = scoring.criterion == ENTROPY
    n_left, n_missing, of_left, with_left = 0.0, 0.0, 0.0, 0.0
    n_right, of_right, with_right = 0.0, 0.0, 0.0
    sent = 1.0 if is_divided else 0.0  # otherwise the sums with missing values are those without them
    for label in range(k):
        of_known, of_missing = scoring.factors[label] * known[label], sent * scoring.factors[label] * missing[label]
        n_right += of_known
        n_missing += of_missing
        of_right += _term(of_known, sums_logarithms)
        with_left += _term(of_missing, sums_logarithms)
        with_right += _term(of_known + of_missing, sums_logarithms)
    n = n_right + n_missing
    node = _purity(with_right, n, sums_logarithms)
    node -= (end + k) * _PER_STEP * n * (_MOST_BITS if sums_logarithms else 1.0)  # rounding errors of the sums
    left[:] = 0.0
    bar, varies, entry = bar_of(state) + node, False, np.int64(entries[0])
    for index in range(1, end):
        label, row = (entry >> lists.class_shift) & lists.class_mask, entry & lists.row_mask
        factor = scoring.factors[label]
        step = factor * (scoring.weights[row] if scoring.has_weights else 1.0)
        a, c = factor * left[label], sent * factor * missing[label]
        b = factor * known[label] - a
        of_left += _change(a, step, sums_logarithms)
        of_right += _change(b, -step, sums_logarithms)
        with_left += _change(a + c, step, sums_logarithms)
        with_right += _change(b + c, -step, sums_logarithms)
        add_row(left, scoring, label, row)
        n_left += step
        n_right -= step
        entry = np.int64(entries[index])
        if not (entry >> NEW_VALUE_BIT) & 1:
            continue
        varies = True
        on_left = _purity(with_left, n_left + n_missing, sums_logarithms) + _purity(of_right, n_right, sums_logarithms)
        on_right = _purity(of_left, n_left, sums_logarithms) + _purity(with_right, n_right + n_missing, sums_logarithms)
        if max(on_left, on_right) >= bar and offer(search, scoring, feature, CUT, 0):
            write_cut(search, entries, index, lists.row_mask)
            bar = bar_of(state) + node
    return varies


@inner_kernel
def _change(weighed: float, step: float, sums_logarithms: bool) -> float:
    """Return the change of the term of a class whose weight changes by a step."""
    if sums_logarithms:
        return x_log2_x(weighed + step) - x_log2_x(weighed)
    return step * (2.0 * weighed + step)


@inner_kernel
def _term(weighed: float, sums_logarithms: bool) -> float:
    """Return the term of the weight of a class in the purity of a group."""
    return x_log2_x(weighed) if sums_logarithms else weighed * weighed


@inner_kernel
def _purity(terms: float, n: float, sums_logarithms: bool) -> float:
    """Return the purity of a group from the sum of its terms and its weight."""
    if sums_logarithms:
        return terms - x_log2_x(n)
    return terms / n if n > 0 else 0.0
