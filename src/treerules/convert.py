"""From what a caller hands over to a column's own values, one function a kind.

The functions need nothing but the standard library and each other: an emitted Python module carries the source text
of those that it uses, so that a module and a Table can never disagree about what a value means. They and their names
are of Python 3.8.
"""

import math
import re
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

NAN = float("nan")


def refused(value: Any, column: str, wanted: str) -> TypeError:
    """Return the error for a value that is of the wrong kind."""
    try:
        shown = repr(value)
    except ValueError:  # an int of more digits than Python prints
        shown = "a value too long to show"
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    return TypeError(f"column {column!r} takes {wanted}, not {shown} ({type(value).__name__})")


def plain(value: Any) -> Any:
    """Return the Python value of a numpy scalar, None of a missing one, anything else as it is."""
    kind = type(value)
    if kind.__module__ == "numpy" and hasattr(value, "item") and not getattr(value, "shape", ()):
        found = value.item()
        if kind.__name__ == "datetime64" and isinstance(found, int):  # finer than microseconds, or out of range
            found = value.astype("datetime64[us]").item()
        if kind.__name__ == "longdouble":
            found = float(value)
        value = value if kind.__name__ in ("datetime64", "timedelta64") and isinstance(found, int) else found
    if kind.__name__ in ("NAType", "NaTType", "MaskedConstant") or (isinstance(value, Decimal) and value.is_nan()):
        return None
    return None if isinstance(value, float) and math.isnan(value) else value


def number(value: Any, column: str) -> Any:
    """Return a float (float64), -0.0 as 0.0, NAN when missing."""
    value = plain(value)
    if value is None:
        return NAN
    if isinstance(value, bool) or not isinstance(value, (float, int, Decimal)):
        raise refused(value, column, "a number")
    try:
        return float(value) + 0.0
    except OverflowError:
        raise refused(value, column, "a number that float64 can hold") from None


def integer(value: Any, column: str) -> Any:
    """Return an int within int64, None when missing; 3.0 is 3, 3.5 is refused."""
    value = plain(value)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (float, int, Decimal)):
        raise refused(value, column, "an integer")
    if not -(2**63) <= value < 2**63 or int(value) != value:
        raise refused(value, column, "an integer of 64 bits")
    return int(value)


def boolean(value: Any, column: str) -> Any:
    """Return True or False, None when missing."""
    value = plain(value)
    if value is None or isinstance(value, bool):
        return value
    raise refused(value, column, "True or False")


def text(value: Any, column: str) -> Any:
    """Return a str, None when missing."""
    value = plain(value)
    if value is None:
        return None
    if not isinstance(value, str):
        raise refused(value, column, "text")
    return str.__str__(value)


def day(value: Any, column: str) -> Any:
    """Return a date, None when missing; text spells one (2024-03-21, 2024/3/21), a moment is none."""
    value = plain(value)
    if value is None:
        return None
    if isinstance(value, str):
        value = spelled_day(value) or value
    if not isinstance(value, date) or isinstance(value, datetime):
        raise refused(value, column, "a date")
    return date(value.year, value.month, value.day)


def moment(value: Any, column: str, zoned: bool) -> Any:
    """Return a datetime in microseconds, None when missing: in UTC when the column is zoned, else without a zone.

    ISO text spells one: 2024-03-21 20:21:09.5, with T between, with Z or +08:00 behind.
    """
    value = plain(value)
    if value is None:
        return None
    if isinstance(value, str):
        value = spelled_moment(value, zoned) or value
    if not isinstance(value, datetime) or (value.utcoffset() is not None) is not zoned:
        raise refused(value, column, "a timestamp " + ("with a time zone" if zoned else "without time zone"))
    if zoned:
        try:
            value = value.astimezone(timezone.utc)  # noqa: UP017 (emitted modules run on older Pythons too)
        except OverflowError:
            raise refused(value, column, "a timestamp of the years 1 to 9999 in UTC") from None
    return datetime(
        value.year, value.month, value.day, value.hour, value.minute, value.second, value.microsecond, value.tzinfo
    )


# ---- what text spells, None where it spells no such value: as cells of CSV files of a known kind are read


def spelled_number(text: str) -> Any:
    """Return the number that text spells: decimal or scientific, inf; blanks around are nothing."""
    digits = r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?[iI]nf(inity)?"
    return float(text) if re.fullmatch(r"[ \t-\r]*(" + digits + r")[ \t-\r]*", text) else None


def spelled_integer(text: str) -> Any:
    """Return the integer of 64 bits that text spells: 7, 007 and 7.0 are 7; blanks around are nothing."""
    found = re.fullmatch(r"[ \t-\r]*([+-]?)0*([0-9]{1,19})(\.0*)?[ \t-\r]*", text)
    value = int(found.group(1) + found.group(2)) if found else None
    return value if value is not None and -(2**63) <= value < 2**63 else None


def spelled_boolean(text: str) -> Any:
    """Return the boolean that text spells, in any case."""
    return {"true": True, "false": False}.get(text.lower())


def spelled_day(text: str) -> Any:
    """Return the date that text spells: 2024-03-21 or 2024/3/21."""
    if not re.fullmatch(r"[0-9]{4}(-[0-9]{2}-[0-9]{2}|/[0-9]{1,2}/[0-9]{1,2})", text):
        return None
    try:
        return date(*map(int, re.split("[-/]", text)))
    except ValueError:
        return None


def spelled_moment(text: str, zoned: bool) -> Any:
    """Return the timestamp that text spells, in UTC when zoned; it then has a zone (Z, +08, +08:00), else none."""
    clock = r"([0-9]{4})-([0-9]{2})-([0-9]{2})[ T]([01][0-9]|2[0-3]):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,6}))?)?"
    found = re.fullmatch(clock + r"(Z|([+-])(0[0-9]|1[0-5])(?::([0-5][0-9]))?)?", text)
    if not found or (found.group(8) is not None) is not zoned:
        return None
    fraction = (found.group(7) or "").ljust(6, "0")
    try:
        value = datetime(*map(int, found.group(1, 2, 3, 4, 5)), int(found.group(6) or 0), int(fraction))
        if not zoned:
            return value
        away = timedelta(hours=int(found.group(10) or 0), minutes=int(found.group(11) or 0))
        return (value + away if found.group(9) == "-" else value - away).replace(tzinfo=timezone.utc)  # noqa: UP017
    except (ValueError, OverflowError):
        return None
