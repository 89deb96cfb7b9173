"""Checks of the arguments that the readers share: a value of a wrong type is an error that names the argument."""

from collections.abc import Collection, Mapping
from os import PathLike
from typing import Any

from treerules._internal.arguments import (
    require_callables_or_none,
    require_names,
    require_path,
    require_type,
    require_whole_number,
)
from treerules.data.number_form import APOSTROPHES, BLANKS
from treerules.data.schema import Schema
from treerules.errors import OptionError

#: The types of each argument (None is allowed too), and their description in errors.
_WANTED: dict[str, tuple[Any, str]] = {
    "types": (Mapping, 'a mapping from columns to kinds, such as {"zip": "category"}, or None'),
    "schema": (Schema, "a Schema, such as that of a tree, or None"),
    "table": (str, "the name of a table, or None"),
    "query": (str, "a query, or None"),
    "database": (str | PathLike, "the path of a DuckDB file, or None"),
    "header": (bool, "True, False, or None: detected"),
    "encoding": (str, "an encoding of text that Python knows, such as gb18030 or cp1252"),
    "delimiter": (str, "one ASCII character, or None"),
    "quote": (str, "one ASCII character, or None"),
    "decimal": (str, "a point or a comma, or None"),
    "thousands": (str, "a comma, point, apostrophe or blank, or None"),
    "max_characters": (int, "a whole number from 1, or None"),
}
_COLLECTIONS = {
    "columns": 'a sequence of names, such as ["age", "income"]',
    "missing": 'a collection of texts, such as ["NA", "-"]',
}


def check_reader_arguments(**arguments: Any) -> None:
    """Raise OptionError for the first argument, given by its name, that has a wrong type.

    `path` and `extra_columns` are required; `progress` is a function or None; all others may be None.
    """
    for name, value in arguments.items():
        if name == "path":
            require_path(value)
        elif name == "extra_columns":
            require_names(name, value)
        elif name in _COLLECTIONS:
            is_list = isinstance(value, Collection) and getattr(value, "ndim", 1) == 1  # not a data frame
            if value is not None and (isinstance(value, str) or not is_list):
                raise OptionError(name, value, _COLLECTIONS[name])
        elif name == "progress":
            require_callables_or_none(progress=value)
        elif value is not None:
            require_type(name, value, *_WANTED[name])
    _check_header(arguments.get("header"), arguments.get("columns"))
    _check_marks(arguments.get("decimal"), arguments.get("thousands"))
    _check_bound(arguments.get("max_characters"))


def _check_bound(most: int | None) -> None:
    if most is not None:
        require_whole_number("max_characters", most, 1)


def _check_header(header: bool | None, columns: Collection[str] | None) -> None:
    if header and columns is not None:
        raise OptionError("header", True, "False or None beside columns, which are for a file without a header")


def _check_marks(decimal: str | None, thousands: str | None) -> None:
    """Raise OptionError for a decimal mark or a character between thousands that numbers are not written with."""
    if decimal not in (None, ".", ","):
        raise OptionError("decimal", decimal, _WANTED["decimal"][1])
    if thousands not in (None, ",", ".", *APOSTROPHES, *BLANKS):
        raise OptionError("thousands", thousands, _WANTED["thousands"][1])
    if thousands is not None and thousands == decimal:
        raise OptionError("thousands", thousands, f"another character than that of decimal={decimal!r}")
