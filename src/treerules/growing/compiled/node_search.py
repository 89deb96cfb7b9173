"""The search of a node: its candidates, and the one that wins."""

from math import log2
from typing import Any, NamedTuple

import numpy as np

from treerules._internal.jit import inlined_kernel, inner_kernel, kernel
from treerules.criteria.table import ENTROPY_KERNEL, SQUARES_KERNEL
from treerules.growing.compiled.byte_counts import count_bytes, groups_of_bytes
from treerules.growing.compiled.candidates import (
    BEST,
    ERROR,
    FEATURE,
    GAIN,
    IS_EXACT,
    N_CUTS,
    N_KEPT,
    OPEN,
    TABLE,
    TOLERANCE,
    UNIT,
    winner,
)
from treerules.growing.compiled.code_counts import count_codes
from treerules.growing.compiled.code_search import search_codes
from treerules.growing.compiled.gains import plain_sum, purity, weighed_sum
from treerules.growing.compiled.greatest_split import has_greatest, is_greatest, write_greatest
from treerules.growing.compiled.list_search import search_list
from treerules.growing.compiled.loop_state import NODE, START, STOP
from treerules.growing.compiled.ratio import best_ratio, enter
from treerules.growing.compiled.scoring import CENTRE, FACTOR, GREATEST, LEAST
from treerules.growing.compiled.target_scale import write_totals
from treerules.growing.reference.scoring import BELOW_AVERAGE

#: Positions in `counters`: the number of nodes on the stack, of all nodes, of entries in the pool of sides; the number
#: of searches of coded features, and of cells searched since the loop began. Best-first growth: whether the loop ends
#: after one search, and its result.
N_WAITING, N_NODES, N_SIDES, N_SEARCHES, N_CELLS, ENDS_AFTER_SEARCH, WINNER = range(7)
#: The result of a search: the node is a leaf; the reference must decide it.
IS_LEAF, IS_OPEN = -1, -2
#: The greatest gain of a feature without a candidate is below this.
_NO_GAIN = -0.5


class Loop(NamedTuple):
    """The stack, the rows of its nodes, and work arrays."""

    counters: Any
    stack: Any
    #: by stack position: whether each feature may vary; of a list CONSTANT, VARIES or DISTINCT
    varies: Any
    #: the rows, those of each node together and in the order of the target; the child of each row, of two or of many
    #: children; a spare array
    rows: Any
    target: Any
    child_of_row: Any
    child_of_many: Any
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


def reset_counters(loop: Loop) -> None:
    """Set the counters of a loop to 0, except for that of searches: each has its own stamp."""
    n_searches = int(loop.counters[N_SEARCHES])
    loop.counters[:] = 0
    loop.counters[N_SEARCHES] = n_searches


@inlined_kernel
def _begin_search(scoring: Any, stopping: Any, search: Any, nodes: Any, loop: Any, position: int) -> float:
    """Write the state of a search and the scale of the node's target, and return the impurity of the node.

    It is negative where only the reference can search the node.
    """
    state, totals, k = search.state, search.totals, scoring.n_sums
    start, stop, node = loop.stack[position, START], loop.stack[position, STOP], loop.stack[position, NODE]
    rows, n_rows, counts = loop.rows[start:stop], float(stop - start), nodes.statistics[node]
    state[:] = 0.0
    search.best_of[:] = -1.0
    state[IS_EXACT], state[UNIT] = (1.0 if stopping.is_exact else 0.0), 1.0
    if scoring.criterion == SQUARES_KERNEL:
        impurity, error = write_totals(totals, state, scoring, stopping, rows)
        n = totals[0]
    else:
        for label in range(k):
            totals[label] = counts[label]
        totals[k] = n_rows if scoring.counts_rows else plain_sum(counts, scoring.n_weights)
        n = weighed_sum(totals, scoring.factors)
        impurity = _impurity_of_classes(totals, n, scoring)
        if stopping.has_exact_nodes and _are_whole(scoring.weights, rows):
            state[IS_EXACT] = 1.0
        n_terms = k + 16.0 + (n_rows if scoring.is_rounded and not state[IS_EXACT] else 0.0)
        error = n_terms * 2.0**-51 * n * (log2(n + 2.0) if scoring.criterion == ENTROPY_KERNEL else 1.0)
    state[TOLERANCE] = 0.0 if state[IS_EXACT] else 1e-12 * impurity * n
    state[ERROR] = error / scoring.least_cost
    if scoring.has_directions:
        centre, factor, unit = scoring.scale[CENTRE], scoring.scale[FACTOR], stopping.unit
        scoring.scale[LEAST] = (nodes.bounds[node, 0] / unit - centre) * factor
        scoring.scale[GREATEST] = (nodes.bounds[node, 1] / unit - centre) * factor
    return impurity


@inner_kernel
def _are_whole(weights: Any, rows: Any) -> bool:
    """Return whether the weights of some rows are all whole."""
    for row in rows:
        if weights[row] != np.floor(weights[row]):
            return False
    return True


@inlined_kernel
def _impurity_of_classes(totals: Any, n: float, scoring: Any) -> float:
    """Return the impurity of a node of a classification from its class weights; `n` is their weighed sum."""
    if scoring.criterion == ENTROPY_KERNEL:
        return -purity(totals, scoring.factors) / n
    impurity = 1.0
    for label in range(scoring.n_sums):
        share = totals[label] * scoring.factors[label] / n
        impurity -= share * share
    return impurity


@inlined_kernel
def search_node(
    scoring: Any, stopping: Any, lists: Any, codes: Any, bytes_of: Any, arrays: Any, search: Any, nodes: Any, loop: Any,
    position: int,
) -> int:  # fmt: skip
    """Return the index of the kept candidate that wins in the node at a position of the stack, IS_LEAF or IS_OPEN."""
    impurity = _begin_search(scoring, stopping, search, nodes, loop, position)
    least = stopping.min_impurity * search.state[UNIT]
    if impurity < 0 or abs(impurity - least) <= 1e-9 * impurity:
        search.best_of[:] = np.inf
        return IS_OPEN
    if impurity < least:
        return IS_LEAF
    state, n_finalists, n_averaged, total = search.state, 0, 0, 0.0
    start, stop = loop.stack[position, START], loop.stack[position, STOP]
    n_rows = stop - start
    if has_greatest(scoring, n_rows):
        write_greatest(search, scoring, loop.rows[start:stop])
    for feature in loop.order:
        if not loop.varies[position, feature]:
            continue
        if scoring.has_divisor:  # each feature competes with its candidate of greatest gain
            state[BEST] = state[N_KEPT] = state[OPEN] = state[N_CUTS] = 0.0
        n_present = _search_feature(scoring, lists, codes, bytes_of, arrays, search, loop, position, feature)
        if not scoring.has_divisor:
            if is_greatest(search, scoring, n_rows):
                break
            continue
        index = winner(search)
        if index == IS_OPEN:
            return IS_OPEN
        gain = search.best_of[feature] * scoring.costs[feature]
        if index >= 0:
            enter(search, scoring, arrays, index, n_finalists, n_present)
            gain = search.finalists[n_finalists, GAIN] * scoring.costs[feature]
            if abs(gain - state[TOLERANCE]) <= 2 * state[ERROR]:
                return IS_OPEN
        is_entered = index >= 0 and gain > state[TOLERANCE]
        n_finalists += is_entered
        # in C4.5 as published a split that gains nothing counts in the average, unless it is a cut
        counts = scoring.is_published and search.best_of[feature] > _NO_GAIN and not stopping.is_cut[feature]
        if is_entered or counts:
            total += stopping.is_averaged[feature] * gain
            n_averaged += stopping.is_averaged[feature]
    if not scoring.has_divisor:
        return _check_min_gain(search, scoring, stopping, winner(search))
    least_gain = -np.inf
    if stopping.has_average:
        n = weighed_sum(search.totals, scoring.factors)
        least_gain = total / max(1, n_averaged) - (BELOW_AVERAGE * n if scoring.is_published else 0.0)
    return best_ratio(search, scoring, stopping, n_finalists, least_gain)


@inlined_kernel
def _search_feature(
    scoring: Any, lists: Any, codes: Any, bytes_of: Any, arrays: Any, search: Any, loop: Any, position: int,
    feature: int,
) -> int:  # fmt: skip
    """Let the splits of a feature be candidates, and note whether it varies; return its number of present codes."""
    start, stop = loop.stack[position, START], loop.stack[position, STOP]
    storage = loop.storage[feature]
    if storage >= 0:
        variety = search_list(search, scoring, lists, storage, start, stop, feature)
        loop.varies[position, feature] = variety
        return 0
    column = -1 - storage
    if column < codes.n_bytes:
        if search.state[TABLE] == 0:
            can_keep = not loop.counters[ENDS_AFTER_SEARCH]
            search.state[TABLE] = 1.0 + count_bytes(scoring, codes, bytes_of, loop, position, can_keep)
        index = int(search.state[TABLE]) - 1
        n_present = groups_of_bytes(search, scoring, codes, bytes_of, arrays, column, index)
    else:
        loop.counters[N_SEARCHES] += 1
        rows, number = loop.rows[start:stop], loop.counters[N_SEARCHES]
        n_present = count_codes(search, scoring, codes, arrays, column, rows, loop.target, number)
    loop.varies[position, feature] = n_present > 1 or search.missing[scoring.n_sums] > 0
    search_codes(search, scoring, arrays, feature, codes.ways[column], n_present)
    return n_present


@kernel
def checked_winner(search: Any, scoring: Any, stopping: Any) -> int:
    """Return the index of the kept candidate that wins, IS_LEAF or IS_OPEN."""
    return _check_min_gain(search, scoring, stopping, winner(search))


@inlined_kernel
def _check_min_gain(search: Any, scoring: Any, stopping: Any, index: int) -> int:
    """Return the index of a winner whose gain is at least `min_gain`; IS_LEAF, or IS_OPEN where it is very near."""
    if index < 0 or stopping.min_gain == 0:
        return index
    n, record = weighed_sum(search.totals, scoring.factors), search.kept[index]
    cost = scoring.costs[int(record[FEATURE])]
    gain, error, least = record[GAIN] * cost / n, 4 * search.state[ERROR] * cost / n, stopping.min_gain
    least *= search.state[UNIT]
    if abs(gain - least) <= error + 1e-9 * gain:
        return IS_OPEN
    return index if gain > least else IS_LEAF
