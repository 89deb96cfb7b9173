"""Fitted forests of scikit-learn (RandomForest*, ExtraTrees*) as ensembles.

A forest adds the probabilities, or the means, of its trees one after the other and divides by their number. With
n_jobs above 1 scikit-learn adds them in the order in which its threads end, so that its own answers differ in the last
bits from call to call: ours are those of n_jobs=1.
"""

from typing import Any

import numpy as np

from treerules._internal.articles import with_article
from treerules.data.schema import Feature, Kind, Schema
from treerules.importers.inputs import Inputs
from treerules.importers.library_trees import roots_of
from treerules.importers.sklearn_models import is_of_sklearn, require_fitted
from treerules.importers.sklearn_trees import class_feature, library_tree, require_one_output
from treerules.trees.ensemble import Ensemble
from treerules.trees.tree import Tree

#: The classes that this module reads; RandomForest* and ExtraTrees* are derived from them.
FORESTS = ("ForestClassifier", "ForestRegressor")


def read_forest(model: Any, target: str, inputs: Inputs) -> Ensemble:
    """Return the ensemble of a fitted forest, given the columns before it.

    Raises:
        OptionError: it predicts several outputs, has classes of mixed types, or its nodes have fields that are not
            known.
        DataError: it is not fitted.
    """
    members = require_fitted(model, "estimators_")
    require_one_output(model, model.n_outputs_)
    is_classifier = is_of_sklearn(model, "ClassifierMixin")
    target_feature = class_feature(model, target) if is_classifier else Feature(target, Kind.NUMBER)
    schema = Schema(inputs.features, target_feature, counted="rows" if _counts_rows(model) else "weight")
    roots = roots_of([library_tree(member, target_feature) for member in members], inputs)
    base = [0.0] * (len(schema.classes) or 1)
    notes = [f"imported from {with_article(type(model).__name__)} of scikit-learn"]
    return Ensemble(schema, [Tree(schema, root) for root in roots], base, average=True, notes=notes)


def _counts_rows(model: Any) -> bool:
    """Return whether the weights in the nodes of a forest are numbers of rows, as often as each was drawn."""
    if getattr(model, "class_weight", None) is not None:
        return False
    weights = [member.tree_.weighted_n_node_samples for member in model.estimators_]
    drawn = (
        getattr(model, "_n_samples_bootstrap", None)
        if model.bootstrap
        else model.estimators_[0].tree_.n_node_samples[0]
    )
    return all(each[0] == drawn and np.array_equal(each, np.rint(each)) for each in weights)
