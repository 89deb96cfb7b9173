"""The numbers of an input column that the steps of a pipeline make at most some bound: found by asking the steps.

Scalers and imputers keep the order of numbers, so the numbers at most a bound are those up to a greatest one. It is
found by bisection over all doubles, many bounds of all columns at once.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from treerules.importers.sklearn_outputs import Cells, StepOutputs
from treerules.trees.routing import INT64_MAX, to_ordered_bits

_DOUBLE_MAX = float(np.finfo(np.float64).max)


class Cut(NamedTuple):
    """Whether a cell of a column of the model is at most a bound."""

    #: the position of the column
    column: int
    bound: float
    #: whether the rank of the cell is compared (see `Cells.ranks`), not its number
    is_of_ranks: bool = False


def number_limits(
    cuts: Iterable[Cut], outputs: StepOutputs, input_columns: Sequence[int]
) -> dict[tuple[int, float, bool], float]:
    """Return for each cut the greatest number of the input column that passes it: inf where all do, -inf where none do.

    Args:
        cuts: the cuts, of columns that are made of numbers.
        outputs: the steps.
        input_columns: the position of the input column that each column of the model is made of.

    Raises:
        OptionError: the steps refuse 0.
    """
    by_column: dict[int, list[Cut]] = {}
    for cut in dict.fromkeys(cuts):
        by_column.setdefault(input_columns[cut.column], []).append(cut)
    return _bisected(by_column, outputs) if by_column else {}


def _bisected(by_column: Mapping[int, list[Cut]], outputs: StepOutputs) -> dict[tuple[int, float, bool], float]:
    n_rows = max(map(len, by_column.values()))
    limits = {column: _greatest_taken(column, outputs) for column in by_column}
    low = {column: np.full(n_rows, -limit) for column, limit in limits.items()}
    high = {column: np.full(n_rows, limit) for column, limit in limits.items()}
    any_pass, all_pass = (_passes(by_column, outputs, probes, n_rows) for probes in (low, high))
    low, high = ({column: _ordered(values) for column, values in ends.items()} for ends in (low, high))
    for _ in range(64):
        middle = {c: (low[c] & high[c]) + ((low[c] ^ high[c]) >> 1) for c in by_column}
        passes = _passes(by_column, outputs, {c: _doubles(bits) for c, bits in middle.items()}, n_rows)
        low = {c: np.where(passes[c], middle[c], low[c]) for c in by_column}
        high = {c: np.where(passes[c], high[c], middle[c]) for c in by_column}
    found: dict[tuple[int, float, bool], float] = {}
    for column, cuts in by_column.items():
        greatest = np.where(all_pass[column], np.inf, np.where(any_pass[column], _doubles(low[column]), -np.inf))
        found.update(zip(cuts, greatest.tolist(), strict=False))
    return found


def _passes(
    by_column: Mapping[int, list[Cut]], outputs: StepOutputs, probes: Mapping[int, Any], n_rows: int
) -> dict[int, Any]:
    """Return whether each probe, the value of its row, passes the cut of that row."""
    made = outputs.cells({column: values.tolist() for column, values in probes.items()}, n_rows)
    passes = {}
    for column, cuts in by_column.items():
        passes[column] = np.zeros(n_rows, dtype=bool)
        passes[column][: len(cuts)] = _compared(made, cuts)
    return passes


def _compared(made: Cells, cuts: Sequence[Cut]) -> Any:
    """Return whether the cell of each cut, in the row of its position, is at most its bound."""
    rows, columns = np.arange(len(cuts)), np.array([cut.column for cut in cuts])
    cells = Cells(made.numbers[rows, columns], made.is_unstored[rows, columns])
    is_of_ranks = np.array([cut.is_of_ranks for cut in cuts])
    return np.where(is_of_ranks, cells.ranks, cells.numbers) <= [cut.bound for cut in cuts]


def _greatest_taken(column: int, outputs: StepOutputs) -> float:
    """Return the greatest number that the steps take in a column: they refuse what another step made infinite.

    Raises:
        OptionError: the steps refuse 0 too.
    """
    if _takes(column, _DOUBLE_MAX, outputs):
        return _DOUBLE_MAX
    outputs.cells({column: [0.0]}, 1)
    taken, refused = _ordered(np.array([0.0, _DOUBLE_MAX])).tolist()
    while refused - taken > 1:
        middle = (taken + refused) // 2
        is_taken = _takes(column, float(_doubles(np.array([middle]))[0]), outputs)
        taken, refused = (middle, refused) if is_taken else (taken, middle)
    return float(_doubles(np.array([taken]))[0])


def _takes(column: int, number: float, outputs: StepOutputs) -> bool:
    return all(outputs.alone({column: value})[column] is not None for value in (number, -number))


def _ordered(values: Any) -> Any:
    """Return doubles as integers of the same order."""
    bits = values.copy().view(np.int64)
    to_ordered_bits(bits, INT64_MAX)
    return bits


def _doubles(ordered: Any) -> Any:
    """Return the doubles of what `_ordered` made."""
    bits = ordered.copy()
    to_ordered_bits(bits, INT64_MAX)
    return bits.view(np.float64)
