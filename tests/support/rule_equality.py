"""Whether two rule sets or lists say the same."""

from treerules import Condition, Feature, Interval, Members
from treerules.rules.rule_set import RuleList, RuleSet


def same_rows(condition: Condition, other: Condition, feature: Feature) -> bool:
    """Whether two conditions take the same values."""
    if feature.is_ordered:
        ends = [c.values and (c.values.above, None if c.values.upto == feature.highest else c.values.upto)  # type: ignore[union-attr]
                for c in (condition, other)]  # fmt: skip
        return ends[0] == ends[1] and condition.missing == other.missing
    values = [*feature.categories, None]
    return condition.unseen == other.unseen and all(
        condition.holds(feature, value) == other.holds(feature, value) for value in values
    )


def assert_equal_rules(found: RuleSet | RuleList, rules: RuleSet | RuleList) -> None:
    """Assert that rules are the same but for their figures and the form of their conditions."""
    assert [(rule.number, rule.value) for rule in found.rules] == [(rule.number, rule.value) for rule in rules.rules]
    for one, other in zip(found.rules, rules.rules, strict=True):
        ours, theirs = dict(one.conditions), dict(other.conditions)
        for feature in rules.schema.features:
            open_ = Condition(Interval() if feature.is_ordered else Members(feature.categories), True, feature.is_open)
            pair = ours.get(feature.name, open_), theirs.get(feature.name, open_)
            assert same_rows(*pair, feature), (feature, pair)
