"""A table divided into rows to learn from and rows to test with."""

from math import floor
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from attrs import evolve

from treerules._internal.arguments import require_columns, require_type, require_whole_number
from treerules._internal.notes import one_of, or_none
from treerules.data.casting import as_declared
from treerules.data.column import Column, take_rows, take_rows_of_columns
from treerules.data.frames import is_frame, open_frame
from treerules.data.row_hash import content_cells, row_hashes
from treerules.data.schema import Kind
from treerules.data.table import Table
from treerules.data.table_data import TableLike, table_of
from treerules.errors import ColumnError, DataError, OptionError
from treerules.growing.problem import MOST_INTEGER_CLASSES

#: So many units, at most, are dealt anew where they do not come near enough to the share.
_MOST_DEALT_ANEW = 64


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
    depend on what rows hold and on the seed, not on the order of the rows; copies of a row stay together. Where copies
    or groups do not add up to the share, they come as near to it as they allow; a note of the first table says the
    share. The task is that of all rows: whole numbers that are a regression stay one, as a column of numbers.

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
        require_type(name, names[name], str | None, or_none("the name of a column"))
    require_columns(table.schema.indices, **{name: column for name, column in names.items() if column is not None})
    if groups is not None and time is not None:
        raise OptionError("time", time, one_of("groups", "time"))
    units = _units(table, target, seed, groups, time)
    if units.max() == 0:
        raise DataError(f"{_what(groups, time)} cannot be divided", "give at least two")
    weights = np.bincount(units)
    is_held_out = (_last(weights, share) if time is not None else _dealt(weights, share))[units]
    rows = np.flatnonzero(~is_held_out), np.flatnonzero(is_held_out)
    becomes_number = _is_regression_of_all_rows_alone(table.column(target), rows[0])
    if frame is not None:
        if becomes_number:
            frame = frame.with_columns(nw.col(target).cast(nw.Float64))
        return frame[rows[0]].to_native(), frame[rows[1]].to_native()
    if becomes_number:
        columns = [as_declared(c, Kind.NUMBER) if c.feature.name == target else c for c in table.columns]
        table = evolve(table, columns=columns)
    training, rest = (evolve(table, columns=take_rows_of_columns(table.columns, part)) for part in rows)
    return evolve(training, notes=(*table.notes, _note(len(rows[1]), table.n_rows, share, groups, time))), rest


def _is_regression_of_all_rows_alone(target: Column, training: Any) -> bool:
    """Return whether a target of whole numbers is a regression for its many values, of which few are learned from."""
    if target.feature.kind is not Kind.INTEGER:
        return False
    all_values, values = (np.unique(part.data[~part.missing]) for part in (target, take_rows(target, training)))
    return len(all_values) > MOST_INTEGER_CLASSES >= len(values)


def _note(n_held_out: int, n_rows: int, share: float, groups: str | None, time: str | None) -> str:
    """Return the note on the share that was reached."""
    reached = f"held out {n_held_out:,} of {n_rows:,} rows ({100 * n_held_out / n_rows:.3g} %)"
    if abs(n_held_out - share * n_rows) < 1:
        return reached
    whole = next((f"values of {name!r}" for name in (groups, time) if name is not None), "sets of equal rows")
    return f"{reached}: as near to {100 * share:.3g} % as whole {whole} allow"


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


def _last(weights: Any, share: float) -> Any:
    """Return whether each unit is held out, where the last ones are: as many as come nearest to the share."""
    held_out = weights[::-1].cumsum()[::-1][1:]  # at least the first unit is learned from
    start = 1 + int(np.abs(held_out - share * weights.sum()).argmin())
    return np.arange(len(weights)) >= start


def _dealt(weights: Any, share: float) -> Any:
    """Return whether each unit is held out: in turn, so that each stretch of units comes near to its share.

    Where all of them do not come as near as they could, the last ones are dealt anew, few or up to 64.
    """
    is_held_out = np.zeros(len(weights), dtype=bool)
    held_out = seen = 0
    for unit, weight in enumerate(weights.tolist()):
        seen += weight
        if held_out + weight / 2 <= share * seen:
            is_held_out[unit] = True
            held_out += weight
    n_anew, wanted = 1, share * seen
    while not 0 < held_out < seen or abs(held_out - wanted) > np.gcd.reduce(weights) / 2:
        if n_anew >= min(len(weights), _MOST_DEALT_ANEW):
            break
        n_anew = min(2 * n_anew, len(weights))
        kept = int(weights[:-n_anew][is_held_out[:-n_anew]].sum())
        is_held_out[-n_anew:] = _nearest_sum(weights[-n_anew:].tolist(), wanted, kept, seen)
        held_out = int(weights[is_held_out].sum())
    return is_held_out


def _nearest_sum(weights: list[int], wanted: float, kept: int, total: int) -> Any:
    """Return which of some weights, with the weight `kept`, come nearest to a wanted sum above 0 and below the total.

    Bit i of an integer says whether some of the first weights add up to i.
    """
    sums = [1]
    for weight in weights:
        sums.append(sums[-1] | sums[-1] << weight)
    possible = sums[-1] & ((1 << (total - kept)) - 1)
    if kept == 0:
        possible &= ~1
    least = max(0, floor(wanted) - kept + 1)
    below, above = possible & ((1 << least) - 1), possible >> least
    nearest = [below.bit_length() - 1] * (below > 0) + [least + (above & -above).bit_length() - 1] * (above > 0)
    rest = min(nearest, key=lambda sum_: abs(kept + sum_ - wanted))
    is_taken = np.zeros(len(weights), dtype=bool)
    for position in reversed(range(len(weights))):
        if not sums[position] >> rest & 1:
            is_taken[position] = True
            rest -= weights[position]
    return is_taken
