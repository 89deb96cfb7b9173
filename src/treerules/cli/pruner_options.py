"""The options of the pruning methods on the command line, made from their records.

Methods with an option of one name share one option of the command line. Its help names the methods of each meaning, in
the order of PRUNERS; of a column it names the option that gives the table, and of an option that implies its method
nothing:

    penalised, cost_complexity: the price of a leaf.
    --data: a column of case weights.  [default: the model's]
    Cut off here (number in preorder, from 0).
"""

from collections.abc import Callable, Mapping
from typing import Any

import click
from toolz import groupby, unique

from treerules.cli.table_options import PATH, Command, reading_csv
from treerules.pruning.pruner import ColumnOf, NodeNumbers, NumberRange, OneOf, Option, Pruner, Switch, TableRows
from treerules.pruning.pruners import DEFAULT_PRUNER, PRUNERS

#: What click is told of an option, by what values it takes.
_CLICK: dict[type, Callable[[Any], dict[str, Any]]] = {
    NumberRange: lambda values: {"type": float, "metavar": "X"},
    OneOf: lambda values: {"type": click.Choice(list(values.names))},
    Switch: lambda values: {"is_flag": True, "default": None},
    NodeNumbers: lambda values: {"type": int, "metavar": "NODE", "multiple": True},
    TableRows: lambda values: {"type": PATH, "metavar": "F"},
    ColumnOf: lambda values: {"metavar": "COL"},
}
#: What help says of an option beside the pruning methods, by the option's name: cross-validation has the same table.
_OTHER_USES = {"table": [("--cv", "the training rows")]}


def _shared_options() -> list[Option]:
    """Return the options that the command line has, one of each name: those of the usual method come first, then those
    of the others in the order of PRUNERS.
    """
    pruners = sorted(PRUNERS.values(), key=lambda pruner: pruner.name != DEFAULT_PRUNER)
    options = [option for pruner in pruners for option in pruner.options if option.flag is not None]
    return list(unique(options, key=lambda option: option.name))


_SHARED = _shared_options()
TABLES = [option for option in _SHARED if isinstance(option.values, TableRows)]
COLUMNS = [option for option in _SHARED if isinstance(option.values, ColumnOf)]
_PLAIN = [option for option in _SHARED if option not in (*TABLES, *COLUMNS)]


def pruning(command: Command) -> Command:
    """Give a command --method, the options of the pruning methods, and, between the tables and their columns, those of
    reading CSV files.
    """
    method = click.option("--method", type=click.Choice(list(PRUNERS)), help=f"How.  [default: {DEFAULT_PRUNER}]")
    for add in reversed((method, *map(_click, (*_PLAIN, *TABLES)), reading_csv, *map(_click, COLUMNS))):
        command = add(command)
    return command


def _click(option: Option) -> Callable[[Command], Command]:
    flag, told = str(option.flag), _CLICK[type(option.values)](option.values)
    return click.option(flag, option.name, help=_help(option.name), **told)


def _help(name: str) -> str:
    """Return the help of an option that methods share: what it means to which."""
    options = [(pruner, option) for pruner in PRUNERS.values() for option in pruner.options if option.name == name]
    uses = [*_OTHER_USES.get(name, []), *((_user(pruner, option), option.help) for pruner, option in options)]
    parts = []
    for meaning, users in groupby(lambda use: use[1], uses).items():
        users = ", ".join(unique(user for user, _ in users))
        parts.append(f"{users}: {meaning}" if users else meaning[0].upper() + meaning[1:])
    defaults = unique(f"  [default: {option.default}]" for _, option in options if option.default)
    return f"{'; '.join(parts)}.{''.join(defaults)}"


def _user(pruner: Pruner, option: Option) -> str:
    """Return what the meaning of a method's option is headed by."""
    if option.implies_method:
        return ""
    if isinstance(option.values, ColumnOf):
        return str(next(own.flag for own in pruner.options if own.name == option.values.table))
    return pruner.name


def given_options(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of pruning methods that a command was given, in the order of its help."""
    names = [option.name for option in (*_PLAIN, *TABLES, *COLUMNS)]
    return {name: values[name] for name in names if values[name] not in (None, ())}


def given_apart_from_columns(given: Mapping[str, Any]) -> set[str]:
    """Return the names of the options given, without columns: they say nothing unless their table is given."""
    return set(given) - {option.name for option in COLUMNS}


def implied_pruner(given: Mapping[str, Any], method: str | None) -> Pruner | None:
    """Return the method that an option implies, if one is given that does.

    Raises:
        click.UsageError: another method, or an option of another one, is given too.
    """
    for pruner in PRUNERS.values():
        for option in pruner.options:
            if option.implies_method and option.name in given:
                if method not in (None, pruner.name) or given_apart_from_columns(given).difference(pruner.option_names):
                    raise click.UsageError(
                        f"{option.flag} goes with no other way of pruning.", click.get_current_context()
                    )
                return pruner
    return None
