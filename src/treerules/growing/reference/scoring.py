"""The best split of one node: the readable reference.

Every feature offers its candidates with numpy on whole columns (`candidates`); then one scorer, in plain Python and
shared by all, decides among the few that come near the best. So the tree does not depend on how they were found.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from math import ldexp, log2
from typing import Any, cast

from toolz import groupby

from treerules.criteria import Base
from treerules.growing.encoding import Encoded
from treerules.growing.reference.candidates import candidates_near_best
from treerules.growing.reference.node_data import Bag, Candidate, Group, Score, joined
from treerules.recipes.recipe import Recipe

#: Scores tie within this share of the node's impurity.
_TOLERANCE = 1e-12
#: How far below the average gain a feature still competes where C4.5 is followed to the letter.
BELOW_AVERAGE = 1e-3
#: There, features with a category for more than this share of all rows (by weight) do not count for the average.
MANY_VALUES = 0.3

#: The score of children's groups, of which some rows are scored.
Scorer = Callable[[tuple[Group, ...], float], Score]


def best_split(data: Encoded, bag: Bag, recipe: Recipe, first: Sequence[int]) -> Candidate | None:
    """Return the split that the recipe prefers at a node, None when none gains more than the tolerance or `min_gain`.

    Of the candidates within tolerance of the best the first wins: by the feature's place in `first`, then cuts and
    divisions before what tells missing values from the rest, then the lowest cut, or the first side's categories
    compared as a tuple of positions. Scores of whole counts are compared exactly where the criterion can (Gini).
    """
    criterion = bag.scale.criterion
    is_exact = criterion.exact_score is not None and _is_whole(bag)
    score: Scorer = cache(lambda groups, n: _score(bag, groups, n, is_exact))  # ties have equal groups
    tolerance = 0 if is_exact else _TOLERANCE * bag.impurity
    candidates = [_placed(c, recipe, score, tolerance) for c in candidates_near_best(data, bag, recipe)]
    if criterion.divisor is not None:
        best = _best_ratio(data, candidates, tolerance, bag, recipe, first)
    else:
        gaining = [candidate for candidate in candidates if candidate.score > tolerance]
        best = _first_best(data, gaining, tolerance, first) if gaining else None
    return best if best is None or not recipe.min_gain or best.score >= scaled(recipe.min_gain, data, bag) else None


def gain_of(data: Encoded, bag: Bag, best: Candidate, recipe: Recipe) -> Fraction:
    """Return the gain of a node's split (of a gain ratio, the information gain), comparable between nodes."""
    gain = Fraction(best.score)
    if bag.scale.criterion.divisor is not None:
        gain *= Fraction(_width(best, bag, recipe))
    return gain / Fraction(4) ** bag.exponent  # a regression's targets are scaled by a power of two


def scaled(bound: float, data: Encoded, bag: Bag) -> float:
    """Return a bound on variances as one on those of the node's scaled target; of a classification, as it is."""
    if not data.is_regression:
        return bound
    try:
        return ldexp(bound, 2 * (bag.exponent - data.exponent))
    except OverflowError:
        return float("inf")


def _is_whole(bag: Bag) -> bool:
    """Whether all counts of parts of a node are whole: then they are compared exactly."""
    return bag.scale.factors is None and (bag.weights is None or bool((bag.weights == bag.weights.round()).all()))


# ---- choosing


def _worth(data: Encoded, candidate: Candidate) -> Any:
    return candidate.score if data.costs is None else candidate.score / float(data.costs[candidate.feature])


def _first_best(data: Encoded, candidates: Sequence[Candidate], tolerance: float, first: Sequence[int]) -> Candidate:
    if len(candidates) == 1:
        return candidates[0]
    worths = [_worth(data, candidate) for candidate in candidates]
    least = max(worths) - tolerance if tolerance else max(worths)
    tied = [candidate for candidate, worth in zip(candidates, worths, strict=True) if worth >= least]
    return min(tied, key=lambda c: (first[c.feature], *c.rank))


def _best_ratio(
    data: Encoded,
    candidates: Iterable[Candidate],
    tolerance: float,
    bag: Bag,
    recipe: Recipe,
    first: Sequence[int],
) -> Candidate | None:
    """Return C4.5's choice: each feature's candidate of greatest gain, then the greatest gain ratio of the features."""
    by_feature: dict[int, list[Candidate]] = groupby(lambda candidate: candidate.feature, candidates)
    rivals = [
        _first_best(data, by_feature[feature], tolerance, first)
        for feature in sorted(by_feature, key=lambda feature: first[feature])
    ]
    if recipe.quinlan:
        rivals = [_paid(rival, bag) for rival in rivals]
        rivals = [rival for rival in rivals if rival.score > tolerance or not rival.is_cut]
    average = _average([rival for rival in rivals if recipe.quinlan or rival.score > tolerance], data, recipe)
    rivals = [rival for rival in rivals if rival.score > tolerance]
    if recipe.average_gain:
        rivals = [rival for rival in rivals if rival.score >= average - tolerance]
    if not rivals:
        return None
    widths = [_width(rival, bag, recipe) for rival in rivals]
    ratios = [
        rival.scored(rival.score / width if width > 0 else 0.0, rival.to)
        for rival, width in zip(rivals, widths, strict=True)
    ]
    worths = [_worth(data, ratio) for ratio in ratios]
    best, width_of_best = max(zip(worths, widths, strict=True), key=lambda pair: pair[0])
    return next(
        ratio
        for ratio, worth, width in zip(ratios, worths, widths, strict=True)
        if (best - worth) * min(width, width_of_best) <= tolerance
    )


def _paid(rival: Candidate, bag: Bag) -> Candidate:
    """Return a cut that has paid for the choice among all cuts of its feature (Quinlan 1996: log2(tries)/n)."""
    paid = log2(max(1, rival.tries)) / bag.whole[0] if rival.is_cut and not rival.is_apart else 0.0
    return rival.scored(rival.score - paid, rival.to)


def _average(rivals: Sequence[Candidate], data: Encoded, recipe: Recipe) -> float:
    """Return the gain that features must reach where only those of average gain compete."""
    if not recipe.quinlan:
        return float(sum(rival.score for rival in rivals) / max(1, len(rivals)))
    many = MANY_VALUES * (len(data.target) if data.weights is None else float(data.weights.sum()))
    is_small = [is_cut or n < many for is_cut, n in zip(data.is_cut, data.n_codes.tolist(), strict=True)]
    counted = [rival for rival in rivals if is_small[rival.feature]] if any(is_small) else rivals
    return float(sum(rival.score for rival in counted) / max(1, len(counted))) - BELOW_AVERAGE


def _width(candidate: Candidate, bag: Bag, recipe: Recipe) -> float:
    """Return the criterion's divisor, the split information.

    Missing values are a child of their own, unless they went to one.
    """
    if recipe.missing in ("larger", "error"):
        sizes = list(candidate.sizes)
    elif recipe.missing == "fraction":
        sizes = [*candidate.sizes, candidate.missing[0]]
    else:
        sizes = [n for n, _ in candidate.children()]
    divisor = cast(Callable[..., float], bag.scale.criterion.divisor)
    return divisor([(size,) for size in sizes], cast(Base, recipe.base))


# ---- scoring


def _placed(candidate: Candidate, recipe: Recipe, score: Scorer, tolerance: float) -> Candidate:
    """Return a candidate with its score, and the child that its missing values go to."""
    known = sum(candidate.sizes)
    n_missing = candidate.missing[0]
    if recipe.missing == "fraction":
        return candidate.scored(score(candidate.groups, known + n_missing), None)
    if candidate.is_apart:
        return candidate.scored(score(candidate.groups, known), 1)
    largest = candidate.largest
    if not n_missing or recipe.missing in ("larger", "error"):
        return candidate.scored(score(candidate.groups, known + n_missing), largest)
    if recipe.missing == "branch":
        own = len(candidate.groups)
        return candidate.scored(score((*candidate.groups, candidate.missing), known + n_missing), own)
    variants = [(score(groups, known + n_missing), child) for child, groups in _filled(candidate, recipe)]
    best = max(found for found, _ in variants)
    tied = [child for found, child in variants if found >= best - tolerance]
    return candidate.scored(best, largest if largest in tied else max(tied, key=lambda c: (candidate.sizes[c], -c)))


def _filled(candidate: Candidate, recipe: Recipe) -> list[tuple[int, tuple[Group, ...]]]:
    """Return, for each child that may take the missing values, the groups that this makes; all, where none may."""
    found = []
    for child in range(len(candidate.groups)):
        groups = tuple(joined(g, candidate.missing) if at == child else g for at, g in enumerate(candidate.groups))
        found.append((child, groups))
    fitting = [pair for pair in found if sum(n >= recipe.least for n, _ in pair[1]) >= 2]
    return fitting or found


def _score(bag: Bag, groups: Sequence[Group], n: float, is_exact: bool) -> Score:
    """Return the gain on the rows of the groups times their share of n: exact of whole counts where the criterion can.

    For the gain ratio this is the gain; the ratio is taken when the features' finalists are known.
    """
    known = sum(size for size, _ in groups)
    criterion, factors = bag.scale.criterion, bag.scale.factors
    if bag.scale.is_regression:
        return criterion.score_of_known([(size, s) for size, (s,) in groups], known, n, bag.scale.base)
    sums = [each for size, each in groups if size]
    if is_exact and criterion.exact_score is not None:
        return criterion.exact_score([[int(count) for count in group] for group in sums], int(n))
    if factors is not None:  # a class whose errors cost nothing counts nothing
        sums = [tuple(f * count for f, count in zip(factors, group, strict=True)) for group in sums]
        sums = [group for group in sums if any(group)]
        if len(sums) < 2:
            return 0.0
    return criterion.score_of_known(sums, known, n, bag.scale.base)
