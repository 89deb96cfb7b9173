"""The commands that print rules in a form that people edit: as text, as a decision table, as DMN."""

from pathlib import Path
from typing import Any

import click

from treerules.cli.output import OUT, put
from treerules.cli.rule_file_options import CASE, one_part, rules_reading
from treerules.cli.table_options import PATH
from treerules.errors import OptionError
from treerules.formats.dmn.dmn_writer import to_dmn
from treerules.formats.rules_text.text_writer import rules_to_text
from treerules.formats.tables.table_writer import TABLE_FORMATS, decision_table_text
from treerules.rules.rule_set import RuleList

_FILE = click.argument("file", type=PATH, metavar="FILE")


@click.command("text")
@_FILE
@rules_reading
@CASE
@OUT
def emit_text(file: Path, case: int | None, output: Path | None, **options: Any) -> None:
    """Print the rules of FILE as text to edit, with what is declared of its columns.

    FILE is a model, or rules in any form that `treerules check` reads; what is printed is one of them.
    """
    put(rules_to_text(one_part(file, options, case)), output)


@click.command("table")
@_FILE
@rules_reading
@CASE
@click.option("--format", "format_", type=click.Choice(TABLE_FORMATS), default="csv", show_default=True)
@OUT
def emit_table(file: Path, case: int | None, format_: str, output: Path | None, **options: Any) -> None:
    """Print the rules of FILE as a decision table to edit: a column for each feature that is asked, the target last.

    FILE is a model, or rules in any form that `treerules check` reads; what is printed is one of them.
    """
    put(decision_table_text(one_part(file, options, case).rules, format=format_), output)


@click.command("dmn")
@_FILE
@rules_reading
@CASE
@click.option("--name", metavar="NAME", help="Of the decision.  [default: the target's]")
@OUT
def emit_dmn(file: Path, case: int | None, name: str | None, output: Path | None, **options: Any) -> None:
    """Print the rules of FILE as a decision table of DMN 1.3 with hit policy UNIQUE.

    FILE is a model, or a rule set in any form that `treerules check` reads.
    """
    written = one_part(file, options, case)
    if isinstance(written.rules, RuleList):
        raise OptionError("file", str(file), "a rule set; of a rule list, what `treerules check --fix` prints")
    put(to_dmn(written.rules, name=name, domain=written.domain), output)
