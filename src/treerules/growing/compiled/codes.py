"""Integer codes and bits of the features of few values, without sorting any column."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from treerules._internal.jit import kernel
from treerules.data.column import Column
from treerules.growing.compiled.class_categorical import IN_ORDER, ONE_AGAINST_REST, SUBSET
from treerules.growing.compiled.class_numeric import NEW_VALUE_BIT
from treerules.growing.compiled.histograms import CodedColumns
from treerules.growing.encoding import FEW_VALUES, is_cut_in_order
from treerules.growing.problem import Problem
from treerules.recipes.recipe import Recipe

#: Values are found in a hash table: the hash is the highest bits of the product with an odd number (Fibonacci hashing).
#: The table has four times as many slots as there may be values.
_SLOT_BITS = 10
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
#: The number of rows of all columns that are written at a time, so that they stay in the cache.
_BLOCK = 1024


def allocate_codes(columns: Sequence[Column], cuts: Collection[int], n_rows: int) -> Any:
    """Return space for the codes of all features, shape (columns, rows): bytes where the codes of categories fit.

    `cuts` are the indices of the features that are cut in their order.
    """
    most_categories = 0
    if len(cuts) < len(columns):
        is_cut = frozenset(cuts)
        most_categories = max(
            len(column.feature.categories) for index, column in enumerate(columns) if index not in is_cut
        )
    return np.empty((len(columns), n_rows), dtype=np.uint8 if most_categories <= FEW_VALUES else np.int32)


def encode_column(codes: Any, column: Column, most: int) -> Any:
    """Write the code of each row: the rank of its value; missing values have the code after the last.

    Returns a row that holds each code, in the order of codes; None where there are more than `most` values.
    """
    is_float = column.data.dtype.kind == "f"
    bit_patterns = np.ascontiguousarray(column.data, dtype=np.float64 if is_float else np.int64).view(np.uint64)
    bit_patterns.flags.writeable = False  # as columns are: the kernel is compiled for one type of array
    first_rows = np.empty(FEW_VALUES + 1, dtype=np.int64)
    slot_values, slot_ids = np.empty(1 << _SLOT_BITS, dtype=np.uint64), np.zeros(1 << _SLOT_BITS, dtype=np.int64)
    negative_zero = np.uint64(1 << 63 if is_float else 0)
    has_missing = column.n_missing > 0
    n_codes = _number_values(
        codes, first_rows, slot_values, slot_ids, bit_patterns, negative_zero, column.missing, has_missing, most
    )
    if n_codes > most:
        return None
    first_rows = first_rows[:n_codes]
    order = np.argsort(column.data[first_rows])
    ranks = np.full(FEW_VALUES + 1, n_codes, dtype=codes.dtype)
    ranks[order] = np.arange(n_codes)
    _replace_by_ranks(codes, ranks)
    return first_rows[order]


@kernel
def _number_values(
    codes: Any,
    first_rows: Any,
    slot_values: Any,
    slot_ids: Any,
    bit_patterns: Any,
    negative_zero: Any,
    missing: Any,
    has_missing: bool,
    most: int,
) -> int:
    """Number the values, given as 64-bit patterns, in the order of appearance; write the number of each row's value.

    Returns the number of values; stops where it exceeds `most`. Missing values get the number FEW_VALUES. `slot_ids`
    holds the numbers plus 1 by slot, and zeros before.
    """
    count, n = 0, len(bit_patterns)
    for start in range(0, n, _BLOCK):
        stop = min(start + _BLOCK, n)
        if count == 2 and not has_missing:
            first, second = bit_patterns[first_rows[0]], bit_patterns[first_rows[1]]
            if _encode_two_values(codes[start:stop], bit_patterns[start:stop], first, second):
                continue
        for row in range(start, stop):
            if has_missing and missing[row]:
                codes[row] = FEW_VALUES
                continue
            pattern = bit_patterns[row]
            if pattern == negative_zero:
                pattern = np.uint64(0)
            slot = (pattern * _MULTIPLIER) >> np.uint64(64 - _SLOT_BITS)
            while slot_ids[slot] and slot_values[slot] != pattern:
                slot = (slot + np.uint64(1)) & np.uint64((1 << _SLOT_BITS) - 1)
            if not slot_ids[slot]:
                if count >= most:
                    return most + 1
                first_rows[count] = row
                count += 1
                slot_ids[slot], slot_values[slot] = count, pattern
            codes[row] = slot_ids[slot] - 1
    return count


@kernel
def _encode_two_values(codes: Any, bit_patterns: Any, first: Any, second: Any) -> bool:
    """Write 0 for rows with the first of two values and 1 for the second; return whether there are no other values."""
    has_others = 0
    for row in range(len(bit_patterns)):
        is_second = bit_patterns[row] == second
        has_others |= (bit_patterns[row] != first) & ~is_second
        codes[row] = is_second
    return has_others == 0


@kernel
def _replace_by_ranks(codes: Any, ranks: Any) -> None:
    """Replace the number of each row's value by its rank."""
    for row in range(len(codes)):
        codes[row] = ranks[codes[row]]


def encode_sorted_column(codes: Any, entries: Any, n_codes: int, mask: int) -> Any:
    """Write the code of each row as `encode_column` does, from the sorted list of the column; return the same."""
    rows_of_codes = np.empty(n_codes, dtype=np.int64)
    _codes_of_list(codes, rows_of_codes, entries, mask)
    return rows_of_codes


@kernel
def _codes_of_list(codes: Any, rows_of_codes: Any, entries: Any, mask: int) -> None:
    """Write the code of each row, from the marks of new values in the sorted list, and a row that holds each code."""
    code = -1
    for index in range(len(entries)):
        entry = np.int64(entries[index])
        code += entry >> NEW_VALUE_BIT
        codes[entry & mask] = code
        if entry >> NEW_VALUE_BIT and code < len(rows_of_codes):
            rows_of_codes[code] = entry & mask


def coded_columns(
    problem: Problem, recipe: Recipe, codes_by_feature: Any, rows_of_codes: Sequence[Any]
) -> CodedColumns:
    """Return the features of few values, and the categories, as codes and bits.

    `codes_by_feature` holds the codes of features that have `rows_of_codes`; those of categories are written to it.
    """
    n_rows = len(problem.target)
    specs: list[tuple[int, int, int]] = []  # feature, number of codes, how
    for index, column in enumerate(problem.columns):
        if rows_of_codes[index] is not None:
            specs.append((index, len(rows_of_codes[index]), IN_ORDER))
        elif not is_cut_in_order(column.feature, recipe):
            n_codes = len(column.feature.categories)
            codes_by_feature[index] = (
                np.where(column.missing, n_codes, column.data) if column.n_missing else column.data
            )
            specs.append((index, n_codes, SUBSET if recipe.categories == "subset" else ONE_AGAINST_REST))
    is_bit = [
        n_codes == 2 and problem.weighing is not None and not problem.columns[index].n_missing
        for index, n_codes, _ in specs
    ]
    bit_columns = [column for column, fits in zip(specs, is_bit, strict=True) if fits]
    specs = [column for column, fits in zip(specs, is_bit, strict=True) if not fits]
    features = integer_array([column[0] for column in specs])
    bit_features = integer_array([column[0] for column in bit_columns])
    flips = integer_array([2 * np.count_nonzero(codes_by_feature[index]) > n_rows for index, _, _ in bit_columns])
    codes = np.empty((n_rows, len(specs)), dtype=codes_by_feature.dtype)
    bit_words = np.zeros(((len(bit_columns) + 63) // 64, n_rows), dtype=np.uint64)
    _transpose(codes, codes_by_feature, features)
    _pack(bit_words, codes_by_feature, bit_features, flips)
    return CodedColumns(
        codes=codes,
        features=features,
        n_codes=integer_array([column[1] for column in specs]),
        offsets=integer_array(np.cumsum([0, *(n_codes + 1 for _, n_codes, _ in specs)])),
        split_kind=integer_array([column[2] for column in specs]),
        bits=np.ascontiguousarray(bit_words.T),
        bit_features=bit_features,
        bit_flips=flips,
        bit_split_kind=integer_array([column[2] for column in bit_columns]),
    )


def integer_array(numbers: Any) -> Any:
    """Return integers as an int64 array."""
    return np.array(numbers, dtype=np.int64)


@kernel
def _transpose(codes: Any, codes_by_feature: Any, features: Any) -> None:
    """Write the codes of some features row by row, shape (rows, features)."""
    n = len(codes)
    for start in range(0, n, _BLOCK):
        for column in range(len(features)):
            codes_of_feature = codes_by_feature[features[column]]
            for row in range(start, min(start + _BLOCK, n)):
                codes[row, column] = codes_of_feature[row]


@kernel
def _pack(words: Any, codes_by_feature: Any, features: Any, flips: Any) -> None:
    """Write the codes 0 and 1 of features of two values, or their complements, as bits, shape (words, rows)."""
    for start in range(0, codes_by_feature.shape[1], _BLOCK):
        for bit in range(len(features)):
            codes_of_feature = codes_by_feature[features[bit], start : start + _BLOCK]
            target = words[bit >> 6, start : start + _BLOCK]
            flip, shift = np.uint64(flips[bit]), np.uint64(bit & 63)
            for row in range(len(codes_of_feature)):
                target[row] |= (np.uint64(codes_of_feature[row]) ^ flip) << shift
