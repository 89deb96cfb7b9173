"""Sums of leaves are to the last bit those of the definition, whichever way the rows walk the trees."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drawn_ensembles import NUMBERS, ensembles
from treerules import Ensemble, Feature, Interval, Kind, Schema, Table, Tree, ValueSet
from treerules.data.column import Column, of_values
from treerules.testing import rows
from treerules.trees import (
    CategoryTest,
    Leaf,
    MeanPrediction,
    Node,
    Split,
    ThresholdTest,
    ValueSetTest,
    ensemble_routing,
    predict_margin,
    unfold,
)
from treerules.trees.margins import margins_of, margins_of_row
from union_trees import union_trees

WAYS = pytest.mark.parametrize(
    "compiled", [False, pytest.param(True, marks=pytest.mark.compiled)], ids=["numpy", "compiled"]
)
X, N = Feature("x", Kind.NUMBER), Feature("n", Kind.INTEGER)
COLOUR = Feature("c", Kind.CATEGORY, ("a", "b", "c", "d", "e"))
SIZE = Feature("s", Kind.ORDINAL, ("S", "M", "L"))
FEATURES = [X, N, COLOUR, SIZE]
GOAL = Feature("y", Kind.NUMBER)


def assert_sums_are_those_of_rows(ensemble: Ensemble, some: Sequence[dict[str, Any]], compiled: bool) -> None:
    """Assert that the margins of a table are to the last bit those that each row has alone."""
    if compiled:
        pytest.importorskip("numba")
    table = Table([of_values(f, [row.get(f.name) for row in some]) for f in ensemble.schema.features])
    found = margins_of(ensemble, table, compiled=compiled)
    wanted = np.concatenate([margins_of_row(ensemble, row) for row in some])
    assert found.dtype == wanted.dtype and found.tobytes() == wanted.tobytes()


def leaf(number: float) -> Leaf:
    """Return a leaf of a regression."""
    return Leaf(MeanPrediction(number), (1,))


def sum_of(trees: Sequence[Tree], **choices: Any) -> Ensemble:
    """Return the sum of trees of one schema."""
    return Ensemble(Schema(trees[0].schema.features, GOAL), trees, **choices)


@WAYS
@pytest.mark.parametrize("block", [3, 8_192])
@given(data=st.data())
def test_a_table_has_the_sums_of_its_rows(compiled: bool, block: int, data: st.DataObject) -> None:
    """Every kind of test, missing and unseen cells, lone leaves, one margin or several, both types, several blocks."""
    ensemble = data.draw(ensembles(features=st.just(Schema(FEATURES, GOAL))))
    strategy = st.one_of([rows(tree) for tree in ensemble.trees])
    some = data.draw(st.lists(strategy, min_size=1, max_size=8))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ensemble_routing, "BLOCK", block)
        assert_sums_are_those_of_rows(ensemble, some, compiled)


@WAYS
@given(data=st.data())
def test_unions_of_intervals_and_children_for_missing_values(compiled: bool, data: st.DataObject) -> None:
    """Trees whose tests take several intervals, of numbers, integers, dates and timestamps."""
    trees = data.draw(st.lists(union_trees(), min_size=1, max_size=3))
    some = data.draw(st.lists(st.one_of([rows(tree) for tree in trees]), min_size=1, max_size=8))
    assert_sums_are_those_of_rows(sum_of(trees), some, compiled)


# ---- oblivious trees

#: Splits of two children: the test, the child of missing values, the child of unseen ones.
_LEVELS = st.one_of(
    st.builds(ThresholdTest, st.just(0), st.sampled_from([-0.0, 0.1, -5e-324, float("inf")])),
    st.builds(ThresholdTest, st.just(1), st.sampled_from([-(2**63), 0, 2**53])),
    st.just(ValueSetTest(0, ValueSet(X, [Interval(None, -1.0), Interval(0.0, 0.5)]))),
    st.sampled_from([CategoryTest(2, [[0, 1, 2], [3, 4]]), CategoryTest(2, [[0, 2, 4], [1, 3]])]),
    st.just(CategoryTest(3, [[0], [1, 2]])),
)


def oblivious_tree(levels: Sequence[tuple[Any, int, int]], number: Callable[[int], float]) -> Tree:
    """Return the tree that asks on each level the same, with numbers for its leaves from the first to the last."""
    nodes: list[Node] = [leaf(number(place)) for place in range(2 ** len(levels))]
    for test, missing, unseen in reversed(levels):
        routes = missing, unseen if test.feature >= 2 else None
        nodes = [Split(test, nodes[at : at + 2], *routes) for at in range(0, len(nodes), 2)]
    return Tree(Schema(FEATURES, GOAL), nodes[0])


@WAYS
@given(data=st.data())
def test_oblivious_trees_have_the_sums_of_their_rows(compiled: bool, data: st.DataObject) -> None:
    """Of no level up to eight, of every kind of test, beside trees that are not oblivious, in both types."""
    side = st.integers(0, 1)
    levels = st.lists(st.tuples(_LEVELS, side, side), max_size=8)
    sum_type = data.draw(st.sampled_from(["float64", "float32"]))
    numbers = [float(np.dtype(sum_type).type(number)) for number in NUMBERS]
    trees = [oblivious_tree(some, lambda n: numbers[n % 8]) for some in data.draw(st.lists(levels, min_size=1))]
    other = Split(ThresholdTest(0, 0.1), [leaf(0.25), Split(ThresholdTest(1, 3), [leaf(-3.0), leaf(1.0)])])
    trees.insert(data.draw(st.integers(0, len(trees))), Tree(trees[0].schema, other))
    some = data.draw(st.lists(rows(trees[0]) | rows(trees[-1]), min_size=1, max_size=8))
    assert_sums_are_those_of_rows(sum_of(trees, sum_type=sum_type), some, compiled)


def test_a_tree_is_oblivious_where_all_splits_of_a_level_are_one_test() -> None:
    """Each change of one split, of its test, its threshold or its missing child, makes another tree of it."""
    levels = [(ThresholdTest(0, 0.5), 0, 0), (ThresholdTest(1, 3), 1, 0), (ThresholdTest(0, 1.5), 0, 0)]
    tree = oblivious_tree(levels, float)
    nodes = sum_of([tree])._routing.nodes
    assert nodes.oblivious.tolist() == [True] and len(nodes.line) == 3
    root: Any = tree.root
    low, high = root.children
    others = [
        Split(ThresholdTest(1, 4), high.children, 1),
        Split(ThresholdTest(0, 3.0), high.children, 1),
        Split(ThresholdTest(1, 3), high.children, 0),
        Split(ThresholdTest(1, 3), [high.children[0], leaf(9.0)], 1),
        Split(ThresholdTest(1, 3), [*high.children, leaf(9.0)], 2),
        leaf(9.0),
    ]
    trees = [Tree(tree.schema, Split(root.test, [low, other], 0)) for other in others]
    assert sum_of(trees)._routing.nodes.oblivious.tolist() == [False] * len(others)


# ---- deep trees, many rows


def counting_tree(n: int, is_chain: bool) -> Tree:
    """Return a tree of the thresholds 1.0 to n - 1 in a chain, or halved; a leaf is the number of those below x."""

    def step(span: tuple[int, int]) -> Any:
        low, high = span
        if high - low == 1:
            return leaf(float(low))
        middle = low + 1 if is_chain else (low + high) // 2
        return lambda children: Split(ThresholdTest(0, float(middle)), children), [(low, middle), (middle, high)]

    return Tree(Schema([X], GOAL), unfold((0, n), step))


@WAYS
def test_trees_of_any_depth_and_many_rows(compiled: bool) -> None:
    """Halved and chains, from one leaf to 2,000 levels, over several blocks: the leaf counts the thresholds below."""
    if compiled:
        pytest.importorskip("numba")
    shapes = [(n, False) for n in (1, 2, 3, 5, 16, 100, 512, 3_000)] + [(n, True) for n in (4, 9, 31, 2_000)]
    values = np.random.default_rng(0).permutation(np.arange(20_000) / 4)
    missing = np.arange(20_000) % 7 == 0
    table = Table([Column(X, np.where(missing, np.nan, values), missing)])
    for n, is_chain in shapes:
        wanted = np.where(missing, 0.0, np.searchsorted(np.arange(1.0, n), values, side="left"))
        found = predict_margin(sum_of([counting_tree(n, is_chain)] * 2), table, compiled=compiled)
        assert (found == 2 * wanted).all()


def test_trees_take_memory_by_the_number_of_their_nodes() -> None:
    """A chain of 500 levels, and one of categories, each told by a test of all others, have a few nodes a leaf."""
    names = [f"c{place:03}" for place in range(200)]
    colour = Feature("c", Kind.CATEGORY, names)
    node: Node = leaf(0.0)
    for place in range(200):
        others = [at for at in range(200) if at != place]
        node = Split(CategoryTest(0, [[place], others]), [leaf(float(place)), node], 1, 1)
    chain_of_categories = sum_of([Tree(Schema([colour], GOAL), node)])
    assert len(chain_of_categories._routing.nodes.line) <= 5 * 201
    assert len(sum_of([counting_tree(500, True)])._routing.nodes.line) == 2 * 500 - 1
