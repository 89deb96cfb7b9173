"""The rule that would close a gap: it predicts what the neighbouring rule predicts that touches most of the gap."""

from collections.abc import Sequence
from math import prod

import numpy as np

from treerules.regions.space import Box, Space
from treerules.rules.rule import Rule, RuleFigures


def suggest_rule(space: Space, rules: Sequence[Rule], box: Box, number: int) -> Rule | None:
    """Return a rule of a given number that takes a box which no rule takes; None if there are no rules."""
    if not rules:
        return None
    neighbour = rules[_nearest(space, box)]
    return Rule(number, space.region(box), neighbour.prediction, RuleFigures(0, 0.0))


def _nearest(space: Space, box: Box) -> int:
    """Return the position of the rule that touches most of a box, counted in atoms; the first of equals.

    A rule touches a box that it meets on every axis but one, on which it lies next to it. Where no rule does, it is the
    first that meets the box on most axes.
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
