"""Rewriting of a CASE into mutually exclusive WHENs: each is true for exactly the rows that it decides."""

from collections.abc import Callable, Mapping
from math import inf
from typing import Any

from attrs import asdict, evolve, field, frozen

from treerules.data.domain import next_value
from treerules.data.schema import Feature, Schema
from treerules.emit.predicates import condition_writer
from treerules.emit.sql.case_lines import case_lines
from treerules.emit.sql.type_guard import guard_of
from treerules.emit.template_records import PrintedLine
from treerules.errors import OptionError, UnsupportedError, counted
from treerules.proof.to_exclusive import EXCLUSIVE_BUDGET, to_exclusive
from treerules.rules.conditions import bounds_of
from treerules.rules.parsed import ParsedRules, SqlSource
from treerules.rules.rule import Condition
from treerules.rules.rule_set import RuleList
from treerules.sql.dialects import dialect_to_emit
from treerules.sql.language import Language


@frozen
class _Spelling(Language):
    """A dialect that writes the literals of one column as the source does."""

    literals: Mapping[Any, str] = field(factory=dict, hash=False, kw_only=True)

    def literal(self, value: Any) -> str:
        """Return the SQL of a value: the literal of the source if it has one."""
        return self.literals.get(value) or super().literal(value)


def rewrite_case(parsed: ParsedRules, *, dialect: str, budget: int = EXCLUSIVE_BUDGET) -> str:
    """Return a CASE that is equal to the source, but whose WHENs exclude each other, so that their order is irrelevant.

    Columns, literals, bounds and outcomes are written as in the source. A row that no WHEN of the source takes gives
    NULL here too. Both are equal for each row, also for NaN where the engine puts NaN above infinity.

    Args:
        parsed: the rules of one CASE, from `rules_from_sql`.
        dialect: the name of the SQL dialect, that of the source.
        budget: the greatest number of steps, as in `to_exclusive`.

    Returns:
        The CASE expression, one line for each rule, with a line end.

    Raises:
        UnknownNameError: there is no such dialect.
        OptionError: the argument is not a rule list parsed from SQL, or was parsed in another dialect.
        UnsupportedError: a WHEN could not be parsed, or the dialect cannot hold a name or a value.
        DataError: the CASE would be too long, or takes more steps than the budget.

    Examples:
        >>> from treerules.formats import rules_from_sql
        >>> (parsed,) = rules_from_sql("CASE WHEN x < 1 THEN 'a' WHEN x < 2 THEN 'b' END", dialect="duckdb")
        >>> print(rewrite_case(parsed, dialect="duckdb"))
        CASE
          WHEN x < 1 THEN 'a'
          WHEN x >= 1 AND x < 2 THEN 'b'
        END
        <BLANKLINE>
    """
    if not isinstance(parsed, ParsedRules) or not isinstance(parsed.rules, RuleList):
        raise OptionError("parsed", parsed, "the ParsedRules of an SQL CASE, as rules_from_sql returns them")
    record, rules = dialect_to_emit(dialect), parsed.rules
    language = record.spelling
    source = parsed.sql or SqlSource("", {}, {}, {})
    if source.dialect not in ("", record.name):
        raise OptionError("dialect", dialect, f"{source.dialect!r}, in which the CASE was read")
    if parsed.unparsed:
        first = parsed.unparsed[0]
        problem = f"{counted(len(parsed.unparsed), 'WHEN')} could not be read, the first in line {first.line}"
        raise UnsupportedError(dialect, f"{problem} ({first.problem})", "rewrite it with columns and literals alone")
    if parsed.prediction_problem:
        raise UnsupportedError(dialect, parsed.prediction_problem, "rewrite it with columns and literals alone")
    exclusive = to_exclusive(rules, domain={}, budget=budget)  # the SQL must be correct for every row
    writers = {
        feature.name: _condition_writer(language, source, feature, index)
        for index, feature in enumerate(rules.schema.features)
    }
    lines, outcomes = [], dict[int, str]()
    values = {rule.number: rule.value for rule in rules.rules}
    for rule in sorted(exclusive.rules, key=lambda rule: (exclusive.sources[rule.number], rule.number)):
        number = exclusive.sources[rule.number]
        test = language.both.join(writers[name](condition) for name, condition in rule.conditions) or language.always
        outcomes[rule.number] = source.outcomes.get(number) or language.literal(values[number])
        lines.append(PrintedLine(0, "when", test, None, rule.number))
    if not lines:
        return "NULL\n"
    ends = [PrintedLine(0, step, "", None, None) for step in ("open", "close")]
    guard = _guard(language, source, rules.schema)
    return "\n".join([*case_lines([ends[0], *lines, ends[1]], outcomes, guard=guard), ""])


def _guard(language: Language, source: SqlSource, schema: Schema) -> PrintedLine | None:
    """Return the WHEN that ends the statement for values of other types, where the source has one; else None."""
    refusal = language.refusal.replace(" ", "")
    if not refusal or refusal not in source.tokens.replace(" ", ""):
        return None
    columns = [(f.scalar, source.columns.get(f.name) or language.identifier(f.name)) for f in schema.features]
    return guard_of(language, columns)


def _condition_writer(
    language: Language, source: SqlSource, feature: Feature, index: int
) -> Callable[[Condition], str]:
    """Return the function that writes the conditions on a column.

    A column is compared as it is, not as a double, and code point by code point only where the source does. Only if the
    source names infinity is the column tested for NaN, which the source then distinguishes from infinity.
    """
    literals = source.literals.get(feature.name, {})
    names_infinity = feature.scalar == "number" and inf in literals
    is_number = language.is_number if names_infinity else None
    plain = evolve(language, is_number=is_number, number_column="{}", number_member="{}")
    if feature.name not in source.binary:
        plain = evolve(plain, text_column="{}", text_end="")
    column = source.columns.get(feature.name) or language.identifier(feature.name)
    pattern = column.replace("{", "{{").replace("}", "}}")
    spelling = _Spelling(**asdict(evolve(plain, column=pattern), recurse=False), literals=literals)
    write_condition = condition_writer(spelling, feature, index)
    if not feature.is_ordered or names_infinity:
        return write_condition
    return lambda condition: _interval_test(spelling, feature, column, condition) or write_condition(condition)


def _interval_test(language: _Spelling, feature: Feature, column: str, condition: Condition) -> str | None:
    """Return the test of an interval with the bounds of the source; None without an interval, or without bounds."""
    if len(condition.intervals) != 1:
        return None
    above, upto = bounds_of(*condition.intervals)
    if above is None and upto is None:
        return None
    low = None if above is None else _bound(language, feature, above, "above")
    high = None if upto is None else _bound(language, feature, upto, "upto")
    if low is not None and low == high and low[1]:
        test = language.equal.format(column, low[0])
    else:
        parts = [f"{column} {'>=' if low[1] else '>'} {low[0]}"] if low is not None else []
        parts += [f"{column} {'<=' if high[1] else '<'} {high[0]}"] if high is not None else []
        test = language.both.join(parts)
    return f"({test}{language.either}{language.missing.format(column)})" if condition.missing else test


def _bound(language: _Spelling, feature: Feature, value: Any, end: str) -> tuple[str, bool]:
    """Return the literal of a bound, as in the source or the shorter one, and whether the interval holds the bound."""
    after = next_value(feature, value)
    if value in language.literals or after is None:
        is_after = False
    else:
        is_after = after in language.literals or len(repr(after)) < len(repr(value))
    literal = language.literal(after if is_after else value)
    return literal, is_after if end == "above" else not is_after
