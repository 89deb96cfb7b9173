"""What may stand where rules are asked for: a tree, a rule set, a rule list, or what a file of rules says.

rules_of        the rules, of a set or of a list       rule_set_of, rule_list_of    one of the two, and all were read
domain_for      what is declared of their columns      aligned_column               a table's column, as they see it
"""

from treerules.data.casting import aligned
from treerules.data.column import Column
from treerules.data.domain import Domain
from treerules.data.schema import Feature
from treerules.data.table import Table
from treerules.errors import ColumnError, DataError, OptionError, did_you_mean
from treerules.rules.compile import compile_rules
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.trees.tree import Tree

Source = Tree | RuleSet | RuleList | ParsedRules


def rules_of(source: Source) -> RuleSet | RuleList:
    """Return the rules that a source holds; those of a tree are compiled.

    Raises:
        OptionError: it holds none.
    """
    if isinstance(source, Tree):
        return compile_rules(source)
    found = source.rules if isinstance(source, ParsedRules) else source
    if not isinstance(found, (RuleSet, RuleList)):
        raise OptionError("rules", source, "a RuleSet, a RuleList, a Tree or what a file of rules says")
    return found


def all_rules_of(source: Source) -> RuleSet | RuleList:
    """Return the rules that a source holds, if they are all that it says.

    Raises:
        OptionError: it holds none.
        DataError: a part of its file was not read.
    """
    if isinstance(source, ParsedRules) and source.unread:
        first, n = source.unread[0], len(source.unread)
        were = f"{n} parts of the rules were not read, the first" if n > 1 else "a part of the rules was not read,"
        problem = f"{were} on line {first.line}: {first.problem}"
        raise DataError(problem, "give rules that are read whole; `review` and `treerules check` tell of what was read")
    return rules_of(source)


def rule_set_of(source: Source, instead: str) -> RuleSet:
    """Return the rule set that a source holds; `instead` says what is there for a rule list.

    Raises:
        OptionError: it holds none, or a rule list.
        DataError: a part of its file was not read.
    """
    found = all_rules_of(source)
    if not isinstance(found, RuleSet):
        raise OptionError("rules", found, f"a rule set; of a list the first rule that fires decides: {instead}")
    return found


def rule_list_of(source: Source, instead: str) -> RuleList:
    """Return the rule list that a source holds; `instead` says what is there for a rule set.

    Raises:
        OptionError: it holds none, or a rule set.
        DataError: a part of its file was not read.
    """
    found = all_rules_of(source)
    if not isinstance(found, RuleList):
        raise OptionError("rules", found, f"a rule list; the rules of a set have no order: {instead}")
    return found


def domain_for(source: Source, domain: Domain | None) -> Domain | None:
    """Return the domain that was given; where none was, the one that a file of rules declares."""
    return source.domain if domain is None and isinstance(source, ParsedRules) else domain


def names_of(source: Source) -> dict[int, str]:
    """Return the names that a file gives its rules, by number; empty where the source is not a file of rules."""
    return dict(source.names) if isinstance(source, ParsedRules) else {}


def aligned_column(feature: Feature, table: Table) -> "Column":
    """Return the column of a table as a feature of rules sees it.

    Raises:
        ColumnError: the table has no such column, or one of the wrong kind.
    """
    if feature.name not in table.schema.indices:
        hint = did_you_mean(feature.name, table.schema.indices)
        raise ColumnError(feature.name, "the rules ask for it and the table has none", f"{hint}add or rename it")
    return aligned(feature, table.column(feature.name))
