"""The sorted lists of a problem, and what the searches of lists and codes share.

A list holds an entry for each row of the node: the row, its class, and whether a new value begins with it. Entries of
missing values come last.
"""

from typing import Any, NamedTuple

import numpy as np

from treerules._internal.jit import inner_kernel
from treerules.criteria.table import SQUARES_KERNEL
from treerules.growing.compiled.candidates import (
    BEST,
    ERROR,
    HIGH,
    LOW,
    N_FIRST,
    N_KEPT,
    TOLERANCE,
)
from treerules.growing.compiled.scoring import CENTRE, FACTOR
from treerules.growing.compiled.sorted_lists import NEW_VALUE_BIT

#: C4.5 as published: the children of a cut need not be larger than this.
_MOST_REQUIRED = 25.0
#: The values of a list in a node: all equal, some equal, all different.
CONSTANT, VARIES, DISTINCT = range(3)


class Lists(NamedTuple):
    """The features of many values: a list of each, sorted within each node."""

    #: uint32, shape (lists, rows)
    entries: Any
    #: the parts of an entry: the mask of its row, the shift and the mask of its class
    row_mask: int
    class_shift: int
    class_mask: int


@inner_kernel
def add_row(statistics: Any, scoring: Any, label: int, row: int) -> None:
    """Add a row to the statistics of a group."""
    weight = scoring.weights[row] if scoring.has_weights else 1.0
    if scoring.criterion == SQUARES_KERNEL:
        statistics[0] += weight
        statistics[1] += weight * ((scoring.values[row] - scoring.scale[CENTRE]) * scoring.scale[FACTOR])
    else:
        statistics[label] += weight
    statistics[scoring.n_sums] += 1.0 if scoring.counts_rows else weight


@inner_kernel
def variety_of(entries: Any, end: int) -> int:
    """Return whether the first entries of a list have all the same value, or all different ones, or neither."""
    all_bits, any_bits = np.uint32(1 << NEW_VALUE_BIT), np.uint32(0)
    for index in range(np.uint64(1), np.uint64(end)):
        all_bits &= entries[index]
        any_bits |= entries[index]
    return variety_of_bits(np.uint64(all_bits), np.uint64(any_bits))


@inner_kernel
def variety_of_bits(all_bits: Any, any_bits: Any) -> int:
    """Return the variety of a list from the bits that all entries but the first have, and those that any has."""
    if not any_bits >> np.uint64(NEW_VALUE_BIT):
        return CONSTANT
    return DISTINCT if (all_bits >> np.uint64(NEW_VALUE_BIT)) & np.uint64(1) else VARIES


@inner_kernel
def is_free(scoring: Any, feature: int) -> bool:
    """Return whether the predictions of a feature's splits may be in any order."""
    return not (scoring.has_directions and scoring.directions[feature] != 0)


@inner_kernel
def bar_of(state: Any) -> float:
    """Return the gain below which no candidate may win."""
    return state[BEST] - state[TOLERANCE] - 2 * state[ERROR] if state[N_KEPT] else -1.0


@inner_kernel
def write_cut(search: Any, entries: Any, index: int, mask: int) -> None:
    """Write the rows around the cut before an entry, and the number of entries before it, into the last candidate."""
    record = search.kept[int(search.state[N_KEPT]) - 1]
    record[LOW], record[HIGH] = np.int64(entries[index - 1]) & mask, np.int64(entries[index]) & mask
    record[N_FIRST] = index


@inner_kernel
def least_size_of_cuts(search: Any, scoring: Any) -> float:
    """Return the least size of a child of a cut; of C4.5 as published a tenth of the average class of the node."""
    if not scoring.is_published:
        return scoring.least
    required = 0.1 * search.known[scoring.n_sums] / scoring.n_sums
    return min(max(required, scoring.least), max(_MOST_REQUIRED, scoring.least))
