"""Languages as data: how each spells names, values and conditions. A new language is one more record.

The records of SQL stand in `sql/dialects/`. A language of the user's own is a Language and a template: see `to_code`.
"""

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any, Literal

from attrs import field, frozen

from treerules._internal.short_repr import short_repr
from treerules._internal.sql_quotes import quote_doubling
from treerules.errors import UnsupportedError

Folding = Literal["none", "ascii", "unicode"]


def quote_doubling_backslashes(text: str) -> str:
    """Return text in single quotes, with the single quotes and the backslashes inside doubled."""
    return quote_doubling(text.replace("\\", "\\\\"))


def quote_escaping(text: str) -> str:
    """Return text in single quotes, with a backslash before the single quotes and the backslashes inside."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def exponent_number(value: float) -> str:
    """Return a finite number that reads back exactly, with an exponent, without which it would be a DECIMAL.

    >>> exponent_number(0.3), exponent_number(50.0), exponent_number(1e300)
    ('0.3e0', '50e0', '1e+300')
    """
    text = repr(value).removesuffix(".0")
    return text if "e" in text else text + "e0"


def standard_date(day: date) -> str:
    """Return DATE '2024-03-21'."""
    return f"DATE '{day.isoformat()}'"


def iso_text(moment: datetime) -> str:
    """Return a timestamp as ISO text with a blank, 2024-03-21 20:21:09, and with its zone where it has one."""
    return moment.isoformat(" ")


def standard_timestamp(moment: datetime) -> str:
    """Return TIMESTAMP '2024-03-21 20:21:09', with its zone where it has one."""
    return f"TIMESTAMP '{iso_text(moment)}'"


@short_repr
@frozen(repr=False)
class Language:
    """How a language spells names, values and conditions. The defaults are those of standard SQL.

    A pattern is a text with "{}" for the column, and for the value where a second one stands. A language has limits,
    which are refused by name and not exceeded.

    Attributes:
        name: The name of the language, such as "duckdb".
        about: What it is, in one line.
        lookup: Whether `to_sql` has the layout "lookup" for it: as a "query", as an "expression", or None.
        cautions: Pairs of a text and of what is to be done before a statement that holds it is run.
        large_case: What is to be done before a CASE of more than `most_branches` leaves is run; "" for nothing.
        large_sum: What is to be done before a sum of trees of more than `most_branches` leaves is run; "" for nothing.
        stage_words: The words that begin a query in WITH; where there are such, those that have it computed once.
        single: A pattern that rounds a double to float32; None where sums of such numbers are refused.
        element: A pattern of an element of a list of doubles by its position from 1; None where lists are not used.
        adds_singles: Whether the sum of two numbers of 32 bits is one.
        single_sums_a_stage: The number of trees that a query in WITH adds in float32.
        most_branches: The number of leaves up to which the engine runs a CASE well.
        quotes: The texts that open and close a quoted name. The closing one is doubled inside.
        escapes_names: Whether a backslash in a quoted name is doubled.
        column: How a column is written: "{quoted}" is its name, "{text}" the literal of it, "{index}" its place.
        folding: Which case makes no other name: of A to Z ("ascii"), of any letters ("unicode"), or none ("none").
        longest_name: The largest length of a name; None without a limit.
        name_unit: The unit of `longest_name`: "bytes" of UTF-8, or "characters".
        no_names_with: The characters that no name may hold.
        no_names_like: A regular expression that no name may match anywhere; None without one.
        wide_names: Whether names may hold characters above U+FFFF.
        empty_names: Whether a name may be empty.
        letters: How the letters of names are changed: "upper", "lower", or "" not at all.
        bare_names: A regular expression of the names that are written without quotes; None for none.
        reserved: The words, in lower case, that are quoted all the same.
        text: Returns a text as a literal.
        number: Returns a finite float as a literal that reads back exactly.
        integer: Returns an int as a literal.
        date: Returns a date as a literal.
        timestamp: Returns a datetime as a literal, in UTC where it has a zone.
        true: The literal of True.
        false: The literal of False.
        infinity: The pattern of infinity, "{}" for its sign, "-" or ""; None where no column can hold it.
        holds_any_text: Whether texts and names may hold NUL and lone surrogates.
        empty_text_is_missing: Whether the text "" is a missing value, as in Oracle.
        longest_text: The largest length of a text literal in bytes of UTF-8; None without a limit.
        missing_is: "null" where a comparison with a missing value is unknown; "nan" where all but `!=` are false.
        at_most: The pattern of "column <= value".
        above: The pattern of "column > value".
        below: The pattern of "column < value"; None where only `at_most` is used.
        at_least: The pattern of "column >= value"; None where only `above` is used.
        equal: The pattern of "column = value".
        differs: The pattern of "column <> value".
        among: The pattern of "column is one of these values"; None where values are compared one by one.
        not_among: The pattern of "column is none of these values"; None likewise.
        fewest_among: The least number of values for which `among` and `not_among` are used.
        missing: The pattern of "column is missing".
        known: The pattern of "column is not missing".
        is_number: The pattern that holds for every number but NaN and missing ones; None where no column can hold NaN.
        nan_columns: The names of the columns of numbers that may hold NaN; None for all.
        number_column: The pattern by which a column of numbers is compared as a double.
        large_number: The pattern by which a column of numbers is compared with one from 2^53 on, not always a double.
        number_member: The pattern by which a column of categories that are numbers is compared with them.
        text_column: The pattern by which a column of text is compared code point by code point.
        text_end: The text that ends each literal which is compared with a `text_column`.
        of_other_type: The patterns of tests for a value of another type than a feature's, by its scalar; often none.
        refusal: The expression that ends a statement with an error, for rows with such values.
        ending_for_names: The clause that ends a query in which a column of the result has the name of a feature.
        null_if: The pattern of a value, missing if it equals another; None: NULLIF if `missing` is IS NULL, or refused.
        trim: The pattern of text without blanks and tabs at both ends; None: such models are refused.
        both: The text between two conditions that must hold.
        either: The text between two conditions of which one must hold.
        no: The pattern of the negation of a condition.
        always: The condition that always holds.
        never: The condition that never holds.
        deepest_case: The largest depth of nested CASE expressions; None without a limit.
        longest_statement: The largest length of a statement in bytes; None without a limit.
        size_setting: The setting of the engine that raises `longest_statement`; None without one.
        types: The types of columns, by the scalar of a feature.
        text_in_rows: The type of a text column in a table of rules; None for that of `types`.
        replacing: How a CREATE begins that replaces what has its name, by kind: "view", "table", "macro", "function".
            Of other kinds, what has the name is dropped before.
        table_ending: The text that ends CREATE TABLE.
        most_rows: The largest number of rows of an INSERT.
        dbt_adapter: The name of the adapter of dbt, "default" for every adapter without a dialect here; None where dbt
            has none.
    """

    name: str
    about: str = field(default="", kw_only=True)
    lookup: Literal["query", "expression"] | None = field(default=None, kw_only=True)
    cautions: tuple[tuple[str, str], ...] = field(default=(), kw_only=True)
    large_case: str = field(default="", kw_only=True)
    large_sum: str = field(default="", kw_only=True)
    stage_words: str = field(default="AS", kw_only=True)
    single: str | None = field(default=None, kw_only=True)
    element: str | None = field(default=None, kw_only=True)
    adds_singles: bool = field(default=False, kw_only=True)
    single_sums_a_stage: int = field(default=50, kw_only=True)
    most_branches: int = field(default=500, kw_only=True)

    # ---- names
    quotes: tuple[str, str] = ('"', '"')
    escapes_names: bool = False
    column: str = "{quoted}"
    folding: Folding = "unicode"
    longest_name: int | None = None
    name_unit: Literal["bytes", "characters"] = "characters"
    no_names_with: str = ""
    no_names_like: str | None = None
    wide_names: bool = True
    empty_names: bool = False
    letters: Literal["", "upper", "lower"] = ""
    bare_names: str | None = None
    reserved: frozenset[str] = frozenset()

    # ---- values and conditions
    text: Callable[[str], str] = quote_doubling
    number: Callable[[float], str] = exponent_number
    integer: Callable[[int], str] = str
    date: Callable[[date], str] = standard_date
    timestamp: Callable[[datetime], str] = standard_timestamp
    true: str = "TRUE"
    false: str = "FALSE"
    infinity: str | None = None
    holds_any_text: bool = False
    empty_text_is_missing: bool = False
    longest_text: int | None = None
    missing_is: Literal["null", "nan"] = "null"
    at_most: str = "{} <= {}"
    above: str = "{} > {}"
    below: str | None = None
    at_least: str | None = None
    equal: str = "{} = {}"
    differs: str = "{} <> {}"
    among: str | None = "{} IN ({})"
    not_among: str | None = "{} NOT IN ({})"
    fewest_among: int = 2
    missing: str = "{} IS NULL"
    known: str = "{} IS NOT NULL"
    is_number: str | None = None
    nan_columns: frozenset[str] | None = None
    number_column: str = "{}"
    large_number: str = "{}"
    number_member: str = "{}"
    text_column: str = "{}"
    text_end: str = ""
    of_other_type: Mapping[str, str] = field(factory=dict, hash=False)
    refusal: str = ""
    ending_for_names: str = ""
    null_if: str | None = None
    trim: str | None = None
    both: str = " AND "
    either: str = " OR "
    no: str = "NOT ({})"
    always: str = "TRUE"
    never: str = "FALSE"

    # ---- limits, types, tables of rules, dbt
    deepest_case: int | None = None
    longest_statement: int | None = None
    size_setting: str | None = None
    types: Mapping[str, str] = field(factory=dict, hash=False)
    text_in_rows: str | None = None
    replacing: Mapping[str, str] = field(factory=dict, hash=False)
    table_ending: str = ""
    most_rows: int = 200
    dbt_adapter: str | None = None

    def __repr__(self) -> str:
        return f"<Language {self.name!r}>"

    def identifier(self, name: str) -> str:
        """Return a name in its `letters`: in quotes, unless it is one of the `bare_names`.

        >>> Language("mine", quotes=("[", "]")).identifier("a]b")
        '[a]]b]'

        Raises:
            UnsupportedError: the language cannot hold the name.
        """
        name = self.lettered(name)
        shown = name[:30] + "..." if len(name) > 30 else name
        if not name and not self.empty_names:
            raise self._refused("a column or table has an empty name")
        size = len(name.encode("utf-8", "replace")) if self.name_unit == "bytes" else len(name)
        if self.longest_name is not None and size > self.longest_name:
            raise self._refused(f"it takes names of at most {self.longest_name} {self.name_unit}, not {shown!r}")
        forbidden = [c for c in name if c in self.no_names_with or (c > "\uffff" and not self.wide_names)]
        if forbidden:
            raise self._refused(f"no name may hold {forbidden[0]!r}, as {shown!r} does")
        match = re.search(self.no_names_like, name) if self.no_names_like else None
        if match:
            raise self._refused(f"no name may hold {match[0]!r} where {shown!r} does")
        if self.bare_names and re.fullmatch(self.bare_names, name) and name.lower() not in self.reserved:
            return name
        opening, closing = self.quotes
        name = self._storable(name).replace("\\", "\\\\") if self.escapes_names else self._storable(name)
        return opening + name.replace(closing, closing * 2) + closing

    def number_test(self, column: str) -> str | None:
        """Return the pattern `is_number` for a column of numbers by its name; None if it cannot hold NaN."""
        return self.is_number if self.nan_columns is None or column in self.nan_columns else None

    def lettered(self, name: str) -> str:
        """Return a name in upper or lower case where `letters` says so."""
        return {"upper": name.upper, "lower": name.lower}.get(self.letters, name.__str__)()

    def literal(self, value: Any) -> str:
        """Return a value as a literal that reads back exactly: bool, str, float, datetime, date or int.

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
        """Return the literal with which a column is compared: that of a text ends in `text_end`."""
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

    def _refused(self, problem: str, remedy: str = "rename it (rename=, --rename)") -> UnsupportedError:
        return UnsupportedError(self.name, problem, remedy)
