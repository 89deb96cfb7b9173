"""The learning problem of a table: the task, the features in use, the target and the weights of the rows."""

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

import numpy as np
from attrs import evolve, frozen

from treerules._internal.arguments import require_columns, require_flags, require_type
from treerules._internal.articles import with_article
from treerules._internal.notes import Note
from treerules.data.casting import labels
from treerules.data.column import Column, check_fetched, take_rows, take_rows_of_columns
from treerules.data.sample_weights import are_whole, case_weights, without_rounding
from treerules.data.schema import Feature, Kind, Schema
from treerules.data.sorting import stable_order
from treerules.data.table import Table
from treerules.errors import ColumnError, DataError, OptionError
from treerules.growing.exact_target import ExactTarget, exact_target, multiples_of, rounded_target
from treerules.growing.feature_choice import feature_choice, feature_columns
from treerules.growing.possible_leaks import leak_notes
from treerules.growing.problem_checks import (
    check_features,
    check_task,
    check_text_target,
    other_task,
    rows_in_use,
    search_notes,
    weight_notes,
)
from treerules.recipes.recipe import Recipe
from treerules.trees.class_weighting import ClassWeighting, class_weighting

Task = Literal["classification", "regression"]

#: An integer target with more distinct values than this is a regression.
MOST_INTEGER_CLASSES = 10
_ONE = Fraction(1)


@frozen(eq=False, slots=False)
class Problem:
    """The columns and the target from which a tree is learned: the rows in use, ordered by target, then by weight.

    The order of rows makes every sum over rows independent of their order in the table.
    """

    schema: Schema
    #: the features, in the order of the schema
    columns: tuple[Column, ...]
    #: class positions (int64), or the values of a regression (float64), shape (rows,)
    target: Any
    #: the sample weight of each row, above 0, shape (rows,); None where all weights are 1
    weights: Any
    #: class weights, priors and costs; None for a regression
    weighing: ClassWeighting | None
    #: the index of each row in the table, shape (rows,)
    rows: Any
    #: remarks for the user: the task, columns left out, limits of the search
    notes: tuple[str, ...]
    #: the target of a regression in whole multiples of `unit`, int64, shape (rows,); None where it has no unit
    multiples: Any = None
    unit: Fraction = _ONE
    #: the step to whose multiples the target was rounded; None: it was not
    target_step: float | None = None

    @cached_property
    def exact(self) -> ExactTarget | None:
        """The target of a regression and the weights as whole numbers; None where one of them has no unit."""
        return None if self.multiples is None else exact_target(self.multiples, self.unit, self.weights)

    @property
    def counts_rows(self) -> bool:
        """Whether least numbers of rows count rows; otherwise a row of weight k counts as k rows."""
        return self.schema.counted == "weight"

    @property
    def row_sizes(self) -> Any:
        """How many rows each row counts for least numbers of rows, shape (rows,); None where each counts one."""
        return None if self.counts_rows else self.weights

    @property
    def size(self) -> float:
        """The number of rows, as least numbers of rows count them."""
        return float(len(self.target) if self.row_sizes is None else self.row_sizes.sum())

    @property
    def rows_per_weight(self) -> float:
        """The factor by which a weight becomes a number of rows: 1 where a row of weight k counts as k rows."""
        return len(self.target) / float(self.weights.sum()) if self.counts_rows and self.weights is not None else 1.0

    def normalised(self) -> "Problem":
        """Return the problem with weights of mean 1, where least numbers of rows count rows; otherwise the same."""
        factor = self.rows_per_weight
        return self if factor == 1 else evolve(self, weights=without_rounding(self.weights * factor))

    def part(self, rows: Any) -> "Problem":
        """Return the problem of some rows, given by their indices in ascending order."""
        weights = None if self.weights is None else self.weights[rows]
        return evolve(
            self,
            columns=take_rows_of_columns(self.columns, rows),
            target=self.target[rows],
            weights=weights,
            rows=self.rows[rows],
            multiples=None if self.multiples is None else self.multiples[rows],
        )


def problem_of(
    table: Table,
    *,
    target: str,
    recipe: Recipe,
    task: Task | None = None,
    features: Collection[str] | None = None,
    drop: Collection[str] = (),
    drop_missing_target: bool = False,
    weight: Any = None,
    folds: Any = None,
    groups: str | None = None,
    time: str | None = None,
    keep: Collection[str] = (),
    max_categories: int | None = None,
    counts_rows: bool = False,
    target_step: float | None = None,
) -> Problem:
    """Return the learning problem of a table.

    Args:
        table: The table.
        target: The name of the target column.
        recipe: The recipe; its criterion, thresholds and categories decide which columns are allowed.
        task: "classification" or "regression"; None: decided by the kind and the values of the target.
        features: The names of the features; None: all columns that can be useful.
        drop: Names of columns that are not features.
        drop_missing_target: Whether rows without a target are left out; otherwise they are an error.
        weight: The sample weights: a column's name, one number per row, or None (all 1).
        folds: The fold labels of cross-validation; a column that it names is not a feature.
        groups: The name of a column of groups, which is not a feature.
        time: The name of a column of times, which is not a feature.
        keep: Names of columns that are never left out.
        max_categories: A category column of more categories is left out; None is no bound.
        counts_rows: Whether least numbers of rows count rows, whatever the weights.
        target_step: The power of two to whose multiples the target of a regression is rounded; None: it is not.

    Raises:
        UnknownNameError: A named column does not exist.
        OptionError: `features`, `drop`, `keep` or the task is not allowed, or a column has two roles.
        DataError: There are no rows, no features, or rows without a target.
        ColumnError: The target or a feature is of a kind that the recipe cannot use.
    """
    require_type("target", target, str, "the name of a column")
    require_flags(drop_missing_target=drop_missing_target)
    choice = feature_choice(
        features,
        drop,
        keep=keep,
        max_categories=max_categories,
        weight=weight,
        folds=folds,
        groups=groups,
        time=time,
    )
    named = {**choice.names_by_argument, **recipe.features_by_option}
    require_columns(table.schema.indices, target=target, **named)
    choice.check_roles(target, named)
    weights = None if weight is None else case_weights(table, weight)
    rows, row_notes = rows_in_use(table, target, drop_missing_target)
    doubt = next((note for note in table.doubts if getattr(note, "place", "") == target), "")
    target_feature, values, task_note = _target(table.column(target), rows, task, doubt)
    values, unit, step_notes = rounded_target(values, target_feature, target_step)
    if task is None and target not in table.declared:
        check_text_target(target_feature, len(values), doubt)
    check_task(target_feature, recipe)
    columns, column_notes = feature_columns(table, rows, choice, target)
    if not columns:
        raise DataError("the table has only the target column", "give it at least one feature")
    check_features(columns, target_feature, recipe)
    schema = Schema([column.feature for column in columns], target_feature)
    weights = weights if weights is None or rows is None else weights[rows]
    read_notes = [note for note in table.notes if note not in table.doubts]
    problem = prepare_problem(schema, columns, values, weights, recipe, rows, (), counts_rows, unit)
    leaks = leak_notes(problem.columns, problem.target, schema.is_regression)
    notes = (*read_notes, *row_notes, task_note, *step_notes, *column_notes, *leaks, *table.doubts)
    return evolve(
        problem, notes=(*notes, *problem.notes), target_step=None if target_step is None else float(target_step)
    )


def prepare_problem(
    schema: Schema,
    columns: Sequence[Column],
    values: Any,
    weights: Any,
    recipe: Recipe,
    rows: Any,
    notes: tuple[str, ...],
    counts_rows: bool = False,
    unit: Fraction = _ONE,
) -> Problem:
    """Return the problem of the rows in use, ordered by target and weight, without rows of weight 0.

    Args:
        schema: The features and the target.
        columns: The features' columns of the rows in use.
        values: Class positions or values of the target, shape (rows,); integers of a regression are exact multiples
            of `unit`.
        weights: Sample weights, shape (rows,), or None (all 1).
        recipe: The recipe.
        rows: The indices of the rows in use in the table; None: all rows are in use.
        notes: Remarks so far.
        counts_rows: Whether least numbers of rows count rows, whatever the weights.
        unit: What integers of a regression are multiples of.

    Raises:
        DataError: All weights are 0.
    """
    if weights is not None and not weights.any():
        raise DataError("no row with a target weighs more than 0", "give at least one row a weight")
    if weights is not None and bool((weights == 1).all()):
        weights = None
    is_fractional = not are_whole(weights)
    order = _row_order(columns, values, weights, recipe)
    n_rows = len(values)
    if order is not None:
        values, weights = values.take(order), None if weights is None else weights.take(order)
    assert schema.target is not None
    weighing, multiples = None, None
    if schema.is_regression:
        is_divided = recipe.missing == "fraction" and any(column.n_missing for column in columns)
        multiples, unit = (None, unit) if is_divided else multiples_of(values, unit)
        values = values * float(unit) if values.dtype.kind == "i" else values
    else:
        counts = np.bincount(values, weights=weights, minlength=len(schema.classes)).tolist()
        weighing = class_weighting(recipe, schema, counts)
    return Problem(
        evolve(schema, counted="weight" if is_fractional or (counts_rows and weights is not None) else "rows"),
        tuple(map(_contiguous, columns)) if order is None else take_rows_of_columns(columns, order),
        values,
        weights,
        weighing,
        _row_numbers(rows, order, n_rows),
        (*notes, *search_notes(columns, schema.target, recipe), *weight_notes(is_fractional and not counts_rows)),
        multiples,
        unit,
    )


def _row_order(columns: Iterable[Column], values: Any, weights: Any, recipe: Recipe) -> Any:
    """Return the rows of positive weight, sorted by target, then by weight; None: all rows in the given order.

    Where missing values may divide a row among children, rows are also sorted by all their cells, so that no sum
    depends on the order of the rows in the table.
    """
    keys = [values] if weights is None else [weights, values]
    if recipe.missing == "fraction" and any(column.n_missing for column in columns):
        cells = [cell for column in columns for cell in (column.data, column.missing)]
        keys = [*(np.where(np.isnan(cell), 0, cell) if cell.dtype.kind == "f" else cell for cell in cells), *keys]
    order = None if weights is None else np.flatnonzero(weights > 0)
    for key in keys:  # the last key is the primary one, as in np.lexsort
        suborder = stable_order(key if order is None else key.take(order))
        if suborder is not None:
            order = suborder if order is None else order.take(suborder)
    return order


def _row_numbers(rows: Any, order: Any, n_rows: int) -> Any:
    """Return the index in the table of each row in use, in sorted order; None: all rows, or the given order."""
    if rows is None:
        return np.arange(n_rows) if order is None else order
    return rows if order is None else rows.take(order)


def _contiguous(column: Column) -> Column:
    """Return a column with the cells contiguous in memory, whose order is kept with the problem, not with the table."""
    data, missing = np.require(column.data, requirements=["C", "A"]), np.ascontiguousarray(column.missing)
    return Column(column.feature, data, missing, column.fetched)


def _target(column: Column, rows: Any, task: str | None, doubt: str) -> tuple[Feature, Any, str]:
    """Return the target's feature, its class positions or values in the rows in use, and a remark on the task.

    `doubt` is the note on why the target may be text, or "".
    """
    check_fetched(column)
    column = take_rows(column, rows)
    feature = column.feature
    is_numeric = feature.kind in (Kind.NUMBER, Kind.INTEGER)
    if task is not None and not (isinstance(task, str) and task in ("classification", "regression")):
        raise OptionError("task", task, "classification or regression")
    inferred = task is None
    if inferred:
        is_regression = _has_many_values(column.data) if feature.kind is Kind.INTEGER else is_numeric
        task = "regression" if is_regression else "classification"
    text, other = "target {place!r} ({kind}): {task}{other}", other_task(column, inferred=inferred, task=task)
    note = Note("task", text, feature.name, kind=feature.kind, task=task, other=other)
    if task == "regression":
        if not is_numeric:
            remedy = doubt or "use the task classification"
            raise ColumnError(feature.name, f"is {with_article(feature.kind)} target", remedy)
        values = column.data.astype(np.int64 if feature.kind is Kind.INTEGER else np.float64)
        if not np.isfinite(values).all():
            raise ColumnError(feature.name, "is a target with infinite values", "leave those rows out")
        return Feature(feature.name, feature.kind, form=feature.form, reading=feature.reading), values, note
    if feature.kind is Kind.ORDINAL:
        return feature, column.data.astype(np.int64), note
    return *labels(feature, column.data), note


def _has_many_values(integers: Any) -> bool:
    """Return whether there are more than MOST_INTEGER_CLASSES distinct integers."""
    has_small_range = int(np.maximum.reduce(integers)) - int(np.minimum.reduce(integers)) < MOST_INTEGER_CLASSES
    return not has_small_range and len(np.unique(integers)) > MOST_INTEGER_CLASSES
