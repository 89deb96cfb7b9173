"""Reasons for which the fast growers refuse a tree; the reference refuses none of these."""

from collections.abc import Iterable
from typing import Any

from treerules.criteria import Criterion
from treerules.criteria.table import kernel_of
from treerules.growing.problem import Problem
from treerules.recipes.recipe import Recipe

#: The fast growers add exact targets as whole doubles and as int64 numbers.
_MOST_WHOLE, _MOST_SUM = 1 << 53, 1 << 62
#: Pairs (whether a reason holds, its text).
Reasons = Iterable[tuple[bool, str]]


def first_reason(reasons: Reasons) -> str | None:
    """Return the text of the first reason that holds; None where none holds."""
    return next((text for holds, text in reasons if holds), None)


def common_reasons(problem: Problem, recipe: Recipe, validation: Any) -> list[tuple[bool, str]]:
    """Return the reasons of growth that scores plain counts or sums of unweighted rows only."""
    return [
        (validation is not None, "a validation table decides which splits are made"),
        (bool(recipe.monotone), "features are monotone"),
        (bool(recipe.feature_cost), "features have costs"),
        (bool(recipe.prefer), "some features win ties"),
        (problem.weights is not None, "rows have weights"),
        (problem.weighing is not None and not problem.weighing.is_plain, "classes have weights, priors or costs"),
        (recipe.max_leaves is not None, "the number of leaves is bounded"),
    ]


def binary_criterion_refusal(criterion: Criterion) -> str | None:
    """Return why level-wise growth cannot use a criterion; None where they can."""
    if kernel_of(criterion) is None:
        return f"no compiled kernel computes the criterion {criterion.name}"
    if criterion.divisor is not None:
        return f"the criterion {criterion.name} compares features by a ratio"
    return None


def is_too_wide(problem: Problem) -> bool:
    """Return whether differences of whole targets are not whole doubles, or their sums are not int64 numbers."""
    exact = problem.exact
    if exact is None:
        return False
    least, greatest = int(exact.multiples[0]), int(exact.multiples[-1])
    most = max(abs(least), abs(greatest), greatest - least)
    return most > _MOST_WHOLE or (greatest - least) * len(exact.multiples) >= _MOST_SUM
