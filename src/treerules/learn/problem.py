"""From a table to a learning problem: the task, the features that take part, and the target, all decided here."""

from collections.abc import Collection, Iterable
from typing import Any, Literal

import numpy as np
from attrs import frozen

from treerules.columns import Column, check_fetched, taken
from treerules.declaring import as_category
from treerules.errors import ColumnError, DataError, OptionError, counted
from treerules.learn.recipe import Recipe
from treerules.schema import Feature, Kind, Schema
from treerules.table import Table

Task = Literal["classification", "regression"]

#: An integer target with more distinct values than this is a regression.
MOST_INTEGER_CLASSES = 10
#: Subsets of more categories than this are not searched exhaustively.
MOST_EXHAUSTIVE = 10


@frozen(eq=False)
class Problem:
    """What a recipe learns from: columns and target of the rows in use, ordered by the target.

    That order makes every sum over rows the same, whatever order they came in.
    """

    schema: Schema
    columns: tuple[Column, ...]
    #: class positions (int64), or float64 values of a regression
    target: Any
    notes: tuple[str, ...]


def problem_of(
    table: Table,
    *,
    target: str,
    recipe: Recipe,
    task: Task | None = None,
    keep: Collection[str] = (),
    drop: Collection[str] = (),
    drop_missing_target: bool = False,
) -> Problem:
    """Return the learning problem that a table poses.

    Raises:
        UnknownNameError: a named column is not there.
        DataError: there are no rows, no features, or rows without a target.
        ColumnError: the target or a feature is of a kind that the recipe cannot use.
    """
    for name in (target, *keep, *drop):
        table.column(name)
    if target in drop:
        raise OptionError("drop", target, "other columns than the target")
    rows, row_notes = _rows_in_use(table.column(target), drop_missing_target)
    goal, values, task_note = _target(table.column(target), rows, task)
    if not goal.categories and recipe.criterion in ("information_gain", "gain_ratio"):
        raise ColumnError(
            target,
            f"is a {goal.kind} target, a regression, which {recipe.name} cannot learn",
            "use cart, or the task classification",
        )
    always = {*keep, *table.declared}
    columns = [c for c in table.columns if c.feature.name != target and c.feature.name not in drop]
    columns, column_notes = _features_in_use([taken(column, rows) for column in columns], always)
    if not columns:
        raise DataError("the table has no column beside the target", "give it at least one feature")
    _check_recipe(columns, recipe)
    order = np.argsort(values, kind="stable")
    return Problem(
        Schema([column.feature for column in columns], goal),
        tuple(taken(column, order) for column in columns),
        values[order],
        (*table.notes, *row_notes, task_note, *column_notes, *_search_notes(columns, goal, recipe)),
    )


def _rows_in_use(column: Column, drop_missing_target: bool) -> tuple[Any, list[str]]:
    missing = int(column.missing.sum())
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
        many = len(np.unique(column.data)) > MOST_INTEGER_CLASSES if feature.kind is Kind.INTEGER else is_numeric
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
    labels = _held(as_category(column))
    return labels.feature, labels.data.astype(np.int64), note


def _held(column: Column) -> Column:
    """Return a category column with those categories alone that some row holds."""
    held, codes = np.unique(column.data, return_inverse=True)
    feature = column.feature
    categories = [feature.categories[code] for code in held.tolist()]
    return Column(Feature(feature.name, Kind.CATEGORY, categories, feature.scalar, feature.form), codes, column.missing)


def _features_in_use(columns: Iterable[Column], always: Collection[str]) -> tuple[list[Column], list[str]]:
    """Leave out what can tell rows apart but teaches nothing; the last remaining feature always stays."""
    used, notes = list(columns), []
    for column in tuple(used):
        name = column.feature.name
        reason = None if name in always else _useless(column)
        if reason and len(used) > 1:
            used.remove(column)
            notes.append(f"left out {name!r}: {reason}; keep it with keep=[{name!r}], --keep {name}")
    for column in used:
        check_fetched(column)
    return used, notes


def _useless(column: Column) -> str | None:
    if not column.fetched:
        return "text, different in every row"
    known = column.data[~column.missing]
    n, all_known = len(column.data), len(known) == len(column.data)
    if len(known) == 0 or (all_known and known.min() == known.max()):
        return "the same in every row"
    if not all_known:
        return None
    if column.feature.kind is Kind.CATEGORY and column.feature.scalar == "text":
        return "text, different in every row" if len(np.unique(known)) == n else None
    if column.feature.kind is Kind.INTEGER:
        consecutive = int(known.max()) - int(known.min()) == n - 1 and len(np.unique(known)) == n
        return "consecutive integers, a row number" if consecutive else None
    return None


def _check_recipe(columns: Iterable[Column], recipe: Recipe) -> None:
    for column in columns:
        feature = column.feature
        if feature.is_ordered and not recipe.thresholds:
            raise ColumnError(
                feature.name,
                f"is of kind {feature.kind}, which {recipe.name} cannot split",
                f"use c45, or declare it a category: --types {feature.name}=category",
            )


def _search_notes(columns: Iterable[Column], goal: Feature, recipe: Recipe) -> list[str]:
    """Say where the best subset of categories is not searched for in full."""
    few_classes = len(goal.categories) <= 2
    if recipe.categories != "subset" or (few_classes and recipe.min_samples_leaf == 1):
        return []
    how = "in the order of their target" if few_classes else "one against the rest (of two classes, in their order)"
    return [
        f"column {column.feature.name!r} has {len(column.feature.categories)} categories: "
        f"where more than {MOST_EXHAUSTIVE} of them meet they are divided {how}"
        for column in columns
        if column.feature.kind is Kind.CATEGORY and len(column.feature.categories) > MOST_EXHAUSTIVE
    ]
