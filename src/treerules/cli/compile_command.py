"""`treerules compile`: a model from rules that were written by hand."""

from pathlib import Path
from typing import Any

import click

from treerules.cli.check_command import LIMIT
from treerules.cli.input_paths import RULES_PATH
from treerules.cli.output import LANG, OutputPath, print_notes, print_text
from treerules.cli.rule_file_options import CASE, read_part, rule_file_options
from treerules.proof.review import Review, review
from treerules.proof.to_tree import tree_from_rules
from treerules.report.render_report import render_report
from treerules.report.reviews import Reviews
from treerules.report.verdict_report import REVIEWS
from treerules.rules.rule_set import RuleList
from treerules.trees.json_codec import tree_to_json


@click.command("compile")
@click.argument("file", type=RULES_PATH, metavar="RULES")
@click.option(
    "-o",
    "--output",
    type=OutputPath(is_stdout=False),
    required=True,
    metavar="M.tree.json",
    help="Write the model to this file.",
)
@rule_file_options
@CASE
@LIMIT
@click.option("--budget", type=click.IntRange(1), metavar="N", help="Make a model of at most N leaves.")
@LANG
def compile_command(
    file: Path, output: Path, case: int | None, limit: int, budget: int | None, lang: str, **options: Any
) -> int:
    """Make a model of RULES that were written by hand.

    RULES is any file that `check` reads. Rules in order are rewritten so that they do not depend on their order. Rules
    that are not exclusive and complete are refused with the verdict and exit code 1, and nothing is written. All
    commands take the model like a learned one.
    """
    parsed = read_part(file, options, case)
    verdict = review(parsed, limit=limit)
    if not _is_partition(verdict):
        print_text(render_report(REVIEWS, Reviews([(str(file), [verdict])]), format="text", lang=lang))
        print_notes([f"{output} is not written: the rules are not proved exclusive and complete"])
        return 1
    most: dict[str, Any] = {} if budget is None else {"budget": budget}
    tree = tree_from_rules(parsed.rules, **most)
    print_notes([*tree.notes, f"depth {tree.depth}"])
    print_text(tree_to_json(tree), output)
    return 0


def _is_partition(verdict: Review) -> bool:
    """Return whether the rules are exclusive and complete; for rules in order, whether one fires for each row."""
    if isinstance(verdict.parsed.rules, RuleList):
        return verdict.verdict.complete is True and not verdict.parsed.unparsed
    return bool(verdict)
