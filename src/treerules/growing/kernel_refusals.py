"""Reasons for which the compiled kernels cannot grow a tree."""

from typing import Any

from treerules.criteria.table import ENTROPY_KERNEL, general_kernel_of
from treerules.growing.encoding import is_cut_in_order
from treerules.growing.problem import Problem
from treerules.growing.refusals import (
    binary_criterion_refusal,
    common_reasons,
    first_reason,
    is_too_wide,
    multiway_criterion_refusal,
)
from treerules.recipes.recipe import Recipe

#: A list entry of the kernels holds a row and its class in this many bits.
ENTRY_BITS = 30
#: With greater targets, the difference of two of them may overflow.
_MOST_TARGET = 2.0**1020
#: Two categories have a single division, which needs no search.
_MOST_PAIRED = 2
#: The general kernels: the codes of a feature are at most this many; the sum of weights is this many times the least.
_MOST_CODES, _MOST_RATIO = 1 << 20, 2.0**48
#: The kernels sort categories by insertion, which is slow for more; a class has 16 bits; every node stores the count
#: of every class, at most this many counts in all.
_MOST_CATEGORIES, _MOST_CLASSES, _MOST_COUNTS = 1000, 1 << 16, 1 << 27
#: Multiway kernels: the categories of all features, and one more per feature for missing values, have 16-bit numbers.
_MOST_CELLS = 1 << 16


def kernel_refusal(problem: Problem, recipe: Recipe, validation: Any) -> str | None:
    """Return why the kernels for binary splits cannot grow a tree; None where they can.

    They support cuts and splits into two subsets, by squared error, or by Gini or entropy of equally weighted
    classes; all stopping rules but `max_leaves`; and missing values that go to the larger child or where they help.
    """
    n, n_classes = len(problem.target), len(problem.schema.classes)
    overflows = problem.weighing is None and max(abs(problem.target[0]), abs(problem.target[-1])) > _MOST_TARGET
    unscored = binary_criterion_refusal(recipe.scoring_of(problem.weighing is None))
    bits = max(1, (n - 1).bit_length()) + max(0, (n_classes - 1).bit_length())
    most_categories = max((len(column.feature.categories) for column in problem.columns), default=0)
    return first_reason(
        [
            *common_reasons(problem, recipe, validation),
            (recipe.quinlan, "C4.5 as published is asked for"),
            (is_too_wide(problem), "sums of the target need more than 62 bits"),
            (bool(overflows), f"differences of targets beyond {_MOST_TARGET:.0e} may overflow"),
            (not recipe.is_binary, "splits may have more than two children"),
            (unscored is not None, unscored or ""),
            (recipe.average_gain, "only features of average gain compete"),
            (recipe.missing not in ("larger", "learned", "error"), f"missing values are treated as {recipe.missing!r}"),
            (_has_many_subsets(problem, recipe), "the general kernels find subsets for more than two classes"),
            (most_categories > _MOST_CATEGORIES, f"a feature has more than {_MOST_CATEGORIES} categories"),
            (n_classes > _MOST_CLASSES, f"there are more than {_MOST_CLASSES} classes"),
            (n * n_classes > _MOST_COUNTS, f"rows times classes are more than {_MOST_COUNTS}"),
            (bits > ENTRY_BITS, f"a row and its class need more than {ENTRY_BITS} bits"),
        ]
    )


def _has_many_subsets(problem: Problem, recipe: Recipe) -> bool:
    """Return whether three categories or more are divided into subsets for more than two classes."""
    features = [column.feature for column in problem.columns if not is_cut_in_order(column.feature, recipe)]
    is_divided = recipe.categories == "subset" and len(problem.schema.classes) > 2
    return is_divided and any(len(feature.categories) > _MOST_PAIRED for feature in features)


def multiway_refusal(problem: Problem, recipe: Recipe, validation: Any) -> str | None:
    """Return why the kernels for multiway splits cannot grow a tree; None where they can.

    They support one child per category for all features, by information gain or gain ratio of equally weighted
    classes, C4.5 as published included; all stopping rules but `max_leaves`; and missing values that go to the
    larger child.
    """
    unscored = multiway_criterion_refusal(recipe.scoring)
    has_missing = any(column.n_missing for column in problem.columns)
    n_cells = sum(len(column.feature.categories) + 1 for column in problem.columns)
    return first_reason(
        [
            *common_reasons(problem, recipe, validation),
            (problem.weighing is None, "the target is a number"),
            (recipe.categories != "multiway", "categories do not get a child each"),
            (unscored is not None, unscored or ""),
            (any(is_cut_in_order(column.feature, recipe) for column in problem.columns), "a feature is cut in order"),
            (recipe.missing != "larger" and has_missing, f"missing values are treated as {recipe.missing!r}"),
            (n_cells > _MOST_CELLS, f"the features have more than {_MOST_CELLS} categories in all"),
        ]
    )


def general_refusal(problem: Problem, recipe: Recipe, validation: Any) -> str | None:
    """Return why the general kernels cannot grow a tree; None where they can.

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
