"""Formats of values in their source, in which they are shown again: TRUE, 2024/3/21, 2024-03-21T20:21:09+08:00.

    scalar         forms; "" is the usual one
    boolean        "" true, True, TRUE
    number         "" 1234.5, else the text that the form gives to this number: "$1,234.5", "1.234,5 €", "1234.5%"
    integer        the same
    date           "" 2024-03-21, y/m/d 2024/3/21, y/mm/dd 2024/03/21, else a format such as %d/%m/%Y
    timestamp      "" 2024-03-21 20:21:09, T 2024-03-21T20:21:09, else a format such as %d/%m/%Y %H:%M
    timestamp_utc  "" 2024-03-21 12:21:09+00:00, else the separator (T or a blank) and the zone: TZ, " +08:00"

A form affects how values are read and shown, not their meaning: columns that differ only in form are equal. Numbers,
and moments of a format, are shown in the usual form, which can be read in rules without knowing the column.
"""

import re
from collections.abc import Collection
from datetime import date, datetime, timedelta, timezone
from typing import Any

from treerules.data.moment_form import is_moment_form, moment_letters, moment_pattern, plain_moment
from treerules.data.number_form import parsed_number_form

_ZONE = r"Z|[+-]\d\d(:?\d\d)?"
_FORMS = {
    "boolean": "True|TRUE",
    "date": "y/m/d|y/mm/dd",
    "timestamp": "T",
    "timestamp_utc": f"[ T]({_ZONE})",
}


def is_form(scalar: str, form: str) -> bool:
    """Return whether values of a scalar can have the form."""
    if scalar in ("number", "integer"):
        return form == "" or parsed_number_form(form) is not None
    if scalar in ("date", "timestamp") and "%" in form:
        return is_moment_form(scalar, form)
    return form == "" or (scalar in _FORMS and re.fullmatch(_FORMS[scalar], form) is not None)


def is_read_by_form(scalar: str, form: str) -> bool:
    """Return whether the form says how the cells of a column are read, and not only how its values are shown."""
    return form != "" and (scalar in ("number", "integer") or "%" in form)


def cell_form(form: str) -> tuple[str, ...]:
    """Return what emitted code needs to read cells of a form: a regular expression, then what is replaced in numbers
    (prefix, suffix, characters, and what they become), or the letters of a moment's fields.
    """
    number_form = parsed_number_form(form)
    if number_form is None:
        return moment_pattern(form), moment_letters(form)
    return number_form.lenient_pattern, *number_form.removed, *number_form.translation


def plain_text(cell: str, scalar: str, form: str) -> str | None:
    """Return a cell in the usual form; None if it is in neither form.

    >>> plain_text("1.660,16 €", "number", "1.234,5 €"), plain_text("1/5/2019", "date", "%d/%m/%Y")
    ('1660.16', '2019-05-01')
    """
    if not is_read_by_form(scalar, form):
        return cell
    if "%" in form and scalar in ("date", "timestamp"):
        return plain_moment(form, cell)
    number_form = parsed_number_form(form)
    return None if number_form is None else number_form.plain(cell)


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
    if isinstance(value, date) and form and "%" not in form:
        template = "/{:02}/{:02}" if form == "y/mm/dd" else "/{}/{}"
        return f"{value.year:04}" + template.format(value.month, value.day)
    return str(value)


def _moment(value: datetime, form: str) -> str:
    if not form or "%" in form:
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
