"""The learning problem of a table with the features and the target of an existing tree."""

from typing import Any

import numpy as np
from attrs import evolve

from treerules.data.casting import align_column, n_decimals
from treerules.data.column import mask_unseen, take_rows, take_rows_of_columns
from treerules.data.sample_weights import are_whole, case_weights
from treerules.data.schema import UNSEEN, Feature, Kind, Schema
from treerules.data.table import Table
from treerules.errors import ColumnError, DataError, counted
from treerules.growing.exact_target import rounded_target
from treerules.growing.problem import Problem, prepare_problem
from treerules.trees.tree import Tree


def problem_from_tree(tree: Tree, table: Table, weight: Any, *, anew: bool = False) -> Problem:
    """Return the learning problem of a table with the features, the target and the recipe of a tree.

    Where a tree is learned `anew`, a column of integers that holds decimals in the table is one of numbers.

    Args:
        tree: The tree that was learned before.
        table: The table. It needs a column for each feature and for the target of the tree.
        weight: The sample weights: a column's name, one number per row, or None (all 1).
        anew: Whether the tree is learned from the table, and not compared with it.

    Raises:
        UnknownNameError: The table lacks a column.
        DataError: No row has a value of the target.
        ColumnError: The target has classes that the tree does not know.
    """
    schema = _schema_of(tree, table) if anew else tree.schema
    target_feature = schema.target
    assert target_feature is not None
    weights = None if weight is None else case_weights(table, weight)
    target_column = align_column(target_feature, table.column(target_feature.name))
    if target_column.n_missing == len(target_column.data):
        raise DataError(f"the table has no row with a value of {target_feature.name!r}", "give some")
    rows = np.flatnonzero(~target_column.missing) if target_column.n_missing else None
    target_column = take_rows(target_column, rows)
    if not schema.is_regression and (target_column.data == UNSEEN).any():
        n = int((target_column.data == UNSEEN).sum())
        raise ColumnError(
            target_feature.name, f"has {counted(n, 'row')} of classes that the tree does not know", "learn it anew"
        )
    columns = take_rows_of_columns(
        [align_column(feature, table.column(feature.name)) for feature in schema.features], rows
    )
    columns = tuple(map(mask_unseen, columns))
    is_number = schema.is_regression and target_feature.kind is not Kind.INTEGER
    values = target_column.data.astype(np.float64 if is_number else np.int64)
    step = None if tree.origin is None else tree.origin.target_step
    values, unit, _ = rounded_target(values, target_feature, step)
    weights = weights if weights is None or rows is None else weights[rows]
    counts_rows = tree.schema.counted == "weight" and are_whole(weights)  # as the tree was learned
    problem = prepare_problem(schema, columns, values, weights, tree.recipe, rows, table.notes, counts_rows, unit)
    return evolve(problem, target_step=step)


def _schema_of(tree: Tree, table: Table) -> Schema:
    target = tree.schema.target
    is_number = target is not None and tree.schema.is_regression
    features = [_as_held(feature, table) for feature in tree.schema.features]
    return Schema(features, _as_held(target, table) if target is not None and is_number else target)


def _as_held(feature: Feature, table: Table) -> Feature:
    """Return a feature, as one of numbers where it has integers and the table holds decimals."""
    if feature.kind is not Kind.INTEGER or not n_decimals(feature, table.column(feature.name)):
        return feature
    return Feature(feature.name, Kind.NUMBER, form=feature.form, reading=feature.reading)
