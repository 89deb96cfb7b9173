"""Where to divide a region of rules: the question that cuts fewest of them, on every axis at once.

Columns are the axes of the rules' space: an ordered one is a line of steps, of which a rule takes those from `lo` to
before `hi`, any other a row of atoms.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from attrs import frozen

from treerules.regions.axes import CategoryAxis, OrderedAxis
from treerules.regions.space import Space

#: So few rules are compared with every cut at once.
_FEW = 48
#: What a rule costs that is cut: more than any unevenness of fewer rules than the millions.
_A_CUT = 2.0**20
#: Of the divisions of categories that rules suggest, about so many are tried.
_MOST_SIDES = 32


@frozen(eq=False)
class Part:
    """A region and the rules that take some of it, by position."""

    held: Any
    #: for each ordered column: its first step, the end of its steps, and whether missing belongs to it
    first: Any
    end: Any
    missing: Any
    #: for each other column: which atoms belong to it
    atoms: tuple[Any, ...]


@frozen(eq=False)
class Cut:
    """A question to an ordered column: is a value below step `at`? Missing goes to part 0, 1 or a part of its own, 2.

    `at` None asks whether it is known: missing has part 1 to itself.
    """

    column: int
    at: int | None
    missing: int


@frozen(eq=False)
class Grouping:
    """A question to another column: which of these sets of atoms is it in? Each set is an ascending array."""

    column: int
    sides: tuple[Any, ...]


@frozen(eq=False)
class Rows:
    """The rules of a space as rows of arrays."""

    ordered: tuple[OrderedAxis, ...]
    lo: Any
    hi: Any
    missing: Any
    others: tuple[CategoryAxis, ...]
    #: for each other column: which rule takes which atom
    takes: tuple[Any, ...]

    @property
    def whole(self) -> Part:
        """The region of the whole domain."""
        first, end, missing = (np.array([axis.whole[at] for axis in self.ordered]) for at in range(3))
        atoms = tuple(np.ones(len(axis.values), dtype=bool) for axis in self.others)
        every = np.arange(len(self.lo))
        return self.inside(every, first.astype(np.int64), end.astype(np.int64), missing.astype(bool), atoms)

    def inside(self, held: Any, first: Any, end: Any, missing: Any, atoms: tuple[Any, ...]) -> Part:
        """Return a region with those of some rules that take some of it."""
        lo, hi = np.maximum(self.lo[held], first), np.minimum(self.hi[held], end)
        stay = ((lo < hi) | (self.missing[held] & missing)).all(axis=1)
        for takes, mask in zip(self.takes, atoms, strict=True):
            stay &= takes[held][:, mask].any(axis=1)
        return Part(held[stay], first, end, missing, atoms)

    def divided(self, part: Part, question: Cut | Grouping) -> list[Part]:
        """Return the parts of a region that a question makes, in the order of its answers."""
        if isinstance(question, Grouping):
            found = []
            for side in question.sides:
                mask = np.zeros_like(part.atoms[question.column])
                mask[side] = True
                atoms = (*part.atoms[: question.column], mask, *part.atoms[question.column + 1 :])
                found.append(self.inside(part.held, part.first, part.end, part.missing, atoms))
            return found
        return [self._cut(part, question, side) for side in range(2 + (question.missing == 2))]

    def _cut(self, part: Part, question: Cut, side: int) -> Part:
        first, end, missing = part.first.copy(), part.end.copy(), part.missing.copy()
        column = question.column
        at = end[column] if question.at is None else question.at
        if side == 0:
            end[column] = at
        elif side == 1:
            first[column] = at
        else:
            first[column] = end[column]
        missing[column] &= side == question.missing
        return self.inside(part.held, first, end, missing, part.atoms)


def rows_of(space: Space) -> Rows:
    """Return the rules of a space as rows of arrays."""
    ordered = [axis for axis in space.axes if isinstance(axis, OrderedAxis)]
    others = [axis for axis in space.axes if isinstance(axis, CategoryAxis)]
    none = np.zeros((space.n_rules, 0), dtype=np.int64)
    lo, hi, missing = (
        np.column_stack([none, *(getattr(axis, name) for axis in ordered)]) for name in ("lo", "hi", "missing")
    )
    takes = [axis.takes[axis.kinds] for axis in others]
    return Rows(tuple(ordered), lo, hi, missing.astype(bool), tuple(others), tuple(takes))


# ---- the best question


def best_question(rows: Rows, part: Part) -> Cut | Grouping:
    """Return the question that leaves the rules of a region in the smallest parts; the first of equals.

    The fewest rules are cut; then even halves are better than uneven ones, as a part of n rules costs n log n.
    """
    found: list[tuple[float, Cut | Grouping]] = [*_best_cuts(rows, part), *_best_groupings(rows, part)]
    return min(found, key=lambda pair: pair[0])[1]


def _cost(n: Any) -> Any:
    return n * (_A_CUT + np.log2(n + 1.0))


def _best_cuts(rows: Rows, part: Part) -> Iterator[tuple[float, Cut]]:
    if not rows.ordered:
        return
    lo, hi = np.maximum(rows.lo[part.held], part.first), np.minimum(rows.hi[part.held], part.end)
    gone = rows.missing[part.held] & part.missing
    n_gone = gone.sum(axis=0)
    few = len(part.held) <= _FEW
    counts = _all_counts(lo, hi, gone, part) if few else None
    for column in range(len(rows.ordered)):
        if n_gone[column] and part.first[column] < part.end[column]:
            n_known = int(np.count_nonzero(lo[:, column] < hi[:, column]))
            yield float(_cost(n_known) + _cost(n_gone[column])), Cut(column, None, 1)
        if counts is not None:
            cuts, sizes = counts[0][:, column], [size[:, column] for size in counts[1]]
        else:
            cuts, sizes = _counts(lo[:, column], hi[:, column], gone[:, column])
        inner = (cuts > part.first[column]) & (cuts < part.end[column])
        if inner.any():
            yield _best_cut(column, cuts[inner], [size[inner] for size in sizes], int(n_gone[column]))


def _best_cut(column: int, cuts: Any, sizes: Sequence[Any], n_gone: int) -> tuple[float, Cut]:
    """Return the best cut of a column, of those whose sides hold so many rules: below, above, both with missing."""
    below, above, below_gone, above_gone = sizes
    ways = [_cost(below_gone) + _cost(above)]
    if n_gone:
        ways += [_cost(below) + _cost(above_gone), _cost(below) + _cost(above) + _cost(n_gone)]
    costs = np.stack(ways, axis=1)
    least = costs.min()
    place = int(np.lexsort((cuts, costs.min(axis=1) > least))[0])
    return float(least), Cut(column, int(cuts[place]), int(np.argmin(costs[place])))


def _all_counts(lo: Any, hi: Any, gone: Any, part: Part) -> tuple[Any, list[Any]]:
    """Return the cuts of all columns, each bound of each rule, and how many rules lie on their sides."""
    known = lo < hi
    cuts = np.concatenate([np.where(known, hi, 0), np.where(known, lo, 0)])
    below, above = known & (lo < cuts[:, None]), known & (hi > cuts[:, None])
    return cuts, [side.sum(axis=1) for side in (below, above, below | gone, above | gone)]


def _counts(lo: Any, hi: Any, gone: Any) -> tuple[Any, list[Any]]:
    """Return the cuts of one column and how many rules lie on their sides, by sorting."""
    known = lo < hi
    both = known & gone
    cuts = np.unique(np.concatenate([lo[known], hi[known]]))
    below = np.searchsorted(np.sort(lo[known]), cuts, side="left")
    above = np.count_nonzero(known) - np.searchsorted(np.sort(hi[known]), cuts, side="right")
    n_gone = np.count_nonzero(gone)
    held_below = np.searchsorted(np.sort(lo[both]), cuts, side="left")
    held_above = np.count_nonzero(both) - np.searchsorted(np.sort(hi[both]), cuts, side="right")
    return cuts, [below, above, below + n_gone - held_below, above + n_gone - held_above]


def _best_groupings(rows: Rows, part: Part) -> Iterator[tuple[float, Grouping]]:
    for column, (takes, mask) in enumerate(zip(rows.takes, part.atoms, strict=True)):
        atoms = np.flatnonzero(mask)
        taken = takes[np.ix_(part.held, atoms)]
        patterns = np.unique(taken, axis=0)
        some = patterns[~patterns.all(axis=1)]
        if not len(some):
            continue
        together = _together(some)
        tries = [together] if together.max() else []
        tries += [(side != side[0]).astype(np.int64) for side in some[:: max(1, len(some) // _MOST_SIDES)]]
        costs = [_sides_cost(taken, sides) for sides in tries]
        best = costs.index(min(costs))
        sides = tries[best]
        yield costs[best], Grouping(column, tuple(atoms[sides == side] for side in range(sides.max() + 1)))


def _sides_cost(taken: Any, sides: Any) -> float:
    return float(sum(_cost(np.count_nonzero(taken[:, sides == side].any(axis=1))) for side in range(sides.max() + 1)))


def _together(patterns: Any) -> Any:
    """Return the set of each atom, from 0 in order of their first atoms: what a pattern takes is in one set."""
    sets = np.arange(patterns.shape[1])
    for pattern in patterns:
        taken = np.unique(sets[pattern])
        sets[np.isin(sets, taken)] = taken[0] if len(taken) else -1
    return np.unique(sets, return_inverse=True)[1]
