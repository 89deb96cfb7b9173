"""Conversion of a decision table to rules: the values that each cell takes, and the prediction of each row."""

from collections.abc import Sequence
from itertools import product
from math import prod

from attrs import evolve, frozen
from toolz import unique

from treerules.data.domain import ColumnDomain, Domain, require_domain
from treerules.data.interval import canonical
from treerules.data.schema import Feature, Schema
from treerules.data.value_set import ValueSet
from treerules.errors import InvalidTreeError
from treerules.formats.notation.comparison_values import compared_values
from treerules.formats.notation.comparisons import ParsedComparison
from treerules.formats.tables.cell_parser import comparisons_of
from treerules.formats.tables.column_features import allowed_domain, feature_of_cells, predicted_value, target_feature
from treerules.formats.tables.model import DecisionTable, TableCell, TableRow
from treerules.rules.conditions import to_conditions
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule import Condition, Members, Rule, RuleFigures
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.trees.node_parts import Prediction, certain_prediction

#: The greatest number of rules that one row may become, if its cells take several intervals.
MOST_RULES = 10_000


@frozen
class _Column:
    """A column after its cells are read: its feature (None if no cell has a literal), its domain, its conditions."""

    feature: Feature | None
    domain: ColumnDomain | None
    #: for each row; None if the cell takes any value
    conditions: tuple[list[Condition] | None, ...]


def rules_from_table(
    table: DecisionTable, *, schema: Schema | None = None, domain: Domain | None = None
) -> ParsedRules:
    """Return the rules of a decision table.

    Raises:
        ParseError: a cell cannot be read, or does not fit its column.
        UnknownNameError, OptionError: the domain does not fit the columns.
    """
    if not table.rows:
        raise table.target.cell.error("the table has no rules", "write one row for each rule")
    schema_features = schema.features if schema else ()
    columns = [_column(table, index, schema, domain or {}) for index in range(len(table.columns))]
    new = [column.feature for column in columns if column.feature and column.feature not in schema_features]
    target, outcomes = target_feature(table, schema)
    values = [predicted_value(cell, literal, target) for cell, literal in outcomes]
    whole_schema = _schema([*schema_features, *new], target, table)
    domains = {column.feature.name: column.domain for column in columns if column.feature and column.domain}
    domains.update(domain or {})
    require_domain(whole_schema, domains)
    predictions = {value: certain_prediction(whole_schema, value) for value in values}
    rules, lines, names = _rules(table, columns, [predictions[value] for value in values])
    rule_set = RuleList(whole_schema, rules) if table.is_list else RuleSet(whole_schema, rules)
    return ParsedRules(rule_set, domains, lines, names, table.title)


def _schema(features: list[Feature], target: Feature, table: DecisionTable) -> Schema:
    try:
        return Schema(features, target)
    except InvalidTreeError as error:
        raise table.target.cell.error(error.problem, "give every column a name of its own") from None


def _column(table: DecisionTable, index: int, schema: Schema | None, domains: Domain) -> _Column:
    column, cells = table.columns[index], [row.cells[index] for row in table.rows]
    first_cells = list(unique(cells, key=_text))
    parsed = {cell.text: comparisons_of(cell) for cell in first_cells}
    comparisons = [parsed[cell.text] for cell in cells]
    allowed = None if column.allowed is None else comparisons_of(column.allowed)
    is_known = schema is not None and column.name in schema.indices
    feature = schema.feature(column.name) if schema and is_known else None
    feature = feature or feature_of_cells(column, cells, comparisons, allowed)
    if feature is None:
        return _Column(None, None, (None,) * len(cells))
    allows = None if allowed is None or column.allowed is None else allowed_domain(feature, column.allowed, allowed)
    domain = domains.get(column.name) or allows
    is_closed = domain is not None and not domain.unseen
    conditions = {cell.text: _conditions(cell, parsed[cell.text], feature, is_closed) for cell in first_cells}
    return _Column(feature, domain, tuple(conditions[cell.text] for cell in cells))


def _text(cell: TableCell) -> str:
    return cell.text


def _conditions(
    cell: TableCell, comparisons: Sequence[ParsedComparison], feature: Feature, is_closed: bool
) -> list[Condition] | None:
    """Return disjoint conditions that together take the values of a cell; None if it takes any value."""
    values = compared_values(cell, comparisons, feature, is_closed=is_closed)
    if values == ValueSet.everything(feature):
        return None
    if feature.is_ordered:
        intervals = canonical(values.intervals)
        values = values if intervals is values.intervals else evolve(values, intervals=intervals)
        return to_conditions(values) or [Condition(None)]
    return [Condition(Members(values.members) if values.members else None, values.missing, values.unseen)]


def _rules(
    table: DecisionTable, columns: Sequence[_Column], predictions: Sequence[Prediction]
) -> tuple[list[Rule], dict[int, int], dict[int, str]]:
    """Return the rules, the line of each, and the names of those that are not called "rule N"."""
    rules, lines, names = list[Rule](), dict[int, int](), dict[int, str]()
    last = max((row.number for row in table.rows), default=0)
    for index, (row, prediction) in enumerate(zip(table.rows, predictions, strict=True)):
        in_row = [(column.feature.name, column.conditions[index] or []) for column in columns if column.feature]
        alternatives = [[(name, condition) for condition in conditions] for name, conditions in in_row if conditions]
        _require_few(row, alternatives)
        for turn, conditions in enumerate(product(*alternatives)):
            number = last + turn if turn else row.number
            rules.append(Rule(number, conditions, prediction, RuleFigures(0.0, 0.0)))
            lines[number] = row.line
            if row.name or turn:
                names[number] = row.name or f"rule {row.number}"
        last += prod(map(len, alternatives)) - 1
    return rules, lines, names


def _require_few(row: TableRow, alternatives: Sequence[Sequence[object]]) -> None:
    n_rules = prod(map(len, alternatives))
    if n_rules > MOST_RULES:
        problem = f"the row is {n_rules:,} rules, since several cells take several intervals"
        raise row.outcome.error(problem, "write it as several rows")
