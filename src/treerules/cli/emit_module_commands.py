"""`treerules emit python` and `javascript`: a model as a module."""

from pathlib import Path
from typing import Any

import click

from treerules.cli.emit_options import LAYOUT, print_code
from treerules.cli.model_options import MODEL, TEMPLATES, load_model
from treerules.cli.output import LANG, OUT
from treerules.emit.javascript import to_javascript
from treerules.emit.python.module import to_python


@click.command("python")
@MODEL
@LAYOUT
@click.option("--vectorized", is_flag=True, help="A module that predicts arrays and needs numpy.")
@LANG
@TEMPLATES
@OUT
def emit_python(model_file: Path, layout: Any, output: Path | None, **options: Any) -> None:
    """Print MODEL as a Python module that needs only the standard library.

    As a script it predicts a CSV file (python FILE.py rows.csv) or tests itself (--selftest).
    """
    print_code(to_python(load_model(model_file), layout=layout, **options), layout, output)


@click.command("javascript")
@MODEL
@LAYOUT
@LANG
@TEMPLATES
@OUT
def emit_javascript(model_file: Path, layout: Any, lang: Any, templates: Path | None, output: Path | None) -> None:
    """Print MODEL as an ES module without dependencies; node needs the ending .mjs."""
    print_code(to_javascript(load_model(model_file), layout=layout, lang=lang, templates=templates), layout, output)
