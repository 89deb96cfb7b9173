"""Where a test sends the rows of a column: used wherever whole columns go down a tree split by split."""

from typing import Any

import numpy as np

from treerules.columns import Column
from treerules.parts import Test, Threshold
from treerules.schema import ordinate


def sides_of(test: Test, column: Column, *, missing: int, unseen: int | None) -> Any:
    """Return the child that a test sends each row of its feature's column to (int64)."""
    if isinstance(test, Threshold):
        sides = (column.data > ordinate(test.threshold)).astype(np.int64)
    else:
        n = sum(len(group) for group in test.groups)
        child = np.full(n + 2, 0 if unseen is None else unseen, dtype=np.int64)  # unseen is -2, missing -1
        for side, group in enumerate(test.groups):
            child[list(group)] = side
        sides = child[column.data]
    sides[column.missing] = missing
    return sides
