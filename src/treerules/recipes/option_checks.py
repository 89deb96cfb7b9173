"""Checks of the values of options."""

from collections.abc import Callable, Iterable
from datetime import date
from typing import Any

from treerules.data.sample_weights import LEAST, MOST
from treerules.errors import OptionError


def require(option: str, value: Any, is_valid: bool, accepted: str) -> None:
    """Raise OptionError where the value of an option is not valid."""
    if not is_valid:
        raise OptionError(option, value, accepted)


def require_pairs(option: str, rows: Iterable[Any], is_valid: Callable[[Any], bool], accepted: str) -> None:
    """Raise OptionError unless rows are pairs of a name and a valid value, each name once."""
    rows = list(rows)
    are_valid = all(len(row) == 2 and is_name(row[:1]) and is_valid(row[1]) for row in rows)
    require(option, rows, are_valid and len({row[0] for row in rows}) == len(rows), accepted)


def is_name(names: Iterable[Any]) -> bool:
    """Return whether all names are of types that name a feature or a class."""
    return all(isinstance(name, (str, int, float, date)) for name in names)


def is_cost(value: Any) -> bool:
    """Return whether a value is 0, or a number in the range of weights."""
    return is_number(value) and (value == 0 or LEAST <= value <= MOST)


def is_number(value: Any) -> bool:
    """Return whether a value is a number; True and False are not."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_positive(value: Any) -> bool:
    """Return whether a value is a number in the range of weights."""
    return is_number(value) and LEAST <= value <= MOST


def is_whole(value: Any, least: int) -> bool:
    """Return whether a value is a whole number of at least some size."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= least
