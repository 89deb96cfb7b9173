"""The candidates of one node whose approximate gain is near the best.

Gains here are computed in floating point with numpy, for all candidates of a feature at once. `scoring` decides
among the candidates that are returned.
"""

from collections.abc import Iterator
from math import log2

from treerules.growing.encoding import EncodedProblem
from treerules.growing.reference.categorical import categorical_batches
from treerules.growing.reference.cut_tables import (
    block_statistics,
    counted_cut_table,
    is_searched_in_order,
    sorted_cut_tables,
)
from treerules.growing.reference.node_data import Candidate, CandidateBatch, NodeData
from treerules.growing.reference.numeric import cut_batches
from treerules.recipes.recipe import Recipe

#: A candidate is near the best when its gain is within this share of the greatest gain that the node could have.
_SLACK = 1e-11
#: The terms of a gain, sums squared over sizes, are at most the sum of squares; each is rounded a few times.
_ROUNDING = 1e-14


def candidates_near_best(data: EncodedProblem, node: NodeData, recipe: Recipe) -> Iterator[Candidate]:
    """Yield the candidates whose gain per cost is near the greatest one; for gain ratio, near that of their feature."""
    slack = _SLACK * _largest_possible_gain(data, node) + _ROUNDING * node.squares
    batches = [batch for batch in _batches(data, node, recipe, slack) if len(batch.gains)]
    gains_per_cost = [
        batch.gains if data.costs is None else batch.gains / data.costs[batch.features] for batch in batches
    ]
    best = 0.0 if node.scorer.criterion.divisor is not None else max([0.0, *(gains.max() for gains in gains_per_cost)])
    for batch, gains in zip(batches, gains_per_cost, strict=True):
        for index in (gains >= best - slack).nonzero()[0].tolist():
            yield batch.candidate_at(index)


def _batches(data: EncodedProblem, node: NodeData, recipe: Recipe, slack: float) -> Iterator[CandidateBatch]:
    """Yield the candidates of all features, a batch at a time."""
    for block in data.blocks:
        by_code, missing = block_statistics(data, node, block)
        in_order = is_searched_in_order(data, node, recipe, block, by_code, missing)
        table = counted_cut_table(data, node, recipe, block, by_code, missing, in_order)
        if table is not None:
            yield from cut_batches(data, node, recipe, table, slack)
        yield from categorical_batches(node, recipe, block, by_code, missing, ~in_order)
    for table in sorted_cut_tables(data, node):
        yield from cut_batches(data, node, recipe, table, slack)


def _largest_possible_gain(data: EncodedProblem, node: NodeData) -> float:
    """Return an upper bound of n times the gain of any split of the node."""
    n = node.weighed_n
    if data.is_regression or node.scorer.criterion.purity is None:
        return float(n * node.impurity)
    return float(n * max(1.0, log2(max(n, 1.0))))
