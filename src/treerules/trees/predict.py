"""Prediction for a row, and for whole tables by `routing`."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from treerules.data.casting import aligned
from treerules.data.column import Column
from treerules.data.schema import UNSEEN, Feature
from treerules.data.table import Table
from treerules.errors import ColumnError, OptionError, did_you_mean
from treerules.trees.node_parts import ClassPrediction, child_of
from treerules.trees.nodes import Leaf, Node, Split, shape
from treerules.trees.routing import route
from treerules.trees.tree import Tree
from treerules.trees.walkers import leaves, preorder

Progress = Callable[[int, int], None]


def find_leaf(tree: Tree, row: Mapping[str, Any]) -> Leaf:
    """Return the leaf that a row reaches; a missing key is a missing value.

    Raises:
        CellError: a value on the row's path is of the wrong kind.
    """
    node: Node = tree.root
    while isinstance(node, Split):
        feature = tree.schema.features[node.test.feature]
        value = feature.converted(row.get(feature.name))
        node = node.children[child_of(node.test, feature, value, node.missing, node.unseen)]
    assert isinstance(node, Leaf)
    return node


def predict(
    tree: Tree,
    table: Table | Mapping[str, Any],
    *,
    progress: Progress | None = None,
    compiled: bool | None = None,
) -> Any:
    """Return what a tree predicts: an array, a row each, for a table; one value for a row (a mapping).

    Classes come as an array of objects, means as float64. The table may hold other columns, and in any order.
    `progress` is called with (rows in leaves, all rows). `compiled` says whether numba routes the rows, where it is
    installed; by default it does once it is loaded, and loads where the table is long. The answers are the same.

    Raises:
        ColumnError, CellError: the table lacks a column that the tree asks for, or has one of the wrong kind.
    """
    if not isinstance(table, Table):
        return find_leaf(tree, table).prediction.value
    values = tree._routing.leaf_values
    if tree.schema.is_regression:
        values = values.astype(np.float64)
    return values[apply(tree, table, progress=progress, compiled=compiled)]


def predict_proba(tree: Tree, table: Table | Mapping[str, Any]) -> Any:
    """Return the share of each class where a row's leaf was learned, classes in the schema's order.

    For a table an array of shape (rows, classes); for a row (a mapping) a tuple.

    Raises:
        OptionError: the tree is a regression, which has no classes.
    """
    if tree.schema.is_regression:
        raise OptionError("predict_proba of", tree, "a classification; a regression has no classes")
    if not isinstance(table, Table):
        prediction = find_leaf(tree, table).prediction
        assert isinstance(prediction, ClassPrediction)
        return prediction.probabilities
    shares = [
        leaf.prediction.probabilities for leaf in leaves(tree.root) if isinstance(leaf.prediction, ClassPrediction)
    ]
    return np.array(shares)[apply(tree, table) - 1]


def apply(tree: Tree, table: Table, *, progress: Progress | None = None, compiled: bool | None = None) -> Any:
    """Return the number of the rule that fires for each row: the place of its leaf, from 1 (int64).

    `progress` and `compiled` are those of `predict`.

    Raises:
        ColumnError, CellError: as `predict` does.
    """
    routing = tree._routing
    columns = [_aligned(tree.schema.features[index], table) for index in routing.features]
    return route(routing, columns, table.n_rows, progress=progress, compiled=compiled)


def unseen_cells(tree: Tree, table: Table) -> dict[str, int]:
    """Return how many cells hold a value that the tree has not seen, for each column asked for where any do."""
    asked = [tree.schema.features[index] for index in tree._routing.features]
    columns = {feature.name: _aligned(feature, table) for feature in asked if feature.is_open}
    counts = {name: int(np.count_nonzero(column.data == UNSEEN)) for name, column in columns.items()}
    return {name: n for name, n in counts.items() if n}


def rows_at(tree: Tree, table: Table, node: int) -> Any:
    """Return the numbers of the table's rows that pass a node (number in preorder, the root is 0).

    Raises:
        OptionError: the tree has no such node.
        ColumnError: as `predict` does.
    """
    before, below = _leaves_around(tree, node)
    found = apply(tree, table)
    return np.flatnonzero((found > before) & (found <= before + below))


def asked_at(tree: Tree, node: int) -> int | None:
    """Return the feature that a node asks for, by its place in the schema; None of a leaf."""
    found = _node(tree, node)
    return found.test.feature if isinstance(found, Split) else None


def _leaves_around(tree: Tree, node: int) -> tuple[int, int]:
    """Return how many leaves come before a node, and how many are below it."""
    found = _node(tree, node)
    before = sum(isinstance(other, Leaf) for _, other in zip(range(node), preorder(tree.root), strict=False))
    return before, shape(found)[0]


def _node(tree: Tree, number: int) -> Node:
    nodes = enumerate(preorder(tree.root))
    is_whole = isinstance(number, int) and not isinstance(number, bool)
    found = next((node for place, node in nodes if place == number), None) if is_whole else None
    if found is None:
        last = sum(1 for _ in preorder(tree.root)) - 1
        raise OptionError("node", number, f"the number of a node, from 0 to {last}")
    return found


def _aligned(feature: Feature, table: Table) -> "Column":
    if feature.name not in table.schema.indices:
        hint = did_you_mean(feature.name, table.schema.indices)
        raise ColumnError(feature.name, "the model asks for it and the table has none", f"{hint}add or rename it")
    return aligned(feature, table.column(feature.name))
