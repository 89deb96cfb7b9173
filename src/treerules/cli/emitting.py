"""The commands that print a model as code."""

import json
from pathlib import Path
from typing import Any

import click

from treerules.cli.options import MODEL, model
from treerules.cli.output import FORMAT, LANG, OUT, note, put, put_tables
from treerules.cli.reading import PATH
from treerules.emit.dialects import DIALECTS
from treerules.emit.layout import LAYOUTS
from treerules.emit.listing import listing
from treerules.emit.opening import opening_in
from treerules.emit.python import to_python
from treerules.emit.sql import KINDS, SQL_LAYOUTS, to_sql
from treerules.emit.tables import table_text
from treerules.errors import FileError

LAYOUT = click.option("--layout", type=click.Choice(LAYOUTS), default="auto", show_default=True)
TEMPLATES = click.option(
    "--template",
    "--templates",
    "templates",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A folder of your own templates, searched before ours.",
)
_SQL_LAYOUT = click.option("--layout", type=click.Choice(SQL_LAYOUTS), default="auto", show_default=True)
_DIALECT = click.option("--dialect", type=click.Choice(list(DIALECTS)), required=True)
_RENAME = click.option(
    "--rename", type=PATH, metavar="FILE", help="JSON: from columns of the model to their names in the database."
)
_EXTRAS = (
    click.option("--proba", is_flag=True, help="Also the probability of each class, p_CLASS."),
    click.option("--rule", is_flag=True, help="Also the number of the rule that fires."),
    click.option("--reason", is_flag=True, help="Also the text of that rule."),
    click.option("--comments", is_flag=True, help="Number, n and confidence of each rule in a comment."),
    click.option("--otherwise", metavar="TEXT", help="What the flat layout says if no rule fires.  [default: NULL]"),
)


@click.group(invoke_without_command=True)
@click.option("--list", "lists", is_flag=True, help="Languages, kinds and layouts, one line each.")
@FORMAT
@LANG
@click.pass_context
def emit(context: click.Context, lists: bool, format_: str | None, lang: str) -> None:
    """Print a model as code."""
    if lists:
        put_tables(lambda: table_text(listing(lang), format_ or "text"), lambda: [listing(lang)], format_=format_)
        context.exit()
    if context.invoked_subcommand is None:
        raise click.UsageError("Missing command.", context)


@emit.command("python")
@MODEL
@LAYOUT
@TEMPLATES
@OUT
def emit_python(model_file: Path, layout: Any, templates: Path | None, output: Path | None) -> None:
    """Print MODEL as a Python module that needs only the standard library."""
    _put(to_python(model(model_file), layout=layout, templates=templates), layout, output)


def _extras(command: Any) -> Any:
    for option in reversed(_EXTRAS):
        command = option(command)
    return command


@emit.command("sql")
@MODEL
@_DIALECT
@_SQL_LAYOUT
@click.option("--kind", type=click.Choice(KINDS), default="expression", show_default=True)
@click.option("--table", metavar="T", help="The table to predict, as in main.people.  [default: data]")
@click.option("--keys", default="", metavar="A,B", help="Columns to give beside the prediction.")
@click.option("--name", metavar="N", help="Of the view, table or function that is created.")
@_extras
@_RENAME
@TEMPLATES
@OUT
def emit_sql(
    model_file: Path, keys: str, rename: Path | None, templates: Path | None, output: Path | None, **options: Any
) -> None:
    """Print MODEL as an SQL expression, a query, or a statement that creates a view, a table or a function."""
    columns = [key for key in keys.split(",") if key]
    names = None if rename is None else _renaming(rename)
    text = to_sql(model(model_file), keys=columns, rename=names, templates=templates, **options)
    _put(text, options["layout"], output)


def _renaming(path: Path) -> Any:
    """Return what a JSON file of names holds.

    Raises:
        FileError: it cannot be read, or is no JSON.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise FileError(str(path), error.strerror or str(error), "name a file that can be read") from error
    except (ValueError, RecursionError) as error:
        raise FileError(str(path), f"is no JSON ({error})", 'write it as {"column of the model": "column"}') from error


def _put(text: str, layout: str, output: Path | None) -> None:
    """Print emitted text; where the layout was left to us, say which it is."""
    opening = opening_in(text)
    if layout == "auto" and opening is not None:
        note([f"{opening.layout} layout, {opening.n_rules} {'rule' if opening.n_rules == 1 else 'rules'}"])
    put(text, output)
