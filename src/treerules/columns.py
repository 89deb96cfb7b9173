"""The columns of a Table as numpy arrays: made of Python values or arrays, declared anew, read back.

    kind                         data      at a missing cell
    number                       float64   nan
    integer, date, timestamp     int64     0       (days, microseconds: see `ordinate`)
    boolean, category, ordinal   int32     -1      (positions into the categories; -2 is unseen, only when aligned)

`missing` is a boolean array beside it.
"""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import numpy as np
from attrs import field, frozen

from treerules.convert import plain, text
from treerules.errors import ColumnError
from treerules.forms import spelled
from treerules.schema import MISSING, UNSEEN, Feature, Kind, at_ordinate, kind_of_scalar, ordinate

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


def _locked(array: Any) -> Any:
    array = np.asarray(array)
    if array.flags.writeable:
        array = array.view()
        array.flags.writeable = False
    return array


@frozen(eq=False)
class Column:
    """The cells of one column. Equal when feature and cells are."""

    feature: Feature
    data: Any = field(converter=_locked)
    missing: Any = field(converter=_locked)
    #: False for a long text column, different in every row, whose text was left in its file
    fetched: bool = True

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Column):
            return NotImplemented
        same = self.feature == other.feature and np.array_equal(self.missing, other.missing)
        known = ~self.missing
        return bool(same and np.array_equal(self.data[known], other.data[known]))

    __hash__ = None  # type: ignore[assignment]

    def value(self, row: int) -> Any:
        """Return one cell as a Python value, None when missing; of an unseen one only that is known."""
        if self.missing[row]:
            return None
        if self.feature.is_ordered:
            return at_ordinate(self.feature.scalar, self.data[row])
        if self.data[row] == UNSEEN:
            return "(unseen)"
        return self.feature.categories[self.data[row]]


def column_of(name: str, values: Any) -> Column:
    """Return the column that the values make, its kind inferred from their types.

    Integers beside floats make numbers, and so do integers beyond 64 bits.

    Raises:
        ColumnError: the values mix kinds or are of no known kind; three cells are shown.
    """
    if isinstance(values, np.ma.MaskedArray):
        values = values.tolist()
    if isinstance(values, np.ndarray) and values.dtype.kind in "fiub":
        return _of_array(name, values)
    if isinstance(values, np.ndarray) and values.ndim != 1:
        raise ColumnError(name, f"an array of {values.ndim} dimensions", "give one dimension")
    cells = [plain(value) for value in values]
    scalar = _scalar_of_all(name, cells)
    if scalar != "text":
        return of_values(Feature(name, kind_of_scalar(scalar), (), scalar), cells)
    cells = [text(cell, name) for cell in cells]
    return of_values(Feature(name, Kind.CATEGORY, sorted({cell for cell in cells if cell is not None})), cells)


def text_column(name: str, values: Sequence[Any], missing: Any) -> Column:
    """Return the column of texts, of which some are missing."""
    categories = sorted({value for value, is_missing in zip(values, missing.tolist(), strict=True) if not is_missing})
    places = {category: place for place, category in enumerate(categories)}
    codes = np.fromiter((places.get(value, MISSING) for value in values), dtype=np.int32, count=len(values))
    return Column(Feature(name, Kind.CATEGORY, categories), codes, missing)


def _of_array(name: str, values: Any) -> Column:
    if values.ndim != 1:
        raise ColumnError(name, f"an array of {values.ndim} dimensions", "give one dimension")
    known = np.zeros(len(values), dtype=bool)
    if values.dtype.kind == "b":
        return Column(Feature(name, Kind.BOOLEAN), values.astype(np.int32), known)
    if values.dtype.kind == "f" or (values.dtype.kind == "u" and np.any(values > 2**63 - 1)):
        floats = values.astype(np.float64, copy=False)
        if np.any((floats == 0.0) & np.signbit(floats)):
            floats = floats + 0.0  # -0.0 is 0.0
        return Column(Feature(name, Kind.NUMBER), floats, np.isnan(floats))
    return Column(Feature(name, Kind.INTEGER), values.astype(np.int64, copy=False), known)


def _scalar_of_all(name: str, cells: Sequence[Any]) -> str:
    first: dict[str, Any] = {}  # one example of each scalar met
    for cell in cells:
        if cell is not None:
            first.setdefault(_scalar_of(name, cell), cell)
    if set(first) == {"integer", "number"}:
        first.pop("integer")
    if len(first) > 1:
        kinds = " and ".join(_WORDS[scalar] for scalar in first)
        examples = _examples(cells, list(first.values()))
        raise ColumnError(name, f"mixes {kinds}", "make every cell of one kind", examples)
    scalar = next(iter(first), "text")
    fits = scalar != "integer" or all(cell is None or -(2**63) <= cell < 2**63 for cell in cells)
    return scalar if fits else "number"


def _scalar_of(name: str, cell: Any) -> str:
    for kind, scalar in _TYPES:
        if isinstance(cell, kind):
            return "timestamp_utc" if isinstance(cell, datetime) and cell.utcoffset() is not None else scalar
    raise ColumnError(
        name, f"holds values of type {type(cell).__name__}", "give numbers, text, booleans or dates", [cell]
    )


def _examples(cells: Iterable[Any], first: list[Any]) -> list[Any]:
    """Return three cells that show the mixture: one of each kind, then any other."""
    others = [cell for cell in cells if cell is not None and not any(cell is shown for shown in first)]
    return [*first, *others][:3]


def of_values(feature: Feature, values: Iterable[Any]) -> Column:
    """Return a column of the given feature; values outside its categories become unseen.

    Raises:
        CellError: a value is of the wrong kind.
    """
    cells = [feature.converted(value) for value in values]
    missing = np.fromiter((cell is None for cell in cells), dtype=bool, count=len(cells))
    if feature.is_ordered:
        dtype: Any = np.float64 if feature.kind is Kind.NUMBER else np.int64
        hole = float("nan") if feature.kind is Kind.NUMBER else 0
        places = [hole if cell is None else ordinate(cell) for cell in cells]
    else:
        dtype = np.int32
        places = [MISSING if cell is None else feature.positions.get(cell, UNSEEN) for cell in cells]
    return Column(feature, np.array(places, dtype=dtype), missing)


def taken(column: Column, rows: Any) -> Column:
    """Return the column with some rows alone, given by their numbers; None is all."""
    return column if rows is None else Column(column.feature, column.data[rows], column.missing[rows], column.fetched)


def known_alone(column: Column) -> Column:
    """Return the column with unseen values made missing."""
    if column.feature.is_ordered or not np.any(column.data == UNSEEN):
        return column
    unseen = column.data == UNSEEN
    return Column(column.feature, np.where(unseen, MISSING, column.data), column.missing | unseen, column.fetched)


def as_category(column: Column) -> Column:
    """Return the column with its distinct values as categories, which keep their type: 0 is not "0"."""
    feature = column.feature
    if feature.kind is Kind.CATEGORY:
        return column
    if feature.is_ordered:
        places, codes = np.unique(column.data[~column.missing], return_inverse=True)
        values: Sequence[Any] = [at_ordinate(feature.scalar, place) for place in places.tolist()]
    else:
        held = sorted(set(column.data[~column.missing].tolist()), key=lambda code: feature.categories[code])
        values = [feature.categories[code] for code in held]
        order = np.zeros(len(feature.categories), dtype=np.int32)
        order[held] = np.arange(len(held))
        codes = order[column.data[~column.missing]]
    data = np.full(len(column.data), MISSING, dtype=np.int32)
    data[~column.missing] = codes
    return Column(
        Feature(feature.name, Kind.CATEGORY, tuple(values), feature.scalar, feature.form), data, column.missing
    )


def as_declared(column: Column, kind: Kind, levels: Sequence[str] = ()) -> Column:
    """Return the column with a kind that the user declared.

    Anything can be a category; an ordinal's levels must name every value; integers can be numbers and whole numbers
    integers; a column without any value can be anything.

    Raises:
        ColumnError: its values do not allow that.
    """
    feature = column.feature
    if kind is Kind.ORDINAL:
        return _as_ordinal(as_category(column), levels)
    if kind is Kind.CATEGORY:
        return as_category(column)
    if kind is feature.kind:
        return column
    if column.missing.all():
        return of_values(Feature(feature.name, kind), [None] * len(column.data))
    if kind is Kind.NUMBER and feature.kind is Kind.INTEGER:
        return Column(Feature(feature.name, kind), np.where(column.missing, np.nan, column.data), column.missing)
    if kind is Kind.INTEGER and feature.kind is Kind.NUMBER:
        return _as_integer(column)
    raise ColumnError(
        feature.name,
        f"holds {feature.kind} values, not {kind}",
        "declare it category" if feature.kind is not Kind.CATEGORY else "mend these cells",
        [column.value(row) for row in np.flatnonzero(~column.missing)[:3]],
    )


def _as_integer(column: Column) -> Column:
    known = np.where(column.missing, 0.0, column.data)
    wrong = ~((np.floor(known) == known) & (known >= -(2.0**63)) & (known < 2.0**63))
    if wrong.any():
        raise ColumnError(
            column.feature.name,
            "holds numbers that are no 64-bit integers",
            "declare it number",
            column.data[wrong][:3].tolist(),
        )
    return Column(Feature(column.feature.name, Kind.INTEGER), known.astype(np.int64), column.missing)


def _as_ordinal(column: Column, levels: Sequence[str]) -> Column:
    feature = column.feature
    by_text = {spelled(category, feature.form): category for category in feature.categories}
    strange = [category for text, category in by_text.items() if text not in levels]
    if strange or len(set(levels)) != len(levels) or not levels:
        raise ColumnError(
            feature.name,
            f"the declared order {'<'.join(levels)!r} does not name each of its values once",
            "declare every level, as in size=ordinal:S<M<L",
            strange,
        )
    read = {"integer": int, "number": float, "text": str, "date": date.fromisoformat}.get(feature.scalar)
    order = tuple(by_text[level] if level in by_text else _level(feature, level, read) for level in levels)
    codes = np.array([order.index(category) for category in feature.categories] + [MISSING], dtype=np.int32)
    return Column(
        Feature(feature.name, Kind.ORDINAL, order, feature.scalar, feature.form), codes[column.data], column.missing
    )


def _level(feature: Feature, level: str, read: Any) -> Any:
    """Return a level that no row has, as a value of the column's type."""
    try:
        return read(level)
    except (TypeError, ValueError):
        raise ColumnError(
            feature.name, f"the level {level!r} is no {feature.scalar}", "spell levels as the column spells its values"
        ) from None


def aligned(feature: Feature, column: Column) -> Column:
    """Return the column as another schema's feature sees it: its kind, its categories, anything else unseen.

    Raises:
        ColumnError: the kinds do not allow that.
    """
    if column.feature == feature:
        return column
    if column.missing.all():
        return of_values(feature, [None] * len(column.data))
    if feature.is_open:
        column = as_category(column)
        if column.feature.scalar != feature.scalar:
            column = _rescaled(feature, column)
        codes = [feature.positions.get(category, UNSEEN) for category in column.feature.categories]
        return Column(feature, np.array([*codes, MISSING], dtype=np.int32)[column.data], column.missing)
    if column.feature.scalar != feature.scalar and column.feature.kind is feature.kind:
        raise ColumnError(feature.name, "holds timestamps of another kind", "give all with a zone, or all without")
    column = as_declared(column, feature.kind)
    return Column(feature, column.data, column.missing)


def _rescaled(feature: Feature, column: Column) -> Column:
    """Return a category column whose values are integers as one of numbers, or the reverse; others are refused."""
    scalars = {"integer": Kind.INTEGER, "number": Kind.NUMBER}
    if {feature.scalar, column.feature.scalar} != set(scalars):
        raise ColumnError(
            feature.name,
            f"holds {column.feature.scalar} values, the model knows it as {feature.scalar}",
            "convert the column first",
            column.feature.categories[:3],
        )
    cells = [column.value(row) for row in range(len(column.data))]
    return as_category(as_declared(column_of(feature.name, cells), scalars[feature.scalar]))
