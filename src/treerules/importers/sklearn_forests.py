"""Fitted forests of scikit-learn (RandomForest*, ExtraTrees*) as ensembles.

A forest adds the probabilities, or the means, of its trees one after the other and divides by their number. With
n_jobs above 1 scikit-learn adds them in the order in which its threads end, so that its own answers differ in the last
bits from call to call: ours are those of n_jobs=1.
"""

from typing import Any

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
    schema = Schema(inputs.features, target_feature)
    roots = roots_of([library_tree(member, target_feature) for member in members], inputs)
    base = [0.0] * (len(schema.classes) or 1)
    notes = [f"imported from a {type(model).__name__} of scikit-learn"]
    return Ensemble(schema, [Tree(schema, root) for root in roots], base, average=True, notes=notes)
