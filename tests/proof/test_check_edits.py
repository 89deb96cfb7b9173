"""Eleven kinds of single edit on trees of 10 to 10,000 rules: each verdict and each witness is right."""

from collections.abc import Iterator
from datetime import date
from functools import cache
from random import Random
from typing import Any

import pytest
from attrs import evolve

from treerules import Condition, Feature, Interval, Members, Rule, RuleSet, Schema, Tree, check, compile_rules
from treerules.data.domain import next_value
from treerules.data.schema import at_ordinate, ordinate
from treerules.trees import CategoryTest, Leaf, MeanPrediction, Split, ThresholdTest, unfold

SCHEMA = Schema(
    [
        *(Feature(f"x{n}", "number") for n in range(4)),
        *(Feature(f"n{n}", "integer") for n in range(2)),
        Feature("d", "date"),
        Feature("c", "category", list("pqrstuvw")),
        Feature("o", "ordinal", list("SML")),
    ],
    Feature("y", "number"),
)
_SPANS = {"number": (-1e3, 1e3), "integer": (-(10**6), 10**6), "date": (date(1, 1, 1), date(9999, 12, 31))}


@cache
def a_partition(n_rules: int) -> RuleSet:
    """Return the rules of a tree of so many leaves in which each question parts what reaches it."""
    random = Random(n_rules)
    whole = [
        (*map(ordinate, _SPANS[f.scalar]),) if f.is_ordered else tuple(range(len(f.categories)))
        for f in SCHEMA.features
    ]

    def step(seed: tuple[int, list[Any]]) -> Any:
        n, spans = seed
        if n == 1:
            return Leaf(MeanPrediction(random.random()), (1,))
        index = random.choice([at for at, span in enumerate(spans) if len(span) > 1 and span[-1] - span[0] > 1e-3])
        feature, span = SCHEMA.features[index], spans[index]
        if feature.is_ordered:
            cut = random.uniform(*span) if feature.scalar == "number" else random.randint(span[0], span[1] - 1)
            test: Any = ThresholdTest(index, at_ordinate(feature.scalar, cut))
            sides: list[Any] = [(span[0], cut), (cut if feature.scalar == "number" else cut + 1, span[1])]
        else:
            chosen = random.sample(span, random.randint(1, len(span) - 1))
            sides = [tuple(at for at in span if (at in chosen) is side) for side in (True, False)]
            away = tuple(at for at in range(len(feature.categories)) if at not in span)
            test = CategoryTest(index, [sorted((*sides[0], *away)), sides[1]])
        left = random.randint(1, n - 1) if n < 50 else n // 2
        seeds = [
            (size, [*spans[:index], side, *spans[index + 1 :]])
            for size, side in zip((left, n - left), sides, strict=True)
        ]
        unseen = random.randrange(2) if feature.is_open else None
        missing = random.randrange(2)
        return lambda children: Split(test, children, missing, unseen), seeds

    return RuleSet(SCHEMA, compile_rules(Tree(SCHEMA, unfold((n_rules, whole), step))).rules)


def changed(feature: Feature, condition: Condition) -> Iterator[tuple[str, Condition]]:
    """Yield what one edit makes of a condition, with the edit's name."""
    values = condition.values
    yield "missing dropped" if condition.missing else "missing added", evolve(condition, missing=not condition.missing)
    if isinstance(values, Members):
        taken, left = values.of(feature.categories), values.of(feature.categories, taken=False)
        yield "category removed", evolve(condition, values=Members(taken[1:]))
        if left:
            every = [value for value in feature.categories if value in (*taken, left[0])]
            yield "category added", evolve(condition, values=Members(every))
    elif isinstance(values, Interval):
        for kind, other in moved(feature, values.above, values.upto):
            yield kind, evolve(condition, values=other)


def moved(feature: Feature, above: Any, upto: Any) -> Iterator[tuple[str, Interval]]:
    """Yield what one edit makes of an interval, with the edit's name."""
    is_number = feature.scalar == "number"
    if above is not None:
        yield "> to >=", Interval(next_value(feature, above, up=False), upto)
    if upto is None:
        return
    yield "bound dropped", Interval(above, None)
    down = next_value(feature, upto, up=False)
    if above is None or above < down:
        yield "an ulp down" if is_number else "<= to <", Interval(above, down)
    if is_number:
        yield "an ulp up", Interval(above, next_value(feature, upto))
        low = -1e3 if above is None else above
        yield "1% shrunk", Interval(above, low + 0.99 * (upto - low))


#: Whether what is left by each edit is exclusive, and whether it is complete.
VERDICTS = {
    "dropped": (True, False),
    "duplicated": (False, True),
    "an ulp up": (False, True),
    "an ulp down": (True, False),
    "<= to <": (True, False),
    "> to >=": (False, True),
    "missing dropped": (True, False),
    "missing added": (False, True),
    "bound dropped": (False, True),
    "1% shrunk": (True, False),
    "category added": (False, True),
    "category removed": (True, False),
}


def edited(rules: RuleSet, kind: str, random: Random) -> tuple[RuleSet, Rule]:
    """Return the rules with one edit of a kind, at a place that allows it, and the rule as it was."""
    for place in random.sample(range(len(rules)), len(rules)):
        before, rule, after = rules.rules[:place], rules.rules[place], rules.rules[place + 1 :]
        if kind == "dropped":
            return evolve(rules, rules=[*before, *after]), rule
        if kind == "duplicated":
            return evolve(rules, rules=[*rules.rules, evolve(rule, number=10**6)]), rule
        for at, (name, condition) in enumerate(rule.conditions):
            found = dict(changed(rules.schema.feature(name), condition)).get(kind)
            if found is not None:
                conditions = [*rule.conditions[:at], (name, found), *rule.conditions[at + 1 :]]
                return evolve(rules, rules=[*before, evolve(rule, conditions=conditions), *after]), rule
    raise AssertionError(f"no rule of {len(rules)} can be edited so: {kind}")


@pytest.mark.parametrize("n_rules", [10, 100, *(pytest.param(n, marks=pytest.mark.large) for n in (1000, 10_000))])
def test_the_rules_of_a_tree_are_a_partition(n_rules: int) -> None:
    """Before any edit they are exclusive and complete, and none is subsumed or unreachable."""
    rules = a_partition(n_rules)
    verdict = check(rules)
    assert verdict and len(rules) == n_rules
    assert (verdict.subsumed, verdict.unreachable, verdict.cut_off) == ((), (), ())


@pytest.mark.parametrize("kind", VERDICTS)
@pytest.mark.parametrize("n_rules", [10, 100, *(pytest.param(n, marks=pytest.mark.large) for n in (1000, 10_000))])
def test_every_single_edit_is_caught_and_told_what_it_is(n_rules: int, kind: str) -> None:
    """A rule made larger overlaps, with itself in every pair; made smaller, it leaves gaps of its own rows alone."""
    random = Random(f"{n_rules} {kind}")
    rules, rule = edited(a_partition(n_rules), kind, random)
    verdict = check(rules)
    assert (verdict.exclusive, verdict.complete) == VERDICTS[kind]
    for overlap in verdict.overlaps:
        numbers = [fired.number for fired in rules.firing(overlap.row)]
        assert numbers == sorted((overlap.first, overlap.second)) and rule.number in numbers
    was = RuleSet(SCHEMA, [rule])
    for gap in verdict.gaps:
        assert rules.firing(gap.row) == () and was.firing(gap.row) == (rule,)
    assert (len(verdict.subsumed) > 0) >= (kind == "duplicated")
