"""Boxes that are one box together: they differ on one axis, and their parts of it have a union.

Pairs are found by hashing: boxes that agree on every axis but one have the same sum of hashes but for that axis.
"""

from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from toolz import unique

from treerules._internal.first_values import first_values
from treerules.regions.axes import Axis
from treerules.regions.space import Box, Space
from treerules.regions.subtract import Budget


def find_mergeable(space: Space, values: Sequence[Any], limit: int) -> list[tuple[int, int]]:
    """Return at most `limit` pairs of rules, by position, that predict the same value and are one box together."""
    return sorted(first_values(unique(_mergeable(space, values)), limit))


def _mergeable(space: Space, values: Sequence[Any]) -> Iterator[tuple[int, int]]:
    boxes = space.nonempty
    codes: dict[Any, int] = {}
    predicted = np.array([codes.setdefault((type(value), value), len(codes)) for value in values], dtype=np.int64)
    columns = [predicted, *(axis.codes for axis in space.axes)]
    hashes = [_hashed(column[boxes], turn) for turn, column in enumerate(columns)]
    total = np.sum(hashes, axis=0, dtype=np.uint64)
    if not space.axes:
        yield from _equal_but_for(columns, combinations(boxes.tolist(), 2), -1)
    for index, axis in enumerate(space.axes):
        for group in _groups(total - hashes[index + 1]):
            yield from _equal_but_for(columns, axis.joinable_pairs(boxes[group].tolist()), index + 1)


def _hashed(codes: Any, seed: int) -> Any:
    """Return integers scattered over 64 bits (the finalizer of splitmix64)."""
    mixed = codes.astype(np.uint64) + np.uint64((seed + 1) * 0x9E3779B97F4A7C15 % 2**64)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def _groups(keys: Any) -> Iterator[Any]:
    """Yield the positions of equal keys, where there are two at least, ordered by their first position."""
    order = np.argsort(keys, kind="stable")
    starts = np.flatnonzero(np.diff(keys[order], prepend=keys[order[:1]] + np.uint64(1)))
    ends = np.append(starts[1:], len(keys))
    several = ends - starts > 1
    starts, ends = starts[several], ends[several]
    for turn in np.argsort(order[starts]).tolist():
        yield order[starts[turn] : ends[turn]]


def _equal_but_for(columns: Sequence[Any], pairs: Iterator[tuple[int, int]], index: int) -> Iterator[tuple[int, int]]:
    """Yield the pairs that are equal in every column but one, which their hashes alone do not prove."""
    for one, other in pairs:
        if all(column[one] == column[other] for turn, column in enumerate(columns) if turn != index):
            yield min(one, other), max(one, other)


#: A box, and the positions of the boxes that it is made of.
Merged = tuple[Box, tuple[int, ...]]


#: So many boxes are compared on one axis in one step.
_BOXES_IN_STEP = 4


def merge_boxes(
    space: Space, boxes: Sequence[Box], labels: Sequence[Hashable] | None = None, budget: Budget | None = None
) -> list[Merged]:
    """Return boxes that do not overlap, with those joined that are one box together, until no two are.

    Args:
        space: the axes of the boxes.
        boxes: the boxes.
        labels: a label for each box; only boxes with equal ones are joined.
        budget: a step is taken for each four boxes that are compared on an axis; None counts none.

    Returns:
        Pairs of a box and the positions of the boxes that it is made of.

    Raises:
        BudgetExceeded: the comparisons need more steps than the budget has.
    """
    label_of = [None] * len(boxes) if labels is None else labels
    merged: list[Merged] = [(box, (at,)) for at, box in enumerate(boxes)]
    n_before = len(boxes) + 1
    while len(merged) < n_before:
        n_before = len(merged)
        for index, axis in enumerate(space.axes):
            if budget is not None:
                budget.take_steps(1 + len(merged) // _BOXES_IN_STEP)
            groups: dict[Any, list[Merged]] = {}
            for box, sources in merged:
                key = label_of[sources[0]], box[:index], box[index + 1 :]
                groups.setdefault(key, []).append((box, sources))
            if len(groups) < len(merged):
                merged = [joined for group in groups.values() for joined in _joined(axis, index, group)]
    return merged


def _joined(axis: Axis, index: int, group: Sequence[Merged]) -> list[Merged]:
    """Return boxes that are equal on every axis but one, with those joined whose parts of that axis have a union."""
    joined: list[Merged] = []
    for box, sources in sorted(group, key=lambda pair: pair[0][index]):
        union = axis.union(joined[-1][0][index], box[index]) if joined else None
        if union is None:
            joined.append((box, sources))
        else:
            before, sources_before = joined[-1]
            joined[-1] = (*before[:index], union, *before[index + 1 :]), (*sources_before, *sources)
    return joined
