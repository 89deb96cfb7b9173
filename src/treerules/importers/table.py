"""The table of importers, and the functions that import a fitted model."""

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal

import numpy as np
from attrs import evolve, fields_dict

from treerules._internal.arguments import require_names, require_type
from treerules._internal.articles import with_article
from treerules._internal.paused_gc import paused_gc
from treerules.errors import OptionError
from treerules.importers.catboost_reader import CATBOOST_OPTIONS, is_of_catboost, read_catboost
from treerules.importers.importer import Dtype, Importer, ImportOptions
from treerules.importers.lightgbm_reader import LIGHTGBM_OPTIONS, is_of_lightgbm, read_lightgbm
from treerules.importers.model_documents import HOW_TO_LOAD, read_document
from treerules.importers.sklearn_models import is_of_sklearn
from treerules.importers.sklearn_reader import read_sklearn
from treerules.importers.sklearn_steps import split_pipeline
from treerules.importers.xgboost_reader import XGBOOST_OPTIONS, is_of_xgboost, read_xgboost

#: The importers. `import_model` uses the first that recognises the model.
IMPORTERS = (
    Importer("XGBoost", is_of_xgboost, read_xgboost, XGBOOST_OPTIONS, "xgboost", ((2, 0), (3, 2))),
    Importer("LightGBM", is_of_lightgbm, read_lightgbm, LIGHTGBM_OPTIONS, "lightgbm", ((4, 0), (4, 7))),
    Importer("CatBoost", is_of_catboost, read_catboost, CATBOOST_OPTIONS, "catboost", ((1, 2), (1, 2))),
    Importer("scikit-learn", is_of_sklearn, read_sklearn, ("dtype",), "sklearn", ((1, 2), (1, 9))),
)


def import_model(
    fitted: Any,
    *,
    target: str = "target",
    features: Sequence[str] | None = None,
    dtype: Dtype = "float64",
    labels: Iterable[Any] | None = None,
    missing: float | None = None,
    categories: Mapping[str, Sequence[Any]] | Literal["codes"] | None = None,
    iterations: int | None = None,
) -> Any:
    """Return a fitted model of another library as a Tree, or an Ensemble, with the same answer for every row it takes.

    Args:
        fitted: a model, or the path of the file of one, as `save_model` writes it: of XGBoost JSON or UBJSON, of
            LightGBM text, of CatBoost JSON. Pickles are not opened, since they run code when they are loaded. A model
            may be of XGBoost a Booster, XGBClassifier, XGBRegressor or XGBRanker; of LightGBM a Booster,
            LGBMClassifier, LGBMRegressor or LGBMRanker; of CatBoost a CatBoost, CatBoostClassifier or
            CatBoostRegressor; of scikit-learn a DecisionTree*, ExtraTree*, RandomForest*, ExtraTrees*,
            GradientBoosting* or HistGradientBoosting*. It may be a search (GridSearchCV, RandomizedSearchCV) of one, or
            stand behind the steps of a Pipeline of scikit-learn: ColumnTransformer, SimpleImputer, OneHotEncoder,
            OrdinalEncoder, StandardScaler, MinMaxScaler, MaxAbsScaler, RobustScaler, passthrough. The features are then
            the columns that come into the pipeline, with their categories.
        target: the name of what the model predicts, which models do not hold.
        features: the names of the features, in the order of the model's columns. None takes those of the model, where
            it was fitted with a data frame, else x0, x1 and so on (of XGBoost f0, f1).
        dtype: the type of your columns of numbers, "float64" by default or "float32". It matters behind scalers, which
            round columns of float32 to float32.
        labels: the classes, in the order of the model's, where the model does not name them, as files of XGBoost and
            LightGBM do not.
        missing: a number that stands for a missing value, besides NaN, as the argument of XGBoost of that name, which
            its files do not hold. None takes that of a live model, else none.
        categories: for columns of categories that the model knows by their codes, the categories in the order of the
            codes, as {"city": ["a", "b"]}; or "codes", where your columns hold the codes, as numbers.
        iterations: how many iterations of a boosted model predict. None takes as many as the library: those up to the
            best one, where it stopped early with its interface for scikit-learn, else all. LightGBM holds no
            iterations after the best one, but where it was trained with keep_training_booster=True.

    Returns:
        A Tree, or of a forest or a boosted model an Ensemble, whose `trees` are Trees: thresholds on doubles where the
        model compares in float32, the weights of the classes (n) and the probabilities of each node. Its `notes` say
        what was imported.

    Raises:
        OptionError: no importer recognises the model, or its library's importer cannot read it; the error says why. Or
            an argument does not fit the model, or is needed and not given.
        DataError: the model is not fitted.
        FileError: the file cannot be read.
        ModelFileError: the file is damaged, or holds a model of a kind that is not read.

    Examples:
        >>> from sklearn.tree import DecisionTreeRegressor
        >>> from treerules import predict
        >>> fitted = DecisionTreeRegressor().fit([[1.0], [2.0], [4.0]], [5.0, 5.0, 7.0])
        >>> predict(import_model(fitted), {"x0": 3.5})
        7.0
    """
    options = _checked(ImportOptions(target, features, dtype, labels, missing, categories, iterations))
    if isinstance(fitted, bytes):
        raise OptionError("fitted", fitted, HOW_TO_LOAD)
    steps, model = split_pipeline(read_document(fitted) if isinstance(fitted, (str, PathLike)) else fitted)
    importer = next((importer for importer in IMPORTERS if importer.recognises(model)), None)
    if importer is None:
        known = ", ".join(importer.name for importer in IMPORTERS)
        shown = str(fitted) if isinstance(fitted, PathLike) else fitted
        shown = f"a pipeline of {with_article(type(model).__name__)}" if steps else shown
        raise OptionError("fitted", shown, f"a fitted model of {known}, or a file of one")
    for name in set(_BY_LIBRARY) - {*importer.options, *(["dtype"] if steps else [])}:
        value, default = getattr(options, name), fields_dict(ImportOptions)[name].default
        if value is not default and value != default:
            raise OptionError(name, value, f"it left out, since models of {importer.name} do not need it")
    with paused_gc():
        imported = importer.read(model, options, steps)
        notes = importer.version_notes(model)
        return evolve(imported, notes=(*imported.notes, *notes)) if notes else imported


_CATEGORIES = "a dict of lists, the categories of columns, or 'codes'"
#: The options that not every importer takes.
_BY_LIBRARY = ("dtype", "labels", "missing", "categories", "iterations")


def _checked(options: ImportOptions) -> ImportOptions:
    """Return the options, the names as a list; raise OptionError for values of a wrong type."""
    require_type("target", options.target, str, "the name of what the model predicts")
    if isinstance(options.labels, str | bytes) or not isinstance(options.labels, Iterable | None):
        raise OptionError("labels", options.labels, "a list of classes")
    options = evolve(options, missing=_unwrapped(options.missing), iterations=_unwrapped(options.iterations))
    if isinstance(options.missing, bool) or not isinstance(options.missing, float | int | None):
        raise OptionError("missing", options.missing, "a number that stands for a missing value")
    if options.features is not None:
        require_names("features", options.features)
    if not isinstance(options.dtype, str) or options.dtype not in ("float64", "float32"):
        raise OptionError("dtype", options.dtype, "'float64' or 'float32'")
    require_type("categories", options.categories, Mapping | str | None, _CATEGORIES)
    if isinstance(options.iterations, bool) or not isinstance(options.iterations, int | None):
        raise OptionError("iterations", options.iterations, "a number of iterations")
    lists = options.categories.values() if isinstance(options.categories, Mapping) else ()
    is_word = isinstance(options.categories, str) and options.categories != "codes"
    if is_word or any(isinstance(values, str | bytes) or not isinstance(values, Iterable) for values in lists):
        raise OptionError("categories", options.categories, _CATEGORIES)
    return options if options.labels is None else evolve(options, labels=list(options.labels))


def _unwrapped(value: Any) -> Any:
    """Return the Python value of a numpy scalar; any other value is returned unchanged."""
    return value.item() if isinstance(value, np.generic) else value


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
    if isinstance(fitted, (str, bytes, PathLike)):
        raise OptionError("fitted", fitted, HOW_TO_LOAD)
    if not is_of_sklearn(fitted):
        raise OptionError("fitted", fitted, "a fitted model of scikit-learn")
    return import_model(fitted, target=target, features=features, dtype=dtype)
