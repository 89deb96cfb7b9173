"""The values next to a row: of a column, the one nearest to another that meets a condition; and parts of conditions."""

from collections.abc import Mapping, Sequence
from math import inf
from sys import float_info
from typing import Any

from treerules.data.domain import ColumnDomain, next_value, unseen_value
from treerules.data.interval import Interval
from treerules.data.sample_values import plain_value
from treerules.data.schema import Feature, Kind, ordinate
from treerules.rules.rule import Condition, Members

#: What a condition asks of each column.
Box = Mapping[str, Condition]


def nearest(feature: Feature, domain: ColumnDomain, condition: Condition, value: Any) -> tuple[Any] | None:
    """Return the value, in a tuple, that meets a condition and is nearest to one that does not; None if none may come.

    A known value comes before an unseen one, and that before a missing one. Of categories the first is taken, of
    levels the nearest.
    """
    found = _nearest_known(feature, domain, condition, value)
    if found is not None:
        return found
    if condition.unseen and domain.unseen:
        return (unseen_value(feature),)
    return (None,) if condition.missing and domain.missing else None


def _nearest_known(feature: Feature, domain: ColumnDomain, condition: Condition, value: Any) -> tuple[Any] | None:
    values = condition.values
    if isinstance(values, Interval):
        low = domain.lowest if values.above is None else next_value(feature, values.above)
        high = domain.highest if values.upto is None else min(values.upto, domain.highest)
        if low is None or max(low, domain.lowest) > high:
            return None
        wanted = plain_value(feature, domain) if value is None else value
        return (min(max(wanted, low, domain.lowest), high),)
    names = values.of(feature.categories) if isinstance(values, Members) else []
    place = feature.positions.get(value)
    if feature.kind is Kind.ORDINAL and place is not None:
        names = sorted(names, key=lambda name: abs(feature.positions[name] - place))
    return (names[0],) if names else None


def reach(feature: Feature, bounds: Sequence[Any], value: Any) -> float:
    """Return how far all bounds of a column and the value lie apart: the unit of its changes."""
    places = [_place(each) for each in (*bounds, *([] if value is None else [value]))]
    return max(places) - min(places) if places else 0


def size_of(feature: Feature, before: Any, after: Any, unit: float) -> float:
    """Return how great a change is: of ordered values and levels their distance, from 0 to 1, of categories 1.

    A change to or from an unseen value is 2, to or from a missing one 3: whoever asks what to change means a value.
    """
    if before is None or after is None:
        return 3.0
    if feature.is_ordered:
        return abs(_place(after) - _place(before)) / unit if unit else 1.0
    places = feature.positions.get(before), feature.positions.get(after)
    if None in places:
        return 2.0
    if feature.kind is Kind.ORDINAL and places[0] is not None and places[1] is not None:
        return abs(places[0] - places[1]) / max(1, len(feature.categories) - 1)
    return 1.0


def direction(feature: Feature, before: Any, after: Any) -> tuple[bool, Any]:
    """Return what orders changes of one value exactly, however close: those upwards first, nearer ones before."""
    if before is None or after is None or not feature.is_ordered:
        return False, 0
    return after < before, ordinate(after) if after > before else -ordinate(after)


def _place(value: Any) -> Any:
    """Return where a value lies; halves of numbers, so that no distance overflows."""
    place = ordinate(value)
    if not isinstance(place, float):
        return place
    return min(max(place, -float_info.max), float_info.max) / 2 if abs(place) == inf else place / 2


# ---- parts of conditions


def everything_of(feature: Feature) -> Condition:
    """Return the condition that every value meets."""
    return Condition(Interval() if feature.is_ordered else Members((), True), True, feature.is_open)


def common(feature: Feature, one: Condition, other: Condition) -> Condition | None:
    """Return the condition that both conditions hold, None where no value meets it."""
    missing, unseen = one.missing and other.missing, one.unseen and other.unseen
    return _condition(_both(feature, one.values, other.values), missing, unseen)


def minus(feature: Feature, one: Condition, other: Condition) -> list[Condition]:
    """Return what a condition takes and another does not, as conditions of which no value meets two."""
    missing, unseen = one.missing and not other.missing, one.unseen and not other.unseen
    if not feature.is_ordered:
        held = set(_names(feature, other.values))
        names = [name for name in _names(feature, one.values) if name not in held]
        found = [_condition(Members(names) if names else None, missing, unseen)]
    else:
        found = [_condition(None, missing, False)]
        if isinstance(one.values, Interval) and isinstance(other.values, Interval):
            below, above = Interval(None, other.values.above), Interval(other.values.upto, None)
            sides = [below] * (other.values.above is not None) + [above] * (other.values.upto is not None)
            found += [_condition(_both(feature, one.values, side), False, False) for side in sides]
        elif isinstance(one.values, Interval):
            found.append(Condition(one.values))
    return [condition for condition in found if condition is not None]


def _condition(values: Any, missing: bool, unseen: bool) -> Condition | None:
    return Condition(values, missing, unseen) if values is not None or missing or unseen else None


def _both(feature: Feature, one: Any, other: Any) -> Any:
    if one is None or other is None:
        return None
    if isinstance(one, Members):
        held = set(_names(feature, other))
        names = [name for name in _names(feature, one) if name in held]
        return Members(names) if names else None
    above = max((bound for bound in (one.above, other.above) if bound is not None), default=None)
    upto = min((bound for bound in (one.upto, other.upto) if bound is not None), default=None)
    empty = above is not None and (above >= upto if upto is not None else above == feature.highest)
    return None if empty else Interval(above, upto)


def _names(feature: Feature, values: Any) -> list[Any]:
    return values.of(feature.categories) if isinstance(values, Members) else []
