"""Parts of the nodes of sqlglot's syntax trees."""

from collections.abc import Sequence
from typing import Any

#: sqlglot's classes of operands that stand for several values.
QUANTIFIERS = frozenset({"Any", "All"})


def without_parentheses(node: Any) -> Any:
    """Return an expression without the parentheses around it."""
    while type(node).__name__ == "Paren":
        node = node.this
    return node


def name_parts(node: Any) -> list[Any]:
    """Return the identifiers of `catalog.db.table.column` and of fields of structures; [] of what is no name."""
    fields = list[Any]()
    while type(node).__name__ == "Dot" and type(node.expression).__name__ == "Identifier":
        fields.append(node.expression)
        node = node.this
    is_name = type(node).__name__ == "Column" and type(node.this).__name__ == "Identifier"
    return [*node.parts, *reversed(fields)] if is_name and not node.args.get("join_mark") else []


def is_cast(node: Any) -> bool:
    """Return whether a node is a cast without a format."""
    return type(node).__name__ in ("Cast", "TryCast") and not node.args.get("format")


def is_text_cast(node: Any) -> bool:
    """Return whether a node is a cast to text of any length."""
    is_text = is_cast(node) and node.to.this.name in ("CHARACTER_SET", "TEXT", "VARCHAR")
    return is_text and not node.to.expressions


def without_collation(node: Any) -> tuple[Any, bool, str]:
    """Return an operand without a binary collation such as "C", whether it had one, and the text added to its end."""
    name = node.expression.name.lower() if type(node).__name__ == "Collate" else ""
    if name not in ("c", "posix") and "bin" not in name:
        return node, False, ""
    node = without_parentheses(node.this)
    if type(node).__name__ == "Add" and type(node.expression).__name__ == "National":
        return without_parentheses(node.this), True, str(node.expression.this)
    return node, True, ""


def operands_of(node: Any) -> list[Any]:
    """Return the operands of `a AND b AND c`, which sqlglot nests to the left."""
    kind, parts = type(node), list[Any]()
    while type(node) is kind:
        parts.append(node.expression)
        node = node.this
    parts.append(node)
    return parts[::-1]


def without_not(node: Any) -> Any | None:
    """Return `x LIKE 'a'` of `x NOT LIKE 'a'`, with ESCAPE if there is one; None of another node.

    NOT LIKE ANY is left as it is: engines negate each comparison or all.
    """
    is_escape = type(node).__name__ == "Escape"
    pattern = node.this if is_escape else node
    if not pattern.args.get("negate") or type(pattern.expression).__name__ in QUANTIFIERS:
        return None
    positive = node.copy()
    positive.parent = node.parent  # the root keeps the text from which all was parsed
    (positive.this if is_escape else positive).set("negate", None)
    return positive


def has_more(node: Any, accepted: Sequence[str]) -> bool:
    """Return whether a node has an argument besides those that are accepted."""
    return any(argument and name not in accepted for name, argument in node.args.items())
