"""The cuts of a sorted list that sums of weighted rows decide: of a regression, or of two classes by Gini."""

from typing import Any

import numpy as np

from treerules._internal.jit import inlined_kernel, inner_kernel
from treerules.criteria.table import SQUARES_KERNEL
from treerules.growing.array_tree import CUT
from treerules.growing.compiled.candidates import LEAST_SIZE, offer
from treerules.growing.compiled.list_entries import VARIES, bar_of, is_free, variety_of_bits, write_cut
from treerules.growing.compiled.pairs import gain_of_pair, passes, slack_of
from treerules.growing.compiled.rivals import only_ties
from treerules.growing.compiled.scoring import CENTRE, FACTOR
from treerules.growing.compiled.sorted_lists import NEW_VALUE_BIT

#: The number of positions of a list that are tested together; not worth it for at most _SHORT.
_BLOCK, _SHORT = 256, 16


@inlined_kernel
def scan_pairs(
    search: Any, scoring: Any, lists: Any, entries: Any, end: int, feature: int, pair: Any, is_divided: bool
) -> int:
    """Let the cuts of a list be candidates; return its variety where rows have no weights.

    Whole blocks of positions are tested first.

    Those that may win are noted, and offered when the greatest gain in the list is known: few are offered.
    """
    left, has_means, cost = search.left, scoring.criterion == SQUARES_KERNEL, scoring.costs[feature]
    variety = _write_sums(search, scoring, lists, entries, end)
    sizes, sums, k, least = search.sizes, search.sums, scoring.n_sums, search.state[LEAST_SIZE]
    can_raise, slack = (
        is_free(scoring, feature),
        slack_of(search, cost, is_divided),
    )
    n_known, n_missing = search.known[k], search.missing[k] if is_divided else 0.0
    bar, done, last, n_noted = bar_of(search.state) * cost, 0, end - 1, 0
    while done < last:
        stop = min(done + _BLOCK, last)
        if stop - done > _SHORT and not _any_passes(
            sizes, sums, scoring.has_weights, done, stop, pair, bar, is_divided
        ):
            done = stop
            continue
        for index in range(done, stop):
            size = sizes[index] if scoring.has_weights else index + 1.0
            is_cut = (np.int64(entries[index + 1]) >> NEW_VALUE_BIT) & 1
            if not is_cut or not passes(size, sums[index], pair, bar, is_divided):
                continue
            search.noted[n_noted] = index
            n_noted += 1
            n_left = index + 1.0 if scoring.counts_rows else size
            n_right = n_known - n_left
            if can_raise and n_left >= least and n_right + n_missing >= least:
                bar = max(bar, gain_of_pair(size, sums[index], pair, 0.0) - slack)
            if can_raise and is_divided and n_left + n_missing >= least and n_right >= least:
                bar = max(bar, gain_of_pair(size, sums[index], pair, 1.0) - slack)
        done = stop
    for place in range(n_noted):
        index = search.noted[place]
        size, total = sizes[index] if scoring.has_weights else index + 1.0, sums[index]
        if not passes(size, total, pair, bar, is_divided):
            continue
        left[0], left[1] = (size if has_means else size - total), total
        left[2] = index + 1.0 if scoring.counts_rows else size
        if not only_ties(search, scoring, feature) and offer(search, scoring, feature, CUT, 0):
            write_cut(search, entries, index + 1, lists.row_mask)
            bar = max(bar, bar_of(search.state) * cost)
    return variety


@inlined_kernel
def _write_sums(search: Any, scoring: Any, lists: Any, entries: Any, end: int) -> int:
    """Write the sum of the first rows of a list, for each number of rows, and their weight where rows have weights.

    The sum is that of the target of a regression, or the weight of the second class. Sums are added in the order of the
    list, as the reference adds them. Returns the variety of the list where rows have no weights: additions wait for
    each other, so that it takes no time.
    """
    sizes, sums, mask, shift = search.sizes, search.sums, np.uint64(lists.row_mask), np.uint64(lists.class_shift)
    values, weights, one = scoring.values, scoring.weights, np.uint64(1)
    centre, scale, size, total = scoring.scale[CENTRE], scoring.scale[FACTOR], 0.0, 0.0
    if scoring.has_weights:
        for index in range(np.uint64(end)):
            entry = np.uint64(entries[index])
            weight = weights[entry & mask]
            size += weight
            if scoring.criterion == SQUARES_KERNEL:
                total += weight * ((values[entry & mask] - centre) * scale)
            elif (entry >> shift) & one:
                total += weight
            sizes[index], sums[index] = size, total
        return VARIES
    entry = np.uint64(entries[0])
    total += (values[entry & mask] - centre) * scale
    sums[0], all_bits, any_bits = total, np.uint64(1 << NEW_VALUE_BIT), np.uint64(0)
    for index in range(one, np.uint64(end)):
        entry = np.uint64(entries[index])
        all_bits &= entry
        any_bits |= entry
        total += (values[entry & mask] - centre) * scale
        sums[index] = total
    return variety_of_bits(all_bits, any_bits)


@inner_kernel
def _any_passes(
    sizes: Any, sums: Any, has_weights: bool, done: int, stop: int, pair: Any, bar: float, is_divided: bool
) -> bool:
    """Return whether some position of a block would pass if it were a cut; without branches, for SIMD."""
    n_passing = np.int32(0)
    sizes, sums = sizes[done:stop], sums[done:stop]
    if has_weights:
        for index in range(len(sums)):
            n_passing += np.int32(passes(sizes[index], sums[index], pair, bar, is_divided))
    elif is_divided:
        for index in range(len(sums)):
            size = np.float64(np.int32(done) + np.int32(index)) + 1.0
            n_passing += np.int32(passes(size, sums[index], pair, bar, True))
    else:  # of a regression: the weighed size is that of the rows
        n, bound = pair.n, bar * pair.n
        for index in range(len(sums)):
            size = np.float64(np.int32(done) + np.int32(index) + np.int32(1))
            distance = sums[index] * n - pair.total * size
            n_passing += np.int32(distance * distance > bound * (size * (n - size)))
    return n_passing > 0
