"""The content of a model of CatBoost (the JSON of `save_model`), checked.

features_info      float features (what NaN is), categorical features, statistics (CTRs), hashes of categories
oblivious_trees    per tree: a split for each level, and the values of all leaves
trees              of other grow policies: nested splits, and values
ctr_data           per statistic: counts of the classes of the target for each category
scale_and_bias     the sum is multiplied by the first, and the second is added
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from attrs import frozen

from treerules._internal.short_repr import short_repr
from treerules.errors import ModelFileError
from treerules.importers.catboost_columns import CatBoostColumns, CategorySplit, Split, catboost_columns
from treerules.importers.model_parts import ModelPart, needed, number_of, part_of

#: The entries of a file, of its columns and of its trees that are known.
_FILE = ("features_info", "model_info", "oblivious_trees", "trees", "scale_and_bias", "ctr_data")
_FEATURES = (
    *("float_features", "categorical_features", "text_features", "embedding_features", "cat_features_hash", "ctrs"),
)
_OBLIVIOUS, _NESTED = ("leaf_values", "leaf_weights", "splits"), ("left", "right", "split", "value", "weight")


@short_repr
@frozen(eq=False)
class CatBoostTree:
    """The nodes of a tree, the root first: splits by their numbers, leaves with a value for each margin."""

    left: Any
    right: Any
    splits: Mapping[int, Split]
    #: for each leaf the values, and the weight of its rows
    leaves: Mapping[int, tuple[tuple[float, ...], float]]


@short_repr
@frozen(eq=False)
class CatBoostModel:
    """A model of CatBoost.

    Args:
        loss: the name of the loss function.
        classes: the labels; empty for a regression.
        names: the names of the columns.
        categories: the categories that splits know, for each column of categories.
        trees: the trees, in the order in which they are added.
        scale: the factor of the sum.
        bias: what is added at last to each margin.
        threshold: the probability above which the label is the second of two classes.
    """

    loss: str
    classes: tuple[Any, ...]
    names: tuple[str, ...]
    categories: Mapping[int, tuple[str, ...]]
    trees: tuple[CatBoostTree, ...]
    scale: float
    bias: tuple[float, ...]
    threshold: float


def catboost_model(content: Mapping[str, Any]) -> CatBoostModel:
    """Return the model in the object of a document.

    Raises:
        ModelFileError: it is damaged, or has columns, statistics or a scale that are not read.
    """
    document = ModelPart("the file", content)
    info, features = document.part("model_info"), document.part("features_info")
    for kind in ("text_features", "embedding_features"):
        if features.get(kind):
            raise ModelFileError(f"it has {kind.replace('_', ' ')}", "fit without them")
    document.require_known(_FILE)
    features.require_known(_FEATURES)
    loss = _loss(info)
    threshold = number_of(info.get("binclass_probability_threshold", 0.5), "its binclass_probability_threshold")
    if not 0 < threshold < 1:
        raise ModelFileError(f"its threshold of probabilities is {threshold}")
    scale, bias = _scale_and_bias(document)
    columns = catboost_columns(features, part_of(document.get("ctr_data") or {}, "its ctr_data"))
    if document.get("oblivious_trees") is None:
        trees = tuple(_nested_tree(record, columns, len(bias)) for record in document.parts("trees", "tree"))
    else:
        records = document.parts("oblivious_trees", "tree")
        trees = tuple(_oblivious_tree(record, columns, len(bias)) for record in records)
    if not trees or not np.isfinite([*bias, scale]).all():
        raise ModelFileError("it has no trees, or a scale or bias that is not finite")
    classes = _classes(part_of(info.get("class_params") or {}, "its class_params"))
    categories = _known_categories(columns, trees)
    return CatBoostModel(loss, classes, columns.names, categories, trees, scale, bias, threshold)


def _classes(parameters: ModelPart) -> tuple[Any, ...]:
    """Return the labels; JSON writes those of numbers that are whole, such as 0.0, as integers."""
    labels = parameters.listed("class_names", [])
    is_of_numbers = parameters.get("class_label_type") == "Float"
    return tuple(number_of(label, "a class") if is_of_numbers else label for label in labels)


def _scale_and_bias(document: ModelPart) -> tuple[float, tuple[float, ...]]:
    """Return the scale, and the bias of each margin."""
    pair = document.listed("scale_and_bias")
    if len(pair) != 2:
        raise needed(pair, "its scale_and_bias", "a pair of a number and a list of numbers")
    bias = pair[1] if isinstance(pair[1], list) else [pair[1]]
    if not bias:
        raise ModelFileError("it has no bias, a number for each margin")
    return number_of(pair[0], "its scale"), tuple(number_of(number, "its bias") for number in bias)


def _known_categories(columns: CatBoostColumns, trees: Sequence[CatBoostTree]) -> dict[int, tuple[str, ...]]:
    """Return the categories that some split knows, for each column of categories."""
    known: dict[int, set[str]] = {column: set() for column in columns.encoded.values()}
    splits = {id(split): split for tree in trees for split in tree.splits.values()}  # nodes of a level share one
    for split in splits.values():
        if isinstance(split, CategorySplit):
            known[split.column].update(split.known)
    return {column: tuple(sorted(texts)) for column, texts in known.items()}


def _loss(info: ModelPart) -> str:
    """Return the name of the loss function; models that were added to each other have it as text."""
    loss = (info.part("params") if "params" in info else info)["loss_function"]
    if isinstance(loss, str):
        try:
            loss = json.loads(loss)
        except json.JSONDecodeError as error:
            raise needed(loss, "its loss_function", "an object") from error
    return str(part_of(loss, "its loss_function")["type"])


def _numbers(values: Any, n: int, what: str) -> list[float]:
    try:
        found = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise needed(values, f"{what} of a tree", "a list of numbers") from error
    if found.shape != (n,) or not np.isfinite(found).all():
        raise ModelFileError(f"a tree has {what} of shape {found.shape} or not finite, and {n} numbers are needed")
    listed_numbers: list[float] = found.tolist()
    return listed_numbers


def _oblivious_tree(record: ModelPart, columns: CatBoostColumns, n_margins: int) -> CatBoostTree:
    """Return a tree whose nodes of a level have one split; the k-th split gives the k-th bit of the leaf, from 0."""
    record.require_known(_OBLIVIOUS)
    splits = [columns.split(split) for split in record.parts("splits", f"split of {record.name}", [])]
    n_leaves = len(record.listed("leaf_values")) // n_margins
    if n_leaves != 1 << len(splits):
        raise ModelFileError(f"a tree of {len(splits)} levels has {n_leaves} leaves")
    values = _numbers(record["leaf_values"], n_leaves * n_margins, "values")
    weights = _numbers(record.get("leaf_weights") or [0.0] * n_leaves, n_leaves, "weights")
    n_splits = n_leaves - 1
    numbers = np.arange(n_splits + n_leaves)
    left = np.where(numbers < n_splits, 2 * numbers + 1, -1)
    right = np.where(numbers < n_splits, 2 * numbers + 2, -1)
    leaves = {}
    for place in range(n_leaves):
        leaf = sum((place >> (len(splits) - 1 - level) & 1) << level for level in range(len(splits)))
        leaves[n_splits + place] = tuple(values[leaf * n_margins : (leaf + 1) * n_margins]), weights[leaf]
    return CatBoostTree(left, right, {node: splits[(node + 1).bit_length() - 1] for node in range(n_splits)}, leaves)


def _nested_tree(record: ModelPart, columns: CatBoostColumns, n_margins: int) -> CatBoostTree:
    left: list[int] = []
    right: list[int] = []
    splits, leaves = dict[int, Split](), dict[int, tuple[tuple[float, ...], float]]()
    waiting: list[tuple[ModelPart, list[int] | None, int]] = [(record, None, 0)]
    while waiting:
        node, children, parent = waiting.pop()
        node.require_known(_NESTED)
        number = len(left)
        left.append(-1)
        right.append(-1)
        if children is not None:
            children[parent] = number
        if "split" in node:
            splits[number] = columns.split(node.part("split"))
            waiting += [(node.part("right"), right, number), (node.part("left"), left, number)]
        else:
            value = node["value"] if isinstance(node["value"], list) else [node["value"]]
            (weight,) = _numbers([node.get("weight", 0.0)], 1, "weights")
            leaves[number] = tuple(_numbers(value, n_margins, "values")), weight
    return CatBoostTree(np.array(left), np.array(right), splits, leaves)
