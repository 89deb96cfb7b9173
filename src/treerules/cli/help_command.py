"""`treerules help`: pages about codes of findings, errors and commands."""

import click

from treerules.cli.help_pages import COMMANDS, ERRORS, page_sections
from treerules.cli.output import print_text
from treerules.errors import UnknownNameError
from treerules.lint.codes import CODES, help_page, matching_codes

_TOPICS = """Topics of `treerules help TOPIC`:

  a command   {commands}
  an error    {errors}
  a code of findings in SQL; TR1 stands for all that begin so:

"""


@click.command("help")
@click.argument("topic", required=False, default="")
def help_command(topic: str) -> None:
    """Explain a command, an error or a code such as TR001.

    Without TOPIC all topics are listed; TR1 stands for all codes that begin so. The name of an error is that of its
    Python class, such as ColumnError.
    """
    context = click.get_current_context().parent
    commands = () if context is None else tuple(context.command.list_commands(context))  # type: ignore[attr-defined]
    errors = tuple(name for name in page_sections(ERRORS) if name.endswith("Error"))
    by_lower_case = {name.casefold(): name for name in errors}
    if not topic:
        print_text(_TOPICS.format(commands=_wrapped(commands), errors=_wrapped(errors)) + help_page(""))
    elif context is not None and topic in commands:
        print_text(_command_page(topic, context))
    elif error := by_lower_case.get(topic.casefold()):
        print_text(f"{error}\n\n{page_sections(ERRORS)[error]}")
    elif matching_codes(topic):
        print_text(help_page(topic))
    else:
        raise UnknownNameError("command, error or code", topic, (*commands, *errors, *CODES))


def _command_page(name: str, context: click.Context) -> str:
    """Return the help of a command, and the section about it in the documentation."""
    command = context.command.get_command(context, name)  # type: ignore[attr-defined]
    with click.Context(command, info_name=name, parent=context) as subcontext:
        return f"{command.get_help(subcontext)}\n\nFrom the documentation:\n\n{page_sections(COMMANDS)[name]}"


def _wrapped(names: tuple[str, ...]) -> str:
    """Return names in lines that fit beside the words before them."""
    text = click.wrap_text(", ".join(names), width=78, initial_indent=" " * 14, subsequent_indent=" " * 14)
    return text.lstrip()
