"""The reading of two files of rules that are compared: a model tells the other one the kinds of its columns."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import evolve
from toolz import unique

from treerules.cli.rule_file_options import chosen_part, declared_schema, opened_rules, parts_of
from treerules.data.schema import Feature, Kind, Schema
from treerules.errors import ParseError, TreeRulesError
from treerules.formats.rule_files import RuleFile
from treerules.formats.schema_json import DeclaredSchema
from treerules.proof.align_schemas import merge_schemas
from treerules.rules.parsed import ParsedRules


def read_pair(
    old: Path, new: Path, options: Mapping[str, Any], case: int | None = None
) -> tuple[ParsedRules, ParsedRules]:
    """Return the rules of two files.

    If one of them is a model and --schema is not given, the other is read with the kinds of the model.

    Raises:
        OptionError: A file has several parts and none is chosen, or not this one.
        ParseError: A file cannot be read, also not with the kinds of the model.
    """
    files = [(file, *opened_rules(file, options)) for file in (old, new)]
    declared = declared_schema(options)
    are_models = [form == "model" for _, _, form in files]
    if declared is not None or sum(are_models) != 1:
        first, second = (_part(*file, declared, case) for file in files)
        return first, second
    model = _part(*files[are_models.index(True)], None, case)
    other = _read_as(model.rules.schema, *files[are_models.index(False)], case)
    return (model, other) if are_models[0] else (other, model)


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
