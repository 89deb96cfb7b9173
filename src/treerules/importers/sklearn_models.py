"""What models of scikit-learn are: their class, whether they are fitted, and the estimator that a search found.

scikit-learn is not imported: whoever has a fitted model has it.
"""

from typing import Any

from treerules._internal.articles import with_article
from treerules.errors import DataError, OptionError

#: The searches, which hold the estimator that they found.
_SEARCHES = ("BaseSearchCV",)


def is_of_sklearn(model: Any, *names: str) -> bool:
    """Return whether a model is of scikit-learn: without names, of any class of its own or derived from one.

    With names it must be of a class of its own that has one of these names or is derived from one that has: a class of
    somebody else may override what it derives.
    """
    bases = [base for base in type(model).__mro__ if _is_own(base)]
    if not names:
        return bool(bases)
    return _is_own(type(model)) and any(base.__name__ in names for base in bases)


def _is_own(kind: type) -> bool:
    return (kind.__module__ or "").split(".")[0] == "sklearn"


def found_estimator(model: Any) -> Any:
    """Return the best estimator of a fitted search; any other model is returned unchanged.

    Raises:
        DataError: the search has none.
    """
    if not is_of_sklearn(model, *_SEARCHES):
        return model
    best = getattr(model, "best_estimator_", None)
    if best is None:
        remedy = "call fit() with refit=True first"
        raise DataError(f"the {type(model).__name__} has no best_estimator_", remedy)
    return found_estimator(best)


def require_fitted(model: Any, attribute: str) -> Any:
    """Return an attribute that fitting sets.

    Raises:
        DataError: the model lacks it.
    """
    value = getattr(model, attribute, None)
    if value is None:
        raise DataError(f"the {type(model).__name__} is not fitted", "call its fit() first")
    return value


def unsupported_model(model: Any, reason: str) -> OptionError:
    """Return the error for a model that cannot be imported: its class, and the reason."""
    return OptionError("fitted", with_article(type(model).__name__), f"{_SUPPORTED}; {reason}")


_SUPPORTED = (
    "a fitted DecisionTree*, ExtraTree*, RandomForest*, ExtraTrees*, GradientBoosting* or HistGradientBoosting* "
    "(* is Classifier or Regressor), or a fitted GridSearchCV, RandomizedSearchCV or Pipeline of one "
    "or of a model of XGBoost, LightGBM or CatBoost"
)
