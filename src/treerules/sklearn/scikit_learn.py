"""What the estimators need of scikit-learn, or the error that says how to install it."""

from treerules.errors import MissingExtraError

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, TransformerMixin, clone
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import (
        check_array,
        check_consistent_length,
        check_is_fitted,
        column_or_1d,
        validate_data,
    )
except ImportError as error:
    raise MissingExtraError("scikit-learn 1.6 or later", "sklearn") from error

__all__ = (
    "BaseEstimator",
    "ClassifierMixin",
    "RegressorMixin",
    "TransformerMixin",
    "check_array",
    "check_classification_targets",
    "check_consistent_length",
    "check_is_fitted",
    "clone",
    "column_or_1d",
    "validate_data",
)
