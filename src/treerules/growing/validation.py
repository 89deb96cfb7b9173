"""Pre-pruning by rows kept apart (Zhou Zhihua, Machine Learning, 4.3.1): is a split better than its node on them?"""

from math import frexp, ldexp
from typing import Any

import numpy as np
from attrs import frozen

from treerules.data.casting import aligned
from treerules.data.column import Column
from treerules.data.sample_weights import case_weights
from treerules.data.schema import UNSEEN, Schema
from treerules.data.table import Table
from treerules.errors import DataError, counted
from treerules.trees.class_weighting import Weighing
from treerules.trees.node_parts import ClassPrediction, Prediction, Test
from treerules.trees.routing import sides_of


@frozen(eq=False)
class Validation:
    """The rows that splits are judged by: the tree's features, class positions (UNSEEN: none of them) or values."""

    columns: tuple[Column, ...]
    target: Any
    weights: Any
    weighing: Weighing | None
    #: the target of a regression is divided by two to this power, so that squares stay in range
    exponent: int = 0

    def error(self, rows: Any, prediction: Prediction) -> float:
        """Return the summed cost of giving a prediction to some rows: errors, costs or squared errors."""
        target, weights = self.target[rows], self.weights[rows]
        if not isinstance(prediction, ClassPrediction):
            value = ldexp(prediction.value, -self.exponent)
            return float((np.square(target - value) * weights).sum())
        assert self.weighing is not None
        place = self.weighing.classes.index(prediction.value)
        cost = np.array([*self.weighing.cost_column(place), 1.0])  # the last: a class that the tree does not know
        return float((cost[target] * weights).sum())

    def divided(self, rows: Any, test: Test, missing: int, unseen: int | None, n_children: int) -> list[Any]:
        """Return the rows that go to each child of a split."""
        column = self.columns[test.feature]
        part = Column(column.feature, column.data[rows], column.missing[rows])
        sides = sides_of(test, part, missing=missing, unseen=unseen)
        return [rows[sides == child] for child in range(n_children)]


def validation_of(table: Table, schema: Schema, weight: Any, weighing: Weighing | None) -> Validation:
    """Return a table as rows to judge by.

    Raises:
        UnknownNameError: it lacks a column of the schema.
        DataError: it has no rows, or rows without a target.
    """
    assert schema.target is not None
    goal = aligned(schema.target, table.column(schema.target.name))
    n = table.n_rows
    if not n or goal.missing.any():
        problem = f"{counted(int(goal.missing.sum()), 'row')} without a target" if n else "no rows"
        raise DataError(f"the validation table has {problem}", "give it rows that all have one")
    data = goal.data.astype(np.float64) if schema.is_regression else goal.data.astype(np.int64)
    exponent = frexp(float(np.abs(data).max()))[1] if schema.is_regression else 0
    target = np.ldexp(data, -exponent) if schema.is_regression else np.where(data == UNSEEN, -1, data)
    weights = case_weights(table, weight) if isinstance(weight, str) else None
    columns = tuple(aligned(feature, table.column(feature.name)) for feature in schema.features)
    return Validation(columns, target, np.ones(n) if weights is None else weights, weighing, exponent)
