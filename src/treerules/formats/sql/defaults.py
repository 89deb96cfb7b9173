"""COALESCE of a column and a literal, exactly: `coalesce(x, 10) > 5` is true where x > 5, and where x is NULL."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from attrs import frozen

from treerules._internal.conversion import parse_number
from treerules.formats.sql.loose_texts import alike_texts
from treerules.sql.dialect import Dialect
from treerules.sql.literals import NULL, SqlLiteral, node_value, parse_moment


@frozen
class Default:
    """A column with the literal that stands for its NULL."""

    column: Any
    literal: SqlLiteral
    dialect: Dialect

    def agrees_with(self, values: Sequence[SqlLiteral]) -> bool:
        """Return whether the literals are compared alike by themselves and with the column, whatever its type is.

        So are integers, truth values, and texts of which no two are one value in some type.
        """
        literals = [self.literal, *(value for value in values if value != NULL)]
        if all(map(_is_mere_text, literals)):
            return not alike_texts([str(value.value) for value in literals], self.dialect)
        return all(map(_is_integer, literals)) or all(map(_is_truth, literals))


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
    return Default(node.this, literal, dialect)


def _is_integer(value: SqlLiteral) -> bool:
    number = value.value
    return value.kind == "number" and isinstance(number, Decimal) and not value.is_double and _has_no_point(number)


def _has_no_point(number: Decimal) -> bool:
    return number.as_tuple().exponent == 0 and abs(number) < 2**31


def _is_truth(value: SqlLiteral) -> bool:
    return value.kind == "boolean"


def _is_mere_text(value: SqlLiteral) -> bool:
    return value.kind == "text" and parse_number(value.value) is None and parse_moment(value.value) is None
