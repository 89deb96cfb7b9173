"""Prediction for one row, and for whole tables: by the routing table of a tree, or the margins of an ensemble."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from treerules._internal.arguments import require_callables_or_none, require_flags, require_type
from treerules.data.domain import Outside
from treerules.data.table import Table
from treerules.data.table_data import TableLike, table_data
from treerules.data.value_format import value_text
from treerules.errors import OptionError
from treerules.trees.ensemble import Ensemble, TreeModel, require_tree
from treerules.trees.leaf_of_row import find_leaf, is_row
from treerules.trees.margins import COMPILED, margins_of, margins_of_row, predictions_of, probabilities_of
from treerules.trees.node_parts import ClassPrediction
from treerules.trees.nodes import Leaf, Node, Split, shape
from treerules.trees.outside_rows import check_outside
from treerules.trees.routing import route
from treerules.trees.tested_columns import Progress, require_keys, routed_columns
from treerules.trees.tree import Tree, target_of
from treerules.trees.walkers import leaves, preorder

#: What functions of this module predict with, in errors.
_MODELS = "a Tree or an Ensemble"


def predict(
    tree: TreeModel,
    table: TableLike,
    *,
    columns: Sequence[str] | None = None,
    outside: Outside = "answer",
    strict: bool = False,
    progress: Progress | None = None,
    compiled: bool | None = None,
) -> Any:
    """Return the predictions of a tree or an ensemble for the rows of a table, or the prediction for one row.

    Args:
        tree: the Tree, or the Ensemble, to predict with.
        table: a Table, a data frame (pandas, polars, Arrow), a list of dicts, a dict of columns or a 2-D array, with
            the columns that the tree tests, in any order and with others; or a row, a mapping from names to values, in
            which a key that is not there is a missing value.
        columns: the names of the columns where `table` is a 2-D array, which has none; else None.
        outside: what a row outside the domain that the tree declares gets: "answer", the default, is the model's
            answer, "refuse" an error that names the column and the value.
        strict: True refuses a row (or a table) that lacks a column that the model tests, or has a key that is no column
            of the model, such as a misspelt one. By default such a key is ignored, and a missing key is missing.
        progress: a function that is called with (rows in leaves, all rows), or None.
        compiled: whether numba (the extra [fast]) routes the rows; the answers are the same. None uses it where it is
            loaded, or where the table is long.

    Returns:
        An array of shape (rows,): classes as objects, means as float64. For a data frame a series `prediction` of its
        library, with its index. For a row one value.

    Raises:
        OptionError: `tree` is no Tree or Ensemble, `table` is neither a table nor a row, or `outside` is another word,
            or "refuse" for a model that declares no domain.
        ColumnError, CellError: the table lacks a column that the tree tests, or has one of the wrong kind.
        DataError: a row is outside the declared domain, with outside="refuse"; or it lacks a column, with strict=True.
        UnknownNameError: a key is no column of the model, with strict=True.

    Examples:
        >>> from treerules import cart, learn, Table
        >>> table = Table.from_columns({"x": [1.0, 2.0, 4.0], "y": ["a", "a", "b"]})
        >>> tree = learn(table, target="y", recipe=cart())
        >>> predict(tree, table).tolist(), predict(tree, {"x": 3.5})
        (['a', 'a', 'b'], 'b')
    """
    require_type("tree", tree, TreeModel, _MODELS)
    require_type("compiled", compiled, bool | None, COMPILED)
    require_callables_or_none(progress=progress)
    require_flags(strict=strict)
    data = None if is_row(table) else table_data(table, columns=columns)
    if strict:
        require_keys(tree, table if data is None else data.table)
    check_outside(outside, tree, table if data is None else data.table)
    if data is None:
        return _row_prediction(tree, table)
    if isinstance(tree, Ensemble):
        margins = margins_of(tree, data.table, progress=progress, compiled=compiled)
        return data.series("prediction", _values(tree, predictions_of(tree, margins)))
    values = tree._routing.leaf_values
    if tree.schema.is_regression:
        values = values.astype(np.float64)
    return data.series("prediction", values[apply(tree, data.table, progress=progress, compiled=compiled)])


def _row_prediction(model: TreeModel, row: Any) -> Any:
    if isinstance(model, Ensemble):
        return _values(model, predictions_of(model, margins_of_row(model, row))).tolist()[0]
    return find_leaf(model, row).prediction.value


def _values(ensemble: Ensemble, predictions: Any) -> Any:
    """Return what `predictions_of` gives, with classes themselves for their positions."""
    if ensemble.schema.is_regression:
        return predictions
    classes = np.empty(len(ensemble.schema.classes), dtype=object)
    classes[:] = ensemble.schema.classes
    return classes[predictions]


def predict_proba(tree: TreeModel, table: TableLike, *, columns: Sequence[str] | None = None) -> Any:
    """Return the probability of each class: its share of the training rows in the leaf that a row reaches.

    Of an ensemble it is the link function of the margins.

    Args:
        tree: a Tree or an Ensemble of a classification.
        table: a table or a row, as in `predict`.
        columns: the names of the columns where `table` is a 2-D array, which has none; else None.

    Returns:
        An array of float64, shape (rows, classes), classes in the order of `tree.schema.classes`. For a data frame a
        frame of its library, with its index, and a column `p_CLASS` for each class. For a row a tuple.

    Raises:
        OptionError: `tree` is no Tree or Ensemble, or is a regression, or `table` is neither a table nor a row.
        ColumnError, CellError: as `predict` does.

    Examples:
        >>> from treerules import cart, learn, Table
        >>> table = Table.from_columns({"x": [1, 1, 4], "y": ["a", "b", "b"]})
        >>> predict_proba(learn(table, target="y", recipe=cart()), table).tolist()
        [[0.5, 0.5], [0.5, 0.5], [0.0, 1.0]]
    """
    require_type("tree", tree, TreeModel, _MODELS)
    if tree.schema.is_regression:
        raise OptionError("tree", tree, "a classification; a regression has no classes")
    if is_row(table):
        return _row_probabilities(tree, table)
    data = table_data(table, columns=columns)
    probabilities = table_probabilities(tree, data.table)
    if data.kind is None:
        return probabilities
    return data.kind.data_frame(dict(zip(probability_names(tree), probabilities.T, strict=True)))


def _row_probabilities(model: TreeModel, row: Any) -> Any:
    if isinstance(model, Ensemble):
        return tuple(probabilities_of(model, margins_of_row(model, row))[0].tolist())
    prediction = find_leaf(model, row).prediction
    assert isinstance(prediction, ClassPrediction)
    return prediction.probabilities


def table_probabilities(model: TreeModel, table: Table) -> Any:
    """Return the probabilities of the classes for each row of a table, shape (rows, classes)."""
    if isinstance(model, Ensemble):
        return probabilities_of(model, margins_of(model, table))
    shares = [
        leaf.prediction.probabilities for leaf in leaves(model.root) if isinstance(leaf.prediction, ClassPrediction)
    ]
    return np.array(shares)[apply(model, table) - 1]


def probability_names(tree: TreeModel) -> list[str]:
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
    require_tree("tree", tree)
    require_type("compiled", compiled, bool | None, COMPILED)
    require_callables_or_none(progress=progress)
    data = table_data(table, columns=columns)
    cells = routed_columns(tree, data.table)
    return data.series("rule", route(tree._routing, cells, data.table.n_rows, progress=progress, compiled=compiled))


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
