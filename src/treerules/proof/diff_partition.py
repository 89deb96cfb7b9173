"""One side of a comparison as boxes that do not overlap and together are the whole domain."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.data.domain import Domain
from treerules.data.schema import Schema
from treerules.errors import DataError, NotAPartitionError
from treerules.proof.check import Region
from treerules.proof.to_exclusive import to_exclusive
from treerules.regions.coverage import gap_regions
from treerules.regions.grids import grid_of
from treerules.regions.overlaps import pairs_of
from treerules.rules.rule import Rule
from treerules.rules.rule_set import RuleList, RuleSet

#: So many regions that no rule takes are looked at.
_GAPS = 10_000


@frozen(eq=False)
class Side:
    """One side as boxes that do not overlap: the rules' and, after them, those that no rule takes."""

    regions: tuple[Region, ...] = field(converter=as_tuple)
    #: what is predicted in each; None is no rule
    rules: tuple[Rule | None, ...] = field(converter=as_tuple)
    #: the number that each box has where it came from
    numbers: tuple[int | None, ...] = field(converter=as_tuple)
    decided: bool


def side_of(source: RuleSet | RuleList, rules: list[Rule], schema: Schema, domain: Domain, budget: int) -> Side:
    """Return rules over the common schema as a side.

    Raises:
        NotAPartitionError: rules of a set fire together and predict different values.
    """
    if isinstance(source, RuleSet) and source.tree is not None:  # its rules are a partition
        return Side([rule.conditions for rule in rules], rules, [rule.number for rule in rules], True)
    exclusive, sources = RuleSet(schema, rules), {rule.number: rule.number for rule in rules}
    if isinstance(source, RuleList) or _overlap(exclusive, domain):
        try:
            made = to_exclusive(RuleList(schema, rules), domain=domain, budget=budget)
        except DataError:  # past the budget nothing is known of this side
            return Side([], [], [], False)
        exclusive, sources = made.rules, made.sources
    gaps = gap_regions(exclusive, domain, _GAPS, budget)
    left = [region for region, _ in gaps]
    return Side(
        [*(rule.conditions for rule in exclusive.rules), *left],
        [*exclusive.rules, *(None for _ in left)],
        [*(sources[rule.number] for rule in exclusive.rules), *(None for _ in left)],
        gaps.decided and not gaps.more,
    )


def _overlap(rules: RuleSet, domain: Domain) -> bool:
    """Return whether some rules overlap.

    Raises:
        NotAPartitionError: two that do predict different values.
    """
    asked = [rule.conditions for rule in rules.rules]
    grid = grid_of(rules.schema, asked, domain)
    boxes = grid.boxes(asked)
    some, others = pairs_of(boxes, boxes)
    some, others = some[some < others], others[some < others]
    codes = codes_of([rule.value for rule in rules.rules], {})
    (differ,) = np.nonzero(codes[some] != codes[others])
    if len(differ):
        one, other = int(some[differ[0]]), int(others[differ[0]])
        pairs = zip(grid.axes, boxes.of(one), boxes.of(other), strict=True)
        row = grid.row([axis.common(*parts) for axis, *parts in pairs])
        fired = rules.firing(row)
        if rules.rules[one] not in fired or rules.rules[other] not in fired:
            raise AssertionError(f"the witness {row!r} of an overlap fires only {len(fired)} rules")
        numbers = f"{rules.rules[one].number} and {rules.rules[other].number}"
        raise NotAPartitionError(f"rules {numbers} both fire and predict different values", row)
    return len(some) > 0


def codes_of(values: Sequence[Any], known: dict[Any, int]) -> Any:
    """Return a number for each value, equal ones the same."""
    return np.array([known.setdefault(value, len(known)) for value in values], dtype=np.int64)
