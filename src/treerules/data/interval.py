"""Half-open intervals of ordered values, and the algebra of unions of intervals.

A union is a tuple of intervals in ascending order that neither overlap nor touch. Each union has one spelling only, so
equal unions compare equal. The functions need the greatest value of the kind: `(highest, None]` holds no value.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from attrs import frozen

from treerules.errors import InvalidTreeError


@frozen
class Interval:
    """The values in `(above, upto]`.

    Args:
        above: the lower bound, which is not in the interval; None where it has none (then -inf is in it).
        upto: the upper bound, which is in the interval; None where it has none (then inf is in it).

    Raises:
        InvalidTreeError: a bound is NaN, or no value lies between the bounds.

    Examples:
        >>> 5 in Interval(None, 5), 5 in Interval(5, None)
        (True, False)
    """

    above: Any = None
    upto: Any = None

    def __attrs_post_init__(self) -> None:
        above, upto = self.above, self.upto
        if above != above or upto != upto:
            raise InvalidTreeError(f"an interval is bounded by {above if above != above else upto!r}")
        if above is not None and upto is not None and not above < upto:
            raise InvalidTreeError(f"no value is above {above!r} and at most {upto!r}")

    def __contains__(self, value: Any) -> bool:
        return (self.above is None or value > self.above) and (self.upto is None or value <= self.upto)


#: A union of intervals: ascending, and between two of them lies some value.
Intervals = tuple[Interval, ...]
#: The union that holds every value.
WHOLE_LINE: Intervals = (Interval(),)


def union_of(intervals: Iterable[Interval], highest: Any) -> Intervals:
    """Return the union of intervals, which may overlap and stand in any order.

    >>> union_of([Interval(5, 9), Interval(None, 3), Interval(3, 4)], 9)
    (Interval(above=None, upto=4), Interval(above=5, upto=None))
    """
    united = list[Interval]()
    for interval in sorted(intervals, key=_start):
        if interval.above == highest:
            continue
        above, upto = interval.above, None if interval.upto == highest else interval.upto
        last = united[-1] if united else None
        if last is None or (last.upto is not None and above is not None and last.upto < above):
            united.append(interval if upto is interval.upto else Interval(above, upto))
        elif last.upto is not None and (upto is None or upto > last.upto):
            united[-1] = Interval(last.above, upto)
    return tuple(united)


def _start(interval: Interval) -> tuple[bool, Any]:
    return interval.above is not None, interval.above


def intersection_of(first: Intervals, second: Intervals) -> Intervals:
    """Return the values that lie in both of two unions."""
    common = list[Interval]()
    i = j = 0
    while i < len(first) and j < len(second):
        one, other = first[i], second[j]
        above = (
            one.above if other.above is None or (one.above is not None and one.above >= other.above) else other.above
        )
        ends_first = other.upto is None or (one.upto is not None and one.upto <= other.upto)
        upto = one.upto if ends_first else other.upto
        if above is None or upto is None or above < upto:
            common.append(Interval(above, upto))
        i, j = (i + 1, j) if ends_first else (i, j + 1)
    return tuple(common)


def complement_of(intervals: Sequence[Interval]) -> Intervals:
    """Return the values that lie in no interval of a union.

    >>> complement_of([Interval(None, 3), Interval(5, None)])
    (Interval(above=3, upto=5),)
    """
    between = list[Interval]()
    above: Any = None
    for interval in intervals:
        if interval.above is not None:
            between.append(Interval(above, interval.above))
        if interval.upto is None:
            return tuple(between)
        above = interval.upto
    return (*between, Interval(above, None))


def interval_text(interval: Interval) -> str:
    """Return an interval in mathematical notation.

    >>> interval_text(Interval(None, 5.0)), interval_text(Interval(5.0, None))
    ('(.., 5.0]', '(5.0, ..)')
    """
    above = ".." if interval.above is None else value_text(interval.above)
    return f"({above}, ..)" if interval.upto is None else f"({above}, {value_text(interval.upto)}]"


def value_text(value: Any) -> str:
    """Return a value as a `repr` shows it; dates and timestamps in ISO format."""
    return str(value) if isinstance(value, date) else repr(value)


def shortened(text: str, limit: int) -> str:
    """Return a text of at most `limit` characters: the text itself, or its beginning and three dots."""
    return text if len(text) <= limit else text[: limit - 3] + "..."
