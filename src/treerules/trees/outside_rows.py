"""The rows of a table, or one row, that lie outside the domain that a tree declares: `outside="refuse"`."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import numpy as np

from treerules._internal.conversion import unwrap_scalar
from treerules.data.column import Column, values_of
from treerules.data.domain import Domain, domain_of, exclusion, narrowing, require_outside
from treerules.data.new_values import new_value
from treerules.data.schema import UNSEEN, Feature, ordinate
from treerules.data.table import Table
from treerules.errors import DataError, shortened
from treerules.trees.ensemble import Ensemble, TreeModel
from treerules.trees.tested_columns import feature_column


def check_outside(outside: Any, model: TreeModel, rows: Table | Mapping[str, Any]) -> None:
    """Raise for a row outside the declared domain of a model, if `outside` is "refuse".

    Raises:
        DataError: a row is outside.
        OptionError: `outside` is neither "answer" nor "refuse", or no domain is declared.
        ColumnError, CellError: the table lacks a column that is declared, or a value is of the wrong kind.
    """
    domain: Domain = {} if isinstance(model, Ensemble) else model.domain
    if not require_outside(outside, domain):
        return
    for feature in map(model.schema.feature, narrowing(model.schema, domain)):
        if isinstance(rows, Table):
            _check_column(feature, domain, rows)
        elif reason := exclusion(feature, domain, new_value(feature, rows.get(feature.name))):
            raise _refusal(feature, rows.get(feature.name), reason)


def _check_column(feature: Feature, domain: Domain, table: Table) -> None:
    """Raise DataError for the first cell of a column of a table that a domain excludes."""
    column = feature_column(feature, table, "the model declares")
    (rows,) = np.nonzero(outside_cells(column, domain))
    if len(rows):
        known = not column.missing[rows[0]]
        found, aligned = (
            values_of(cells)[rows[0]] if known else None for cells in (table.column(feature.name), column)
        )
        place = f"row {rows[0] + 1}{f' (and {len(rows) - 1} more)' if len(rows) > 1 else ''}: "
        raise _refusal(feature, unwrap_scalar(found), exclusion(feature, domain, aligned), place)


def _refusal(feature: Feature, value: Any, reason: str, place: str = "") -> DataError:
    """Return the error for a value; `place` is the number of its row in a table, from 1."""
    shown = "missing" if value is None else shortened(str(value) if isinstance(value, date) else value)
    problem = f"{place}column {feature.name!r} is {shown}, outside the declared domain: {reason}"
    return DataError(problem, "correct the value, or ask for the model's answer")


def outside_cells(column: Column, domain: Domain) -> Any:
    """Return which cells of a column, aligned with its feature, a domain excludes, as `exclusion` does."""
    declared = domain_of(column.feature, domain)
    if column.feature.is_ordered:
        outside = (column.data < ordinate(declared.lowest)) | (column.data > ordinate(declared.highest))
    else:
        outside = (column.data == UNSEEN) & (not declared.unseen)
    return np.where(column.missing, not declared.missing, outside)
