"""The options --layout and --accumulate, and the printing of code."""

from pathlib import Path

import click

from treerules.cli.output import print_notes, print_text
from treerules.emit.accumulation import ACCUMULATE
from treerules.emit.header import opening_in
from treerules.emit.layout import LAYOUTS


def print_code(text: str, layout: str, output: Path | None) -> None:
    """Print code, and note the layout that `--layout auto` chose."""
    opening = opening_in(text)
    if layout == "auto" and opening is not None:
        print_notes([f"{opening.layout} layout, {opening.n_rules} {'rule' if opening.n_rules == 1 else 'rules'}"])
    print_text(text, output)


ACCUMULATE_BY = click.option(
    "--accumulate",
    type=click.Choice(ACCUMULATE),
    default="library",
    show_default=True,
    help="Sum the trees of an ensemble as its library does, in doubles if they are proved exact, or in doubles.",
)
LAYOUT = click.option(
    "--layout",
    type=click.Choice(LAYOUTS),
    default="auto",
    show_default=True,
    help="Write the code in this form; auto chooses by its size.",
)
