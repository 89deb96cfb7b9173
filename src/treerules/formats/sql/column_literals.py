"""Literals as the values that a column is compared with: numbers, text, truth values, dates and moments."""

from datetime import UTC, datetime
from decimal import Decimal
from math import inf, nextafter
from typing import Any

from treerules.data.schema import Feature, Kind
from treerules.formats.sql.predicate_terms import NotReadError
from treerules.formats.sql.text_moments import is_stored_text
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
    value = _with_number(feature, value, dialect)
    scalar, literal = feature.scalar, value.value
    if scalar == "boolean":
        return truth_value(value, dialect)
    if scalar == "number":
        return float(literal) + 0.0 if value.kind == "number" else None
    if scalar == "integer":
        is_rounded = as_double or (value.is_double and not dialect.reading.exact_numbers)
        is_rough = is_rounded and value.kind == "number" and abs(literal) >= _EXACT
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


def _with_number(feature: Feature, value: SqlLiteral, dialect: Dialect) -> SqlLiteral:
    """Return a truth value that a number is compared with as 1 or 0, where it is one; else the literal itself."""
    is_number = feature.kind in (Kind.NUMBER, Kind.INTEGER) and dialect.reading.numeric_truth
    if is_number and value.kind == "boolean":
        return SqlLiteral("number", Decimal(value.value), value.sql)
    return value


def least_double(number: Decimal) -> float:
    """Return the least double that is not below a number.

    >>> least_double(Decimal(9007199254740993)), least_double(Decimal(1))
    (9007199254740994.0, 1.0)
    """
    nearest = float(number)
    return nextafter(nearest, inf) if Decimal(nearest) < number else nearest + 0.0


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
    if dialect.reading.moments_are_text and (value.kind != "text" or not is_stored_text(scalar, value.value, moment)):
        return None
    if not isinstance(moment, datetime):
        moment = datetime.combine(moment, datetime.min.time())
    if moment.tzinfo is None and scalar == "timestamp_utc" and dialect.taken_as_utc == "any":
        moment = moment.replace(tzinfo=UTC)
    is_zoned = moment.tzinfo is not None
    return None if is_zoned is not (scalar == "timestamp_utc") else moment


def without_suffix(values: list[SqlLiteral], suffix: str) -> list[SqlLiteral]:
    """Return texts without the suffix that is added to a column's text; each must end in it.

    Raises:
        NotReadError: a text does not end in it.
    """
    if not suffix:
        return values
    if not all(value.kind == "text" and value.value.endswith(suffix) for value in values):
        raise NotReadError(f"text to which {suffix!r} is put is compared with text that does not end in it")
    return [SqlLiteral("text", value.value.removesuffix(suffix), value.sql) for value in values]
