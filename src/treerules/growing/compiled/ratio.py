"""The choice by gain ratio among the features' candidates of greatest gain (Quinlan 1993, chapter 2)."""

from math import log2
from typing import Any

from treerules._internal.jit import inlined_kernel, inner_kernel
from treerules.growing.array_tree import CUT, MULTIWAY, SUBSETS
from treerules.growing.compiled.arithmetic import copy_into, x_log2_x
from treerules.growing.compiled.candidates import (
    DIVISOR,
    ERROR,
    FEATURE,
    GAIN,
    GROUPS,
    KIND,
    MOST_KEPT,
    N_CUTS,
    N_KEPT,
    SCORE,
    SLOT,
    TOLERANCE,
)
from treerules.growing.compiled.gains import plain_sum, weighed_sum

#: The rounding error of a split information is below this times the bits of the weight of the node.
_PER_BIT = 2.0**-50


@inner_kernel
def enter(search: Any, scoring: Any, arrays: Any, index: int, place: int, n_present: int) -> None:
    """Write a feature's best candidate as a finalist, with its split information."""
    record, finalist, k = search.kept[index], search.finalists[place], scoring.n_sums
    copy_into(record, finalist)
    slot = 2 * MOST_KEPT + place
    if record[KIND] == SUBSETS or record[KIND] == MULTIWAY:
        copy_into(search.sides[int(record[SLOT])], search.sides[slot])
    finalist[SLOT] = slot
    if record[KIND] == MULTIWAY:
        n = plain_sum(search.known, scoring.n_weights)
        terms = x_log2_x(n)
        for group in range(n_present):
            terms -= x_log2_x(plain_sum(arrays.groups[group], scoring.n_weights))
    else:  # the groups that are scored: with the missing values where these are learned
        one = plain_sum(record[GROUPS : GROUPS + k], scoring.n_weights)
        other = plain_sum(record[GROUPS + k :], scoring.n_weights)
        n = one + other
        terms = x_log2_x(n) - x_log2_x(one) - x_log2_x(other)
    finalist[DIVISOR] = terms / n
    n = weighed_sum(search.totals, scoring.factors)
    if scoring.is_published and record[KIND] == CUT:  # the choice among many cuts costs bits (Quinlan 1996)
        cost = scoring.costs[int(record[FEATURE])]
        finalist[GAIN] -= n * log2(max(1.0, search.state[N_CUTS])) / (search.totals[k] * cost)
    score = finalist[GAIN] / n
    finalist[SCORE] = score / finalist[DIVISOR] if finalist[DIVISOR] > 0 else 0.0


@inner_kernel
def best_ratio(search: Any, scoring: Any, stopping: Any, n_finalists: int, least_gain: float) -> int:
    """Return 0 with the finalist of greatest gain ratio as the first kept candidate; -1: none, -2: it is open.

    Only features compete whose gain, times the weight of the node, is at least `least_gain`, within the tolerance.
    """
    finalists, state = search.finalists, search.state
    n_competing = 0
    for index in range(n_finalists):
        distance = finalists[index, GAIN] * scoring.costs[int(finalists[index, FEATURE])] - least_gain
        if abs(distance + state[TOLERANCE]) <= 2 * state[ERROR]:
            return -2
        if distance < -state[TOLERANCE]:
            continue
        if index > n_competing:
            copy_into(finalists[index], finalists[n_competing])
        n_competing += 1
    n_finalists = n_competing
    if n_finalists == 0:
        return -1
    best = 0
    for index in range(1, n_finalists):
        if finalists[index, SCORE] > finalists[best, SCORE]:
            best = index
    n = weighed_sum(search.totals, scoring.factors)
    # the second error is that of split informations, which are small where one side is
    tolerance, error = state[TOLERANCE] / n, 8 * state[ERROR] / n
    error += finalists[best, SCORE] * _PER_BIT * log2(plain_sum(search.totals, scoring.n_weights) + 2.0)
    chosen = _first_near(finalists, best, tolerance + error)
    if chosen != best and _width(finalists, best, chosen) > tolerance - error:
        return -2
    for index in range(chosen + 1, n_finalists):  # a later one may be ahead by more than the tolerance
        if error > tolerance and _width(finalists, best, index) <= error - tolerance:
            return -2
    score, least = finalists[chosen, SCORE] * scoring.costs[int(finalists[chosen, FEATURE])], stopping.min_gain
    if least > 0 and abs(score - least) * finalists[chosen, DIVISOR] <= error + 1e-9 * score:
        return -2
    if score < least:
        return -1
    copy_into(finalists[chosen], search.kept[0])
    state[N_KEPT] = 1.0
    return 0


@inlined_kernel
def _first_near(finalists: Any, best: int, reach: float) -> int:
    """Return the first finalist whose gain ratio is within reach of the best."""
    index = 0
    while index != best and _width(finalists, best, index) > reach:
        index += 1
    return index


@inlined_kernel
def _width(finalists: Any, best: int, index: int) -> float:
    """Return the difference of a gain ratio from the best, times the lesser split information."""
    width = min(finalists[index, DIVISOR], finalists[best, DIVISOR])
    return (finalists[best, SCORE] - finalists[index, SCORE]) * width
