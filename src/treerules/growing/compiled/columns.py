"""The columns of a problem as sorted lists and codes."""

from typing import Any

import numpy as np
from attrs import frozen

from treerules._internal.jit import kernel
from treerules.data.column import Column
from treerules.growing.compiled.byte_counts import SPARE_TABLES
from treerules.growing.compiled.code_counts import EACH, IN_ORDER, ONE_AGAINST_REST, SUBSET, Codes
from treerules.growing.compiled.list_entries import Lists
from treerules.growing.compiled.sorted_lists import row_bits, write_list
from treerules.growing.compiled.value_codes import encode_column
from treerules.growing.encoding import is_cut_in_order
from treerules.growing.problem import Problem
from treerules.recipes.recipe import Recipe

#: Features of at most this many values are counted by value, others have a list: in small tables, where nodes are small
#: and most codes absent; in large ones; and where all nodes are large.
_FEWER, _FEW, _MANY = 16, 64, 255
#: The number of rows of a large table, and of a large node.
_LONG, _LARGE = 512, 512
#: Values of tables of at least this many rows are counted in a hash table.
_HASHED = 1 << 13
#: Codes below this are bytes, if the tables of their statistics have at most this many cells.
_BYTES, MOST_CELLS = 256, 1 << 23
#: At most so many columns of two values share a byte.
_PACK = 4
#: A large node has at least one row for so many cells of the tables.
_CELLS_PER_ROW = 4
_WAYS = {"multiway": EACH, "subset": SUBSET, "one_against_rest": ONE_AGAINST_REST}


@frozen(eq=False)
class KernelColumns:
    """The columns of a problem: each has a list or codes."""

    lists: Lists
    codes: Codes
    #: for each feature: its list, or -1 less its coded column
    storage: Any
    #: for each feature that is coded and cut in its order: a row that holds each code; otherwise None
    rows_of_codes: tuple[Any, ...]


@frozen
class Coded:
    """A coded column: the code of each row, the number of codes, and how it is split."""

    feature: int
    codes: Any
    n_codes: int
    way: int
    #: a row that holds each code, where the feature is cut in its order
    rows: Any = None


def kernel_columns(problem: Problem, recipe: Recipe, map_columns: Any = map) -> KernelColumns:
    """Return the columns of a problem; every ordered one is sorted at most once (`Column.order`).

    `map_columns` is `map`, or the map of a thread pool, and is applied to the columns.
    """
    n, n_classes = len(problem.target), len(problem.schema.classes)
    shift, most = row_bits(n), most_coded(n, recipe)
    classes = problem.target.astype(np.uint16) if n_classes else np.zeros(n, dtype=np.uint16)

    def coded_or_none(index: int) -> Coded | None:
        column = problem.columns[index]
        if not is_cut_in_order(column.feature, recipe):
            return _coded_category(index, column, _WAYS[recipe.categories])
        has_list = recipe.quinlan and column.data.dtype.kind == "f"
        return None if has_list else _coded_in_order(index, column, most)

    made = list(map_columns(coded_or_none, range(len(problem.columns))))
    listed = [index for index, coded in enumerate(made) if coded is None]
    entries = np.empty((len(listed), n), dtype=np.uint32)

    def write(line: int) -> None:
        write_list(entries[line], problem.columns[listed[line]], classes, shift)

    list(map_columns(write, range(len(listed))))
    lists = Lists(entries, (1 << shift) - 1, shift, (1 << max(0, (n_classes - 1).bit_length())) - 1)
    width = (n_classes or 2) + 1
    of_bytes, wide = _divided([coded for coded in made if coded is not None], width)
    return arranged_columns(lists, listed, of_bytes, wide, width)


def arranged_columns(
    lists: Lists, listed: list[int], of_bytes: list[Coded], wide: list[Coded], width: int
) -> KernelColumns:
    """Return the columns of features with lists and with codes; the statistics of a code have a width."""
    storage = np.zeros(len(listed) + len(of_bytes) + len(wide), dtype=np.int64)
    storage[listed] = np.arange(len(listed))
    rows_of_codes: list[Any] = [None] * len(storage)
    for place, coded in enumerate((*of_bytes, *wide)):
        storage[coded.feature], rows_of_codes[coded.feature] = -1 - place, coded.rows
    return KernelColumns(lists, _codes_of(of_bytes, wide, lists.entries.shape[1], width), storage, tuple(rows_of_codes))


def most_coded(n_rows: int, recipe: Recipe) -> int:
    """Return the greatest number of values of an ordered feature that is counted by value."""
    if recipe.max_depth is not None and n_rows >> recipe.max_depth >= _LARGE:
        return _MANY
    return _FEW if n_rows > _LONG else _FEWER


def _coded_in_order(index: int, column: Column, most: int) -> Coded | None:
    """Return a feature that is cut in its order, coded by the ranks of its values; None if they are more than `most`.

    In large tables the values are counted in a hash table, which is faster than sorting them.
    """
    n = len(column.data)
    if n >= _HASHED:
        ranks = np.empty(n, dtype=np.uint8)
        rows = encode_column(ranks, column, most)
        return None if rows is None else Coded(index, ranks, len(rows), IN_ORDER, rows)
    order = column.order
    if order.n_values > most:
        return None
    ranks = np.full(n, order.n_values, dtype=np.uint8)
    _write_ranks(ranks, order.rows, order.is_new)
    return Coded(index, ranks, order.n_values, IN_ORDER, order.rows[order.is_new].astype(np.int64))


@kernel
def _write_ranks(ranks: Any, rows: Any, is_new: Any) -> None:
    """Write the rank of the value of each row; `rows` are in the order of the values, the first of each is new."""
    rank = -1
    for index in range(len(rows)):
        rank += is_new[index]
        ranks[np.uint64(rows[index])] = rank


def _coded_category(index: int, column: Column, way: int) -> Coded:
    """Return a feature of categories, which are its codes."""
    size = len(column.feature.categories)
    codes = np.where(column.missing, size, column.data) if column.n_missing else column.data
    return Coded(index, codes, size, way)


def _divided(coded: list[Coded], width: int) -> tuple[list[Coded], list[Coded]]:
    """Return the columns whose codes are bytes, and the others; the statistics of a code have a width."""
    of_bytes, wide, n_cells = list[Coded](), list[Coded](), 0
    for each in coded:
        cells = (each.n_codes + 1) * width
        fits = each.n_codes < _BYTES and (n_cells + cells) * (SPARE_TABLES + 1) <= MOST_CELLS
        n_cells += cells * fits
        (of_bytes if fits else wide).append(each)
    return of_bytes, wide


def _codes_of(of_bytes: list[Coded], wide: list[Coded], n_rows: int, width: int) -> Codes:
    """Return the arrays of coded columns."""
    packed = _packed([index for index, each in enumerate(of_bytes) if each.n_codes == 2 and each.codes.max() < 2])
    in_pack = {index for pack in packed for index in pack}
    packs = [*([index] for index in range(len(of_bytes)) if index not in in_pack), *packed]
    by_row, sizes = np.empty((n_rows, len(packs)), dtype=np.uint8), [0]
    places, shifts, masks = (np.zeros(len(of_bytes), dtype=np.int64) for _ in range(3))
    for place, pack in enumerate(packs):
        joint = np.zeros(n_rows, dtype=np.uint8) if len(pack) > 1 else of_bytes[pack[0]].codes
        for shift, index in enumerate(pack):
            if len(pack) > 1:
                joint |= of_bytes[index].codes.astype(np.uint8) << np.uint8(shift)
            places[index], shifts[index], masks[index] = place, shift, 1 if len(pack) > 1 else 255
        by_row[:, place] = joint
        sizes.append(1 << len(pack) if len(pack) > 1 else of_bytes[pack[0]].n_codes + 1)
    by_column = np.empty((len(wide), n_rows), dtype=np.int32)
    for place, each in enumerate(wide):
        by_column[place] = each.codes
    both = (*of_bytes, *wide)
    return Codes(
        of_bytes=by_row,
        wide=by_column,
        offsets=np.cumsum(sizes),
        n_bytes=len(of_bytes),
        places=places,
        shifts=shifts,
        masks=masks,
        n_codes=np.array([each.n_codes for each in both], dtype=np.int64),
        ways=np.array([each.way for each in both], dtype=np.int64),
        large=max(_LARGE, sum(sizes) * width // _CELLS_PER_ROW),
    )


def _packed(indices: list[int]) -> list[list[int]]:
    """Return groups of at least two columns of two values, which share a byte."""
    packs = [indices[start : start + _PACK] for start in range(0, len(indices), _PACK)]
    return [pack for pack in packs if len(pack) > 1]
