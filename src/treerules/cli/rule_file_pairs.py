"""The reading of two files of rules, or two versions of one, that are compared.

A model tells the other file the kinds of its columns.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import evolve
from toolz import unique

from treerules.cli.git_revisions import content_in
from treerules.cli.rule_file_options import chosen_part, declared_schema, opened_rules, parts_of, parts_or_none
from treerules.data.schema import Feature, Kind, Schema
from treerules.errors import FileError, ParseError, TreeRulesError
from treerules.formats.rule_files import RuleFile, recognised_format
from treerules.formats.schema_json import DeclaredSchema
from treerules.proof.align_schemas import merge_schemas, without_readings
from treerules.rules.parsed import ParsedRules

#: The path of a file of rules, its content, and the name of its format.
OpenedRules = tuple[Path, RuleFile, str]


def opened_pair(old: Path, new: Path, options: Mapping[str, Any]) -> tuple[OpenedRules, OpenedRules]:
    """Return two files with their contents and formats; each is read once, as stdin can be."""
    return (old, *opened_rules(old, options)), (new, *opened_rules(new, options))


def read_pairs(
    files: tuple[OpenedRules, OpenedRules], options: Mapping[str, Any], case: int | None = None
) -> tuple[tuple[ParsedRules, ...], tuple[ParsedRules, ...]]:
    """Return the parts of two opened files: the one that `case` chooses, else all.

    If one of them is a model and --schema is not given, one part of the other is read with the kinds of the model.

    Raises:
        OptionError: A file does not have the part that is chosen, or has several beside a model and none is chosen.
        ParseError: A file cannot be read, also not with the kinds of the model.
    """
    declared = declared_schema(options)
    are_models = [form == "model" for _, _, form in files]
    if declared is not None or sum(are_models) != 1:
        first, second = (_chosen_parts(*file, declared, case) for file in files)
        return first, second
    model = _part(*files[are_models.index(True)], None, case)
    other = _read_as(without_readings(model.rules.schema), *files[are_models.index(False)], case)
    return ((model,), (other,)) if are_models[0] else ((other,), (model,))


def read_versions(
    file: Path, revision: str, options: Mapping[str, Any]
) -> tuple[tuple[ParsedRules, ...], tuple[ParsedRules, ...]]:
    """Return the parts that a file had in a revision of git, and those that it has.

    There are none where it does not exist, nor in SQL without a CASE.

    Raises:
        FileError: The file exists neither here nor there, or is in no repository.
        OptionError: There is no such revision.
    """
    content, declared = content_in(revision, file), declared_schema(options)
    if content is None and not file.exists():
        raise FileError(str(file), f"exists neither here nor in {revision}", "name a file that does")
    old = () if content is None else _parts_in(RuleFile(content, f"{file} ({revision})"), file, options, declared)
    if not file.exists():
        return old, ()
    version, form = opened_rules(file, options)
    return old, (parts_or_none if form == "sql" else parts_of)(version, form, declared)


def _parts_in(
    version: RuleFile, file: Path, options: Mapping[str, Any], declared: DeclaredSchema | None
) -> tuple[ParsedRules, ...]:
    form = options.get("form") or recognised_format(file, version.content)
    version = evolve(version, dialect=options.get("dialect"), format=options.get("form"))
    return (parts_or_none if form == "sql" else parts_of)(version, form, declared)


def _chosen_parts(
    path: Path, file: RuleFile, form: str, declared: DeclaredSchema | None, case: int | None
) -> tuple[ParsedRules, ...]:
    parts = parts_of(file, form, declared)
    return parts if case is None else (chosen_part(parts, path, case),)


def _part(path: Path, file: RuleFile, form: str, declared: DeclaredSchema | None, case: int | None) -> ParsedRules:
    return chosen_part(parts_of(file, form, declared), path, case)


def _read_as(schema: Schema, path: Path, file: RuleFile, form: str, case: int | None) -> ParsedRules:
    """Return the rules of a file with the kinds of a schema, and with the categories and classes of both."""
    try:
        alone = _part(path, file, form, None, case)
    except ParseError:  # as where a column of text is compared with numbers
        return _part(path, evolve(file, schema=schema), form, None, case)
    try:
        return _part(path, evolve(file, schema=_widened(schema, alone.rules.schema)), form, None, case)
    except ParseError:
        try:
            merge_schemas(schema, alone.rules.schema)
        except TreeRulesError:
            pass
        else:
            return alone
        raise


def _widened(schema: Schema, other: Schema) -> Schema:
    features = [
        _with_categories(feature, other.feature(feature.name)) if feature.name in other.indices else feature
        for feature in schema.features
    ]
    target = schema.target
    if target is not None and other.target is not None:
        target = _with_categories(target, other.target)
    return Schema(features, target)


def _with_categories(feature: Feature, other: Feature) -> Feature:
    """Return a feature with the categories of another one of the same type of values too."""
    if not feature.categories or feature.scalar != other.scalar:
        return feature
    categories = [*unique([*feature.categories, *other.categories])]
    return evolve(feature, categories=categories if feature.kind is Kind.ORDINAL else sorted(categories))
