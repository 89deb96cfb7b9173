"""Trees as JSON and back: the model file `*.tree.json`.

    {"format": "treerules.tree", "version": 2, "digest": sha256 of the rest,
     "schema": {"features": [...], "target": {...}}, "recipe": {...} or null, "notes": [...],
                                                  with "own_criterion": true where the criterion is a user's
     "origin": {"data": hash, "n_rows", "weight", "validation", "pruned": [[method, options]], "target_step",
                "values": {"missing": [columns], "unseen": [columns], "zero_one": [columns]}} or null,
     "estimate": {"measure", ..., "sizes": [[n_rules, error, standard_error]]}, only if the size was chosen,
     "bounds": {"cost", "lower", "leaf_penalty", "max_depth", "rounding"}, only of `optimal()`,
     "domain": {column: {"lowest", "highest", "missing", "unseen"}}, only of what is declared,
     "nodes": [one row for each node, in preorder]}

    a leaf's row       [prediction, counts] or [prediction, counts, rule it comes from]
                                                                        prediction: [label, [shares]] or [mean, sd]
    a split's row      [feature, test, missing, unseen, prediction, counts]   test: threshold, {"groups": [[...]]},
                                                                        or {"intervals": [[above, upto]]}

Floats read back exactly; infinities, dates and timestamps are strings. Loading executes nothing. Version 1 lacks
"values", and is read too. A file is of version 3 if a test has intervals, which version 2 lacks.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

from attrs import asdict

from treerules._internal.arguments import require_type
from treerules._internal.paused_gc import paused_gc
from treerules.data.cell_reading import AS_USUAL, CellReading
from treerules.data.schema import Feature, Schema
from treerules.errors import ModelFileError, TreeRulesError
from treerules.recipes.recipe import Recipe
from treerules.trees.json_nodes import node_rows, node_texts
from treerules.trees.json_provenance import (
    bounds_from_json,
    bounds_to_json,
    domain_from_json,
    domain_to_json,
    estimate_from_json,
    estimate_to_json,
    origin_from_json,
    origin_to_json,
    recipe_from_json,
    recipe_to_json,
)
from treerules.trees.json_values import (
    json_text,
    reader_of,
    require_instance,
    value_to_json,
)
from treerules.trees.nodes import Split, from_preorder
from treerules.trees.tree import Tree
from treerules.trees.value_set_test import ValueSetTest
from treerules.trees.walkers import preorder

FORMAT, VERSION = "treerules.tree", 3
#: The version of files without tests of intervals, so that these files are the same as before there were such tests.
_VERSION_WITHOUT_INTERVALS = 2
#: The versions that are read.
_READ_VERSIONS = (1, 2, 3)
#: The parts that a file may lack.
_OPTIONAL = {"origin", "estimate", "bounds", "domain"}
#: The text before and after the rows of the nodes, which come last.
_BEFORE_ROWS, _AFTER_ROWS = ',\n"nodes": [\n', "\n]}\n"


def tree_to_json(tree: Tree) -> str:
    """Return a tree as the text of a model file; the same tree gives the same text.

    Args:
        tree: the Tree to write.

    Returns:
        JSON, one line for each node; floats read back exactly.

    Raises:
        OptionError: `tree` is not a Tree.

    Examples:
        >>> from treerules import cart, learn, Table
        >>> tree = learn(Table.from_columns({"x": [1, 2, 4], "y": ["a", "a", "b"]}), target="y", recipe=cart())
        >>> tree_from_json(tree_to_json(tree)) == tree
        True
    """
    require_type("tree", tree, Tree, "a Tree; save() writes an Ensemble too")
    content: dict[str, Any] = {
        "schema": schema_record(tree.schema),
        **tree_parts(tree),
    }
    rows = ",\n".join(node_texts(tree))
    has_intervals = any(isinstance(node, Split) and isinstance(node.test, ValueSetTest) for node in preorder(tree.root))
    version = VERSION if has_intervals else _VERSION_WITHOUT_INTERVALS
    head = {"format": FORMAT, "version": version, "digest": _digest(content, rows)}
    entries = [f"{json_text(key)}: {json_text(value)}" for key, value in {**head, **content}.items()]
    return "{" + ",\n".join(entries) + _BEFORE_ROWS + rows + _AFTER_ROWS


def tree_parts(tree: Tree) -> dict[str, Any]:
    """Return the parts of a tree in JSON other than its schema and its nodes."""
    parts = {
        "recipe": recipe_to_json(tree.recipe) if isinstance(tree.recipe, Recipe) else None,
        "notes": list(tree.notes),
        "origin": None if tree.origin is None else origin_to_json(tree.origin),
    }
    if tree.estimate is not None:
        parts["estimate"] = estimate_to_json(tree.estimate)
    if tree.bounds is not None:
        parts["bounds"] = bounds_to_json(tree.bounds)
    if tree.domain:
        parts["domain"] = domain_to_json(tree.domain)
    return parts


@paused_gc()
def tree_from_json(text: str | bytes) -> Tree:
    """Return the tree in the text of a model file. All values are validated, and no code is executed.

    Args:
        text: what `tree_to_json` returned, as text or as UTF-8 bytes.

    Returns:
        A Tree, equal to the one that was written.

    Raises:
        OptionError: `text` is neither text nor bytes.
        ModelFileError: the text is not a model file, was damaged, or does not describe a valid tree.

    Examples:
        >>> from treerules import cart, learn, Table
        >>> tree = learn(Table.from_columns({"x": [1, 2, 4], "y": ["a", "a", "b"]}), target="y", recipe=cart())
        >>> tree_from_json(tree_to_json(tree))
        <Tree 'y' leaves=2 depth=1>
    """
    require_type("text", text, str | bytes, "the text of a model file")
    with model_file_errors():
        content = parse_content(text)
        if content.pop("format", None) != FORMAT:
            raise ModelFileError("it does not say that it is a tree of treerules")
        return tree_of_content(content, text)


@contextmanager
def model_file_errors(*passed: type[TreeRulesError]) -> Iterator[None]:
    """Turn whatever is raised while a model file is read into a ModelFileError, but for the errors that pass."""
    try:
        yield
    except TreeRulesError as error:
        if isinstance(error, (ModelFileError, *passed)):
            raise
        raise ModelFileError(f"{type(error).__name__}: {error.sentence()}") from error
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise ModelFileError(f"{type(error).__name__}: {error}") from error
    except (RecursionError, OverflowError, MemoryError) as error:
        raise ModelFileError(f"it is nested too deep or too large ({type(error).__name__})") from error


def tree_of_content(content: dict[str, Any], text: str | bytes) -> Tree:
    """Return the tree of the content of a model file, without its format; `text` is the file.

    Raises:
        ModelFileError: the content was damaged, or has other parts.
    """
    _check_content(content, text if isinstance(text, str) else text.decode("utf-8"))
    return read_tree(content, read_schema(content["schema"]))


def read_tree(record: Mapping[str, Any], schema: Schema) -> Tree:
    """Return the tree of a record that holds its nodes and what `tree_parts` gives."""
    return Tree(
        schema,
        from_preorder(list(node_rows(record["nodes"], schema))),
        recipe_from_json(record["recipe"], schema),
        [require_instance(str, note) for note in record["notes"]],
        origin_from_json(record.get("origin"), schema),
        estimate_from_json(record.get("estimate")),
        bounds_from_json(record.get("bounds")),
        domain=domain_from_json(record.get("domain", {}), schema),
    )


# ---- the text


def _digest(content: Mapping[str, Any], rows: str | None = None) -> str:
    """Return the hash of the content of a model file; `rows` is the text of the nodes, if `content` lacks them."""
    canonical = json.dumps(content, ensure_ascii=True, allow_nan=False, separators=(",", ":"), sort_keys=True)
    if rows is not None:
        rows = rows.replace(",\n", ",")
        if not rows.isascii() or "\x7f" in rows:
            rows = re.sub(r"[^\x00-\x7e]+", lambda match: json.dumps(match[0])[1:-1], rows)
        canonical = f'{{"nodes":[{rows}],{canonical[1:]}'  # the first of the keys
    return sha256(canonical.encode("ascii")).hexdigest()


def parse_content(text: str | bytes) -> dict[str, Any]:
    """Return the object of JSON in a model file.

    Raises:
        ModelFileError: the text is not UTF-8, or no object of JSON.
    """
    try:
        text = text if isinstance(text, str) else text.decode("utf-8")
        content = json.loads(text, object_pairs_hook=_without_duplicates, parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        raise ModelFileError(f"it is not UTF-8 (byte {error.start})") from error
    except json.JSONDecodeError as error:
        raise ModelFileError(f"it is not JSON ({error})") from error
    return content if isinstance(content, dict) else {}


def _check_content(content: dict[str, Any], text: str) -> None:
    """Raise ModelFileError unless the content is of a version that is read, unchanged, and has the parts of a tree."""
    version = content.pop("version", None)
    if type(version) is not int or version not in _READ_VERSIONS:
        raise ModelFileError(f"it is of version {version!r}, this treerules reads versions 1 to {VERSION}")
    digest, rows = content.pop("digest", None), text.partition(_BEFORE_ROWS)[2].removesuffix(_AFTER_ROWS)
    other_entries = {name: part for name, part in content.items() if name != "nodes"}
    if digest != _digest(other_entries, rows) and digest != _digest(
        content
    ):  # the first test succeeds for an unchanged file
        raise ModelFileError("its content does not fit its digest, so it was changed or cut off")
    if set(content) | _OPTIONAL != {"schema", "recipe", "notes", "nodes"} | _OPTIONAL:
        raise ModelFileError(f"it has the parts {sorted(content)}")


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        raise ModelFileError("a key stands twice in one object")
    return content


def _refuse_constant(name: str) -> Any:
    raise ModelFileError(f"it holds the number {name}")


# ---- the schema


def feature_record(feature: Feature) -> dict[str, Any]:
    """Return the record of a feature."""
    categories = [value_to_json(category) for category in feature.categories]
    record = {"name": feature.name, "kind": str(feature.kind), "of": feature.scalar, "categories": categories}
    record |= {"form": feature.form} if feature.form else {}
    chosen = {name: value for name, value in asdict(feature.reading).items() if value != getattr(AS_USUAL, name)}
    return {**record, "reading": chosen} if chosen else record


def read_feature(record: Any) -> Feature:
    """Return the feature of a record that `feature_record` made."""
    if set(require_instance(dict, record)) - {"form", "reading"} != {"name", "kind", "of", "categories"}:
        raise ModelFileError(f"a feature has the parts {sorted(record)}")
    scalar = record["of"]
    categories = [reader_of(scalar)(value) for value in require_instance(list, record["categories"])]
    name, reading = require_instance(str, record["name"]), _read_reading(record.get("reading", {}))
    return Feature(name, record["kind"], categories, scalar, record.get("form", ""), reading)


def _read_reading(record: Any) -> CellReading:
    """Return the reading of a record: words for missing values, and what was chosen besides."""
    words = [require_instance(str, word) for word in require_instance(list, record.get("missing", []))]
    return CellReading(words, **{name: require_instance(bool, record[name]) for name in record if name != "missing"})


def schema_record(schema: Schema) -> dict[str, Any]:
    """Return the record of a schema: features and target, and what figures count where that is not rows."""
    record: dict[str, Any] = {
        "features": [feature_record(feature) for feature in schema.features],
        "target": None if schema.target is None else feature_record(schema.target),
    }
    return record if schema.counted == "rows" else {**record, "counted": schema.counted}


def read_schema(record: Any) -> Schema:
    """Return the schema of a record that `schema_record` made."""
    target = require_instance(dict, record)["target"]
    features = [read_feature(feature) for feature in require_instance(list, record["features"])]
    return Schema(features, None if target is None else read_feature(target), counted=record.get("counted", "rows"))
