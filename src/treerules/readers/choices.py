"""The choices of reading that a user makes for a source, and how DuckDB reads cells of text by them."""

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property

from attrs import evolve, frozen

from treerules._internal.arguments import require_columns
from treerules._internal.notes import Note
from treerules._internal.sql_quotes import quote_doubling
from treerules.data.cell_reading import (
    AS_USUAL,
    TRIMMED,
    CellReading,
    MissingWords,
    chosen_reading,
    require_agreement,
)
from treerules.data.column import Column
from treerules.data.read_columns import read_column
from treerules.data.schema import Feature, Kind, Schema
from treerules.data.table import Types
from treerules.readers.csv.column_types import kind_of
from treerules.readers.reader_arguments import Unreadable, check_reader_arguments, is_made_missing


@frozen(eq=False)
class Choices:
    """What the user chose for a source, and the schema of the model, whose choices count where the user says nothing.

    Raises:
        OptionError: a choice has a wrong type.
    """

    missing: MissingWords | None = None
    trim: bool | None = None
    schema: Schema | None = None
    unreadable: Unreadable = None

    def __attrs_post_init__(self) -> None:
        check_reader_arguments(missing=self.missing, trim=self.trim, unreadable=self.unreadable)

    @property
    def columns(self) -> list[str]:
        """The columns that have words of their own."""
        return [name for name in self.missing if name is not None] if isinstance(self.missing, Mapping) else []

    def require_columns(self, names: Collection[str]) -> None:
        """Raise UnknownNameError for a choice of a column that is not among the names."""
        made_missing = self.unreadable if isinstance(self.unreadable, Mapping) else {}
        require_columns(names, missing=self.columns, unreadable=made_missing)

    def reading(self, name: str) -> CellReading:
        """Return how a column is read.

        Raises:
            OptionError: the user and the model disagree.
        """
        is_category = name in self._known and self._known[name].kind is Kind.CATEGORY  # every cell can be read as one
        made_missing = not is_category and is_made_missing(self.unreadable, name) is not False
        chosen = chosen_reading(name, self.missing, self.trim, made_missing)
        known = self._known[name].reading if name in self._known else AS_USUAL
        if known == AS_USUAL:
            return chosen
        is_named = not isinstance(self.missing, Mapping) or None in self.missing or name in self.missing
        said = {"missing": self.missing is not None and is_named, "trim": self.trim is not None}
        said["unreadable"] = made_missing
        require_agreement(name, known, chosen, [option for option, is_said in said.items() if is_said])
        return known

    @cached_property
    def _known(self) -> dict[str, Feature]:
        return {} if self.schema is None else {feature.name: feature for feature in self.schema.features}

    @property
    def made_missing(self) -> Unreadable:
        """The columns of which cells that cannot be read are missing."""
        if isinstance(self.unreadable, str):
            return self.unreadable
        of_model = {name: "missing" for name, feature in self._known.items() if feature.reading.unreadable}
        return {**of_model, **(self.unreadable or {})} or None

    def read(self, columns: Iterable[Column], types: Types) -> list[Column]:
        """Return columns as they are read; `types` are the declared kinds."""
        return [self._read_column(column, kind_of(column.feature.name, types, self.schema)) for column in columns]

    def _read_column(self, column: Column, kind: Kind | None) -> Column:
        reading = self.reading(column.feature.name)
        is_category = (kind or column.feature.kind) is Kind.CATEGORY  # every cell can be read as a category
        return read_column(column, evolve(reading, unreadable=False) if is_category else reading)

    @property
    def notes(self) -> list[str]:
        """A note where rows are read by words that the model of the schema, rules or an imported one, does not hold."""
        features = () if self.schema is None else self.schema.features
        names = [f.name for f in features if f.reading == AS_USUAL and self.reading(f.name) != AS_USUAL]
        if not names:
            return []
        shown = ", ".join(map(repr, names[:3])) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        text = "words for missing values, trim and unreadable count in these rows alone: none are kept for {names}"
        return [Note("choices_of_rows", text, names=shown)]


def cell_sql(cell: str, reading: CellReading, words: Iterable[str]) -> str:
    """Return SQL for a cell of text as it is read: NULL where it is one of the words.

    >>> cell_sql("c0", CellReading(), ["-"]), cell_sql("c0", CellReading(), [])
    ("CASE WHEN c0 NOT IN ('-') THEN c0 END", 'c0')
    """
    cell = f"trim({cell}, {quote_doubling(TRIMMED)})" if reading.trim else cell
    nulls = ", ".join(map(quote_doubling, words))
    return f"CASE WHEN {cell} NOT IN ({nulls}) THEN {cell} END" if nulls else cell
