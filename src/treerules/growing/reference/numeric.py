"""The candidate cuts of one node's ordered features, with their approximate gains."""

from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Any

import numpy as np
from toolz import unique

from treerules.growing.encoding import EncodedProblem
from treerules.growing.reference.cut_tables import (
    CutTable,
)
from treerules.growing.reference.node_data import (
    Candidate,
    CandidateBatch,
    Group,
    NodeData,
    missing_test_candidate,
    missing_test_gains,
)
from treerules.growing.reference.statistics import NodeStatistics
from treerules.recipes.recipe import Recipe

#: C4.5 as published cuts only between values that differ by more than this.
_LEAST_DISTANCE = 1e-5
#: C4.5 as published: `min_samples_leaf` of a cut is a tenth of the average class size, but at most this.
_MOST_REQUIRED = 25


def cut_batches(
    data: EncodedProblem, node: NodeData, recipe: Recipe, table: CutTable, slack: float
) -> Iterator[CandidateBatch]:
    """Yield the cuts of a table whose gain is within `slack` of the best, then its missing tests.

    Cuts that divide the node into equal groups score the same, and the first of them wins ties: only that one is kept.
    """
    gains, n_cuts = _gains_of_cuts(data, node, recipe, table)
    has_divisor = node.scorer.criterion.divisor is not None
    by_feature = has_divisor or bool(recipe.feature_cost or recipe.prefer)
    best = gains.max(axis=1, keepdims=True, initial=-np.inf) if by_feature else gains.max(initial=-np.inf)
    lines, positions = np.nonzero(gains >= np.where(best > -np.inf, best - slack, np.inf))
    features = table.features[lines].tolist()
    left, totals = _groups_at(table.first, lines, positions), _groups_at(table.known, lines, np.zeros_like(lines))
    missing = _missing_groups_at(table.missing, lines, len(table.first.sums))
    # splits of one category against the rest are not in the order of ties, so all of them are kept
    position_keys = positions.tolist() if recipe.categories == "one_against_rest" else totals
    counts = _row_counts_at(table, lines, positions)
    keys = zip(features if by_feature else totals, position_keys, left, totals, missing, counts, strict=True)
    kept = _first_of_equal(keys)
    cuts_of_line = n_cuts[lines].tolist()

    def candidate_at(index: int) -> Candidate:
        cut = kept[index]
        (n, sums), (n_all, sums_all) = left[cut], totals[cut]
        right = n_all - n, tuple(b - a for a, b in zip(sums, sums_all, strict=True))
        feature, line = features[cut], int(lines[cut])
        if data.is_cut[feature]:
            low, high = table.codes_around(line, positions[cut])
            sides = (int(low),), (int(high),)
            groups = left[cut], right
            return Candidate(feature, True, sides, groups, missing[cut], cuts_of_line[cut], row_counts=counts[cut])
        one, other = _sides_of_cut(recipe, table, line, int(positions[cut]))
        if one < other:
            return Candidate(feature, False, (one, other), (left[cut], right), missing[cut], row_counts=counts[cut])
        row_counts = (*counts[cut][1::-1], *counts[cut][2:])
        return Candidate(feature, False, (other, one), (right, left[cut]), missing[cut], row_counts=row_counts)

    yield CandidateBatch(gains[lines[kept], positions[kept]], table.features[lines[kept]], candidate_at)
    if table.missing is not None and recipe.missing in ("learned", "branch"):
        missing_gains = missing_test_gains(node, recipe, table.known, table.missing)[:, 0]
        yield CandidateBatch(missing_gains, table.features, lambda line: _missing_test(data, table, line))


def _sides_of_cut(recipe: Recipe, table: CutTable, line: int, position: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the categories on both sides of a cut after a position of their order; or one category, and the rest."""
    present = table.is_present[line].nonzero()[0]
    is_single = recipe.categories == "one_against_rest"
    is_first = present == position if is_single else present <= position
    codes = present if table.order is None else table.order[line][present]
    return tuple(np.sort(codes[is_first]).tolist()), tuple(np.sort(codes[~is_first]).tolist())


def _missing_test(data: EncodedProblem, table: CutTable, line: int) -> Candidate:
    """Return the candidate that separates the known values of a line from the missing ones."""
    feature = int(table.features[line])
    assert table.missing is not None
    known, missing = table.known[line, 0].as_numbers, table.missing[line, 0].as_numbers
    if data.is_cut[feature]:
        return missing_test_candidate(feature, True, (int(data.n_codes[feature]) - 1,), known, missing)
    present = table.is_present[line].nonzero()[0]
    codes = present if table.order is None else table.order[line][present]
    return missing_test_candidate(feature, False, tuple(np.sort(codes).tolist()), known, missing)


def _gains_of_cuts(data: EncodedProblem, node: NodeData, recipe: Recipe, table: CutTable) -> tuple[Any, Any]:
    """Return n times the gain of each cut, shape (lines, positions), and the number of cuts of each line.

    The gain of a cut that is not allowed is -inf. The numbers of cuts are 1 unless C4.5 is followed as published.
    """
    least: Any = recipe.least
    fits = table.is_cut
    if recipe.quinlan:
        required = 0.1 * table.known.size / max(1, data.n_classes)
        required = np.clip(required, recipe.least, max(_MOST_REQUIRED, recipe.least))
        is_ordered = np.array([data.is_cut[feature] for feature in table.features.tolist()])[:, None]
        least = np.where(is_ordered, required, recipe.least)
        fits = fits & _is_far_apart(data, table)
    if node.directions is not None:
        fits = fits & _is_monotone(data, node, table)
    gains = node.scorer.binary_gains(table.first, table.known, table.missing, recipe.missing, least, fits)
    return gains, (gains > -np.inf).sum(axis=1) if recipe.quinlan else np.ones(len(gains), dtype=np.int64)


def _is_far_apart(data: EncodedProblem, table: CutTable) -> Any:
    """Return whether the values around each cut are far enough apart for C4.5; integers and dates always are."""
    is_far = np.ones(table.is_cut.shape, dtype=bool)
    for line, feature in enumerate(table.features.tolist()):
        values, positions = data.values[feature], table.is_cut[line].nonzero()[0]
        if values.dtype.kind == "f":
            low, high = table.codes_around(line, positions)
            is_far[line, positions] = values[low] + _LEAST_DISTANCE < values[high]
    return is_far


def _is_monotone(data: EncodedProblem, node: NodeData, table: CutTable) -> Any:
    """Return whether the predictions of both sides of each cut are within bounds and in the feature's direction.

    Cuts of other features are always allowed: the predictions of their children are clipped (as in scikit-learn).
    """
    assert node.directions is not None
    left = _predicted_value(data, table.first)
    right = _predicted_value(data, table.known - table.first)
    lowest, highest = node.bounds
    direction = np.array([node.directions.get(feature, 0) for feature in table.features.tolist()])[:, None]
    within = (np.minimum(left, right) >= lowest) & (np.maximum(left, right) <= highest)
    return (direction == 0) | (within & ((right - left) * direction >= 0))


def _predicted_value(data: EncodedProblem, groups: NodeStatistics) -> Any:
    """Return the prediction of groups: the weighted share of the second of two classes, or the centred mean."""
    if data.is_regression:
        return groups.sums[0].astype(np.float64) / np.where(groups.n > 0, groups.n, 1.0)
    factors = (1, 1) if data.weighing is None else data.weighing.factors
    first, second = (values * factor for values, factor in zip(groups.sums, factors, strict=True))
    return second / np.where(first + second > 0, first + second, 1.0)


def _groups_at(statistics: NodeStatistics, lines: Any, positions: Any) -> list[Group]:
    """Return the statistics of some cells as a list of groups."""
    sums = zip(*(values[lines, positions].tolist() for values in statistics.sums), strict=True)
    n = np.broadcast_to(statistics.n, statistics.sums[0].shape)
    return list(zip(n[lines, positions].tolist(), sums, strict=True))


def _row_counts_at(table: CutTable, lines: Any, positions: Any) -> list[tuple[float, ...]]:
    """Return the `row_counts` of the candidates at some cells."""
    if table.first.rows is None:
        return [()] * len(lines)
    first, known = table.first.rows[lines, positions], table.known.rows[lines, 0]
    missing = np.zeros(len(lines)) if table.missing is None else table.missing.rows[lines, 0]
    return list(zip(first.tolist(), (known - first).tolist(), missing.tolist(), strict=True))


def _missing_groups_at(missing: NodeStatistics | None, lines: Any, n_sums: int) -> list[Group]:
    """Return the statistics of the missing values of some lines."""
    if missing is None:
        return [(0, (0,) * n_sums)] * len(lines)
    return _groups_at(missing, lines, np.zeros_like(lines))


def _first_of_equal(keys: Iterable[Any]) -> list[int]:
    """Return the index of the first occurrence of each key."""
    return [index for index, _ in unique(enumerate(keys), key=itemgetter(1))]
