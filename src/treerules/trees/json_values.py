"""A value of a model file: to JSON and back; what is of another type is refused."""

from collections.abc import Callable
from datetime import date, datetime
from functools import partial
from typing import Any

from treerules.data.schema import SCALARS
from treerules.errors import ModelFileError


def value_to_json(value: Any) -> Any:
    """Return what JSON can hold of a value: infinities, dates and timestamps are strings."""
    if isinstance(value, float) and abs(value) == float("inf"):
        return "inf" if value > 0 else "-inf"
    return value.isoformat() if isinstance(value, (date, datetime)) else value


def checked(kind: type, value: Any) -> Any:
    """Return the value, which must be of exactly this type.

    Raises:
        ModelFileError: it is not.
    """
    if type(value) is not kind:
        raise ModelFileError(f"{value!r:.60} stands where {kind.__name__} belongs")
    return value


def float_of(value: Any) -> float:
    """Return the number that was written."""
    if value in ("inf", "-inf"):
        return float(value)
    return float(value) if type(value) is int else float(checked(float, value))


_READ: dict[str, Callable[[Any], Any]] = {
    "number": float_of,
    "date": lambda value: date.fromisoformat(checked(str, value)),
    "timestamp": lambda value: datetime.fromisoformat(checked(str, value)),
    "timestamp_utc": lambda value: datetime.fromisoformat(checked(str, value)),
}


def reader_of(scalar: str) -> Callable[[Any], Any]:
    """Return what reads the values of a scalar type."""
    return _READ.get(scalar) or partial(checked, SCALARS[scalar].type)
