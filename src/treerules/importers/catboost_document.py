"""The content of a model of CatBoost (the JSON of `save_model`), checked: columns, statistics of categories, and trees.

    features_info      float features (what NaN is), categorical features, statistics (CTRs), hashes of categories
    oblivious_trees    per tree: a split for each level, and the values of all leaves
    trees              of other grow policies: nested splits, and values
    ctr_data           per statistic: counts of the classes of the target for each category
    scale_and_bias     the sum is multiplied by the first, and the second is added

A split of a tree sends a row to the second child where it holds: a number above a border, a category that is one value,
a statistic of a category above a border.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from attrs import frozen

from treerules._internal.short_repr import short_repr
from treerules.errors import ModelFileError, listed

#: The factor of the hash of a category in the keys of counts.
_FACTOR, _MASK = 0x4906BA494954CB65, (1 << 64) - 1


@short_repr
@frozen
class BorderSplit:
    """A number above a border, compared in float32."""

    column: int
    border: float
    #: the child of NaN: 0 or 1
    missing: int


@short_repr
@frozen
class CategorySplit:
    """A category of a column that goes to the second child, and whether one that is unseen does."""

    column: int
    categories: frozenset[str]
    unseen: bool


Split = BorderSplit | CategorySplit


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
    info, features = content["model_info"], content["features_info"]
    for kind in ("text_features", "embedding_features"):
        if features.get(kind):
            raise ModelFileError(f"it has {kind.replace('_', ' ')}", "fit without them")
    loss = _loss(info)
    threshold = float(info.get("binclass_probability_threshold", 0.5))
    if not 0 < threshold < 1:
        raise ModelFileError(f"its threshold of probabilities is {threshold}")
    scale, bias = content["scale_and_bias"]
    bias = tuple(float(number) for number in (bias if isinstance(bias, list) else [bias]))
    if not bias:
        raise ModelFileError("it has no bias, a number for each margin")
    columns = _Columns(features, content.get("ctr_data") or {})
    records = content.get("oblivious_trees")
    if records is None:
        trees = tuple(_nested_tree(record, columns, len(bias)) for record in content["trees"])
    else:
        trees = tuple(_oblivious_tree(record, columns, len(bias)) for record in records)
    if not trees or not np.isfinite([*bias, float(scale)]).all():
        raise ModelFileError("it has no trees, or a scale or bias that is not finite")
    classes = tuple((info.get("class_params") or {}).get("class_names") or ())
    categories = {column: tuple(sorted(known)) for column, known in columns.categories.items()}
    return CatBoostModel(loss, classes, columns.names, categories, trees, float(scale), bias, threshold)


def _loss(info: Mapping[str, Any]) -> str:
    """Return the name of the loss function; models that were added to each other have it as text."""
    loss = info["params"]["loss_function"] if "params" in info else info["loss_function"]
    return str((json.loads(loss) if isinstance(loss, str) else loss)["type"])


class _Columns:
    """The columns of a model, and its splits by their number: borders, then categories, then statistics."""

    def __init__(self, features: Mapping[str, Any], counts: Mapping[str, Any]) -> None:
        numbers = features.get("float_features") or []
        encoded = features.get("categorical_features") or []
        self.numbers = {feature["feature_index"]: feature for feature in numbers}
        self.encoded = {feature["feature_index"]: int(feature["flat_feature_index"]) for feature in encoded}
        names = {
            int(feature["flat_feature_index"]): str(
                feature.get("feature_id") or feature.get("feature_name") or feature["flat_feature_index"]
            )
            for feature in (*numbers, *encoded)
        }
        if sorted(names) != list(range(len(names))):
            raise ModelFileError("its columns are not numbered from 0")
        self.names = tuple(names[column] for column in range(len(names)))
        self.texts: dict[int, list[str]] = {}
        for entry in features.get("cat_features_hash") or []:
            self.texts.setdefault(int(entry["hash"]) & 0xFFFFFFFF, []).append(str(entry["value"]))
        self.categories: dict[int, set[str]] = {column: set() for column in self.encoded.values()}
        self.counts = counts
        first = sum(len(feature["borders"]) for feature in numbers)
        first += sum(len(feature.get("values") or ()) for feature in encoded)
        self.statistics = [(ctr, border) for ctr in features.get("ctrs") or [] for border in ctr["borders"]]
        self.first_statistic = first

    def split(self, record: Mapping[str, Any]) -> Split:
        """Return a split of a tree."""
        kind = record["split_type"]
        if kind == "FloatFeature":
            feature = self.numbers[record["float_feature_index"]]
            treatment = feature["nan_value_treatment"]
            if treatment not in ("AsIs", "AsFalse", "AsTrue"):
                raise ModelFileError(f"a column takes NaN as {treatment!r}, which is not known")
            border = float(np.float32(record["border"]))
            if not np.isfinite(border):
                raise ModelFileError("a border is not finite")
            return BorderSplit(int(feature["flat_feature_index"]), border, 1 if treatment == "AsTrue" else 0)
        if kind == "OneHotFeature":
            column = self.encoded[record["cat_feature_index"]]
            texts = self.texts.get(int(record["value"]) & 0xFFFFFFFF)
            if texts is None:
                raise _no_hashes(self.names[column])
            self.categories[column].update(texts)
            return CategorySplit(column, frozenset(texts), unseen=False)
        if kind == "OnlineCtr":
            return self._statistic(int(record["split_index"]) - self.first_statistic)
        raise ModelFileError(f"a split is a {kind!r}, which is not read")

    def _statistic(self, place: int) -> CategorySplit:
        """Return the categories whose statistic is above a border, given its position among those of all statistics."""
        if not 0 <= place < len(self.statistics):
            raise ModelFileError("a split names a statistic that there is not")
        statistic, border = self.statistics[place]
        elements = statistic["elements"]
        parts = [part["cat_feature_index"] for part in elements if "cat_feature_index" in part]
        names = [self.names[self.encoded[part]] for part in parts]
        if len(elements) != 1 or len(names) != 1 or statistic["ctr_type"] != "Borders":
            problem = (
                f"it has the statistic {statistic['ctr_type']} of {listed(names)}, and Borders of one column are read"
            )
            raise ModelFileError(f"{problem}; {_WITHOUT_STATISTICS}")
        column = self.encoded[elements[0]["cat_feature_index"]]
        record = self.counts[statistic["identifier"]]
        if record["hash_stride"] != 3 or statistic["target_border_idx"] != 0:
            raise ModelFileError(f"the statistic of {names[0]!r} counts more than two classes, which is not read")
        cells = record["hash_map"]
        by_key = {int(key): pair for key, *pair in zip(cells[::3], cells[1::3], cells[2::3], strict=True)}
        found = {key: texts for hashed, texts in self.texts.items() if (key := _key(hashed)) in by_key}
        if by_key.keys() - found.keys() - {_MASK}:
            raise _no_hashes(names[0])
        known = [text for texts in found.values() for text in texts]
        self.categories[column].update(known)
        value = _Value(statistic)
        if not np.isfinite([value(0, 0), border]).all() or not all(min(pair) >= 0 for pair in by_key.values()):
            raise ModelFileError(f"the statistic of {names[0]!r} has a number that is not finite, or below 0")
        above = {text for key, texts in found.items() if value(*by_key[key]) > np.float32(border) for text in texts}
        return CategorySplit(column, frozenset(above), unseen=bool(value(0, 0) > np.float32(border)))


@frozen
class _Value:
    """The value of a statistic, given the counts of both classes: float32, as CatBoost computes it."""

    statistic: Mapping[str, Any]

    def __call__(self, first: float, second: float) -> Any:
        single = np.float32
        prior, denominator, shift, scale = (
            single(self.statistic[name]) for name in ("prior_numerator", "prior_denomerator", "shift", "scale")
        )
        if not denominator > 0:
            raise ModelFileError("a statistic is divided by 0")
        return ((single(second) + prior) / (single(first) + single(second) + denominator) + shift) * scale


def _key(hashed: int) -> int:
    """Return the key of counts of a category, given its hash, 32 bits that are read with a sign."""
    signed = hashed - (1 << 32) if hashed >> 31 else hashed
    return _FACTOR * (_FACTOR * signed & _MASK) & _MASK


_WITHOUT_STATISTICS = (
    "fit with one_hot_max_size above the number of categories, or with simple_ctr=['Borders'] and max_ctr_complexity=1"
)


def _no_hashes(name: str) -> ModelFileError:
    remedy = "save it as JSON with pool=, the data that it was fitted on"
    return ModelFileError(f"it does not hold the categories of {name!r}", remedy)


def _numbers(values: Sequence[Any], n: int, what: str) -> list[float]:
    found = np.asarray(values, dtype=np.float64)
    if found.shape != (n,) or not np.isfinite(found).all():
        raise ModelFileError(f"a tree has {what} of shape {found.shape} or not finite, and {n} numbers are needed")
    listed_numbers: list[float] = found.tolist()
    return listed_numbers


def _oblivious_tree(record: Mapping[str, Any], columns: _Columns, n_margins: int) -> CatBoostTree:
    """Return a tree whose nodes of a level have one split; the k-th split gives the k-th bit of the leaf, from 0."""
    splits = [columns.split(split) for split in record.get("splits") or ()]
    n_leaves = len(record["leaf_values"]) // n_margins
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


def _nested_tree(record: Mapping[str, Any], columns: _Columns, n_margins: int) -> CatBoostTree:
    left: list[int] = []
    right: list[int] = []
    splits, leaves = dict[int, Split](), dict[int, tuple[tuple[float, ...], float]]()
    waiting: list[tuple[Mapping[str, Any], list[int] | None, int]] = [(record, None, 0)]
    while waiting:
        node, children, parent = waiting.pop()
        number = len(left)
        left.append(-1)
        right.append(-1)
        if children is not None:
            children[parent] = number
        if "split" in node:
            splits[number] = columns.split(node["split"])
            waiting += [(node["right"], right, number), (node["left"], left, number)]
        else:
            value = node["value"] if isinstance(node["value"], list) else [node["value"]]
            leaves[number] = tuple(_numbers(value, n_margins, "values")), float(node.get("weight", 0.0))
    return CatBoostTree(np.array(left), np.array(right), splits, leaves)
