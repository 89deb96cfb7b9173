"""The true labels, values and weights of a table that a tree is judged by."""

from math import inf
from typing import Any

import numpy as np
from attrs import field, frozen

from treerules._internal.arguments import require_flags
from treerules._internal.field_converters import as_tuple
from treerules.data.casting import aligned, as_category
from treerules.data.column import Column, check_fetched, taken
from treerules.data.sample_weights import case_weights, name_of
from treerules.data.schema import UNSEEN, Feature, Kind
from treerules.data.table import Table
from treerules.errors import ColumnError, DataError, OptionError, counted, did_you_mean, listed
from treerules.trees.tree import Tree


@frozen(eq=False)
class Truth:
    """The rows of a table that a tree can be judged by."""

    #: their numbers; None is all
    rows: Any
    #: the tree's classes, then the labels that it does not know; empty for a regression
    labels: tuple[Any, ...]
    #: the position of each row's label (int64), or its value (float64)
    values: Any
    #: the case weight of each (float64); None where each weighs 1
    weight: Any
    notes: tuple[str, ...] = field(converter=as_tuple)

    def of(self, array: Any) -> Any:
        """Return what an array with an element for each row of the table has for these."""
        return array if self.rows is None else array[self.rows]


def truth_of(tree: Tree, table: Table, *, weight: Any = None, drop_missing_target: bool = False) -> Truth:
    """Return the true labels or values of a table, with the case weights.

    Raises:
        DataError, UnknownNameError, ColumnError: as `evaluate` does.
    """
    for option, value, kind in (("tree", tree, Tree), ("table", table, Table)):
        if not isinstance(value, kind):
            raise OptionError(option, value, f"a {kind.__name__}")
    require_flags(drop_missing_target=drop_missing_target)
    goal = tree.schema.target
    assert goal is not None
    column, rows, notes = _rows_with_target(goal, table, drop_missing_target)
    weights = None if weight is None else _positive(case_weights(table, weight), rows, name_of(weight))
    if tree.schema.is_regression:
        return Truth(rows, (), _values(goal, column), weights, notes)
    labels, positions = _labels(goal, column)
    strange = int((positions >= len(goal.categories)).sum())
    if strange:
        names = listed(labels[len(goal.categories) :], 3)
        said = f"{counted(strange, 'row')} with a label that the model does not know, counted as wrong: {names}"
        notes = [*notes, said]
    return Truth(rows, labels, positions, weights, notes)


def _rows_with_target(goal: Feature, table: Table, drop_missing: bool) -> tuple["Column", Any, list[str]]:
    """Return the target's known cells, the numbers of their rows (None is all), and what is to be said of others."""
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
    return taken(column, rows), rows, [f"left out {counted(missing, 'row')} without a value of {goal.name!r}"]


def _values(goal: Feature, column: "Column") -> Any:
    # not as the goal itself: means of whole numbers can be judged by any numbers
    values = aligned(Feature(goal.name, Kind.NUMBER), column).data
    if not np.isfinite(values).all():
        raise ColumnError(goal.name, "is a target with infinite values", "leave those rows out")
    return values


def _labels(goal: Feature, column: "Column") -> tuple[tuple[Any, ...], Any]:
    """Return the classes followed by all other labels, and the position of each row's label among these."""
    positions = aligned(goal, column).data.astype(np.int64)
    strange = np.flatnonzero(positions == UNSEEN)
    if not len(strange):
        return goal.categories, positions
    own = column if column.feature == goal else as_category(column)
    held, places = np.unique(own.data[strange], return_inverse=True)
    positions[strange] = len(goal.categories) + places
    # a reader that knows the model's classes may have kept no more of the others than that they are others
    names = ("(unseen)" if code == UNSEEN else own.feature.categories[code] for code in held.tolist())
    return (*goal.categories, *names), positions


def _positive(weights: Any, rows: Any, name: str) -> Any:
    """Return the weights of the rows in use; they have a sum to divide by."""
    weights = weights if rows is None else weights[rows]
    with np.errstate(over="ignore"):
        total = weights.sum()
    if not 0 < total < inf:
        raise ColumnError(name, "the weights sum to 0, or beyond float64", "give some row a weight above 0")
    return weights
