"""Known values of a feature: validation of value sets, and the values that satisfy a comparison."""

from collections.abc import Iterable
from datetime import datetime, time
from decimal import Decimal
from math import ceil, floor, inf
from typing import Any

from treerules._internal.conversion import unwrap_scalar
from treerules.data.domain import next_value
from treerules.data.interval import WHOLE_LINE, Interval, Intervals, complement_of, intersection_of
from treerules.data.schema import Feature, Kind, is_threshold
from treerules.errors import OptionError, UnknownNameError


def misfit(feature: Feature, intervals: Intervals, categories: Iterable[Any], unseen: bool) -> str:
    """Return why values do not fit a feature; "" if they fit."""
    name = f"feature {feature.name!r} of kind {feature.kind}"
    if not all(isinstance(interval, Interval) for interval in intervals):
        return f"ValueSet(intervals=...) of {name} holds something that is not an Interval"
    bounds = [end for interval in intervals for end in (interval.above, interval.upto) if end is not None]
    if (intervals and not feature.is_ordered) or not all(is_threshold(bound, feature) for bound in bounds):
        return f"ValueSet(intervals=...) does not fit {name}"
    if any(feature.position(category) is None for category in categories):
        return f"ValueSet(categories=...) holds a value that is not a category of {name}"
    return f"ValueSet(unseen=True): {name} has no unseen values" if unseen and not feature.is_open else ""


def levels_upto(feature: Feature, value: Any, *, inclusive: bool) -> tuple[Any, ...]:
    """Return the levels of an ordinal before a level, or up to and including it, in their declared order."""
    return feature.categories[: feature.positions[category_at(feature, value)] + inclusive]


def category_at(feature: Feature, value: Any) -> Any:
    """Return a value as a category of the feature.

    Raises:
        CellError: the value is of the wrong kind.
        UnknownNameError: the value is not a category of the feature.
    """
    category = feature.convert(unwrap_scalar(value))
    if category not in feature.positions:
        raise UnknownNameError(
            f"category of {feature.name!r}",
            str(value),
            [str(listed_category) for listed_category in feature.categories],
        )
    return category


def side_of(feature: Feature, band: Interval, between: Interval) -> str:
    """Return on which side of an interval a band of several values touches it: "below", "above", "" for neither.

    >>> side_of(Feature("x", "number"), Interval(None, 30.0), Interval(30.0, 40.0))
    'below'
    """
    is_below = band.upto is not None and band.upto == between.above
    is_above = band.above is not None and band.above == between.upto
    extremes = extremes_of(feature, band) if is_below or is_above else None
    if extremes is None or extremes[0] == extremes[1]:
        return ""
    return "below" if is_below else "above"


def extremes_of(feature: Feature, interval: Interval) -> tuple[Any, Any] | None:
    """Return the least and the greatest value of an interval; None where it holds no value of the feature.

    >>> extremes_of(Feature("n", "integer"), Interval(2, 5)), extremes_of(Feature("x", "number"), Interval(inf, None))
    ((3, 5), None)
    """
    least = feature.lowest if interval.above is None else next_value(feature, interval.above)
    return None if least is None else (least, feature.highest if interval.upto is None else interval.upto)


def intervals_at(feature: Feature, value: Any) -> Intervals:
    """Return the values of an ordered feature that equal a value: one, or none."""
    at_most, below = (intervals_upto(feature, value, inclusive=inclusive) for inclusive in (True, False))
    return intersection_of(at_most, complement_of(below))


def intervals_upto(feature: Feature, value: Any, *, inclusive: bool) -> Intervals:
    """Return the values of an ordered feature that are below a value, or at most it.

    Args:
        feature: the feature.
        value: a value of its kind; for integers any real number, for dates also a moment without a zone.
        inclusive: whether the value itself is taken.

    Raises:
        CellError: the value is of the wrong kind.
        OptionError: the value is missing.
    """
    given, value = value, unwrap_scalar(value)
    if value is None:
        raise OptionError(f"the value that feature {feature.name!r} is compared with", given, "one that is not missing")
    if feature.kind is Kind.INTEGER and type(value) in (int, float, Decimal):
        return _integers_upto(feature, value, inclusive)
    if feature.kind is Kind.DATE and isinstance(value, datetime) and value.tzinfo is None:
        inclusive = inclusive or value.time() > time.min
        value = value.date()
    last = feature.convert(value)
    if not inclusive:
        last = next_value(feature, last, up=False)
    if last is None:
        return ()
    # the bound of `x <= inf` is kept: engines that order NaN above infinity distinguish it from `x is known`
    return WHOLE_LINE if last == feature.highest and feature.kind is not Kind.NUMBER else (Interval(None, last),)


def _integers_upto(feature: Feature, value: Any, inclusive: bool) -> Intervals:
    if value in (inf, -inf):
        return WHOLE_LINE if value > 0 else ()
    last = floor(value) if inclusive else ceil(value) - 1
    if last < feature.lowest:
        return ()
    return WHOLE_LINE if last >= feature.highest else (Interval(None, last),)


def known_where(feature: Feature, sign: str, value: Any) -> tuple[Intervals, frozenset[Any]]:
    """Return the known values for which a comparison by `<`, `<=`, `>` or `>=` is true: intervals, or levels.

    Raises:
        OptionError: values of the feature have no order, or the value is missing.
        CellError: the value is of the wrong kind.
        UnknownNameError: the value is no level of an ordinal.
    """
    is_below, inclusive = sign in ("<", "<="), sign in ("<=", ">")
    if feature.kind is Kind.ORDINAL:
        levels = frozenset(levels_upto(feature, value, inclusive=inclusive))
        return (), levels if is_below else frozenset(feature.categories) - levels
    if not feature.is_ordered:
        accepted = "=, !=, in or not in: values of this feature have no order"
        raise OptionError(f"the comparison of {feature.kind} {feature.name!r}", sign, accepted)
    below = intervals_upto(feature, value, inclusive=inclusive)
    return below if is_below else complement_of(below), frozenset()
