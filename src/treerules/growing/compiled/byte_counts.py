"""The statistics of the codes that are bytes: those of all columns are added in one pass over the rows of a node.

Large nodes keep them: those of the largest child are its parent's less those of the others. Small nodes look at the
codes of their rows only.
"""

from typing import Any, NamedTuple

import numpy as np

from treerules._internal.jit import inlined_kernel, inner_kernel
from treerules.criteria.table import SQUARES_KERNEL
from treerules.growing.compiled.arithmetic import copy_into
from treerules.growing.compiled.gains import plain_sum
from treerules.growing.compiled.loop_state import START, STOP
from treerules.growing.compiled.scoring import CENTRE, FACTOR

#: The number of tables behind those of stack positions: of a large node that keeps none, and of small nodes.
SPARE_TABLES = 2
#: The number of 64-bit words with a bit for each code.
WORDS = 4
#: A de Bruijn sequence: its 64 windows of 6 bits differ; and the position of each window.
_DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
_POSITIONS = np.zeros(64, dtype=np.int64)
_POSITIONS[[((0x03F79D71B4CB0A89 << position) & (2**64 - 1)) >> 58 for position in range(64)]] = np.arange(64)


class ByteTables(NamedTuple):
    """The statistics of codes that are bytes, by stack position, and work arrays."""

    #: shape (tables, codes of all columns, statistics); the last one is 0 between searches, except where marked
    tables: Any
    #: whether the table of a stack position holds the statistics of the node there
    is_kept: Any
    #: a bit for each value that a byte has in a small node, shape (bytes, WORDS)
    present_bits: Any
    #: the bytes whose values were counted in the last small node, and at the end their number; whether each is one
    active: Any
    is_active: Any


@inner_kernel
def count_bytes(scoring: Any, codes: Any, bytes_of: Any, loop: Any, position: int, can_keep: bool) -> int:
    """Count the byte columns of the node at a stack position; return the index of the table, which then holds them."""
    start, stop = loop.stack[position, START], loop.stack[position, STOP]
    rows, n_tables = loop.rows[start:stop], len(bytes_of.tables)
    is_keeping = can_keep and position < n_tables - SPARE_TABLES
    if stop - start < codes.large:
        _count_small(scoring, codes, bytes_of, loop, position, rows)
        return n_tables - 1
    index = position if is_keeping else n_tables - SPARE_TABLES
    if not (is_keeping and bytes_of.is_kept[index]):
        bytes_of.tables[index][:] = 0.0
        _add_rows(bytes_of.tables[index], scoring, codes, rows, loop.target, 1.0)
        bytes_of.is_kept[index] = is_keeping
    return index


@inner_kernel
def _add_rows(table: Any, scoring: Any, codes: Any, rows: Any, target: Any, sign: float) -> None:
    """Add the statistics of some rows, by the codes of all columns, or take them away where the sign is -1.

    Indices are unsigned, which saves code.
    """
    offsets, n_columns = codes.offsets, np.uint64(codes.of_bytes.shape[1])
    if scoring.has_weights or scoring.criterion == SQUARES_KERNEL:
        for index in range(len(rows)):
            row = np.uint64(rows[index])
            place, weight, added, counted = _row_of(scoring, target, row)
            for column in range(n_columns):
                line = table[np.uint64(offsets[column]) + np.uint64(codes.of_bytes[row, column])]
                _add(line, scoring, place, sign * weight, sign * added, sign * counted)
        return
    for index in range(len(rows)):
        row = np.uint64(rows[index])
        label = np.uint64(target[row])
        for column in range(n_columns):
            table[np.uint64(offsets[column]) + np.uint64(codes.of_bytes[row, column]), label] += sign


@inner_kernel
def _row_of(scoring: Any, target: Any, row: Any) -> Any:
    """Return what a row adds to a group: where and how much, the sum of a regression, and the size."""
    weight = scoring.weights[row] if scoring.has_weights else 1.0
    counted = 1.0 if scoring.counts_rows else weight
    if scoring.criterion == SQUARES_KERNEL:
        added = weight * ((scoring.values[row] - scoring.scale[CENTRE]) * scoring.scale[FACTOR])
        return np.int64(0), weight, added, counted
    return np.int64(target[row]), weight, 0.0, counted


@inner_kernel
def _add(line: Any, scoring: Any, place: Any, weight: float, added: float, counted: float) -> None:
    """Add a row to the statistics of a code."""
    line[place] += weight
    if scoring.criterion == SQUARES_KERNEL:
        line[1] += added
    line[scoring.n_sums] += counted


@inlined_kernel
def _count_small(scoring: Any, codes: Any, bytes_of: Any, loop: Any, position: int, rows: Any) -> None:
    """Add the few rows of a node to the last table, by the codes of the columns that may vary, and mark these codes."""
    table, active, bits, offsets = bytes_of.tables[-1], bytes_of.active, bytes_of.present_bits, codes.offsets
    for index in range(active[-1]):  # what the last search did not need
        column = active[index]
        bytes_of.is_active[column] = 0
        for word in range(WORDS):
            while bits[column, word]:
                code = _take_lowest(bits, column, word)
                table[offsets[column] + code] = 0.0
    n_active = np.uint64(0)
    for feature in range(len(loop.storage)):
        column = -1 - loop.storage[feature]
        if loop.storage[feature] >= 0 or column >= codes.n_bytes or not loop.varies[position, feature]:
            continue
        place = codes.places[column]
        if not bytes_of.is_active[place]:
            bytes_of.is_active[place] = 1
            active[n_active] = place
            n_active += np.uint64(1)
    active[-1] = n_active
    for index in range(len(rows)):
        row = np.uint64(rows[index])
        place, weight, added, counted = _row_of(scoring, loop.target, row)
        for each in range(n_active):
            column = np.uint64(active[each])
            code = np.uint64(codes.of_bytes[row, column])
            _add(table[np.uint64(offsets[column]) + code], scoring, place, weight, added, counted)
            bits[column, code >> np.uint64(6)] |= np.uint64(1) << (code & np.uint64(63))


@inner_kernel
def _take_lowest(bits: Any, column: int, word: int) -> int:
    """Return the least code whose bit is set in a word, and clear the bit."""
    rest = bits[column, word]
    lowest = rest & (~rest + np.uint64(1))
    bits[column, word] = rest ^ lowest
    return int(64 * word + _POSITIONS[(lowest * _DE_BRUIJN) >> np.uint64(58)])


@inlined_kernel
def groups_of_bytes(search: Any, scoring: Any, codes: Any, bytes_of: Any, arrays: Any, column: int, index: int) -> int:
    """Write the statistics of a counted column's codes, ascending, and of missing values; return the number of codes.

    `index` is that of the table that holds them.
    """
    table, n_codes, n_present = bytes_of.tables[index], codes.n_codes[column], 0
    place = codes.places[column]
    begin, is_small = codes.offsets[place], index == len(bytes_of.tables) - 1
    if codes.masks[column] == 1:
        search.missing[:] = 0.0
        return _groups_of_bit(scoring, codes, bytes_of, arrays, table, column, is_small)
    if is_small:
        search.missing[:] = 0.0
        for word in range(WORDS):
            while bytes_of.present_bits[place, word]:
                code = _take_lowest(bytes_of.present_bits, place, word)
                line = table[begin + code]
                if code == n_codes:
                    copy_into(line, search.missing)
                else:
                    copy_into(line, arrays.groups[n_present])
                    arrays.present[n_present] = code
                    n_present += 1
                line[:] = 0.0
        return n_present
    _copy_counts(table[begin + n_codes], search.missing, scoring)
    for code in range(n_codes):
        if _copy_counts(table[begin + code], arrays.groups[n_present], scoring):
            arrays.present[n_present] = code
            n_present += 1
    return n_present


@inner_kernel
def _groups_of_bit(
    scoring: Any, codes: Any, bytes_of: Any, arrays: Any, table: Any, column: int, is_small: bool
) -> int:
    """Write the statistics of the codes of a column that shares a byte; return the number of codes."""
    place, groups, k = codes.places[column], arrays.groups, scoring.n_sums
    begin, end, shift = codes.offsets[place], codes.offsets[place + 1], codes.shifts[column]
    groups[0], groups[1] = 0.0, 0.0
    present = bytes_of.present_bits[place, 0]
    for value in range(end - begin):
        if is_small and not (present >> np.uint64(value)) & np.uint64(1):
            continue
        group, line = groups[(value >> shift) & 1], table[begin + value]
        for index in range(k + 1):
            group[index] += line[index]
    n_present = 0
    for code in range(2):
        n = plain_sum(groups[code], scoring.n_weights)
        if n == 0:
            continue
        if not scoring.has_weights and scoring.criterion != SQUARES_KERNEL:
            groups[code, k] = n
        if code != n_present:
            copy_into(groups[code], groups[n_present])
        arrays.present[n_present] = code
        n_present += 1
    return n_present


@inner_kernel
def _copy_counts(line: Any, group: Any, scoring: Any) -> bool:
    """Copy the statistics of a code in a large node; return whether a row has it. Plain counts have no size yet."""
    copy_into(line, group)
    n = plain_sum(line, scoring.n_weights)
    if not scoring.has_weights and scoring.criterion != SQUARES_KERNEL:
        group[scoring.n_sums] = n
    return n > 0


@inner_kernel
def keep_tables(scoring: Any, codes: Any, bytes_of: Any, loop: Any, top: int, n_children: int, largest: int) -> None:
    """Keep the tables of the large children of the node at a stack position; `largest` is pushed there if it is open.

    Only sums without rounding errors are subtracted.
    """
    begin, is_kept, last = loop.begin, bytes_of.is_kept, len(bytes_of.tables) - SPARE_TABLES
    is_exact = scoring.criterion != SQUARES_KERNEL and not scoring.is_rounded
    n_rows = begin[largest + 1] - begin[largest]
    keeps = top < last and is_kept[top] and is_exact and loop.is_open[largest] and n_rows >= codes.large
    place = top + loop.is_open[largest]
    for child in range(n_children):
        if child == largest:
            continue
        rows, is_open = loop.rows[begin[child] : begin[child + 1]], loop.is_open[child]
        is_large = is_open and place < last and len(rows) >= codes.large
        if keeps and is_large:
            bytes_of.tables[place][:] = 0.0
            _add_rows(bytes_of.tables[place], scoring, codes, rows, loop.target, 1.0)
            _subtract(bytes_of.tables[top], bytes_of.tables[place])
        elif keeps:
            _add_rows(bytes_of.tables[top], scoring, codes, rows, loop.target, -1.0)
        if is_open and place < last:
            is_kept[place] = keeps and is_large
        place += is_open
    if top < last:
        is_kept[top] = keeps


@inner_kernel
def _subtract(counts: Any, others: Any) -> None:
    """Subtract counts from counts of the same shape, in place."""
    for line in range(len(counts)):
        for place in range(counts.shape[1]):
            counts[line, place] -= others[line, place]
