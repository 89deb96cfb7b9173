"""Values of a model file: conversion to JSON and back, with checks of the type."""

import json
import re
from collections.abc import Callable
from datetime import date, datetime
from functools import partial
from typing import Any

from treerules.data.interval import Interval, canonical, union_of
from treerules.data.schema import SCALARS, Feature
from treerules.data.value_set import ValueSet
from treerules.errors import ModelFileError


def json_text(value: Any) -> str:
    """Return a value as JSON without blanks; lone surrogates, which UTF-8 does not have, are escaped."""
    if type(value) in (int, float) and abs(value) < float("inf"):
        return repr(value)
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return re.sub("[\ud800-\udfff]", lambda match: f"\\u{ord(match[0]):04x}", text)


def value_to_json(value: Any) -> Any:
    """Return a value for JSON: infinities, dates and timestamps become strings."""
    if isinstance(value, float) and abs(value) == float("inf"):
        return "inf" if value > 0 else "-inf"
    return value.isoformat() if isinstance(value, (date, datetime)) else value


def require_instance(kind: type, value: Any) -> Any:
    """Return a value of exactly this type.

    Raises:
        ModelFileError: the value has another type.
    """
    if type(value) is not kind:
        raise ModelFileError(f"{value!r:.60} stands where {kind.__name__} belongs")
    return value


def float_of(value: Any) -> float:
    """Return the float of a JSON value."""
    if value in ("inf", "-inf"):
        return float(value)
    return float(value) if type(value) is int else float(require_instance(float, value))


_READ: dict[str, Callable[[Any], Any]] = {
    "number": float_of,
    "date": lambda value: date.fromisoformat(require_instance(str, value)),
    "timestamp": lambda value: datetime.fromisoformat(require_instance(str, value)),
    "timestamp_utc": lambda value: datetime.fromisoformat(require_instance(str, value)),
}


def reader_of(scalar: str) -> Callable[[Any], Any]:
    """Return the function that converts JSON values to a scalar type."""
    return _READ.get(scalar) or partial(require_instance, SCALARS[scalar].type)


def intervals_to_json(values: ValueSet) -> list[list[Any]]:
    """Return the intervals of a set as pairs [above, upto]; None is no bound."""
    ends = ((interval.above, interval.upto) for interval in values.intervals)
    return [[None if end is None else value_to_json(end) for end in pair] for pair in ends]


def intervals_from_json(feature: Feature, pairs: Any) -> ValueSet:
    """Return the set of the values in pairs [above, upto].

    Raises:
        ModelFileError: they are not ascending intervals of the feature, with some value between any two.
    """
    read = reader_of(feature.scalar)
    ends = [[None if end is None else read(end) for end in require_instance(list, pair)] for pair in pairs]
    intervals = tuple(Interval(above, upto) for above, upto in ends)
    if canonical(union_of(intervals)) != intervals:
        raise ModelFileError(f"a test holds the intervals {pairs!r:.60}, which are not ascending or touch each other")
    return ValueSet(feature, intervals)
