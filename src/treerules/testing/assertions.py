"""Assertions about rules, decided by proof; a failure shows the rules and a row as a Python dict."""

from typing import Any

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.short_repr import short_repr
from treerules.data.domain import Domain
from treerules.errors import OptionError, TreeRulesError, counted
from treerules.proof.check import Gap, Overlap, Verdict, check
from treerules.rules.compile import compile_rules
from treerules.rules.row_text import row_text
from treerules.rules.rule_set import RuleSet
from treerules.rules.wording import rule_text
from treerules.trees.ensemble import one_tree_of
from treerules.trees.tree import Tree

Row = dict[str, Any]
#: The default budget of the proof of completeness.
BUDGET = 300_000


@short_repr
@frozen
class RulesError(TreeRulesError, AssertionError):
    """Rules fail an assertion.

    Attributes:
        problem: What is wrong.
        remedy: What to do about it.
        rules: The texts of the rules concerned.
        row: A witness; None if there is none.
    """

    problem: str
    remedy: str
    rules: tuple[str, ...] = field(default=(), converter=as_tuple)
    row: Row | None = None

    def __str__(self) -> str:
        lines = [f"{self.problem}; {self.remedy}", *(f"    {rule}" for rule in self.rules)]
        return "\n".join(lines if self.row is None else [*lines, f"    row = {row_text(self.row)}"])


def assert_exclusive(rules: Tree | RuleSet, *, domain: Domain | None = None, budget: int = BUDGET) -> None:
    """Raise unless no row of the domain fires two rules, which is proved.

    Args:
        rules: A rule set, or a tree, whose rules are compiled.
        domain: The values that each feature has, a `ColumnDomain` by name; by default what the rules declare, or all
            values of its kind.
        budget: The greatest number of steps of the proof, as in `check`.

    Raises:
        RulesError: some row fires two rules; an AssertionError with the row.
        OptionError: an argument is of a wrong type, or the domain does not fit the rules.

    Examples:
        >>> from treerules import Condition, Feature, Interval, Rule, RuleFigures, Schema
        >>> from treerules.trees import MeanPrediction
        >>> low = Rule(1, [("x", Condition(Interval(None, 5)))], MeanPrediction(0.0), RuleFigures(0.0, 0.0))
        >>> high = Rule(2, [("x", Condition(Interval(4, None)))], MeanPrediction(1.0), RuleFigures(0.0, 0.0))
        >>> assert_exclusive(RuleSet(Schema([Feature("x", "integer")], Feature("y", "number")), [low, high]))
        Traceback (most recent call last):
        treerules.testing.assertions.RulesError: rules 1 and 2 both fire for a row; give it to one of them
            rule 1: IF x <= 5 THEN y = 0
            rule 2: IF x > 4 THEN y = 1
            row = {'x': 5}
    """
    rule_set = require_rule_set(rules)
    raise_overlap(rule_set, check(rule_set, domain=domain, budget=budget))


def assert_complete(rules: Tree | RuleSet, *, domain: Domain | None = None, budget: int = BUDGET) -> None:
    """Raise unless every row of the domain fires a rule, which is proved.

    Args:
        rules: A rule set, or a tree, whose rules are compiled.
        domain: The values that each feature has, a `ColumnDomain` by name; by default what the rules declare, or all
            values of its kind.
        budget: The greatest number of steps of the proof, as in `check`.

    Raises:
        RulesError: some row fires no rule (an AssertionError with the row), or the budget did not suffice to decide.
        OptionError: an argument is of a wrong type, or the domain does not fit the rules.

    Examples:
        >>> from treerules import Condition, Feature, Interval, Rule, RuleFigures, Schema
        >>> from treerules.trees import MeanPrediction
        >>> low = Rule(1, [("x", Condition(Interval(None, 5)))], MeanPrediction(0.0), RuleFigures(0.0, 0.0))
        >>> assert_complete(RuleSet(Schema([Feature("x", "integer")], Feature("y", "number")), [low]))
        Traceback (most recent call last):
        treerules.testing.assertions.RulesError: none of 1 rule fires for a row; add one
            it would be closed by: IF (x > 5 or missing) THEN y = 0
            row = {'x': 6}
    """
    rule_set = require_rule_set(rules)
    raise_gap(rule_set, check(rule_set, domain=domain, budget=budget))


def raise_overlap(rules: RuleSet, verdict: Verdict) -> None:
    """Raise RulesError for a verdict with an overlap.

    Raises:
        RulesError: it has one.
    """
    if not verdict.exclusive:
        overlap: Overlap = verdict.overlaps[0]
        numbers = (overlap.first, overlap.second)
        problem = f"rules {numbers[0]} and {numbers[1]} both fire for a row{_more(verdict, 'overlaps', 'pair')}"
        raise RulesError(problem, "give it to one of them", numbered_rule_texts(rules, numbers), overlap.row)


def raise_gap(rules: RuleSet, verdict: Verdict) -> None:
    """Raise RulesError for a verdict with a gap, or one that was not decided.

    Raises:
        RulesError: the verdict has a gap, or the budget did not suffice.
    """
    if verdict.complete is False:
        gap: Gap = verdict.gaps[0]
        problem = f"none of {counted(len(rules), 'rule')} fires for a row{_more(verdict, 'gaps', 'region')}"
        closing = [] if gap.rule is None else [f"it would be closed by: {rule_text(rules.schema, gap.rule)}"]
        raise RulesError(problem, "add one", closing, gap.row)
    if verdict.complete is None:
        problem = "whether some rule fires for every row was not decided within the budget"
        raise RulesError(problem, "give a higher budget=, or make the rules exclusive")


def _more(verdict: Verdict, findings: str, noun: str) -> str:
    """Return a text with the number of further findings; "" if there are none."""
    n = len(getattr(verdict, findings)) - 1
    if n <= 0:
        return ""
    return f" (and {counted(n, noun)} more{', at least' if findings in verdict.cut_off else ''})"


def require_rule_set(rules: Tree | RuleSet) -> RuleSet:
    """Return the argument `rules`, that of a tree compiled.

    Raises:
        OptionError: `rules` is neither a rule set nor a tree.
    """
    if isinstance(rules, Tree):
        return compile_rules(rules)
    if isinstance(rules, RuleSet):
        return rules
    raise OptionError("rules", rules, one_tree_of(rules, "a tree or a rule set"))


def numbered_rule_texts(rules: RuleSet, numbers: tuple[int, ...]) -> list[str]:
    """Return the texts of the rules with these numbers."""
    by_number = {rule.number: rule for rule in rules.rules}
    return [f"rule {number}: {rule_text(rules.schema, by_number[number])}" for number in numbers]
