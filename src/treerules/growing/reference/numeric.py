"""The cuts of one node's ordered features, found with numpy.

Features of few values: the statistics of every code, counted for many features at once, then summed from the first
code on. Features of many values: sums along the presorted rows; a cut lies where the code changes.

Both ways make a `CutTable`: one line per feature, one column per possible cut.
"""

from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Any

import numpy as np
from attrs import frozen
from toolz import unique

from treerules.growing.encoding import Block, EncodedProblem
from treerules.growing.problem import MOST_EXHAUSTIVE
from treerules.growing.reference.node_data import (
    Candidate,
    CandidateBatch,
    Group,
    NodeData,
    missing_test_candidate,
    missing_test_gains,
)
from treerules.growing.reference.statistics import NodeStatistics, cumulative_statistics, group_statistics
from treerules.recipes.recipe import Recipe

#: Features of many values are searched together in blocks of at most this many cells (features times rows).
_CELLS = 1 << 15
#: C4.5 as published cuts only between values that differ by more than this.
_LEAST_DISTANCE = 1e-5
#: C4.5 as published: `min_samples_leaf` of a cut is a tenth of the average class size, but at most this.
_MOST_REQUIRED = 25


@frozen(eq=False)
class CutTable:
    """Features by line, cut positions by column: the statistics of the rows up to each position.

    Categories are lines too: sorted by the mean of their targets (Breiman et al. 1984, theorem 4.5), or each against
    the rest.
    """

    #: the feature index of each line
    features: Any
    #: the statistics of the first side of a cut after each position, shape (lines, positions)
    first: NodeStatistics
    #: the statistics of all rows with a known value, and of those with a missing one (None: no row has), (lines, 1)
    known: NodeStatistics
    missing: NodeStatistics | None
    #: whether a cut after the position separates rows, shape (lines, positions)
    is_cut: Any
    #: features of few values: whether some row has the code at each position
    is_present: Any = None
    #: features of few values: the code at each position; None where it equals the position
    order: Any = None
    #: features of many values: the code at each position
    codes: Any = None

    def codes_around(self, line: int, positions: Any) -> tuple[Any, Any]:
        """Return the codes just below and just above the cuts after some positions of an ordered feature."""
        if self.codes is not None:
            return self.codes[line, positions], self.codes[line, positions + 1]
        present = self.is_present[line].nonzero()[0]
        return positions, present[np.searchsorted(present, positions, side="right")]


def counted_cut_table(
    data: EncodedProblem,
    node: NodeData,
    recipe: Recipe,
    block: Block,
    by_code: NodeStatistics,
    missing: NodeStatistics,
    is_selected: Any,
) -> CutTable | None:
    """Return the selected features of a block as a cut table; None where none is selected.

    `by_code` and `missing` are from `block_statistics`; `is_selected` has shape (features,).
    """
    if not is_selected.any():
        return None
    features, is_ordered = block.features, block.is_cut
    if not is_selected.all():
        features, is_ordered = features[is_selected], is_ordered[is_selected]
        by_code, missing = by_code[is_selected], missing[is_selected]
    is_cut = is_present = by_code.n > 0
    order = None
    if recipe.categories != "one_against_rest" and not is_ordered.all():
        by_mean = np.where(is_present, _mean_of_each(data, node, by_code), np.inf)
        rank = np.where(is_ordered[:, None], np.arange(block.width), by_mean)
        order = np.argsort(rank, axis=1, kind="stable")
        cells = order + (np.arange(len(order)) * block.width)[:, None]  # faster than np.take_along_axis
        rank, is_present = rank.take(cells), is_present.take(cells)
        by_code = NodeStatistics(by_code.n.take(cells), tuple(values.take(cells) for values in by_code.sums))
        is_cut = is_present.copy()
        if recipe.missing != "branch":  # with a branch for missing values even a split of equal means has a gain
            is_cut[:, :-1] &= rank[:, 1:] != rank[:, :-1]
    first = NodeStatistics(np.cumsum(by_code.n, axis=1), tuple(np.cumsum(values, axis=1) for values in by_code.sums))
    known = first[:, -1:]
    if recipe.categories == "one_against_rest" and not is_ordered.all():
        sums_of_first = [np.where(is_ordered[:, None], *both) for both in zip(first.sums, by_code.sums, strict=True)]
        first = NodeStatistics(np.where(is_ordered[:, None], first.n, by_code.n), tuple(sums_of_first))
    missing_or_none = missing if missing.n.any() else None
    return CutTable(features, first, known, missing_or_none, is_cut & (first.n < known.n), is_present, order)


def is_searched_in_order(
    data: EncodedProblem, node: NodeData, recipe: Recipe, block: Block, by_code: NodeStatistics, missing: NodeStatistics
) -> Any:
    """Return for each feature of a block whether cuts of one order find its best split, shape (features,).

    The order is that of the feature, or that of its categories' means. For categories this holds where there are two
    classes or a regression, the criterion allows it (`Criterion.orders_categories`), and each category alone is
    large enough for a child; so must be the missing values where they may go to either side. It is also used with
    more than MOST_EXHAUSTIVE categories, where the best subset cannot be searched in full.
    """
    if recipe.categories not in ("subset", "one_against_rest") or block.is_cut.all():
        return block.is_cut
    if recipe.categories == "one_against_rest":
        return np.ones(len(block.features), dtype=bool)
    if not (data.is_regression or (len(node.classes) <= 2 and node.scorer.criterion.orders_categories)):
        return block.is_cut
    smallest = np.where(by_code.n > 0, by_code.n, np.inf).min(axis=1)
    if recipe.missing == "learned":
        smallest = np.minimum(smallest, np.where(missing.n > 0, missing.n, np.inf)[:, 0])
    return block.is_cut | (smallest >= recipe.least) | ((by_code.n > 0).sum(axis=1) > MOST_EXHAUSTIVE)


def _mean_of_each(data: EncodedProblem, node: NodeData, by_code: NodeStatistics) -> Any:
    """Return the mean target of each cell, or the weighted share of the last class."""
    if data.is_regression:
        return by_code.sums[0] / np.where(by_code.n > 0, by_code.n, 1.0)
    factors = node.scorer.factors or (1,) * len(by_code.sums)
    weighted = [values * factor for values, factor in zip(by_code.sums, factors, strict=True)]
    total = sum(weighted)
    return weighted[-1] / np.where(total > 0, total, 1.0)


def sorted_cut_tables(data: EncodedProblem, node: NodeData) -> Iterator[CutTable]:
    """Yield the features of many values as cut tables, a block of features at a time."""
    width = max(1, _CELLS // max(1, len(node.rows)))
    for start in range(0, len(data.sorted_features), width):
        yield _sorted_cut_table(data, node, slice(start, min(start + width, len(data.sorted_features))))


def _sorted_cut_table(data: EncodedProblem, node: NodeData, lines: slice) -> CutTable:
    """Return a block of presorted features as a cut table."""
    rows, features = node.order[lines], data.sorted_features[lines]
    codes = data.sorted_codes.take(rows + data.offsets[lines], mode="clip")
    n_codes = data.n_codes[features, None]
    weights = None if node.weights is None else node.weight_of_row.take(rows)
    sums = cumulative_statistics(data, node.target(data, rows), weights, len(node.classes))
    is_cut = codes[:, :-1] != codes[:, 1:]
    known, missing = sums[:, -1:], None
    if (codes[:, -1:] == n_codes).any():  # missing values have the last code
        is_cut &= codes[:, 1:] < n_codes
        n_known = (codes < n_codes).sum(axis=1)
        sums = NodeStatistics(np.broadcast_to(sums.n, codes.shape), sums.sums)
        last_known = np.arange(len(features)), np.maximum(n_known - 1, 0)
        known = _statistics_where(n_known[:, None] > 0, sums[last_known][:, None])
        missing = _statistics_where(n_known[:, None] < rows.shape[1], sums[:, -1:] - known)
    return CutTable(features, sums[:, :-1], known, missing, is_cut, codes=codes)


def _statistics_where(condition: Any, statistics: NodeStatistics) -> NodeStatistics:
    """Return the statistics where a condition holds, and 0 elsewhere."""
    return NodeStatistics(
        np.where(condition, statistics.n, 0.0), tuple(np.where(condition, values, 0.0) for values in statistics.sums)
    )


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
    keys = zip(features if by_feature else totals, position_keys, left, totals, missing, strict=True)
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
            return Candidate(feature, True, sides, (left[cut], right), missing[cut], cuts_of_line[cut])
        one, other = _sides_of_cut(recipe, table, line, int(positions[cut]))
        groups = (left[cut], right) if one < other else (right, left[cut])
        return Candidate(feature, False, (min(one, other), max(one, other)), groups, missing[cut])

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
    """Return n times the gain of each cut, shape (lines, positions), and the number of cuts of each line, shape
    (lines,).

    The gain of a cut that is not allowed is -inf. The numbers of cuts are 1 unless C4.5 is followed as published.
    """
    least: Any = recipe.least
    fits = table.is_cut
    if recipe.quinlan:
        required = 0.1 * table.known.n / max(1, data.n_classes)
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
        return groups.sums[0] / np.where(groups.n > 0, groups.n, 1.0)
    factors = (1, 1) if data.weighing is None else data.weighing.factors
    first, second = (values * factor for values, factor in zip(groups.sums, factors, strict=True))
    return second / np.where(first + second > 0, first + second, 1.0)


def _groups_at(statistics: NodeStatistics, lines: Any, positions: Any) -> list[Group]:
    """Return the statistics of some cells as a list of groups."""
    sums = zip(*(values[lines, positions].tolist() for values in statistics.sums), strict=True)
    n = np.broadcast_to(statistics.n, statistics.sums[0].shape)
    return list(zip(n[lines, positions].tolist(), sums, strict=True))


def _missing_groups_at(missing: NodeStatistics | None, lines: Any, n_sums: int) -> list[Group]:
    """Return the statistics of the missing values of some lines."""
    if missing is None:
        return [(0, (0,) * n_sums)] * len(lines)
    return _groups_at(missing, lines, np.zeros_like(lines))


def _first_of_equal(keys: Iterable[Any]) -> list[int]:
    """Return the index of the first occurrence of each key."""
    return [index for index, _ in unique(enumerate(keys), key=itemgetter(1))]


def block_statistics(data: EncodedProblem, node: NodeData, block: Block) -> tuple[NodeStatistics, NodeStatistics]:
    """Return the statistics of the known codes and of the missing values of a block's features.

    Shapes (features, width) and (features, 1).
    """
    codes = block.codes.take(node.rows, axis=1)
    by_code = group_statistics(data, node.target(data, node.rows), codes, node.weights, block.width, len(node.classes))
    missing_cells = np.arange(len(block.features)), block.n_codes
    missing = by_code[missing_cells][:, None]
    for values in (by_code.n, *by_code.sums):
        values[missing_cells] = 0.0
    return by_code, missing
