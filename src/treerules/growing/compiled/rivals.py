"""Quick tests of whether a split of known rows may gain enough to be a candidate."""

from typing import Any, NamedTuple

from treerules._internal.jit import inlined_kernel, inner_kernel
from treerules.criteria.table import ENTROPY_KERNEL, SQUARES_KERNEL
from treerules.growing.compiled.candidates import ERROR, GAIN, GROUPS, IS_EXACT, N_KEPT, TOLERANCE
from treerules.growing.compiled.gains import weighed_sum
from treerules.growing.compiled.list_entries import bar_of


class Rival(NamedTuple):
    """What a split of a feature must gain to be a candidate."""

    #: negative where any split may be one
    gain: float
    #: the weighed sum of the known rows
    n: float


@inner_kernel
def rival_of(search: Any, scoring: Any, feature: int) -> Any:
    """Return what a split of a feature must gain; missing values that go to either side are not looked at here."""
    is_divided = scoring.is_learned and search.missing[scoring.n_sums] > 0
    if is_divided or scoring.criterion == ENTROPY_KERNEL:
        return Rival(-1.0, 0.0)
    bar = (bar_of(search.state) - 2 * search.state[ERROR]) * scoring.costs[feature]
    return Rival(bar, weighed_sum(search.known, scoring.factors))


@inner_kernel
def may_win(left: Any, known: Any, rival: Any, scoring: Any) -> bool:
    """Return whether the split of the known rows into a group and the others may be a candidate."""
    if rival.gain < 0:
        return True
    factors, n_left = scoring.factors, weighed_sum(left, scoring.factors)
    n_right, total = rival.n - n_left, 0.0
    if scoring.criterion == SQUARES_KERNEL:
        distance = left[1] * rival.n - known[1] * n_left
        total = distance * distance
    else:
        for label in range(len(factors)):
            distance = (left[label] * rival.n - known[label] * n_left) * factors[label]
            total += distance * distance
    return bool(total >= rival.gain * n_left * n_right * rival.n)


@inlined_kernel
def only_ties(search: Any, scoring: Any, feature: int) -> bool:
    """Return whether the cut of the known rows into `left` and the rest has the groups of the kept one: it cannot win.

    Most cuts of few rows do: calling `offer` would take longer than to find out. Where missing values, costs or
    directions count, or rows besides weights, this is not looked at.
    """
    state, left, known, k = search.state, search.left, search.known, scoring.n_sums
    if state[N_KEPT] == 0 or (not state[IS_EXACT] and state[TOLERANCE] < 2 * state[ERROR]):
        return False
    if scoring.has_costs or scoring.has_directions or (scoring.has_weights and scoring.counts_rows):
        return False
    if scoring.is_learned and search.missing[k] > 0:
        return False
    record, is_same, is_mirrored = search.kept[int(state[N_KEPT]) - 1], True, True
    for label in range(k):
        one, other = record[GROUPS + label], record[GROUPS + k + label]
        is_same = is_same and left[label] == one and known[label] - left[label] == other
        is_mirrored = is_mirrored and left[label] == other and known[label] - left[label] == one
    if not (is_same or is_mirrored):
        return False
    search.best_of[feature] = max(search.best_of[feature], record[GAIN])
    return True
