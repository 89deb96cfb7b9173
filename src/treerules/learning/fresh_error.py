"""The estimated error of a chosen tree, corrected for what its folds share with the table.

Folds that hold their share of each class repeat the luck of the table: a class that is more frequent in it than it is
gets more labels, and is more frequent among the held-out rows too. So the shares of the classes are drawn towards equal
ones as far as they do not differ by more than chance (empirical Bayes). The standard error is widened where the trees
of the folds err more differently than by the chance of rows, or few rows make most of the error.
"""

from collections.abc import Sequence
from math import ldexp
from typing import Any

import numpy as np

from treerules.growing.problem import Problem
from treerules.learning.folds import Folds
from treerules.learning.problem_arrays import exponent_of
from treerules.learning.subtree_losses import FoldTree, cost_loss, error_loss, losses_by_unit, squared_loss
from treerules.learning.unit_losses import UnitLosses

#: One unit that makes more than this share of the variance of the losses is said to make most of the error.
_HEAVY = 0.25
UNSTABLE, HEAVY_TAILS = "unstable growth", "heavy tails"


def fresh_error(
    problem: Problem,
    figures: tuple[float, float],
    ends: Sequence[tuple[FoldTree, Any]],
    whole: tuple[FoldTree, Any],
    folds: Folds,
    n_rules: int,
) -> tuple[float, float, str]:
    """Return an error and its standard error, corrected for what folds share with the table, and why it is wide.

    Args:
        problem: the problem.
        figures: the error and its standard error; of a regression divided by 4**exponent, as `squared_loss` does.
        ends: the tree of each fold, and the node where each of its held-out rows ends.
        whole: the tree of all rows, with the rows of all folds, and the node where each ends.
        folds: the folds.
        n_rules: the number of rules of the whole tree.
    """
    weighing, exponent = problem.weighing, exponent_of(problem)
    loss = squared_loss(exponent) if weighing is None else cost_loss if weighing.costs else error_loss
    losses = [(tree, loss(tree.arrays, tree.held_out, nodes)) for tree, nodes in ends]
    of_all = loss(whole[0].arrays, whole[0].held_out, whole[1])
    is_share, (error, standard_error) = weighing is not None and not weighing.costs, figures
    n_units = len(losses_by_unit([(tree, of_rows[None]) for tree, of_rows in losses], 1).weights)
    if weighing is not None:
        error = error_of_classes(error, losses, n_units, n_rules, is_share=is_share)
    if is_share:
        standard_error = max(standard_error, least_standard_error(error, n_units))
    folds_losses = [
        losses_by_unit([(tree, np.stack([own, of_all[held_out]]))], 2)
        for (tree, own), (_, held_out) in zip(losses, folds.parts(), strict=True)
    ]
    standard_error, reason = widened(standard_error, folds_losses, is_share=is_share)
    return ldexp(error, 2 * exponent), ldexp(standard_error, 2 * exponent), reason


def shares_by_luck(weights: Any, n_units: int) -> Any:
    """Return the shares of classes, drawn towards equal ones as far as they differ by chance.

    Args:
        weights: the weight of each class.
        n_units: the number of independent units.

    >>> shares_by_luck([9, 11], 20).tolist(), shares_by_luck([0, 100], 100).round(3).tolist()
    ([0.5, 0.5], [0.005, 0.995])
    """
    shares = np.asarray(weights) / np.sum(weights)
    n_classes = len(shares)
    chi_square = n_units * n_classes * float(np.square(shares - 1 / n_classes).sum())
    kept = max(0.0, 1 - (n_classes - 1) / chi_square) if chi_square > 0 else 0.0
    return 1 / n_classes + kept * (shares - 1 / n_classes)


def error_of_classes(
    error: float, losses: Sequence[tuple[FoldTree, Any]], n_units: int, n_rules: int, *, is_share: bool
) -> float:
    """Return an error, corrected for the luck of the classes; a share of rows is not below what so many labels miss.

    Args:
        error: the error.
        losses: the tree of each fold, and the losses of its held-out rows.
        n_units: the number of units.
        n_rules: the number of labels that the tree has, at most.
        is_share: whether the error is a share of the rows.
    """
    rows = [tree.held_out for tree, _ in losses]
    classes = np.concatenate([part.target for part in rows])
    weights = np.concatenate([np.ones(len(p.target)) if p.weights is None else p.weights for p in rows])
    assert rows[0].weighing is not None
    n_classes = len(rows[0].weighing.classes)
    of_class = np.bincount(classes, weights, minlength=n_classes)
    lost = np.bincount(classes, weights * np.concatenate([part for _, part in losses]), minlength=n_classes)
    shares = shares_by_luck(of_class, n_units)
    change = (shares - of_class / of_class.sum()) * np.divide(
        lost, of_class, out=np.zeros(n_classes), where=of_class > 0
    )
    least = 1 - float(np.sort(shares)[-n_rules:].sum()) if is_share else 0.0
    return max(error + float(change.sum()), least, 0.0)


def least_standard_error(error: float, n_units: int) -> float:
    """Return the standard error of a share of units, one of two more of which is wrong: none wrong is not certainty."""
    share = min(1.0, (error * n_units + 1) / (n_units + 2))
    return float(np.sqrt(share * (1 - share) / n_units))


def widened(standard_error: float, folds: Sequence[UnitLosses], *, is_share: bool) -> tuple[float, str]:
    """Return a standard error, and why it is wide: "" where it is not.

    Args:
        standard_error: the standard error, as far as it is of the rows.
        folds: the losses of the held-out units of each fold by two trees: its own, and that of all rows.
        is_share: whether losses are 0 or 1.
    """
    mean = sum(float(fold.sums[0].sum()) for fold in folds) / sum(float(fold.weights.sum()) for fold in folds)
    squares = np.concatenate([np.square(fold.sums[0] - mean * fold.weights) for fold in folds])
    greatest, total = float(squares.max()), float(squares.sum())
    if not is_share and greatest > _HEAVY * total:
        return standard_error * float(np.sqrt(1 + 2 * greatest / total)), HEAVY_TAILS
    variance = min(variance_of_trees(folds, mean, total), _square_of_differences(folds)) * (1 + 1 / len(folds))
    if variance <= 0:
        return standard_error, ""
    return float(np.sqrt(standard_error**2 + variance)), UNSTABLE if variance > standard_error**2 else ""


def variance_of_trees(folds: Sequence[UnitLosses], mean: float, total: float) -> float:
    """Return the variance of the errors of the trees of folds, beyond what rows make by chance.

    It is the moment estimate of DerSimonian and Laird (1986), which may be negative.

    Args:
        folds: the losses of the held-out units of each fold, those by its tree first.
        mean: the mean loss of all units.
        total: the sum of the squares of the differences of the losses of units from the mean.
    """
    weights = np.array([float(fold.weights.sum()) for fold in folds])
    means = np.array([float(fold.sums[0].sum()) for fold in folds]) / weights
    all_weight, n = float(weights.sum()), len(folds) - 1
    by_chance = n * total / all_weight
    spread = float((weights * np.square(means - mean)).sum())
    return (spread - by_chance) / (all_weight - float(np.square(weights).sum()) / all_weight) if n else 0.0


def _square_of_differences(folds: Sequence[UnitLosses]) -> float:
    """Return the mean square of the differences of the errors of the folds' trees from that of the tree of all rows.

    It bounds the variance. Products of pairs of units have no bias by chance, squares of single units would have one.
    """
    squares = []
    for fold in folds:
        differences, weights = fold.sums[0] - fold.sums[1], fold.weights
        pairs = float(weights.sum() ** 2 - np.square(weights).sum())
        product = float(differences.sum() ** 2 - np.square(differences).sum())
        squares.append(product / pairs if len(weights) > 1 else 0.0)
    return float(np.mean(squares))
