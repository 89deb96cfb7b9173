"""Trees as JSON and back: the model file `*.tree.json`.

    {"format": "treerules.tree", "version": 1, "digest": sha256 of the rest,
     "schema": {"features": [...], "target": {...}}, "recipe": {...} or null, "notes": [...],
     "origin": {"data": hash, "n_rows", "weight", "validation", "pruned": [[method, options]]} or null,
     "nodes": [a row a node in preorder]}

    a leaf's row       [prediction, counts]                             prediction: [label, [shares]] or [mean, sd]
    a split's row      [feature, test, missing, unseen, prediction, counts]   test: threshold, or {"groups": [[...]]}

Floats read back exactly; infinities, dates and timestamps are strings. Loading executes nothing.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from attrs import asdict

from treerules.errors import ModelFileError, TreeRulesError
from treerules.files import read_bytes, write_texts
from treerules.learn.recipe import Recipe
from treerules.origin import Origin
from treerules.parts import Groups, Label, Mean, Prediction, Test, Threshold
from treerules.schema import SCALARS, Feature, Schema
from treerules.tree import Leaf, Split, Tree, from_preorder, preorder

FORMAT, VERSION = "treerules.tree", 1
#: Files larger than this are refused unread.
MOST_BYTES = 1 << 30


def tree_to_json(tree: Tree) -> str:
    """Return a tree as JSON, a line a node; the same tree gives the same bytes."""
    nodes = [_node_row(node) for node in preorder(tree.root)]
    content: dict[str, Any] = {
        "schema": {
            "features": [_feature_record(feature) for feature in tree.schema.features],
            "target": None if tree.schema.target is None else _feature_record(tree.schema.target),
        },
        "recipe": _recipe_record(tree.recipe) if isinstance(tree.recipe, Recipe) else None,
        "notes": list(tree.notes),
        "origin": None if tree.origin is None else _origin_record(tree.origin),
        "nodes": nodes,
    }
    head = {"format": FORMAT, "version": VERSION, "digest": _digest(content)}
    parts = [f"{_dumped(key)}: {_dumped(value)}" for key, value in {**head, **content}.items() if key != "nodes"]
    rows = ",\n".join(_dumped(row) for row in nodes)
    return "{" + ",\n".join(parts) + ',\n"nodes": [\n' + rows + "\n]}\n"


def tree_from_json(text: str | bytes) -> Tree:
    """Return the tree that JSON text holds.

    Raises:
        ModelFileError: the text is no model file, was damaged, or describes no valid tree.
    """
    try:
        content = _parsed(text)
        schema = _schema(content["schema"])
        return Tree(
            schema,
            from_preorder(list(_rows(content["nodes"], schema))),
            _recipe(content["recipe"], schema),
            [_of(str, note) for note in content["notes"]],
            _origin(content.get("origin")),
        )
    except ModelFileError:
        raise
    except (TreeRulesError, KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise ModelFileError(f"{type(error).__name__}: {error}") from error
    except (RecursionError, OverflowError, MemoryError) as error:
        raise ModelFileError(f"it is nested or sized beyond reason ({type(error).__name__})") from error


def save_tree(tree: Tree, path: str | Path) -> None:
    """Write a tree to a model file; the old file stays as it was unless all is written.

    Raises:
        FileError: the file cannot be written.
    """
    write_texts({Path(path): tree_to_json(tree)})


def load_tree(path: str | Path) -> Tree:
    """Return the tree of a model file.

    Raises:
        FileError: the file cannot be read.
        ModelFileError: it is no model file, or a damaged one.
    """
    try:
        return tree_from_json(read_bytes(path, MOST_BYTES))
    except ModelFileError as error:
        raise ModelFileError(f"{path}: {error.problem}") from error


# ---- the text


def _dumped(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", text)  # UTF-8 has no lone surrogates


def _digest(content: Mapping[str, Any]) -> str:
    canonical = json.dumps(content, ensure_ascii=True, allow_nan=False, separators=(",", ":"), sort_keys=True)
    return sha256(canonical.encode("ascii")).hexdigest()


def _parsed(text: str | bytes) -> dict[str, Any]:
    try:
        text = text if isinstance(text, str) else text.decode("utf-8")
        content = json.loads(text, object_pairs_hook=_without_duplicates, parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        raise ModelFileError(f"it is not UTF-8 (byte {error.start})") from error
    except json.JSONDecodeError as error:
        raise ModelFileError(f"it is not JSON ({error})") from error
    if not isinstance(content, dict) or content.pop("format", None) != FORMAT:
        raise ModelFileError("it does not say that it is a tree of treerules")
    version = content.pop("version", None)
    if type(version) is not int or version != VERSION:
        raise ModelFileError(f"it is of version {version!r}, this treerules reads version {VERSION}")
    if content.pop("digest", None) != _digest(content):
        raise ModelFileError("its content does not fit its digest, so it was changed or cut off")
    if set(content) | {"origin"} != {"schema", "recipe", "notes", "origin", "nodes"}:
        raise ModelFileError(f"it has the parts {sorted(content)}")
    return content


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ModelFileError("a key stands twice in one object")
    return found


def _refuse_constant(name: str) -> Any:
    raise ModelFileError(f"it holds the number {name}")


# ---- values


def _value_to_json(value: Any) -> Any:
    if isinstance(value, float) and abs(value) == float("inf"):
        return "inf" if value > 0 else "-inf"
    return value.isoformat() if isinstance(value, (date, datetime)) else value


def _of(kind: type, value: Any) -> Any:
    if type(value) is not kind:
        raise ModelFileError(f"{value!r:.60} stands where {kind.__name__} belongs")
    return value


def _float(value: Any) -> float:
    if value in ("inf", "-inf"):
        return float(value)
    return float(value) if type(value) is int else float(_of(float, value))


_READ: dict[str, Callable[[Any], Any]] = {
    "number": _float,
    "date": lambda value: date.fromisoformat(_of(str, value)),
    "timestamp": lambda value: datetime.fromisoformat(_of(str, value)),
    "timestamp_utc": lambda value: datetime.fromisoformat(_of(str, value)),
}


def _value(scalar: str, value: Any) -> Any:
    return _READ[scalar](value) if scalar in _READ else _of(SCALARS[scalar].type, value)


def _feature_record(feature: Feature) -> dict[str, Any]:
    categories = [_value_to_json(category) for category in feature.categories]
    record = {"name": feature.name, "kind": str(feature.kind), "of": feature.scalar, "categories": categories}
    return {**record, "form": feature.form} if feature.form else record


def _feature(record: Any) -> Feature:
    if set(_of(dict, record)) - {"form"} != {"name", "kind", "of", "categories"}:
        raise ModelFileError(f"a feature has the parts {sorted(record)}")
    scalar = record["of"]
    categories = [_value(scalar, value) for value in _of(list, record["categories"])]
    return Feature(_of(str, record["name"]), record["kind"], categories, scalar, record.get("form", ""))


def _schema(record: Any) -> Schema:
    target = _of(dict, record)["target"]
    return Schema(
        [_feature(feature) for feature in _of(list, record["features"])], None if target is None else _feature(target)
    )


# ---- where it came from


def _recipe_record(recipe: Recipe) -> dict[str, Any]:
    record = asdict(recipe)
    for name in ("class_weight", "priors", "costs"):
        if not isinstance(record[name], str):
            record[name] = [[_label_to_json(value) for value in row] for row in record[name]]
    return record


def _label_to_json(label: Any) -> Any:
    """Return a class as a choice named it, or a number: a date is told from its text."""
    return {"date": label.isoformat()} if isinstance(label, (date, datetime)) else _value_to_json(label)


def _recipe(record: Any, schema: Schema) -> Recipe | None:
    if record is None:
        return None
    found = dict(_of(dict, record))
    scalar = schema.target.scalar if schema.target else "text"
    for name, n_labels in (("class_weight", 1), ("priors", 1), ("costs", 2)):
        if isinstance(found.get(name), list):
            found[name] = [
                [*(_label(scalar, label) for label in row[:n_labels]), *row[n_labels:]] for row in found[name]
            ]
    return Recipe(**found)


def _label(scalar: str, label: Any) -> Any:
    """Return a class as a choice named it: by itself, or by its text."""
    if isinstance(label, dict):
        return _value(scalar, label["date"])
    return _float(label) if scalar == "number" and label in ("inf", "-inf") else label


def _origin_record(origin: Origin) -> dict[str, Any]:
    steps = [
        [method, None if options is None else [[name, _value_to_json(value)] for name, value in options]]
        for method, options in origin.pruned
    ]
    return {**asdict(origin), "pruned": steps}


def _origin(record: Any) -> Origin | None:
    if record is None:
        return None
    steps = [
        (method, None if options is None else [(name, _option(name, value)) for name, value in options])
        for method, options in _of(list, _of(dict, record)["pruned"])
    ]
    origin = Origin(**{**record, "pruned": steps})
    texts = (origin.data, origin.weight, origin.validation, *(method for method, _ in origin.pruned))
    if type(origin.n_rows) is not int or not all(text is None or isinstance(text, str) for text in texts):
        raise ModelFileError(f"it has the origin {record!r:.60}")
    return origin


def _option(name: str, value: Any) -> Any:
    return float("inf") if name == "alpha" and value == "inf" else value


# ---- nodes


def _prediction_to_json(prediction: Prediction) -> list[Any]:
    if isinstance(prediction, Label):
        return [_value_to_json(prediction.value), list(prediction.probabilities)]
    return [prediction.value, prediction.sd]


def _figures_to_json(leaf: Leaf | None) -> list[Any]:
    return [None, None] if leaf is None else [_prediction_to_json(leaf.prediction), list(leaf.counts)]


def _node_row(node: Any) -> list[Any]:
    if not isinstance(node, Split):
        return _figures_to_json(node)
    test = node.test
    said = {"groups": test.groups} if isinstance(test, Groups) else _value_to_json(test.threshold)
    return [test.feature, said, node.missing, node.unseen, *_figures_to_json(node.collapsed)]


def _rows(nodes: Any, schema: Schema) -> Iterator[tuple[Any, ...]]:
    for row in _of(list, nodes):
        if len(_of(list, row)) == 2:
            yield _figures(row, schema)
        else:
            index, said, missing, unseen, *figures = row
            yield _test(index, said, schema), missing, unseen, None if figures[0] is None else _figures(figures, schema)


def _test(index: Any, said: Any, schema: Schema) -> Test:
    if isinstance(said, dict):
        return Groups(_of(int, index), [[_of(int, position) for position in group] for group in said["groups"]])
    if not 0 <= _of(int, index) < len(schema.features):
        raise ModelFileError(f"a test asks for feature {index} of {len(schema.features)}")
    return Threshold(index, _value(schema.features[index].scalar, said))


def _figures(row: Any, schema: Schema) -> tuple[Prediction, tuple[float, ...]]:
    (first, second), counts = row
    target = schema.target
    if target is None or not isinstance(second, list):
        prediction: Prediction = Mean(_float(first), _float(second))
    else:
        prediction = Label(_value(target.scalar, first), [_float(share) for share in second])
    if not all(type(count) in (int, float) for count in counts):
        raise ModelFileError(f"a leaf has the counts {counts!r:.60}")
    return prediction, tuple(counts)
