"""Searching all features of few values of one node: by the counts it keeps, or by those of its few rows."""

from typing import Any

import numpy as np

from treerules._internal.jit import kernel
from treerules.growing.compiled.class_categorical import searched, searched_bit, total
from treerules.growing.compiled.histograms import counted_few, counted_few_bits, held_of_cells, held_of_few, place_of


@kernel
def searched_large(
    best: Any, room: Any, terms: Any, tables: Any, counts: Any,
    cells: Any, ones: Any, n: float, totals: Any, varies: Any,
) -> bool:  # fmt: skip
    """Search the tables and bits of a node that keeps their counts; False where the reference must.

    `varies` tells which of them, tables first, may vary, and is kept.
    """
    place, missing = 0, counts.missing
    for line in range(len(tables.features)):
        if varies[place]:
            feature, how = tables.features[line], tables.how[line]
            n_held = held_of_cells(tables, cells, counts, line, missing)
            varies[place] = n_held > 1 or (n_held == 1 and total(missing) > 0)
            if not searched(best, room, terms, counts, n, totals, missing, n_held, feature, how):
                return False
        place += 1
    for bit in range(len(tables.bit_features)):
        if varies[place]:
            feature, how, flip = tables.bit_features[bit], tables.bit_how[bit], tables.bit_flips[bit]
            if not searched_bit(best, room, terms, counts, n, totals, ones[bit], flip, feature, how):
                varies[place] = 0
        place += 1
    return True


@kernel
def searched_small(
    best: Any, room: Any, terms: Any, tables: Any, counts: Any,
    rows: Any, target: Any, totals: Any, varies: Any, bound: int,
) -> bool:  # fmt: skip
    """Search the tables and bits of a node of few rows; False where the reference must.

    Only features that come before the `bound` in ties are searched: no other can win.
    """
    n_active, n, missing = 0, float(len(rows)), counts.missing
    for line in range(len(tables.features)):
        if varies[line] and terms.first[tables.features[line]] < bound:
            counts.active[n_active] = line
            n_active += 1
    if n_active:
        counted_few(tables, counts, n_active, rows, target)
    is_known = True
    for each in range(n_active):
        line, n_held = counts.active[each], held_of_few(tables, counts, each, missing)
        if n_held < 2 and (n_held == 0 or total(missing) == 0):
            varies[line] = 0
        elif is_known:  # where not, the others must clear their counts all the same
            feature, how = tables.features[line], tables.how[line]
            is_known = searched(best, room, terms, counts, n, totals, missing, n_held, feature, how)
    if is_known:
        of_bits = varies[len(tables.features) :]
        for word in range(tables.bits.shape[1]):
            _searched_word(best, room, terms, tables, counts, rows, target, totals, of_bits, bound, word)
    return is_known


@kernel
def _searched_word(
    best: Any, room: Any, terms: Any, tables: Any, counts: Any,
    rows: Any, target: Any, totals: Any, varies: Any, bound: int, word: int,
) -> None:  # fmt: skip
    """Search the bits of one word that vary in a node of few rows; `varies` is kept of all bits."""
    alive, n = np.uint64(0), float(len(rows))
    for bit in range(64 * word, min(64 * word + 64, len(varies))):
        if varies[bit] and terms.first[tables.bit_features[bit]] < bound:
            alive |= np.uint64(1) << np.uint64(bit - 64 * word)
    if not alive:
        return
    varying = counted_few_bits(tables, counts.ones, word, alive, rows, target)
    while alive:
        lowest = alive & (~alive + np.uint64(1))
        alive ^= lowest
        bit = 64 * word + place_of(lowest)
        if not lowest & varying:
            varies[bit] = 0
            continue
        ones, feature = counts.ones[bit], tables.bit_features[bit]
        how, flip = tables.bit_how[bit], tables.bit_flips[bit]
        searched_bit(best, room, terms, counts, n, totals, ones, flip, feature, how)
        ones[:] = 0
