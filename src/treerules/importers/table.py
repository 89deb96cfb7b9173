"""The table of importers, and the functions that import a fitted model."""

from collections.abc import Sequence
from os import PathLike
from typing import Any

from treerules._internal.arguments import require_names, require_type
from treerules.errors import OptionError
from treerules.importers.importer import Importer
from treerules.importers.sklearn_inputs import Dtype
from treerules.importers.sklearn_models import is_of_sklearn
from treerules.importers.sklearn_reader import read_sklearn

#: The importers. `import_model` uses the first that recognises the model.
IMPORTERS = (Importer("scikit-learn", is_of_sklearn, read_sklearn),)


def import_model(
    fitted: Any, *, target: str = "target", features: Sequence[str] | None = None, dtype: Dtype = "float64"
) -> Any:
    """Return a fitted model of another library as a Tree, or an Ensemble, with the same answer for every row it takes.

    A file is not opened: files of models are pickles, which run code when they are loaded.

    Args:
        fitted: the model: of scikit-learn a DecisionTree*, ExtraTree*, RandomForest*, ExtraTrees*, GradientBoosting* or
            HistGradientBoosting*, or a search (GridSearchCV, RandomizedSearchCV) of one, also behind the steps of a
            Pipeline: ColumnTransformer, SimpleImputer, OneHotEncoder, OrdinalEncoder, StandardScaler, MinMaxScaler,
            MaxAbsScaler, RobustScaler, passthrough. The features are then the columns that come into the pipeline, with
            their categories.
        target: the name of what the model predicts, which models do not hold.
        features: the names of the features, in the order of the model's columns. None takes those of the model, where
            it was fitted with a data frame, else x0, x1 and so on.
        dtype: the type of your columns of numbers, "float64" by default or "float32". It matters behind scalers, which
            round columns of float32 to float32.

    Returns:
        A Tree, or of a forest or a boosted model an Ensemble, whose `trees` are Trees: thresholds on doubles where the
        model compares in float32, the weights of the classes (n) and the probabilities of each node. Its `notes` say
        what was imported.

    Raises:
        OptionError: no importer recognises the model, or its library's importer cannot read it; the error says why.
        DataError: the model is not fitted.

    Examples:
        >>> from sklearn.tree import DecisionTreeRegressor
        >>> from treerules import predict
        >>> fitted = DecisionTreeRegressor().fit([[1.0], [2.0], [4.0]], [5.0, 5.0, 7.0])
        >>> predict(import_model(fitted), {"x0": 3.5})
        7.0
    """
    require_type("target", target, str, "the name of what the model predicts")
    names = None if features is None else require_names("features", features)
    if not isinstance(dtype, str) or dtype not in ("float64", "float32"):
        raise OptionError("dtype", dtype, "'float64' or 'float32'")
    if isinstance(fitted, (str, bytes, PathLike)):
        raise OptionError("fitted", fitted, _HOW_TO_LOAD)
    importer = next((importer for importer in IMPORTERS if importer.recognises(fitted)), None)
    if importer is None:
        known = ", ".join(importer.name for importer in IMPORTERS)
        raise OptionError("fitted", fitted, f"a fitted model of {known}")
    return importer.read(fitted, target, names, dtype)


def from_sklearn(
    fitted: Any, *, target: str = "target", features: Sequence[str] | None = None, dtype: Dtype = "float64"
) -> Any:
    """Return a fitted model of scikit-learn as a Tree or an Ensemble: `import_model` for this library alone.

    Args:
        fitted: a tree, a forest, a boosted model, or a search of one, also behind the steps of a Pipeline.
        target: the name of what the model predicts.
        features: the names of the features; None takes those of the model, else x0, x1 and so on.
        dtype: the type of your columns of numbers, as in `import_model`.

    Returns:
        A Tree or an Ensemble.

    Raises:
        OptionError: it is no model of scikit-learn, or none that can be imported; the error says why.
        DataError: the model is not fitted.

    Examples:
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from_sklearn(DecisionTreeClassifier().fit([[0], [1]], [False, True]), target="ill")
        <Tree 'ill' leaves=2 depth=1>
    """
    if not isinstance(fitted, (str, bytes, PathLike)) and not is_of_sklearn(fitted):
        raise OptionError("fitted", fitted, "a fitted model of scikit-learn")
    return import_model(fitted, target=target, features=features, dtype=dtype)


_HOW_TO_LOAD = """a fitted model, since files of models can run code when they are loaded. If you trust the file, run:
    import joblib
    from treerules.importers import import_model
    tree = import_model(joblib.load("model.joblib"))"""
