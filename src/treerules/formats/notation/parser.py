"""The base of the parsers of rule text and of cells: one token of look-ahead, and the types of token expected there."""

from collections.abc import Iterable
from typing import NoReturn

from treerules.errors import ParseError
from treerules.formats.notation.lexer import RuleToken, SourceText, tokens


class TokenParser:
    """The tokens of a text, read one by one. A parser is used for one call.

    `expected` collects the types of token that were tried at the current position, for the error message.
    """

    def __init__(self, source: SourceText) -> None:
        self.source = source
        self._tokens = tokens(source)
        self.next = next(self._tokens)
        self.expected = set[str]()

    def advance(self) -> RuleToken:
        """Return the current token, and go on to the next one."""
        token = self.next
        if token.type != "END":
            self.next = next(self._tokens)
        self.expected.clear()
        return token

    def accept(self, types: Iterable[str]) -> RuleToken | None:
        """Return the current token and go on, if it has one of these types; else None."""
        if self.next.type in types:
            return self.advance()
        self.expected.update(types)
        return None

    def expect(self, types: Iterable[str]) -> RuleToken:
        """Return the current token, which must have one of these types, and go on.

        Raises:
            ParseError: the token has another type.
        """
        return self.accept(types) or self.fail()

    def fail(self) -> NoReturn:
        """Raise the error for the current token, which has none of the expected types."""
        raise self.unexpected(self.next, set(self.expected))

    def unexpected(self, token: RuleToken, expected: set[str]) -> ParseError:
        """Return the error for a token that has none of the expected types."""
        raise NotImplementedError
