"""Counting the classes of features of few values, many features in one pass over the rows.

Codes lie row by row, since a pass counts all features of a row; features of two values are bits of a word. Large nodes
keep their counts: those of the larger child are what the smaller child leaves of its parent's.
"""

from typing import Any, NamedTuple

import numpy as np

from treerules._internal.jit import kernel

_WINDOWS = np.uint64(0x03F79D71B4CB0A89)
_PLACES = np.zeros(64, dtype=np.int64)
_PLACES[[((0x03F79D71B4CB0A89 << place) & (2**64 - 1)) >> 58 for place in range(64)]] = np.arange(64)


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

    #: shape (codes, classes); nothing between searches
    cells: Any
    #: shape (bits, classes); nothing between searches
    ones: Any
    #: the features of a small node that may vary, where their counts begin, and a bit for each code that is held,
    #: shape (features, words); no bit is set between searches
    active: Any
    begins: Any
    marks: Any
    #: the codes that some row holds, and their counts, shape (codes, classes)
    held: Any
    by_held: Any
    #: of each class: on the left of a cut, of known values, of missing ones, and more room
    left: Any
    known: Any
    missing: Any
    right: Any
    taken: Any
    #: of each class, in whole numbers: of known values, and of those that were seen (twice as much room)
    whole: Any
    seen: Any
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
                ones[word * 64 + place_of(lowest), place] += 1
                left ^= lowest


@kernel
def place_of(bit: Any) -> Any:
    """Return the place of the only bit that is set: its product with a number all of whose 6-bit windows differ."""
    return _PLACES[(bit * _WINDOWS) >> np.uint64(58)]


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
def counted_few(tables: Any, counts: Any, n_active: int, rows: Any, target: Any) -> None:
    """Count the classes of the few rows of a small node by the codes of its active features, and mark those held.

    The counts and the marks must be nothing before; `held_of_few` makes them so again.
    """
    codes, cells, marks, active, begins = tables.codes, counts.cells, counts.marks, counts.active, counts.begins
    for at in range(n_active):
        begins[at] = tables.offsets[active[at]]
    for at in range(len(rows)):
        row = np.uint32(rows[at])
        place = target[row]
        for each in range(n_active):
            code = np.uint64(codes[row, np.uint64(active[each])])
            cells[np.uint64(begins[each]) + code, place] += 1
            marks[each, code >> np.uint64(6)] |= np.uint64(1) << (code & np.uint64(63))


@kernel
def held_of_few(tables: Any, counts: Any, each: int, missing: Any) -> int:
    """Gather the codes of an active feature that some row holds, in their order, from what `counted_few` counted."""
    line = counts.active[each]
    start, n_codes, n_held = tables.offsets[line], tables.n_codes[line], 0
    held, by_held, cells, marks, n_sums = counts.held, counts.by_held, counts.cells, counts.marks, len(missing)
    missing[:] = 0.0
    for word in range((n_codes >> 6) + 1):
        left = marks[each, word]
        marks[each, word] = np.uint64(0)
        while left:
            lowest = left & (~left + np.uint64(1))
            left ^= lowest
            code = word * 64 + place_of(lowest)
            if code == n_codes:
                for place in range(n_sums):
                    missing[place] = cells[start + code, place]
                    cells[start + code, place] = 0
            else:
                held[n_held] = code
                for place in range(n_sums):
                    by_held[n_held, place] = cells[start + code, place]
                    cells[start + code, place] = 0
                n_held += 1
    return n_held


@kernel
def counted_few_bits(tables: Any, ones: Any, word: int, alive: Any, rows: Any, target: Any) -> Any:
    """Count the classes of the few rows of a small node by those bits of a word that vary in it; return these.

    Only the alive bits are looked at. The counts must be nothing before.
    """
    bits, some, every = tables.bits, np.uint64(0), alive
    for at in range(len(rows)):
        has = bits[np.uint32(rows[at]), word]
        some |= has
        every &= has
    varying = some & alive & ~every
    if varying:
        for at in range(len(rows)):
            row = np.uint32(rows[at])
            left, place = bits[row, word] & varying, target[row]
            while left:
                lowest = left & (~left + np.uint64(1))
                ones[word * 64 + place_of(lowest), place] += 1
                left ^= lowest
    return varying
