"""The lexer of SQL: words, names, texts, numbers and symbols of a dialect, with their places; no grammar.

    SELECT "a b", N'it''s' -- why      word SELECT, name "a b", symbol ",", text N'it''s'

What opens and closes names, texts and comments are the `LexicalRules` of the dialect.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple

from attrs import fields, frozen

TokenKind = Literal["word", "name", "text", "number", "symbol", "unclosed"]
#: The groups of a pattern that are tokens; the others are comments.
_KINDS: dict[str, TokenKind] = {
    "word": "word", "name": "name", "text": "text", "number": "number", "symbol": "symbol", "unclosed": "unclosed",
}  # fmt: skip


@frozen(kw_only=True, repr=False)
class LexicalRules:
    """How a dialect quotes names and texts, and what a comment is. `LexicalRules()` is standard SQL.

    Attributes:
        name_quotes: The characters that open a quoted name; "[" is closed by "]". A closing one is doubled inside.
        text_quotes: The characters that open and close a text.
        doubled_quotes: Whether a doubled quote stands for one inside a text; elsewhere two texts stand side by side.
        backslash_escapes: Whether a backslash escapes the next character of a text.
        backslash_in_names: Whether it does so in a quoted name.
        prefixes: The letters that may stand before a text, such as N'...'.
        escaping_prefixes: The letters of texts in which backslashes escape, such as E'...'.
        raw_prefixes: The letters of texts that end at the first quote, such as r'...'.
        triple_quotes: Whether three quotes open a text that three close.
        dollar_texts: Whether $$...$$ is a text ("plain"), and $tag$...$tag$ too ("tagged").
        q_texts: Whether q'[...]' is a text, with brackets or any other character.
        line_comments: What opens a comment to the end of the line.
        dashes_need_blank: Whether "--" opens a comment only before a blank.
        comments_pass_returns: Whether a comment to the end of the line goes on after a carriage return.
        nested_comments: Whether /* */ may stand in /* */.
        name_characters: The characters besides letters, digits, "_" and "$" that an unquoted name may hold.
        digit_names: Whether an unquoted name may begin with a digit.
    """

    name_quotes: str = '"'
    text_quotes: str = "'"
    doubled_quotes: bool = True
    backslash_escapes: bool = False
    backslash_in_names: bool = False
    prefixes: str = "n"
    escaping_prefixes: str = ""
    raw_prefixes: str = ""
    triple_quotes: bool = False
    dollar_texts: Literal["", "plain", "tagged"] = ""
    q_texts: bool = False
    line_comments: tuple[str, ...] = ("--",)
    dashes_need_blank: bool = False
    comments_pass_returns: bool = False
    nested_comments: bool = True
    name_characters: str = ""
    digit_names: bool = False

    def __repr__(self) -> str:
        others = (
            f"{a.name}={getattr(self, a.name)!r}" for a in fields(LexicalRules) if getattr(self, a.name) != a.default
        )
        return f"LexicalRules({', '.join(others)})"


class SqlToken(NamedTuple):
    """A token and its place: `text[start:end]` of the lexed text."""

    kind: TokenKind
    text: str
    start: int
    end: int
    #: whether Jinja stands in it, so that what it spells is not known
    has_jinja: bool = False

    @property
    def word(self) -> str:
        """A keyword in capitals, or a symbol; "" of anything else."""
        if self.has_jinja:
            return ""
        return self.text.upper() if self.kind == "word" else self.text if self.kind == "symbol" else ""

    @property
    def is_name(self) -> bool:
        """Whether it may be a name, quoted or not."""
        return self.kind in ("name", "word")

    @property
    def name(self) -> str:
        """The name that it spells, without quotes."""
        if self.kind != "name":
            return self.text
        closing = _CLOSING.get(self.text[0], self.text[0])
        return self.text[1:-1].replace(closing * 2, closing)

    @property
    def is_empty_text(self) -> bool:
        """Whether it is '', the text of no characters, without a prefix."""
        return self.kind == "text" and len(self.text) == 2


_CLOSING = {"[": "]"}


def closing_of(opening: str) -> str:
    """Return what closes a name or a text that something opens.

    >>> closing_of("["), closing_of("E'")
    (']', "'")
    """
    return _CLOSING.get(opening, opening if len(set(opening)) == 1 or opening[0] == "$" else opening[-1])


#: The characters that end an unquoted name.
_SPECIAL = "()[]{}&^:,.-=><%!|+;/\\*~?@#'`\""


def tokens_of(text: str, rules: LexicalRules) -> Iterator[SqlToken]:
    """Yield the tokens of a text, without blanks and comments.

    A quote or comment that is not closed gives a token "unclosed" of what opens it, and the text behind goes on.

    >>> [(token.kind, token.text) for token in tokens_of("a.\\"b\\" <> 'it''s' -- no", LexicalRules())]
    [('word', 'a'), ('symbol', '.'), ('name', '"b"'), ('symbol', '<'), ('symbol', '>'), ('text', "'it''s'")]
    """
    match = _pattern(rules).match
    comment_ends: dict[int, int] | None = None
    position = 0
    while (token_match := match(text, position)) is not None:
        kind = token_match.lastgroup or ""
        start, position = token_match.span(kind)
        if kind == "block" and rules.nested_comments and text[start] == "/":
            comment_ends = _ends_of_comments(text) if comment_ends is None else comment_ends
            kind, position = (kind, comment_ends[start]) if start in comment_ends else ("unclosed", start + 2)
        if kind in _KINDS:
            yield SqlToken(_KINDS[kind], text[start:position], start, position)


def _ends_of_comments(text: str) -> dict[int, int]:
    """Return where each comment ends in which others may stand, by its start; those that are not closed have no end."""
    ends, starts = dict[int, int](), list[int]()
    for mark in _MARK.finditer(text):
        if mark[0] == "/*":
            starts.append(mark.start())
        elif starts:
            ends[starts.pop()] = mark.end()
    return ends


_MARK = re.compile(r"/\*|\*/")


@cache
def _pattern(rules: LexicalRules) -> re.Pattern[str]:
    """Return the pattern of blanks and a token; what it matches is the last group."""
    special, inner = (re.escape("".join(c for c in _SPECIAL if c not in more)) for more in ("", rules.name_characters))
    word = rf"[^\s\d{special}][^\s{inner}]*"
    number = r"0[xX][0-9a-fA-F]+|\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d+)?"
    digit_name = rf"\d+(?![eE][+-]?\d)(?!(?:[LSYDFlsydf]|BD|bd)(?:[\s{inner}]|\Z))(?=[^\W\d])[^\s{inner}]*"
    words = f"{digit_name}|{word}" if rules.digit_names else word
    parts = {
        "line": _line_comment(rules),
        "block": r"/\*.*?\*/|\{\#.*?\#\}" if not rules.nested_comments else r"/\*|\{\#.*?\#\}",
        "text": _text(rules),
        "name": "|".join(_name(quote, rules) for quote in rules.name_quotes),
        "unclosed": _opening(rules),
        "word": words,
        "number": number,
        "symbol": r"->>|<->|->|.",
    }
    return re.compile(r"\s*(?:" + "|".join(f"(?P<{kind}>{part})" for kind, part in parts.items()) + ")", re.DOTALL)


def _opening(rules: LexicalRules) -> str:
    """Return the pattern of what opens a text, a name or a comment: where it matches, nothing closes it."""
    quotes = "".join(map(re.escape, rules.text_quotes + rules.name_quotes))
    letters = rules.escaping_prefixes + ("q" if rules.q_texts else "")
    prefixed = f"|[{letters}{letters.upper()}]'" if letters else ""
    dollars = {"": "", "plain": r"|\$\$", "tagged": r"|\$(?:[^\W\d]\w*)?\$"}[rules.dollar_texts]
    return rf"[{quotes}]|/\*|\{{\#" + prefixed + dollars


def _line_comment(rules: LexicalRules) -> str:
    blank = r"(?=[\s\x00-\x1f\x7f]|\Z)" if rules.dashes_need_blank else ""
    openings = [re.escape(opening) + (blank if opening == "--" else "") for opening in rules.line_comments]
    return f"(?:{'|'.join(openings)})" + (r"[^\n]*" if rules.comments_pass_returns else r"[^\n\r]*")


def _name(quote: str, rules: LexicalRules) -> str:
    opens, closes = re.escape(quote), re.escape(_CLOSING.get(quote, quote))
    backslash = r"\\." if rules.backslash_in_names else r"\\"
    return rf"{opens}(?:[^{closes}\\]|{closes}{closes}|{backslash})*{closes}"


def _text(rules: LexicalRules) -> str:
    """Return the pattern of all texts."""
    patterns = []
    if rules.q_texts:
        brackets = r"\[.*?\]'|\{.*?\}'|\(.*?\)'|<.*?>'"
        patterns.append(rf"[nN]?[qQ]'(?:{brackets}|(?P<mark>[^\s]).*?(?P=mark)')")
    for quote in rules.text_quotes:
        triples = [quote * 3] if rules.triple_quotes else []
        for opening in [*triples, quote]:
            patterns.append(_prefixed(rules.raw_prefixes, rf"{opening}.*?{opening}", needs_prefix=True))
            escaped = _closed_text(opening, has_doubled=True, has_escapes=True)
            patterns.append(_prefixed(rules.escaping_prefixes, escaped, needs_prefix=True))
            plain = _closed_text(opening, has_doubled=rules.doubled_quotes, has_escapes=rules.backslash_escapes)
            is_single = rules.triple_quotes and opening == quote
            patterns.append(_prefixed(rules.prefixes, f"(?!{quote * 3}){plain}" if is_single else plain))
    if rules.dollar_texts:
        tag = r"(?P<tag>(?:[^\W\d]\w*)?)" if rules.dollar_texts == "tagged" else "(?P<tag>)"
        patterns.append(rf"\${tag}\$.*?\$(?P=tag)\$")
    return "|".join(filter(None, patterns))


def _prefixed(letters: str, pattern: str, *, needs_prefix: bool = False) -> str:
    """Return a pattern behind a letter; "" where it needs one and there is none."""
    if not letters:
        return "" if needs_prefix else pattern
    either = f"[{letters.lower()}{letters.upper()}]"
    return f"{either}{'' if needs_prefix else '?'}{pattern}"


def _closed_text(quote: str, *, has_doubled: bool, has_escapes: bool) -> str:
    """Return the pattern of a text from one quote to the next that is neither doubled nor escaped."""
    if len(quote) > 1:
        return rf"{quote}(?:\\.|[^\\])*?{quote}" if has_escapes else f"{quote}.*?{quote}"
    others = rf"[^{quote}\\]" if has_escapes else f"[^{quote}]"
    escapes = ([quote * 2] if has_doubled else []) + ([r"\\."] if has_escapes else [])
    more = f"(?:(?:{'|'.join(escapes)}){others}*)*" if escapes else ""
    return f"{quote}{others}*{more}{quote}"
