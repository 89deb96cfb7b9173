"""Bounds of conditions as text. Each bound is formatted once, since the `repr` of numbers takes most of the time."""

from typing import Any, NamedTuple

from treerules.data.domain import next_value
from treerules.data.schema import Feature, Kind
from treerules.data.value_format import value_text

#: A bound of more than _LONG characters is written as the number next above it, if that saves _SAVED characters.
_LONG, _SAVED = 12, 6
#: The `repr` of the number next below 0, which some engines read as 0.
_BELOW_ZERO = "-5e-324"


class Bound(NamedTuple):
    """A bound of an interval as text."""

    #: its `repr`
    text: str
    #: the `repr` of the number next above it, if that is far shorter, so that `<` and it are written; else ""
    after: str
    #: the bound, or the number next above it, as rules show it
    shown: str


def bound_of(feature: Feature, value: Any) -> Bound:
    """Return a bound on a feature as text.

    >>> bound_of(Feature("x", "number"), 49.99999999999999)
    Bound(text='49.99999999999999', after='50.0', shown='50')
    """
    text = repr(value)
    if feature.kind is Kind.NUMBER:
        after = _shorter_next(feature, value, text)
        if after is not None:
            following = repr(after)
            return Bound(text, following, following.removesuffix(".0"))
    elif feature.kind is not Kind.INTEGER:
        return Bound(text, "", value_text(value, feature.form))
    return Bound(text, "", text.removesuffix(".0"))


def shorter_next(feature: Feature, bound: Any) -> float | None:
    """Return the number next above a bound if it is far shorter, so that `<` and it are written; else None.

    >>> shorter_next(Feature("x", "number"), 1.5899999999999999), shorter_next(Feature("x", "number"), 1.5)
    (1.59, None)
    """
    return _shorter_next(feature, bound, repr(bound))


def _shorter_next(feature: Feature, bound: Any, text: str) -> float | None:
    """Return `shorter_next` of a bound whose `repr` is `text`; 0 of the number next below it.

    A number next below a far shorter one has nines or, if it is negative, zeros among its last digits, or it is next
    to infinity. Few bounds are, and only those are compared with the next number.
    """
    if feature.kind is not Kind.NUMBER:
        return None
    if text == _BELOW_ZERO:
        return 0.0
    may_be = "999" in text or "000" in text or text.endswith("e+308")
    if not may_be or len(text) <= _LONG:
        return None
    after: float = next_value(feature, bound)
    return after if len(repr(after)) + _SAVED <= len(text) else None
