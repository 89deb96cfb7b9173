"""Columns whose cells are read as the user chose: words for missing values, and trimmed text."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from attrs import evolve

from treerules._internal.arguments import require_columns
from treerules.data.cell_reading import AS_USUAL, CellReading, MissingWords, chosen_reading
from treerules.data.column import Column
from treerules.data.schema import MISSING, UNSEEN, Feature, Kind, ordinate


def read_column(column: Column, reading: CellReading, known: Feature | None = None) -> Column:
    """Return a column as the reading has it; it keeps the reading.

    `known` is the feature of a model, by which words are read: "-9.5" is none of its integers.

    >>> from treerules.data.column import column_of
    >>> read_column(column_of("x", [-999.0, 1.0]), CellReading(["-999"])).missing.tolist()
    [True, False]
    """
    if reading == AS_USUAL:
        return column
    feature = evolve(column.feature, reading=reading)
    if not column.fetched or not (reading.words or reading.trim):
        return evolve(column, feature=feature)
    if not feature.is_ordered:
        return _read_labels(column, feature)
    is_of_model = known is not None and {known.scalar, feature.scalar} <= {"number", "integer"}
    by = known if known is not None and is_of_model else feature
    words = [ordinate(value) for value in reading.values(by.scalar, by.form)]
    missing = column.missing | np.isin(column.data, words)
    hole = np.nan if feature.kind is Kind.NUMBER else 0
    return Column(feature, np.where(missing, hole, column.data).astype(column.data.dtype), missing)


def read_texts(cells: Sequence[Any], reading: CellReading) -> Sequence[Any]:
    """Return cells of any type, the texts among them as they are read; those of an array of one type unchanged."""
    if reading == AS_USUAL or str(getattr(cells, "dtype", "object")) != "object":
        return cells
    return [reading.text(cell) if isinstance(cell, str) else cell for cell in cells]


def read_as_chosen(columns: Sequence[Column], missing: MissingWords | None, trim: bool) -> list[Column]:
    """Return columns as a user asks them to be read.

    Raises:
        UnknownNameError: words are given for a column that there is not.
    """
    named = [name for name in missing if name is not None] if isinstance(missing, Mapping) else []
    require_columns([column.feature.name for column in columns], missing=named)
    return [read_column(column, chosen_reading(column.feature.name, missing, trim)) for column in columns]


def _read_labels(column: Column, feature: Feature) -> Column:
    """Return a column of categories or truth values without those that are missing; trimmed ones may become one."""
    labels = [feature.reading.cell(label, feature.scalar, feature.form) for label in feature.categories]
    known = list(dict.fromkeys(label for label in labels if label is not None))
    if feature.is_open:
        feature = evolve(feature, categories=sorted(known) if feature.kind is Kind.CATEGORY else known)
    codes = [MISSING if label is None else feature.positions[label] for label in labels]
    data = np.array([*codes, UNSEEN, MISSING], dtype=column.data.dtype)[column.data]
    return Column(feature, data, data == MISSING)
