"""A text as tokens of a dialect, of which conditions and outcomes are parsed one by one."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, groupby
from typing import Any

from attrs import frozen

from treerules.emit.header import opening_in
from treerules.errors import MissingExtraError, ParseError
from treerules.formats.sql.expression_identity import SOURCE
from treerules.formats.sql.predicate_terms import NotReadError
from treerules.sql.dialect import Dialect
from treerules.sql.jinja import MaskedText, has_stand_in, masked, overlaps, stand_in, with_jinja
from treerules.sql.lexer import SqlToken, closing_of, tokens_of
from treerules.sql.literals import node_text


@frozen
class Slice:
    """Consecutive tokens of a text: the positions `start` to `stop`, without `stop`."""

    start: int
    stop: int


@frozen(eq=False, slots=False)
class SqlText:
    """A text as tokens of a dialect, and sqlglot's grammar, which parses conditions and outcomes one by one."""

    text: str
    file: str
    dialect: Dialect
    tokens: Sequence[SqlToken]
    grammar: Any
    jinja: MaskedText

    # ---- places

    def line_and_column(self, token: int) -> tuple[int, int]:
        """Return the line and the column, from 1, at which a token starts."""
        return self.place_of(self.tokens[token].start if token < len(self.tokens) else len(self.text))

    def place_of(self, position: int) -> tuple[int, int]:
        """Return the line and the column, from 1, of a position of the text."""
        line = bisect_right(self._line_starts, position)
        return line, position - self._line_starts[line - 1] + 1

    @cached_property
    def _line_starts(self) -> list[int]:
        starts, position = [0], self.text.find("\n")
        while position >= 0:
            starts.append(position + 1)
            position = self.text.find("\n", position + 1)
        return starts

    def source(self, part: Slice) -> str:
        """Return the source text of some tokens, with blanks and comments."""
        return self.text[self.tokens[part.start].start : self.tokens[part.stop - 1].end]

    def wrong(self, problem: str, remedy: str, token: int) -> ParseError:
        """Return the error for invalid SQL at a token."""
        line, column = self.line_and_column(token)
        start = self._line_starts[line - 1]
        end = self.text.find("\n", start)
        line_text = self.text[start : end if end >= 0 else len(self.text)].rstrip("\r")
        return ParseError(problem, remedy, line, max(1, min(column, len(line_text) + 1)), line_text, self.file)

    @cached_property
    def unclosed(self) -> tuple[int, int] | None:
        """The first token that may be wrong since a quote or comment is not closed, and that quote; None if all are.

        A quote that is closed in its line is taken to be right, so that the lines before the first text of several
        lines are certain.
        """
        unclosed = next((n for n, token in enumerate(self.tokens) if token.kind == "unclosed"), None)
        if unclosed is None:
            return None
        opening = self.tokens[unclosed]
        doubtful = opening.start
        if opening.text not in _COMMENTS:
            quoted = (token for token in self.tokens[:unclosed] if token.kind in ("text", "name"))
            doubtful = next((token.start for token in quoted if "\n" in token.text), doubtful)
        line_start = self.text.rfind("\n", 0, doubtful) + 1
        return next(n for n, token in enumerate(self.tokens) if token.start >= line_start), unclosed

    def unclosed_problem(self, token: int) -> str:
        """Return what is wrong with a quote or comment that is not closed."""
        opening = self.tokens[token].text
        if opening in _COMMENTS:
            return f"the comment that starts here has no closing {_COMMENTS[opening]}"
        return f"the quote that starts here has no closing {closing_of(opening)}"

    # ---- expressions

    def parsed(self, part: Slice) -> Any:
        """Return sqlglot's expression of some tokens. A name stands for each expression of Jinja, see `stand_in`.

        Raises:
            NotReadError: the tokens are not an expression.
            RecursionError: the tokens are nested too deep.
        """
        from sqlglot import exp
        from sqlglot.errors import SqlglotError

        if part.stop - part.start > _DEEPEST and max(self._depths[part.start : part.stop]) > (
            self._depths[part.start] + _DEEPEST
        ):
            raise RecursionError  # at once, since sqlglot would split the whole text into tokens before it fails
        # after a parenthesis sqlglot does not read a word as a command, such as REPLACE at the start of a statement
        text = "(" + self._to_parse(part)
        shown = _short(self.source(part))
        try:
            expressions = self._parser.parse_into(exp.Condition, list(self.grammar.tokenize(text)[1:]), text)
        except SqlglotError as error:
            details = next(iter(getattr(error, "errors", None) or [{}]))
            problem = str(details.get("description") or "this is not an expression")
            problem = "something is missing" if problem.startswith("Required keyword") else problem
            raise NotReadError(f"cannot parse {shown!r}: {problem}") from None
        except _FAULTS as error:
            raise NotReadError(f"cannot parse {shown!r}: {type(error).__name__} in sqlglot") from None
        if len(expressions) != 1 or expressions[0] is None:
            raise NotReadError(f"{shown!r} is not an expression")
        node = expressions[0] if text[1:] == self.source(part) else _with_stand_in_columns(expressions[0], self.dialect)
        node.meta[SOURCE] = text
        return node

    def _to_parse(self, part: Slice) -> str:
        """Return the source text of some tokens, without Jinja; a name or a text stands for each token with Jinja."""
        start, end = self.tokens[part.start].start, self.tokens[part.stop - 1].end
        pieces, position = list[str](), start
        names = groupby(self.tokens[part.start : part.stop], lambda token: token.has_jinja and token.kind != "text")
        for is_name, group in names:
            tokens = list(group)
            if is_name:  # `{{ a }} {{ b }}` is one value: each may be a part of a condition
                pieces += [
                    self.jinja.text[position : tokens[0].start],
                    stand_in(" ".join(each.text for each in tokens)),
                ]
                position = tokens[-1].end
            for token in (each for each in tokens if each.has_jinja and not is_name):
                pieces += [self.jinja.text[position : token.start], f"'{stand_in(token.text)}'"]
                position = token.end
        return "".join([*pieces, self.jinja.text[position:end]])

    @cached_property
    def _depths(self) -> list[int]:
        """How many parentheses, brackets and CASEs are open after each token."""
        return list(accumulate(_DEPTHS.get(token.word, 0) for token in self.tokens))

    @cached_property
    def _parser(self) -> Any:
        return self.grammar.parser()

    def inner(self, part: Slice) -> Slice:
        """Return the tokens without the parentheses around all of them."""
        while part.stop - part.start > 2 and self._closings.get(part.start) == part.stop - 1:
            part = Slice(part.start + 1, part.stop - 1)
        return part

    @cached_property
    def _closings(self) -> dict[int, int]:
        """The closing parenthesis of each opening one."""
        closings, openings = dict[int, int](), list[int]()
        for position, token in enumerate(self.tokens):
            if token.word == "(":
                openings.append(position)
            elif token.word == ")" and openings:
                closings[openings.pop()] = position
        return closings

    # ---- words and names

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

    def has_empty_text(self, part: Slice) -> bool:
        """Return whether some tokens contain ''."""
        return _is_among(self._empty_texts, part)

    @cached_property
    def _empty_texts(self) -> list[int]:
        return [position for position, token in enumerate(self.tokens) if token.is_empty_text]

    def has_statement(self, part: Slice) -> bool:
        """Return whether some tokens hold a statement of a procedure, which ends in a semicolon."""
        return _is_among(self._semicolons, part)

    @cached_property
    def _semicolons(self) -> list[int]:
        return [position for position, token in enumerate(self.tokens) if token.word == ";"]

    def lacking(self, names: Sequence[str]) -> list[str]:
        """Return the names that do not occur in the text."""
        return [name for name in names if not {name.casefold(), name.casefold().rpartition(".")[2]} & self._names]

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(token.name.casefold() for token in self.tokens)

    def alias(self, stop: int) -> str:
        """Return the name after AS where a CASE stops, or the name itself if the column ends there; else ""."""
        position = stop
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
_COMMENTS = {"/*": "*/", "{#": "#}"}
#: What opens and what closes a nested expression, and a depth at which sqlglot fails for sure.
_DEPTHS = {"(": 1, "[": 1, "CASE": 1, ")": -1, "]": -1, "END": -1}
_DEEPEST = 300
#: What sqlglot raises on texts that it does not expect.
_FAULTS = (ValueError, TypeError, AttributeError, LookupError, AssertionError)


def _short(text: str) -> str:
    flat = " ".join(text[:400].split())
    return flat if len(flat) <= 60 else flat[:57] + "..."


def _is_among(positions: Sequence[int], part: Slice) -> bool:
    """Return whether one of these positions, in order, is among some tokens."""
    at = bisect_left(positions, part.start)
    return at < len(positions) and positions[at] < part.stop


def _with_stand_in_columns(node: Any, dialect: Dialect) -> Any:
    """Return an expression with columns in place of the texts that stand for texts with Jinja.

    `{{ x }} AND a` is one column: if x is `b OR c`, AND takes c alone.
    """
    from sqlglot import exp

    def replaced(part: Any) -> Any:
        if isinstance(part, exp.Literal) and part.is_string and has_stand_in(part.name):
            return exp.Column(this=exp.Identifier(this=part.name, quoted=False))
        is_top = isinstance(part, exp.And | exp.Not) and not isinstance(part.parent, exp.And | exp.Not)
        if is_top and any(map(_is_expression, _operands(part))):
            return exp.Column(this=exp.Identifier(this=stand_in(node_text(part, dialect)), quoted=False))
        return part

    return node.transform(replaced)


def _operands(node: Any) -> Iterator[Any]:
    """Yield the operands of AND and NOT, of those in them too."""
    nodes = [node]
    while nodes:
        part = nodes.pop()
        if type(part).__name__ in ("And", "Not"):
            nodes += [part.this] if type(part).__name__ == "Not" else [part.this, part.expression]
        else:
            yield part


def _is_expression(node: Any) -> bool:
    return type(node).__name__ == "Column" and with_jinja(node.sql()).startswith("{{")


def sql_text(text: str, dialect: Dialect, file: str) -> SqlText:
    """Return a text with its tokens.

    Raises:
        MissingExtraError: sqlglot is not installed.
    """
    try:
        from sqlglot.dialects.dialect import Dialect as Grammar
    except ImportError:
        raise MissingExtraError("sqlglot", "sql") from None

    text = text.removeprefix("\ufeff")
    opening = opening_in(text)
    is_emitted = opening is not None and opening.language != "dbt"  # names and texts with braces are what they say
    jinja = MaskedText(text) if is_emitted else masked(text)
    tokens = tokens_of(jinja.text, dialect.reading.lexical)
    if jinja.text != text or has_stand_in(text):
        tokens = _with_jinja(tokens, text, jinja)
    return SqlText(text, file, dialect, list(tokens), Grammar.get_or_raise(dialect.reading.grammar), jinja)


def _with_jinja(tokens: Iterable[SqlToken], text: str, jinja: MaskedText) -> Iterator[SqlToken]:
    """Yield the tokens of a masked text with the text of the source."""
    spans, first = sorted([*jinja.expressions, *jinja.blanks]), 0
    for token in tokens:
        while first < len(spans) and spans[first][1] <= token.start:
            first += 1
        source = text[token.start : token.end]
        has_jinja = overlaps(spans, token.start, token.end, first) or has_stand_in(source)
        yield token._replace(text=source, has_jinja=has_jinja)
