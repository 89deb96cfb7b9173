"""Ensembles as JSON and back: the model file of a sum of trees.

    {"format": "treerules.ensemble", "version": 1, "digest": sha256 of the rest,
     "schema": as in the file of a tree, "notes": [...],
     "sum": {"base", "outputs", "order", "sum_type", "scale", "average", "link", "slope", "cut",
             "label_by"},
     "trees": [{"target", "recipe", "notes", "origin", "estimate" as in the file of a tree, "nodes": [...]}]}

Nodes and values are written as in the file of a tree (see `json_codec`).
"""

import json
from collections.abc import Callable, Mapping
from functools import partial
from hashlib import sha256
from typing import Any

from attrs import evolve

from treerules.data.schema import Schema
from treerules.errors import ModelFileError
from treerules.trees.ensemble import SUM_FIELDS, Ensemble
from treerules.trees.json_codec import feature_record, read_feature, read_schema, read_tree, schema_record, tree_parts
from treerules.trees.json_nodes import node_texts
from treerules.trees.json_values import float_of, json_text, require_instance
from treerules.trees.tree import Tree, target_of

FORMAT, VERSION = "treerules.ensemble", 1


def _list_of(read: Callable[[Any], Any], values: Any) -> list[Any]:
    return [read(value) for value in require_instance(list, values)]


_text = partial(require_instance, str)
#: How each of SUM_FIELDS is read from JSON.
_READERS: Mapping[str, Callable[[Any], Any]] = {
    "base": partial(_list_of, float_of),
    "outputs": partial(_list_of, partial(require_instance, int)),
    "order": _text,
    "sum_type": _text,
    "scale": float_of,
    "average": partial(require_instance, bool),
    "link": _text,
    "slope": float_of,
    "label_by": _text,
    "cut": lambda value: None if value is None else float_of(value),
}


def ensemble_to_json(ensemble: Ensemble) -> str:
    """Return an ensemble as the text of a model file, one line for each node; the same ensemble gives the same text."""
    head = {
        "schema": schema_record(ensemble.schema),
        "notes": list(ensemble.notes),
        "sum": {name: getattr(ensemble, name) for name in SUM_FIELDS},
    }
    trees = ",\n".join(map(_tree_text, ensemble.trees))
    digest = _digest({**head, "trees": json.loads(f"[{trees}]")})
    entries = {"format": FORMAT, "version": VERSION, "digest": digest, **head}
    lines = [f"{json_text(key)}: {json_text(value)}" for key, value in entries.items()]
    return "{" + ",\n".join(lines) + f',\n"trees": [\n{trees}\n]}}\n'


def _tree_text(tree: Tree) -> str:
    parts = json_text({"target": feature_record(target_of(tree)), **tree_parts(tree)})
    rows = ",\n".join(node_texts(tree))
    return f'{parts[:-1]},"nodes":[\n{rows}\n]}}'


def _digest(content: Mapping[str, Any]) -> str:
    """Return the hash of the content of a file."""
    canonical = json.dumps(content, ensure_ascii=True, allow_nan=False, separators=(",", ":"), sort_keys=True)
    return sha256(canonical.encode("ascii")).hexdigest()


def ensemble_of_content(content: dict[str, Any]) -> Ensemble:
    """Return the ensemble of the content of a model file, without its format.

    Raises:
        ModelFileError: the content was damaged, or does not describe an ensemble.
        TreeRulesError, KeyError, TypeError, ValueError: the parts do not fit each other.
    """
    version, digest = content.pop("version", None), content.pop("digest", None)
    if type(version) is not int or version != VERSION:
        raise ModelFileError(f"it is of version {version!r:.60}, this treerules reads ensembles of version {VERSION}")
    if digest != _digest(content):
        raise ModelFileError("its content does not fit its digest, so it was changed or cut off")
    if set(content) != {"schema", "notes", "sum", "trees"}:
        raise ModelFileError(f"it has the parts {sorted(content)}")
    schema, sum_record = read_schema(content["schema"]), require_instance(dict, content["sum"])
    if set(sum_record) != set(SUM_FIELDS):
        raise ModelFileError(f"its sum has the parts {sorted(sum_record)}")
    trees = [_tree(record, schema) for record in require_instance(list, content["trees"])]
    numbers = {name: _READERS[name](sum_record[name]) for name in SUM_FIELDS}
    return Ensemble(schema, trees, notes=_list_of(_text, content["notes"]), **numbers)


def _tree(record: Any, schema: Schema) -> Tree:
    target = read_feature(require_instance(dict, record).pop("target"))
    return read_tree(record, evolve(schema, target=target))
