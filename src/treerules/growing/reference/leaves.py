"""What a node says of its rows: prediction and training figures, within the bounds of monotone features."""

import sys
from math import frexp, fsum, hypot, inf, ldexp, sqrt
from typing import Any, cast

import numpy as np

from treerules.criteria import Base
from treerules.growing.encoding import Encoded
from treerules.growing.reference.node_data import Group
from treerules.recipes.recipe import Recipe
from treerules.trees.class_weighting import Weighing
from treerules.trees.node_parts import ClassPrediction, MeanPrediction, Prediction
from treerules.trees.tree import Leaf

Bounds = tuple[float, float]
UNBOUNDED: Bounds = (-inf, inf)


def leaf_of_rows(data: Encoded, rows: Any, weights: Any, bounds: Bounds) -> Leaf:
    """Return the leaf that some rows make; their weights are None where all are 1.

    The order of rows is nothing: sums are taken in the order of the target, those of a regression correctly rounded.
    """
    if data.is_regression:
        mean = _mean(data, rows, weights)
        n = len(rows) if weights is None else _counted(fsum(weights.tolist()))
        return Leaf(_clipped_mean(mean, bounds), (n,))
    counts = np.bincount(data.target[rows], weights=weights, minlength=data.n_classes).tolist()
    assert data.weighing is not None
    counts = [_counted(count) for count in counts]
    return Leaf(label_of(counts, data.weighing, bounds), counts)


def _counted(weight: float) -> float:
    return int(weight) if weight == int(weight) else weight


def label_of(counts: Any, weighing: Weighing, bounds: Bounds = UNBOUNDED) -> ClassPrediction:
    """Return the label of least expected cost and the share of each class; that of the second one within bounds."""
    label = weighing.label(counts)
    if bounds == UNBOUNDED or bounds[0] <= label.probabilities[1] <= bounds[1]:
        return label
    share = min(max(label.probabilities[1], bounds[0]), bounds[1])
    return weighing.label_of_shares((1 - share, share))


def _clipped_mean(mean: MeanPrediction, bounds: Bounds) -> MeanPrediction:
    value = min(max(mean.value, bounds[0]), bounds[1])
    if value == mean.value:
        return mean
    return MeanPrediction(value, min(hypot(mean.sd, value - mean.value), sys.float_info.max))


def _mean(data: Encoded, rows: Any, weights: Any) -> MeanPrediction:
    """Return the mean and standard deviation; the sums are correctly rounded, so the order of rows is nothing."""
    values = data.target[rows]
    if values[0] == values[-1]:
        return MeanPrediction(ldexp(values[0], data.exponent), 0.0)
    exponent = frexp(max(abs(values[0]), abs(values[-1])))[1]  # they stand in their order
    values = np.ldexp(values, -exponent)
    n = len(rows) if weights is None else fsum(weights.tolist())
    mean = _sum(values, weights) / n
    sd = sqrt(_sum(np.square(values - mean), weights) / n)
    return MeanPrediction(ldexp(mean, exponent + data.exponent), ldexp(sd, exponent + data.exponent))


def _sum(values: Any, weights: Any) -> float:
    """Return the correctly rounded sum of weighted values: of whole weights, that of repeated values.

    The error of each product is summed up too (Dekker 1971: products of halves are exact).
    """
    if weights is None:
        return fsum(values.tolist())
    products = values * weights
    (high, low), (heavy, light) = _halves(values), _halves(weights)
    errors = ((high * heavy - products) + high * light + low * heavy) + low * light
    return fsum([*products.tolist(), *errors.tolist()])


def _halves(values: Any) -> tuple[Any, Any]:
    """Return two arrays of at most 26 bits whose sum is another one (Veltkamp 1968)."""
    spread = values * (2.0**27 + 1)
    high = spread - (spread - values)
    return high, values - high


def impurity_of(data: Encoded, leaf: Leaf, recipe: Recipe) -> float:
    """Return the impurity of a classification's node, by the counts that splits are scored by.

    Where the criterion has none it is the score of the split that separates the classes, as tolerances need it.
    """
    counts = [count * factor for count, factor in zip(leaf.counts, data.weighing.altered, strict=True)]  # type: ignore[union-attr]
    return recipe.scoring.largest_score(counts, cast(Base, recipe.base))


def prediction_of(
    data: Encoded, classes: Any, group: Group, centre: float, exponent: int, bounds: Bounds
) -> Prediction:
    """Return what a child predicts that has these moments: sums of its node's classes, or of the centred target."""
    n, sums = group
    if data.is_regression:
        value = ldexp(centre + ldexp(sums[0] / n, -exponent), data.exponent)
        return MeanPrediction(min(max(value, bounds[0]), bounds[1]), 0.0)
    counts = np.zeros(data.n_classes)
    counts[classes] = sums
    assert data.weighing is not None
    return label_of(counts.tolist(), data.weighing, bounds)


def value_of_prediction(prediction: Prediction) -> float:
    """Return what monotone features bound: the share of the second class, or the mean."""
    return prediction.probabilities[1] if isinstance(prediction, ClassPrediction) else prediction.value
