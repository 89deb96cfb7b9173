"""Fitted trees of scikit-learn (DecisionTree*, ExtraTree*), and the trees inside its forests and boosted models.

scikit-learn rounds each cell to float32 and sends it to the left child if it is at most the threshold of the node, a
double; a missing cell goes where `missing_go_to_left` says. Here the cell is compared as it is, with the one threshold
that gives the same answer for every double.
"""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

import numpy as np

from treerules._internal.articles import with_article
from treerules.criteria import SQUARED_ERROR
from treerules.data.schema import Feature, Kind, Schema
from treerules.importers.float32_thresholds import exact_thresholds
from treerules.importers.inputs import Inputs, NodeTest
from treerules.importers.library_trees import LibraryTree, roots_of, whole_numbers
from treerules.importers.sklearn_models import is_of_sklearn, require_fitted, unsupported_model
from treerules.trees.node_parts import ClassPrediction, MeanPrediction, Prediction
from treerules.trees.tree import Tree

#: The classes that this module reads; those of trees without a public name are derived from them.
TREES = ("BaseDecisionTree",)
#: The fields of a node that scikit-learn 1.2 to 1.9 have; a field that is not known may change what a node means.
_FIELDS = {
    *("left_child", "right_child", "feature", "threshold", "impurity", "n_node_samples", "weighted_n_node_samples"),
    "missing_go_to_left",
}
#: The parts of a tree that scikit-learn 1.2 to 1.9 have.
_PARTS = {"max_depth", "node_count", "nodes", "values"}
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
    factors = _rows_per_weight(model)
    schema = Schema(inputs.features, target_feature, counted="weight" if factors is None else "rows")
    (root,) = roots_of([library_tree(model, target_feature, 1.0 if factors is None else factors)], inputs)
    notes = [f"imported from {with_article(type(model).__name__)} of scikit-learn"]
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


def _rows_per_weight(model: Any) -> Any:
    """Return the factors that make numbers of rows of the weights of classes, or None where rows had weights too.

    scikit-learn keeps the number of rows of a node, and the weights of its classes. What "balanced" made of the numbers
    of rows by class is found from all nodes, if some differ in their shares.
    """
    arrays, class_weight = model.tree_, getattr(model, "class_weight", None)
    rows, weights = arrays.n_node_samples, _class_weights(arrays, is_of_sklearn(model, "ClassifierMixin"))
    factors = np.ones(weights.shape[1])
    with np.errstate(divide="ignore", invalid="ignore"):
        if isinstance(class_weight, str):
            factors, _, rank, _ = np.linalg.lstsq(weights, rows, rcond=None)
            factors = np.rint(factors * weights[0]) / weights[0] if rank == len(factors) else np.ones(len(factors))
        elif isinstance(class_weight, Mapping):
            factors = 1 / np.array([class_weight.get(label, 1) for label in model.classes_.tolist()], dtype=np.float64)
        counts = weights * factors
    is_whole = np.allclose(counts, np.rint(counts), rtol=_ROUNDING, atol=_ROUNDING)
    return factors if is_whole and np.allclose(counts.sum(axis=1), rows, rtol=_ROUNDING) else None


def library_tree(model: Any, target: Feature, rows_per_weight: Any = 1.0) -> LibraryTree:
    """Return the nodes of a fitted DecisionTree* or ExtraTree*; `target` has the classes of a classifier.

    The weights of classes are multiplied by `rows_per_weight`.

    Raises:
        OptionError: its nodes have fields that are not known, or negative weights.
    """
    arrays = require_fitted(model, "tree_")
    tests = node_tests(model)
    if (arrays.weighted_n_node_samples < 0).any() or (target.is_open and (arrays.value < 0).any()):
        raise unsupported_model(model, "nodes of this one have negative weights")
    weights = whole_numbers(_class_weights(arrays, target.is_open) * rows_per_weight)
    predictions = (
        _class_predictions(arrays, target.categories) if target.is_open else _mean_predictions(arrays, model.criterion)
    )
    figures = [(prediction, tuple(counts)) for prediction, counts in zip(predictions, weights, strict=True)]
    return LibraryTree(arrays.children_left.tolist(), arrays.children_right.tolist(), tests, figures)


def node_tests(model: Any) -> dict[int, NodeTest]:
    """Return the test of each split of a fitted tree, by its number, with thresholds on doubles.

    Raises:
        OptionError: the nodes have fields that are not known.
    """
    arrays = require_fitted(model, "tree_")
    state = arrays.__getstate__()
    fields = set(state["nodes"].dtype.names)
    if unknown := sorted((fields - _FIELDS) | (state.keys() - _PARTS)):
        raise unsupported_model(model, f"the nodes of this one have fields that are not known: {unknown}")
    if getattr(model, "categorical_features", None) is not None:
        raise unsupported_model(model, "this one was fitted with categorical_features=, which is not known of trees")
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


def _shares(arrays: Any) -> Any:
    """Return the shares of classes in each node, bit for bit those of predict_proba, shape (nodes, classes)."""
    shares = arrays.value[:, 0, :]
    sums = shares.sum(axis=1, keepdims=True)
    # fitted by a version before 1.3: weights, which it divided to predict
    return shares / sums if np.any(np.abs(sums - 1) > _ROUNDING) else shares


def _class_weights(arrays: Any, is_classifier: bool) -> Any:
    """Return the weights of the classes in each node, shape (nodes, classes); of a regression those of all rows."""
    weights = arrays.weighted_n_node_samples[:, np.newaxis]
    return _shares(arrays) * weights if is_classifier else weights


def _class_predictions(arrays: Any, classes: Sequence[Any]) -> list[Prediction]:
    shares = _shares(arrays)
    best = shares.argmax(axis=1).tolist()
    return [ClassPrediction(classes[label], own) for label, own in zip(best, shares.tolist(), strict=True)]


def _mean_predictions(arrays: Any, criterion: str) -> list[Prediction]:
    means = arrays.value[:, 0, 0].tolist()
    variances = arrays.impurity.tolist() if criterion in _OF_VARIANCE else [0.0] * len(means)
    return [MeanPrediction(mean, sqrt(max(variance, 0.0))) for mean, variance in zip(means, variances, strict=True)]
