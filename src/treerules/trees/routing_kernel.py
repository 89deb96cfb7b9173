"""The compiled routing of rows by a routing table (see `routing`). Loading this module loads numba and the kernel."""

from typing import Any

import numpy as np

from treerules._internal.jit import allocating_kernel


@allocating_kernel
def route_block_compiled(
    table: Any, root: int, category_mask: Any, sign_mask: Any, cells: Any, missing: Any, codes: Any
) -> None:
    """Write the code of each row's leaf, as `routing.route_block` does.

    All rows pass a split before any passes the next, and no step has a branch: a processor mispredicts half of the
    branches of a tree, and so works on several rows at once instead. Unsigned positions are not tested for being below
    0, which numba takes for counting from the end.
    """
    for line in range(len(sign_mask)):
        for at in range(len(codes)):
            cells[line, at] ^= (cells[line, at] >> 63) & sign_mask[line]  # as `routing.to_ordered_bits` does
    rows, positions = np.arange(len(codes)), np.full(len(codes), root)
    n_unfinished = len(codes)
    while n_unfinished > 0:
        n_kept = 0
        for index in range(n_unfinished):
            row, position = np.uint64(rows[index]), positions[index]
            feature = np.uint64(table[np.uint64(position)])
            cell = cells[feature, row]
            is_above = np.int64(cell > table[np.uint64(position + 1)])
            answer = is_above + (cell & category_mask[feature]) - 2 * missing[feature, row]
            position = table[np.uint64(position + 4 + answer)]
            codes[row] = position
            rows[np.uint64(n_kept)], positions[np.uint64(n_kept)] = row, position
            n_kept += position >= 0
        n_unfinished = n_kept
