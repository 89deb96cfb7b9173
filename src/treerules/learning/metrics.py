"""Metrics of predictions: pure functions of arrays, by the definitions of scikit-learn.

All rows of a leaf have the same predicted shares, so the metrics of a classification follow from counts:

counts       case weights of true labels: a row for each group of rows with equal shares (a leaf, or a single row), a
             column for each class; one more column may follow, of labels that the tree does not know
shares       predicted probabilities: a row for each group, a column for each class
confusion    case weights: a row for each true label (classes, then those that the tree does not know), a column for
             each predicted class

A regression is evaluated by `truth` and `predicted`, the values of rows, and `weight`, their case weights or None.
"""

from math import frexp, inf, ldexp, log, sqrt
from typing import Any

import numpy as np

from treerules._internal.libm import of_each

# ---- metrics of a classification


def counts_of_pairs(rows: Any, columns: Any, weight: Any, shape: tuple[int, int]) -> Any:
    """Return how often each pair of positions occurs (its weight, unless `weight` is None), in a given shape."""
    return np.bincount(rows * shape[1] + columns, weights=weight, minlength=shape[0] * shape[1]).reshape(shape)


def accuracy(confusion: Any) -> float:
    """Return the (weighted) share of rows that are predicted correctly.

    >>> accuracy([[3, 1], [0, 4]]), balanced_accuracy([[3, 1], [0, 4]])
    (0.875, 0.875)
    """
    confusion = np.asarray(confusion)
    return float(np.trace(confusion) / confusion.sum())


def balanced_accuracy(confusion: Any) -> float:
    """Return the mean recall of the labels that have rows (scikit-learn's balanced_accuracy_score, not adjusted)."""
    confusion = np.asarray(confusion)
    n_right = np.zeros(len(confusion))
    n_right[: confusion.shape[1]] = np.diagonal(confusion)
    n = confusion.sum(axis=1)
    return float(np.mean(n_right[n > 0] / n[n > 0]))


def label_figures(confusion: Any) -> list[tuple[float, float | None, float | None, float | None]]:
    """Return, for each true label, the case weight of its rows, precision, recall and F1; None for 0 / 0.

    Precision is the share of correct rows among those with this prediction, recall the share of correct rows among
    those with this label, F1 the harmonic mean of both.
    """
    confusion = np.asarray(confusion)
    n_unknown = len(confusion) - confusion.shape[1]
    n_right_by_label, predicted = (
        [*array.tolist(), *([0] * n_unknown)] for array in (np.diagonal(confusion), confusion.sum(axis=0))
    )
    n = confusion.sum(axis=1).tolist()
    return [
        (n_true, _ratio(right, n_predicted), _ratio(right, n_true), _ratio(2 * right, n_true + n_predicted))
        for n_true, right, n_predicted in zip(n, n_right_by_label, predicted, strict=True)
    ]


def _ratio(numerator: float, denominator: float) -> float | None:
    return numerator / denominator if denominator else None


def log_loss(counts: Any, shares: Any) -> float:
    """Return the mean of -ln(share of the true label); shares are kept within the epsilon of float64 of 0 and 1.

    As in scikit-learn, a label of share 0, such as one that the tree does not know, has the loss 36.04.

    >>> round(log_loss([[3, 1], [0, 4]], [[0.75, 0.25], [0.0, 1.0]]), 4)
    0.2812
    """
    counts, shares = _with_unknown(counts, shares)
    eps = np.finfo(np.float64).eps
    occurs = counts > 0
    logs = of_each(log, np.clip(shares[occurs], eps, 1 - eps))
    return float(-(counts[occurs] * logs).sum() / counts.sum())


def brier(counts: Any, shares: Any) -> float:
    """Return the mean squared distance of the probabilities from the true labels: from 0, the best, to 1.

    Of more than two classes it is the sum over the classes, from 0 to 2; of two it is half that sum, which is the
    square for one class: the default of scikit-learn's brier_score_loss (Brier 1950 never halves). The number of
    classes is the number of columns of `shares`.

    >>> brier([[3, 1]], [[0.75, 0.25]])
    0.1875
    """
    n_classes = np.shape(shares)[1]
    counts, shares = _with_unknown(counts, shares)
    squares = np.square(shares)
    distances = squares.sum(axis=1, keepdims=True) - squares + np.square(1 - shares)
    return float((counts * distances).sum() / counts.sum() * (0.5 if n_classes < 3 else 1.0))


def _with_unknown(counts: Any, shares: Any) -> tuple[Any, Any]:
    """Return counts and shares as arrays of one shape: labels that the tree does not know have share 0."""
    counts, shares = np.asarray(counts), np.asarray(shares, dtype=np.float64)
    return counts, np.pad(shares, ((0, 0), (0, counts.shape[1] - shares.shape[1])))


def roc_auc(counts: Any, shares: Any) -> float | None:
    """Return the area under the ROC curve: the share of pairs in which the row of the class has the larger probability.

    Equal shares count half. Of two classes it is that of the second, of more the unweighted mean over the classes,
    each against the rest (scikit-learn's roc_auc_score with multi_class="ovr"). None if a class has no rows, if there
    is one class, or if rows have labels without a predicted share.

    >>> roc_auc([[3, 1], [0, 4]], [[0.75, 0.25], [0.0, 1.0]])
    0.9
    """
    counts, shares = np.asarray(counts), np.asarray(shares)
    n_classes = shares.shape[1]
    if n_classes < 2 or counts.shape[1] > n_classes or not counts.any(axis=0).all():
        return None
    if n_classes == 2:
        return _area(counts[:, 1], counts[:, 0], shares[:, 1])
    total = counts.sum(axis=1)
    areas = [
        _area(counts[:, position], total - counts[:, position], shares[:, position]) for position in range(n_classes)
    ]
    return float(np.mean(areas))


def _area(positive: Any, negative: Any, scores: Any) -> float:
    _, ranks = np.unique(scores, return_inverse=True)
    above, below = (np.bincount(ranks, weights=weights) for weights in (positive, negative))
    n_below = np.cumsum(below) - below / 2
    return float((above * n_below).sum() / (above.sum() * below.sum()))


# ---- metrics of a regression: `truth` and `predicted` are the values of rows, `weight` their case weights or None


def rmse(truth: Any, predicted: Any, weight: Any = None) -> float:
    """Return the root of the mean squared error."""
    squares, exponent = _mean_square(_errors(truth, predicted), weight)
    return ldexp(sqrt(squares), exponent)


def mae(truth: Any, predicted: Any, weight: Any = None) -> float:
    """Return the mean absolute error."""
    errors, exponent = _scale_to_one(np.abs(_errors(truth, predicted)))
    return ldexp(float(np.average(errors, weights=weight)), exponent)


def r2(truth: Any, predicted: Any, weight: Any = None) -> float | None:
    """Return 1 - squared error / squared distance from the mean; None for a single row.

    Where all rows of positive weight have one value, the result is 1 if each is predicted exactly, else 0, as in
    scikit-learn. Equal values are compared exactly; scikit-learn may count the rounding error of their mean as a
    distance.
    """
    truth = np.asarray(truth, dtype=np.float64)
    if len(truth) < 2:
        return None
    error, up = _mean_square(_errors(truth, predicted), weight)
    if error == 0:
        return 1.0
    weighted_values = truth if weight is None else truth[np.asarray(weight) > 0]
    if weighted_values.min() == weighted_values.max():
        return 0.0
    scaled, exponent = _scale_to_one(truth)
    spread, down = _mean_square(scaled - np.average(scaled, weights=weight), weight)
    try:
        return 1.0 - ldexp(error / spread, 2 * (up - down - exponent))
    except OverflowError:
        return -inf


def _errors(truth: Any, predicted: Any) -> Any:
    with np.errstate(over="ignore"):  # an error beyond float64 is infinite
        return np.asarray(truth, dtype=np.float64) - predicted


def _mean_square(values: Any, weight: Any) -> tuple[float, int]:
    """Return the mean of squares as m, e, meaning m * 2**(2e), so that squares do not overflow float64."""
    scaled, exponent = _scale_to_one(values)
    with np.errstate(over="ignore"):  # errors beyond float64 become infinite
        return float(np.average(np.square(scaled), weights=weight)), exponent


def _scale_to_one(values: Any) -> tuple[Any, int]:
    """Return values times a power of two, so that the largest is about 1, and the exponent to undo it."""
    exponent = frexp(float(np.abs(values).max()))[1]
    return np.ldexp(values, -exponent), exponent
