"""Prediction for one row, and for whole tables by a routing table."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from treerules._internal.arguments import require_callables_or_none, require_type
from treerules.data.casting import align_column, n_decimals
from treerules.data.column import Column
from treerules.data.column_names import matching_name
from treerules.data.new_values import new_value
from treerules.data.schema import UNSEEN, Feature
from treerules.data.table import Table
from treerules.data.table_data import TableLike, is_columns, table_data
from treerules.data.value_format import value_text
from treerules.errors import ColumnError, OptionError, did_you_mean
from treerules.trees.node_parts import ClassPrediction, child_of
from treerules.trees.nodes import Leaf, Node, Split, shape
from treerules.trees.routing import route
from treerules.trees.tree import Tree, target_of
from treerules.trees.walkers import leaves, preorder

Progress = Callable[[int, int], None]


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
    require_type("tree", tree, Tree, "a Tree")
    require_type("row", row, Mapping, "a row: a mapping from names to values")
    node: Node = tree.root
    while isinstance(node, Split):
        feature = tree.schema.features[node.test.feature]
        value = new_value(feature, row.get(feature.name))
        node = node.children[child_of(node.test, feature, value, node.missing, node.unseen)]
    assert isinstance(node, Leaf)
    return node


def predict(
    tree: Tree,
    table: TableLike,
    *,
    columns: Sequence[str] | None = None,
    progress: Progress | None = None,
    compiled: bool | None = None,
) -> Any:
    """Return the predictions of a tree for the rows of a table, or the prediction for one row.

    Args:
        tree: the Tree to predict with.
        table: a Table, a data frame (pandas, polars, Arrow), a list of dicts, a dict of columns or a 2-D array, with
            the columns that the tree tests, in any order and with others; or a row, a mapping from names to values, in
            which a key that is not there is a missing value.
        columns: the names of the columns where `table` is a 2-D array, which has none; else None.
        progress: a function that is called with (rows in leaves, all rows), or None.
        compiled: whether numba (the extra [fast]) routes the rows; the answers are the same. None uses it where it is
            loaded, or where the table is long.

    Returns:
        An array of shape (rows,): classes as objects, means as float64. For a data frame a series `prediction` of its
        library, with its index. For a row one value.

    Raises:
        OptionError: `tree` is not a Tree, or `table` is neither a table nor a row.
        ColumnError, CellError: the table lacks a column that the tree tests, or has one of the wrong kind.

    Examples:
        >>> from treerules import cart, learn, Table
        >>> table = Table.from_columns({"x": [1.0, 2.0, 4.0], "y": ["a", "a", "b"]})
        >>> tree = learn(table, target="y", recipe=cart())
        >>> predict(tree, table).tolist(), predict(tree, {"x": 3.5})
        (['a', 'a', 'b'], 'b')
    """
    require_type("tree", tree, Tree, "a Tree")
    require_type("compiled", compiled, bool | None, "True, False, or None: by the number of rows")
    require_callables_or_none(progress=progress)
    if _is_row(table):
        return find_leaf(tree, table).prediction.value
    data = table_data(table, columns=columns)
    values = tree._routing.leaf_values
    if tree.schema.is_regression:
        values = values.astype(np.float64)
    return data.series("prediction", values[apply(tree, data.table, progress=progress, compiled=compiled)])


def predict_proba(tree: Tree, table: TableLike, *, columns: Sequence[str] | None = None) -> Any:
    """Return the probability of each class: its share of the training rows in the leaf that a row reaches.

    Args:
        tree: a Tree of a classification.
        table: a table or a row, as in `predict`.
        columns: the names of the columns where `table` is a 2-D array, which has none; else None.

    Returns:
        An array of float64, shape (rows, classes), classes in the order of `tree.schema.classes`. For a data frame a
        frame of its library, with its index, and a column `p_CLASS` for each class. For a row a tuple.

    Raises:
        OptionError: `tree` is not a Tree or is a regression, or `table` is neither a table nor a row.
        ColumnError, CellError: as `predict` does.

    Examples:
        >>> from treerules import cart, learn, Table
        >>> table = Table.from_columns({"x": [1, 1, 4], "y": ["a", "b", "b"]})
        >>> predict_proba(learn(table, target="y", recipe=cart()), table).tolist()
        [[0.5, 0.5], [0.5, 0.5], [0.0, 1.0]]
    """
    require_type("tree", tree, Tree, "a Tree")
    if tree.schema.is_regression:
        raise OptionError("tree", tree, "a classification; a regression has no classes")
    if _is_row(table):
        prediction = find_leaf(tree, table).prediction
        assert isinstance(prediction, ClassPrediction)
        return prediction.probabilities
    shares = [
        leaf.prediction.probabilities for leaf in leaves(tree.root) if isinstance(leaf.prediction, ClassPrediction)
    ]
    data = table_data(table, columns=columns)
    probabilities = np.array(shares)[apply(tree, data.table) - 1]
    if data.kind is None:
        return probabilities
    return data.kind.data_frame(dict(zip(probability_names(tree), probabilities.T, strict=True)))


def probability_names(tree: Tree) -> list[str]:
    """Return the names of the columns of probabilities, `p_CLASS` for each class."""
    return [f"p_{value_text(label, target_of(tree).form)}" for label in tree.schema.classes]


def apply(
    tree: Tree,
    table: TableLike,
    *,
    columns: Sequence[str] | None = None,
    progress: Progress | None = None,
    compiled: bool | None = None,
) -> Any:
    """Return the number of the rule, or leaf, that each row of a table reaches.

    Args:
        tree: the Tree to predict with.
        table: a Table, a data frame (pandas, polars, Arrow), a list of dicts, a dict of columns or a 2-D array, with
            the columns that the tree tests, in any order and with others.
        columns: the names of the columns where `table` is a 2-D array, which has none; else None.
        progress: a function that is called with (rows in leaves, all rows), or None.
        compiled: whether numba (the extra [fast]) routes the rows; the answers are the same. None uses it where it is
            loaded, or where the table is long.

    Returns:
        An array of int64, shape (rows,): the position of each row's leaf, from 1. For a data frame a series `rule` of
        its library, with its index.

    Raises:
        OptionError: `tree` is not a Tree, or `table` is no table.
        ColumnError, CellError: as `predict` does.

    Examples:
        >>> from treerules import cart, learn, Table
        >>> table = Table.from_columns({"x": [1, 2, 4], "y": ["a", "a", "b"]})
        >>> apply(learn(table, target="y", recipe=cart()), table).tolist()
        [1, 1, 2]
    """
    require_type("tree", tree, Tree, "a Tree")
    require_type("compiled", compiled, bool | None, "True, False, or None: by the number of rows")
    require_callables_or_none(progress=progress)
    data, routing = table_data(table, columns=columns), tree._routing
    cells = [_feature_column(tree.schema.features[index], data.table) for index in routing.features]
    return data.series("rule", route(routing, cells, data.table.n_rows, progress=progress, compiled=compiled))


def decimal_cells(tree: Tree, table: Table) -> dict[str, int]:
    """Return the number of cells that are no whole numbers, for each tested column of integers that has any.

    A column that the table lacks has none; predicting says that it is not there.
    """
    names = table.schema.indices
    there = [feature for feature in tested_features(tree) if matching_name(feature.name, names) is not None]
    counts = {feature.name: n_decimals(feature, table.column(feature.name)) for feature in there}
    return {name: n for name, n in counts.items() if n}


def tested_features(tree: Tree) -> tuple[Feature, ...]:
    """Return the features that some node tests, the columns that a prediction needs, in the order of the schema."""
    return tuple(tree.schema.features[index] for index in sorted(tree._routing.features))


def unseen_cells(tree: Tree, table: Table) -> dict[str, int]:
    """Return the number of cells with an unseen value, for each tested column that has any."""
    features = [tree.schema.features[index] for index in tree._routing.features]
    columns = {feature.name: _feature_column(feature, table) for feature in features if feature.is_open}
    counts = {name: int(np.count_nonzero(column.data == UNSEEN)) for name, column in columns.items()}
    return {name: n for name, n in counts.items() if n}


def rows_at(tree: Tree, table: Table, node: int) -> Any:
    """Return the numbers of the table's rows that pass a node (number in preorder, the root is 0).

    Raises:
        OptionError: the tree has no such node.
        ColumnError: as `predict` does.
    """
    before, below = _leaves_around(tree, node)
    numbers = apply(tree, table)
    return np.flatnonzero((numbers > before) & (numbers <= before + below))


def feature_tested_at(tree: Tree, node: int) -> int | None:
    """Return the position of the feature that a node tests; None for a leaf."""
    node_at = _node(tree, node)
    return node_at.test.feature if isinstance(node_at, Split) else None


def _leaves_around(tree: Tree, node: int) -> tuple[int, int]:
    """Return the number of leaves before a node, and the number of leaves below it."""
    node_at = _node(tree, node)
    before = sum(
        isinstance(node_before, Leaf) for _, node_before in zip(range(node), preorder(tree.root), strict=False)
    )
    return before, shape(node_at)[0]


def _node(tree: Tree, number: int) -> Node:
    nodes = enumerate(preorder(tree.root))
    is_whole = isinstance(number, int) and not isinstance(number, bool)
    node = next((node for position, node in nodes if position == number), None) if is_whole else None
    if node is None:
        last_number = sum(1 for _ in preorder(tree.root)) - 1
        raise OptionError("node", number, f"the number of a node, from 0 to {last_number}")
    return node


def _is_row(table: object) -> bool:
    return isinstance(table, Mapping) and not is_columns(table)


def _feature_column(feature: Feature, table: Table) -> "Column":
    if matching_name(feature.name, table.schema.indices) is None:
        hint = did_you_mean(feature.name, table.schema.indices)
        raise ColumnError(feature.name, "the model tests it and the table does not have it", f"{hint}add or rename it")
    return align_column(feature, table.column(feature.name))
