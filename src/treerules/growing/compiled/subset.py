"""The presorted columns of some rows of a problem, from those of all rows: one pass over each, without sorting."""

from typing import Any

import numpy as np
from attrs import evolve

from treerules._internal.jit import kernel
from treerules.growing.compiled.class_categorical import IN_ORDER
from treerules.growing.compiled.class_numeric import NEW_VALUE_BIT
from treerules.growing.compiled.histograms import CodedColumns
from treerules.growing.compiled.presort import PresortedColumns
from treerules.growing.compiled.stable_partition import SortedLists


def subset_of_presorted(presorted: PresortedColumns, rows: Any) -> PresortedColumns:
    """Return the presorted columns of some rows, given by ascending row indices; the original is not changed.

    Features keep their form (list, codes or bits) however many values remain. Features that are cut in their order
    are encoded anew by the remaining values, so that code k is the k-th remaining value, as for a problem of these
    rows alone.
    """
    all_lists, n_rows = presorted.lists, len(rows)
    new_row = np.full(all_lists.stride, -1, dtype=np.int64)
    new_row[rows] = np.arange(n_rows)
    entries = np.empty(len(all_lists.features) * n_rows, dtype=np.uint32)
    for list_index in range(len(all_lists.features)):
        _copy_entries(
            entries,
            list_index * n_rows,
            all_lists.entries,
            list_index * all_lists.stride,
            all_lists.stride,
            new_row,
            presorted.row_mask,
        )
    lists = SortedLists(
        entries=entries,
        stride=n_rows,
        features=all_lists.features,
        rows=np.arange(n_rows if len(all_lists.rows) else 0, dtype=np.int32),
        classes=all_lists.classes[rows],
        target=all_lists.target[rows] if len(all_lists.target) else all_lists.target,
        child_of_row=np.zeros(n_rows, dtype=np.uint8),
        spare=np.empty(n_rows, dtype=np.uint32),
    )
    columns = _subset_of_columns(presorted.columns, rows)
    return evolve(presorted, lists=lists, columns=columns, rows_of_codes=_rows_of_codes(presorted, columns))


@kernel
def _copy_entries(target: Any, position: int, entries: Any, base: int, n: int, new_row: Any, mask: int) -> None:
    """Copy the entries of a list whose rows remain, with new row numbers; the first entry of each value is marked."""
    is_new = np.int64(0)
    for index in range(base, base + n):
        entry = np.int64(entries[index])
        is_new |= entry >> NEW_VALUE_BIT
        row = new_row[entry & mask]
        if row >= 0:
            target[position] = np.uint32(
                (entry & ~(np.int64(mask) | (1 << NEW_VALUE_BIT))) | row | (is_new << NEW_VALUE_BIT)
            )
            is_new = np.int64(0)
            position += 1


def _subset_of_columns(columns: CodedColumns, rows: Any) -> CodedColumns:
    """Return the coded columns of some rows."""
    if not len(columns.codes):  # all columns are lists
        return columns
    codes, n_codes = columns.codes[rows], columns.n_codes.copy()
    for column in np.flatnonzero(columns.split_kind == IN_ORDER).tolist():
        n_all = int(n_codes[column])
        present = np.bincount(codes[:, column], minlength=n_all + 1)[:n_all] > 0
        if not present.all():
            n_codes[column] = np.count_nonzero(present)
            ranks = np.cumsum(np.append(present, True)) - 1  # missing values have the last code
            codes[:, column] = ranks[codes[:, column]]
    offsets = np.concatenate([[0], np.cumsum(n_codes + 1)])
    return columns._replace(codes=codes, n_codes=n_codes, offsets=offsets, bits=columns.bits[rows])


def _rows_of_codes(presorted: PresortedColumns, columns: CodedColumns) -> tuple[Any, ...]:
    """Return a row that holds each code, for each feature of `PresortedColumns.rows_of_codes`."""
    rows_of_codes = list(presorted.rows_of_codes)
    rows = np.arange(len(columns.codes))
    for column, feature in enumerate(columns.features.tolist()):
        if rows_of_codes[feature] is not None:
            row_of_code = np.zeros(int(columns.n_codes[column]) + 1, dtype=np.int64)
            row_of_code[columns.codes[:, column]] = rows
            rows_of_codes[feature] = row_of_code[:-1]
    for column, feature in enumerate(columns.bit_features.tolist()):
        if rows_of_codes[feature] is not None:
            bits = (columns.bits[:, column // 64] >> np.uint64(column % 64)) & np.uint64(1)
            row_of_code = np.zeros(2, dtype=np.int64)
            row_of_code[bits.astype(np.int64) ^ int(columns.bit_flips[column])] = rows
            rows_of_codes[feature] = row_of_code
    return tuple(rows_of_codes)
