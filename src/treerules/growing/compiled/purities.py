"""Sums of terms over the classes of the two sides of a cut, from which purities are computed, and what rows add to it.

The purity of a group is n times 1 less the impurity by Gini, and n times -entropy.
"""

from math import log2
from typing import Any

import numpy as np

from treerules._internal.jit import inner_kernel
from treerules.criteria.table import ENTROPY_KERNEL
from treerules.growing.compiled.arithmetic import x_log2_x

#: Each step adds a rounding error of this share of the weight, times the bits of the logarithms of entropy.
_PER_STEP, _MOST_BITS = 2.0**-51, 32.0
#: log2 e, rounded up.
_BITS_OF_E = 1.4427
#: The number of rows between attempts to skip rows, and the least number of rows that are skipped.
BLOCK = 16
#: Classes are counted by so many counters in turn.
COUNTERS = 4


@inner_kernel
def rounding_of(n_rows: int, n: float, scoring: Any) -> float:
    """Return the rounding error of sums of terms that change with each row; `n` is the weight of all."""
    bits = _MOST_BITS if scoring.criterion == ENTROPY_KERNEL else 1.0
    return (n_rows + scoring.n_sums) * _PER_STEP * n * bits


@inner_kernel
def error_of(rounding: float, n: float, n_left: float, n_right: float, scoring: Any) -> float:
    """Return the error of a gain from sums of terms; sums of squares are divided by the sizes of the sides."""
    if scoring.criterion == ENTROPY_KERNEL:
        return rounding
    smallest = min(n_left, n_right)
    return rounding * n / smallest if smallest > 0 else np.inf


@inner_kernel
def sums_of_sides(left: Any, known: Any, missing: Any, sent: float, scoring: Any) -> Any:
    """Return the weighed sizes of the two sides of known rows and of missing rows, and the terms of both sides.

    Behind these come the terms of both sides with the missing values, which count `sent` times.
    """
    n_left, n_right, n_missing, of_left, of_right, with_left, with_right = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for label in range(scoring.n_sums):
        factor = scoring.factors[label]
        one, of_missing = factor * left[label], sent * factor * missing[label]
        other = factor * known[label] - one
        n_left += one
        n_right += other
        n_missing += of_missing
        of_left += term_of(one, scoring)
        of_right += term_of(other, scoring)
        with_left += term_of(one + of_missing, scoring)
        with_right += term_of(other + of_missing, scoring)
    return n_left, n_right, n_missing, of_left, of_right, with_left, with_right


@inner_kernel
def most_added(n: float, scoring: Any) -> float:
    """Return the most that a row which moves to the left side adds to the purities of both sides.

    It is 2 w for squares, as the derivatives of a sum of squares by its root are at most 1; for entropy the integral of
    log2(n / x) over a weight w.
    """
    most = scoring.most_added
    if scoring.is_published or 4 * most > n:  # every cut is counted; a row may change too much
        return np.inf
    if scoring.criterion == ENTROPY_KERNEL:
        return most * (log2(n / most) + _BITS_OF_E)
    return 2 * most


@inner_kernel
def count_classes(segment: Any, counts: Any, left: Any, shift: Any, mask: Any) -> None:
    """Add entries of rows that count 1 to the class counts of a side; `counts` is a work array."""
    k, four, whole = np.uint64(len(left)), np.uint64(COUNTERS), len(segment) - len(segment) % COUNTERS
    counts[: four * k] = 0
    for index in range(np.uint64(0), np.uint64(whole), four):
        for place in range(four):  # counters in turn: repeated additions to one would wait for each other
            counts[np.uint64((segment[index + place] >> shift) & mask) + place * k] += 1
    for index in range(np.uint64(whole), np.uint64(len(segment))):
        counts[np.uint64((segment[index] >> shift) & mask)] += 1
    for label in range(k):
        left[label] += counts[label] + counts[label + k] + counts[label + 2 * k] + counts[label + 3 * k]


@inner_kernel
def change_of(weighed: float, step: float, scoring: Any) -> float:
    """Return the change of the term of a class whose weight changes by a step."""
    if scoring.criterion == ENTROPY_KERNEL:
        return term_of(weighed + step, scoring) - term_of(weighed, scoring)
    return step * (2.0 * weighed + step)


@inner_kernel
def term_of(weighed: float, scoring: Any) -> float:
    """Return the term of the weight of a class in the purity of a group; that of a count is looked up."""
    if scoring.has_terms:
        return scoring.terms[np.uint64(weighed)]
    return x_log2_x(weighed) if scoring.criterion == ENTROPY_KERNEL else weighed * weighed


@inner_kernel
def purity_of(terms: float, n: float, scoring: Any) -> float:
    """Return the purity of a group from the sum of its terms and its weight."""
    if scoring.criterion == ENTROPY_KERNEL:
        return terms - term_of(n, scoring)
    return terms / n if n > 0 else 0.0
