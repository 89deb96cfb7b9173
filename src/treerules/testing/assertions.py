"""Assertions about rules, decided by the checker, not sampled. What fails shows the rules and a row to paste."""

from typing import Any

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.data.domain import Domain
from treerules.errors import OptionError, TreeRulesError, counted
from treerules.proof.check import Gap, Overlap, Verdict, check
from treerules.rules.compile import compile_rules
from treerules.rules.row_text import row_text
from treerules.rules.rule_set import RuleSet
from treerules.rules.wording import rule_text
from treerules.trees.tree import Tree

Row = dict[str, Any]
BUDGET = 300_000


@frozen
class RulesError(TreeRulesError, AssertionError):
    """Rules are not what was asserted of them."""

    problem: str
    remedy: str
    #: the rules concerned, in words
    rules: tuple[str, ...] = field(default=(), converter=as_tuple)
    #: a row that shows it
    row: Row | None = None

    def __str__(self) -> str:
        said = [f"{self.problem}; {self.remedy}", *(f"    {rule}" for rule in self.rules)]
        return "\n".join(said if self.row is None else [*said, f"    row = {row_text(self.row)}"])


def assert_exclusive(rules: Tree | RuleSet, *, domain: Domain | None = None, budget: int = BUDGET) -> None:
    """Raise unless no row of the domain fires two rules.

    >>> from treerules import Condition, Feature, Interval, MeanPrediction, Rule, RuleFigures, Schema
    >>> low = Rule(1, [("x", Condition(Interval(None, 5)))], MeanPrediction(0.0), RuleFigures(0.0, 0.0))
    >>> high = Rule(2, [("x", Condition(Interval(4, None)))], MeanPrediction(1.0), RuleFigures(0.0, 0.0))
    >>> assert_exclusive(RuleSet(Schema([Feature("x", "integer")], Feature("y", "number")), [low, high]))
    Traceback (most recent call last):
    treerules.testing.assertions.RulesError: rules 1 and 2 both fire for a row; give it to one of them
        rule 1: IF x <= 5 THEN y = 0
        rule 2: IF x > 4 THEN y = 1
        row = {'x': 5}

    Raises:
        RulesError: some row does; an AssertionError that shows it.
        OptionError: these are no rules of a set, or the domain does not fit.
    """
    found = require_rule_set(rules)
    raise_overlap(found, check(found, domain=domain, budget=budget))


def assert_complete(rules: Tree | RuleSet, *, domain: Domain | None = None, budget: int = BUDGET) -> None:
    """Raise unless every row of the domain fires a rule.

    Raises:
        RulesError: some row does not, an AssertionError that shows it; or it was not decided within the budget.
        OptionError: these are no rules of a set, or the domain does not fit.
    """
    found = require_rule_set(rules)
    raise_gap(found, check(found, domain=domain, budget=budget))


def raise_overlap(rules: RuleSet, verdict: Verdict) -> None:
    """Raise RulesError where a verdict has an overlap."""
    if not verdict.exclusive:
        overlap: Overlap = verdict.overlaps[0]
        some = f"{overlap.first} and {overlap.second}"
        more = _more(verdict, "overlaps", "pair")
        texts = rule_texts(rules, (overlap.first, overlap.second))
        raise RulesError(f"rules {some} both fire for a row{more}", "give it to one of them", texts, overlap.row)


def raise_gap(rules: RuleSet, verdict: Verdict) -> None:
    """Raise RulesError where a verdict has a gap, or could not be decided."""
    if verdict.complete is False:
        gap: Gap = verdict.gaps[0]
        more = _more(verdict, "gaps", "region")
        closing = [] if gap.rule is None else [f"it would be closed by: {rule_text(rules.schema, gap.rule)}"]
        raise RulesError(f"none of {counted(len(rules), 'rule')} fires for a row{more}", "add one", closing, gap.row)
    if verdict.complete is None:
        problem = "whether some rule fires for every row was not decided within the budget"
        raise RulesError(problem, "give a higher budget=, or make the rules exclusive")


def _more(verdict: Verdict, what: str, noun: str) -> str:
    """Return how many more there are, where that is known."""
    n = len(getattr(verdict, what)) - 1
    if n <= 0:
        return ""
    return f" (and {counted(n, noun)} more{', at least' if what in verdict.cut_off else ''})"


def require_rule_set(rules: Tree | RuleSet) -> RuleSet:
    """Return rules as they are, those of a tree compiled.

    Raises:
        OptionError: it is neither.
    """
    if isinstance(rules, Tree):
        return compile_rules(rules)
    if isinstance(rules, RuleSet):
        return rules
    raise OptionError("rules", rules, "a tree or a rule set")


def rule_texts(rules: RuleSet, numbers: tuple[int, ...]) -> list[str]:
    """Return rules, by their numbers, in words."""
    by_number = {rule.number: rule for rule in rules.rules}
    return [f"rule {number}: {rule_text(rules.schema, by_number[number])}" for number in numbers]
