"""The feature by which a node is split into one child per category, chosen by approximate gains.

Gains are sums of x log2 x over integers x. A second logarithm separates near ties from exact ties: any function L with
L(ab) = L(a) + L(b) has equal values on equal gains, since the logarithms of primes are linearly independent over the
rational numbers. One that is drawn at random on the primes has unequal values on unequal gains, but for a probability
of 2**-64. Where gains are neither equal nor clearly different, the reference decides.
"""

from typing import Any

import numpy as np

from treerules._internal.jit import kernel
from treerules.growing.compiled.multiway_arrays import NO_FEATURE, UNKNOWN

#: Gains that differ by at most this share of rows times log2 of rows may be in any order by rounding.
_NEAR = 1e-11
#: A value within this share of a bound may be on either side of it by rounding.
_CLOSE = 1e-9
#: In nodes of less impurity the reference's rounding is near its tolerance, so that it may order equal gains.
_NEARLY_PURE = 0.01


@kernel
def _count_large_node(columns: Any, buffers: Any, n_varying: int, rows: Any, totals: Any) -> None:
    """Count the rows of a large node, in the order of their classes, by class and cell for all varying features."""
    varying, index = buffers.varying[:n_varying], 0
    for label in range(len(totals)):
        counts = buffers.counts[label]
        for _ in range(totals[label]):
            cells = columns.cells[rows[index]]
            index += 1
            for feature in varying:
                counts[cells[feature]] += 1


@kernel
def _present_of_counts(columns: Any, buffers: Any, feature: int) -> int:
    """Gather the cells of a feature that have rows, from the counts of a large node; return their number."""
    n_present, counts, sizes, present = 0, buffers.counts, buffers.sizes, buffers.present
    for cell in range(columns.first_cell[feature], columns.missing[feature] + 1):
        size = 0
        for label in range(len(counts)):
            size += counts[label, cell]
        sizes[cell] = size
        present[n_present] = cell
        n_present += size > 0
    return n_present


@kernel
def count_present_cells(columns: Any, buffers: Any, feature: int, rows: Any, totals: Any) -> int:
    """Count the rows of a node by class and cell for one feature; gather the cells with rows, return their number."""
    n_present = 0
    position = 0
    cells = columns.cells
    counts = buffers.counts
    sizes = buffers.sizes
    present = buffers.present
    for label in range(len(totals)):
        for _ in range(totals[label]):
            cell = cells[rows[position], feature]
            position += 1
            if sizes[cell] == 0:
                present[n_present] = cell
                n_present += 1
            sizes[cell] += 1
            counts[label, cell] += 1
    return n_present


@kernel
def _write_gain(params: Any, buffers: Any, feature: int, n_present: int, missing: int, totals: Any) -> None:
    """Write the gain of a feature from the counts of its present cells, and reset them; `missing` is its last cell."""
    x_log2_x = params.x_log2_x
    second_logarithms = params.second_logarithms
    counts = buffers.counts
    sizes = buffers.sizes
    gain, second_gain, known = 0.0, 0, 0
    for label in range(len(totals)):
        n_known = totals[label] - counts[label, missing]
        gain, second_gain, known = gain - x_log2_x[n_known], second_gain - second_logarithms[n_known], known + n_known
        counts[label, missing] = 0
    sizes[missing] = 0
    size_terms, second_size_terms, n_children, n_large = 0.0, 0, 0, 0
    for index in range(n_present):
        cell = buffers.present[index]
        size = sizes[cell]
        sizes[cell] = 0
        for label in range(len(totals)):
            count = counts[label, cell]
            counts[label, cell] = 0
            gain += x_log2_x[count]
            second_gain += second_logarithms[count]
        size_terms += x_log2_x[size]
        second_size_terms += second_logarithms[size]
        n_children += size > 0
        n_large += size >= params.least
    buffers.gains[feature], buffers.known[feature] = -np.inf, known
    if n_children > 1 and n_large > 1:
        buffers.gains[feature] = gain + x_log2_x[known] - size_terms
        buffers.second_gains[feature] = second_gain + second_logarithms[known] - second_size_terms
        buffers.split_informations[feature] = (x_log2_x[known] - size_terms) / known
        buffers.second_informations[feature] = second_logarithms[known] - second_size_terms


@kernel
def _best_by_gain(buffers: Any, slack: float, is_sure: bool) -> int:
    """Return the first feature of the greatest gain."""
    gains, second_gains = buffers.gains, buffers.second_gains
    best, first = 0, NO_FEATURE
    for feature in range(len(gains)):
        best = feature if gains[feature] > gains[best] else best
    for feature in range(len(gains)):
        if gains[feature] == -np.inf:
            continue
        if gains[best] <= slack:
            if second_gains[feature] != 0:
                return UNKNOWN
        elif gains[feature] >= gains[best] - slack:
            if feature != best and not (is_sure and second_gains[feature] == second_gains[best]):
                return UNKNOWN
            first = feature if first == NO_FEATURE else first
    return first


@kernel
def _has_unclear_gain(buffers: Any, slack: float) -> bool:
    """Return whether some gain is so close to zero that it may be zero."""
    for feature in range(len(buffers.gains)):
        if buffers.gains[feature] != -np.inf and buffers.gains[feature] <= slack and buffers.second_gains[feature] != 0:
            return True
    return False


@kernel
def _drop_below_average(params: Any, columns: Any, buffers: Any, slack: float, n: int, is_sure: bool) -> bool:
    """Drop the features below the average gain; False where the reference must decide which these are."""
    gains, second_gains = buffers.gains, buffers.second_gains
    total, second_total, n_counted = 0.0, 0, 0
    for feature in range(len(gains)):
        if gains[feature] == -np.inf or not (gains[feature] > slack or params.quinlan):
            continue
        if columns.counts[feature]:
            total += gains[feature]
            second_total += second_gains[feature]
            n_counted += 1
    average = total / max(1, n_counted) - params.below_average * n
    for feature in range(len(gains)):
        if gains[feature] <= slack:
            continue
        if abs(gains[feature] - average) <= slack:
            is_equal = params.below_average == 0 and second_gains[feature] * n_counted == second_total
            if not (is_sure and is_equal):
                return False
        elif gains[feature] < average:
            gains[feature] = -np.inf
    return True


@kernel
def _best_by_ratio(buffers: Any, slack: float, is_sure: bool) -> int:
    """Return the first feature of the greatest gain ratio among those that gain something."""
    gains, split_informations, second_gains = buffers.gains, buffers.split_informations, buffers.second_gains
    best, best_ratio = NO_FEATURE, 0.0
    for feature in range(len(gains)):
        if gains[feature] > slack and gains[feature] / split_informations[feature] > best_ratio:
            best, best_ratio = feature, gains[feature] / split_informations[feature]
    first = NO_FEATURE
    for feature in range(len(gains)):
        if gains[feature] <= slack:
            continue
        if (best_ratio - gains[feature] / split_informations[feature]) * min(
            split_informations[feature], split_informations[best]
        ) > slack:
            continue
        second_ratio = second_gains[feature] * buffers.known[feature] * buffers.second_informations[best]
        best_second_ratio = second_gains[best] * buffers.known[best] * buffers.second_informations[feature]
        if feature != best and not (is_sure and second_ratio == best_second_ratio):
            return UNKNOWN
        first = feature if first == NO_FEATURE else first
    return first


@kernel
def _reaches_bound(value: float, bound: float) -> int:
    """Return whether a value reaches a bound: 1, 0, or 2 where rounding decides."""
    if bound > 0 and abs(value - bound) <= _CLOSE * max(bound, value):
        return 2
    return int(value >= bound)


@kernel
def _list_varying(buffers: Any, varies: Any) -> int:
    """List the features that vary in a node, and set all gains to -inf; return the number of varying features."""
    n_varying = 0
    for feature in range(len(varies)):
        buffers.varying[n_varying] = feature
        n_varying += varies[feature]
        buffers.gains[feature] = -np.inf
    return n_varying


@kernel
def choose_feature(params: Any, columns: Any, buffers: Any, rows: Any, totals: Any, varies: Any) -> int:
    """Return the feature by which a node is split, NO_FEATURE or UNKNOWN.

    `rows` are in the order of their classes, `totals` are the class counts. Features that do not vary in the node
    are marked in `varies`.
    """
    n, impurity = len(rows), params.x_log2_x[len(rows)]
    for total in totals:
        impurity -= params.x_log2_x[total]
    is_mixed = _reaches_bound(impurity / n, params.min_impurity)
    if is_mixed != 1:
        return UNKNOWN if is_mixed == 2 else NO_FEATURE
    n_varying = _list_varying(buffers, varies)
    if n >= params.many:
        _count_large_node(columns, buffers, n_varying, rows, totals)
    for feature in buffers.varying[:n_varying]:
        if n >= params.many:
            n_present = _present_of_counts(columns, buffers, feature)
        else:
            n_present = count_present_cells(columns, buffers, feature, rows, totals)
        varies[feature] = n_present > 1
        _write_gain(params, buffers, feature, n_present, columns.missing[feature], totals)
    slack, is_sure = _NEAR * max(float(n), params.x_log2_x[n]), impurity >= _NEARLY_PURE * n
    best: int = _best_feature(params, columns, buffers, slack, n, is_sure)
    if best < 0 or params.min_gain == 0:
        return best
    score = buffers.gains[best] / n
    is_worth = _reaches_bound(score / buffers.split_informations[best] if params.by_ratio else score, params.min_gain)
    if is_worth == 2:
        return UNKNOWN
    return best if is_worth else NO_FEATURE


@kernel
def _best_feature(params: Any, columns: Any, buffers: Any, slack: float, n: int, is_sure: bool) -> int:
    """Return the feature of the best score."""
    if not params.by_ratio:
        best: int = _best_by_gain(buffers, slack, is_sure)
        return best
    is_clear = not _has_unclear_gain(buffers, slack)
    if is_clear and params.averages:
        is_clear = _drop_below_average(params, columns, buffers, slack, n, is_sure)
    return _best_by_ratio(buffers, slack, is_sure) if is_clear else UNKNOWN
