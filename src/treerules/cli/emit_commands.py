"""`treerules emit`: the group of commands that print a model as code."""

import click

from treerules.cli.catalogue import CATALOGUE, catalogue
from treerules.cli.command_group import CommandGroup, Entry
from treerules.cli.output import LANG, format_option, print_report

EMITTED = {
    "dbt": Entry(
        "emit_sql_commands",
        "emit_dbt",
        "Write MODEL as files of dbt: a macro and tests.",
    ),
    "dmn": Entry(
        "emit_rules_commands",
        "emit_dmn",
        "Print the rules of FILE as a decision table of DMN.",
    ),
    "javascript": Entry(
        "emit_module_commands",
        "emit_javascript",
        "Print MODEL as a JavaScript module (ES).",
    ),
    "python": Entry(
        "emit_module_commands",
        "emit_python",
        "Print MODEL as a Python module.",
    ),
    "rules": Entry(
        "emit_sql_commands",
        "emit_rules",
        "Print MODEL as SQL that stores its rules as a table.",
    ),
    "sql": Entry(
        "emit_sql_commands",
        "emit_sql",
        "Print MODEL as an SQL expression, a query or a view.",
    ),
    "table": Entry(
        "emit_rules_commands",
        "emit_table",
        "Print the rules of FILE as a decision table to edit.",
    ),
    "text": Entry(
        "emit_rules_commands",
        "emit_text",
        "Print the rules of FILE as text to edit.",
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
        raise click.exceptions.NoArgsIsHelpError(context)
