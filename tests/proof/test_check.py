"""The check against brute force: every verdict, and a witness for every no."""

import math
from datetime import datetime
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from strategies_random import a_schema, a_tree, thresholds_of, trees
from treerules import (
    Condition,
    Feature,
    Interval,
    Kind,
    Members,
    Rule,
    RuleFigures,
    RuleSet,
    Schema,
    Table,
    Tree,
    Verdict,
    cart,
    check,
    compile_rules,
    learn,
)
from treerules.data.domain import unseen_value
from treerules.errors import InvalidTreeError
from treerules.trees import MeanPrediction

TARGET = Feature("y", Kind.NUMBER)
SMALL = Schema(
    [
        Feature("x", Kind.NUMBER),
        Feature("n", Kind.INTEGER),
        Feature("b", Kind.BOOLEAN),
        Feature("c", Kind.CATEGORY, ["p", "q"]),
        Feature("o", Kind.ORDINAL, ["S", "L"]),
    ],
    TARGET,
)
#: Values of each column that stand for every region that bounds among these can make.
BOUNDS: dict[str, tuple[Any, ...]] = {"x": (-math.inf, 0.0, 5e-324, math.inf), "n": (-(2**63), 3, 4, 2**63 - 1)}
VALUES: dict[str, tuple[Any, ...]] = {
    "x": (-math.inf, -1.0, 0.0, 5e-324, 1.0, math.inf, None),
    "n": (-(2**63), 0, 3, 4, 5, 2**63 - 1, None),
    "b": (False, True, None),
    "c": ("p", "q", "other", None),
    "o": ("S", "L", "other", None),
}


@st.composite
def conditions(draw: st.DrawFn, feature: Feature) -> Condition:
    """Draw a condition on a column, often nearly everything or nearly nothing."""
    missing, unseen = draw(st.booleans()), draw(st.booleans()) and feature.is_open
    if draw(st.integers(0, 9)) == 0:
        return Condition(None, missing, unseen)
    if feature.is_ordered:
        bounds = st.sampled_from(BOUNDS[feature.name])
        above, upto = draw(st.none() | bounds), draw(st.none() | bounds)
        if above is not None and upto is not None and above >= upto:
            above = None
        return Condition(Interval(above, upto), missing)
    values = [value for value in feature.categories if draw(st.booleans())]
    return Condition(Members(values, draw(st.booleans())), missing, unseen)


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleSet:
    """Draw a few rules over some columns of the small schema: seldom a partition."""
    features = draw(st.lists(st.sampled_from(SMALL.features), min_size=1, max_size=3, unique=True))
    rules = []
    for number in range(1, draw(st.integers(1, 5)) + 1):
        asked = [feature for feature in features if draw(st.booleans())]
        rules.append(
            Rule(number, [(f.name, draw(conditions(f))) for f in asked], MeanPrediction(0.0), RuleFigures(0, 0.0))
        )
    return RuleSet(Schema(features, TARGET), rules)


def by_brute_force(rules: RuleSet) -> tuple[bool, bool]:
    """Return whether the rules are exclusive and complete over every cell of the small domain."""
    names = [feature.name for feature in rules.schema.features]
    fired = [
        len(rules.firing(dict(zip(names, values, strict=True)))) for values in product(*(VALUES[n] for n in names))
    ]
    return max(fired) < 2, min(fired) > 0


def assert_witnessed(rules: RuleSet, verdict: Verdict) -> None:
    """Every no has a witness that really fires two rules, or none."""
    assert bool(verdict.overlaps) is not verdict.exclusive
    assert bool(verdict.gaps) is (verdict.complete is False)
    for overlap in verdict.overlaps:
        assert {overlap.first, overlap.second} <= {rule.number for rule in rules.firing(overlap.row)}
        assert overlap.first != overlap.second
    for gap in verdict.gaps:
        assert rules.firing(gap.row) == ()


@given(rule_sets())
def test_the_verdict_is_that_of_brute_force(rules: RuleSet) -> None:
    """On small domains every cell can be looked at: numbers, integers, booleans, categories, missing, unseen."""
    verdict = check(rules)
    assert (verdict.exclusive, verdict.complete) == by_brute_force(rules)
    assert_witnessed(rules, verdict)


def test_brute_force_met_all_four_outcomes() -> None:
    """The drawn rule sets are exclusive or not, complete or not, in every combination."""
    everything = Rule(1, (), MeanPrediction(0.0), RuleFigures(0, 0.0))
    low = Rule(1, [("x", Condition(Interval(None, 0.0), missing=True))], MeanPrediction(0.0), RuleFigures(0, 0.0))
    high = Rule(2, [("x", Condition(Interval(0.0, None)))], MeanPrediction(0.0), RuleFigures(0, 0.0))
    schema = Schema([SMALL.features[0]], TARGET)
    outcomes = {
        (True, True): [low, high],
        (True, False): [low],
        (False, True): [everything, evolve(high, number=2)],
        (False, False): [low, evolve(low, number=2)],
    }
    for wanted, rules in outcomes.items():
        verdict = check(RuleSet(schema, rules))
        assert (verdict.exclusive, verdict.complete) == wanted == by_brute_force(RuleSet(schema, rules))


Edits = list[tuple[str, Condition]]


def edits(random: Random, rules: RuleSet) -> list[tuple[str, RuleSet]]:
    """Return the rule set with each kind of single edit that one of its rules allows."""
    place = random.randrange(len(rules.rules))
    before, rule, after = rules.rules[:place], rules.rules[place], rules.rules[place + 1 :]
    found = [("dropped", evolve(rules, rules=[*before, *after]))]
    for at, (name, condition) in enumerate(rule.conditions):
        feature = rules.schema.feature(name)
        for edit, other in [*routing_edits(feature, condition), *value_edits(feature, condition)]:
            conditions = [*rule.conditions[:at], (name, other), *rule.conditions[at + 1 :]]
            found.append((edit, evolve(rules, rules=[*before, evolve(rule, conditions=conditions), *after])))
    return found


def routing_edits(feature: Feature, condition: Condition) -> Edits:
    """Return the condition with missing, or unseen, sent elsewhere."""
    found = [("missing flipped", evolve(condition, missing=not condition.missing))]
    if feature.is_open and unseen_value(feature) is not None:
        found.append(("unseen flipped", evolve(condition, unseen=not condition.unseen)))
    return found


def value_edits(feature: Feature, condition: Condition) -> Edits:
    """Return the condition with other values: wider, narrower, a bound or category less or more."""
    values = condition.values
    if isinstance(values, Interval):
        found = interval_edits(feature, values)
    elif isinstance(values, Members):
        taken, left = values.of(feature.categories), values.of(feature.categories, taken=False)
        found = [("category removed", Members(taken[1:]))] if taken else []
        found += [("category added", Members(left[1:], complement=True))] if left else []
    else:
        found = []
    return [(edit, evolve(condition, values=other)) for edit, other in found]


def interval_edits(feature: Feature, interval: Interval) -> list[tuple[str, Any]]:
    """Return the interval with a bound moved by an ulp, or dropped."""
    above, upto = interval.above, interval.upto
    found = [("bound dropped", Interval(None, upto))] if above is not None else []
    if upto is None:
        return found
    found.append(("bound dropped", Interval(above, None)))
    if feature.kind is Kind.NUMBER and abs(upto) != math.inf:
        up, down = math.nextafter(upto, math.inf), math.nextafter(upto, -math.inf)
        found.append(("an ulp wider", Interval(above, up)))
        if above is None or above < down:
            found.append(("an ulp narrower", Interval(above, down)))
    return found


@given(trees(max_splits=25), st.integers(0, 2**32))
def test_every_single_edit_is_caught(tree: Tree, seed: int) -> None:
    """One rule dropped, widened, shrunk, off by an ulp, with missing or unseen flipped: the partition is broken.

    A rule of a tree can be fired, so each edit gives a row to no rule or to two.
    """
    rules = compile_rules(tree)
    for edit, edited in edits(Random(seed), rules):
        verdict = check(edited)
        assert not verdict, edit
        assert_witnessed(edited, verdict)
        assert edited.tree is None


def test_every_kind_of_edit_is_met() -> None:
    """What the law above draws includes each edit."""
    met = set()
    for seed in range(60):
        random = Random(seed)
        tree = a_tree(random, a_schema(random, random.randint(1, 4)), 15)
        assert thresholds_of(tree) is not None
        met |= {edit for edit, _ in edits(random, compile_rules(tree))}
    assert met == {
        "dropped",
        "missing flipped",
        "unseen flipped",
        "bound dropped",
        "an ulp wider",
        "an ulp narrower",
        "category removed",
        "category added",
    }


def test_a_budget_leaves_completeness_undecided() -> None:
    """Overlapping rules are hard in general: past the budget the answer is None, never a guess."""
    features = [Feature(f"x{n}", Kind.NUMBER) for n in range(6)]
    random = Random(0)
    rules = []
    for number in range(1, 60):
        asked = [f.name for f in random.sample(features, 3)]
        conditions = [(name, Condition(Interval(float(random.randint(-3, 2)), None), True)) for name in asked]
        rules.append(Rule(number, conditions, MeanPrediction(0.0), RuleFigures(0, 0.0)))
    whole = [Rule(100, [("x0", Condition(Interval(None, 0.0), True))], MeanPrediction(0.0), RuleFigures(0, 0.0))]
    whole += [Rule(101, [("x0", Condition(Interval(0.0, None)))], MeanPrediction(0.0), RuleFigures(0, 0.0))]
    verdict = check(RuleSet(Schema(features, TARGET), [*rules, *whole]), budget=0)
    assert not verdict.exclusive
    assert verdict.complete is None
    assert not verdict


def test_a_gap_between_many_overlapping_rules_is_found() -> None:
    """A hundred half-lines in ten dimensions cut each other to pieces; a row that none takes is found all the same."""
    features = [Feature(f"x{n}", Kind.NUMBER) for n in range(10)]
    random, rules = Random(0), []
    for number in range(1, 101):
        asked = [f.name for f in features if random.random() < 0.6]
        conditions = [(name, Condition(Interval(random.random(), None), True)) for name in asked]
        rules.append(Rule(number, [*conditions], MeanPrediction(0.0), RuleFigures(0, 0.0)))
    rules += [Rule(101, [("x0", Condition(Interval(None, 0.0)))], MeanPrediction(0.0), RuleFigures(0, 0.0))]
    found = RuleSet(Schema(features, TARGET), rules)
    verdict = check(found, budget=3_000)
    assert (verdict.exclusive, verdict.complete) == (False, False)
    assert_witnessed(found, verdict)


def test_no_rules_at_all_leave_everything_open() -> None:
    """An empty rule set is exclusive, and any row is a gap."""
    verdict = check(RuleSet(SMALL, []))
    assert verdict.exclusive
    assert verdict.gaps[0].row == dict.fromkeys(VALUES)


@pytest.mark.parametrize(
    ("feature", "condition"),
    [
        (Feature("n", Kind.INTEGER), Condition(Interval(None, 2**70))),
        (Feature("n", Kind.INTEGER), Condition(Interval(1.5, None))),
        (Feature("t", Kind.TIMESTAMP, (), "timestamp_utc"), Condition(Interval(None, datetime(2024, 1, 1)))),
        (Feature("b", Kind.BOOLEAN), Condition(Members([1]))),
        (Feature("b", Kind.BOOLEAN), Condition(Interval(None, 1.0))),
        (Feature("b", Kind.BOOLEAN), Condition(None, unseen=True)),
        (Feature("c", Kind.CATEGORY, ["a", "b"]), Condition(Members(["b", "a"]))),
        (Feature("c", Kind.CATEGORY, ["a", "b"]), Condition(Members(["z"]))),
        (Feature("x", Kind.NUMBER), Condition(Members([1.0]))),
    ],
)
def test_a_condition_outside_its_domain_cannot_be_built_into_a_rule_set(feature: Feature, condition: Condition) -> None:
    """Bounds are of the column's type and zone and within its domain, members among its categories in their order."""
    rule = Rule(1, [(feature.name, condition)], MeanPrediction(0.0), RuleFigures(0, 0.0))
    with pytest.raises(InvalidTreeError):
        RuleSet(Schema([feature], TARGET), [rule])


def test_a_large_rule_set_with_overlaps_is_decided() -> None:
    """A thousand rules, a tenth of them widened: overlaps are found, and completeness is still decided."""
    random = np.random.default_rng(0)
    x = random.normal(size=(4000, 5))
    label = (x[:, 0] * x[:, 1] + random.normal(size=4000) > 0).astype(int)
    table = Table.from_columns({**{f"x{n}": x[:, n] for n in range(5)}, "y": label})
    tree = learn(table, target="y", recipe=cart())
    rules = compile_rules(tree)
    assert len(rules) > 800
    wider = [_widened(rule) if place % 10 == 0 else rule for place, rule in enumerate(rules.rules)]
    verdict = check(evolve(rules, rules=wider))
    assert not verdict.exclusive
    assert verdict.complete is True
    less = evolve(rules, rules=[rule for place, rule in enumerate(wider) if place != 401])
    verdict = check(less)
    assert verdict.complete is False
    assert_witnessed(less, verdict)


def _widened(rule: Rule) -> Rule:
    conditions = []
    for name, condition in rule.conditions:
        values = condition.values
        if isinstance(values, Interval) and values.upto is not None:
            condition = evolve(condition, values=Interval(values.above, values.upto + 0.01))
        conditions.append((name, condition))
    return evolve(rule, conditions=conditions)


def test_a_boolean_category_knows_no_unseen_value() -> None:
    """Where every value of a type is a category, unseen is no gap."""
    feature = Feature("b", Kind.CATEGORY, [False, True], "boolean")
    rules = [
        Rule(1, [("b", Condition(Members([False, True]), missing=True))], MeanPrediction(0.0), RuleFigures(0, 0.0))
    ]
    assert check(RuleSet(Schema([feature], TARGET), rules))
