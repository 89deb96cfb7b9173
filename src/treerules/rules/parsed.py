"""What a file of rules says: the rules, what its author declared of the columns, and where each rule stands."""

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.data.domain import ColumnDomain
from treerules.rules.rule_set import RuleList, RuleSet


def _as_dict(values: Any) -> Any:
    return dict(values)


@frozen
class UnparsedPart:
    """A part of a file that could not be read, with its place (from 1) and why."""

    line: int
    column: int
    text: str
    problem: str


@frozen
class SqlSource:
    """How the SQL that rules were read from spells what they are about."""

    dialect: str
    #: how it refers to a column, by the column's name
    columns: Mapping[str, str]
    #: how it spells the literals that a column meets, by the column's name and the value
    literals: Mapping[str, Mapping[Any, str]]
    #: what a rule gives, by its number
    outcomes: Mapping[int, str]


@frozen
class ParsedRules:
    """Rules as somebody wrote them: a rule set, or a rule list where the first that fires decides."""

    rules: RuleSet | RuleList
    #: what is declared of columns
    domain: dict[str, ColumnDomain] = field(factory=dict, converter=_as_dict)
    #: the line on which each rule stands, by its number
    lines: dict[int, int] = field(factory=dict, converter=_as_dict)
    #: what the file calls a rule, by its number, where that is not "rule N": several rules may be one "WHEN 2"
    names: dict[int, str] = field(factory=dict, converter=_as_dict)
    #: which part of the file this is, where it has several, such as "CASE 2 (band)"
    title: str = ""
    unread: tuple[UnparsedPart, ...] = field(default=(), converter=as_tuple)
    #: what a reader of the verdict must know, a sentence each
    notes: tuple[str, ...] = field(default=(), converter=as_tuple)
    #: the spelling of the SQL that the rules were read from
    sql: SqlSource | None = None

    def name(self, number: int) -> str:
        """Return what a rule is called."""
        return self.names.get(number, f"rule {number}")
