"""Half-open intervals of ordered values, and the algebra of unions of intervals.

A union is a tuple of intervals in ascending order that neither overlap nor touch. An upper bound that is the greatest
value of its kind (`x <= inf`) is kept; `canonical` removes it, so that equal unions compare equal.
"""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from math import inf
from typing import Any

from attrs import frozen

from treerules._internal.short_repr import short_repr
from treerules.errors import InvalidTreeError, OptionError

_REMEDY = "give a lower bound below the upper one, or None for no bound"


@short_repr
@frozen
class Interval:
    """The values in `(above, upto]`.

    Args:
        above: the lower bound, which is not in the interval; None where it has none (then -inf is in it).
        upto: the upper bound, which is in the interval; None where it has none (then inf is in it).

    Raises:
        InvalidTreeError: a bound is NaN, or the interval is empty.
        OptionError: the bounds cannot be compared.

    Examples:
        >>> 5 in Interval(None, 5), 5 in Interval(5, None)
        (True, False)
    """

    above: Any = None
    upto: Any = None

    def __attrs_post_init__(self) -> None:
        above, upto = self.above, self.upto
        if above != above or upto != upto:
            raise InvalidTreeError(f"an interval is bounded by {above if above != above else upto!r}", _REMEDY)
        try:
            is_empty = above is not None and upto is not None and not above < upto
        except TypeError:
            raise OptionError("upto", upto, f"a bound that can be compared with the lower one, {above!r}") from None
        if is_empty:
            raise InvalidTreeError(f"no value is above {above!r} and at most {upto!r}", _REMEDY)

    def __contains__(self, value: Any) -> bool:
        return (self.above is None or value > self.above) and (self.upto is None or value <= self.upto)


_new: Any = object.__new__
_set_above, _set_upto = (Interval.__dict__[name].__set__ for name in ("above", "upto"))


def valid_interval(above: Any, upto: Any) -> Interval:
    """Return the interval between bounds that are valid by construction; they are not checked again."""
    interval: Interval = _new(Interval)
    _set_above(interval, above)
    _set_upto(interval, upto)
    return interval


#: A union of intervals: ascending, with some value between any two.
Intervals = tuple[Interval, ...]
#: The union that holds every value.
WHOLE_LINE: Intervals = (Interval(),)
#: The greatest value of each type of ordered values.
_HIGHEST = {float: inf, int: 2**63 - 1, date: date.max, datetime: datetime.max}


def is_highest(bound: Any) -> bool:
    """Return whether a bound is the greatest value of its kind."""
    if isinstance(bound, datetime):
        bound = bound.replace(tzinfo=None)
    return bound is not None and bound == _HIGHEST[type(bound)]


def canonical(intervals: Intervals) -> Intervals:
    """Return a union without an upper bound at the end of its kind: the same for all unions of the same values.

    >>> canonical((Interval(0, 5), Interval(7, 2**63 - 1)))
    (Interval(above=0, upto=5), Interval(above=7, upto=None))
    """
    if not intervals or intervals[-1].upto is None or not is_highest(intervals[-1].upto):
        return intervals
    return (*intervals[:-1], Interval(intervals[-1].above))


def union_of(intervals: Iterable[Interval]) -> Intervals:
    """Return the union of intervals, which may overlap and be in any order.

    >>> union_of([Interval(5, 9), Interval(None, 3), Interval(3, 4)])
    (Interval(above=None, upto=4), Interval(above=5, upto=9))
    """
    united = list[Interval]()
    for interval in sorted(intervals, key=_start):
        last = united[-1] if united else None
        if last is None or (last.upto is not None and interval.above is not None and last.upto < interval.above):
            united.append(interval)
        elif last.upto is not None and (interval.upto is None or interval.upto > last.upto):
            united[-1] = Interval(last.above, interval.upto)
    if united and is_highest(united[-1].above):
        united.pop()
    return tuple(united)


def _start(interval: Interval) -> tuple[bool, Any]:
    return interval.above is not None, interval.above


def intersection_of(first: Intervals, second: Intervals) -> Intervals:
    """Return the intersection of two unions."""
    common = list[Interval]()
    i = j = 0
    while i < len(first) and j < len(second):
        a, b = first[i], second[j]
        above = a.above if b.above is None or (a.above is not None and a.above >= b.above) else b.above
        ends_first = b.upto is None or (a.upto is not None and a.upto <= b.upto)
        upto = a.upto if ends_first else b.upto
        if above is None or upto is None or above < upto:
            common.append(Interval(above, upto))
        i, j = (i + 1, j) if ends_first else (i, j + 1)
    return tuple(common)


def complement_of(intervals: Sequence[Interval]) -> Intervals:
    """Return the complement of a union.

    >>> complement_of([Interval(None, 3), Interval(5, None)])
    (Interval(above=3, upto=5),)
    """
    between = list[Interval]()
    above: Any = None
    for interval in intervals:
        if interval.above is not None:
            between.append(Interval(above, interval.above))
        if interval.upto is None or is_highest(interval.upto):
            return tuple(between)
        above = interval.upto
    return (*between, Interval(above, None))


def interval_text(interval: Interval) -> str:
    """Return an interval in mathematical notation.

    >>> interval_text(Interval(None, 5.0)), interval_text(Interval(5.0, None))
    ('(.., 5.0]', '(5.0, ..)')
    """
    above = ".." if interval.above is None else bound_text(interval.above)
    return f"({above}, ..)" if interval.upto is None else f"({above}, {bound_text(interval.upto)}]"


def bound_text(value: Any) -> str:
    """Return a value as a `repr` shows it; dates and timestamps in ISO format."""
    return str(value) if isinstance(value, date) else repr(value)


def cut_short(text: str, limit: int) -> str:
    """Return a text of at most `limit` characters: the text itself, or its beginning and three dots."""
    return text if len(text) <= limit else text[: limit - 3] + "..."
