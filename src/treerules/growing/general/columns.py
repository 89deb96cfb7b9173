"""The columns of a problem as sorted lists and codes."""

from typing import Any

import numpy as np
from attrs import frozen

from treerules.data.column import Column
from treerules.growing.compiled.presort import row_bits, write_list
from treerules.growing.encoding import is_cut_in_order
from treerules.growing.general.code_counts import EACH, IN_ORDER, ONE_AGAINST_REST, SUBSET, Codes
from treerules.growing.general.list_entries import Lists
from treerules.growing.problem import Problem
from treerules.recipes.recipe import Recipe

#: Features of at most this many values are counted by value; others have a list. In tables of few rows nodes are small,
#: and most codes absent.
_FEW, _FEWER, _SHORT = 64, 16, 512
_WAYS = {"multiway": EACH, "subset": SUBSET, "one_against_rest": ONE_AGAINST_REST}


@frozen(eq=False)
class GeneralColumns:
    """The columns of a problem: each has a list or codes."""

    lists: Lists
    codes: Codes
    #: for each feature: its list, or -1 less its coded column
    storage: Any
    #: for each feature that is coded and cut in its order: a row that holds each code; otherwise None
    rows_of_codes: tuple[Any, ...]


def general_columns(problem: Problem, recipe: Recipe) -> GeneralColumns:
    """Return the columns of a problem; every ordered one is sorted at most once (`Column.order`)."""
    n, n_classes = len(problem.target), max(1, len(problem.schema.classes))
    shift = row_bits(n)
    classes = problem.target.astype(np.uint16) if problem.schema.classes else np.zeros(n, dtype=np.uint16)
    most = _FEW if n > _SHORT else _FEWER
    storage = np.zeros(len(problem.columns), dtype=np.int64)
    listed: list[Column] = []
    coded: list[Any] = []
    rows_of_codes: list[Any] = []
    n_codes, ways = [], []
    for index, column in enumerate(problem.columns):
        is_cut = is_cut_in_order(column.feature, recipe)
        rows_of_codes.append(None)
        if is_cut and (column.order.n_values > most or (recipe.quinlan and column.data.dtype.kind == "f")):
            storage[index] = len(listed)
            listed.append(column)
            continue
        storage[index] = -1 - len(coded)
        if is_cut:
            order = column.order
            ranks = np.full(n, order.n_values, dtype=np.int32)
            ranks[order.rows] = np.cumsum(order.is_new) - 1
            rows_of_codes[-1] = order.rows[order.is_new]
            coded.append(ranks)
            n_codes.append(order.n_values)
            ways.append(IN_ORDER)
        else:
            size = len(column.feature.categories)
            coded.append(np.where(column.missing, size, column.data).astype(np.int32))
            n_codes.append(size)
            ways.append(_WAYS[recipe.categories])
    entries = np.empty((len(listed), n), dtype=np.uint32)
    for line, column in enumerate(listed):
        write_list(entries[line], column, classes, shift)
    mask = (1 << max(0, (n_classes - 1).bit_length())) - 1
    codes = np.array(coded, dtype=np.int32) if coded else np.empty((0, n), dtype=np.int32)
    return GeneralColumns(
        Lists(entries, (1 << shift) - 1, shift, mask),
        Codes(codes, np.array(n_codes, dtype=np.int64), np.array(ways, dtype=np.int64)),
        storage,
        tuple(rows_of_codes),
    )
