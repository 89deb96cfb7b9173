"""Edits of rules: what is merged takes exactly the rows that its parts took; nothing else changes."""

from contextlib import suppress
from itertools import combinations, product
from random import Random
from typing import Any

import pytest
from attrs import evolve
from hypothesis import example, given
from hypothesis import strategies as st

from strategies_random import trees
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
    Tree,
    check,
    compile_rules,
)
from treerules.data.value_set import ValueSet
from treerules.errors import DataError, InvalidTreeError, OptionError, ParseError, UnknownNameError
from treerules.formats.rules_text.text_reader import rules_from_text
from treerules.rules.conditions import to_condition
from treerules.rules.rule_set import RuleList
from treerules.trees import CategoryTest, ClassPrediction, Leaf, MeanPrediction, Split, ThresholdTest, ValueSetTest

FEATURES = (
    Feature("n", Kind.INTEGER),
    Feature("x", Kind.NUMBER),
    Feature("c", Kind.CATEGORY, ("a", "b", "c")),
    Feature("f", Kind.BOOLEAN),
)
SCHEMA = Schema(FEATURES, Feature("y", Kind.CATEGORY, ("no", "yes")))
#: Values on every side of every bound that is drawn, so that these rows decide.
VALUES: dict[str, tuple[Any, ...]] = {
    "n": (0, 1, 2, 3, None),
    "x": (-1.0, 0.0, 0.5, 1.0, 2.0, None),
    "c": ("a", "b", "c", "other", None),
    "f": (False, True, None),
}


def a_condition(random: Random, feature: Feature) -> Condition:
    """Return a condition whose bounds are among the values."""
    missing = random.random() < 0.4
    if feature.is_ordered:
        known = [value for value in VALUES[feature.name] if value is not None][:-1]
        above, upto = sorted(random.sample(known, 2))
        return Condition(
            Interval(above if random.random() < 0.6 else None, upto if random.random() < 0.6 else None), missing
        )
    places = [place for place in range(len(feature.categories)) if random.random() < 0.6]
    return to_condition(
        ValueSet(
            feature,
            (),
            [feature.categories[place] for place in places],
            missing,
            feature.is_open and random.random() < 0.5,
        )
    )


def a_rule(random: Random, number: int, features: tuple[Feature, ...]) -> Rule:
    """Return a rule over some features."""
    asked = [feature for feature in features if random.random() < 0.8]
    return Rule(
        number,
        [(f.name, a_condition(random, f)) for f in asked],
        ClassPrediction("no", [1.0, 0.0]),
        RuleFigures(0, 0.0),
    )


def rows_of(features: tuple[Feature, ...]) -> list[dict[str, Any]]:
    """Return a row for each combination of values."""
    names = [feature.name for feature in features]
    return [dict(zip(names, values, strict=True)) for values in product(*(VALUES[name] for name in names))]


@given(st.integers(0, 2**32))
def test_a_merge_takes_what_its_parts_take_or_is_refused_rightly(seed: int) -> None:
    """By brute force: rules fill one box where their rows are all combinations of the values that they hold."""
    random = Random(seed)
    features = tuple(random.sample(FEATURES, random.randint(1, 3)))
    rules = RuleSet(SCHEMA, [a_rule(random, number, features) for number in range(1, random.randint(3, 5))])
    rows = rows_of(features)
    taken = [row for row in rows if rules.firing(row)]
    sides = {name: {repr(row[name]) for row in taken} for name in (feature.name for feature in features)}
    is_box = all(rules.firing(row) for row in rows if all(repr(row[name]) in sides[name] for name in sides))
    touches = all(
        f.name == "c" or f.name == "f" or _touching([repr(v) in sides[f.name] for v in VALUES[f.name][:-1]])
        for f in features
    )
    numbers = [rule.number for rule in rules.rules]
    if is_box and touches:
        (merged,) = rules.merge(*numbers).rules
        assert [row for row in rows if RuleSet(SCHEMA, [merged]).firing(row)] == taken
        assert merged.number == 1
    else:
        with pytest.raises(DataError):
            rules.merge(*numbers)


def _touching(held: list[bool]) -> bool:
    """Whether the values that are held follow each other."""
    return "0" not in "".join("01"[one] for one in held).strip("0")


UNION = Feature("x", Kind.NUMBER)
LEAF = Leaf(ClassPrediction("a", [1.0]), (0,))
#: x <= 0; 0 < x <= 1 or 2 < x <= 3; 1 < x <= 2 or x > 3: the first and the last would be three intervals.
SPLIT_UNIONS = Tree(
    Schema([UNION], Feature("y", Kind.CATEGORY, ("a",))),
    Split(
        ValueSetTest(0, ValueSet(UNION, [Interval(None, 1.0), Interval(2.0, 3.0)])),
        [Split(ThresholdTest(0, 0.0), [LEAF, LEAF]), LEAF],
    ),
)


@example(SPLIT_UNIONS)
@given(trees(max_splits=8))
def test_what_is_reported_as_mergeable_can_be_merged_and_nothing_else(tree: Tree) -> None:
    """`check`, which decides in another way, finds the same pairs and the same conditions."""
    rules = compile_rules(tree)
    wanted = {(pair.first, pair.second): dict(pair.region) for pair in check(rules, limit=1000).redundant}
    found = {}
    for first, second in combinations([rule.number for rule in rules.rules], 2):
        with suppress(DataError):
            merged = rules.merge(first, second).rules
            found[first, second] = dict(next(rule.conditions for rule in merged if rule.number == first))
    assert found == wanted


def test_five_boxes_around_a_middle_are_one() -> None:
    """A pinwheel: no two of its rules are one, all five are."""
    rules = rules_from_text(
        """
        column x: integer  column y: integer  column z: integer
        IF x <= 2 AND y <= 1 AND z <= 3 THEN a
        IF x > 2 AND y <= 2 AND z <= 3 THEN a
        IF x > 1 AND y > 2 AND z <= 3 THEN a
        IF x <= 1 AND y > 1 AND z <= 3 THEN a
        IF 1 < x <= 2 AND 1 < y <= 2 AND z <= 3 THEN a
        """
    ).rules
    merged = rules.merge(1, 2, 3, 4, 5).rules[0]
    known = Condition(Interval())
    assert merged.conditions == (("x", known), ("y", known), ("z", Condition(Interval(None, 3))))
    for first, second in product(range(1, 6), repeat=2):
        if first != second:
            with pytest.raises(DataError):
                rules.merge(first, second)


def test_leaves_that_are_merged_are_the_leaf_that_was_split() -> None:
    """Conditions, shares and figures are those of the smaller tree."""
    schema = Schema((FEATURES[1], FEATURES[2]), SCHEMA.target)

    def leaf(no: int, yes: int) -> Leaf:
        value = "no" if no >= yes else "yes"
        return Leaf(ClassPrediction(value, [no / (no + yes), yes / (no + yes)]), (no, yes))

    other = leaf(1, 8)
    for test, unseen in ((ThresholdTest(0, 0.5), None), (CategoryTest(1, [[0], [1, 2]]), 1)):
        split = Split(test, [leaf(6, 2), leaf(3, 1)], 0, unseen)
        grown = compile_rules(Tree(schema, Split(ThresholdTest(0, 1.0), [split, other], 1)))
        pruned = compile_rules(Tree(schema, Split(ThresholdTest(0, 1.0), [leaf(9, 3), other], 1)))
        merged, wanted = grown.merge(1, 2), pruned.rules[0]
        assert merged.rules[0].conditions == wanted.conditions
        assert merged.rules[0].prediction == wanted.prediction
        for name in ("n", "coverage", "support", "confidence", "lift"):
            assert getattr(merged.rules[0].figures, name) == pytest.approx(getattr(wanted.figures, name))
        assert merged.rules[1] is grown.rules[2]
        assert grown.tree is not None
        assert merged.tree is None


def test_means_are_merged_with_the_spread_of_all_their_rows() -> None:
    """The variance of all rows around a common mean is the weighted mean of the variances."""
    schema = Schema(FEATURES[:1], Feature("y", Kind.NUMBER))
    rules = [
        Rule(1, [("n", Condition(Interval(None, 3)))], MeanPrediction(2.0, 1.0), RuleFigures(3, 0.75)),
        Rule(2, [("n", Condition(Interval(3, None)))], MeanPrediction(2.0, 3.0), RuleFigures(1, 0.25)),
    ]
    (merged,) = RuleSet(schema, rules).merge(1, 2).rules
    assert merged == Rule(1, [("n", Condition(Interval()))], MeanPrediction(2.0, 3.0**0.5), RuleFigures(4, 1.0))


RULES = rules_from_text(
    "column age: integer column c: category {a, b} target y: category {no, yes}"
    " 1: IF age < 30 THEN no 2: IF age >= 30 AND c = a THEN yes 5: IF age >= 30 AND c != a THEN yes"
).rules


def test_rules_that_do_not_meet_are_not_merged() -> None:
    """The error says why: other values, a hole between, another prediction, one rule alone, no such rule."""
    with pytest.raises(DataError, match="others between"):
        rules_from_text("IF x < 3 THEN a IF x > 4 THEN a").rules.merge(1, 2)
    with pytest.raises(DataError, match="predict 'no', 'yes'"):
        RULES.merge(1, 2)
    with pytest.raises(OptionError, match="two different"):
        RULES.merge(2, 2)
    with pytest.raises(UnknownNameError, match="'3'"):
        RULES.merge(1, 3)
    assert [rule.conditions for rule in RULES.merge(5, 2).rules] == [
        (("age", Condition(Interval(None, 29))),),
        (("age", Condition(Interval(29, None))), ("c", Condition(Members((), complement=True), unseen=True))),
    ]


def test_overlapping_rules_are_merged_without_figures() -> None:
    """Rows that fire both would be counted twice."""
    label = ClassPrediction("no", [1.0, 0.0])
    rules = [
        Rule(1, [("n", Condition(Interval(None, 3)))], label, RuleFigures(3, 0.75, 0.75, 1.0, 1.0)),
        Rule(2, [("n", Condition(Interval(2, None)))], label, RuleFigures(1, 0.25, 0.25, 1.0, 1.0)),
    ]
    assert RuleSet(SCHEMA, rules).merge(1, 2).rules[0].figures == RuleFigures(0, 0.0)


def test_a_list_merges_neighbours_alone() -> None:
    """A rule between two others decides before the later one."""
    text = "ordered IF x < 3 THEN a IF x < 9 THEN b IF 3 <= x < 7 THEN a IF 7 <= x < 8 THEN a OTHERWISE b"
    rules = rules_from_text(text).rules
    assert isinstance(rules, RuleList)
    with pytest.raises(DataError, match="rule 2 is between"):
        rules.merge(1, 3)
    merged = rules.merge(3, 4)
    assert isinstance(merged, RuleList)
    assert [rule.number for rule in merged.rules] == [1, 2, 3, 5]
    for value in (0.0, 3.0, 6.5, 7.0, 7.5, 8.0, 10.0, None):
        assert merged.firing({"x": value})[0].value == rules.firing({"x": value})[0].value


def test_a_rule_is_replaced_by_a_rule_its_text_or_changes() -> None:
    """The others are the same values, in their order; a new rule may bring its own number."""
    by_text = RULES.replace(2, "IF age >= 40 AND c = a THEN no")
    assert by_text.rules[0] is RULES.rules[0]
    assert [rule.number for rule in by_text.rules] == [1, 2, 5]
    assert by_text.rules[1].value == "no"
    assert RULES.replace(2, by_text.rules[1]) == by_text
    age = Condition(Interval(39, None))
    assert RULES.replace(2, conditions={"age": age}, value="no") == by_text
    assert RULES.replace(2, conditions={"age": None, "c": None}).rules[1].conditions == ()
    assert RULES.replace(2, value="yes").rules[1] == RULES.rules[1]
    assert RULES.schema == by_text.schema


@pytest.mark.parametrize(
    ("arguments", "changes", "error"),
    [
        ((3, "ALWAYS no"), {}, UnknownNameError),
        ((2, "ALWAYS maybe"), {}, ParseError),
        ((2, "IF aeg < 3 THEN no"), {}, ParseError),
        ((2, "IF weight < 3 THEN no"), {}, UnknownNameError),
        ((2, "ALWAYS no ALWAYS yes"), {}, OptionError),
        ((1, 3), {}, OptionError),
        (([], "ALWAYS no"), {}, OptionError),
        ((1.0, "ALWAYS no"), {}, OptionError),
        ((1,), {"conditions": 3}, OptionError),
        ((1,), {"conditions": {"age": 3}}, OptionError),
        ((2, "ALWAYS no"), {"value": "yes"}, OptionError),
        ((2,), {"value": "maybe"}, InvalidTreeError),
        ((2,), {"conditions": {"weight": None}}, UnknownNameError),
        ((2,), {"conditions": {"c": Condition(Interval())}}, InvalidTreeError),
        ((2, RULES.rules[0]), {}, InvalidTreeError),
    ],
)
def test_a_replacement_that_does_not_fit_is_refused(
    arguments: tuple[Any, ...], changes: dict[str, Any], error: type[Exception]
) -> None:
    """No such rule, column, class or category; several rules; a number that another rule has."""
    with pytest.raises(error):
        RULES.replace(*arguments, **changes)


def test_rules_are_left_out() -> None:
    """The others stay as they are; a number that is not there is an error."""
    assert RULES.without(2).rules == (RULES.rules[0], RULES.rules[2])
    assert RULES.without() == RULES
    assert len(RULES.without(1, 2, 5)) == 0
    with pytest.raises(UnknownNameError, match="known: '1', '2', '5'"):
        RULES.without(1, 7)


# ---- what is no rule of a schema


@pytest.mark.parametrize(
    "prediction",
    [
        ClassPrediction("zzz", [1.0, 0.0]),
        ClassPrediction("no", [1.0]),
        ClassPrediction("no", [1, 0]),
        ClassPrediction("no", [float("nan"), 1.0]),
        ClassPrediction(["no"], [1.0, 0.0]),
        MeanPrediction(1.0),
        "no",
        None,
    ],
)
@pytest.mark.parametrize("kind", [RuleSet, RuleList])
def test_rules_predict_what_a_tree_could(kind: Any, prediction: Any) -> None:
    """A prediction that a tree of the schema refuses, rules refuse too."""
    with pytest.raises(InvalidTreeError):
        Tree(SCHEMA, Leaf(prediction, [1, 0]))
    with pytest.raises(InvalidTreeError, match="rule 1 predicts"):
        kind(SCHEMA, [Rule(1, [], prediction, RuleFigures(0, 0.0))])


@pytest.mark.parametrize("value", ["abc", "3", None, True, 10**400, float("nan"), float("inf"), [1.0]])
def test_a_mean_is_a_finite_number(value: Any) -> None:
    """A regression predicts nothing else; an integer is one."""
    rules = RuleSet(Schema(FEATURES, Feature("y", "number")), [Rule(1, [], MeanPrediction(0.0), RuleFigures(0, 0.0))])
    with pytest.raises(InvalidTreeError, match="not a finite number"):
        rules.replace(1, value=value)
    assert rules.replace(1, value=3).rules[0].prediction == MeanPrediction(3.0)


@pytest.mark.parametrize("value", [True, "1", 2, None, [1]])
def test_a_class_is_of_the_type_of_the_classes(value: Any) -> None:
    """True is not the class 1; 1.0 is, and becomes an integer."""
    schema = Schema(FEATURES, Feature("y", "category", (0, 1), scalar="integer"))
    rules = RuleSet(schema, [Rule(1, [], ClassPrediction(0, [1.0, 0.0]), RuleFigures(0, 0.0))])
    with pytest.raises(InvalidTreeError, match="not a class of the target"):
        rules.replace(1, value=value)
    assert type(rules.replace(1, value=1.0).rules[0].value) is int


@pytest.mark.parametrize("kind", [RuleSet, RuleList])
def test_rules_are_rules_of_a_schema_with_whole_numbers(kind: Any) -> None:
    """Whatever else stands among them is named; without a target any prediction does."""
    rule = Rule(1, [], ClassPrediction("no", [1.0, 0.0]), RuleFigures(0, 0.0))
    for number in ("x", None, True, 1.0):
        with pytest.raises(InvalidTreeError, match="integer number"):
            kind(SCHEMA, [rule, evolve(rule, number=number)])
    with pytest.raises(InvalidTreeError, match="not 3"):
        kind(SCHEMA, [3])
    with pytest.raises(InvalidTreeError, match="schema of rules"):
        kind(3, [rule])
    for edit in (lambda: kind(SCHEMA, [rule]).merge([], 1), lambda: kind(SCHEMA, [rule]).without([1])):
        with pytest.raises(OptionError, match="a whole number"):
            edit()
    with pytest.raises(OptionError, match=r"firing\(row=3\): expected a mapping"):
        kind(SCHEMA, [rule]).firing(3)
    assert len(kind(Schema(FEATURES), [rule, evolve(rule, number=2, prediction=None)])) == 2
