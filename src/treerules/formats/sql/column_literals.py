"""Literals as the values that a column is compared with: numbers, text, truth values, dates and moments."""

from datetime import UTC, datetime
from math import inf
from typing import Any

from treerules.data.schema import Feature
from treerules.formats.sql.predicate_terms import NotReadError
from treerules.sql.dialect import Dialect
from treerules.sql.literals import SqlLiteral, parse_moment

#: The least integer above which not every integer is a double.
_EXACT = 2**53


def comparable_value(feature: Feature, value: SqlLiteral, dialect: Dialect, as_double: bool) -> Any:
    """Return the value of a literal in the type of the comparison with a column.

    An integer column is compared with any number, and a date column with any timestamp. None where the engine would
    convert the literal or the column.

    Raises:
        NotReadError: engines differ in how they compare the two.
    """
    scalar, literal = feature.scalar, value.value
    if scalar == "boolean":
        return truth_value(value, dialect)
    if scalar == "number":
        return float(literal) + 0.0 if value.kind == "number" else None
    if scalar == "integer":
        is_rough = (value.is_double or as_double) and value.kind == "number" and abs(literal) >= _EXACT
        if is_rough and abs(literal) != inf:
            raise NotReadError(f"integers are compared with the double {value.sql}, which engines do in their own ways")
        is_category = value.kind == "number" and feature.is_open
        if is_category and (isinstance(literal, float) or literal != int(literal)):
            return None
        return None if value.kind != "number" else int(literal) if is_category else literal
    if scalar == "text":
        return literal if value.kind == "text" else None
    moment = _comparable_moment(scalar, value, dialect)
    if moment is None or feature.is_ordered or scalar != "date":
        return moment
    return moment.date() if moment.time() == datetime.min.time() else None


def truth_value(value: SqlLiteral, dialect: Dialect) -> bool | None:
    """Return the truth value of a literal, also of 1 and 0 where they are truth values; None for any other literal."""
    if value.kind == "boolean":
        return bool(value.value)
    is_one = dialect.reading.numeric_truth and value.kind == "number" and value.value in (0, 1)
    return bool(value.value) if is_one else None


def _comparable_moment(scalar: str, value: SqlLiteral, dialect: Dialect) -> Any:
    """Return the timestamp with which a column of dates or timestamps is compared; None for any other literal."""
    moment = parse_moment(value.value, dialect) if value.kind == "text" else value.value
    if value.kind not in ("text", "date", "timestamp", "timestamp_utc") or moment is None:
        return None
    if not isinstance(moment, datetime):
        moment = datetime.combine(moment, datetime.min.time())
    if moment.tzinfo is None and scalar == "timestamp_utc" and dialect.taken_as_utc == "any":
        moment = moment.replace(tzinfo=UTC)
    is_zoned = moment.tzinfo is not None
    return None if is_zoned is not (scalar == "timestamp_utc") else moment
