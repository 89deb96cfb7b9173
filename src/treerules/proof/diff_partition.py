"""Rules as a partition: disjoint regions whose union is the whole domain."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.data.domain import Domain
from treerules.data.schema import Schema
from treerules.errors import DataError, NotAPartitionError
from treerules.proof.check import Region
from treerules.proof.to_exclusive import to_exclusive
from treerules.regions.coverage import analyse_coverage, scan_overlaps
from treerules.regions.overlaps import overlapping_pairs
from treerules.regions.space import Space, space_of
from treerules.regions.uncovered import Gaps, find_gaps
from treerules.rules.rule import Rule
from treerules.rules.rule_set import RuleList, RuleSet

#: The greatest number of regions that no rule takes.
_MOST_GAPS = 10_000


@frozen(eq=False)
class Partition:
    """Disjoint regions: those of rules and, after them, those that no rule takes."""

    regions: tuple[Region, ...] = field(converter=as_tuple)
    #: the rule of each region; None for no rule
    rules: tuple[Rule | None, ...] = field(converter=as_tuple)
    #: the number of the original rule of each region; None for no rule
    numbers: tuple[int | None, ...] = field(converter=as_tuple)
    #: False if the budget ran out: then regions may be absent
    decided: bool


def partition_of(
    source: RuleSet | RuleList, rules: list[Rule], schema: Schema, domain: Domain, budget: int
) -> Partition:
    """Return the partition of rules.

    Args:
        source: the original rules.
        rules: the same rules over the schema of the comparison.
        schema: that schema.
        domain: the values that its columns can take.
        budget: the greatest number of steps for subtracting rules from each other and from the space.

    Raises:
        NotAPartitionError: rules of a set fire together and predict different values.
    """
    numbers = {rule.number: rule.number for rule in rules}
    if isinstance(source, RuleSet) and source.tree is not None:  # rules of a tree are a partition
        return Partition([rule.conditions for rule in rules], rules, list(numbers), True)
    if isinstance(source, RuleList):
        return _partition_of_list(RuleList(schema, rules), domain, budget)
    rule_set = RuleSet(schema, rules)
    space = space_of(rule_set, domain)
    overlaps = scan_overlaps(space, budget)
    if len(overlaps.pairs):
        _require_agreement(rule_set, space, overlaps.pairs if overlaps.has_all_pairs else overlapping_pairs(space))
        return _partition_of_list(RuleList(schema, rules), domain, budget)
    return _with_gaps(rules, numbers, space, find_gaps(space, overlaps.cells, _MOST_GAPS, budget))


def _partition_of_list(rules: RuleList, domain: Domain, budget: int) -> Partition:
    """Return the partition of a rule list, without any region if the rules cannot be made exclusive in the budget."""
    try:
        exclusive = to_exclusive(rules, domain=domain, budget=budget)
    except DataError:
        return Partition([], [], [], False)
    space = space_of(exclusive.rules, domain)
    gaps = analyse_coverage(space, _MOST_GAPS, budget).gaps
    return _with_gaps(exclusive.rules.rules, exclusive.sources, space, gaps)


def _with_gaps(rules: Sequence[Rule], sources: Mapping[int, int], space: Space, gaps: Gaps) -> Partition:
    """Return the partition of exclusive rules and of the uncovered boxes."""
    regions = [*(rule.conditions for rule in rules), *map(space.region, gaps.boxes)]
    no_rules = [None] * len(gaps.boxes)
    numbers = [sources[rule.number] for rule in rules]
    return Partition(regions, [*rules, *no_rules], [*numbers, *no_rules], not (gaps.more or gaps.out_of_budget))


def _require_agreement(rules: RuleSet, space: Space, pairs: Any) -> None:
    """Raise NotAPartitionError if two rules that overlap predict different values; `pairs` are all that overlap."""
    codes = codes_of([rule.value for rule in rules.rules], {})
    for one, other in pairs[codes[pairs[:, 0]] != codes[pairs[:, 1]]][:1].tolist():
        box: Any = space.intersection(space.box(one), space.box(other))
        row = space.plain_row(box)
        firing = rules._firing_of_values(row)
        if rules.rules[one] not in firing or rules.rules[other] not in firing:
            raise AssertionError(f"the witness {row!r} of an overlap fires only {len(firing)} rules")
        numbers = f"{rules.rules[one].number} and {rules.rules[other].number}"
        raise NotAPartitionError(f"rules {numbers} both fire and predict different values", row)


def codes_of(values: Sequence[Any], codes: dict[Any, int]) -> Any:
    """Return an integer for each value, the same for equal values; `codes` maps values to integers and is extended."""
    return np.array([codes.setdefault(value, len(codes)) for value in values], dtype=np.int64)
