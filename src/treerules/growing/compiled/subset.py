"""The lists and tables of some rows of a problem, from those of all: a pass over each, and nothing is sorted again."""

from typing import Any

import numpy as np
from attrs import evolve

from treerules._internal.jit import kernel
from treerules.growing.compiled.class_categorical import IN_ORDER
from treerules.growing.compiled.class_numeric import NEW
from treerules.growing.compiled.histograms import Tables
from treerules.growing.compiled.presort import Listing
from treerules.growing.compiled.stable_partition import Lists


def part_of(listing: Listing, rows: Any) -> Listing:
    """Return the listing of some rows alone, given by their numbers in ascending order; the whole one stays as it is.

    Columns stay lists, tables and bits, however many values are left. Codes that are cut in their order are those of
    the values that are left, since growing may be told of them by who knows no others.
    """
    whole, n = listing.lists, len(rows)
    number = np.full(whole.stride, -1, dtype=np.int64)
    number[rows] = np.arange(n)
    entries = np.empty(len(whole.features) * n, dtype=np.uint32)
    for line in range(len(whole.features)):
        _keep(entries, line * n, whole.entries, line * whole.stride, whole.stride, number, listing.row_mask)
    lists = Lists(
        entries=entries,
        stride=n,
        features=whole.features,
        rows=np.arange(n if len(whole.rows) else 0, dtype=np.int32),
        target=whole.target[rows],
        y=whole.y[rows] if len(whole.y) else whole.y,
        side=np.zeros(n, dtype=np.uint8),
        spare=np.empty(n, dtype=np.uint32),
    )
    tables = _tables(listing.tables, rows)
    return evolve(listing, lists=lists, tables=tables, firsts=_firsts(listing, tables))


@kernel
def _keep(kept: Any, to: int, entries: Any, base: int, n: int, number: Any, mask: int) -> None:
    """Write the entries of a list whose rows have a number, with that number; the first of each value is marked."""
    mark = np.int64(0)
    for at in range(base, base + n):
        entry = np.int64(entries[at])
        mark |= entry >> NEW
        row = number[entry & mask]
        if row >= 0:
            kept[to] = np.uint32((entry & ~(np.int64(mask) | (1 << NEW))) | row | (mark << NEW))
            mark = np.int64(0)
            to += 1


def _tables(whole: Tables, rows: Any) -> Tables:
    if not len(whole.codes):  # all columns are lists
        return whole
    codes, n_codes = whole.codes[rows], whole.n_codes.copy()
    for line in np.flatnonzero(whole.how == IN_ORDER).tolist():
        most = int(n_codes[line])
        held = np.bincount(codes[:, line], minlength=most + 1)[:most] > 0
        if not held.all():
            n_codes[line] = np.count_nonzero(held)
            ranks = np.cumsum(np.append(held, True)) - 1  # that of a missing value comes after all others
            codes[:, line] = ranks[codes[:, line]]
    offsets = np.concatenate([[0], np.cumsum(n_codes + 1)])
    return whole._replace(codes=codes, n_codes=n_codes, offsets=offsets, bits=whole.bits[rows])


def _firsts(listing: Listing, tables: Tables) -> tuple[Any, ...]:
    """Return a row that holds each code, of the features that have such rows."""
    firsts = list(listing.firsts)
    rows = np.arange(len(tables.codes))
    for line, feature in enumerate(tables.features.tolist()):
        if firsts[feature] is not None:
            found = np.zeros(int(tables.n_codes[line]) + 1, dtype=np.int64)
            found[tables.codes[:, line]] = rows
            firsts[feature] = found[:-1]
    for line, feature in enumerate(tables.bit_features.tolist()):
        if firsts[feature] is not None:
            bits = (tables.bits[:, line // 64] >> np.uint64(line % 64)) & np.uint64(1)
            found = np.zeros(2, dtype=np.int64)
            found[bits.astype(np.int64) ^ int(tables.bit_flips[line])] = rows
            firsts[feature] = found
    return tuple(firsts)
