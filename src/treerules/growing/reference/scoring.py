"""The best split of one node.

Approximate gains, computed with numpy, shortlist the candidates near the best (`candidates`). This module scores the
shortlist exactly or in plain floating point and decides. So the tree does not depend on how candidates were found.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from math import ldexp, log2
from typing import Any, cast

from toolz import groupby

from treerules.criteria import Base
from treerules.growing.encoding import EncodedProblem
from treerules.growing.reference.candidates import candidates_near_best
from treerules.growing.reference.node_data import Candidate, Group, NodeData, Score, add_missing
from treerules.recipes.recipe import Recipe

#: Scores are equal (tied) when their difference is within this share of the node's impurity.
_TOLERANCE = 1e-12
#: C4.5 as published (`Recipe.quinlan`): a feature competes if its gain is at most this much below the average gain.
BELOW_AVERAGE = 1e-3
#: C4.5 as published: features with more categories than this share of the total weight do not count in the average.
MANY_VALUES = 0.3

#: The score of the statistics of children, scaled to a number of rows that includes missing values.
ScoreFunction = Callable[[tuple[Group, ...], float], Score]


def best_split(
    data: EncodedProblem,
    node: NodeData,
    recipe: Recipe,
    tie_order: Sequence[int],
    candidates: Iterable[Candidate] | None = None,
) -> Candidate | None:
    """Return the split that the recipe prefers; None when no split gains more than the tolerance or `min_gain`.

    `candidates` are those that may win; None: they are searched.

    Of the candidates within tolerance of the best, the first wins: by `tie_order` of the feature; then cuts and
    category tests before missing tests; then the lowest cut, or the first side's categories compared as tuples of
    positions. Scores of whole counts and exact sums are compared exactly where the criterion can (Gini, squared error).
    """
    criterion = node.scorer.criterion
    is_exact = criterion.exact_score is not None and _has_exact_scores(data, node)
    # tied candidates often have equal groups
    score: ScoreFunction = cache(lambda groups, n: _score_of_groups(node, groups, n, is_exact))
    tolerance = 0 if is_exact else _TOLERANCE * float(node.impurity)
    near = candidates_near_best(data, node, recipe) if candidates is None else candidates
    scored = [_score_candidate(candidate, recipe, score, tolerance) for candidate in near]
    if criterion.divisor is not None:
        best = _best_gain_ratio(data, scored, tolerance, node, recipe, tie_order)
    else:
        gaining = [candidate for candidate in scored if candidate.score > tolerance]
        best = _best_by_tie_order(data, gaining, tolerance, tie_order) if gaining else None
    if best is None or is_below(recipe.min_gain, best.score, data, node):
        return None
    return best


def comparable_gain(data: EncodedProblem, node: NodeData, candidate: Candidate, recipe: Recipe) -> Fraction:
    """Return the gain of a node's split, in units that are comparable between nodes.

    For gain ratio it is the information gain. The targets of a regression node are scaled by 2**exponent, which is
    undone here.
    """
    gain = Fraction(candidate.score)
    if node.scorer.criterion.divisor is not None:
        gain *= Fraction(_split_information(candidate, node, recipe))
    return gain / Fraction(4) ** node.exponent  # a regression's targets are scaled by a power of two


def is_below(bound: float, value: Score, data: EncodedProblem, node: NodeData) -> bool:
    """Return whether an impurity or a gain of a node is below a bound, which is in the square of the target's unit.

    Exact values are rounded first, so that a bound is reached by the value that is printed.
    """
    if not bound:
        return False
    if data.exact is not None:
        return in_units(data, value) < bound
    if not data.is_regression:
        return value < bound
    try:
        return value < ldexp(bound, 2 * (node.exponent - data.exponent))
    except OverflowError:
        return True


def in_units(data: EncodedProblem, value: Score) -> float:
    """Return an exact variance or gain in the square of the target's own unit, correctly rounded."""
    assert data.exact is not None
    return float(Fraction(value) * data.exact.unit**2)


def _has_exact_scores(data: EncodedProblem, node: NodeData) -> bool:
    """Return whether scores are compared exactly: all weights and class factors are whole, or the target has a unit."""
    if data.is_regression:
        return data.exact is not None
    return node.scorer.factors is None and (node.weights is None or bool((node.weights == node.weights.round()).all()))


# ---- choosing


def _score_per_cost(data: EncodedProblem, candidate: Candidate) -> Any:
    """Return the score, divided by the feature's cost where features have costs."""
    return candidate.score if data.costs is None else candidate.score / float(data.costs[candidate.feature])


def _best_by_tie_order(
    data: EncodedProblem, candidates: Sequence[Candidate], tolerance: float, tie_order: Sequence[int]
) -> Candidate:
    """Return the candidate of greatest score per cost; of tied ones the first by `tie_order` and `tie_key`."""
    if len(candidates) == 1:
        return candidates[0]
    scores = [_score_per_cost(data, candidate) for candidate in candidates]
    threshold = max(scores) - tolerance if tolerance else max(scores)
    tied = [candidate for candidate, score in zip(candidates, scores, strict=True) if score >= threshold]
    return min(tied, key=lambda c: (tie_order[c.feature], *c.tie_key))


def _best_gain_ratio(
    data: EncodedProblem,
    candidates: Iterable[Candidate],
    tolerance: float,
    node: NodeData,
    recipe: Recipe,
    tie_order: Sequence[int],
) -> Candidate | None:
    """Return C4.5's choice: each feature's candidate of greatest gain, then the greatest gain ratio among features."""
    by_feature: dict[int, list[Candidate]] = groupby(lambda candidate: candidate.feature, candidates)
    finalists = [
        _best_by_tie_order(data, by_feature[feature], tolerance, tie_order)
        for feature in sorted(by_feature, key=lambda feature: tie_order[feature])
    ]
    if recipe.quinlan:
        finalists = [_minus_cut_penalty(finalist, node) for finalist in finalists]
        finalists = [finalist for finalist in finalists if finalist.score > tolerance or not finalist.is_cut]
    averaged = [finalist for finalist in finalists if recipe.quinlan or finalist.score > tolerance]
    least_gain = _least_gain(averaged, data, recipe)
    finalists = [finalist for finalist in finalists if finalist.score > tolerance]
    if recipe.average_gain:
        finalists = [finalist for finalist in finalists if finalist.score >= least_gain - tolerance]
    if not finalists:
        return None
    divisors = [_split_information(finalist, node, recipe) for finalist in finalists]
    ratios = [
        finalist.with_score(finalist.score / divisor if divisor > 0 else 0.0, finalist.missing_child)
        for finalist, divisor in zip(finalists, divisors, strict=True)
    ]
    scores = [_score_per_cost(data, ratio) for ratio in ratios]
    best, best_divisor = max(zip(scores, divisors, strict=True), key=lambda pair: pair[0])
    return next(
        ratio
        for ratio, score, divisor in zip(ratios, scores, divisors, strict=True)
        if (best - score) * min(divisor, best_divisor) <= tolerance
    )


def _minus_cut_penalty(finalist: Candidate, node: NodeData) -> Candidate:
    """Return a cut whose gain is reduced by log2(number of cuts)/n, for the choice among cuts (Quinlan 1996)."""
    penalty = log2(max(1, finalist.n_cuts)) / node.size if finalist.is_cut and not finalist.is_missing_test else 0.0
    return finalist.with_score(finalist.score - penalty, finalist.missing_child)


def _least_gain(finalists: Sequence[Candidate], data: EncodedProblem, recipe: Recipe) -> float:
    """Return the gain that features must reach where only features of at least average gain compete."""
    if not recipe.quinlan:
        return float(sum(finalist.score for finalist in finalists) / max(1, len(finalists)))
    counts_rows = data.weights is None or data.counts_rows
    most_categories = MANY_VALUES * (len(data.target) if counts_rows else float(data.weights.sum()))
    has_few_categories = [
        is_cut or n < most_categories for is_cut, n in zip(data.is_cut, data.n_codes.tolist(), strict=True)
    ]
    averaged = (
        [finalist for finalist in finalists if has_few_categories[finalist.feature]]
        if any(has_few_categories)
        else finalists
    )
    return float(sum(finalist.score for finalist in averaged) / max(1, len(averaged))) - BELOW_AVERAGE


def _split_information(candidate: Candidate, node: NodeData, recipe: Recipe) -> float:
    """Return the criterion's divisor of a candidate, which is the split information for gain ratio.

    Rows with a missing value count as a further child, unless they were sent to one of the children.
    """
    if recipe.missing in ("larger", "error"):
        sizes = list(candidate.sizes)
    elif recipe.missing == "fraction":
        sizes = [*candidate.sizes, candidate.missing[0]]
    else:
        sizes = [n for n, _ in candidate.child_groups()]
    divisor = cast(Callable[..., float], node.scorer.criterion.divisor)
    return divisor([(size,) for size in sizes], cast(Base, recipe.base))


# ---- scoring


def _score_candidate(candidate: Candidate, recipe: Recipe, score: ScoreFunction, tolerance: float) -> Candidate:
    """Return a candidate with its score and the child that its missing values go to."""
    n_known = sum(candidate.sizes)
    n_missing = candidate.missing[0]
    if recipe.missing == "fraction":
        return candidate.with_score(score(candidate.groups, n_known + n_missing), None)
    if candidate.is_missing_test:
        return candidate.with_score(score(candidate.groups, n_known), 1)
    largest = candidate.largest_child
    if not n_missing or recipe.missing in ("larger", "error"):
        return candidate.with_score(score(candidate.groups, n_known + n_missing), largest)
    if recipe.missing == "branch":
        extra_child = len(candidate.groups)
        return candidate.with_score(score((*candidate.groups, candidate.missing), n_known + n_missing), extra_child)
    variants = _groups_with_missing(candidate, recipe)
    scores = {child: score(groups, n_known + n_missing) for child, groups in variants}
    best = max(scores.values())
    tied = [child for child, variant_score in scores.items() if variant_score >= best - tolerance]
    return candidate.with_score(best, largest if largest in tied else max(tied, key=lambda c: (candidate.sizes[c], -c)))


def _groups_with_missing(candidate: Candidate, recipe: Recipe) -> list[tuple[int, tuple[Group, ...]]]:
    """Return pairs (child, statistics of the children) for each child that may take the missing values.

    Where no child may (too few children would be large enough), all are returned.
    """
    variants = []
    for child in range(len(candidate.groups)):
        variants.append((child, tuple(add_missing(candidate.groups, candidate.missing, child))))
    valid = [pair for pair in variants if sum(size >= recipe.least for size in _sizes(candidate, *pair)) >= 2]
    return valid or variants


def _sizes(candidate: Candidate, missing_child: int, groups: tuple[Group, ...]) -> list[float]:
    """Return what least numbers of rows count of the children, where one of them takes the missing values."""
    if not candidate.row_counts:
        return [n for n, _ in groups]
    *counts, n_missing = candidate.row_counts
    return [count + n_missing * (child == missing_child) for child, count in enumerate(counts)]


def _score_of_groups(node: NodeData, groups: Sequence[Group], n: float, is_exact: bool) -> Score:
    """Return the score of children, times their share of n: an exact fraction for whole counts where the criterion can.

    For gain ratio this is the gain; the ratio is computed when each feature's best candidate is known.
    """
    n_known = sum(size for size, _ in groups)
    criterion, factors = node.scorer.criterion, node.scorer.factors
    if node.scorer.is_regression:
        if is_exact and criterion.exact_score is not None:
            return criterion.exact_score([(int(size), int(s)) for size, (s,) in groups if size], int(n))
        return criterion.score_of_known([(size, s) for size, (s,) in groups], n_known, n, node.scorer.base)
    sums = [group_sums for size, group_sums in groups if size]
    if is_exact and criterion.exact_score is not None:
        return criterion.exact_score([[int(count) for count in group] for group in sums], int(n))
    if factors is not None:  # a factor of 0 (errors on the class cost nothing) may leave a child without weight
        sums = [tuple(f * count for f, count in zip(factors, group, strict=True)) for group in sums]
        sums = [group for group in sums if any(group)]
        if len(sums) < 2:
            return 0.0
        n_known, n = (
            sum(map(sum, sums)),
            node.weighed_n,
        )  # the share of the known rows is that of their weight in scores
    return criterion.score_of_known(sums, n_known, n, node.scorer.base)
