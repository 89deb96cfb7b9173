"""Single edits of rules: the slips of a hand that a check must find. Each is a row of EDITS.

drop, duplicate                     a rule
ulp_up, ulp_down                    a bound moves to the next value of its column's kind
at_most_to_below, above_to_at_least <= becomes <, > becomes >=
missing, unseen                     a flag is turned
bound_dropped, shrunk               an interval loses a bound, or 1% of its width
category_added, category_removed    a rule's categories, one more or one less
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from attrs import evolve

from treerules.data.domain import next_value
from treerules.data.interval import Interval
from treerules.data.schema import Feature, at_ordinate, ordinate
from treerules.rules.conditions import bounds_of
from treerules.rules.rule import Condition, Members, Rule
from treerules.rules.rule_set import RuleSet
from treerules.testing.tree_builder import Choices

#: Yields what a condition may become by one edit of a kind.
Change = Callable[[Feature, Condition], Iterator[Condition]]


def _with(condition: Condition, above: Any, upto: Any) -> Condition:
    """Return the condition with other bounds: no value at all where none lies between."""
    is_empty = above is not None and upto is not None and not above < upto
    return evolve(condition, values=None if is_empty else Interval(above, upto))


def _ulp_up(feature: Feature, condition: Condition) -> Iterator[Condition]:
    above, upto = bounds_of(condition.values)
    if upto is not None and (after := next_value(feature, upto)) is not None:
        yield _with(condition, above, after)
    if above is not None and (after := next_value(feature, above)) is not None:
        yield _with(condition, after, upto)


def _ulp_down(feature: Feature, condition: Condition) -> Iterator[Condition]:
    yield from _below(feature, condition)
    yield from _at_least(feature, condition)


def _below(feature: Feature, condition: Condition) -> Iterator[Condition]:
    above, upto = bounds_of(condition.values)
    if upto is not None:
        before = next_value(feature, upto, up=False)
        yield evolve(condition, values=None) if before is None else _with(condition, above, before)


def _at_least(feature: Feature, condition: Condition) -> Iterator[Condition]:
    above, upto = bounds_of(condition.values)
    if above is not None:
        yield _with(condition, next_value(feature, above, up=False), upto)  # all of them, at the end of the kind


def _missing(feature: Feature, condition: Condition) -> Iterator[Condition]:
    yield evolve(condition, missing=not condition.missing)


def _unseen(feature: Feature, condition: Condition) -> Iterator[Condition]:
    if feature.is_open:
        yield evolve(condition, unseen=not condition.unseen)


def _unbounded(feature: Feature, condition: Condition) -> Iterator[Condition]:
    above, upto = bounds_of(condition.values)
    if upto is not None:
        yield _with(condition, above, None)
    if above is not None:
        yield _with(condition, None, upto)


def _shrunk(feature: Feature, condition: Condition) -> Iterator[Condition]:
    above, upto = bounds_of(condition.values)
    if upto is not None:
        yield _with(condition, above, _moved(feature, upto, above, -1))
    if above is not None:
        yield _with(condition, _moved(feature, above, upto, 1), upto)


def _moved(feature: Feature, bound: Any, other: Any, sign: int) -> Any:
    """Return a bound moved by 1% of the way to the other, or of its own distance from zero, at least to the next."""
    here, there = ordinate(bound), 0 if other is None else ordinate(other)
    way = abs(here - there)
    if feature.scalar == "number":
        moved = here + sign * way / 100 if way < float("inf") else here
    else:
        moved = min(max(here + sign * max(way // 100, 1), ordinate(feature.lowest)), ordinate(feature.highest))
    found = at_ordinate(feature.scalar, moved)
    beside = next_value(feature, bound, up=sign > 0) if found == bound else found
    return found if beside is None else beside


def _members(condition: Condition, feature: Feature, taken: Iterable[Any]) -> Condition:
    kept = set(taken)
    named = [category for category in feature.categories if category in kept]
    return evolve(condition, values=Members(named) if named else None)


def _more(feature: Feature, condition: Condition) -> Iterator[Condition]:
    if not feature.is_ordered:
        taken = _named(feature, condition)
        yield from (_members(condition, feature, [*taken, c]) for c in feature.categories if c not in taken)


def _less(feature: Feature, condition: Condition) -> Iterator[Condition]:
    taken = [] if feature.is_ordered else _named(feature, condition)
    yield from (_members(condition, feature, [c for c in taken if c != gone]) for gone in taken)


def _named(feature: Feature, condition: Condition) -> list[Any]:
    return condition.values.of(feature.categories) if isinstance(condition.values, Members) else []


#: What becomes of a condition; None are the edits of whole rules.
EDITS: dict[str, Change | None] = {
    "drop": None,
    "duplicate": None,
    "ulp_up": _ulp_up,
    "ulp_down": _ulp_down,
    "at_most_to_below": _below,
    "above_to_at_least": _at_least,
    "missing": _missing,
    "unseen": _unseen,
    "bound_dropped": _unbounded,
    "shrunk": _shrunk,
    "category_added": _more,
    "category_removed": _less,
}


def mutate(choices: Choices, rules: RuleSet, kinds: Sequence[str]) -> tuple[RuleSet, str | None]:
    """Return rules with one edit of some kind, and the kind; as they are, and None, where no kind can be made.

    A kind is chosen; where it cannot be made the next one in the list is.
    """
    first = choices.integer(0, len(kinds) - 1)
    for kind in (*kinds[first:], *kinds[:first]):
        change = EDITS[kind]
        if change is None:
            if rules.rules:
                return _with_rules(rules, kind, choices.integer(0, len(rules) - 1)), kind
        elif found := list(_places(rules, change)):
            place, at, condition = choices.choice(found)
            return _with_condition(rules, place, at, condition), kind
    return rules, None


def _places(rules: RuleSet, change: Change) -> Iterator[tuple[int, int, Condition]]:
    for place, rule in enumerate(rules.rules):
        for at, (name, condition) in enumerate(rule.conditions):
            yield from ((place, at, new) for new in change(rules.schema.feature(name), condition) if new != condition)


def _with_rules(rules: RuleSet, kind: str, place: int) -> RuleSet:
    if kind == "drop":
        return evolve(rules, rules=[*rules.rules[:place], *rules.rules[place + 1 :]])
    return duplicate_rule(rules, rules.rules[place])


def duplicate_rule(rules: RuleSet, rule: Rule) -> RuleSet:
    """Return the rules with one of them once more, under a number of its own."""
    number = max(rule.number for rule in rules.rules) + 1
    return evolve(rules, rules=[*rules.rules, evolve(rule, number=number)])


def _with_condition(rules: RuleSet, place: int, at: int, condition: Condition) -> RuleSet:
    rule = rules.rules[place]
    conditions = list(rule.conditions)
    conditions[at] = conditions[at][0], condition
    return evolve(rules, rules=[*rules.rules[:place], evolve(rule, conditions=conditions), *rules.rules[place + 1 :]])
