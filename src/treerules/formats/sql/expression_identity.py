"""The identity of an expression: a text that two expressions share only if their values are equal in each row.

The name of a function is taken as it is written, and its arguments with it, since sqlglot reads several functions as
one: SYSDATETIME() and GETDATE() differ in their digits. Case, blanks and comments are left out where they mean nothing.
In doubt two expressions are different.
"""

from collections.abc import Sequence
from typing import Any

from treerules.formats.sql.volatile_functions import KNOWN_FUNCTIONS, ORDER_DEPENDENT, VOLATILE, VOLATILE_NAMES
from treerules.sql.dialect import Dialect
from treerules.sql.jinja import has_stand_in
from treerules.sql.lexer import SqlToken, tokens_of
from treerules.sql.literals import node_text

#: The key under which the root of a condition's syntax tree keeps the text that it was parsed from.
SOURCE = "treerules_source"


def identity_of(node: Any, dialect: Dialect) -> str | None:
    """Return the identity of an expression; None if it is equal to nothing, not even to itself.

    Raises:
        RecursionError: the expression is nested too deep.
    """
    source = _source(node)
    if any(_is_volatile(part, source, dialect) for part in node.walk()):
        return None
    return _identity(node, source, dialect)


def pair_identity(left: Any, relation: str, right: Any, dialect: Dialect) -> str | None:
    """Return the identity of the comparison of two expressions, in which the sides of = and of < may be exchanged."""
    sides = identity_of(left, dialect), identity_of(right, dialect)
    if None in sides:
        return None
    first, second = (str(side) for side in sides)
    if relation in (">", ">="):
        first, second, relation = second, first, "<" + relation[1:]
    if relation in ("in", "same"):
        first, second = sorted([first, second])
    return f"({first} {relation} {second})"


def _source(node: Any) -> str:
    while node is not None:
        if SOURCE in node.meta:
            return str(node.meta[SOURCE])
        node = node.parent
    return ""


def _is_volatile(node: Any, source: str, dialect: Dialect) -> bool:
    name = type(node).__name__
    if name in VOLATILE or (name in ORDER_DEPENDENT and not _is_in_exists(node)):
        return True
    if name in ("Anonymous", "AnonymousAggFunc"):
        return str(node.this).lower() not in KNOWN_FUNCTIONS
    if name == "Dot":  # f of a schema is a function of a user
        return type(node.expression).__name__ in ("Anonymous", "AnonymousAggFunc")
    if name == "Column":
        return bool(node.table) and node.name.lower() in ("nextval", "currval")
    if name == "Placeholder":  # each ? is a value of its own
        return not node.this
    if name == "Parameter":
        return dialect.reading.assigned_variables
    if name in ("Identifier", "Literal") or "end" not in node.meta:
        return False
    written = source[node.meta["start"] : node.meta["end"] + 1]
    return not written or written.lower() in VOLATILE_NAMES


def _is_in_exists(node: Any) -> bool:
    """Return whether a clause is of the query of EXISTS, which only asks whether there are rows."""
    return type(node.parent).__name__ == "Select" and type(node.parent.parent).__name__ == "Exists"


def _identity(node: Any, source: str, dialect: Dialect) -> str:
    name = type(node).__name__
    if name == "Paren":  # they are kept: engines bind operators in their own ways
        return f"({_identity(node.this, source, dialect)})"
    if name == "Identifier":
        return _name(node, dialect)
    if name == "Literal":
        return repr(str(node.this)) if node.args.get("is_string") else str(node.this)
    if name not in ("Column", "Table") and "end" in node.meta:
        call = _call(source, node.meta["start"], node.meta["end"], dialect)
        if call:
            return call
    parts = [f"{key}={_argument(node.args[key], source, dialect)}" for key in sorted(node.args) if node.args[key]]
    return f"{name}[{' '.join(parts)}]"


def _argument(value: Any, source: str, dialect: Dialect) -> str:
    if isinstance(value, list):
        return f"({', '.join(_argument(part, source, dialect) for part in value)})"
    return _identity(value, source, dialect) if hasattr(value, "args") else repr(value)


def _name(node: Any, dialect: Dialect) -> str:
    """Return a name as the dialect folds it; names of tables keep their case where quotes do not tell."""
    is_quoted = bool(node.args.get("quoted"))
    if dialect.folding == "any" and type(node.parent).__name__ != "Column":
        return repr((str(node.this), is_quoted))
    return repr(dialect.folded(str(node.this), is_quoted))


def _call(source: str, start: int, end: int, dialect: Dialect) -> str:
    """Return the tokens of a function from its name to its closing parenthesis; "" if none opens behind the name."""
    return " ".join(text for text, _ in _call_tokens(source, start, end, dialect))


def _call_tokens(source: str, start: int, end: int, dialect: Dialect) -> list[tuple[str, bool]]:
    """Return the tokens of a function, and whether each follows the one before it without a blank."""
    tokens: list[SqlToken] = []
    depth = 0
    for token in tokens_of(source[start:], dialect.reading.lexical):
        if len(tokens) == 1 and token.text != "(":
            return []
        tokens.append(token)
        depth += (token.text == "(") - (token.text == ")")
        if depth == 0 and len(tokens) > 1:
            break
    words = {token.word for token in tokens}
    keeps_case = not words.isdisjoint(("SELECT", ":", "{"))  # names of tables, of keys, of templates
    found, stop = [], 0
    for number, token in enumerate(tokens):
        is_folded = token.kind == "word" and (number == 0 or not keeps_case)
        text = token.text[1:-1] if token.kind == "text" and has_stand_in(token.text) else token.text
        found.append((dialect.folded(text, False) if is_folded else text, token.start == stop))
        stop = token.end
    return found


def shown_sql(node: Any, dialect: Dialect) -> str:
    """Return the SQL of an expression, in which names are folded and functions have the names that were written."""
    source = _source(node)
    return node_text(node.transform(lambda part: _plain(part, source, dialect)), dialect)


def _plain(node: Any, source: str, dialect: Dialect) -> Any:
    name = type(node).__name__
    if name == "Identifier" and not node.args.get("quoted") and type(node.parent).__name__ == "Column":
        node.set("this", dialect.folded(str(node.this), False))
    elif name not in ("Identifier", "Literal", "Column", "Table") and "end" in node.meta:
        tokens = _call_tokens(source, node.meta["start"], node.meta["end"], dialect)
        if tokens:
            from sqlglot import exp

            return exp.Var(this=_spaced(tokens))
    return node


def _spaced(tokens: Sequence[tuple[str, bool]]) -> str:
    text = ""
    for token, is_next in tokens:
        is_close = is_next or not text or text[-1] == "(" or token in (")", ",") or (token == "(" and " " not in text)
        text += token if is_close else f" {token}"
    return text
