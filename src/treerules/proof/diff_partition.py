"""Rules as a partition: regions that do not overlap and together are the whole domain."""

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
from treerules.regions.coverage import find_gap_regions
from treerules.regions.overlaps import overlapping_pairs
from treerules.regions.space import space_of
from treerules.rules.rule import Rule
from treerules.rules.rule_set import RuleList, RuleSet

#: So many regions that no rule takes are looked at.
_GAPS = 10_000


@frozen(eq=False)
class Partition:
    """Regions that do not overlap: those of rules and, after them, those that no rule takes."""

    regions: tuple[Region, ...] = field(converter=as_tuple)
    #: what is predicted in each; None is no rule
    rules: tuple[Rule | None, ...] = field(converter=as_tuple)
    #: the number that each box has where it came from
    numbers: tuple[int | None, ...] = field(converter=as_tuple)
    decided: bool


def partition_of(
    source: RuleSet | RuleList, rules: list[Rule], schema: Schema, domain: Domain, budget: int
) -> Partition:
    """Return the partition of rules, which are given over the common schema.

    Raises:
        NotAPartitionError: rules of a set fire together and predict different values.
    """
    if isinstance(source, RuleSet) and source.tree is not None:  # its rules are a partition
        return Partition([rule.conditions for rule in rules], rules, [rule.number for rule in rules], True)
    exclusive, sources = RuleSet(schema, rules), {rule.number: rule.number for rule in rules}
    if isinstance(source, RuleList) or _overlap(exclusive, domain):
        try:
            made = to_exclusive(RuleList(schema, rules), domain=domain, budget=budget)
        except DataError:  # past the budget nothing is known of this side
            return Partition([], [], [], False)
        exclusive, sources = made.rules, made.sources
    gaps = find_gap_regions(exclusive, domain, _GAPS, budget)
    left = [region for region, _ in gaps]
    return Partition(
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
    space = space_of(rules, domain)
    pairs = overlapping_pairs(space)
    codes = codes_of([rule.value for rule in rules.rules], {})
    for one, other in pairs[codes[pairs[:, 0]] != codes[pairs[:, 1]]][:1].tolist():
        box: Any = space.intersection(space.box(one), space.box(other))
        row = space.plain_row(box)
        fired = rules.firing(row)
        if rules.rules[one] not in fired or rules.rules[other] not in fired:
            raise AssertionError(f"the witness {row!r} of an overlap fires only {len(fired)} rules")
        numbers = f"{rules.rules[one].number} and {rules.rules[other].number}"
        raise NotAPartitionError(f"rules {numbers} both fire and predict different values", row)
    return len(pairs) > 0


def codes_of(values: Sequence[Any], known: dict[Any, int]) -> Any:
    """Return a number for each value, equal ones the same."""
    return np.array([known.setdefault(value, len(known)) for value in values], dtype=np.int64)
