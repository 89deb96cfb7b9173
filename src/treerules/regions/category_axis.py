"""Axis of a feature with categories."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import frozen

from treerules.data.column import Column
from treerules.data.domain import ColumnDomain, unseen_value
from treerules.data.schema import Feature
from treerules.regions.atom_axis import Atom, AtomAxis, grouped
from treerules.regions.ordered_axis import Part
from treerules.rules.rule import Condition, Members


@frozen(eq=False)
class CategoryAxis(AtomAxis):
    """A feature with categories, and the part of it that each box takes."""

    @classmethod
    def of_conditions(
        cls, feature: Feature, domain: ColumnDomain, conditions: Sequence[Condition], kinds: Any
    ) -> "CategoryAxis":
        """Return the axis of boxes that each have one of some conditions, or none.

        `kinds` holds an integer for each box: 0 without a condition, otherwise 1 + the position of its condition.
        """
        n = len(feature.categories)
        can_come = [*range(n), *([n] if domain.unseen else []), *([n + 1] if domain.missing else [])]
        groups, takes, kinds = grouped(_taken_values(feature, conditions), can_come, kinds)
        samples = (*feature.categories, unseen_value(feature) if domain.unseen else None, None)
        atoms = [Atom(tuple(at for at in group if at < n), n in group, n + 1 in group) for group in groups]
        return cls(feature, tuple(atoms), tuple(samples[group[0]] for group in groups), takes, kinds)

    def of_column(self, column: Column) -> "CategoryAxis":
        """Return the axis with the cells of a column as boxes; a cell outside the domain takes nothing."""
        n = len(self.feature.categories)
        atom_of = np.full(n + 2, len(self.atoms))  # codes of unseen and missing cells are -2 and -1: the last two
        for at, atom in enumerate(self.atoms):
            atom_of[[*atom.positions, *([n] if atom.unseen else []), *([n + 1] if atom.missing else [])]] = at
        return self.with_atom_of_each_box(np.where(column.missing, atom_of[-1], atom_of[column.data]))

    def condition(self, part: Part) -> Condition:
        """Return the condition that takes a part. With unseen values, which have no names, it is a complement."""
        atoms = [self.atoms[at] for at in self.atoms_of(part).tolist()]
        unseen, missing = any(atom.unseen for atom in atoms), any(atom.missing for atom in atoms)
        positions = {position for atom in atoms for position in atom.positions}
        if not positions:
            return Condition(None, missing, unseen)
        names = [name for at, name in enumerate(self.feature.categories) if (at in positions) is not unseen]
        return Condition(Members(names, unseen), missing, unseen)


def _taken_values(feature: Feature, conditions: Sequence[Condition]) -> Any:
    """Return booleans: a row for no condition and for each condition, a column for each category, unseen, missing."""
    n = len(feature.categories)
    takes = np.zeros((len(conditions) + 1, n + 2), dtype=bool)
    takes[0] = True
    for kind, condition in enumerate(conditions, start=1):
        values = condition.values
        if isinstance(values, Members):
            takes[kind, :n] = values.complement
            takes[kind, [feature.positions[value] for value in values.values]] = not values.complement
        takes[kind, n:] = condition.unseen, condition.missing
    return takes
