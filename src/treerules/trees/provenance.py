"""The origin of a tree: the data that it was learned from, and how it was pruned. It is ignored by equality."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from typing import Any

import numpy as np
from attrs import evolve, field, frozen

from treerules._internal.jit import FINGERPRINT, GROWTH, is_used, load_kernels
from treerules._internal.short_repr import short_repr
from treerules.data.column import Column

#: The types of options that a model file can hold.
_PLAIN = (str, int, float, type(None))
#: The number of cells that are hashed at once: they stay in the cache.
_BLOCK = 1 << 15
#: The golden ratio's first 64 bits (Knuth), an odd number.
_FACTOR = 0x9E3779B97F4A7C15
#: The second factor of splitmix64 (Steele, Lea and Flood 2014).
_SECOND = 0x94D049BB133111EB
#: The bits of a missing cell before hashing: those of a NaN, or of a very rare integer.
_HOLE = 0x7FF9_6A09_E667_F3BD


def _is_plain(value: Any) -> bool:
    return isinstance(value, _PLAIN) or (isinstance(value, (list, tuple)) and all(type(item) is int for item in value))


def _as_steps(steps: Iterable[Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(
        (method, None if options is None else tuple((name, _as_immutable(value)) for name, value in options))
        for method, options in steps
    )


def _as_immutable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


@short_repr
@frozen
class Origin:
    """The data that a tree was learned from, and the steps of its pruning."""

    #: the hash of the rows: features, target and weights
    data: str
    n_rows: int
    #: the column of sample weights; None without weights, "" where they were an array
    weight: str | None = None
    #: the hash of the validation table; None without one
    validation: str | None = None
    #: the pruning steps in order: (method, its options as pairs, or None where it used a table)
    pruned: tuple[tuple[str, Any], ...] = field(default=(), converter=_as_steps)

    def after(self, method: str, options: Mapping[str, Any]) -> "Origin":
        """Return this origin with one more pruning step."""
        plain = all(_is_plain(value) for value in options.values())
        step = method, tuple(sorted(options.items())) if plain else None
        return evolve(self, pruned=(*self.pruned, step))


def hash_of(columns: Iterable[Column], *more: Any) -> str:
    """Return a hash of columns (with names, kinds and categories) and arrays, independent of the order of rows.

    SHA-256 of the features and of a sum over the rows, modulo 2**64. Each cell is mixed to 64 bits, by a factor of its
    column, and so is the sum of a row's cells. The mixing is invertible, so a change of one cell always changes the
    hash (a missing cell is hashed as a very rare integer). Any other change goes unnoticed with a probability of about
    2**-64, unless it was constructed to collide.
    """
    columns = tuple(columns)
    features = [(c.feature.name, str(c.feature.kind), c.feature.categories) for c in columns]
    cells = [(column.data, column.missing if column.n_missing else None) for column in columns]
    cells += [(array, None) for array in more if array is not None]
    n_rows = len(cells[0][0])
    facts = features, [array is not None for array in more], n_rows, _sum_of_rows(cells, n_rows)
    return sha256(repr(facts).encode("utf-8", "surrogatepass")).hexdigest()


def _sum_of_rows(cells: list[tuple[Any, Any]], n_rows: int) -> int:
    """Return the sum of the mixed rows; `cells` are the data of each column with its missing mask or None."""
    if is_used(GROWTH, 0):  # numba is not loaded only for hashing
        total: int = load_kernels(FINGERPRINT).sum_of_rows(cells, n_rows, _factors(len(cells))[:, 0], _SECOND, _HOLE)
        return total
    return sum(int(np.add.reduce(rows)) for rows in _mix_rows(cells, n_rows)) % 2**64


def _mix_rows(cells: list[tuple[Any, Any]], n_rows: int) -> Iterator[Any]:
    """Yield a number (uint64) for each row, a block of rows at a time."""
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
