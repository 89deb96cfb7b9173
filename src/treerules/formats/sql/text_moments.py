"""Dates and timestamps where they are texts and are compared as texts, as in SQLite.

    '2024-03-21'                   a date
    '2024-03-21 20:21:09.5'        a timestamp: a blank, and a fraction without zeros at its end, or none

In these forms, in which emitted SQL expects them, the order of the texts is the order of the moments. So the dates or
timestamps whose text is below any other text are all those up to one of them, which is found by bisection.
"""

import re
from collections.abc import Iterable
from datetime import datetime
from itertools import pairwise
from typing import Any

from treerules.data.domain import next_value
from treerules.data.interval import Interval
from treerules.data.schema import SCALARS, Feature, Kind, at_ordinate, ordinate
from treerules.data.value_set import ValueSet
from treerules.formats.sql.predicate_terms import NotReadError
from treerules.sql.language import iso_text
from treerules.sql.literals import parse_iso_day, parse_moment

#: What a column of dates converts to a number, as SQLite does where the column was declared DATE or TIMESTAMP.
_NUMBER = re.compile(r"[ \t-\r]*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[ \t-\r]*")


def stored_text(value: Any) -> str:
    """Return a date or a timestamp as the text that stands for it."""
    return iso_text(value) if isinstance(value, datetime) else str(value.isoformat())


def is_stored_text(scalar: str, text: str, moment: datetime) -> bool:
    """Return whether a text is the one that stands for a moment in a column of such values."""
    return text == stored_text(moment.date() if scalar == "date" else moment)


def where_text(feature: Feature, relation: str, text: str) -> ValueSet:
    """Return the dates or timestamps whose text stands in a relation to a text: `<`, `<=`, `>`, `>=`, or `=`.

    Raises:
        NotReadError: the text is a number, with which some columns of dates are compared as numbers.

    Examples:
        >>> day = Feature("day", "date")
        >>> where_text(day, "<=", "2024-03-21 10:00:00"), where_text(day, "=", "2024-03-21 00:00:00").is_empty
        (<ValueSet 'day' (.., 2024-03-21]>, True)
    """
    if _NUMBER.fullmatch(text):
        raise NotReadError(f"dates are compared with the number {text!r}")
    below, upto = _upto(feature, text, inclusive=False), _upto(feature, text, inclusive=True)
    known = ~ValueSet(feature, missing=True)
    return {"<": below, "<=": upto, ">": known - upto, ">=": known - below, "=": upto - below}[relation]


def _upto(feature: Feature, text: str, *, inclusive: bool) -> ValueSet:
    """Return the values whose text is below a text, or at most it."""
    lowest, highest = (ordinate(end) for end in (feature.lowest, feature.highest))
    first_above, end = lowest, highest + 1
    while first_above < end:
        middle = (first_above + end) // 2
        found = stored_text(at_ordinate(feature.scalar, middle))
        if found < text or (inclusive and found == text):
            first_above = middle + 1
        else:
            end = middle
    if first_above == lowest:
        return ValueSet(feature)
    upto = None if first_above > highest else at_ordinate(feature.scalar, first_above - 1)
    return ValueSet(feature, [Interval(None, upto)])


def kind_of_texts(texts: Iterable[str]) -> tuple[Kind, str] | None:
    """Return the kind and the scalar of a column that is compared with texts by order; None if they do not tell.

    They tell if all have the form of one kind and no two are neighbours: between these, another column could hold
    texts of another form, such as '2024-03-21 10:00:00' after '2024-03-21'.
    """
    texts = sorted(set(texts))
    for kind, scalar, parse in _FORMS:
        values = [parse(text) for text in texts]
        if all(value is not None and stored_text(value) == text for text, value in zip(texts, values, strict=True)):
            zones = {getattr(value, "tzinfo", None) is not None for value in values}
            feature = Feature("texts", kind, scalar="timestamp_utc" if zones == {True} else scalar)
            is_apart = all(next_value(feature, one) != other for one, other in pairwise(values))
            ends = {SCALARS[feature.scalar].lowest, SCALARS[feature.scalar].highest}
            return (kind, feature.scalar) if len(zones) == 1 and is_apart and not ends & {*values} else None
    return None


_FORMS = ((Kind.DATE, "date", parse_iso_day), (Kind.TIMESTAMP, "timestamp", parse_moment))
