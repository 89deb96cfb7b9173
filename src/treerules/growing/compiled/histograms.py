"""Counts of classes by code for features of few values, many features in one pass over the rows.

Codes are stored row by row, since a pass counts all features of a row; features of two values are bits of 64-bit
words. Large nodes keep their counts: those of the larger child are the parent's minus those of the smaller child.
"""

from typing import Any, NamedTuple

import numpy as np

from treerules._internal.jit import kernel

#: A de Bruijn sequence: its 64 windows of 6 bits differ; and the position of each window.
_DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
_POSITIONS = np.zeros(64, dtype=np.int64)
_POSITIONS[[((0x03F79D71B4CB0A89 << position) & (2**64 - 1)) >> 58 for position in range(64)]] = np.arange(64)


class CodedColumns(NamedTuple):
    """The features of few values. A feature of two values without missing ones is stored as one bit per row."""

    #: the code of each value, `n_codes` where it is missing, shape (rows, columns)
    codes: Any
    #: the feature index and the number of codes of each column
    features: Any
    n_codes: Any
    #: where the counts of each column begin, shape (columns + 1,)
    offsets: Any
    #: IN_ORDER, ONE_AGAINST_REST or SUBSET
    split_kind: Any
    #: one bit per row and feature, shape (rows, words)
    bits: Any
    #: by bit: the feature index; 1 where a set bit is the first of the two values; the kind of split
    bit_features: Any
    bit_flips: Any
    bit_split_kind: Any


class ClassCounts(NamedTuple):
    """Work arrays for the search of one node of a classification."""

    #: class counts by code, shape (codes, classes), all 0 between searches
    code_counts: Any
    #: class counts of the rows whose bit is set, shape (bits, classes), all 0 between searches
    bit_counts: Any
    #: the columns of a small node that may vary, where their counts begin, and a bit for each code that is present,
    #: shape (columns, words), all 0 between searches
    active: Any
    active_offsets: Any
    present_bits: Any
    #: the codes that some row of the node has, ascending, and their class counts, shape (codes, classes)
    present: Any
    counts_of_present: Any
    #: class counts: of the first child, of known values, of missing ones, of the second child, of one side
    left: Any
    known: Any
    missing: Any
    right: Any
    counts_of_side: Any
    #: integer class counts of known values, and of the rows left of a cut (twice as long)
    integer_counts: Any
    left_integers: Any
    #: the child of each category in the candidate and in the best split (2: absent), by code
    sides: Any
    best_sides: Any
    #: the shares of one class in the present categories, and the order of the categories by them
    means: Any
    order: Any


@kernel
def count_codes(columns: Any, code_counts: Any, rows: Any, classes: Any) -> None:
    """Count the classes of some rows by the codes of all columns; `target` holds the class of each row."""
    codes, offsets = columns.codes, columns.offsets
    code_counts[:] = 0
    for index in range(len(rows)):
        row = rows[index]
        label = classes[row]
        for column in range(len(columns.features)):
            code_counts[offsets[column] + codes[row, column], label] += 1


@kernel
def count_bits(columns: Any, bit_counts: Any, rows: Any, classes: Any) -> None:
    """Count the classes of some rows by the bits that are set."""
    bits = columns.bits
    bit_counts[:] = 0
    for index in range(len(rows)):
        row = rows[index]
        label = classes[row]
        for word in range(bits.shape[1]):
            remaining = bits[row, word]
            while remaining:
                lowest = remaining & (~remaining + np.uint64(1))
                bit_counts[word * 64 + bit_position(lowest), label] += 1
                remaining ^= lowest


@kernel
def bit_position(bit: Any) -> Any:
    """Return the position of the only bit that is set."""
    return _POSITIONS[(bit * _DE_BRUIJN) >> np.uint64(58)]


@kernel
def present_of_counts(columns: Any, code_counts: Any, counts: Any, column: int, missing: Any) -> int:
    """Gather the present codes of a column from the counts of a large node; return their number."""
    start, n_codes, n_present = columns.offsets[column], columns.n_codes[column], 0
    present, counts_of_present, n_classes = counts.present, counts.counts_of_present, code_counts.shape[1]
    for code in range(n_codes):
        n_rows = 0
        for label in range(n_classes):
            n_rows += code_counts[start + code, label]
        if n_rows:
            present[n_present] = code
            for label in range(n_classes):
                counts_of_present[n_present, label] = code_counts[start + code, label]
            n_present += 1
    for label in range(n_classes):
        missing[label] = code_counts[start + n_codes, label]
    return n_present


@kernel
def count_active_codes(columns: Any, counts: Any, n_active: int, rows: Any, classes: Any) -> None:
    """Count the classes of the few rows of a small node by the codes of its active columns, and mark the present codes.

    Counts and marks must be 0 before; `present_of_active` resets them.
    """
    codes = columns.codes
    code_counts = counts.code_counts
    present_bits = counts.present_bits
    active = counts.active
    offsets = counts.active_offsets
    for index in range(n_active):
        offsets[index] = columns.offsets[active[index]]
    for index in range(len(rows)):
        row = np.uint32(rows[index])
        label = classes[row]
        for position in range(n_active):
            code = np.uint64(codes[row, np.uint64(active[position])])
            code_counts[np.uint64(offsets[position]) + code, label] += 1
            present_bits[position, code >> np.uint64(6)] |= np.uint64(1) << (code & np.uint64(63))


@kernel
def present_of_active(columns: Any, counts: Any, position: int, missing: Any) -> int:
    """Gather the present codes of an active column, ascending, from `count_active_codes`; return their number."""
    column = counts.active[position]
    start, n_codes, n_present = columns.offsets[column], columns.n_codes[column], 0
    present, counts_of_present, n_classes = counts.present, counts.counts_of_present, len(missing)
    code_counts, present_bits = counts.code_counts, counts.present_bits
    missing[:] = 0.0
    for word in range((n_codes >> 6) + 1):
        remaining = present_bits[position, word]
        present_bits[position, word] = np.uint64(0)
        while remaining:
            lowest = remaining & (~remaining + np.uint64(1))
            remaining ^= lowest
            code = word * 64 + bit_position(lowest)
            if code == n_codes:
                for label in range(n_classes):
                    missing[label] = code_counts[start + code, label]
                    code_counts[start + code, label] = 0
            else:
                present[n_present] = code
                for label in range(n_classes):
                    counts_of_present[n_present, label] = code_counts[start + code, label]
                    code_counts[start + code, label] = 0
                n_present += 1
    return n_present


@kernel
def count_varying_bits(columns: Any, bit_counts: Any, word: int, alive: Any, rows: Any, classes: Any) -> Any:
    """Count the classes of the few rows of a small node by those bits of a word that vary in it; return these bits.

    Only the bits set in `alive` are considered. The counts must be 0 before.
    """
    bits, any_row, all_rows = columns.bits, np.uint64(0), alive
    for index in range(len(rows)):
        row_bits = bits[np.uint32(rows[index]), word]
        any_row |= row_bits
        all_rows &= row_bits
    varying = any_row & alive & ~all_rows
    if varying:
        for index in range(len(rows)):
            row = np.uint32(rows[index])
            remaining, label = bits[row, word] & varying, classes[row]
            while remaining:
                lowest = remaining & (~remaining + np.uint64(1))
                bit_counts[word * 64 + bit_position(lowest), label] += 1
                remaining ^= lowest
    return varying
