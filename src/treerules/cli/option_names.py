"""Errors in the words of the command line: an option where the Python functions name an argument."""

from collections.abc import Mapping, Sequence
from typing import Any

import click
from attrs import evolve

from treerules._internal.notes import Argument, Names, Note
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
    wanted = _with_options(error.wanted, flags)
    flag = _flag(error.option, flags) or error.option
    return evolve(error, option=flag, value=_as_typed(error.value, typed.get(flag, ())), wanted=wanted)


class _Option(str):
    """An option in the place of an `Argument`, whose value is left out."""

    def __format__(self, value: str) -> str:
        return str(self)


def _with_options(wanted: str, flags: Mapping[str, str]) -> str:
    """Return what is accepted with the options of a command in place of arguments, and without None."""
    if not isinstance(wanted, Note):
        return wanted
    if wanted.code == "or_none":
        return _with_options(wanted.parts["wanted"], flags)
    if wanted.code == "argument_of":
        names = Names(_flag(name, flags) or name for name in wanted.parts["names"])
        return Note("option_of", "an option of {place}: {names}", wanted.place, names=names)
    found = {name: _flag(part, flags) for name, part in wanted.parts.items() if isinstance(part, Argument)}
    options = {name: _Option(flag) for name, flag in found.items() if flag}
    return wanted.with_parts(**options)


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
