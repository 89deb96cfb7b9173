"""Conversion of columns to other kinds: those that the user declares, or those of a model."""

from collections.abc import Sequence
from datetime import date
from typing import Any

import numpy as np
from attrs import evolve

from treerules.data.cell_reading import AS_USUAL
from treerules.data.column import Column, check_fetched, column_of, of_values
from treerules.data.find_number_form import NO_MARKS
from treerules.data.read_columns import read_column
from treerules.data.schema import FIRST_DAY, MISSING, UNSEEN, Feature, Kind, at_ordinate, ordinate
from treerules.data.sorting import distinct_values
from treerules.data.text_forms import form_of_declared, parsed_text
from treerules.data.value_format import value_text
from treerules.errors import ColumnError

#: A day in microseconds.
_DAY = 86_400_000_000
#: The functions of pandas that convert text to a kind.
_OF_PANDAS = {
    Kind.NUMBER: "to_numeric",
    Kind.INTEGER: "to_numeric",
    Kind.DATE: "to_datetime",
    Kind.TIMESTAMP: "to_datetime",
}


def as_category(column: Column) -> Column:
    """Return the column with its distinct values as categories, which keep their type: 0 is not "0"."""
    if column.feature.kind is Kind.CATEGORY:
        return column
    is_known = ~column.missing
    feature, codes = labels(column.feature, column.data[is_known])
    data = np.full(len(column.data), MISSING, dtype=np.int32)
    data[is_known] = codes
    return Column(feature, data, column.missing)


def labels(feature: Feature, data: Any) -> tuple[Feature, Any]:
    """Return the category feature of the values that occur, and the code of each cell (int64).

    `data` are known cells of a column of that feature.
    """
    present, codes = distinct_values(data)
    if feature.is_ordered:
        values = [at_ordinate(feature.scalar, position) for position in present.tolist()]
    elif feature.kind is Kind.CATEGORY and len(present) == len(feature.categories):
        return feature, codes
    else:
        values = [feature.categories[code] for code in present.tolist()]
        if feature.kind is Kind.ORDINAL:  # a category's values are sorted
            order = sorted(range(len(values)), key=values.__getitem__)
            values, codes = [values[position] for position in order], np.argsort(order).take(codes)
    return Feature(feature.name, Kind.CATEGORY, values, feature.scalar, feature.form, feature.reading), codes


def as_declared(column: Column, kind: Kind, levels: Sequence[str] = (), form: str = "") -> Column:
    """Return the column with a kind that the user declared, as `_as_declared` does; it keeps its reading."""
    reading = column.feature.reading
    declared = _as_declared(column, kind, levels, form)
    return declared if reading == AS_USUAL else evolve(declared, feature=evolve(declared.feature, reading=reading))


def _as_declared(column: Column, kind: Kind, levels: Sequence[str], form: str) -> Column:
    """Return the column with a kind that the user declared.

    Anything can be a category; an ordinal's levels must name every value; integers can be numbers and whole numbers
    integers; dates can be timestamps, at midnight; a column without any value can be anything; text that spells
    numbers, dates or timestamps can be these, in the declared form or in one that leaves one reading.

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
    if column.n_missing == len(column.data):
        return of_values(Feature(feature.name, kind), [None] * len(column.data))
    if (feature.kind, kind) in _CONVERSIONS:
        return _CONVERSIONS[feature.kind, kind](column)
    parsed = _of_text(column, kind, form) if feature.kind is Kind.CATEGORY and feature.scalar == "text" else None
    if parsed is not None:
        return parsed
    raise _wrong_kind(column, kind)


def _wrong_kind(column: Column, kind: Kind) -> ColumnError:
    """Return the error for a column whose values are not of a kind."""
    feature = column.feature
    remedy = "correct these cells" if feature.kind is Kind.CATEGORY else "declare it category"
    if feature.scalar == "text" and kind in _OF_PANDAS:
        remedy = f"{remedy}, or convert the column, as pandas.{_OF_PANDAS[kind]}(column, errors='coerce') does"
    return ColumnError(
        feature.name,
        f"holds {feature.kind} values, not {kind}",
        remedy,
        [column.value(row) for row in np.flatnonzero(~column.missing)[:3]],
    )


def _at_midnight(column: Column) -> Column:
    """Return a column of dates as timestamps without zone."""
    data = (column.data - FIRST_DAY) * _DAY
    return Column(Feature(column.feature.name, Kind.TIMESTAMP), np.where(column.missing, 0, data), column.missing)


def _of_text(column: Column, kind: Kind, form: str) -> Column | None:
    """Return a column of text as numbers or moments; None if some cell is none."""
    name, cells = column.feature.name, column.feature.categories
    if kind not in (Kind.NUMBER, Kind.INTEGER, Kind.DATE, Kind.TIMESTAMP):
        return None
    form = form or form_of_declared(name, str(kind), cells, NO_MARKS)
    values = [parsed_text(cell, str(kind), form) for cell in cells]
    if any(value is None for value in values):
        return None
    feature = Feature(name, kind, form=form)
    dtype, hole = ("float64", np.nan) if kind is Kind.NUMBER else ("int64", 0)
    data = np.array([*map(ordinate, values), hole], dtype=dtype)
    return Column(feature, data[column.data], column.missing)


def _as_number(column: Column) -> Column:
    values = np.where(column.missing, np.nan, column.data)
    return Column(Feature(column.feature.name, Kind.NUMBER), values, column.missing)


def _truth_as_number(column: Column) -> Column:
    """Return a column of truth values as numbers, false as 0 and true as 1, as numpy and other libraries read them."""
    numbers = np.array([float(value) for value in column.feature.categories] + [np.nan])[column.data]
    return Column(Feature(column.feature.name, Kind.NUMBER), numbers, column.missing)


def _as_integer(column: Column) -> Column:
    values = np.where(column.missing, 0.0, column.data)
    wrong = ~((np.floor(values) == values) & (values >= -(2.0**63)) & (values < 2.0**63))
    if wrong.any():
        raise ColumnError(
            column.feature.name,
            "holds numbers that are not 64-bit integers",
            "declare it number",
            column.data[wrong][:3].tolist(),
        )
    return Column(Feature(column.feature.name, Kind.INTEGER), values.astype(np.int64), column.missing)


#: How a column of one kind becomes one of another kind.
_CONVERSIONS = {
    (Kind.INTEGER, Kind.NUMBER): _as_number,
    (Kind.NUMBER, Kind.INTEGER): _as_integer,
    (Kind.DATE, Kind.TIMESTAMP): _at_midnight,
}


def _as_ordinal(column: Column, levels: Sequence[str]) -> Column:
    feature = column.feature
    by_text = {value_text(category, feature.form): category for category in feature.categories}
    unknown = [category for text, category in by_text.items() if text not in levels]
    if unknown or len(set(levels)) != len(levels) or not levels:
        raise ColumnError(
            feature.name,
            f"has the declared order {'<'.join(levels)!r}, which does not name each of its values once",
            "declare every level, as in size=ordinal:S<M<L",
            unknown,
        )
    parse = {"integer": int, "number": float, "text": str, "date": date.fromisoformat}.get(feature.scalar)
    order = tuple(by_text[level] if level in by_text else _level(feature, level, parse) for level in levels)
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
            feature.name,
            f"has the level {level!r}, which is not of type {feature.scalar}",
            "spell levels as the column spells its values",
        ) from None


def _is_whole(number: float) -> bool:
    return number == number // 1 and -(2.0**63) <= number < 2.0**63


def align_column(feature: Feature, column: Column) -> Column:
    """Return the column with the kind and categories of a feature; other values become unseen.

    Truth values are the numbers 0 and 1 where the feature is a number.

    Raises:
        ColumnError: the kinds do not allow that, or the text of the column was left in its file.
    """
    check_fetched(column)
    column = read_column(column, feature.reading, feature)
    if column.feature == feature:
        return column
    if column.n_missing == len(column.data):
        return of_values(feature, [None] * len(column.data))
    if feature.is_open:
        column = as_category(column)
        if column.feature.scalar != feature.scalar:
            column = _convert_scalar(feature, column)
        codes = [feature.positions.get(category, UNSEEN) for category in column.feature.categories]
        return Column(feature, np.array([*codes, MISSING], dtype=np.int32)[column.data], column.missing)
    if column.feature.scalar != feature.scalar and column.feature.kind is feature.kind:
        raise ColumnError(feature.name, "holds timestamps of another kind", "give all with a zone, or all without")
    if column.feature.kind is Kind.DATE and feature.scalar == "timestamp_utc":  # a midnight of no zone
        raise _wrong_kind(column, feature.kind)
    if column.feature.scalar == "text" and feature.is_ordered and not feature.form:  # text is no number, unless so read
        raise _wrong_kind(column, feature.kind)
    align = _ALIGNMENTS.get((column.feature.kind, feature.kind))
    column = as_declared(column, feature.kind, form=feature.form) if align is None else align(column)
    return Column(feature, column.data, column.missing)


def n_decimals(feature: Feature, column: Column) -> int:
    """Return the number of cells that are no whole numbers, in a column that a model knows as integers."""
    if feature.scalar != "integer" or column.feature.kind is not Kind.NUMBER:
        return 0
    return int(np.count_nonzero(~column.missing & (np.floor(column.data) != column.data)))


def _as_compared(column: Column) -> Column:
    """Return a column of numbers as integers that compare with every integer as the numbers do, exactly.

    2.5 <= n is true of the integers n for which 3 <= n is, so each decimal is the next integer above it.
    """
    return _as_integer(Column(column.feature, np.ceil(column.data), column.missing))


#: How a column of one kind becomes one of another kind that a model knows, where a declared one would be refused.
_ALIGNMENTS = {
    (Kind.NUMBER, Kind.INTEGER): _as_compared,
    (Kind.BOOLEAN, Kind.NUMBER): _truth_as_number,
}


def _convert_scalar(feature: Feature, column: Column) -> Column:
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
    if feature.scalar == "integer":  # a decimal is none of the categories; an integer that is none stands for it
        spare = next(n for n in range(2**53 - 1, 0, -1) if n not in feature.positions)
        cells = [spare if cell is not None and not _is_whole(cell) else cell for cell in cells]
    return as_category(as_declared(column_of(feature.name, cells), scalars[feature.scalar]))
