"""Literals as the values that a column is compared with: numbers, text, truth values, dates and moments."""

from datetime import UTC, datetime
from math import inf
from typing import Any

from treerules.data.schema import Feature
from treerules.formats.sql.predicate_terms import NotReadError
from treerules.sql.dialect import Dialect
from treerules.sql.literals import Value, moment_of

#: From here on not every integer is a double.
_EXACT = 2**53


def converted(feature: Feature, value: Value, dialect: Dialect, as_double: bool) -> Any:
    """Return a literal as a column's values are compared with it; None where the engine would convert one of them.

    A column of integers meets any number, and one of dates any moment.

    Raises:
        NotReadError: engines compare the two in different ways.
    """
    scalar, held = feature.scalar, value.value
    if scalar == "boolean":
        return truth(value, dialect)
    if scalar == "number":
        return float(held) + 0.0 if value.kind == "number" else None
    if scalar == "integer":
        is_rough = (value.is_double or as_double) and value.kind == "number" and abs(held) >= _EXACT
        if is_rough and abs(held) != inf:
            raise NotReadError(f"integers are compared with the double {value.sql}, which engines do in their own ways")
        is_category = value.kind == "number" and feature.is_open
        if is_category and (isinstance(held, float) or held != int(held)):
            return None
        return None if value.kind != "number" else int(held) if is_category else held
    if scalar == "text":
        return held if value.kind == "text" else None
    moment = _in_time(scalar, value, dialect)
    if moment is None or feature.is_ordered or scalar != "date":
        return moment
    return moment.date() if moment.time() == datetime.min.time() else None


def truth(value: Value, dialect: Dialect) -> bool | None:
    """Return the truth value that a literal is, 1 and 0 where the dialect has them for such; None of any other."""
    if value.kind == "boolean":
        return bool(value.value)
    is_one = dialect.reading.numeric_truth and value.kind == "number" and value.value in (0, 1)
    return bool(value.value) if is_one else None


def _in_time(scalar: str, value: Value, dialect: Dialect) -> Any:
    """Return a date or moment as a column of dates or moments is compared with it: dates may meet a moment."""
    held = moment_of(value.value, dialect) if value.kind == "text" else value.value
    if value.kind not in ("text", "date", "timestamp", "timestamp_utc") or held is None:
        return None
    if not isinstance(held, datetime):
        held = datetime.combine(held, datetime.min.time())
    if held.tzinfo is None and scalar == "timestamp_utc" and dialect.taken_as_utc == "any":
        held = held.replace(tzinfo=UTC)
    is_zoned = held.tzinfo is not None
    return None if is_zoned is not (scalar == "timestamp_utc") else held
