"""Converters of frozen fields: freezing is shallow, so containers become tuples."""

from collections.abc import Iterable
from typing import Any


def as_tuple(values: Iterable[Any]) -> tuple[Any, ...]:
    """Return the values as a tuple."""
    return tuple(values)


def as_tuples(values: Iterable[Iterable[Any]]) -> tuple[tuple[Any, ...], ...]:
    """Return the values as a tuple of tuples."""
    return tuple(tuple(inner) for inner in values)
