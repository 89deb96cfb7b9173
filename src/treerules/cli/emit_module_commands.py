"""The commands that print a model as a module of Python or JavaScript."""

from pathlib import Path
from typing import Any

import click

from treerules.cli.emit_options import LAYOUT, put_code
from treerules.cli.options import MODEL, TEMPLATES, model
from treerules.cli.output import LANG, OUT
from treerules.emit.javascript import to_javascript
from treerules.emit.python.module import to_python


@click.command("python")
@MODEL
@LAYOUT
@click.option("--vectorized", is_flag=True, help="A module that scores arrays and needs numpy.")
@LANG
@TEMPLATES
@OUT
def emit_python(model_file: Path, layout: Any, output: Path | None, **options: Any) -> None:
    """Print MODEL as a Python module that needs only the standard library.

    Run as a script it scores a CSV file (python FILE.py rows.csv) or checks itself (--selftest).
    """
    put_code(to_python(model(model_file), layout=layout, **options), layout, output)


@click.command("javascript")
@MODEL
@LAYOUT
@LANG
@TEMPLATES
@OUT
def emit_javascript(model_file: Path, layout: Any, lang: Any, templates: Path | None, output: Path | None) -> None:
    """Print MODEL as an ES module that needs nothing: node wants it named .mjs."""
    put_code(to_javascript(model(model_file), layout=layout, lang=lang, templates=templates), layout, output)
