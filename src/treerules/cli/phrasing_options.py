"""The options of commands that print rules: the exact form, long sets in full, the digits of figures."""

import click

from treerules.cli.command_group import Command, add_options

_OPTIONS = (
    click.option(
        "--exact",
        is_flag=True,
        help="Say in each condition which missing and unseen values it takes, and print predictions with all digits.",
    ),
    click.option("--full", is_flag=True, help="Print sets of more than 12 categories whole."),
    click.option(
        "--digits", type=click.IntRange(1, 17), metavar="N", help="Round figures to N significant digits.  [default: 4]"
    ),
)


def phrasing_options(command: Command) -> Command:
    """Add --exact, --full and --digits."""
    return add_options(command, _OPTIONS)
