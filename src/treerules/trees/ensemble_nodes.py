"""The trees of an ensemble as nodes that all do the same: compare a small integer with a threshold.

The cells of a feature become codes, and each test of a tree one node or several, each with two children
(`coded_tests`). A node names the line of codes that it compares: those of a feature are of up to three kinds.

Rows may so walk a tree in step, without a branch: a leaf is a node that leads to itself. Where all splits of a level
are the same test (an oblivious tree, as CatBoost grows), one node a level is kept, and its leaf is counted out.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from attrs import field, frozen

from treerules._internal.paused_gc import paused_gc
from treerules.data.schema import Feature, Kind, Schema, ordinate
from treerules.trees.cell_codes import AS_IT_IS, LEAF
from treerules.trees.coded_tests import fold_codes
from treerules.trees.nodes import Leaf, Node, Split
from treerules.trees.oblivious import oblivious_levels
from treerules.trees.routing import INT64_MAX, to_ordered_bits
from treerules.trees.tree import Tree
from treerules.trees.walkers import fold, tested_indices

#: The numbers of a node (the line of a leaf is -1), and the levels from there to the first leaf and to the last.
_Node: TypeAlias = tuple[int, Any, int, int, int]


@frozen(eq=False)
class EnsembleNodes:
    """The nodes of trees over one schema. A row at a node goes to its child, or if its code is above to the one behind.

    The nodes of an oblivious tree are its levels. They have no children, but the number of the tree's first leaf: the
    answers of a row to the levels, as binary digits, say how many leaves behind that its own is.
    """

    #: the features that some split of some tree tests, ascending
    features: tuple[int, ...]
    #: for each of them the bounds of codes, ascending (int64, numbers as ordered bits); none where it has categories
    bounds: tuple[Any, ...]
    #: the lines of codes that are compared: the position of the feature in `features`, and the kind
    lines: tuple[tuple[int, int], ...]
    #: of each node the line (uint32), the threshold (int32), and the position of the first child (uint32)
    line: Any
    threshold: Any
    child: Any
    #: of each tree the position of its root, the levels to its first leaf and to its last, and whether it is oblivious
    roots: Any
    least_depths: Any
    depths: Any
    oblivious: Any


@paused_gc()
def compile_nodes(schema: Schema, trees: Sequence[Tree]) -> EnsembleNodes:
    """Return the nodes of trees over one schema. Leaves are numbered from the first of the first tree."""
    features, lists, n_leaves = tested_indices(trees), _Lists(), 0
    first_lines = {feature: 3 * place for place, feature in enumerate(features)}
    shapes = []
    for tree in trees:
        shapes.append(_write_tree(tree.root, n_leaves, n_leaves := n_leaves + tree.n_leaves, first_lines, lists))
    lines, thresholds = np.array(lists.lines), np.empty(len(lists.lines), dtype=object)
    thresholds[:] = lists.thresholds
    is_ranked = (lines >= 0) & (lines % 3 != AS_IT_IS)
    bounds = [
        _rank(schema.features[feature], is_ranked & (lines // 3 == place), thresholds)
        for place, feature in enumerate(features)
    ]
    compared = np.unique(lines[lines >= 0])
    return EnsembleNodes(
        features,
        tuple(bounds),
        tuple(divmod(line, 3) for line in compared.tolist()),
        np.searchsorted(compared, lines).astype(np.uint32),  # that of a leaf is any
        thresholds.astype(np.int32),
        np.array(lists.children, dtype=np.uint32),
        *map(np.array, zip(*shapes, strict=True)),
    )


@frozen
class _Lists:
    """The nodes that are written, as lists of their numbers."""

    lines: list[int] = field(factory=list)
    thresholds: list[Any] = field(factory=list)
    children: list[int] = field(factory=list)

    def write(self, node: _Node) -> int:
        """Append a node, and return its position."""
        position = len(self.lines)
        self.lines.append(node[0])
        self.thresholds.append(node[1])
        self.children.append(node[2] if node[0] >= 0 else position)  # a leaf leads to itself
        return position


def _write_tree(
    root: Node, first_leaf: int, end_leaf: int, first_lines: Mapping[int, int], lists: _Lists
) -> tuple[int, int, int, bool]:
    """Write the nodes of a tree, and return its position, its least and its greatest depth, and if it is oblivious."""
    if levels := _levels(root, first_lines):
        start = len(lists.lines)
        for line, threshold in levels:
            lists.write((line, threshold, first_leaf, 0, 0))
        return start, len(levels), len(levels), True
    next_leaf = end_leaf

    def leaf(_: Leaf) -> _Node:
        nonlocal next_leaf
        next_leaf -= 1  # fold visits the last leaf first
        return -1, LEAF + next_leaf, 0, 0, 0

    def cut(line: int, threshold: Any, at_most: _Node, above: _Node) -> _Node:
        position = lists.write(at_most)
        lists.write(above)
        return line, threshold, position, 1 + min(at_most[3], above[3]), 1 + max(at_most[4], above[4])

    def split(node: Split, children: tuple[_Node, ...]) -> _Node:
        first_line = first_lines[node.test.feature]
        return fold_codes(node, children, lambda kind, bound, *sides: cut(first_line + kind, bound, *sides))

    top = fold(root, leaf, split)
    return lists.write(top), top[3], top[4], False


def _levels(root: Node, first_lines: Mapping[int, int]) -> list[tuple[int, Any]]:
    """Return the line and the threshold of each level of an oblivious tree, from the root.

    There are none for another tree, nor where the test of a level is more than one node, as of several categories.
    """
    levels: list[tuple[int, Any]] = []
    sides: tuple[Any, Any] = (0, 1)
    for split in oblivious_levels(root) or ():
        first_line = first_lines[split.test.feature]
        node = fold_codes(split, sides, lambda *node: node)
        if not isinstance(node, tuple) or node[2:] != sides:
            return []
        levels.append((first_line + node[0], node[1]))
    return levels


def _rank(feature: Feature, is_of_feature: Any, thresholds: Any) -> Any:
    """Return the bounds of a feature's codes, ascending, and make its thresholds positions among them, in place."""
    if not feature.is_ordered:
        return np.empty(0, dtype=np.int64)
    if feature.kind is Kind.NUMBER:
        values = (thresholds[is_of_feature].astype(np.float64) + 0.0).view(np.int64)  # -0.0 is 0.0
        to_ordered_bits(values, INT64_MAX)
    else:
        values = np.array(list(map(ordinate, thresholds[is_of_feature])), dtype=np.int64)
    bounds, thresholds[is_of_feature] = np.unique(values, return_inverse=True)
    return bounds
