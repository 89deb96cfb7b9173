"""The search of a node: its candidates, and the one that wins."""

from math import log2
from typing import Any, NamedTuple

from treerules._internal.jit import inner_kernel
from treerules.growing.array_tree import MULTIWAY, SUBSETS
from treerules.growing.compiled.best_split import ENTROPY, copy_into, x_log2_x
from treerules.growing.compiled.growth_loop import NODE, START, STOP
from treerules.growing.general.candidates import (
    BEST,
    DIVISOR,
    ERROR,
    GAIN,
    GROUPS,
    IS_EXACT,
    KIND,
    MOST_KEPT,
    N_KEPT,
    OPEN,
    SCORE,
    SLOT,
    TOLERANCE,
    winner,
)
from treerules.growing.general.code_counts import count_codes
from treerules.growing.general.code_search import search_codes
from treerules.growing.general.gains import plain_sum, purity, weighed_sum
from treerules.growing.general.list_search import search_list

#: Positions in `counters`: the number of nodes on the stack, of all nodes, of entries in the pool of sides; the number
#: of searches of coded features, and of cells searched since the loop began.
N_WAITING, N_NODES, N_SIDES, N_SEARCHES, N_CELLS = range(5)
#: The result of a search: the node is a leaf; the reference must decide it.
IS_LEAF, IS_OPEN = -1, -2


class Stopping(NamedTuple):
    """The stopping rules; bounds are in bits for entropy."""

    max_depth: int
    min_samples_split: float
    min_gain: float
    min_impurity: float
    #: whether a score is compared exactly: whole counts, and Gini
    is_exact: bool


class Loop(NamedTuple):
    """The stack, the rows of its nodes, and work arrays."""

    counters: Any
    stack: Any
    #: by stack position: whether each feature may vary
    varies: Any
    #: the rows, those of each node together and in the order of the target; the child of each row; a spare array
    rows: Any
    target: Any
    child_of_row: Any
    spare: Any
    #: by child: its first position, its next one, the number of the last value in it, and whether it is searched
    begin: Any
    position: Any
    last_value: Any
    is_open: Any
    child_of_code: Any
    side_pool: Any
    #: for each feature in the order of ties: its index; and its list, or -1 less its coded column
    order: Any
    storage: Any


@inner_kernel
def _begin_search(scoring: Any, stopping: Any, search: Any, counts: Any, n_rows: int) -> float:
    """Write the state of a search, and return the impurity of the node."""
    state, totals, k = search.state, search.totals, scoring.n_classes
    for label in range(k):
        totals[label] = counts[label]
    totals[k] = float(n_rows) if scoring.counts_rows else plain_sum(counts, k)
    n = weighed_sum(totals, scoring.factors)
    if scoring.criterion == ENTROPY:
        impurity = -purity(totals, scoring.factors) / n
    else:
        impurity = 1.0
        for label in range(k):
            share = totals[label] * scoring.factors[label] / n
            impurity -= share * share
    state[:] = 0.0
    state[IS_EXACT] = 1.0 if stopping.is_exact else 0.0
    state[TOLERANCE] = 0.0 if stopping.is_exact else 1e-12 * impurity * n
    n_terms = k + 16.0 + (n_rows if scoring.has_weights and not stopping.is_exact else 0.0)
    state[ERROR] = n_terms * 2.0**-51 * n * (log2(n + 2.0) if scoring.criterion == ENTROPY else 1.0)
    search.best_of[:] = -1.0
    return impurity


@inner_kernel
def search_node(
    scoring: Any, stopping: Any, lists: Any, codes: Any, arrays: Any, search: Any, nodes: Any, loop: Any, position: int
) -> int:
    """Return the index of the kept candidate that wins in the node at a position of the stack, IS_LEAF or IS_OPEN."""
    start, stop = loop.stack[position, START], loop.stack[position, STOP]
    impurity = _begin_search(scoring, stopping, search, nodes.statistics[loop.stack[position, NODE]], stop - start)
    if abs(impurity - stopping.min_impurity) <= 1e-9 * impurity:
        return IS_OPEN
    if impurity < stopping.min_impurity:
        return IS_LEAF
    if scoring.has_divisor:
        return _search_by_ratio(scoring, stopping, lists, codes, arrays, search, loop, position)
    for feature in loop.order:
        if loop.varies[position, feature]:
            _search_feature(scoring, lists, codes, arrays, search, loop, position, feature)
    return _check_min_gain(search, scoring, stopping, winner(search))


@inner_kernel
def _search_by_ratio(
    scoring: Any, stopping: Any, lists: Any, codes: Any, arrays: Any, search: Any, loop: Any, position: int
) -> int:
    """Return 0 with the candidate of greatest gain ratio as the first kept one, IS_LEAF or IS_OPEN.

    Each feature competes with its candidate of greatest gain.
    """
    state, n_finalists = search.state, 0
    for feature in loop.order:
        if not loop.varies[position, feature]:
            continue
        state[BEST] = state[N_KEPT] = state[OPEN] = 0.0
        n_present = _search_feature(scoring, lists, codes, arrays, search, loop, position, feature)
        index = winner(search)
        if index == IS_OPEN:
            return IS_OPEN
        if index >= 0:
            _enter(search, scoring, arrays, index, n_finalists, n_present)
            n_finalists += 1
    return _best_ratio(search, scoring, stopping, n_finalists)


@inner_kernel
def _search_feature(
    scoring: Any, lists: Any, codes: Any, arrays: Any, search: Any, loop: Any, position: int, feature: int
) -> int:
    """Let the splits of a feature be candidates, and note whether it varies; return its number of present codes."""
    start, stop = loop.stack[position, START], loop.stack[position, STOP]
    storage = loop.storage[feature]
    if storage >= 0:
        varies = search_list(search, scoring, lists, lists.entries[storage, start:stop], feature)
        loop.varies[position, feature] = varies
        return 0
    loop.counters[N_SEARCHES] += 1
    rows, number = loop.rows[start:stop], loop.counters[N_SEARCHES]
    n_present = count_codes(search, scoring, codes, arrays, -1 - storage, rows, loop.target, number)
    loop.varies[position, feature] = n_present > 1 or search.missing[scoring.n_classes] > 0
    search_codes(search, scoring, arrays, feature, codes.ways[-1 - storage], n_present)
    return n_present


@inner_kernel
def _check_min_gain(search: Any, scoring: Any, stopping: Any, index: int) -> int:
    """Return the index of a winner whose gain is at least `min_gain`; IS_LEAF, or IS_OPEN where it is very near."""
    if index < 0 or stopping.min_gain == 0:
        return index
    n = weighed_sum(search.totals, scoring.factors)
    gain, error = search.kept[index, GAIN] / n, 4 * search.state[ERROR] / n
    if abs(gain - stopping.min_gain) <= error + 1e-9 * gain:
        return IS_OPEN
    return index if gain > stopping.min_gain else IS_LEAF


@inner_kernel
def _enter(search: Any, scoring: Any, arrays: Any, index: int, place: int, n_present: int) -> None:
    """Write a feature's best candidate as a finalist, with its split information."""
    record, finalist, k = search.kept[index], search.finalists[place], scoring.n_classes
    copy_into(record, finalist)
    slot = 2 * MOST_KEPT + place
    if record[KIND] == SUBSETS or record[KIND] == MULTIWAY:
        copy_into(search.sides[int(record[SLOT])], search.sides[slot])
    finalist[SLOT] = slot
    if record[KIND] == MULTIWAY:
        n = plain_sum(search.known, k)
        terms = x_log2_x(n)
        for group in range(n_present):
            terms -= x_log2_x(plain_sum(arrays.groups[group], k))
    else:  # the groups that are scored: with the missing values where these are learned
        one = plain_sum(record[GROUPS : GROUPS + k], k)
        other = plain_sum(record[GROUPS + k :], k)
        n = one + other
        terms = x_log2_x(n) - x_log2_x(one) - x_log2_x(other)
    finalist[DIVISOR] = terms / n
    gain = record[GAIN] / weighed_sum(search.totals, scoring.factors)
    finalist[SCORE] = gain / finalist[DIVISOR] if finalist[DIVISOR] > 0 else 0.0


@inner_kernel
def _best_ratio(search: Any, scoring: Any, stopping: Any, n_finalists: int) -> int:
    """Return 0 with the finalist of greatest gain ratio as the first kept candidate; IS_LEAF or IS_OPEN."""
    if n_finalists == 0:
        return IS_LEAF
    finalists, state = search.finalists, search.state
    best = 0
    for index in range(1, n_finalists):
        if finalists[index, SCORE] > finalists[best, SCORE]:
            best = index
    n = weighed_sum(search.totals, scoring.factors)
    tolerance, error = state[TOLERANCE] / n, 8 * state[ERROR] / n
    chosen = _first_near(finalists, best, tolerance + error)
    if chosen != best and _width(finalists, best, chosen) > tolerance - error:
        return IS_OPEN
    score, least = finalists[chosen, SCORE], stopping.min_gain
    if least > 0 and abs(score - least) * finalists[chosen, DIVISOR] <= error + 1e-9 * score:
        return IS_OPEN
    if score < least:
        return IS_LEAF
    copy_into(finalists[chosen], search.kept[0])
    state[N_KEPT] = 1.0
    return 0


@inner_kernel
def _first_near(finalists: Any, best: int, reach: float) -> int:
    """Return the first finalist whose gain ratio is within reach of the best."""
    index = 0
    while index != best and _width(finalists, best, index) > reach:
        index += 1
    return index


@inner_kernel
def _width(finalists: Any, best: int, index: int) -> float:
    """Return the difference of a gain ratio from the best, times the lesser split information."""
    width = min(finalists[index, DIVISOR], finalists[best, DIVISOR])
    return (finalists[best, SCORE] - finalists[index, SCORE]) * width
