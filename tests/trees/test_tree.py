"""Trees as values, and their walkers against the recursive definitions of the textbooks."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given

from strategies_random import trees
from treerules import Feature, Kind, Schema, Tree
from treerules.errors import InvalidTreeError
from treerules.trees import (
    CategoryTest,
    ClassPrediction,
    Leaf,
    MeanPrediction,
    Split,
    ThresholdTest,
    descend,
    find_leaf,
    fold,
    leaves,
    paths,
    preorder,
    unfold,
)
from treerules.trees.nodes import Node, from_preorder, shape
from treerules.trees.walkers import with_child_numbers

NUMBER = Schema([Feature("x", Kind.NUMBER)], Feature("y", Kind.NUMBER))
COLOUR = Schema([Feature("c", Kind.CATEGORY, ["blue", "red"])], Feature("y", Kind.CATEGORY, ["no", "yes"]))
LEAF = Leaf(MeanPrediction(1.0), (2,))


def naive_fold(node: Node, leaf: Callable[[Leaf], Any], split: Callable[[Split, tuple[Any, ...]], Any]) -> Any:
    """The definition: a node's result is made of its children's."""
    if isinstance(node, Split):
        return split(node, tuple(naive_fold(child, leaf, split) for child in node.children))
    assert isinstance(node, Leaf)
    return leaf(node)


def naive_preorder(node: Node) -> list[Node]:
    """The definition: a node before its children, the first child first."""
    below = [n for child in node.children for n in naive_preorder(child)] if isinstance(node, Split) else []
    return [node, *below]


def naive_paths(node: Node, path: tuple[Any, ...] = ()) -> list[Any]:
    """The definition: every leaf with the splits above it."""
    if not isinstance(node, Split):
        return [(node, path)]
    return [pair for side, child in enumerate(node.children) for pair in naive_paths(child, (*path, (node, side)))]


def rebuilt(node: Split, children: tuple[Node, ...]) -> Node:
    """Return a split with other children."""
    return Split(node.test, children, node.missing, node.unseen, node.as_leaf)


@given(trees())
def test_fold_is_the_recursive_definition(tree: Tree) -> None:
    """Counting leaves, the depth, and listing labels in order."""
    one = (lambda _: 1, lambda _, below: sum(below))
    depth = (lambda _: 0, lambda _, below: 1 + max(below))
    order = (lambda leaf: [leaf], lambda split, below: [split.test, *(x for b in below for x in b)])
    for leaf, split in (one, depth, order):
        assert fold(tree.root, leaf, split) == naive_fold(tree.root, leaf, split)
    assert shape(tree.root) == (tree.n_leaves, tree.depth)
    assert tree.n_leaves == len(list(leaves(tree.root)))


@given(trees())
def test_folding_with_the_constructors_is_the_identity(tree: Tree) -> None:
    """fold(t, Leaf, Split) == t, and from_preorder undoes preorder."""
    assert fold(tree.root, lambda leaf: Leaf(leaf.prediction, leaf.counts), rebuilt) == tree.root
    assert pickle.loads(pickle.dumps(tree)) == tree


@given(trees())
def test_unfolding_a_tree_into_its_parts_is_the_identity(tree: Tree) -> None:
    """Depth first and best first grow the same tree from the same step."""

    def step(node: Node) -> Any:
        if isinstance(node, Leaf):
            return node
        assert isinstance(node, Split)
        return lambda children: rebuilt(node, children), list(node.children)

    assert unfold(tree.root, step) == tree.root
    assert unfold(tree.root, step, priority=lambda node: -shape(node)[0]) == tree.root


@given(trees())
def test_preorder_and_paths_are_the_recursive_definitions(tree: Tree) -> None:
    """Both walkers visit in the textbook's order."""
    assert list(preorder(tree.root)) == naive_preorder(tree.root)
    assert list(paths(tree.root)) == naive_paths(tree.root)


@given(trees())
def test_nodes_are_numbered_in_preorder(tree: Tree) -> None:
    """A node's number is its place, and its children's numbers are theirs."""
    nodes = with_child_numbers(tree.root)
    assert [node for node, _ in nodes] == list(preorder(tree.root))
    for node, below in nodes:
        assert tuple(nodes[number][0] for number in below) == (node.children if isinstance(node, Split) else ())


@given(trees())
def test_descend_visits_children_in_the_order_that_is_asked_for(tree: Tree) -> None:
    """Backwards, the leaves come in reverse."""
    backwards = descend(
        tree.root, None, lambda s, _: [None] * len(s.children), order=lambda s: range(len(s.children))[::-1]
    )
    assert [node for node, _ in backwards if isinstance(node, Leaf)] == list(leaves(tree.root))[::-1]


@given(trees())
def test_descend_hands_every_node_what_its_path_inherits(tree: Tree) -> None:
    """With depth + 1 for each child, the greatest inherited number is the depth."""
    inherited = list(descend(tree.root, 0, lambda split, depth: [depth + 1] * len(split.children)))
    assert [node for node, _ in inherited] == list(preorder(tree.root))
    assert max(depth for _, depth in inherited) == tree.depth


@given(trees(), trees())
def test_equality_and_hash_go_by_value(a: Tree, b: Tree) -> None:
    """Equal trees hash alike; a tree equals its copy and no tree of another shape."""
    assert copy.deepcopy(a) == a
    assert hash(copy.copy(a)) == hash(a)
    assert (a.root == b.root) is (list(map(repr, _rows(a))) == list(map(repr, _rows(b))))
    assert a.root != "a tree"


def _rows(tree: Tree) -> list[Any]:
    return [
        (node.test, node.missing, node.unseen) if isinstance(node, Split) else (node.prediction, node.counts)  # type: ignore[attr-defined]
        for node in preorder(tree.root)
    ]


def test_a_tree_says_what_it_is() -> None:
    """Representations are short whatever the size."""
    root = Split(ThresholdTest(0, 1.0), (LEAF, LEAF))
    assert repr(root) == "<Split leaves=2 depth=1>"
    assert repr(Tree(NUMBER, root)) == "<Tree 'y' leaves=2 depth=1>"


def test_where_a_tree_comes_from_takes_no_part_in_equality() -> None:
    """Notes are no part of a tree's value."""
    assert Tree(NUMBER, LEAF, notes=["learned today"]) == Tree(NUMBER, LEAF)


YES = Leaf(ClassPrediction("yes", (0.0, 1.0)), (0, 1))


def test_missing_values_may_have_a_child_of_their_own() -> None:
    """It is the last, beyond the answers of the test; no other row reaches it."""
    one, two, three = (Leaf(MeanPrediction(value), (1,)) for value in (1.0, 2.0, 3.0))
    tree = Tree(NUMBER, Split(ThresholdTest(0, 1.0), (one, two, three), missing=2))
    assert [find_leaf(tree, {"x": x}) for x in (1.0, 1.5, None)] == [one, two, three]
    blue, red, none = (Leaf(ClassPrediction("yes", (0.0, 1.0)), (0, n)) for n in (1, 2, 3))
    colour = Tree(COLOUR, Split(CategoryTest(0, [[0], [1]]), (blue, red, none), missing=2, unseen=1))
    assert [find_leaf(colour, {"c": c}) for c in ("blue", "red", "new", None)] == [blue, red, red, none]


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Split(ThresholdTest(0, 1.0), (LEAF,)), "2 answers has 1 children"),
        (lambda: Split(CategoryTest(0, [[0, 1]]), (LEAF,)), "1 answers"),
        (lambda: Split(ThresholdTest(0, 1.0), (LEAF, LEAF), missing=2), "2 answers has 2 children"),
        (lambda: Split(ThresholdTest(0, 1.0), (LEAF, LEAF, LEAF), missing=1), "2 answers has 3 children"),
        (lambda: Split(ThresholdTest(0, 1.0), (LEAF, LEAF), missing=3), "sent to child 3 of 2"),
        (lambda: Split(ThresholdTest(0, 1.0), (LEAF, LEAF), missing=-1), "sent to child -1 of 2"),
        (lambda: Split(CategoryTest(0, [[0], [1]]), (YES, YES, YES), missing=2, unseen=3), "sent to child 3 of 2"),
        (lambda: Split(ThresholdTest(0, 1.0), (LEAF, LEAF), missing=True), "sent to child True"),
        (lambda: Split(ThresholdTest(0, 1.0), (LEAF, "leaf")), "not a node"),  # type: ignore[arg-type]
        (lambda: Tree(NUMBER, Split(ThresholdTest(1, 1.0), (LEAF, LEAF))), "feature 1 of 1"),
        (lambda: Tree(NUMBER, Split(ThresholdTest(0, 1), (LEAF, LEAF))), "is cut at 1"),
        (lambda: Tree(NUMBER, Split(ThresholdTest(0, float("nan")), (LEAF, LEAF))), "is cut at nan"),
        (lambda: Tree(NUMBER, Split(ThresholdTest(0, 1.0), (LEAF, LEAF), unseen=0)), "unseen values"),
        (lambda: Tree(NUMBER, Leaf(ClassPrediction("yes", (1.0,)), (1,))), "does not fit the target"),
        (lambda: Tree(NUMBER, Leaf(MeanPrediction(float("nan")), (1,))), "does not fit the target"),
        (lambda: Tree(NUMBER, Leaf(MeanPrediction(1.0), (-1,))), "the counts"),
        (lambda: Tree(COLOUR, Leaf(ClassPrediction("maybe", (0.0, 1.0)), (0, 1))), "does not fit the target"),
        (lambda: Tree(COLOUR, Leaf(ClassPrediction("yes", (1.0,)), (0, 1))), "does not fit the target"),
        (
            lambda: Tree(COLOUR, Split(CategoryTest(0, [[0], [0, 1]]), (YES, YES), unseen=0)),
            "each of its categories once",
        ),
        (lambda: Tree(COLOUR, Split(CategoryTest(0, [[0], []]), (YES, YES), unseen=0)), "each of its categories once"),
        (lambda: Tree(COLOUR, Split(CategoryTest(0, [[1, 0], []]), (YES, YES), unseen=0)), "ascending"),
        (lambda: Tree(COLOUR, Split(CategoryTest(0, [[0], [1]]), (YES, YES))), "unseen values"),
        (lambda: Tree(Schema([]), LEAF), "names no target"),
        (lambda: Schema([Feature("x", Kind.NUMBER)] * 2), "stands twice"),
        (lambda: Feature("c", Kind.CATEGORY, ["b", "a"]), "not sorted"),
        (lambda: Feature("c", Kind.CATEGORY, ["a", "a"]), "twice"),
        (lambda: Feature("c", Kind.CATEGORY, ["a", 1]), "not of type"),
        (lambda: Feature("x", Kind.NUMBER, ["a"]), "has categories"),
        (lambda: from_preorder([(ThresholdTest(0, 1.0), 0, None, None)]), "has 0 children"),
        (lambda: from_preorder([(MeanPrediction(1.0), (1,))] * 2), "make 2 trees"),
    ],
)
def test_a_wrong_value_cannot_be_built(build: Callable[[], Any], message: str) -> None:
    """Every invariant is checked where the value is made."""
    with pytest.raises(InvalidTreeError, match=message):
        build()
