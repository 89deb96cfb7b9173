"""Order of a rule list: unreachable rules, and pairs of rules whose order matters."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from treerules.proof.check import Overlap, SubsumedRule, overlap_of
from treerules.regions.covered_rules import find_free_box
from treerules.regions.space import Space
from treerules.regions.subtract import Budget, BudgetExceeded
from treerules.rules.rule_set import RuleList


def find_unreachable(rules: RuleList, space: Space, budget: int) -> tuple[list[SubsumedRule], list[int]]:
    """Return (unreachable rules, numbers of the rules left undecided when the budget ran out).

    A rule is unreachable if the rules before it take all its rows.
    """
    total, box_of = Budget(budget), cache(space.box)
    empty = set(space.empty.tolist())
    unreachable, undecided = [], []
    for position, rule in enumerate(rules.rules):
        if position in empty:
            unreachable.append(SubsumedRule(rule.number, ()))
            continue
        box = box_of(position)
        before = space.inside(space.every[:position], box).tolist()
        if not before:
            continue
        if total.is_spent:
            undecided.append(rule.number)
            continue
        n_steps = min(total.steps_left, max(budget // 20, 1))
        share = Budget(n_steps)
        try:
            free, covering = find_free_box(space, box_of, box, before, share)
        except BudgetExceeded:
            undecided.append(rule.number)
        else:
            if free is None:
                unreachable.append(SubsumedRule(rule.number, [rules.rules[at].number for at in sorted(covering)]))
        total.steps_left -= n_steps - max(share.steps_left, 0)
    return unreachable, undecided


def find_order_dependent(rules: RuleList, space: Space, budget: int) -> Iterator[Overlap | None]:
    """Yield the pairs of rules that predict different values for rows of which the first decides.

    When the budget is spent, None is yielded as the last, for all pairs that are left.
    """
    total, box_of = Budget(budget), cache(space.box)
    values = [(type(rule.value), rule.value) for rule in rules.rules]
    for position in space.nonempty.tolist():
        later = space.inside(space.every[position + 1 :], box_of(position)).tolist()
        before = space.inside(space.every[:position], box_of(position)).tolist()
        for other in later:
            if values[position] == values[other]:
                continue
            box: Any = space.intersection(box_of(position), box_of(other))
            try:
                free = find_free_box(space, box_of, box, before, total)[0] if before else box
            except BudgetExceeded:
                yield None
                return
            if free is not None:
                overlap = overlap_of(rules, space, position, other, box, space.row(free))
                if rules._firing_of_values(overlap.row)[0].number != overlap.first:
                    raise AssertionError(f"rule {overlap.first} does not decide for the witness {overlap.row!r}")
                yield overlap
