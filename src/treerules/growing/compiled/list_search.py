"""The cuts of a sorted list of a node, as candidates."""

from typing import Any

import numpy as np

from treerules._internal.jit import inlined_kernel
from treerules.criteria.table import ENTROPY_KERNEL, SQUARES_KERNEL
from treerules.growing.compiled.candidates import HIGH, LEAST_SIZE, LOW, N_FIRST, N_KEPT, offer_missing_test
from treerules.growing.compiled.list_entries import CONSTANT, VARIES, add_row, least_size_of_cuts, variety_of
from treerules.growing.compiled.many_scan import scan_many
from treerules.growing.compiled.pair_scan import scan_pairs
from treerules.growing.compiled.pairs import pair_of
from treerules.growing.compiled.plain_scan import scan_plain
from treerules.growing.compiled.sorted_lists import MISSING_BIT
from treerules.growing.compiled.two_class_scan import scan_two_classes


@inlined_kernel
def search_list(search: Any, scoring: Any, lists: Any, line: int, start: int, stop: int, feature: int) -> int:
    """Let all cuts of a list be candidates; return CONSTANT, VARIES or DISTINCT: missing is one more value."""
    entries, n, k = lists.entries[line, start:stop], stop - start, scoring.n_sums
    end = _sum_missing(search.missing, scoring, lists, entries)
    for index in range(k + 1):
        search.known[index] = search.totals[index] - search.missing[index]
    if end == 0:
        return CONSTANT
    is_divided, variety = scoring.is_learned and end < n, VARIES
    if scoring.has_weights or scoring.criterion != SQUARES_KERNEL:
        variety = variety_of(entries, end)
        if variety == CONSTANT and not is_divided:
            return CONSTANT if end == n else VARIES
    search.state[LEAST_SIZE] = least_size_of_cuts(search, scoring)
    if k > 2 or scoring.criterion == ENTROPY_KERNEL:
        if scoring.is_plain and not is_divided:
            scan_plain(search, scoring, lists, entries, end, feature)
        else:
            scan_many(search, scoring, lists, line, entries, end, feature, is_divided)
    else:
        pair = pair_of(search, scoring, is_divided)
        if scoring.has_weights or scoring.criterion == SQUARES_KERNEL:
            of_sums = scan_pairs(search, scoring, lists, entries, end, feature, pair, is_divided)
            variety = variety if scoring.has_weights else of_sums
        else:
            scan_two_classes(search, scoring, lists, entries, end, feature, pair, is_divided)
    if is_divided and offer_missing_test(search, scoring, feature):
        last = int(search.state[N_KEPT]) - 1
        search.kept[last, LOW] = search.kept[last, HIGH] = -1.0
        search.kept[last, N_FIRST] = end
    return variety if end == n else VARIES


@inlined_kernel
def _sum_missing(missing: Any, scoring: Any, lists: Any, entries: Any) -> int:
    """Write the statistics of the entries with a missing value; return the number of the others."""
    end = len(entries)
    missing[:] = 0.0
    while end > 0 and (np.int64(entries[end - 1]) >> MISSING_BIT) & 1:
        end -= 1
    for index in range(end, len(entries)):
        entry = np.int64(entries[index])
        add_row(missing, scoring, (entry >> lists.class_shift) & lists.class_mask, entry & lists.row_mask)
    return end
