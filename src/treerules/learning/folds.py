"""Folds of cross-validation."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from treerules._internal.arguments import require_columns
from treerules.data.column import column_of
from treerules.data.table import Table
from treerules.errors import ColumnError, DataError, OptionError
from treerules.growing.problem import Problem

#: A number of folds, the name of a column of fold labels, or an array of fold labels, one per row of the table.
Folds = int | str | Any


def fold_numbers(table: Table, problem: Problem, folds: Folds, seed: int) -> Any:
    """Return the fold of each row of a problem, from 0.

    If `folds` is a number, rows are assigned at random and stratified: every fold gets its share of each class, or of
    each interval of a regression's target. The folds do not depend on the order of the rows.

    Raises:
        OptionError: there are fewer than two folds, or more folds than rows.
        ColumnError: labels are missing.
        DataError: the number of labels is not the number of rows.
    """
    n = len(problem.target)
    if isinstance(folds, int) and not isinstance(folds, bool):
        if not 2 <= folds <= n:
            raise OptionError("folds", folds, f"a number from 2 to {n}, the number of rows")
        return _dealt(problem, folds, seed)
    labels = _labels(table, folds)
    if len(labels) != table.n_rows:
        raise DataError(f"{len(labels)} fold labels are given for {table.n_rows} rows", "give one label per row")
    distinct, numbers = np.unique(labels[problem.rows], return_inverse=True)
    if len(distinct) < 2:
        raise OptionError("folds", folds, "labels of at least two folds")
    return numbers


def _labels(table: Table, folds: Any) -> Any:
    if isinstance(folds, bool) or not isinstance(folds, Iterable) or hasattr(folds, "columns"):
        raise OptionError("folds", folds, "a number, the name of a column, or an array of labels")
    if isinstance(folds, str):
        require_columns(table.schema.indices, folds=folds)
    column = table.column(folds) if isinstance(folds, str) else column_of("folds", folds)
    if column.missing.any():
        raise ColumnError(column.feature.name, "names no fold in some rows", "give each row one")
    return column.data


def _dealt(problem: Problem, folds: int, seed: int) -> Any:
    """Return the random folds of the rows of each stratum; they depend on the cells of the rows, not on their order."""
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise OptionError("seed", seed, "a whole number from 0")
    cells = [array for column in problem.columns for array in (column.data, column.missing)]
    keys = [np.where(np.isnan(cell), 0, cell) if cell.dtype.kind == "f" else cell for cell in cells]
    weights = [] if problem.weights is None else [problem.weights]
    order = np.lexsort([*keys, *weights, problem.target])
    numbers = np.empty(len(order), dtype=np.int64)
    random = np.random.default_rng(seed)
    if problem.schema.is_regression:
        strata = [order[start : start + folds] for start in range(0, len(order), folds)]
        for stratum in strata:
            numbers[stratum] = random.permutation(folds)[: len(stratum)]
        return numbers
    dealt = 0
    for position in range(len(problem.schema.classes)):
        stratum = random.permutation(order[problem.target[order] == position])
        numbers[stratum] = (dealt + np.arange(len(stratum))) % folds
        dealt += len(stratum)
    return numbers
