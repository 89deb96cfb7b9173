"""The columns of a table that a model tests, and their cells that the model does not know."""

from collections.abc import Callable

import numpy as np

from treerules.data.casting import align_column, n_decimals
from treerules.data.column import Column
from treerules.data.column_names import matching_name
from treerules.data.schema import UNSEEN, Feature
from treerules.data.table import Table
from treerules.errors import ColumnError, did_you_mean
from treerules.trees.ensemble import TreeModel

Progress = Callable[[int, int], None]


def routed_columns(model: TreeModel, table: Table) -> list[Column]:
    """Return the columns of a table by which the rows of a model are routed, in the order of its routing.

    Raises:
        ColumnError: the table lacks one, or has one of the wrong kind.
    """
    return [feature_column(model.schema.features[index], table) for index in model._routing.features]


def feature_column(feature: Feature, table: Table) -> Column:
    """Return the column of a table that a feature of a model tests, in the kind of the feature.

    Raises:
        ColumnError: the table has no such column, or one of the wrong kind.
    """
    if matching_name(feature.name, table.schema.indices) is None:
        hint = did_you_mean(feature.name, table.schema.indices)
        raise ColumnError(feature.name, "the model tests it and the table does not have it", f"{hint}add or rename it")
    return align_column(feature, table.column(feature.name))


def decimal_cells(model: TreeModel, table: Table) -> dict[str, int]:
    """Return the number of cells that are no whole numbers, for each tested column of integers that has any.

    A column that the table lacks has none; predicting says that it is not there.
    """
    names = table.schema.indices
    there = [feature for feature in tested_features(model) if matching_name(feature.name, names) is not None]
    counts = {feature.name: n_decimals(feature, table.column(feature.name)) for feature in there}
    return {name: n for name, n in counts.items() if n}


def tested_features(model: TreeModel) -> tuple[Feature, ...]:
    """Return the features that some node tests, the columns that a prediction needs, in the order of the schema."""
    return tuple(model.schema.features[index] for index in sorted(model._routing.features))


def unseen_cells(model: TreeModel, table: Table) -> dict[str, int]:
    """Return the number of cells with an unseen value, for each tested column that has any."""
    features = [model.schema.features[index] for index in model._routing.features]
    columns = {feature.name: feature_column(feature, table) for feature in features if feature.is_open}
    counts = {name: int(np.count_nonzero(column.data == UNSEEN)) for name, column in columns.items()}
    return {name: n for name, n in counts.items() if n}
