"""`treerules check --independent`: equivalent rules that do not depend on their order."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from treerules.cli.rule_file_options import read_parts
from treerules.errors import FileError
from treerules.formats.rules_text.text_writer import rules_to_text
from treerules.formats.sql.rewrite_case import rewrite_case
from treerules.proof.to_exclusive import EXCLUSIVE_BUDGET, to_exclusive
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule_set import RuleList


def independent_file(file: Path, options: Mapping[str, Any]) -> str:
    """Return the rules of all parts of a file, made independent of their order."""
    return "\n".join(independent_text(file, part, options) for part in read_parts(file, options))


def independent_text(file: Path, parsed: ParsedRules, options: Mapping[str, Any]) -> str:
    """Return equivalent rules that do not depend on their order: SQL as SQL, others as text.

    Raises:
        UsageError: The rules are not in order.
        FileError: A part of them could not be read.
    """
    if not isinstance(parsed.rules, RuleList):
        message = f"--independent is for rules in order; the rules of {file} do not depend on their order."
        raise click.UsageError(message, click.get_current_context())
    if parsed.unparsed:
        part = parsed.unparsed[0]
        problem = f"line {part.line} is not read: {part.problem}"
        raise FileError(str(file), problem, "--independent needs a file that is read completely")
    steps = EXCLUSIVE_BUDGET if options["budget"] is None else options["budget"]
    if parsed.sql is not None:
        return rewrite_case(parsed, dialect=options["dialect"] or "ansi", budget=steps).rstrip("\n") + "\n"
    return rules_to_text(to_exclusive(parsed, budget=steps).rules, domain=parsed.domain)
