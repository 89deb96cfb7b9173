"""The compiled way down a tree's tape (see `routing`). Loading this module loads numba and the kernel."""

from typing import Any

import numpy as np

from treerules._internal.jit import making_kernel


@making_kernel
def step_down(tape: Any, root: int, grouped: Any, signed: Any, cells: Any, holes: Any, codes: Any) -> None:
    """Write the code of each row's leaf, as `routing.step_down` does.

    All rows take a step before any takes the next, and no step has a branch: a processor guesses wrong half of the
    branches of a tree, and so runs through several rows at once instead. Unsigned places are not tested for being
    below 0, which numba takes for counting from the end.
    """
    for line in range(len(signed)):
        for at in range(len(codes)):
            cells[line, at] ^= (cells[line, at] >> 63) & signed[line]  # as `routing.turn` does
    rows, places = np.arange(len(codes)), np.full(len(codes), root)
    left = len(codes)
    while left > 0:
        kept = 0
        for turn in range(left):
            row, place = np.uint64(rows[turn]), places[turn]
            column = np.uint64(tape[np.uint64(place)])
            cell = cells[column, row]
            answer = np.int64(cell > tape[np.uint64(place + 1)]) + (cell & grouped[column]) - 2 * holes[column, row]
            place = tape[np.uint64(place + 4 + answer)]
            codes[row] = place
            rows[np.uint64(kept)], places[np.uint64(kept)] = row, place
            kept += place >= 0
        left = kept
