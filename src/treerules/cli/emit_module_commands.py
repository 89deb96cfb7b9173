"""`treerules emit python` and `javascript`: a model as a module."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from treerules.cli.command_group import Command
from treerules.cli.emit_options import ACCUMULATE_BY, LAYOUT, print_code
from treerules.cli.model_options import MODEL, OUTSIDE, TEMPLATES, TREE_NUMBER, load_model
from treerules.cli.output import LANG, OUT
from treerules.emit.javascript import to_javascript
from treerules.emit.layout import STYLES
from treerules.emit.python.module import to_python


def style_option(about_full: str) -> Callable[[Command], Command]:
    """Return the option --style of a language, whose full modules are described."""
    return click.option(
        "--style",
        type=click.Choice(STYLES),
        default="plain",
        show_default=True,
        help=f"Write a short module for people to read, or a full one that {about_full}.",
    )


@click.command("python")
@MODEL
@TREE_NUMBER
@LAYOUT
@style_option("has a table of rules too, takes numpy's scalars and tests itself")
@click.option("--vectorized", is_flag=True, help="Write a module that predicts arrays and needs numpy.")
@ACCUMULATE_BY
@OUTSIDE
@LANG
@TEMPLATES
@OUT
def emit_python(model_file: Path, tree_number: int | None, layout: Any, output: Path | None, **options: Any) -> None:
    """Print MODEL as a Python module.

    It needs only the standard library. As a script it predicts a CSV file: python FILE.py rows.csv. With --style full
    it reads more forms of CSV, and tests itself: --selftest.
    """
    print_code(to_python(load_model(model_file, tree_number), layout=layout, **options), layout, output)


@click.command("javascript")
@MODEL
@TREE_NUMBER
@LAYOUT
@style_option("has tables of columns and rules too, and predicts many rows")
@ACCUMULATE_BY
@OUTSIDE
@LANG
@TEMPLATES
@OUT
def emit_javascript(
    model_file: Path, tree_number: int | None, layout: Any, output: Path | None, **options: Any
) -> None:
    """Print MODEL as a JavaScript module (ES).

    It has no dependencies; node needs the ending .mjs.
    """
    print_code(to_javascript(load_model(model_file, tree_number), layout=layout, **options), layout, output)
