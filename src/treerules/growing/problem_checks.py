"""Checks that a recipe can be used for a task, a target and features; the rows in use, and remarks."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from treerules._internal.articles import with_article
from treerules._internal.notes import Note
from treerules.criteria import CRITERIA, SQUARED_ERROR
from treerules.data.column import Column
from treerules.data.schema import Feature, Kind
from treerules.data.table import Table
from treerules.data.text_forms import text_form
from treerules.errors import ColumnError, DataError, OptionError, counted
from treerules.recipes.recipe import Recipe
from treerules.trees.ground_truth import rows_with_target

#: With more categories than this, not all subsets of them are searched.
MOST_EXHAUSTIVE = 10
#: The number of columns about which the same remark is made.
_MOST_NOTES = 20
#: Fewer texts than this are classes, whatever they look like, and so are plain numbers in text up to _MOST_PLAIN.
_FEWEST_DOUBTED, _MOST_PLAIN = 3, 10
#: More texts than _MOST_UNIQUE are no classes where they are more than this share of the rows.
_MOST_UNIQUE, _UNIQUE_SHARE = 20, 2 / 3


def check_task(target: Feature, recipe: Recipe) -> None:
    """Raise ColumnError or OptionError where the recipe's criterion cannot score the task of the target."""
    tasks = recipe.scoring.tasks
    if not target.categories and "regression" not in tasks:
        is_own_criterion = recipe.own_criterion is not None
        learner = f"the criterion {recipe.criterion}" if is_own_criterion else recipe.name
        remedy = f"the criterion {SQUARED_ERROR.name}" if is_own_criterion else "cart"
        raise ColumnError(
            target.name,
            f"is {with_article(target.kind)} target, a regression, which {learner} cannot learn",
            f"use {remedy}, or the task classification",
        )
    if target.categories and "classification" not in tasks:
        names = [name for name, criterion in CRITERIA.items() if "classification" in criterion.tasks]
        raise OptionError("criterion", recipe.criterion, f"one of a classification: {', '.join(names)}")


def check_text_target(target: Feature, n_rows: int, doubt: str) -> None:
    """Raise ColumnError where texts of a target are rather numbers than classes, or rather names of rows.

    `target` has the texts that occur as its categories. `doubt` is the note on why they may be text, or "".
    """
    name, classes = target.name, target.categories
    if target.kind is not Kind.CATEGORY or target.scalar != "text" or len(classes) < _FEWEST_DOUBTED:
        return
    category = f"types={{{name!r}: 'category'}}, --types {name}=category, for a classification"
    found = text_form(name, classes)
    is_plain = found.form == "1234.5"
    declared = [f"{found.scalar}:{found.form}"] if found.form else list(found.declarations)
    numeric = [text for text in declared if text.startswith(("number", "integer"))]
    if numeric and (not is_plain or len(classes) > _MOST_PLAIN):
        ways = " or ".join(f"types={{{name!r}: {text!r}}}, --types {name}={text}" for text in numeric)
        raise ColumnError(
            name,
            f"is a target of {counted(len(classes), 'text')} that look like numbers",
            doubt or f"declare it: {ways}, for a regression; {category}",
            list(classes[:3]),
        )
    if len(classes) > _MOST_UNIQUE and len(classes) > n_rows * _UNIQUE_SHARE:
        raise ColumnError(
            name,
            f"is a target of {counted(len(classes), 'different text')} in {counted(n_rows, 'row')}, so no class",
            f"name another target, or declare it: {category}",
            list(classes[:3]),
        )


def check_features(columns: Iterable[Column], target: Feature, recipe: Recipe) -> None:
    """Raise ColumnError or OptionError where a recipe cannot be used on these features and target."""
    signs = dict(recipe.monotone)
    if signs and len(target.categories) not in (0, 2):
        raise OptionError("monotone", signs, f"it for a regression or two classes; there are {len(target.categories)}")
    for column in columns:
        feature = column.feature
        if feature.is_ordered and not recipe.has_cuts:
            category = f"types={{{feature.name!r}: 'category'}}, --types {feature.name}=category"
            raise ColumnError(
                feature.name,
                f"is {with_article(feature.kind)}, which {recipe.name} cannot split",
                f"use c45, or declare it a category: {category}",
            )
        if feature.name in signs and feature.kind is Kind.CATEGORY:
            raise ColumnError(feature.name, "is a category, which has no direction", "declare it an ordinal")
        if recipe.missing == "error" and column.n_missing:
            raise ColumnError(
                feature.name,
                f"has {counted(column.n_missing, 'missing value')}, which the recipe refuses",
                "fill them in, or choose where they go: missing='learned', --missing-values learned",
            )
    if target.categories == () and (recipe.class_weight or recipe.priors or recipe.costs):
        name = next(name for name in ("class_weight", "priors", "costs") if getattr(recipe, name))
        raise OptionError(name, getattr(recipe, name), "none: the target makes this a regression, which has no classes")


def other_task(column: Column, *, inferred: bool, task: str | None) -> Note:
    """Return how to predict numbers, where more than two whole numbers were taken for classes."""
    n = len(np.unique(column.data)) if inferred and column.feature.kind is Kind.INTEGER else 0
    if n <= 2 or task == "regression":
        return Note("", "")
    text = ", for its {n} whole numbers; to predict a number: task='regression', --task regression"
    return Note("other_task", text, n=n)


def weight_notes(counts_rows: bool) -> list[Note]:
    """Return the remark that least numbers of rows count rows, where they do although rows have weights."""
    text = "some weights are not whole numbers: min_samples_leaf and min_samples_split count rows, not weight"
    return [Note("fractional_weights", text)] if counts_rows else []


def search_notes(columns: Iterable[Column], target: Feature, recipe: Recipe) -> list[Note]:
    """Return remarks on the features of which not all subsets of categories are searched, one for each of the first."""
    few_classes = len(target.categories) <= 2
    orders_categories = recipe.scoring.orders_categories
    if recipe.categories != "subset" or (few_classes and orders_categories and recipe.min_samples_leaf <= 1):
        return []
    order = (
        "their mean or share of the target" if few_classes else "the main direction in which their class shares differ"
    )
    wide = [
        column.feature
        for column in columns
        if column.feature.kind is Kind.CATEGORY and len(column.feature.categories) > MOST_EXHAUSTIVE
    ]
    text = (
        "column {place!r} has {n} categories: "
        f"where a node has more than {MOST_EXHAUSTIVE}, not all divisions are tried, but the cuts of one order: {order}"
    )
    notes = [Note("one_order", text, feature.name, n=len(feature.categories)) for feature in wide[:_MOST_NOTES]]
    more = counted(len(wide) - len(notes), "more column")
    return [*notes, Note("one_order_too", "so are those of {more}", more=more)] if len(wide) > len(notes) else notes


def rows_in_use(table: Table, target: str, drop_missing_target: bool) -> tuple[Any, list[Note]]:
    """Return the indices of the rows with a target (None: all), and remarks."""
    column = table.column(target)
    if table.n_rows == column.n_missing:
        raise DataError(f"the table has no row with a value of the target {target!r}", "give at least one such row")
    return rows_with_target(column, drop_missing_target, table.doubts)
