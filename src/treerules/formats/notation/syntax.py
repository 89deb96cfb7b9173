"""The three syntaxes of conditions, as data: rule text, cells of CSV and Markdown tables, and FEEL, the cells of DMN.

A token is a WORD, a STRING in quotes, a sign, or a keyword; in cells also `date("...")` and its relatives. The records
hold the differences between the syntaxes, so that all three share one lexer and one reader of literals.
"""

import re
from collections.abc import Mapping

from attrs import frozen

#: The states that a condition can test, and all keywords of rule text: names and values that are keywords need quotes.
STATES = ("MISSING", "UNSEEN", "KNOWN", "NOTHING")
KEYWORDS = ("IF", "THEN", "AND", "OR", "NOT", "IN", "IS", "ALWAYS", "OTHERWISE", *STATES)
#: Words of declarations, which are ordinary names and values everywhere else.
KINDS = ("NUMBER", "INTEGER", "BOOLEAN", "CATEGORY", "ORDINAL", "DATE", "TIMESTAMP")
DECLARATION_WORDS = (
    *("COLUMN", "TARGET", "ORDERED", "OF", "NEVER", "OPEN", "CLOSED", "OTHER"),
    *(*KINDS, "TIMESTAMP_UTC", "TEXT"),
)
#: The types of token that are a name or a value in rule text.
VALUES = frozenset(("WORD", "STRING", *DECLARATION_WORDS))
ORDERING = frozenset(("LT", "LE", "GT", "GE"))

_SPELLINGS = {
    "EQ": "= == ＝",
    "NE": "!= <> ≠ ！＝ !＝ ！=",
    "LE": "<= ≤ ＜＝ <＝ ＜=",
    "GE": ">= ≥ ＞＝ >＝ ＞=",
    "LT": "< ＜",
    "GT": "> ＞",
    "LPAR": "( （",
    "RPAR": ") ）",
    "LBRACKET": "[ ［ 【",
    "RBRACKET": "] ］ 】",
    "LBRACE": "{ ｛",
    "RBRACE": "} ｝",
    "COMMA": ", ， 、",
    "COLON": ": ：",
    "DOTS": "..",
}
#: The type of each sign: ASCII, mathematical, and full-width signs of Chinese keyboards.
SIGNS = {sign: type for type, spellings in _SPELLINGS.items() for sign in spellings.split()}

#: Marks of writing direction, which make text look different from its content.
DIRECTION_MARKS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
#: Line ends that some editors show and others do not.
_HIDDEN_LINE_ENDS = "\x0b\x0c\x85\u2028\u2029"
#: Between words of rule text: blanks, also those of Chinese keyboards, and line ends.
_BLANKS = r" \t\r\n\xa0\u1680\u2000-\u200a\u202f\u205f\u3000"
#: Characters that end a bare word: blanks, ASCII signs except _-+.%/, general and full-width punctuation, invisible
#: characters.
_NOT_BARE = (
    r"\x00- !-$&-*,:-@\[-^`{-\xa0\xad\u061c\u1680\u180e\u2000-\u206f\u2212\u2260\u2264\u2265\u3000-\u3004\u3008-\u3020"
    r"\ud800-\udfff\ufe10-\ufe1f\ufe30-\ufe6f\ufeff\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\ufff0-\uffff"
    r"\U000e0000-\U000e0fff"
)
_TIMESTAMP = (
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?(?:Z|[+-][0-9]{2}(?::?[0-9]{2})?)?"
)
_FIGURE = rf"[^{_NOT_BARE}]+[ ](?:[+-]?(?:[0-9][0-9.e+-]*|inf)|-)"
_RULE_TEXT = "|".join(
    (
        rf"(?P<BLANK>(?:[{_BLANKS}]+|(?<![^\s(){{}}\[\],:])#[^\r\n{_HIDDEN_LINE_ENDS}{DIRECTION_MARKS}]*)+)",
        rf"(?P<FIRST_MATCH_WINS>(?i:first[ \t]+match[ \t]+wins)(?![^{_NOT_BARE}]))",
        rf"(?P<FIGURES>\([ ]?{_FIGURE}(?:,[ ]?{_FIGURE})*\))",
        r"(?P<RULE_NUMBER>[0-9]+[ \t]*[:：])",
        rf"(?P<WORD>{_TIMESTAMP}(?:\.\.{_TIMESTAMP})?(?![^{_NOT_BARE}])|[^{_NOT_BARE}]+)",
        rf'(?P<STRING>"[^"\\\r\n{DIRECTION_MARKS}]*(?:\\.[^"\\\r\n{DIRECTION_MARKS}]*)*")',
        r"(?P<SIGN><=|>=|!=|<>|==|＜＝|＞＝|！＝|[=<>≤≥≠＝＜＞(){}\[\],:（）｛｝［］，、：])",
        r"(?P<STRAY>[\s\S])",
    )
)


def _cell_pattern(*, wide: str, wide_signs: str, wide_strings: str, feel: bool) -> str:
    """Return the pattern of cells. Words with blanks between them are one WORD, which `or` ends except in FEEL."""
    character = rf"(?!\.\.|!=)[^\s,()\[\]<>=\"{wide}]"
    conjunction = rf"(?i:or)(?!{character})"
    bare = rf"(?:{character})+" if feel else rf"(?!{conjunction})(?:{character})+"
    string = rf'"(?:[^"\\]|\\.)*"{wide_strings}'
    call = rf"\s*[({'' if feel else '（'}]\s*(?:{string})\s*[){'' if feel else '）'}]"
    parts = (
        r"(?P<BLANK>\s+)",
        rf"(?P<DATE_CALL>date{call})",
        rf"(?P<TIMESTAMP_CALL>date\s+and\s+time{call})",
        *((r'(?P<AT>@\s*"(?:[^"\\]|\\.)*")',) if feel else ()),
        rf"(?P<STRING>{string})",
        rf"(?P<SIGN><=|>=|!=|\.\.|{wide_signs}[,()\[\]<>=])",
        *(() if feel else (rf"(?P<OR>{conjunction})",)),
        rf"(?P<WORD>{bare}(?:\s+{bare})*)",
        r"(?P<STRAY>.)",
    )
    return "|".join(parts)


@frozen(eq=False)
class Syntax:
    """A syntax of conditions: how text is divided into tokens, and the advice of its error messages."""

    #: one named group for each type of token; SIGN and STRAY are divided further afterwards
    pattern: re.Pattern[str]
    #: the type of each keyword, by its spelling
    keywords: Mapping[str, str]
    #: whether keywords are read in any case
    ignores_case: bool
    #: an example of each scalar, for messages
    examples: Mapping[str, str]
    #: advice for a quote that is not closed
    close_quote: str
    #: advice for a comparison of values without an order
    give_order: str
    #: whether words that are nearly numbers, and numbers that float64 would change, are errors
    is_strict: bool = False
    #: whether numeric categories may be compared by order if the domain has no unseen values
    orders_closed_categories: bool = True
    #: whether a bare word may be text
    bare_text: bool = True


RULE_TEXT = Syntax(
    pattern=re.compile(_RULE_TEXT),
    keywords={word.lower(): word for word in (*KEYWORDS, *DECLARATION_WORDS)},
    ignores_case=True,
    examples={
        "number": "a number, such as 2.5",
        "integer": "an integer of 64 bits, such as 7",
        "boolean": "true or false",
        "date": "a date, such as 2024-03-21",
        "timestamp": "a timestamp without a time zone, such as 2024-03-21 20:21:09",
        "timestamp_utc": "a timestamp with its time zone, such as 2024-03-21T20:21:09Z",
        "text": "text",
    },
    close_quote='close it on its line with "; write \\n for a new line',
    give_order="use = or in, or declare its order at the top: column NAME: ordinal S < M < L",
    is_strict=True,
    orders_closed_categories=False,
)
TABLE_CELL = Syntax(
    pattern=re.compile(
        _cell_pattern(
            wide="，、（）【】［］＜＞＝≤≥≠“”",
            wide_signs="[<>＜＞][=＝]|[!！][=＝]|[，、（）【】［］＜＞＝≤≥≠]|",
            wide_strings="|“[^”]*”",
            feel=False,
        ),
        re.DOTALL,
    ),
    keywords={**{state.lower(): state for state in STATES}, "null": "MISSING", "not": "NOT"},
    ignores_case=True,
    examples={
        "number": "a number such as 30 or 0.5",
        "integer": "an integer such as 30",
        "boolean": "true or false",
        "text": 'text, in double quotes unless it is a plain word, such as "a, b"',
        "date": "a date such as 2024-03-21",
        "timestamp": "a timestamp without a time zone, such as 2024-03-21 20:21:09",
        "timestamp_utc": "a timestamp with its time zone, such as 2024-03-21 20:21:09Z",
    },
    close_quote="close it",
    give_order="compare with a number or a date, list the values, or declare their order in a schema",
)
FEEL = Syntax(
    pattern=re.compile(_cell_pattern(wide="", wide_signs="", wide_strings="", feel=True), re.DOTALL),
    keywords={"null": "MISSING", "not": "NOT", "Not": "NOT", "NOT": "NOT"},
    ignores_case=False,
    examples={
        "number": "a number such as 30 or 0.5",
        "integer": "an integer such as 30",
        "boolean": "true or false",
        "text": 'text in double quotes, such as "a, b"',
        "date": 'date("2024-03-21")',
        "timestamp": 'date and time("2024-03-21T20:21:09")',
        "timestamp_utc": 'a timestamp with its time zone, such as date and time("2024-03-21T20:21:09Z")',
    },
    close_quote="close it",
    give_order="compare with a number or a date, list the values, or declare their order in a schema",
    bare_text=False,
)
