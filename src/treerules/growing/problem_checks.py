"""Checks that a recipe can be used for a task, a target and features."""

from collections.abc import Iterable

from treerules.criteria import CRITERIA, SQUARED_ERROR
from treerules.data.column import Column
from treerules.data.schema import Feature, Kind
from treerules.errors import ColumnError, OptionError, counted
from treerules.recipes.recipe import Recipe


def check_task(target: Feature, recipe: Recipe) -> None:
    """Raise ColumnError or OptionError where the recipe's criterion cannot score the task of the target."""
    tasks = recipe.scoring.tasks
    if not target.categories and "regression" not in tasks:
        is_own_criterion = recipe.own_criterion is not None
        learner = f"the criterion {recipe.criterion}" if is_own_criterion else recipe.name
        remedy = f"the criterion {SQUARED_ERROR.name}" if is_own_criterion else "cart"
        raise ColumnError(
            target.name,
            f"is a {target.kind} target, a regression, which {learner} cannot learn",
            f"use {remedy}, or the task classification",
        )
    if target.categories and "classification" not in tasks:
        names = [name for name, criterion in CRITERIA.items() if "classification" in criterion.tasks]
        raise OptionError("criterion", recipe.criterion, f"one of a classification: {', '.join(names)}")


def check_features(columns: Iterable[Column], target: Feature, recipe: Recipe) -> None:
    """Raise ColumnError or OptionError where a recipe cannot be used on these features and target."""
    signs = dict(recipe.monotone)
    if signs and len(target.categories) not in (0, 2):
        raise OptionError("monotone", signs, f"it for a regression or two classes; there are {len(target.categories)}")
    for column in columns:
        feature = column.feature
        if feature.is_ordered and not recipe.thresholds:
            category = f"types={{{feature.name!r}: 'category'}}, --types {feature.name}=category"
            raise ColumnError(
                feature.name,
                f"is of kind {feature.kind}, which {recipe.name} cannot split",
                f"use c45, or declare it a category: {category}",
            )
        if feature.name in signs and feature.kind is Kind.CATEGORY:
            raise ColumnError(feature.name, "is a category, which has no direction", "declare it an ordinal")
        if recipe.missing == "error" and column.n_missing:
            raise ColumnError(
                feature.name,
                f"{counted(column.n_missing, 'value')} missing, which the recipe refuses",
                "fill them in, or choose where they go: missing='learned', --missing-values learned",
            )
    if target.categories == () and (recipe.class_weight or recipe.priors or recipe.costs):
        raise OptionError("class_weight, priors or costs", "given", "them for a classification; this is a regression")
