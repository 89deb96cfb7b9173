"""The learning problem that a table poses with the features and the target of a tree."""

from typing import Any

import numpy as np

from treerules.data.casting import aligned
from treerules.data.column import all_taken, known_alone, taken
from treerules.data.sample_weights import case_weights
from treerules.data.schema import UNSEEN
from treerules.data.table import Table
from treerules.errors import ColumnError, DataError, counted
from treerules.growing.problem import Problem, posed
from treerules.trees.tree import Tree


def problem_again(tree: Tree, table: Table, weight: Any) -> Problem:
    """Return the problem that a table poses with the features and the target of a tree."""
    schema, goal = tree.schema, tree.schema.target
    assert goal is not None
    weights = None if weight is None else case_weights(table, weight)
    target = aligned(goal, table.column(goal.name))
    if target.n_missing == len(target.data):
        raise DataError(f"the table has no row with a value of {goal.name!r}", "give some")
    rows = np.flatnonzero(~target.missing) if target.n_missing else None
    target = taken(target, rows)
    if not schema.is_regression and (target.data == UNSEEN).any():
        n = int((target.data == UNSEEN).sum())
        raise ColumnError(goal.name, f"{counted(n, 'row')} of classes that the tree does not know", "learn it anew")
    columns = all_taken([aligned(feature, table.column(feature.name)) for feature in schema.features], rows)
    columns = tuple(map(known_alone, columns))
    values = target.data.astype(np.float64 if schema.is_regression else np.int64)
    weights = weights if weights is None or rows is None else weights[rows]
    return posed(schema, columns, values, weights, tree.recipe, rows, table.notes)
