"""Split an SQL text into what is needed to run it on rows of ours: an expression, a query, or a CREATE of one.

    SELECT "id", CASE ... END AS "prediction"        SELECT "id", CASE ... END AS "prediction"
    FROM "main"."people"                         ->  FROM (our rows) AS "people"

The one table that a query reads is replaced in its position; nothing else of the text is changed. Statements that
create and fill tables of rules may stand before a query that joins them (`rules_table_sql`); they make temporary ones.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

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

#: What dbt's own templates have and no SQL has.
_JINJA = re.compile(r"\{\{-?\s*(?:config|ref|source|this|return)\b|\{%-?\s*(?:macro|set|if|for)\b")
#: The names under which `templates/rules/query.sql.j2` passes keys through.
_INNER_KEY = re.compile(r"k\d+")


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
        setup: The statements that create and fill temporary tables, which the query joins.
    """

    kind: str
    pieces: tuple[str, ...] = field(converter=as_tuple)
    aliases: tuple[str, ...] = field(converter=as_tuple)
    keys: tuple[str, ...] = field(converter=as_tuple)
    names: frozenset[str]
    created: str = ""
    parameters: tuple[str, ...] = field(default=(), converter=as_tuple)
    setup: tuple[str, ...] = field(default=(), converter=as_tuple)

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


def is_of_dbt(text: str) -> bool:
    """Return whether a text is a template of dbt: its first line says so, or without such a line its Jinja."""
    opening = opening_in(text)
    return opening.language == "dbt" if opening is not None else bool(_JINJA.search(text))


def statement_of(text: str, path: str, dialect: Dialect) -> SqlStatement:
    """Return the statement of an SQL file in a dialect.

    Raises:
        FileError: the text has several statements, a statement of another kind, or one that reads no table or several.
    """

    def refused(problem: str) -> FileError:
        return FileError(path, problem, "give one expression, SELECT or CREATE, as emitted, that reads one table")

    found = _statements(tokens_of(text, dialect.reading.lexical))
    *before, tokens = [some for some in found if not _drops(some)] or [[]]
    if not tokens:
        raise refused("it has no statement")
    created = {_name_after(some, "TABLE") for some in before if some[0].word == "CREATE"} - {()}
    if before and not all(_fills(some, created) for some in before):
        raise refused("it has several statements")
    start, end = tokens[0].start if before else 0, tokens[-1].end
    names = frozenset(token.name for token in tokens if token.is_name)
    if not tokens or tokens[0].word not in ("CREATE", "SELECT", "WITH"):
        return SqlStatement("expression", [text[start:end]], [], [], names)
    kind, at = _created(tokens, refused) if tokens[0].word == "CREATE" else ("query", 0)
    if kind in ("MACRO", "FUNCTION"):
        return _called(kind, tokens, at, text[:end], names)
    body = at and next(position for position, token in enumerate(tokens) if token.word == "AS") + 1
    tables = list(_tables(tokens, body))
    tables = [(a, b) for a, b in tables if tuple(token.name for token in tokens[a:b]) not in created]
    tables_read = {tuple(token.name for token in tokens[a:b]) for a, b in tables}
    if len(tables_read) != 1:
        shown = ", ".join(sorted(".".join(name) for name in tables_read)) or "none"
        raise refused(f"the query reads {len(tables_read)} tables ({shown})")
    cuts = [tokens[body].start if body else start]
    for first, last in tables:
        cuts += [tokens[first].start, tokens[last - 1].end]
    pieces = [text[a:b] for a, b in zip(cuts[::2], [*cuts[1::2], end], strict=True)]
    aliases = [_alias(tokens, last) for _, last in tables]
    keys = _keys(tokens, _outer_select(tokens, body), is_joined=bool(before))
    return SqlStatement(kind, pieces, aliases, list(keys), names, setup=[_temporary(text, some) for some in before])


def _statements(tokens: Iterable[SqlToken]) -> list[list[SqlToken]]:
    """Return the tokens of each statement, without semicolons; one empty statement where there is none."""
    found: list[list[SqlToken]] = [[]]
    for token in tokens:
        if token.text == ";":
            found.append([])
        elif not token.text.isspace():  # the blank at the end of a text
            found[-1].append(token)
    return [some for some in found if some] or [[]]


def _name_after(tokens: Sequence[SqlToken], word: str) -> tuple[str, ...]:
    """Return the dotted name after the second word of a statement, which must be `word`; () where it is not there."""
    if len(tokens) < 3 or tokens[1].word != word:
        return ()
    return tuple(token.name for token in tokens[2 : _end_of_name(tokens, 2)])


def _fills(tokens: Sequence[SqlToken], created: Collection[tuple[str, ...]]) -> bool:
    """Return whether a statement creates one of these tables, or inserts rows into one."""
    names = {"CREATE": _name_after(tokens, "TABLE"), "INSERT": _name_after(tokens, "INTO")}
    return names.get(tokens[0].word) in created


def _temporary(text: str, tokens: Sequence[SqlToken]) -> str:
    """Return a statement; one that creates a table creates a temporary one."""
    statement = text[tokens[0].start : tokens[-1].end]
    if tokens[0].word != "CREATE":
        return statement
    return f"CREATE TEMPORARY TABLE{text[tokens[1].end : tokens[-1].end]}"


def _drops(tokens: Sequence[SqlToken]) -> bool:
    """Return whether a statement is DROP ... IF EXISTS, with which something is replaced."""
    words = [token.word for token in tokens[:4]]
    return words[:1] == ["DROP"] and words[2:] == ["IF", "EXISTS"]


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


def _outer_select(tokens: Sequence[SqlToken], body: int) -> int:
    """Return the position of the SELECT of a query, behind the queries in parentheses that WITH defines."""
    depth = 0
    for position in range(body, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[position].word, 0)
        if depth == 0 and tokens[position].word == "SELECT":
            return position
    return body


def _keys(tokens: Sequence[SqlToken], body: int, *, is_joined: bool) -> Iterator[str]:
    """Yield the plain columns with which a query begins: SELECT "a", "b", ...

    One that joins tables of rules renames them inside: SELECT d.k0 AS "a", d.k1 AS "b", ...
    """
    position = body + 1
    while position < len(tokens):
        last = _end_of_name(tokens, position)
        is_renamed = is_joined and last < len(tokens) and tokens[last].word == "AS"
        if is_renamed and _INNER_KEY.fullmatch(tokens[last - 1].name):
            last = _end_of_name(tokens, last + 1)
        if last == position or last >= len(tokens) or tokens[last].word != ",":
            return
        yield tokens[last - 1].name
        position = last + 1
