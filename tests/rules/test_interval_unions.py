"""Conditions of several intervals: one rule for each leaf, said in words, hashed, and true of the rows of the leaf."""

from datetime import date
from itertools import pairwise
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given

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
    ValueSet,
    compile_rules,
    explain,
    render,
)
from treerules.emit.hashed_text import hash_of_rules
from treerules.errors import InvalidTreeError
from treerules.rules.boundary_rows import boundary_rows
from treerules.rules.conditions import to_condition, to_conditions, to_value_set
from treerules.rules.phrasing import phrasing_for
from treerules.rules.wording import condition_text
from treerules.trees import MeanPrediction, Split, ValueSetTest, find_leaf, leaves, preorder
from treerules.trees.training_values import TrainingValues
from union_trees import GOAL, in_thresholds, leaf, one_with_union, rows_at_ends, union_trees, zero_is_missing

X = Feature("x", Kind.NUMBER)
OUTER = (Interval(None, 1.0), Interval(5.0, None))


@given(union_trees())
def test_a_rule_fires_for_the_rows_of_its_leaf(tree: Tree) -> None:
    """One rule for each leaf, with one condition for each feature; the oracle is the tree in plain thresholds."""
    rules, plain = compile_rules(tree), in_thresholds(tree)
    numbers = {id(node): number for number, node in enumerate(leaves(tree.root), start=1)}
    assert len({rule.number for rule in rules.rules}) == len(rules.rules) <= tree.n_leaves
    assert all(len(dict(rule.conditions)) == len(rule.conditions) for rule in rules.rules)
    for row in rows_at_ends(tree):
        assert [rule.number for rule in rules.firing(row)] == [numbers[id(find_leaf(plain, row))]]


@given(union_trees())
def test_rows_at_the_boundaries_meet_both_sides_of_every_end(tree: Tree) -> None:
    """Where an end of a lone test parts known values, some row is at it and some at the value next above it."""
    root = tree.root
    assert isinstance(root, Split)
    lone = Tree(tree.schema, Split(root.test, [leaf(float(at)) for at in range(len(root.children))], root.missing))
    name = tree.schema.features[root.test.feature].name
    met = {row.get(name) for row in boundary_rows(lone)}
    for below, above in pairwise(sorted({*root.test.thresholds, tree.schema.features[root.test.feature].highest})):
        assert below in met and any(value is not None and below < value <= above for value in met)


def test_the_words_of_several_intervals() -> None:
    """English and Chinese; short and exact: missing values that no training row had are left out."""
    condition = Condition([Interval(None, 1.0), Interval(2.0, 3.0), Interval(5.0, None)], missing=True)
    assert condition_text(X, condition) == "(x <= 1 or 2 < x <= 3 or x > 5 or missing)"
    assert condition_text(X, evolve(condition, missing=False)) == "(x <= 1 or 2 < x <= 3 or x > 5)"
    short, chinese = phrasing_for(TrainingValues()), phrasing_for(None, "zh", exact=True)
    assert condition_text(X, condition, short) == "(x <= 1 or 2 < x <= 3 or x > 5)"
    assert condition_text(X, condition, chinese) == "(x <= 1 或 2 < x <= 3 或 x > 5 或缺失)"
    day = Feature("d", Kind.DATE)
    single = ValueSet.of_values(day, [date(2024, 3, 1)])
    text = condition_text(day, to_condition(~single - ValueSet(day, missing=True)))
    assert text == "(d <= 2024-02-29 or d > 2024-03-01)"


def test_a_column_of_zero_and_one_says_which_it_takes() -> None:
    """`x = 0` for intervals of which one holds 0 and none holds 1."""
    zero_one = phrasing_for(TrainingValues(zero_one=["x"]))
    outside_one = to_condition(ValueSet.from_comparison(X, "!=", 1.0))
    assert condition_text(X, outside_one, zero_one) == "x = 0"
    neither = to_condition(ValueSet.from_comparison(X, "not in", [0.0, 1.0]))
    assert condition_text(X, neither, zero_one) == "(x < 0 or 0 < x < 1 or x > 1)"


def test_a_reason_names_the_intervals() -> None:
    """`explain` shows the whole condition, and the change that is nearest."""
    found = explain(zero_is_missing(), {"x": 0.2})
    assert found.rule is not None and found.rule.value == 0.0
    assert "(x < 0 or 0 < x <= 0.5)" in render(found)
    assert found.change is not None and found.change.rule.value == 1.0


@given(union_trees())
def test_values_and_conditions_are_one(tree: Tree) -> None:
    """A condition holds for the values of its set; the set has one condition, or one for each interval."""
    for rule in compile_rules(tree).rules:
        for name, condition in rule.conditions:
            feature = tree.schema.feature(name)
            values = to_value_set(feature, condition)
            assert to_condition(values) == condition and values == to_value_set(feature, condition, is_checked=True)
            parts = to_conditions(values)
            assert all(len(part.intervals) < 2 for part in parts)
            for row in rows_at_ends(tree):
                takes = condition.holds(feature, row[name])
                assert takes is (row[name] in values) is any(part.holds(feature, row[name]) for part in parts)
                assert sum(part.holds(feature, row[name]) for part in parts) <= 1


def rules_of(*conditions: Condition, feature: Feature = X) -> RuleSet:
    """Return a rule for each condition."""
    figures = RuleFigures(0, 0.0)
    return RuleSet(
        Schema([feature], GOAL),
        [Rule(n, [("x", held)], MeanPrediction(float(n)), figures) for n, held in enumerate(conditions, start=1)],
    )


def test_hashes_differ_where_bounds_do() -> None:
    """Of one interval, several, and several with another bound; a collection of one interval is that interval."""
    held: list[Any] = [OUTER, OUTER[:1], OUTER[1:], (OUTER[0], Interval(6.0, None))]
    assert len({hash_of_rules(rules_of(Condition(values))) for values in held}) == len(held)
    assert rules_of(Condition(OUTER[:1])) == rules_of(Condition(OUTER[0]))
    assert Condition(list(OUTER)) == Condition(OUTER) and hash(Condition(list(OUTER))) == hash(Condition(OUTER))


@pytest.mark.parametrize(
    "values",
    [
        (),
        OUTER[::-1],
        (Interval(None, 1.0), Interval(1.0, 2.0)),
        (Interval(None, 2.0), Interval(1.0, 3.0)),
        (Interval(None, 1.0), 5.0),
        (Members(["a"]), Interval(1.0, 2.0)),
    ],
    ids=repr,
)
def test_what_is_no_union_of_intervals_is_refused(values: Any) -> None:
    """None, not ascending, touching, overlapping, of something else."""
    with pytest.raises(InvalidTreeError, match="not intervals in ascending order"):
        Condition(values)


@pytest.mark.parametrize("feature", [Feature("x", Kind.INTEGER), Feature("x", Kind.CATEGORY, ["a"])], ids=repr)
def test_intervals_must_fit_their_column(feature: Feature) -> None:
    """Bounds of another type, or a column of categories."""
    with pytest.raises(InvalidTreeError, match="does not fit column 'x'"):
        rules_of(Condition(OUTER), feature=feature)


@pytest.mark.parametrize("format", ["text", "md", "csv", "json", "html"])
def test_reports_of_rules_show_each_interval(format: str) -> None:
    """Text and tables say it in words, JSON lists the bounds."""
    shown = render(compile_rules(zero_is_missing()), format=format)
    assert ('"intervals"' if format == "json" else "0.5") in shown and "0.5" in shown


@pytest.mark.parametrize("format", ["text", "html", "dot", "mermaid"])
def test_reports_of_trees_show_each_interval(format: str) -> None:
    """On the branches: what each child takes."""
    shown = render(zero_is_missing(), format=format)
    assert "0.5" in shown


def test_drawn_trees_hold_unions() -> None:
    """The strategy of these tests draws what they are about."""
    tree = one_with_union()
    assert any(isinstance(node, Split) and isinstance(node.test, ValueSetTest) for node in preorder(tree.root))
