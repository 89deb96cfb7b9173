"""The best split found so far in a node, as an array of floats (a record), and the comparison of two splits.

Gains that differ by no more than rounding are compared exactly, in integers, as `reference.scoring` does. Where that
is not possible here the record is marked UNCERTAIN, and the reference decides the node.
"""

from math import log2
from typing import Any

import numpy as np

from treerules._internal.jit import kernel
from treerules.criteria.table import ENTROPY_KERNEL, GINI_KERNEL
from treerules.growing.array_tree import LEAF, SUBSETS

#: Positions in a record. GAIN: n times the gain. KIND: as in an array tree. LOW, HIGH: the values around a cut, as rows
#: (sorted lists) or codes (coded columns); -1 for other kinds. UNCERTAIN: 1 where the reference must decide. N_FIRST:
#: the number of list entries of the first child. N_KNOWN: the number of rows scored. SUMS: here begin the class counts
#: of the first child, of the second child and of the rows with a missing value.
GAIN, FEATURE, KIND, LOW, HIGH, MISSING_CHILD, LARGEST_CHILD, UNCERTAIN, N_FIRST, N_KNOWN, SUMS = range(11)

#: The KIND of a record that holds no split yet.
NONE = LEAF
#: The codes of the criteria.
GINI, ENTROPY = GINI_KERNEL, ENTROPY_KERNEL
#: Gains that differ by at most this share of the rows (for entropy, of rows times log2 of rows) are compared exactly.
NEAR = 1e-11
#: Exact fractions of nodes of at most this many rows fit into 128 bits.
MOST_EXACT = 1 << 15


def record_length(n_classes: int) -> int:
    """Return the length of a record."""
    return SUMS + 3 * n_classes


@kernel
def copy_into(source: Any, target: Any) -> None:
    """Copy an array over another of the same length."""
    for index in range(len(source)):
        target[index] = source[index]


@kernel
def x_log2_x(x: float) -> float:
    """Return x log2 x; 0 where x is 0."""
    return x * log2(x) if x > 0 else 0.0


@kernel
def class_term(count: float, criterion: int) -> float:
    """Return the term of one class count in `score_term`."""
    return x_log2_x(count) if criterion == ENTROPY else count * count


@kernel
def score_term(counts: Any, criterion: int) -> float:
    """Return n times (maximum - impurity) of a group, up to a constant: larger is purer."""
    total, n = 0.0, 0.0
    for count in counts:
        n += count
        total += class_term(count, criterion)
    if criterion == ENTROPY:
        return total - x_log2_x(n)
    return total / n if n > 0 else 0.0


@kernel
def rounding_slack(n: float, criterion: int) -> float:
    """Return the greatest difference of two gains of a node that may be due to rounding."""
    return NEAR * n * (max(1.0, log2(n)) if criterion == ENTROPY else 1.0)


@kernel
def product_128(a: int, b: int) -> Any:
    """Return the high and the low 64 bits of the product of two non-negative integers."""
    a0, a1 = np.uint64(a) & np.uint64(0xFFFFFFFF), np.uint64(a) >> np.uint64(32)
    b0, b1 = np.uint64(b) & np.uint64(0xFFFFFFFF), np.uint64(b) >> np.uint64(32)
    low, low_high, high_low, high = a0 * b0, a0 * b1, a1 * b0, a1 * b1
    middle = (low >> np.uint64(32)) + (low_high & np.uint64(0xFFFFFFFF)) + (high_low & np.uint64(0xFFFFFFFF))
    high += (low_high >> np.uint64(32)) + (high_low >> np.uint64(32)) + (middle >> np.uint64(32))
    return high, (low & np.uint64(0xFFFFFFFF)) | (middle << np.uint64(32))


@kernel
def _exact_gain(left: Any, right: Any) -> Any:
    """Return numerator and denominator of n times the Gini gain of two groups, from their whole class counts."""
    n_left, n_right, squares_left, squares_right, squares_both = 0, 0, 0, 0, 0
    for label in range(len(left)):
        count, other_count = int(left[label]), int(right[label])
        n_left, n_right = n_left + count, n_right + other_count
        squares_left, squares_right = squares_left + count * count, squares_right + other_count * other_count
        squares_both += (count + other_count) * (count + other_count)
    n = n_left + n_right
    return (squares_left * n_right + squares_right * n_left) * n - squares_both * n_left * n_right, n_left * n_right * n


@kernel
def _has_same_groups(one: Any, other: Any, n_classes: int) -> bool:
    """Return whether two splits have the same class counts, in either order of their children."""
    is_same, is_mirrored = True, True
    for label in range(n_classes):
        a, b = one[SUMS + label], one[SUMS + n_classes + label]
        c, d = other[SUMS + label], other[SUMS + n_classes + label]
        is_same = is_same and a == c and b == d
        is_mirrored = is_mirrored and a == d and b == c
    return is_same or is_mirrored


@kernel
def _is_permutation(one: Any, start: int, other: Any, other_start: int, n_classes: int) -> bool:
    """Return whether the class counts from `start` on in one record are a permutation of those in another record."""
    for label in range(n_classes):
        surplus = 0
        for other_label in range(n_classes):
            surplus += (one[start + other_label] == one[start + label]) - (
                other[other_start + other_label] == one[start + label]
            )
        if surplus != 0:
            return False
    return True


@kernel
def _differs_in_class_names(one: Any, other: Any, n_classes: int) -> bool:
    """Return whether two splits are equal up to the names of classes, in either order of their children."""
    for label in range(n_classes):
        surplus = 0
        total = one[SUMS + label] + one[SUMS + n_classes + label]
        for other_label in range(n_classes):
            surplus += one[SUMS + other_label] + one[SUMS + n_classes + other_label] == total
            surplus -= other[SUMS + other_label] + other[SUMS + n_classes + other_label] == total
        if surplus != 0:
            return False
    first, second = SUMS, SUMS + n_classes
    is_same = _is_permutation(one, first, other, first, n_classes) and _is_permutation(
        one, second, other, second, n_classes
    )
    return is_same or (
        _is_permutation(one, first, other, second, n_classes) and _is_permutation(one, second, other, first, n_classes)
    )


@kernel
def compare_exact(one: Any, other: Any, n_classes: int, criterion: int) -> int:
    """Return 1, 0 or -1 as the gain of one split is more than, equal to or less than another's; 2: unknown here."""
    if _has_same_groups(one, other, n_classes):
        return 0
    if criterion == ENTROPY:
        return 0 if _differs_in_class_names(one, other, n_classes) else 2
    if one[N_KNOWN] > MOST_EXACT or other[N_KNOWN] > MOST_EXACT:
        return 2
    a, b = _exact_gain(one[SUMS : SUMS + n_classes], one[SUMS + n_classes : SUMS + 2 * n_classes])
    c, d = _exact_gain(other[SUMS : SUMS + n_classes], other[SUMS + n_classes : SUMS + 2 * n_classes])
    high, low = product_128(a, d)
    their_high, their_low = product_128(c, b)
    if high != their_high:
        return 1 if high > their_high else -1
    if low != their_low:
        return 1 if low > their_low else -1
    return 0


@kernel
def has_no_gain(record: Any, n_classes: int) -> bool:
    """Return whether both children have the same class shares: then the gain is exactly 0."""
    n_left, n_right = 0.0, 0.0
    for label in range(n_classes):
        n_left, n_right = n_left + record[SUMS + label], n_right + record[SUMS + n_classes + label]
    for label in range(n_classes):
        if record[SUMS + label] * n_right != record[SUMS + n_classes + label] * n_left:
            return False
    return True


@kernel
def separates_classes(best: Any, n_classes: int, n: int) -> bool:
    """Return whether a split separates all n rows into two children of one class each.

    Then no split gains more, and splits of nearly equal gain have the same children.
    """
    n_left, n_right, n_both = 0, 0, 0.0
    for label in range(n_classes):
        left, right = best[SUMS + label], best[SUMS + n_classes + label]
        n_left, n_right, n_both = n_left + (left > 0), n_right + (right > 0), n_both + left + right
    return best[KIND] != NONE and n_left == 1 and n_right == 1 and n_both == n


@kernel
def update_best(best: Any, candidate: Any, tie_order: Any, n: float, n_classes: int, criterion: int) -> int:
    """Replace the best split if a candidate is better; ties go to the feature that is first in `tie_order`.

    Returns 1 (replaced), 0 (kept) or 2 (tie of two subset splits of one feature, which their sides decide).
    """
    slack = rounding_slack(n, criterion)
    if best[KIND] == NONE and candidate[GAIN] <= slack:
        if has_no_gain(candidate, n_classes):
            return 0
        candidate[UNCERTAIN] = 1.0 if criterion == ENTROPY else 0.0
    elif candidate[GAIN] <= best[GAIN] + slack and best[KIND] != NONE:
        if candidate[GAIN] < best[GAIN] - slack:
            return 0
        order = compare_exact(candidate, best, n_classes, criterion)
        if order < 0:
            return 0
        if order == 2:
            if candidate[GAIN] <= best[GAIN]:
                best[UNCERTAIN] = 1.0
                return 0
            candidate[UNCERTAIN] = 1.0
        else:
            candidate[UNCERTAIN] = best[UNCERTAIN]
        if order == 0:
            if candidate[FEATURE] == best[FEATURE]:
                return 2 if candidate[KIND] == SUBSETS and best[KIND] == SUBSETS else 0
            if tie_order[int(candidate[FEATURE])] > tie_order[int(best[FEATURE])]:
                return 0
    copy_into(candidate, best)
    return 1
