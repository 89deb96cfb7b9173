"""Gains of cuts from the weight and the sum of the first rows of a list: of a regression, or of two classes by Gini.

Of n rows with a sum s, of all N and S, the gain is (s N - S n)^2 / (n (N - n) N), times 2 for Gini of a target of 0
and 1.
"""

from typing import Any, NamedTuple

from treerules._internal.jit import inlined_kernel, inner_kernel
from treerules.criteria.table import SQUARES_KERNEL
from treerules.growing.compiled.candidates import ERROR, TOLERANCE
from treerules.growing.compiled.gains import weighed_sum


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
def pair_of(search: Any, scoring: Any, is_divided: bool) -> Any:
    """Return how gains of a feature in the current node are computed."""
    known, missing, has_means = search.known, search.missing, scoring.criterion == SQUARES_KERNEL
    first_factor, of_sum = scoring.factors[0], 1.0 if has_means else scoring.factors[1]
    n_known, n_missing = weighed_sum(known, scoring.factors), weighed_sum(missing, scoring.factors)
    if not is_divided:
        n_missing = 0.0
    of_missing = of_sum * missing[1] if is_divided else 0.0
    return Pair(
        first_factor,
        0.0 if has_means else of_sum - first_factor,
        of_sum,
        n_known + n_missing,
        of_sum * known[1] + of_missing,
        n_missing,
        of_missing,
        1.0 if has_means else 2.0,
    )


@inner_kernel
def slack_of(search: Any, cost: float, is_divided: bool) -> float:
    """Return how far below the greatest gain of a list others may win.

    Missing values that gain equally on both sides, within the tolerance, go to the larger one and may gain less there.
    """
    return ((2.0 if is_divided else 1.0) * search.state[TOLERANCE] + 4 * search.state[ERROR]) * cost


@inner_kernel
def gain_of_pair(size: float, total: float, pair: Any, sent: float) -> float:
    """Return the gain of the cut after rows of a weight and a sum; `sent` is 1 where missing values go with them."""
    n_left = pair.of_size * size + pair.of_total * total + sent * pair.n_missing
    distance = (pair.of_sum * total + sent * pair.sum_missing) * pair.n - pair.total * n_left
    divisor = n_left * (pair.n - n_left) * pair.n
    return pair.times * distance * distance / divisor if divisor > 0 else 0.0


@inner_kernel
def passes(size: float, total: float, pair: Any, bar: float, is_divided: bool) -> bool:
    """Return whether the cut after rows of a weight and a sum may gain more than the bar."""
    n, n_left, sum_left = pair.n, pair.of_size * size + pair.of_total * total, pair.of_sum * total
    distance = sum_left * n - pair.total * n_left
    is_above = pair.times * distance * distance > bar * n_left * (n - n_left) * n
    if is_divided:
        n_left += pair.n_missing
        distance = (sum_left + pair.sum_missing) * n - pair.total * n_left
        is_above |= pair.times * distance * distance > bar * n_left * (n - n_left) * n
    return is_above
