"""The predictions for a whole table as columns."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import field, frozen
from toolz import frequencies, isdistinct

from treerules._internal.arguments import require_columns, require_flags, require_names, require_type
from treerules._internal.field_converters import as_tuple
from treerules._internal.notebook import Shown
from treerules.data.column import Column, values_of
from treerules.data.domain import Outside
from treerules.data.frame_kind import wanted_kind
from treerules.data.schema import Feature, Kind
from treerules.data.table import Table
from treerules.data.table_data import TableLike, table_of
from treerules.errors import OptionError, shortened
from treerules.trees.ensemble import Ensemble, TreeModel
from treerules.trees.margins import margins_of, predictions_of, probabilities_of
from treerules.trees.outside_rows import check_outside
from treerules.trees.predict import apply, probability_names
from treerules.trees.tested_columns import Progress
from treerules.trees.tree import Tree, target_of
from treerules.trees.walkers import leaves


@frozen(eq=False, repr=False)
class Predictions(Shown):
    """Predictions for the rows of a table.

    Attributes:
        columns: Columns of equal length: the keys, `prediction`, `p_CLASS` of each class, `rule`.
    """

    columns: tuple[Column, ...] = field(converter=as_tuple)

    def __repr__(self) -> str:
        n_rows = len(self.columns[0].data) if self.columns else 0
        return f"<Predictions rows={n_rows} columns={shortened(list(self.names))}>"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in their order."""
        return tuple(column.feature.name for column in self.columns)

    def to_frame(self, like: Any = "pandas") -> Any:
        """Return the columns as a data frame.

        Args:
            like: a data frame, whose library and index the result has; or the name of a library: "pandas", "polars" or
                "pyarrow".

        Returns:
            A data frame; missing keys are missing values of its library.

        Raises:
            OptionError: `like` is neither, has another number of rows, or its library is not installed.

        Examples:
            >>> from treerules import learn
            >>> columns = {"x": [1, 2, 4], "y": ["a", "a", "b"]}
            >>> predictions = predict_table(learn(columns, target="y"), columns, rule=True)
            >>> predictions.to_frame("polars").rows()
            [('a', 1), ('a', 1), ('b', 2)]
        """
        n_rows = len(self.columns[0].data) if self.columns else 0
        kind = wanted_kind(like, n_rows)
        return kind.data_frame({column.feature.name: values_of(column) for column in self.columns})


def predict_table(
    tree: TreeModel,
    table: TableLike,
    *,
    proba: bool = False,
    rule: bool = False,
    keys: Sequence[str] = (),
    columns: Sequence[str] | None = None,
    outside: Outside = "answer",
    progress: Progress | None = None,
) -> Predictions:
    """Return the predictions for a table as columns, with key columns of the table.

    Args:
        tree: the Tree, or the Ensemble, to predict with.
        table: a Table, a data frame, a list of dicts, a dict of columns or a 2-D array, with the columns that the tree
            tests, and the keys.
        proba: True adds a column `p_CLASS` for each class with its probability, as `predict_proba` gives it.
        rule: True adds a column `rule` with the number of the rule that fires, from 1; for a Tree alone.
        keys: the names of columns of the table to put first.
        columns: the names of the columns where `table` is a 2-D array, which has none; else None.
        outside: what a row outside the declared domain gets, as in `predict`: "answer", the default, or "refuse".
        progress: a function that is called with (rows in leaves, all rows), or None.

    Returns:
        A Predictions: `columns` of equal length. `render` and `treerules.report.write_parquet` write them.

    Raises:
        OptionError: probabilities of a regression, the rule of an Ensemble, two columns of one name, or an argument of
            the wrong type.
        UnknownNameError, ColumnError: the table lacks a key, or a column that the tree tests.
        DataError: a row is outside the declared domain, with outside="refuse".

    Examples:
        >>> from treerules import Table, learn
        >>> table = Table.from_columns({"x": [1, 2, 4], "y": ["a", "a", "b"]})
        >>> predict_table(learn(table, target="y"), table, rule=True, keys=["x"]).names
        ('x', 'prediction', 'rule')
    """
    require_type("tree", tree, TreeModel, "a Tree or an Ensemble")
    table = table_of(table, columns=columns)
    require_flags(proba=proba, rule=rule)
    key_names = require_names("keys", keys)
    if proba and tree.schema.is_regression:
        raise OptionError("proba", proba, "a model of classes; this one predicts numbers")
    if rule and isinstance(tree, Ensemble):
        raise OptionError("rule", rule, "False for an Ensemble, in which a rule of each tree fires")
    require_columns(table.schema.indices, keys=list(key_names))
    check_outside(outside, tree, table)
    answered = _ensemble_columns if isinstance(tree, Ensemble) else _tree_columns
    columns_of_answers = answered(tree, table, proba, rule, progress)  # type: ignore[arg-type]
    predictions = Predictions([*(table.column(key) for key in key_names), *columns_of_answers])
    if not isdistinct(predictions.names):
        duplicate = next(name for name, n in frequencies(predictions.names).items() if n > 1)
        raise OptionError("keys", duplicate, "keys that are not named like a column of the result, or rename it")
    return predictions


def _tree_columns(tree: Tree, table: Table, proba: bool, rule: bool, progress: Progress | None) -> list[Column]:
    rule_numbers = apply(tree, table, progress=progress)
    values = [leaf.prediction.value for leaf in leaves(tree.root)]
    if not tree.schema.is_regression:
        values = list(map(target_of(tree).positions.__getitem__, values))
    columns = [_prediction_column(tree, np.array(values)[rule_numbers - 1])]
    if proba:
        shares = np.array([leaf.prediction.probabilities for leaf in leaves(tree.root)])  # type: ignore[union-attr]
        columns += _probability_columns(tree, shares, rule_numbers - 1)
    none_missing = np.zeros(len(rule_numbers), dtype=bool)
    return [*columns, *([Column(Feature("rule", Kind.INTEGER), rule_numbers, none_missing)] if rule else [])]


def _ensemble_columns(
    ensemble: Ensemble, table: Table, proba: bool, rule: bool, progress: Progress | None
) -> list[Column]:
    margins = margins_of(ensemble, table, progress=progress)
    columns = [_prediction_column(ensemble, predictions_of(ensemble, margins))]
    if proba:
        columns += _probability_columns(ensemble, probabilities_of(ensemble, margins), slice(None))
    return columns


def _probability_columns(model: TreeModel, probabilities: Any, rows: Any) -> list[Column]:
    """Return a column for each class: its probability for each row, a line of `probabilities` at `rows`."""
    columns = [probabilities[:, position][rows] for position in range(probabilities.shape[1])]
    return [
        Column(Feature(name, Kind.NUMBER), column, np.zeros(len(column), dtype=bool))
        for name, column in zip(probability_names(model), columns, strict=True)
    ]


def _prediction_column(model: TreeModel, values: Any) -> Column:
    """Return the column of predictions, given for each row a mean, or the position of a class."""
    none_missing = np.zeros(len(values), dtype=bool)
    if model.schema.is_regression:
        return Column(Feature("prediction", Kind.NUMBER), values.astype(np.float64), none_missing)
    target = target_of(model)
    feature = Feature("prediction", target.kind, target.categories, target.scalar, target.form)
    return Column(feature, values.astype(np.int32), none_missing)
