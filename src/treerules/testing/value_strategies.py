"""Strategies for the values of a feature: all of them, or those that satisfy a condition. Nothing is filtered."""

import math
from collections.abc import Iterator
from datetime import UTC
from functools import cache
from typing import Any

from toolz import unique

from treerules.data.domain import next_value, unseen_value
from treerules.data.interval import Interval
from treerules.data.known_values import extremes_of
from treerules.data.schema import Feature
from treerules.rules.rule import Condition, Members
from treerules.testing.edge_cases import POOLS, SIMPLEST
from treerules.testing.hypothesis_extra import st

Values = st.SearchStrategy[Any]


@cache
def ordered_values(feature: Feature) -> Values:
    """Return a strategy for the known values of an ordered feature, often edge cases and their neighbours."""
    pool = POOLS[feature.scalar]
    neighbours = [next_value(feature, value, up=up) for value in pool for up in (False, True)]
    around = unique((*pool, *(value for value in neighbours if value is not None)))
    edge_cases = (*SIMPLEST.get(feature.scalar, ()), *pool, *((-0.0,) if feature.scalar == "number" else ()))
    return st.one_of(between(feature, Interval()), st.sampled_from(edge_cases), st.sampled_from(list(around)))


def between(feature: Feature, interval: Interval) -> Values:
    """Return a strategy for the values of an interval, both ends included.

    >>> from hypothesis import find
    >>> find(between(Feature("n", "integer"), Interval(2, 5)), lambda n: True)
    3
    """
    lowest, highest = extremes_of(feature, interval) or (feature.highest, feature.highest)
    if lowest == highest:
        return st.just(highest)
    if feature.scalar == "number":
        return _floats(lowest, highest)
    if feature.scalar == "integer":
        return st.integers(lowest, highest)
    if feature.scalar == "date":
        return st.dates(lowest, highest)
    zone = UTC if feature.scalar == "timestamp_utc" else None
    moments = st.datetimes(lowest.replace(tzinfo=None), highest.replace(tzinfo=None))
    return moments.map(lambda moment: moment.replace(tzinfo=zone, fold=0))


def _floats(lowest: float, highest: float) -> Values:
    """Return a strategy for the numbers between two, with the infinities and -0.0 where they lie between."""
    least = None if lowest == -math.inf else -0.0 if lowest == 0 else lowest
    most = None if highest == math.inf else 0.0 if highest == 0 else highest
    return st.floats(least, most, allow_nan=False)


def missing_values(feature: Feature) -> list[Any]:
    """Return the representations of a missing value."""
    return [None, math.nan] if feature.scalar == "number" else [None]


def _one_of(values: list[Any]) -> Values:
    """Return a strategy for a few values.

    A single value is listed twice: drawn without a choice, it would count as simpler than any value that needs one.
    """
    return st.sampled_from(values if len(values) > 1 else values * 2)


@cache
def known_values(feature: Feature) -> Values:
    """Return a strategy for values that are neither missing nor unseen; for a missing value if there are none."""
    if feature.is_ordered:
        return ordered_values(feature)
    return st.sampled_from(feature.categories or (None,))


@cache
def any_values(feature: Feature) -> Values:
    """Return a strategy for all values of a feature: known, unseen and missing ones."""
    return st.one_of(list(_any_values(feature)))


def _any_values(feature: Feature) -> Iterator[Values]:
    if feature.is_ordered or feature.categories:
        yield known_values(feature)
    if feature.is_open and (unseen := unseen_value(feature)) is not None:
        yield _one_of([unseen])
    yield _one_of(missing_values(feature))


def values_meeting(feature: Feature, condition: Condition) -> Values | None:
    """Return a strategy for the values that satisfy a condition; None if no value does."""
    strategies = list(_values_meeting(feature, condition))
    return st.one_of(strategies) if strategies else None


def _values_meeting(feature: Feature, condition: Condition) -> Iterator[Values]:
    values = condition.values
    for interval in condition.intervals:
        if (extremes := extremes_of(feature, interval)) is not None:
            yield between(feature, interval)
            yield st.sampled_from(extremes)
    if isinstance(values, Members) and (named := values.of(feature.categories)):
        yield st.sampled_from(named)
    if condition.unseen and (unseen := unseen_value(feature)) is not None:
        yield _one_of([unseen])
    if condition.missing:
        yield _one_of(missing_values(feature))
