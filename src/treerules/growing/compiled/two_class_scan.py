"""The cuts of a sorted list for two classes without weights, by Gini: blocks of rows out of reach are only counted."""

from typing import Any

import numpy as np

from treerules._internal.jit import inlined_kernel, inner_kernel
from treerules.growing.array_tree import CUT
from treerules.growing.compiled.candidates import LEAST_SIZE, offer
from treerules.growing.compiled.list_entries import bar_of, is_free, write_cut
from treerules.growing.compiled.pairs import gain_of_pair, passes, slack_of
from treerules.growing.compiled.rivals import only_ties
from treerules.growing.compiled.sorted_lists import NEW_VALUE_BIT

#: The number of rows that are counted at a time; four times as many in lists of _LONG rows.
_BLOCK, _LONG = 16, 1 << 12


@inlined_kernel
def scan_two_classes(
    search: Any, scoring: Any, lists: Any, entries: Any, end: int, feature: int, pair: Any, is_divided: bool
) -> None:
    """Let the cuts of a list be candidates. Those that may win are noted first, so that few are offered."""
    state, cost, shift = search.state, scoring.costs[feature], np.uint32(lists.class_shift)
    least, n_known, sent = state[LEAST_SIZE], float(end), search.missing[2] if is_divided else 0.0
    can_raise, slack = (
        is_free(scoring, feature),
        slack_of(search, cost, is_divided),
    )
    bar, last, index, ones, n_noted = bar_of(state) * cost, end - 1, 0, 0, 0
    size = _BLOCK if end < _LONG else 4 * _BLOCK
    while index < last:
        stop = min(index + size, last)
        if stop - index == size:
            of_block = np.uint32(0)
            for entry in range(index, stop):
                of_block += (entries[np.uint64(entry)] >> shift) & np.uint32(1)
            if not _may_pass(index, ones, stop - index, np.int64(of_block), pair, bar, is_divided):
                index, ones = stop, ones + np.int64(of_block)
                continue
        while index < stop:
            ones += np.int64((entries[np.uint64(index)] >> shift) & np.uint32(1))
            index += 1
            is_cut = entries[np.uint64(index)] >> np.uint32(NEW_VALUE_BIT)
            n_left, total = float(index), float(ones)
            if not (is_cut & np.uint32(passes(n_left, total, pair, bar, is_divided))):
                continue
            search.sizes[n_noted], search.sums[n_noted] = n_left, total
            n_noted += 1
            n_right = n_known - n_left
            if can_raise and n_left >= least and n_right + sent >= least:
                bar = max(bar, gain_of_pair(n_left, total, pair, 0.0) - slack)
            if can_raise and is_divided and n_left + sent >= least and n_right >= least:
                bar = max(bar, gain_of_pair(n_left, total, pair, 1.0) - slack)
    left = search.left
    for place in range(n_noted):
        n_left, total = search.sizes[place], search.sums[place]
        if not passes(n_left, total, pair, bar, is_divided):
            continue
        left[0], left[1], left[2] = n_left - total, total, n_left
        if not only_ties(search, scoring, feature) and offer(search, scoring, feature, CUT, 0):
            write_cut(search, entries, int(n_left), lists.row_mask)
            bar = max(bar, bar_of(state) * cost)


@inner_kernel
def _may_pass(index: int, ones: int, n_rows: int, n_ones: int, pair: Any, bar: float, is_divided: bool) -> bool:
    """Return whether some cut in a block may gain more than a bar.

    `index` rows come before the block, `ones` of them of the second class; it has `n_rows` rows, `n_ones` of them of
    that class. The distance changes by a known step for each class, and its divisor is least at an end of the block.
    """
    n, size, total = pair.n, float(index), float(ones)
    of_one, of_zero = pair.of_size + pair.of_total, pair.of_size
    n_left, distance = of_zero * size + pair.of_total * total, pair.of_sum * total * n
    distance -= pair.total * n_left
    up, down = (pair.of_sum * n - pair.total * of_one) * n_ones, pair.total * of_zero * (n_rows - n_ones)
    begin, end = n_left + min(of_one, of_zero), n_left + of_one * n_ones + of_zero * (n_rows - n_ones)
    is_near = _reaches(distance, up, down, begin, end, n, pair.times, bar)
    if is_divided:
        shift = pair.sum_missing * n - pair.total * pair.n_missing
        begin, end = begin + pair.n_missing, end + pair.n_missing
        is_near = is_near or _reaches(distance + shift, up, down, begin, end, n, pair.times, bar)
    return is_near


@inner_kernel
def _reaches(
    distance: float, up: float, down: float, begin: float, end: float, n: float, times: float, bar: float
) -> bool:
    """Return whether a distance that changes by at most `up` and `down` reaches a gain between two sizes of a side."""
    farthest, divisor = max(distance + up, down - distance), min(begin * (n - begin), end * (n - end))
    return bool(times * farthest * farthest > bar * divisor * n)
