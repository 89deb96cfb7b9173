"""The arguments of the regression kernels: work arrays, and the scale of a node's target."""

from math import frexp, ldexp
from typing import Any, NamedTuple

from treerules._internal.jit import kernel
from treerules.growing.compiled.exact_gains import BY_TOLERANCE, EXACTLY, TOO_WIDE, is_wide

#: The greatest number of candidates kept; where more are near the best the reference decides.
MOST_KEPT = 8


class RegressionCounts(NamedTuple):
    """Work arrays for the search of one coded column."""

    #: size and sum by code, shape (codes + 1, 3); of a wide node the sum is that of the last two
    groups: Any
    #: the codes that some row of the node has, ascending, and their size and sum
    present: Any
    groups_of_present: Any
    #: size and sum of known and of missing values
    known: Any
    missing: Any
    #: the child of each category, by code; the same for kept candidates, shape (2 * MOST_KEPT, codes)
    sides: Any
    kept_sides: Any
    #: the means of the present categories, and the order of the categories by them
    means: Any
    order: Any


class RegressionWorkspace(NamedTuple):
    """The stack of nodes, and work arrays."""

    #: see `growth_loop`
    counters: Any
    stack: Any
    #: by position on the stack: CONSTANT, VARIES or DISTINCT for each list
    may_vary: Any
    #: records: the candidates that are kept, and the current candidate
    kept: Any
    candidate: Any
    #: TOLERANCE, SLACK, ...
    search_state: Any
    #: cumulative sums of a list, shape (rows,)
    sums: Any
    #: a work array of `exact_sum`
    partials: Any
    #: for each feature: its list, or -1 minus its coded column
    storage_of: Any
    #: the sides of the categories of all splits, a byte each
    side_pool: Any
    #: whether no feature has missing values
    is_complete: bool


class TargetScale(NamedTuple):
    """How the targets of a node are centred and scaled."""

    #: the target of the middle row
    centre: float
    #: 2**exponent
    factor: float
    exponent: int
    #: the variance of the centred and scaled targets
    impurity: float
    #: BY_TOLERANCE, EXACTLY or TOO_WIDE
    comparison: int


@kernel
def target_scale(target: Any, rows: Any, sd: float, is_exact: bool) -> Any:
    """Return the scale of a node whose rows are in the order of the target; `sd` is its standard deviation."""
    low, centre, high = target[rows[0]], target[rows[len(rows) // 2]], target[rows[len(rows) - 1]]
    if is_exact:
        return TargetScale(centre, 1.0, 0, sd * sd, TOO_WIDE if is_wide(low, high, len(rows)) else EXACTLY)
    exponent = -frexp(high - low)[1]
    scaled = ldexp(sd, exponent)
    return TargetScale(centre, ldexp(1.0, exponent), exponent, scaled * scaled, BY_TOLERANCE)
