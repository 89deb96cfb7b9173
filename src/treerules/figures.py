"""The figures of `gains`, from class counts alone: the definitions of `criteria` on one feature at a time."""

from fractions import Fraction
from typing import Any, cast

import numpy as np
from attrs import evolve

from treerules import criteria
from treerules.columns import Column
from treerules.criteria import Base
from treerules.gains import FeatureGain, Gains, Side
from treerules.learn.grow import grow
from treerules.learn.problem import Problem
from treerules.learn.recipe import Recipe, c45, cart
from treerules.parts import Groups, Test, Threshold
from treerules.rules import Interval, Members
from treerules.schema import Feature, Schema, ordinate
from treerules.tree import Split


def whole(problem: Problem, recipe: Recipe) -> Gains:
    """Return the figures of all rows, without any feature's."""
    goal = cast(Feature, problem.schema.target)
    n, target = len(problem.target), problem.target
    if problem.schema.is_regression:
        return Gains(goal, n, (), (), None, None, float(target.mean()), criteria.squared_error(target.tolist()), ())
    counts = _counts(problem, np.ones(n, dtype=bool))
    entropy = criteria.entropy(counts, _base(recipe))
    return Gains(goal, n, goal.categories, counts, entropy, criteria.gini(counts), None, None, ())


def feature_gain(problem: Problem, recipe: Recipe, index: int) -> FeatureGain:
    """Return what one feature tells; nothing is chosen yet."""
    alone = evolve(
        problem,
        schema=Schema([problem.schema.features[index]], problem.schema.target),
        columns=(problem.columns[index],),
    )
    return _of_means(alone) if problem.schema.is_regression else _of_classes(alone, recipe)


def _base(recipe: Recipe) -> Base:
    return cast(Base, recipe.base)


def _counts(problem: Problem, rows: Any) -> tuple[int, ...]:
    n_classes = len(problem.schema.classes)
    return tuple(np.bincount(problem.target[rows], minlength=n_classes).tolist())


def _of_classes(problem: Problem, recipe: Recipe) -> FeatureGain:
    (column,), base = problem.columns, _base(recipe)
    known = ~column.missing
    test = _stump(problem, c45(base=base, max_depth=1)) if column.feature.is_ordered else None
    sides = _by_cut(column, test) if column.feature.is_ordered else _by_category(column)
    groups = [_counts(problem, rows) for _, rows in sides]
    n, n_known = len(known), int(known.sum())
    share = n_known / n
    gain = share * criteria.information_gain(groups, base) if groups else 0.0
    width = criteria.split_information(groups, base) if groups else 0.0
    best, gini = _best_in_two(problem, column, recipe)
    return FeatureGain(
        feature=column.feature,
        n_known=n_known,
        cut=test.threshold if isinstance(test, Threshold) else None,
        conditional_entropy=criteria.conditional_entropy(groups, base) if groups else 0.0,
        gain=gain,
        split_information=width,
        gain_ratio=gain / width if width > 0 else None,
        gini=gini,
        squared_error=None,
        decrease=None,
        best=best,
        chosen=False,
        sides=[_side(problem, column, values, rows, base) for values, rows in sides],
    )


def _side(problem: Problem, column: Column, values: Interval | Members, rows: Any, base: Base) -> Side:
    counts = _counts(problem, rows)
    rest = _counts(problem, ~rows & ~column.missing)
    gini = criteria.gini_of_split([counts, rest]) if isinstance(values, Members) else None
    return Side(values, int(rows.sum()), counts, criteria.entropy(counts, base), gini)


def _best_in_two(problem: Problem, column: Column, recipe: Recipe) -> tuple[Interval | Members | None, float]:
    """Return the first side of the division in two of least Gini, and that Gini; the first on ties."""
    if not column.feature.is_ordered and not (recipe.is_binary and recipe.categories == "subset"):
        parts = _by_category(column)
        if len(parts) > 1:
            known = ~column.missing
            ginis = [_exact_gini(_counts(problem, rows), _counts(problem, ~rows & known)) for _, rows in parts]
            place = ginis.index(min(ginis))
            return parts[place][0], float(min(ginis))
    test = _stump(problem, cart(max_depth=1))
    if test is None:
        return None, criteria.gini(_counts(problem, ~column.missing))
    sides = _divided(column, test)
    return sides[0][0], criteria.gini_of_split([_counts(problem, rows) for _, rows in sides])


def _exact_gini(*groups: tuple[int, ...]) -> Fraction:
    n = sum(map(sum, groups))
    return sum(
        (
            Fraction(sum(group) ** 2 - sum(count * count for count in group), sum(group) * n)
            for group in groups
            if any(group)
        ),
        Fraction(0),
    )


def _of_means(problem: Problem) -> FeatureGain:
    (column,) = problem.columns
    known = ~column.missing
    test = _stump(problem, cart(max_depth=1))
    sides = _divided(column, test) if test is not None else []
    total = criteria.squared_error(problem.target[known].tolist())
    left = sum(criteria.squared_error(problem.target[rows].tolist()) for _, rows in sides) if sides else total
    shown = sides if column.feature.is_ordered else _by_category(column)
    return FeatureGain(
        feature=column.feature,
        n_known=int(known.sum()),
        cut=test.threshold if isinstance(test, Threshold) else None,
        conditional_entropy=None,
        gain=None,
        split_information=None,
        gain_ratio=None,
        gini=None,
        squared_error=left,
        decrease=total - left,
        best=sides[0][0] if sides else None,
        chosen=False,
        sides=[
            Side(values, int(rows.sum()), (), None, None, float(problem.target[rows].mean())) for values, rows in shown
        ],
    )


# ---- dividing


def _stump(problem: Problem, recipe: Recipe) -> Test | None:
    """Return the test of the best split by the problem's only feature; None where none gains anything."""
    root = grow(problem, recipe).root
    return root.test if isinstance(root, Split) else None


def _by_category(column: Column) -> list[tuple[Interval | Members, Any]]:
    """Return the categories that some row holds, each with its rows."""
    held = np.unique(column.data[~column.missing]).tolist()
    return [(Members((column.feature.categories[code],)), column.data == code) for code in held]


def _by_cut(column: Column, test: Test | None) -> list[tuple[Interval | Members, Any]]:
    return [(Interval(), ~column.missing)] if test is None else _divided(column, test)


def _divided(column: Column, test: Test) -> list[tuple[Interval | Members, Any]]:
    """Return the two sides of a test, each with its rows of known value."""
    feature, known = column.feature, ~column.missing
    if isinstance(test, Groups):
        categories = feature.categories
        return [
            (Members([categories[code] for code in group]), known & np.isin(column.data, group))
            for group in test.groups
        ]
    first = known & (column.data <= ordinate(test.threshold))
    return [(Interval(None, test.threshold), first), (Interval(test.threshold, None), known & ~first)]
