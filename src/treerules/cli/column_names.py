"""Options whose value is a list of column names, separated by commas."""

import csv
from collections.abc import Iterable
from typing import Any

from toolz import concat


def split_names(text: str) -> tuple[str, ...]:
    """Return the names in a text, separated by commas; a name with a comma stands in double quotes.

    >>> split_names('age, income,"a, b"')
    ('age', 'income', 'a, b')
    """
    return tuple(name.strip() for name in concat(csv.reader([text], skipinitialspace=True)))


def names_callback(context: Any, option: Any, value: str | Iterable[str] | None) -> tuple[str, ...] | None:
    """Return the names of an option that may be given once or several times; None where it is not given."""
    if not value:
        return None
    return split_names(value) if isinstance(value, str) else tuple(concat(map(split_names, value)))
