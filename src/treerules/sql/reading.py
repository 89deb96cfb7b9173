"""How SQL that people wrote in a dialect is read: its grammar, and what names and literals mean."""

from typing import Literal

from attrs import field, frozen

from treerules.sql.lexer import LexicalRules


@frozen(kw_only=True, repr=False)
class Reading:
    """The meaning of text in a dialect, besides what its `Language` says of text that is emitted.

    Attributes:
        grammar: sqlglot's name of the grammar.
        lexical: How names, texts and comments are quoted.
        unquoted: The case to which unquoted names are folded where quoted ones keep theirs; None where
            `Language.folding` holds for both.
        nan_is_highest: Whether NaN is above infinity; elsewhere each comparison with it is false. (`Language.is_number`
            says whether columns can hold NaN.)
        other_infinities: The names of infinity, of columns or functions without arguments, besides the one that
            `Language.infinity` spells.
        reads_overflow: Whether a number beyond the doubles, such as 1e999, is infinity; elsewhere it is an error.
        numeric_truth: Whether 1 and 0 are truth values.
        true_is_one: Whether TRUE is the number 1, so that 2 is true but not TRUE.
        heeds_zones: Whether TIMESTAMP '...' heeds the zone of its text, also where `Language.timestamp` is not the
            standard's.
        timestamp_is_utc: Whether TIMESTAMP '...' without a zone is in UTC.
        finer_moments: Whether timestamps can be finer than a microsecond.
        plain_days: Whether text such as 20240101 is a date where it is compared with one.
        sized_texts: Whether the type of a CASE of texts has the length of the longest.
        own_nulls: Whether NULL among the values of IN, or after WHEN, has a meaning of the dialect's own.
        moments_are_text: Whether dates and timestamps are texts and are compared as texts.
        exact_numbers: Whether an integer and a double are compared by their values, without rounding; a literal with a
            point or an exponent, or beyond 64 bits, is a double.
        hexadecimal_digits: The most digits, without leading zeros, of a number such as 0x1F; None for no bound.
        like_folds: What LIKE takes for one: "none" distinguishes all letters, as = does; "case" may take a and A for
            one; "collation" follows the collation of the column.
        loose_arrows: Whether -> and ->> bind less tightly than a comparison.
        assigned_variables: Whether a variable such as @x may be assigned within the statement.
        exact_sums: Whether a sum of integers that is too large is an error, instead of another number.
        calendar: sqlglot's names of the functions that give the year, or the start of the month, of each date, also of
            one that is infinite, beyond the years of a type, or 2020-00-00.
        padded_texts: Whether a type of texts, such as CHAR(n), is compared without the blanks at the end.
        casts: sqlglot's names of the types to which casts of literals are read; None for all that the reader knows.
    """

    grammar: str = ""
    lexical: LexicalRules = field(factory=LexicalRules)
    unquoted: Literal["lower", "upper"] | None = None
    nan_is_highest: bool = False
    other_infinities: tuple[str, ...] = ()
    reads_overflow: bool = False
    numeric_truth: bool = False
    true_is_one: bool = False
    heeds_zones: bool = False
    timestamp_is_utc: bool = False
    finer_moments: bool = False
    plain_days: bool = False
    sized_texts: bool = False
    own_nulls: bool = False
    moments_are_text: bool = False
    exact_numbers: bool = False
    hexadecimal_digits: int | None = None
    like_folds: Literal["none", "case", "collation"] = "case"
    loose_arrows: bool = False
    assigned_variables: bool = False
    exact_sums: bool = False
    calendar: tuple[str, ...] = ()
    padded_texts: bool = True
    casts: tuple[str, ...] | None = None

    def __repr__(self) -> str:
        return f"<Reading {self.grammar!r}>"
