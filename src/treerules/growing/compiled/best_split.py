"""The best split found so far in one node, as a row of floats, and the one place where two of them are compared.

A champion is written anew wherever a candidate beats it. Candidates within rounding of each other are compared exactly,
in integers, as `scoring` does; where that cannot be done here the champion says so, and `scoring` decides the node.
"""

from math import log2
from typing import Any

import numpy as np

from treerules._internal.jit import kernel
from treerules.criteria import ENTROPY_KERNEL, GINI_KERNEL
from treerules.growing.array_tree import CUT as CUT
from treerules.growing.array_tree import LEAF
from treerules.growing.array_tree import MISSING_TEST as MISSING_TEST
from treerules.growing.array_tree import SUBSETS as SUBSETS

#: The places of a champion's figures. GAIN is n times the gain; LOW and HIGH are the rows (of a list), the codes
#: (of a table) or nothing; TO is the child of missing values; END is where the first child ends in a list.
GAIN, FEATURE, KIND, LOW, HIGH, TO, LARGEST, ASK, END, KNOWN, LEFT = range(11)

#: The kind of a best split where no split was found yet; otherwise kinds are those of an array tree.
NONE = LEAF
#: How splits are scored.
GINI, ENTROPY = GINI_KERNEL, ENTROPY_KERNEL
#: Gains closer than this share of the rows (times the logarithm, of entropies) are compared exactly.
NEAR = 1e-11
#: Exact fractions of nodes of at most so many rows fit into 128 bits.
MOST_EXACT = 1 << 15


def width(n_sums: int) -> int:
    """Return how many figures a champion has: the sums of both sides as they are scored, and of the missing rows."""
    return LEFT + 3 * n_sums


@kernel
def copied(numbers: Any, to: Any) -> None:
    """Write numbers over others."""
    for at in range(len(numbers)):
        to[at] = numbers[at]


@kernel
def x_log_x(x: float) -> float:
    """Return x log2 x, 0 where x is 0."""
    return x * log2(x) if x > 0 else 0.0


@kernel
def weighed(count: float, criterion: int) -> float:
    """Return what a class adds to the purity of its group."""
    return x_log_x(count) if criterion == ENTROPY else count * count


@kernel
def purity(counts: Any, criterion: int) -> float:
    """Return n times what a group takes away from the impurity."""
    total, n = 0.0, 0.0
    for count in counts:
        n += count
        total += weighed(count, criterion)
    if criterion == ENTROPY:
        return total - x_log_x(n)
    return total / n if n > 0 else 0.0


@kernel
def slack_of(n: float, criterion: int) -> float:
    """Return how close two gains may be by rounding alone."""
    return NEAR * n * (max(1.0, log2(n)) if criterion == ENTROPY else 1.0)


@kernel
def product(a: int, b: int) -> Any:
    """Return the high and the low 64 bits of the product of two whole numbers from 0."""
    a0, a1 = np.uint64(a) & np.uint64(0xFFFFFFFF), np.uint64(a) >> np.uint64(32)
    b0, b1 = np.uint64(b) & np.uint64(0xFFFFFFFF), np.uint64(b) >> np.uint64(32)
    low, one, two, high = a0 * b0, a0 * b1, a1 * b0, a1 * b1
    middle = (low >> np.uint64(32)) + (one & np.uint64(0xFFFFFFFF)) + (two & np.uint64(0xFFFFFFFF))
    high += (one >> np.uint64(32)) + (two >> np.uint64(32)) + (middle >> np.uint64(32))
    return high, (low & np.uint64(0xFFFFFFFF)) | (middle << np.uint64(32))


@kernel
def _fraction(left: Any, right: Any) -> Any:
    """Return numerator and denominator of the exact gain of two groups of whole counts, times their rows."""
    n_left, n_right, by_left, by_right, by_both = 0, 0, 0, 0, 0
    for at in range(len(left)):
        one, other = int(left[at]), int(right[at])
        n_left, n_right = n_left + one, n_right + other
        by_left, by_right = by_left + one * one, by_right + other * other
        by_both += (one + other) * (one + other)
    n = n_left + n_right
    return (by_left * n_right + by_right * n_left) * n - by_both * n_left * n_right, n_left * n_right * n


@kernel
def _is_alike(one: Any, other: Any, n_sums: int) -> bool:
    """Whether two champions divide the same counts in the same groups, in either order."""
    same, mirrored = True, True
    for at in range(n_sums):
        a, b = one[LEFT + at], one[LEFT + n_sums + at]
        c, d = other[LEFT + at], other[LEFT + n_sums + at]
        same = same and a == c and b == d
        mirrored = mirrored and a == d and b == c
    return same or mirrored


@kernel
def _has_equals(one: Any, at: int, other: Any, by: int, n_sums: int) -> bool:
    """Whether the counts of two groups are the same but for their order."""
    for place in range(n_sums):
        surplus = 0
        for each in range(n_sums):
            surplus += (one[at + each] == one[at + place]) - (other[by + each] == one[at + place])
        if surplus != 0:
            return False
    return True


@kernel
def _is_permuted(one: Any, other: Any, n_sums: int) -> bool:
    """Whether two champions divide counts in groups that are alike but for the names of classes, in either order."""
    for place in range(n_sums):
        surplus = 0
        whole = one[LEFT + place] + one[LEFT + n_sums + place]
        for each in range(n_sums):
            surplus += one[LEFT + each] + one[LEFT + n_sums + each] == whole
            surplus -= other[LEFT + each] + other[LEFT + n_sums + each] == whole
        if surplus != 0:
            return False
    first, second = LEFT, LEFT + n_sums
    same = _has_equals(one, first, other, first, n_sums) and _has_equals(one, second, other, second, n_sums)
    return same or (_has_equals(one, first, other, second, n_sums) and _has_equals(one, second, other, first, n_sums))


@kernel
def compared(one: Any, other: Any, n_sums: int, criterion: int) -> int:
    """Return 1, 0 or -1 as one champion gains more, the same or less than another; 2 where this is not known here."""
    if _is_alike(one, other, n_sums):
        return 0
    if criterion == ENTROPY:
        return 0 if _is_permuted(one, other, n_sums) else 2
    if one[KNOWN] > MOST_EXACT or other[KNOWN] > MOST_EXACT:
        return 2
    a, b = _fraction(one[LEFT : LEFT + n_sums], one[LEFT + n_sums : LEFT + 2 * n_sums])
    c, d = _fraction(other[LEFT : LEFT + n_sums], other[LEFT + n_sums : LEFT + 2 * n_sums])
    high, low = product(a, d)
    their_high, their_low = product(c, b)
    if high != their_high:
        return 1 if high > their_high else -1
    if low != their_low:
        return 1 if low > their_low else -1
    return 0


@kernel
def is_useless(one: Any, n_sums: int) -> bool:
    """Whether both groups have the same shares of the classes: then nothing is gained, exactly."""
    n_left, n_right = 0.0, 0.0
    for at in range(n_sums):
        n_left, n_right = n_left + one[LEFT + at], n_right + one[LEFT + n_sums + at]
    for at in range(n_sums):
        if one[LEFT + at] * n_right != one[LEFT + n_sums + at] * n_left:
            return False
    return True


@kernel
def is_perfect(best: Any, n_sums: int, n: int) -> bool:
    """Whether a champion parts all `n` rows into two groups of one class each: then nothing gains more, and what
    gains the same or nearly divides the same counts."""
    n_left, n_right, n_both = 0, 0, 0.0
    for at in range(n_sums):
        left, right = best[LEFT + at], best[LEFT + n_sums + at]
        n_left, n_right, n_both = n_left + (left > 0), n_right + (right > 0), n_both + left + right
    return best[KIND] != NONE and n_left == 1 and n_right == 1 and n_both == n


@kernel
def challenged(best: Any, one: Any, first: Any, n: float, n_sums: int, criterion: int) -> int:
    """Let a candidate challenge the champion: 1 where it wins, 0 where not, 2 where both gain the same and are of one
    feature's groups: then their sides decide, which are not known here."""
    slack = slack_of(n, criterion)
    if best[KIND] == NONE and one[GAIN] <= slack:
        if is_useless(one, n_sums):
            return 0
        one[ASK] = 1.0 if criterion == ENTROPY else 0.0
    elif one[GAIN] <= best[GAIN] + slack and best[KIND] != NONE:
        if one[GAIN] < best[GAIN] - slack:
            return 0
        order = compared(one, best, n_sums, criterion)
        if order < 0:
            return 0
        if order == 2:
            if one[GAIN] <= best[GAIN]:
                best[ASK] = 1.0
                return 0
            one[ASK] = 1.0
        else:
            one[ASK] = best[ASK]
        if order == 0:
            if one[FEATURE] == best[FEATURE]:
                return 2 if one[KIND] == SUBSETS and best[KIND] == SUBSETS else 0
            if first[int(one[FEATURE])] > first[int(best[FEATURE])]:
                return 0
    copied(one, best)
    return 1
