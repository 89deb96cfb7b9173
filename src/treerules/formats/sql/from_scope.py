"""Find the single table of the statement around a CASE by its tokens: then t.x is x. In doubt, return no table."""

from collections.abc import Container, Sequence
from itertools import pairwise

from attrs import frozen

from treerules.formats.sql.case_parts import Case
from treerules.formats.sql.sql_text import SqlText

_HEADS = ("SELECT", "UPDATE", "DELETE")
_SPLITS = (";", "UNION", "EXCEPT", "INTERSECT")
#: The words that may follow the one table of FROM.
_AFTER_FROM = ("WHERE", "GROUP", "ORDER", "HAVING", "QUALIFY", "LIMIT", "OFFSET", "FETCH", "WINDOW", "SELECT")
#: The words and symbols after which a name is an alias.
_BEFORE_ALIAS = ("AS", ")", "}", "END")


@frozen
class Scope:
    """The names of the one table of a statement, and the aliases of its result columns, folded."""

    tables: Container[str] = ()
    aliases: Container[str] = ()

    def is_plain(self, table: str, name: str) -> bool:
        """Return whether a qualified column is certainly the same as the unqualified column of that name."""
        return table in self.tables and name not in self.aliases


def scope_of(source: SqlText, case: Case) -> Scope:
    """Return the names of the single table of the statement around a CASE; no names if that is uncertain."""
    start, stop = case.start, case.stop
    while True:
        start, stop = _around(source, start, stop)
        words = _top(source, start, stop, case.start)
        heads = [word for word in words if source.word(word) in _HEADS]
        if heads or start == 0:
            break
        if any(source.word(at) in ("->", "LAMBDA") for at in range(start, stop)):
            return Scope()  # a name may be an argument of the function
        start, stop = start - 1, stop + 1
    if len(heads) != 1:
        return Scope()
    own = case.stop
    while source.word(own) in (")", "AS"):
        own += 1
    pairs = pairwise(words)
    aliases = {
        _folded(source, name)
        for before, name in pairs
        if name != own and source.is_name(name) and _may_precede_alias(source, before)
    }
    return Scope(_tables(source, words, source.word(heads[0])), aliases)


def _may_precede_alias(source: SqlText, at: int) -> bool:
    return source.word(at) in _BEFORE_ALIAS or source.is_name(at) or source.tokens[at].kind in ("number", "text")


def _folded(source: SqlText, at: int) -> str:
    token = source.tokens[at]
    return source.dialect.folded(token.name, token.kind == "name")


def _around(source: SqlText, start: int, stop: int) -> tuple[int, int]:
    """Return the positions of the tokens inside the parentheses around some tokens, or of all."""
    depth = 0
    while start > 0:
        depth += (source.word(start - 1) == ")") - (source.word(start - 1) == "(")
        if depth < 0:
            break
        start -= 1
    depth = 0
    while stop < len(source.tokens):
        depth += (source.word(stop) == "(") - (source.word(stop) == ")")
        if depth < 0:
            break
        stop += 1
    return start, stop


def _top(source: SqlText, start: int, stop: int, inner: int) -> list[int]:
    """Return the positions of the tokens of the statement around a position, without those in parentheses."""
    positions: list[int] = []
    depth = 0
    for at in range(start, stop):
        word = source.word(at)
        depth -= word == ")"
        if depth == 0 and word in _SPLITS:
            if at > inner:
                break
            positions.clear()
        elif depth == 0:
            positions.append(at)
        depth += word == "("
    return positions


def _clause_word(source: SqlText, at: int) -> str:
    """Return the keyword at a position; "" for a name, such as a column called group."""
    word = source.word(at)
    return "" if word in ("GROUP", "ORDER") and source.word(at + 1) != "BY" else word


def _role(source: SqlText, at: int) -> str:
    """Return "name" for a name, else the keyword or symbol at a position."""
    return "name" if source.is_name(at) else source.word(at)


def _tables(source: SqlText, words: Sequence[int], head: str) -> set[str]:
    kinds = [_clause_word(source, word) for word in words]
    froms = [n for n, kind in enumerate(kinds) if kind == "FROM" and kinds[n - 1 : n] != ["DISTINCT"]]
    if len(froms) > 1 or (head != "UPDATE" and not froms):
        return set()
    tables: set[str] = set()
    if froms:
        stop = next((n for n in range(froms[0] + 1, len(kinds)) if kinds[n] in _AFTER_FROM), len(kinds))
        tables = _called(source, words[froms[0] + 1 : stop])
    if head == "UPDATE":
        first = kinds.index("UPDATE") + 1
        updated = _called(source, words[first : kinds.index("SET")]) if "SET" in kinds[first:] else set()
        tables = updated if not froms else tables if tables & updated else set()
    return tables


def _called(source: SqlText, words: Sequence[int]) -> set[str]:
    """Return the names that may qualify a column: the table's alias, else its name, with and without a schema."""
    kinds = [_role(source, word) for word in words]
    own: list[str] = []
    n = 0
    if kinds[:2] == ["(", ")"]:
        n = 2
    elif kinds[:1] and kinds[0] == "name":
        own, n = [_folded(source, words[0])], 1
        while kinds[n : n + 1] == ["."] and kinds[n + 1 : n + 2] and kinds[n + 1] == "name":
            own, n = [*own, _folded(source, words[n + 1])], n + 2
    following = [word for word in words[n + (kinds[n : n + 1] == ["AS"]) :] if n]
    if n and not following and kinds[-1] != "AS":
        return {".".join(own[start:]) for start in range(len(own))}
    if len(following) == 1 and source.is_name(following[0]):
        return {_folded(source, following[0])}
    return set()
