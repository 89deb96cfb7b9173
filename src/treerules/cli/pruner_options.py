"""The options of the pruning methods on the command line, made from their records.

Methods that have an option of the same name share one option of the command line. Its help lists the methods behind
each meaning, in the order of PRUNERS, but not behind a column, nor behind an option that implies its method:

    Set the price of a leaf (penalised, cost_complexity).
    Take case weights from this column of --data.  [default: the model's]
    Make this split a leaf, by its number in preorder from 0.
"""

from collections.abc import Callable, Mapping
from typing import Any

import click
from toolz import groupby, unique

from treerules.cli.command_group import Command, add_options
from treerules.cli.input_paths import PATH
from treerules.cli.table_options import csv_options
from treerules.pruning.pruner import ColumnOf, NodeNumbers, NumberRange, OneOf, Option, Pruner, Switch, TableRows
from treerules.pruning.pruners import DEFAULT_PRUNER, PRUNERS

#: The settings of click for an option, by the type of its values.
_CLICK: dict[type, Callable[[Any], dict[str, Any]]] = {
    NumberRange: lambda values: {"type": float, "metavar": "X"},
    OneOf: lambda values: {"type": click.Choice(list(values.names))},
    Switch: lambda values: {"is_flag": True, "default": None},
    NodeNumbers: lambda values: {"type": int, "metavar": "NODE", "multiple": True},
    TableRows: lambda values: {"type": PATH, "metavar": "F"},
    ColumnOf: lambda values: {"metavar": "COL"},
}
#: Other uses to name in the help of an option: cross-validation uses the same table.
_OTHER_USES = {"table": [("--cv", "read the training rows from this file")]}


def _shared_options() -> list[Option]:
    """Return one option of each name: those of the default method first, then the others in the order of PRUNERS."""
    pruners = sorted(PRUNERS.values(), key=lambda pruner: pruner.name != DEFAULT_PRUNER)
    options = [option for pruner in pruners for option in pruner.options if option.flag is not None]
    return list(unique(options, key=lambda option: option.name))


_SHARED = _shared_options()
TABLES = [option for option in _SHARED if isinstance(option.values, TableRows)]
COLUMNS = [option for option in _SHARED if isinstance(option.values, ColumnOf)]
_PLAIN = [option for option in _SHARED if option not in (*TABLES, *COLUMNS)]


def pruner_options(command: Command) -> Command:
    """Add --method, the options of the pruning methods, and those of reading CSV files."""
    methods = click.Choice(list(PRUNERS))
    method = click.option("--method", type=methods, help=f"Prune by this method.  [default: {DEFAULT_PRUNER}]")
    return add_options(command, (method, *map(_click, (*_PLAIN, *TABLES)), csv_options, *map(_click, COLUMNS)))


def _click(option: Option) -> Callable[[Command], Command]:
    settings = _CLICK[type(option.values)](option.values)
    return click.option(str(option.flag), option.name, help=_help(option.name), **settings)


def _help(name: str) -> str:
    """Return the help of an option: each meaning, and the methods that give it this meaning."""
    options = [(pruner, option) for pruner in PRUNERS.values() for option in pruner.options if option.name == name]
    uses = [*_OTHER_USES.get(name, []), *((_user(pruner, option), option.help) for pruner, option in options)]
    parts = []
    for meaning, users in groupby(lambda use: use[1], uses).items():
        users = ", ".join(unique(user for user, _ in users))
        parts.append(f"{meaning} ({users})" if users else meaning)
    defaults = unique(f"  [default: {option.default}]" for _, option in options if option.default)
    sentence = "; ".join(parts)
    return f"{sentence[0].upper()}{sentence[1:]}.{''.join(defaults)}"


def _user(pruner: Pruner, option: Option) -> str:
    """Return the name behind the meaning that a method gives to its option; "" where none is needed."""
    return "" if option.implies_method or isinstance(option.values, ColumnOf) else pruner.name


def passed_options(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of pruning methods that were passed, in the order of the help."""
    names = [option.name for option in (*_PLAIN, *TABLES, *COLUMNS)]
    return {name: values[name] for name in names if values[name] not in (None, ())}


def names_without_columns(passed: Mapping[str, Any]) -> set[str]:
    """Return the names of the passed options, without columns, which have no meaning without their table."""
    return set(passed) - {option.name for option in COLUMNS}


def check_passed_options(passed: Mapping[str, Any], pruner: Pruner) -> None:
    """Raise click.UsageError unless a method has the passed options, and all that it requires are among them."""
    context = click.get_current_context()
    own_flags = [option.flag for option in pruner.options if option.flag is not None]
    for option in (option for option in _SHARED if option.name in passed and option.name not in pruner.option_names):
        has = f"which has {', '.join(own_flags)}" if own_flags else "which has no options"
        raise click.UsageError(f"{option.flag} is not an option of --method {pruner.name}, {has}.", context)
    for option in pruner.options:
        if option.required and option.name not in passed:
            example = f"{option.example}.csv" if isinstance(option.values, TableRows) else option.example
            needed = f"{option.flag}, as in {option.flag} {example}"
            chooses = "; --cv 10 --data FILE chooses it" if pruner.name == DEFAULT_PRUNER else ""
            raise click.UsageError(f"--method {pruner.name} needs {needed}{chooses}.", context)


def implied_pruner(passed: Mapping[str, Any], method: str | None) -> Pruner | None:
    """Return the method that a passed option implies; None where none does.

    Raises:
        click.UsageError: Another method, or an option of another one, is passed too.
    """
    for pruner in PRUNERS.values():
        for option in pruner.options:
            if option.implies_method and option.name in passed:
                if method not in (None, pruner.name) or names_without_columns(passed).difference(pruner.option_names):
                    raise click.UsageError(
                        f"{option.flag} cannot be combined with another pruning method.", click.get_current_context()
                    )
                return pruner
    return None
