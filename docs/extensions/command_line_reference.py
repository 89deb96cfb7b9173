"""The directive `command`: the usage, the help and the options of a command, taken from the command line itself."""

from collections.abc import Iterator

import click
from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

from treerules.cli.app import app as treerules


class CommandDirective(Directive):
    """Prints a command, and those below it if it is a group."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the nodes of the command."""
        group = click.Context(treerules, info_name="treerules")
        name = self.arguments[0]
        command = treerules.get_command(group, name)
        if command is None:
            raise self.error(f"there is no command {name!r}")
        return list(_command_nodes(command, click.Context(command, info_name=name, parent=group)))


def _command_nodes(command: click.Command, context: click.Context) -> Iterator[nodes.Node]:
    usage = command.get_usage(context).removeprefix("Usage: ")
    yield nodes.literal_block(usage, " ".join(usage.split()), language="text")
    for paragraph in (command.help or "").partition("\n")[2].strip().split("\n\n"):
        if paragraph:
            yield nodes.paragraph("", "", *_words(" ".join(paragraph.split())))
    yield _options(command, context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            subcommand = command.get_command(context, name)
            assert subcommand is not None
            yield nodes.rubric("", f"{command.name} {name}")
            yield nodes.paragraph("", "", *_words(subcommand.get_short_help_str(200)))
            yield from _command_nodes(subcommand, click.Context(subcommand, info_name=name, parent=context))


def _options(command: click.Command, context: click.Context) -> nodes.definition_list:
    """Return a list of options, each with what `--help` says of it."""
    items = nodes.definition_list(classes=["options"])
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is None or not record[1]:  # arguments stand in the usage
            continue
        term = nodes.term("", "", nodes.literal("", record[0]))
        definition = nodes.definition("", nodes.paragraph("", "", *_words(" ".join(record[1].split()))))
        items += nodes.definition_list_item("", term, definition)
    return items


def _words(text: str) -> list[nodes.Node]:
    """Return a text whose words in backquotes are code."""
    parts = text.split("`")
    return [nodes.literal("", part) if n % 2 else nodes.Text(part) for n, part in enumerate(parts) if part]


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive."""
    app.add_directive("command", CommandDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
