"""`treerules help`: the codes of findings, and the help of commands."""

import click

from treerules.cli.output import print_text
from treerules.errors import UnknownNameError
from treerules.lint.codes import CODES, help_page, matching_codes


@click.command("help")
@click.argument("topic", required=False, default="")
def help_command(topic: str) -> None:
    """Explain a code of findings, such as TR001, by an example.

    Without TOPIC all codes are listed; TR1 stands for all that begin so. The name of a command shows its help.
    """
    group = click.get_current_context().parent
    known = () if group is None else tuple(group.command.list_commands(group))  # type: ignore[attr-defined]
    if group is not None and topic in known:
        command = group.command.get_command(group, topic)  # type: ignore[attr-defined]
        with click.Context(command, info_name=topic, parent=group) as context:
            print_text(command.get_help(context) + "\n")
        return
    if topic and not matching_codes(topic):
        raise UnknownNameError("code or command", topic, (*CODES, *known))
    print_text(help_page(topic))
