"""The columns of some rows of a problem, from those of all rows: one pass over each, without sorting."""

from typing import Any

import numpy as np
from attrs import evolve

from treerules.growing.compiled.code_counts import IN_ORDER
from treerules.growing.compiled.columns import Coded, KernelColumns, arranged_columns
from treerules.growing.compiled.sorted_lists import copy_entries


def columns_of_rows(columns: KernelColumns, rows: Any, width: int) -> KernelColumns:
    """Return the columns of some rows, given by ascending row indices; the original is not changed.

    Features keep their form, list or codes, however many values remain. Those that are cut in their order are coded
    anew by the remaining values: code k is the k-th of them, as for a problem of these rows alone.

    Args:
        columns: The columns of all rows.
        rows: The rows.
        width: The number of statistics of a code.
    """
    codes, all_entries = columns.codes, columns.lists.entries
    new_row = np.full(all_entries.shape[1], -1, dtype=np.int64)
    new_row[rows] = np.arange(len(rows))
    entries = np.empty((len(all_entries), len(rows)), dtype=np.uint32)
    for line, of_all in enumerate(all_entries):
        copy_entries(entries[line], of_all, new_row, columns.lists.row_mask)
    listed = np.flatnonzero(columns.storage >= 0)
    listed = listed[np.argsort(columns.storage[listed])]
    n_bytes, of_bytes = codes.n_bytes, codes.of_bytes[rows]
    coded = []
    for place in range(len(codes.n_codes)):
        feature = int(np.flatnonzero(columns.storage == -1 - place)[0])
        if place < n_bytes:
            of_rows = (of_bytes[:, codes.places[place]] >> codes.shifts[place]) & codes.masks[place]
        else:
            of_rows = codes.wide[place - n_bytes, rows]
        one = Coded(feature, of_rows, int(codes.n_codes[place]), int(codes.ways[place]))
        coded.append(_ranked(one) if one.way == IN_ORDER else one)
    lists = columns.lists._replace(entries=entries)
    return arranged_columns(lists, listed.tolist(), coded[:n_bytes], coded[n_bytes:], width)


def _ranked(coded: Coded) -> Coded:
    """Return a column that is cut in its order, coded by the ranks of the values that some row has."""
    present = np.bincount(coded.codes, minlength=coded.n_codes + 1)[: coded.n_codes] > 0
    ranks = np.cumsum(np.append(present, True)) - 1  # missing values have the last code
    codes, n_codes = ranks[coded.codes], np.count_nonzero(present)
    row_of_code = np.zeros(n_codes + 1, dtype=np.int64)
    row_of_code[codes] = np.arange(len(codes))
    return evolve(coded, codes=codes, n_codes=n_codes, rows=row_of_code[:-1])
