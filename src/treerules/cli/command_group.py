"""A group of commands, each of which is loaded when it is run, so that --help loads none."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, TypeVar

import click
from attrs import frozen

from treerules.cli.option_names import with_flags
from treerules.errors import OptionError

#: A function that click makes a command of.
Command = TypeVar("Command", bound=Callable[..., Any])


@frozen
class Entry:
    """A command: its module in this package, its name there, and the sentence by which --help lists it."""

    module: str
    attribute: str
    summary: str


class CommandGroup(click.Group):
    """A group that loads a command when it is run."""

    def __init__(self, *, entries: Mapping[str, Entry], **choices: Any) -> None:
        listed = {name: click.Command(name, help=entry.summary) for name, entry in entries.items()}
        super().__init__(commands=listed, **choices)
        self.entries = entries

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Return the command of a name; None if there is none."""
        entry = self.entries.get(name)
        if entry is None:
            return None
        module = import_module(f"treerules.cli.{entry.module}")  # late: --help lists commands without loading them
        command: click.Command = getattr(module, entry.attribute)
        return command

    def invoke(self, context: click.Context) -> Any:
        """Run a command; an error names the option of the command line instead of the Python argument."""
        try:
            return super().invoke(context)
        except OptionError as error:
            command = self.get_command(context, context.invoked_subcommand or "")
            if command is None or isinstance(command, click.Group):
                raise
            raise with_flags(error, command) from error

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without loading them."""
        click.Group(commands=self.commands).format_commands(context, formatter)
