"""Formats of values in their source, in which they are shown again: TRUE, 2024/3/21, 2024-03-21T20:21:09+08:00.

    scalar         forms; "" is the usual one
    boolean        "" true, True, TRUE
    date           "" 2024-03-21, y/m/d 2024/3/21, y/mm/dd 2024/03/21
    timestamp      "" 2024-03-21 20:21:09, T 2024-03-21T20:21:09
    timestamp_utc  "" 2024-03-21 12:21:09+00:00, else the separator (T or a blank) and the zone: TZ, " +08:00"

A form affects how values are shown, not their meaning: columns that differ only in form are equal.
"""

import re
from collections.abc import Collection
from datetime import date, datetime, timedelta, timezone
from typing import Any

_ZONE = r"Z|[+-]\d\d(:?\d\d)?"
_FORMS = {
    "boolean": "True|TRUE",
    "date": "y/m/d|y/mm/dd",
    "timestamp": "T",
    "timestamp_utc": f"[ T]({_ZONE})",
}


def is_form(scalar: str, form: str) -> bool:
    """Return whether values of a scalar can have the form."""
    return form == "" or (scalar in _FORMS and re.fullmatch(_FORMS[scalar], form) is not None)


def form_of_shapes(scalar: str, shapes: Collection[str]) -> str:
    """Return the form that all shapes of a column's cells share, "" where they share none.

    The shape of a date is its text with 0 for each digit; of a timestamp its separator and zone; of a boolean its text.

    >>> form_of_shapes("date", ["0000/0/00", "0000/00/00"]), form_of_shapes("timestamp_utc", ["T+08:00"])
    ('y/m/d', 'T+08:00')
    """
    if scalar == "boolean":
        return next(
            (form for form, is_so in (("True", str.istitle), ("TRUE", str.isupper)) if all(map(is_so, shapes))), ""
        )
    if scalar == "date":
        slashes = all("/" in shape for shape in shapes)
        return "" if not slashes else "y/mm/dd" if set(shapes) == {"0000/00/00"} else "y/m/d"
    (form,) = shapes if len(shapes) == 1 else ("",)
    return form if is_form(scalar, form) else ""


def value_text(value: Any, form: str = "") -> str:
    """Return a value as text, in the form of its column in the source.

    >>> value_text(True), value_text(7), value_text(date(2024, 3, 21)), value_text(date(2024, 3, 21), "y/m/d")
    ('true', '7', '2024-03-21', '2024/3/21')
    >>> value_text(datetime(2024, 3, 21, 20, 21, 9), "T")
    '2024-03-21T20:21:09'
    """
    if isinstance(value, bool):
        return {"True": str(value), "TRUE": str(value).upper()}.get(form, str(value).lower())
    if isinstance(value, datetime):
        return _moment(value, form)
    if isinstance(value, date) and form:
        template = "/{:02}/{:02}" if form == "y/mm/dd" else "/{}/{}"
        return f"{value.year:04}" + template.format(value.month, value.day)
    return str(value)


def _moment(value: datetime, form: str) -> str:
    if not form:
        return str(value)
    separator, zone = form[0], form[1:]
    if value.tzinfo is not None and zone != "Z":
        digits = zone[1:].replace(":", "")
        away = timedelta(hours=int(digits[:2]), minutes=int(digits[2:] or 0))
        try:
            value = value.astimezone(timezone(-away if zone[0] == "-" else away))
        except OverflowError:  # the first or last day of the domain
            return str(value)
    return value.replace(tzinfo=None).isoformat(separator) + zone
