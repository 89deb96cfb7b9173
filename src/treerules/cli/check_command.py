"""`treerules check`: the proof that rules are exclusive and complete."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from treerules.cli.input_paths import RULES_PATH
from treerules.cli.output import LANG, format_option, print_notes, print_text
from treerules.cli.rule_file_options import read_parts, rule_file_options
from treerules.data.known_values import extremes_of
from treerules.data.schema import Feature
from treerules.errors import FileError
from treerules.formats.rules_text.text_writer import rules_to_text
from treerules.formats.sql.rewrite_case import rewrite_case
from treerules.proof.review import review
from treerules.proof.to_exclusive import EXCLUSIVE_BUDGET, to_exclusive
from treerules.report.render_report import render_report
from treerules.report.reviews import Reviews
from treerules.report.verdict_report import REVIEWS
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule import Condition, Members
from treerules.rules.rule_set import RuleList

LIMIT = click.option(
    "--limit",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    metavar="N",
    help="Show at most N findings of each kind.",
)


@click.command("check")
@click.argument("files", type=RULES_PATH, nargs=-1, required=True, metavar="FILE...")
@rule_file_options
@LIMIT
@click.option(
    "--budget",
    type=click.IntRange(0),
    metavar="N",
    help="Spend at most N steps on the question what overlapping rules leave.  [default: some ten seconds]",
)
@format_option(REVIEWS, default="text")
@click.option("--fix", is_flag=True, help="Print equivalent rules that do not depend on their order.")
@LANG
def check_command(
    files: Sequence[Path], limit: int, budget: int | None, format_: str, fix: bool, lang: str, **options: Any
) -> int:
    """Prove the rules of each FILE exclusive and complete.

    FILE is a model, rules as text (.rules), a decision table (.csv, .md), DMN (.dmn) or SQL (.sql), of which each CASE
    is checked; - is stdin. For rules in order, of which the first that fires decides (SQL, `ordered` text, FIRST in
    DMN), the check shows whether each rule can decide and whether some rule fires for every row, where the order
    matters, and which rows reach ELSE.

    The verdict comes first, then each finding: its region, a row that shows it, and the rule that would close a gap.

    \b
    Exit code 0: yes. 1: no, in any file: two rules fire for a row, or none
    does, or the budget was too small to decide; a rule in order can never
    decide; a part of the file cannot be read. 2 and above: it could not be run.
    """
    context = click.get_current_context()
    if fix and context.get_parameter_source("format_") is not ParameterSource.DEFAULT:
        raise click.UsageError("--fix prints rules and takes no --format.", context)
    parsed = [(file, read_parts(file, options)) for file in files]
    reviews = Reviews(
        [
            ("" if str(file) == "-" else str(file), [review(part, limit=limit, budget=budget) for part in parts])
            for file, parts in parsed
        ]
    )
    if fix:
        texts = [_fixed(file, part, options, budget) for file, parts in parsed for part in parts]
        print_notes(render_report(REVIEWS, reviews, format="text", lang=lang).splitlines())
        print_text("\n".join(texts))
    else:
        print_text(render_report(REVIEWS, reviews, format=format_, lang=lang))
    if not reviews:
        print_notes(_note_on_data(file) for file, parts in parsed if all(_is_like_data(part) for part in parts))
    return 0 if reviews else 1


def _note_on_data(file: Path) -> str:
    return (
        f"{file}: each rule has one value for each column, as rows of data have; "
        f"if it is data, learn a tree first: treerules learn {file} --target COL"
    )


def _is_like_data(parsed: ParsedRules) -> bool:
    """Return whether each rule has exactly one value for each feature, as a row of data has."""
    schema, rules = parsed.rules.schema, parsed.rules.rules
    return len(rules) > 1 and all(
        len(rule.conditions) == len(schema.features)
        and all(_is_one_value(schema.feature(name), condition) for name, condition in rule.conditions)
        for rule in rules
    )


def _is_one_value(feature: Feature, condition: Condition) -> bool:
    if condition.missing or condition.unseen:
        return False
    if isinstance(condition.values, Members):
        return len(condition.values.of(feature.categories)) == 1
    extremes = None if condition.values is None else extremes_of(feature, condition.values)
    return extremes is not None and extremes[0] == extremes[1]


def _fixed(file: Path, parsed: ParsedRules, options: dict[str, Any], budget: int | None) -> str:
    """Return equivalent rules that do not depend on their order: SQL as SQL, others as text.

    Raises:
        UsageError: The rules are not in order.
        FileError: A part of them could not be read.
    """
    if not isinstance(parsed.rules, RuleList):
        message = f"--fix is for rules in order; the rules of {file} do not depend on their order."
        raise click.UsageError(message, click.get_current_context())
    if parsed.unparsed:
        part = parsed.unparsed[0]
        problem = f"line {part.line} is not read: {part.problem}"
        raise FileError(str(file), problem, "--fix needs a file that is read completely")
    steps = EXCLUSIVE_BUDGET if budget is None else budget
    if parsed.sql is not None:
        return rewrite_case(parsed, dialect=options["dialect"] or "ansi", budget=steps).rstrip("\n") + "\n"
    return rules_to_text(to_exclusive(parsed, budget=steps).rules, domain=parsed.domain)
