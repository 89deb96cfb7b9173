"""The compiled sum of the leaves of an ensemble (see `ensemble_routing`). Loading this module loads numba."""

from typing import Any

import numpy as np

from treerules._internal.jit import allocating_kernel


@allocating_kernel
def add_block_compiled(
    array: Any,
    starts: Any,
    roots: Any,
    category_mask: Any,
    cells: Any,
    missing: Any,
    vectors: Any,
    vector_starts: Any,
    outputs: Any,
    sums: Any,
) -> None:
    """Add the leaves of each tree to the sums of a block of rows, as `ensemble_routing.add_block` does.

    As in `routing_kernel`, all rows pass a split before any passes the next, and no step has a branch.
    """
    n_rows = len(sums)
    rows, positions = np.empty(n_rows, dtype=np.int64), np.empty(n_rows, dtype=np.int64)
    for tree in range(len(roots)):
        start, n_unfinished = starts[tree], n_rows
        for row in range(n_rows):
            rows[row], positions[row] = row, roots[tree]
        if roots[tree] < 0:  # a lone leaf
            n_unfinished = 0
            for row in range(n_rows):
                _add(vectors, vector_starts[tree + 1] + roots[tree], outputs[tree], sums, row)
        while n_unfinished > 0:
            n_kept = 0
            for index in range(n_unfinished):
                at, position = np.uint64(rows[index]), start + positions[index]
                feature = np.uint64(array[np.uint64(position)])
                cell = cells[feature, at]
                is_above = np.int64(cell > array[np.uint64(position + 1)])
                answer = is_above + (cell & category_mask[feature]) - 2 * missing[feature, at]
                position = array[np.uint64(position + 4 + answer)]
                if position < 0:
                    _add(vectors, vector_starts[tree + 1] + position, outputs[tree], sums, at)
                rows[np.uint64(n_kept)], positions[np.uint64(n_kept)] = at, position
                n_kept += position >= 0
            n_unfinished = n_kept


@allocating_kernel
def _add(vectors: Any, leaf: int, output: int, sums: Any, row: int) -> None:
    """Add a leaf to the sums of a row."""
    if output >= 0:
        sums[row, output] += vectors[leaf, 0]
        return
    for column in range(sums.shape[1]):
        sums[row, column] += vectors[leaf, column]
