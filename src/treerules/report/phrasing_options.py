"""The options of reports that print rules: the exact form, long sets in full, the digits of figures."""

from typing import Any

from treerules._internal.notes import or_none
from treerules.report.report import ReportOption

#: The greatest number of significant digits that a float has.
_MOST_DIGITS = 17


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_digits(value: Any) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= _MOST_DIGITS)


PHRASING_OPTIONS = (
    ReportOption("exact", False, _is_flag, "True or False"),
    ReportOption("full", False, _is_flag, "True or False"),
    ReportOption("digits", None, _is_digits, or_none(f"a whole number from 1 to {_MOST_DIGITS}", "four")),
)
