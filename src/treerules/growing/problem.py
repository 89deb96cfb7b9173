"""From a table to a learning problem: the task, the features that take part, and the target, all decided here."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Literal

import numpy as np
from attrs import evolve, frozen

from treerules.criteria import CRITERIA, SQUARED_ERROR
from treerules.data.casting import labels
from treerules.data.column import Column, all_taken, check_fetched, stable_order, taken
from treerules.data.sample_weights import case_weights
from treerules.data.schema import Feature, Kind, Schema
from treerules.data.table import Table
from treerules.errors import ColumnError, DataError, OptionError, counted
from treerules.growing.feature_choice import feature_choice, features_in_use
from treerules.recipes.recipe import Recipe
from treerules.trees.class_weighting import Weighing, weighing_of

Task = Literal["classification", "regression"]

#: An integer target with more distinct values than this is a regression.
MOST_INTEGER_CLASSES = 10
#: Subsets of more categories than this are not searched exhaustively.
MOST_EXHAUSTIVE = 10


@frozen(eq=False)
class Problem:
    """What a recipe learns from: columns and target of the rows in use, ordered by the target, then by weight.

    That order makes every sum over rows the same, whatever order they came in.
    """

    schema: Schema
    columns: tuple[Column, ...]
    #: class positions (int64), or float64 values of a regression
    target: Any
    #: the case weight of each row, above 0; None where all are 1
    weights: Any
    #: how classes weigh; None of a regression
    weighing: Weighing | None
    #: the number of each row in the table
    rows: Any
    notes: tuple[str, ...]

    def part(self, rows: Any) -> "Problem":
        """Return the problem of some rows alone, given by their numbers in ascending order; all else stays."""
        weights = None if self.weights is None else self.weights[rows]
        return evolve(
            self, columns=all_taken(self.columns, rows), target=self.target[rows], weights=weights, rows=self.rows[rows]
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
) -> Problem:
    """Return the learning problem that a table poses: `features`, `drop` and `weight` as in `learn`.

    A column that `folds` names is no feature.

    Raises:
        UnknownNameError: a named column is not there.
        OptionError: `features` or `drop` is no collection of names, both are given, or one names the target.
        DataError: there are no rows, no features, or rows without a target.
        ColumnError: the target or a feature is of a kind that the recipe cannot use.
    """
    choice = feature_choice(features, drop, weight=weight, folds=folds)
    for name in (target, *choice.named, *recipe.named_features):
        table.column(name)
    choice.check_roles(target, recipe.named_features)
    weights = None if weight is None else case_weights(table, weight)
    rows, row_notes = _rows_in_use(table.column(target), drop_missing_target)
    goal, values, task_note = _target(table.column(target), rows, task)
    _check_task(goal, recipe)
    columns, column_notes = features_in_use(table, rows, choice, target)
    if not columns:
        raise DataError("the table has no column beside the target", "give it at least one feature")
    _check_recipe(columns, goal, recipe)
    schema = Schema([column.feature for column in columns], goal)
    weights = weights if weights is None or rows is None else weights[rows]
    return posed(schema, columns, values, weights, recipe, rows, (*table.notes, *row_notes, task_note, *column_notes))


def posed(
    schema: Schema,
    columns: Sequence[Column],
    values: Any,
    weights: Any,
    recipe: Recipe,
    rows: Any,
    notes: tuple[str, ...],
) -> Problem:
    """Return the problem of the rows in use: columns, class positions or values of the target, case weights.

    `rows` are their numbers in the table; None where all rows are in use.
    """
    if weights is not None and not weights.any():
        raise DataError("no row with a target weighs more than 0", "give at least one row a weight")
    if weights is not None and bool((weights == 1).all()):
        weights = None
    order = _order(columns, values, weights, recipe)
    n_rows = len(values)
    if order is not None:
        values, weights = values.take(order), None if weights is None else weights.take(order)
    assert schema.target is not None
    weighing = None
    if not schema.is_regression:
        counts = np.bincount(values, weights=weights, minlength=len(schema.classes)).tolist()
        weighing = weighing_of(recipe, schema, counts)
    return Problem(
        schema,
        tuple(map(_in_line, columns)) if order is None else all_taken(columns, order),
        values,
        weights,
        weighing,
        _numbers(rows, order, n_rows),
        (*notes, *_search_notes(columns, schema.target, recipe), *_weight_notes(weights, recipe)),
    )


def _order(columns: Iterable[Column], values: Any, weights: Any, recipe: Recipe) -> Any:
    """Return the rows in use by target, then by weight; rows without weight are none. None: as they stand.

    Where rows may come to be divided they are ordered by all their cells, so that no sum depends on how they came.
    """
    keys = [values] if weights is None else [weights, values]
    if recipe.missing == "fraction" and any(column.n_missing for column in columns):
        cells = [each for column in columns for each in (column.data, column.missing)]
        keys = [*(np.where(np.isnan(cell), 0, cell) if cell.dtype.kind == "f" else cell for cell in cells), *keys]
    order = None if weights is None else np.flatnonzero(weights > 0)
    for key in keys:  # the last counts most, as in np.lexsort
        more = stable_order(key if order is None else key.take(order))
        if more is not None:
            order = more if order is None else order.take(more)
    return order


def _numbers(rows: Any, order: Any, n_rows: int) -> Any:
    """Return the numbers of the rows in use, in the order given; None is all, and as they stand."""
    if rows is None:
        return np.arange(n_rows) if order is None else order
    return rows if order is None else rows.take(order)


def _in_line(column: Column) -> Column:
    """Return the column with its cells side by side in memory, as a copy would have them."""
    flags = column.data.flags
    if flags.c_contiguous and flags.aligned and column.missing.flags.c_contiguous:
        return column
    return Column(column.feature, column.data.copy(), column.missing.copy(), column.fetched)


def _weight_notes(weights: Any, recipe: Recipe) -> list[str]:
    if weights is None or weights.sum() >= 2 * recipe.min_samples_leaf or len(weights) < 2:
        return []
    return [
        f"all rows together weigh {weights.sum():g}, two leaves at least {2 * recipe.min_samples_leaf:g}: "
        "min_samples_leaf and min_samples_split count weight"
    ]


def _rows_in_use(column: Column, drop_missing_target: bool) -> tuple[Any, list[str]]:
    missing = column.n_missing
    if len(column.data) == missing:
        raise DataError(
            f"the table has no row with a value of the target {column.feature.name!r}", "give at least one such row"
        )
    if missing and not drop_missing_target:
        raise DataError(
            f"{counted(missing, 'row')} without a value of the target {column.feature.name!r}",
            "fill them in, or drop them: drop_missing_target=True, --drop-missing-target",
        )
    if not missing:
        return None, []
    return np.flatnonzero(~column.missing), [
        f"left out {counted(missing, 'row')} without a value of {column.feature.name!r}"
    ]


def _target(column: Column, rows: Any, task: str | None) -> tuple[Feature, Any, str]:
    check_fetched(column)
    column = taken(column, rows)
    feature = column.feature
    is_numeric = feature.kind in (Kind.NUMBER, Kind.INTEGER)
    if task not in (None, "classification", "regression"):
        raise OptionError("task", task, "classification or regression")
    if task is None:
        many = _has_many(column.data) if feature.kind is Kind.INTEGER else is_numeric
        task = "regression" if many else "classification"
    note = f"target {feature.name!r} ({feature.kind}): {task}"
    if task == "regression":
        if not is_numeric:
            raise ColumnError(feature.name, f"is a {feature.kind} target", "use the task classification")
        values = column.data.astype(np.float64)
        if not np.isfinite(values).all():
            raise ColumnError(feature.name, "is a target with infinite values", "leave those rows out")
        return Feature(feature.name, feature.kind), values, note
    if feature.kind is Kind.ORDINAL:
        return feature, column.data.astype(np.int64), note
    return *labels(feature, column.data), note


def _has_many(integers: Any) -> bool:
    """Return whether there are more distinct integers than an inferred classification has classes."""
    few = int(np.maximum.reduce(integers)) - int(np.minimum.reduce(integers)) < MOST_INTEGER_CLASSES
    return not few and len(np.unique(integers)) > MOST_INTEGER_CLASSES


def _check_task(goal: Feature, recipe: Recipe) -> None:
    """Raise ColumnError or OptionError where the recipe's criterion cannot score the task of the target."""
    tasks = recipe.scoring.tasks
    if not goal.categories and "regression" not in tasks:
        is_own = recipe.own_criterion is not None
        learner = f"the criterion {recipe.criterion}" if is_own else recipe.name
        remedy = f"the criterion {SQUARED_ERROR.name}" if is_own else "cart"
        raise ColumnError(
            goal.name,
            f"is a {goal.kind} target, a regression, which {learner} cannot learn",
            f"use {remedy}, or the task classification",
        )
    if goal.categories and "classification" not in tasks:
        able = [name for name, row in CRITERIA.items() if "classification" in row.tasks]
        raise OptionError("criterion", recipe.criterion, f"one of a classification: {', '.join(able)}")


def _check_recipe(columns: Iterable[Column], goal: Feature, recipe: Recipe) -> None:
    """Raise ColumnError or OptionError where a recipe cannot be used on these features and target."""
    signs = dict(recipe.monotone)
    if signs and len(goal.categories) not in (0, 2):
        raise OptionError("monotone", signs, f"it for a regression or two classes; there are {len(goal.categories)}")
    for column in columns:
        feature = column.feature
        if feature.is_ordered and not recipe.thresholds:
            raise ColumnError(
                feature.name,
                f"is of kind {feature.kind}, which {recipe.name} cannot split",
                f"use c45, or declare it a category: --types {feature.name}=category",
            )
        if feature.name in signs and feature.kind is Kind.CATEGORY:
            raise ColumnError(feature.name, "is a category, which has no direction", "declare it an ordinal")
        if recipe.missing == "error" and column.n_missing:
            raise ColumnError(
                feature.name,
                f"{counted(column.n_missing, 'value')} missing, which the recipe refuses",
                "fill them in, or choose where they go: missing='learned', --missing-values learned",
            )
    if goal.categories == () and (recipe.class_weight or recipe.priors or recipe.costs):
        raise OptionError("class_weight, priors or costs", "given", "them for a classification; this is a regression")


def _search_notes(columns: Iterable[Column], goal: Feature, recipe: Recipe) -> list[str]:
    """Say where the best subset of categories is not searched for in full."""
    few_classes = len(goal.categories) <= 2
    is_ordered = recipe.scoring.orders_categories
    if recipe.categories != "subset" or (few_classes and is_ordered and recipe.min_samples_leaf <= 1):
        return []
    how = "their target" if few_classes else "the first principal component of their class shares"
    return [
        f"column {column.feature.name!r} has {len(column.feature.categories)} categories: "
        f"where more than {MOST_EXHAUSTIVE} of them meet they are divided in the order of {how}"
        for column in columns
        if column.feature.kind is Kind.CATEGORY and len(column.feature.categories) > MOST_EXHAUSTIVE
    ]
