"""Compiled hashing of rows (see `row_hash`). Importing this module loads numba and the kernels."""

from typing import Any

import numpy as np

from treerules._internal.jit import kernel

#: The number of rows hashed at once, whose sums fit in the cache.
_BLOCK = 1 << 14


def sum_of_rows(cells: list[tuple[Any, Any]], n_rows: int, factors: Any, second: int, hole: int) -> int:
    """Return the sum of the mixed rows modulo 2**64, as `row_hash` makes it in numpy."""
    none = np.empty(0, dtype=bool)
    lines = [(_bits(data), _read_only(none if missing is None else missing)) for data, missing in cells]
    sums, total = np.empty(min(n_rows, _BLOCK), dtype=np.uint64), 0
    last, fill = np.uint64(second), np.uint64(hole)
    for start in range(0, n_rows, _BLOCK):
        stop = min(start + _BLOCK, n_rows)
        sums[:] = 0
        for (data, missing), factor in zip(lines, factors, strict=True):
            _add_mixed_cells(sums, data[start:stop], missing[start:stop], factor, last, fill)
        total += int(_sum_mixed_rows(sums[: stop - start], factors[0], last))
    return total % 2**64


def _bits(data: Any) -> Any:
    """Return the cells of a column as 64 bits each."""
    return _read_only(data.astype(np.float64 if data.dtype.kind == "f" else np.int64, order="C", copy=False).view("u8"))


def _read_only(array: Any) -> Any:
    """Return a read-only view of an array: kernels are compiled for read-only arrays."""
    view = array.view()
    view.flags.writeable = False
    return view


@kernel
def _mix_cell(bits: Any, factor: Any, second: Any) -> Any:
    """Return a number mixed as splitmix64 does."""
    bits = (bits ^ (bits >> np.uint64(30))) * factor
    bits = (bits ^ (bits >> np.uint64(27))) * second
    return bits ^ (bits >> np.uint64(31))


@kernel
def _add_mixed_cells(sums: Any, data: Any, holes: Any, factor: Any, second: Any, hole: Any) -> None:
    """Add the mixed cells of one column to the sums of their rows; `holes` is empty where none is missing."""
    if len(holes):
        for row in range(len(data)):
            sums[row] += _mix_cell(hole if holes[row] else data[row], factor, second)
    else:
        for row in range(len(data)):
            sums[row] += _mix_cell(data[row], factor, second)


@kernel
def _sum_mixed_rows(sums: Any, factor: Any, second: Any) -> Any:
    """Return the sum of the mixed rows."""
    total = np.uint64(0)
    for row in range(len(sums)):
        total += _mix_cell(sums[row], factor, second)
    return total
