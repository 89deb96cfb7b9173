"""A CASE that was read, as one whose WHENs exclude each other: each is true of exactly the rows that it decides."""

from collections.abc import Callable, Mapping
from math import inf
from typing import Any

from attrs import asdict, evolve, field, frozen

from treerules.data.domain import next_value
from treerules.data.schema import Feature
from treerules.emit.predicates import condition_writer
from treerules.emit.sql.case_lines import case_lines
from treerules.emit.template_records import PrintedLine
from treerules.errors import OptionError, UnsupportedError, counted
from treerules.proof.to_exclusive import to_exclusive
from treerules.rules.conditions import bounds_of
from treerules.rules.parsed import ParsedRules, SqlSource
from treerules.rules.rule import Condition
from treerules.rules.rule_set import RuleList
from treerules.sql.dialects import dialect_to_emit
from treerules.sql.language import Language


@frozen
class _Spelling(Language):
    """A dialect that spells the literals of one column as the source does."""

    spelled: Mapping[Any, str] = field(factory=dict, hash=False, kw_only=True)

    def literal(self, value: Any) -> str:
        """Return a literal, as the source has it where it has it."""
        return self.spelled.get(value) or super().literal(value)


def rewrite_case(written: ParsedRules, *, dialect: str) -> str:
    """Return a CASE that gives what the source does, whatever the order of its WHENs: none leans on those before it.

    Columns, literals and outcomes are spelled as in the source, and so are bounds: where it asks `x < 0.1`, so does
    this. What falls through the source falls through this too, to NULL. It is the source's equal on each row, those
    with NaN too where the engine puts it above infinity.

    Raises:
        UnknownNameError: there is no such dialect.
        OptionError: the rules are no list, or were read from SQL of another dialect.
        UnsupportedError: a WHEN could not be read, or the dialect cannot hold a name or a value.
        DataError: it would be too long.
    """
    if not isinstance(written, ParsedRules):
        raise OptionError("written", written, "ParsedRules of an SQL CASE, as rules_from_sql returns them")
    language, rules = dialect_to_emit(dialect).spelling, written.rules
    if not isinstance(rules, RuleList):
        raise OptionError("what is to be made exclusive", type(rules).__name__, "the rules of an SQL CASE")
    source = written.sql or SqlSource("", {}, {}, {})
    if source.dialect not in ("", dialect):
        raise OptionError("dialect", dialect, f"{source.dialect!r}, in which the CASE was read")
    if written.unread:
        first = written.unread[0]
        problem = f"{counted(len(written.unread), 'WHEN')} could not be read, the first in line {first.line}"
        raise UnsupportedError(dialect, f"{problem} ({first.problem})", "rewrite it with columns and literals alone")
    found = to_exclusive(rules)  # whatever was declared, the text shall be right of every row
    ask = {
        feature.name: _asker(language, source, feature, index) for index, feature in enumerate(rules.schema.features)
    }
    lines, outcomes = [], dict[int, str]()
    values = {rule.number: rule.value for rule in rules.rules}
    for rule in sorted(found.rules.rules, key=lambda rule: (found.sources[rule.number], rule.number)):
        number = found.sources[rule.number]
        test = language.both.join(ask[name](condition) for name, condition in rule.conditions) or language.always
        outcomes[rule.number] = source.outcomes.get(number) or language.literal(values[number])
        lines.append(PrintedLine(0, "when", test, None, rule.number))
    if not lines:
        return "NULL\n"
    ends = [PrintedLine(0, step, "", None, None) for step in ("open", "close")]
    return "\n".join([*case_lines([ends[0], *lines, ends[1]], outcomes), ""])


def _asker(language: Language, source: SqlSource, feature: Feature, index: int) -> Callable[[Condition], str]:
    """Return the function that spells the conditions on a column.

    A column is compared as it is, not as a double or code point by code point: so the source compares it. Only where
    the source names infinity it is asked for NaN, which it then tells from infinity.
    """
    spelled = source.literals.get(feature.name, {})
    names_infinity = feature.scalar == "number" and inf in spelled
    is_number = language.is_number if names_infinity else None
    plain = evolve(language, is_number=is_number, text_column="{}", text_end="", number_column="{}", number_member="{}")
    column = source.columns.get(feature.name) or language.identifier(feature.name)
    pattern = column.replace("{", "{{").replace("}", "}}")
    spelling = _Spelling(**asdict(evolve(plain, column=pattern), recurse=False), spelled=spelled)
    asked = condition_writer(spelling, feature, index)
    if not feature.is_ordered or names_infinity:
        return asked
    return lambda condition: _line_question(spelling, feature, column, condition) or asked(condition)


def _line_question(language: _Spelling, feature: Feature, column: str, condition: Condition) -> str | None:
    """Return a question of an ordered column with the bounds of the source; None where it has no bound."""
    above, upto = bounds_of(condition.values)
    if above is None and upto is None:
        return None
    low = None if above is None else _bound(language, feature, above, "above")
    high = None if upto is None else _bound(language, feature, upto, "upto")
    if low is not None and low == high and low[1]:
        found = language.equal.format(column, low[0])
    else:
        parts = [f"{column} {'>=' if low[1] else '>'} {low[0]}"] if low is not None else []
        parts += [f"{column} {'<=' if high[1] else '<'} {high[0]}"] if high is not None else []
        found = language.both.join(parts)
    return f"({found}{language.either}{language.missing.format(column)})" if condition.missing else found


def _bound(language: _Spelling, feature: Feature, value: Any, end: str) -> tuple[str, bool]:
    """Return a bound of (above, upto], and whether it belongs to the values: as the source asks for it, or shortly."""
    after = next_value(feature, value)
    if value in language.spelled or after is None:
        is_after = False
    else:
        is_after = after in language.spelled or len(repr(after)) < len(repr(value))
    literal = language.literal(after if is_after else value)
    return literal, is_after if end == "above" else not is_after
