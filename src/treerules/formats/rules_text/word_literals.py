"""What single words mean: as they look, and as values of a column."""

import re
from typing import Any

from treerules._internal.conversion import parse_boolean, parse_date, parse_integer, parse_number, parse_timestamp
from treerules.data.schema import Feature, Kind
from treerules.errors import listed
from treerules.formats.rules_text.lexer import Source, Token, hint_at, shown, text_of

_DAY = r"[0-9]{4}(?:-[0-9]{2}-[0-9]{2}|/[0-9]{1,2}/[0-9]{1,2})"
_MOMENT = r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[^Z+-]*"
_NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?[iI]nf(?:inity)?"
#: How bare words look, by the scalar whose values look so.
_LOOKS = (
    ("number", re.compile(_NUMBER)),
    ("date", re.compile(_DAY)),
    ("timestamp", re.compile(_MOMENT)),
    ("timestamp_utc", re.compile(_MOMENT + "(?:Z|[+-].*)")),
    ("boolean", re.compile("true|false", re.IGNORECASE | re.ASCII)),
)
_INTEGER = re.compile("0|-?[1-9][0-9]{0,18}")
#: A value of each scalar, for messages.
EXAMPLES = {
    "number": "a number, such as 2.5",
    "integer": "an integer of 64 bits, such as 7",
    "boolean": "true or false",
    "date": "a date, such as 2024-03-21",
    "timestamp": "a timestamp without a time zone, such as 2024-03-21 20:21:09",
    "timestamp_utc": "a timestamp with its time zone, such as 2024-03-21T20:21:09Z",
    "text": "text",
}


def look(token: Token) -> str:
    """Return what a word looks like, a key of SCALARS: text in quotes, and what looks like nothing else.

    >>> [look(Token("PLAIN", text)) for text in ("1e3", "inf", "2024/3/21", "2024-03-21 20:21", "True", "007", "1_000")]
    ['number', 'number', 'date', 'timestamp', 'boolean', 'number', 'text']
    """
    if token.type != "PLAIN":
        return "text"
    return looks_like(token)


def looks_like(text: str) -> str:
    """Return what bare text looks like, a key of SCALARS."""
    return next((scalar for scalar, pattern in _LOOKS if pattern.fullmatch(text)), "text")


def looks_like_integers(words: list[Token]) -> bool:
    """Whether all words are integers in their one spelling: 007 is none."""
    return all(token.type == "PLAIN" and _INTEGER.fullmatch(token) for token in words)


def value_of(source: Source, token: Token, scalar: str, column: str) -> Any:
    """Return a word as a value of a scalar.

    Raises:
        ParseError: it is none.
    """
    if scalar == "text":
        return text_of(source, token)
    value = None if token.type == "STRING" else _READ[scalar](str(token))
    if value is None:
        problem = f"column {column!r} holds {_PLURALS[scalar]}, and {shown(token)} is none"
        raise source.error(token.start_pos, problem, f"write {EXAMPLES[scalar]}")
    if scalar == "number":
        _require_held(source, token, value)
    return value


_PLURALS = {
    "number": "numbers",
    "integer": "integers",
    "boolean": "booleans",
    "date": "dates",
    "timestamp": "timestamps without a time zone",
    "timestamp_utc": "timestamps with a time zone",
}


def _moment(zoned: bool) -> Any:
    def read(text: str) -> Any:
        return parse_timestamp(re.sub(r"(?<=[+-]\d\d)(?=\d\d$)", ":", text) if zoned else text, zoned)

    return read


_READ = {
    "number": parse_number,
    "integer": parse_integer,
    "boolean": parse_boolean,
    "date": parse_date,
    "timestamp": _moment(False),
    "timestamp_utc": _moment(True),
}


def _require_held(source: Source, token: Token, value: float) -> None:
    """Raise where a number would silently become another one: an infinity, zero, a neighbouring integer."""
    text = token.lower()
    digits = text.lstrip("+-").partition("e")[0]
    if abs(value) == float("inf") and "inf" not in text:
        raise source.error(token.start_pos, f"{shown(token)} is too large for a number of float64", "write inf")
    if value == 0.0 and digits.strip("0.") and "inf" not in text:
        raise source.error(token.start_pos, f"{shown(token)} is too small for a number of float64", "write 0")
    if len(digits) > 15 and digits.isdecimal() and "e" not in text and int(value) != int(text):
        remedy = "declare the column as integers: column NAME: integer"
        raise source.error(token.start_pos, f"{shown(token)} has more digits than a number of float64 holds", remedy)


def range_of(token: Token) -> tuple[Token, Token] | None:
    """Return the two ends of a range such as 3..5; None of a word that is none.

    >>> range_of(Token("PLAIN", "0.5..-2e3")), range_of(Token("PLAIN", "a..b"))
    (('0.5', '-2e3'), None)
    """
    for found in re.finditer(r"\.\.", token):
        first, last = token[: found.start()], token[found.end() :]
        if "text" not in (looks_like(first), looks_like(last)):
            place = token.start_pos
            return Token("PLAIN", first, place), Token("PLAIN", last, place + found.end())
    return None


def category_of(source: Source, token: Token, feature: Feature) -> Any:
    """Return a word as one of a feature's categories.

    Raises:
        ParseError: it is none; the error names the closest.
    """
    value = value_of(source, token, feature.scalar, feature.name)
    if feature.position(value) is None:
        known = [str(category) for category in feature.categories]
        what = "levels" if feature.kind is Kind.ORDINAL else "categories"
        problem = f"{shown(token)} is none of the {what} of column {feature.name!r}"
        remedy = f"{hint_at(str(value), known)}they are {listed(feature.categories)}" if known else "it has none"
        raise source.error(token.start_pos, problem, remedy)
    return value
