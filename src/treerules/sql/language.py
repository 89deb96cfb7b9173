"""Languages as data: how one spells names, values and questions. A new one is one more value.

`sql/dialects/` has the records of SQL. A language of your own is a Language and a template: see `to_code`.
"""

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any, Literal

from attrs import field, frozen

from treerules.errors import UnsupportedError

Folding = Literal["none", "ascii", "unicode"]


def quote_doubling(text: str) -> str:
    """Return text in single quotes, those within doubled."""
    return "'" + text.replace("'", "''") + "'"


def quote_doubling_backslashes(text: str) -> str:
    """Return text in single quotes where backslashes escape, and quotes are doubled."""
    return quote_doubling(text.replace("\\", "\\\\"))


def quote_escaping(text: str) -> str:
    """Return text in single quotes where backslashes escape, quotes too."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def exponent_number(value: float) -> str:
    """Return a finite number that reads back exactly, always with an exponent: without one it would be a DECIMAL."""
    text = repr(value)
    return text if "e" in text else text + "e0"


def standard_date(day: date) -> str:
    """Return DATE '2024-03-21'."""
    return f"DATE '{day.isoformat()}'"


def iso_text(moment: datetime) -> str:
    """Return a moment as ISO text with a blank: 2024-03-21 20:21:09, with its zone where it has one."""
    return moment.isoformat(" ")


def standard_timestamp(moment: datetime) -> str:
    """Return TIMESTAMP '2024-03-21 20:21:09', with its zone where it has one."""
    return f"TIMESTAMP '{iso_text(moment)}'"


@frozen
class Language:
    """How a language spells names, values and questions; SQL's words unless said otherwise.

    Patterns have {} for what they are about. Where `missing_is` "null", a comparison with a missing value is unknown,
    as in SQL. Where it is "nan", missing numbers, integers, dates and timestamps are a value of which every comparison
    is false but `!=`, and other missing values are what the pattern `missing` asks for.
    """

    name: str
    #: a line of what it is for
    about: str = field(default="", kw_only=True)
    #: whether it has the lookup layout
    has_lookup: bool = field(default=False, kw_only=True)

    # ---- names
    #: opens and closes a quoted name; the closing one is doubled inside
    quotes: tuple[str, str] = ('"', '"')
    #: whether backslashes escape in them as in text
    escapes_names: bool = False
    #: how a column is referred to: {quoted} name, {text} the name as a literal, {index} its place in the schema
    column: str = "{quoted}"
    #: which quoted names that differ in case alone are one: those of A to Z, of all letters, or none
    folding: Folding = "unicode"
    #: longer names are refused or, worse, cut off by the engine
    longest_name: int | None = None
    #: of which unit: "bytes" of UTF-8, or "characters"
    name_unit: Literal["bytes", "characters"] = "characters"
    #: characters that no name may hold
    no_names_with: str = ""
    #: a regular expression of what no name may hold at that place
    no_names_like: str | None = None
    #: whether names may hold characters beyond U+FFFF
    wide_names: bool = True
    #: whether a name of no characters is a name
    empty_names: bool = False

    # ---- values
    text: Callable[[str], str] = quote_doubling
    number: Callable[[float], str] = exponent_number
    integer: Callable[[int], str] = str
    date: Callable[[date], str] = standard_date
    timestamp: Callable[[datetime], str] = standard_timestamp
    true: str = "TRUE"
    false: str = "FALSE"
    #: {} for the sign; None where infinities cannot be held, so that no row has one
    infinity: str | None = None
    #: whether text may hold NUL and lone surrogates
    holds_any_text: bool = False
    #: whether '' is missing, as in Oracle
    empty_text_is_missing: bool = False
    #: a literal of more bytes of UTF-8 is refused
    longest_text: int | None = None

    # ---- questions
    missing_is: Literal["null", "nan"] = "null"
    at_most: str = "{} <= {}"
    above: str = "{} > {}"
    equal: str = "{} = {}"
    differs: str = "{} <> {}"
    #: None where there is no such operator: then questions are joined
    among: str | None = "{} IN ({})"
    not_among: str | None = "{} NOT IN ({})"
    #: fewer categories are compared one by one all the same
    fewest_among: int = 2
    missing: str = "{} IS NULL"
    known: str = "{} IS NOT NULL"
    #: holds of every number but NaN and missing ones; None where NaN cannot be held
    is_number: str | None = None
    #: how a column of numbers is compared as doubles, whatever type it has, and with categories that are numbers
    number_column: str = "{}"
    number_member: str = "{}"
    #: how a column of text is compared code point by code point, and what its literals end in then
    text_column: str = "{}"
    text_end: str = ""
    #: what a query ends in where a result has the name of a column that is asked
    ending_for_names: str = ""
    both: str = " AND "
    either: str = " OR "
    no: str = "NOT ({})"
    always: str = "TRUE"
    never: str = "FALSE"

    # ---- limits and types
    #: how deep CASE may be nested, and how long a statement may be in bytes; None where there is no bound to meet
    deepest_case: int | None = None
    longest_statement: int | None = None
    #: the setting of the engine that raises the bound on statements; None where nothing does
    size_setting: str | None = None
    #: SQL's types of columns, by the scalar of a Feature
    types: Mapping[str, str] = field(factory=dict, hash=False)

    # ---- tables of rules, and dbt
    #: the type of text where that of `types` is too wide for a row of several
    text_in_rows: str | None = None
    #: what CREATE TABLE ends in
    table_ending: str = ""
    #: how many rows an INSERT takes at most
    most_rows: int = 200
    #: dbt's name of the adapter, "default" for whatever has none here; None where dbt has none
    dbt_adapter: str | None = None

    def identifier(self, name: str) -> str:
        """Return a quoted name.

        Raises:
            UnsupportedError: the language cannot hold the name.
        """
        shown = name[:30] + "..." if len(name) > 30 else name
        if not name and not self.empty_names:
            raise self._refused("a column or table has an empty name")
        size = len(name.encode("utf-8", "replace")) if self.name_unit == "bytes" else len(name)
        if self.longest_name is not None and size > self.longest_name:
            raise self._refused(f"it takes names of at most {self.longest_name} {self.name_unit}, not {shown!r}")
        wrong = [c for c in name if c in self.no_names_with or (c > "\uffff" and not self.wide_names)]
        if wrong:
            raise self._refused(f"no name may hold {wrong[0]!r}, as {shown!r} does")
        found = re.search(self.no_names_like, name) if self.no_names_like else None
        if found:
            raise self._refused(f"no name may hold {found[0]!r} where {shown!r} does")
        opens, closes = self.quotes
        name = self._storable(name).replace("\\", "\\\\") if self.escapes_names else self._storable(name)
        return opens + name.replace(closes, closes * 2) + closes

    def literal(self, value: Any) -> str:
        """Return a literal that reads back exactly.

        Raises:
            UnsupportedError: the language cannot hold the value.
        """
        if isinstance(value, bool):
            return self.true if value else self.false
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, float):
            return self._number(value)
        if isinstance(value, datetime):
            return self.timestamp(value)
        return self.date(value) if isinstance(value, date) else self.integer(value)

    def comparison_literal(self, value: Any) -> str:
        """Return the literal that a column is compared with: text ends in `text_end`."""
        return self.literal(value + self.text_end if isinstance(value, str) else value)

    def typed_literal(self, value: Any, scalar: str) -> str:
        """Return a value of a scalar as an expression of its type in SQL; None, and NaN where there is none, is NULL.

        >>> from treerules.sql.dialects import DIALECTS
        >>> duckdb, sqlite = DIALECTS["duckdb"].spelling, DIALECTS["sqlite"].spelling
        >>> duckdb.typed_literal(0.3, "number"), sqlite.typed_literal(float("nan"), "number")
        ('CAST(0.3e0 AS DOUBLE)', 'CAST(NULL AS REAL)')

        Raises:
            UnsupportedError: the language cannot hold the value.
        """
        is_nan = isinstance(value, float) and value != value
        if value is None or (is_nan and self.is_number is None):
            text = "NULL"
        else:
            text = "'NaN'" if is_nan else self.literal(value)
        return f"CAST({text} AS {self.types[scalar]})"

    def _text(self, value: str) -> str:
        if not value and self.empty_text_is_missing:
            raise self._refused("to it the empty text '' is a missing value", "rename the label")
        if self.longest_text is not None and len(value.encode("utf-8", "replace")) > self.longest_text:
            raise self._refused(f"it takes text of at most {self.longest_text} bytes, not {value[:30] + '...'!r}")
        return self.text(self._storable(value))

    def _number(self, value: float) -> str:
        if abs(value) != float("inf"):
            return self.number(value)
        if self.infinity is None:
            raise self._refused("it has no infinite numbers", "use a dialect that has")
        return self.infinity.format("-" if value < 0 else "")

    def _storable(self, text: str) -> str:
        if not self.holds_any_text and ("\0" in text or any("\ud800" <= c <= "\udfff" for c in text)):
            raise self._refused(f"{text!r:.60} holds a NUL or a lone surrogate", "rename it, or emit Python")
        return text

    def _refused(self, problem: str, way_out: str = "rename it (rename=, --rename)") -> UnsupportedError:
        return UnsupportedError(self.name, problem, way_out)
