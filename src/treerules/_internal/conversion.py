"""Conversion of a caller's values to a column's values, with one function for each kind.

Emitted Python modules carry functions of their own (`emit.emit/python/runtime`), which give the same answers.
"""

import math
import re
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

NAN = float("nan")
UTC = timezone.utc  # noqa: UP017


def conversion_error(value: Any, column: str, wanted: str) -> TypeError:
    """Return the TypeError for a value of the wrong type."""
    try:
        shown = repr(value)
    except ValueError:  # an int of more digits than Python prints
        shown = "a value too long to show"
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    kind = type(value).__name__
    return TypeError(f"column {column!r} takes {wanted}, not {shown} ({kind})")


def unwrap_scalar(value: Any) -> Any:
    """Return the Python value of a numpy scalar, None of a missing one, else the value."""
    kind = type(value)
    name = kind.__name__
    if name in ("NAType", "NaTType", "MaskedConstant"):
        return None
    if kind.__module__ == "numpy" and not getattr(value, "shape", ()):
        value = float(value) if name == "longdouble" else numpy_item(value, name)
    if isinstance(value, Decimal):
        return None if value.is_nan() else value
    return None if isinstance(value, float) and math.isnan(value) else value


def numpy_item(value: Any, name: str) -> Any:
    """Return the Python value of a numpy scalar, a datetime64 in microseconds; the scalar itself if there is none."""
    item = value.item() if hasattr(value, "item") else value
    if isinstance(item, int) and name == "datetime64":
        item = value.astype("datetime64[us]").item()  # it was finer, or out of range
    is_raw = isinstance(item, int) and name in ("datetime64", "timedelta64")
    return value if is_raw else item


def to_number(value: Any, column: str) -> Any:
    """Return a float (float64), -0.0 as 0.0, NAN when missing."""
    value = unwrap_scalar(value)
    if value is None:
        return NAN
    if isinstance(value, bool) or not isinstance(value, (float, int, Decimal)):
        raise conversion_error(value, column, "a number")
    try:
        return float(value) + 0.0
    except OverflowError:
        raise conversion_error(value, column, "a number that float64 can hold") from None


def to_integer(value: Any, column: str) -> Any:
    """Return an int within int64, None when missing; 3.0 is 3, 3.5 is refused."""
    value = unwrap_scalar(value)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (float, int, Decimal)):
        raise conversion_error(value, column, "an integer")
    if not -(2**63) <= value < 2**63 or int(value) != value:
        raise conversion_error(value, column, "an integer of 64 bits")
    return int(value)


def to_new_integer(value: Any, column: str) -> Any:
    """Return an int within int64, None when missing; 3.0 is 3, and 3.5, which only new rows may have, is 3.5."""
    value = unwrap_scalar(value)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (float, int, Decimal)):
        raise conversion_error(value, column, "an integer")
    if not -(2**63) <= value < 2**63:
        raise conversion_error(value, column, "an integer of 64 bits")
    return int(value) if int(value) == value else value


def to_boolean(value: Any, column: str) -> Any:
    """Return True or False, None when missing."""
    value = unwrap_scalar(value)
    if value is None or isinstance(value, bool):
        return value
    raise conversion_error(value, column, "True or False")


def to_text(value: Any, column: str) -> Any:
    """Return a str, None when missing."""
    value = unwrap_scalar(value)
    if value is None:
        return None
    if not isinstance(value, str):
        raise conversion_error(value, column, "text")
    return str.__str__(value)


def to_date(value: Any, column: str) -> Any:
    """Return a date, None when missing. ISO text is parsed; a datetime is refused."""
    value = unwrap_scalar(value)
    if value is None:
        return None
    if isinstance(value, str):
        value = parse_date(value) or value
    if not isinstance(value, date) or isinstance(value, datetime):
        raise conversion_error(value, column, "a date")
    return date(value.year, value.month, value.day)


def to_timestamp(value: Any, column: str, zoned: bool) -> Any:
    """Return a datetime, None when missing: in UTC when zoned, else without a zone.

    ISO text is parsed: 2024-03-21 20:21:09.5, with T between, with Z or +08:00 behind. Without a zone a date is its
    midnight.
    """
    value = unwrap_scalar(value)
    if value is None:
        return None
    if isinstance(value, str):
        value = parse_timestamp(value, zoned) or value
    if isinstance(value, date) and not isinstance(value, datetime) and not zoned:
        value = datetime(value.year, value.month, value.day)
    if not isinstance(value, datetime) or (value.utcoffset() is not None) is not zoned:
        zone = "with a time zone" if zoned else "without time zone"
        raise conversion_error(value, column, f"a timestamp {zone}")
    if zoned:
        try:
            value = value.astimezone(UTC)
        except OverflowError:
            wanted = "a timestamp of the years 1 to 9999 in UTC"
            raise conversion_error(value, column, wanted) from None
    day, time = value.date(), value.time().replace(fold=0)
    return datetime.combine(day, time, value.tzinfo)


# ---- parsing of text as in CSV cells of a known kind; None for text that is not such a value


def parse_number(text: str) -> Any:
    """Parse a number: decimal, scientific or inf, with optional blanks around it."""
    digits = r"[+-]?(([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?|[iI]nf(inity)?)"
    found = re.fullmatch(rf"[ \t-\r]*({digits})[ \t-\r]*", text)
    return float(text) + 0.0 if found else None


def parse_integer(text: str) -> Any:
    """Parse an integer of 64 bits: 7, 007 and 7.0 are 7."""
    blank = r"[ \t-\r]*"
    found = re.fullmatch(rf"{blank}([+-]?)0*([0-9]{{1,19}})(\.0*)?{blank}", text)
    value = int(found.group(1) + found.group(2)) if found else 2**63
    return value if -(2**63) <= value < 2**63 else None


def parse_boolean(text: str) -> Any:
    """Parse true or false, in any case."""
    return {"true": True, "false": False}.get(text.lower())


def parse_date(text: str) -> Any:
    """Parse a date: 2024-03-21 or 2024/3/21."""
    year = r"([0-9]{4})"
    iso, slashed = r"-([0-9]{2})-([0-9]{2})", r"/([0-9]{1,2})/([0-9]{1,2})"
    found = re.fullmatch(year + iso, text) or re.fullmatch(year + slashed, text)
    try:
        return date(*map(int, found.groups())) if found else None
    except ValueError:
        return None


def parse_timestamp(text: str, zoned: bool) -> Any:
    """Parse a timestamp; when zoned, the text must have a zone and the result is in UTC, else a date is midnight."""
    day = r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
    clock = r"([01][0-9]|2[0-3]):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,6}))?)?"
    zone = r"(Z|([+-])(0[0-9]|1[0-5])(?::([0-5][0-9]))?)?"
    found = re.fullmatch(f"{day}(?:[ T]{clock}{zone})?", text)
    if not found or (found.group(8) is not None) is not zoned:
        return None
    fraction = (found.group(7) or "").ljust(6, "0")
    parts = (*found.group(1, 2, 3, 4, 5, 6), fraction, *found.group(10, 11))
    y, m, d, hour, minute, second, micro, hours, minutes = (int(p or 0) for p in parts)
    away = timedelta(hours=hours, minutes=minutes)
    try:
        value = datetime(y, m, d, hour, minute, second, micro)
        value = value + away if found.group(9) == "-" else value - away
    except (ValueError, OverflowError):
        return None
    return value.replace(tzinfo=UTC if zoned else None)
