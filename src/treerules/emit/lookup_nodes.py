"""Trees as nodes that all do the same, for code that walks arrays: each compares a code, a small integer, with a bound.

The codes are those of `coded_tests`: an ordered feature has two, LOW and HIGH, one with categories has one, AS_IT_IS.
"""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from attrs import frozen

from treerules._internal.short_repr import short_repr
from treerules.data.schema import Feature, Schema, ordinate
from treerules.emit.checked_rules import CheckedRules
from treerules.errors import OptionError
from treerules.trees.cell_codes import AS_IT_IS, HIGH
from treerules.trees.coded_tests import fold_codes
from treerules.trees.node_parts import CategoryTest
from treerules.trees.nodes import Leaf, Split
from treerules.trees.tree import Tree
from treerules.trees.walkers import fold, preorder, tested_indices

#: A node: the position of the code, the bound, and where rows go whose code is at most the bound, and all others.
LookupNode = tuple[int, int, int, int]


@short_repr
@frozen
class LookupNodes:
    """The nodes of trees, one behind the other. A row goes on until it is at a number below 0: -1 is the first leaf.

    The codes of the features stand one behind the other, in their order.
    """

    #: the features that some tree tests, in the order of the schema
    features: tuple[Feature, ...]
    #: of each its bounds, ascending, or its categories in their order
    bounds: tuple[tuple[Any, ...], ...]
    nodes: tuple[LookupNode, ...]
    #: of each tree the position of its root, or the number of its only leaf
    roots: tuple[int, ...]
    #: the positions at which a split begins; at the others one of several sides goes on
    splits: frozenset[int]

    @property
    def table_names(self) -> tuple[str, ...]:
        """For each feature the name of the table of its bounds or categories in code."""
        return tuple(
            f"{'BOUNDS' if feature.is_ordered else 'PLACES'}_{number}"
            for number, feature in enumerate(self.features, 1)
        )

    @property
    def has_bounds(self) -> bool:
        """Whether values of some feature are compared with bounds."""
        return any(feature.is_ordered for feature in self.features)

    @property
    def has_categories(self) -> bool:
        """Whether some feature has categories."""
        return not all(feature.is_ordered for feature in self.features)


def require_tree(checked: CheckedRules) -> Tree:
    """Return the tree of rules; raise OptionError where they have none, as those that were edited."""
    if checked.tree is None:
        wanted = "'plain', or emit tree_from_rules(rules): a rule set that was edited has no tree to walk"
        raise OptionError("style", "lookup", wanted)
    return checked.tree


def lookup_nodes(schema: Schema, trees: Sequence[Tree]) -> LookupNodes:
    """Return the nodes of trees over one schema. Leaves are numbered on from tree to tree: -1, -2 and so on.

    >>> from treerules import Kind
    >>> from treerules.trees import MeanPrediction, ThresholdTest
    >>> schema = Schema([Feature("x", Kind.NUMBER)], Feature("y", Kind.NUMBER))
    >>> low, high = (Leaf(MeanPrediction(value), (1,)) for value in (0.0, 1.0))
    >>> found = lookup_nodes(schema, [Tree(schema, Split(ThresholdTest(0, 2.5), [low, high], missing=1))])
    >>> found.bounds, found.nodes, found.roots
    (((2.5,),), ((1, 0, -1, -2),), (0,))
    """
    indices = tested_indices(trees)
    features = {index: schema.features[index] for index in indices}
    bounds = {index: _bounds_of(trees, index, feature) for index, feature in features.items()}
    starts = accumulate((2 if feature.is_ordered else 1 for feature in features.values()), initial=0)
    codes = _Codes(dict(zip(features, starts, strict=False)), {index: _positions(bounds[index]) for index in indices})
    nodes: list[LookupNode] = []
    splits: set[int] = set()
    roots, n_leaves = [], 0
    for tree in trees:
        n_leaves += tree.n_leaves
        roots.append(_append(tree, nodes, splits, n_leaves, codes))
    return LookupNodes(tuple(features.values()), tuple(bounds.values()), tuple(nodes), tuple(roots), frozenset(splits))


def _bounds_of(trees: Sequence[Tree], index: int, feature: Feature) -> tuple[Any, ...]:
    """Return the bounds of a feature in all trees, ascending; its categories where it has them."""
    if not feature.is_ordered:
        return feature.categories
    tests = (node.test for tree in trees for node in preorder(tree) if isinstance(node, Split))
    thresholds = (bound for test in tests if test.feature == index for bound in _thresholds(test))
    return tuple(bound for _, bound in sorted({ordinate(bound): bound for bound in thresholds}.items()))


def _thresholds(test: Any) -> tuple[Any, ...]:
    return () if isinstance(test, CategoryTest) else tuple(test.thresholds)


def _positions(bounds: Sequence[Any]) -> dict[Any, int]:
    return {ordinate(bound): at for at, bound in enumerate(bounds)}


@frozen
class _Codes:
    """The position of the first code of each feature, and that of each of its bounds, by the index of the feature."""

    first: Mapping[int, int]
    bounds: Mapping[int, Mapping[Any, int]]


def _append(tree: Tree, nodes: list[LookupNode], splits: set[int], n_leaves: int, codes: _Codes) -> int:
    """Append the nodes of a tree, children first, and return its root; `n_leaves` counts leaves up to its last.

    The positions at which its splits begin are added to `splits`.
    """
    next_leaf = -n_leaves - 1

    def leaf(_: Leaf) -> int:
        nonlocal next_leaf
        next_leaf += 1  # `fold` goes from the last leaf to the first
        return next_leaf

    def split(node: Split, children: tuple[int, ...]) -> int:
        index = node.test.feature

        def cut(kind: int, bound: Any, met: int, failed: int) -> int:
            position = bound if kind == AS_IT_IS else codes.bounds[index][ordinate(bound)]
            nodes.append((codes.first[index] + (kind == HIGH), position, met, failed))
            return len(nodes) - 1

        start = fold_codes(node, children, cut)
        splits.add(start)
        return start

    return fold(tree.root, leaf, split)
