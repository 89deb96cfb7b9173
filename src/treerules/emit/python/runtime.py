"""The functions that emitted Python modules carry. Their source is pasted into a module that uses them.

They answer as those of `treerules._internal.conversion` do, by which a Table reads values. Their names, texts and order
are part of what is emitted, so they stay as they are, whatever is renamed elsewhere. They need nothing but the standard
library of Python 3.8 and each other.
"""

import math
import re
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

NAN = float("nan")
UTC = timezone.utc  # noqa: UP017


def refused(value: Any, column: str, wanted: str) -> TypeError:
    """Return the error for a value that is of the wrong kind."""
    try:
        shown = repr(value)
    except ValueError:  # an int of more digits than Python prints
        shown = "a value too long to show"
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    kind = type(value).__name__
    return TypeError(f"column {column!r} takes {wanted}, not {shown} ({kind})")


def plain(value: Any) -> Any:
    """Return the Python value of a numpy scalar, None of a missing one, else the value."""
    kind = type(value)
    name = kind.__name__
    if name in ("NAType", "NaTType", "MaskedConstant"):
        return None
    if kind.__module__ == "numpy" and not getattr(value, "shape", ()):
        value = float(value) if name == "longdouble" else unpacked(value, name)
    if isinstance(value, Decimal):
        return None if value.is_nan() else value
    return None if isinstance(value, float) and math.isnan(value) else value


def unpacked(value: Any, name: str) -> Any:
    """Return what a numpy scalar holds; a datetime64 in microseconds, if at all."""
    found = value.item() if hasattr(value, "item") else value
    if isinstance(found, int) and name == "datetime64":
        found = value.astype("datetime64[us]").item()  # it was finer, or out of range
    is_raw = isinstance(found, int) and name in ("datetime64", "timedelta64")
    return value if is_raw else found


def number(value: Any, column: str) -> Any:
    """Return a float (float64), -0.0 as 0.0, NAN when missing; True is 1."""
    value = plain(value)
    if value is None:
        return NAN
    if not isinstance(value, (float, int, Decimal)):
        raise refused(value, column, "a number")
    try:
        return float(value) + 0.0
    except OverflowError:
        raise refused(value, column, "a number that float64 can hold") from None


def integer(value: Any, column: str) -> Any:
    """Return an int within int64, None when missing; 3.0 is 3, 3.5 stays 3.5."""
    value = plain(value)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (float, int, Decimal)):
        raise refused(value, column, "an integer")
    if not -(2**63) <= value < 2**63:
        raise refused(value, column, "an integer of 64 bits")
    return int(value) if int(value) == value else value


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


def placed(value: Any) -> Any:
    """Return how many days or microseconds a moment lies after the start of 1970."""
    if value is None:
        return None
    if not isinstance(value, datetime):
        return value.toordinal() - 719163
    since = value.replace(tzinfo=None) - datetime(1970, 1, 1)
    return since // timedelta(microseconds=1)


def day(value: Any, column: str) -> Any:
    """Return a date, None when missing; text spells one, a moment is none."""
    value = plain(value)
    if value is None:
        return None
    if isinstance(value, str):
        value = spelled_day(value) or value
    if not isinstance(value, date) or isinstance(value, datetime):
        raise refused(value, column, "a date")
    return date(value.year, value.month, value.day)


def moment(value: Any, column: str, zoned: bool) -> Any:
    """Return a datetime, None when missing: in UTC when zoned, else without a zone.

    ISO text spells one: 2024-03-21 20:21:09.5, with T between, with Z or +08:00 behind.
    Without a zone a date is its midnight.
    """
    value = plain(value)
    if value is None:
        return None
    if isinstance(value, str):
        value = spelled_moment(value, zoned) or value
    if isinstance(value, date) and not isinstance(value, datetime) and not zoned:
        value = datetime(value.year, value.month, value.day)
    if not isinstance(value, datetime) or (value.utcoffset() is not None) is not zoned:
        zone = "with a time zone" if zoned else "without time zone"
        raise refused(value, column, f"a timestamp {zone}")
    if zoned:
        try:
            value = value.astimezone(UTC)
        except OverflowError:
            wanted = "a timestamp of the years 1 to 9999 in UTC"
            raise refused(value, column, wanted) from None
    day, time = value.date(), value.time().replace(fold=0)
    return datetime.combine(day, time, value.tzinfo)


def plain_cell(cell: str, form: Any) -> str:
    """Return a cell as a plain number or ISO moment, "" if it has no known form; so it is in the form of its column."""
    pattern, *texts = form
    found = re.fullmatch(pattern, cell)
    if len(texts) > 1:
        prefix, suffix, old, new, *is_category = texts
        cell = cell.replace(prefix, "").replace(suffix, "")
        table = str.maketrans(old[: len(new)], new, old[len(new) :])
        cell = cell.translate(table) if found else ""
        return repr(float(cell) + 0.0) if cell and is_category else cell
    if not found:
        return cell if cell[:4].isdigit() else ""
    part = dict(zip(texts[0], found.groups()))  # noqa: B905
    names = "jan feb mar apr may jun jul aug sep oct nov dec"
    at = names.find(part.get("b", "-").lower())
    month = str(at // 4 + 1) if at >= 0 else part.get("m", "0")
    day = "-".join((part["Y"], month.zfill(2), part.get("d", "1").zfill(2)))
    if "H" not in part:
        return day
    clock = ":".join(part.get(key, "0").zfill(2) for key in "HMS")
    fraction = part.get("f", "").rstrip("0")
    return f"{day} {clock}.{fraction.ljust(6, '0')}" if fraction else f"{day} {clock}"


def spelled_number(text: str) -> Any:
    """Return the number that text spells: decimal, scientific or inf, blanks around it."""
    digits = r"[+-]?(([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?|[iI]nf(inity)?)"
    found = re.fullmatch(rf"[ \t-\r]*({digits})[ \t-\r]*", text)
    return float(text) + 0.0 if found else None


def spelled_integer(text: str) -> Any:
    """Return the integer of 64 bits that text spells: 7, 007 and 7.0 are 7."""
    blank = r"[ \t-\r]*"
    found = re.fullmatch(rf"{blank}([+-]?)0*([0-9]{{1,19}})(\.0*)?{blank}", text)
    value = int(found.group(1) + found.group(2)) if found else 2**63
    return value if -(2**63) <= value < 2**63 else None


def spelled_between(text: str) -> Any:
    """Return the integer of 64 bits that text spells, or the number between two."""
    value = spelled_integer(text)
    found = None if value is not None else spelled_number(text)
    return value if found is None or not -(2.0**63) <= found < 2.0**63 else found


def spelled_boolean(text: str) -> Any:
    """Return the boolean that text spells, in any case."""
    return {"true": True, "false": False}.get(text.lower())


def spelled_day(text: str) -> Any:
    """Return the date that text spells: 2024-03-21 or 2024/3/21."""
    year = r"([0-9]{4})"
    iso, slashed = r"-([0-9]{2})-([0-9]{2})", r"/([0-9]{1,2})/([0-9]{1,2})"
    found = re.fullmatch(year + iso, text) or re.fullmatch(year + slashed, text)
    try:
        return date(*map(int, found.groups())) if found else None
    except ValueError:
        return None


def spelled_moment(text: str, zoned: bool) -> Any:
    """Return the timestamp that text spells: in UTC when zoned, else a date is midnight."""
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
