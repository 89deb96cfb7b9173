"""`treerules rules`: the rules of a model."""

from math import inf, nextafter
from pathlib import Path
from typing import Any

import click
from attrs import evolve

from treerules.cli.emit_rules_commands import choices_left_out
from treerules.cli.model_options import MODEL, TEMPLATES, TREE_NUMBER, load_tree
from treerules.cli.output import LANG, format_option, print_notes, print_report
from treerules.cli.phrasing_options import phrasing_options
from treerules.errors import OptionError
from treerules.rendering.text_tables import TextTable
from treerules.report.report import Part
from treerules.report.rules_report import RULE_SET, terminal_parts
from treerules.rules.compile import compile_rules
from treerules.rules.rule import FIGURES
from treerules.rules.rule_set import RuleSet

#: The bound that each sign sets, and towards which side the next number is where the bound itself does not fit.
_SIGNS = {">=": ("least", None), "<=": ("most", None), ">": ("least", inf), "<": ("most", -inf)}
#: Short headings for terminals.
_SHORT = {"confidence": "conf.", "coverage": "cov."}
#: The position of the support in the table of rules of a classification.
_SUPPORT = 5


@click.command("rules")
@MODEL
@TREE_NUMBER
@click.option("--sort", type=click.Choice([*FIGURES, "weight"]), help="Sort by this figure, largest first.")
@click.option(
    "--where",
    multiple=True,
    metavar="FIGURE>=X",
    help="Print only rules with such a figure; the sign is one of >= <= > <.",
)
@phrasing_options
@format_option(RULE_SET)
@LANG
@TEMPLATES
def rules_command(
    model_file: Path,
    tree_number: int | None,
    sort: str | None,
    where: tuple[str, ...],
    format_: str | None,
    lang: str,
    templates: Path | None,
    **phrasing: Any,
) -> None:
    """Print the rules of MODEL with their figures.

    Conditions name missing and unseen values only where the training rows had some; the lines below the rules say where
    the others go. The figures of a regression's rule are its training rows and the standard deviation around the mean
    that it predicts.
    """
    rules = compile_rules(load_tree(model_file, tree_number))
    for condition in where:
        rules = _where(rules, condition)
    print_notes(choices_left_out(rules.schema))
    print_rules(rules if sort is None else rules.sorted_by(sort), format_, lang, templates, **phrasing)


def print_rules(rules: RuleSet, format_: str | None, lang: str, templates: Path | None, **phrasing: Any) -> None:
    """Print rules: as a table on a terminal, else in a format; `phrasing` are the options of `render`."""
    print_report(
        RULE_SET,
        rules,
        format_=format_,
        lang=lang,
        templates=templates,
        parts=lambda: [
            _for_terminal(part, has_support=not rules.schema.is_regression)
            for part in terminal_parts(rules, lang, **phrasing)
        ],
        **phrasing,
    )


def _for_terminal(table: Part, *, has_support: bool) -> Part:
    """Return the table of rules without support, which is coverage times confidence; a paragraph as it is."""
    if not isinstance(table, TextTable):
        return table
    columns = [column for column in range(len(table.headings)) if not (has_support and column == _SUPPORT)]
    return evolve(
        table,
        headings=[_SHORT.get(table.headings[column], table.headings[column]) for column in columns],
        rows=[[row[column] for column in columns] for row in table.rows],
        right=[table.right[column] for column in columns],
    )


def _where(rules: RuleSet, condition: str) -> RuleSet:
    """Return the rules that meet a condition such as "confidence>=0.9".

    Raises:
        OptionError: It is not a figure, a sign and a number.
    """
    for sign, (bound, beyond) in _SIGNS.items():
        figure, is_sign, number = condition.partition(sign)
        if is_sign:
            try:
                limit = float(number)
            except ValueError:
                break
            return rules.where(figure.strip(), **{bound: limit if beyond is None else nextafter(limit, beyond)})
    raise OptionError("--where", condition, "a figure, one of >= <= > <, and a number, such as confidence>=0.9")
