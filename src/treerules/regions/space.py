"""A space: the axes of a schema's columns, and boxes in it, such as the rules of a rule set or the rows of a table.

The rules of a tree share the conditions that their paths share, so each condition is looked at once.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from itertools import chain
from typing import Any

import numpy as np
from attrs import evolve, frozen

from treerules.data.column import Column
from treerules.data.domain import Domain, domain_of
from treerules.data.sample_values import default_value, has_no_values
from treerules.data.schema import Schema
from treerules.regions.axes import Axis, OrderedAxis, axis_of
from treerules.rules.rule import Condition
from treerules.rules.rule_set import RuleList, RuleSet

#: A part of each axis.
Box = tuple[Any, ...]
Row = dict[str, Any]
#: Conditions on columns, as a rule holds them; a column that is not named may have any value.
Region = tuple[tuple[str, Condition], ...]


@frozen(eq=False)
class Space:
    """Boxes by position, on an axis for each column that some condition names. Spaces with equal axes can be compared.

    Methods that take or return several boxes use integer arrays of positions.
    """

    axes: tuple[Axis, ...]
    n_boxes: int
    #: a value of every column of the schema, in its order
    default_row: Row

    # ---- other boxes on the same axes

    def of_boxes(self, boxes: Sequence[Box]) -> "Space":
        """Return the space with other boxes."""
        axes = tuple(axis.of_parts([box[index] for box in boxes]) for index, axis in enumerate(self.axes))
        return evolve(self, axes=axes, n_boxes=len(boxes))

    def of_columns(self, columns: Mapping[str, Column], n_rows: int) -> "Space":
        """Return the space with the rows of columns as boxes, the columns aligned to the features by name."""
        axes = tuple(axis.of_column(columns[axis.feature.name]) for axis in self.axes)
        return evolve(self, axes=axes, n_boxes=n_rows)

    def select(self, boxes: Any) -> "Space":
        """Return the space with some of its boxes."""
        return evolve(self, axes=tuple(axis.select(boxes) for axis in self.axes), n_boxes=len(boxes))

    # ---- one box

    @property
    def whole(self) -> Box:
        """The box of every row."""
        return tuple(axis.whole for axis in self.axes)

    def box(self, position: int) -> Box:
        """Return the box at a position."""
        return tuple(axis.part(position) for axis in self.axes)

    def intersection(self, box: Box, other: Box) -> Box | None:
        """Return the box that two boxes share, None if they share nothing."""
        parts = []
        for axis, part, other_part in zip(self.axes, box, other, strict=True):
            shared = axis.intersection(part, other_part)
            if shared is None:
                return None
            parts.append(shared)
        return tuple(parts)

    def size(self, box: Box) -> int:
        """Return the number of atoms of a box."""
        size = 1
        for axis, part in zip(self.axes, box, strict=True):
            size *= axis.size(part)
        return size

    def region(self, box: Box) -> Region:
        """Return the conditions that take a box; an axis of which it takes everything has none."""
        parts = enumerate(zip(self.axes, box, strict=True))
        return tuple((axis.feature.name, self._condition(at, part)) for at, (axis, part) in parts if part != axis.whole)

    @cached_property
    def _condition(self) -> Callable[[int, Any], Condition]:
        """Return the condition that takes a part of an axis, by the position of the axis; many boxes share parts."""
        return cache(lambda at, part: self.axes[at].condition(part))

    def row(self, box: Box) -> Row:
        """Return a row of the first atom of a box; a column without an axis is missing where it may be."""
        values = {axis.feature.name: axis.value(part) for axis, part in zip(self.axes, box, strict=True)}
        return {**self.default_row, **values}

    def plain_row(self, box: Box) -> Row:
        """Return a row of a box that is quick to read; a column that may have any value is missing where it may be."""
        values = {axis.feature.name: axis.plain_value(part) for axis, part in zip(self.axes, box, strict=True)}
        return {**self.default_row, **values}

    # ---- many boxes

    @property
    def every(self) -> Any:
        """The positions of all boxes."""
        return np.arange(self.n_boxes)

    @cached_property
    def nonempty(self) -> Any:
        """The positions of the boxes that hold an atom."""
        return self.inside(self.every, self.whole)

    @cached_property
    def ordered_bounds(self) -> tuple[list[int], Any, Any, Any]:
        """The indices of the ordered axes; and their `lo`, `hi`, `missing`: arrays of shape (boxes, ordered axes)."""
        indices = [index for index, axis in enumerate(self.axes) if isinstance(axis, OrderedAxis)]
        ordered = [axis for axis in self.axes if isinstance(axis, OrderedAxis)]
        lo, hi, missing = (
            np.array([getattr(axis, name) for axis in ordered]).reshape(len(ordered), self.n_boxes).T.copy()
            for name in ("lo", "hi", "missing")
        )
        return indices, lo, hi, missing

    @property
    def empty(self) -> Any:
        """The positions of the boxes that hold nothing."""
        return np.setdiff1d(self.every, self.nonempty, assume_unique=True)

    def inside(self, boxes: Any, box: Box) -> Any:
        """Return those of some boxes that share an atom with a box."""
        for axis, part in zip(self.axes, box, strict=True):
            boxes = boxes[axis.intersects(boxes, part)]
        return boxes


def lies_within(space: Space, some: Any, others: Any) -> Any:
    """Return, pair by pair, whether every row of a box is one of another box of the space."""
    within = np.ones(len(some), dtype=bool)
    for axis in space.axes:
        within &= axis.lies_within(some, axis, others)  # type: ignore[arg-type]
    return within | np.isin(some, space.empty)


def space_of(rules: RuleSet | RuleList, domain: Domain | None) -> Space:
    """Return the space of rules as boxes, over a declared domain."""
    return space_of_regions(rules.schema, [rule.conditions for rule in rules.rules], domain)


def space_of_regions(schema: Schema, regions: Sequence[Region], domain: Domain | None) -> Space:
    """Return the space of regions as boxes, over a declared domain."""
    asked_all = list(chain.from_iterable(regions))
    keys = list(map(id, asked_all))
    pairs = dict(zip(keys, asked_all, strict=True))
    position = dict(zip(pairs, range(len(pairs)), strict=True))
    pair_of = np.fromiter(map(position.__getitem__, keys), np.int64, len(keys))
    owners = np.repeat(np.arange(len(regions)), [len(region) for region in regions])
    columns = np.fromiter((schema.indices[name] for name, _ in pairs.values()), np.int64, len(pairs))
    pairs_by_column: list[list[int]] = [[] for _ in schema.features]
    for pair, column in enumerate(columns.tolist()):
        pairs_by_column[column].append(pair)
    conditions = [condition for _, condition in pairs.values()]
    order = np.argsort(columns[pair_of], kind="stable")
    ends = np.searchsorted(columns[pair_of][order], np.arange(len(schema.features) + 1))
    axes: list[Axis] = []
    for column, feature in enumerate(schema.features):
        declared, own = domain_of(feature, domain), pairs_by_column[column]
        if not own and not has_no_values(feature, declared):
            continue
        kinds = np.zeros(len(regions), dtype=np.int64)  # 0 is a region without a condition on the column
        own_pairs = order[ends[column] : ends[column + 1]]
        kinds[owners[own_pairs]] = 1 + np.searchsorted(own, pair_of[own_pairs])
        axes.append(axis_of(feature, declared, [conditions[pair] for pair in own], kinds))
    default_row = {feature.name: default_value(feature, domain_of(feature, domain)) for feature in schema.features}
    return Space(tuple(axes), len(regions), default_row)
