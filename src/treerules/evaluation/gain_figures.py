"""The figures of `feature_gains`, one feature at a time: from class counts alone, by the definitions of `criteria`."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, cast

import numpy as np
from attrs import evolve

from treerules import criteria
from treerules.criteria import Base
from treerules.data.column import Column
from treerules.data.interval import Interval
from treerules.data.sample_weights import integer_if_whole
from treerules.data.schema import Feature, Kind, ordinate
from treerules.evaluation.cut_gains import cut_gains
from treerules.evaluation.gain_records import FeatureGain, FeatureGains, GainBranch
from treerules.growing.growers import grow
from treerules.growing.problem import Problem
from treerules.recipes.algorithms import c45, cart
from treerules.recipes.recipe import Recipe
from treerules.rules.rule import Members
from treerules.trees.node_parts import CategoryTest, Test, ThresholdTest
from treerules.trees.nodes import Split

Counts = tuple[float, ...]
Values = Interval | Members


def gains_without_features(problem: Problem, recipe: Recipe) -> FeatureGains:
    """Return the figures of all rows, without features."""
    goal = cast(Feature, problem.schema.target)
    rows = np.ones(len(problem.target), dtype=bool)
    n = _weight(problem, rows)
    if problem.schema.is_regression:
        mean, squared_error = _mean(problem, rows), _squared_error(problem, rows)
        return FeatureGains(goal, n, (), (), None, None, mean, squared_error, ())
    counts = _counts(problem, rows)
    entropy = criteria.entropy(counts, _base(recipe))
    return FeatureGains(goal, n, goal.categories, counts, entropy, criteria.gini(counts), None, None, ())


def feature_gain(problem: Problem, recipe: Recipe, index: int) -> FeatureGain:
    """Return the gains of one feature, not marked as chosen."""
    single_feature = evolve(
        problem,
        schema=evolve(problem.schema, features=[problem.schema.features[index]]),
        columns=(problem.columns[index],),
    )
    gain = (_of_means if problem.schema.is_regression else _of_classes)(single_feature, recipe)
    (column,) = single_feature.columns
    return evolve(gain, curve=cut_gains(problem, column, _base(recipe)) if column.feature.is_ordered else ())


def _base(recipe: Recipe) -> Base:
    return cast(Base, recipe.base)


# ---- figures of the rows selected by a mask


def _weights(problem: Problem, rows: Any) -> Any:
    """Return the weights of some rows; None where each row counts once."""
    return None if problem.weights is None else problem.weights[rows]


def _weight(problem: Problem, rows: Any) -> float:
    """Return the (weighted) number of some rows."""
    return int(rows.sum()) if problem.weights is None else integer_if_whole(problem.weights[rows].sum().item())


def _counts(problem: Problem, rows: Any) -> Counts:
    """Return the (weighted) class counts of some rows."""
    return _counts_of_positions(problem.target[rows], _weights(problem, rows), len(problem.schema.classes))


def _counts_of_positions(positions: Any, weights: Any, n: int) -> Counts:
    """Return the (weighted) number of times that each of `n` positions occurs."""
    counts = np.bincount(positions, weights=weights, minlength=n).tolist()
    return tuple(counts if weights is None else map(integer_if_whole, counts))


def _mean(problem: Problem, rows: Any) -> float:
    return float(np.average(problem.target[rows], weights=_weights(problem, rows)))


def _squared_error(problem: Problem, rows: Any) -> float:
    weights = _weights(problem, rows)
    return criteria.squared_error(problem.target[rows].tolist(), None if weights is None else weights.tolist())


# ---- classifications


def _of_classes(problem: Problem, recipe: Recipe) -> FeatureGain:
    (column,), base = problem.columns, _base(recipe)
    least = recipe.min_samples_leaf
    stump_recipe = c45(base=base, thresholds=_thresholds(recipe), min_samples_leaf=least, missing="larger")
    test = _stump(problem, stump_recipe) if column.feature.is_ordered else None
    sides = _cut(problem, test) if column.feature.is_ordered else _by_category(problem)
    groups = [counts for _, counts in sides]
    total = _totals(groups)
    n, n_known = sum(_counts(problem, slice(None))), _weight(problem, ~column.missing)
    gain = n_known / n * criteria.information_gain(groups, base) if groups else 0.0
    width = criteria.split_information(groups, base) if groups else 0.0
    best, gini = _best_in_two(problem, recipe)
    return FeatureGain(
        feature=column.feature,
        n_known=n_known,
        cut=test.threshold if isinstance(test, ThresholdTest) else None,
        conditional_entropy=criteria.conditional_entropy(groups, base) if groups else 0.0,
        gain=gain,
        split_information=width,
        gain_ratio=gain / width if width > 0 else None,
        gini=gini,
        squared_error=None,
        decrease=None,
        best=best,
        chosen=False,
        sides=[_side(total, values, counts, base) for values, counts in sides],
    )


def _side(total: Counts, values: Values, counts: Counts, base: Base) -> GainBranch:
    gini = float(_gini_against_rest(total, counts)) if isinstance(values, Members) else None
    return GainBranch(values, sum(counts), counts, criteria.entropy(counts, base), gini)


def _totals(groups: Sequence[Counts]) -> Counts:
    return tuple(map(sum, zip(*groups, strict=True)))


def _gini_against_rest(total: Counts, counts: Counts) -> Fraction:
    """Return Gini(D, A = a), exactly: of a value with these counts against all others."""
    if not {int}.issuperset(map(type, (*total, *counts))):
        total, counts = map(_fractions, (total, counts))
    other_counts: list[Any] = [total_count - count for total_count, count in zip(total, counts, strict=True)]
    n = sum(counts) + sum(other_counts)
    groups: list[Any] = [group for group in (counts, other_counts) if any(group)]
    impurities = [Fraction(sum(g) ** 2 - sum(count * count for count in g), sum(g) * n) for g in groups]
    return sum(impurities, Fraction(0))


def _fractions(counts: Counts) -> Any:
    return tuple(map(Fraction, counts))


def _best_in_two(problem: Problem, recipe: Recipe) -> tuple[Values | None, float]:
    """Return the first side of the binary split of least Gini, and that Gini; the first on ties.

    This is the split that CART makes with the recipe's treatment of categories, even if its gain is 0.
    """
    (column,), binary_recipe = problem.columns, _cart(recipe)
    if column.feature.kind is Kind.CATEGORY and binary_recipe.categories == "one_against_rest":
        categories = _by_category(problem)
        total, least = _totals([counts for _, counts in categories]), recipe.least
        sizes = [sum(counts) for _, counts in _by_category(evolve(problem, weights=problem.row_sizes))]
        fitting = [side for side, size in zip(categories, sizes, strict=True) if least <= size <= sum(sizes) - least]
        if fitting:
            ginis = [_gini_against_rest(total, counts) for _, counts in fitting]
            best_index = ginis.index(min(ginis))
            return fitting[best_index][0], float(ginis[best_index])
    test = _stump(problem, binary_recipe)
    sides = _cut(problem, test)
    return sides[0][0] if test is not None else None, criteria.gini_of_split([counts for _, counts in sides])


def _cart(recipe: Recipe) -> Recipe:
    """Return a CART recipe with the options of a recipe; multiway splits become one category against the rest."""
    categories: Any = recipe.categories if recipe.is_binary else "one_against_rest"
    least, thresholds = recipe.min_samples_leaf, _thresholds(recipe)
    return cart(categories=categories, thresholds=thresholds, min_samples_leaf=least, missing="larger")


def _thresholds(recipe: Recipe) -> Any:
    """Return the form of thresholds of a recipe; ID3, which has none, is shown those of CART."""
    return recipe.thresholds if recipe.has_cuts else "midpoint"


# ---- regressions


def _of_means(problem: Problem, recipe: Recipe) -> FeatureGain:
    (column,) = problem.columns
    is_known = ~column.missing
    test = _stump(problem, _cart(recipe))
    sides = _rows_of_sides(column, test) if test is not None else []
    total = _squared_error(problem, is_known)
    after = sum(_squared_error(problem, rows) for _, rows in sides) if sides else total
    side_means: Any = _means(problem, sides) if column.feature.is_ordered else _means_by_category(problem)
    return FeatureGain(
        feature=column.feature,
        n_known=_weight(problem, is_known),
        cut=test.threshold if isinstance(test, ThresholdTest) else None,
        conditional_entropy=None,
        gain=None,
        split_information=None,
        gain_ratio=None,
        gini=None,
        squared_error=after,
        decrease=total - after if total < float("inf") else None,
        best=sides[0][0] if sides else None,
        chosen=False,
        sides=[GainBranch(values, n, (), None, None, mean) for values, n, mean in side_means],
    )


def _means(problem: Problem, sides: Sequence[tuple[Values, Any]]) -> list[tuple[Values, float, float]]:
    return [(values, _weight(problem, rows), _mean(problem, rows)) for values, rows in sides]


def _means_by_category(problem: Problem) -> list[tuple[Values, float, float]]:
    (column,) = problem.columns
    is_known = ~column.missing
    codes, n, weights = column.data[is_known], max(1, len(column.feature.categories)), _weights(problem, is_known)
    sizes, targets = _counts_of_positions(codes, weights, n), problem.target[is_known]
    sums = np.bincount(codes, weights=targets if weights is None else targets * weights, minlength=n)
    return [
        (Members((column.feature.categories[code],)), sizes[code], float(sums[code] / sizes[code]))
        for code in np.flatnonzero(sizes).tolist()
    ]


# ---- dividing


def _stump(problem: Problem, recipe: Recipe) -> Test | None:
    """Return the test of the recipe's best split by the problem's only feature; None if no split has a gain."""
    root = grow(problem, evolve(recipe, max_depth=1)).root
    return root.test if isinstance(root, Split) else None


def _by_category(problem: Problem) -> list[tuple[Values, Counts]]:
    """Return the categories that occur, each with its class counts."""
    (column,), n_classes = problem.columns, len(problem.schema.classes)
    is_known, n = ~column.missing, max(1, len(column.feature.categories))
    pairs = column.data[is_known].astype(np.int64) * n_classes + problem.target[is_known]
    counts = _counts_of_positions(pairs, _weights(problem, is_known), n * n_classes)
    by_category = [(code, counts[code * n_classes : (code + 1) * n_classes]) for code in range(n)]
    return [
        (Members((column.feature.categories[code],)), class_counts)
        for code, class_counts in by_category
        if any(class_counts)
    ]


def _cut(problem: Problem, test: Test | None) -> list[tuple[Values, Counts]]:
    """Return the sides of a test with their class counts; without a test all known rows as one."""
    (column,) = problem.columns
    sides = _rows_of_sides(column, test) if test is not None else [(Interval(), ~column.missing)]
    return [(values, _counts(problem, rows)) for values, rows in sides]


def _rows_of_sides(column: Column, test: Test) -> list[tuple[Values, Any]]:
    """Return the two sides of a test, each with the mask of its rows with a known value."""
    feature, is_known = column.feature, ~column.missing
    if isinstance(test, CategoryTest):
        categories = feature.categories
        return [
            (Members([categories[code] for code in group]), is_known & np.isin(column.data, group))
            for group in test.groups
        ]
    threshold = cast(ThresholdTest, test).threshold  # growers make no other
    is_first = is_known & (column.data <= ordinate(threshold))
    return [(Interval(None, threshold), is_first), (Interval(threshold, None), is_known & ~is_first)]
