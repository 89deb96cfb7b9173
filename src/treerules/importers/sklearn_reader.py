"""The reader of scikit-learn's models: a model, the steps before it, and the names of its columns."""

from collections.abc import Callable, Mapping
from typing import Any

from treerules.data.schema import Feature, Kind
from treerules.importers.importer import Dtype, ImportOptions
from treerules.importers.inputs import Inputs, OwnInputs
from treerules.importers.named_values import names_of_features
from treerules.importers.sklearn_boosting import BOOSTED, read_boosted
from treerules.importers.sklearn_forests import FORESTS, read_forest
from treerules.importers.sklearn_histogram_boosting import HISTOGRAM_BOOSTED, model_steps, read_histogram_boosted
from treerules.importers.sklearn_inputs import pipeline_inputs
from treerules.importers.sklearn_models import is_of_sklearn, require_fitted, unsupported_model
from treerules.importers.sklearn_steps import split_pipeline
from treerules.importers.sklearn_trees import TREES, read_tree
from treerules.trees.ensemble import TreeModel


def read_sklearn(fitted: Any, options: ImportOptions) -> TreeModel:
    """Return the tree or the ensemble of a fitted model, of a search, or of a pipeline of steps and a model.

    Raises:
        OptionError: the model or a step before it cannot be imported, or the names do not fit.
        DataError: it is not fitted.
    """
    steps, model = split_pipeline(fitted)
    read = next((read for classes, read in _READERS.items() if is_of_sklearn(model, *classes)), None)
    if read is None:
        library = type(model).__module__.split(".")[0]
        by_itself = f"import this model of {library} by itself, on the columns that the steps before it make"
        other = by_itself if library in _LIBRARIES else "no other model can be imported"
        raise unsupported_model(model, _REMEDIES.get(type(model).__name__, other))
    steps += model_steps(model)
    first = steps[0] if steps else model
    inputs = _inputs(steps, model, first, names_of_features(options, _names(first)), options.dtype)
    return read(model, options.target, inputs)


#: The functions that read a fitted model, given its target and the columns before it, by the classes of models.
_READERS: Mapping[tuple[str, ...], Callable[[Any, str, Inputs], TreeModel]] = {
    TREES: read_tree,
    FORESTS: read_forest,
    BOOSTED: read_boosted,
    HISTOGRAM_BOOSTED: read_histogram_boosted,
}
#: The libraries whose models are read, but not behind steps of scikit-learn.
_LIBRARIES = ("xgboost", "lightgbm", "catboost")
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


def _inputs(steps: list[Any], model: Any, first: Any, names: list[str], dtype: Dtype) -> Inputs:
    if not steps:
        return OwnInputs([Feature(name, Kind.NUMBER) for name in names])
    fitted_names = getattr(first, "feature_names_in_", None)
    frame_names = None if fitted_names is None else tuple(fitted_names.tolist())
    inputs = pipeline_inputs(steps, names, frame_names=frame_names, dtype=dtype)
    n_columns = int(require_fitted(model, "n_features_in_"))
    if len(inputs.sources) != n_columns:
        reason = f"the steps before it make {len(inputs.sources)} columns, and it reads {n_columns}"
        raise unsupported_model(model, reason)
    return inputs


def _names(first: Any) -> list[str]:
    """Return the names of the columns of the first step: its own, else x0, x1 and so on."""
    n = int(require_fitted(first, "n_features_in_"))
    return list(map(str, getattr(first, "feature_names_in_", [f"x{position}" for position in range(n)])))
