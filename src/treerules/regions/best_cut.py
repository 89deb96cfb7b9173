"""The best question to divide a cell of rules: the one that cuts fewest of them, on every axis at once."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from treerules.regions.axes import OrderedAxis, Part, StepSetAxis
from treerules.regions.partition import SpaceCell
from treerules.regions.space import Space

#: Up to this number of rules are compared with every cut at once.
_FEW = 48
#: Cost of a rule that is cut: more than any unevenness of fewer rules than the millions.
_CUT_COST = 2.0**20
#: Number of divisions of categories, about, that are tried.
_MOST_SIDES = 32

#: The index of an axis, and the parts into which a question divides it, by answer. An ordered axis is cut in two, below
#: and above a step, of which one has missing, or in three, of which missing is the last; or known values from missing.
Question = tuple[int, tuple[Part, ...]]


def best_question(space: Space, cell: SpaceCell) -> Question:
    """Return the question that divides the rules of a cell into the smallest parts; the first of equals.

    The fewest rules are cut; then even halves are better than uneven ones, as a part of n rules costs n log n.
    """
    candidates: list[tuple[float, Question]] = [*_best_cuts(space, cell), *_best_groupings(space, cell)]
    return min(candidates, key=lambda pair: pair[0])[1]


def _cost(n: Any) -> Any:
    return n * (_CUT_COST + np.log2(n + 1.0))


# ---- ordered axes


def _best_cuts(space: Space, cell: SpaceCell) -> Iterator[tuple[float, Question]]:
    """Yield the best cut of each ordered axis, and the question whether its value is known, with their costs."""
    indices, *stacked = space.ordered_bounds
    if not indices:
        return
    first, end, with_missing = np.array([cell.box[index] for index in indices]).T
    lo, hi, missing = (bounds[cell.boxes] for bounds in stacked)
    lo, hi, missing = np.maximum(lo, first), np.minimum(hi, end), missing & with_missing.astype(bool)
    n_missing = missing.sum(axis=0)
    few = _all_counts(lo, hi, missing) if len(cell.boxes) <= _FEW else None
    for column, index in enumerate(indices):
        part = cell.box[index]
        if n_missing[column] and part[0] < part[1]:
            n_known = int(np.count_nonzero(lo[:, column] < hi[:, column]))
            cost = float(_cost(n_known) + _cost(n_missing[column]))
            yield cost, (index, ((part[0], part[1], False), (0, 0, True)))
        if few is not None:
            cuts, counts = few[0][:, column], [count[:, column] for count in few[1]]
        else:
            cuts, counts = _counts(lo[:, column], hi[:, column], missing[:, column])
        inner = (cuts > part[0]) & (cuts < part[1])
        if inner.any():
            cost, parts = _best_cut(part, cuts[inner], [count[inner] for count in counts], int(n_missing[column]))
            yield cost, (index, parts)


def _best_cut(part: Part, cuts: Any, counts: Sequence[Any], n_missing: int) -> tuple[float, tuple[Part, ...]]:
    """Return the least cost of a cut of a part, and the parts that it makes.

    `counts` holds the number of rules on the sides of each cut: below, above, below with missing, above with missing.
    """
    below, above, below_missing, above_missing = counts
    ways = [_cost(below_missing) + _cost(above)]
    if n_missing:
        ways += [_cost(below) + _cost(above_missing), _cost(below) + _cost(above) + _cost(n_missing)]
    costs = np.stack(ways, axis=1)
    least = costs.min()
    turn = int(np.lexsort((cuts, costs.min(axis=1) > least))[0])
    cut, side = int(cuts[turn]), int(np.argmin(costs[turn]))
    parts = (part[0], cut, part[2] and side == 0), (cut, part[1], part[2] and side == 1)
    return float(least), (*parts, (0, 0, True)) if side == 2 else parts


def _all_counts(lo: Any, hi: Any, missing: Any) -> tuple[Any, list[Any]]:
    """Return the cuts of all columns, each bound of each rule, and the number of rules on their sides."""
    has_steps = lo < hi
    cuts = np.concatenate([np.where(has_steps, hi, 0), np.where(has_steps, lo, 0)])
    below, above = has_steps & (lo < cuts[:, None]), has_steps & (hi > cuts[:, None])
    return cuts, [side.sum(axis=1) for side in (below, above, below | missing, above | missing)]


def _counts(lo: Any, hi: Any, missing: Any) -> tuple[Any, list[Any]]:
    """Return the cuts of one column and the number of rules on their sides, by sorting."""
    has_steps = lo < hi
    with_both = has_steps & missing
    cuts = np.unique(np.concatenate([lo[has_steps], hi[has_steps]]))
    below = np.searchsorted(np.sort(lo[has_steps]), cuts, side="left")
    above = np.count_nonzero(has_steps) - np.searchsorted(np.sort(hi[has_steps]), cuts, side="right")
    n_missing = np.count_nonzero(missing)
    below_with_both = np.searchsorted(np.sort(lo[with_both]), cuts, side="left")
    above_with_both = np.count_nonzero(with_both) - np.searchsorted(np.sort(hi[with_both]), cuts, side="right")
    return cuts, [below, above, below + n_missing - below_with_both, above + n_missing - above_with_both]


# ---- categories, and sets of steps


def _best_groupings(space: Space, cell: SpaceCell) -> Iterator[tuple[float, Question]]:
    """Yield the best division of each axis of categories or of sets of steps, with its cost."""
    for index, axis in enumerate(space.axes):
        if isinstance(axis, OrderedAxis):
            continue
        atoms = axis.atoms_of(cell.box[index])
        taken = axis.takes[np.ix_(axis.kinds[cell.boxes], atoms)]
        patterns = np.unique(taken, axis=0)
        some = patterns[~patterns.all(axis=1)]
        if not len(some):
            continue
        connected = _connected(some)
        if isinstance(axis, StepSetAxis):  # a test of intervals has two answers
            connected = np.minimum(connected, 1)
        tries = [connected] if connected.max() else []
        tries += [(side != side[0]).astype(np.int64) for side in some[:: max(1, len(some) // _MOST_SIDES)]]
        costs = [_sides_cost(taken, sides) for sides in tries]
        best = costs.index(min(costs))
        sides = tries[best]
        parts = [sum(1 << atom for atom in atoms[sides == side].tolist()) for side in range(sides.max() + 1)]
        yield costs[best], (index, tuple(parts))


def _sides_cost(taken: Any, sides: Any) -> float:
    return float(sum(_cost(np.count_nonzero(taken[:, sides == side].any(axis=1))) for side in range(sides.max() + 1)))


def _connected(patterns: Any) -> Any:
    """Return the set of each atom, from 0 in the order of their first atoms: a pattern takes atoms of one set alone."""
    sets = np.arange(patterns.shape[1])
    for pattern in patterns:
        taken = np.unique(sets[pattern])
        sets[np.isin(sets, taken)] = taken[0] if len(taken) else -1
    return np.unique(sets, return_inverse=True)[1]
