"""The cuts of a sorted list as candidates, for any number of classes, by Gini or entropy."""

from typing import Any

import numpy as np

from treerules._internal.jit import inner_kernel
from treerules.criteria.table import ENTROPY_KERNEL
from treerules.growing.compiled.candidates import LEAST_SIZE, N_CUTS, is_monotone, write_right
from treerules.growing.compiled.list_entries import add_row, bar_of, is_free
from treerules.growing.compiled.noted_cuts import add_entries, offer_noted
from treerules.growing.compiled.pairs import slack_of
from treerules.growing.compiled.purities import (
    BLOCK,
    change_of,
    error_of,
    most_added,
    purity_of,
    rounding_of,
    sums_of_sides,
)
from treerules.growing.compiled.sorted_lists import NEW_VALUE_BIT

#: C4.5 as published: values that differ by no more are not divided.
_LEAST_DISTANCE = 1e-5


@inner_kernel
def scan_many(
    search: Any, scoring: Any, lists: Any, line: int, entries: Any, end: int, feature: int, is_divided: bool
) -> None:
    """Let the cuts of a list be candidates, for any number of classes and where missing values go to either side.

    The sums of terms of both sides, without and with the missing values, are updated row by row. They are rough:
    `offer` computes the gains that are near the best. Rows that cannot reach them are only counted.
    """
    state, left, known, missing, k = search.state, search.left, search.known, search.missing, scoring.n_sums
    has_logarithms, sent = scoring.criterion == ENTROPY_KERNEL, 1.0 if is_divided else 0.0
    left[:] = 0.0
    sums = sums_of_sides(left, known, missing, sent, scoring)
    n_left, n_right, n_missing, of_left, of_right, with_left, with_right = sums
    n = n_right + n_missing
    rounding = rounding_of(end, n, scoring)
    node = purity_of(with_right, n, scoring) - rounding
    cost, least, n_known = scoring.costs[feature], state[LEAST_SIZE], known[k]
    can_raise, sent_size = is_free(scoring, feature), sent * missing[k]
    slack, room = slack_of(search, cost, is_divided), rounding * n * n
    bar, step = bar_of(state) * cost + node, most_added(n, scoring)
    least_skipped, is_quick = float(max(BLOCK, k)), not has_logarithms and not is_divided
    last, index, stop, n_passing = end - 1, 0, 0, 0
    while index < last:
        if index == stop:
            sums = n_left, n_right, n_missing, of_left, of_right, with_left, with_right
            on_left, on_right = _purities(sums, is_divided, scoring)
            if bar - max(on_left, on_right) > least_skipped * step:
                reach = bar - rounding, step, least_skipped
                index += _skip_rows(search, scoring, lists, entries, index, last, reach, is_divided)
                sums = sums_of_sides(left, known, missing, sent, scoring)
                n_left, n_right, n_missing, of_left, of_right, with_left, with_right = sums
            stop = min(index + BLOCK, last)
            continue
        entry = np.int64(entries[index])
        label, row = (entry >> lists.class_shift) & lists.class_mask, entry & lists.row_mask
        factor = scoring.factors[label]
        added = factor * (scoring.weights[row] if scoring.has_weights else 1.0)
        a, b = factor * left[label], factor * known[label] - factor * left[label]
        of_left += change_of(a, added, scoring)
        of_right += change_of(b, -added, scoring)
        if is_divided:
            c = factor * missing[label]
            with_left += change_of(a + c, added, scoring)
            with_right += change_of(b + c, -added, scoring)
        add_row(left, scoring, label, row)
        n_left, n_right, index = n_left + added, n_right - added, index + 1
        if not _is_cut(scoring, lists, line, row, np.int64(entries[index])):
            continue
        if is_quick and of_left * n_right + of_right * n_left + room < bar * n_left * n_right:
            continue
        fits_left, fits_right = _fits(left[k], n_known - left[k], sent_size, least)
        if scoring.is_published:
            write_right(search, scoring)
            state[N_CUTS] += (fits_left or fits_right) and is_monotone(search, scoring, feature)
        sums = n_left, n_right, n_missing, of_left, of_right, with_left, with_right
        on_left, on_right = _purities(sums, is_divided, scoring)
        highest, error = max(on_left, on_right), error_of(rounding, n, n_left, n_right, scoring)
        if highest + error < bar:
            continue
        search.sizes[n_passing], search.sums[n_passing] = index, highest + error
        n_passing += 1
        if can_raise and ((fits_left and highest == on_left) or (fits_right and highest == on_right)):
            bar = max(bar, highest - error - slack)
    offer_noted(search, scoring, lists, entries, n_passing, feature, bar, node)


@inner_kernel
def _fits(n_left: float, n_right: float, n_missing: float, least: float) -> Any:
    """Return whether children are large enough where missing values go to the left, and to the right."""
    return n_left + n_missing >= least and n_right >= least, n_left >= least and n_right + n_missing >= least


@inner_kernel
def _is_cut(scoring: Any, lists: Any, line: int, row: int, following: int) -> bool:
    """Return whether there is a cut between a row and the following entry of a list."""
    if not (following >> NEW_VALUE_BIT) & 1:
        return False
    if not scoring.is_published:
        return True
    values = scoring.cut_values[line]
    return bool(values[row] + _LEAST_DISTANCE < values[following & lists.row_mask])


@inner_kernel
def _purities(sums: Any, is_divided: bool, scoring: Any) -> Any:
    """Return the purity of both sides where missing values go to the left, and to the right; `sums` of the sides."""
    n_left, n_right, n_missing, of_left, of_right, with_left, with_right = sums
    pure_left, pure_right = purity_of(of_left, n_left, scoring), purity_of(of_right, n_right, scoring)
    if not is_divided:
        return pure_left + pure_right, pure_left + pure_right
    return (
        purity_of(with_left, n_left + n_missing, scoring) + pure_right,
        pure_left + purity_of(with_right, n_right + n_missing, scoring),
    )


@inner_kernel
def _skip_rows(
    search: Any, scoring: Any, lists: Any, entries: Any, index: int, last: int, reach: Any, is_divided: bool
) -> int:
    """Count rows whose cuts cannot reach the bar, and return their number; none if they are few.

    `reach` are the bar, the most that a row adds to the purity of both sides, and the least number of rows.
    """
    bar, step, least_skipped = reach
    sums = sums_of_sides(search.left, search.known, search.missing, 1.0 if is_divided else 0.0, scoring)
    on_left, on_right = _purities(sums, is_divided, scoring)
    n_skipped = min(last - index, int(max(0.0, (bar - max(on_left, on_right)) / step - 1.0)))
    if n_skipped < least_skipped:
        return 0
    add_entries(search, scoring, lists, entries, index, index + n_skipped)
    return n_skipped
