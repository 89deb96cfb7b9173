"""The figures of `feature_gains`, one feature at a time: from class counts alone, by the definitions of `criteria`."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, cast

import numpy as np
from attrs import evolve, field, frozen

from treerules import criteria
from treerules._internal.field_converters import as_tuple
from treerules._internal.notebook import as_html
from treerules.criteria import Base
from treerules.data.column import Column
from treerules.data.interval import Interval
from treerules.data.schema import Feature, Kind, Schema, ordinate
from treerules.growing.growers import grow
from treerules.growing.problem import Problem
from treerules.recipes.algorithms import c45, cart
from treerules.recipes.recipe import Recipe
from treerules.rules.rule import Members
from treerules.trees.node_parts import CategoryTest, Test, ThresholdTest
from treerules.trees.tree import Split

Counts = tuple[int, ...]
Values = Interval | Members


@frozen
class GainBranch:
    """The rows of D whose value of a feature is one category, or lies on one side of a cut."""

    values: Interval | Members
    n: int
    #: class counts, in the order of `Gains.classes`; empty for a regression
    counts: tuple[int, ...] = field(converter=as_tuple)
    #: the entropy of a classification's side
    entropy: float | None
    #: Gini(D, A = a): of this value against the rest (Li Hang, formula 5.25); None at a cut
    gini: float | None
    #: the mean of a regression's side
    mean: float | None = None


@frozen
class FeatureGain:
    """What one feature tells. Categories are divided each for itself, ordered features at the cut of greatest gain.

    Where values are missing all is computed on the known rows, and `gain` is multiplied by their share.
    """

    feature: Feature
    n_known: int
    #: where an ordered feature is cut; None elsewhere, and where no cut gains anything
    cut: Any
    #: H(D|A), information gain, H_A(D) and gain ratio; None for a regression
    conditional_entropy: float | None
    gain: float | None
    split_information: float | None
    gain_ratio: float | None
    #: Gini(D, A) of the best division in two, and its first side; None for a regression
    gini: float | None
    #: the sum of squared errors after the best division in two, and what it takes away; None for a classification
    squared_error: float | None
    decrease: float | None
    #: the first side of the best division in two, by Gini or squared error; None where none helps
    best: Interval | Members | None
    #: whether the recipe splits here
    chosen: bool
    sides: tuple[GainBranch, ...] = field(converter=as_tuple)


@frozen(repr=False)
class FeatureGains:
    """The rows D of one node: their figures, and what each feature tells about the target."""

    target: Feature
    n: int
    #: the classes of D and their counts; empty for a regression
    classes: tuple[Any, ...] = field(converter=as_tuple)
    counts: tuple[int, ...] = field(converter=as_tuple)
    #: H(D) and Gini(D) of a classification
    entropy: float | None
    gini: float | None
    #: the mean of a regression, and the sum of squared errors around it
    mean: float | None
    squared_error: float | None
    features: tuple[FeatureGain, ...] = field(converter=as_tuple)
    notes: tuple[str, ...] = field(default=(), converter=as_tuple, eq=False)

    def __repr__(self) -> str:
        return f"<Gains {self.target.name!r} n={self.n} features={len(self.features)}>"

    @property
    def is_regression(self) -> bool:
        """Whether the target is predicted as a number."""
        return self.mean is not None

    def feature(self, name: str) -> FeatureGain:
        """Return what the feature of that name tells.

        Raises:
            UnknownNameError: there is none; the error names the closest.
        """
        return self.features[Schema([gain.feature for gain in self.features]).index(name)]

    def _repr_html_(self) -> str:
        return as_html("gains_html", self)


def whole(problem: Problem, recipe: Recipe) -> FeatureGains:
    """Return the figures of all rows, without any feature's."""
    goal = cast(Feature, problem.schema.target)
    n, target = len(problem.target), problem.target
    if problem.schema.is_regression:
        return FeatureGains(
            goal, n, (), (), None, None, float(target.mean()), criteria.squared_error(target.tolist()), ()
        )
    counts = _counts(problem, np.ones(n, dtype=bool))
    entropy = criteria.entropy(counts, _base(recipe))
    return FeatureGains(goal, n, goal.categories, counts, entropy, criteria.gini(counts), None, None, ())


def feature_gain(problem: Problem, recipe: Recipe, index: int) -> FeatureGain:
    """Return what one feature tells; nothing is chosen yet."""
    alone = evolve(
        problem,
        schema=Schema([problem.schema.features[index]], problem.schema.target),
        columns=(problem.columns[index],),
    )
    return _of_means(alone, recipe) if problem.schema.is_regression else _of_classes(alone, recipe)


def _base(recipe: Recipe) -> Base:
    return cast(Base, recipe.base)


def _counts(problem: Problem, rows: Any) -> tuple[int, ...]:
    n_classes = len(problem.schema.classes)
    return tuple(np.bincount(problem.target[rows], minlength=n_classes).tolist())


def _of_classes(problem: Problem, recipe: Recipe) -> FeatureGain:
    (column,), base = problem.columns, _base(recipe)
    least = recipe.min_samples_leaf
    test = (
        _stump(problem, c45(base=base, min_samples_leaf=least, missing="larger")) if column.feature.is_ordered else None
    )
    sides = _cut(problem, test) if column.feature.is_ordered else _by_category(problem)
    groups = [counts for _, counts in sides]
    total = _totals(groups)
    n, n_known = len(column.missing), int((~column.missing).sum())
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
    rest = [whole - count for whole, count in zip(total, counts, strict=True)]
    n = sum(counts) + sum(rest)
    left = [Fraction(sum(g) ** 2 - sum(count * count for count in g), sum(g) * n) for g in (counts, rest) if any(g)]
    return sum(left, Fraction(0))


def _best_in_two(problem: Problem, recipe: Recipe) -> tuple[Values | None, float]:
    """Return the first side of the division in two of least Gini, and that Gini; the first on ties.

    It is the division that CART with the recipe's own way with categories makes, also where it gains nothing.
    """
    (column,), alone = problem.columns, _cart(recipe)
    if column.feature.kind is Kind.CATEGORY and alone.categories == "one_against_rest":
        parts = _by_category(problem)
        total, least = _totals([counts for _, counts in parts]), recipe.min_samples_leaf
        n = sum(total)
        fitting = [(v, counts) for v, counts in parts if least <= sum(counts) <= n - least]
        if fitting:
            ginis = [_gini_against_rest(total, counts) for _, counts in fitting]
            place = ginis.index(min(ginis))
            return fitting[place][0], float(ginis[place])
    test = _stump(problem, alone)
    sides = _cut(problem, test)
    return sides[0][0] if test is not None else None, criteria.gini_of_split([counts for _, counts in sides])


def _cart(recipe: Recipe) -> Recipe:
    """Return CART as a recipe would have it: a recipe that divides in many has one value against the rest."""
    categories: Any = recipe.categories if recipe.is_binary else "one_against_rest"
    return cart(categories=categories, min_samples_leaf=recipe.min_samples_leaf, missing="larger")


# ---- regressions


def _of_means(problem: Problem, recipe: Recipe) -> FeatureGain:
    (column,) = problem.columns
    known = ~column.missing
    test = _stump(problem, _cart(recipe))
    sides = _divided(column, test) if test is not None else []
    total = criteria.squared_error(problem.target[known].tolist())
    left = sum(criteria.squared_error(problem.target[rows].tolist()) for _, rows in sides) if sides else total
    shown: Any = _means(problem, sides) if column.feature.is_ordered else _means_by_category(problem)
    return FeatureGain(
        feature=column.feature,
        n_known=int(known.sum()),
        cut=test.threshold if isinstance(test, ThresholdTest) else None,
        conditional_entropy=None,
        gain=None,
        split_information=None,
        gain_ratio=None,
        gini=None,
        squared_error=left,
        decrease=total - left if total < float("inf") else None,
        best=sides[0][0] if sides else None,
        chosen=False,
        sides=[GainBranch(values, n, (), None, None, mean) for values, n, mean in shown],
    )


def _means(problem: Problem, sides: Sequence[tuple[Values, Any]]) -> list[tuple[Values, int, float]]:
    return [(values, int(rows.sum()), float(problem.target[rows].mean())) for values, rows in sides]


def _means_by_category(problem: Problem) -> list[tuple[Values, int, float]]:
    (column,) = problem.columns
    known = ~column.missing
    codes, n = column.data[known], max(1, len(column.feature.categories))
    sizes, sums = np.bincount(codes, minlength=n), np.bincount(codes, weights=problem.target[known], minlength=n)
    return [
        (Members((column.feature.categories[code],)), int(sizes[code]), float(sums[code] / sizes[code]))
        for code in np.flatnonzero(sizes).tolist()
    ]


# ---- dividing


def _stump(problem: Problem, recipe: Recipe) -> Test | None:
    """Return the test of the recipe's best split by the problem's only feature; None where none gains anything."""
    root = grow(problem, evolve(recipe, max_depth=1)).root
    return root.test if isinstance(root, Split) else None


def _by_category(problem: Problem) -> list[tuple[Values, Counts]]:
    """Return the categories that some row holds, each with its class counts."""
    (column,), n_classes = problem.columns, len(problem.schema.classes)
    known, n = ~column.missing, max(1, len(column.feature.categories))
    pairs = column.data[known].astype(np.int64) * n_classes + problem.target[known]
    table = np.bincount(pairs, minlength=n * n_classes).reshape(n, n_classes)
    held = np.flatnonzero(table.any(axis=1)).tolist()
    return [(Members((column.feature.categories[code],)), tuple(table[code].tolist())) for code in held]


def _cut(problem: Problem, test: Test | None) -> list[tuple[Values, Counts]]:
    """Return the sides of a test with their class counts; without a test all known rows as one."""
    (column,) = problem.columns
    sides = _divided(column, test) if test is not None else [(Interval(), ~column.missing)]
    return [(values, _counts(problem, rows)) for values, rows in sides]


def _divided(column: Column, test: Test) -> list[tuple[Values, Any]]:
    """Return the two sides of a test, each with its rows of known value."""
    feature, known = column.feature, ~column.missing
    if isinstance(test, CategoryTest):
        categories = feature.categories
        return [
            (Members([categories[code] for code in group]), known & np.isin(column.data, group))
            for group in test.groups
        ]
    first = known & (column.data <= ordinate(test.threshold))
    return [(Interval(None, test.threshold), first), (Interval(test.threshold, None), known & ~first)]
