"""Reasons for which a grower other than the reference refuses a tree."""

from collections.abc import Iterable
from typing import Any

from treerules.growing.problem import Problem
from treerules.recipes.recipe import Recipe

#: Whether a reason holds, and its text.
Reasons = Iterable[tuple[bool, str]]


def first_of(reasons: Reasons) -> str | None:
    """Return the first reason that holds; None where none does."""
    return next((reason for holds, reason in reasons if holds), None)


def common_reasons(problem: Problem, recipe: Recipe, validation: Any) -> list[tuple[bool, str]]:
    """Return the reasons of every grower that chooses all splits of a node at once, by plain counts or sums."""
    return [
        (validation is not None, "a validation table decides which splits are made"),
        (bool(recipe.monotone), "features are monotone"),
        (bool(recipe.feature_cost), "features have costs"),
        (bool(recipe.prefer), "some features win ties"),
        (problem.weights is not None, "rows have weights"),
        (problem.weighing is not None and not problem.weighing.is_plain, "classes have weights, priors or costs"),
        (recipe.max_leaves is not None, "the number of leaves is bounded"),
    ]
