"""Split an SQL text into what is needed to run it on rows of ours: an expression, a query, or a CREATE of one.

    SELECT "id", CASE ... END AS "prediction"        SELECT "id", CASE ... END AS "prediction"
    FROM "main"."people"                         ->  FROM (our rows) AS "people"

The one table that a query reads is replaced in its position; nothing else of the text is changed.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.emit.header import opening_in
from treerules.errors import FileError
from treerules.sql.dialect import Dialect
from treerules.sql.dialects import DIALECTS
from treerules.sql.lexer import SqlToken, tokens_of

#: The words that follow the name of a table and are no alias of it.
_AFTER_TABLE = re.compile(
    "WHERE|GROUP|ORDER|LIMIT|JOIN|LEFT|INNER|CROSS|UNION|HAVING|ON|FULL|RIGHT|NATURAL|WINDOW|EXCEPT|INTERSECT|QUALIFY|"
    "OFFSET|FETCH|USING|TABLESAMPLE|ASOF|POSITIONAL|ANTI|SEMI|FOR"
)


@frozen
class SqlStatement:
    """An SQL text in pieces, between which the source of rows is written.

    Attributes:
        kind: "expression", "query", or what is created: "TABLE", "VIEW", "MACRO" or "FUNCTION".
        pieces: The pieces of the text.
        aliases: The text after each source, an alias or "".
        keys: The plain columns with which a query begins.
        names: The names and words of the text.
        created: The name of a macro or function, as it is written.
        parameters: The parameters of a macro or function, as they are written.
    """

    kind: str
    pieces: tuple[str, ...] = field(converter=as_tuple)
    aliases: tuple[str, ...] = field(converter=as_tuple)
    keys: tuple[str, ...] = field(converter=as_tuple)
    names: frozenset[str]
    created: str = ""
    parameters: tuple[str, ...] = field(default=(), converter=as_tuple)

    @property
    def is_called(self) -> bool:
        """Whether it creates a macro or function, which is called with the columns of a row."""
        return self.kind in ("MACRO", "FUNCTION")

    def query(self, source: str, created: str, number: str = "") -> str:
        """Return the query that reads a source: the name of a table, or a query in parentheses.

        A macro or function is called by the name under which it was `created`. `number` stands before the answer of an
        expression or a call: "", or a column of the source and a comma.
        """
        if self.is_called:
            return f"SELECT {number}{created}({', '.join(self.parameters)}) AS prediction\nFROM {source} AS data"
        if self.kind == "expression":
            return f"SELECT {number}(\n{self.pieces[0]}\n) AS prediction\nFROM {source} AS data"
        sources = [source + alias for alias in self.aliases]
        return "".join(piece + table for piece, table in zip(self.pieces, [*sources, ""], strict=True))


def dialect_of(text: str) -> str | None:
    """Return the dialect that the first line of an emitted file names; None where it names no known one."""
    opening = opening_in(text)
    return opening.language if opening is not None and opening.language in DIALECTS else None


def statement_of(text: str, path: str, dialect: Dialect) -> SqlStatement:
    """Return the statement of an SQL file in a dialect.

    Raises:
        FileError: the text has several statements, a statement of another kind, or one that reads no table or several.
    """

    def refused(problem: str) -> FileError:
        return FileError(path, problem, "give one expression, SELECT or CREATE, as emitted, that reads one table")

    tokens = list(tokens_of(text, dialect.reading.lexical))
    ends = [position for position, token in enumerate(tokens) if token.text == ";"]
    if not tokens or (ends and ends[0] < len(tokens) - len(ends)):
        raise refused("it has several statements" if tokens else "it has no statement")
    end = tokens[ends[0]].start if ends else len(text)
    tokens = tokens[: ends[0]] if ends else tokens
    names = frozenset(token.name for token in tokens if token.is_name)
    if not tokens or tokens[0].word not in ("CREATE", "SELECT", "WITH"):
        return SqlStatement("expression", [text[:end]], [], [], names)
    kind, at = _created(tokens, refused) if tokens[0].word == "CREATE" else ("query", 0)
    if kind in ("MACRO", "FUNCTION"):
        return _called(kind, tokens, at, text[:end], names)
    body = at and next(position for position, token in enumerate(tokens) if token.word == "AS") + 1
    tables = list(_tables(tokens, body))
    tables_read = {tuple(token.name for token in tokens[a:b]) for a, b in tables}
    if len(tables_read) != 1:
        shown = ", ".join(sorted(".".join(name) for name in tables_read)) or "none"
        raise refused(f"the query reads {len(tables_read)} tables ({shown})")
    cuts = [tokens[body].start if body else 0]
    for first, last in tables:
        cuts += [tokens[first].start, tokens[last - 1].end]
    pieces = [text[a:b] for a, b in zip(cuts[::2], [*cuts[1::2], end], strict=True)]
    aliases = [_alias(tokens, last) for _, last in tables]
    return SqlStatement(kind, pieces, aliases, list(_keys(tokens, body)), names)


def _created(tokens: Sequence[SqlToken], refused: Callable[[str], FileError]) -> tuple[str, int]:
    """Return the kind that is created, and the position of its name."""
    skipped = ("CREATE", "OR", "REPLACE", "TEMP", "TEMPORARY")
    at = next((position for position, token in enumerate(tokens) if token.word not in skipped), len(tokens))
    kind = tokens[at].word if at < len(tokens) else ""
    if kind in ("MACRO", "FUNCTION"):
        last = _end_of_name(tokens, at + 1)
        if last == at + 1 or last >= len(tokens) or tokens[last].word != "(":
            raise refused(f"it has a CREATE {kind} without a name and parameters")
        return kind, at + 1
    start = next((position for position in range(at, len(tokens)) if tokens[position].word == "AS"), len(tokens))
    if kind not in ("TABLE", "VIEW") or any(token.word == "(" for token in tokens[at:start]):
        raise refused(f"it has a CREATE {kind} that cannot be run on other rows")
    if start + 1 >= len(tokens) or tokens[start + 1].word not in ("SELECT", "WITH"):
        raise refused(f"it has a CREATE {kind} without a query")
    return kind, at + 1


def _called(kind: str, tokens: Sequence[SqlToken], at: int, text: str, names: frozenset[str]) -> SqlStatement:
    """Return the statement that creates a macro or function, without the text before its name."""
    last = _end_of_name(tokens, at)
    depth, parameters = 0, list[str]()
    for before, token in zip(tokens[last - 1 :], tokens[last:], strict=False):
        depth += {"(": 1, ")": -1}.get(token.word, 0)
        if depth == 0:
            break
        if depth == 1 and token.is_name and before.word in ("(", ","):
            parameters.append(token.text)
    created = text[tokens[at].start : tokens[last - 1].end]
    return SqlStatement(kind, [text[tokens[last].start :]], [], [], names, created, parameters)


def _tables(tokens: Sequence[SqlToken], body: int) -> Iterator[tuple[int, int]]:
    """Yield the token ranges of names of tables: after FROM or JOIN of a SELECT, without those that WITH defines."""
    defined = {
        token.name
        for token, after, opening in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if token.is_name and after.word == "AS" and opening.word in ("(", "MATERIALIZED", "NOT")
    }
    inside = [False]  # whether a SELECT has begun, for each parenthesis that is open
    for position in range(body, len(tokens)):
        word = tokens[position].word
        if word == "(":
            inside.append(False)
        elif word == ")":
            inside = inside[:-1] or [False]
        elif word == "SELECT":
            inside[-1] = True
        elif word in ("FROM", "JOIN") and inside[-1] and tokens[position - 1].word != "DISTINCT":
            last = _end_of_name(tokens, position + 1)
            is_call = last < len(tokens) and tokens[last].word == "("
            if last > position + 1 and not is_call and tokens[last - 1].name not in defined:
                yield position + 1, last


def _end_of_name(tokens: Sequence[SqlToken], position: int) -> int:
    """Return the end of the dotted name that begins at a position; the position itself where none does."""
    while position < len(tokens) and tokens[position].is_name:
        position += 1
        if position + 1 >= len(tokens) or tokens[position].word != "." or not tokens[position + 1].is_name:
            return position
        position += 1
    return position


def _alias(tokens: Sequence[SqlToken], last: int) -> str:
    follows = tokens[last] if last < len(tokens) else None
    has_alias = follows is not None and follows.is_name and not _AFTER_TABLE.fullmatch(follows.word)
    return "" if has_alias else f" AS {tokens[last - 1].text}"


def _keys(tokens: Sequence[SqlToken], body: int) -> Iterator[str]:
    """Yield the plain columns with which a query begins: SELECT "a", "b", ..."""
    position = body + 1
    while position < len(tokens):
        last = _end_of_name(tokens, position)
        if last == position or last >= len(tokens) or tokens[last].word != ",":
            return
        yield tokens[last - 1].name
        position = last + 1
