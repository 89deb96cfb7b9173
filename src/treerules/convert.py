"""From what a caller hands over to a column's own values, one function a kind.

The functions need nothing but the standard library and each other: an emitted Python module carries the source text
of those that it uses, so that a module and a Table can never disagree about what a value means.
"""

from datetime import date, datetime, timezone
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
    if kind.__name__ in ("NAType", "NaTType") or (isinstance(value, Decimal) and value.is_nan()):
        return None
    return None if isinstance(value, float) and value != value else value


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
    """Return a date, None when missing; a moment is no date."""
    value = plain(value)
    if value is None:
        return None
    if not isinstance(value, date) or isinstance(value, datetime):
        raise refused(value, column, "a date")
    return date(value.year, value.month, value.day)


def moment(value: Any, column: str, zoned: bool) -> Any:
    """Return a datetime in microseconds, None when missing: in UTC when the column is zoned, else without a zone."""
    value = plain(value)
    if value is None:
        return None
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
