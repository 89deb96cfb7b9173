"""Checks of the arguments of public functions: a value of the wrong type is an error that names the argument."""

import os
from collections.abc import Collection, Iterable
from os import PathLike
from typing import Any

from treerules._internal.notes import or_none
from treerules.errors import FileError, OptionError, UnknownNameError


def require_type(argument: str, value: object, kind: Any, wanted: str) -> None:
    """Raise OptionError unless a value is an instance of a type, or of a union of types."""
    if not isinstance(value, kind):
        raise OptionError(argument, value, wanted)


def require_flags(**flags: object) -> None:
    """Raise OptionError unless every value is True or False; the keywords are the names of the arguments."""
    for argument, value in flags.items():
        require_type(argument, value, bool, "True or False")


def require_names(argument: str, names: Any) -> tuple[str, ...]:
    """Return a collection of names as a tuple.

    Raises:
        OptionError: the value is text or a data frame, is not iterable, or has an element that is not text.
    """
    accepted = 'a collection of names, such as ["age"]'
    is_frame = hasattr(names, "columns")  # a data frame iterates over its names, which is hardly meant
    if isinstance(names, str) or is_frame or not isinstance(names, Iterable):
        raise OptionError(argument, names, accepted)
    elements = tuple(names)
    if not all(isinstance(element, str) for element in elements):
        raise OptionError(argument, names, accepted)
    return elements


def require_columns(known: Collection[str], **arguments: Any) -> None:
    """Raise UnknownNameError for the first column name that is not in `known`.

    Each keyword is the name of an argument; its value is what was passed: one name, a collection of names, or a mapping
    whose keys are names.
    """
    for argument, passed in arguments.items():
        for name in (passed,) if isinstance(passed, str) else passed:
            if name not in known:
                raise UnknownNameError("column", name, known, argument=argument, passed=passed)


def require_whole_number(argument: str, value: object, least: int) -> None:
    """Raise OptionError unless a value is a whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise OptionError(argument, value, f"a whole number from {least}")


def require_callables(**functions: object) -> None:
    """Raise OptionError unless every value can be called; the keywords are the names of the arguments."""
    for argument, value in functions.items():
        if not callable(value):
            raise OptionError(argument, value, "a function")


def require_callables_or_none(**functions: object) -> None:
    """Raise OptionError unless every value is None or can be called; the keywords are the names of the arguments."""
    for argument, value in functions.items():
        if value is not None and not callable(value):
            raise OptionError(argument, value, or_none("a function"))


def require_path(path: object, argument: str = "path") -> None:
    """Raise OptionError unless a value is a path, FileError for a path that no file can have."""
    if not isinstance(path, str | PathLike):
        raise OptionError(argument, path, "the path of a file, as text or a Path")
    try:
        is_valid = b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        is_valid = False
    if not is_valid:
        raise FileError(ascii(str(path)), "is not a valid path", "leave out NUL characters and lone surrogates")
