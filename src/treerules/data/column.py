"""Columns of a Table as numpy arrays, built from Python values or arrays. `casting` changes their kinds.

    kind                         data      at a missing cell
    number                       float64   nan
    integer, date, timestamp     int64     0       (days, microseconds: see `ordinate`)
    boolean, category, ordinal   int32     -1      (positions into the categories; -2 is unseen, only when aligned)

`missing` is a boolean array of the same length.
"""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property
from typing import Any

import numpy as np
from attrs import field, frozen

from treerules._internal.conversion import to_text, unwrap_scalar
from treerules._internal.short_repr import short_repr
from treerules.data.schema import MISSING, UNSEEN, Feature, Kind, at_ordinate, kind_of_scalar, ordinate
from treerules.data.sorting import SortedRows, sorted_rows
from treerules.data.value_format import value_text
from treerules.errors import ColumnError

#: The scalar that a Python value is: the first row that fits.
_TYPES: tuple[tuple[type, str], ...] = (
    (bool, "boolean"),
    (int, "integer"),
    (float, "number"),
    (Decimal, "number"),
    (str, "text"),
    (datetime, "timestamp"),
    (date, "date"),
)
_WORDS = {
    "boolean": "booleans",
    "integer": "integers",
    "number": "numbers",
    "text": "text",
    "date": "dates",
    "timestamp": "timestamps without zone",
    "timestamp_utc": "timestamps with a zone",
}


def _read_only_view(array: Any) -> Any:
    array = np.asarray(array)
    if array.flags.writeable:
        array = array.view()
        array.flags.writeable = False
    return array


@short_repr
@frozen(eq=False)
class Column:
    """The cells of one column. Equal when feature and cells are."""

    feature: Feature
    data: Any = field(converter=_read_only_view)
    missing: Any = field(converter=_read_only_view)
    #: False for a long text column, different in every row, whose text was left in its file
    fetched: bool = True

    @cached_property
    def n_missing(self) -> int:
        """The number of missing cells."""
        return int(np.count_nonzero(self.missing))

    @cached_property
    def order(self) -> SortedRows:
        """The rows of the known cells in ascending order of their values, equal ones in their order."""
        if not self.n_missing:
            return sorted_rows(self.data)
        known = np.flatnonzero(~self.missing).astype(np.int32)
        order = sorted_rows(self.data.take(known))
        return SortedRows(known.take(order.rows), order.is_new)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Column):
            return NotImplemented
        is_same = self.feature == other.feature and np.array_equal(self.missing, other.missing)
        is_known = ~self.missing
        return bool(is_same and np.array_equal(self.data[is_known], other.data[is_known]))

    __hash__ = None  # type: ignore[assignment]

    def value(self, row: int) -> Any:
        """Return one cell as a Python value: None when missing, "(unseen)" for an unseen category.

        Raises:
            ColumnError: the text of the column was left in its file.
        """
        check_fetched(self)
        if self.missing[row]:
            return None
        if self.feature.is_ordered:
            return at_ordinate(self.feature.scalar, self.data[row])
        if self.data[row] == UNSEEN:
            return "(unseen)"
        return self.feature.categories[self.data[row]]


def values_of(column: Column) -> Any:
    """Return the cells of a column as Python values in an object array, None where missing; numbers as float64."""
    check_fetched(column)
    feature = column.feature
    if feature.kind is Kind.NUMBER:
        return column.data
    if feature.is_ordered:
        cells = np.empty(len(column.data), dtype=object)
        known = np.flatnonzero(~column.missing)
        cells[known] = [at_ordinate(feature.scalar, ordinal) for ordinal in column.data[known].tolist()]
        return cells
    return np.array([*feature.categories, "(unseen)", None], dtype=object)[column.data]


def check_fetched(column: Column) -> None:
    """Raise ColumnError where the text of a column was left in its file."""
    if not column.fetched:
        name = column.feature.name
        raise ColumnError(
            name,
            "is long and different in every row, so its text was left in the file",
            f"read it with extra_columns=[{name!r}]",
        )


def column_of(name: str, values: Any) -> Column:
    """Return a column of values, with its kind inferred from their types.

    A mixture of integers and floats becomes a number column; so do integers beyond 64 bits.

    Raises:
        ColumnError: the values mix kinds or are of no known kind; three cells are shown.
    """
    if isinstance(values, np.ma.MaskedArray):
        values = values.tolist()
    if isinstance(values, np.ndarray) and values.dtype.kind in "fiub":
        return _of_array(name, values)
    if isinstance(values, np.ndarray) and values.ndim != 1:
        raise ColumnError(name, f"is an array of {values.ndim} dimensions", "give one dimension")
    cells = [unwrap_scalar(value) for value in values]
    scalar = _scalar_of_all(name, cells)
    if scalar != "text":
        return of_values(Feature(name, kind_of_scalar(scalar), (), scalar), cells)
    cells = [to_text(cell, name) for cell in cells]
    return of_values(Feature(name, Kind.CATEGORY, sorted({cell for cell in cells if cell is not None})), cells)


def declared_column(name: str, values: Any, declared: object = None) -> Column:
    """Return a column of values; one that is declared a category is text where its values mix kinds.

    Raises:
        ColumnError: the values mix kinds, and no category is declared; or they are of no known kind.
    """
    try:
        return column_of(name, values)
    except ColumnError:
        cells = [unwrap_scalar(value) for value in values]
        if declared != Kind.CATEGORY or not all(isinstance(cell, _SCALAR_TYPES | None) for cell in cells):
            raise
        return column_of(name, [None if cell is None else value_text(cell, "") for cell in cells])


_SCALAR_TYPES = bool | int | float | str | Decimal | date


def text_column(name: str, values: Sequence[Any], missing: Any) -> Column:
    """Return the column of texts, of which some are missing."""
    categories = sorted({value for value, is_missing in zip(values, missing.tolist(), strict=True) if not is_missing})
    positions = {category: position for position, category in enumerate(categories)}
    codes = np.fromiter((positions.get(value, MISSING) for value in values), dtype=np.int32, count=len(values))
    return Column(Feature(name, Kind.CATEGORY, categories), codes, missing)


def _of_array(name: str, values: Any) -> Column:
    if values.ndim != 1:
        raise ColumnError(name, f"is an array of {values.ndim} dimensions", "give one dimension")
    missing = np.zeros(len(values), dtype=bool)
    if values.dtype.kind == "b":
        return Column(Feature(name, Kind.BOOLEAN), values.astype(np.int32), missing)
    if values.dtype.kind == "f" or (values.dtype.kind == "u" and np.any(values > 2**63 - 1)):
        # a writable array might change later, so it is copied
        floats = values.astype(np.float64, copy=values.flags.writeable)
        if np.any((floats == 0.0) & np.signbit(floats)):
            floats = floats + 0.0  # -0.0 is 0.0
        return Column(Feature(name, Kind.NUMBER), floats, np.isnan(floats))
    return Column(Feature(name, Kind.INTEGER), values.astype(np.int64, copy=values.flags.writeable), missing)


def _scalar_of_all(name: str, cells: Sequence[Any]) -> str:
    examples: dict[str, Any] = {}  # one example of each scalar that occurs
    for cell in cells:
        if cell is not None:
            examples.setdefault(_scalar_of(name, cell), cell)
    if set(examples) == {"integer", "number"}:
        examples.pop("integer")
    if len(examples) > 1:
        kinds = " and ".join(_WORDS[scalar] for scalar in examples)
        shown_cells = _examples(cells, list(examples.values()))
        remedy = f"make every cell of one kind, or read a file with --types {name}=category or --drop {name}"
        raise ColumnError(name, f"mixes {kinds}", remedy, shown_cells)
    scalar = next(iter(examples), "text")
    is_in_range = scalar != "integer" or all(cell is None or -(2**63) <= cell < 2**63 for cell in cells)
    return scalar if is_in_range else "number"


def _scalar_of(name: str, cell: Any) -> str:
    for kind, scalar in _TYPES:
        if isinstance(cell, kind):
            return "timestamp_utc" if isinstance(cell, datetime) and cell.utcoffset() is not None else scalar
    raise ColumnError(
        name, f"holds values of type {type(cell).__name__}", "give numbers, text, booleans or dates", [cell]
    )


def _examples(cells: Iterable[Any], first: list[Any]) -> list[Any]:
    """Return three cells that show the mixture: one of each kind, then any other."""
    other_cells = [cell for cell in cells if cell is not None and not any(cell is example for example in first)]
    return [*first, *other_cells][:3]


def of_values(feature: Feature, values: Iterable[Any]) -> Column:
    """Return a column of the given feature; values outside its categories become unseen.

    Raises:
        CellError: a value is of the wrong kind.
    """
    cells = [feature.convert(value) for value in values]
    missing = np.fromiter((cell is None for cell in cells), dtype=bool, count=len(cells))
    if feature.is_ordered:
        dtype: Any = np.float64 if feature.kind is Kind.NUMBER else np.int64
        hole = float("nan") if feature.kind is Kind.NUMBER else 0
        data = [hole if cell is None else ordinate(cell) for cell in cells]
    else:
        dtype = np.int32
        data = [MISSING if cell is None else feature.positions.get(cell, UNSEEN) for cell in cells]
    return Column(feature, np.array(data, dtype=dtype), missing)


def take_rows(column: Column, rows: Any) -> Column:
    """Return the column restricted to the rows with these numbers; None selects all."""
    return take_rows_of_columns([column], rows)[0]


def take_rows_of_columns(columns: Iterable[Column], rows: Any) -> tuple[Column, ...]:
    """Return the columns restricted to the rows with these numbers; None selects all."""
    if rows is None:
        return tuple(columns)
    none = np.zeros(len(rows), dtype=bool)  # shared by all columns where nothing is missing
    none.flags.writeable = False
    return tuple(
        Column(
            column.feature,
            column.data.take(rows),
            column.missing.take(rows) if column.n_missing else none,
            column.fetched,
        )
        for column in columns
    )


def mask_unseen(column: Column) -> Column:
    """Return the column with unseen values made missing."""
    if column.feature.is_ordered or not np.any(column.data == UNSEEN):
        return column
    unseen = column.data == UNSEEN
    return Column(column.feature, np.where(unseen, MISSING, column.data), column.missing | unseen, column.fetched)
