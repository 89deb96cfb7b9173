"""Reasons for which the compiled kernels cannot grow a tree."""

from typing import Any

from treerules.criteria.table import ENTROPY_KERNEL, general_kernel_of
from treerules.growing.encoding import is_cut_in_order
from treerules.growing.problem import Problem
from treerules.growing.refusals import first_reason, is_too_wide
from treerules.recipes.recipe import Recipe

#: A list entry of the kernels holds a row and its class in this many bits.
ENTRY_BITS = 30
#: With greater targets, the difference of two of them may overflow.
_MOST_TARGET = 2.0**1020
#: The codes of a feature are at most this many; the sum of weights is this many times the least.
_MOST_CODES, _MOST_RATIO = 1 << 20, 2.0**48
#: A class has 16 bits; every node stores the count of every class, at most this many counts in all.
_MOST_CLASSES, _MOST_COUNTS = 1 << 16, 1 << 27


def kernel_refusal(problem: Problem, recipe: Recipe, validation: Any) -> str | None:
    """Return why the kernels cannot grow a tree; None where they can.

    They support Gini, entropy, gain ratio and squared error, with weights, class weights, priors and costs of errors
    and of features; cuts, two subsets, one category against the rest, and a child for each category; monotone
    features; missing values that go to the larger child or where they help; all stopping rules.
    """
    n, n_classes, is_regression = len(problem.target), len(problem.schema.classes), problem.weighing is None
    code = general_kernel_of(recipe.scoring_of(is_regression))
    bits = max(1, (n - 1).bit_length()) + max(0, (n_classes - 1).bit_length())
    has_missing = any(column.n_missing for column in problem.columns)
    has_many = recipe.categories == "multiway" and not all(
        is_cut_in_order(column.feature, recipe) for column in problem.columns
    )
    most = max((len(column.feature.categories) for column in problem.columns), default=0)
    overflows = is_regression and max(abs(problem.target[0]), abs(problem.target[-1])) > _MOST_TARGET
    return first_reason(
        [
            (validation is not None, "a validation table decides which splits are made"),
            (is_too_wide(problem), "sums of the target need more than 62 bits"),
            (bool(overflows), f"differences of targets beyond {_MOST_TARGET:.0e} may overflow"),
            (recipe.categories == "grouped", "categories are grouped"),
            (code is None, f"no compiled kernel computes the criterion {recipe.scoring.name}"),
            (code != ENTROPY_KERNEL and has_many, "only entropy is computed of many children"),
            (
                has_missing and recipe.missing not in ("larger", "learned", "error"),
                f"missing values are treated as {recipe.missing!r}",
            ),
            (has_missing and has_many and recipe.missing == "learned", "missing values may go to any of many children"),
            (_are_unlike(problem.weights), "weights are too unlike for sums to hold them all"),
            (n_classes > _MOST_CLASSES, f"there are more than {_MOST_CLASSES} classes"),
            (n * n_classes > _MOST_COUNTS, f"rows times classes are more than {_MOST_COUNTS}"),
            (bits > ENTRY_BITS, f"a row and its class need more than {ENTRY_BITS} bits"),
            (most > _MOST_CODES, f"a feature has more than {_MOST_CODES} categories"),
        ]
    )


def _are_unlike(weights: Any) -> bool:
    """Return whether the least weight may be lost in the sum of all."""
    return weights is not None and float(weights.max()) * len(weights) > _MOST_RATIO * float(weights.min())
