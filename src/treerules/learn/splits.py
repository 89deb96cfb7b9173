"""The best split of one node: the readable reference.

Every feature offers its candidates with numpy on whole columns (`offers.py`); then one scorer, in plain Python and
shared by all, decides among the few that come near the best. So the tree does not depend on how they were found.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from math import ldexp, prod
from typing import cast

from toolz import groupby

from treerules.criteria import Base, information_gain, split_information
from treerules.learn.encoded import Encoded
from treerules.learn.offers import Bag, Candidate, Score, candidates_near_best
from treerules.learn.recipe import Recipe

#: Scores tie within this share of the node's impurity.
_TOLERANCE = 1e-12


def best_split(data: Encoded, bag: Bag, recipe: Recipe) -> Candidate | None:
    """Return the split that the recipe prefers at a node, None when none gains more than the tolerance or `min_gain`.

    Of the candidates within tolerance of the best the first wins: by feature, then the lowest cut, or the first
    side's categories compared as a tuple of positions. Gini is compared exactly.
    """
    score = cache(lambda sizes, sums: _score(data, len(bag.rows), recipe, sizes, sums))  # ties have equal counts
    candidates = [
        candidate.scored(score(candidate.sizes, candidate.sums))
        for candidate in candidates_near_best(data, bag, recipe)
    ]
    tolerance = 0 if recipe.criterion == "gini" and not data.is_regression else _TOLERANCE * bag.impurity
    gaining = [candidate for candidate in candidates if candidate.score > tolerance]
    if not gaining:
        return None
    if recipe.criterion == "gain_ratio":
        best = _best_ratio(gaining, tolerance, recipe)
    else:
        best = _first_best(gaining, tolerance)
    return best if not recipe.min_gain or best.score >= scaled(recipe.min_gain, data, bag) else None


def gain_of(data: Encoded, bag: Bag, best: Candidate, recipe: Recipe) -> Fraction:
    """Return the gain of a node's split (of a gain ratio, the information gain), comparable between nodes."""
    gain = Fraction(best.score)
    if recipe.criterion == "gain_ratio":
        gain *= Fraction(split_information([(size,) for size in best.sizes], cast(Base, recipe.base)))
    return gain / Fraction(4) ** bag.exponent  # a regression's targets are scaled by a power of two


def scaled(bound: float, data: Encoded, bag: Bag) -> float:
    """Return a bound on variances as one on those of the node's scaled target; of a classification, as it is."""
    if not data.is_regression:
        return bound
    try:
        return ldexp(bound, 2 * (bag.exponent - data.exponent))
    except OverflowError:
        return float("inf")


def _first_best(candidates: Sequence[Candidate], tolerance: float) -> Candidate:
    if len(candidates) == 1:
        return candidates[0]
    best = max(candidate.score for candidate in candidates)
    tied = [c for c in candidates if c.score >= (best - tolerance if tolerance else best)]
    return min(tied, key=lambda c: (c.feature, c.sides[0]))


def _best_ratio(candidates: Iterable[Candidate], tolerance: float, recipe: Recipe) -> Candidate:
    """Return C4.5's choice: each feature's candidate of greatest gain, then the greatest gain ratio of the features."""
    by_feature: dict[int, list[Candidate]] = groupby(lambda candidate: candidate.feature, candidates)
    rivals = [_first_best(by_feature[feature], tolerance) for feature in sorted(by_feature)]
    if recipe.average_gain:
        average = sum(rival.score for rival in rivals) / len(rivals)
        rivals = [rival for rival in rivals if rival.score >= average - tolerance]
    widths = [split_information([(size,) for size in rival.sizes], cast(Base, recipe.base)) for rival in rivals]
    ratios = [rival.scored(rival.score / width) for rival, width in zip(rivals, widths, strict=True)]
    best, width_of_best = max(zip(ratios, widths, strict=True), key=lambda pair: pair[0].score)
    return next(
        rival
        for rival, width in zip(ratios, widths, strict=True)
        if (best.score - rival.score) * min(width, width_of_best) <= tolerance
    )


def _score(data: Encoded, n: int, recipe: Recipe, sizes: Sequence[int], sums: Sequence[Sequence[float]]) -> Score:
    """Return the gain on the known rows times their share of the node's n rows: exact for Gini.

    For the gain ratio this is the gain; the ratio is taken when the features' finalists are known.
    """
    known = sum(sizes)
    if data.is_regression:
        total = sum(s for (s,) in sums)
        return (sum(s * s / size for (s,), size in zip(sums, sizes, strict=True)) - total * total / known) / n
    if recipe.criterion == "gini":
        whole = [sum(column) for column in zip(*sums, strict=True)]
        common = prod(sizes) * known
        parts = sum(_squares(group) * (common // size) for group, size in zip(sums, sizes, strict=True))
        return Fraction(parts - _squares(whole) * (common // known), common * n)
    return known / n * information_gain(sums, cast(Base, recipe.base))


def _squares(counts: Iterable[float]) -> int:
    return sum(int(count) ** 2 for count in counts)
