"""How a chosen split is carried out: its test, the child of each row, and the seeds of the children."""

from collections.abc import Callable
from math import fsum, inf
from typing import Any, cast

import numpy as np

from treerules.growing.encoding import Encoded
from treerules.growing.reference.decide import Choice, GrowthContext, Seed
from treerules.growing.reference.leaves import Bounds, value_of_prediction
from treerules.growing.reference.node_data import Candidate
from treerules.growing.reference.split_tests import missing_child, n_children, unseen_child
from treerules.trees.node_parts import CategoryTest, Test
from treerules.trees.tree import Node, Split


def divided(grower: GrowthContext, seed: Seed, choice: Choice) -> tuple[Callable[[tuple[Node, ...]], Node], list[Seed]]:
    """Return how the children of a split join, and their seeds."""
    best, test, leaf = cast(Candidate, choice.split), cast(Test, choice.test), choice.leaf
    missing, unseen, n = missing_child(best, test), unseen_child(best, grower.schema), n_children(best, test)
    to_all = best.to is None and best.missing[0] > 0
    child_of = grower.child
    child_of[seed.rows] = sides_of_rows(grower.data, seed.rows, best, test, -1 if to_all else missing)
    by_row, by_order = child_of.take(seed.rows, mode="clip"), child_of.take(seed.order, mode="clip")
    shares, bounds = _shares(by_row, seed.weights, n) if to_all else [0.0] * n, _bounds(grower, seed, choice, n)
    judges = choice.judges or (None,) * n
    seeds = []
    for child in range(n):
        taken, weights = _taken(by_row, child, shares[child], seed.weights)
        rows = seed.rows.take(taken)
        in_order = (by_order == child) | (by_order == -1) if shares[child] else by_order == child
        order = seed.order.take(in_order.ravel().nonzero()[0]).reshape(len(seed.order), len(rows))
        seeds.append(Seed(rows, order, weights, seed.depth + 1, leaf, bounds[child], judges[child]))

    def join(children: tuple[Node, ...]) -> Node:
        return Split(test, children, missing, unseen, leaf)

    return join, seeds


def sides_of_rows(data: Encoded, rows: Any, best: Candidate, test: Test, missing: int) -> Any:
    """Return the child of each row."""
    codes = data.codes[best.feature].take(rows)
    n_codes = data.n_codes[best.feature]
    if best.is_cut:
        sides = (codes > best.sides[0][-1]).astype(np.int32)
        sides[codes == n_codes] = missing
        return sides
    child = np.full(n_codes + 1, missing, dtype=np.int32)  # the last is missing
    for side, group in enumerate(cast(CategoryTest, test).groups):
        child[list(group)] = side
    return child.take(codes)


def _shares(by_row: Any, weights: Any, n: int) -> list[float]:
    """Return each child's share of the known case weight; sums are correctly rounded, so their order is nothing."""
    sides = [by_row == child for child in range(n)]
    sizes = [float(side.sum()) if weights is None else fsum(weights[side].tolist()) for side in sides]
    return [size / sum(sizes) for size in sizes]


def _taken(by_row: Any, child: int, share: float, weights: Any) -> tuple[Any, Any]:
    """Return the places of the rows that go to a child, and their weights there: a share of those that go to all."""
    if not share:
        taken = (by_row == child).nonzero()[0]
        return taken, None if weights is None else weights[taken]
    taken = ((by_row == child) | (by_row == -1)).nonzero()[0]
    shares = np.where(by_row[taken] == -1, share, 1.0)
    return taken, shares if weights is None else weights[taken] * shares


def _bounds(grower: GrowthContext, seed: Seed, choice: Choice, n: int) -> list[Bounds]:
    """Return the bounds of each child: of a monotone feature's cut both sides end in the middle between them."""
    best = cast(Candidate, choice.split)
    direction = None if grower.directions is None else grower.directions.get(best.feature)
    if direction is None or best.is_apart:
        return [seed.bounds] * n
    left, right = (value_of_prediction(prediction) for prediction in choice.predictions[:2])
    middle = left + (right - left) / 2 if abs(right - left) < inf else left / 2 + right / 2
    middle = min(max(middle, seed.bounds[0]), seed.bounds[1])
    low, high = (seed.bounds[0], middle), (middle, seed.bounds[1])
    both = [low, high] if direction > 0 else [high, low]
    return [*both, *[seed.bounds] * (n - 2)]
