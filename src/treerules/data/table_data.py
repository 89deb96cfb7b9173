"""What public functions take as a table: a Table, a data frame, a list of dicts, a dict of columns or a 2-D array."""

from collections.abc import Mapping, Sequence, Set
from typing import Any, TypeAlias

import numpy as np
from attrs import frozen

from treerules._internal.arguments import require_names, require_type
from treerules._internal.notes import or_none, with_arguments
from treerules._internal.short_repr import short_repr
from treerules.data.frame_kind import FrameKind, kind_of_frame
from treerules.data.frames import columns_of_frame, is_frame, open_frame
from treerules.data.table import Table, Types, with_types
from treerules.errors import OptionError

#: A Table, a data frame (pandas, polars, Arrow, ...), a list of dicts, a dict of columns, or a 2-D array with names for
#: its columns. Frames have no common type.
TableLike: TypeAlias = Any

_ACCEPTED = "a Table, a data frame, a list of dicts, a dict of columns, or a 2-D array with columns="


@short_repr
@frozen(eq=False)
class TableData:
    """The table that a caller passed, and the kind of data frame that the answers have."""

    table: Table
    #: None where the caller passed no data frame: the answers are arrays
    kind: FrameKind | None = None

    def series(self, name: str, values: Any) -> Any:
        """Return an array as a series of the caller's library; unchanged where the caller passed no data frame."""
        return values if self.kind is None else self.kind.series(name, values)


def table_data(
    data: TableLike, *, columns: Any = None, types: Types | None = None, argument: str = "table"
) -> TableData:
    """Return the table of what a caller passed, with the kind of data frame that it was.

    Args:
        data: a Table, a data frame, a list of dicts, a dict of columns, or a 2-D array.
        columns: the names of the columns of a 2-D array; None for everything else, which has names of its own.
        types: the kinds of columns by name, or None.
        argument: the name of the argument, for errors.

    Raises:
        OptionError: the data is none of these, or `columns` are missing or superfluous.
        ColumnError, DataError, UnknownNameError: as the constructors of Table do.
    """
    wanted = or_none('a mapping from columns to kinds, such as {"zip": "category"}')
    require_type("types", types, Mapping | None, wanted)
    if is_2d_array(data):
        return TableData(Table.from_columns(_columns_of_array(data, columns, argument), types=types))
    if columns is not None:
        raise OptionError("columns", columns, f"None: {argument} is no 2-D array, and names its columns itself")
    if isinstance(data, Table):
        return TableData(with_types(data, types) if types else data)
    if isinstance(data, Mapping) and is_columns(data):
        return TableData(Table.from_columns(data, types=types))
    if _is_rows(data):
        return TableData(Table.from_rows(data, types=types))
    if isinstance(data, (str, bytes, Mapping, Sequence, Set)) or not is_frame(data):
        raise OptionError(argument, data, _ACCEPTED)
    frame = open_frame(data, argument)
    return TableData(with_types(Table(columns_of_frame(frame, types)), types or {}), kind_of_frame(frame))


def table_of(data: TableLike, *, columns: Any = None, types: Types | None = None, argument: str = "table") -> Table:
    """Return the table of what a caller passed: that of `table_data`."""
    return table_data(data, columns=columns, types=types, argument=argument).table


def is_columns(data: Mapping[Any, Any]) -> bool:
    """Return whether a mapping holds columns (sequences of values by name), and not one row, which has no sequence."""
    return any(map(_is_sequence, data.values()))


def _is_sequence(values: Any) -> bool:
    is_sized = hasattr(values, "__len__") and getattr(values, "ndim", 1) > 0
    return is_sized and not isinstance(values, (str, bytes, Mapping, Set))


def is_2d_array(data: Any) -> bool:
    """Return whether data is a numpy array of rows and columns."""
    return isinstance(data, np.ndarray) and data.ndim == 2


def _is_rows(data: Any) -> bool:
    is_sequence = isinstance(data, Sequence) and not isinstance(data, (str, bytes))
    return is_sequence and all(isinstance(row, Mapping) for row in data)


_WITH_NAMES = with_arguments("it with {columns}, the names of its columns", "columns")


def _columns_of_array(data: Any, columns: Any, argument: str) -> dict[str, Any]:
    if columns is None:
        raise OptionError(argument, f"an array of shape {data.shape}", _WITH_NAMES)
    names = require_names("columns", columns)
    if len(names) != data.shape[1] or len(set(names)) != len(names):
        raise OptionError("columns", list(names), f"{data.shape[1]} different names, one for each column of {argument}")
    return {name: data[:, position] for position, name in enumerate(names)}
