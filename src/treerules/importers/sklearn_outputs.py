"""What the steps of a fitted pipeline of scikit-learn make of values: the steps are asked, as a caller would ask them.

A sparse table does not store its zeros. Most models take such a cell for 0; XGBoost takes it for a missing value, and
a 0 that is stored for 0. So the cells that are not stored are told apart.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple
from warnings import catch_warnings, simplefilter

import narwhals as nw
import numpy as np
from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.short_repr import short_repr
from treerules.data.schema import Feature
from treerules.errors import MissingExtraError, OptionError
from treerules.importers.importer import Dtype

#: What a model takes a cell for that a sparse table does not store: 0, or a missing value.
Unstored = Literal["zero", "missing"]


class Cells(NamedTuple):
    """What steps make of rows; shape (rows, columns of the model)."""

    #: float64; 0 in the cells that a sparse table does not store
    numbers: Any
    #: whether the model takes a cell for missing because it is not stored
    is_unstored: Any

    @property
    def seen(self) -> Any:
        """The doubles as the model takes them: NaN where a value is missing."""
        return np.where(self.is_unstored, np.nan, self.numbers)

    @property
    def ranks(self) -> Any:
        """0.0 for the cells that are not stored, -1.0 for numbers below them, 1.0 for those above.

        A 0 that is stored was made of a number too small for float64, whose sign it has.
        """
        return np.where(self.is_unstored, 0.0, np.copysign(1.0, self.numbers))


@short_repr
@frozen(eq=False)
class StepOutputs:
    """The steps before a model, and the values of their columns that may be asked about.

    Args:
        steps: the fitted transformers.
        names: the names of the input columns.
        frame_names: the names of the columns of the data frame that the steps were fitted with and take; None where
            they were fitted with an array.
        dtype: the type of columns of numbers.
        by_column: the feature of each input column that a step or the model reads, by the position of the column.
        missing: the missing value as the steps of those columns know it, None or NaN.
        n_outputs: the number of columns that the steps make.
        unstored: what the model takes a cell for that is not stored.
    """

    steps: tuple[Any, ...] = field(converter=as_tuple)
    names: tuple[str, ...] = field(converter=as_tuple)
    frame_names: tuple[str, ...] | None
    dtype: Dtype
    by_column: Mapping[int, Feature]
    missing: Mapping[int, Any]
    n_outputs: int
    unstored: Unstored = "zero"

    def cells(self, values: Mapping[int, Sequence[Any]], n_rows: int) -> Cells:
        """Return what the steps make of rows, given values of some columns.

        Columns that are not in `values` hold the same ordinary value in each row.

        Raises:
            OptionError: the steps refuse a value.
        """
        if not n_rows:  # steps refuse a table without rows
            return _dense(np.empty((0, self.n_outputs)))
        columns = [
            self._column(position, values[position] if position in values else [self._ordinary(position)] * n_rows)
            for position in range(len(self.names))
        ]
        made = self._transformed(columns)
        return _of_sparse(made, self.unstored) if hasattr(made, "tocoo") else _dense(made)

    @property
    def table_format(self) -> str:
        """What the steps make: "dense", or the format of a sparse table, "csr" or "csc"."""
        made = self._transformed([self._column(place, [self._ordinary(place)]) for place in range(len(self.names))])
        return made.format if hasattr(made, "tocoo") else "dense"

    def _transformed(self, columns: Sequence[Any]) -> Any:
        """Return what the steps make of columns: an array of float64, or a sparse table."""
        with np.errstate(all="ignore"), catch_warnings():
            simplefilter("ignore")  # encoders warn of unknown categories, which are asked about on purpose
            table: Any = _array(columns) if self.frame_names is None else self._frame(columns)
            try:
                for step in self.steps:
                    table = step.transform(table)
                return table if hasattr(table, "tocoo") else np.asarray(table).astype(np.float64)
            except (ValueError, TypeError) as error:
                raise OptionError("fitted", "a pipeline", f"one whose {_TAKEN}; here they say: {error}") from error

    def alone(self, values: Mapping[int, Any]) -> dict[int, Any]:
        """Return what the model sees of a value of each column, the others being ordinary; None if the steps refuse it.

        Args:
            values: a value by the position of its column.

        Returns:
            A row by the same position: float64, shape (columns of the model,), NaN where a value is missing.
        """
        found = dict[int, Any]()
        for column, value in values.items():
            try:
                found[column] = self.cells({column: [value]}, 1).seen[0]
            except OptionError:
                found[column] = None
        return found

    def _column(self, column: int, values: Sequence[Any]) -> Any:
        """Return values of a column as an array, as a data frame of the caller would hold them."""
        feature = self.by_column.get(column)
        if feature is not None and feature.scalar in ("text", "boolean"):
            is_whole = feature.scalar == "boolean" and {bool}.issuperset(map(type, values))
            return np.array(values, dtype=bool if is_whole else object)
        if {type(value) for value in values} <= {float}:
            with np.errstate(over="ignore"):
                return np.array(values, dtype=self.dtype)
        return np.array(values) if None not in values else np.array(values, dtype=object)

    def _frame(self, columns: Iterable[Any]) -> Any:
        assert self.frame_names is not None
        data = dict(zip(self.frame_names, columns, strict=True))
        try:
            return nw.from_dict(data, backend="pandas").to_native()
        except ImportError as error:
            raise MissingExtraError("pandas", "sklearn") from error

    def _ordinary(self, column: int) -> Any:
        feature = self.by_column.get(column)
        if feature is None or feature.is_ordered:
            return 0.0
        return feature.categories[0] if feature.categories else self.missing[column]


def _array(columns: Sequence[Any]) -> Any:
    if any(column.dtype == object for column in columns):
        return np.array([column.astype(object) for column in columns], dtype=object).T
    return np.array(columns).T


def _dense(numbers: Any) -> Cells:
    return Cells(numbers, np.zeros(numbers.shape, dtype=bool))


def _of_sparse(table: Any, unstored: Unstored) -> Cells:
    """Return the cells of a sparse table; a cell that it does not store may be missing."""
    cells, stored = _dense(np.zeros(table.shape)), table.tocoo()
    cells.numbers[stored.row, stored.col] = stored.data  # toarray() would make -0.0 of them 0.0
    if unstored == "missing":
        cells.is_unstored[:] = True
        cells.is_unstored[stored.row, stored.col] = False
    return cells


_TAKEN = "steps take numbers and the categories that they know"
