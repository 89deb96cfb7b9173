"""Regions in which two partitions of one space answer differently; adjacent ones with the same two answers are one."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.data.domain import Domain, domain_of
from treerules.data.sample_values import has_no_values
from treerules.data.schema import Schema
from treerules.data.table import Table
from treerules.proof.diff_partition import Partition, codes_of
from treerules.regions.merge import merge_boxes
from treerules.regions.overlaps import overlapping_pairs
from treerules.regions.space import Box, Space, space_of_regions
from treerules.rules.sources import aligned_column

#: Up to this number of differences are merged; if there are more, the pairs of boxes are reported unmerged.
_MOST_MERGED = 5_000

Pair = tuple[int, int]


@frozen(eq=False)
class DifferingRegion:
    """A box in which two partitions answer differently."""

    box: Box
    #: the rules of each, by number; empty where no rule fires
    old: tuple[int, ...]
    new: tuple[int, ...]
    #: the number of rows of the table in it
    n: int = 0

    @property
    def order(self) -> tuple[Any, ...]:
        """The sort key: most rows first, then by the rules' numbers, those without a rule last."""
        return -self.n, not self.old, self.old, not self.new, self.new, self.box


@frozen(eq=False)
class PartitionComparison:
    """The first regions in which two partitions of a space differ, the number of all, and the rows of a table."""

    space: Space
    regions: tuple[DifferingRegion, ...] = field(converter=as_tuple)
    n_regions: int
    #: the table's rows in the domain, those for which the answers differ, and the rows outside the domain
    n_rows: int | None = None
    n_differing: int | None = None
    n_outside: int | None = None


def compare_partitions(
    old: Partition, new: Partition, schema: Schema, domain: Domain, table: Table | None, limit: int | None
) -> PartitionComparison:
    """Return the regions in which two partitions answer differently, at most `limit` of them (None is all).

    Raises:
        ColumnError: the table lacks a column that rules test, or has one of the wrong kind.
    """
    n_old = len(old.regions)
    space = space_of_regions(schema, [*old.regions, *new.regions], domain)
    if any(has_no_values(feature, domain_of(feature, domain)) for feature in schema.features):
        if table is None:
            return PartitionComparison(space, [], 0)
        return PartitionComparison(space, [], 0, 0, 0, table.n_rows)
    sides = space.select(space.every[:n_old]), space.select(space.every[n_old:])
    codes: dict[Any, int] = {}
    answers = tuple(
        codes_of([None if rule is None else (rule.value,) for rule in side.rules], codes) for side in (old, new)
    )
    pairs = overlapping_pairs(*sides, labels=(answers[0], answers[1]))
    counts: Mapping[Pair, int] = {}
    figures: tuple[int | None, ...] = (None, None, None)
    if table is not None:
        counts, figures = _count_rows(table, sides, answers)
    compared = _Compared(list(map(tuple, pairs.tolist())), sides, (old, new), counts)
    if len(pairs) > _MOST_MERGED:
        return PartitionComparison(space, compared.first(limit), len(pairs), *figures)
    regions = compared.merged(answers)
    return PartitionComparison(space, regions[:limit], len(regions), *figures)


@frozen(eq=False)
class _Compared:
    """The pairs of an old and a new box, by position, that overlap and answer differently."""

    pairs: Sequence[Pair]
    sides: tuple[Space, Space]
    partitions: tuple[Partition, Partition]
    #: the number of rows of the table in the boxes of a pair
    counts: Mapping[Pair, int]

    def merged(self, answers: Sequence[Any]) -> list[DifferingRegion]:
        """Return the regions of all pairs, in order; regions with the same answers whose union is a box are merged."""
        old, new = (cache(side.box) for side in self.sides)
        boxes = [self._shared_box(old(one), new(other)) for one, other in self.pairs]
        labels = [(int(answers[0][one]), int(answers[1][other])) for one, other in self.pairs]
        regions = [
            DifferingRegion(
                box,
                self._numbers(0, sources),
                self._numbers(1, sources),
                sum(self.counts.get(self.pairs[source], 0) for source in sources),
            )
            for box, sources in merge_boxes(self.sides[0], boxes, labels)
        ]
        return sorted(regions, key=lambda region: region.order)

    def first(self, limit: int | None) -> list[DifferingRegion]:
        """Return the regions of the first `limit` pairs in order, each pair a region of its own."""
        old, new = ([_as_tuple(number) for number in partition.numbers] for partition in self.partitions)
        orders = [
            (-self.counts.get(pair, 0), not old[pair[0]], old[pair[0]], not new[pair[1]], new[pair[1]], pair)
            for pair in self.pairs
        ]
        pairs = [order[-1] for order in sorted(orders)[:limit]]
        return [
            DifferingRegion(
                self._shared_box(self.sides[0].box(one), self.sides[1].box(other)),
                old[one],
                new[other],
                self.counts.get((one, other), 0),
            )
            for one, other in pairs
        ]

    def _shared_box(self, one: Box, other: Box) -> Box:
        box = self.sides[0].intersection(one, other)
        assert box is not None  # the two share an atom
        return box

    def _numbers(self, side: int, sources: Sequence[int]) -> tuple[int, ...]:
        """Return the numbers of the rules of one side of some pairs."""
        numbers = {self.partitions[side].numbers[self.pairs[source][side]] for source in sources}
        return tuple(sorted(number for number in numbers if number is not None))


def _as_tuple(number: int | None) -> tuple[int, ...]:
    return () if number is None else (number,)


def _count_rows(
    table: Table, sides: tuple[Space, Space], answers: Sequence[Any]
) -> tuple[dict[Pair, int], tuple[int, int, int]]:
    """Return the number of rows by pair of boxes, and of rows in the domain, with different answers, outside it."""
    columns = {axis.feature.name: aligned_column(axis.feature, table) for axis in sides[0].axes}
    rows = sides[0].of_columns(columns, table.n_rows)
    box_of = np.full((2, table.n_rows), -1)
    for side, boxes in enumerate(sides):
        at, to = overlapping_pairs(rows, boxes).T
        box_of[side, at] = to
    (decided,) = np.nonzero((box_of >= 0).all(axis=0))
    pairs, n = np.unique(box_of[:, decided], axis=1, return_counts=True)
    counts = dict(zip(zip(*pairs.tolist(), strict=True), n.tolist(), strict=True))
    n_differing = int(np.count_nonzero(answers[0][box_of[0, decided]] != answers[1][box_of[1, decided]]))
    n_inside = len(rows.nonempty)
    return counts, (n_inside, n_differing, table.n_rows - n_inside)
