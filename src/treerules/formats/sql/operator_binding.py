"""Operands that need parentheses: engines and sqlglot bind the operators in them in their own ways."""

from typing import Any

from treerules.formats.sql.predicate_terms import NotReadError
from treerules.sql.dialect import Dialect
from treerules.sql.literals import node_text

#: sqlglot's classes of conditions whose parts are read.
CONDITIONS = frozenset({
    "And", "Or", "Not", "In", "Between", "Is", "EQ", "NEQ", "LT", "LTE", "GT", "GTE", "NullSafeEQ", "NullSafeNEQ",
    "Like", "ILike", "Escape", "StartsWith",
})  # fmt: skip
#: sqlglot's classes of operands that need parentheses; StartsWith is a function.
_LOOSE = (CONDITIONS | {"Glob", "SimilarTo", "Xor"}) - {"StartsWith"}
#: sqlglot's classes of JSON access by -> and ->>, which some engines bind less tightly than a comparison.
_ARROWS = frozenset({"JSONExtract", "JSONExtractScalar"})


def require_bound(dialect: Dialect, *operands: Any) -> None:
    """Raise NotReadError for an operand that engines may bind in another way than the grammar does."""
    for node in operands:
        is_arrow = type(node).__name__ in _ARROWS and dialect.reading.loose_arrows and "end" not in node.meta
        if type(node).__name__ in _LOOSE or is_arrow:
            text = node_text(node, dialect)
            raise NotReadError(f"{text} is compared without parentheses, which engines bind in their own ways")
