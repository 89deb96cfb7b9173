"""Trees as other libraries hold them, nodes by number, made to roots of treerules in the caller's columns."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.short_repr import short_repr
from treerules.errors import ModelFileError
from treerules.importers.inputs import ColumnTest, Inputs
from treerules.trees.node_parts import Prediction, RoutedTest
from treerules.trees.nodes import Node, from_preorder

#: A sum of weights within this share of a whole number is that number.
_ROUNDING = 1e-9
#: A prediction, and the weights of the classes, or (n,).
Figures = tuple[Prediction, tuple[float, ...]]


@short_repr
@frozen(eq=False)
class LibraryTree:
    """The nodes of a tree by their numbers in the library; the root is node 0.

    Args:
        left: the first child of each node; below 0 for a leaf.
        right: the second child of each node.
        tests: the test of each split, by its number.
        figures: the prediction and the weights of each node; None where only those of leaves are known.
    """

    left: tuple[int, ...] = field(converter=as_tuple)
    right: tuple[int, ...] = field(converter=as_tuple)
    tests: Mapping[int, ColumnTest]
    figures: tuple[Figures | None, ...] = field(converter=as_tuple)


def check_nodes(left: Any, right: Any, name: str) -> None:
    """Raise ModelFileError unless the children of nodes, -1 for none, make a tree whose root is node 0.

    Args:
        left: the first child of each node, an array.
        right: the second child of each node, an array.
        name: the tree in words.
    """
    splits = left >= 0
    children = np.concatenate([left[splits], right[splits]])
    if (children <= 0).any() or (children >= len(left)).any() or len(np.unique(children)) != len(children):
        raise ModelFileError(f"the nodes of {name} make no tree: a child is none of its nodes, or that of two")


def whole_numbers(weights: Any) -> list[list[float]]:
    """Return sums of weights, shape (nodes, classes), as integers where they are whole but for rounding."""
    nearest = np.rint(weights)
    is_whole = np.abs(weights - nearest) <= _ROUNDING * np.maximum(nearest, 1)
    return [
        [int(whole) if is_exact else weight for weight, whole, is_exact in zip(*cells, strict=True)]
        for cells in zip(weights.tolist(), nearest.tolist(), is_whole.tolist(), strict=True)
    ]


def roots_of(trees: Sequence[LibraryTree], inputs: Inputs) -> list[Node]:
    """Return the roots of trees; their tests, all at once, become tests of the caller's columns."""
    routed = iter(inputs.routed([test for tree in trees for test in tree.tests.values()]))
    roots = []
    for tree in trees:
        tests = dict(zip(tree.tests, routed, strict=False))
        roots.append(from_preorder(_rows(tree, tests)))
    return roots


def _rows(tree: LibraryTree, tests: Mapping[int, RoutedTest | int]) -> Iterator[tuple[object, ...]]:
    """Yield the rows of the nodes for `from_preorder`, without the splits that send every row to one child."""
    stack = [0]
    while stack:
        node = stack.pop()
        if tree.left[node] < 0:
            yield tree.figures[node] or ()
            continue
        children = tree.left[node], tree.right[node]
        routed = tests[node]
        if isinstance(routed, int):
            stack.append(children[routed])
        else:
            yield routed.test, routed.missing, routed.unseen, tree.figures[node]
            stack += reversed(children)
