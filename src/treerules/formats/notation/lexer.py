"""Cut rule text, table cells and FEEL into tokens: words, literals and signs, each with its position."""

import json
import re
from collections.abc import Iterator
from typing import NamedTuple, Protocol

from treerules._internal.unicode import is_shown
from treerules.errors import ParseError
from treerules.formats.notation.syntax import DIRECTION_MARKS, SIGNS, Syntax


class RuleToken(NamedTuple):
    """A word or sign of a text, with its type and its position from 0."""

    type: str
    text: str
    start: int


class SourceText(Protocol):
    """A text that is read: a whole document, or a cell of one."""

    @property
    def text(self) -> str:
        """The text itself."""

    @property
    def syntax(self) -> Syntax:
        """The syntax that it is written in."""

    def error(self, problem: str, remedy: str, position: int = 0) -> ParseError:
        """Return the error for a position of the text."""


def tokens(source: SourceText) -> Iterator[RuleToken]:
    """Return the tokens of a text, ended by one of type END.

    Raises:
        ParseError: no token can begin with a character.
    """
    text, syntax = source.text, source.syntax
    keywords, ignores_case = syntax.keywords, syntax.ignores_case
    for match in syntax.pattern.finditer(text):
        type, word = match.lastgroup or "", match.group()
        if type == "BLANK":
            continue
        if type == "WORD":
            type = keywords.get(word.lower() if ignores_case else word, type)
        elif type == "SIGN":
            type = SIGNS[word]
        elif type == "STRAY":
            raise _stray_character(source, match.start())
        yield RuleToken(type, word, match.start())
    yield RuleToken("END", "", len(text.rstrip()))


def token_repr(token: RuleToken) -> str:
    """Return a token for a message; a long one is cut off after 57 characters."""
    return repr(token.text if len(token.text) <= 60 else token.text[:57] + "...")


#: The likely meaning of a character outside of quotes.
_REMEDIES = {
    "'": "quote with double quotes",
    "`": "quote with double quotes",
    **dict.fromkeys("“”„«»‘’「」", "quote with straight double quotes"),
    **dict.fromkeys("；;", "rules need no sign between them: remove it"),
    "…": "the text was cut off: print all of it by --full or full=True",
    "−": "write the minus of the keyboard",
    "!": "write != or not in",
    "#": "a comment begins after a blank; a name or value that holds # stands in double quotes",
    "&": "write AND between conditions",
    "|": "write a rule of its own for the other case",
}


def _stray_character(source: SourceText, position: int) -> ParseError:
    character = source.text[position]
    if character in '"“':
        line = re.split("[\r\n]", source.text[position : position + 10_000], maxsplit=1)[0]
        hidden = re.search(f"[{DIRECTION_MARKS}]", line)
        if hidden is None:
            return source.error("this quote is not closed", source.syntax.close_quote, position)
        position, character = position + hidden.start(), hidden.group()
    if not is_shown(character):
        problem = f"the character U+{ord(character):04X}, which is not visible, stands here"
        remedy = f"remove it, or write it in double quotes as {json.dumps(character)[1:-1]}"
        return source.error(problem, remedy, position)
    remedy = _REMEDIES.get(character, "put the whole name or value in double quotes")
    return source.error(f"{character!r} stands outside of quotes", remedy, position)
