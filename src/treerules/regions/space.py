"""The space of a rule set's rows: its axes, and its rules as boxes in it.

Rules of a tree share the conditions that their paths share, so each is looked at once.
"""

from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from attrs import frozen

from treerules.data.domain import ColumnDomain, Domain, domain_of, unseen_value
from treerules.data.interval import Interval
from treerules.data.sample_values import free_value, is_void
from treerules.data.schema import Feature, Schema
from treerules.regions.axes import Axis, CategoryAxis, OrderedAxis
from treerules.rules.rule import Condition, Members, Rule

#: A part of each axis.
Box = tuple[Any, ...]
Row = dict[str, Any]
#: A box as conditions on columns, as a rule holds them; a column that is not named may be anything.
Region = tuple[tuple[str, Condition], ...]


@frozen(eq=False)
class Space:
    """The axes of the columns that some rule asks about, and the rules by position."""

    axes: tuple[Axis, ...]
    n_rules: int
    #: a value of every column of the schema, in its order
    anything: Row

    @property
    def whole(self) -> Box:
        """The box of every row."""
        return tuple(axis.whole for axis in self.axes)

    @property
    def every(self) -> Any:
        """All rules."""
        return np.arange(self.n_rules)

    def row(self, box: Box) -> Row:
        """Return a row of the box; a column that no rule asks about is missing where it may be."""
        values = {axis.feature.name: axis.value(part) for axis, part in zip(self.axes, box, strict=True)}
        return {**self.anything, **values}

    def region(self, box: Box) -> Region:
        """Return the conditions that take a box; an axis that it takes all of has none."""
        pairs = zip(self.axes, box, strict=True)
        return tuple((axis.feature.name, axis.condition(part)) for axis, part in pairs if part != axis.whole)

    def box(self, rule: int) -> Box:
        """Return the box of a rule."""
        return tuple(axis.part(rule) for axis in self.axes)

    def common(self, box: Box, other: Box) -> Box | None:
        """Return the box that two share, None when they share nothing."""
        found = []
        for axis, part, also in zip(self.axes, box, other, strict=True):
            shared = axis.common(part, also)
            if shared is None:
                return None
            found.append(shared)
        return tuple(found)

    def size(self, box: Box) -> int:
        """Return the number of atoms of a box."""
        found = 1
        for axis, part in zip(self.axes, box, strict=True):
            found *= axis.size(part)
        return found

    def of_boxes(self, boxes: Sequence[Box]) -> "Space":
        """Return the space with other rules: one a box."""
        axes = [axis.of_parts([box[place] for box in boxes]) for place, axis in enumerate(self.axes)]
        return Space(tuple(axes), len(boxes), self.anything)

    @cached_property
    def held(self) -> Any:
        """The rules that take something."""
        return self.inside(self.every, self.whole)

    @property
    def empty(self) -> Any:
        """The rules that take nothing."""
        return np.setdiff1d(self.every, self.held, assume_unique=True)

    def inside(self, rules: Any, box: Box) -> Any:
        """Return the rules that take some of the box."""
        for axis, part in zip(self.axes, box, strict=True):
            rules = rules[axis.touched(rules, part)]
        return rules


def space_of(schema: Schema, rules: Sequence[Rule], domain: Domain | None) -> Space:
    """Return the space of some rules over a schema and a declared domain."""
    asked_all = list(chain.from_iterable(rule.conditions for rule in rules))
    keys = list(map(id, asked_all))
    pairs = dict(zip(keys, asked_all, strict=True))
    place = dict(zip(pairs, range(len(pairs)), strict=True))
    asked = np.fromiter(map(place.__getitem__, keys), np.int64, len(keys))
    owners = np.repeat(np.arange(len(rules)), [len(rule.conditions) for rule in rules])
    columns = np.fromiter((schema.indices[name] for name, _ in pairs.values()), np.int64, len(pairs))
    by_column: list[list[int]] = [[] for _ in schema.features]
    for turn, column in enumerate(columns.tolist()):
        by_column[column].append(turn)
    conditions = [condition for _, condition in pairs.values()]
    order = np.argsort(columns[asked], kind="stable")
    ends = np.searchsorted(columns[asked][order], np.arange(len(schema.features) + 1))
    axes: list[Axis] = []
    for at, feature in enumerate(schema.features):
        declared, known = domain_of(feature, domain), by_column[at]
        if not known and not is_void(feature, declared):
            continue
        of_rules = np.zeros(len(rules), dtype=np.int64)  # 0 is a rule that asks nothing
        mine = order[ends[at] : ends[at + 1]]
        of_rules[owners[mine]] = 1 + np.searchsorted(known, asked[mine])
        made = _ordered_axis if feature.is_ordered else _category_axis
        axes.append(made(feature, declared, [conditions[turn] for turn in known], of_rules))
    return Space(tuple(axes), len(rules), {f.name: free_value(f, domain_of(f, domain)) for f in schema.features})


def _ordered_axis(feature: Feature, declared: ColumnDomain, asked: Sequence[Condition], kinds: Any) -> OrderedAxis:
    lowest, highest = declared.lowest, declared.highest
    intervals = [condition.values if isinstance(condition.values, Interval) else None for condition in asked]
    named = {bound for interval in intervals if interval for bound in (interval.above, interval.upto)} - {None}
    ends = (*sorted(bound for bound in named if lowest <= bound < highest), highest)
    places = {bound: step + 1 for step, bound in enumerate(ends)}
    places.update((bound, 0) for bound in named if bound < lowest)
    places.update((bound, len(ends)) for bound in named if bound > highest)
    places[None] = 0
    lo, hi, missing = [0], [len(ends)], [declared.missing]
    for interval, condition in zip(intervals, asked, strict=True):
        first = end = 0
        if interval is not None:
            first, end = places[interval.above], len(ends) if interval.upto is None else places[interval.upto]
        lo.append(first if first < end else 0)
        hi.append(end if first < end else 0)
        missing.append(condition.missing and declared.missing)
    arrays = np.array(lo, dtype=np.int32)[kinds], np.array(hi, dtype=np.int32)[kinds], np.array(missing)[kinds]
    return OrderedAxis(feature, ends, declared, (0, len(ends), declared.missing), *arrays)


def _category_axis(feature: Feature, declared: ColumnDomain, asked: Sequence[Condition], kinds: Any) -> CategoryAxis:
    n = len(feature.categories)
    takes = np.zeros((len(asked) + 1, n + 2), dtype=bool)
    takes[0] = True
    for kind, condition in enumerate(asked, start=1):
        values = condition.values
        if isinstance(values, Members):
            takes[kind, :n] = values.complement
            takes[kind, [feature.positions[value] for value in values.values]] = not values.complement
        takes[kind, n:] = condition.unseen, condition.missing
    samples = (*feature.categories, unseen_value(feature) if declared.unseen else None, None)
    held = [*range(n), *([n] if declared.unseen else []), *([n + 1] if declared.missing else [])]
    groups: dict[bytes, list[int]] = {}  # atoms stand where their first value does
    for place in held:
        groups.setdefault(takes[:, place].tobytes(), []).append(place)
    atoms = tuple((tuple(at for at in group if at < n), n in group, n + 1 in group) for group in groups.values())
    heads = [group[0] for group in groups.values()]
    alike: dict[bytes, int] = {}
    taken = takes[:, heads]
    kind_of = np.array([alike.setdefault(row.tobytes(), len(alike)) for row in taken])
    _, first = np.unique(kind_of, return_index=True)
    return CategoryAxis(feature, atoms, tuple(samples[head] for head in heads), taken[first], kind_of[kinds])
