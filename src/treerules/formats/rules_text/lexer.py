"""The words and signs of rules as people write them, each with its place."""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

from attrs import field, frozen

from treerules._internal.unicode import is_shown
from treerules.errors import ParseError, did_you_mean

#: Words that no name or value may be, but in quotes; in any case.
KEYWORDS = {
    word: word.upper()
    for word in (
        *("if", "then", "and", "or", "not", "in", "is", "always", "otherwise"),
        *("missing", "unseen", "known", "nothing"),
    )
}
#: Words of declarations, which are names and values elsewhere.
DECLARING = {
    word: word.upper()
    for word in (
        *("column", "target", "ordered", "of", "never", "open", "closed"),
        *("number", "integer", "date", "timestamp", "timestamp_utc", "boolean", "category", "ordinal", "text"),
    )
}
_TYPES = {**KEYWORDS, **DECLARING}
#: Signs, in ASCII, in mathematics and as Chinese keyboards give them.
SIGNS = {
    **dict.fromkeys(("=", "==", "＝"), "EQUAL"),
    **dict.fromkeys(("!=", "<>", "≠", "！＝"), "UNEQUAL"),
    **dict.fromkeys(("<=", "≤", "＜＝"), "MOST"),
    **dict.fromkeys((">=", "≥", "＞＝"), "LEAST"),
    **dict.fromkeys(("<", "＜"), "LESS"),
    **dict.fromkeys((">", "＞"), "MORE"),
    **dict.fromkeys(("(", "（"), "LPAR"),
    **dict.fromkeys((")", "）"), "RPAR"),
    **dict.fromkeys(("[", "［"), "LEFT_CLOSED"),
    **dict.fromkeys(("]", "］"), "RIGHT_CLOSED"),
    **dict.fromkeys(("{", "｛"), "LBRACE"),
    **dict.fromkeys(("}", "｝"), "RBRACE"),
    **dict.fromkeys((",", "，", "、"), "COMMA"),
    **dict.fromkeys((":", "："), "COLON"),
}
#: Marks of direction: text that holds one is not what it looks like.
_DIRECTIONS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
#: Line ends that some editors show and others do not.
_HIDDEN_ENDS = "\x0b\x0c\x85\u2028\u2029"
#: What stands between words: blanks, also those of Chinese keyboards, and line ends.
_BLANKS = r" \t\r\n\xa0\u1680\u2000-\u200a\u202f\u205f\u3000"
#: What no bare word holds: blanks, ASCII signs but _-+.%/, general and full-width punctuation, what is not seen.
_NOT_PLAIN = (
    r"\x00- !-$&-*,:-@\[-^`{-\xa0\xad\u061c\u1680\u180e\u2000-\u206f\u2212\u2260\u2264\u2265\u3000-\u3004\u3008-\u3020"
    r"\ud800-\udfff\ufe10-\ufe1f\ufe30-\ufe6f\ufeff\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\ufff0-\uffff"
    r"\U000e0000-\U000e0fff"
)
_MOMENT = (
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?(?:Z|[+-][0-9]{2}(?::?[0-9]{2})?)?"
)
_FIGURE = rf"[^{_NOT_PLAIN}]+[ ](?:[+-]?(?:[0-9][0-9.e+-]*|inf)|-)"
_TOKEN = re.compile(
    "|".join(
        (
            rf"(?P<BLANK>(?:[{_BLANKS}]+|(?<![^\s(){{}}\[\],:])#[^\r\n{_HIDDEN_ENDS}{_DIRECTIONS}]*)+)",
            rf"(?P<FIRST_MATCH_WINS>(?i:first[ \t]+match[ \t]+wins)(?![^{_NOT_PLAIN}]))",
            rf"(?P<FIGURES>\([ ]?{_FIGURE}(?:,[ ]?{_FIGURE})*\))",
            r"(?P<RULE_NUMBER>[0-9]+[ \t]*[:：])",
            rf"(?P<PLAIN>{_MOMENT}(?:\.\.{_MOMENT})?(?![^{_NOT_PLAIN}])|[^{_NOT_PLAIN}]+)",
            rf'(?P<STRING>"[^"\\\r\n{_DIRECTIONS}]*(?:\\.[^"\\\r\n{_DIRECTIONS}]*)*")',
            r"(?P<SIGN><=|>=|!=|<>|==|＜＝|＞＝|！＝|[=<>≤≥≠＝＜＞(){}\[\],:（）｛｝［］，、：])",
            r"(?P<STRAY>[\s\S])",
        )
    )
)
_LINE_END = re.compile(r"\r\n|\r|\n")
#: A longer line is not shown in an error.
_WIDEST = 160


class Token(str):
    """A word or sign as it stands in a text, with its type in the grammar and its place: what lark takes for one."""

    __slots__ = ("start_pos", "type")
    type: str
    start_pos: int
    line = column = end_line = end_column = end_pos = None

    def __new__(cls, type: str, value: str, start_pos: int = 0) -> "Token":
        """Return the word."""
        found = str.__new__(cls, value)
        found.type = type
        found.start_pos = start_pos
        return found


@frozen
class Source:
    """A text that is read, and where its lines begin."""

    text: str
    file: str = ""
    starts: list[int] = field(init=False, eq=False, repr=False)

    @starts.default
    def _(self) -> list[int]:
        return [0, *(found.end() for found in _LINE_END.finditer(self.text))]

    def place(self, position: int) -> tuple[int, int]:
        """Return the line and the column of a position, both from 1."""
        line = bisect_right(self.starts, position)
        return line, position - self.starts[line - 1] + 1

    def error(self, position: int, problem: str, remedy: str) -> ParseError:
        """Return the error for what stands at a position."""
        line, column = self.place(position)
        start = self.starts[line - 1]
        text = _LINE_END.split(self.text[start : start + max(_WIDEST, column) + 1], maxsplit=1)[0]
        if column > _WIDEST:
            text = ""
        shown = "".join(c if is_shown(c) or c == "\t" else "\ufffd" for c in text)
        return ParseError(problem, remedy, line, column, shown, self.file)


def tokens(source: Source) -> Iterator[Token]:
    """Return the words and signs of a text.

    Raises:
        ParseError: a character stands where none of its kind can.
    """
    for found in _TOKEN.finditer(source.text):
        kind, value = found.lastgroup or "", found.group()
        if kind == "BLANK":
            continue
        if kind == "PLAIN":
            kind = _TYPES.get(value.lower(), kind)
        elif kind == "SIGN":
            kind = SIGNS[value]
        elif kind == "STRAY":
            raise _stray(source, found.start())
        yield Token(kind, value, found.start())


def text_of(source: Source, token: Token) -> str:
    """Return what a word says: itself, or what stands between its quotes.

    Raises:
        ParseError: an escape within the quotes means nothing, or a bare word is almost a number.
    """
    if token.type != "STRING":
        if _is_odd_number(token):
            remedy = "write it with the digits 0 to 9 and a point, or in double quotes if it is text"
            raise source.error(token.start_pos, f"{shown(token)} is nearly a number", remedy)
        return str.__str__(token)
    try:
        return str(json.loads(token, strict=False))
    except ValueError:
        raise source.error(
            token.start_pos,
            "there is an escape in these quotes that means nothing",
            r"write \" for a quote, \\ for a backslash, \n for a new line, \u4e2d for a character by its code",
        ) from None


def _is_odd_number(text: str) -> bool:
    """Whether a bare word is a number to Python and to people, but none here: full-width digits, 1_000, nan."""
    if text.isascii() and "_" not in text and text.lower().lstrip("+-") != "nan":
        return False
    try:
        return float(text) is not None
    except ValueError:
        return False


def shown(token: Any) -> str:
    """Return a word for a message, in its first characters if it is long."""
    text = str(token)
    return repr(text if len(text) <= 60 else text[:57] + "...")


def hint_at(name: str, known: Sequence[str], asked: int = 1) -> str:
    """Return a hint at the known name that is closest; of long or very many names only at one in another case.

    `asked` is how many names are asked about: each is compared with every known one.
    """
    if len(name) > 100 or asked * len(known) > 100_000:
        known = [other for other in known if other.casefold() == name.casefold()]
    return did_you_mean(name, [other for other in known if len(other) <= 100])


#: What a declaration may say: a kind, by its name, and what else there is.
KINDS = ("number", "integer", "boolean", "category", "ordinal", "date", "timestamp")
_OPTIONS = ("never missing", "open", "closed")


def is_called(word: str) -> bool:
    """Whether a word can only be meant as a name: it is no number, and no bounds."""
    return ".." not in word and not re.match("[-+.]?[0-9]", word)


def misnamed(source: Source, word: Token, *, kinds: bool, options: bool = True) -> ParseError:
    """Return the error for a word that means nothing where a declaration has a kind, or something else it may say."""
    name = word.strip('"')
    hint = hint_at(name, [*(KINDS if kinds else ()), *(_OPTIONS if options else ())])
    if options and not hint and "'never'" in hint_at(name, [*KINDS, "never"]):
        hint = f"did you mean {_OPTIONS[0]!r}? "
    said = [f"a kind ({', '.join(KINDS)})"] if kinds else []
    said += ["bounds such as 0..120, never missing, open or closed"] if options else []
    is_kind = kinds and is_called(word)
    told = f"no kind is named {shown(word)}" if is_kind else f"{shown(word)} says nothing about a column"
    return source.error(word.start_pos, told, f"{hint}write {', '.join(said)}")


#: What may be meant by a character that has no meaning here.
_REMEDIES = {
    "'": "quote with double quotes",
    "`": "quote with double quotes",
    **dict.fromkeys("“”„«»‘’「」", "quote with straight double quotes"),
    **dict.fromkeys("；;", "rules need no sign between them: take it away"),
    "−": "write the minus of the keyboard",
    "!": "write != or not in",
    "#": "a comment begins after a blank; a name or value that holds # stands in double quotes",
    "&": "write AND between conditions",
    "|": "write a rule of its own for the other case",
}


def _stray(source: Source, position: int) -> ParseError:
    character = source.text[position]
    if character == '"':
        line = _LINE_END.split(source.text[position : position + 10_000], maxsplit=1)[0]
        hidden = re.search(f"[{_DIRECTIONS}]", line)
        if hidden is None:
            remedy = 'close it with "; write \\n for a new line'
            return source.error(position, "this quote is not closed on its line", remedy)
        position, character = position + hidden.start(), hidden.group()
    if not is_shown(character):
        code = f"U+{ord(character):04X}"
        return source.error(
            position,
            f"the character {code}, which is not seen, stands here",
            f"take it away, or write it in double quotes as {json.dumps(character)[1:-1]}",
        )
    remedy = _REMEDIES.get(character, "put the whole name or value in double quotes")
    return source.error(position, f"{character!r} stands outside of quotes", remedy)
