"""The sorted lists of a problem, and what the searches of lists and codes share.

A list holds an entry for each row of the node: the row, its class, and whether a new value begins with it. Entries of
missing values come last.
"""

from typing import Any, NamedTuple

import numpy as np

from treerules._internal.jit import inner_kernel
from treerules.criteria.table import SQUARES_KERNEL
from treerules.growing.general.candidates import (
    BEST,
    ERROR,
    HIGH,
    LOW,
    N_FIRST,
    N_KEPT,
    TOLERANCE,
)
from treerules.growing.general.scoring import CENTRE, FACTOR

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
