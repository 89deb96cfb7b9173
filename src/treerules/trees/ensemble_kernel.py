"""The compiled sum of the leaves of an ensemble (see `ensemble_routing`). Loading this module loads numba.

Rows walk a tree in step: the loop over rows is the inner one and has no branch, so the processor works on several rows
at once, by wide instructions where it has them. Unsigned positions are not tested for being below 0, which numba takes
for counting from the end.
"""

from typing import Any

import numpy as np

from treerules._internal.jit import allocating_kernel, kernel
from treerules.trees.cell_codes import LEAF

#: The first levels are walked by all rows, the next ones by those that are not in a leaf, which are listed anew after
#: some levels.
_LEVELS_OF_ALL = 8
_LEVELS_OF_LISTED = 4


@kernel
def rank_compiled(cells: Any, bounds: Any, below: Any, codes: Any) -> None:
    """Write the number of bounds below each cell, as `numpy.searchsorted(bounds, cells)`.

    `below` is room for an int64 of each cell.
    """
    n, width = len(cells), len(bounds)
    for row in range(n):
        below[row] = 0
    while width > 1:
        half = width >> 1
        for row in range(n):
            below[row] += half * (bounds[np.uint64(below[row] + half - 1)] < cells[row])
        width -= half
    for row in range(n):
        codes[row] = below[row] + (bounds[np.uint64(below[row])] < cells[row])


@allocating_kernel
def add_block_compiled(
    line: Any,
    threshold: Any,
    child: Any,
    roots: Any,
    depths: Any,
    oblivious: Any,
    vectors: Any,
    outputs: Any,
    codes: Any,
    sums: Any,
) -> None:
    """Add the leaves of each tree to the sums of a block of rows, as `ensemble_routing._add_block` does."""
    at, unfinished = np.empty(len(sums), dtype=np.uint32), np.empty(len(sums), dtype=np.int64)
    for tree in range(len(roots)):
        root, depth = roots[tree], depths[tree]
        if oblivious[tree]:
            _oblivious_leaf(line[root : root + depth], threshold[root : root + depth], child[root], codes, at)
        else:
            _walk(line, threshold, child, root, depth, codes, at, unfinished)
        _add(vectors, outputs[tree], at, sums)


@kernel
def _oblivious_leaf(lines: Any, thresholds: Any, first_leaf: int, codes: Any, at: Any) -> None:
    """Write the number of each row's leaf in an oblivious tree: its answers to the levels are binary digits."""
    at[:] = 0
    for level in range(len(lines)):
        line, threshold = codes[np.uint64(lines[level])], thresholds[level]
        for row in range(len(at)):
            at[row] = (at[row] << np.uint32(1)) | np.uint32(line[row] > threshold)
    for row in range(len(at)):
        at[row] += first_leaf


@kernel
def _walk(line: Any, threshold: Any, child: Any, root: int, depth: int, codes: Any, at: Any, unfinished: Any) -> None:
    """Write the number of each row's leaf in another tree."""
    at[:] = root
    for _ in range(min(depth, _LEVELS_OF_ALL)):
        for row in range(len(at)):
            at[row] = _next(line, threshold, child, codes, np.uint64(row), np.uint64(at[row]))
    n_unfinished = len(at) if depth > _LEVELS_OF_ALL else 0
    for row in range(n_unfinished):
        unfinished[row] = row
    while n_unfinished > 0:
        for _ in range(_LEVELS_OF_LISTED):
            for index in range(n_unfinished):
                listed = np.uint64(unfinished[index])
                at[listed] = _next(line, threshold, child, codes, listed, np.uint64(at[listed]))
        n_unfinished = _list_unfinished(child, at, unfinished, n_unfinished)
    for row in range(len(at)):
        at[row] = np.uint32(threshold[np.uint64(at[row])] - LEAF)


@kernel
def _list_unfinished(child: Any, at: Any, unfinished: Any, n_unfinished: int) -> int:
    """Leave the rows that are in a leaf out of the list, and return the number of those that stay."""
    n_kept = 0
    for index in range(n_unfinished):
        row = np.uint64(unfinished[index])
        unfinished[n_kept] = row
        n_kept += child[np.uint64(at[row])] != at[row]
    return n_kept


@kernel
def _next(line: Any, threshold: Any, child: Any, codes: Any, row: int, node: int) -> Any:
    """Return the node to which a row goes."""
    return child[node] + np.uint32(codes[np.uint64(line[node]), row] > threshold[node])


@kernel
def _add(vectors: Any, output: int, leaf: Any, sums: Any) -> None:
    """Add the numbers of each row's leaf to one column of its sums, or to all."""
    if output >= 0:
        for row in range(len(leaf)):
            sums[row, output] += vectors[np.uint64(leaf[row]), 0]
        return
    for row in range(len(leaf)):
        for column in range(sums.shape[1]):
            sums[row, column] += vectors[np.uint64(leaf[row]), column]
