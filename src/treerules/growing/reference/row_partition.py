"""Partition of a node's rows among the children of a split."""

from collections.abc import Callable
from math import fsum, inf
from typing import Any, cast

import numpy as np

from treerules.growing.encoding import EncodedProblem
from treerules.growing.reference.decide import GrowthContext, PendingNode, SplitDecision
from treerules.growing.reference.leaves import Bounds, bounded_value
from treerules.growing.reference.node_data import Candidate
from treerules.growing.reference.split_tests import missing_child_of, n_children_of, unseen_child_of
from treerules.trees.node_parts import CategoryTest, Test
from treerules.trees.nodes import Node, Split


def partition_rows(
    context: GrowthContext, pending: PendingNode, decision: SplitDecision
) -> tuple[Callable[[tuple[Node, ...]], Node], list[PendingNode]]:
    """Return a function that joins the children to a Split, and the pending nodes of the children.

    Rows whose missing value is divided among all children (`Recipe.missing == "fraction"`) are marked -1.
    """
    candidate, test, leaf = cast(Candidate, decision.candidate), cast(Test, decision.test), decision.leaf
    missing, n = missing_child_of(candidate, test), n_children_of(candidate, test)
    unseen = unseen_child_of(candidate, context.schema)
    is_divided = candidate.missing_child is None and candidate.missing[0] > 0
    child_of_row, to = context.child_of_row, -1 if is_divided else missing
    child_of_row[pending.rows] = child_of_rows(context.data, pending.rows, candidate, test, to)
    child_by_row = child_of_row.take(pending.rows, mode="clip")
    child_by_order = child_of_row.take(pending.order, mode="clip")
    shares = _child_shares(child_by_row, pending.weights, n) if is_divided else [0.0] * n
    bounds = child_bounds(context, pending, decision, n)
    validation_rows = decision.validation_rows or (None,) * n
    children = []
    for child, share in enumerate(shares):
        positions, weights = _rows_of_child(child_by_row, child, share, pending.weights)
        rows = pending.rows.take(positions)
        is_in_child = (child_by_order == child) | (child_by_order == -1) if share else child_by_order == child
        order = pending.order.take(is_in_child.ravel().nonzero()[0]).reshape(len(pending.order), len(rows))
        depth, validated = pending.depth + 1, validation_rows[child]
        children.append(PendingNode(rows, order, weights, depth, leaf, bounds[child], validated))

    def join(nodes: tuple[Node, ...]) -> Node:
        return Split(test, nodes, missing, unseen, leaf)

    return join, children


def child_of_rows(data: EncodedProblem, rows: Any, candidate: Candidate, test: Test, missing: int) -> Any:
    """Return the child of each row, shape (rows,); rows with a missing value get `missing`."""
    codes = data.codes[candidate.feature].take(rows)
    n_codes = data.n_codes[candidate.feature]
    if candidate.is_cut:
        sides = (codes > candidate.sides[0][-1]).astype(np.int32)
        sides[codes == n_codes] = missing
        return sides
    child_of_code = np.full(n_codes + 1, missing, dtype=np.int32)  # the last code is that of missing values
    for side, group in enumerate(cast(CategoryTest, test).groups):
        child_of_code[list(group)] = side
    return child_of_code.take(codes)


def _child_shares(child_by_row: Any, weights: Any, n: int) -> list[float]:
    """Return each child's share of the weight of rows with a known value; sums are correctly rounded."""
    sides = [child_by_row == child for child in range(n)]
    sizes = [float(side.sum()) if weights is None else fsum(weights[side].tolist()) for side in sides]
    return [size / sum(sizes) for size in sizes]


def _rows_of_child(child_by_row: Any, child: int, share: float, weights: Any) -> tuple[Any, Any]:
    """Return the positions of the rows that go to a child, and their weights in it.

    Rows that are divided among all children (-1) keep a share of their weight; `share` is 0 where no row is divided.
    """
    if not share:
        positions = (child_by_row == child).nonzero()[0]
        return positions, None if weights is None else weights[positions]
    positions = ((child_by_row == child) | (child_by_row == -1)).nonzero()[0]
    factors = np.where(child_by_row[positions] == -1, share, 1.0)
    return positions, factors if weights is None else weights[positions] * factors


def child_bounds(context: GrowthContext, pending: PendingNode, decision: SplitDecision, n: int) -> list[Bounds]:
    """Return the bounds of each child: at the cut of a monotone feature, the middle of both predictions is a bound."""
    candidate = cast(Candidate, decision.candidate)
    direction = None if context.directions is None else context.directions.get(candidate.feature)
    if direction is None or candidate.is_missing_test:
        return [pending.bounds] * n
    left, right = (bounded_value(prediction) for prediction in decision.predictions[:2])
    middle = left + (right - left) / 2 if abs(right - left) < inf else left / 2 + right / 2
    middle = min(max(middle, pending.bounds[0]), pending.bounds[1])
    low, high = (pending.bounds[0], middle), (middle, pending.bounds[1])
    of_sides = [low, high] if direction > 0 else [high, low]
    return [*of_sides, *[pending.bounds] * (n - 2)]
