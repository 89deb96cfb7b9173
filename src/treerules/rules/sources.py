"""The types that are accepted as rules: a tree, a rule set, a rule list, or the content of a file of rules.

rules_of        the rules, a set or a list             rule_set_of, rule_list_of    one of the two; all must be parsed
domain_for      the domain declared for the columns    aligned_column               a table's column for a feature
"""

from treerules.data.column import Column
from treerules.data.domain import Domain
from treerules.data.schema import Feature
from treerules.data.table import Table
from treerules.errors import DataError, OptionError
from treerules.rules.compile import compile_rules
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.trees.ensemble import one_tree_of
from treerules.trees.tested_columns import feature_column
from treerules.trees.tree import Tree

_WHOLE = "give rules that are read whole; `review` and `treerules check` tell of what was read"

Source = Tree | RuleSet | RuleList | ParsedRules


def rules_of(source: Source, name: str = "rules") -> RuleSet | RuleList:
    """Return the rules of a source; a tree is compiled. `name` is the argument that an error names.

    Raises:
        OptionError: the source is of another type.
    """
    if isinstance(source, Tree):
        return compile_rules(source)
    rules = source.rules if isinstance(source, ParsedRules) else source
    if not isinstance(rules, (RuleSet, RuleList)):
        raise OptionError(name, source, one_tree_of(source, "a RuleSet, a RuleList, a Tree or ParsedRules"))
    return rules


def all_rules_of(source: Source, name: str = "rules") -> RuleSet | RuleList:
    """Return the rules of a source of which every part was parsed. `name` is the argument that an error names.

    Raises:
        OptionError: the source is of another type.
        DataError: a part of its file was not parsed, or an expression in it is not understood.
    """
    if isinstance(source, ParsedRules) and source.unparsed:
        first, n = source.unparsed[0], len(source.unparsed)
        were = f"{n} parts of the rules were not read, the first" if n > 1 else "a part of the rules was not read,"
        problem = f"{were} on line {first.line}: {first.problem}"
        raise DataError(problem, _WHOLE)
    if isinstance(source, ParsedRules) and source.prediction_problem:
        raise DataError(source.prediction_problem, _WHOLE)
    return rules_of(source, name)


def rule_set_of(source: Source, instead: str) -> RuleSet:
    """Return the rule set of a source; `instead` names the function for rule lists.

    Raises:
        OptionError: the source is of another type, or a rule list.
        DataError: a part of its file was not parsed.
    """
    rules = all_rules_of(source)
    if not isinstance(rules, RuleSet):
        raise OptionError("rules", rules, f"a rule set; of a list the first rule that fires decides: {instead}")
    return rules


def rule_list_of(source: Source, instead: str) -> RuleList:
    """Return the rule list of a source; `instead` names the function for rule sets.

    Raises:
        OptionError: the source is of another type, or a rule set.
        DataError: a part of its file was not parsed.
    """
    rules = all_rules_of(source)
    if not isinstance(rules, RuleList):
        raise OptionError("rules", rules, f"a rule list; the rules of a set have no order: {instead}")
    return rules


def domain_for(source: Source, domain: Domain | None) -> Domain | None:
    """Return the domain of an argument; where it is None, the domain that is declared with the rules."""
    return source.domain if domain is None and isinstance(source, Source) else domain


def names_of(source: Source) -> dict[int, str]:
    """Return the names that a file gives its rules, by number; empty where the source is not a file of rules."""
    return dict(source.names) if isinstance(source, ParsedRules) else {}


def aligned_column(feature: Feature, table: Table) -> Column:
    """Return the column of a table with the kind and the categories of a feature of rules.

    Raises:
        ColumnError: the table has no such column, or one of the wrong kind.
    """
    return feature_column(feature, table, "the rules ask for")
