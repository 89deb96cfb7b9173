"""Where the CASE expressions of a text stand, by its tokens: so the SQL around them may be anything.

Each condition and each outcome is parsed by itself, and a CASE within a CASE costs no recursion.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from attrs import define, evolve, field, frozen

from treerules.errors import MissingExtraError, ParseError
from treerules.sql.dialect import Dialect
from treerules.sql.lexer import SqlToken, closing_of, tokens_of


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


@frozen(eq=False, slots=False)
class SqlText:
    """A text as tokens of a dialect, and sqlglot's grammar, which parses conditions and outcomes one by one."""

    text: str
    file: str
    dialect: Dialect
    tokens: Sequence[SqlToken]
    grammar: Any

    def place(self, token: int) -> tuple[int, int]:
        """Return the line and the column, from 1, at which a token starts."""
        return self._place_of(self.tokens[token].start if token < len(self.tokens) else len(self.text))

    def _place_of(self, position: int) -> tuple[int, int]:
        return self.text.count("\n", 0, position) + 1, position - (self.text.rfind("\n", 0, position) + 1) + 1

    def source(self, part: Slice) -> str:
        """Return the text of some tokens, blanks and comments as they are."""
        return self.text[self.tokens[part.start].start : self.tokens[part.stop - 1].end]

    def wrong(self, problem: str, remedy: str, token: int) -> ParseError:
        """Return the error of text that is no SQL, at a token."""
        return self._error(problem, remedy, *self.place(token))

    def wrong_at(self, problem: str, remedy: str, position: int) -> ParseError:
        """Return the error of text that is no SQL, at a position of the text."""
        return self._error(problem, remedy, *self._place_of(position))

    def _error(self, problem: str, remedy: str, line: int, column: int) -> ParseError:
        lines = self.text.split("\n")
        shown = lines[line - 1].rstrip("\r") if line <= len(lines) else ""
        return ParseError(problem, remedy, line, max(1, min(column, len(shown) + 1)), shown, self.file)

    def parsed(self, part: Slice) -> Any:
        """Return sqlglot's expression of some tokens.

        Raises:
            ParseError: they are no expression.
            RecursionError: they are nested too deep.
        """
        from sqlglot import exp
        from sqlglot.errors import ParseError as GrammarError
        from sqlglot.errors import TokenError

        # behind a parenthesis no word is taken for a command, such as REPLACE at the beginning of a statement
        text = "(" + self.source(part)
        tokens: Sequence[Any] = ()
        try:
            tokens = self.grammar.tokenize(text)[1:]
            found = self._parser.parse_into(exp.Condition, list(tokens), text)
        except (GrammarError, TokenError) as error:
            details = next(iter(getattr(error, "errors", None) or [{}]))
            at = next((t for t in tokens if (t.line, t.col) == (details.get("line"), details.get("col"))), None)
            position = self.tokens[part.start].start + (0 if at is None else at.start - 1)
            problem = str(details.get("description") or "this is no expression")
            problem = "something is missing" if problem.startswith("Required keyword") else problem
            raise self.wrong_at(f"cannot parse {_short(text[1:])!r}: {problem}", _MEND, position) from None
        if len(found) != 1 or found[0] is None:
            raise self.wrong(f"{_short(text[1:])!r} is no expression", _MEND, part.start)
        return found[0]

    @cached_property
    def _parser(self) -> Any:
        return self.grammar.parser()

    def inner(self, part: Slice) -> Slice:
        """Return the tokens without the parentheses around all of them."""
        while part.stop - part.start > 2 and self.word(part.start) == "(" and self._closes(part):
            part = Slice(part.start + 1, part.stop - 1)
        return part

    def _closes(self, part: Slice) -> bool:
        depth = 0
        for place in range(part.start, part.stop):
            word = self.word(place)
            depth += (word == "(") - (word == ")")
            if depth == 0:
                return place == part.stop - 1
        return False

    def word(self, place: int) -> str:
        """Return the keyword, in capitals, or the symbol at a place; "" of anything else, and beyond the ends."""
        return self.tokens[place].word if 0 <= place < len(self.tokens) else ""

    def is_name(self, place: int) -> bool:
        """Whether a name stands at a place: a quoted one, or a word that the grammar does not reserve."""
        if not 0 <= place < len(self.tokens):
            return False
        token = self.tokens[place]
        if token.kind == "word" and token.word in ("GROUP", "ORDER"):
            return self.word(place + 1) != "BY"
        return token.kind == "name" or (token.kind == "word" and token.word not in self._keywords)

    @cached_property
    def _keywords(self) -> frozenset[str]:
        keywords = self.grammar.tokenizer_class.KEYWORDS
        return frozenset(word for word, kind in keywords.items() if kind.name != "VAR")

    def has_empty_text(self, case: Case) -> bool:
        """Whether '' stands in a CASE."""
        return any(self.tokens[place].is_empty_text for place in range(case.start, case.stop))

    def lacking(self, names: Sequence[str]) -> list[str]:
        """Return the names of columns that stand nowhere in the text."""
        return [name for name in names if not {name.casefold(), name.casefold().rpartition(".")[2]} & self._names]

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(token.name.casefold() for token in self.tokens)

    def alias(self, case: Case) -> str:
        """Return the name after END AS, or after END where nothing but the next column follows; else ""."""
        place = case.stop
        while self.word(place) == ")":
            place += 1
        has_as = self.word(place) == "AS"
        place += has_as
        ends = place + 1 >= len(self.tokens) or self.word(place + 1) in _ENDS
        if place >= len(self.tokens):
            return ""
        token = self.tokens[place]
        is_name = self.is_name(place) or (has_as and token.name.isidentifier())
        return token.name if is_name and (has_as or ends) else ""


#: What follows the name of a column of a query.
_ENDS = (",", "FROM", ")", ";")
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
    except ImportError:
        raise MissingExtraError("sqlglot", "sql") from None

    source = SqlText(text.removeprefix("\ufeff"), file, dialect, (), Grammar.get_or_raise(dialect.reading.grammar))
    source = evolve(source, tokens=list(tokens_of(source.text, dialect.reading.lexical)))
    for token in source.tokens:
        if token.kind == "unclosed":
            raise source.wrong_at(_unclosed(token.text), "close it, or name the dialect", token.start)
    return source


def _unclosed(opening: str) -> str:
    if opening in _COMMENTS:
        return f"the comment that starts here has no closing {_COMMENTS[opening]}"
    return f"the quote that starts here has no closing {closing_of(opening)}"


_COMMENTS = {"/*": "*/", "{#": "#}"}


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
        word = token.word
        is_word = word in ("CASE", "WHEN", "THEN", "ELSE", "END") and before != "."
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
