"""Rules that could be one: they differ on one axis, and what they take there together is one condition.

Found by hashing: rules that agree on every axis but one have the same sum of hashes but for that axis.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import Any

import numpy as np

from treerules.regions.axes import Axis, OrderedAxis
from treerules.regions.space import Box, Space


def mergeable(space: Space, values: Sequence[Any], most: int) -> list[tuple[int, int]]:
    """Return at most so many pairs of rules, by position, that predict the same value and are one box together."""
    seen = dict.fromkeys(islice(_distinct(_mergeable(space, values)), most))
    return sorted(seen)


def _distinct(pairs: Iterator[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    seen = set()
    for pair in pairs:
        if pair not in seen:
            seen.add(pair)
            yield pair


def _mergeable(space: Space, values: Sequence[Any]) -> Iterator[tuple[int, int]]:
    held = space.held
    known: dict[Any, int] = {}
    predicted = np.array([known.setdefault((type(value), value), len(known)) for value in values], dtype=np.int64)
    columns = [predicted, *(axis.codes for axis in space.axes)]
    hashes = [_mixed(column[held], turn) for turn, column in enumerate(columns)]
    total = np.sum(hashes, axis=0, dtype=np.uint64)
    if not space.axes:
        yield from _alike(columns, held, combinations(held.tolist(), 2), -1)
    for place, axis in enumerate(space.axes):
        for group in _groups(total - hashes[place + 1]):
            yield from _alike(columns, held, _joining(axis, held[group].tolist()), place + 1)


def _mixed(codes: Any, seed: int) -> Any:
    """Return numbers scattered over 64 bits (the finalizer of splitmix64)."""
    mixed = codes.astype(np.uint64) + np.uint64((seed + 1) * 0x9E3779B97F4A7C15 % 2**64)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def _groups(keys: Any) -> Iterator[Any]:
    """Yield the places of equal keys, two at least, those that begin first first."""
    order = np.argsort(keys, kind="stable")
    starts = np.flatnonzero(np.diff(keys[order], prepend=keys[order[:1]] + np.uint64(1)))
    ends = np.append(starts[1:], len(keys))
    many = ends - starts > 1
    starts, ends = starts[many], ends[many]
    for turn in np.argsort(order[starts]).tolist():
        yield order[starts[turn] : ends[turn]]


def _joining(axis: Axis, rules: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of rules whose parts of an axis are one together."""
    if not isinstance(axis, OrderedAxis):
        yield from combinations(rules, 2)
        return
    ordered = sorted((axis.part(rule), rule) for rule in rules)
    known = [(part, rule) for part, rule in ordered if part[0] < part[1]]
    bare = [rule for part, rule in ordered if part[0] >= part[1]]
    for turn, (part, rule) in enumerate(known):
        for other, second in known[turn + 1 :]:
            if other[0] > part[1]:
                break
            yield rule, second
        yield from ((rule, second) for second in bare)
    yield from combinations(bare, 2)


def _alike(
    columns: Sequence[Any], held: Any, pairs: Iterator[tuple[int, int]], place: int
) -> Iterator[tuple[int, int]]:
    """Yield the pairs whose columns are all equal but the one in that place, which hashes alone do not prove."""
    for one, other in pairs:
        if all(column[one] == column[other] for turn, column in enumerate(columns) if turn != place):
            yield min(one, other), max(one, other)


def merged(space: Space, boxes: Sequence[Box]) -> list[Box]:
    """Return boxes that do not overlap with those joined that are one box together, until no two are."""
    boxes, n = list(boxes), len(boxes) + 1
    while len(boxes) < n:
        n = len(boxes)
        for place, axis in enumerate(space.axes):
            groups: dict[Box, list[Any]] = {}
            for box in boxes:
                groups.setdefault((*box[:place], *box[place + 1 :]), []).append(box[place])
            boxes = [
                (*rest[:place], part, *rest[place:]) for rest, parts in groups.items() for part in _joined(axis, parts)
            ]
    return boxes


def _joined(axis: Axis, parts: Sequence[Any]) -> list[Any]:
    """Return parts that do not overlap, with those joined that are one together."""
    joined: list[Any] = []
    for part in sorted(parts):
        union = axis.union(joined[-1], part) if joined else None
        if union is None:
            joined.append(part)
        else:
            joined[-1] = union
    return joined
