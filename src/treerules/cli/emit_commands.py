"""The commands that print a model as code; those of SQL are beside it."""

from pathlib import Path
from typing import Any

import click

from treerules.cli.catalogue import listing
from treerules.cli.emit_rules_commands import emit_dmn, emit_table, emit_text
from treerules.cli.emit_sql_commands import emit_dbt, emit_rules, emit_sql, put_code
from treerules.cli.options import MODEL, TEMPLATES, model
from treerules.cli.output import FORMAT, LANG, OUT, put_tables
from treerules.emit.javascript import to_javascript
from treerules.emit.layout import LAYOUTS
from treerules.emit.python.module import to_python
from treerules.rendering.text_tables import table_text

LAYOUT = click.option("--layout", type=click.Choice(LAYOUTS), default="auto", show_default=True)


@click.group("emit", invoke_without_command=True)
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
@click.option("--vectorized", is_flag=True, help="A module that scores arrays and needs numpy.")
@LANG
@TEMPLATES
@OUT
def emit_python(model_file: Path, layout: Any, output: Path | None, **options: Any) -> None:
    """Print MODEL as a Python module that needs only the standard library.

    Run as a script it scores a CSV file (python FILE.py rows.csv) or checks itself (--selftest).
    """
    put_code(to_python(model(model_file), layout=layout, **options), layout, output)


@emit.command("javascript")
@MODEL
@LAYOUT
@LANG
@TEMPLATES
@OUT
def emit_javascript(model_file: Path, layout: Any, lang: Any, templates: Path | None, output: Path | None) -> None:
    """Print MODEL as an ES module that needs nothing: node wants it named .mjs."""
    put_code(to_javascript(model(model_file), layout=layout, lang=lang, templates=templates), layout, output)


for command in (emit_sql, emit_dbt, emit_rules, emit_text, emit_table, emit_dmn):
    emit.add_command(command)
