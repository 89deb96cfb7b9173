"""Rules that other rules cover: every row that fires them fires another rule too."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from treerules.regions.space import Box, Space
from treerules.regions.subtract import Budget, BudgetExceeded, constraints_in, subtract


class Neighbours:
    """The boxes that each box overlaps, from the pairs that do."""

    def __init__(self, space: Space, pairs: Any) -> None:
        both = np.concatenate([pairs, pairs[:, ::-1]])
        self.pairs = both[np.lexsort((both[:, 1], both[:, 0]))]
        self._ends = np.searchsorted(self.pairs[:, 0], np.arange(space.n_boxes + 1))

    def of(self, position: int) -> list[int]:
        """Return the boxes that a box overlaps, in their order."""
        neighbours: list[int] = self.pairs[self._ends[position] : self._ends[position + 1], 1].tolist()
        return neighbours


def find_free_box(
    space: Space, box_of: Callable[[int], Box], box: Box, others: Sequence[int], budget: Budget
) -> tuple[Box | None, set[int]]:
    """Return a box within a box that no other takes, None if they take all of it, and the others that took something.

    Raises:
        BudgetExceeded: more boxes had to be looked at than the budget has steps.
    """
    used: set[int] = set()
    constraints = constraints_in(space.axes, box, ((other, box_of(other)) for other in others))
    return next(subtract(space.axes, box, constraints, budget, used), None), used


def find_subsumed(space: Space, pairs: Any, limit: int, budget: int) -> tuple[list[tuple[int, list[int]]], bool]:
    """Return at most `limit` rules that others cover, with those, by position, and whether these are all.

    A rule that could not be decided within its share of the budget is left out, and then they are not all.
    """
    neighbours, total, is_all = Neighbours(space, pairs), Budget(budget), True
    share_steps = max(budget // 20, 1)
    box_of = cache(space.box)
    subsumed: list[tuple[int, list[int]]] = []
    for rule in _with_covered_corners(space, neighbours.pairs).tolist():
        if len(subsumed) == limit:
            return subsumed, False
        share = Budget(share_steps)
        try:
            free, used = find_free_box(space, box_of, box_of(rule), neighbours.of(rule), share)
        except BudgetExceeded:
            is_all = False
        else:
            subsumed += [(rule, sorted(used))] if free is None else []
        total.steps_left -= share_steps - share.steps_left
        if total.is_spent:
            return subsumed, False
    return subsumed, is_all


def _with_covered_corners(space: Space, pairs: Any) -> Any:
    """Return the rules whose first atom and last atom another rule takes: no other rule can be covered."""
    candidates = np.unique(pairs[:, 0])
    if not len(candidates):
        return candidates
    for last in (False, True):
        rules, others = pairs[np.isin(pairs[:, 0], candidates)].T
        for axis in space.axes:
            stay = axis.takes_corner(rules, others, last=last)
            rules, others = rules[stay], others[stay]
        candidates = np.unique(rules)
    return candidates
