"""Leaves from rows: prediction and training statistics, within the bounds that monotone features impose."""

import sys
from fractions import Fraction
from math import frexp, fsum, hypot, inf, ldexp, sqrt
from typing import Any, cast

import numpy as np
from attrs import frozen

from treerules.criteria import Base
from treerules.data.sample_weights import integer_if_whole
from treerules.growing.encoding import EncodedProblem
from treerules.growing.exact_figures import exact_deviation, exact_mean, exact_sums
from treerules.growing.exact_target import ExactTarget
from treerules.growing.reference.node_data import Group
from treerules.recipes.recipe import Recipe
from treerules.trees.class_weighting import ClassWeighting
from treerules.trees.node_parts import ClassPrediction, MeanPrediction, Prediction
from treerules.trees.nodes import Leaf

#: The least and the greatest prediction allowed: share of the second class, or mean.
Bounds = tuple[float, float]
UNBOUNDED: Bounds = (-inf, inf)
#: Doubles hold all whole numbers up to this.
_MOST_WHOLE = 1 << 53


def leaf_from_rows(data: EncodedProblem, rows: Any, weights: Any, bounds: Bounds) -> Leaf:
    """Return the leaf of some rows: predicted class with counts, or mean and standard deviation.

    `rows` are row indices in the order of the target, `weights` their weights (None: all 1). The result does not
    depend on the order of equal targets: figures of a regression come from exact sums, or its sums are correctly
    rounded.
    """
    if data.is_regression:
        n, mean = _exact_mean(data, rows, weights) if data.exact is not None else _rounded_mean(data, rows, weights)
        return Leaf(_clipped_mean(mean, bounds), (n,))
    counts = np.bincount(data.target[rows], weights=weights, minlength=data.n_classes).tolist()
    assert data.weighing is not None
    counts = [integer_if_whole(count) for count in counts]
    return Leaf(label_from_counts(counts, data.weighing, bounds), counts)


def bounded_leaf(leaf: Leaf, bounds: Bounds, weighing: ClassWeighting | None) -> Leaf:
    """Return a leaf whose prediction is within bounds; `weighing` is None for a regression."""
    if tuple(bounds) == UNBOUNDED:
        return leaf
    if weighing is None:
        return Leaf(_clipped_mean(cast(MeanPrediction, leaf.prediction), bounds), leaf.counts)
    return Leaf(label_from_counts(leaf.counts, weighing, bounds), leaf.counts)


def label_from_counts(counts: Any, weighing: ClassWeighting, bounds: Bounds = UNBOUNDED) -> ClassPrediction:
    """Return the class of least expected cost with the share of each class; that of the second class within bounds."""
    label = weighing.label(counts)
    if tuple(bounds) == UNBOUNDED or bounds[0] <= label.probabilities[1] <= bounds[1]:
        return label
    share = min(max(label.probabilities[1], bounds[0]), bounds[1])
    return weighing.label_of_shares((1 - share, share))


def _clipped_mean(mean: MeanPrediction, bounds: Bounds) -> MeanPrediction:
    """Return the mean within the bounds; clipping adds the shift to the standard deviation."""
    value = min(max(mean.value, bounds[0]), bounds[1])
    if value == mean.value:
        return mean
    return MeanPrediction(value, min(hypot(mean.sd, value - mean.value), sys.float_info.max))


def _exact_mean(data: EncodedProblem, rows: Any, weights: Any) -> tuple[float, MeanPrediction]:
    """Return weight, mean and standard deviation of rows whose target has a unit, each correctly rounded."""
    exact = cast(ExactTarget, data.exact)
    centre, differences = _centred(exact, rows)
    n, total, squares = exact_sums(differences, None if weights is None else weights.astype(np.int64))
    mean = exact_mean(n, total + n * centre, exact.unit)
    size = integer_if_whole(exact_mean(1, n, exact.weight_unit))
    return size, MeanPrediction(mean, exact_deviation(n, total, squares, exact.unit))


@frozen(eq=False)
class ExactScale:
    """The terms in which a node of a regression with exact figures is searched; all but the bounds are exact."""

    #: the multiple of the middle row, which is subtracted from all multiples
    centre: int
    #: the weight of the node, in the unit of weights
    n: int
    #: the variance of the multiples
    variance: Fraction
    #: the least and the greatest mean allowed, as centred multiples
    bounds: Bounds
    #: whether sums of the node may exceed the whole numbers that doubles hold
    is_wide: bool
    #: the weighted sum of the squares of the centred multiples
    squares: float


def exact_scale(data: EncodedProblem, rows: Any, weights: Any, bounds: Bounds) -> ExactScale:
    """Return the terms of a node; `rows` are in the order of the target, `bounds` are those of its prediction."""
    exact = cast(ExactTarget, data.exact)
    centre, differences = _centred(exact, rows)
    n, total, squares = exact_sums(differences, None if weights is None else weights.astype(np.int64))
    variance = Fraction(n * squares - total * total, n * n)
    is_wide = (int(differences[-1]) - int(differences[0])) * n > _MOST_WHOLE
    low, high = (bound / float(exact.unit) - centre for bound in bounds)
    return ExactScale(centre, n, variance, (low, high), is_wide, float(squares))


def _centred(exact: ExactTarget, rows: Any) -> tuple[int, Any]:
    """Return the multiple of the middle row, and the differences of all rows' multiples from it."""
    multiples = exact.multiples[rows]
    centre = int(multiples[len(rows) // 2])
    return centre, multiples - centre if exact.spread_fits else multiples.astype(object) - centre


def _rounded_mean(data: EncodedProblem, rows: Any, weights: Any) -> tuple[float, MeanPrediction]:
    """Return weight, mean and standard deviation of rows whose target has no unit; the sums are correctly rounded."""
    values = data.target[rows]
    n = len(rows) if weights is None else fsum(weights.tolist())
    size = integer_if_whole(n)
    if values[0] == values[-1]:
        return size, MeanPrediction(ldexp(values[0], data.exponent), 0.0)
    exponent = frexp(max(abs(values[0]), abs(values[-1])))[1]  # values are sorted: an end has the largest magnitude
    values = np.ldexp(values, -exponent)
    mean = _rounded_sum(values, weights) / n
    sd = sqrt(_rounded_sum(np.square(values - mean), weights) / n)
    return size, MeanPrediction(ldexp(mean, exponent + data.exponent), ldexp(sd, exponent + data.exponent))


def _rounded_sum(values: Any, weights: Any) -> float:
    """Return the correctly rounded sum of weighted values.

    The rounding error of each product is added as a term (Dekker 1971: products of halves are exact), so that whole
    weights give the same sum as repeated values.
    """
    if weights is None:
        return fsum(values.tolist())
    products = values * weights
    (high, low), (heavy, light) = _halves(values), _halves(weights)
    errors = ((high * heavy - products) + high * light + low * heavy) + low * light
    return fsum([*products.tolist(), *errors.tolist()])


def _halves(values: Any) -> tuple[Any, Any]:
    """Return two arrays whose sum is `values`, with at most 26 significant bits each (Veltkamp 1968)."""
    spread = values * (2.0**27 + 1)
    high = spread - (spread - values)
    return high, values - high


def node_impurity(data: EncodedProblem, leaf: Leaf, recipe: Recipe) -> float:
    """Return the impurity of a classification node, from its class weights times the class factors.

    For a criterion without impurity it is the score of the split that separates the classes; tolerances are relative
    to it.
    """
    counts = [count * factor for count, factor in zip(leaf.counts, data.weighing.altered, strict=True)]  # type: ignore[union-attr]
    return recipe.scoring.largest_score(counts, cast(Base, recipe.base))


def group_prediction(
    data: EncodedProblem, classes: Any, group: Group, centre: float, exponent: int, bounds: Bounds
) -> Prediction:
    """Return the prediction of a child from its statistics.

    `classes`, `centre` and `exponent` are those of the parent's `NodeData`.
    """
    n, sums = group
    if data.exact is not None:
        value = exact_mean(int(n), int(sums[0]) + int(n) * int(centre), data.exact.unit)
        return MeanPrediction(min(max(value, bounds[0]), bounds[1]), 0.0)
    if data.is_regression:
        value = ldexp(centre + ldexp(sums[0] / n, -exponent), data.exponent)
        return MeanPrediction(min(max(value, bounds[0]), bounds[1]), 0.0)
    counts = np.zeros(data.n_classes)
    counts[classes] = sums
    assert data.weighing is not None
    return label_from_counts(counts.tolist(), data.weighing, bounds)


def bounded_value(prediction: Prediction) -> float:
    """Return the value that monotone constraints bound: the share of the second class, or the mean."""
    return prediction.probabilities[1] if isinstance(prediction, ClassPrediction) else prediction.value
