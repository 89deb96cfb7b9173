"""What the estimators are given, checked as scikit-learn checks it, as tables."""

from collections.abc import Collection
from numbers import Number
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from attrs import evolve

from treerules._internal.conversion import unwrap_scalar
from treerules.data.frames import is_frame, open_frame
from treerules.data.table import Table
from treerules.errors import OptionError, counted
from treerules.sklearn.scikit_learn import check_array, check_consistent_length, column_or_1d, validate_data


def training_table(estimator: Any, X: Any, y: Any) -> tuple[Table, Any]:  # noqa: N803
    """Return the features as a table, and the target as an array; what was fitted is kept on the estimator.

    Raises:
        ValueError: X or y is not valid, as scikit-learn says it.
        DataError, ColumnError: a data frame cannot be read.
    """
    if y is None:
        requires = f"This {type(estimator).__name__} estimator requires y to be passed, but the target y is None."
        raise ValueError(requires)
    table = _table(estimator, X, reset=True)
    if table.n_rows == 0:
        raise ValueError(f"Found array with 0 sample(s) (shape={X.shape}) while a minimum of 1 is required.")
    values = _target(y)
    check_consistent_length(range(table.n_rows), values)
    return table, values


def new_table(estimator: Any, X: Any) -> Table:  # noqa: N803
    """Return rows to predict as a table with the columns of the fit.

    Raises:
        ValueError: X does not have the columns of the fit.
        DataError, ColumnError: a data frame cannot be read.
    """
    return _table(estimator, X, reset=False)


def _table(estimator: Any, X: Any, reset: bool) -> Table:  # noqa: N803
    frame = _named_frame(X)
    if frame is not None:
        validate_data(estimator, frame, skip_check_array=True, reset=reset)
        table = Table.from_frame(frame)
        if reset:
            estimator._text_columns = None  # fitted on a frame
        if estimator._text_columns is None:
            return table
        renamed = zip(table.columns, feature_names(estimator), strict=True)  # fitted on an array: by position
        return Table([evolve(column, feature=evolve(column.feature, name=name)) for column, name in renamed])
    if reset or not estimator._text_columns:
        try:
            rows = validate_data(estimator, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=reset)
        except ValueError as error:
            if not (reset and "could not convert string to float" in str(error)):
                raise
        else:
            estimator._text_columns = ()
            names = feature_names(estimator)
            columns: dict[str, Any] = {name: np.ascontiguousarray(rows[:, n]) for n, name in enumerate(names)}
            return Table.from_columns(columns)
    rows = validate_data(estimator, X, dtype=object, ensure_all_finite=False, reset=reset)
    return _table_with_text(estimator, rows, reset)


def _table_with_text(estimator: Any, rows: Any, reset: bool) -> Table:
    """Return an array of objects as a table: columns that hold text are categories, all others numbers."""
    columns = {name: list(map(unwrap_scalar, rows[:, n])) for n, name in enumerate(feature_names(estimator))}
    if reset:
        estimator._text_columns = tuple(
            name for name, cells in columns.items() if any(isinstance(cell, str) for cell in cells)
        )
    for name, cells in columns.items():
        if name in estimator._text_columns:
            columns[name] = [None if cell is None else str(cell) for cell in cells]
        else:
            columns[name] = [None if cell is None else float(cell) for cell in cells]
    types = dict.fromkeys(estimator._text_columns, "category")
    return Table.from_columns(columns, types=types)


def _named_frame(X: Any) -> Any:  # noqa: N803
    """Return a data frame, collected; None for what scikit-learn takes as an array.

    It takes a frame of pandas as an array where the names of the columns are not text; other libraries have no such.
    """
    if not is_frame(X) or (hasattr(X, "iloc") and not all(isinstance(name, str) for name in X.columns)):
        return None
    return open_frame(X, "X").to_native()


def _target(y: Any) -> Any:
    """Return the target as an array of one dimension.

    Raises:
        ValueError: it has another shape, or infinite values.
        OptionError: it has missing values.
    """
    series = nw.from_native(y, pass_through=True, allow_series=True)
    values = column_or_1d(series.to_numpy() if isinstance(series, nw.Series) else y, warn=True)
    if values.dtype == np.dtype(object):
        n_missing = sum(unwrap_scalar(value) is None for value in values)
        if n_missing:
            raise OptionError("y", f"{counted(n_missing, 'missing value')} of {len(values)}", "a value for each row")
    return check_array(values, ensure_2d=False, dtype=None, ensure_all_finite=True, input_name="y")


def feature_names(estimator: Any) -> list[str]:
    """Return the names of the features: those of the frame that was fitted, else x0, x1 and so on."""
    names = getattr(estimator, "feature_names_in_", None)
    return list(map(str, names)) if names is not None else [f"x{n}" for n in range(estimator.n_features_in_)]


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
