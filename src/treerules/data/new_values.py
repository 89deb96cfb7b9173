"""Values of new rows: decimals where integers are known are compared as they are, and truth values are 0 and 1."""

from typing import Any

import numpy as np

from treerules._internal.conversion import to_new_integer
from treerules.data.cell_reading import AS_USUAL
from treerules.data.schema import Feature, Kind
from treerules.errors import CellError


def new_value(feature: Feature, value: Any) -> Any:
    """Return a value of a new row, converted as the feature does.

    Where the feature knows integers, decimals stay decimals. Where it knows numbers, True is 1 and False is 0, as in
    `align_column`. Words for missing values are missing, and text is trimmed, as the feature reads it.

    Raises:
        CellError: the value is of the wrong kind.

    >>> new_value(Feature("n", "integer"), 2.5), new_value(Feature("n", "integer"), 2.0)
    (2.5, 2)
    >>> new_value(Feature("x", "number"), True)
    1.0
    """
    converted = converted_value(feature, value)
    return converted if feature.reading == AS_USUAL else feature.reading.cell(converted, feature.scalar, feature.form)


def converted_value(feature: Feature, value: Any) -> Any:
    """Return a value that was read already, converted as `new_value` does: no word is missing.

    Raises:
        CellError: the value is of the wrong kind.
    """
    if feature.kind is Kind.NUMBER and isinstance(value, bool | np.bool_):
        return float(value)
    if feature.scalar != "integer":
        return feature.convert(value)
    try:
        return to_new_integer(value, feature.name)
    except TypeError as error:
        raise CellError(str(error)) from None
