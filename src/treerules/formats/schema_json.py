"""Declarations of columns in a file of JSON: their kinds, their values, and whether values may be missing.

    {"columns": {"age": {"kind": "integer", "lowest": 0, "highest": 120, "missing": false},
                 "size": {"kind": "ordinal", "categories": ["S", "M", "L"], "unseen": false},
                 "day": "date"},
     "target": {"name": "y", "kind": "category", "categories": ["no", "yes"]}}

A column may be written as its kind alone, and `target` as its name alone. Dates and timestamps are ISO text. The JSON
type of categories is the type of their values; categories that are dates or timestamps need "of": "date" or "of":
"timestamp". A column without a kind declares only its domain. The declarations of a model file are its schema.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import field, frozen

from treerules._internal.arguments import require_path
from treerules._internal.atomic_files import read_bytes
from treerules.data.domain import ColumnDomain, require_domain
from treerules.data.schema import OPEN, ORDERED, Feature, Kind, Schema
from treerules.errors import FileError, ModelFileError, OptionError, TreeRulesError, did_you_mean, listed, shortened
from treerules.trees.json_codec import FORMAT, tree_from_json
from treerules.trees.json_values import reader_of
from treerules.trees.model_files import MOST_BYTES

_KEYS = ("kind", "of", "categories", "lowest", "highest", "missing", "unseen")
_SCALAR_OF_TYPE = {str: "text", bool: "boolean", int: "integer", float: "number"}
_EXAMPLE = 'write it as {"columns": {"age": {"kind": "integer", "lowest": 0}}, "target": "y"}'


def _as_dict(values: Any) -> Any:
    return dict(values)


@frozen
class DeclaredSchema:
    """The declarations of a file."""

    #: the columns whose kind is declared, and the target if its kind is
    schema: Schema
    #: the values that columns can take, by column name
    domain: dict[str, ColumnDomain] = field(factory=dict, converter=_as_dict)
    #: the name of the target; None where none is declared, and for a model file
    target: str | None = None


class _InvalidDeclaration(Exception):
    """A declaration is invalid; `schema_from_json` raises a FileError of the same problem and remedy."""

    def __init__(self, problem: str, remedy: str = _EXAMPLE) -> None:
        super().__init__(problem)
        self.problem, self.remedy = problem, remedy


def read_declared_schema(path: str | Path) -> DeclaredSchema:
    """Return the declarations in a JSON file; those of a model file are its schema.

    Raises:
        FileError: the file cannot be read, is not JSON, or contradicts itself.
        ModelFileError: it is a damaged model file.
    """
    require_path(path)
    content = read_bytes(path, MOST_BYTES)
    try:
        return schema_from_json(content.decode("utf-8-sig"), str(path))
    except UnicodeDecodeError as error:
        raise FileError(str(path), f"is not UTF-8 (byte {error.start})", "save it in UTF-8") from error


def schema_from_json(text: str, file: str = "schema") -> DeclaredSchema:
    """Return the declarations in JSON text; `file` is its name for messages.

    Raises:
        FileError: the text is not JSON, or contradicts itself.
        ModelFileError: it is a damaged model file.
    """
    try:
        return _declarations(text)
    except _InvalidDeclaration as error:
        raise FileError(file, error.problem, error.remedy) from None
    except ModelFileError as error:
        raise ModelFileError(f"{file}: {error.problem}") from error


def _declarations(text: str) -> DeclaredSchema:
    """Return the declarations in JSON text.

    Raises:
        _InvalidDeclaration: the text is not JSON, or contradicts itself.
        ModelFileError: it is a damaged model file.
    """
    try:
        content = json.loads(text, object_pairs_hook=_object_without_duplicates)
    except (ValueError, RecursionError) as error:
        raise _InvalidDeclaration(f"is not JSON: {error}") from error
    if not isinstance(content, dict):
        raise _InvalidDeclaration("is not an object")
    if content.get("format") == FORMAT:
        tree = tree_from_json(text)
        return DeclaredSchema(tree.schema, dict(tree.domain))
    _require_keys(content, ("columns", "target"), "the declaration")
    columns = content.get("columns", {})
    if not isinstance(columns, dict):
        raise _InvalidDeclaration('"columns" is not an object')
    records = {name: {"kind": column} if isinstance(column, str) else column for name, column in columns.items()}
    features = {name: _declared_feature(name, record, f"column {name!r}") for name, record in records.items()}
    domain = {name: _column_domain(features[name], record, f"column {name!r}") for name, record in records.items()}
    target, target_name = _declared_target(content.get("target"))
    try:
        schema = Schema([feature for feature in features.values() if feature is not None], target)
        # the domain of a column without a kind is compared with its values later, when rules give it a kind
        require_domain(schema, {name: limits for name, limits in domain.items() if features[name] is not None})
    except TreeRulesError as error:
        raise _as_invalid_declaration(error) from error
    return DeclaredSchema(schema, domain, target_name)


def _as_invalid_declaration(error: TreeRulesError) -> _InvalidDeclaration:
    """Return an error of the data model as an invalid declaration, with its problem and remedy."""
    if isinstance(error, OptionError):
        return _InvalidDeclaration(f"{error.option} is {shortened(error.value)}", f"expected {error.wanted}")
    return _InvalidDeclaration(getattr(error, "problem", error.sentence()), getattr(error, "remedy", _EXAMPLE))


def _object_without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object as a dict; raise `_InvalidDeclaration` if it has a key twice."""
    record: dict[str, Any] = {}
    for name, value in pairs:
        if name in record:
            raise _InvalidDeclaration(f"the key {name!r} stands twice in one object", "keep one of them")
        record[name] = value
    return record


def _require_keys(record: Any, keys: Sequence[str], subject: str) -> None:
    """Raise `_InvalidDeclaration` unless a value is an object with some of these keys and no others.

    `subject` names the declaration in errors, such as "column 'age'", here and below.
    """
    if not isinstance(record, dict):
        raise _InvalidDeclaration(f"{subject} is {record!r:.60}")
    for key in record:
        if key not in keys:
            raise _InvalidDeclaration(
                f"{subject} has the part {key!r}", f"{did_you_mean(key, keys)}known: {listed(keys)}"
            )


def _declared_feature(name: str, record: Any, subject: str) -> Feature | None:
    """Return a column as a feature; None where neither its kind nor its categories are declared."""
    _require_keys(record, _KEYS, subject)
    kind, categories = record.get("kind"), record.get("categories")
    if categories is not None and not isinstance(categories, list):
        raise _InvalidDeclaration(f"{subject} has the categories {categories!r:.60}", "give a list")
    if kind is None and categories is None:
        needing_kind = [key for key in ("of", "lowest", "highest") if key in record]
        if needing_kind:
            raise _InvalidDeclaration(
                f"{subject} has {needing_kind[0]!r} but no kind", 'add "kind": "integer", "number" or "date"'
            )
        return None
    kind = _declared_kind("category" if kind is None else kind, subject)
    scalar = _declared_scalar(kind, record, categories or [], subject)
    if categories and kind not in OPEN | {Kind.BOOLEAN}:
        raise _InvalidDeclaration(
            f"{subject} of kind {kind} has categories", "declare it category or ordinal, or leave them out"
        )
    values = _typed_values(scalar, categories or [], subject)
    if kind is Kind.BOOLEAN:  # its categories are always False and True; a Feature adds them
        values = []
    try:
        return Feature(name, kind, sorted(values) if kind is Kind.CATEGORY else values, scalar)
    except TreeRulesError as error:
        raise _as_invalid_declaration(error) from error


def _declared_kind(kind: Any, subject: str) -> Kind:
    """Return the kind of that name; raise `_InvalidDeclaration` if there is none."""
    kinds = list(map(str, Kind))
    if kind not in kinds:
        raise _InvalidDeclaration(
            f"{subject} is of kind {kind!r:.60}", f"{did_you_mean(kind, kinds)}known: {listed(kinds)}"
        )
    return Kind(kind)


def _declared_scalar(kind: Kind, record: Mapping[str, Any], categories: Sequence[Any], subject: str) -> str:
    """Return the type of a column's values, a key of `SCALARS`: as "of" declares, else inferred.

    That of a category or ordinal is the JSON type of its categories. A timestamp is in UTC if one of its bounds is.
    """
    scalar = record.get("of")
    if scalar is not None:
        return str(scalar)
    if kind in OPEN:
        types = {type(value) for value in categories} or {str}
        types = {float} if types == {int, float} else types
        if len(types) > 1 or not types <= set(_SCALAR_OF_TYPE):
            raise _InvalidDeclaration(
                f"{subject} has categories of several types, or of none", "give all as text, or all as numbers"
            )
        return _SCALAR_OF_TYPE[types.pop()]
    if kind is Kind.TIMESTAMP:
        bounds = [record[key] for key in ("lowest", "highest") if isinstance(record.get(key), str)]
        return "timestamp_utc" if any(bound.endswith(("Z", "+00:00")) for bound in bounds) else "timestamp"
    return str(kind)


def _typed_values(scalar: str, values: Sequence[Any], subject: str) -> list[Any]:
    """Return JSON values as values of a scalar, such as ISO text as dates.

    Raises:
        _InvalidDeclaration: there is no such scalar, or a value is not of it.
    """
    try:
        to_scalar = reader_of(scalar)
        return [to_scalar(value) for value in values]
    except KeyError as error:
        raise _InvalidDeclaration(
            f"{subject} holds values of {scalar!r}", f"give one of {listed(_SCALAR_OF_TYPE.values())}"
        ) from error
    except (TreeRulesError, ValueError, TypeError) as error:
        raise _InvalidDeclaration(
            f"{subject} has {listed(values, 3)}, which are not all of {scalar}", "correct the values"
        ) from error


def _column_domain(feature: Feature | None, record: Mapping[str, Any], subject: str) -> ColumnDomain:
    """Return the domain of a column; `feature` is None where its kind is not declared, and it has no bounds then."""
    bounds = {key: record[key] for key in ("lowest", "highest") if record.get(key) is not None}
    if feature is None or not bounds:
        return ColumnDomain(**_allowed_states(record, subject))
    if feature.kind not in ORDERED:
        raise _InvalidDeclaration(f"{subject} of kind {feature.kind} has bounds", 'give "categories" instead')
    typed_bounds = {key: _typed_values(feature.scalar, [value], subject)[0] for key, value in bounds.items()}
    return ColumnDomain(typed_bounds.get("lowest"), typed_bounds.get("highest"), **_allowed_states(record, subject))


def _allowed_states(record: Mapping[str, Any], subject: str) -> dict[str, bool]:
    """Return whether values may be missing and whether they may be unseen, as far as declared, by parameter name."""
    states = {key: record[key] for key in ("missing", "unseen") if key in record}
    for key, value in states.items():
        if not isinstance(value, bool):
            raise _InvalidDeclaration(f"{subject} has {key!r}: {value!r:.60}", "give true or false")
    return states


def _declared_target(target: Any) -> tuple[Feature | None, str | None]:
    """Return the target as a feature and its name: the feature is None where only the name is declared."""
    if target is None or isinstance(target, str):
        return None, target
    _require_keys(target, ("name", "kind", "of", "categories"), "the target")
    name = target.get("name")
    if not isinstance(name, str):
        raise _InvalidDeclaration(f"the target is named {name!r:.60}", 'write "target": {"name": "y", ...}')
    record = {key: value for key, value in target.items() if key != "name"}
    if record.get("kind") in ("boolean", "date", "timestamp"):  # a tree predicts such values as classes
        record = {"of": record["kind"], **record, "kind": "category"}
        if record["of"] == "boolean":
            record = {**record, "categories": [False, True]}
    return _declared_feature(name, record, "the target"), name
