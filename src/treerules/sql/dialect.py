"""An SQL dialect as one record. Each stands in a file of its own in `dialects/`."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Literal

from attrs import field, frozen

from treerules.sql.language import Language, standard_timestamp
from treerules.sql.reading import Reading

_INFINITY_NAME = re.compile(r"\{\}([A-Za-z_]\w*)(?:\(\))?")
_MOMENT = datetime(2024, 3, 21)


@frozen
class Dialect:
    """How a dialect spells what is emitted, and how text written in it is read.

    A fact that both need stands once, in `spelling`; the properties say what it means to a reader.
    """

    spelling: Language
    reading: Reading = field(factory=Reading)
    #: the kinds of SQL text that it has besides those of all dialects: "macro", "function"
    kinds: tuple[str, ...] = field(default=(), kw_only=True)
    #: the Python packages (DB-API 2) whose connections speak it
    drivers: tuple[str, ...] = field(default=(), kw_only=True)
    #: the types that CAST takes where those of columns are refused, by the scalar of a Feature
    cast_types: Mapping[str, str] = field(factory=lambda: MappingProxyType({}), kw_only=True, hash=False)

    @property
    def name(self) -> str:
        """The dialect's name; "" where the user named none."""
        return self.spelling.name

    @property
    def is_run(self) -> bool:
        """Whether the tests run it on its engine."""
        return "(run in the tests)" in self.spelling.about

    @property
    def folding(self) -> Literal["any", "lower", "upper", "none"]:
        """How a name is folded: whatever its case, unquoted ones to lower or upper case, or not at all."""
        return self.reading.unquoted or ("none" if self.spelling.folding == "none" else "any")

    @property
    def nan(self) -> Literal["highest", "unordered", "none"]:
        """The place of NaN: above infinity, compared with nothing, or nowhere."""
        if self.spelling.is_number is None:
            return "none"
        return "highest" if self.reading.nan_is_highest else "unordered"

    @property
    def infinities(self) -> tuple[str, ...]:
        """The names, of columns or functions without arguments, that are infinity, in lower case."""
        spelled = _INFINITY_NAME.fullmatch(self.spelling.infinity or "")
        return (*((spelled[1].lower(),) if spelled else ()), *self.reading.other_infinities)

    @property
    def empty_text_is_null(self) -> bool:
        """Whether '' is NULL."""
        return self.spelling.empty_text_is_missing

    @property
    def loose_text(self) -> bool:
        """Whether text is compared, by default, whatever its case and the blanks at its end."""
        return self.spelling.text_column != "{}"

    @property
    def heeds_zones(self) -> bool:
        """Whether TIMESTAMP '...' heeds the zone that its text has; elsewhere that is not read."""
        return self.reading.heeds_zones or self.spelling.timestamp is standard_timestamp

    @property
    def taken_as_utc(self) -> Literal["none", "any", "timestamp"]:
        """The literals without a zone that are in UTC where their column is: any, those of TIMESTAMP, or none."""
        spell = self.spelling.timestamp
        if spell(_MOMENT) == spell(_MOMENT.replace(tzinfo=UTC)):
            return "any"
        return "timestamp" if self.reading.timestamp_is_utc else "none"

    def folded(self, name: str, is_quoted: bool) -> str:
        """Return the one name that stands for all spellings of a name."""
        if self.folding == "any":
            return name.casefold()
        if self.folding == "none" or is_quoted:
            return name
        return name.lower() if self.folding == "lower" else name.upper()


#: SQL of which nobody said the dialect: what most of them read.
UNNAMED = Dialect(Language(name=""))
