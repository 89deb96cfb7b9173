"""An SQL dialect as one record. Each stands in a file of its own in `dialects/`."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Literal

from attrs import field, frozen

from treerules.sql.language import Language, standard_timestamp
from treerules.sql.reading import Reading
from treerules.sql.reserved_words import ALL_WORDS

_INFINITY_NAME = re.compile(r"\{\}([A-Za-z_]\w*)(?:\(\))?")
_MOMENT = datetime(2024, 3, 21)


@frozen(repr=False)
class Dialect:
    """A dialect of SQL: how it is emitted, and how text written in it is read.

    A fact that both need stands once, in `spelling`; the properties give it to readers.

    Attributes:
        spelling: How names, values and conditions are spelled, with limits.
        reading: What text means, besides that.
        reserved: The words, in lower case, that it does not take as names without quotes.
        aliases: Other names of the dialect, in lower case.
        kinds: The kinds of statements that it has besides those of all dialects: "macro", "function".
        drivers: The Python packages (DB-API 2) whose connections speak it.
        cast_types: The types that CAST takes where those of columns are refused, by the scalar of a feature.
    """

    spelling: Language
    reading: Reading = field(factory=Reading)
    reserved: frozenset[str] = field(default=ALL_WORDS, kw_only=True)
    aliases: tuple[str, ...] = field(default=(), kw_only=True)
    kinds: tuple[str, ...] = field(default=(), kw_only=True)
    drivers: tuple[str, ...] = field(default=(), kw_only=True)
    cast_types: Mapping[str, str] = field(factory=lambda: MappingProxyType({}), kw_only=True, hash=False)

    def __repr__(self) -> str:
        return f"<Dialect {self.name!r}>"

    @property
    def name(self) -> str:
        """The name of the dialect; "" where the user named none."""
        return self.spelling.name

    @property
    def is_run(self) -> bool:
        """Whether the tests run it on its engine."""
        return "(run in the tests)" in self.spelling.about

    @property
    def folding(self) -> Literal["any", "lower", "upper", "none"]:
        """How names are folded: "any" ignores case, "lower" and "upper" fold unquoted names, "none" folds none."""
        return self.reading.unquoted or ("none" if self.spelling.folding == "none" else "any")

    @property
    def nan(self) -> Literal["highest", "unordered", "none"]:
        """The order of NaN: above infinity, unordered, or "none" where no column can hold it."""
        if self.spelling.is_number is None:
            return "none"
        return "highest" if self.reading.nan_is_highest else "unordered"

    @property
    def infinities(self) -> tuple[str, ...]:
        """The names of infinity in lower case: of columns, or of functions without arguments."""
        match = _INFINITY_NAME.fullmatch(self.spelling.infinity or "")
        return (*((match[1].lower(),) if match else ()), *self.reading.other_infinities)

    @property
    def empty_text_is_null(self) -> bool:
        """Whether '' is NULL."""
        return self.spelling.empty_text_is_missing

    @property
    def loose_text(self) -> bool:
        """Whether texts are compared by default without regard to case, or to blanks at the end."""
        return self.reading.like_folds == "collation"

    @property
    def casts_texts(self) -> bool:
        """Whether a cast to text alone makes a column compare code point by code point."""
        return self.spelling.text_column == "CAST({} AS STRING)"

    @property
    def heeds_zones(self) -> bool:
        """Whether TIMESTAMP '...' heeds the zone of its text; elsewhere such a literal is not read."""
        return self.reading.heeds_zones or self.spelling.timestamp is standard_timestamp

    @property
    def taken_as_utc(self) -> Literal["none", "any", "timestamp"]:
        """The literals without a zone that are in UTC: all ("any"), those of TIMESTAMP, or none."""
        spell = self.spelling.timestamp
        if spell(_MOMENT) == spell(_MOMENT.replace(tzinfo=UTC)):
            return "any"
        return "timestamp" if self.reading.timestamp_is_utc else "none"

    def folded(self, name: str, is_quoted: bool) -> str:
        """Return a name as the dialect folds it: two spellings of one name give the same."""
        if self.folding == "any":
            return name.casefold()
        if self.folding == "none" or is_quoted:
            return name
        return name.lower() if self.folding == "lower" else name.upper()


#: The dialect of SQL whose dialect is not named: what most dialects read.
UNNAMED = Dialect(Language(name=""))
