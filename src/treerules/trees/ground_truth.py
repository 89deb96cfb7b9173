"""The ground truth of an evaluation: the true labels or values of a table, and the sample weights."""

from math import inf
from typing import Any

import numpy as np
from attrs import field, frozen

from treerules._internal.arguments import require_flags, require_type
from treerules._internal.field_converters import as_tuple
from treerules.data.casting import align_column, as_category
from treerules.data.column import Column, check_fetched, take_rows
from treerules.data.sample_weights import case_weights, name_of
from treerules.data.schema import UNSEEN, Feature, Kind
from treerules.data.table import Table
from treerules.errors import ColumnError, DataError, counted, did_you_mean, listed
from treerules.trees.ensemble import TreeModel


@frozen(eq=False)
class GroundTruth:
    """The true labels or values of the rows that have a known target."""

    #: the numbers of these rows in the table; None is all
    rows: Any
    #: the model's classes, then the labels that it does not know; empty for a regression
    labels: tuple[Any, ...]
    #: the position of each row's label (int64), or its value (float64)
    values: Any
    #: the sample weight of each row (float64); None where each is 1
    weight: Any
    notes: tuple[str, ...] = field(converter=as_tuple)

    def of(self, array: Any) -> Any:
        """Return the elements of these rows from an array with one element per row of the table."""
        return array if self.rows is None else array[self.rows]


def ground_truth(
    tree: TreeModel, table: Table, *, weight: Any = None, drop_missing_target: bool = False
) -> GroundTruth:
    """Return the true labels or values of a table, with the case weights.

    Raises:
        DataError, UnknownNameError, ColumnError: as `evaluate` does.
    """
    require_type("tree", tree, TreeModel, "a Tree or an Ensemble")
    require_type("table", table, Table, "a Table")
    require_flags(drop_missing_target=drop_missing_target)
    goal = tree.schema.target
    assert goal is not None
    column, rows, notes = _rows_with_target(goal, table, drop_missing_target)
    weights = None if weight is None else _positive(case_weights(table, weight), rows, name_of(weight))
    if tree.schema.is_regression:
        return GroundTruth(rows, (), _values(goal, column), weights, notes)
    labels, positions = _labels(goal, column)
    n_unknown = int((positions >= len(goal.categories)).sum())
    if n_unknown:
        names = listed(labels[len(goal.categories) :], 3)
        note = f"{counted(n_unknown, 'row')} with a label that the model does not know, counted as wrong: {names}"
        notes = [*notes, note]
    return GroundTruth(rows, labels, positions, weights, notes)


def _rows_with_target(goal: Feature, table: Table, drop_missing: bool) -> tuple["Column", Any, list[str]]:
    """Return the known cells of the target, the numbers of their rows (None is all), and a note on rows left out."""
    if goal.name not in table.schema.indices:
        hint = did_you_mean(goal.name, table.schema.indices)
        raise ColumnError(goal.name, "the model predicts it and the table has none", f"{hint}add or rename it")
    column = table.column(goal.name)
    check_fetched(column)
    missing = int(column.missing.sum())
    if missing == table.n_rows:
        raise DataError(f"no row has a value of the target {goal.name!r}", "give at least one such row")
    if not missing:
        return column, None, []
    if not drop_missing:
        raise DataError(
            f"{counted(missing, 'row')} without a value of the target {goal.name!r}",
            "fill them in, or drop them: drop_missing_target=True, --drop-missing-target",
        )
    rows = np.flatnonzero(~column.missing)
    return take_rows(column, rows), rows, [f"left out {counted(missing, 'row')} without a value of {goal.name!r}"]


def _values(goal: Feature, column: "Column") -> Any:
    # not as an integer target: means of integers can be compared with any numbers
    values = align_column(Feature(goal.name, Kind.NUMBER), column).data
    if not np.isfinite(values).all():
        raise ColumnError(goal.name, "is a target with infinite values", "leave those rows out")
    return values


def _labels(goal: Feature, column: "Column") -> tuple[tuple[Any, ...], Any]:
    """Return the classes followed by all other labels, and the position of each row's label among these."""
    positions = align_column(goal, column).data.astype(np.int64)
    unknown_rows = np.flatnonzero(positions == UNSEEN)
    if not len(unknown_rows):
        return goal.categories, positions
    categories = column if column.feature == goal else as_category(column)
    codes, positions_of_codes = np.unique(categories.data[unknown_rows], return_inverse=True)
    positions[unknown_rows] = len(goal.categories) + positions_of_codes
    # a reader that was given the model's schema does not keep the text of other classes
    names = ("(unseen)" if code == UNSEEN else categories.feature.categories[code] for code in codes.tolist())
    return (*goal.categories, *names), positions


def _positive(weights: Any, rows: Any, name: str) -> Any:
    """Return the weights of the rows in use; raise ColumnError unless their sum is positive and finite."""
    weights = weights if rows is None else weights[rows]
    with np.errstate(over="ignore"):
        total = weights.sum()
    if not 0 < total < inf:
        raise ColumnError(name, "the weights sum to 0, or beyond float64", "give some row a weight above 0")
    return weights
