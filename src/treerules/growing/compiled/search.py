"""The search of all features of few values of one node, from counts that the node keeps or from its few rows."""

from typing import Any

import numpy as np

from treerules._internal.jit import kernel
from treerules.growing.compiled.class_categorical import search_class_bit, search_class_codes, sum_of
from treerules.growing.compiled.histograms import (
    bit_position,
    count_active_codes,
    count_varying_bits,
    present_of_active,
    present_of_counts,
)


@kernel
def search_large_node(
    best: Any, candidates: Any, scoring: Any, columns: Any, counts: Any,
    code_counts: Any, bit_counts: Any, n: float, totals: Any, varies: Any,
) -> bool:  # fmt: skip
    """Search the coded columns of a node that keeps their counts; False where the reference must search.

    `varies` says which columns, then which bits, may vary in the node; it is updated.
    """
    index, missing = 0, counts.missing
    for column in range(len(columns.features)):
        if varies[index]:
            feature, split_kind = columns.features[column], columns.split_kind[column]
            n_present = present_of_counts(columns, code_counts, counts, column, missing)
            varies[index] = n_present > 1 or (n_present == 1 and sum_of(missing) > 0)
            if not search_class_codes(
                best, candidates, scoring, counts, n, totals, missing, n_present, feature, split_kind
            ):
                return False
        index += 1
    for bit in range(len(columns.bit_features)):
        if varies[index]:
            feature, split_kind, flip = columns.bit_features[bit], columns.bit_split_kind[bit], columns.bit_flips[bit]
            if not search_class_bit(
                best, candidates, scoring, counts, n, totals, bit_counts[bit], flip, feature, split_kind
            ):
                varies[index] = 0
        index += 1
    return True


@kernel
def search_small_node(
    best: Any, candidates: Any, scoring: Any, columns: Any, counts: Any,
    rows: Any, classes: Any, totals: Any, varies: Any, bound: int,
) -> bool:  # fmt: skip
    """Search the coded columns of a node of few rows; False where the reference must search.

    Only features before `bound` in the order of ties are searched: no other can win.
    """
    n_active, n, missing = 0, float(len(rows)), counts.missing
    for column in range(len(columns.features)):
        if varies[column] and scoring.tie_order[columns.features[column]] < bound:
            counts.active[n_active] = column
            n_active += 1
    if n_active:
        count_active_codes(columns, counts, n_active, rows, classes)
    is_decided = True
    for index in range(n_active):
        column, n_present = counts.active[index], present_of_active(columns, counts, index, missing)
        if n_present < 2 and (n_present == 0 or sum_of(missing) == 0):
            varies[column] = 0
        elif is_decided:  # otherwise the remaining columns only reset their counts
            feature, split_kind = columns.features[column], columns.split_kind[column]
            is_decided = search_class_codes(
                best, candidates, scoring, counts, n, totals, missing, n_present, feature, split_kind
            )
    if is_decided:
        of_bits = varies[len(columns.features) :]
        for word in range(columns.bits.shape[1]):
            _search_word(best, candidates, scoring, columns, counts, rows, classes, totals, of_bits, bound, word)
    return is_decided


@kernel
def _search_word(
    best: Any, candidates: Any, scoring: Any, columns: Any, counts: Any,
    rows: Any, classes: Any, totals: Any, varies: Any, bound: int, word: int,
) -> None:  # fmt: skip
    """Search the bits of one word that vary in a node of few rows; `varies` of all bits is updated."""
    alive, n = np.uint64(0), float(len(rows))
    for bit in range(64 * word, min(64 * word + 64, len(varies))):
        if varies[bit] and scoring.tie_order[columns.bit_features[bit]] < bound:
            alive |= np.uint64(1) << np.uint64(bit - 64 * word)
    if not alive:
        return
    varying = count_varying_bits(columns, counts.bit_counts, word, alive, rows, classes)
    while alive:
        lowest = alive & (~alive + np.uint64(1))
        alive ^= lowest
        bit = 64 * word + bit_position(lowest)
        if not lowest & varying:
            varies[bit] = 0
            continue
        bit_counts, feature = counts.bit_counts[bit], columns.bit_features[bit]
        split_kind, flip = columns.bit_split_kind[bit], columns.bit_flips[bit]
        search_class_bit(best, candidates, scoring, counts, n, totals, bit_counts, flip, feature, split_kind)
        bit_counts[:] = 0
