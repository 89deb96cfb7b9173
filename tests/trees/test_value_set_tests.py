"""Tests of several intervals: rows go where the same tree in plain thresholds sends them, however they are taken."""

import copy
import json
import math
import pickle
from typing import Any

import pytest
from hypothesis import given

from treerules import Feature, Interval, Kind, Schema, Table, Tree, ValueSet, apply, predict
from treerules.data.column import of_values
from treerules.errors import InvalidTreeError, ModelFileError, OptionError
from treerules.trees import (
    Leaf,
    Split,
    ThresholdTest,
    ValueSetTest,
    find_leaf,
    leaves,
    tree_from_json,
    tree_to_json,
)
from treerules.trees.json_codec import _digest
from treerules.trees.node_parts import fold_thresholds
from treerules.trees.routing import compile_routing
from union_trees import GOAL, in_thresholds, leaf, rows_at_ends, union_trees, zero_is_missing

X = Feature("x", Kind.NUMBER)
OUTER = ValueSet(X, [Interval(None, 1.0), Interval(5.0, None)])
WAYS = pytest.mark.parametrize(
    "compiled", [False, pytest.param(True, marks=pytest.mark.compiled)], ids=["numpy", "compiled"]
)


def table_of(tree: Tree, rows: list[dict[str, Any]]) -> Table:
    """Return rows as a Table with the tree's own features."""
    return Table([of_values(f, [row.get(f.name) for row in rows]) for f in tree.schema.features])


def two_leaves(test: Any, missing: int = 0, feature: Feature = X) -> Tree:
    """Return a tree of one test."""
    return Tree(Schema([feature], GOAL), Split(test, [leaf(0.0), leaf(1.0)], missing))


def test_zero_may_be_missing_as_in_lightgbm() -> None:
    """-1 left, 0 right, 0.2 left, 0.7 right; also -0.0, the numbers beside zero, infinities."""
    values = [-1.0, 0.0, 0.2, 0.7, -0.0, 5e-324, -5e-324, 0.5, math.nextafter(0.5, 1), -math.inf, math.inf, None]
    tree = zero_is_missing()
    wanted = [0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0]
    assert predict(tree, Table.from_columns({"x": values})).tolist() == wanted
    assert [find_leaf(tree, {"x": value}).prediction.value for value in values] == wanted


@given(union_trees())
def test_a_row_reaches_the_leaf_of_the_tree_in_thresholds(tree: Tree) -> None:
    """At each end, one step beside it, infinities, both zeros, missing."""
    plain = in_thresholds(tree)
    for row in rows_at_ends(tree):
        assert find_leaf(tree, row) is find_leaf(plain, row)


@WAYS
@given(tree=union_trees())
def test_a_table_is_routed_as_its_rows_are(compiled: bool, tree: Tree) -> None:
    """The number of each row is that of the leaf of the tree in thresholds."""
    if compiled:
        pytest.importorskip("numba")
    rows, plain = rows_at_ends(tree), in_thresholds(tree)
    numbers = {id(node): number for number, node in enumerate(leaves(tree.root), start=1)}
    wanted = [numbers[id(find_leaf(plain, row))] for row in rows]
    assert apply(tree, table_of(tree, rows), compiled=compiled).tolist() == wanted


def test_a_value_passes_few_of_the_ends() -> None:
    """A union of 512 intervals is 1,023 entries of the routing table, of which a value passes ten."""
    ends = [Interval(float(2 * at), float(2 * at + 1)) for at in range(512)]
    depth = fold_thresholds(ValueSetTest(0, ValueSet(X, ends)), [0, 0], lambda _, low, high: 1 + max(low, high))
    assert depth == 11
    routing = compile_routing(two_leaves(ValueSetTest(0, ValueSet(X, ends))).root)
    assert len(routing.array) == 6 * 1024 and len(routing.leaf_values) == 3


def test_a_plain_threshold_has_the_routing_table_that_it_had() -> None:
    """One entry a test: feature, threshold, both children of missing values, two children."""
    array = compile_routing(two_leaves(ThresholdTest(0, 3), 1, Feature("x", Kind.INTEGER)).root).array
    assert array.tolist() == [0, 3, -1, -1, -2, -1]


def test_equal_tests_are_equal_however_they_were_written() -> None:
    """A bound at the highest value, intervals in any order, touching ones: one value, one hash, one file."""
    written = [
        ValueSet(X, [Interval(5.0, math.inf), Interval(None, 0.5), Interval(0.5, 1.0)]),
        ValueSet(X, [Interval(5.0, None), Interval(None, 1.0)]),
    ]
    trees = [two_leaves(ValueSetTest(0, values)) for values in written]
    assert trees[0] == trees[1] and hash(trees[0]) == hash(trees[1])
    assert tree_to_json(trees[0]) == tree_to_json(trees[1])
    assert repr(trees[0].root.test) == "ValueSetTest(feature=0, values=<ValueSet 'x' (.., 1.0], (5.0, ..)>)"  # type: ignore[attr-defined]
    assert trees[0] != two_leaves(ValueSetTest(0, ~written[0] - ValueSet.of_values(X, [None])))


@given(union_trees())
def test_trees_are_copied_pickled_and_written(tree: Tree) -> None:
    """Each gives an equal tree that routes alike; the file is of version 3 where a test has intervals, else 2."""
    written = tree_to_json(tree)
    for other in (copy.deepcopy(tree), pickle.loads(pickle.dumps(tree)), tree_from_json(written)):
        assert other == tree and hash(other) == hash(tree) and tree_to_json(other) == written
        assert [find_leaf(other, row) for row in rows_at_ends(tree)] == [
            find_leaf(tree, row) for row in rows_at_ends(tree)
        ]
    assert json.loads(written)["version"] == (3 if '"intervals"' in written else 2)
    assert json.loads(tree_to_json(in_thresholds(tree)))["version"] == 2


@pytest.mark.parametrize(
    "cell",
    [
        [],
        [[None, None]],
        [[None, 1.0], [1.0, 2.0]],
        [[None, 2.0], [1.0, 3.0]],
        [[3.0, 4.0], [1.0, 2.0]],
        [[2.0, 1.0]],
        [[1.0, "inf"]],
        [["inf", None]],
        [[None, "1.0"]],
        [[None, True]],
        [[None]],
        [[None, 1.0, 2.0]],
        [None],
        None,
        7,
    ],
    ids=repr,
)
def test_a_file_with_other_intervals_is_refused(cell: Any) -> None:
    """None, all, unsorted, overlapping or touching ones, bounds of another type, no pairs."""
    for test in ({"intervals": cell}, {"intervals": [[None, 1.0]], "groups": [[]]}):
        content = json.loads(tree_to_json(two_leaves(ValueSetTest(0, OUTER))))
        content["nodes"][0][1] = test
        rest = {name: value for name, value in content.items() if name not in ("format", "version", "digest")}
        with pytest.raises(ModelFileError, match="not a usable model file"):
            tree_from_json(json.dumps({**content, "digest": _digest(rest)}))


def test_each_edit_of_a_byte_of_a_file_loads_equal_or_is_refused() -> None:
    """Each byte of a file of version 3 replaced once, and each truncation."""
    tree = two_leaves(ValueSetTest(0, OUTER))
    data = tree_to_json(tree).encode()
    for text in [data[:at] for at in range(len(data))] + [data[:at] + b"7" + data[at + 1 :] for at in range(len(data))]:
        try:
            assert tree_from_json(text) == tree
        except ModelFileError:
            continue


N = Feature("n", Kind.INTEGER)
C = Feature("c", Kind.CATEGORY, ("a", "b"))


@pytest.mark.parametrize(
    ("feature", "test"),
    [
        (X, ValueSetTest(0, ValueSet(X))),
        (X, ValueSetTest(0, ValueSet(X, [Interval()]))),
        (X, ValueSetTest(0, ValueSet(X, [Interval(None, math.inf)]))),
        (X, ValueSetTest(0, ValueSet(X, [Interval(None, 1.0)], missing=True))),
        (N, ValueSetTest(0, OUTER)),
        (X, ValueSetTest(1, OUTER)),
        (C, ValueSetTest(0, ValueSet(C, (), ["a"]))),
        (C, ValueSetTest(0, OUTER)),
    ],
    ids=lambda value: repr(value)[:60],
)
def test_what_does_not_fit_its_feature_is_refused(feature: Feature, test: ValueSetTest) -> None:
    """No known value, all of them, the missing one, another feature, categories."""
    with pytest.raises(InvalidTreeError):
        two_leaves(test, feature=feature)


def test_what_is_no_set_of_values_is_refused() -> None:
    """When the test is made, and a split of something else."""
    with pytest.raises(OptionError, match="a ValueSet"):
        ValueSetTest(0, Interval(None, 1.0))  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="a ThresholdTest, a ValueSetTest or a CategoryTest"):
        Split(OUTER, [Leaf(GOAL, ()), Leaf(GOAL, ())])  # type: ignore[arg-type]
