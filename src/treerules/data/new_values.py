"""Values of new rows: a column of integers may have other numbers there, which are compared as the numbers they are."""

from typing import Any

from treerules._internal.conversion import to_new_integer
from treerules.data.schema import Feature
from treerules.errors import CellError


def new_value(feature: Feature, value: Any) -> Any:
    """Return a value of a new row, converted as the feature does; where it knows integers, decimals stay decimals.

    Raises:
        CellError: the value is of the wrong kind.

    >>> new_value(Feature("n", "integer"), 2.5), new_value(Feature("n", "integer"), 2.0)
    (2.5, 2)
    """
    if feature.scalar != "integer":
        return feature.convert(value)
    try:
        return to_new_integer(value, feature.name)
    except TypeError as error:
        raise CellError(str(error)) from None
