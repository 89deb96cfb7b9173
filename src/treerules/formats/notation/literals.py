"""Literals: the values of words and quoted texts, with or without a known column.

A scalar is here the name of a type of values, a key of `data.schema.SCALARS`: number, integer, boolean, text, date,
timestamp, timestamp_utc.
"""

import re
from collections.abc import Sequence
from typing import Any

from treerules._internal.conversion import parse_boolean, parse_date, parse_integer, parse_number, parse_timestamp
from treerules.data.schema import Feature
from treerules.errors import did_you_mean, listed
from treerules.formats.notation.lexer import RuleToken, SourceText, token_repr

_DATE = r"[0-9]{4}(?:-[0-9]{2}-[0-9]{2}|/[0-9]{1,2}/[0-9]{1,2})"
_TIMESTAMP_PATTERN = r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[^Z+-]*"
_NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?[iI]nf(?:inity)?"
#: The pattern of a bare word, by the scalar whose values match it.
_SHAPES = (
    ("number", re.compile(_NUMBER)),
    ("date", re.compile(_DATE)),
    ("timestamp", re.compile(_TIMESTAMP_PATTERN)),
    ("timestamp_utc", re.compile(_TIMESTAMP_PATTERN + "(?:Z|[+-].*)")),
    ("boolean", re.compile("true|false", re.IGNORECASE | re.ASCII)),
)
_INTEGER = re.compile("0|-?[1-9][0-9]{0,18}")
_TIMESTAMP_SCALARS = ("timestamp", "timestamp_utc")
#: The scalars that a token of each type may have. A WORD may also be text; a STRING or a keyword is only text.
_SCALARS_BY_TOKEN = {
    "WORD": ("number", "integer", "boolean", "date", *_TIMESTAMP_SCALARS),
    "DATE_CALL": ("date",),
    "TIMESTAMP_CALL": _TIMESTAMP_SCALARS,
    "AT": ("date", *_TIMESTAMP_SCALARS),
}
_PLURALS = {
    "number": "numbers",
    "integer": "integers",
    "boolean": "booleans",
    "date": "dates",
    "timestamp": "timestamps without a time zone",
    "timestamp_utc": "timestamps with a time zone",
    "text": "text",
}
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|“[^”]*”', re.DOTALL)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{6}|.|$)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", '"': '"', "'": "'", "\\": "\\", "/": "/"}


def token_text(source: SourceText, token: RuleToken) -> str:
    """Return the text of a token.

    That of a string, or of date("...") and the like, is the text between the quotes, with escapes resolved; that of a
    word or keyword is the token itself.

    Raises:
        ParseError: an escape has no meaning, or a bare word of rule text is nearly a number.
    """
    if token.type == "WORD":
        if source.syntax.is_strict and _is_nearly_number(token.text):
            remedy = "write it with the digits 0 to 9 and a point, or in double quotes if it is text"
            raise source.error(f"{token_repr(token)} is nearly a number", remedy, token.start)
        return token.text
    quoted = _QUOTED.search(token.text) if token.type == "STRING" or token.type in _SCALARS_BY_TOKEN else None
    if quoted is None:  # a keyword of rule text is an ordinary name here
        return token.text
    inner = quoted.group()[1:-1]
    has_escapes = "\\" in inner and quoted.group()[0] == '"'
    return resolve_escapes(source, inner, token.start + quoted.start() + 1) if has_escapes else inner


def resolve_escapes(source: SourceText, text: str, position: int) -> str:
    r"""Return the text between two quotes, with escapes resolved: \n \t \r \b \f \" \' \\ \/ \u4e2d \U01F600.

    \u has four hexadecimal digits and \U six. `position` is the start of `text` in the source.

    Raises:
        ParseError: the text has another escape.
    """

    def resolve(match: re.Match[str]) -> str:
        escape = match.group(1)
        if len(escape) > 1 and int(escape[1:], 16) <= 0x10FFFF:
            return chr(int(escape[1:], 16))
        if escape in _ESCAPED:
            return _ESCAPED[escape]
        remedy = r"write \" for a quote, \\ for a backslash, \n for a new line, \u4e2d for a character by its code"
        raise source.error(f"the escape {match.group()!r} has no meaning", remedy, position + match.start())

    resolved = _ESCAPE.sub(resolve, text)
    if any("\ud800" <= c <= "\udbff" for c in resolved):  # surrogate pairs, which JSON and FEEL allow
        resolved = resolved.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return resolved


def _is_nearly_number(text: str) -> bool:
    """Return whether `float` reads a bare word that rule text does not read as a number: full-width digits, 1_000,
    nan.
    """
    if text.isascii() and "_" not in text and text.lower().lstrip("+-") != "nan":
        return False
    try:
        float(text)
    except ValueError:
        return False
    return True


def literal_scalar(source: SourceText, token: RuleToken) -> str:
    """Return the scalar of a token in a column of unknown type; it is never "integer".

    It is "text" for a quoted string, a keyword, and a word without the shape of another scalar. date("...") and the
    like have the scalar of the text between their quotes.

    In a cell, a word with the shape of a date that does not exist is text; in rule text it is an error later.
    """
    if token.type == "WORD":
        return "text" if not source.syntax.is_strict and is_text(token.text) else scalar_by_shape(token.text)
    return scalar_by_shape(token_text(source, token)) if token.type in _SCALARS_BY_TOKEN else "text"


def scalar_by_shape(text: str) -> str:
    """Return the scalar whose shape bare text has; it is never "integer".

    >>> [scalar_by_shape(text) for text in ("1e3", "inf", "2024/3/21", "2024-03-21 20:21", "True", "007", "1_000")]
    ['number', 'number', 'date', 'timestamp', 'boolean', 'number', 'text']
    """
    return next((scalar for scalar, shape in _SHAPES if shape.fullmatch(text)), "text")


def is_text(text: str) -> bool:
    """Return whether a bare word in a cell is text: it is not a number, boolean, date or timestamp."""
    scalar = scalar_by_shape(text)
    return scalar == "text" or _READERS[scalar](text) is None


def are_integers(words: Sequence[RuleToken]) -> bool:
    """Return whether all tokens are integers in canonical spelling; 007 is not."""
    return all(token.type == "WORD" and _INTEGER.fullmatch(token.text) for token in words)


def parsed_literal(source: SourceText, token: RuleToken, scalar: str) -> Any:
    """Return the value of a token as type `scalar`, or None if it is not of that type.

    Raises:
        ParseError: as `token_text` does.
    """
    if scalar == "text":
        may_be_text = source.syntax.bare_text if token.type == "WORD" else token.type not in _SCALARS_BY_TOKEN
        return token_text(source, token) if may_be_text else None
    if scalar not in _SCALARS_BY_TOKEN.get(token.type, ()):
        return None
    return _READERS[scalar](token.text if token.type == "WORD" else token_text(source, token))


def _timestamp(text: str) -> Any:
    return parse_timestamp(text, zoned=False)


def _timestamp_utc(text: str) -> Any:
    """Parse a timestamp with a zone, also one without a colon: +0800 is read as +08:00."""
    return parse_timestamp(re.sub(r"(?<=[+-]\d\d)(?=\d\d$)", ":", text), zoned=True)


_READERS = {
    "number": parse_number,
    "integer": parse_integer,
    "boolean": parse_boolean,
    "date": parse_date,
    "timestamp": _timestamp,
    "timestamp_utc": _timestamp_utc,
}


def literal_value(source: SourceText, token: RuleToken, scalar: str, column: str) -> Any:
    """Return a token as a value of a column of this scalar.

    Raises:
        ParseError: the token is not such a value.
    """
    value = parsed_literal(source, token, scalar)
    if value is None:
        problem = f"{token_repr(token)} is not a value of column {column!r}, which holds {_PLURALS[scalar]}"
        raise source.error(problem, f"write {source.syntax.examples[scalar]}", token.start)
    if scalar == "number" and source.syntax.is_strict:
        _require_exact(source, token, value)
    return value


def _require_exact(source: SourceText, token: RuleToken, value: float) -> None:
    """Raise for a number that float64 would change: to an infinity, to zero, or to a neighbouring integer.

    The last is checked only of a number without a point or an exponent.

    Raises:
        ParseError: the number would change.
    """
    text = token.text.lower()
    digits = text.lstrip("+-").partition("e")[0]
    if abs(value) == float("inf") and "inf" not in text:
        problem = f"{token_repr(token)} is too large for a number of float64"
        raise source.error(problem, f"write {value!r}", token.start)
    if value == 0.0 and digits.strip("0.") and "inf" not in text:
        raise source.error(f"{token_repr(token)} is too small for a number of float64", "write 0", token.start)
    if len(digits) > 15 and digits.isdecimal() and "e" not in text and int(value) != int(text):
        remedy = "declare the column as integers: column NAME: integer"
        raise source.error(f"{token_repr(token)} has more digits than a number of float64 holds", remedy, token.start)


def range_ends(token: RuleToken) -> tuple[RuleToken, RuleToken] | None:
    """Return the two ends of a word such as 30..50; None for any other word.

    >>> range_ends(RuleToken("WORD", "0.5..-2e3", 0)), range_ends(RuleToken("WORD", "a..b", 0))
    ((RuleToken(type='WORD', text='0.5', start=0), RuleToken(type='WORD', text='-2e3', start=5)), None)
    """
    for dots in re.finditer(r"\.\.", token.text):
        low, high = token.text[: dots.start()], token.text[dots.end() :]
        if "text" not in (scalar_by_shape(low), scalar_by_shape(high)):
            return RuleToken("WORD", low, token.start), RuleToken("WORD", high, token.start + dots.end())
    return None


def literal_category(source: SourceText, token: RuleToken, feature: Feature, *, is_target: bool = False) -> Any:
    """Return a token as one of a feature's categories, or as one of a target's classes.

    Raises:
        ParseError: the token is not one of them; the error names the closest one.
    """
    value = literal_value(source, token, feature.scalar, feature.name)
    if feature.position(value) is None:
        names = [str(category) for category in feature.categories]
        remedy = (
            f"{did_you_mean_quickly(str(value), names)}known: {listed(feature.categories)}" if names else "it has none"
        )
        subject = f"target {feature.name!r} has no class" if is_target else f"column {feature.name!r} has no category"
        raise source.error(f"{subject} {token_repr(token)}", remedy, token.start)
    return value


def did_you_mean_quickly(name: str, names: Sequence[str], n_searched: int = 1) -> str:
    """Return the hint "did you mean ...? " for the most similar of `names`, or "" if none is similar.

    Names of over 100 characters are not compared. Above 100,000 comparisons only names that differ in upper and lower
    case alone are found. `n_searched` is the number of names that are looked for: each is compared with every one of
    `names`.
    """
    if len(name) > 100 or n_searched * len(names) > 100_000:
        names = [other for other in names if other.casefold() == name.casefold()]
    return did_you_mean(name, [other for other in names if len(other) <= 100])
