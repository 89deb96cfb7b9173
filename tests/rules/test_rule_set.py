"""Rule sets and rule lists as values: sequences of rules, found by position and by number; short texts."""

from typing import Any

import pytest

from treerules import Condition, Feature, Interval, Members, Rule, RuleFigures, RuleList, RuleSet, Schema
from treerules.errors import InvalidTreeError, OptionError, UnknownNameError
from treerules.trees import ClassPrediction

SCHEMA = Schema([Feature("age", "integer")], Feature("y", "category", ["no", "yes"]))
YOUNG, OLD = (
    Rule(number, [("age", Condition(interval))], ClassPrediction(value, shares), RuleFigures(1, 0.5))
    for number, interval, value, shares in (
        (7, Interval(None, 30), "no", (1.0, 0.0)),
        (3, Interval(30, None), "yes", (0.0, 1.0)),
    )
)


@pytest.mark.parametrize("kind", [RuleSet, RuleList])
def test_rules_are_a_sequence(kind: Any) -> None:
    """They have a length, an order, positions and slices, and hold their rules."""
    rules = kind(SCHEMA, [YOUNG, OLD])
    assert len(rules) == 2
    assert list(rules) == [YOUNG, OLD]
    assert (rules[0], rules[-1]) == (YOUNG, OLD)
    assert rules[1:] == (OLD,)
    assert OLD in rules
    assert kind(SCHEMA, rules) == rules
    with pytest.raises(IndexError):
        rules[2]


@pytest.mark.parametrize("kind", [RuleSet, RuleList])
def test_a_rule_is_found_by_its_number(kind: Any) -> None:
    """The number of a rule is not its position; a number that no rule has is an error that names the others."""
    rules = kind(SCHEMA, [YOUNG, OLD])
    assert rules.by_number(7) is YOUNG
    assert rules.by_number(3) is OLD
    with pytest.raises(UnknownNameError, match=r"no rule named '1'; known: '7', '3'"):
        rules.by_number(1)
    for number in ("7", 7.0, True, None):
        with pytest.raises(OptionError, match="integer"):
            rules.by_number(number)


@pytest.mark.parametrize("kind", [RuleSet, RuleList])
def test_what_are_no_rules_is_refused(kind: Any) -> None:
    """A schema, rules and conditions of wrong types are errors that name them."""
    for rules in (None, 3, "ab", [3], YOUNG):
        with pytest.raises(InvalidTreeError, match="rules"):
            kind(SCHEMA, rules)
    with pytest.raises(InvalidTreeError, match="schema"):
        kind(None, [])
    with pytest.raises(InvalidTreeError, match="'age'"):
        kind(SCHEMA, [Rule(1, [("age", Interval())], YOUNG.prediction, YOUNG.figures)])
    with pytest.raises(InvalidTreeError, match="'age'"):
        kind(SCHEMA, [Rule(1, [("age", Condition(Members(["a"])))], YOUNG.prediction, YOUNG.figures)])


def test_reprs_are_short() -> None:
    """The text of a rule, of its parts and of collections of rules has at most 200 characters."""
    names = tuple(f"category {number}" for number in range(1000))
    city = Feature("city", "category", sorted(names))
    condition = Condition(Members(sorted(names)))
    rule = Rule(1, [("city", condition)], YOUNG.prediction, YOUNG.figures)
    rules = RuleSet(Schema([city], SCHEMA.target), [rule])
    assert repr(RuleSet(SCHEMA, [YOUNG, OLD])) == "<RuleSet 'y' rules=2>"
    assert repr(RuleList(SCHEMA, [YOUNG])) == "<RuleList 'y' rules=1>"
    for value in (rules, rule, condition, condition.values, rules.rules[0].figures, YOUNG):
        assert len(repr(value)) <= 200, repr(value)
    assert repr(Condition(Interval(3, 5), missing=True)) == (
        "Condition(values=Interval(above=3, upto=5), missing=True, unseen=False)"
    )


def test_members_of_a_set_do_not_depend_on_the_hash_seed() -> None:
    """They are sorted; members in another order than the categories are refused with that reason, text always."""
    assert Members({"b", "c", "a"}) == Members(["a", "b", "c"])
    schema = Schema([Feature("city", "category", ("a", "b"))], Feature("y", "category", ("n",)))
    rule = Rule(1, (("city", Condition(Members(["b", "a"]))),), ClassPrediction("n", [1.0]), RuleFigures(0, 0.0))
    with pytest.raises(InvalidTreeError, match="each once and in the order of the schema"):
        RuleSet(schema, [rule])
    with pytest.raises(OptionError, match=r"Members\(values='ab'\)"):
        Members("ab")
