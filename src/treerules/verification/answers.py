"""Answers of predictors: their values in Python, and whether two are the same."""

from datetime import date, datetime
from decimal import Decimal
from math import ulp
from typing import Any

from attrs import frozen


@frozen
class RaisedError:
    """The place of an answer that is missing: the code raised an error, or returned an object that is no value."""

    problem: str

    def __str__(self) -> str:
        return self.problem


def as_answer(scalar: str, value: Any, *, loose: bool) -> Any:
    """Return an answer as a prediction in Python; `scalar` is that of the predictions (`Schema.predicted`).

    An integer stands for the number that it equals. With `loose`, for languages that lack some types, 0 and 1 stand for
    booleans, whole numbers for integers, and ISO texts for dates and timestamps.
    """
    if isinstance(value, bool) or value is None or isinstance(value, RaisedError):
        return value
    if scalar == "number" and isinstance(value, (int, float, Decimal)):
        return _float(value)
    if not loose:
        return value
    if scalar == "integer" and isinstance(value, (float, Decimal)):
        return _integer(value)
    if scalar == "boolean" and type(value) is int and value in (0, 1):
        return bool(value)
    if scalar in ("date", "timestamp", "timestamp_utc") and isinstance(value, str):
        return _moment(scalar, value)
    return value


def _float(value: Any) -> Any:
    try:
        return float(value)
    except (OverflowError, ValueError):  # an integer beyond all doubles, or a signalling NaN
        return value


def _integer(value: float | Decimal) -> Any:
    try:
        whole = int(value)
    except (OverflowError, ValueError):  # an infinity, or NaN
        return value
    return whole if whole == value else value


def _moment(scalar: str, text: str) -> Any:
    try:
        return date.fromisoformat(text) if scalar == "date" else datetime.fromisoformat(text)
    except ValueError:
        return text


def is_same(expected: Any, answer: Any) -> bool:
    """Whether two answers are the same value of the same type.

    >>> is_same(1.0, 1.0), is_same(True, 1), is_same("1", 1), is_same(0.3, 0.1 + 0.2), is_same("a", "a")
    (True, False, False, False, True)
    """
    return type(answer) is type(expected) and bool(answer == expected)


def is_alike(expected: Any, answer: Any, ulps: int = 0) -> bool:
    """Whether two predictors answer alike: the same value, NaN both times, or an error both times.

    Numbers may differ by `ulps` units in the last place.

    >>> is_alike(float("nan"), float("nan")), is_alike(RaisedError("raised KeyError"), RaisedError("raised ValueError"))
    (True, True)
    """
    both_raise = isinstance(expected, RaisedError) and isinstance(answer, RaisedError)
    if both_raise or is_same(expected, answer) or (expected != expected and answer != answer):
        return True
    is_number = ulps > 0 and type(expected) is type(answer) is float
    return is_number and abs(expected - answer) <= ulps * ulp(expected)
