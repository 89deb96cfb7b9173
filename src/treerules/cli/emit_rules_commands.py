"""`treerules emit text`, `table` and `dmn`: rules in a form that people edit."""

from pathlib import Path
from typing import Any

import click

from treerules.cli.input_paths import RULES_PATH
from treerules.cli.model_options import NO_OUTSIDE
from treerules.cli.output import OUT, print_notes, print_text
from treerules.cli.rule_file_options import CASE, read_part, rule_file_options
from treerules.data.cell_reading import AS_USUAL
from treerules.data.schema import Schema
from treerules.emit.reading_remarks import reading_remark
from treerules.errors import OptionError
from treerules.formats.dmn.dmn_writer import to_dmn
from treerules.formats.rules_text.text_writer import rules_to_text
from treerules.formats.tables.table_writer import TABLE_FORMATS, decision_table_text
from treerules.rules.outside_values import domain_words
from treerules.rules.rule_set import RuleList

_FILE = click.argument("file", type=RULES_PATH, metavar="FILE")


@click.command("text")
@_FILE
@rule_file_options
@CASE
@NO_OUTSIDE
@OUT
def emit_text(file: Path, case: int | None, output: Path | None, **options: Any) -> None:
    """Print the rules of FILE as text to edit.

    The declarations of its columns come first. FILE is a model, or any file of rules that `treerules check` reads. What
    is printed reads back equal.
    """
    parsed = read_part(file, options, case)
    print_notes(choices_left_out(parsed.rules.schema))
    print_text(rules_to_text(parsed), output)


def choices_left_out(schema: Schema) -> list[str]:
    """Return a note where a model holds choices of reading, which a format of rules does not have."""
    choices = reading_remark(feature for feature in schema.features if feature.reading != AS_USUAL)
    return [f"rules do not hold how the model reads cells ({choices}): its code and its file do"] if choices else []


@click.command("table")
@_FILE
@rule_file_options
@CASE
@NO_OUTSIDE
@click.option(
    "--format",
    "format_",
    type=click.Choice(TABLE_FORMATS),
    default="csv",
    show_default=True,
    help="Print in this format.",
)
@OUT
def emit_table(file: Path, case: int | None, format_: str, output: Path | None, **options: Any) -> None:
    """Print the rules of FILE as a decision table to edit.

    It has a column for each feature; the target is last. FILE is a model, or any file of rules that `treerules check`
    reads. What is printed reads back equal.
    """
    parsed = read_part(file, options, case)
    print_notes(choices_left_out(parsed.rules.schema))
    if domain := domain_words(parsed.rules.schema, parsed.domain):
        print_notes([f"a table does not hold the declared domain ({domain}): `emit text` and `emit dmn` keep it"])
    print_text(decision_table_text(parsed.rules, format=format_), output)


@click.command("dmn")
@_FILE
@rule_file_options
@CASE
@NO_OUTSIDE
@click.option("--name", metavar="NAME", help="Name the decision of DMN so.  [default: the target]")
@OUT
def emit_dmn(file: Path, case: int | None, name: str | None, output: Path | None, **options: Any) -> None:
    """Print the rules of FILE as a decision table of DMN.

    It is of DMN 1.3, with the hit policy UNIQUE. FILE is a model, or any file of rules not in order that `treerules
    check` reads.
    """
    parsed = read_part(file, options, case)
    if isinstance(parsed.rules, RuleList):
        raise OptionError("file", str(file), "a rule set; `treerules check --independent` makes one of a rule list")
    print_notes(choices_left_out(parsed.rules.schema))
    print_text(to_dmn(parsed.rules, name=name, domain=parsed.domain), output)
