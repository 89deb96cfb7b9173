"""The commands that prove: `check` says whether rules are exclusive and complete, `compile` makes a model of those."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from treerules.cli.output import LANG, format_option, note, put
from treerules.cli.rule_file_options import CASE, one_part, rules_reading, written_parts
from treerules.cli.table_options import PATH
from treerules.errors import FileError
from treerules.formats.rules_text.text_writer import rules_to_text
from treerules.formats.sql.rewrite_case import rewrite_case
from treerules.proof.review import Review, review
from treerules.proof.to_exclusive import to_exclusive
from treerules.proof.to_tree import tree_from_rules
from treerules.report.render_report import render_report
from treerules.report.reviews import Reviews
from treerules.report.verdict_report import REVIEWS
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule_set import RuleList
from treerules.trees.json_codec import tree_to_json

_LIMIT = click.option(
    "--limit", type=click.IntRange(1), default=10, show_default=True, metavar="N", help="So many findings of a kind."
)
_BUDGET = click.option(
    "--budget",
    type=click.IntRange(0),
    metavar="N",
    help="So many steps to decide whether overlapping rules leave gaps.",
)


@click.command("check")
@click.argument("files", type=PATH, nargs=-1, required=True, metavar="FILE...")
@rules_reading
@_LIMIT
@_BUDGET
@format_option(REVIEWS, default="text")
@click.option("--fix", is_flag=True, help="Print the same rules written so that none leans on the order.")
@LANG
def check_command(
    files: Sequence[Path], limit: int, budget: int | None, format_: str, fix: bool, lang: str, **options: Any
) -> int:
    """Prove the rules of each FILE exclusive and complete.

    FILE is a model, rules as text (.rules), a decision table (.csv, .md), DMN (.dmn) or SQL (.sql), of which each CASE
    is checked; - is stdin. Rules of which the first that fires decides (SQL, `ordered` text, FIRST of DMN) are asked
    whether each can ever decide and whether some decides for every row; where the order matters, and what comes to
    ELSE, is told as well.

    The verdict comes first, then each finding: where it is, a row that shows it, and the rule that would close a gap.

    \b
    Exit code 0: yes. 1: no, in any file: two rules fire for a row, or none
    does, or it was not decided within the budget; a rule of a list can never
    decide; a part of the file cannot be read. 2 and above: it could not be run.
    """
    if fix and click.get_current_context().get_parameter_source("format_") is not ParameterSource.DEFAULT:
        raise click.UsageError("--fix prints rules, which --format does not shape; give one of the two")
    parts = [(file, written_parts(file, options)) for file in files]
    reviews = Reviews(
        [
            ("" if str(file) == "-" else str(file), [review(rules, limit=limit, budget=budget) for rules in parsed])
            for file, parsed in parts
        ]
    )
    if fix:
        texts = [_fixed(file, written, options) for file, writtens in parts for written in writtens]
        note(render_report(REVIEWS, reviews, format="text", lang=lang).splitlines())
        put("\n".join(texts))
    else:
        put(render_report(REVIEWS, reviews, format=format_, lang=lang))
    return 0 if reviews else 1


def _fixed(file: Path, written: ParsedRules, options: dict[str, Any]) -> str:
    """Return the rules of a list so that none leans on the order: SQL as SQL, others as text.

    Raises:
        UsageError: the rules are no list.
        FileError: a part of them was not read.
    """
    if not isinstance(written.rules, RuleList):
        context = click.get_current_context()
        raise click.UsageError(f"--fix is for rules in order; those of {file} are a set and lean on none.", context)
    if written.unread:
        part = written.unread[0]
        problem = f"line {part.line} is not read: {part.problem}"
        raise FileError(str(file), problem, "--fix can only say again what was read whole")
    if written.sql is not None:
        return rewrite_case(written, dialect=options["dialect"] or "ansi").rstrip("\n") + "\n"

    return rules_to_text(to_exclusive(written).rules, domain=written.domain)


@click.command("compile")
@click.argument("file", type=PATH, metavar="RULES")
@click.option("-o", "--output", type=PATH, required=True, metavar="M.tree.json", help="The model that is written.")
@rules_reading
@CASE
@_LIMIT
@click.option("--budget", type=click.IntRange(1), metavar="N", help="The most leaves that the model may have.")
@LANG
def compile_command(
    file: Path, output: Path, case: int | None, limit: int, budget: int | None, lang: str, **options: Any
) -> int:
    """Make a model of RULES that were written by hand.

    RULES is any file that `check` reads. Rules in order are first written so that none leans on the order. Rules that
    are not exclusive and complete are refused with the verdict and exit code 1; nothing is written then. The model is
    like a learned one: every other command takes it.
    """
    written = one_part(file, options, case)
    found = review(written, limit=limit)
    if not _is_whole(found):
        put(render_report(REVIEWS, Reviews([(str(file), [found])]), format="text", lang=lang))
        note([f"{output} is not written: the rules are not proved exclusive and complete"])
        return 1

    tree = tree_from_rules(written.rules, domain=written.domain, **({} if budget is None else {"budget": budget}))
    note([*tree.notes, f"depth {tree.depth}"])
    put(tree_to_json(tree), output)
    return 0


def _is_whole(found: Review) -> bool:
    """Whether the rules are exclusive and complete: of a list, whether each row comes to some rule."""
    if isinstance(found.written.rules, RuleList):
        return found.verdict.complete is True and not found.written.unread
    return bool(found)
