"""The commands that print a model as code."""

from pathlib import Path
from typing import Any

import click

from treerules.cli.options import MODEL, model
from treerules.cli.output import OUT, put
from treerules.emit.dialects import DIALECTS
from treerules.emit.layout import LAYOUTS
from treerules.emit.python import to_python
from treerules.emit.sql import KINDS, to_sql

LAYOUT = click.option("--layout", type=click.Choice(LAYOUTS), default="auto", show_default=True)
TEMPLATES = click.option(
    "--templates", type=click.Path(path_type=Path), metavar="DIR", help="A folder of your own templates."
)


@click.group()
def emit() -> None:
    """Print a model as code."""


@emit.command("python")
@MODEL
@LAYOUT
@TEMPLATES
@OUT
def emit_python(model_file: Path, layout: Any, templates: Path | None, output: Path | None) -> None:
    """Print MODEL as a Python module that needs only the standard library."""
    put(to_python(model(model_file), layout=layout, templates=templates), output)


@emit.command("sql")
@MODEL
@click.option("--dialect", type=click.Choice(list(DIALECTS)), required=True)
@LAYOUT
@click.option("--kind", type=click.Choice(KINDS), default="expression", show_default=True)
@click.option("--table", metavar="T", help="The table to predict, as in main.people.  [default: data]")
@click.option("--keys", default="", metavar="A,B", help="Columns to give beside the prediction.")
@click.option("--name", metavar="N", help="Of the view or table that is created.  [default: predictions]")
@TEMPLATES
@OUT
def emit_sql(model_file: Path, keys: str, templates: Path | None, output: Path | None, **options: Any) -> None:
    """Print MODEL as an SQL expression, a query, or a statement that creates a view or a table of predictions."""
    columns = [key for key in keys.split(",") if key]
    put(to_sql(model(model_file), keys=columns, templates=templates, **options), output)
