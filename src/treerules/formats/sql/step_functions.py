"""Functions that never fall, of a column whose kind is declared: `x + 1`, `year(d)`, `date_trunc('month', d)`.

For each literal there is a least value of the column at which the function reaches it, and a least one at which it
exceeds it. So `year(d) > 2020` is `d >= DATE '2021-01-01'`. The kind must be declared: of a timestamp with a zone the
session decides the year, and a column of floats rounds its sums. `Reading.calendar` names the functions of days
whose results are those of the calendar for all dates that a column of the dialect holds.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from functools import partial
from math import ceil, floor
from typing import Any

from attrs import frozen

from treerules.data.schema import Feature, Kind
from treerules.formats.sql.column_usage import ORDER
from treerules.formats.sql.predicate_terms import And, ColumnName, ColumnQuestion, Constant, Or, Term
from treerules.formats.sql.syntax_nodes import without_parentheses
from treerules.sql.dialect import Dialect
from treerules.sql.literals import NULL, SqlLiteral, node_value

#: Sums below these are exact also where a literal is a double.
_GREATEST = 2**50
_FIRST_YEAR, _LAST_YEAR = 2, 9998

#: The least values of the column at which the function reaches a literal, and at which it exceeds it; None if unknown.
Bounds = Callable[[SqlLiteral], tuple[Any, Any] | None]


@frozen
class StepFunction:
    """A function that never falls, of a column of a declared kind."""

    column: Any
    feature: Feature
    bounds: Bounds

    def question(self, column: ColumnName, relation: str, values: Sequence[SqlLiteral]) -> Term | None:
        """Return the comparison of the function with literals as one of the column; None if it is not known."""
        parts: list[Term] = [Constant(None)] if NULL in values else []
        if relation not in ("in", *ORDER):
            return None
        for value in (value for value in values if value != NULL):
            bounds = self.bounds(value)
            if bounds is None:
                return None
            reached, exceeded = (self._literal(bound) for bound in bounds)
            ask = partial(ColumnQuestion, column, declared=self.feature)
            at_least, below = ask(">=", [reached]), ask("<", [exceeded])
            by_relation: dict[str, Term] = {
                "in": And([at_least, below]), ">=": at_least, "<=": below,
                "<": ask("<", [reached]), ">": ask(">=", [exceeded]),
            }  # fmt: skip
            parts.append(by_relation[relation])
        return Or(parts)

    def _literal(self, bound: Any) -> SqlLiteral:
        if self.feature.kind is Kind.DATE:
            return SqlLiteral("date", bound.date(), f"DATE '{bound.date()}'")  # all bounds are midnights
        if self.feature.kind is Kind.TIMESTAMP:
            return SqlLiteral("timestamp", bound, f"TIMESTAMP '{bound}'")
        return SqlLiteral("number", Decimal(bound), str(bound))


def step_function_of(node: Any, declared: Mapping[str, Feature], dialect: Dialect) -> StepFunction | None:
    """Return an expression as a function that never falls; None if it is none, or the column's kind is not declared.

    Args:
        node: the expression.
        declared: the declared columns by their names, without case.
        dialect: the dialect.
    """
    node = without_parentheses(node)
    name = type(node).__name__
    is_sum = name in ("Add", "Sub")
    if name not in _MAKERS or not (is_sum or name in dialect.reading.calendar):
        return None
    column, bounds = _MAKERS[name](node, dialect)
    column = without_parentheses(column)
    feature = declared.get(column.name.casefold()) if type(column).__name__ == "Column" else None
    if feature is None or bounds is None or dialect.reading.moments_are_text:
        return None
    is_of_days = feature.kind is Kind.DATE or feature.scalar == "timestamp"
    is_fit = feature.kind is Kind.INTEGER if is_sum else is_of_days
    return StepFunction(column, feature, bounds) if is_fit else None


def _sum(node: Any, dialect: Dialect) -> tuple[Any, Bounds | None]:
    """Return the column and the bounds of `x + 1`, `1 + x` or `x - 1`, where sums that are too large are errors."""
    left, right = node.this, node.expression
    if type(node).__name__ == "Add" and node_value(left, dialect) is not None:
        left, right = right, left
    value = node_value(right, dialect)
    is_number = value is not None and value.kind == "number" and not value.is_double and _is_small(value.value)
    if value is None or not is_number or value.value % 1 or not dialect.reading.exact_sums:
        return left, None
    step = int(value.value) if type(node).__name__ == "Add" else -int(value.value)

    def bounds(literal: SqlLiteral) -> tuple[Any, Any] | None:
        if literal.kind != "number" or not _is_small(literal.value):
            return None
        return ceil(literal.value) - step, floor(literal.value) + 1 - step

    return left, bounds


def _is_small(number: Any) -> bool:
    return isinstance(number, Decimal) and abs(number) < _GREATEST


def _year(node: Any, dialect: Dialect) -> tuple[Any, Bounds | None]:
    """Return the column and the bounds of `year(d)`, or of `extract(year from d)`."""
    if type(node).__name__ == "Extract":
        return node.expression, _year_bounds if str(node.this.name).upper() == "YEAR" else None
    column = node.this
    is_of_day = type(column).__name__ == "TsOrDsToDate" and not column.args.get("format")
    return column.this if is_of_day else column, _year_bounds


def _year_bounds(literal: SqlLiteral) -> tuple[Any, Any] | None:
    if literal.kind != "number" or not _is_small(literal.value):
        return None
    reached, exceeded = ceil(literal.value), floor(literal.value) + 1
    if not _FIRST_YEAR <= reached <= exceeded <= _LAST_YEAR:
        return None
    return datetime(reached, 1, 1), datetime(exceeded, 1, 1)


def _truncation(node: Any, dialect: Dialect) -> tuple[Any, Bounds | None]:
    """Return the column and the bounds of `date_trunc('month', d)`, which are moments."""
    unit = str(node.args["unit"].name).upper() if node.args.get("unit") else ""
    if unit not in _UNITS or node.args.get("zone"):
        return node.this, None

    def bounds(literal: SqlLiteral) -> tuple[Any, Any] | None:
        if literal.kind not in ("date", "timestamp") or not _FIRST_YEAR <= literal.value.year < _LAST_YEAR:
            return None
        midnight = datetime.combine(literal.value, datetime.min.time())
        moment = literal.value if isinstance(literal.value, datetime) else midnight
        first, following = _UNITS[unit](midnight)
        return first if moment == first else following, following

    return node.this, bounds


def _day(midnight: datetime) -> tuple[datetime, datetime]:
    return midnight, midnight + timedelta(days=1)


def _months(number: int) -> Callable[[datetime], tuple[datetime, datetime]]:
    """Return the function that gives the first day of the months in which a day lies, and of those that follow."""

    def around(midnight: datetime) -> tuple[datetime, datetime]:
        start = (12 * midnight.year + midnight.month - 1) // number * number
        first, following = (datetime(months // 12, months % 12 + 1, 1) for months in (start, start + number))
        return first, following

    return around


#: The first moment of the unit in which a day lies, and of the next one, by the name of the unit.
_UNITS = {"DAY": _day, "MONTH": _months(1), "QUARTER": _months(3), "YEAR": _months(12)}
_MAKERS: dict[str, Callable[[Any, Dialect], tuple[Any, Bounds | None]]] = {
    "Add": _sum,
    "Sub": _sum,
    "Extract": _year,
    "Year": _year,
    "DateTrunc": _truncation,
    "TimestampTrunc": _truncation,
}
