"""SQL dialects as data: a new one is one more row."""

from collections.abc import Callable
from datetime import date, datetime
from typing import Any

from attrs import frozen

from treerules.errors import UnsupportedError


@frozen
class Language:
    """How an SQL dialect spells names and values."""

    name: str
    #: opens and closes a quoted name; doubled inside
    quote: str
    #: a double: repr with an exponent reads back exactly everywhere, and is no DECIMAL
    infinity: str
    #: spells dates and timestamps
    date: Callable[[date], str]
    timestamp: Callable[[datetime], str]
    #: SQLite takes TRUE for a column of that name, if there is one
    true: str
    false: str
    #: what holds of every number but NaN and NULL, "{}" for the column; None where NaN cannot be stored
    is_number: str | None
    #: whether a name of no characters is a name
    empty_names: bool = False
    #: whether quoted names that differ in case alone are one
    folds_case: bool = True
    #: longer names are cut off by the engine, in bytes of UTF-8
    longest_name: int | None = None
    #: a double, "{}" for its repr
    double: str = "{}"

    def identifier(self, name: str) -> str:
        """Return a quoted name.

        Raises:
            UnsupportedError: the dialect cannot hold the name.
        """
        if not name and not self.empty_names:
            raise UnsupportedError(self.name, "a column or table has an empty name", "rename it")
        if self.longest_name is not None and len(name.encode("utf-8", "replace")) > self.longest_name:
            problem = f"it cuts names off after {self.longest_name} bytes, as {name[:30] + '...'!r}"
            raise UnsupportedError(self.name, problem, "rename it")
        return self.quote + self._storable(name).replace(self.quote, self.quote * 2) + self.quote

    def literal(self, value: Any) -> str:
        """Return a literal that reads back exactly.

        Raises:
            UnsupportedError: the dialect cannot hold the value.
        """
        if isinstance(value, bool):
            return self.true if value else self.false
        if isinstance(value, str):
            return "'" + self._storable(value).replace("'", "''") + "'"
        if isinstance(value, float):
            return self._number(value)
        if isinstance(value, datetime):
            return self.timestamp(value)
        return self.date(value) if isinstance(value, date) else str(value)

    def _number(self, value: float) -> str:
        if abs(value) == float("inf"):
            return self.infinity.format("-" if value < 0 else "")
        text = repr(value)
        return self.double.format(text if "e" in text else text + "e0")

    def _storable(self, text: str) -> str:
        if "\0" in text or any("\ud800" <= c <= "\udfff" for c in text):
            problem = f"{text!r:.60} holds a NUL or a lone surrogate"
            raise UnsupportedError(self.name, problem, "rename it, or emit Python")
        return text


def _iso(moment: datetime) -> str:
    return moment.isoformat(" ")


DUCKDB = Language(
    name="duckdb",
    quote='"',
    infinity="CAST('{}Infinity' AS DOUBLE)",
    date=lambda day: f"DATE '{day.isoformat()}'",
    timestamp=lambda moment: f"{'TIMESTAMPTZ' if moment.tzinfo else 'TIMESTAMP'} '{_iso(moment)}'",
    true="TRUE",
    false="FALSE",
    # NaN is above infinity in DuckDB, so this asks both in one comparison
    is_number="{} <= CAST('Infinity' AS DOUBLE)",
)

# In double quotes a name that is no column would be a string; in backticks it is an error.
SQLITE = Language(
    name="sqlite",
    quote="`",
    infinity="{}9e999",
    date=lambda day: f"'{day.isoformat()}'",
    timestamp=lambda moment: f"'{_iso(moment)}'",
    true="1",
    false="0",
    is_number=None,  # NaN is stored as NULL
    empty_names=True,
)

POSTGRES = Language(
    name="postgres",
    quote='"',
    infinity="float8 '{}Infinity'",
    date=DUCKDB.date,
    timestamp=DUCKDB.timestamp,
    true="TRUE",
    false="FALSE",
    # NaN is above infinity in Postgres too
    is_number="{} <= float8 'Infinity'",
    folds_case=False,
    longest_name=63,
    # a bare 0.3e0 is NUMERIC, and a NUMERIC column would be compared with it in more digits than a double has
    double="float8 '{}'",
)

DIALECTS = {language.name: language for language in (DUCKDB, SQLITE, POSTGRES)}
