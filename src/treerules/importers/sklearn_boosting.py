"""Fitted GradientBoosting* of scikit-learn as ensembles: the sum of a base and of the scaled leaves of each stage.

A leaf adds learning_rate * value, rounded to a double before it is added, as scikit-learn does.
"""

from typing import Any

import numpy as np

from treerules.data.schema import Schema
from treerules.importers.inputs import Inputs
from treerules.importers.library_trees import Figures, LibraryTree, roots_of
from treerules.importers.sklearn_margins import margin_features, margin_link, target_of_margins
from treerules.importers.sklearn_models import is_of_sklearn, require_fitted, unsupported_model
from treerules.importers.sklearn_trees import node_tests, node_weights
from treerules.trees.ensemble import Ensemble
from treerules.trees.node_parts import MeanPrediction
from treerules.trees.tree import Tree

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
        reason = f"this one begins with the answers of its init, a {type(model.init_).__name__}: fit without init"
        raise unsupported_model(model, reason)
    base = model._raw_predict_init(np.zeros((1, model.n_features_in_)))[0].tolist()
    schema = Schema(inputs.features, target_of_margins(model, target))
    link = margin_link(model)
    features = margin_features(schema, len(base), link)
    roots = roots_of([_library_tree(member, model.learning_rate) for member in stages.ravel()], inputs)
    outputs = [position % len(base) for position in range(len(roots))]
    trees = [Tree(Schema(schema.features, features[k]), root) for k, root in zip(outputs, roots, strict=True)]
    cut = 0.0 if link.is_cut else None  # the second class where raw >= 0
    notes = [f"imported from a {type(model).__name__} of scikit-learn"]
    return Ensemble(schema, trees, base, outputs, link=link.name, slope=link.slope, cut=cut, notes=notes)


def _library_tree(member: Any, learning_rate: float) -> LibraryTree:
    arrays = member.tree_
    left = arrays.children_left.tolist()
    values, weights = (learning_rate * arrays.value[:, 0, 0]).tolist(), node_weights(arrays)
    figures: list[Figures | None] = [
        (MeanPrediction(value), tuple(weight)) if child < 0 else None
        for value, weight, child in zip(values, weights, left, strict=True)
    ]
    return LibraryTree(left, arrays.children_right.tolist(), node_tests(member), figures)
