"""Features of few values as tables and bits: each row gets a code, and no column is sorted."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from treerules._internal.jit import kernel
from treerules.data.column import Column
from treerules.growing.compiled.class_categorical import IN_ORDER, ONE_AGAINST_REST, SUBSET
from treerules.growing.compiled.class_numeric import NEW
from treerules.growing.compiled.histograms import Tables
from treerules.growing.encoding import FEW_VALUES, is_cut_in_order
from treerules.growing.problem import Problem
from treerules.recipes.recipe import Recipe

#: Values are looked up by this many bits of their product with a number of evenly mixed bits: four times as many places
#: as there are values.
_PLACE_BITS = 10
_MIXED = np.uint64(0x9E3779B97F4A7C15)
#: So many rows of all columns are written at a time, so that what is written stays near.
_BLOCK = 1024


def lines_for(columns: Sequence[Column], cuts: Collection[int], n: int) -> Any:
    """Return room for the codes of all features, a line each: bytes, where those hold the codes of all categories of
    features that are not among the cut ones."""
    most = 0
    if len(cuts) < len(columns):
        is_cut = frozenset(cuts)
        most = max(len(each.feature.categories) for index, each in enumerate(columns) if index not in is_cut)
    return np.empty((len(columns), n), dtype=np.uint8 if most <= FEW_VALUES else np.int32)


def coded(codes: Any, column: Column, most: int) -> Any:
    """Write the code of each row: the rank of its value, and after the last that of the missing ones.

    Return the first row of each value, in their order; None where there are more values than `most`.
    """
    is_float = column.data.dtype.kind == "f"
    words = np.ascontiguousarray(column.data, dtype=np.float64 if is_float else np.int64).view(np.uint64)
    words.flags.writeable = False  # as those that are no copies
    firsts = np.empty(FEW_VALUES + 1, dtype=np.int64)
    values, ids = np.empty(1 << _PLACE_BITS, dtype=np.uint64), np.zeros(1 << _PLACE_BITS, dtype=np.int64)
    also_zero = np.uint64(1 << 63 if is_float else 0)
    has_missing = column.n_missing > 0
    n_codes = _identify(codes, firsts, values, ids, words, also_zero, column.missing, has_missing, most)
    if n_codes > most:
        return None
    firsts = firsts[:n_codes]
    order = np.argsort(column.data[firsts])
    ranks = np.full(FEW_VALUES + 1, n_codes, dtype=codes.dtype)
    ranks[order] = np.arange(n_codes)
    _rank(codes, ranks)
    return firsts[order]


@kernel
def _identify(
    codes: Any,
    firsts: Any,
    values: Any,
    ids: Any,
    words: Any,
    also_zero: Any,
    missing: Any,
    has_missing: bool,
    most: int,
) -> int:
    """Number the values, given as 64 bits, as they come, and write the number of each row's; return how many there are.

    Stop where there are more than `most`. Missing ones have the number after the last that there may be. `ids` holds,
    by place, the numbers plus 1, and nothing before.
    """
    count, n = 0, len(words)
    for start in range(0, n, _BLOCK):
        stop = min(start + _BLOCK, n)
        if count == 2 and not has_missing:
            first, second = words[firsts[0]], words[firsts[1]]
            if _are_of_two(codes[start:stop], words[start:stop], first, second):
                continue
        for row in range(start, stop):
            if has_missing and missing[row]:
                codes[row] = FEW_VALUES
                continue
            word = words[row]
            if word == also_zero:
                word = np.uint64(0)
            place = (word * _MIXED) >> np.uint64(64 - _PLACE_BITS)
            while ids[place] and values[place] != word:
                place = (place + np.uint64(1)) & np.uint64((1 << _PLACE_BITS) - 1)
            if not ids[place]:
                if count >= most:
                    return most + 1
                firsts[count] = row
                count += 1
                ids[place], values[place] = count, word
            codes[row] = ids[place] - 1
    return count


@kernel
def _are_of_two(codes: Any, words: Any, first: Any, second: Any) -> bool:
    """Write 0 for each first of two values and 1 for each second; whether there are no others."""
    others = 0
    for row in range(len(words)):
        is_second = words[row] == second
        others |= (words[row] != first) & ~is_second
        codes[row] = is_second
    return others == 0


@kernel
def _rank(codes: Any, ranks: Any) -> None:
    """Replace numbers by their ranks."""
    for row in range(len(codes)):
        codes[row] = ranks[codes[row]]


def coded_of_list(codes: Any, entries: Any, n_codes: int, mask: int) -> Any:
    """Write the code of each row as `coded` does, by the marks of the column's list; return the same."""
    firsts = np.empty(n_codes, dtype=np.int64)
    _code(codes, firsts, entries, mask)
    return firsts


@kernel
def _code(codes: Any, firsts: Any, entries: Any, mask: int) -> None:
    """Write the code of each row, by the marks of its column's list, and a row that holds each code."""
    code = -1
    for at in range(len(entries)):
        entry = np.int64(entries[at])
        code += entry >> NEW
        codes[entry & mask] = code
        if entry >> NEW and code < len(firsts):
            firsts[code] = entry & mask


def tables_of(problem: Problem, recipe: Recipe, lines: Any, firsts: Sequence[Any]) -> Tables:
    """Return the tables of the features that have first rows, whose codes `lines` holds, and of categories."""
    n = len(problem.target)
    columns: list[tuple[int, int, int]] = []  # feature, number of codes, how
    for index, column in enumerate(problem.columns):
        if firsts[index] is not None:
            columns.append((index, len(firsts[index]), IN_ORDER))
        elif not is_cut_in_order(column.feature, recipe):
            n_codes = len(column.feature.categories)
            lines[index] = np.where(column.missing, n_codes, column.data) if column.n_missing else column.data
            columns.append((index, n_codes, SUBSET if recipe.categories == "subset" else ONE_AGAINST_REST))
    is_bit = [
        n_codes == 2 and problem.weighing is not None and not problem.columns[index].n_missing
        for index, n_codes, _ in columns
    ]
    bits = [each for each, fits in zip(columns, is_bit, strict=True) if fits]
    tables = [each for each, fits in zip(columns, is_bit, strict=True) if not fits]
    features, bit_features = whole([each[0] for each in tables]), whole([each[0] for each in bits])
    flips = whole([2 * np.count_nonzero(lines[index]) > n for index, _, _ in bits])
    codes = np.empty((n, len(tables)), dtype=lines.dtype)
    words = np.zeros(((len(bits) + 63) // 64, n), dtype=np.uint64)
    _transpose(codes, lines, features)
    _pack(words, lines, bit_features, flips)
    return Tables(
        codes=codes,
        features=features,
        n_codes=whole([each[1] for each in tables]),
        offsets=whole(np.cumsum([0, *(n_codes + 1 for _, n_codes, _ in tables)])),
        how=whole([each[2] for each in tables]),
        bits=np.ascontiguousarray(words.T),
        bit_features=bit_features,
        bit_flips=flips,
        bit_how=whole([each[2] for each in bits]),
    )


def whole(numbers: Any) -> Any:
    """Return whole numbers as an array."""
    return np.array(numbers, dtype=np.int64)


@kernel
def _transpose(codes: Any, lines: Any, features: Any) -> None:
    """Write the codes of some features row by row."""
    n = len(codes)
    for start in range(0, n, _BLOCK):
        for at in range(len(features)):
            line = lines[features[at]]
            for row in range(start, min(start + _BLOCK, n)):
                codes[row, at] = line[row]


@kernel
def _pack(words: Any, lines: Any, features: Any, flips: Any) -> None:
    """Write the codes of features of two values, or their opposite, as bits: shape (words, rows), nothing before."""
    for start in range(0, lines.shape[1], _BLOCK):
        for at in range(len(features)):
            line, to = lines[features[at], start : start + _BLOCK], words[at >> 6, start : start + _BLOCK]
            flip, shift = np.uint64(flips[at]), np.uint64(at & 63)
            for row in range(len(line)):
                to[row] |= (np.uint64(line[row]) ^ flip) << shift
