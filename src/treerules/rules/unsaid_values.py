"""Where rows go whose missing or unseen value the short form of rules does not name.

1: IF Age <= 6.5 THEN yes        missing Age goes where Age > 6.5 goes: the same conditions take both
2: IF Age > 6.5 THEN no
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from attrs import evolve, field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.data.schema import Feature
from treerules.data.value_set import ValueSet
from treerules.rules.conditions import all_bounds, to_value_set
from treerules.rules.phrasing import Phrasing
from treerules.rules.rule import Condition
from treerules.rules.rule_set import RuleList, RuleSet

#: A condition, and the numbers of the rules that have it.
_NumberedCondition = tuple[Condition, list[int]]


@frozen
class UnsaidValues:
    """The missing value, unseen values or both of one column, which no condition names.

    Args:
        feature: the column.
        missing: whether the missing value is one of them.
        unseen: whether unseen values are.
        values: the other values that every condition on the column takes if and only if it takes these: known ones, if
            there are any, and unseen ones, if they are among them.
        rules: the numbers of the rules with a condition on the column that takes these.
    """

    feature: Feature
    missing: bool
    unseen: bool
    values: ValueSet
    rules: tuple[int, ...] = field(converter=as_tuple)


def unsaid_values(rules: RuleSet | RuleList, phrasing: Phrasing) -> Iterator[UnsaidValues]:
    """Yield the missing and unseen values that rules take and a phrasing leaves out, in the order of the schema."""
    by_column = _conditions_by_column(rules)
    for feature in rules.schema.features:
        conditions = by_column.get(feature.name, ())
        leaves_out_missing = any(c.missing and not phrasing.says_missing(feature, c) for c, _ in conditions)
        leaves_out_unseen = any(c.unseen and not phrasing.says_unseen(feature, c) for c, _ in conditions)
        missing = _unsaid_missing(feature, conditions) if leaves_out_missing else None
        unseen = _unsaid_unseen(feature, conditions) if leaves_out_unseen else None
        if missing and unseen and (missing.values, missing.rules) == (unseen.values, unseen.rules):
            yield evolve(missing, unseen=True)
        else:
            yield from filter(None, (missing, unseen))


def zero_one_limits(rules: RuleSet | RuleList, phrasing: Phrasing) -> Iterator[tuple[Feature, Any]]:
    """Yield the columns that read `= 0` and `= 1`, and up to which number they take each value as 0."""
    by_column = _conditions_by_column(rules)
    for feature in rules.schema.features:
        if phrasing.is_zero_one(feature):
            conditions = [condition for condition, _ in by_column.get(feature.name, ())]
            limits = {bound for condition in conditions for bound in all_bounds(condition)}
            if len(limits) == 1:
                yield feature, limits.pop()


def _conditions_by_column(rules: RuleSet | RuleList) -> dict[str, Sequence[_NumberedCondition]]:
    """Return the conditions on each column, each object once, with the numbers of the rules that have it."""
    found: dict[str, dict[int, _NumberedCondition]] = {}
    for rule in rules.rules:
        for pair in rule.conditions:
            column, condition = pair
            numbered = found.setdefault(column, {}).setdefault(id(pair), (condition, []))
            numbered[1].append(rule.number)
    return {column: list(conditions.values()) for column, conditions in found.items()}


def _unsaid_missing(feature: Feature, conditions: Iterable[_NumberedCondition]) -> UnsaidValues:
    values, rules = _taken_with(feature, conditions, lambda condition: condition.missing)
    return UnsaidValues(feature, missing=True, unseen=False, values=values, rules=rules)


def _unsaid_unseen(feature: Feature, conditions: Iterable[_NumberedCondition]) -> UnsaidValues:
    values, rules = _taken_with(feature, conditions, lambda condition: condition.unseen)
    return UnsaidValues(feature, missing=False, unseen=True, values=values, rules=rules)


def _taken_with(
    feature: Feature, conditions: Iterable[_NumberedCondition], takes: Callable[[Condition], bool]
) -> tuple[ValueSet, list[int]]:
    """Return the values, without the missing one, that exactly those conditions take that `takes` says; their rules."""
    same_way, numbers = ValueSet.everything(feature), list[int]()
    for condition, rules in conditions:
        values = to_value_set(feature, condition, is_checked=True)
        if takes(condition):
            numbers += rules
            same_way &= values
        else:
            same_way -= values
    return evolve(same_way, missing=False), sorted(numbers)
