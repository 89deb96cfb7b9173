"""Errors in the words of the command line: an option where the Python functions name an argument."""

import re

import click
from attrs import evolve

from treerules.errors import OptionError

#: Arguments whose option has another name: --missing belongs to CSV files, --format to reports.
_OTHER_NAMES = {"missing": "missing_values", "folds": "cv", "extra_columns": "keys", "format": "form"}


def with_flags(error: OptionError, command: click.Command) -> OptionError:
    """Return the error with the options of a command in place of the arguments that it names.

    `features=['a'] is ...; use drop=` becomes `--features is ...; use --drop`.
    """
    flags = {
        str(parameter.name): max(parameter.opts, key=len)
        for parameter in command.params
        if isinstance(parameter, click.Option)
    }

    def flag(match: re.Match[str]) -> str:
        return _flag(match[1], flags) or match[0]

    wanted = re.sub(r"(?<![\w.'\"-])([a-z_]+)=(?:\.\.\.|True|None)?(?![\w'\"=])", flag, error.wanted)
    return evolve(error, option=_flag(error.option, flags) or error.option, wanted=wanted)


def _flag(name: str, flags: dict[str, str]) -> str | None:
    """Return the option for an argument; None where the command has none."""
    return flags.get(_OTHER_NAMES.get(name, name)) or flags.get(name)
