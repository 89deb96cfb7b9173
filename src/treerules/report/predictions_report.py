"""Predictions: a row for each row of the table. Floats read back exactly.

Values have the form in which they were read; in JSON dates are ISO. JSON: {"format": "treerules.predictions",
"version": 1, "rows": [{column: value}]}.
"""

from typing import Any

from treerules.data.column import Column
from treerules.data.schema import Kind
from treerules.data.value_format import value_text
from treerules.rendering.text_tables import TextTable, json_number
from treerules.report.report import Part, tables_report
from treerules.trees.prediction_table import Predictions


def _parts(predictions: Predictions, lang: str) -> list[Part]:
    return [_table(predictions, lang)]


def _table(predictions: Predictions, lang: str) -> TextTable:
    rows = zip(*(_texts(column) for column in predictions.columns), strict=True)
    right = [column.feature.is_ordered for column in predictions.columns]
    return TextTable(predictions.names, rows, right)


def _texts(column: Column) -> list[str]:
    form = column.feature.form
    return ["" if value is None else _text(value, form) for value in cell_values(column)]


def _text(value: Any, form: str) -> str:
    return value if isinstance(value, str) else repr(value) if isinstance(value, float) else value_text(value, form)


def cell_values(column: Column) -> list[Any]:
    """Return the cells of a column as Python values, None where missing."""
    feature = column.feature
    if feature.kind in (Kind.NUMBER, Kind.INTEGER):
        cells: list[Any] = column.data.tolist()
        if not column.missing.any():
            return cells
        return [None if is_missing else cell for cell, is_missing in zip(cells, column.missing.tolist(), strict=True)]
    if feature.is_ordered:
        return [column.value(row) for row in range(len(column.data))]
    categories = [*feature.categories, "(unseen)", None]  # codes -2 and -1
    return [categories[code] for code in column.data.tolist()]


def _record(predictions: Predictions, lang: str) -> dict[str, Any]:
    columns = [[json_number(value) for value in cell_values(column)] for column in predictions.columns]
    rows = [dict(zip(predictions.names, row, strict=True)) for row in zip(*columns, strict=True)]
    return {"format": "treerules.predictions", "version": 1, "rows": rows}


PREDICTIONS = tables_report(Predictions, parts=_parts, table=_table, record=_record)
