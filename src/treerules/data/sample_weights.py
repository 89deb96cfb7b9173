"""Sample weights of a table's rows, from a column or an array."""

from typing import Any

import numpy as np

from treerules._internal.arguments import require_columns
from treerules.data.schema import Kind
from treerules.data.table import Table
from treerules.errors import ColumnError, counted

#: The least and the greatest weight: beyond them sums and squares overflow, or the least weight is lost.
LEAST, MOST = 1e-12, 1e12
#: The relative rounding error of sums of weights.
_ROUNDING = 1e-9


def case_weights(table: Table, weight: Any) -> Any:
    """Return sample weights as float64, from the name of a column or an array.

    Raises:
        UnknownNameError: there is no such column.
        ColumnError: the weights are not numbers, are not one per row, or are missing, negative or infinite.
    """
    if isinstance(weight, str):
        require_columns(table.schema.indices, weight=weight)
        column = table.column(weight)
        if column.feature.kind not in (Kind.NUMBER, Kind.INTEGER):
            held = "text" if column.feature.scalar == "text" else f"{column.feature.scalar} values"
            raise ColumnError(weight, f"holds {held}", "weights must be numbers")
        values = np.where(column.missing, np.nan, column.data)
    else:
        try:
            values = np.asarray(weight, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise ColumnError("weight", f"holds no weights: {error}", "give a number for each row") from error
        if values.shape != (table.n_rows,):
            raise ColumnError("weight", f"has the shape {values.shape}", f"give {counted(table.n_rows, 'number')}")
    wrong = ~((values == 0) | ((values >= LEAST) & (values <= MOST)))
    if wrong.any():
        remedy = "give each row 0, or a number from 1e-12 to 1e12"
        raise ColumnError(
            name_of(weight),
            "has weights that are missing, negative or too large",
            remedy,
            values[wrong][:3].tolist(),
        )
    return values


def are_whole(weights: Any) -> bool:
    """Return whether all sample weights are whole numbers: then a row of weight k stands for k rows."""
    return weights is None or bool((weights == np.rint(weights)).all())


def name_of(weight: Any) -> str:
    """Return the name of sample weights in messages."""
    return weight if isinstance(weight, str) else "weight"


def integer_if_whole(weight: float) -> float:
    """Return a weight as an int where it is a whole number, as counts are written."""
    return int(weight) if weight == int(weight) else weight


def without_rounding(weights: Any) -> Any:
    """Return weights in which those that differ from a whole number by rounding alone are that number.

    What is dealt by weights would else depend on their scale.
    """
    whole = np.rint(weights)
    return np.where(np.abs(weights - whole) <= _ROUNDING * whole, whole, weights)
