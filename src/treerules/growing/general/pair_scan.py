"""The cuts of a sorted list that a pair of sums decides: of a regression, or of two classes by Gini."""

from typing import Any, NamedTuple

import numpy as np

from treerules._internal.jit import inlined_kernel, inner_kernel
from treerules.criteria.table import SQUARES_KERNEL
from treerules.growing.array_tree import CUT
from treerules.growing.compiled.class_numeric import NEW_VALUE_BIT
from treerules.growing.general.candidates import (
    ERROR,
    LEAST_SIZE,
    TOLERANCE,
    offer,
)
from treerules.growing.general.gains import weighed_sum
from treerules.growing.general.list_entries import (
    CONSTANT,
    DISTINCT,
    VARIES,
    bar_of,
    write_cut,
)
from treerules.growing.general.scoring import CENTRE, FACTOR

#: The number of positions of a list that are tested together; not worth it for at most _SHORT.
_BLOCK, _SHORT = 256, 16


class Pair(NamedTuple):
    """How gains are computed from the weight and the sum of the first rows of a list.

    The weighed size is `of_size` times the weight plus `of_total` times the sum; the weighed sum `of_sum` times that.
    """

    of_size: float
    of_total: float
    of_sum: float
    #: of all rows, and of those with a missing value that go to either side: the weighed size, and the weighed sum
    n: float
    total: float
    n_missing: float
    sum_missing: float
    #: what multiplies the decrease of squares
    times: float


@inlined_kernel
def scan_pairs(search: Any, scoring: Any, lists: Any, entries: Any, end: int, feature: int, is_divided: bool) -> int:
    """Let the cuts of a list be candidates: a regression, or two classes by Gini, which a pair of sums decides.

    Of n rows with a sum s, of all N and S, the gain is (s N - S n)^2 / (n (N - n) N), times 2 for Gini of a target of 0
    and 1. Whole blocks of positions are tested first.
    """
    left, known, missing, mask = search.left, search.known, search.missing, lists.row_mask
    has_means, cost = scoring.criterion == SQUARES_KERNEL, scoring.costs[feature]
    variety = _write_sums(search, scoring, lists, entries, end)
    first_factor, of_sum = scoring.factors[0], 1.0 if has_means else scoring.factors[1]
    n_known, n_missing = weighed_sum(known, scoring.factors), weighed_sum(missing, scoring.factors)
    if not is_divided:
        n_missing = 0.0
    of_missing = of_sum * missing[1] if is_divided else 0.0
    pair = Pair(
        first_factor,
        0.0 if has_means else of_sum - first_factor,
        of_sum,
        n_known + n_missing,
        of_sum * known[1] + of_missing,
        n_missing,
        of_missing,
        1.0 if has_means else 2.0,
    )
    bar, last = bar_of(search.state) * cost, end - 1
    if end > 2 and not (scoring.has_directions and scoring.directions[feature] != 0):
        bar = _raised_bar(search, scoring, entries, last, pair, bar, cost, is_divided)
    done = 0
    while done < last:
        stop = min(done + _BLOCK, last)
        if stop - done > _SHORT and not _any_passes(search.sizes, search.sums, done, stop, pair, bar, is_divided):
            done = stop
            continue
        for index in range(done, stop):
            following = np.int64(entries[index + 1])
            size, total = search.sizes[index], search.sums[index]
            if not (following >> NEW_VALUE_BIT) & 1 or not _passes(size, total, pair, bar, is_divided):
                continue
            left[0], left[1] = (size if has_means else size - total), total
            left[2] = index + 1.0 if scoring.counts_rows else size
            if offer(search, scoring, feature, CUT, 0):
                write_cut(search, entries, index + 1, mask)
                bar = max(bar, bar_of(search.state) * cost)
        done = stop
    return variety


@inlined_kernel
def _raised_bar(
    search: Any, scoring: Any, entries: Any, last: int, pair: Any, bar: float, cost: float, is_divided: bool
) -> float:
    """Return the gain below which no cut of a list may win, from the greatest gain in it: few cuts are offered then."""
    sizes, sums, k, least = search.sizes, search.sums, scoring.n_sums, search.state[LEAST_SIZE]
    slack = (search.state[TOLERANCE] + 4 * search.state[ERROR]) * cost
    n_known, n_missing, done = search.known[k], search.missing[k] if is_divided else 0.0, 0
    while done < last:
        stop = min(done + _BLOCK, last)
        if stop - done <= _SHORT or _any_passes(sizes, sums, done, stop, pair, bar, is_divided):
            for index in range(done, stop):
                n_left = index + 1.0 if scoring.counts_rows else sizes[index]
                n_right = n_known - n_left
                if not (np.int64(entries[index + 1]) >> NEW_VALUE_BIT) & 1:
                    continue
                if n_left >= least and n_right + n_missing >= least:
                    bar = max(bar, _gain(sizes[index], sums[index], pair, 0.0) - slack)
                if is_divided and n_left + n_missing >= least and n_right >= least:
                    bar = max(bar, _gain(sizes[index], sums[index], pair, 1.0) - slack)
        done = stop
    return bar


@inner_kernel
def _gain(size: float, total: float, pair: Any, sent: float) -> float:
    """Return the gain of the cut after rows of a weight and a sum; `sent` is 1 where missing values go with them."""
    n_left = pair.of_size * size + pair.of_total * total + sent * pair.n_missing
    distance = (pair.of_sum * total + sent * pair.sum_missing) * pair.n - pair.total * n_left
    divisor = n_left * (pair.n - n_left) * pair.n
    return pair.times * distance * distance / divisor if divisor > 0 else 0.0


@inlined_kernel
def _write_sums(search: Any, scoring: Any, lists: Any, entries: Any, end: int) -> int:
    """Write the weight and the sum of the first rows of a list, for each number of rows; return its variety.

    The sum is that of the target of a regression, or the weight of the second class. Sums are added in the order of the
    list, as the reference adds them.
    """
    sizes, sums, mask, shift = search.sizes, search.sums, np.uint64(lists.row_mask), np.uint64(lists.class_shift)
    values, weights, one = scoring.values, scoring.weights, np.uint64(1)
    centre, scale = scoring.scale[CENTRE], scoring.scale[FACTOR]
    entry, size, total = np.uint64(entries[0]), 0.0, 0.0
    all_bits, any_bits = np.uint64(1 << NEW_VALUE_BIT), np.uint64(0)
    for index in range(np.uint64(1), np.uint64(end)):
        entry = np.uint64(entries[index])
        all_bits &= entry
        any_bits |= entry
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
    elif scoring.criterion == SQUARES_KERNEL:
        for index in range(np.uint64(end)):
            total += (values[np.uint64(entries[index]) & mask] - centre) * scale
            sizes[index], sums[index] = np.float64(np.int64(index)) + 1.0, total
    else:
        count = np.int64(0)
        for index in range(np.uint64(end)):
            count += np.int64((np.uint64(entries[index]) >> shift) & one)
            sizes[index], sums[index] = np.float64(np.int64(index)) + 1.0, np.float64(count)
    if not any_bits >> np.uint64(NEW_VALUE_BIT):
        return CONSTANT
    return DISTINCT if all_bits >> np.uint64(NEW_VALUE_BIT) else VARIES


@inner_kernel
def _passes(size: float, total: float, pair: Any, bar: float, is_divided: bool) -> bool:
    """Return whether the cut after rows of a weight and a sum may gain more than the bar."""
    n, n_left, sum_left = pair.n, pair.of_size * size + pair.of_total * total, pair.of_sum * total
    distance = sum_left * n - pair.total * n_left
    passes = pair.times * distance * distance > bar * n_left * (n - n_left) * n
    if is_divided:
        n_left += pair.n_missing
        distance = (sum_left + pair.sum_missing) * n - pair.total * n_left
        passes |= pair.times * distance * distance > bar * n_left * (n - n_left) * n
    return passes


@inner_kernel
def _any_passes(sizes: Any, sums: Any, done: int, stop: int, pair: Any, bar: float, is_divided: bool) -> bool:
    """Return whether some position of a block would pass if it were a cut; without branches, for SIMD."""
    n_passing = np.int32(0)
    sizes, sums = sizes[done:stop], sums[done:stop]
    if is_divided:
        for index in range(len(sizes)):
            n_passing += np.int32(_passes(sizes[index], sums[index], pair, bar, True))
    else:
        for index in range(len(sizes)):
            n_passing += np.int32(_passes(sizes[index], sums[index], pair, bar, False))
    return n_passing > 0
