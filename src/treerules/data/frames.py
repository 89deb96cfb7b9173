"""Data frames of any library that narwhals knows (pandas, polars, Arrow, ...) as columns, not copied where possible."""

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from treerules.data.casting import as_category
from treerules.data.column import Column, column_of, declared_column, text_column
from treerules.data.schema import FIRST_DAY, MISSING, Feature, Kind
from treerules.errors import ColumnError, DataError, OptionError, TreeRulesError

#: The years 1 to 9999 in microseconds.
_FIRST, _LAST = -62135596800000000, 253402300799999999
_DAY = 86_400_000_000


def columns_of(frame: Any, types: Mapping[str, Any] | None = None) -> list[Column]:
    """Return the columns of a data frame of any library; a lazy one is collected.

    Raises:
        OptionError, DataError, ColumnError: as `open_frame` and `columns_of_frame` do.
    """
    return columns_of_frame(open_frame(frame), types)


def is_frame(data: Any) -> bool:
    """Return whether data is a data frame of a library that narwhals knows, also one that it cannot read."""
    try:
        return isinstance(nw.from_native(data, pass_through=True), (nw.DataFrame, nw.LazyFrame))
    except nw.exceptions.NarwhalsError:  # such as two columns of one name: open_frame says so
        return True


def open_frame(frame: Any, argument: str = "frame") -> Any:
    """Return a data frame as a narwhals DataFrame; a lazy one is collected.

    Raises:
        OptionError: `frame` is not a data frame.
        DataError: it cannot be collected, or a column has a name that is not text.
    """
    try:
        wrapped: Any = nw.from_native(frame)
        eager = wrapped.collect() if isinstance(wrapped, nw.LazyFrame) else wrapped
        names = list(eager.columns)
    except TypeError:
        accepted = "a data frame of pandas, polars, Arrow or another library that narwhals knows"
        raise OptionError(argument, type(frame).__name__, accepted) from None
    except Exception as error:  # each library has errors of its own
        text = " ".join(str(error).split())
        remedy = "correct it, or collect it first"
        raise DataError(f"the frame cannot be read: {type(error).__name__}: {text:.300}", remedy) from error
    bad_name = next((name for name in names if not isinstance(name, str)), None)
    if bad_name is not None:
        raise DataError(f"the frame has a column named {bad_name!r}, which is not text", "rename it to text")
    return eager


def columns_of_frame(frame: Any, types: Mapping[str, Any] | None = None) -> list[Column]:
    """Return the columns of a narwhals DataFrame; objects that mix kinds are text where `types` declares a category.

    Raises:
        ColumnError: a column has a type that no kind can hold, or mixes kinds.
    """
    return [_read_series(series, (types or {}).get(series.name)) for series in frame.iter_columns()]


def _read_series(series: Any, declared: object) -> Column:
    try:
        return _column(series, declared)
    except TreeRulesError:
        raise
    except Exception as error:  # each library has errors of its own
        problem = f"holds {series.dtype} values that cannot be read ({type(error).__name__})"
        raise ColumnError(series.name, problem, "convert it, or leave the column out") from error


def _column(series: Any, declared: object) -> Column:
    name, kind = series.name, series.dtype
    if isinstance(kind, (nw.Categorical, nw.Enum)):
        return _of_categories(series)
    missing = series.is_null().to_numpy()
    if kind.is_numeric():
        return _of_numbers(series, missing)
    if kind == nw.Boolean:
        return _with_missing(column_of(name, _fill_missing_cells(series, missing, False).astype(bool)), missing)
    if kind == nw.String:
        return text_column(name, series.to_list(), missing)
    if kind in (nw.Date, nw.Datetime):
        return (_of_days if kind == nw.Date else _of_moments)(name, series, missing)
    if kind in (nw.Object, nw.Unknown):
        return declared_column(name, series.to_list(), declared)
    raise ColumnError(name, f"holds {kind} values", "convert it, or leave the column out")


def _of_numbers(series: Any, missing: Any) -> Column:
    if series.dtype.is_integer():
        return _with_missing(column_of(series.name, _fill_missing_cells(series, missing, 0)), missing)
    numbers = series.cast(nw.Float64) if series.dtype == nw.Decimal else series
    return column_of(series.name, _fill_missing_cells(numbers, missing, float("nan")).astype(np.float64, copy=False))


def _fill_missing_cells(series: Any, missing: Any, hole: Any) -> Any:
    return (series.fill_null(hole) if missing.any() else series).to_numpy()


def _with_missing(column: Column, missing: Any) -> Column:
    """Return the column with some cells made missing; their values were fillers."""
    if not missing.any():
        return column
    hole = 0 if column.feature.is_ordered else MISSING
    return Column(column.feature, np.where(missing, hole, column.data).astype(column.data.dtype), missing)


def _of_categories(series: Any) -> Column:
    """Return a categorical column, with all of its categories; an ordered one is an ordinal.

    narwhals reports every polars enum as ordered, but a polars enum only has a storage order, so it is not an ordinal.
    """
    is_enum = isinstance(series.dtype, nw.Enum)
    categories: Sequence[Any] = series.dtype.categories if is_enum else series.cat.get_categories().to_list()
    order = [value for value in categories if value is not None]
    labels = as_category(column_of(series.name, order)).feature
    if order and nw.is_ordered_categorical(series) and not series.implementation.is_polars():
        labels = Feature(series.name, Kind.ORDINAL, [labels.convert(value) for value in order], labels.scalar)
    codes_by_value = {value: labels.positions[labels.convert(value)] for value in order}
    codes = np.fromiter(
        (codes_by_value.get(value, MISSING) for value in series.to_list()), dtype=np.int32, count=len(series)
    )
    return Column(labels, codes, codes == MISSING)


def _microseconds(series: Any, name: str, missing: Any) -> Any:
    """Return moments in microseconds since 1970, finer ones rounded down; 0 where missing."""
    moments = series.to_numpy()
    per_second = _PER_SECOND[np.datetime_data(moments.dtype)[0]]
    counts = np.where(missing, 0, moments.astype(np.int64))
    if per_second > 10**6:
        counts = counts // (per_second // 10**6)
    scale = max(1, 10**6 // per_second)  # checked first, since the product may not fit
    if np.any((counts < _FIRST // scale) | (counts > _LAST // scale)):
        raise ColumnError(name, "holds moments outside the years 1 to 9999", "leave those rows out")
    return counts * scale


_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


def _of_days(name: str, series: Any, missing: Any) -> Column:
    days = _microseconds(series.cast(nw.Datetime("us")), name, missing) // _DAY + FIRST_DAY
    return Column(Feature(name, Kind.DATE), np.where(missing, 0, days), missing)


def _of_moments(name: str, series: Any, missing: Any) -> Column:
    zoned = series.dtype.time_zone is not None
    if zoned:
        series = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
    scalar = "timestamp_utc" if zoned else "timestamp"
    return Column(Feature(name, Kind.TIMESTAMP, (), scalar), _microseconds(series, name, missing), missing)
