"""Hashes of rows by what their cells hold: 64 bits for each row, and the sum over all rows."""

from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from typing import Any

import numpy as np

from treerules._internal.jit import FINGERPRINT, GROWTH, is_used, load_kernels
from treerules.data.column import Column

#: Columns to hash: the data of each, and its mask of missing cells, None where no cell is missing.
Cells = list[tuple[Any, Any]]

#: The number of cells that are hashed at once: they stay in the cache.
_BLOCK = 1 << 15
#: The golden ratio's first 64 bits (Knuth), an odd number.
_FACTOR = 0x9E3779B97F4A7C15
#: The second factor of splitmix64 (Steele, Lea and Flood 2014).
_SECOND = 0x94D049BB133111EB
#: The bits of a missing cell before hashing: those of a NaN, or of a very rare integer.
_HOLE = 0x7FF9_6A09_E667_F3BD


def cells_of(columns: Iterable[Column]) -> Cells:
    """Return the cells of columns."""
    return [(column.data, column.missing if column.n_missing else None) for column in columns]


def content_cells(columns: Iterable[Column]) -> Cells:
    """Return the cells of columns with a hash of each category in place of its position.

    Then the hash of a row does not depend on which categories other rows have.
    """
    columns = tuple(columns)
    contents = [
        column.data
        if column.feature.is_ordered
        else category_hashes(column.feature.categories).take(column.data, mode="wrap")
        for column in columns
    ]
    return [(data, missing) for data, (_, missing) in zip(contents, cells_of(columns), strict=True)]


def category_hashes(categories: Iterable[Any]) -> Any:
    """Return a hash of each category (int64), then those of unseen values (code -2) and of missing values (code -1)."""
    texts = [repr(category) for category in categories]
    digests = b"".join(sha256(text.encode("utf-8", "surrogatepass")).digest()[:8] for text in (*texts, "unseen", ""))
    return np.frombuffer(digests, dtype="<i8").astype(np.int64)


def row_hashes(cells: Cells) -> Any:
    """Return a hash of each row (uint64), shape (rows,): equal rows have equal hashes, wherever they stand.

    Each cell is mixed to 64 bits, by a factor of its column, and so is the sum of a row's cells.
    """
    return np.concatenate(list(_blocks_of_hashes(cells)))


def sum_of_row_hashes(cells: Cells) -> int:
    """Return the sum of the hashes of all rows modulo 2**64, which does not depend on the order of the rows."""
    if is_used(GROWTH, 0):  # numba is not loaded only for hashing
        n_rows = len(cells[0][0])
        total: int = load_kernels(FINGERPRINT).sum_of_rows(cells, n_rows, _factors(len(cells))[:, 0], _SECOND, _HOLE)
        return total
    return sum(int(np.add.reduce(hashes)) for hashes in _blocks_of_hashes(cells)) % 2**64


def _blocks_of_hashes(cells: Cells) -> Iterator[Any]:
    """Yield the hashes of the rows, a block of rows at a time."""
    n_rows = len(cells[0][0])
    lines = [
        (data.astype(np.float64, copy=False).view(np.uint64) if data.dtype.kind == "f" else data, missing)
        for data, missing in cells
    ]
    size = min(max(1, _BLOCK // len(cells)), n_rows)
    block, spare = np.empty((2, len(cells), size), dtype=np.uint64)
    factors = _factors(len(cells))
    for start in range(0, n_rows, size):
        bits, shifted = block[:, : n_rows - start], spare[:, : n_rows - start]
        for line, (data, missing) in zip(bits, lines, strict=True):
            line[...] = data[start : start + size]
            if missing is not None:
                line[missing[start : start + size]] = _HOLE
        _mix(bits, factors, shifted)
        rows = np.add.reduce(bits, axis=0)
        _mix(rows, factors[0], shifted[0])
        yield rows


def _mix(bits: Any, factors: Any, spare: Any) -> None:
    """Mix 64-bit numbers in place as splitmix64 does: twice shift, xor and multiply, then shift and xor.

    A single multiplication would map small integers, whose bits are mostly 0, to far fewer than 2**64 sums.
    """
    for shift, factor in ((30, factors), (27, _SECOND), (31, None)):
        np.right_shift(bits, shift, spare)
        bits ^= spare
        if factor is not None:
            bits *= factor


@cache
def _factors(n: int) -> Any:
    """Return n odd 64-bit factors without a simple relation, successive powers of one number, shape (n, 1)."""
    return np.array([[pow(_FACTOR, power + 1, 2**64)] for power in range(n)], dtype=np.uint64)
