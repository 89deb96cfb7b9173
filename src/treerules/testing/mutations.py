"""Single edits of rules: mistakes that a check must find. Each kind is a row of EDITS.

drop, duplicate                     a rule
ulp_up, ulp_down                    a bound moves to the next value of its column's kind
at_most_to_below, above_to_at_least <= becomes <, > becomes >=
missing, unseen                     a flag is inverted
bound_dropped, shrunk               an interval loses a bound, or 1% of its width
category_added, category_removed    a rule's categories, one more or one less
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from attrs import evolve

from treerules.data.domain import next_value
from treerules.data.interval import Interval, union_of
from treerules.data.schema import Feature, at_ordinate, ordinate
from treerules.rules.conditions import bounds_of
from treerules.rules.rule import Condition, Members, Rule, values_of_intervals
from treerules.rules.rule_set import RuleSet
from treerules.testing.tree_builder import Choices

#: Yields the conditions that one edit of a kind can make of a condition.
Change = Callable[[Feature, Condition], Iterator[Condition]]
#: Yields the intervals that one edit can make of an interval; None is the empty one.
IntervalChange = Callable[[Feature, Interval], Iterator[Interval | None]]


def _of_intervals(change: IntervalChange) -> Change:
    """Return the edits of conditions that edit one of their intervals."""

    def changed(feature: Feature, condition: Condition) -> Iterator[Condition]:
        intervals = condition.intervals
        for place, interval in enumerate(intervals):
            for other in change(feature, interval):
                edited = (*intervals[:place], *([] if other is None else [other]), *intervals[place + 1 :])
                yield evolve(condition, values=values_of_intervals(union_of(edited)))

    return changed


def _interval(above: Any, upto: Any) -> Interval | None:
    """Return the interval between two bounds; None if it is empty."""
    return None if above is not None and upto is not None and not above < upto else Interval(above, upto)


def _with_bound_up(feature: Feature, interval: Interval) -> Iterator[Interval | None]:
    above, upto = bounds_of(interval)
    if upto is not None and (after := next_value(feature, upto)) is not None:
        yield _interval(above, after)
    if above is not None and (after := next_value(feature, above)) is not None:
        yield _interval(after, upto)


def _with_bound_down(feature: Feature, interval: Interval) -> Iterator[Interval | None]:
    yield from _below_instead(feature, interval)
    yield from _at_least_instead(feature, interval)


def _below_instead(feature: Feature, interval: Interval) -> Iterator[Interval | None]:
    above, upto = bounds_of(interval)
    if upto is not None:
        before = next_value(feature, upto, up=False)
        yield None if before is None else _interval(above, before)


def _at_least_instead(feature: Feature, interval: Interval) -> Iterator[Interval | None]:
    above, upto = bounds_of(interval)
    if above is not None:
        yield _interval(next_value(feature, above, up=False), upto)  # None at the end of the kind


def _with_missing(feature: Feature, condition: Condition) -> Iterator[Condition]:
    yield evolve(condition, missing=not condition.missing)


def _with_unseen(feature: Feature, condition: Condition) -> Iterator[Condition]:
    if feature.is_open:
        yield evolve(condition, unseen=not condition.unseen)


def _without_bound(feature: Feature, interval: Interval) -> Iterator[Interval | None]:
    above, upto = bounds_of(interval)
    if upto is not None:
        yield _interval(above, None)
    if above is not None:
        yield _interval(None, upto)


def _narrower(feature: Feature, interval: Interval) -> Iterator[Interval | None]:
    above, upto = bounds_of(interval)
    if upto is not None:
        yield _interval(above, _moved_bound(feature, upto, above, -1))
    if above is not None:
        yield _interval(_moved_bound(feature, above, upto, 1), upto)


def _moved_bound(feature: Feature, bound: Any, other: Any, sign: int) -> Any:
    """Return a bound moved by 1% of the distance to the other, or to zero, and at least to the next value."""
    start, end = ordinate(bound), 0 if other is None else ordinate(other)
    distance = abs(start - end)
    if feature.scalar == "number":
        moved = start + sign * distance / 100 if distance < float("inf") else start
    else:
        moved = min(max(start + sign * max(distance // 100, 1), ordinate(feature.lowest)), ordinate(feature.highest))
    value = at_ordinate(feature.scalar, moved)
    adjacent = next_value(feature, bound, up=sign > 0) if value == bound else value
    return value if adjacent is None else adjacent


def _with_members(condition: Condition, feature: Feature, members: Iterable[Any]) -> Condition:
    chosen = set(members)
    categories = [category for category in feature.categories if category in chosen]
    return evolve(condition, values=Members(categories) if categories else None)


def _with_category(feature: Feature, condition: Condition) -> Iterator[Condition]:
    if not feature.is_ordered:
        members = _categories(feature, condition)
        others = (category for category in feature.categories if category not in members)
        yield from (_with_members(condition, feature, [*members, category]) for category in others)


def _without_category(feature: Feature, condition: Condition) -> Iterator[Condition]:
    members = [] if feature.is_ordered else _categories(feature, condition)
    for removed in members:
        yield _with_members(condition, feature, [member for member in members if member != removed])


def _categories(feature: Feature, condition: Condition) -> list[Any]:
    return condition.values.of(feature.categories) if isinstance(condition.values, Members) else []


#: The kinds of edits; None are those of whole rules.
EDITS: dict[str, Change | None] = {
    "drop": None,
    "duplicate": None,
    "ulp_up": _of_intervals(_with_bound_up),
    "ulp_down": _of_intervals(_with_bound_down),
    "at_most_to_below": _of_intervals(_below_instead),
    "above_to_at_least": _of_intervals(_at_least_instead),
    "missing": _with_missing,
    "unseen": _with_unseen,
    "bound_dropped": _of_intervals(_without_bound),
    "shrunk": _of_intervals(_narrower),
    "category_added": _with_category,
    "category_removed": _without_category,
}


def mutate(choices: Choices, rules: RuleSet, kinds: Sequence[str]) -> tuple[RuleSet, str | None]:
    """Return rules with one edit, and its kind; the unchanged rules and None if no edit is possible.

    A kind is chosen at random; if no such edit is possible, the next kind in the sequence is tried.
    """
    first = choices.integer(0, len(kinds) - 1)
    for kind in (*kinds[first:], *kinds[:first]):
        change = EDITS[kind]
        if change is None:
            if rules.rules:
                return _with_rule_edited(rules, kind, choices.integer(0, len(rules) - 1)), kind
        elif candidates := list(_edited_conditions(rules, change)):
            return _with_condition_edited(rules, *choices.choice(candidates)), kind
    return rules, None


def _edited_conditions(rules: RuleSet, change: Change) -> Iterator[tuple[int, int, Condition]]:
    """Yield (position of the rule, position of the condition, new condition) of every edit of a kind."""
    for rule_index, rule in enumerate(rules.rules):
        for index, (name, condition) in enumerate(rule.conditions):
            for edited in change(rules.schema.feature(name), condition):
                if edited != condition:
                    yield rule_index, index, edited


def _with_rule_edited(rules: RuleSet, kind: str, index: int) -> RuleSet:
    if kind == "drop":
        return evolve(rules, rules=[*rules.rules[:index], *rules.rules[index + 1 :]])
    return duplicate_rule(rules, rules.rules[index])


def duplicate_rule(rules: RuleSet, rule: Rule) -> RuleSet:
    """Return the rules and a copy of one of them, with a number of its own."""
    number = max(rule.number for rule in rules.rules) + 1
    return evolve(rules, rules=[*rules.rules, evolve(rule, number=number)])


def _with_condition_edited(rules: RuleSet, rule_index: int, index: int, condition: Condition) -> RuleSet:
    rule = rules.rules[rule_index]
    conditions = list(rule.conditions)
    conditions[index] = conditions[index][0], condition
    edited = evolve(rule, conditions=conditions)
    return evolve(rules, rules=[*rules.rules[:rule_index], edited, *rules.rules[rule_index + 1 :]])
