"""Space against brute force: boxes as the sets of those rows of a small domain that lie in them."""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from brute_force import World, a_world, is_possible, lies_in
from treerules.data.column import of_values
from treerules.regions import overlaps, partition
from treerules.regions.axes import CategoryAxis, OrderedAxis, StepSetAxis
from treerules.regions.merge import merge_boxes
from treerules.regions.overlaps import overlapping_pairs
from treerules.regions.space import Box, Space, lies_within, space_of_regions
from treerules.regions.subtract import Budget, BudgetExceeded, constraints_in, subtract

WORLDS = [a_world(seed, 9) for seed in range(120)]


def spaces_of(world: World) -> tuple[Space, Space]:
    """Return the rules of a world as boxes, and its rows."""
    space = space_of_regions(world.schema, [rule.conditions for rule in world.rules], world.domain)
    columns = {
        axis.feature.name: of_values(axis.feature, [row[axis.feature.name] for row in world.rows])
        for axis in space.axes
    }
    return space, space.of_columns(columns, len(world.rows))


def rows_in(rows: Space, box: Box | None) -> set[int]:
    """Return the positions of the rows in a box."""
    return set() if box is None else set(rows.inside(rows.every, box).tolist())


def cases() -> Iterator[tuple[World, Space, Space, list[Box]]]:
    """Yield worlds with their two spaces and the boxes of their rules that are not empty."""
    for world in WORLDS:
        space, rows = spaces_of(world)
        yield world, space, rows, [space.box(at) for at in space.nonempty.tolist()]


def test_worlds_hold_every_kind_of_axis_and_box() -> None:
    """Ordered and category axes, empty rules, spaces without axes, and parts of missing alone are met."""
    spaces = [spaces_of(world)[0] for world in WORLDS]
    axes = [axis for space in spaces for axis in space.axes]
    assert {type(axis) for axis in axes} == {OrderedAxis, CategoryAxis, StepSetAxis}
    assert any(len(space.empty) for space in spaces) and any(not space.axes for space in spaces)
    assert any(
        (0, 0, True) in (axis.part(at) for at in range(len(axis.lo))) for axis in axes if type(axis) is OrderedAxis
    )


def test_a_box_holds_the_rows_that_meet_its_conditions() -> None:
    """Of a rule: its rows; and the conditions of its box take the same rows."""
    for world, space, rows, _ in cases():
        for position, rule in enumerate(world.rules):
            expected = {at for at, row in enumerate(world.rows) if lies_in(world.schema, rule.conditions, row)}
            box = space.box(position)
            assert rows_in(rows, box) == expected
            assert (position in space.nonempty) is bool(expected)
            if expected:
                region = space.region(box)
                assert {at for at, row in enumerate(world.rows) if lies_in(world.schema, region, row)} == expected


def test_witnesses_lie_in_their_boxes() -> None:
    """Both kinds of row are possible rows that meet the conditions."""
    for world, space, _, boxes in cases():
        for box in boxes:
            for row in (space.row(box), space.plain_row(box)):
                assert is_possible(world, row) and lies_in(world.schema, space.region(box), row)


def test_intersection_is_that_of_the_rows() -> None:
    """None where no row is in both."""
    for _, space, rows, boxes in cases():
        for one, other in product(boxes, repeat=2):
            box = space.intersection(one, other)
            assert rows_in(rows, box) == rows_in(rows, one) & rows_in(rows, other)
            assert (box is None) is not bool(rows_in(rows, one) & rows_in(rows, other))


def test_subtraction_is_that_of_the_rows() -> None:
    """The pieces share no row and hold those of the first box that no other holds; `used` took something."""
    for _, space, rows, boxes in cases():
        for turn, box in enumerate(boxes):
            others = list(enumerate(boxes[turn + 1 :]))
            used: set[int] = set()
            constraints = constraints_in(space.axes, box, others)
            pieces = list(subtract(space.axes, box, constraints, Budget(10_000), used))
            held = [rows_in(rows, piece) for piece in pieces]
            assert sum(map(len, held)) == len(set().union(*held))
            assert set().union(*held) == rows_in(rows, box).difference(*(rows_in(rows, other) for _, other in others))
            assert all(rows_in(rows, box) & rows_in(rows, boxes[turn + 1 + at]) for at in used)
            if others:
                with pytest.raises(BudgetExceeded):
                    list(subtract(space.axes, box, constraints, Budget(0)))


def test_parts_of_an_axis_obey_the_algebra_of_sets() -> None:
    """Union, intersection and difference of parts are those of their atoms; a union may need two intervals."""
    for _, space, _, boxes in cases():
        for place, axis in enumerate(space.axes):
            whole: Any = axis.whole
            atoms = [axis.atom(whole, at) for at in range(axis.size(whole))]
            alone = axis.of_parts(atoms)

            def taken(part: Any, axis: Any = alone) -> set[int]:
                return set(np.flatnonzero(axis.intersects(np.arange(len(axis.codes)), part)).tolist())

            for one, other in product([box[place] for box in boxes], repeat=2):
                shared, union = axis.intersection(one, other), axis.union(one, other)
                assert (set() if shared is None else taken(shared)) == taken(one) & taken(other)
                rest = [taken(part) for part in axis.difference(one, other)]
                assert sum(map(len, rest)) == len(set().union(*rest))
                assert set().union(*rest) == taken(one) - taken(other)
                assert union is None or taken(union) == taken(one) | taken(other)
                assert axis.size(one) == len(taken(one))


def brute_force_pairs(first: list[set[int]], second: list[set[int]]) -> list[list[int]]:
    """Return the pairs of positions of sets that share a row."""
    return [[i, j] for i, one in enumerate(first) for j, other in enumerate(second) if one & other]


@pytest.mark.parametrize("few", [128, 1])
def test_overlapping_pairs_are_those_that_share_a_row(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one space each pair once, of two, and of two with labels that differ; however finely the space is divided."""
    monkeypatch.setattr(partition, "FEW", few)
    monkeypatch.setattr(overlaps, "FEW", max(few, 2))
    monkeypatch.setattr(partition, "_FEW_PAIRS", few * few)
    for _, space, rows, _ in cases():
        held = [rows_in(rows, space.box(at)) for at in range(space.n_boxes)]
        pairs = brute_force_pairs(held, held)
        assert overlapping_pairs(space).tolist() == [[i, j] for i, j in pairs if i < j]
        one_by_one = [{at} for at in range(rows.n_boxes)]
        assert overlapping_pairs(rows, space).tolist() == brute_force_pairs(one_by_one, held)
        labels = np.arange(space.n_boxes) % 2
        differing = [[i, j] for i, j in pairs if labels[i] != labels[j]]
        assert overlapping_pairs(space, space, labels=(labels, labels)).tolist() == differing
        cells = list(partition.partition(space))
        assert sorted(at for cell in cells for at in rows_in(rows, cell.box)) == list(range(rows.n_boxes))
        for cell in cells:
            assert cell.boxes.tolist() == [at for at, one in enumerate(held) if one & rows_in(rows, cell.box)]


def test_one_box_lies_within_another_as_its_rows_do() -> None:
    """Empty boxes lie within any."""
    for _, space, rows, _ in cases():
        held = [rows_in(rows, space.box(at)) for at in range(space.n_boxes)]
        pairs = list(product(range(space.n_boxes), repeat=2))
        some, others = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        assert lies_within(space, some, others).tolist() == [held[i] <= held[j] for i, j in pairs]


def test_merged_boxes_hold_the_same_rows() -> None:
    """Boxes with one label hold the same rows before and after, each once, and none is merged with another label's."""
    n_merged = 0
    for seed, (_, space, rows, boxes) in enumerate(cases()):
        pieces = [piece for box in boxes[:1] for piece in atoms_of(space, box)][:200]
        random = Random(seed)
        labels = [random.random() < 0.2 for _ in pieces]
        merged = merge_boxes(space, pieces, labels)
        n_merged += len(merged) < len(pieces)
        assert sorted(at for _, sources in merged for at in sources) == list(range(len(pieces)))
        for box, sources in merged:
            assert len({labels[at] for at in sources}) == 1
            assert rows_in(rows, box) == set().union(*(rows_in(rows, pieces[at]) for at in sources))
    assert n_merged > 20


def atoms_of(space: Space, box: Box) -> list[Box]:
    """Return the atoms of a box, as boxes."""
    sides = [[axis.atom(part, at) for at in range(axis.size(part))] for axis, part in zip(space.axes, box, strict=True)]
    return list(product(*sides))
