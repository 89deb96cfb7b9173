"""A table divided into rows to learn from and rows to test with."""

from typing import Any

import numpy as np
from attrs import evolve

from treerules._internal.arguments import require_columns, require_type, require_whole_number
from treerules.data.column import take_rows_of_columns
from treerules.data.frames import is_frame, open_frame
from treerules.data.row_hash import content_cells, row_hashes
from treerules.data.table import Table
from treerules.data.table_data import TableLike, table_of
from treerules.errors import ColumnError, DataError, OptionError


def holdout(
    table: TableLike,
    *,
    target: str,
    share: float = 0.3,
    seed: int = 0,
    groups: str | None = None,
    time: str | None = None,
) -> tuple[Any, Any]:
    """Return a table of the rows to learn from, and one of the rows that are held out to test with.

    The rows held out are random, and hold their share of each class, or of each interval of a number's values. They
    depend on what rows hold and on the seed, not on the order of the rows; copies of a row stay together.

    Args:
        table: the table to divide: a Table, a data frame, a list of dicts or a dict of columns.
        target: the name of the target column.
        share: the share of the rows that are held out, above 0 and below 1.
        seed: a whole number from 0; another seed holds out other rows.
        groups: the name of a column whose groups stay together, or None.
        time: the name of a column of times, or None: the last rows are held out. Not with `groups`.

    Returns:
        Two Tables, or two data frames of the library of the one that was given, with its index: the rows to learn from,
        and the rows held out.

    Raises:
        OptionError: an argument has an invalid value.
        UnknownNameError: there is no such column.
        ColumnError: a row has no group or no time.
        DataError: there is nothing to divide: one distinct row, group or time.

    Examples:
        >>> table = Table.from_columns({"x": range(10), "y": list("aaaaabbbbb")})
        >>> training, held_out = holdout(table, target="y", share=0.2)
        >>> training.n_rows, held_out.n_rows
        (8, 2)
    """
    frame = open_frame(table, "table") if is_frame(table) else None
    table = table_of(table if frame is None else frame)
    if isinstance(share, bool) or not isinstance(share, (int, float)) or not 0 < share < 1:
        raise OptionError("share", share, "a number above 0, below 1")
    require_whole_number("seed", seed, 0)
    require_type("target", target, str, "the name of a column")
    names = {"target": target, "groups": groups, "time": time}
    for name in ("groups", "time"):
        require_type(name, names[name], str | None, "the name of a column, or None")
    require_columns(table.schema.indices, **{name: column for name, column in names.items() if column is not None})
    if groups is not None and time is not None:
        raise OptionError("time", time, "groups= or time=, one of them")
    units = _units(table, target, seed, groups, time)
    if units.max() == 0:
        raise DataError(f"{_what(groups, time)} cannot be divided", "give at least two")
    weight = np.bincount(units)
    before = np.cumsum(weight) - weight
    if time is not None:
        is_held_out = before >= len(units) * (1 - share) - 1e-9
    else:  # every so many rows of the order
        is_held_out = np.floor((before + weight) * share + 0.5) > np.floor(before * share + 0.5)
    if is_held_out.all() or not is_held_out.any():
        is_held_out = np.arange(len(weight)) == len(weight) - 1
    held_out = is_held_out[units]
    rows = np.flatnonzero(~held_out), np.flatnonzero(held_out)
    if frame is not None:
        return frame[rows[0]].to_native(), frame[rows[1]].to_native()
    training, rest = (evolve(table, columns=take_rows_of_columns(table.columns, part)) for part in rows)
    return training, rest


def _what(groups: str | None, time: str | None) -> str:
    named = next((f"one value of the column {name!r}" for name in (groups, time) if name is not None), None)
    return named or "one distinct row"


def _units(table: Table, target: str, seed: int, groups: str | None, time: str | None) -> Any:
    """Return the position of each row's unit: by time, at random by group, or by target and at random within it."""
    name = time if time is not None else groups
    if name is not None:
        column = table.column(name)
        if column.missing.any():
            raise ColumnError(name, "has missing values", "give each row one")
        distinct, units = np.unique(column.data, return_inverse=True)
        return units if time is not None else np.random.default_rng(seed).permutation(len(distinct))[units]
    seeds = np.full(table.n_rows, seed, dtype=np.int64)
    hashes = row_hashes([*content_cells(table.columns), (seeds, None)])
    targets = np.unique(table.column(target).data, return_inverse=True)[1]
    _, first, units = np.unique(hashes, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.lexsort((np.arange(len(first)), targets[first]))] = np.arange(len(first))
    return rank[units]
