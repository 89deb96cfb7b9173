"""The columns of a table that a model tests, and their cells that the model does not know."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from treerules._internal.notes import Note
from treerules.data.casting import align_column, n_decimals
from treerules.data.cell_reading import require_same_reading
from treerules.data.column import Column
from treerules.data.column_names import matching_name, names_as_asked
from treerules.data.schema import UNSEEN, Feature
from treerules.data.table import Table
from treerules.errors import ColumnError, DataError, UnknownNameError, did_you_mean, listed
from treerules.trees.ensemble import Ensemble, TreeModel
from treerules.trees.tree import target_of

Progress = Callable[[int, int], None]


def routed_columns(model: TreeModel, table: Table) -> list[Column]:
    """Return the columns of a table by which the rows of a model are routed, in the order of its routing.

    Raises:
        ColumnError: the table lacks one, or has one of the wrong kind.
        OptionError: one was read by words for missing values, or trimmed, as the model was not learned.
    """
    columns = [feature_column(model.schema.features[index], table) for index in model._routing.features]
    require_reading_of(model, table)
    return columns


def require_reading_of(model: TreeModel | None, table: Table) -> None:
    """Raise OptionError where a table was read by other choices than a learned tree holds.

    Rules and imported models cannot hold how cells are read, so what the user says counts for them.
    """
    if model is None or isinstance(model, Ensemble) or model.recipe is None:
        return
    for feature in tested_features(model):
        if (name := matching_name(feature.name, table.schema.indices)) is not None:
            require_same_reading(feature.name, feature.reading, table.column(name).feature.reading)


def feature_column(feature: Feature, table: Table, needed_by: str = "the model tests") -> Column:
    """Return the column of a table that a feature of a model tests, in the kind of the feature.

    Raises:
        ColumnError: the table has no such column, which `needed_by` says who needs, or one of the wrong kind.
    """
    return align_column(feature, needed_column(feature.name, table, needed_by))


def needed_column(name: str, table: Table, needed_by: str) -> Column:
    """Return the column of a table by its name; `needed_by` ends "the table lacks column 'x', which ...".

    Raises:
        ColumnError: the table has no such column.
    """
    if matching_name(name, table.schema.indices) is None:
        unread = [note.parts["other"] for note in table.notes if isinstance(note, Note) and note.code == "other_case"]
        hint = did_you_mean(name, [*table.schema.indices, *unread])
        raise ColumnError(name, needed_by, f"{hint}add or rename it", is_lacking=True)
    return table.column(name)


def require_keys(model: TreeModel, rows: Table | Mapping[str, Any]) -> None:
    """Raise unless the keys of a row, or the columns of a table, are columns of a model, among them all that it tests.

    Raises:
        UnknownNameError: a name is no column of the model.
        DataError: a column that the model tests is not there.
    """
    known = [*model.schema.indices, target_of(model).name]
    names = names_as_asked(list(rows.schema.indices), known) if isinstance(rows, Table) else rows
    for name in names:
        if name not in known:
            raise UnknownNameError("column", str(name), known)
    lacking = [feature.name for feature in tested_features(model) if feature.name not in names]
    if lacking:
        what = "table" if isinstance(rows, Table) else "row"
        raise DataError(f"the {what} lacks {listed(lacking)}, which the model tests", "give None for a missing value")


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
