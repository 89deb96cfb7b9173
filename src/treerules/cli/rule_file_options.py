"""The options of reading files of rules, and the reading itself."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from attrs import evolve

from treerules.cli.command_group import Command, add_options
from treerules.cli.input_paths import PATH
from treerules.errors import FileError, OptionError
from treerules.formats.rule_files import RULE_FORMATS, RuleFile, parse_rules, read_rules
from treerules.formats.schema_json import DeclaredSchema, read_declared_schema
from treerules.rules.parsed import ParsedRules
from treerules.sql.dialects import DIALECTS

_OPTIONS = (
    click.option(
        "--as",
        "form",
        type=click.Choice(list(RULE_FORMATS)),
        help="The format of FILE.  [default: detected from its name]",
    ),
    click.option(
        "--dialect",
        type=click.Choice(list(DIALECTS)),
        metavar="NAME",
        help="The dialect of SQL: snowflake, bigquery, duckdb, ...",
    ),
    click.option(
        "--schema",
        "schema_file",
        type=PATH,
        metavar="FILE",
        help="JSON with the kinds and values of columns, or a model.",
    ),
)
CASE = click.option(
    "--case", type=click.IntRange(1), metavar="N", help="The part of a file that has several, from 1: a CASE, a table."
)


def rule_file_options(command: Command) -> Command:
    """Add the options of reading files of rules."""
    return add_options(command, _OPTIONS)


def read_parts(file: Path, options: Mapping[str, Any]) -> tuple[ParsedRules, ...]:
    """Return the rules of each part of a file, or of stdin for `-`.

    Raises:
        FileError: The file cannot be read, its format cannot be detected, or it has no rules.
    """
    schema_file = options.get("schema_file")
    declared = None if schema_file is None else read_declared_schema(schema_file)
    parts = _read(file, options, declared)
    if not parts:
        raise FileError(str(file), "has no rules that could be read", "give a file with a CASE, a table or rules")
    return tuple(_with_target(part, declared.target if declared else None) for part in parts)


def _with_target(parsed: ParsedRules, target: str | None) -> ParsedRules:
    """Return the rules with the declared name of the target."""
    schema = parsed.rules.schema
    if target is None or schema.target is None or schema.target.name == target:
        return parsed
    renamed = evolve(schema, target=evolve(schema.target, name=target))
    return evolve(parsed, rules=type(parsed.rules)(renamed, parsed.rules.rules))


def _read(file: Path, options: Mapping[str, Any], declared: DeclaredSchema | None) -> tuple[ParsedRules, ...]:
    form = options.get("form")
    choices: dict[str, Any] = {
        "dialect": options.get("dialect"),
        "schema": declared.schema if declared else None,
        "domain": declared.domain if declared else None,
    }
    if str(file) != "-":
        return read_rules(file, format=form, **choices)
    content = sys.stdin.buffer.read()
    if form is None and content.lstrip()[:1] == b"{":
        form = "model"
    if form is None:
        message = f"Give the format of stdin with --as: {', '.join(RULE_FORMATS)}."
        raise click.UsageError(message, click.get_current_context())
    return parse_rules(RuleFile(content, "stdin", **choices), form)


def read_part(file: Path, options: Mapping[str, Any], case: int | None = None) -> ParsedRules:
    """Return the rules of a file that has one part, or those of the part that is chosen.

    Raises:
        OptionError: The file has several parts and none is chosen, or not this one.
    """
    parts = read_parts(file, options)
    if case is None and len(parts) == 1:
        return parts[0]
    if case is None or case > len(parts):
        titles = "; ".join(f"{number}: {part.title or 'rules'}" for number, part in enumerate(parts, 1))
        raise OptionError("--case", case, f"the number of a part of {file} ({titles})")
    return parts[case - 1]
