"""Literals as the values of a column: what a number, a text or a date is to it, and what lies below and above."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from math import ceil, floor, inf
from typing import Any

from treerules.data.domain import next_value
from treerules.data.schema import Feature, Kind
from treerules.formats.sql.predicate_terms import NotReadError
from treerules.formats.sql.value_sets import Line, names
from treerules.sql.dialect import Dialect
from treerules.sql.literals import Value, moment_of

#: From here on not every integer is a double.
_EXACT = 2**53


def is_closed(feature: Feature) -> bool:
    """Whether a column has no values but its categories."""
    return feature.kind is Kind.BOOLEAN


def all_joined(found: Sequence[Any], nothing: Any) -> Any:
    """Return the union of many small sets, halves first, so that long lists are quick."""
    if not found:
        return nothing
    level = list(found)
    while len(level) > 1:
        pairs = [level[place : place + 2] for place in range(0, len(level), 2)]
        level = [pair[0].joined(pair[1]) if len(pair) == 2 else pair[0] for pair in pairs]
    return level[0]


def only(value: Any, feature: Feature) -> Any:
    """Return the set of one value."""
    if not feature.is_ordered:
        return names([value], is_closed=is_closed(feature))
    return upto(feature, value, False).joined(upto(feature, value, True).flipped()).flipped()


# ---- literals as cells


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


# ---- the line


def upto(feature: Feature, value: Any, inclusive: bool) -> Line:
    """Return the values of an ordered column that are below a value, or at most it.

    What is just above infinity, NaN to some engines, is above it on the line too.
    """
    if feature.scalar == "number":
        cut = value if inclusive else next_value(feature, value, up=False)
    elif feature.scalar == "integer":
        cut = _whole(value, inclusive)
        if cut is not None and cut > feature.highest:
            return Line(True)
        cut = None if cut is None or cut < feature.lowest else cut
    else:
        cut = _day_or_moment(feature, value, inclusive)
    if cut is None:
        return Line(False)
    is_last = cut == feature.highest and feature.scalar != "number"
    return Line(True) if is_last else Line(True, [cut])


def _whole(value: Decimal | float, inclusive: bool) -> int | None:
    if isinstance(value, float):  # infinite
        return 2**64 if value > 0 else None
    return floor(value) if inclusive else ceil(value) - 1


def _day_or_moment(feature: Feature, value: datetime, inclusive: bool) -> Any:
    if feature.scalar == "date":
        day: date = value.date()
        is_later = value.time() > datetime.min.time()
        return day if inclusive or is_later else next_value(feature, day, up=False)
    return value if inclusive else next_value(feature, value, up=False)
