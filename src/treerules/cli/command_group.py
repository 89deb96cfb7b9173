"""A group of commands, each of which is loaded when it is run, so that --help waits for none of them."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click
from attrs import frozen


@frozen
class Entry:
    """Where a command stands: a module beside this one, its name there, and the sentence that --help lists it with."""

    module: str
    attribute: str
    summary: str


class CommandGroup(click.Group):
    """A group that loads a command when it is asked for."""

    def __init__(self, *, entries: Mapping[str, Entry], **choices: Any) -> None:
        listed = {name: click.Command(name, help=entry.summary) for name, entry in entries.items()}
        super().__init__(commands=listed, **choices)
        self.entries = entries

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Return the command of that name; None where there is none."""
        entry = self.entries.get(name)
        if entry is None:
            return None
        module = import_module(f"treerules.cli.{entry.module}")  # late: --help lists commands without loading them
        command: click.Command = getattr(module, entry.attribute)
        return command

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands by their entries, without loading them."""
        click.Group(commands=self.commands).format_commands(context, formatter)
