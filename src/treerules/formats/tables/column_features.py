"""The features of a decision table's columns: from a schema or the file's declarations, or inferred from literals."""

import re
from collections.abc import Sequence
from typing import Any

from toolz import groupby

from treerules.data.domain import ColumnDomain, next_value
from treerules.data.schema import Feature, Kind, Schema, kind_of_scalar
from treerules.data.value_set import ValueSet
from treerules.formats.notation.comparison_values import compared_values
from treerules.formats.notation.comparisons import LiteralRange, ParsedComparison, ValueState, literals_of
from treerules.formats.notation.lexer import RuleToken, token_repr
from treerules.formats.notation.literals import literal_category, literal_scalar, literal_value
from treerules.formats.tables.cell_parser import comparisons_of, literal_of
from treerules.formats.tables.model import DecisionTable, TableCell, TableColumn

#: A literal and its cell.
Literal = tuple[TableCell, RuleToken]
_TIMESTAMPS = {"timestamp", "timestamp_utc"}
_PLURALS = {
    "timestamp": "timestamps without a time zone",
    "timestamp_utc": "timestamps with a time zone",
    "text": "text",
}
_RANGE = re.compile(r"[0-9.]+ ?[-–—~～至到] ?[0-9.]+")


def looks_like_range(text: str) -> bool:
    """Return whether plain text may be meant as an interval, such as 30-50."""
    return _RANGE.fullmatch(text) is not None


def feature_of_cells(
    column: TableColumn,
    cells: Sequence[TableCell],
    comparisons: Sequence[Sequence[ParsedComparison]],
    allowed: Sequence[ParsedComparison] | None,
) -> Feature | None:
    """Return the feature of a column: as its file declares it, else inferred from the literals of its cells.

    `comparisons` are those of the cells, `allowed` those of the declared values. None if no cell has a literal.
    """
    literals = [
        (cell, literal) for cell, tests in zip(cells, comparisons, strict=True) for literal in literals_of(tests)
    ]
    declared = literals_of(allowed or ())
    if column.allowed is not None:
        literals = [*((column.allowed, literal) for literal in declared), *literals]
    if not column.scalar and not literals and all(map(_is_anything, comparisons)):
        return None
    _require_no_range(literals)
    scalar = _scalar(column, literals)
    kind = kind_of_scalar(scalar)
    is_list = bool(declared) and all(not isinstance(test, LiteralRange) or test.single_value for test in allowed or ())
    if kind is Kind.CATEGORY or (is_list and len(declared) > 1 and kind is not Kind.BOOLEAN):
        named = [(cell, literal) for cell, literal in literals if cell is column.allowed or not is_list]
        categories = {literal_value(cell, literal, scalar, column.name) for cell, literal in named}
        return Feature(column.name, Kind.CATEGORY, sorted(categories), scalar)
    return Feature(column.name, kind, (), scalar)


def _is_anything(comparisons: Sequence[ParsedComparison]) -> bool:
    return all(isinstance(test, ValueState) and test.name == "ANY" for test in comparisons)


def _require_no_range(literals: Sequence[Literal]) -> None:
    """Raise for plain text such as 30-50 that may be meant as an interval, in a column without declarations."""
    for cell, literal in literals:
        if literal.type == "WORD" and looks_like_range(literal.text) and literal_scalar(cell, literal) == "text":
            remedy = "write [30..50] or (30..50] for an interval, and text in quotes"
            raise cell.error(f"{literal.text!r} may be an interval or text", remedy, literal.start)


def _scalar(column: TableColumn, literals: Sequence[Literal]) -> str:
    """Return the scalar of a column: the declared one, or the one that all literals share."""
    if column.scalar not in ("", "timestamps"):
        return column.scalar
    by_scalar = groupby(lambda placed: literal_scalar(*placed), literals)
    if column.scalar == "timestamps" and not set(by_scalar) <= _TIMESTAMPS:
        scalar, ((cell, literal), *_) = next(item for item in by_scalar.items() if item[0] not in _TIMESTAMPS)
        problem = f"{token_repr(literal)} is not a timestamp but one of the {_plural(scalar)}"
        raise cell.error(problem, f"write {cell.syntax.examples['timestamp']}", literal.start)
    if len(by_scalar) > 1:
        first, second = list(by_scalar)[:2]
        cell, literal = by_scalar[second][0]
        remedy = "write all its values as one kind; text that looks like a number or a date stands in quotes"
        raise cell.error(f"column {column.name!r} mixes {_plural(first)} and {_plural(second)}", remedy, literal.start)
    return next(iter(by_scalar), "timestamp" if column.scalar else "text")


def _plural(scalar: str) -> str:
    return _PLURALS.get(scalar, f"{scalar}s")


def allowed_domain(feature: Feature, cell: TableCell, comparisons: Sequence[ParsedComparison]) -> ColumnDomain:
    """Return the domain that a file declares: exactly the values that it lists; missing ones if it lists null."""
    values = compared_values(cell, comparisons, feature)
    if len(values.intervals) != 1 if feature.is_ordered else len(values.categories) < len(feature.categories):
        problem = "the declared values of a column are neither one interval nor a list of all values"
        raise cell.error(problem, "declare one or the other, and null beside it where values may be missing")
    if not feature.is_ordered:
        return ColumnDomain(missing=values.missing, unseen=values.unseen)
    return ColumnDomain(*_ends(values), missing=values.missing)


def _ends(values: ValueSet) -> tuple[Any, Any]:
    """Return the lowest and the highest value of an interval; None for an open end."""
    feature = values.feature
    lowest = None if feature.lowest in values else next_value(feature, values.bounds[0])
    return lowest, None if feature.highest in values else values.bounds[-1]


def target_feature(table: DecisionTable, schema: Schema | None) -> tuple[Feature, list[Literal]]:
    """Return the target of a table, and the literal that each row predicts."""
    column, target = table.target, schema.target if schema is not None else None
    outcomes = [(row.outcome, literal_of(row.outcome)) for row in table.rows]
    if target is not None and target.name == column.name:
        return target, outcomes
    allowed = [] if column.allowed is None else literals_of(comparisons_of(column.allowed))
    declared = [(column.allowed, literal) for literal in allowed if column.allowed is not None]
    scalar = _scalar(column, [*declared, *outcomes])
    if scalar in ("number", "integer"):
        return Feature(column.name, Kind(scalar)), outcomes
    classes = {literal_value(cell, literal, scalar, column.name) for cell, literal in declared or outcomes}
    return Feature(column.name, Kind.CATEGORY, sorted(classes), scalar), outcomes


def predicted_value(cell: TableCell, literal: RuleToken, target: Feature) -> Any:
    """Return the prediction of a row: a class or a finite number.

    Raises:
        ParseError: the cell holds no such value.
    """
    if not target.is_ordered:
        return literal_category(cell, literal, target, is_target=True)
    value = float(literal_value(cell, literal, "number", target.name))  # the mean of integers may be any number
    if abs(value) == float("inf"):
        raise cell.error(f"{literal.text!r} is not a finite number", "write the number to predict", literal.start)
    return value
