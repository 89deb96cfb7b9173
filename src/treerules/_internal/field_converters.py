"""Converters of frozen fields: freezing is shallow, so containers become tuples, and mappings are copied."""

from collections.abc import Iterable, Mapping
from typing import Any

from treerules.errors import OptionError


def as_tuple(values: Iterable[Any]) -> tuple[Any, ...]:
    """Return the values as a tuple.

    Raises:
        OptionError: the value is no collection. A converter does not know which field it is for.
    """
    try:
        return tuple(values)
    except TypeError:
        raise OptionError("one of the arguments", values, "a collection, such as a list") from None


def as_tuples(values: Iterable[Iterable[Any]]) -> tuple[tuple[Any, ...], ...]:
    """Return the values as a tuple of tuples.

    Raises:
        OptionError: the value, or one of its elements, is no collection.
    """
    return tuple(as_tuple(inner) for inner in as_tuple(values))


def as_dict(values: Any) -> Any:
    """Return a mapping as a dict of its own; any other value as it is, for the check of the record to refuse."""
    return dict(values) if isinstance(values, Mapping) else values


def as_frozenset(values: Iterable[Any]) -> frozenset[Any]:
    """Return the values as a set.

    Raises:
        OptionError: the value is no collection, or has an element that cannot be in a set.
    """
    try:
        return frozenset(values)
    except TypeError:
        raise OptionError("one of the arguments", values, "a collection of texts, numbers or dates") from None
