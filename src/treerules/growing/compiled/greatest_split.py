"""The end of a search before its last feature: no split of the node can gain more than the one that is kept."""

from typing import Any

from treerules._internal.jit import inlined_kernel, inner_kernel
from treerules.criteria.table import SQUARES_KERNEL
from treerules.growing.compiled.candidates import ERROR, GAIN, GROUPS, IS_EXACT, N_KEPT, OPEN, TOLERANCE
from treerules.growing.compiled.gains import compare_whole, plain_sum
from treerules.growing.compiled.scoring import CENTRE, FACTOR

#: Sums are equal within this share.
_ALL = 1 - 1e-12
#: In nodes of at most this many rows some feature often has the greatest gain that is possible.
_TINY = 8


@inlined_kernel
def is_greatest(search: Any, scoring: Any, n_rows: int) -> bool:
    """Return whether no later feature can have a split that wins against the one that is kept: it can only tie."""
    if search.state[N_KEPT] != 1 or scoring.has_costs or search.state[OPEN] > 0:
        return False
    if scoring.criterion != SQUARES_KERNEL:
        return _separates_classes(search, scoring)
    if not has_greatest(scoring, n_rows):
        return False
    state, record, greatest = search.state, search.kept[0], search.finalists[0]
    if state[IS_EXACT]:
        return bool(compare_whole(record, greatest, GROUPS, scoring) == 0)
    return bool(record[GAIN] >= greatest[GAIN] - state[TOLERANCE] + 4 * state[ERROR])


@inner_kernel
def _separates_classes(search: Any, scoring: Any) -> bool:
    """Return whether the only kept candidate divides the classes of a node completely."""
    record, k, n_one, n_other, n = search.kept[0], scoring.n_sums, 0, 0, 0.0
    for label in range(k):
        one, other = record[GROUPS + label], record[GROUPS + k + label]
        n_one, n_other, n = n_one + (one > 0), n_other + (other > 0), n + one + other
    return bool(n_one == 1 and n_other == 1 and n >= plain_sum(search.totals, k) * _ALL)


@inner_kernel
def has_greatest(scoring: Any, n_rows: int) -> bool:
    """Return whether the greatest gain of a node of a regression is computed.

    Where values are missing, a split of the known rows may gain more than any of all rows.
    """
    return bool(scoring.criterion == SQUARES_KERNEL and n_rows <= _TINY and not scoring.has_missing)


@inlined_kernel
def write_greatest(search: Any, scoring: Any, rows: Any) -> None:
    """Write the cut of the target of greatest gain as the first finalist, a record that regressions do not need.

    No split of the rows, which are in the order of the target, gains more.
    """
    greatest, totals = search.finalists[0], search.totals
    size, total, best, n, all_rows = 0.0, 0.0, -1.0, totals[0], totals[1]
    for index in range(len(rows) - 1):
        row = rows[index]
        weight = scoring.weights[row] if scoring.has_weights else 1.0
        size += weight
        total += weight * ((scoring.values[row] - scoring.scale[CENTRE]) * scoring.scale[FACTOR])
        distance = total * (n - size) - (all_rows - total) * size
        gain = distance * distance / (size * (n - size) * n)
        if gain > best:
            best, greatest[GAIN] = gain, gain
            greatest[GROUPS], greatest[GROUPS + 1] = size, total
            greatest[GROUPS + 2], greatest[GROUPS + 3] = n - size, all_rows - total
