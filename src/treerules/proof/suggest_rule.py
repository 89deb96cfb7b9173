"""The rule that would close a gap: it predicts what the rule beside the gap does that touches most of it."""

from collections.abc import Sequence
from math import prod

import numpy as np

from treerules.regions.space import Box, Space
from treerules.rules.rule import Rule, RuleFigures


def closing(space: Space, rules: Sequence[Rule], box: Box, number: int) -> Rule | None:
    """Return the rule of that number that takes a box which no rule takes; None where there is nothing to predict."""
    if not rules:
        return None
    neighbour = rules[_nearest(space, box)]
    return Rule(number, space.region(box), neighbour.prediction, RuleFigures(0, 0.0))


def _nearest(space: Space, box: Box) -> int:
    """Return the rule that touches most of a box, counted in atoms; the first of those that do.

    A rule touches a box that it meets on every axis but one, on which it lies next to it. Where none does, it is the
    first that meets the box on most axes.
    """
    pairs = list(zip(space.axes, box, strict=True))
    if not pairs:
        return 0
    apart = np.stack([~axis.intersects(space.every, part) for axis, part in pairs])
    n_apart = np.count_nonzero(apart, axis=0)
    most, nearest = 0, int(np.argmin(n_apart))
    for place, (axis, part) in enumerate(pairs):
        there = np.flatnonzero((n_apart == 1) & apart[place])
        there = there[axis.is_next_to(there, part)]
        sizes = [other.sizes(there, held).tolist() for at, (other, held) in enumerate(pairs) if at != place]
        for turn, rule in enumerate(there.tolist()):
            touched = prod(size[turn] for size in sizes)
            if touched > most or (touched == most and rule < nearest):
                most, nearest = touched, rule
    return nearest
