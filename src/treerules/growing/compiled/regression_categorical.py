"""The best split of a feature of few values, for a regression: cuts in the order of its codes, or two subsets."""

from typing import Any

import numpy as np

from treerules._internal.jit import kernel
from treerules.growing.array_tree import CUT, SUBSETS
from treerules.growing.compiled.best_split import HIGH, LOW
from treerules.growing.compiled.class_categorical import IN_ORDER, ONE_AGAINST_REST, sort_by_mean
from treerules.growing.compiled.exact_gains import TOO_WIDE
from treerules.growing.compiled.growth_loop import LEARNED
from treerules.growing.compiled.regression_candidates import N_KEPT, SLOT, consider_regression_split
from treerules.growing.compiled.regression_numeric import consider_missing_test
from treerules.growing.problem_checks import MOST_EXHAUSTIVE

#: The lower bits of a whole target.
_LOWER = (1 << 26) - 1


@kernel
def count_present_codes(columns: Any, counts: Any, column: int, rows: Any, target: Any, scale: Any) -> int:
    """Gather the present codes of a column, ascending, with the size and sum of their rows; return their number.

    With fewer rows than codes, only the codes of these rows are reset and sorted.
    """
    missing = counts.missing
    n_codes = columns.n_codes[column]
    groups = counts.groups
    present = counts.present
    groups_of_present = counts.groups_of_present
    n_present = 0
    for code in range(n_codes + 1) if len(rows) > n_codes else range(0):
        groups[code] = 0.0
    for index in range(len(rows) if len(rows) <= n_codes else 0):
        code = np.int64(columns.codes[rows[index], column])
        groups[code] = 0.0
    groups[n_codes] = 0.0
    is_wide = scale.comparison == TOO_WIDE
    for index in range(len(rows)):
        row = rows[index]
        code = np.int64(columns.codes[row, column])
        if groups[code, 0] == 0.0 and code < n_codes and len(rows) <= n_codes:
            position = n_present
            while position > 0 and present[position - 1] > code:
                present[position] = present[position - 1]
                position -= 1
            present[position] = code
            n_present += 1
        groups[code, 0] += 1.0
        value = (target[row] - scale.centre) * scale.factor
        if is_wide:  # sums of both parts are exact
            lower = np.float64(np.int64(value) & _LOWER)
            groups[code, 2] += lower
            value -= lower
        groups[code, 1] += value
    if len(rows) > n_codes:
        for code in range(n_codes):
            if groups[code, 0] > 0.0:
                present[n_present] = code
                n_present += 1
    for index in range(n_present):
        group = groups[present[index]]
        groups_of_present[index, 0], groups_of_present[index, 1] = group[0], group[1] + group[2]
    missing[0], missing[1] = groups[n_codes, 0], groups[n_codes, 1] + groups[n_codes, 2]
    return n_present


@kernel
def search_regression_codes(
    kept: Any,
    candidate: Any,
    search_state: Any,
    scoring: Any,
    counts: Any,
    n: float,
    n_present: int,
    feature: int,
    split_kind: int,
) -> bool:
    """Let the splits by a feature's present codes be candidates; False where the reference must search it."""
    known, missing, groups_of_present = counts.known, counts.missing, counts.groups_of_present
    order, means = counts.order, counts.means
    for index in range(n_present):
        order[index] = index
    if split_kind != IN_ORDER and split_kind != ONE_AGAINST_REST:
        smallest = missing[0] if scoring.missing_policy == LEARNED and missing[0] > 0 else n
        for index in range(n_present):
            smallest = min(smallest, groups_of_present[index, 0])
            means[index] = groups_of_present[index, 1] / groups_of_present[index, 0]
        if n_present > 1 and smallest < scoring.least and n_present <= MOST_EXHAUSTIVE:
            return False
        sort_by_mean(means, order, n_present)
    known[:] = 0.0
    for index in range(n_present):
        known[0] += groups_of_present[order[index], 0]
        known[1] += groups_of_present[order[index], 1]
    if n_present > 1:
        _consider_splits(
            kept, candidate, search_state, scoring, counts, n, n_present, feature, split_kind, order, means
        )
    if missing[0] > 0 and n_present > 0 and scoring.missing_policy == LEARNED:
        consider_missing_test(
            kept, candidate, search_state, scoring, n, known[0], known[1], missing[0], missing[1], feature, 0
        )
    return True


@kernel
def _consider_splits(
    kept: Any,
    candidate: Any,
    search_state: Any,
    scoring: Any,
    counts: Any,
    n: float,
    n_present: int,
    feature: int,
    split_kind: int,
    order: Any,
    means: Any,
) -> None:
    """Let the cuts, the splits of one category against the rest, or the cuts in the order of means be candidates."""
    groups_of_present, present, known, missing = counts.groups_of_present, counts.present, counts.known, counts.missing
    n_left, sum_left = 0.0, 0.0
    for index in range(n_present if split_kind == ONE_AGAINST_REST and n_present > 2 else n_present - 1):
        if split_kind == ONE_AGAINST_REST:
            n_left, sum_left = groups_of_present[index, 0], groups_of_present[index, 1]
            is_first = index == 0
        else:
            n_left += groups_of_present[order[index], 0]
            sum_left += groups_of_present[order[index], 1]
            if split_kind != IN_ORDER and means[order[index]] == means[order[index + 1]]:
                continue
            is_first = False  # whether the first category is on the left
            for earlier in range(index + 1):
                is_first = is_first or order[earlier] == 0
        kind = CUT if split_kind == IN_ORDER else SUBSETS
        if not consider_regression_split(
            kept, candidate, search_state, scoring, n, n_left, sum_left, known[0], known[1], missing[0], missing[1],
            feature, kind, is_first or split_kind == IN_ORDER,
        ):  # fmt: skip
            continue
        last = int(search_state[N_KEPT]) - 1
        kept[last, LOW] = present[index] if split_kind == IN_ORDER else -1.0
        kept[last, HIGH] = present[index + 1] if split_kind == IN_ORDER else -1.0
        if split_kind == IN_ORDER:
            continue
        sides = counts.kept_sides[int(kept[last, SLOT])]
        sides[:] = 2
        for position in range(n_present):
            is_on_side = position == index if split_kind == ONE_AGAINST_REST else position <= index
            sides[present[position if split_kind == ONE_AGAINST_REST else order[position]]] = (
                0 if is_on_side == is_first else 1
            )
