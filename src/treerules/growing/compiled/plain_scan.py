"""The cuts of a sorted list as candidates, for any number of classes, where each row counts 1."""

from typing import Any

import numpy as np

from treerules._internal.jit import inlined_kernel, inner_kernel
from treerules.criteria.table import ENTROPY_KERNEL
from treerules.growing.compiled.candidates import LEAST_SIZE
from treerules.growing.compiled.list_entries import bar_of, is_free
from treerules.growing.compiled.noted_cuts import offer_noted
from treerules.growing.compiled.pairs import slack_of
from treerules.growing.compiled.purities import (
    BLOCK,
    count_classes,
    error_of,
    most_added,
    purity_of,
    rounding_of,
    sums_of_sides,
)
from treerules.growing.compiled.sorted_lists import NEW_VALUE_BIT


@inlined_kernel
def scan_plain(search: Any, scoring: Any, lists: Any, entries: Any, end: int, feature: int) -> None:
    """Let the cuts of a list be candidates, without weights, factors, and missing values that go to either side."""
    state, left, known, k = search.state, search.left, search.known, scoring.n_sums
    has_logarithms, n = scoring.criterion == ENTROPY_KERNEL, float(end)
    left[:] = 0.0
    _, _, _, of_left, of_right, _, _ = sums_of_sides(left, known, search.missing, 0.0, scoring)
    rounding = rounding_of(end, n, scoring)
    node, cost, least = purity_of(of_right, n, scoring) - rounding, scoring.costs[feature], state[LEAST_SIZE]
    can_raise, slack = is_free(scoring, feature), slack_of(search, cost, False)
    bar, step, index, n_passing = bar_of(state) * cost + node, most_added(n, scoring), 0, 0
    shift, mask = np.uint32(lists.class_shift), np.uint32(lists.class_mask)
    while True:
        index, of_left, of_right = _next_passing(
            entries[:end], left[:k], known, search.noted, scoring.terms, has_logarithms, shift, mask, index, of_left,
            of_right, bar, rounding, step,
        )  # fmt: skip
        if index < 0:
            break
        n_left, n_right = float(index), n - index
        highest = purity_of(of_left, n_left, scoring) + purity_of(of_right, n_right, scoring)
        error = error_of(rounding, n, n_left, n_right, scoring)
        search.sizes[n_passing], search.sums[n_passing] = index, highest + error
        n_passing += 1
        if can_raise and n_left >= least and n_right >= least:
            bar = max(bar, highest - error - slack)
    offer_noted(search, scoring, lists, entries, n_passing, feature, bar, node)


@inner_kernel
def _next_passing(
    segment: Any, left: Any, known: Any, counts: Any, terms: Any, has_logarithms: bool, shift: Any, mask: Any,
    index: int, of_left: float, of_right: float, bar: float, rounding: float, step: float,
) -> Any:  # fmt: skip
    """Return the least number of rows, more than `index`, whose cut passes the bar, and the terms of its sides; or -1.

    `left` are the class counts of the first rows, `known` those of all. Rows out of reach of the bar are only counted.
    """
    n, n_classes, one = len(segment), len(left), np.uint64(1)
    last, stop, room, least_skipped = n - 1, index, rounding * n * n, max(BLOCK, n_classes)
    while index < last:
        if index == stop:
            if has_logarithms:
                highest = of_left - terms[index] + of_right - terms[n - index]
            else:
                highest = (of_left / index if index else 0.0) + of_right / (n - index)
            n_skipped = min(last - index, int((bar - 2 * rounding - highest) / step - 1.0)) if bar > highest else 0
            if n_skipped >= least_skipped:
                count_classes(segment[index : index + n_skipped], counts, left, shift, mask)
                index += n_skipped
                of_left, of_right = 0.0, 0.0
                for label in range(n_classes):
                    a, b = left[label], known[label] - left[label]
                    of_left += terms[np.uint64(a)] if has_logarithms else a * a
                    of_right += terms[np.uint64(b)] if has_logarithms else b * b
            stop = min(index + BLOCK, last)
        passes = False
        while index < stop and not passes:
            label = np.uint64((segment[np.uint64(index)] >> shift) & mask)
            a = left[label]
            b = known[label] - a
            left[label] = a + 1.0
            index += 1
            n_left, n_right = np.float64(index), np.float64(n - index)
            if has_logarithms:
                of_left += terms[np.uint64(a) + one] - terms[np.uint64(a)]
                of_right += terms[np.uint64(b) - one] - terms[np.uint64(b)]
                reached = of_left + of_right - terms[index] - terms[n - index] + rounding >= bar
            else:
                of_left += 2.0 * a + 1.0
                of_right -= 2.0 * b - 1.0
                reached = of_left * n_right + of_right * n_left + room >= bar * n_left * n_right
            is_new = segment[np.uint64(index)] >> np.uint32(NEW_VALUE_BIT)
            passes = (is_new & np.uint32(reached)) != 0  # no branch: new values are hard to predict
        if passes:
            return index, of_left, of_right
    return -1, of_left, of_right
