"""The best cut of a feature of many values, for a classification: scans along the node's sorted list.

A list entry has 32 bits: whether the entry begins a new value, whether the value is missing (those entries are
last), the class of the row, and the row. So a scan reads nothing else.
"""

from typing import Any

import numpy as np

from treerules._internal.jit import kernel
from treerules.growing.array_tree import CUT, MISSING_TEST
from treerules.growing.compiled.best_split import (
    ENTROPY,
    FEATURE,
    GAIN,
    GINI,
    HIGH,
    KIND,
    LARGEST_CHILD,
    LOW,
    MISSING_CHILD,
    N_FIRST,
    N_KNOWN,
    NONE,
    SUMS,
    UNCERTAIN,
    class_term,
    compare_exact,
    copy_into,
    rounding_slack,
    update_best,
    x_log2_x,
)
from treerules.growing.compiled.gini_scan import MOST_INTEGER_ROWS, best_cut_of_many, best_cut_of_two
from treerules.growing.compiled.gini_scan import NEW_VALUE_BIT as NEW_VALUE_BIT
from treerules.growing.compiled.growth_loop import LARGER, LEARNED

#: The bit of a list entry that says that the value is missing.
MISSING_BIT = 30


@kernel
def consider_class_split(
    best: Any, candidates: Any, scoring: Any, n: float, left: Any, known: Any, missing: Any, feature: int, kind: int
) -> int:
    """Let a split of the rows with known values compete with the best split.

    Returns 0, 1 or 2 as `update_best`; 0 also where a child would be too small. With LEARNED, missing values go to
    the child where they help more; on ties to the larger one. `candidates` are two records to work in.

    `left` and `known` are the class counts of the first child and of all rows with a known value, `missing` those of
    the others.
    """
    n_classes, least = len(left), scoring.least
    candidate, mirrored = candidates[0], candidates[1]
    n_left, n_known, n_missing = 0.0, 0.0, 0.0
    for label in range(n_classes):
        n_left += left[label]
        n_known += known[label]
        n_missing += missing[label]
        candidate[SUMS + label], candidate[SUMS + n_classes + label] = left[label], known[label] - left[label]
        candidate[SUMS + 2 * n_classes + label] = missing[label]
    n_right = n_known - n_left
    candidate[FEATURE], candidate[KIND], candidate[UNCERTAIN], candidate[N_KNOWN] = feature, kind, 0.0, n_known
    candidate[LARGEST_CHILD] = 0.0 if n_left >= n_right or kind == MISSING_TEST else 1.0
    candidate[MISSING_CHILD] = 1.0 if kind == MISSING_TEST else candidate[LARGEST_CHILD]
    if kind == MISSING_TEST or n_missing == 0 or scoring.missing_policy == LARGER:
        if n_left < least or n_right < least:
            return 0
        candidate[GAIN] = _gain(candidate, n_classes, scoring.criterion)
        return update_best(best, candidate, scoring.tie_order, n, n_classes, scoring.criterion)
    fits_left = n_left + n_missing >= least and n_right >= least
    fits_right = n_left >= least and n_right + n_missing >= least
    if not (fits_left or fits_right):
        return 0
    candidate[N_KNOWN] = n_known + n_missing
    copy_into(candidate, mirrored)
    for label in range(n_classes):
        candidate[SUMS + label] += missing[label]
        mirrored[SUMS + n_classes + label] += missing[label]
    candidate[MISSING_CHILD], mirrored[MISSING_CHILD] = 0.0, 1.0
    candidate[GAIN] = _gain(candidate, n_classes, scoring.criterion)
    mirrored[GAIN] = _gain(mirrored, n_classes, scoring.criterion)
    takes_left = fits_left
    if fits_left and fits_right:
        order = 1 if candidate[GAIN] > mirrored[GAIN] else -1
        if abs(candidate[GAIN] - mirrored[GAIN]) <= rounding_slack(n, scoring.criterion):
            order = compare_exact(candidate, mirrored, n_classes, scoring.criterion)
        takes_left = order == 1 or (order == 0 and candidate[LARGEST_CHILD] == 0.0)
        if order == 2:
            candidate[UNCERTAIN], mirrored[UNCERTAIN] = 1.0, 1.0
    if not takes_left:
        copy_into(mirrored, candidate)
    return update_best(best, candidate, scoring.tie_order, n, n_classes, scoring.criterion)


@kernel
def _gain(record: Any, n_classes: int, criterion: int) -> float:
    """Return n times the gain of the two children in a record."""
    terms_left, terms_right, terms_both, n_left, n_right = 0.0, 0.0, 0.0, 0.0, 0.0
    for label in range(n_classes):
        left, right = record[SUMS + label], record[SUMS + n_classes + label]
        n_left, n_right = n_left + left, n_right + right
        terms_left += class_term(left, criterion)
        terms_right += class_term(right, criterion)
        terms_both += class_term(left + right, criterion)
    if criterion == ENTROPY:
        return terms_left + terms_right - terms_both - x_log2_x(n_left) - x_log2_x(n_right) + x_log2_x(n_left + n_right)
    return terms_left / n_left + terms_right / n_right - terms_both / (n_left + n_right)


@kernel
def least_winning_gain(best: Any, n: float, criterion: int) -> float:
    """Return the gain below which a candidate can neither win nor tie."""
    return (0.0 if best[KIND] == NONE else best[GAIN]) - rounding_slack(n, criterion)


@kernel
def scan_class_list(
    best: Any, candidates: Any, scoring: Any, entries: Any, base: int, n: int, totals: Any, counts: Any, feature: int
) -> bool:
    """Let all cuts of a list and its missing test compete with the best split; return whether the list is constant.

    The list are the `n` entries from `base` on; `totals` are the class counts of the node.
    """
    shift, mask, n_classes = scoring.class_shift, scoring.class_mask, scoring.n_classes
    left, known, missing, right = counts.left, counts.known, counts.missing, counts.right
    end = n
    for label in range(n_classes):
        left[label] = missing[label] = 0.0
    while end > 0 and (np.int64(entries[base + end - 1]) >> MISSING_BIT) & 1:
        end -= 1
        missing[(np.int64(entries[base + end]) >> shift) & mask] += 1.0
    if end == 0:
        return True
    for label in range(n_classes):
        known[label] = totals[label] - missing[label]
    if can_scan_integers(scoring, end, n - end):
        is_constant = _scan_integers(
            best, candidates, scoring, entries, base, end, n, left, known, missing, counts, feature
        )
    elif n_classes > 2 or scoring.criterion == ENTROPY:
        is_constant = _scan_any_classes(
            best, candidates, scoring, entries, base, end, n, left, known, missing, right, feature
        )
    else:
        is_constant = _scan_two_classes(
            best, candidates, scoring, entries, base, end, n, left, known, missing, totals, feature
        )
    if end < n and scoring.missing_policy == LEARNED:
        for label in range(n_classes):
            right[label] = 0.0
        if consider_class_split(best, candidates, scoring, float(n), known, totals, right, feature, MISSING_TEST) == 1:
            best[N_FIRST] = end
            best[LOW] = best[HIGH] = -1.0
    return is_constant and end == n


@kernel
def _record_cut(best: Any, entries: Any, row_mask: int, base: int, position: int) -> None:
    """Record the rows around a cut after a position of a list."""
    best[LOW] = np.int64(entries[base + position]) & row_mask
    best[HIGH] = np.int64(entries[base + position + 1]) & row_mask
    best[N_FIRST] = position + 1


@kernel
def can_scan_integers(scoring: Any, n: int, n_missing: float) -> bool:
    """Return whether integer sums of squares find the best cut: for Gini, unless missing values go where they help."""
    return (
        scoring.criterion == GINI and n <= MOST_INTEGER_ROWS and (n_missing == 0 or scoring.missing_policy != LEARNED)
    )


@kernel
def _scan_integers(
    best: Any, candidates: Any, scoring: Any, entries: Any, base: int, end: int, n_all: int,
    left: Any, known: Any, missing: Any, counts: Any, feature: int,
) -> bool:  # fmt: skip
    """Scan by integer sums of squares; only the best cut of the list competes."""
    n, shift, mask = float(n_all), scoring.class_shift, scoring.class_mask
    integer_counts, left_integers = counts.integer_counts, counts.left_integers
    bar, slack = least_winning_gain(best, n, scoring.criterion), rounding_slack(n, scoring.criterion)
    if len(known) == 2:
        cut, n_ones, is_constant = best_cut_of_two(entries, base, end, int(known[1]), shift, bar, slack, scoring.least)
        left[1], left[0] = n_ones, cut + 1 - n_ones
    else:
        for label in range(len(known)):
            integer_counts[label] = np.int64(known[label])
        cut, is_constant = best_cut_of_many(
            entries, base, end, integer_counts, left_integers, shift, mask, bar, slack, scoring.least
        )
        for index in range(cut + 1):
            left[(np.int64(entries[base + index]) >> shift) & mask] += 1.0
    if cut >= 0 and consider_class_split(best, candidates, scoring, n, left, known, missing, feature, CUT) == 1:
        _record_cut(best, entries, scoring.row_mask, base, cut)
    return is_constant


@kernel
def _scan_two_classes(
    best: Any, candidates: Any, scoring: Any, entries: Any, base: int, end: int, n_all: int,
    left: Any, known: Any, missing: Any, totals: Any, feature: int,
) -> bool:  # fmt: skip
    """Scan for two classes by Gini: the gain is 2 d^2 / (n n_left n_right), d = n count - n_left total is whole."""
    n, shift, is_learned = float(n_all), scoring.class_shift, scoring.missing_policy == LEARNED and end < n_all
    n_known = n if is_learned else float(end)
    n_ones = totals[1] if is_learned else known[1]
    step, missing_shift, n_missing = n_known - n_ones, 0.0, 0.0
    if is_learned:
        n_missing = missing[0] + missing[1]
        missing_shift = missing[1] * n - n_ones * n_missing
    half = n_known / 2
    bar = max(0.0, least_winning_gain(best, n, scoring.criterion)) * half
    distance, count, is_constant = 0.0, 0.0, True
    next_entry = np.int64(entries[base])
    for index in range(end - 1):
        is_one = (next_entry >> shift) & 1
        next_entry = np.int64(entries[base + index + 1])
        count += is_one
        distance += step if is_one else -n_ones
        if not next_entry >> NEW_VALUE_BIT:
            continue
        is_constant = False
        n_left = index + 1.0
        passes = distance * distance > bar * n_left * (n_known - n_left)
        if is_learned:
            shifted, n_more = distance + missing_shift, n_left + n_missing
            passes = passes or shifted * shifted > bar * n_more * (n_known - n_more)
        if passes:
            left[1], left[0] = count, n_left - count
            if consider_class_split(best, candidates, scoring, n, left, known, missing, feature, CUT) == 1:
                _record_cut(best, entries, scoring.row_mask, base, index)
                bar = max(0.0, least_winning_gain(best, n, scoring.criterion)) * half
    return is_constant


@kernel
def _scan_any_classes(
    best: Any, candidates: Any, scoring: Any, entries: Any, base: int, end: int, n_all: int,
    left: Any, known: Any, missing: Any, right: Any, feature: int,
) -> bool:  # fmt: skip
    """Scan for any number of classes and any criterion; the terms of both sides are updated with each row."""
    n, shift, mask, entropy = float(n_all), scoring.class_shift, scoring.class_mask, scoring.criterion == ENTROPY
    is_learned = scoring.missing_policy == LEARNED and end < n_all
    terms_left, terms_right, n_known, is_constant, table = 0.0, 0.0, float(end), True, scoring.x_log2_x
    for label in range(len(known)):
        right[label] = known[label]
        terms_right += table[int(known[label])] if entropy else known[label] * known[label]
    node_term = terms_right - table[end] if entropy else terms_right / n_known
    bar = least_winning_gain(best, n, scoring.criterion) + node_term
    next_entry = np.int64(entries[base])
    for index in range(end - 1):
        label = (next_entry >> shift) & mask
        next_entry = np.int64(entries[base + index + 1])
        n_left_of_class, n_right_of_class = left[label], right[label]
        if entropy:
            terms_left += table[int(n_left_of_class) + 1] - table[int(n_left_of_class)]
            terms_right += table[int(n_right_of_class) - 1] - table[int(n_right_of_class)]
        else:
            terms_left += 2.0 * n_left_of_class + 1.0
            terms_right -= 2.0 * n_right_of_class - 1.0
        left[label], right[label] = n_left_of_class + 1.0, n_right_of_class - 1.0
        if not next_entry >> NEW_VALUE_BIT:
            continue
        is_constant = False
        n_left = index + 1.0
        n_right = n_known - n_left
        if entropy:
            passes = terms_left - table[index + 1] + terms_right - table[end - index - 1] > bar
        else:
            passes = terms_left * n_right + terms_right * n_left > bar * n_left * n_right
        if (passes or is_learned) and consider_class_split(
            best, candidates, scoring, n, left, known, missing, feature, CUT
        ) == 1:
            _record_cut(best, entries, scoring.row_mask, base, index)
            bar = least_winning_gain(best, n, scoring.criterion) + node_term
    return is_constant
