"""The command that prints rules."""

from pathlib import Path

import click
from attrs import evolve

from treerules.cli.options import MODEL, TEMPLATES, model
from treerules.cli.output import LANG, format_option, put_report
from treerules.errors import OptionError
from treerules.rendering.text_tables import TextTable
from treerules.report.rules_report import RULE_SET, rules_table
from treerules.rules.compile import compile_rules
from treerules.rules.rule import FIGURES
from treerules.rules.rule_set import RuleSet


@click.command("rules")
@MODEL
@click.option("--sort", type=click.Choice(FIGURES), help="Largest first.")
@click.option("--where", multiple=True, metavar="FIGURE>=X", help="Only such rules; also <=.")
@format_option(RULE_SET)
@LANG
@TEMPLATES
def rules_command(
    model_file: Path, sort: str | None, where: tuple[str, ...], format_: str | None, lang: str, templates: Path | None
) -> None:
    """Print the rules of MODEL with their figures."""
    rules = compile_rules(model(model_file))
    for condition in where:
        rules = _where(rules, condition)
    put_rules(rules if sort is None else rules.sorted_by(sort), format_, lang, templates)


def put_rules(rules: RuleSet, format_: str | None, lang: str, templates: Path | None) -> None:
    """Print rules: as a table on a terminal, else in a format."""
    put_report(
        RULE_SET,
        rules,
        format_=format_,
        lang=lang,
        templates=templates,
        parts=lambda: [_for_terminal(rules_table(rules, lang), has_support=not rules.schema.is_regression)],
    )


def _for_terminal(table: TextTable, *, has_support: bool) -> TextTable:
    """Return the table of rules without support, which confidence and coverage tell, a condition a line."""
    kept = [place for place in range(len(table.headings)) if not (has_support and place == 5)]
    short = {"confidence": "conf.", "coverage": "cov."}
    return evolve(
        table,
        headings=[short.get(table.headings[place], table.headings[place]) for place in kept],
        rows=[
            [row[place].replace(" AND ", "\nAND ") if place == 1 else row[place] for place in kept]
            for row in table.rows
        ],
        right=[table.right[place] for place in kept],
    )


def _where(rules: RuleSet, condition: str) -> RuleSet:
    for sign, bound in ((">=", "least"), ("<=", "most")):
        figure, found, text = condition.partition(sign)
        try:
            if found:
                return rules.where(figure.strip(), **{bound: float(text)})
        except ValueError as error:
            raise OptionError("--where", condition, "a figure, >= or <=, and a number") from error
    raise OptionError("--where", condition, "a figure, >= or <=, and a number, such as confidence>=0.9")
