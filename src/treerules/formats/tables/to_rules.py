"""From a decision table's cells to rules: which kind each column is, what each cell takes, what each row predicts."""

from collections.abc import Sequence
from itertools import product
from math import isfinite, prod
from typing import Any

from attrs import frozen

from treerules.data.domain import ColumnDomain, Domain, next_value, require_domain
from treerules.data.schema import Feature, Kind, Schema, kind_of_scalar
from treerules.errors import InvalidTreeError, did_you_mean, listed
from treerules.formats.tables.cell_grammar import Named, Test, Within, literal_of, tests_of
from treerules.formats.tables.cell_lexer import Token
from treerules.formats.tables.cell_semantics import (
    conditions_of,
    literals_of,
    looks_like_range,
    scalar_of,
    taken_by,
    value_of,
)
from treerules.formats.tables.model import Cell, Grid, GridColumn, GridRow
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule import Condition, Rule, RuleFigures
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.trees.node_parts import Prediction, certain

#: So many rules may one row become, where its cells take several intervals.
MOST_PARTS = 10_000
_MOMENTS = {"timestamp", "timestamp_utc"}


@frozen
class _Column:
    """A column once its cells are read: the feature (None where nothing is asked), its domain, what cells say."""

    feature: Feature | None
    domain: ColumnDomain | None
    conditions: tuple[list[Condition] | None, ...]


def written_of(grid: Grid, *, schema: Schema | None = None, domain: Domain | None = None) -> ParsedRules:
    """Return the rules that a decision table holds.

    Raises:
        ParseError: a cell cannot be read, or does not fit its column.
        UnknownNameError, OptionError: the domain does not fit the columns.
    """
    if not grid.rows:
        raise grid.target.cell.error("the table has no rules", "write one row a rule")
    given = dict(schema.indices) if schema else {}
    columns = [_column(grid, place, schema, (domain or {}).get(each.name)) for place, each in enumerate(grid.columns)]
    new = [column.feature for column in columns if column.feature and column.feature.name not in given]
    values, target = _target(grid, schema)
    with_target = _schema([*(schema.features if schema else ()), *new], target, grid)
    domains = {c.feature.name: c.domain for c in columns if c.feature and c.domain}
    domains.update(domain or {})
    require_domain(with_target, domains)
    names = [column.feature.name if column.feature else "" for column in columns]
    rules, lines, called = _rules(grid, names, [c.conditions for c in columns], _predictions(with_target, values))
    made = RuleList(with_target, rules) if grid.is_list else RuleSet(with_target, rules)
    return ParsedRules(made, domains, lines, called, grid.title)


def _schema(features: list[Feature], target: Feature, grid: Grid) -> Schema:
    try:
        return Schema(features, target)
    except InvalidTreeError as error:
        raise grid.target.cell.error(error.problem, "give every column a name of its own") from None


def _column(grid: Grid, place: int, schema: Schema | None, declared: ColumnDomain | None) -> _Column:
    column, cells = grid.columns[place], [row.cells[place] for row in grid.rows]
    known = dict[str, tuple[Test, ...]]()
    tests = [_tests(cell, grid.feel, known) for cell in cells]
    allowed = None if column.allowed is None else _tests(column.allowed, grid.feel, known)
    feature = _given(schema, column.name) or _inferred(column, cells, tests, allowed)
    if feature is None:
        return _Column(None, None, (None,) * len(cells))
    allows = None if allowed is None or column.allowed is None else _allowed(feature, column.allowed, allowed)
    domain = declared or allows
    closed = domain is not None and not domain.unseen
    made = dict[str, list[Condition] | None]()
    for cell, asked in zip(cells, tests, strict=True):
        if cell.text not in made:
            with cell.reading():
                made[cell.text] = conditions_of(taken_by(asked, feature, closed=closed), feature)
    return _Column(feature, domain, tuple(made[cell.text] for cell in cells))


def _tests(cell: Cell, feel: bool, known: dict[str, tuple[Test, ...]]) -> tuple[Test, ...]:
    if cell.text not in known:
        with cell.reading():
            known[cell.text] = tests_of(cell.text, feel=feel)
    return known[cell.text]


def _given(schema: Schema | None, name: str) -> Feature | None:
    return schema.feature(name) if schema is not None and name in schema.indices else None


def _inferred(
    column: GridColumn, cells: Sequence[Cell], tests: Sequence[Sequence[Test]], allowed: Sequence[Test] | None
) -> Feature | None:
    """Return what a column is: as its file declares it, else as its literals say; None where nothing is asked of it."""
    placed = [(cell, token) for cell, asked in zip(cells, tests, strict=True) for token in literals_of(asked)]
    named = literals_of(allowed or ())
    if column.allowed is not None:
        placed = [*((column.allowed, token) for token in named), *placed]
    if not column.scalar and not placed and all(_is_any(asked) for asked in tests):
        return None
    _require_no_range(placed)
    scalar = _scalar(column, placed)
    kind = kind_of_scalar(scalar)
    is_list = bool(named) and all(not isinstance(test, Within) or test.point for test in allowed or ())
    if kind is Kind.CATEGORY or (is_list and len(named) > 1 and kind is not Kind.BOOLEAN):
        shown = [(cell, token) for cell, token in placed if cell is column.allowed or not is_list]
        return Feature(column.name, Kind.CATEGORY, sorted({_value(*place, scalar) for place in shown}), scalar)
    return Feature(column.name, kind, (), scalar)


def _require_no_range(placed: Sequence[tuple[Cell, Token]]) -> None:
    """Raise where plain text such as 30-50 may be meant as an interval, in a column of which nothing is declared."""
    for cell, token in placed:
        if token.kind == "word" and scalar_of(token) == "text" and looks_like_range(token.text):
            raise cell.error(
                f"{token.text!r} may be an interval or text",
                "write [30..50] or (30..50] for an interval, and text in quotes",
                token.offset,
            )


def _is_any(tests: Sequence[Test]) -> bool:
    return all(isinstance(test, Named) and test.name == "any" for test in tests)


def _scalar(column: GridColumn, placed: Sequence[tuple[Cell, Token]]) -> str:
    """Return the scalar of a column: the declared one, or the one that all literals share."""
    if column.scalar not in ("", "moments"):
        return column.scalar
    first: dict[str, tuple[Cell, Token]] = {}
    for cell, token in placed:
        first.setdefault(scalar_of(token), (cell, token))
    if column.scalar == "moments" and not set(first) <= _MOMENTS:
        odd, (cell, token) = next((scalar, place) for scalar, place in first.items() if scalar not in _MOMENTS)
        remedy = 'write date and time("2024-03-21T20:21:09")'
        raise cell.error(f"{token.text!r} is no moment but a {_plain(odd)}", remedy, token.offset)
    if len(first) > 1:
        (one, _), (other, (cell, token)) = list(first.items())[:2]
        raise cell.error(
            f"column {column.name!r} mixes {_plain(one)} and {_plain(other)}",
            "write all its values as one kind; text that looks like a number or a date stands in quotes",
            token.offset,
        )
    return next(iter(first), "timestamp" if column.scalar else "text")


def _plain(scalar: str) -> str:
    return {"timestamp": "moments without zone", "timestamp_utc": "moments with a zone", "text": "text"}.get(
        scalar, f"{scalar}s"
    )


def _value(cell: Cell, token: Token, scalar: str) -> Any:
    with cell.reading():
        return value_of(token, scalar)


def _allowed(feature: Feature, cell: Cell, tests: Sequence[Test]) -> ColumnDomain:
    """Return the domain that a file declares: exactly the values that it names; missing ones where it says null."""
    with cell.reading():
        taken = taken_by(tests, feature)
    if len(taken.spans) != 1 if feature.is_ordered else len(taken.members) < len(feature.categories):
        problem = "the declared values of a column are neither one interval nor a list of all values"
        raise cell.error(problem, "declare one or the other, and null beside it where values may be missing")
    if not feature.is_ordered:
        return ColumnDomain(missing=taken.missing, unseen=taken.unseen)
    ((above, upto),) = taken.spans
    return ColumnDomain(None if above is None else next_value(feature, above), upto, missing=taken.missing)


def _target(grid: Grid, schema: Schema | None) -> tuple[list[Any], Feature]:
    """Return what each row predicts, and the target."""
    column, target = grid.target, schema.target if schema is not None else None
    tokens = []
    for row in grid.rows:
        with row.outcome.reading():
            tokens.append(literal_of(row.outcome.text, feel=grid.feel))
    placed = list(zip((row.outcome for row in grid.rows), tokens, strict=True))
    if target is not None and target.name == column.name:
        return [_outcome(cell, token, target) for cell, token in placed], target
    allowed = [] if column.allowed is None else _declared_outcomes(column.allowed, grid.feel)
    scalar = _scalar(column, [*allowed, *placed])
    if scalar in ("number", "integer"):
        target = Feature(column.name, Kind(scalar))
    else:
        classes = {_value(cell, token, scalar) for cell, token in allowed or placed}
        target = Feature(column.name, Kind.CATEGORY, sorted(classes), scalar)
    return [_outcome(cell, token, target) for cell, token in placed], target


def _declared_outcomes(cell: Cell, feel: bool) -> list[tuple[Cell, Token]]:
    with cell.reading():
        return [(cell, token) for token in literals_of(tests_of(cell.text, feel=feel))]


def _outcome(cell: Cell, token: Token, target: Feature) -> Any:
    if target.is_ordered:
        value = float(_value(cell, token, target.scalar))
        if not isfinite(value):
            raise cell.error(f"{token.text!r} is no finite number", "write the number to predict", token.offset)
        return value
    value = _value(cell, token, target.scalar)
    if value not in target.positions:
        hint = did_you_mean(value, [str(known) for known in target.categories])
        remedy = f"{hint}known: {listed(target.categories)}"
        raise cell.error(f"target {target.name!r} has no class {value!r}", remedy, token.offset)
    return value


def _predictions(schema: Schema, values: Sequence[Any]) -> list[Prediction]:
    made = {value: certain(schema, value) for value in dict.fromkeys(values)}
    return [made[value] for value in values]


def _rules(
    grid: Grid, names: Sequence[str], columns: Sequence[Sequence[Any]], predictions: Sequence[Prediction]
) -> tuple[list[Rule], dict[int, int], dict[int, str]]:
    """Return the rules, the line of each, and what those are called that are not "rule N"."""
    rules, lines, called = list[Rule](), dict[int, int](), dict[int, str]()
    fresh = max((row.number for row in grid.rows), default=0)
    for place, (row, prediction) in enumerate(zip(grid.rows, predictions, strict=True)):
        asked = [(name, column[place]) for name, column in zip(names, columns, strict=True) if column[place]]
        _require_few(row, [conditions for _, conditions in asked])
        number = row.number
        for parts in product(*([(name, part) for part in conditions] for name, conditions in asked)):
            rules.append(Rule(number, parts, prediction, RuleFigures(0.0, 0.0)))
            lines[number] = row.line
            if row.name or number != row.number:
                called[number] = row.name or f"rule {row.number}"
            number = fresh = fresh + 1
        fresh -= 1
    return rules, lines, called


def _require_few(row: GridRow, conditions: Sequence[Sequence[Condition]]) -> None:
    if prod(map(len, conditions)) > MOST_PARTS:
        raise row.outcome.error(
            f"the row is {prod(map(len, conditions)):,} rules, since several cells take several intervals",
            "write it as several rows",
        )
