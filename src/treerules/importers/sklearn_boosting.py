"""Fitted GradientBoosting* of scikit-learn as ensembles: the sum of a base and of the scaled leaves of each stage.

A leaf adds learning_rate * value, rounded to a double before it is added, as scikit-learn does.
"""

from typing import Any

import numpy as np

from treerules._internal.articles import with_article
from treerules.importers.inputs import Inputs
from treerules.importers.library_trees import Figures, LibraryTree
from treerules.importers.sklearn_margins import sklearn_ensemble
from treerules.importers.sklearn_models import is_of_sklearn, require_fitted, unsupported_model
from treerules.importers.sklearn_trees import node_tests
from treerules.trees.ensemble import Ensemble
from treerules.trees.node_parts import MeanPrediction

#: The class that this module reads; GradientBoosting* are derived from it.
BOOSTED = ("BaseGradientBoosting",)
#: The estimators of the base that answer each row alike.
_CONSTANT = ("DummyClassifier", "DummyRegressor")


def read_boosted(model: Any, target: str, inputs: Inputs) -> Ensemble:
    """Return the ensemble of a fitted GradientBoosting*, given the columns before it.

    Raises:
        OptionError: it begins with an estimator of the user's, or its loss or its nodes are not known.
        DataError: it is not fitted.
    """
    stages = require_fitted(model, "estimators_")
    if not (isinstance(model.init_, str) and model.init_ == "zero") and not is_of_sklearn(model.init_, *_CONSTANT):
        init = with_article(type(model.init_).__name__)
        reason = f"this one begins with the answers of its init, {init}: fit without init"
        raise unsupported_model(model, reason)
    if getattr(model.init_, "strategy", None) in ("stratified", "uniform"):
        raise unsupported_model(model, "this one begins with random answers of its init: fit without init")
    base = model._raw_predict_init(np.zeros((1, model.n_features_in_)))[0].tolist()
    trees = [_library_tree(member, model.learning_rate) for member in stages.ravel()]
    return sklearn_ensemble(model, target, inputs, base, trees, cut=0.0)  # the second class where raw >= 0


def _library_tree(member: Any, learning_rate: float) -> LibraryTree:
    arrays = member.tree_
    left = arrays.children_left.tolist()
    values, n_rows = (learning_rate * arrays.value[:, 0, 0]).tolist(), arrays.n_node_samples.tolist()
    figures: list[Figures | None] = [
        (MeanPrediction(value), (n,)) if child < 0 else None
        for value, n, child in zip(values, n_rows, left, strict=True)
    ]
    return LibraryTree(left, arrays.children_right.tolist(), node_tests(member), figures)
