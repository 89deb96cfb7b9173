"""The statistics of one node's rows on the first side of every cut of its ordered features.

Features of few values: the statistics of every code, counted for many features at once, then summed from the first
code on. Features of many values: sums along the presorted rows; a cut lies where the code changes.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from attrs import evolve, frozen

from treerules.growing.encoding import Block, EncodedProblem
from treerules.growing.problem_checks import MOST_EXHAUSTIVE
from treerules.growing.reference.node_data import (
    NodeData,
)
from treerules.growing.reference.statistics import NodeStatistics, cumulative_statistics, group_statistics
from treerules.recipes.recipe import Recipe

#: Features of many values are searched together in blocks of at most this many cells (features times rows).
_CELLS = 1 << 15


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
        by_code = by_code.map(lambda values: values.take(cells))
        is_cut = is_present.copy()
        if recipe.missing != "branch":  # with a branch for missing values even a split of equal means has a gain
            is_cut[:, :-1] &= rank[:, 1:] != rank[:, :-1]
    first = by_code.map(partial(np.cumsum, axis=1))
    known = first[:, -1:]
    if recipe.categories == "one_against_rest" and not is_ordered.all():
        first = first.merge(partial(np.where, is_ordered[:, None]), by_code)
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
    smallest = np.where(by_code.n > 0, by_code.size, np.inf).min(axis=1)
    if recipe.missing == "learned":
        smallest = np.minimum(smallest, np.where(missing.n > 0, missing.size, np.inf)[:, 0])
    return block.is_cut | (smallest >= recipe.least) | ((by_code.n > 0).sum(axis=1) > MOST_EXHAUSTIVE)


def _mean_of_each(data: EncodedProblem, node: NodeData, by_code: NodeStatistics) -> Any:
    """Return the mean target of each cell, or the weighted share of the last class; equal doubles stay together."""
    if data.is_regression:
        return by_code.sums[0].astype(np.float64) / np.where(by_code.n > 0, by_code.n, 1.0)
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
    shares = None if node.share_of_row is None else node.share_of_row.take(rows)
    sums = cumulative_statistics(data, node.target(data, rows), weights, shares, len(node.classes))
    is_cut = codes[:, :-1] != codes[:, 1:]
    known, missing = sums[:, -1:], None
    if (codes[:, -1:] == n_codes).any():  # missing values have the last code
        is_cut &= codes[:, 1:] < n_codes
        n_known = (codes < n_codes).sum(axis=1)
        sums = evolve(sums, n=np.broadcast_to(sums.n, codes.shape))
        last_known = np.arange(len(features)), np.maximum(n_known - 1, 0)
        known = _statistics_where(n_known[:, None] > 0, sums[last_known][:, None])
        missing = _statistics_where(n_known[:, None] < rows.shape[1], sums[:, -1:] - known)
    return CutTable(features, sums[:, :-1], known, missing, is_cut, codes=codes)


def _statistics_where(condition: Any, statistics: NodeStatistics) -> NodeStatistics:
    """Return the statistics where a condition holds, and 0 elsewhere."""
    return statistics.map(lambda values: np.where(condition, values, 0))


def block_statistics(data: EncodedProblem, node: NodeData, block: Block) -> tuple[NodeStatistics, NodeStatistics]:
    """Return the statistics of the known codes and of the missing values of a block's features.

    Shapes (features, width) and (features, 1).
    """
    codes = block.codes.take(node.rows, axis=1)
    target, n_classes = node.target(data, node.rows), len(node.classes)
    by_code = group_statistics(data, target, codes, node.weights, node.shares, block.width, n_classes)
    missing_cells = np.arange(len(block.features)), block.n_codes
    missing = by_code[missing_cells][:, None]
    for values in (by_code.n, *by_code.sums, *([] if by_code.rows is None else [by_code.rows])):
        values[missing_cells] = 0
    return by_code, missing
