"""The regions of a grid in which two sides answer differently, adjacent ones with the same answers as one."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from attrs import evolve, frozen

from treerules.data.domain import Domain, domain_of
from treerules.data.sample_values import is_void
from treerules.data.schema import Schema
from treerules.data.table import Table
from treerules.proof.diff_partition import Side, codes_of
from treerules.regions.grids import Axis, Boxes, Grid, grid_of
from treerules.regions.overlaps import pairs_of
from treerules.rules.sources import aligned_column

#: So many regions are merged; of more only those that are told are put together at all.
_MOST = 5_000


@frozen(eq=False)
class Piece:
    """A region, as parts of a grid: the codes of both answers, the rules of both sides by number, and its rows."""

    parts: tuple[Any, ...]
    answers: tuple[int, int]
    #: empty where no rule fires
    old: tuple[int, ...]
    new: tuple[int, ...]
    n: int = 0

    @property
    def order(self) -> tuple[Any, ...]:
        """What pieces are sorted by: most rows first, then by the rules' numbers, those without a rule last."""
        return -self.n, not self.old, self.old, not self.new, self.new, self.parts


@frozen(eq=False)
class Compared:
    """Two sides on one grid: the pieces in which they differ, in order, and the table's rows if there is one."""

    grid: Grid
    pieces: Sequence[Piece]
    n_rows: int | None = None
    n_differing: int | None = None
    n_outside: int | None = None


def compared(old: Side, new: Side, schema: Schema, domain: Domain, table: Table | None) -> Compared:
    """Return where two sides differ: every two boxes that share rows and have other answers.

    Raises:
        ColumnError: the table lacks a column that rules ask for, or has one of the wrong kind.
    """
    grid = grid_of(schema, [*old.regions, *new.regions], domain)
    if any(is_void(feature, domain_of(feature, domain)) for feature in schema.features):  # no row may come at all
        return Compared(grid, []) if table is None else Compared(grid, [], 0, 0, table.n_rows)
    boxes = grid.boxes(old.regions), grid.boxes(new.regions)
    known: dict[Any, int] = {}
    codes = [codes_of([None if rule is None else (rule.value,) for rule in side.rules], known) for side in (old, new)]
    some, others = pairs_of(*boxes, (codes[0], codes[1]))
    counts: Mapping[tuple[int, int], int] = {}
    figures: tuple[int | None, ...] = (None, None, None)
    if table is not None:
        counts, figures = _counted(table, grid, boxes, codes)
    places = zip(some.tolist(), others.tolist(), strict=True)
    made = _pieces(old, new, codes, list(places), counts)
    if len(made) <= _MOST:
        filled = [evolve(piece, parts=_shared(grid, boxes, piece.parts)) for piece in made]
        return Compared(grid, merged(grid, filled), *figures)
    return Compared(grid, _Filled(grid, boxes, sorted(made, key=lambda piece: piece.order)), *figures)


def _pieces(
    old: Side, new: Side, codes: Sequence[Any], places: Sequence[tuple[int, int]], counts: Mapping[tuple[int, int], int]
) -> list[Piece]:
    """Return the pieces of pairs of boxes; their parts are only the boxes' places yet."""
    answers = [each.tolist() for each in codes]
    numbers = [[() if number is None else (number,) for number in side.numbers] for side in (old, new)]
    return [
        Piece(pair, (answers[0][pair[0]], answers[1][pair[1]]), numbers[0][pair[0]], numbers[1][pair[1]],
              counts.get(pair, 0))
        for pair in places
    ]  # fmt: skip


def _shared(grid: Grid, boxes: tuple[Boxes, Boxes], pair: tuple[int, int]) -> tuple[Any, ...]:
    """Return what two boxes share."""
    return tuple(
        axis.common(*p) for axis, *p in zip(grid.axes, boxes[0].of(pair[0]), boxes[1].of(pair[1]), strict=True)
    )


@frozen(eq=False)
class _Filled(Sequence[Piece]):
    """Pieces whose parts are found when they are looked at, since few of so many are."""

    grid: Grid
    boxes: tuple[Boxes, Boxes]
    pieces: Sequence[Piece]

    def __len__(self) -> int:
        return len(self.pieces)

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return [self[place] for place in range(*at.indices(len(self)))]
        piece = self.pieces[at]
        return evolve(piece, parts=_shared(self.grid, self.boxes, piece.parts))


def _counted(
    table: Table, grid: Grid, boxes: tuple[Boxes, Boxes], codes: Sequence[Any]
) -> tuple[dict[tuple[int, int], int], tuple[int, int, int]]:
    """Return the table's rows by pair of boxes, and how many are in the domain, differ, and are outside."""
    columns = {axis.feature.name: aligned_column(axis.feature, table) for axis in grid.axes}
    rows = grid.rows(columns, table.n_rows)
    box = np.full((2, table.n_rows), -1)
    for side, taken in enumerate(boxes):
        at, to = pairs_of(rows, taken)
        box[side, at] = to
    inside = rows.taking()
    known = np.flatnonzero((box >= 0).all(axis=0))
    pairs, n = np.unique(box[:, known], axis=1, return_counts=True)
    counts = dict(zip(zip(*pairs.tolist(), strict=True), n.tolist(), strict=True))
    differing = int(np.count_nonzero(codes[0][box[0, known]] != codes[1][box[1, known]]))
    return counts, (int(np.count_nonzero(inside)), differing, int(np.count_nonzero(~inside)))


def merged(grid: Grid, pieces: Sequence[Piece]) -> list[Piece]:
    """Return pieces of which those that are one box together, and have the same answers, are one."""
    left, n_before = list(pieces), len(pieces) + 1
    while len(left) < n_before:
        n_before = len(left)
        for place, axis in enumerate(grid.axes):
            groups: dict[Any, list[Piece]] = {}
            for piece in left:
                key = piece.answers, piece.parts[:place], piece.parts[place + 1 :]
                groups.setdefault(key, []).append(piece)
            if len(groups) < len(left):
                left = [piece for group in groups.values() for piece in _joined(axis, place, group)]
    return sorted(left, key=lambda piece: piece.order)


def _joined(axis: Axis, place: int, group: list[Piece]) -> list[Piece]:
    """Return the pieces of a group, which differ on one axis alone, those that touch there as one."""
    first, *others = sorted(group, key=lambda piece: piece.parts[place])
    found = [first]
    for other in others:
        one = found[-1]
        part = axis.united(one.parts[place], other.parts[place])
        if part is None:
            found.append(other)
        else:
            found[-1] = evolve(
                one,
                parts=(*one.parts[:place], part, *one.parts[place + 1 :]),
                old=tuple(sorted({*one.old, *other.old})),
                new=tuple(sorted({*one.new, *other.new})),
                n=one.n + other.n,
            )
    return found
