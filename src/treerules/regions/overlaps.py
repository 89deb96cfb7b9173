"""Which boxes of one kind share something with which of another: rules with rules, rows with rules. Exact.

Few pairs are compared each with each. More are divided first, where the parts have least to compare; a box on both
sides goes along with both. Nothing is ever missed by a bad division, it only costs time.
"""

from typing import Any

import numpy as np

from treerules.regions.grids import Atoms, Axis, Boxes, Sets, Steps

#: So many pairs are compared each with each.
_FEW = 1 << 18
#: Where no more than one pair in so many is left, the matrix is left too.
_SPARSE = 12
#: Divisions are judged on about so many boxes of each kind.
_JUDGED = 256
#: A division must leave no more than this share of the pairs.
_WORTH = 0.8


def pairs_of(first: Boxes, second: Boxes, labels: tuple[Any, Any] | None = None) -> tuple[Any, Any]:
    """Return the places of all boxes that share something, as two arrays: by the first's place, then the second's.

    With `labels`, an integer for each box of either kind, only pairs with different ones.
    """
    axes = first.grid.axes
    held, others_held = np.flatnonzero(first.taking()), np.flatnonzero(second.taking())
    waiting = [(held, others_held, tuple(axis.whole for axis in axes))]
    found = [np.zeros(0, dtype=np.int64)]
    while waiting:
        some, others, region = waiting.pop()
        parts = _divided(first, second, some, others, region) if len(some) * len(others) > _FEW else None
        if parts is None:
            found.extend(_compared(first, second, some, others, labels))
        else:
            waiting.extend(parts)
    keys = np.unique(np.concatenate(found))
    return keys // max(1, second.n), keys % max(1, second.n)


def _compared(first: Boxes, second: Boxes, some: Any, others: Any, labels: Any) -> Any:
    """Yield the keys of the pairs that share something, compared each with each."""
    height = max(1, 4 * _FEW // max(1, len(others)))
    for start in range(0, len(some), height):
        rows = some[start : start + height]
        if labels is None:
            meet = np.ones((len(rows), len(others)), dtype=bool)
        else:
            meet = labels[0][rows][:, None] != labels[1][others]
        axes = list(zip(first.grid.axes, first.parts, second.parts, strict=True))
        while axes and np.count_nonzero(meet) * _SPARSE > meet.size:
            axis, left, right = axes.pop(0)
            meet &= _meet(axis, left, right, rows, others)
        at, to = np.nonzero(meet)
        at, to = rows[at], others[to]
        for axis, left, right in axes:  # few are left: they are looked at one by one
            stay = _meet_one_by_one(axis, left, right, at, to)
            at, to = at[stay], to[stay]
        yield at * second.n + to


def _meet(axis: Axis, left: Any, right: Any, rows: Any, others: Any) -> Any:
    """Return the matrix of which boxes share something on an axis with which."""
    if isinstance(axis, Atoms):
        if left.codes is not None:
            return right.of(others, axis.n).T[left.codes[rows]] & (left.codes[rows] >= 0)[:, None]
        return left.of(rows, axis.n).astype(np.float32) @ right.of(others, axis.n).astype(np.float32).T > 0
    lo = np.maximum(left.lo[rows][:, None], right.lo[others])
    hi = np.minimum(left.hi[rows][:, None], right.hi[others])
    return (lo < hi) | (left.missing[rows][:, None] & right.missing[others])


def _meet_one_by_one(axis: Axis, left: Any, right: Any, at: Any, to: Any) -> Any:
    """Return which pairs share something on an axis."""
    if isinstance(axis, Atoms):
        if left.codes is not None:
            return right.takes[to, left.codes[at]] & (left.codes[at] >= 0)
        return (left.takes[at] & right.takes[to]).any(axis=1)
    lo, hi = np.maximum(left.lo[at], right.lo[to]), np.minimum(left.hi[at], right.hi[to])
    return (lo < hi) | (left.missing[at] & right.missing[to])


# ---- dividing


def _inside(axis: Axis, parts: Any, boxes: Any, part: Any) -> Any:
    """Return which of these boxes hold something of a part."""
    if isinstance(axis, Steps):
        lo, hi = np.maximum(parts.lo[boxes], part[0]), np.minimum(parts.hi[boxes], part[1])
        return (lo < hi) | (parts.missing[boxes] & part[2])
    bits = np.array([bool(part >> place & 1) for place in range(axis.n)], dtype=bool)
    if parts.codes is not None:
        codes = parts.codes[boxes]
        return (codes >= 0) & bits[codes] if axis.n else codes >= 0
    return (parts.takes[boxes] & bits).any(axis=1)


def _divided(first: Boxes, second: Boxes, some: Any, others: Any, region: Any) -> list[Any] | None:
    """Return the boxes on either side of the best division, None where none is worth it."""
    few, few_others = some[:: 1 + len(some) // _JUDGED], others[:: 1 + len(others) // _JUDGED]
    best, chosen = int(_WORTH * len(few) * len(few_others)), None
    for place, axis in enumerate(first.grid.axes):
        for two in _divisions(axis, first.parts[place], second.parts[place], few, few_others, region[place]):
            cost = sum(
                int(np.count_nonzero(_inside(axis, first.parts[place], few, part)))
                * int(np.count_nonzero(_inside(axis, second.parts[place], few_others, part)))
                for part in two
            )
            if cost < best:
                best, chosen = cost, (place, two)
    if chosen is None:
        return None
    place, two = chosen
    axis, left, right = first.grid.axes[place], first.parts[place], second.parts[place]
    return [
        (
            some[_inside(axis, left, some, part)],
            others[_inside(axis, right, others, part)],
            (*region[:place], part, *region[place + 1 :]),
        )
        for part in two
    ]


def _divisions(axis: Axis, left: Any, right: Any, few: Any, others: Any, part: Any) -> list[tuple[Any, Any]]:
    """Return ways to divide a part of an axis in two."""
    if isinstance(axis, Atoms):
        return _atom_divisions(axis, left, right, few, others, part)
    found = []
    for ranges, boxes in ((left, few), (right, others)):
        ends = np.sort(np.concatenate([ranges.lo[boxes], ranges.hi[boxes]]))
        ends = ends[(ends > part[0]) & (ends < part[1])]
        found += [int(ends[len(ends) * quarter // 4]) for quarter in (1, 2, 3) if len(ends)]
    cuts = [((part[0], cut, False), (cut, part[1], part[2])) for cut in sorted(set(found))]
    if part[2] and part[0] < part[1]:
        cuts.append(((part[0], part[1], False), (part[0], part[0], True)))
    return cuts


def _atom_divisions(axis: Atoms, left: Sets, right: Sets, few: Any, others: Any, part: int) -> list[tuple[Any, Any]]:
    held = [place for place in range(axis.n) if part >> place & 1]
    if len(held) < 2:
        return []
    sums = [parts.of(boxes, axis.n)[:, held].sum(axis=0) for parts, boxes in ((left, few), (right, others))]
    order = np.argsort(-sums[0], kind="stable").tolist()
    most, half = 1 << held[order[0]], sum(1 << held[at] for at in order[::2])
    return [(some, part & ~some) for some in (most, half)]
