"""Columns from which nothing can be learned about other rows: constants, row numbers, identifiers, free text.

Each kind of such columns is a record of `UNUSABLE`. A record looks at the shape of a column, never at the target nor at
the order of the rows. All but the first ones need `FEWEST_ROWS`: a small table says too little about its columns.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from attrs import field, frozen

from treerules._internal.notes import Note
from treerules.data.column import Column
from treerules.data.schema import Kind
from treerules.data.sorting import distinct_values, sorted_rows
from treerules.growing.column_names import is_identifier_name, is_measurement_name, is_number_name, is_rank_name
from treerules.growing.text_shapes import holds_texts_of_shape, is_free_text

#: A column of fewer known values is left out only if it is constant, different in every row, or consecutive.
FEWEST_ROWS = 20
#: Whether a column is constant is tested on this many rows before it is tested on all.
_FIRST_ROWS = 1000
#: Values between these bounds may be years: consecutive ones are a time series, not row numbers.
_YEARS = (1700, 2100)
#: Where more pairs of equal integers are expected by chance, and there is none, the integers are no measurements: the
#: probability is one in a million.
_LEAST_EXPECTED = 14.0


@frozen(eq=False)
class ColumnShape:
    """The figures of a column that the records of `UNUSABLE` ask for."""

    column: Column

    @cached_property
    def known(self) -> Any:
        """The cells that are not missing."""
        return self.column.data[~self.column.missing] if self.column.n_missing else self.column.data

    @cached_property
    def n(self) -> int:
        """The number of known cells."""
        return len(self.known)

    @cached_property
    def n_distinct(self) -> int:
        """The number of distinct known values."""
        if not self.column.feature.is_ordered:
            return int(np.count_nonzero(np.bincount(self.known, minlength=1))) if self.n else 0
        return len(self.integers) if self.integers is not None else sorted_rows(self.known).n_values

    @property
    def is_text(self) -> bool:
        """Whether the column holds text."""
        return self.column.feature.kind is Kind.CATEGORY and self.column.feature.scalar == "text"

    @cached_property
    def integers(self) -> Any:
        """The distinct known values in ascending order, if all are integers; None otherwise."""
        kind = self.column.feature.kind
        if kind not in (Kind.INTEGER, Kind.NUMBER) or not self.n:
            return None
        for cells in (self.known[:_FIRST_ROWS], self.known) if kind is Kind.NUMBER else ():
            if not (np.isfinite(cells) & (np.abs(cells) < 2.0**53) & (np.floor(cells) == cells)).all():
                return None
        return distinct_values(self.known.astype(np.int64))[0]


@frozen
class UnusableColumn:
    """A kind of columns that are left out: its name, the reason in words, and the function that recognises it."""

    name: str
    reason: str
    holds: Callable[[ColumnShape], bool] = field(repr=False)


# ---- constant, and different in every row


def is_constant(shape: ColumnShape) -> bool:
    """Return whether all cells are equal, or all missing; known and missing cells together are no constant."""
    data, n_missing = shape.column.data, shape.column.n_missing
    if n_missing or not len(data):
        return n_missing == len(data)
    return (
        shape.column.fetched
        and data[0] == data[-1]
        and bool((data[:_FIRST_ROWS] == data[0]).all())
        and bool((data == data[0]).all())
    )


def is_unique_text(shape: ColumnShape) -> bool:
    """Return whether each row has a text of its own."""
    if not shape.column.fetched:
        return True
    is_possible = shape.is_text and not shape.column.n_missing and len(shape.column.feature.categories) >= shape.n
    return is_possible and shape.n_distinct == shape.n


def is_consecutive(shape: ColumnShape) -> bool:
    """Return whether the integers are consecutive, in any order; ranks and years are not row numbers."""
    data, n = shape.column.data, shape.n
    if shape.column.feature.kind is not Kind.INTEGER or shape.column.n_missing or n < 2:
        return False
    low, high = int(data.min()), int(data.max())
    name, is_year = shape.column.feature.name, low >= _YEARS[0] and high <= _YEARS[1]
    is_measured = is_rank_name(name) or (is_year and is_measurement_name(name))
    return high - low == n - 1 and not is_measured and shape.n_distinct == n


# ---- integers


def is_row_number(shape: ColumnShape) -> bool:
    """Return whether integers that are all different were given out one by one, with gaps or in a sample.

    Independent measurements within the same bounds would be equal at times: of n values from `span` there are about
    n (n - 1) / (2 span) pairs of equal ones, more if some values are frequent, and none with the probability
    exp(-that).
    """
    integers = shape.integers
    if integers is None or shape.n < FEWEST_ROWS or len(integers) < shape.n or _are_dates(integers):
        return False
    span = int(integers[-1]) - int(integers[0]) + 1
    is_dense, n_expected = shape.n * 100 >= span, shape.n * (shape.n - 1) / 2 / span
    return is_dense and n_expected > _LEAST_EXPECTED and not is_measurement_name(shape.column.feature.name)


def _are_dates(integers: Any) -> bool:
    """Return whether integers are years, months (202403) or days (20240321) of the calendar."""
    low, high = int(integers[0]), int(integers[-1])
    first, last = _YEARS
    if first <= low and high <= last:
        return True
    if first * 100 <= low and high <= last * 100 + 99:
        return bool(((integers % 100 >= 1) & (integers % 100 <= 12)).all())
    months, days = integers // 100 % 100, integers % 100
    are_days = (months >= 1) & (months <= 12) & (days >= 1) & (days <= 31)
    return first * 10_000 <= low and high <= last * 10_000 + 9_999 and bool(are_days.all())


# ---- identifiers


def is_identifier(shape: ColumnShape) -> bool:
    """Return whether a column is named as an identifier, and has five rows or fewer for each value.

    A name such as `number` or `code` says less than `id`: then the values must be as many as half the rows, and texts
    must hold digits, integers must be spread evenly.
    """
    name, is_possible = shape.column.feature.name, shape.is_text or shape.integers is not None
    if not is_possible or shape.n < FEWEST_ROWS or shape.n_distinct < FEWEST_ROWS:
        return False
    if is_identifier_name(name):
        return shape.n_distinct * 5 >= shape.n
    if not is_number_name(name) or shape.n_distinct * 2 < shape.n:
        return False
    return _are_codes(shape) if shape.is_text else _is_spread_evenly(shape.integers)


def _are_codes(shape: ColumnShape) -> bool:
    categories = shape.column.feature.categories
    return sum(any(map(str.isdigit, text)) for text in categories) * 10 >= 9 * len(categories)


def _is_spread_evenly(integers: Any) -> bool:
    """Return whether the distribution function of integers is within a tenth of a straight line."""
    span = float(integers[-1]) - float(integers[0])
    shares = (integers - integers[0]) / span
    return bool(np.abs(shares - np.linspace(0, 1, len(shares))).max() < 0.1)


# ---- texts


def _of_shape(name: str) -> Callable[[ColumnShape], bool]:
    def holds(shape: ColumnShape) -> bool:
        return _has_many_texts(shape) and holds_texts_of_shape(name, shape.column.feature.categories)

    return holds


def _has_many_texts(shape: ColumnShape) -> bool:
    """Return whether there are texts, with ten rows or fewer for each."""
    return shape.is_text and shape.n_distinct >= FEWEST_ROWS and shape.n_distinct * 10 >= shape.n


def is_long_text(shape: ColumnShape) -> bool:
    """Return whether a column holds sentences or whole articles, with two rows or fewer for each."""
    return _has_many_texts(shape) and shape.n_distinct * 2 >= shape.n and is_free_text(shape.column.feature.categories)


def is_nearly_unique_text(shape: ColumnShape) -> bool:
    """Return whether there are seven texts or more for ten rows.

    A column with many missing cells is kept: whether there is a text may say something.
    """
    has_most_cells = shape.column.n_missing * 10 <= len(shape.column.data)
    return shape.is_text and shape.n >= FEWEST_ROWS and has_most_cells and shape.n_distinct * 10 >= shape.n * 7


#: The kinds of columns that are left out; the first that recognises a column gives the reason.
UNUSABLE = (
    UnusableColumn("constant", "the same in every row", is_constant),
    UnusableColumn("unique text", "text, different in every row", is_unique_text),
    UnusableColumn("consecutive", "consecutive integers, a row number", is_consecutive),
    UnusableColumn("row number", "integers, different in every row and in a narrow range, a row number", is_row_number),
    UnusableColumn("identifier", "an identifier by its name, with few rows for each value", is_identifier),
    UnusableColumn("e-mail", "e-mail addresses, with few rows for each", _of_shape("e-mail")),
    UnusableColumn("url", "addresses of web pages, with few rows for each", _of_shape("url")),
    UnusableColumn("hash", "hashes or UUIDs, with few rows for each", _of_shape("hash")),
    UnusableColumn("phone", "telephone numbers, with few rows for each", _of_shape("phone")),
    UnusableColumn("free text", "long texts, with few rows for each", is_long_text),
    UnusableColumn("nearly unique text", "text, different in nearly every row", is_nearly_unique_text),
)


def unusable_reason(column: Column) -> Note | None:
    """Return why nothing can be learned from a column about other rows; None where something can."""
    shape = ColumnShape(column)
    return next((Note(kind.name, kind.reason) for kind in UNUSABLE if kind.holds(shape)), None)
