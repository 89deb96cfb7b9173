"""The splits of a coded feature of a node, as candidates: cuts, subsets, one category against the rest, multiway."""

from typing import Any

import numpy as np

from treerules._internal.jit import inlined_kernel, inner_kernel
from treerules.criteria.table import SQUARES_KERNEL
from treerules.growing.array_tree import ABSENT, CUT, MULTIWAY, SUBSETS
from treerules.growing.compiled.arithmetic import copy_into
from treerules.growing.compiled.axis_kernel import order_by_axis
from treerules.growing.compiled.candidates import (
    BEST,
    EQUAL,
    ERROR,
    FEATURE,
    GAIN,
    GROUPS,
    HIGH,
    IS_TIED,
    KIND,
    LARGEST_CHILD,
    LEAST_SIZE,
    LOW,
    MISSING_CHILD,
    N_CUTS,
    N_FIRST,
    N_KEPT,
    OPEN,
    SLOT,
    TOLERANCE,
    is_monotone,
    keep_alone,
    keep_near,
    offer,
    offer_missing_test,
    write_right,
)
from treerules.growing.compiled.code_counts import EACH, IN_ORDER, SUBSET, sort_stably
from treerules.growing.compiled.gains import plain_sum, purity, weighed_sum
from treerules.growing.compiled.list_entries import least_size_of_cuts
from treerules.growing.compiled.rivals import may_win, only_ties, rival_of
from treerules.growing.problem_checks import MOST_EXHAUSTIVE


@inlined_kernel
def search_codes(search: Any, scoring: Any, arrays: Any, feature: int, way: int, n_present: int) -> None:
    """Let the splits of a coded feature be candidates."""
    known, missing, k = search.known, search.missing, scoring.n_sums
    for index in range(k + 1):
        known[index] = search.totals[index] - missing[index]
    search.state[LEAST_SIZE] = least_size_of_cuts(search, scoring) if way == IN_ORDER else scoring.least
    if n_present > 1:
        _offer_known(search, scoring, arrays, feature, way, n_present)
    if scoring.is_learned and missing[k] > 0 and n_present and offer_missing_test(search, scoring, feature):
        last = int(search.state[N_KEPT]) - 1
        search.kept[last, LOW] = search.kept[last, HIGH] = search.kept[last, N_FIRST] = -1.0


@inlined_kernel
def _offer_known(search: Any, scoring: Any, arrays: Any, feature: int, way: int, n_present: int) -> None:
    """Let the splits of the rows with a known code be candidates."""
    if way == EACH:
        _offer_each(search, scoring, arrays, feature, n_present)
    elif way == IN_ORDER:
        _offer_cuts(search, scoring, arrays, feature, n_present)
    elif way == SUBSET:
        _offer_subsets(search, scoring, arrays, feature, n_present)
    else:
        for index in range(n_present if n_present > 2 else 1):  # one against the rest
            copy_into(arrays.groups[index], search.left)
            _offer_mask(search, scoring, arrays, feature, n_present, 0, index)


@inlined_kernel
def _offer_cuts(search: Any, scoring: Any, arrays: Any, feature: int, n_present: int) -> None:
    """Let the cuts between the present codes be candidates."""
    left = search.left
    left[:] = 0.0
    rival = rival_of(search, scoring, feature)
    for index in range(n_present - 1):
        for label in range(len(left)):
            left[label] += arrays.groups[index, label]
        if scoring.is_published:
            write_right(search, scoring)
            search.state[N_CUTS] += _fits(search, scoring) and is_monotone(search, scoring, feature)
        if not may_win(left, search.known, rival, scoring) or only_ties(search, scoring, feature):
            continue
        if offer(search, scoring, feature, CUT, 0):
            rival = rival_of(search, scoring, feature)
            record = search.kept[int(search.state[N_KEPT]) - 1]
            record[LOW], record[HIGH], record[N_FIRST] = arrays.present[index], arrays.present[index + 1], -1.0


@inner_kernel
def _fits(search: Any, scoring: Any) -> bool:
    """Return whether the groups `left` and `right` are large enough, missing values learned or not."""
    k, least = scoring.n_sums, search.state[LEAST_SIZE]
    n_left, n_right, sent = search.left[k], search.right[k], search.missing[k] if scoring.is_learned else 0.0
    return bool((n_left + sent >= least and n_right >= least) or (n_left >= least and n_right + sent >= least))


@inner_kernel
def _offer_subsets(search: Any, scoring: Any, arrays: Any, feature: int, n_present: int) -> None:
    """Let the splits into two subsets be candidates, or mark the feature as one that the reference must search.

    Those of a regression or of two classes lie in the order of their means or shares, if each category is large enough
    for a child; else all subsets are tried.
    """
    has_means, last_class, n_classes = scoring.criterion == SQUARES_KERNEL, -1, 0
    for label in range(scoring.n_weights):
        if search.totals[label] > 0:
            last_class, n_classes = label, n_classes + 1
    has_many = n_present > MOST_EXHAUSTIVE
    if n_classes <= 2 and (has_many or _smallest_size(search, scoring, arrays, n_present) >= scoring.least):
        for index in range(n_present):
            n = weighed_sum(arrays.groups[index], scoring.factors)
            total = arrays.groups[index, 1 if has_means else last_class]
            total *= 1.0 if has_means else scoring.factors[last_class]
            arrays.shares[index] = total / (n if n > 0 else 1.0)
        _offer_in_order(search, scoring, arrays, feature, n_present)
    elif has_many and order_by_axis(search.totals, scoring.factors, arrays, n_present):
        _offer_in_order(search, scoring, arrays, feature, n_present)
    elif has_many:  # only the reference orders them
        search.best_of[feature] = np.inf
        search.state[OPEN] = np.inf
    else:
        _offer_all(search, scoring, arrays, feature, n_present)


@inner_kernel
def _smallest_size(search: Any, scoring: Any, arrays: Any, n_present: int) -> float:
    """Return the size of the smallest category, or of the missing values where they may go to either side."""
    k, smallest = scoring.n_sums, search.totals[scoring.n_sums]
    for index in range(n_present):
        smallest = min(smallest, arrays.groups[index, k])
    if scoring.is_learned and search.missing[k] > 0:
        smallest = min(smallest, search.missing[k])
    return smallest


@inner_kernel
def _offer_all(search: Any, scoring: Any, arrays: Any, feature: int, n_present: int) -> None:
    """Let the splits by all subsets be candidates, in the order of a Gray code: one category moves at a time."""
    before = 0
    search.left[:] = 0.0
    for number in range(1, 1 << (n_present - 1)):
        mask = number ^ (number >> 1)
        if scoring.is_rounded:  # moving numbers that are not whole would leave rounding errors behind
            _sum_of_mask(search.left, arrays, n_present, mask)
        else:
            _move(search.left, arrays, mask, mask ^ before)
        before = mask
        _offer_mask(search, scoring, arrays, feature, n_present, mask, -1)


@inner_kernel
def _move(left: Any, arrays: Any, mask: int, moved: int) -> None:
    """Add the one category that a mask has more than the mask before, or take away the one that it lacks."""
    index = 0
    while not (moved >> index) & 1:
        index += 1
    sign = 1.0 if mask & moved else -1.0
    for label in range(len(left)):
        left[label] += sign * arrays.groups[index, label]


@inner_kernel
def _sum_of_mask(left: Any, arrays: Any, n_present: int, mask: int) -> None:
    """Write the sum of the categories of a mask."""
    left[:] = 0.0
    for group in range(n_present):
        if (mask >> group) & 1:
            for label in range(len(left)):
                left[label] += arrays.groups[group, label]


@inner_kernel
def _offer_mask(search: Any, scoring: Any, arrays: Any, feature: int, n_present: int, mask: int, single: int) -> None:
    """Let the split of the categories of a mask, or of a single one, from the others be a candidate."""
    left_child = 0 if (mask & 1 or single == 0) else 1
    if not may_win(search.left, search.known, rival_of(search, scoring, feature), scoring):
        return
    is_kept = offer(search, scoring, feature, SUBSETS, left_child)
    if not is_kept and not search.state[IS_TIED]:
        return
    sides = search.sides[_begin_sides(search, is_kept)]
    for index in range(n_present):
        is_left = index == single if single >= 0 else (mask >> index) & 1 == 1
        sides[arrays.present[index]] = left_child if is_left else 1 - left_child
    if not is_kept:
        _break_tie(search, arrays, n_present)


@inner_kernel
def _begin_sides(search: Any, is_kept: bool) -> int:
    """Clear and return the line for the children of the categories of the last kept candidate, or of one that ties."""
    line = len(search.sides) - 1
    if is_kept:
        record = search.kept[int(search.state[N_KEPT]) - 1]
        record[LOW] = record[HIGH] = record[N_FIRST] = -1.0
        line = int(record[SLOT])
    search.sides[line][:] = ABSENT
    return line


@inner_kernel
def _break_tie(search: Any, arrays: Any, n_present: int) -> None:
    """Keep the candidate, whose sides are in the last line, if its first side comes before that of the kept one.

    Sides are compared as tuples of categories. Both hold the first category.
    """
    state, sides, kept_sides = search.state, search.sides[-1], search.sides[int(search.kept[0, SLOT])]
    state[IS_TIED] = 0.0
    index = 0
    while index < n_present and sides[arrays.present[index]] == kept_sides[arrays.present[index]]:
        index += 1
    if index == n_present:
        return
    is_here = sides[arrays.present[index]] == 0
    shorter = kept_sides if is_here else sides  # it has another category at this place, a later one, or none
    has_more = False
    for later in range(index + 1, n_present):
        has_more = has_more or shorter[arrays.present[later]] == 0
    if is_here != has_more:
        return
    keep_alone(search)
    _begin_sides(search, True)
    for place in range(n_present):
        code = arrays.present[place]
        search.sides[int(search.kept[0, SLOT])][code] = sides[code]


@inner_kernel
def _offer_in_order(search: Any, scoring: Any, arrays: Any, feature: int, n_present: int) -> None:
    """Let the cuts of the categories in the order of their shares be candidates, between unequal ones."""
    order, shares, left = arrays.order, arrays.shares, search.left
    sort_stably(shares, order, n_present)
    left[:] = 0.0
    has_first, rival = False, rival_of(search, scoring, feature)
    for index in range(n_present - 1):
        group = order[index]
        has_first = has_first or group == 0
        for label in range(len(left)):
            left[label] += arrays.groups[group, label]
        if shares[group] == shares[order[index + 1]]:
            continue
        left_child = 0 if has_first else 1
        is_kept = may_win(left, search.known, rival, scoring) and offer(search, scoring, feature, SUBSETS, left_child)
        if not is_kept and not search.state[IS_TIED]:
            continue
        rival = rival_of(search, scoring, feature)
        sides = search.sides[_begin_sides(search, is_kept)]
        for position in range(n_present):
            side = left_child if position <= index else 1 - left_child
            sides[arrays.present[order[position]]] = side
        if not is_kept:
            _break_tie(search, arrays, n_present)


@inner_kernel
def _offer_each(search: Any, scoring: Any, arrays: Any, feature: int, n_present: int) -> None:
    """Let the split with a child for each category be a candidate, by entropy: two children must be large enough."""
    state, candidate, known, k = search.state, search.candidate, search.known, scoring.n_sums
    gain, n_large, largest, most, n = 0.0, 0, 0, 0.0, plain_sum(known, scoring.n_weights)
    for index in range(n_present):
        group = arrays.groups[index]
        gain += purity(group, scoring.factors)
        n_large += group[k] >= scoring.least
        most = max(most, plain_sum(group, scoring.n_weights))
    if n_large < 2:
        return
    gain = (gain - purity(known, scoring.factors)) / scoring.costs[feature]
    while plain_sum(arrays.groups[largest], scoring.n_weights) < most - EQUAL * n:
        largest += 1
    search.best_of[feature] = max(search.best_of[feature], gain)
    candidate[GAIN], candidate[FEATURE], candidate[KIND] = gain, feature, MULTIWAY
    candidate[MISSING_CHILD] = candidate[LARGEST_CHILD] = largest
    candidate[LOW], candidate[HIGH], candidate[N_FIRST] = -1.0, -1.0, -1.0
    candidate[GROUPS:] = 0.0
    is_near = gain >= state[BEST] - state[TOLERANCE] - 2 * state[ERROR]
    if not is_near or not keep_near(search, scoring):
        return
    sides = search.sides[int(search.kept[int(state[N_KEPT]) - 1, SLOT])]
    sides[:] = 0
    for index in range(n_present):
        sides[arrays.present[index]] = index + 1  # 0: no row of the node has it
