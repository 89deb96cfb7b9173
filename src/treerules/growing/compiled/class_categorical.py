"""The best split of a feature of few values, for a classification: cuts in the order of its codes, or two subsets."""

from typing import Any

import numpy as np

from treerules._internal.jit import kernel
from treerules.growing.array_tree import CUT, MISSING_TEST, SUBSETS
from treerules.growing.compiled.best_split import HIGH, LOW, copy_into, rounding_slack
from treerules.growing.compiled.class_numeric import can_scan_integers, consider_class_split, least_winning_gain
from treerules.growing.compiled.gini_scan import best_cut_of_codes, passes_alone
from treerules.growing.compiled.growth_loop import LEARNED
from treerules.growing.problem_checks import MOST_EXHAUSTIVE

#: The kind of split of a feature of few values: in its order, one category against the rest, or two subsets of
#: categories.
IN_ORDER, ONE_AGAINST_REST, SUBSET = range(3)


@kernel
def search_class_codes(
    best: Any,
    candidates: Any,
    scoring: Any,
    counts: Any,
    n: float,
    totals: Any,
    missing: Any,
    n_present: int,
    feature: int,
    split_kind: int,
) -> bool:
    """Let all splits by a feature's present codes compete; False where the reference must search the feature.

    `counts` holds the present codes and their class counts, `totals` are the counts of the node, `missing` those of
    the rows with a missing value.
    """
    n_missing, known, zeros = 0.0, counts.known, counts.left
    for label in range(len(totals)):
        known[label] = totals[label] - missing[label]
        n_missing += missing[label]
    if n_present > 1:
        if split_kind == IN_ORDER:
            _scan_codes(best, candidates, scoring, counts, n, known, missing, n_present, feature)
        elif split_kind == ONE_AGAINST_REST or n_present == 2:
            _one_against_rest(best, candidates, scoring, counts, n, known, missing, n_present, feature)
        elif not _scan_by_share(best, candidates, scoring, counts, n, known, missing, n_present, feature):
            return False
    if n_missing > 0 and n_present > 0 and scoring.missing_policy == LEARNED:
        zeros[:] = 0.0
        if consider_class_split(best, candidates, scoring, n, known, totals, zeros, feature, MISSING_TEST) == 1:
            best[LOW] = best[HIGH] = -1.0
    return True


@kernel
def _scan_codes(
    best: Any,
    candidates: Any,
    scoring: Any,
    counts: Any,
    n: float,
    known: Any,
    missing: Any,
    n_present: int,
    feature: int,
) -> None:
    """Let the cuts between present codes compete."""
    left, present, counts_of_present = counts.left, counts.present, counts.counts_of_present
    bar = least_winning_gain(best, n, scoring.criterion)
    left[:] = 0.0
    if can_scan_integers(scoring, n, sum_of(missing)):
        _copy_integers(counts, known)
        slack = rounding_slack(n, scoring.criterion)
        cut = best_cut_of_codes(
            counts_of_present, n_present, counts.integer_counts, counts.left_integers, bar, slack, scoring.least
        )
        for index in range(cut + 1):
            for label in range(len(known)):
                left[label] += counts_of_present[index, label]
        if cut >= 0 and consider_class_split(best, candidates, scoring, n, left, known, missing, feature, CUT) == 1:
            best[LOW], best[HIGH] = present[cut], present[cut + 1]
        return
    for index in range(n_present - 1):
        for label in range(len(known)):
            left[label] += counts_of_present[index, label]
        if consider_class_split(best, candidates, scoring, n, left, known, missing, feature, CUT) == 1:
            best[LOW], best[HIGH] = present[index], present[index + 1]


@kernel
def _copy_integers(counts: Any, known: Any) -> None:
    """Copy class counts as integers."""
    for label in range(len(known)):
        counts.integer_counts[label] = np.int64(known[label])


@kernel
def sort_by_mean(means: Any, order: Any, n: int) -> None:
    """Write the indices of the first n means in ascending order of the means, stably (insertion sort)."""
    for index in range(n):
        position = index
        while position > 0 and means[order[position - 1]] > means[index]:
            order[position] = order[position - 1]
            position -= 1
        order[position] = index


@kernel
def sum_of(numbers: Any) -> float:
    """Return the sum of an array."""
    total = 0.0
    for number in numbers:
        total += number
    return total


@kernel
def _one_against_rest(
    best: Any,
    candidates: Any,
    scoring: Any,
    counts: Any,
    n: float,
    known: Any,
    missing: Any,
    n_present: int,
    feature: int,
) -> None:
    """Let the splits of one category against the rest compete."""
    left = counts.left
    sides = counts.sides
    counts_of_present = counts.counts_of_present
    bar = least_winning_gain(best, n, scoring.criterion)
    can_skip = can_scan_integers(scoring, n, sum_of(missing))
    _copy_integers(counts, known)
    for single in range(1 if n_present == 2 else n_present):
        if can_skip and not passes_alone(counts_of_present[single], counts.integer_counts, bar):
            continue
        for label in range(len(known)):
            count = counts_of_present[single, label]
            left[label] = count if single == 0 else known[label] - count  # the first category is in the first child
        result = consider_class_split(best, candidates, scoring, n, left, known, missing, feature, SUBSETS)
        if result:
            for index in range(n_present):
                sides[counts.present[index]] = (index != single) if single == 0 else (index == single)
            _keep_sides(best, candidates, scoring, counts, n_present, result)
            bar = least_winning_gain(best, n, scoring.criterion)


@kernel
def _keep_sides(best: Any, candidates: Any, scoring: Any, counts: Any, n_present: int, result: int) -> None:
    """Keep the sides of the best split's categories; of two tied splits, of the one whose first side comes first.

    `result` is the return value of `update_best`.
    """
    present, sides, best_sides = counts.present, counts.sides, counts.best_sides
    if result == 2:
        index = 0
        while index < n_present and sides[present[index]] == best_sides[present[index]]:
            index += 1
        if index == n_present:
            return
        is_in_candidate = sides[present[index]] == 0  # which first side has the first category that is not in both
        is_last = True
        for later in range(index + 1, n_present):
            side = best_sides[present[later]] if is_in_candidate else sides[present[later]]
            is_last = is_last and side != 0
        if is_in_candidate == is_last:
            return  # the first side of the best split comes first: as a tuple it is less, or it is a prefix
        copy_into(candidates[0], best)
    best[LOW] = best[HIGH] = -1.0
    best_sides[:] = 2
    for index in range(n_present):
        best_sides[present[index]] = sides[present[index]]


@kernel
def _scan_by_share(
    best: Any,
    candidates: Any,
    scoring: Any,
    counts: Any,
    n: float,
    known: Any,
    missing: Any,
    n_present: int,
    feature: int,
) -> bool:
    """Let the cuts in the order of the last class's share compete: one of them is the best subset for two classes.

    False where the reference must search: more than two classes, or categories too small for a child.
    """
    last_class, n_classes, smallest, n_missing = 0, 0, n, 0.0
    for label in range(len(known)):
        n_missing += missing[label]
        if known[label] + missing[label] > 0:
            last_class, n_classes = label, n_classes + 1
    means, order = counts.means, counts.order
    for index in range(n_present):
        size = 0.0
        for label in range(len(known)):
            size += counts.counts_of_present[index, label]
        smallest = min(smallest, size)
        means[index] = counts.counts_of_present[index, last_class] / size
    if scoring.missing_policy == LEARNED and n_missing > 0:
        smallest = min(smallest, n_missing)
    if n_classes > 2 or (smallest < scoring.least and n_present <= MOST_EXHAUSTIVE):
        return False
    sort_by_mean(means, order, n_present)
    counts_of_side, left, sides = counts.counts_of_side, counts.left, counts.sides
    counts_of_side[:] = 0.0
    for index in range(n_present):
        sides[counts.present[index]] = 0
    for index in range(n_present - 1):
        for label in range(len(known)):
            counts_of_side[label] += counts.counts_of_present[order[index], label]
        if means[order[index]] == means[order[index + 1]]:
            continue
        has_first = False  # whether the first category is on this side
        for earlier in range(index + 1):
            has_first = has_first or order[earlier] == 0
        for label in range(len(known)):
            left[label] = counts_of_side[label] if has_first else known[label] - counts_of_side[label]
        result = consider_class_split(best, candidates, scoring, n, left, known, missing, feature, SUBSETS)
        if result:
            for later in range(n_present):
                sides[counts.present[order[later]]] = (later > index) == has_first
            _keep_sides(best, candidates, scoring, counts, n_present, result)
    return True


@kernel
def search_class_bit(
    best: Any,
    candidates: Any,
    scoring: Any,
    counts: Any,
    n: float,
    totals: Any,
    bit_counts: Any,
    is_flipped: int,
    feature: int,
    split_kind: int,
) -> bool:
    """Let the only split of a feature of two values compete; False where all rows have the same value.

    `bit_counts` are the class counts of the rows whose bit is set.
    """
    left, zeros = counts.left, counts.missing
    n_set, n_classes = 0, len(totals)
    for label in range(n_classes):
        n_set += bit_counts[label]
    if n_set == 0 or n_set == n:
        return False
    zeros[:] = 0.0
    if can_scan_integers(scoring, n, 0.0):
        _copy_integers(counts, totals)
        if not passes_alone(bit_counts, counts.integer_counts, least_winning_gain(best, n, scoring.criterion)):
            return True
    for label in range(n_classes):
        left[label] = bit_counts[label] if is_flipped else totals[label] - bit_counts[label]
    kind = CUT if split_kind == IN_ORDER else SUBSETS
    if consider_class_split(best, candidates, scoring, n, left, totals, zeros, feature, kind) == 1:
        best[LOW], best[HIGH] = 0.0, 1.0
        if kind == SUBSETS:
            counts.best_sides[:] = 2
            counts.best_sides[0], counts.best_sides[1] = 0, 1
    return True
