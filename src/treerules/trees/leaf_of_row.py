"""The leaf that one row reaches."""

from collections.abc import Callable, Mapping
from typing import Any, TypeGuard

from treerules._internal.arguments import require_type
from treerules.data.new_values import converted_value, new_value
from treerules.data.schema import Feature
from treerules.data.table_data import is_columns
from treerules.trees.ensemble import require_tree
from treerules.trees.node_parts import child_of
from treerules.trees.nodes import Leaf, Node, Split
from treerules.trees.tree import Tree


def find_leaf(tree: Tree, row: Mapping[str, Any]) -> Leaf:
    """Return the leaf that a row reaches.

    Args:
        tree: the Tree to predict with.
        row: a mapping from names of columns to values; a key that is not there is a missing value.

    Returns:
        A Leaf.

    Raises:
        OptionError: `tree` is not a Tree, or `row` is not a mapping.
        CellError: a value on the row's path is of the wrong kind.

    Examples:
        >>> from treerules import cart, learn, Table
        >>> tree = learn(Table.from_columns({"x": [1, 2, 4], "y": ["a", "a", "b"]}), target="y", recipe=cart())
        >>> find_leaf(tree, {"x": 1}).counts
        (2, 0)
    """
    require_tree("tree", tree)
    require_type("row", row, Mapping, "a row: a mapping from names to values")
    return _leaf(tree, row, new_value)


def leaf_of_values(tree: Tree, row: Mapping[str, Any]) -> Leaf:
    """Return the leaf that a witness of a proof reaches, whose values are read already: no word is missing."""
    return _leaf(tree, row, converted_value)


def _leaf(tree: Tree, row: Mapping[str, Any], read: Callable[[Feature, Any], Any]) -> Leaf:
    node: Node = tree.root
    while isinstance(node, Split):
        feature = tree.schema.features[node.test.feature]
        value = read(feature, row.get(feature.name))
        node = node.children[child_of(node.test, feature, value, node.missing, node.unseen)]
    assert isinstance(node, Leaf)
    return node


def is_row(table: object) -> TypeGuard[Mapping[str, Any]]:
    """Return whether an argument is one row: a mapping from names to values, none of which is a sequence."""
    return isinstance(table, Mapping) and not is_columns(table)
