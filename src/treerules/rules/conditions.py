"""Conditions made of what they take, and what two of them both take, spelled as the rules of a tree spell them."""

from collections.abc import Iterable
from typing import Any

from treerules.data.domain import next_value
from treerules.data.schema import Feature
from treerules.rules.rule import Condition, Interval, Members


def among(feature: Feature, places: Iterable[int], unseen: bool, missing: bool = False) -> Condition:
    """Return the condition that takes the categories at these places: spelled as rules of a tree spell it."""
    held, categories = set(places), feature.categories
    if not held:
        return Condition(None, missing, unseen)
    if unseen:
        left = [category for place, category in enumerate(categories) if place not in held]
        return Condition(Members(left, complement=True), missing, True)
    return Condition(Members([categories[place] for place in sorted(held)]), missing)


def places_of(feature: Feature, values: Any) -> set[int]:
    """Return the places of the categories that the values of a condition take."""
    return set() if values is None else {feature.positions[value] for value in values.of(feature.categories)}


def both(feature: Feature, left: Condition, right: Condition) -> Condition:
    """Return what two conditions on one column both take."""
    missing, unseen = left.missing and right.missing, left.unseen and right.unseen
    if not feature.is_ordered:
        return among(feature, places_of(feature, left.values) & places_of(feature, right.values), unseen, missing)
    first: Any = left.values
    second: Any = right.values
    if first is None or second is None:
        return Condition(None, missing)
    above = max((v for v in (first.above, second.above) if v is not None), default=None)
    upto = min((v for v in (first.upto, second.upto) if v is not None), default=None)
    is_empty = above is not None and upto is not None and above >= upto
    return Condition(None if is_empty else Interval(above, upto), missing)


def compared(feature: Feature, sign: str, value: Any) -> Interval | None:
    """Return the values of an ordered column that are less or more than another; None for none.

    >>> number = Feature("x", "number")
    >>> compared(number, "LESS", 50.0), compared(number, "LEAST", -float("inf"))
    (Interval(above=None, upto=49.99999999999999), Interval(above=None, upto=None))
    """
    if sign in ("MOST", "MORE"):
        if sign == "MOST":
            return Interval(None, value)
        return None if value == feature.highest else Interval(value, None)
    before = next_value(feature, value, up=False)
    if sign == "LESS":
        return None if before is None else Interval(None, before)
    return Interval() if before is None else Interval(before, None)
