"""Axis of an ordered feature of which some condition takes several intervals."""

from collections.abc import Iterator, Sequence
from functools import cache, reduce
from itertools import combinations, pairwise
from operator import or_
from typing import Any

import numpy as np
from attrs import frozen

from treerules.data.column import Column
from treerules.data.domain import ColumnDomain
from treerules.data.interval import Interval, Intervals
from treerules.data.sample_values import value_between
from treerules.data.schema import Feature, ordinate
from treerules.regions.atom_axis import Atom, AtomAxis, grouped
from treerules.regions.ordered_axis import Part, axis_steps
from treerules.rules.rule import Condition, values_of_intervals


@frozen(eq=False)
class StepSetAxis(AtomAxis):
    """An ordered feature, and the part of it that each box takes: steps between bounds, in any number of runs.

    Step k holds the values above `ends[k - 1]` and up to `ends[k]`, as in an `OrderedAxis`, which is faster but whose
    parts have one run.
    """

    #: the last value of each step; the last of all is the highest of the domain
    ends: tuple[Any, ...]
    domain: ColumnDomain

    @classmethod
    def of_conditions(
        cls, feature: Feature, domain: ColumnDomain, conditions: Sequence[Condition], kinds: Any
    ) -> "StepSetAxis":
        """Return the axis of boxes that each have one of some conditions, or none.

        `kinds` holds an integer for each box: 0 without a condition, otherwise 1 + the position of its condition.
        """
        ends, steps = axis_steps(domain, conditions)
        n = len(ends)
        taken = np.zeros((len(conditions) + 1, n + 1), dtype=bool)
        taken[0] = True
        for kind, condition in enumerate(conditions, start=1):
            for interval in condition.intervals:
                taken[kind, steps[interval.above] : n if interval.upto is None else steps[interval.upto]] = True
            taken[kind, n] = condition.missing
        groups, takes, kinds = grouped(taken, range(n + domain.missing), kinds)
        bounds = (None, *ends[:-1], None)  # the first and the last step have no bound at the end of the domain
        samples = [value_between(feature, domain, above, upto) for above, upto in pairwise(bounds)]
        atoms = [Atom(tuple(step for step in group if step < n), False, n in group) for group in groups]
        values = tuple(samples[group[0]] if group[0] < n else None for group in groups)
        return cls(feature, tuple(atoms), values, takes, kinds, ends, domain)

    def of_column(self, column: Column) -> "StepSetAxis":
        """Return the axis with the cells of a column as boxes; a cell outside the domain takes nothing."""
        n = len(self.ends)
        atom_of = np.full(n + 2, len(self.atoms))  # steps, then missing, then values outside the domain
        for at, atom in enumerate(self.atoms):
            atom_of[[*atom.positions, *([n] if atom.missing else [])]] = at
        ends = np.array([ordinate(end) for end in self.ends], dtype=column.data.dtype)
        steps = np.searchsorted(ends, column.data, side="left")
        inside = (steps < n) & (column.data >= ordinate(self.domain.lowest))
        return self.with_atom_of_each_box(atom_of[np.where(column.missing, n, np.where(inside, steps, n + 1))])

    def condition(self, part: Part) -> Condition:
        """Return the condition that takes a part. Steps that reach an end of the domain are not bounded there."""
        atoms = [self.atoms[at] for at in self.atoms_of(part).tolist()]
        return Condition(values_of_intervals(self.intervals_of(part)), any(atom.missing for atom in atoms))

    def joinable_pairs(self, boxes: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield the pairs of boxes whose parts join."""
        parts = {box: self.part(box) for box in boxes}
        n_intervals = cache(self.n_intervals)
        for one, other in combinations(boxes, 2):
            n_together = n_intervals(parts[one] | parts[other])
            if n_together <= max(1, n_intervals(parts[one]), n_intervals(parts[other])):
                yield one, other

    def joins(self, parts: Sequence[Part]) -> bool:
        """Return whether parts join: they are no more intervals together than one of them is."""
        return self.n_intervals(reduce(or_, parts)) <= max(1, *map(self.n_intervals, parts))

    def n_intervals(self, part: Part) -> int:
        """Return the number of intervals of a part."""
        return len(self.intervals_of(part))

    def steps_of(self, part: Part) -> list[int]:
        """Return the steps of a part, ascending."""
        return sorted(step for at in self.atoms_of(part).tolist() for step in self.atoms[at].positions)

    def intervals_of(self, part: Part) -> Intervals:
        """Return the known values of a part; steps beside each other are one interval."""
        taken = np.zeros(len(self.ends) + 2, dtype=bool)
        taken[[step + 1 for step in self.steps_of(part)]] = True
        edges = np.flatnonzero(taken[1:] != taken[:-1]).tolist()  # the first step of each run, and the step after it
        return tuple(
            Interval(self.ends[first - 1] if first else None, self.ends[end - 1] if end < len(self.ends) else None)
            for first, end in zip(edges[::2], edges[1::2], strict=True)
        )
