"""A rule list, of which the first rule that fires decides: what never decides, what leans on the order, what is left.

    1 age <= 30 -> low      2 age <= 20 -> none      3 age <= 50 -> high

Rule 2 never decides, since rule 1 takes its rows; rules 1 and 3 are told apart by the order alone; and above 50, and
where the age is missing, nothing is said.
"""

from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

import numpy as np
from attrs import field, frozen

from treerules._attrs import as_tuple
from treerules.boxes import Budget, Spent
from treerules.check import Gap, Overlap, Shadowed, gaps_found, overlap_at, require_search
from treerules.domains import Domain
from treerules.regions import swept
from treerules.rules import RuleList
from treerules.shadows import free_part
from treerules.spaces import Space, space_of


@frozen
class ListVerdict:
    """What `check_list` found. `complete` is None where rules were too many to decide within the budget."""

    complete: bool | None
    #: rules that can never decide, and the earlier rules that take their rows: none where no row of the domain meets it
    never: tuple[Shadowed, ...] = field(default=(), converter=as_tuple)
    #: rules of which the first decides for a row where the second, which predicts another value, holds too
    overlaps: tuple[Overlap, ...] = field(default=(), converter=as_tuple)
    gaps: tuple[Gap, ...] = field(default=(), converter=as_tuple)
    #: rules of which the budget left open whether they ever decide
    undecided: tuple[int, ...] = field(default=(), converter=as_tuple)
    #: which of these lists were cut off at the limit, or past the budget
    cut_off: tuple[str, ...] = field(default=(), converter=as_tuple)

    def __bool__(self) -> bool:
        return self.complete is True and not self.never and not self.undecided


def check_list(rules: RuleList, *, domain: Domain | None = None, limit: int = 10, budget: int = 300_000) -> ListVerdict:
    """Return which rules of a list never decide, which lean on the order, and what no rule takes, with witness rows.

    What columns can take is declared by `domain`; without it all may come. `overlaps` and `gaps` hold `limit` findings
    at most, `never` and `undecided` all. `budget` bounds the steps of each question, some 10,000 a second.

    >>> from treerules import Condition, Feature, Figures, Interval, Mean, Rule, Schema
    >>> young, younger = (Condition(Interval(None, age)) for age in (30, 20))
    >>> asked = [Rule(n, [("age", c)], Mean(float(n)), Figures(0, 0.0)) for n, c in ((1, young), (2, younger))]
    >>> verdict = check_list(RuleList(Schema([Feature("age", "integer")], Feature("y", "number")), asked))
    >>> verdict.complete, verdict.never
    (False, (Shadowed(number=2, by=(1,)),))

    Raises:
        OptionError: the limit or the budget is no whole number, or the domain does not fit the rules.
        UnknownNameError: the domain names a column that the schema does not have.
    """
    require_search(rules.schema, domain, limit, budget)
    space = space_of(rules.schema, rules.rules, domain)
    gaps = swept(space, limit, budget).gaps
    never, undecided = _never(rules, space, budget)
    overlaps = list(islice(_order_matters(rules, space, budget), limit + 1))
    cut = {"overlaps": len(overlaps) > limit, "gaps": gaps.more}
    return ListVerdict(
        not gaps.boxes if gaps.decided else None,
        never,
        overlaps[:limit],
        gaps_found(rules, space, gaps.boxes),
        undecided,
        [name for name, is_cut in cut.items() if is_cut],
    )


def _never(rules: RuleList, space: Space, budget: int) -> tuple[list[Shadowed], list[int]]:
    """Return the rules that never decide, and those of which the budget leaves that open."""
    left, box_of = Budget(budget), cache(space.box)
    empty = set(space.empty.tolist())
    never, undecided = [], []
    for place, rule in enumerate(rules.rules):
        if place in empty:
            never.append(Shadowed(rule.number, ()))
            continue
        box, share = box_of(place), Budget(min(left.left, max(budget // 20, 1)))
        before = space.inside(np.arange(place), box).tolist()
        given = share.left
        try:
            free, used = free_part(space, box_of, box, before, share)
        except Spent:
            undecided.append(rule.number)
        else:
            if free is None:
                never.append(Shadowed(rule.number, [rules.rules[at].number for at in sorted(used)]))
        left.left -= given - max(share.left, 0) if before else 0
    return never, undecided


def _order_matters(rules: RuleList, space: Space, budget: int) -> Iterator[Overlap]:
    """Yield the pairs of rules that predict different values for rows of which the first decides.

    Where the budget leaves open whether an earlier rule takes all that they share, they are yielded too.
    """
    left, box_of = Budget(budget), cache(space.box)
    values = [(type(rule.value), rule.value) for rule in rules.rules]
    for place in space.held.tolist():
        later = space.inside(np.arange(place + 1, space.n_rules), box_of(place)).tolist()
        before = space.inside(np.arange(place), box_of(place)).tolist()
        for other in later:
            if values[place] == values[other]:
                continue
            box: Any = space.common(box_of(place), box_of(other))
            try:
                free = free_part(space, box_of, box, before, left)[0]
            except Spent:
                free = box
            if free is not None:
                yield overlap_at(rules, space, place, other, box, space.row(free))
