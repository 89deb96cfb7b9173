"""Reading just enough of an SQL file to run it on rows of our own: an expression, a query, or what creates one.

    SELECT "id", CASE ... END AS "prediction"        SELECT "id", CASE ... END AS "prediction"
    FROM "main"."people"                         ->  FROM (our rows) AS "people"

The one table that a query reads is replaced, where it stands; nothing else of the text is changed.
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

#: What follows a table's name and is no alias of it.
_AFTER_TABLE = re.compile(
    "WHERE|GROUP|ORDER|LIMIT|JOIN|LEFT|INNER|CROSS|UNION|HAVING|ON|FULL|RIGHT|NATURAL|WINDOW|EXCEPT|INTERSECT|QUALIFY|"
    "OFFSET|FETCH|USING|TABLESAMPLE|ASOF|POSITIONAL|ANTI|SEMI|FOR"
)


@frozen
class SqlStatement:
    """An SQL text in pieces: its rows' source stands between them."""

    #: "expression", "query", or what is created: "TABLE", "VIEW", "MACRO" or "FUNCTION"
    kind: str
    pieces: tuple[str, ...] = field(converter=as_tuple)
    #: what goes after the source, piece by piece: an alias, or ""
    aliases: tuple[str, ...] = field(converter=as_tuple)
    #: columns that the query passes through
    keys: tuple[str, ...] = field(converter=as_tuple)
    #: every name and word of the text
    names: frozenset[str]
    #: the name of what is created, and the parameters of a macro or function, as they stand
    created: str = ""
    parameters: tuple[str, ...] = field(default=(), converter=as_tuple)

    @property
    def is_called(self) -> bool:
        """Whether it creates what is called with the columns of a row."""
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
    """Return the dialect that the opening of an emitted file names; None where it names none that there is."""
    opening = opening_in(text)
    return opening.language if opening is not None and opening.language in DIALECTS else None


def statement_of(text: str, path: str, dialect: Dialect) -> SqlStatement:
    """Return the statement of an SQL file in a dialect.

    Raises:
        FileError: it holds several statements, another kind of statement, or reads other than one table.
    """

    def refused(problem: str) -> FileError:
        return FileError(path, problem, "give one expression, SELECT or CREATE, as emitted, that reads one table")

    tokens = list(tokens_of(text, dialect.reading.lexical))
    ends = [place for place, token in enumerate(tokens) if token.text == ";"]
    if not tokens or (ends and ends[0] < len(tokens) - len(ends)):
        raise refused("several statements stand in it" if tokens else "no statement stands in it")
    end = tokens[ends[0]].start if ends else len(text)
    tokens = tokens[: ends[0]] if ends else tokens
    names = frozenset(token.name for token in tokens if token.is_name)
    if not tokens or tokens[0].word not in ("CREATE", "SELECT", "WITH"):
        return SqlStatement("expression", [text[:end]], [], [], names)
    kind, at = _created(tokens, refused) if tokens[0].word == "CREATE" else ("query", 0)
    if kind in ("MACRO", "FUNCTION"):
        return _called(kind, tokens, at, text[:end], names)
    body = at and next(place for place, token in enumerate(tokens) if token.word == "AS") + 1
    tables = list(_tables(tokens, body))
    spelled = {tuple(token.name for token in tokens[a:b]) for a, b in tables}
    if len(spelled) != 1:
        shown = ", ".join(sorted(".".join(name) for name in spelled)) or "none"
        raise refused(f"the query reads {len(spelled)} tables ({shown})")
    cuts = [tokens[body].start if body else 0]
    for first, last in tables:
        cuts += [tokens[first].start, tokens[last - 1].end]
    pieces = [text[a:b] for a, b in zip(cuts[::2], [*cuts[1::2], end], strict=True)]
    aliases = [_alias(tokens, last) for _, last in tables]
    return SqlStatement(kind, pieces, aliases, list(_keys(tokens, body)), names)


def _created(tokens: Sequence[SqlToken], refused: Callable[[str], FileError]) -> tuple[str, int]:
    """Return what is created, and where its name stands."""
    skipped = ("CREATE", "OR", "REPLACE", "TEMP", "TEMPORARY")
    at = next((place for place, token in enumerate(tokens) if token.word not in skipped), len(tokens))
    kind = tokens[at].word if at < len(tokens) else ""
    if kind in ("MACRO", "FUNCTION"):
        last = _end_of_name(tokens, at + 1)
        if last == at + 1 or last >= len(tokens) or tokens[last].word != "(":
            raise refused(f"a CREATE {kind} without a name and parameters stands in it")
        return kind, at + 1
    start = next((place for place in range(at, len(tokens)) if tokens[place].word == "AS"), len(tokens))
    if kind not in ("TABLE", "VIEW") or any(token.word == "(" for token in tokens[at:start]):
        raise refused(f"a CREATE {kind} that cannot be run on rows of ours stands in it")
    if start + 1 >= len(tokens) or tokens[start + 1].word not in ("SELECT", "WITH"):
        raise refused(f"a CREATE {kind} of no query stands in it")
    return kind, at + 1


def _called(kind: str, tokens: Sequence[SqlToken], at: int, text: str, names: frozenset[str]) -> SqlStatement:
    """Return the statement that creates a macro or function: what stands before its name is cut off."""
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
    """Yield where the names of tables stand: after FROM or JOIN of a SELECT, but for names that WITH gives."""
    given = {
        token.name
        for token, after, opening in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if token.is_name and after.word == "AS" and opening.word in ("(", "MATERIALIZED", "NOT")
    }
    inside = [False]  # whether a SELECT has begun, for each parenthesis that is open
    for place in range(body, len(tokens)):
        word = tokens[place].word
        if word == "(":
            inside.append(False)
        elif word == ")":
            inside = inside[:-1] or [False]
        elif word == "SELECT":
            inside[-1] = True
        elif word in ("FROM", "JOIN") and inside[-1] and tokens[place - 1].word != "DISTINCT":
            last = _end_of_name(tokens, place + 1)
            is_call = last < len(tokens) and tokens[last].word == "("
            if last > place + 1 and not is_call and tokens[last - 1].name not in given:
                yield place + 1, last


def _end_of_name(tokens: Sequence[SqlToken], place: int) -> int:
    """Return where a dotted name ends that begins at a place; the place itself where none does."""
    while place < len(tokens) and tokens[place].is_name:
        place += 1
        if place + 1 >= len(tokens) or tokens[place].word != "." or not tokens[place + 1].is_name:
            return place
        place += 1
    return place


def _alias(tokens: Sequence[SqlToken], last: int) -> str:
    follows = tokens[last] if last < len(tokens) else None
    has_alias = follows is not None and follows.is_name and not _AFTER_TABLE.fullmatch(follows.word)
    return "" if has_alias else f" AS {tokens[last - 1].text}"


def _keys(tokens: Sequence[SqlToken], body: int) -> Iterator[str]:
    """Yield the plain columns with which a query begins: SELECT "a", "b", ..."""
    place = body + 1
    while place < len(tokens):
        last = _end_of_name(tokens, place)
        if last == place or last >= len(tokens) or tokens[last].word != ",":
            return
        yield tokens[last - 1].name
        place = last + 1
