"""The cuts of a list that may win, once the greatest gain in the list is known."""

from typing import Any

import numpy as np

from treerules._internal.jit import inner_kernel
from treerules.growing.array_tree import CUT
from treerules.growing.compiled.candidates import offer
from treerules.growing.compiled.list_entries import add_row, bar_of, write_cut
from treerules.growing.compiled.purities import count_classes
from treerules.growing.compiled.rivals import only_ties


@inner_kernel
def offer_noted(
    search: Any, scoring: Any, lists: Any, entries: Any, n_passing: int, feature: int, bar: float, node: float
) -> None:
    """Let the noted cuts, numbers of rows in `sizes`, be candidates if their gains, in `sums`, pass a bar."""
    cost, done = scoring.costs[feature], 0
    search.left[:] = 0.0
    for place in range(n_passing):
        if search.sums[place] < bar:
            continue
        index = int(search.sizes[place])
        add_entries(search, scoring, lists, entries, done, index)
        done = index
        if not only_ties(search, scoring, feature) and offer(search, scoring, feature, CUT, 0):
            write_cut(search, entries, index, lists.row_mask)
            bar = max(bar, bar_of(search.state) * cost + node)


@inner_kernel
def add_entries(search: Any, scoring: Any, lists: Any, entries: Any, start: int, stop: int) -> None:
    """Add entries of a list to the left side."""
    if scoring.has_weights:
        for index in range(start, stop):
            entry = np.int64(entries[index])
            add_row(search.left, scoring, (entry >> lists.class_shift) & lists.class_mask, entry & lists.row_mask)
        return
    shift, mask = np.uint32(lists.class_shift), np.uint32(lists.class_mask)
    search.left[scoring.n_sums] += stop - start
    count_classes(entries[start:stop], search.noted, search.left[: scoring.n_sums], shift, mask)
