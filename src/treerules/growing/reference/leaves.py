"""Leaves from rows: prediction and training statistics, within the bounds that monotone features impose."""

import sys
from math import frexp, fsum, hypot, inf, ldexp, sqrt
from typing import Any, cast

import numpy as np

from treerules.criteria import Base
from treerules.data.sample_weights import integer_if_whole
from treerules.growing.encoding import EncodedProblem
from treerules.growing.reference.node_data import Group
from treerules.recipes.recipe import Recipe
from treerules.trees.class_weighting import ClassWeighting
from treerules.trees.node_parts import ClassPrediction, MeanPrediction, Prediction
from treerules.trees.nodes import Leaf

#: The least and the greatest prediction allowed: share of the second class, or mean.
Bounds = tuple[float, float]
UNBOUNDED: Bounds = (-inf, inf)


def leaf_from_rows(data: EncodedProblem, rows: Any, weights: Any, bounds: Bounds) -> Leaf:
    """Return the leaf of some rows: predicted class with counts, or mean and standard deviation.

    `rows` are row indices in the order of the target, `weights` their weights (None: all 1). The result does not
    depend on the order of equal targets: sums of a regression are correctly rounded.
    """
    if data.is_regression:
        mean = _mean(data, rows, weights)
        n = len(rows) if weights is None else integer_if_whole(fsum(weights.tolist()))
        return Leaf(_clipped_mean(mean, bounds), (n,))
    counts = np.bincount(data.target[rows], weights=weights, minlength=data.n_classes).tolist()
    assert data.weighing is not None
    counts = [integer_if_whole(count) for count in counts]
    return Leaf(label_from_counts(counts, data.weighing, bounds), counts)


def label_from_counts(counts: Any, weighing: ClassWeighting, bounds: Bounds = UNBOUNDED) -> ClassPrediction:
    """Return the class of least expected cost with the share of each class; that of the second class within bounds."""
    label = weighing.label(counts)
    if bounds == UNBOUNDED or bounds[0] <= label.probabilities[1] <= bounds[1]:
        return label
    share = min(max(label.probabilities[1], bounds[0]), bounds[1])
    return weighing.label_of_shares((1 - share, share))


def _clipped_mean(mean: MeanPrediction, bounds: Bounds) -> MeanPrediction:
    """Return the mean within the bounds; clipping adds the shift to the standard deviation."""
    value = min(max(mean.value, bounds[0]), bounds[1])
    if value == mean.value:
        return mean
    return MeanPrediction(value, min(hypot(mean.sd, value - mean.value), sys.float_info.max))


def _mean(data: EncodedProblem, rows: Any, weights: Any) -> MeanPrediction:
    """Return mean and standard deviation of the rows' targets; the sums are correctly rounded."""
    values = data.target[rows]
    if values[0] == values[-1]:
        return MeanPrediction(ldexp(values[0], data.exponent), 0.0)
    exponent = frexp(max(abs(values[0]), abs(values[-1])))[1]  # values are sorted: an end has the largest magnitude
    values = np.ldexp(values, -exponent)
    n = len(rows) if weights is None else fsum(weights.tolist())
    mean = _rounded_sum(values, weights) / n
    sd = sqrt(_rounded_sum(np.square(values - mean), weights) / n)
    return MeanPrediction(ldexp(mean, exponent + data.exponent), ldexp(sd, exponent + data.exponent))


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
