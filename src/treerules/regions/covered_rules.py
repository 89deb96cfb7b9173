"""Rules whose every row other rules take: found among the rules that they meet."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from treerules.regions.space import Box, Space
from treerules.regions.subtract import Budget, Spent, asked_in, uncovered


class Neighbours:
    """Which rules meet which, from the pairs that do."""

    def __init__(self, space: Space, pairs: Any) -> None:
        both = np.concatenate([pairs, pairs[:, ::-1]])
        self.pairs = both[np.lexsort((both[:, 1], both[:, 0]))]
        self._ends = np.searchsorted(self.pairs[:, 0], np.arange(space.n_rules + 1))

    def of(self, rule: int) -> list[int]:
        """Return the rules that a rule meets, in their order."""
        found: list[int] = self.pairs[self._ends[rule] : self._ends[rule + 1], 1].tolist()
        return found


def free_part(
    space: Space, box_of: Callable[[int], Box], box: Box, others: Sequence[int], budget: Budget
) -> tuple[Box | None, set[int]]:
    """Return a box of a box that none of these rules takes, None when they take all of it, and which took some.

    Raises:
        Spent: more boxes had to be looked at than the budget has steps.
    """
    used: set[int] = set()
    asked = asked_in(space.axes, box, ((other, box_of(other)) for other in others))
    return next(uncovered(space.axes, box, asked, budget, used), None), used


def shadowed(space: Space, pairs: Any, most: int, budget: int) -> tuple[list[tuple[int, list[int]]], bool]:
    """Return at most so many rules that others cover, with those, by position, and whether these are all.

    A rule that could not be decided within its share of the budget is left out, and then they are not all.
    """
    neighbours, left, is_all = Neighbours(space, pairs), Budget(budget), True
    box_of = cache(space.box)
    found: list[tuple[int, list[int]]] = []
    for rule in _cornered(space, neighbours.pairs).tolist():
        if len(found) == most:
            return found, False
        share = Budget(max(budget // 20, 1))
        try:
            free, used = free_part(space, box_of, box_of(rule), neighbours.of(rule), share)
        except Spent:
            is_all = False
        else:
            found += [(rule, sorted(used))] if free is None else []
        left.left -= max(budget // 20, 1) - share.left
        if left.is_spent:
            return found, False
    return found, is_all


def _cornered(space: Space, pairs: Any) -> Any:
    """Return the rules whose first atom and last atom another rule takes: others are not covered."""
    found = np.unique(pairs[:, 0])
    if not len(found):
        return found
    for last in (False, True):
        some = pairs[np.isin(pairs[:, 0], found)]
        for axis in space.axes:
            some = some[axis.takes_corner(some[:, 0], some[:, 1], last=last)]
        found = np.unique(some[:, 0])
    return found
