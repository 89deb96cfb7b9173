"""The ground truth of an evaluation: the true labels or values of a table, and the sample weights."""

from collections.abc import Sequence
from math import inf
from typing import Any

import numpy as np
from attrs import field, frozen

from treerules._internal.arguments import require_flags, require_type
from treerules._internal.field_converters import as_tuple
from treerules._internal.notes import Note
from treerules.data.casting import align_column, as_category
from treerules.data.column import Column, check_fetched, take_rows
from treerules.data.read_columns import read_column
from treerules.data.sample_weights import case_weights, name_of
from treerules.data.schema import UNSEEN, Feature, Kind
from treerules.data.table import Table
from treerules.errors import ColumnError, DataError, counted, listed
from treerules.trees.ensemble import TreeModel
from treerules.trees.tested_columns import needed_column

#: The number of rows that an error names.
_SHOWN = 3


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
        text = "{rows} with a label that the model does not know, counted as wrong: {names}"
        notes = [*notes, Note("unknown_labels", text, goal.name, rows=counted(n_unknown, "row"), names=names)]
    return GroundTruth(rows, labels, positions, weights, notes)


def _rows_with_target(goal: Feature, table: Table, drop_missing: bool) -> tuple["Column", Any, list[Note]]:
    """Return the known cells of the target, the numbers of their rows (None is all), and a note on rows left out."""
    column = needed_column(goal.name, table, "the model predicts")
    check_fetched(column)
    column = read_column(column, goal.reading, goal)
    if table.n_rows == column.n_missing:
        raise DataError(f"no row has a value of the target {goal.name!r}", "give at least one such row")
    rows, notes = rows_with_target(column, drop_missing, table.doubts)
    return take_rows(column, rows), rows, notes


def rows_with_target(column: Column, drop_missing: bool, doubts: Sequence[str]) -> tuple[Any, list[Note]]:
    """Return the rows that have a value of the target (None is all), and a note on those that are left out.

    Args:
        column: the column of the target.
        drop_missing: whether rows without a value are left out.
        doubts: those of the table, of which the first is told where the last row has no value, such as one of totals.

    Raises:
        DataError: rows without a value are not left out.
    """
    missing, name = np.flatnonzero(column.missing), column.feature.name
    if not len(missing):
        return None, []
    if not drop_missing:
        noun = "row" if len(missing) == 1 else "rows"
        numbers = ", ".join(str(row + 1) for row in missing[:_SHOWN]) + (", ..." if len(missing) > _SHOWN else "")
        remedy = "fill them in, or drop them: drop_missing_target=True, --drop-missing-target"
        raise DataError(
            f"{counted(len(missing), 'row')} without a value of the target {name!r}: {noun} {numbers} of the table",
            "; ".join([remedy, *(doubts[:1] if column.missing[-1] else ())]),
        )
    text = "left out {rows} without a value of {place!r}"
    return np.flatnonzero(~column.missing), [Note("rows_left_out", text, name, rows=counted(len(missing), "row"))]


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
        raise ColumnError(name, "has weights that sum to 0, or beyond float64", "give some row a weight above 0")
    return weights
