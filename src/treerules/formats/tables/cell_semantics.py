"""What the tests of a cell mean for a column: the values they take, exactly, and the conditions that say so.

A cell of an ordered column may take several intervals; each is a condition, since a condition holds one. Ends that are
open become the value beside them: `< 50` is "at most the number below 50".
"""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from math import ceil, floor
from typing import Any, NamedTuple

from treerules._internal import conversion
from treerules.data.domain import next_value
from treerules.data.interval import Interval
from treerules.data.schema import Feature, Kind
from treerules.errors import did_you_mean, listed
from treerules.formats.tables.cell_grammar import Excluding, Test, Within
from treerules.formats.tables.cell_lexer import CellProblem, Token
from treerules.rules.rule import Condition, Members

#: (above, upto]; None is unbounded.
Span = tuple[Any, Any]


class Taken(NamedTuple):
    """The values that tests take: spans of an ordered column or categories of another, and which others."""

    spans: tuple[Span, ...] = ()
    members: frozenset[Any] = frozenset()
    missing: bool = False
    unseen: bool = False


def literals_of(tests: Iterable[Test]) -> list[Token]:
    """Return the values that tests name, in order."""
    found = list[Token]()
    for test in tests:
        if isinstance(test, Within):
            ends = [test.low] if test.point else [test.low, test.high]
            found += [end for end in ends if end is not None]
        elif isinstance(test, Excluding):
            found += literals_of(test.tests)
    return found


def scalar_of(token: Token) -> str:
    """Return which scalar a literal spells by itself."""
    readers = _BY_KIND.get(token.kind, ())
    return next((scalar for scalar in readers if _spelled(token, scalar) is not None), "text")


_RANGE = re.compile(r"[0-9.]+ ?[-–—~～至到] ?[0-9.]+")


def looks_like_range(text: str) -> bool:
    """Whether plain text may be meant as an interval: 30-50."""
    return _RANGE.fullmatch(text) is not None


#: What a literal of each kind of token may be; of a plain word, the first that fits.
_WORD = ("boolean", "number", "date", "timestamp", "timestamp_utc")
_MOMENTS = ("timestamp", "timestamp_utc")
_BY_KIND = {"word": _WORD, "literal": _WORD[:2], "date": ("date",), "moment": _MOMENTS, "at": ("date", *_MOMENTS)}


def _spelled(token: Token, scalar: str) -> Any:
    """Return the value of a scalar that a literal spells, None where it spells none."""
    text = token.text
    if scalar == "text":
        return text if token.kind in ("string", "word") else None
    readable = _BY_KIND.get(token.kind, ())
    if scalar not in readable and not (scalar == "integer" and "number" in readable):
        return None
    if scalar == "number":
        return conversion.parse_number(text)
    if scalar == "integer":
        return conversion.parse_integer(text)
    if scalar == "boolean":
        return conversion.parse_boolean(text)
    return (
        conversion.parse_date(text) if scalar == "date" else conversion.parse_timestamp(text, scalar == "timestamp_utc")
    )


_EXAMPLES = {
    "number": "a number such as 30 or 0.5",
    "integer": "an integer such as 30",
    "boolean": "true or false",
    "text": 'text, in quotes where it is no plain word, such as "a, b"',
    "date": 'a date such as 2024-03-21 or date("2024-03-21")',
    "timestamp": 'a moment such as 2024-03-21 20:21:09 or date and time("2024-03-21T20:21:09")',
    "timestamp_utc": 'a moment with its zone, such as 2024-03-21 20:21:09Z or date and time("2024-03-21T20:21:09Z")',
}


def value_of(token: Token, scalar: str) -> Any:
    """Return the value of a scalar that a literal spells.

    Raises:
        CellProblem: it spells none.
    """
    value = _spelled(token, scalar)
    if value is None:
        raise CellProblem(
            f"{token.text!r} is no {scalar.partition('_')[0]}", f"write {_EXAMPLES[scalar]}", token.offset
        )
    return value


def taken_by(tests: Iterable[Test], feature: Feature, *, closed: bool = False) -> Taken:
    """Return what the values are of which one of the tests holds. `closed` says that no category comes unseen.

    Raises:
        CellProblem: a literal is no value of the column, or a test means nothing for its kind.
    """
    found = [_taken(test, feature, closed) for test in tests]
    return Taken(
        merged(span for taken in found for span in taken.spans),
        frozenset().union(*(taken.members for taken in found)),
        any(taken.missing for taken in found),
        any(taken.unseen for taken in found),
    )


def _everything(feature: Feature, missing: bool) -> Taken:
    spans = ((None, None),) if feature.is_ordered else ()
    return Taken(spans, frozenset(feature.categories), missing, feature.is_open)


def _taken(test: Test, feature: Feature, closed: bool) -> Taken:
    if isinstance(test, Excluding):
        inner = taken_by(test.tests, feature, closed=closed)
        members = frozenset(feature.categories) - inner.members
        missing, unseen = test.takes_missing and not inner.missing, feature.is_open and not inner.unseen
        return Taken(_outside(inner.spans, feature), members, missing, unseen)
    if isinstance(test, Within):
        return Taken(_spans(test, feature)) if feature.is_ordered else Taken((), _members(test, feature, closed))
    if test.name in ("any", "known"):
        return _everything(feature, test.name == "any")
    if test.name == "unseen" and not feature.is_open:
        remedy = "leave the word out: every value of this column is known"
        raise CellProblem(f"column {feature.name!r} of kind {feature.kind} has no unseen values", remedy, test.offset)
    return Taken(missing=test.name == "missing", unseen=test.name == "unseen")


def merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the union of spans as spans that do not touch, in ascending order.

    >>> merged([(5, None), (None, 3), (3, 4)])
    ((None, 4), (5, None))
    """
    found = list[Span]()
    for above, upto in sorted(spans, key=lambda span: (span[0] is not None, span[0])):
        if found and (found[-1][1] is None or above is None or above <= found[-1][1]):
            last_above, last = found[-1]
            found[-1] = (last_above, None if last is None or upto is None else max(last, upto))
        else:
            found.append((above, upto))
    return tuple(found)


def _outside(spans: Sequence[Span], feature: Feature) -> tuple[Span, ...]:
    """Return the spans between ascending spans that do not touch."""
    left, above = list[Span](), None
    for start, upto in spans:
        if start is not None:
            left.append((above, start))
        above = upto
        if upto is None or upto == feature.highest:
            return tuple(left)
    return (*left, (above, None))


class _Ends(NamedTuple):
    """The greatest value that is at most a literal, and the least that is at least it; None where there is none."""

    floor: Any
    ceiling: Any


def _place(token: Token, feature: Feature) -> Any:
    """Return where a literal lies on the line of a column; integers may be compared with any number."""
    if not feature.is_ordered:
        return feature.position(_category(token, feature))
    if (
        feature.scalar != "integer"
        or token.kind not in ("word", "literal")
        or conversion.parse_number(token.text) is None
    ):
        return value_of(token, feature.scalar)
    try:
        return Decimal(token.text.strip())
    except ArithmeticError:
        remedy = f"write {_EXAMPLES['integer']}"
        raise CellProblem(f"{token.text!r} has too large an exponent", remedy, token.offset) from None


def _ends(token: Token, feature: Feature) -> _Ends:
    value = _place(token, feature)
    if not isinstance(value, Decimal):
        return _Ends(value, value)
    if value < feature.lowest:
        return _Ends(None, feature.lowest)
    return _Ends(feature.highest, None) if value > feature.highest else _Ends(floor(value), ceil(value))


def _spans(test: Within, feature: Feature) -> tuple[Span, ...]:
    """Return the span of a test on an ordered column, none where no value lies in it."""
    above = upto = None
    if test.low is not None:
        ends = _ends(test.low, feature)
        if (ends.ceiling is None) if test.takes_low else (ends.floor == feature.highest):
            return ()
        above = next_value(feature, ends.ceiling, up=False) if test.takes_low else ends.floor
    if test.high is not None:
        ends = _ends(test.high, feature)
        last = ends.floor
        if not test.takes_high:
            last = feature.highest if ends.ceiling is None else next_value(feature, ends.ceiling, up=False)
        if last is None:
            return ()
        upto = None if last == feature.highest else last
    _require_ascending(test, feature)
    return ((above, upto),) if above is None or upto is None or above < upto else ()


def _require_ascending(test: Within, feature: Feature) -> None:
    if test.low is not None and test.high is not None and _place(test.low, feature) > _place(test.high, feature):
        problem = f"the interval begins at {test.low.text}, above its end {test.high.text}"
        raise CellProblem(problem, "write the lower end first", test.offset)


def _members(test: Within, feature: Feature, closed: bool) -> frozenset[Any]:
    if test.point is not None:
        return frozenset([_category(test.point, feature)])
    if feature.kind is not Kind.ORDINAL and (feature.scalar == "text" or (feature.is_open and not closed)):
        what = f"values of column {feature.name!r} have no order ({feature.kind} of {feature.scalar})"
        remedy = "compare with a number or a date, list the values, or declare their order"
        raise CellProblem(what, remedy, test.offset)
    low, high = (None if end is None else _place(end, feature) for end in (test.low, test.high))
    _require_ascending(test, feature)
    first = 0 if low is None else low + (not test.takes_low)
    last = len(feature.categories) if high is None else high + test.takes_high
    return frozenset(feature.categories[first:last])


def _category(token: Token, feature: Feature) -> Any:
    value = value_of(token, feature.scalar)
    if value not in feature.positions:
        texts = [str(category) for category in feature.categories]
        remedy = f"{did_you_mean(value, texts)}known: {listed(feature.categories)}"
        raise CellProblem(f"column {feature.name!r} has no value {value!r}", remedy, token.offset)
    return value


def conditions_of(taken: Taken, feature: Feature) -> list[Condition] | None:
    """Return conditions that together take the values, no two the same; None where anything is taken."""
    if taken == _everything(feature, True):
        return None
    if not feature.is_ordered:
        values = [category for category in feature.categories if category in taken.members]
        return [Condition(Members(values) if values else None, taken.missing, taken.unseen)]
    conditions = [Condition(Interval(*span), taken.missing and not place) for place, span in enumerate(taken.spans)]
    return conditions or [Condition(None, taken.missing)]
