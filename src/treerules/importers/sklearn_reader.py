"""The reader of scikit-learn's models: a model by its class, and the columns before it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from treerules.data.schema import Feature, Kind
from treerules.importers.importer import ImportOptions
from treerules.importers.inputs import Inputs, OwnInputs
from treerules.importers.named_values import names_of_features
from treerules.importers.sklearn_boosting import BOOSTED, read_boosted
from treerules.importers.sklearn_forests import FORESTS, read_forest
from treerules.importers.sklearn_histogram_boosting import HISTOGRAM_BOOSTED, model_steps, read_histogram_boosted
from treerules.importers.sklearn_inputs import names_in, pipeline_inputs
from treerules.importers.sklearn_models import is_of_sklearn, require_fitted, unsupported_model
from treerules.importers.sklearn_trees import TREES, read_tree
from treerules.trees.ensemble import TreeModel


def read_sklearn(model: Any, options: ImportOptions, steps: Sequence[Any] = ()) -> TreeModel:
    """Return the tree or the ensemble of a fitted model behind some steps.

    Raises:
        OptionError: the model or a step before it cannot be imported, or the names do not fit.
        DataError: it is not fitted.
    """
    read = next((read for classes, read in _READERS.items() if is_of_sklearn(model, *classes)), None)
    if read is None:
        raise unsupported_model(model, _REMEDIES.get(type(model).__name__, "no other model can be imported"))
    steps = [*steps, *model_steps(model)]
    if not steps:
        names = names_of_features(options, names_in(model))
        return read(model, options.target, OwnInputs([Feature(name, Kind.NUMBER) for name in names]))
    inputs = pipeline_inputs(steps, int(require_fitted(model, "n_features_in_")), options)
    return read(model, options.target, inputs)


#: The functions that read a fitted model, given its target and the columns before it, by the classes of models.
_READERS: Mapping[tuple[str, ...], Callable[[Any, str, Inputs], TreeModel]] = {
    TREES: read_tree,
    FORESTS: read_forest,
    BOOSTED: read_boosted,
    HISTOGRAM_BOOSTED: read_histogram_boosted,
}
#: What to do about models that people often have.
_REMEDIES = {
    "CalibratedClassifierCV": "import the estimator that it calibrates, which gives the probabilities before that",
    "TransformedTargetRegressor": "import its regressor_, which predicts the transformed target",
    "AdaBoostClassifier": "import the trees in its estimators_ one by one",
    "AdaBoostRegressor": "import the trees in its estimators_ one by one",
    "BaggingClassifier": "fit a RandomForestClassifier instead, or import its estimators_ one by one",
    "BaggingRegressor": "fit a RandomForestRegressor instead, or import its estimators_ one by one",
    "VotingClassifier": "import its estimators_ one by one",
    "StackingClassifier": "import its estimators_ one by one",
    "MultiOutputClassifier": "import its estimators_ one by one, each with its target",
    "MultiOutputRegressor": "import its estimators_ one by one, each with its target",
}
