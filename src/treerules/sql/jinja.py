"""Jinja in SQL, as dbt writes it: where it stands, and the names that stand for it where SQL is parsed.

    SELECT "{{ column }}" FROM {{ ref('orders') }} {# a comment #} {% if other %} WHERE b {% endif %}

Jinja is read first, whatever quotes of SQL are around it. Its expressions become letters and the rest of it becomes
blanks, each character for a character, so that every position of the text is kept.
"""

import re
from collections.abc import Iterator, Sequence

from attrs import field, frozen
from jinja2 import Environment, TemplateError

from treerules._internal.field_converters import as_tuple

Span = tuple[int, int]


@frozen
class MaskedText:
    """A text without its Jinja.

    Attributes:
        text: The text, as long as the source, with letters for expressions and blanks for statements and comments.
        expressions: The places of `{{ ... }}`, start and end, in order.
        blanks: The places of statements and comments, in order.
        statements: The places of `{% ... %}`, in order, without those of `raw`, which change nothing.
    """

    text: str
    expressions: tuple[Span, ...] = field(default=(), converter=as_tuple)
    blanks: tuple[Span, ...] = field(default=(), converter=as_tuple)
    statements: tuple[Span, ...] = field(default=(), converter=as_tuple)


#: The letter that stands for each character of an expression.
_LETTER = "x"
_OPENING = re.compile(r"\{[{%#]")
_MARK = re.compile(r""""(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[{}]""", re.DOTALL)
_STATEMENT = re.compile(
    r"""\{%[-+]?\s*([a-z_]\w*)(?=[\s(]|[-+]?%\})(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|(?!%\}).)*?%\}""",
    re.DOTALL | re.IGNORECASE,
)
_END_OF_RAW = re.compile(r"\{%[-+]?\s*endraw\s*[-+]?%\}")
#: The words that make it likely that what looks like one expression is SQL between two texts with braces.
_SQL_WORD = re.compile(r"\b(?:case|when|then|else|end|select|from)\b", re.IGNORECASE)
#: The longest expression or statement, and how many openings without an end are tried.
_LONGEST = 50_000
_MOST_TRIALS = 100


def masked(text: str) -> MaskedText:
    """Return a text without its Jinja; a text without expressions and statements is returned as it is.

    >>> masked("SELECT {{ a }} {% if b %}").text
    'SELECT xxxxxxx           '
    >>> masked("SELECT '{{', 1 {# SQL without Jinja #}").text
    "SELECT '{{', 1 {# SQL without Jinja #}"
    """
    pieces = list(_pieces(text)) if "{{" in text or "{%" in text else []
    if not any(kind in "{%" for kind, _ in pieces):
        return MaskedText(text)
    parts, position = list[str](), 0
    for kind, (start, end) in pieces:
        parts += [text[position:start], _LETTER * (end - start) if kind == "{" else _blank(text[start:end])]
        position = end
    expressions, others, statements = ([span for kind, span in pieces if kind in kinds] for kinds in ("{", "%#r", "%"))
    return MaskedText("".join([*parts, text[position:]]), expressions, others, statements)


def _blank(text: str) -> str:
    return re.sub(r"[^\n\r]", " ", text)


def _pieces(text: str) -> Iterator[tuple[str, Span]]:
    """Yield the kind and the place of each piece: "{" an expression, "%" a statement, "r" of raw, "#" a comment."""
    position, trials = 0, 0
    while (opening := _OPENING.search(text, position)) is not None and trials < _MOST_TRIALS:
        start, kind = opening.start(), opening[0][1]
        end, position = _ENDS[kind](text, start), start + 2
        if not end:
            trials += 1
            continue
        position = end
        if kind != "%" or not _is_raw(text, start):
            yield kind, (start, end)
            continue
        yield "r", (start, end)
        if (last := _END_OF_RAW.search(text, end)) is not None:
            yield "r", last.span()
            position = last.end()


def _is_raw(text: str, start: int) -> bool:
    return re.compile(r"\{%[-+]?\s*raw\b").match(text, start) is not None


def _end_of_expression(text: str, start: int) -> int:
    """Return where an expression ends; 0 if this is not one."""
    depth, end = 0, 0
    for mark in _MARK.finditer(text, start + 2, start + _LONGEST):
        if mark[0] == "{":
            depth += 1
        elif mark[0] == "}" and depth:
            depth -= 1
        elif mark[0] == "}":
            end = mark.end() + 1 if text.startswith("}}", mark.start()) else 0
            break
    return end if end and _is_expression(text, start, end) else 0


def _is_expression(text: str, start: int, end: int) -> bool:
    """Return whether this is an expression, and not SQL between two texts, as in `x = '{{' OR x = '}}'`."""
    inside = text[start + 2 : end - 2].strip("-+ \t\r\n")
    if not inside or (inside[0] in "'\"" and text[start - 1 : start] == text[start + 2] == inside[0]):
        return False
    if not _SQL_WORD.search(inside):
        return True
    try:
        Environment().parse(text[start:end])
    except (TemplateError, RecursionError):
        return False
    return True


def _end_of_statement(text: str, start: int) -> int:
    statement = _STATEMENT.match(text, start, start + _LONGEST)
    return statement.end() if statement is not None else 0


def _end_of_comment(text: str, start: int) -> int:
    return text.find("#}", start + 2) + 2 if text.find("#}", start + 2) >= 0 else 0


_ENDS = {"{": _end_of_expression, "%": _end_of_statement, "#": _end_of_comment}


def overlaps(spans: Sequence[Span], start: int, end: int, first: int = 0) -> bool:
    """Return whether one of the places in order, from the one numbered `first`, overlaps a place."""
    return first < len(spans) and spans[first][0] < end and spans[first][1] > start


# ---- names that stand for expressions

_PREFIX = "treerules_jinja_"
_STAND_IN = re.compile(rf"{_PREFIX}([0-9a-f]*)", re.IGNORECASE)


def stand_in(text: str) -> str:
    """Return the name that stands for a text with Jinja: equal for equal texts alone, and the text can be had back.

    >>> with_jinja(f"lower({stand_in('{{ x }}')})")
    'lower({{ x }})'
    """
    return _PREFIX + text.encode("utf-8", "surrogatepass").hex()


def has_stand_in(text: str) -> bool:
    """Return whether a name that stands for Jinja, or could be taken for one, is in a text."""
    return _PREFIX in text or _PREFIX in text.lower()


def with_jinja(text: str) -> str:
    """Return a text with the Jinja for which the names in it stand."""
    return _STAND_IN.sub(_original, text) if has_stand_in(text) else text


def _original(name: re.Match[str]) -> str:
    try:
        return bytes.fromhex(name[1]).decode("utf-8", "surrogatepass")
    except ValueError:
        return name[0]
