"""What hangs on the order of a rule list: rules that never decide, and pairs of which the first decides."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from treerules.proof.check import Overlap, SubsumedRule, overlap_at
from treerules.regions.covered_rules import find_free_box
from treerules.regions.space import Space
from treerules.regions.subtract import Budget, BudgetExceeded
from treerules.rules.rule_set import RuleList


def never_deciding(rules: RuleList, space: Space, budget: int) -> tuple[list[SubsumedRule], list[int]]:
    """Return the rules that never decide, and those of which the budget leaves that open."""
    left, box_of = Budget(budget), cache(space.box)
    empty = set(space.empty.tolist())
    never, undecided = [], []
    for place, rule in enumerate(rules.rules):
        if place in empty:
            never.append(SubsumedRule(rule.number, ()))
            continue
        box, share = box_of(place), Budget(min(left.steps_left, max(budget // 20, 1)))
        before = space.inside(space.every[:place], box).tolist()
        if not before:
            continue
        if left.is_spent:
            undecided.append(rule.number)
            continue
        given = share.steps_left
        try:
            free, used = find_free_box(space, box_of, box, before, share)
        except BudgetExceeded:
            undecided.append(rule.number)
        else:
            if free is None:
                never.append(SubsumedRule(rule.number, [rules.rules[at].number for at in sorted(used)]))
        left.steps_left -= given - max(share.steps_left, 0)
    return never, undecided


def order_matters(rules: RuleList, space: Space, budget: int) -> Iterator[Overlap | None]:
    """Yield the pairs of rules that predict different values for rows of which the first decides.

    Where the budget leaves open whether earlier rules take all that they share, None is yielded instead; so it is, as
    the last, for all pairs that are left when it is spent.
    """
    left, box_of = Budget(budget), cache(space.box)
    values = [(type(rule.value), rule.value) for rule in rules.rules]
    for place in space.nonempty.tolist():
        later = space.inside(space.every[place + 1 :], box_of(place)).tolist()
        before = space.inside(space.every[:place], box_of(place)).tolist()
        for other in later:
            if values[place] == values[other]:
                continue
            box: Any = space.intersection(box_of(place), box_of(other))
            try:
                free = find_free_box(space, box_of, box, before, left)[0] if before else box
            except BudgetExceeded:
                yield None
                return
            if free is not None:
                found = overlap_at(rules, space, place, other, box, space.row(free))
                if rules.firing(found.row)[0].number != found.first:
                    raise AssertionError(f"rule {found.first} does not decide for the witness {found.row!r}")
                yield found
