"""`treerules rules`: the rules of a model."""

from pathlib import Path

import click
from attrs import evolve

from treerules.cli.model_options import MODEL, TEMPLATES, load_model
from treerules.cli.output import LANG, format_option, print_report
from treerules.errors import OptionError
from treerules.rendering.text_tables import TextTable
from treerules.report.rules_report import RULE_SET, rules_table
from treerules.rules.compile import compile_rules
from treerules.rules.rule import FIGURES
from treerules.rules.rule_set import RuleSet

#: Short headings for terminals.
_SHORT = {"confidence": "conf.", "coverage": "cov."}
#: The position of the support in the table of rules of a classification.
_SUPPORT = 5


@click.command("rules")
@MODEL
@click.option("--sort", type=click.Choice(FIGURES), help="Sort by this figure, largest first.")
@click.option("--where", multiple=True, metavar="FIGURE>=X", help="Print only rules with this figure; also <=.")
@format_option(RULE_SET)
@LANG
@TEMPLATES
def rules_command(
    model_file: Path, sort: str | None, where: tuple[str, ...], format_: str | None, lang: str, templates: Path | None
) -> None:
    """Print the rules of MODEL with their figures."""
    rules = compile_rules(load_model(model_file))
    for condition in where:
        rules = _where(rules, condition)
    print_rules(rules if sort is None else rules.sorted_by(sort), format_, lang, templates)


def print_rules(rules: RuleSet, format_: str | None, lang: str, templates: Path | None) -> None:
    """Print rules: as a table on a terminal, else in a format."""
    print_report(
        RULE_SET,
        rules,
        format_=format_,
        lang=lang,
        templates=templates,
        parts=lambda: [_for_terminal(rules_table(rules, lang), has_support=not rules.schema.is_regression)],
    )


def _for_terminal(table: TextTable, *, has_support: bool) -> TextTable:
    """Return the table of rules with a condition on each line, and without support: coverage times confidence."""
    columns = [column for column in range(len(table.headings)) if not (has_support and column == _SUPPORT)]
    return evolve(
        table,
        headings=[_SHORT.get(table.headings[column], table.headings[column]) for column in columns],
        rows=[
            [row[column].replace(" AND ", "\nAND ") if column == 1 else row[column] for column in columns]
            for row in table.rows
        ],
        right=[table.right[column] for column in columns],
    )


def _where(rules: RuleSet, condition: str) -> RuleSet:
    """Return the rules that meet a condition such as "confidence>=0.9".

    Raises:
        OptionError: It is not a figure, a sign and a number.
    """
    for sign, bound in ((">=", "least"), ("<=", "most")):
        figure, is_sign, number = condition.partition(sign)
        if is_sign:
            try:
                return rules.where(figure.strip(), **{bound: float(number)})
            except ValueError as error:
                raise OptionError("--where", condition, "a figure, >= or <=, and a number") from error
    raise OptionError("--where", condition, "a figure, >= or <=, and a number, such as confidence>=0.9")
