"""Trees as JSON and back: the model file `*.tree.json`.

    {"format": "treerules.tree", "version": 2, "digest": sha256 of the rest,
     "schema": {"features": [...], "target": {...}}, "recipe": {...} or null, "notes": [...],
                                                  with "own_criterion": true where the criterion is a user's
     "origin": {"data": hash, "n_rows", "weight", "validation", "pruned": [[method, options]],
                "values": {"missing": [columns], "unseen": [columns], "zero_one": [columns]}} or null,
     "estimate": {"measure", ..., "sizes": [[n_rules, error, standard_error]]}, only if the size was chosen,
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
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from treerules._internal.arguments import require_type
from treerules._internal.paused_gc import paused_gc
from treerules.data.schema import Feature, Schema
from treerules.errors import ModelFileError, TreeRulesError
from treerules.recipes.recipe import Recipe
from treerules.trees.json_provenance import (
    estimate_from_json,
    estimate_to_json,
    origin_from_json,
    origin_to_json,
    recipe_from_json,
    recipe_to_json,
)
from treerules.trees.json_values import (
    float_of,
    intervals_from_json,
    intervals_to_json,
    reader_of,
    require_instance,
    value_to_json,
)
from treerules.trees.node_parts import CategoryTest, ClassPrediction, MeanPrediction, Prediction, Test, ThresholdTest
from treerules.trees.nodes import Leaf, Split, from_preorder
from treerules.trees.tree import Tree
from treerules.trees.value_set_test import ValueSetTest
from treerules.trees.walkers import preorder

FORMAT, VERSION = "treerules.tree", 3
#: The version of files without tests of intervals, so that these files are the same as before there were such tests.
_VERSION_WITHOUT_INTERVALS = 2
#: The versions that are read.
_READ_VERSIONS = (1, 2, 3)
#: The parts that a file may lack.
_OPTIONAL = {"origin", "estimate"}
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
    require_type("tree", tree, Tree, "a Tree")
    content: dict[str, Any] = {
        "schema": {
            "features": [_feature_record(feature) for feature in tree.schema.features],
            "target": None if tree.schema.target is None else _feature_record(tree.schema.target),
        },
        "recipe": recipe_to_json(tree.recipe) if isinstance(tree.recipe, Recipe) else None,
        "notes": list(tree.notes),
        "origin": None if tree.origin is None else origin_to_json(tree.origin),
    }
    if tree.estimate is not None:
        content["estimate"] = estimate_to_json(tree.estimate)
    rows = ",\n".join(_node_texts(tree))
    has_intervals = any(isinstance(node, Split) and isinstance(node.test, ValueSetTest) for node in preorder(tree.root))
    version = VERSION if has_intervals else _VERSION_WITHOUT_INTERVALS
    head = {"format": FORMAT, "version": version, "digest": _digest(content, rows)}
    entries = [f"{_json_text(key)}: {_json_text(value)}" for key, value in {**head, **content}.items()]
    return "{" + ",\n".join(entries) + _BEFORE_ROWS + rows + _AFTER_ROWS


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
    try:
        content = _parse_content(text)
        schema = _schema(content["schema"])
        return Tree(
            schema,
            from_preorder(list(_rows(content["nodes"], schema))),
            recipe_from_json(content["recipe"], schema),
            [require_instance(str, note) for note in content["notes"]],
            origin_from_json(content.get("origin"), schema),
            estimate_from_json(content.get("estimate")),
        )
    except ModelFileError:
        raise
    except TreeRulesError as error:
        raise ModelFileError(f"{type(error).__name__}: {error.sentence()}") from error
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise ModelFileError(f"{type(error).__name__}: {error}") from error
    except (RecursionError, OverflowError, MemoryError) as error:
        raise ModelFileError(f"it is nested too deep or too large ({type(error).__name__})") from error


# ---- the text


def _json_text(value: Any) -> str:
    if type(value) in (int, float) and abs(value) < float("inf"):
        return repr(value)
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return re.sub("[\ud800-\udfff]", lambda match: f"\\u{ord(match[0]):04x}", text)  # UTF-8 has no lone surrogates


def _digest(content: Mapping[str, Any], rows: str | None = None) -> str:
    """Return the hash of the content of a model file; `rows` is the text of the nodes, if `content` lacks them."""
    canonical = json.dumps(content, ensure_ascii=True, allow_nan=False, separators=(",", ":"), sort_keys=True)
    if rows is not None:
        rows = rows.replace(",\n", ",")
        if not rows.isascii() or "\x7f" in rows:
            rows = re.sub(r"[^\x00-\x7e]+", lambda match: json.dumps(match[0])[1:-1], rows)
        canonical = f'{{"nodes":[{rows}],{canonical[1:]}'  # the first of the keys
    return sha256(canonical.encode("ascii")).hexdigest()


def _parse_content(text: str | bytes) -> dict[str, Any]:
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
    return content


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        raise ModelFileError("a key stands twice in one object")
    return content


def _refuse_constant(name: str) -> Any:
    raise ModelFileError(f"it holds the number {name}")


# ---- the schema


def _feature_record(feature: Feature) -> dict[str, Any]:
    categories = [value_to_json(category) for category in feature.categories]
    record = {"name": feature.name, "kind": str(feature.kind), "of": feature.scalar, "categories": categories}
    return {**record, "form": feature.form} if feature.form else record


def _feature(record: Any) -> Feature:
    if set(require_instance(dict, record)) - {"form"} != {"name", "kind", "of", "categories"}:
        raise ModelFileError(f"a feature has the parts {sorted(record)}")
    scalar = record["of"]
    categories = [reader_of(scalar)(value) for value in require_instance(list, record["categories"])]
    return Feature(require_instance(str, record["name"]), record["kind"], categories, scalar, record.get("form", ""))


def _schema(record: Any) -> Schema:
    target = require_instance(dict, record)["target"]
    features = [_feature(feature) for feature in require_instance(list, record["features"])]
    return Schema(features, None if target is None else _feature(target))


# ---- nodes


def _node_texts(tree: Tree) -> Iterator[str]:
    """Yield the row of each node in preorder, as `_json_text` would write it, in a fifth of its time."""
    labels = {value: _json_text(value_to_json(value)) for value in tree.schema.classes}
    for node in preorder(tree.root):
        if isinstance(node, Leaf):
            source = "" if node.rule is None else f",{node.rule}"
            yield f"[{_figures_text(node, labels)}{source}]"
        elif isinstance(node, Split):
            test, unseen = node.test, "null" if node.unseen is None else node.unseen
            figures = "null,null" if node.as_leaf is None else _figures_text(node.as_leaf, labels)
            yield f"[{test.feature},{_json_text(_test_cell(test))},{node.missing},{unseen},{figures}]"


def _test_cell(test: Test) -> Any:
    if isinstance(test, CategoryTest):
        return {"groups": test.groups}
    if isinstance(test, ValueSetTest):
        return {"intervals": intervals_to_json(test.values)}
    return value_to_json(test.threshold)


def _figures_text(leaf: Leaf, labels: Mapping[Any, str]) -> str:
    prediction, counts = leaf.prediction, ",".join(map(repr, leaf.counts))
    if isinstance(prediction, ClassPrediction):
        return f"[{labels[prediction.value]},[{','.join(map(repr, prediction.probabilities))}]],[{counts}]"
    return f"[{prediction.value!r},{prediction.sd!r}],[{counts}]"


def _rows(nodes: Any, schema: Schema) -> Iterator[tuple[Any, ...]]:
    reads = [reader_of(feature.scalar) for feature in schema.features]
    label = reader_of(schema.target.scalar) if schema.target else None
    labels: dict[Any, ClassPrediction] = {}
    for row in require_instance(list, nodes):
        if len(require_instance(list, row)) < 4:
            yield (*_figures(row[:2], label, labels), *(require_instance(int, source) for source in row[2:]))
        else:
            index, test, missing, unseen, *figures = row
            yield (
                _test(index, test, schema, reads),
                missing,
                unseen,
                None if figures[0] is None else _figures(figures, label, labels),
            )


def _test(index: Any, test: Any, schema: Schema, reads: Sequence[Callable[[Any], Any]]) -> Test:
    if isinstance(test, dict) and "intervals" not in test:
        return CategoryTest(
            require_instance(int, index),
            [[require_instance(int, position) for position in group] for group in test["groups"]],
        )
    if not 0 <= require_instance(int, index) < len(reads):
        raise ModelFileError(f"a test asks for feature {index} of {len(reads)}")
    if isinstance(test, dict):
        if set(test) != {"intervals"}:
            raise ModelFileError(f"a test has the parts {sorted(test)}")
        return ValueSetTest(index, intervals_from_json(schema.features[index], test["intervals"]))
    return ThresholdTest(index, reads[index](test))


def _figures(
    row: Any, label: Callable[[Any], Any] | None, labels: dict[Any, ClassPrediction]
) -> tuple[Prediction, tuple[float, ...]]:
    """Return the prediction and the counts of a node.

    Equal predictions share one object, since half of the nodes are pure.
    """
    (value, second), counts = row
    if label is None or not isinstance(second, list):
        prediction: Prediction = MeanPrediction(float_of(value), float_of(second))
    else:
        shares = tuple(second) if {float}.issuperset(map(type, second)) else tuple(map(float_of, second))
        key = type(value), value, shares
        prediction = labels.get(key) or labels.setdefault(key, ClassPrediction(label(value), shares))
    if not {int, float}.issuperset(map(type, counts)):
        raise ModelFileError(f"a leaf has the counts {counts!r:.60}")
    return prediction, tuple(counts)
