"""Checks of the arguments that the readers share: a value of a wrong type is an error that names the argument."""

from collections.abc import Collection, Mapping
from os import PathLike
from typing import Any, TypeAlias

from treerules._internal.arguments import (
    require_callables_or_none,
    require_names,
    require_path,
    require_type,
    require_whole_number,
)
from treerules._internal.notes import or_none, with_arguments
from treerules.data.cell_reading import require_missing_words
from treerules.data.number_form import APOSTROPHES, BLANKS
from treerules.data.schema import Schema
from treerules.errors import OptionError

#: What cells become that cannot be read: "missing" in all columns, {"height": "missing"} in some; None: nothing.
Unreadable: TypeAlias = str | Mapping[str, str] | None

#: The types of each argument (None is allowed too), and their description in errors.
_WANTED: dict[str, tuple[Any, str]] = {
    "types": (Mapping, or_none('a mapping from columns to kinds, such as {"zip": "category"}')),
    "schema": (Schema, or_none("a Schema, such as that of a tree")),
    "table": (str, or_none("the name of a table")),
    "query": (str, or_none("a query")),
    "database": (str | PathLike, or_none("the path of a DuckDB file")),
    "trim": (bool, or_none("True, False", "as the model does")),
    "header": (bool, or_none("True, False", "detected")),
    "encoding": (str, "an encoding of text that Python knows, such as gb18030 or cp1252"),
    "delimiter": (str, or_none("one ASCII character")),
    "quote": (str, or_none("one ASCII character")),
    "decimal": (str, or_none("a point or a comma")),
    "thousands": (str, or_none("a comma, point, apostrophe or blank")),
    "max_characters": (int, or_none("a whole number from 1")),
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
        elif name == "columns":
            is_list = isinstance(value, Collection) and getattr(value, "ndim", 1) == 1  # not a data frame
            if value is not None and (isinstance(value, str) or not is_list):
                raise OptionError(name, value, 'a sequence of names, such as ["age", "income"]')
        elif name == "progress":
            require_callables_or_none(progress=value)
        elif value is not None and name in _WANTED:
            require_type(name, value, *_WANTED[name])
    require_missing_words(arguments.get("missing"))
    _check_header(arguments.get("header"), arguments.get("columns"))
    _check_marks(arguments.get("decimal"), arguments.get("thousands"))
    _check_whole("max_characters", arguments.get("max_characters"), 1)
    _check_whole("skip", arguments.get("skip"), 0)
    _check_unreadable(arguments.get("unreadable"))


def is_made_missing(unreadable: Unreadable, name: str) -> bool | None:
    """Return whether cells of a column become missing where they cannot be read; None: where most of them can.

    >>> is_made_missing({"a": "missing"}, "a"), is_made_missing({"a": "missing"}, "b"), is_made_missing("missing", "a")
    (True, False, None)
    """
    if isinstance(unreadable, Mapping):
        return name in unreadable
    return False if unreadable is None else None


def _check_unreadable(unreadable: Any) -> None:
    """Raise OptionError for anything but "missing", for all columns or for some by name."""
    words = list(unreadable.values()) if isinstance(unreadable, Mapping) else [unreadable]
    if unreadable is not None and any(not isinstance(word, str) or word != "missing" for word in words):
        raise OptionError("unreadable", unreadable, or_none('"missing", {"height": "missing"}'))


def _check_whole(name: str, value: int | None, least: int) -> None:
    if value is not None:
        require_whole_number(name, value, least)


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
        wanted = with_arguments(f"another character than that of {{decimal:{decimal!r}}}", "decimal")
        raise OptionError("thousands", thousands, wanted)
