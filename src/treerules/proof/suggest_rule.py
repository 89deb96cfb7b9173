"""The rule that would close a gap: it has the prediction of the neighbouring rule that touches most of the gap."""

from collections.abc import Sequence
from math import prod

import numpy as np

from treerules.regions.space import Box, Space
from treerules.rules.rule import Rule, RuleFigures


def suggest_rule(space: Space, rules: Sequence[Rule], box: Box, number: int) -> Rule | None:
    """Return a rule with the given number that takes an uncovered box; None if there are no rules."""
    if not rules:
        return None
    neighbour = rules[_nearest(space, box)]
    return Rule(number, space.region(box), neighbour.prediction, RuleFigures(0, 0.0))


def _nearest(space: Space, box: Box) -> int:
    """Return the position of the rule that touches most of a box, counted in atoms; the first on ties.

    A rule touches a box if it intersects the box on every axis except one, on which it is adjacent. If no rule does,
    the first rule that intersects the box on most axes is returned.
    """
    sides = list(zip(space.axes, box, strict=True))
    if not sides:
        return 0
    apart = np.stack([~axis.intersects(space.every, part) for axis, part in sides])
    n_apart = np.count_nonzero(apart, axis=0)
    most, nearest = 0, int(np.argmin(n_apart))
    for index, (axis, part) in enumerate(sides):
        candidates = np.flatnonzero((n_apart == 1) & apart[index])
        candidates = candidates[axis.is_next_to(candidates, part)]
        other_sides = [side for at, side in enumerate(sides) if at != index]
        sizes = [other.sizes(candidates, other_part).tolist() for other, other_part in other_sides]
        for turn, rule in enumerate(candidates.tolist()):
            touched = prod(by_rule[turn] for by_rule in sizes)
            if touched > most or (touched == most and rule < nearest):
                most, nearest = touched, rule
    return nearest
