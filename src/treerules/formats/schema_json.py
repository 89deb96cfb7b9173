"""What is declared of columns in a file of JSON: their kinds, their values, and what may be missing.

    {"columns": {"age": {"kind": "integer", "lowest": 0, "highest": 120, "missing": false},
                 "size": {"kind": "ordinal", "categories": ["S", "M", "L"], "unseen": false},
                 "day": "date"},
     "target": {"name": "y", "kind": "category", "categories": ["no", "yes"]}}

A column may be its kind alone; `target` may be its name alone. Dates and timestamps are ISO text. Categories are text,
integers, numbers or booleans; dates and timestamps where "of" says so. A column without a kind only says what may come
in it. A model file declares what its schema does.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import field, frozen

from treerules._internal.atomic_files import read_bytes
from treerules.data.domain import ColumnDomain, require_domain
from treerules.data.schema import OPEN, ORDERED, Feature, Kind, Schema
from treerules.errors import FileError, ModelFileError, TreeRulesError, did_you_mean, listed
from treerules.trees.json_codec import FORMAT, MOST_BYTES, tree_from_json
from treerules.trees.json_values import reader_of

_KEYS = ("kind", "of", "categories", "lowest", "highest", "missing", "unseen")
_BY_TYPE = {str: "text", bool: "boolean", int: "integer", float: "number"}
_SHAPE = 'write it as {"columns": {"age": {"kind": "integer", "lowest": 0}}, "target": "y"}'


def _as_dict(values: Any) -> Any:
    return dict(values)


@frozen
class DeclaredSchema:
    """What is declared: the columns of which a kind is, what may come in columns, and what the target is called."""

    schema: Schema
    domain: dict[str, ColumnDomain] = field(factory=dict, converter=_as_dict)
    target: str | None = None


class _Wrong(Exception):
    """What is wrong with a declaration, and what to do."""

    def __init__(self, problem: str, remedy: str = _SHAPE) -> None:
        super().__init__(problem)
        self.problem, self.remedy = problem, remedy


def read_declared_schema(path: str | Path) -> DeclaredSchema:
    """Return what a file declares of columns; a model file declares what its schema does.

    Raises:
        FileError: it cannot be read, is no JSON, or declares something that cannot be.
        ModelFileError: it is a model file, but a damaged one.
    """
    content = read_bytes(path, MOST_BYTES)
    try:
        return schema_from_json(content.decode("utf-8-sig"), str(path))
    except UnicodeDecodeError as error:
        raise FileError(str(path), f"is not UTF-8 (byte {error.start})", "save it in UTF-8") from error


def schema_from_json(text: str, file: str = "schema") -> DeclaredSchema:
    """Return what JSON text declares; `file` is what errors call it. See `read_declared_schema`."""
    try:
        return _declared(text)
    except _Wrong as error:
        raise FileError(file, error.problem, error.remedy) from None
    except ModelFileError as error:
        raise ModelFileError(f"{file}: {error.problem}") from error


def _declared(text: str) -> DeclaredSchema:
    try:
        content = json.loads(text, object_pairs_hook=_without_duplicates)
    except (ValueError, RecursionError) as error:
        raise _Wrong(f"is no JSON: {error}") from error
    if not isinstance(content, dict):
        raise _Wrong("is no object")
    if content.get("format") == FORMAT:
        return DeclaredSchema(tree_from_json(text).schema)
    _require_keys(content, ("columns", "target"), "the declaration")
    columns = content.get("columns", {})
    if not isinstance(columns, dict):
        raise _Wrong('"columns" is no object')
    records = {name: {"kind": said} if isinstance(said, str) else said for name, said in columns.items()}
    features = {name: _feature(name, record, f"column {name!r}") for name, record in records.items()}
    domain = {name: _domain(features[name], record, f"column {name!r}") for name, record in records.items()}
    target, called = _target(content.get("target"))
    try:
        schema = Schema([feature for feature in features.values() if feature is not None], target)
        require_domain(schema, {name: declared for name, declared in domain.items() if features[name] is not None})
    except TreeRulesError as error:
        raise _rephrased(error) from error
    return DeclaredSchema(schema, domain, called)


def _rephrased(error: TreeRulesError) -> _Wrong:
    problem, _, remedy = str(error).partition("; ")
    return _Wrong(problem, remedy or _SHAPE)


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise _Wrong(f"the key {name!r} stands twice in one object", "keep one of them")
        found[name] = value
    return found


def _require_keys(record: Any, known: Sequence[str], what: str) -> None:
    if not isinstance(record, dict):
        raise _Wrong(f"{what} is {record!r:.60}")
    for key in record:
        if key not in known:
            raise _Wrong(f"{what} has the part {key!r}", f"{did_you_mean(key, known)}known: {listed(known)}")


def _feature(name: str, record: Any, what: str) -> Feature | None:
    """Return the column that is declared; None where its kind is not."""
    _require_keys(record, _KEYS, what)
    kind, categories = record.get("kind"), record.get("categories")
    if categories is not None and not isinstance(categories, list):
        raise _Wrong(f"{what} has the categories {categories!r:.60}", "give a list")
    if kind is None and categories is None:
        given = [key for key in ("of", "lowest", "highest") if key in record]
        if given:
            raise _Wrong(f"{what} has {given[0]!r} but no kind", 'add "kind": "integer", "number" or "date"')
        return None
    kind = _kind("category" if kind is None else kind, what)
    scalar = _scalar(kind, record, categories or [], what)
    if categories and kind not in OPEN | {Kind.BOOLEAN}:
        raise _Wrong(f"{what} of kind {kind} has categories", "declare it category or ordinal, or leave them out")
    values = _values(scalar, categories or [], what)
    if kind is Kind.BOOLEAN:
        values = []
    try:
        return Feature(name, kind, sorted(values) if kind is Kind.CATEGORY else values, scalar)
    except TreeRulesError as error:
        raise _rephrased(error) from error


def _kind(said: Any, what: str) -> Kind:
    kinds = [str(kind) for kind in Kind]
    if said not in kinds:
        raise _Wrong(f"{what} is of kind {said!r:.60}", f"{did_you_mean(said, kinds)}known: {listed(kinds)}")
    return Kind(said)


def _scalar(kind: Kind, record: Mapping[str, Any], categories: Sequence[Any], what: str) -> str:
    """Return the type of a column's values, from what is declared or else from what its values are."""
    said = record.get("of")
    if said is not None:
        return str(said)
    if kind in OPEN:
        kinds = {type(value) for value in categories} or {str}
        kinds = {float} if kinds == {int, float} else kinds
        if len(kinds) > 1 or not kinds <= set(_BY_TYPE):
            raise _Wrong(f"{what} has categories of several types, or of none", "give all as text, or all as numbers")
        return _BY_TYPE[kinds.pop()]
    if kind is Kind.TIMESTAMP:
        bounds = [record[key] for key in ("lowest", "highest") if isinstance(record.get(key), str)]
        return "timestamp_utc" if any(bound.endswith(("Z", "+00:00")) for bound in bounds) else "timestamp"
    return str(kind)


def _values(scalar: str, values: Sequence[Any], what: str) -> list[Any]:
    try:
        read = reader_of(scalar)
        return [read(value) for value in values]
    except KeyError as error:
        raise _Wrong(f"{what} holds values of {scalar!r}", f"give one of {listed(_BY_TYPE.values())}") from error
    except (TreeRulesError, ValueError, TypeError) as error:
        raise _Wrong(f"{what} has {listed(values, 3)}, which are not all of {scalar}", "mend the values") from error


def _domain(feature: Feature | None, record: Mapping[str, Any], what: str) -> ColumnDomain:
    """Return what may come in a column."""
    bounds = {key: record[key] for key in ("lowest", "highest") if record.get(key) is not None}
    if feature is None or not bounds:
        return ColumnDomain(**_may(record, what))
    if feature.kind not in ORDERED:
        raise _Wrong(f"{what} of kind {feature.kind} has bounds", 'give "categories" instead')
    read = {key: _values(feature.scalar, [value], what)[0] for key, value in bounds.items()}
    return ColumnDomain(read.get("lowest"), read.get("highest"), **_may(record, what))


def _may(record: Mapping[str, Any], what: str) -> dict[str, bool]:
    found = {key: record[key] for key in ("missing", "unseen") if key in record}
    for key, value in found.items():
        if not isinstance(value, bool):
            raise _Wrong(f"{what} has {key!r}: {value!r:.60}", "give true or false")
    return found


def _target(said: Any) -> tuple[Feature | None, str | None]:
    """Return the target and its name; where only the name is declared the rules say what it is."""
    if said is None or isinstance(said, str):
        return None, said
    _require_keys(said, ("name", "kind", "of", "categories"), "the target")
    name = said.get("name")
    if not isinstance(name, str):
        raise _Wrong(f"the target is named {name!r:.60}", 'write "target": {"name": "y", ...}')
    record = {key: value for key, value in said.items() if key != "name"}
    if record.get("kind") in ("boolean", "date", "timestamp"):  # predicted as classes
        record = {"of": record["kind"], **record, "kind": "category"}
        if record["of"] == "boolean":
            record = {**record, "categories": [False, True]}
    return _feature(name, record, "the target"), name
