"""Counting the classes of features of few values, many features in one pass over the rows.

Codes lie row by row, since a pass counts all features of a row; features of two values are bits of a word. Large nodes
keep their counts: those of the larger child are what the smaller child leaves of its parent's.
"""

from typing import Any, NamedTuple

import numpy as np

from treerules.compiled import kernel


class Tables(NamedTuple):
    """The features of few values."""

    #: shape (rows, features): code of each value, `n_codes` where it is missing
    codes: Any
    features: Any
    n_codes: Any
    #: where the counts of each feature begin
    offsets: Any
    how: Any
    #: shape (rows, words): a bit for each feature of two values
    bits: Any
    bit_features: Any
    #: 1 where a bit stands for the first of the two values
    bit_flips: Any
    bit_how: Any


class Counts(NamedTuple):
    """Room for the counts of one search."""

    #: shape (codes, classes)
    cells: Any
    #: shape (bits, classes)
    ones: Any
    #: the codes that some row holds, and their counts, shape (codes, classes)
    held: Any
    by_held: Any
    #: of each class: on the left of a cut, of known values, of missing ones, and more room
    left: Any
    known: Any
    missing: Any
    right: Any
    taken: Any
    #: by code: the side of the candidate's, and of the champion's categories (2: none)
    sides: Any
    best_sides: Any
    #: of the held categories: their means, and their order by them
    means: Any
    order: Any


@kernel
def counted_cells(tables: Any, cells: Any, rows: Any, target: Any) -> None:
    """Count the classes of some rows by the codes of all features."""
    codes, offsets = tables.codes, tables.offsets
    cells[:] = 0
    for at in range(len(rows)):
        row = rows[at]
        place = target[row]
        for feature in range(len(tables.features)):
            cells[offsets[feature] + codes[row, feature], place] += 1


@kernel
def counted_bits(tables: Any, ones: Any, rows: Any, target: Any) -> None:
    """Count the classes of some rows by the bits that are set."""
    bits = tables.bits
    ones[:] = 0
    for at in range(len(rows)):
        row = rows[at]
        place = target[row]
        for word in range(bits.shape[1]):
            left = bits[row, word]
            while left:
                lowest = left & (~left + np.uint64(1))
                ones[word * 64 + _place_of(lowest), place] += 1
                left ^= lowest


@kernel
def _place_of(bit: Any) -> int:
    """Return the place of the only bit that is set."""
    place = 0
    if bit >> np.uint64(32):
        place, bit = place + 32, bit >> np.uint64(32)
    if bit >> np.uint64(16):
        place, bit = place + 16, bit >> np.uint64(16)
    if bit >> np.uint64(8):
        place, bit = place + 8, bit >> np.uint64(8)
    if bit >> np.uint64(4):
        place, bit = place + 4, bit >> np.uint64(4)
    if bit >> np.uint64(2):
        place, bit = place + 2, bit >> np.uint64(2)
    return place + np.int64(bit >> np.uint64(1))


@kernel
def held_of_cells(tables: Any, cells: Any, counts: Any, line: int, missing: Any) -> int:
    """Gather the codes of a feature that some row holds, from the counts of a large node; return how many."""
    start, n_codes, n_held = tables.offsets[line], tables.n_codes[line], 0
    held, by_held, n_sums = counts.held, counts.by_held, cells.shape[1]
    for code in range(n_codes):
        some = 0
        for at in range(n_sums):
            some += cells[start + code, at]
        if some:
            held[n_held] = code
            for at in range(n_sums):
                by_held[n_held, at] = cells[start + code, at]
            n_held += 1
    for at in range(n_sums):
        missing[at] = cells[start + n_codes, at]
    return n_held


@kernel
def held_of_rows(tables: Any, counts: Any, line: int, rows: Any, target: Any, missing: Any) -> int:
    """Gather the codes of a feature that some row holds, from the rows of a small node; return how many."""
    n_codes, n_held = tables.n_codes[line], 0
    held, by_held, cells, n_sums = counts.held, counts.by_held, counts.cells, counts.cells.shape[1]
    missing[:] = 0.0
    start = tables.offsets[line]
    for at in range(len(rows)):
        row = rows[at]
        code = np.int64(tables.codes[row, line])
        if code == n_codes:
            missing[target[row]] += 1.0
            continue
        some = 0
        for place in range(n_sums):
            some += cells[start + code, place]
        cells[start + code, target[row]] += 1
        if some == 0:  # codes are kept in their order: most nodes hold few
            at_held = n_held
            while at_held > 0 and held[at_held - 1] > code:
                held[at_held] = held[at_held - 1]
                at_held -= 1
            held[at_held] = code
            n_held += 1
    for at in range(n_held):
        for place in range(n_sums):
            by_held[at, place] = cells[start + held[at], place]
            cells[start + held[at], place] = 0
    return n_held
