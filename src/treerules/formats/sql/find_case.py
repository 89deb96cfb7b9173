"""Find the CASE expressions of a text by its tokens, without parsing the SQL around them.

Each condition and each outcome is parsed alone, and a CASE within a CASE needs no recursion.
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
    """Consecutive tokens of a text: the positions `start` to `stop`, without `stop`."""

    start: int
    stop: int


@frozen
class Branch:
    """A WHEN or ELSE: the position of its word, its condition, None for ELSE, and its outcome."""

    position: int
    condition: Slice | None
    outcome: Slice


@define
class Case:
    """A CASE: the positions of its tokens, its operand, None without one, and its branches, ELSE last."""

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

    def line_and_column(self, token: int) -> tuple[int, int]:
        """Return the line and the column, from 1, at which a token starts."""
        return self._place_of(self.tokens[token].start if token < len(self.tokens) else len(self.text))

    def _place_of(self, position: int) -> tuple[int, int]:
        return self.text.count("\n", 0, position) + 1, position - (self.text.rfind("\n", 0, position) + 1) + 1

    def source(self, part: Slice) -> str:
        """Return the source text of some tokens, with blanks and comments."""
        return self.text[self.tokens[part.start].start : self.tokens[part.stop - 1].end]

    def wrong(self, problem: str, remedy: str, token: int) -> ParseError:
        """Return the error for invalid SQL at a token."""
        return self._error(problem, remedy, *self.line_and_column(token))

    def wrong_at(self, problem: str, remedy: str, position: int) -> ParseError:
        """Return the error for invalid SQL at a position of the text."""
        return self._error(problem, remedy, *self._place_of(position))

    def _error(self, problem: str, remedy: str, line: int, column: int) -> ParseError:
        lines = self.text.split("\n")
        line_text = lines[line - 1].rstrip("\r") if line <= len(lines) else ""
        return ParseError(problem, remedy, line, max(1, min(column, len(line_text) + 1)), line_text, self.file)

    def parsed(self, part: Slice) -> Any:
        """Return sqlglot's expression of some tokens.

        Raises:
            ParseError: the tokens are not an expression.
            RecursionError: the tokens are nested too deep.
        """
        from sqlglot import exp
        from sqlglot.errors import ParseError as GrammarError
        from sqlglot.errors import TokenError

        # after a parenthesis sqlglot does not read a word as a command, such as REPLACE at the start of a statement
        text = "(" + self.source(part)
        tokens: Sequence[Any] = ()
        try:
            tokens = self.grammar.tokenize(text)[1:]
            expressions = self._parser.parse_into(exp.Condition, list(tokens), text)
        except (GrammarError, TokenError) as error:
            details = next(iter(getattr(error, "errors", None) or [{}]))
            at = next((t for t in tokens if (t.line, t.col) == (details.get("line"), details.get("col"))), None)
            position = self.tokens[part.start].start + (0 if at is None else at.start - 1)
            problem = str(details.get("description") or "this is not an expression")
            problem = "something is missing" if problem.startswith("Required keyword") else problem
            raise self.wrong_at(f"cannot parse {_short(text[1:])!r}: {problem}", _MEND, position) from None
        if len(expressions) != 1 or expressions[0] is None:
            raise self.wrong(f"{_short(text[1:])!r} is not an expression", _MEND, part.start)
        return expressions[0]

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
        for position in range(part.start, part.stop):
            word = self.word(position)
            depth += (word == "(") - (word == ")")
            if depth == 0:
                return position == part.stop - 1
        return False

    def word(self, position: int) -> str:
        """Return the keyword, in capitals, or the symbol at a position; "" for other tokens and outside of the text."""
        return self.tokens[position].word if 0 <= position < len(self.tokens) else ""

    def is_name(self, position: int) -> bool:
        """Return whether the token at a position is a name: quoted, or not reserved by the grammar."""
        if not 0 <= position < len(self.tokens):
            return False
        token = self.tokens[position]
        if token.kind == "word" and token.word in ("GROUP", "ORDER"):
            return self.word(position + 1) != "BY"
        return token.kind == "name" or (token.kind == "word" and token.word not in self._keywords)

    @cached_property
    def _keywords(self) -> frozenset[str]:
        keywords = self.grammar.tokenizer_class.KEYWORDS
        return frozenset(word for word, kind in keywords.items() if kind.name != "VAR")

    def has_empty_text(self, case: Case) -> bool:
        """Return whether a CASE contains ''."""
        return any(self.tokens[position].is_empty_text for position in range(case.start, case.stop))

    def lacking(self, names: Sequence[str]) -> list[str]:
        """Return the names that do not occur in the text."""
        return [name for name in names if not {name.casefold(), name.casefold().rpartition(".")[2]} & self._names]

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(token.name.casefold() for token in self.tokens)

    def alias(self, case: Case) -> str:
        """Return the name after END AS, or after END if the column ends there; else ""."""
        position = case.stop
        while self.word(position) == ")":
            position += 1
        has_as = self.word(position) == "AS"
        position += has_as
        ends = position + 1 >= len(self.tokens) or self.word(position + 1) in _ENDS
        if position >= len(self.tokens):
            return ""
        token = self.tokens[position]
        is_name = self.is_name(position) or (has_as and token.name.isidentifier())
        return token.name if is_name and (has_as or ends) else ""


#: The words and symbols that follow the name of a column of a query.
_ENDS = (",", "FROM", ")", ";")
_MEND = "correct the SQL, or name its dialect"


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 60 else flat[:57] + "..."


def sql_text(text: str, dialect: Dialect, file: str) -> SqlText:
    """Return a text with its tokens.

    Raises:
        MissingExtraError: sqlglot is not installed.
        ParseError: a quote or a comment is not closed.
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
    """Return each CASE by the position of its first token, in the order of the text.

    Raises:
        ParseError: a CASE lacks its WHEN, THEN or END.
    """
    cases: dict[int, Case] = {}
    stack: list[_OpenCase] = []
    for position, word in _words(source):
        if word == "CASE":
            cases[position] = Case(position)
            stack.append(_OpenCase(source, cases[position]))
        elif stack:
            stack[-1].add_word(position, word)
            if word == "END":
                stack.pop()
    if stack:
        raise source.wrong("this CASE has no END", "close it with END", stack[-1].case.start)
    return cases


def _words(source: SqlText) -> Iterator[tuple[int, str]]:
    """Yield the positions of CASE, WHEN, THEN, ELSE and END; after a dot they are names, and END CASE is one end."""
    before = ""
    for position, token in enumerate(source.tokens):
        word = token.word
        is_word = word in ("CASE", "WHEN", "THEN", "ELSE", "END") and before != "."
        if is_word and not (word == "CASE" and before == "END"):
            yield position, word
        before = word


#: The words of the same CASE that each word may follow.
_AFTER = {"WHEN": ("CASE", "THEN"), "THEN": ("WHEN",), "ELSE": ("THEN",), "END": ("THEN", "ELSE")}


@define
class _OpenCase:
    """A CASE without its END so far: its last word, and the positions of that and of its last WHEN."""

    source: SqlText
    case: Case
    word: str = "CASE"
    position: int = -1
    when_position: int = -1

    def __attrs_post_init__(self) -> None:
        self.position = self.case.start

    def add_word(self, position: int, word: str) -> None:
        """Add the next word.

        Raises:
            ParseError: it cannot follow the last word.
        """
        if self.word not in _AFTER[word]:
            expected = " or ".join(w for w, before in _AFTER.items() if self.word in before)
            raise self.source.wrong(f"{word} follows {self.word}", f"write {expected} first", position)
        part = Slice(self.position + 1, position)
        if part.start == part.stop and self.word != "CASE":
            raise self.source.wrong(f"nothing stands between {self.word} and {word}", "write an expression", position)
        if self.word == "CASE":
            self.case.operand = part if part.stop > part.start else None
        elif word == "THEN":
            self.when_position = self.position
        else:
            is_else = self.word == "ELSE"
            condition = None if is_else else self._condition
            self.case.branches.append(Branch(self.position if is_else else self.when_position, condition, part))
            self.case.has_else = self.case.has_else or is_else
        if word == "THEN":
            self._condition = part
        self.word, self.position = word, position
        self.case.stop = position + 1

    _condition: Slice | None = None
