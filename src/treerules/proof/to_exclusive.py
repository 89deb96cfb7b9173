"""Conversion of a rule list to a rule set with the same answers: each rule minus the rules before it.

1 age <= 30 -> low                      1 age <= 30 -> low
2 income <= 10 -> low                   2 age > 30 AND income <= 10 -> low
3 otherwise -> high                     3 age > 30 AND income > 10 -> high
"""

from functools import cache

from attrs import evolve

from treerules.data.domain import Domain, narrowing
from treerules.errors import DataError
from treerules.proof.check import require_search
from treerules.regions.merge import merge_boxes
from treerules.regions.space import space_of
from treerules.regions.subtract import Budget, BudgetExceeded, constraints_in, subtract
from treerules.rules.rule import Rule, RuleFigures
from treerules.rules.rule_set import ExclusiveRules, RuleSet
from treerules.rules.sources import Source, domain_for, rule_list_of

#: The default budget: some ten seconds.
EXCLUSIVE_BUDGET = 300_000


def to_exclusive(rules: Source, *, domain: Domain | None = None, budget: int = EXCLUSIVE_BUDGET) -> ExclusiveRules:
    """Return the exclusive rule set with the same answer as a rule list for every row.

    A rule of the list may become several, or none if the rules before it take all its rows. They are numbered from 1 in
    the list's order. A rule that shares no row with those before it stays as it is, with its figures; the others have
    none. Gaps of the list remain gaps.

    Args:
        rules: a rule list, or a parsed file of one.
        domain: the values that columns can take, by column name. By default what the file declares; where it declares
            nothing, every value of the column's kind. Exact over this domain.
        budget: the greatest number of steps for subtracting rules from each other and for merging what is left, from 0;
            the default is some ten seconds.

    Returns:
        The rules, and for each the number of its rule in the list.

    Raises:
        DataError: the conversion takes more steps than the budget, or a part of the file was not read.
        OptionError: `rules` is not a rule list, `budget` is not a valid number, or `domain` does not fit the rules.
        UnknownNameError: `domain` names a column that the schema does not have.

    Examples:
        >>> from treerules import Condition, Feature, Interval, Rule, RuleFigures, RuleList, Schema
        >>> from treerules.trees import MeanPrediction
        >>> young = Rule(1, [("age", Condition(Interval(None, 30)))], MeanPrediction(1.0), RuleFigures(0, 0.0))
        >>> others = Rule(2, [], MeanPrediction(2.0), RuleFigures(0, 0.0))
        >>> schema = Schema([Feature("age", "integer")], Feature("y", "number"))
        >>> exclusive = to_exclusive(RuleList(schema, [young, others]))
        >>> exclusive.rules.rules[1].conditions, exclusive.sources
        ((('age', Condition(values=Interval(above=30, upto=None), missing=True, unseen=False)),), {1: 1, 2: 2})
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
            pieces = merge_boxes(space, list(subtract(space.axes, box, constraints, steps)), budget=steps)
        except BudgetExceeded:
            problem = f"rule {rule.number} and those before it fall into too many boxes for a budget of {budget} steps"
            raise DataError(
                problem, "give a greater budget= (--budget), or a domain that leaves less, or split the list"
            ) from None
        for piece, _ in pieces:
            number = len(exclusive) + 1
            sources[number] = rule.number
            changes = {"conditions": space.region(piece), "figures": RuleFigures(0, 0.0)} if before else {}
            exclusive.append(evolve(rule, number=number, **changes))
    rule_set = RuleSet(rules.schema, exclusive, domain=narrowing(rules.schema, domain))
    return ExclusiveRules(rule_set, sources, len(rules), len(exclusive))
