"""The words of a decision table's cell: literals, comparisons, brackets. Where each stands is kept for messages.

Chinese punctuation means what its plain twin does, outside of quotes: `（30..50］`, `青年、中年`, `≤30`.
"""

import re
from collections.abc import Iterator

from attrs import frozen


@frozen
class CellProblem(Exception):
    """A cell cannot be read: what is wrong, what to do, and where in the cell's text, from 0."""

    problem: str
    remedy: str
    offset: int = 0


@frozen
class Token:
    """A word of a cell.

    `kind`: string, date, moment, at (text in quotes, as what); word; literal (a word that is no text); sign; end.
    """

    kind: str
    text: str
    offset: int
    stop: int


_TWINS = dict(zip("，、（）【】［］＜＞＝≤≥≠", [*",,()[][]<>=", "<=", ">=", "!="], strict=True))
_PLAIN = r",()\[\]<>=\""
_WIDE = "，、（）【】［］＜＞＝≤≥≠“”"
_PATTERN = r"""(?P<blank>\s+)
    | (?P<string>"(?:[^"\\]|\\.)*"{wide_string})
    | (?P<sign><=|>=|!=|\.\.|[,()\[\]<>=]{wide_sign})
    | (?P<word>(?:(?!\.\.|!=)[^\s{not_word}])+)"""
_FLAGS = re.VERBOSE | re.DOTALL
_FEEL = re.compile(_PATTERN.format(wide_string="", wide_sign="", not_word=_PLAIN), _FLAGS)
_TABLE = re.compile(
    _PATTERN.format(
        wide_string="|“[^”]*”",
        wide_sign="|[<>＜＞][=＝]|[!！][=＝]|[，、（）【】［］＜＞＝≤≥≠]",
        not_word=_PLAIN + _WIDE,
    ),
    _FLAGS,
)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{6}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", '"': '"', "'": "'", "\\": "\\", "/": "/"}
#: FEEL's functions that make a value of text, and the token that they are.
_MAKERS = {"date": "date", "date and time": "moment"}


def tokens(text: str, *, feel: bool) -> list[Token]:
    """Return the words of a cell, with one of kind `end` behind them.

    Raises:
        CellProblem: a quote is left open, or a text has an escape that is none.

    >>> [token.text for token in tokens("(30..50] or missing", feel=False)]
    ['(', '30', '..', '50', ']', 'or', 'missing', '']
    """
    found = list(_raw(text, feel))
    return list(_joined(_made(found, feel), text, feel))


def _raw(text: str, feel: bool) -> Iterator[Token]:
    place, pattern = 0, _FEEL if feel else _TABLE
    while place < len(text):
        match = pattern.match(text, place)
        if match is None:
            if text[place] in '"“':
                raise CellProblem("a quote is opened and never closed", "close it", place)
            raise CellProblem(f"{text[place]!r} means nothing here", "put text that holds it in quotes", place)
        kind, said = str(match.lastgroup), match.group()
        if kind == "string":
            yield Token(kind, unescaped(said[1:-1], place + 1) if said[0] == '"' else said[1:-1], place, match.end())
        elif kind == "sign":
            yield Token(kind, "".join(_TWINS.get(c, "!" if c == "！" else c) for c in said), place, match.end())
        elif kind == "word":
            yield Token(kind, said, place, match.end())
        place = match.end()
    yield Token("end", "", len(text), len(text))


def _made(found: list[Token], feel: bool) -> list[Token]:
    """Return the tokens with `date("...")` and, in FEEL, `@"..."` as one token each."""
    made, place = list[Token](), 0
    while place < len(found):
        token = found[place]
        sizes = (3, 1) if token.kind == "word" else ()
        words = next((n for n in sizes if _name(found[place : place + n]) in _MAKERS), 0)
        rest = found[place + words : place + words + 3]
        if words and [t.text if t.kind == "sign" else t.kind for t in rest] == ["(", "string", ")"]:
            kind = _MAKERS[_name(found[place : place + words])]
            made.append(Token(kind, rest[1].text, token.offset, rest[2].stop))
            place += words + 3
        elif feel and token.text == "@" and found[place + 1].kind == "string":
            made.append(Token("at", found[place + 1].text, token.offset, found[place + 1].stop))
            place += 2
        else:
            made.append(token)
            place += 1
    return made


def _name(found: list[Token]) -> str:
    return " ".join(token.text if token.kind == "word" else "" for token in found)


def _joined(found: list[Token], text: str, feel: bool) -> Iterator[Token]:
    """Yield the tokens with words that stand beside each other as one, but for `or` between them."""
    run = list[Token]()
    for token in found:
        is_or = not feel and token.kind == "word" and token.text.lower() == "or"
        if token.kind == "word" and not is_or:
            run.append(token)
            continue
        if run:
            begin, stop = run[0].offset, run[-1].stop
            yield Token("word", text[begin:stop], begin, stop)
            run = []
        yield Token("sign", "or", token.offset, token.stop) if is_or else token


def unescaped(text: str, offset: int = 0) -> str:
    r"""Return what stands between the quotes of a text, its escapes read: \n \t \" \\ \u4e2d \U01F600.

    Raises:
        CellProblem: an escape is none of these.
    """

    def read(match: re.Match[str]) -> str:
        said = match.group(1)
        if len(said) > 1:
            code = int(said[1:], 16)
            if code <= 0x10FFFF:
                return chr(code)
        elif said in _ESCAPED:
            return _ESCAPED[said]
        raise CellProblem(
            f"{match.group()!r} is no escape",
            r"write \n, \t, \r, \", \\ or \u and four hexadecimal digits",
            offset + match.start(),
        )

    found = _ESCAPE.sub(read, text)
    if any("\ud800" <= c <= "\udbff" for c in found):  # two halves of one character, as JSON and FEEL write it
        found = found.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return found
