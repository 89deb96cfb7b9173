"""Errors in the words of the command line: an option where the Python functions name an argument."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import click
from attrs import evolve

from treerules.cli.column_names import split_names
from treerules.errors import OptionError, UnknownNameError

#: Arguments whose option has another name: --missing belongs to CSV files, --format to reports.
_OTHER_NAMES = {
    "missing": "missing_values",
    "folds": "cv",
    "extra_columns": "keys",
    "format": "form",
    "table": "source_table",
}

#: An argument in an error, such as drop=, drop=..., drop_missing_target=True; not a value such as 'a=3'.
_ARGUMENT = re.compile(r"(?<![\w.'\"-])([a-z_]+)=(?:\.\.\.|True|None)?(?![\w'\"=])")
#: The end of what is accepted that names None, which nobody can write on the command line.
_OR_NONE = re.compile(r",? or None\b.*")
#: The arguments that an algorithm or a method has.
_ARGUMENT_LIST = re.compile(r"an argument of (\w+), which are (.*)")


def with_flags(
    error: OptionError | UnknownNameError, command: click.Command, arguments: Sequence[str]
) -> OptionError | UnknownNameError:
    """Return the error with the options of a command in place of the arguments, and their values as they were typed.

    `features=['a'] is ...; use drop=` becomes `--features is 'a'; use --drop`.

    Args:
        error: the error of a Python function.
        command: the command that called it.
        arguments: the arguments of the command, as they were typed.
    """
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    flags = {str(option.name): max(option.opts, key=len) for option in options}
    typed = {max(option.opts, key=len): _typed_values(option, arguments) for option in options}
    if isinstance(error, UnknownNameError):
        return evolve(error, argument=_flag_with_name(error, flags, typed))
    wanted = _OR_NONE.sub("", _ARGUMENT.sub(lambda match: _flag(match[1], flags) or match[0], error.wanted))
    listed = _ARGUMENT_LIST.fullmatch(wanted)
    if listed:
        names = (_flag(name, flags) or name for name in listed[2].split(", "))
        wanted = f"an option of {listed[1]}: {', '.join(names)}"
    flag = _flag(error.option, flags) or error.option
    return evolve(error, option=flag, value=_as_typed(error.value, typed.get(flag, ())), wanted=wanted)


def _flag(name: str, flags: Mapping[str, str]) -> str | None:
    """Return the option for an argument; None where the command has none."""
    return flags.get(_OTHER_NAMES.get(name, name)) or flags.get(name)


def _flag_with_name(error: UnknownNameError, flags: Mapping[str, str], typed: Mapping[str, Sequence[str]]) -> str:
    """Return the option that names what is unknown; "" where there is none.

    Several options name the extra columns that a reader reads, so that the one that holds the name is searched.
    """
    flag = _flag(error.argument, flags)
    if flag is not None or not error.argument:
        return flag or error.argument
    return next((flag for flag, texts in typed.items() if any(error.name in split_names(text) for text in texts)), "")


def _typed_values(option: click.Option, arguments: Sequence[str]) -> list[str]:
    """Return the values of an option as they were typed."""
    values = []
    following = [*arguments[1:], ""]
    for text, next_text in zip(arguments, following, strict=bool(arguments)):
        flag, equals, value = text.partition("=")
        if text == "--":
            break
        if text in option.opts and not option.is_flag:
            values.append(next_text)
        elif equals and flag in option.opts:
            values.append(value)
    return values


def _as_typed(value: Any, texts: Sequence[str]) -> Any:
    """Return a value as it was typed; unchanged where it was not, or where it is another number."""
    if not texts:
        return value
    if value is None:  # NaN, which the library takes as None
        return texts[-1]
    is_number = isinstance(value, (int, float))
    if is_number:
        return int(value) if texts[-1].lstrip("+-").isdecimal() else value
    return texts[0] if len(texts) == 1 else " ".join(texts)
