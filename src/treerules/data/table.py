"""Table: frozen columns with their schema, from rows and from columns."""

from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cached_property
from typing import Any

from attrs import evolve, field, frozen

from treerules._internal.arguments import require_columns, require_flags, require_type
from treerules._internal.field_converters import as_tuple
from treerules._internal.notebook import Shown
from treerules._internal.short_repr import short_repr
from treerules.data.casting import as_declared
from treerules.data.cell_reading import MissingWords, chosen_reading, require_missing_words
from treerules.data.column import Column, declared_column
from treerules.data.column_names import matching_name
from treerules.data.frames import columns_of
from treerules.data.read_columns import read_as_chosen, read_texts
from treerules.data.schema import Kind, Schema
from treerules.data.value_format import is_form, is_read_by_form
from treerules.errors import DataError, OptionError

Types = Mapping[str, str]


@short_repr
@frozen(repr=False)
class Table(Shown):
    """Columns of equal length. `from_rows`, `from_columns`, `from_frame` and `treerules.read` make tables.

    Args:
        columns: the columns, each with its feature, values and mask of missing values.
        notes: sentences that say what was inferred.
        declared: the names of the columns whose kind the user gave.
        doubts: those of the notes that are shown last: on columns that are text because some cells could not be read.

    Raises:
        DataError: the columns are of different lengths.
        InvalidTreeError: two columns have one name.

    >>> table = Table.from_columns({"年龄": ["青年", "老年"], "收入": [3000, None]})
    >>> table
    <Table 2 rows: 年龄 category, 收入 integer>
    >>> table.row(1)
    {'年龄': '老年', '收入': None}
    """

    columns: "tuple[Column, ...]" = field(converter=as_tuple)
    notes: tuple[str, ...] = field(default=(), converter=as_tuple, eq=False)
    declared: frozenset[str] = field(default=frozenset(), eq=False)
    doubts: tuple[str, ...] = field(default=(), converter=as_tuple, eq=False)

    def __attrs_post_init__(self) -> None:
        if not all(isinstance(column, Column) for column in self.columns):
            raise OptionError(
                "columns", self.columns, "Column objects; Table.from_columns and read() make tables of values"
            )
        lengths = {len(column.data) for column in self.columns}
        if len(lengths) > 1:
            sizes = {column.feature.name: len(column.data) for column in self.columns}
            raise DataError(f"the columns are of different lengths: {sizes}", "give each the same number of rows")
        _ = self.schema  # raises for a duplicate name

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def from_rows(
        cls,
        rows: Iterable[Mapping[str, Any]],
        *,
        types: Types | None = None,
        missing: MissingWords | None = None,
        trim: bool = False,
    ) -> "Table":
        """Return a table of mappings from column names to values; a missing key is a missing value.

        Columns have the order in which their names first occur.

        Args:
            rows: mappings from names of columns to values, such as dicts; None and NaN are missing too.
            types: the kinds of columns by name, such as {"age": "category", "size": "ordinal:S<M<L"}; None infers them.
            missing: words that are missing in all columns, or by column: {"months": ["-999"]}; one that spells a value
                of its column is compared as that value. The model keeps them, as those of `treerules.read`.
            trim: whether blanks and tabs at both ends of text are removed; text that is empty then is missing.

        Returns:
            A Table, whose `notes` say what was inferred.

        Raises:
            ColumnError: a column mixes kinds, or is not what `types` declares.
            UnknownNameError: `types` or `missing` names a column that no row has.

        Examples:
            >>> Table.from_rows([{"x": 1, "y": "a"}, {"x": 2}]).row(1)
            {'x': 2, 'y': None}
        """
        wanted = 'mappings from column names to values, such as [{"age": 30}]'
        require_type("rows", rows, Iterable, wanted)
        rows = list(rows)
        for row in rows:
            require_type("rows", row, Mapping, wanted)
        names = dict.fromkeys(name for row in rows for name in row)
        columns = {name: [row.get(name) for row in rows] for name in names}
        return cls.from_columns(columns, types=types, missing=missing, trim=trim)

    @classmethod
    def from_columns(
        cls,
        columns: Mapping[str, Sequence[Any]],
        *,
        types: Types | None = None,
        missing: MissingWords | None = None,
        trim: bool = False,
    ) -> "Table":
        """Return a table of named sequences or numpy arrays of equal length; read-only arrays are not copied.

        Args:
            columns: sequences or 1-D arrays of values by the names of the columns; None and NaN are missing.
            types: the kinds of columns by name, such as {"age": "category", "size": "ordinal:S<M<L"}; None infers them.
            missing: words that are missing in all columns, or by column: {"months": ["-999"]}; one that spells a value
                of its column is compared as that value. The model keeps them, as those of `treerules.read`.
            trim: whether blanks and tabs at both ends of text are removed; text that is empty then is missing.

        Returns:
            A Table, whose `notes` say what was inferred.

        Raises:
            ColumnError: a column mixes kinds, or is not what `types` declares.
            DataError: the columns are of different lengths.
            UnknownNameError: `types` or `missing` names a column that there is not.

        Examples:
            >>> Table.from_columns({"x": [1, 2], "size": ["S", "L"]}, types={"size": "ordinal:S<M<L"})
            <Table 2 rows: x integer, size ordinal>
        """
        require_type("columns", columns, Mapping, 'a mapping from column names to values, such as {"age": [30, 41]}')
        for name, values in columns.items():
            in_order = isinstance(values, Iterable) and not isinstance(values, (str, bytes, Mapping, Set))
            if not in_order:
                raise OptionError(f"the column {name!r}", values, "a sequence of values, or an array")
        kinds = types if isinstance(types, Mapping) else {}
        require_missing_words(missing)
        require_flags(trim=trim)
        cells = {name: read_texts(values, chosen_reading(name, missing, trim)) for name, values in columns.items()}
        read = read_as_chosen([declared_column(name, cells[name], kinds.get(name)) for name in cells], missing, trim)
        return with_types(cls(read), types or {})

    @classmethod
    def from_frame(
        cls, frame: Any, *, types: Types | None = None, missing: MissingWords | None = None, trim: bool = False
    ) -> "Table":
        """Return the table of a data frame: pandas, polars, Arrow, or of any library that narwhals knows.

        Numbers are not copied if the frame stores them as a table does, so do not change the frame afterwards. All
        categories of a categorical, dictionary or enum column are kept, even without rows; an ordered categorical is an
        ordinal. Text stays text. A lazy frame is collected.

        Args:
            frame: the data frame.
            types: the kinds of columns by name, such as {"age": "category", "size": "ordinal:S<M<L"}; None infers them.
            missing: words that are missing in all columns, or by column: {"months": ["-999"]}; one that spells a value
                of its column is compared as that value. The model keeps them, as those of `treerules.read`.
            trim: whether blanks and tabs at both ends of text are removed; text that is empty then is missing.

        Returns:
            A Table, whose `notes` say what was inferred.

        Raises:
            OptionError: `frame` is not a data frame.
            ColumnError: a column has a type that no kind can hold, mixes kinds, or does not fit `types`.
            UnknownNameError: `types` or `missing` names a column that the frame does not have.

        Examples:
            >>> import polars
            >>> Table.from_frame(polars.DataFrame({"x": [1.5, 2.0], "y": ["a", "b"]}))
            <Table 2 rows: x number, y category>
        """
        require_missing_words(missing)
        require_flags(trim=trim)
        columns = columns_of(frame, types if isinstance(types, Mapping) else {})
        return with_types(cls(read_as_chosen(columns, missing, trim)), types or {})

    @cached_property
    def schema(self) -> Schema:
        """The columns' features; a table has no target yet."""
        return Schema([column.feature for column in self.columns])

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.columns[0].data) if self.columns else 0

    def column(self, name: str) -> "Column":
        """Return the column of that name, or else the only one whose name differs in blanks at its ends alone.

        Raises:
            UnknownNameError: the table has no such column; the error names the closest one.
        """
        return self.columns[self.schema.index(matching_name(name, self.schema.indices) or name)]

    def row(self, index: int) -> dict[str, Any]:
        """Return one row as Python values, None where missing."""
        return {column.feature.name: column.value(index) for column in self.columns}

    def rows(self) -> "Iterable[dict[str, Any]]":
        """Yield every row."""
        return (self.row(index) for index in range(self.n_rows))

    def __repr__(self) -> str:
        columns = ", ".join(f"{column.feature.name} {column.feature.kind}" for column in self.columns)
        return f"<Table {self.n_rows} rows: {columns}>"


def declared_kind(column: str, text: str) -> tuple[Kind, tuple[str, ...]]:
    """Return the kind, and the levels of an ordinal, from a declaration such as "ordinal:S<M<L" or "date:%d/%m/%Y".

    Raises:
        OptionError: the text is not a declaration.
    """
    kind, _, rest = str(text).partition(":")
    is_kind = kind in {str(accepted_kind) for accepted_kind in Kind}
    if not is_kind or not (bool(rest) if kind == Kind.ORDINAL else rest == "" or _is_declared_form(kind, rest)):
        raise OptionError(
            f"the type of column {column!r}",
            text,
            f"one of {', '.join(Kind)}, an ordinal with its order: ordinal:S<M<L, a date or timestamp with a format: "
            "date:%d/%m/%Y, or a number or integer as 1234.5 is written: number:1.234,5",
        )
    return Kind(kind), tuple(rest.split("<")) if kind == Kind.ORDINAL else ()


def declared_form(text: str) -> str:
    """Return the form of a declaration such as "date:%d/%m/%Y" or "number:1.234,5", "" if it has none.

    >>> declared_form("date:%d/%m/%Y"), declared_form("ordinal:S<M<L"), declared_form("number")
    ('%d/%m/%Y', '', '')
    """
    kind, _, rest = str(text).partition(":")
    return "" if kind == Kind.ORDINAL or rest == "1234.5" else rest


def _is_declared_form(kind: str, form: str) -> bool:
    return form == "1234.5" or (is_read_by_form(kind, form) and is_form(kind, form))


def with_types(table: Table, types: Types) -> Table:
    """Return the table with the kinds that the user declared.

    Raises:
        UnknownNameError: there is no such column.
        OptionError: there is no such kind.
        ColumnError: the values do not allow it.
    """
    require_columns(table.schema.indices, types=types)
    columns = [
        as_declared(column, *declared_kind(name, types[name]), declared_form(types[name]))
        if (name := column.feature.name) in types
        else column
        for column in table.columns
    ]
    return evolve(table, columns=columns, declared=table.declared.union(types))
