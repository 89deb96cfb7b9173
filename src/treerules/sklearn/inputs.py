"""What the estimators are given, checked as scikit-learn checks it, as tables."""

from collections.abc import Collection
from numbers import Number
from typing import Any

import numpy as np

from treerules.data.frames import is_frame
from treerules.data.table import Table
from treerules.sklearn.scikit_learn import check_array, check_consistent_length, column_or_1d, validate_data


def is_named_frame(X: Any) -> bool:  # noqa: N803
    """Return whether X is a data frame whose columns have names; scikit-learn takes any other frame as an array."""
    return is_frame(X) and all(isinstance(name, str) for name in X.columns)


def training_table(estimator: Any, X: Any, y: Any) -> tuple[Table, Any]:  # noqa: N803
    """Return the features as a table, and the target as an array; what was fitted is kept on the estimator.

    Raises:
        ValueError: X or y is not valid, as scikit-learn says it.
    """
    if is_named_frame(X):
        validate_data(estimator, X, skip_check_array=True)
        if len(X) == 0:
            raise ValueError(f"Found array with 0 sample(s) (shape={X.shape}) while a minimum of 1 is required.")
        table = Table.from_frame(X)
        values = _target(y)
        check_consistent_length(X, values)
        return table, values
    if y is None:
        requires = f"This {type(estimator).__name__} estimator requires y to be passed, but the target y is None."
        raise ValueError(requires)
    rows = validate_data(estimator, X, dtype=np.float64, ensure_all_finite="allow-nan")
    values = _target(y)
    check_consistent_length(rows, values)
    return _table_of_array(estimator, rows), values


def new_table(estimator: Any, X: Any) -> Table:  # noqa: N803
    """Return rows to predict as a table with the columns of the fit.

    Raises:
        ValueError: X does not have the columns of the fit.
    """
    if is_named_frame(X):
        validate_data(estimator, X, skip_check_array=True, reset=False)
        return Table.from_frame(X)
    rows = validate_data(estimator, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
    return _table_of_array(estimator, rows)


def _target(y: Any) -> Any:
    """Return the target as an array of one dimension; missing and infinite values are errors."""
    values = column_or_1d(y, warn=True)
    return check_array(values, ensure_2d=False, dtype=None, ensure_all_finite=True, input_name="y")


def feature_names(estimator: Any) -> list[str]:
    """Return the names of the features: those of the frame that was fitted, else x0, x1 and so on."""
    names = getattr(estimator, "feature_names_in_", None)
    return list(map(str, names)) if names is not None else [f"x{n}" for n in range(estimator.n_features_in_)]


def _table_of_array(estimator: Any, rows: Any) -> Table:
    names = feature_names(estimator)
    columns: dict[str, Any] = {name: np.ascontiguousarray(rows[:, n]) for n, name in enumerate(names)}
    return Table.from_columns(columns)


def validated_weights(sample_weight: Any, n_rows: int) -> Any:
    """Return the weights of the rows as float64, or None.

    Raises:
        ValueError: they are not one for each row, or all are 0.
    """
    if sample_weight is None:
        return None
    if isinstance(sample_weight, Number):
        return np.full(n_rows, float(sample_weight), dtype=np.float64)  # type: ignore[arg-type]
    weights = check_array(sample_weight, ensure_2d=False, dtype=np.float64, input_name="sample_weight")
    if weights.shape != (n_rows,):
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected {(n_rows,)}!")
    if not np.any(weights):
        raise ValueError("Sample weights must contain at least one non-zero number: every weight is zero.")
    return weights


def fresh_name(name: str, taken: Collection[str]) -> str:
    """Return a name that is not taken, with as few underscores behind it as that needs."""
    while name in taken:
        name += "_"
    return name
