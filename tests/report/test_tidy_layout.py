"""The layout of drawn trees: equal to that of d3-flextree, without overlaps, and quick for deep trees."""

import json
from itertools import pairwise
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from treerules.report.svg.tidy_layout import Position, Size, tidy_layout

#: Of each tree a row for each node in preorder: parent, width, height, x, y (tests/oracles/flextree_positions.mjs).
RECORDED = json.loads((Path(__file__).parent / "flextree_positions.json").read_text())


def test_positions_are_those_of_flextree() -> None:
    """On 200 drawn trees each node is within 1e-9 of where d3-flextree 2.1.2 places it."""
    assert len(RECORDED) == 200
    assert max(len(rows) for rows in RECORDED) > 150
    for rows in RECORDED:
        found = tidy_layout([row[0] for row in rows], [Size(*row[1:3]) for row in rows])
        differences = [max(abs(place.x - x), abs(place.y - y)) for place, (*_, x, y) in zip(found, rows, strict=True)]
        assert max(differences) <= 1e-9


@st.composite
def drawn_trees(draw: st.DrawFn) -> tuple[list[int | None], list[Size]]:
    """Draw parents in preorder: each node's is the node before it, or one above that; and sizes."""
    parents: list[int | None] = [None]
    path = [0]
    for node in range(1, draw(st.integers(1, 60))):
        del path[draw(st.integers(1, len(path))) :]
        parents.append(path[-1])
        path.append(node)
    sizes = st.builds(Size, st.integers(1, 90), st.integers(1, 40))
    return parents, [draw(sizes) for _ in parents]


@given(drawn_trees())
def test_no_two_nodes_overlap(tree: tuple[list[int | None], list[Size]]) -> None:
    """The boxes of two nodes share no point but their edges; a parent is in the middle above its children."""
    parents, sizes = tree
    places = tidy_layout(parents, sizes)
    assert places[0] == Position(0, 0)
    boxes = [(p.x - s.width / 2, p.x + s.width / 2, p.y, p.y + s.height) for p, s in zip(places, sizes, strict=True)]
    for i, (left, right, top, bottom) in enumerate(boxes):
        for other_left, other_right, other_top, other_bottom in boxes[:i]:
            apart = [right - other_left, other_right - left, bottom - other_top, other_bottom - top]
            assert min(apart) <= 1e-9
    for node in range(len(parents)):
        children = [child for child, parent in enumerate(parents) if parent == node]
        if children:
            middle = (boxes[children[0]][0] + boxes[children[-1]][1]) / 2
            assert abs(places[node].x - middle) <= 1e-9
            assert all(boxes[first][1] <= boxes[second][0] + 1e-9 for first, second in pairwise(children))


def test_a_chain_of_20000_nodes_is_straight() -> None:
    """A deep tree needs no recursion."""
    n = 20_000
    places = tidy_layout([None, *range(n - 1)], [Size(10, 1)] * n)
    assert places[-1] == Position(0, n - 1)
