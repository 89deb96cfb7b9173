"""COALESCE of a column and a literal, exactly: `coalesce(x, 10) > 5` is true where x > 5, and where x is NULL."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from attrs import frozen

from treerules._internal.conversion import parse_number
from treerules.sql.dialect import Dialect
from treerules.sql.literals import NULL, SqlLiteral, node_value, parse_moment


@frozen
class Default:
    """A column with the literal that stands for its NULL."""

    column: Any
    literal: SqlLiteral

    def agrees_with(self, values: Sequence[SqlLiteral]) -> bool:
        """Return whether the literals are compared alike by themselves and with the column, whatever its type is.

        So are integers, truth values, and texts that no engine takes for a number or a moment.
        """
        literals = [self.literal, *(value for value in values if value != NULL)]
        return any(all(map(is_kind, literals)) for is_kind in (_is_integer, _is_truth, _is_mere_text))


def default_of(node: Any, dialect: Dialect) -> Default | None:
    """Return the column and the literal of `coalesce(x, 0)`; None for any other expression.

    ISNULL of T-SQL, which converts the literal to the type of the column, is another one.
    """
    if type(node).__name__ != "Coalesce" or node.args.get("is_null") or len(node.expressions) != 1:
        return None
    literal = node_value(node.expressions[0], dialect)
    is_number = literal is not None and literal.kind == "boolean" and dialect.reading.true_is_one
    if literal is None or literal == NULL or is_number or type(node.this).__name__ != "Column":
        return None
    return Default(node.this, literal)


def _is_integer(value: SqlLiteral) -> bool:
    number = value.value
    return value.kind == "number" and isinstance(number, Decimal) and not value.is_double and _has_no_point(number)


def _has_no_point(number: Decimal) -> bool:
    return number.as_tuple().exponent == 0 and abs(number) < 2**31


def _is_truth(value: SqlLiteral) -> bool:
    return value.kind == "boolean"


def _is_mere_text(value: SqlLiteral) -> bool:
    return value.kind == "text" and parse_number(value.value) is None and parse_moment(value.value) is None
