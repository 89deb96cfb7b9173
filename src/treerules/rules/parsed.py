"""The content of a file of rules: the rules, the declared domain of the columns, and the line of each rule."""

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import evolve, field, frozen

from treerules._internal.field_converters import as_dict, as_tuple
from treerules._internal.notes import Note
from treerules._internal.short_repr import short_repr
from treerules.data.domain import ColumnDomain
from treerules.rules.prefixes import Prefixes
from treerules.rules.rule_set import RuleList, RuleSet


@short_repr
@frozen
class UnparsedPart:
    """A part of a file that could not be parsed.

    Args:
        line: the line where it begins, from 1.
        column: the character in that line where it begins, from 1.
        text: the text of the part.
        problem: why it could not be parsed.
    """

    line: int
    column: int
    text: str
    problem: str


@short_repr
@frozen
class BranchPlace:
    """Where a WHEN or ELSE stands in its text: the offsets of its word, of its outcome and of its end, and its line."""

    start: int
    outcome: int
    stop: int
    #: the line of its word, from 1
    line: int = 1


@short_repr
@frozen
class SqlSource:
    """The CASE that rules were read from: the spelling of its columns, literals and outcomes, and its place."""

    dialect: str
    #: the SQL of each column, by the column's name
    columns: Mapping[str, str]
    #: the SQL of the literals that a column is compared with, by the column's name and the value
    literals: Mapping[str, Mapping[Any, str]]
    #: the SQL of the outcome of each rule, by its number
    outcomes: Mapping[int, str]
    #: the line of the word CASE, from 1; 0 where it is not known
    line: int = 0
    #: the tokens of the CASE with one blank between them: equal where only blanks, comments or lines differ
    tokens: str = ""
    #: the number of WHENs, those of a CASE in ELSE included, those in a THEN not
    n_whens: int = 0
    #: whether the last ELSE is ELSE NULL, which is no rule: rows that no WHEN takes are a gap on purpose
    falls: bool = False
    #: the places of the branches of the CASE, but not of those in its outcomes, by name in their order
    branches: Mapping[str, BranchPlace] = field(factory=dict, eq=False)
    #: the columns that stand for expressions, each with the text that equal ones share; "" if it is equal to nothing
    expressions: Mapping[str, str] = field(factory=dict)
    #: the prefixes that columns are compared with by LIKE, by the column's name. The category "a%" of such a column
    #: stands for the texts that begin with a, but are no other category and begin with no longer prefix. The rules by
    #: themselves do not know that: a function that is given `parsed.rules` takes "a%" for a text.
    prefixes: Mapping[str, Prefixes] = field(factory=dict)
    #: what each WHEN asks of columns that may hold NaN, where no comparison with NaN is true, by its name
    nan_uses: Mapping[str, Any] = field(factory=dict, eq=False)
    #: the columns of texts that are compared code point by code point each time, as by a binary collation
    binary: frozenset[str] = frozenset()


@short_repr
@frozen
class ParsedRules:
    """Rules that were read from a text, a table, DMN or SQL, with their places in the file.

    Functions that take rules take this too.

    Args:
        rules: a rule set, or a rule list where the first rule that fires decides.
        domain: the declared domain of columns, by name; by default that of the rules, which get it too.
        lines: the line of each rule, from 1, by the number of the rule.
        names: the names of rules in the file, by number, where they are not "rule N": several rules may be "WHEN 2".
        title: the part of the file that holds the rules, such as "CASE 2 (band)"; empty if there is one part.
        unparsed: the parts of the file that could not be parsed; their rules are left out.
        notes: notes on how the file was understood: sentences that keep their code, place and parts.
        sql: the spelling of the SQL that the rules were read from, if they were.
        opaque: the columns that stand for expressions of the SQL, such as "lower(x)". Their values may depend on each
            other and on those of other columns, so that a region with conditions on them may be empty.
    """

    rules: RuleSet | RuleList
    domain: dict[str, ColumnDomain] = field(factory=dict, converter=as_dict)
    lines: dict[int, int] = field(factory=dict, converter=as_dict)
    names: dict[int, str] = field(factory=dict, converter=as_dict)
    title: str = ""
    unparsed: tuple[UnparsedPart, ...] = field(default=(), converter=as_tuple)
    notes: tuple[Note, ...] = field(default=(), converter=as_tuple)
    sql: SqlSource | None = None
    opaque: tuple[str, ...] = field(default=(), converter=as_tuple)

    def __attrs_post_init__(self) -> None:
        if not self.domain:
            object.__setattr__(self, "domain", dict(self.rules.domain))
        elif self.domain != self.rules.domain:
            object.__setattr__(self, "rules", evolve(self.rules, domain=self.domain))

    def is_certain(self, region: Iterable[tuple[str, Any]]) -> bool:
        """Return whether a region, its conditions by column, has no condition on an expression: such rows may exist.

        >>> from treerules.formats import rules_from_sql
        >>> (parsed,) = rules_from_sql("CASE WHEN lower(x) = 'a' THEN 1 WHEN y > 5 THEN 2 END")
        >>> [parsed.is_certain(rule.conditions) for rule in parsed.rules.rules]
        [False, True]
        """
        return not any(name in self.opaque for name, _ in region)

    @property
    def prediction_problem(self) -> str:
        """Why the rules cannot predict the class of a row; "" if they can."""
        if self.opaque:
            return f"an expression was taken as a column: {self.opaque[0]}"
        prefixes = {} if self.sql is None else self.sql.prefixes
        return next((f"the texts of {name} are known by what they begin with (LIKE)" for name in prefixes), "")

    def name(self, number: int) -> str:
        """Return the name of a rule in the file, or "rule N"."""
        return self.names.get(number, f"rule {number}")
