"""The cuts of a sorted list of a node, as candidates.

A list holds an entry for each row of the node: the row, its class, and whether a new value begins with it. Entries of
missing values come last.
"""

from typing import Any, NamedTuple

import numpy as np

from treerules._internal.jit import inlined_kernel, inner_kernel
from treerules.criteria.table import ENTROPY_KERNEL, SQUARES_KERNEL
from treerules.growing.array_tree import CUT
from treerules.growing.compiled.best_split import x_log2_x
from treerules.growing.compiled.class_numeric import MISSING_BIT, NEW_VALUE_BIT
from treerules.growing.general.candidates import (
    BEST,
    ERROR,
    HIGH,
    LEAST_SIZE,
    LOW,
    N_CUTS,
    N_FIRST,
    N_KEPT,
    TOLERANCE,
    is_monotone,
    offer,
    offer_missing_test,
    write_right,
)
from treerules.growing.general.gains import weighed_sum
from treerules.growing.general.scoring import CENTRE, FACTOR

#: Each step adds a rounding error of this share of the weight, times the bits of the logarithms of entropy.
_PER_STEP, _MOST_BITS = 2.0**-51, 32.0


#: C4.5 as published: values that differ by no more are not divided; children need not be larger than this.
_LEAST_DISTANCE, _MOST_REQUIRED = 1e-5, 25.0
#: The values of a list in a node: all equal, some equal, all different.
CONSTANT, VARIES, DISTINCT = range(3)
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


class Lists(NamedTuple):
    """The features of many values: a list of each, sorted within each node."""

    #: uint32, shape (lists, rows)
    entries: Any
    #: the parts of an entry: the mask of its row, the shift and the mask of its class
    row_mask: int
    class_shift: int
    class_mask: int


@inlined_kernel
def search_list(search: Any, scoring: Any, lists: Any, line: int, start: int, stop: int, feature: int) -> int:
    """Let all cuts of a list be candidates; return CONSTANT, VARIES or DISTINCT: missing is one more value."""
    entries, n, k = lists.entries[line, start:stop], stop - start, scoring.n_sums
    end = _sum_missing(search.missing, scoring, lists, entries)
    for index in range(k + 1):
        search.known[index] = search.totals[index] - search.missing[index]
    if end == 0:
        return CONSTANT
    is_divided = scoring.is_learned and end < n
    search.state[LEAST_SIZE] = least_size_of_cuts(search, scoring)
    if k > 2 or scoring.criterion == ENTROPY_KERNEL:
        variety = VARIES if _scan_many(search, scoring, lists, line, entries, end, feature, is_divided) else CONSTANT
    else:
        variety = _scan_pairs(search, scoring, lists, entries, end, feature, is_divided)
    if is_divided and offer_missing_test(search, scoring, feature):
        last = int(search.state[N_KEPT]) - 1
        search.kept[last, LOW] = search.kept[last, HIGH] = -1.0
        search.kept[last, N_FIRST] = end
    return variety if end == n else VARIES


@inner_kernel
def least_size_of_cuts(search: Any, scoring: Any) -> float:
    """Return the least size of a child of a cut; of C4.5 as published a tenth of the average class of the node."""
    if not scoring.is_published:
        return scoring.least
    required = 0.1 * search.known[scoring.n_sums] / scoring.n_sums
    return min(max(required, scoring.least), max(_MOST_REQUIRED, scoring.least))


@inlined_kernel
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
    if scoring.criterion == SQUARES_KERNEL:
        statistics[0] += weight
        statistics[1] += weight * ((scoring.values[row] - scoring.scale[CENTRE]) * scoring.scale[FACTOR])
    else:
        statistics[label] += weight
    statistics[scoring.n_sums] += 1.0 if scoring.counts_rows else weight


@inner_kernel
def bar_of(state: Any) -> float:
    """Return the gain below which no candidate may win."""
    return state[BEST] - state[TOLERANCE] - 2 * state[ERROR] if state[N_KEPT] else -1.0


@inlined_kernel
def _scan_pairs(search: Any, scoring: Any, lists: Any, entries: Any, end: int, feature: int, is_divided: bool) -> int:
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


@inner_kernel
def write_cut(search: Any, entries: Any, index: int, mask: int) -> None:
    """Write the rows around the cut before an entry, and the number of entries before it, into the last candidate."""
    record = search.kept[int(search.state[N_KEPT]) - 1]
    record[LOW], record[HIGH] = np.int64(entries[index - 1]) & mask, np.int64(entries[index]) & mask
    record[N_FIRST] = index


@inner_kernel
def _scan_many(
    search: Any, scoring: Any, lists: Any, line: int, entries: Any, end: int, feature: int, is_divided: bool
) -> bool:
    """Let the cuts of a list be candidates, for any number of classes and where missing values go to either side.

    The sums of terms of both sides, without and with the missing values, are updated row by row. They are rough:
    `offer` computes the gains that are near the best.
    """
    state, left, known, missing, k = search.state, search.left, search.known, search.missing, scoring.n_sums
    sums_logarithms = scoring.criterion == ENTROPY_KERNEL
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
    rounding = (end + k) * _PER_STEP * n * (_MOST_BITS if sums_logarithms else 1.0)  # of the sums
    node -= rounding
    left[:] = 0.0
    cost, gains, least, n_known = scoring.costs[feature], search.sums, state[LEAST_SIZE], known[k]
    can_raise, sent_size = not (scoring.has_directions and scoring.directions[feature] != 0), sent * missing[k]
    slack = (state[TOLERANCE] + 4 * state[ERROR]) * cost + 2.0 * rounding
    bar, varies, entry = bar_of(state) * cost + node, False, np.int64(entries[0])
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
        gains[index] = -np.inf
        if not (entry >> NEW_VALUE_BIT) & 1:
            continue
        varies = True
        fits_left = left[k] + sent_size >= least and n_known - left[k] >= least
        fits_right = left[k] >= least and n_known - left[k] + sent_size >= least
        if scoring.is_published:
            values, next_row = scoring.cut_values[line], entry & lists.row_mask
            if values[row] + _LEAST_DISTANCE >= values[next_row]:
                continue
            write_right(search, scoring)
            state[N_CUTS] += (fits_left or fits_right) and is_monotone(search, scoring, feature)
        on_left = _purity(with_left, n_left + n_missing, sums_logarithms) + _purity(of_right, n_right, sums_logarithms)
        on_right = _purity(of_left, n_left, sums_logarithms) + _purity(with_right, n_right + n_missing, sums_logarithms)
        gains[index] = max(on_left, on_right)
        if gains[index] <= bar:
            continue
        if can_raise and (gains[index] == on_left if fits_left else fits_right and gains[index] == on_right):
            bar = gains[index] - slack
    _offer_above(search, scoring, lists, entries, end, feature, bar, node)
    return varies


@inner_kernel
def _offer_above(
    search: Any, scoring: Any, lists: Any, entries: Any, end: int, feature: int, bar: float, node: float
) -> None:
    """Let the cuts of a list whose rough gain, in `search.sums`, is not below a bar be candidates."""
    left, gains, cost, done = search.left, search.sums, scoring.costs[feature], 0
    left[:] = 0.0
    for index in range(1, end):
        if gains[index] < bar:
            continue
        for before in range(done, index):
            entry = np.int64(entries[before])
            label = (entry >> lists.class_shift) & lists.class_mask
            add_row(left, scoring, label, entry & lists.row_mask)
        done = index
        if offer(search, scoring, feature, CUT, 0):
            write_cut(search, entries, index, lists.row_mask)
            bar = max(bar, bar_of(search.state) * cost + node)


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
