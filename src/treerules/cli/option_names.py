"""Errors in the words of the command line: an option where the Python functions name an argument."""

import re

import click
from attrs import evolve

from treerules.errors import OptionError

#: Arguments whose option has another name: --missing belongs to CSV files, --format to reports.
_OTHER_NAMES = {"missing": "missing_values", "folds": "cv", "extra_columns": "keys", "format": "form"}

#: An argument in an error, such as drop=, drop=..., drop_missing_target=True; not a value such as 'a=3'.
_ARGUMENT = re.compile(r"(?<![\w.'\"-])([a-z_]+)=(?:\.\.\.|True|None)?(?![\w'\"=])")
#: The arguments that an algorithm or a method has.
_ARGUMENT_LIST = re.compile(r"an argument of (\w+), which are (.*)")


def with_flags(error: OptionError, command: click.Command) -> OptionError:
    """Return the error with the options of a command in place of the arguments that it names.

    `features=['a'] is ...; use drop=` becomes `--features is ...; use --drop`.
    """
    flags = {
        str(parameter.name): max(parameter.opts, key=len)
        for parameter in command.params
        if isinstance(parameter, click.Option)
    }

    wanted = _ARGUMENT.sub(lambda match: _flag(match[1], flags) or match[0], error.wanted)
    listed = _ARGUMENT_LIST.fullmatch(wanted)
    if listed:
        names = (_flag(name, flags) or name for name in listed[2].split(", "))
        wanted = f"an option of {listed[1]}: {', '.join(names)}"
    return evolve(error, option=_flag(error.option, flags) or error.option, wanted=wanted)


def _flag(name: str, flags: dict[str, str]) -> str | None:
    """Return the option for an argument; None where the command has none."""
    return flags.get(_OTHER_NAMES.get(name, name)) or flags.get(name)
