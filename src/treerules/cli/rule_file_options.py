"""Options that say how a file of rules is read, and the rules that they make."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from attrs import evolve

from treerules.cli.table_options import PATH, Command
from treerules.errors import FileError, OptionError
from treerules.formats.rule_files import RULE_FORMATS, RuleFile, parse_rules, read_rules
from treerules.formats.schema_json import DeclaredSchema, read_declared_schema
from treerules.rules.parsed import ParsedRules
from treerules.sql.dialects import DIALECTS

_OPTIONS = (
    click.option(
        "--as", "form", type=click.Choice(list(RULE_FORMATS)), help="What FILE is, where its ending does not tell."
    ),
    click.option(
        "--dialect", type=click.Choice(list(DIALECTS)), metavar="NAME", help="Of SQL: snowflake, bigquery, duckdb, ..."
    ),
    click.option(
        "--schema", "schema_file", type=PATH, metavar="FILE", help="JSON: kinds and values of columns; or a model."
    ),
)
CASE = click.option(
    "--case", type=click.IntRange(1), metavar="N", help="Which part of a file that has several, from 1."
)


def rules_reading(command: Command) -> Command:
    """Give a command the options of reading files of rules."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def written_parts(file: Path, options: Mapping[str, Any]) -> tuple[ParsedRules, ...]:
    """Return the rules of a file, or of stdin for `-`, a value for each part that stands for itself.

    Raises:
        FileError: it cannot be read, or nothing tells its form, or it has no rules.
    """
    schema_file = options.get("schema_file")
    declared = None if schema_file is None else read_declared_schema(schema_file)
    parts = _read(file, options, declared)
    if not parts:
        raise FileError(str(file), "has no rules that could be read", "give a file with a CASE, a table or rules")
    return tuple(_named(part, declared.target if declared else None) for part in parts)


def _named(written: ParsedRules, target: str | None) -> ParsedRules:
    """Return the rules with their target called as is declared."""
    schema = written.rules.schema
    if target is None or schema.target is None or schema.target.name == target:
        return written
    named = evolve(schema, target=evolve(schema.target, name=target))
    return evolve(written, rules=type(written.rules)(named, written.rules.rules))


def _read(file: Path, options: Mapping[str, Any], declared: DeclaredSchema | None) -> tuple[ParsedRules, ...]:
    form = options.get("form")
    given: dict[str, Any] = {
        "dialect": options.get("dialect"),
        "schema": declared.schema if declared else None,
        "domain": declared.domain if declared else None,
    }
    if str(file) != "-":
        return read_rules(file, format=form, **given)
    if form is None:
        formats = ", ".join(RULE_FORMATS)
        raise click.UsageError(f"Say with --as what stdin holds: {formats}.", click.get_current_context())
    return parse_rules(RuleFile(sys.stdin.buffer.read(), "stdin", **given), form)


def one_part(file: Path, options: Mapping[str, Any], case: int | None = None) -> ParsedRules:
    """Return the rules of a file that has one part, or of the one that is chosen.

    Raises:
        OptionError: it has several and none is chosen, or fewer.
    """
    parts = written_parts(file, options)
    if case is None and len(parts) == 1:
        return parts[0]
    if case is None or case > len(parts):
        titles = "; ".join(f"{number}: {part.title or 'rules'}" for number, part in enumerate(parts, 1))
        raise OptionError("--case", case, f"the part of {file} that is meant, by number ({titles})")
    return parts[case - 1]
