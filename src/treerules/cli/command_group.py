"""A group of commands, each of which is loaded when it is run, so that --help loads none."""

from collections.abc import Callable, Collection, Mapping, Sequence
from importlib import import_module
from typing import Any, TypeVar

import click
from attrs import frozen

from treerules.cli.option_names import with_flags
from treerules.errors import OptionError, UnknownNameError, did_you_mean

#: The key of a context's `meta` under which the arguments stand as they were typed.
_ARGUMENTS = f"{__name__}.arguments"
#: A function that click makes a command of.
Command = TypeVar("Command", bound=Callable[..., Any])


def add_options(command: Command, options: Sequence[Callable[[Command], Command]]) -> Command:
    """Add options to a command, which lists them in this order."""
    for option in reversed(options):
        command = option(command)
    return command


@frozen
class Entry:
    """A command: its module in this package, its name there, and the sentence by which --help lists it."""

    module: str
    attribute: str
    summary: str


class CommandGroup(click.Group):
    """A group that loads a command when it is run."""

    def __init__(self, *, entries: Mapping[str, Entry], groups: Collection[str] = (), **choices: Any) -> None:
        listed = {name: click.Command(name, help=entry.summary) for name, entry in entries.items()}
        super().__init__(commands=listed, **choices)
        self.entries = entries
        #: the names of the entries that are groups themselves
        self.groups = groups

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Return the command of a name; None if there is none."""
        entry = self.entries.get(name)
        if entry is None:
            return None
        module = import_module(f"treerules.cli.{entry.module}")  # late: --help lists commands without loading them
        command: click.Command = getattr(module, entry.attribute)
        return command

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, and keep them as they were typed for errors."""
        context.meta[_ARGUMENTS] = tuple(args)
        return super().parse_args(context, args)

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the arguments name.

        Raises:
            click.UsageError: There is no such command; the message names the command that was probably meant.
        """
        name = args[0]
        if name not in self.entries and not name.startswith("-"):
            groups = [
                group for group in self.groups if name in getattr(self.get_command(context, group), "entries", ())
            ]
            hint = f"did you mean '{groups[0]} {name}'? " if groups else did_you_mean(name, self.entries)
            context.fail(f"No such command {name!r}; {hint}known: {', '.join(self.entries)}")
        return super().resolve_command(context, args)

    def invoke(self, context: click.Context) -> Any:
        """Run a command; an error names the option of the command line instead of the Python argument."""
        try:
            return super().invoke(context)
        except (OptionError, UnknownNameError) as error:
            command = self.get_command(context, context.invoked_subcommand or "")
            if command is None or isinstance(command, click.Group):
                raise
            raise with_flags(error, command, context.meta[_ARGUMENTS]) from error

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without loading them."""
        click.Group(commands=self.commands).format_commands(context, formatter)
