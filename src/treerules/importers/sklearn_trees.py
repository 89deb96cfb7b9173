"""Fitted trees of scikit-learn (DecisionTree*, ExtraTree*), and the trees inside its forests and boosted models.

scikit-learn rounds each cell to float32 and sends it to the left child if it is at most the threshold of the node, a
double; a missing cell goes where `missing_go_to_left` says. Here the cell is compared as it is, with the one threshold
that gives the same answer for every double.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np

from treerules.criteria import SQUARED_ERROR
from treerules.data.schema import Feature, Kind, Schema
from treerules.importers.float32_thresholds import exact_thresholds
from treerules.importers.inputs import Inputs, NodeTest
from treerules.importers.library_trees import Figures, LibraryTree, roots_of, whole_numbers
from treerules.importers.sklearn_models import is_of_sklearn, require_fitted, unsupported_model
from treerules.trees.node_parts import ClassPrediction, MeanPrediction
from treerules.trees.tree import Tree

#: The classes that this module reads; those of trees without a public name are derived from them.
TREES = ("BaseDecisionTree",)
#: The fields of a node that scikit-learn 1.2 to 1.9 have; a field that is not known may change what a node means.
_FIELDS = {
    *("left_child", "right_child", "feature", "threshold", "impurity", "n_node_samples", "weighted_n_node_samples"),
    "missing_go_to_left",
}
#: The criteria whose impurity is the variance of the node; scikit-learn names the first as treerules does.
_OF_VARIANCE = (SQUARED_ERROR.name, "friedman_mse")
#: A sum of weights within this share of a whole number is that number.
_ROUNDING = 1e-9


def read_tree(model: Any, target: str, inputs: Inputs) -> Tree:
    """Return the tree of a fitted DecisionTree* or ExtraTree*, given the columns before it.

    Raises:
        OptionError: it predicts several outputs, has classes of mixed types, or its nodes have fields that are not
            known.
        DataError: it is not fitted.
    """
    require_one_output(model, require_fitted(model, "tree_").n_outputs)
    is_classifier = is_of_sklearn(model, "ClassifierMixin")
    target_feature = class_feature(model, target) if is_classifier else Feature(target, Kind.NUMBER)
    schema = Schema(inputs.features, target_feature)
    (root,) = roots_of([library_tree(model, target_feature)], inputs)
    notes = [f"imported from a {type(model).__name__} of scikit-learn"]
    if not is_classifier and model.criterion not in _OF_VARIANCE:
        notes.append(f"standard deviations are not known with the criterion {model.criterion}, and are given as 0")
    return Tree(schema, root, notes=notes)


def class_feature(model: Any, target: str) -> Feature:
    """Return the feature of the classes; their order is the model's, which sorts them as treerules does."""
    classes = model.classes_.tolist()
    kinds = {type(label) for label in classes}
    if len(kinds) > 1 or classes != sorted(classes) or not kinds <= {str, int, float, bool}:
        raise unsupported_model(model, f"the classes of this one are {classes!r}, not sorted values of one type")
    scalar = {str: "text", int: "integer", float: "number", bool: "boolean"}[kinds.pop()]
    return Feature(target, Kind.CATEGORY, classes, scalar)


def require_one_output(model: Any, n_outputs: int) -> None:
    """Raise OptionError for a model that predicts several outputs."""
    if n_outputs != 1:
        raise unsupported_model(model, f"this one predicts {n_outputs} outputs, so fit one model for each")


def library_tree(model: Any, target: Feature) -> LibraryTree:
    """Return the nodes of a fitted DecisionTree* or ExtraTree*; `target` has the classes of a classifier.

    Raises:
        OptionError: its nodes have fields that are not known, or negative weights.
    """
    arrays = require_fitted(model, "tree_")
    tests = node_tests(model)
    if (arrays.weighted_n_node_samples < 0).any() or (target.is_open and (arrays.value < 0).any()):
        raise unsupported_model(model, "nodes of this one have negative weights")
    figures = _class_figures(arrays, target.categories) if target.is_open else _mean_figures(arrays, model.criterion)
    return LibraryTree(arrays.children_left.tolist(), arrays.children_right.tolist(), tests, figures)


def node_tests(model: Any) -> dict[int, NodeTest]:
    """Return the test of each split of a fitted tree, by its number, with thresholds on doubles.

    Raises:
        OptionError: the nodes have fields that are not known.
    """
    arrays = require_fitted(model, "tree_")
    fields = set(arrays.__getstate__()["nodes"].dtype.names)
    if unknown := sorted(fields - _FIELDS):
        raise unsupported_model(model, f"the nodes of this one have fields that are not known: {unknown}")
    left, right = arrays.children_left, arrays.children_right
    if "missing_go_to_left" in fields:
        goes_left = arrays.missing_go_to_left.astype(bool)
    else:  # such a model refuses missing values; they go to the larger child, as in treerules
        weights = arrays.weighted_n_node_samples
        goes_left = weights[left] >= weights[right]
    splits = np.flatnonzero(left >= 0)
    columns = arrays.feature, exact_thresholds(arrays.threshold), np.where(goes_left, 0, 1)
    cells = zip(*(column[splits].tolist() for column in columns), strict=True)
    return {split: NodeTest(*test) for split, test in zip(splits.tolist(), cells, strict=True)}


def _class_figures(arrays: Any, classes: Sequence[Any]) -> list[Figures]:
    """Return the prediction of each node, bit for bit that of predict_proba, and the weights of its classes."""
    shares = arrays.value[:, 0, :]
    sums = shares.sum(axis=1, keepdims=True)
    if np.any(np.abs(sums - 1) > _ROUNDING):  # fitted by a version before 1.3: weights, which it divided to predict
        shares = shares / sums
    best = shares.argmax(axis=1).tolist()
    weights = whole_numbers(shares * arrays.weighted_n_node_samples[:, np.newaxis])
    return [
        (ClassPrediction(classes[label], node_shares), tuple(node_weights))
        for label, node_shares, node_weights in zip(best, shares.tolist(), weights, strict=True)
    ]


def _mean_figures(arrays: Any, criterion: str) -> list[Figures]:
    means, weights = arrays.value[:, 0, 0].tolist(), node_weights(arrays)
    variances = arrays.impurity.tolist() if criterion in _OF_VARIANCE else [0.0] * len(means)
    return [
        (MeanPrediction(mean, sqrt(max(variance, 0.0))), tuple(weight))
        for mean, variance, weight in zip(means, variances, weights, strict=True)
    ]


def node_weights(arrays: Any) -> list[list[float]]:
    """Return the weight of the training rows of each node, in a list of its own."""
    return whole_numbers(arrays.weighted_n_node_samples[:, np.newaxis])
