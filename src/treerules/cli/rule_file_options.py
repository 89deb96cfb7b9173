"""The options of reading files of rules, and the reading itself."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from attrs import evolve

from treerules._internal.atomic_files import read_at_most, read_bytes
from treerules._internal.memory_errors import within_memory
from treerules.cli.command_group import Command, add_options
from treerules.cli.dialect_option import DialectName
from treerules.cli.file_kinds import refuse_rows_of_data, refuse_table, refuse_unread_data
from treerules.cli.input_paths import PATH
from treerules.cli.model_options import tree_of_model
from treerules.errors import FileError, ModelFileError, OptionError, TreeRulesError
from treerules.formats.rule_files import RULE_FORMATS, RuleFile, parse_rules, recognised_format
from treerules.formats.schema_json import DeclaredSchema, read_declared_schema
from treerules.rules.parsed import ParsedRules
from treerules.trees.ensemble import Ensemble
from treerules.trees.json_codec import FORMAT, tree_to_json
from treerules.trees.json_ensemble import FORMAT as ENSEMBLE_FORMAT
from treerules.trees.model_files import MOST_BYTES, model_from_json

_OPTIONS = (
    click.option(
        "--as",
        "form",
        type=click.Choice(list(RULE_FORMATS)),
        help="Read FILE in this format.  [default: detected from its name]",
    ),
    click.option(
        "--dialect",
        type=DialectName(),
        metavar="NAME",
        help="Read SQL in this dialect, such as snowflake, bigquery or duckdb.",
    ),
    click.option(
        "--schema",
        "schema_file",
        type=PATH,
        metavar="FILE",
        help="Read the kinds and values of columns from this JSON file or model.",
    ),
)
CASE = click.option(
    "--case", type=click.IntRange(1), metavar="N", help="Read the Nth CASE or table of a file that has several."
)


def rule_file_options(command: Command) -> Command:
    """Add the options of reading files of rules."""
    return add_options(command, _OPTIONS)


def read_parts(file: Path, options: Mapping[str, Any], *, takes_data: bool = False) -> tuple[ParsedRules, ...]:
    """Return the rules of each part of a file, or of stdin for `-`; `takes_data`: also of rows of data.

    Raises:
        FileError: The file cannot be read, its format cannot be detected, or it has no rules.
    """
    return parts_of(*opened_rules(file, options), declared_schema(options), takes_data=takes_data)


def declared_schema(options: Mapping[str, Any]) -> DeclaredSchema | None:
    """Return what --schema declares, without domains for --whole-domain; None if it is not given."""
    schema_file = options.get("schema_file")
    declared = None if schema_file is None else read_declared_schema(schema_file)
    return evolve(declared, domain={}) if declared and options.get("whole_domain") else declared


def parts_of(
    file: RuleFile, form: str, declared: DeclaredSchema | None, *, takes_data: bool = False
) -> tuple[ParsedRules, ...]:
    """Return the rules of each part of an opened file.

    Raises:
        FileError: It has no rules, or is a table of data.
    """
    parts = parts_or_none(file, form, declared)
    if not parts:
        raise FileError(file.name, "has no rules that could be read", "give a file with a CASE, a table or rules")
    if not takes_data:
        refuse_rows_of_data(file, form, parts)
    return parts


def parts_or_none(file: RuleFile, form: str, declared: DeclaredSchema | None) -> tuple[ParsedRules, ...]:
    """Return the rules of each part of an opened file, which may have no part, as SQL without a CASE."""
    if declared is not None:
        file = evolve(file, schema=declared.schema, domain=declared.domain)
    try:
        parts = parse_rules(file, form)
    except TreeRulesError as error:
        refuse_unread_data(file, form, error)
        raise
    return tuple(_with_target(part, declared.target if declared else None) for part in parts)


def _with_target(parsed: ParsedRules, target: str | None) -> ParsedRules:
    """Return the rules with the declared name of the target."""
    schema = parsed.rules.schema
    if target is None or schema.target is None or schema.target.name == target:
        return parsed
    renamed = evolve(schema, target=evolve(schema.target, name=target))
    return evolve(parsed, rules=type(parsed.rules)(renamed, parsed.rules.rules))


def opened_rules(file: Path, options: Mapping[str, Any]) -> tuple[RuleFile, str]:
    """Return the content of a file, or of stdin for `-`, and the name of its format; with --tree that tree alone.

    Raises:
        FileError: The file cannot be read, or its format cannot be detected.
        OptionError: The file is not an ensemble, or has no tree of that number.
    """
    opened, form = _opened(file, options)
    number = options.get("tree_number")
    return (opened, form) if number is None else (_one_tree(opened, form, number), form)


def ensemble_of(file: RuleFile, form: str) -> Ensemble | None:
    """Return the ensemble of an opened file; None for any other file, also one that is damaged."""
    if form != "model" or f'"{ENSEMBLE_FORMAT}"'.encode() not in file.content:
        return None
    try:
        model = model_from_json(file.content)
    except ModelFileError:  # the reader of rules says what is wrong
        return None
    return model if isinstance(model, Ensemble) else None


def _one_tree(file: RuleFile, form: str, number: int) -> RuleFile:
    """Return a file that holds one tree of an ensemble."""
    ensemble = ensemble_of(file, form)
    if ensemble is None:
        raise OptionError("--tree", number, f"no number: {file.name} is not an ensemble")
    return evolve(file, content=tree_to_json(tree_of_model(ensemble, number)).encode())


def _opened(file: Path, options: Mapping[str, Any]) -> tuple[RuleFile, str]:
    form, dialect = options.get("form"), options.get("dialect")
    if str(file) != "-":
        content = read_bytes(file, MOST_BYTES)
        if form is not None and f'"{FORMAT}"'.encode() in content[:200]:
            form = "model"  # --as is said of the other file
        if form is None and file.suffix.lower() != ".csv":
            refuse_table(file, content, "a file of rules or a model")
        return RuleFile(content, str(file), dialect, format=form), form or recognised_format(file, content)
    with within_memory(Path("stdin"), "give a smaller file"):
        content = read_at_most(sys.stdin.buffer, "stdin", MOST_BYTES)
    if form is None and content.lstrip()[:1] == b"{":
        form = "model"
    if form is None:
        message = f"Give the format of stdin with --as: {', '.join(RULE_FORMATS)}."
        raise click.UsageError(message, click.get_current_context())
    return RuleFile(content, "stdin", dialect, format=form), form


def read_part(file: Path, options: Mapping[str, Any], case: int | None = None) -> ParsedRules:
    """Return the rules of a file that has one part, or those of the part that is chosen.

    Raises:
        OptionError: The file has several parts and none is chosen, or not this one.
    """
    return chosen_part(read_parts(file, options), file, case)


#: The number of parts of a file that an error names.
MOST_TITLES = 9


def chosen_part(parts: Sequence[ParsedRules], file: Path, case: int | None) -> ParsedRules:
    """Return the only part of a file, or the one of that number.

    Raises:
        OptionError: The file has several parts and none is chosen, or not this one.
    """
    if case is None and len(parts) == 1:
        return parts[0]
    if case is None or case > len(parts):
        titles = [f"{number}: {part.title or 'rules'}" for number, part in enumerate(parts, 1)]
        shown = titles if len(titles) <= MOST_TITLES else [*titles[: MOST_TITLES - 1], "…", titles[-1]]
        raise OptionError("--case", case, f"the number of a part of {file} ({'; '.join(shown)})")
    return parts[case - 1]
