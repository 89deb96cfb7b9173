"""The option --top of commands that print a table of features or of subtrees."""

import click

from treerules.report.table_limits import MOST_SHOWN

TOP_OPTION = click.option(
    "--top",
    type=click.IntRange(0),
    metavar="N",
    help=f"Print the first N rows; 0 prints all.  [default: {MOST_SHOWN}; csv and json: all]",
)
