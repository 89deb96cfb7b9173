"""The content of a model of XGBoost (JSON or UBJSON, versions 2 and 3), checked and as arrays.

    learner     objective, base_score, names and types of features, attributes (best_iteration)
    trees       per node: children, feature, and in `split_conditions` the threshold, or the value of a leaf
    cats        since 3.1: the categories of columns of data frames, in the order of their codes

Numbers are those of 32-bit floats: JSON spells them with as few digits as tell them apart, so they are rounded.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from attrs import frozen

from treerules._internal.short_repr import short_repr
from treerules.errors import ModelFileError
from treerules.importers.model_parts import ModelPart, needed, part_of

#: More features than this are none of a model that people use.
MOST_FEATURES = 1 << 20
#: The versions of the format that are known.
_VERSIONS = (2, 3)
#: Versions 3.1 to 3.3 cut a text that is not ASCII to as many bytes as it has characters.
_WHOLE_TEXTS = [3, 4]
#: From this version on, inplace_predict adds the leaves of DART as predict of a DMatrix does.
_DART_IS_ONE = [3, 3]
#: The boosters that are sums of trees.
_BOOSTERS = ("gbtree", "dart")
#: The entries of its parts that are known.
_FILE = ("learner", "version")
_LEARNER = (*("attributes", "feature_names", "feature_types", "gradient_booster", "learner_model_param", "objective"),)
_BOOSTER = ("gbtree", "model", "name", "weight_drop")
_OBJECTIVE = {
    *("aft_loss_param", "lambdarank_param", "name", "poisson_regression_param", "pseudo_huber_param"),
    *("quantile_loss_param", "reg_loss_param", "softmax_multiclass_param", "ti+", "tj-", "tweedie_regression_param"),
}
_PARAMETERS = ("base_score", "boost_from_average", "num_class", "num_feature", "num_target")
_MODEL = ("cats", "gbtree_model_param", "iteration_indptr", "tree_info", "trees", "weight_drop")
_MODEL_PARAMETERS = ("num_parallel_tree", "num_trees")
_TREE_PARAMETERS = ("num_deleted", "num_feature", "num_nodes", "size_leaf_vector")
_TREE = {
    *("base_weights", "categories", "categories_nodes", "categories_segments", "categories_sizes", "default_left"),
    *("id", "left_children", "loss_changes", "parents", "right_children", "split_conditions", "split_indices"),
    *("split_type", "sum_hessian", "tree_param"),
}


@short_repr
@frozen(eq=False)
class XGBoostTree:
    """The nodes of a tree, the root first.

    Args:
        left: the first child of each node, -1 for a leaf; shape (nodes,).
        right: the second child.
        feature: the position of the feature.
        number: float32, the threshold, or the value of a leaf.
        goes_left: whether missing values go to the first child.
        codes: for the nodes that test a category, the codes that go to the second child.
        hessian: the sum of the second derivatives of the loss of the training rows in each node.
        output: the margin that the tree is added to.
    """

    left: Any
    right: Any
    feature: Any
    number: Any
    goes_left: Any
    codes: Mapping[int, frozenset[int]]
    hessian: Any
    output: int


@short_repr
@frozen(eq=False)
class XGBoostModel:
    """A model of XGBoost.

    Args:
        objective: the name of the objective.
        base_score: the numbers of `base_score`, float32.
        n_classes: the number of classes; 0 where it is not said.
        names: the names of the features; empty where the model has none.
        n_features: the number of features.
        highest_codes: the columns of categories, with the greatest code that a node of theirs names; -1 for none.
        categories: for the columns of categories whose names the model knows, the category of each code.
        trees: the trees, in the order in which they are added.
        n_trees: the number of trees after each iteration, from 0.
        best_iteration: the number of the best iteration, from 0; None where none was sought.
        is_of_wrapper: whether the interface for scikit-learn wrote it, which predicts with the best iterations.
        is_ambiguous: whether the library predicts in two ways, whose last bits differ: DART before XGBoost 3.3.
    """

    objective: str
    base_score: tuple[float, ...]
    n_classes: int
    names: tuple[str, ...]
    n_features: int
    highest_codes: Mapping[int, int]
    categories: Mapping[int, tuple[Any, ...]]
    trees: tuple[XGBoostTree, ...]
    n_trees: tuple[int, ...]
    best_iteration: int | None
    is_of_wrapper: bool
    is_ambiguous: bool


def xgboost_model(content: Mapping[str, Any]) -> XGBoostModel:
    """Return the model in the object of a document.

    Raises:
        ModelFileError: it is damaged, or of a version, a booster or a kind of trees that is not read.
    """
    version = _version(content)
    file = ModelPart("the file", content)
    learner = file.part("learner")
    file.require_known(_FILE)
    parameters, attributes = learner.part("learner_model_param"), learner.part("attributes")
    learner.require_known(_LEARNER)
    parameters.require_known(_PARAMETERS)
    if (n_targets := parameters.whole("num_target", 1)) > 1:
        problem = f"it predicts {n_targets} numbers for a row: several targets, or several quantiles"
        raise ModelFileError(problem, "fit one model for each of them")
    booster = learner.part("gradient_booster")
    if booster["name"] not in _BOOSTERS:
        raise ModelFileError(f"its booster is {booster['name']!r}, no sum of trees", "fit with gbtree or dart")
    inner = booster.part("gbtree") if "gbtree" in booster else booster
    model, objective = inner.part("model"), learner.part("objective")
    for part, entries in ((objective, _OBJECTIVE), (booster, _BOOSTER), (inner, _BOOSTER), (model, _MODEL)):
        part.require_known(entries)
    n_features = parameters.whole("num_feature")
    kinds = tuple(map(str, learner.listed("feature_types", [])))
    names = tuple(learner.listed("feature_names", []))
    if wrong := [name for name in names if not isinstance(name, str)]:
        raise ModelFileError(f"its feature_names hold {wrong[0]!r:.60}, which is no text")
    if not 0 <= n_features <= MOST_FEATURES or len(names) not in (0, n_features) or len(kinds) not in (0, n_features):
        raise ModelFileError(f"it has {n_features} features, the names of {len(names)} and the types of {len(kinds)}")
    weights = booster.get("weight_drop", inner.get("weight_drop", model.get("weight_drop")))
    trees = _trees(model, n_features, weights)
    n_classes = parameters.whole("num_class", 0)
    best = attributes.whole("best_iteration") if "best_iteration" in attributes else None
    if best is not None and best < 0:
        raise ModelFileError(f"its best iteration is {best}")
    return XGBoostModel(
        str(objective["name"]),
        _base_score(parameters["base_score"]),
        n_classes,
        names,
        n_features,
        _highest_codes(kinds, trees),
        _categories(model.get("cats"), n_features, writes_whole_texts=version >= _WHOLE_TEXTS),
        trees,
        _n_trees(model, len(trees), n_classes),
        best,
        "scikit_learn" in attributes,
        weights is not None and version < _DART_IS_ONE,
    )


def _version(content: Mapping[str, Any]) -> list[int]:
    """Return the numbers of the version of XGBoost that wrote a document."""
    version = content.get("version")
    is_list = isinstance(version, list) and all(isinstance(part, int) for part in version)
    if is_list and version and version[0] in _VERSIONS:
        return list(version)
    remedy = "load it with XGBoost 2 or 3 and save it again"
    raise ModelFileError(f"it is of version {version!r} of XGBoost, and versions 2 and 3 are read", remedy)


def _base_score(value: Any) -> tuple[float, ...]:
    """Return the numbers of base_score: a number, its text, or since 3.1 the text of a list of numbers."""
    texts = value.strip("[]").split(",") if isinstance(value, str) else [value]
    try:
        with np.errstate(over="ignore"):
            return tuple(float(np.float32(text)) for text in texts)
    except (TypeError, ValueError) as error:
        raise needed(value, "base_score", "a number or a list of numbers") from error


def _highest_codes(kinds: Sequence[str], trees: Sequence[XGBoostTree]) -> dict[int, int]:
    """Return the columns of categories, with the greatest code that a node of theirs names."""
    highest = {column: -1 for column, kind in enumerate(kinds) if kind == "c"}
    for tree in trees:
        for node, codes in tree.codes.items():
            column = int(tree.feature[node])
            highest[column] = max(highest.get(column, -1), *codes, -1)
    return highest


def _n_trees(model: ModelPart, n_trees: int, n_classes: int) -> tuple[int, ...]:
    ends = model.get("iteration_indptr")
    if ends is None:
        per_iteration = max(model.part("gbtree_model_param").whole("num_parallel_tree", 1), 1) * max(n_classes, 1)
        ends = list(range(0, n_trees + 1, per_iteration))
    ends = _integers(ends, "iteration_indptr").tolist()
    if not ends or ends[0] != 0 or ends[-1] != n_trees or any(b < a for a, b in pairwise(ends)):
        raise ModelFileError(f"its iterations end behind trees {ends!r:.80}, and it has {n_trees}")
    return tuple(ends)


def _categories(record: Any, n_features: int, *, writes_whole_texts: bool) -> dict[int, tuple[Any, ...]]:
    """Return the categories of each column whose names are known, in the order of their codes."""
    if not record:
        return {}
    entries = list(part_of(record, "its cats").parts("enc", "categories of column", []))
    if entries and len(entries) != n_features:
        raise ModelFileError(f"it has the categories of {len(entries)} columns, and {n_features} features")
    found = {}
    for column, entry in enumerate(entries):
        if values := _values(entry, is_whole=writes_whole_texts):
            if len(set(values)) != len(values):
                raise ModelFileError(f"a category of column {column} stands twice")
            found[column] = values
    return found


def _values(entry: ModelPart, *, is_whole: bool) -> tuple[Any, ...]:
    """Return categories: numbers, or texts as the signed bytes of UTF-8 and where each begins; none if some are cut."""
    values = entry.listed("values")
    if "offsets" not in entry:
        return tuple(values)
    content = _integers(values, f"values of {entry.name}").astype(np.int8).tobytes()
    if not is_whole and not content.isascii():
        return ()
    offsets = _integers(entry["offsets"], "offsets").tolist()
    if offsets and (offsets[0] != 0 or offsets[-1] != len(content) or any(b < a for a, b in pairwise(offsets))):
        raise ModelFileError("the offsets of its categories do not fit their bytes")
    return tuple(content[start:end].decode("utf-8") for start, end in pairwise(offsets))


def _trees(model: ModelPart, n_features: int, weights: Any) -> tuple[XGBoostTree, ...]:
    records, outputs = list(model.parts("trees", "tree")), _integers(model["tree_info"], "tree_info").tolist()
    parameters = model.part("gbtree_model_param")
    parameters.require_known(_MODEL_PARAMETERS)
    announced = parameters.whole("num_trees")
    if not records or len(records) != announced or len(outputs) != announced:
        raise ModelFileError(f"it announces {announced} trees, and has {len(records)}")
    factors = np.ones(len(records), dtype=np.float32) if weights is None else _floats(weights, "weight_drop")
    if len(factors) != len(records):
        raise ModelFileError(f"it has the weights of {len(factors)} trees, and {len(records)} trees")
    return tuple(
        _tree(record, number, n_features, output, factor)
        for number, (record, output, factor) in enumerate(zip(records, outputs, factors, strict=True), 1)
    )


def _tree(record: ModelPart, number: int, n_features: int, output: int, factor: Any) -> XGBoostTree:
    parameters = record.part("tree_param")
    if parameters.whole("size_leaf_vector", 1) > 1:
        problem = f"the leaves of tree {number} hold vectors, and single numbers are read"
        raise ModelFileError(problem, "fit with multi_strategy='one_output_per_tree'")
    record.require_known(_TREE)
    parameters.require_known(_TREE_PARAMETERS)
    left, right, feature, missing, kinds = (
        _integers(record[name], name)
        for name in ("left_children", "right_children", "split_indices", "default_left", "split_type")
    )
    numbers, hessian = (_floats(record[name], name) for name in ("split_conditions", "sum_hessian"))
    n = parameters.whole("num_nodes")
    if n < 1 or any(len(array) != n for array in (left, right, feature, missing, kinds, numbers, hessian)):
        raise ModelFileError(f"tree {number} announces {n} nodes, and has others")
    splits = left != -1
    if (feature[splits] < 0).any() or (feature[splits] >= n_features).any() or not np.isin(kinds[splits], (0, 1)).all():
        raise ModelFileError(f"a node of tree {number} tests a feature that there is not")
    of_categories = splits & (kinds == 1)
    if not np.isfinite(numbers[~of_categories]).all():
        raise ModelFileError(f"a threshold or a leaf of tree {number} is not finite")
    numbers = np.where(splits, numbers, numbers * factor)  # of DART: each leaf is weighted before it is added
    codes = _codes(record, number, n)
    if set(np.flatnonzero(of_categories).tolist()) - set(codes):
        raise ModelFileError(f"a node of tree {number} has no categories")
    return XGBoostTree(left, right, feature, numbers, missing != 0, codes, hessian, output)


def _codes(record: ModelPart, number: int, n_nodes: int) -> dict[int, frozenset[int]]:
    """Return the codes of each node that tests a category."""
    nodes, starts, sizes, codes = (
        _integers(record.get(name, ()), name).tolist()
        for name in ("categories_nodes", "categories_segments", "categories_sizes", "categories")
    )
    is_fit = len(nodes) == len(starts) == len(sizes) == len(set(nodes)) and sum(map(abs, sizes)) <= len(codes)
    if not is_fit or any(not 0 <= node < n_nodes for node in nodes):  # each code is that of one node
        raise ModelFileError(f"the categories of tree {number} do not fit its nodes")
    found = {}
    for node, start, size in zip(nodes, starts, sizes, strict=True):
        if start < 0 or size < 0 or start + size > len(codes):
            raise ModelFileError(f"the categories of node {node} of tree {number} are cut off")
        found[node] = frozenset(codes[start : start + size])
    return found


def _array(values: Any, name: str) -> Any:
    try:
        return np.asarray(values)
    except ValueError as error:  # lists of several lengths
        raise ModelFileError(f"{name} is no list of numbers") from error


def _integers(values: Any, name: str) -> Any:
    array = _array(values, name)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "biu"):
        raise ModelFileError(f"{name} is no list of integers")
    return array.astype(np.int64)


def _floats(values: Any, name: str) -> Any:
    array = _array(values, name)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "fiu"):
        raise ModelFileError(f"{name} is no list of numbers")
    with np.errstate(over="ignore"):
        return array.astype(np.float32)
