"""Small models of XGBoost, LightGBM and CatBoost, written by hand as their `save_model` writes them.

A tree is a number (a leaf) or a `Node`. The libraries load these files too, so what they answer can be compared.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias


class Node(NamedTuple):
    """A split: of a number at a threshold, or of codes, which go to the side that the library lists.

    Args:
        column: the position of the feature.
        at: the threshold as the file spells it, a text or a number; or a set of codes.
        first: the first child.
        second: the second child.
        missing: the child of missing values: 0 or 1.
        kind: what is missing in LightGBM: "None", "Zero" or "NaN".
    """

    column: int
    at: Any
    first: Any
    second: Any
    missing: int = 1
    kind: str = "NaN"


SmallTree: TypeAlias = Node | float
_KINDS = {"None": 0, "Zero": 1, "NaN": 2}


def nodes_of(tree: SmallTree) -> list[tuple[SmallTree, int, int]]:
    """Return the nodes of a tree, the root first, each with the positions of its children; -1 for none."""
    found: list[Any] = [tree]
    children: list[tuple[int, int]] = []
    for node in found:  # which grows
        if isinstance(node, Node):
            children.append((len(found), len(found) + 1))
            found += [node.first, node.second]
        else:
            children.append((-1, -1))
    return [(node, *pair) for node, pair in zip(found, children, strict=True)]


# ---- XGBoost


def xgboost_tree(tree: SmallTree, number: int, n_features: int) -> dict[str, Any]:
    """Return the record of a tree; base_weights are not the leaves, as in files of fitted models."""
    nodes = nodes_of(tree)
    parents = {child: at for at, (_, *pair) in enumerate(nodes) for child in pair}
    sets = [(at, sorted(node.at)) for at, (node, *_) in enumerate(nodes) if isinstance(node, Node) and _has_codes(node)]
    sizes = [len(codes) for _, codes in sets]
    splits = [node if isinstance(node, Node) else None for node, *_ in nodes]
    return {
        "base_weights": [77.0 + at for at in range(len(nodes))],
        "categories": [code for _, codes in sets for code in codes],
        "categories_nodes": [at for at, _ in sets],
        "categories_segments": [sum(sizes[:at]) for at in range(len(sets))],
        "categories_sizes": sizes,
        "default_left": [int(split is not None and split.missing == 0) for split in splits],
        "id": number,
        "left_children": [first for _, first, _ in nodes],
        "loss_changes": [0.0] * len(nodes),
        "parents": [parents.get(at, 2147483647) if at else 2147483647 for at in range(len(nodes))],
        "right_children": [second for *_, second in nodes],
        "split_conditions": [
            node if not isinstance(node, Node) else 1e-45 if _has_codes(node) else node.at for node, *_ in nodes
        ],
        "split_indices": [0 if split is None else split.column for split in splits],
        "split_type": [int(split is not None and _has_codes(split)) for split in splits],
        "sum_hessian": [1.0] * len(nodes),
        "tree_param": {
            "num_deleted": "0",
            "num_feature": str(n_features),
            "num_nodes": str(len(nodes)),
            "size_leaf_vector": "1",
        },
    }


def _has_codes(node: Node) -> bool:
    return isinstance(node.at, set | frozenset)


#: The parameters that the objectives write beside their names.
_PARAMETERS: Mapping[str, tuple[str, dict[str, str]]] = {
    "reg:tweedie": ("tweedie_regression_param", {"tweedie_variance_power": "1.5"}),
    "count:poisson": ("poisson_regression_param", {"max_delta_step": "0.7"}),
    "multi:softmax": ("softmax_multiclass_param", {"num_class": "3"}),
    "multi:softprob": ("softmax_multiclass_param", {"num_class": "3"}),
    "rank:pairwise": ("lambdarank_param", {"lambdarank_pair_method": "topk"}),
    "rank:ndcg": ("lambdarank_param", {"lambdarank_pair_method": "topk"}),
    "rank:map": ("lambdarank_param", {"lambdarank_pair_method": "topk"}),
    "reg:pseudohubererror": ("pseudo_huber_param", {"huber_slope": "1"}),
}


def xgboost_content(
    *trees: SmallTree,
    n_features: int = 1,
    objective: str = "reg:squarederror",
    base_score: Any = "[0E0]",
    n_classes: int = 0,
    version: Sequence[int] = (3, 2, 0),
    names: Sequence[str] = (),
    kinds: Sequence[str] = (),
    attributes: Mapping[str, str] | None = None,
    weights: Sequence[float] | None = None,
) -> dict[str, Any]:
    """Return the content of a file of XGBoost; with weights of DART as XGBoost 3.2 writes them."""
    n = len(trees)
    per_iteration = max(n_classes, 1)
    model = {
        "cats": {"enc": [], "feature_segments": [], "sorted_idx": []},
        "gbtree_model_param": {"num_parallel_tree": "1", "num_trees": str(n)},
        "iteration_indptr": list(range(0, n + 1, per_iteration)),
        "tree_info": [number % per_iteration for number in range(n)],
        "trees": [xgboost_tree(tree, number, n_features) for number, tree in enumerate(trees)],
    }
    booster: dict[str, Any] = {"model": model, "name": "gbtree"}
    if weights is not None:
        booster = {"gbtree": booster, "name": "dart", "weight_drop": list(weights)}
    parameter = _PARAMETERS.get(objective, ("reg_loss_param", {"scale_pos_weight": "1"}))
    return {
        "learner": {
            "attributes": dict(attributes or {}),
            "feature_names": list(names),
            "feature_types": list(kinds),
            "gradient_booster": booster,
            "learner_model_param": {
                "base_score": base_score,
                "boost_from_average": "1",
                "num_class": str(n_classes),
                "num_feature": str(n_features),
                "num_target": "1",
            },
            "objective": {"name": objective, parameter[0]: parameter[1]},
        },
        "version": list(version),
    }


# ---- LightGBM


def lightgbm_text(
    *trees: SmallTree,
    names: Sequence[str] = ("x",),
    objective: str | None = "regression",
    header: Sequence[str] = (),
    n_classes: int = 1,
    parameters: Sequence[str] = (),
    pandas_categorical: str = "null",
) -> str:
    """Return the text of a file of LightGBM."""
    lines = [
        "tree",
        "version=v4",
        f"num_class={n_classes}",
        f"num_tree_per_iteration={n_classes}",
        "label_index=0",
        f"max_feature_idx={len(names) - 1}",
        *([] if objective is None else [f"objective={objective}"]),
        *header,
        f"feature_names={' '.join(names)}",
        f"feature_infos={' '.join('[-1:1]' for _ in names)}",
        "",
    ]
    for number, tree in enumerate(trees):
        lines += [f"Tree={number}", *_lightgbm_lines(tree), "", ""]
    lines += ["end of trees", "", "parameters:", *parameters, "end of parameters", ""]
    return "\n".join([*lines, f"pandas_categorical:{pandas_categorical}", ""])


def _lightgbm_lines(tree: SmallTree) -> list[str]:
    nodes = nodes_of(tree)
    splits = [(at, node) for at, (node, *_) in enumerate(nodes) if isinstance(node, Node)]
    leaves = [(at, node) for at, (node, *_) in enumerate(nodes) if not isinstance(node, Node)]
    places = {at: place for place, (at, _) in enumerate(splits)} | {at: ~place for place, (at, _) in enumerate(leaves)}
    sets = [sorted(node.at) for _, node in splits if _has_codes(node)]
    words = [_words(codes) for codes in sets]
    numbers = iter(range(len(sets)))
    lists: dict[str, list[Any]] = {
        "split_feature": [node.column for _, node in splits],
        "split_gain": [1 for _ in splits],
        "threshold": [next(numbers) if _has_codes(node) else node.at for _, node in splits],
        "decision_type": [_decision(node) for _, node in splits],
        "left_child": [places[nodes[at][1]] for at, _ in splits],
        "right_child": [places[nodes[at][2]] for at, _ in splits],
        "leaf_value": [leaf for _, leaf in leaves],
        "leaf_weight": [1 for _ in leaves] if splits else [],
        "leaf_count": [1 for _ in leaves],
        "internal_value": [0 for _ in splits],
        "internal_weight": [1 for _ in splits],
        "internal_count": [2 for _ in splits],
    }
    if sets:
        lists["cat_boundaries"] = [sum(map(len, words[:at])) for at in range(len(words) + 1)]
        lists["cat_threshold"] = [word for part in words for word in part]
    cells = [f"{name}={' '.join(map(str, values))}" for name, values in lists.items()]
    return [f"num_leaves={len(leaves)}", f"num_cat={len(sets)}", *cells, "is_linear=0", "shrinkage=1"]


def _decision(node: Node) -> int:
    kind = _KINDS[node.kind] << 2
    return kind | 1 if _has_codes(node) else kind | (2 if node.missing == 0 else 0)


def _words(codes: Sequence[int]) -> list[int]:
    return [sum(1 << code % 32 for code in codes if code // 32 == word) for word in range(max(codes) // 32 + 1)]


# ---- CatBoost


def catboost_content(
    *trees: Mapping[str, Any],
    borders: Sequence[Sequence[float]] = ((),),
    missing: Sequence[str] | None = None,
    names: Sequence[str] | None = None,
    loss: str = "RMSE",
    scale_and_bias: Sequence[Any] = (1, [0]),
    classes: Sequence[Any] = (),
) -> dict[str, Any]:
    """Return the content of a file of CatBoost whose columns are numbers; trees are those of `oblivious`, `nested`."""
    treatments = missing or ["AsIs"] * len(borders)
    columns = [
        {
            "borders": list(own),
            "feature_id": "" if names is None else names[at],
            "feature_index": at,
            "flat_feature_index": at,
            "has_nans": treatments[at] != "AsIs",
            "nan_value_treatment": treatments[at],
        }
        for at, own in enumerate(borders)
    ]
    info: dict[str, Any] = {"params": {"loss_function": {"params": {}, "type": loss}}}
    if classes:
        info["class_params"] = {
            "class_label_type": "Integer" if isinstance(classes[0], int) else "String",
            "class_names": list(classes),
            "class_to_label": list(range(len(classes))),
            "classes_count": 0,
        }
    numbers = {split: at for at, split in enumerate((at, border) for at, own in enumerate(borders) for border in own)}
    for split in _border_splits(trees):
        split["split_index"] = numbers[split["float_feature_index"], split["border"]]
    kind = "oblivious_trees" if all("leaf_values" in tree for tree in trees) else "trees"
    return {
        "features_info": {"cat_features_hash": None, "float_features": columns},
        "model_info": info,
        kind: list(trees),
        "scale_and_bias": list(scale_and_bias),
    }


def _border_splits(trees: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    waiting = list(trees)
    while waiting:
        tree = waiting.pop()
        found += tree.get("splits") or []
        if "split" in tree:
            found.append(tree["split"])
            waiting += [tree["left"], tree["right"]]
    return found


def oblivious(splits: Sequence[tuple[int, float]], values: Sequence[float]) -> dict[str, Any]:
    """Return an oblivious tree of splits (column, border)."""
    records = [border_split(column, border) for column, border in splits]
    return {"leaf_values": list(values), "leaf_weights": [1] * (1 << len(splits)), "splits": records or None}


def border_split(column: int, border: float) -> dict[str, Any]:
    """Return a split of a column of numbers; `catboost_content` numbers it."""
    return {"border": border, "float_feature_index": column, "split_type": "FloatFeature"}


def nested(tree: SmallTree | Sequence[float]) -> dict[str, Any]:
    """Return a tree that is not oblivious; a leaf is a number, or a list of one for each margin."""
    if isinstance(tree, Node):
        split = border_split(tree.column, tree.at)
        return {"split": split, "left": nested(tree.first), "right": nested(tree.second)}
    return {"value": tree, "weight": 1}
