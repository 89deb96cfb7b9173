"""Where the CASE expressions of a text stand, by its tokens: so the SQL around them may be anything.

Each condition and each outcome is parsed by itself, and a CASE within a CASE costs no recursion.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from attrs import define, field, frozen

from treerules.errors import MissingExtraError, ParseError
from treerules.sql.dialect import Dialect


@frozen
class Slice:
    """Some tokens of a text, from one place to before another."""

    start: int
    stop: int


@frozen
class Branch:
    """A WHEN: the place of its word, its condition and its outcome. An ELSE has no condition."""

    place: int
    condition: Slice | None
    outcome: Slice


@define
class Case:
    """A CASE from its first token to its END, its operand, if any, and its branches, ELSE last."""

    start: int
    stop: int = -1
    operand: Slice | None = None
    branches: list[Branch] = field(factory=list)
    has_else: bool = False


@frozen(eq=False)
class SqlText:
    """A text as tokens of a dialect."""

    text: str
    file: str
    dialect: Dialect
    tokens: Sequence[Any]
    parser: Any

    def place(self, token: int) -> tuple[int, int]:
        """Return the line and the column, from 1, at which a token starts."""
        at = self.tokens[token].start if token < len(self.tokens) else len(self.text)
        return self.text.count("\n", 0, at) + 1, at - (self.text.rfind("\n", 0, at) + 1) + 1

    def source(self, part: Slice) -> str:
        """Return what stands there, blanks and comments as they are."""
        return self.text[self.tokens[part.start].start : self.tokens[part.stop - 1].end + 1]

    def wrong(self, problem: str, remedy: str, token: int) -> ParseError:
        """Return the error of what is no SQL, at a token."""
        line, column = self.place(token)
        return self._error(problem, remedy, line, column)

    def _error(self, problem: str, remedy: str, line: int, column: int) -> ParseError:
        lines = self.text.split("\n")
        shown = lines[line - 1].rstrip("\r") if line <= len(lines) else ""
        return ParseError(problem, remedy, line, max(1, min(column, len(shown) + 1)), shown, self.file)

    def parsed(self, part: Slice) -> Any:
        """Return the expression that tokens are.

        Raises:
            ParseError: they are none.
            RecursionError: they are nested too deep.
        """
        from sqlglot import exp
        from sqlglot.errors import ParseError, TokenError

        tokens = list(self.tokens[part.start : part.stop])
        try:
            found = self.parser.parse_into(exp.Condition, tokens, self.text)
        except (ParseError, TokenError) as error:
            said = next(iter(getattr(error, "errors", None) or [{}]))
            at = next((t for t in tokens if (t.line, t.col) == (said.get("line"), said.get("col"))), None)
            place = part.start if at is None else self.tokens.index(at, part.start)
            problem = str(said.get("description") or "this is no expression")
            problem = "something is missing" if problem.startswith("Required keyword") else problem
            raise self.wrong(f"cannot parse {_short(self.source(part))!r}: {problem}", _MEND, place) from None
        if len(found) != 1 or found[0] is None:
            raise self.wrong(f"{_short(self.source(part))!r} is no expression", _MEND, part.start)
        return found[0]

    def inner(self, part: Slice) -> Slice:
        """Return the tokens without the parentheses around all of them."""
        while part.stop - part.start > 2 and self._is(part.start, "L_PAREN") and self._closes(part):
            part = Slice(part.start + 1, part.stop - 1)
        return part

    def _closes(self, part: Slice) -> bool:
        depth = 0
        for place in range(part.start, part.stop):
            depth += self._is(place, "L_PAREN") - self._is(place, "R_PAREN")
            if depth == 0:
                return place == part.stop - 1
        return False

    def _is(self, place: int, kind: str) -> bool:
        return 0 <= place < len(self.tokens) and self.tokens[place].token_type.name == kind

    def has_empty_text(self, case: Case) -> bool:
        """Whether '' stands in a CASE."""
        return any(self._is(at, "STRING") and not self.tokens[at].text for at in range(case.start, case.stop))

    def lacking(self, names: Sequence[str]) -> list[str]:
        """Return the names of columns that stand nowhere in the text."""
        return [name for name in names if not {name.casefold(), name.casefold().rpartition(".")[2]} & self._words]

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(str(token.text).casefold() for token in self.tokens)

    def alias(self, case: Case) -> str:
        """Return the name after END AS, or after END where nothing but the next column follows; else ""."""
        place = case.stop
        while self._is(place, "R_PAREN"):
            place += 1
        has_as = self._is(place, "ALIAS")
        place += has_as
        ends = place + 1 >= len(self.tokens) or any(self._is(place + 1, kind) for kind in _ENDS)
        if place >= len(self.tokens):
            return ""
        text = str(self.tokens[place].text)
        is_name = any(self._is(place, kind) for kind in ("VAR", "IDENTIFIER")) or (has_as and text.isidentifier())
        return text if is_name and (has_as or ends) else ""


#: What follows the name of a column of a query.
_ENDS = ("COMMA", "FROM", "R_PAREN", "SEMICOLON")
_MEND = "mend the SQL, or name its dialect"


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 60 else flat[:57] + "..."


def sql_text(text: str, dialect: Dialect, file: str) -> SqlText:
    """Return a text as tokens.

    Raises:
        MissingExtraError: sqlglot is not installed.
        ParseError: a quote is not closed, or there is a character that no SQL has.
    """
    try:
        from sqlglot.dialects.dialect import Dialect as Grammar
        from sqlglot.errors import SqlglotError
    except ImportError:
        raise MissingExtraError("sqlglot", "sql") from None

    text = text.removeprefix("\ufeff")
    grammar = Grammar.get_or_raise(dialect.reading.grammar)
    try:
        tokens = list(grammar.tokenize(text))
    except SqlglotError as error:
        found = re.search(r"Missing (.+) from \d+:(\d+)", f"{error} {error.__cause__}", re.DOTALL)
        said = f"the quote that starts here has no closing {found[1]}" if found else "a quote or comment is not closed"
        raise _token_error(SqlText(text, file, dialect, (), None), said, int(found[2]) if found else 0) from None
    return SqlText(text, file, dialect, tokens, grammar.parser())


def _token_error(source: SqlText, said: str, at: int) -> ParseError:
    line, column = source.text.count("\n", 0, at) + 1, at - (source.text.rfind("\n", 0, at) + 1) + 1
    shown = source.text.split("\n")[line - 1].rstrip("\r")
    return ParseError(said, "close it, or name the dialect", line, column, shown, source.file)


def cases_of(source: SqlText) -> dict[int, Case]:
    """Return every CASE by the place of its first token, in the order of the text.

    Raises:
        ParseError: a CASE lacks its WHEN, THEN or END.
    """
    found: dict[int, Case] = {}
    stack: list[_Open] = []
    for place, word in _words(source):
        if word == "CASE":
            found[place] = Case(place)
            stack.append(_Open(source, found[place]))
        elif stack:
            stack[-1].meet(place, word)
            if word == "END":
                stack.pop()
    if stack:
        raise source.wrong("this CASE has no END", "close it with END", stack[-1].case.start)
    return found


def _words(source: SqlText) -> Iterator[tuple[int, str]]:
    """Yield CASE, WHEN, THEN, ELSE and END with their places; after a dot they are names, and END CASE is one end."""
    before = ""
    for place, token in enumerate(source.tokens):
        word = token.token_type.name
        is_word = word in ("CASE", "WHEN", "THEN", "ELSE", "END") and before != "DOT"
        if is_word and not (word == "CASE" and before == "END"):
            yield place, word
        before = word


#: What each word may follow: the word before it within the same CASE.
_AFTER = {"WHEN": ("CASE", "THEN"), "THEN": ("WHEN",), "ELSE": ("THEN",), "END": ("THEN", "ELSE")}


@define
class _Open:
    """A CASE whose END was not met yet, the last of its words, and the place of that and of its WHEN."""

    source: SqlText
    case: Case
    word: str = "CASE"
    place: int = -1
    when: int = -1

    def __attrs_post_init__(self) -> None:
        self.place = self.case.start

    def meet(self, place: int, word: str) -> None:
        """Take the next word."""
        if self.word not in _AFTER[word]:
            wanted = " or ".join(w for w, before in _AFTER.items() if self.word in before)
            raise self.source.wrong(f"{word} follows {self.word}", f"write {wanted} first", place)
        part = Slice(self.place + 1, place)
        if part.start == part.stop and self.word != "CASE":
            raise self.source.wrong(f"nothing stands between {self.word} and {word}", "write an expression", place)
        if self.word == "CASE":
            self.case.operand = part if part.stop > part.start else None
        elif word == "THEN":
            self.when = self.place
        else:
            is_else = self.word == "ELSE"
            condition = None if is_else else self._condition
            self.case.branches.append(Branch(self.place if is_else else self.when, condition, part))
            self.case.has_else = self.case.has_else or is_else
        if word == "THEN":
            self._condition = part
        self.word, self.place = word, place
        self.case.stop = place + 1

    _condition: Slice | None = None
