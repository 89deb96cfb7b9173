"""A rule list as a rule set that says the same: of each rule what the rules before it leave.

1 age <= 30 -> low                      1 age <= 30 -> low
2 income <= 10 -> low                   2 age > 30 AND income <= 10 -> low
3 otherwise -> high                     3 age > 30 AND income > 10 -> high
"""

from functools import cache

from attrs import evolve

from treerules.data.domain import Domain
from treerules.errors import DataError
from treerules.proof.check import require_search
from treerules.regions.merge import merge_boxes
from treerules.regions.space import space_of
from treerules.regions.subtract import Budget, BudgetExceeded, constraints_in, subtract
from treerules.rules.rule import Rule, RuleFigures
from treerules.rules.rule_set import ExclusiveRules, RuleSet
from treerules.rules.sources import Source, domain_for, rule_list_of


def to_exclusive(rules: Source, *, domain: Domain | None = None, budget: int = 300_000) -> ExclusiveRules:
    """Return the rule set that gives every row what the list gives it: no two of its rules fire for one row.

    A rule of the list may become several, numbered from 1 in the list's order, or none, where the rules before it take
    all its rows. One that no rule before it meets stays as it is, with its figures. The list's gaps stay gaps. Exact
    over the `domain`, or the one that the file of rules declares; without one all may come.

    >>> from treerules import Condition, Feature, RuleFigures, Interval, MeanPrediction, Rule, RuleList, Schema
    >>> young = Rule(1, [("age", Condition(Interval(None, 30)))], MeanPrediction(1.0), RuleFigures(0, 0.0))
    >>> others = Rule(2, [], MeanPrediction(2.0), RuleFigures(0, 0.0))
    >>> found = to_exclusive(RuleList(Schema([Feature("age", "integer")], Feature("y", "number")), [young, others]))
    >>> found.rules.rules[1].conditions, found.sources
    ((('age', Condition(values=Interval(above=30, upto=None), missing=True, unseen=False)),), {1: 1, 2: 2})

    Raises:
        DataError: it takes more steps than the budget, or boxes than it.
        OptionError: these are no rules of a list, the budget is no whole number, or the domain does not fit.
        UnknownNameError: the domain names a column that the schema does not have.
    """
    domain = domain_for(rules, domain)
    rules = rule_list_of(rules, "check tells whether they exclude each other")
    require_search(rules.schema, domain, 1, budget)
    space = space_of(rules, domain)
    box_of, steps = cache(space.box), Budget(budget)
    exclusive: list[Rule] = []
    sources: dict[int, int] = {}
    for position in space.nonempty.tolist():
        rule, box = rules.rules[position], box_of(position)
        before = space.inside(space.every[:position], box).tolist()
        try:
            constraints = constraints_in(space.axes, box, ((other, box_of(other)) for other in before))
            pieces = merge_boxes(space, list(subtract(space.axes, box, constraints, steps)))
        except BudgetExceeded:
            problem = f"rule {rule.number} and those before it fall into too many boxes for a budget of {budget} steps"
            raise DataError(problem, "give a greater budget, or a domain that leaves less, or split the list") from None
        for piece, _ in pieces:
            number = len(exclusive) + 1
            sources[number] = rule.number
            changes = {"conditions": space.region(piece), "figures": RuleFigures(0, 0.0)} if before else {}
            exclusive.append(evolve(rule, number=number, **changes))
    return ExclusiveRules(RuleSet(rules.schema, exclusive), sources, len(rules), len(exclusive))
