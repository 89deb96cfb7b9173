"""`treerules emit`: the group of commands that print a model as code."""

import click

from treerules.cli.catalogue import CATALOGUE, catalogue
from treerules.cli.command_group import CommandGroup, Entry
from treerules.cli.output import LANG, format_option, print_report

EMITTED = {
    "dbt": Entry(
        "emit_sql_commands",
        "emit_dbt",
        "Write MODEL as dbt files: a macro with a variant for each warehouse, and a schema.yml with tests.",
    ),
    "dmn": Entry(
        "emit_rules_commands",
        "emit_dmn",
        "Print the rules of FILE as a decision table of DMN 1.3 with hit policy UNIQUE.",
    ),
    "javascript": Entry(
        "emit_module_commands",
        "emit_javascript",
        "Print MODEL as an ES module without dependencies; node needs the ending .mjs.",
    ),
    "python": Entry(
        "emit_module_commands",
        "emit_python",
        "Print MODEL as a Python module that needs only the standard library.",
    ),
    "rules": Entry(
        "emit_sql_commands",
        "emit_rules",
        "Print MODEL as SQL that stores its rules as a table, one row per condition, and the query that applies them.",
    ),
    "sql": Entry(
        "emit_sql_commands",
        "emit_sql",
        "Print MODEL as an SQL expression, a query, or a statement that creates a view, a table or a function.",
    ),
    "table": Entry(
        "emit_rules_commands",
        "emit_table",
        "Print the rules of FILE as a decision table to edit: a column for each feature, the target last.",
    ),
    "text": Entry(
        "emit_rules_commands",
        "emit_text",
        "Print the rules of FILE as text to edit, with the declarations of its columns.",
    ),
}


@click.group("emit", cls=CommandGroup, entries=EMITTED, invoke_without_command=True)
@click.option("--list", "lists", is_flag=True, help="List the languages, dialects, kinds and layouts.")
@format_option(CATALOGUE)
@LANG
@click.pass_context
def emit(context: click.Context, lists: bool, format_: str | None, lang: str) -> None:
    """Print a model as code."""
    if lists:
        print_report(CATALOGUE, catalogue(), format_=format_, lang=lang)
        context.exit()
    if context.invoked_subcommand is None:
        raise click.UsageError("Missing command.", context)
