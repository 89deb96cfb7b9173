"""Pre-pruning with a validation table (Zhou Zhihua, Machine Learning, 4.3.1): a split must reduce the error on it."""

from math import frexp, ldexp
from typing import Any

import numpy as np
from attrs import frozen

from treerules.data.casting import align_column
from treerules.data.column import Column
from treerules.data.sample_weights import case_weights
from treerules.data.schema import UNSEEN, Schema
from treerules.data.table import Table
from treerules.errors import DataError, counted
from treerules.trees.class_weighting import ClassWeighting
from treerules.trees.node_parts import ClassPrediction, Prediction, Test
from treerules.trees.routing import sides_of


@frozen(eq=False)
class Validation:
    """The rows of a validation table: columns of the tree's features, target and weights."""

    columns: tuple[Column, ...]
    #: class positions (-1: a class that the tree does not know), or the scaled values of a regression, shape (rows,)
    target: Any
    #: float64, shape (rows,)
    weights: Any
    weighing: ClassWeighting | None
    #: the target of a regression is divided by 2**exponent, so that squares stay in range
    exponent: int = 0

    def error(self, rows: Any, prediction: Prediction) -> float:
        """Return the total weighted error of a prediction for some rows: misclassification cost or squared error."""
        target, weights = self.target[rows], self.weights[rows]
        if not isinstance(prediction, ClassPrediction):
            value = ldexp(prediction.value, -self.exponent)
            return float((np.square(target - value) * weights).sum())
        assert self.weighing is not None
        position = self.weighing.classes.index(prediction.value)
        cost = np.array(
            [*self.weighing.cost_column(position), 1.0]
        )  # the last, index -1: a class that the tree does not know
        return float((cost[target] * weights).sum())

    def rows_of_children(self, rows: Any, test: Test, missing: int, unseen: int | None, n_children: int) -> list[Any]:
        """Return the rows that go to each child of a split, in their order."""
        column = self.columns[test.feature]
        column_of_rows = Column(column.feature, column.data[rows], column.missing[rows])
        child_of_row = sides_of(test, column_of_rows, missing=missing, unseen=unseen)
        return [rows[child_of_row == child] for child in range(n_children)]


def validation_from_table(table: Table, schema: Schema, weight: Any, weighing: ClassWeighting | None) -> Validation:
    """Return a validation table in terms of a schema; `weight` is a column's name, or anything else for equal weights.

    Raises:
        UnknownNameError: The table lacks a column of the schema.
        DataError: It has no rows, or rows without a target.
    """
    assert schema.target is not None
    target_column = align_column(schema.target, table.column(schema.target.name))
    n = table.n_rows
    if not n or target_column.missing.any():
        problem = f"{counted(int(target_column.missing.sum()), 'row')} without a target" if n else "no rows"
        raise DataError(f"the validation table has {problem}", "give it rows that all have one")
    data = target_column.data.astype(np.float64) if schema.is_regression else target_column.data.astype(np.int64)
    exponent = frexp(float(np.abs(data).max()))[1] if schema.is_regression else 0
    target = np.ldexp(data, -exponent) if schema.is_regression else np.where(data == UNSEEN, -1, data)
    weights = case_weights(table, weight) if isinstance(weight, str) else None
    columns = tuple(align_column(feature, table.column(feature.name)) for feature in schema.features)
    return Validation(columns, target, np.ones(n) if weights is None else weights, weighing, exponent)
