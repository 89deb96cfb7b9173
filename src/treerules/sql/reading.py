"""How SQL that people wrote in a dialect is read: its grammar, and what names and literals mean."""

from typing import Literal

from attrs import field, frozen

from treerules.sql.lexer import LexicalRules


@frozen(kw_only=True)
class Reading:
    """What text of a dialect means, beyond what its `Language` says already of text that is emitted."""

    #: sqlglot's name of the grammar
    grammar: str = ""
    #: how names, texts and comments are quoted
    lexical: LexicalRules = field(factory=LexicalRules)
    #: the case to which unquoted names fold where quoted ones keep theirs; None where `Language.folding` holds of both
    unquoted: Literal["lower", "upper"] | None = None
    #: whether NaN is above infinity; elsewhere each comparison with it is false (`Language.is_number`: is there a NaN?)
    nan_is_highest: bool = False
    #: names of infinity, of columns or functions without arguments, besides the one that `Language.infinity` spells
    other_infinities: tuple[str, ...] = ()
    #: whether a number beyond the doubles, such as 1e999, is infinity; elsewhere it is an error
    reads_overflow: bool = False
    #: whether 1 and 0 are truth values
    numeric_truth: bool = False
    #: whether TIMESTAMP '...' heeds the zone of its text, also where `Language.timestamp` is not the standard's
    heeds_zones: bool = False
    #: whether TIMESTAMP '...' without a zone is in UTC
    timestamp_is_utc: bool = False
    #: whether timestamps can be finer than a microsecond
    finer_moments: bool = False
    #: whether text such as 20240101 is a date where it is compared with one
    plain_days: bool = False
    #: whether NULL among the values of IN, or after WHEN, has a meaning of the dialect's own
    own_nulls: bool = False
