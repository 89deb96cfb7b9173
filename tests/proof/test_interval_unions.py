"""Rules of several intervals are proved, refuted with a witness, compared, explained, edited and made a tree again."""

from math import inf, nextafter

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from treerules import (
    ColumnDomain,
    Condition,
    Feature,
    Interval,
    Kind,
    Rule,
    RuleFigures,
    RuleList,
    RuleSet,
    Schema,
    Table,
    Tree,
    ValueSet,
    check,
    compile_rules,
    diff,
    explain,
    rule_metrics,
    tree_from_rules,
)
from treerules.data.column import of_values
from treerules.rules.conditions import to_condition
from treerules.trees import MeanPrediction, Split, ThresholdTest, ValueSetTest, find_leaf, preorder
from union_trees import GOAL, in_thresholds, one_with_union, rows_at_ends, union_trees, zero_is_missing

X = Feature("x", Kind.NUMBER)
OUTER, MIDDLE = (Interval(None, 1.0), Interval(5.0, None)), (Interval(1.0, 5.0),)


def rules_of(*conditions: Condition) -> list[Rule]:
    """Return a rule on x for each condition."""
    figures = RuleFigures(0, 0.0)
    return [Rule(n, [("x", held)], MeanPrediction(float(n)), figures) for n, held in enumerate(conditions, start=1)]


def a_set(*conditions: Condition) -> RuleSet:
    """Return a rule on x for each condition, as a set."""
    return RuleSet(Schema([X], GOAL), rules_of(*conditions))


@given(union_trees())
def test_the_rules_of_a_tree_are_proved(tree: Tree) -> None:
    """Exclusive and complete, over every value and over a declared domain; no rule overlaps itself."""
    rules = compile_rules(tree)
    for domain in (None, {"x": ColumnDomain(-1.0, 1.0, missing=False)}):
        verdict = check(rules, domain=domain)
        assert verdict.exclusive and verdict.complete and not verdict.overlaps and not verdict.gaps


@given(union_trees(), st.data())
def test_a_missing_interval_is_a_gap_and_one_too_many_an_overlap(tree: Tree, data: st.DataObject) -> None:
    """With the rows of a rule's lost interval as the gap; the witness fires no rule, or both."""
    rules = compile_rules(tree)
    unions = [(rule, name, held) for rule in rules.rules for name, held in rule.conditions if len(held.intervals) > 1]
    if not unions:
        return
    rule, name, held = data.draw(st.sampled_from(unions))
    at = data.draw(st.integers(0, len(held.intervals) - 1))
    rest = Condition([*held.intervals[:at], *held.intervals[at + 1 :]], held.missing)
    broken = evolve(rules, rules=[with_condition(other, name, rest) if other is rule else other for other in rules])
    (gap,) = check(broken).gaps
    assert not broken.firing(gap.row) and rules.firing(gap.row) == (rule,)
    assert dict(gap.region)[name] == Condition(held.intervals[at])
    between = Interval(held.intervals[0].upto, held.intervals[1].above)
    joined = Condition([Interval(held.intervals[0].above, held.intervals[1].upto), *held.intervals[2:]], held.missing)
    wider = evolve(rules, rules=[with_condition(other, name, joined) if other is rule else other for other in rules])
    overlaps = check(wider).overlaps
    assert overlaps
    for overlap in overlaps:
        assert rule.number in (overlap.first, overlap.second)
        assert {fired.number for fired in wider.firing(overlap.row)} == {overlap.first, overlap.second}
        assert overlap.row[name] in between


def with_condition(rule: Rule, name: str, condition: Condition) -> Rule:
    """Return a rule with another condition on a column."""
    return evolve(rule, conditions=[(other, condition if other == name else held) for other, held in rule.conditions])


@given(union_trees(), union_trees())
def test_a_diff_is_that_of_the_trees_in_thresholds(tree: Tree, other: Tree) -> None:
    """Equal to its own thresholds; two trees differ where some row tells them apart, and each witness does."""
    assert diff(tree, in_thresholds(tree)).equal
    found = diff(tree, other)
    rows = [*rows_at_ends(tree), *rows_at_ends(other)]
    if found.equal:
        assert all(find_leaf(tree, row).prediction == find_leaf(other, row).prediction for row in rows)
    for disagreement in found.disagreements:
        values = [find_leaf(in_thresholds(one), disagreement.row).prediction.value for one in (tree, other)]
        assert values[0] != values[1]


@given(union_trees())
def test_rules_become_a_tree_again(tree: Tree) -> None:
    """It answers as the rules do, with tests of intervals or of thresholds."""
    again = tree_from_rules(compile_rules(tree))
    plain = in_thresholds(tree)
    for row in rows_at_ends(tree):
        assert find_leaf(again, row).prediction.value == find_leaf(plain, row).prediction.value
    assert check(again).exclusive and diff(again, tree).equal


def test_one_union_becomes_one_test() -> None:
    """Two rules, x at most 1 or above 5 and x between: a tree of one split; of touching ones, a plain threshold."""
    tree = tree_from_rules(a_set(Condition(OUTER, missing=True), Condition(MIDDLE)))
    assert isinstance(tree.root, Split) and tree.n_leaves == 2
    assert tree.root.test == ValueSetTest(0, ValueSet(X, OUTER))
    missing = tree_from_rules(a_set(Condition(OUTER), Condition(MIDDLE), Condition(None, missing=True)))
    tests = [node.test for node in preorder(missing) if isinstance(node, Split)]
    assert ThresholdTest(0, inf) in tests and len(tests) == 2


@given(union_trees(max_splits=4))
def test_a_list_is_made_exclusive(tree: Tree) -> None:
    """Each rule without what the rules before it take; the set answers as the first rule that fires."""
    rules = compile_rules(tree)
    whole_x = [(name, held) for name, held in rules.rules[0].conditions if name != "x"]
    first = evolve(rules.rules[0], conditions=whole_x, number=100)
    as_list = RuleList(rules.schema, [rules.rules[-1], first, *rules.rules[:-1]])
    exclusive = as_list.to_exclusive().rules
    for row in rows_at_ends(tree):
        (fired,) = exclusive.firing(row)
        assert fired.value == as_list.firing(row)[0].value
    assert check(exclusive).exclusive and check(exclusive).complete


def test_explanations_give_the_nearest_change() -> None:
    """At 0.2, which goes left, 0 is nearer than the number above 0.5; the other rule fires there."""
    tree = zero_is_missing()
    found = explain(tree, {"x": 0.2})
    assert found.change is not None
    changed = dict(found.change.row)
    assert changed["x"] == 0.0 and find_leaf(tree, changed).prediction.value == 1.0
    beyond = explain(tree, {"x": 0.4})
    assert beyond.change is not None and beyond.change.row["x"] == nextafter(0.5, 1)


def test_rules_are_edited() -> None:
    """`replace` takes text; `merge` joins an interval to a union, where rules of one prediction may."""
    rules = a_set(Condition(OUTER, missing=True), Condition((Interval(1.0, 3.0),)), Condition((Interval(3.0, 5.0),)))
    replaced = rules.replace(1, conditions={"x": to_condition(ValueSet(X, OUTER[:1]))})
    assert [gap.row["x"] for gap in check(replaced).gaps] and not check(replaced).overlaps
    same = evolve(rules, rules=[evolve(rule, prediction=MeanPrediction(1.0)) for rule in rules.rules])
    merged = same.merge(1, 2)
    assert check(merged).exclusive and check(merged).complete
    assert merged.rules[0].conditions == (("x", Condition((Interval(None, 3.0), Interval(5.0, None)), True)),)


@pytest.mark.parametrize("missing", [False, True])
def test_rules_that_could_be_one_are_named(missing: bool) -> None:
    """An interval that fills the hole of a union is; one beside another hole is not, since it adds an interval."""
    holes = (Interval(None, 1.0), Interval(2.0, 3.0), Interval(5.0, None))
    same = MeanPrediction(1.0)
    rules = a_set(Condition(holes, missing), Condition((Interval(1.0, 2.0),)), Condition((Interval(3.5, 4.0),)))
    rules = evolve(rules, rules=[evolve(rule, prediction=same) for rule in rules.rules])
    assert [(pair.first, pair.second) for pair in check(rules).redundant] == [(1, 2)]


@given(union_trees())
def test_the_rows_of_a_table_fire_the_rules_that_their_values_meet(tree: Tree) -> None:
    """`rule_metrics` counts each row once, for the rule of its leaf."""
    rows = rows_at_ends(tree)
    table = Table([of_values(f, [row[f.name] for row in rows]) for f in tree.schema.features])
    rules = compile_rules(tree)
    metrics = rule_metrics(rules, table)
    wanted = [sum(rule.number == rules.firing(row)[0].number for row in rows) for rule in rules.rules]
    assert [metric.figures.n for metric in metrics.by_rule] == wanted


def test_some_drawn_rules_hold_unions() -> None:
    """The strategy of these tests draws what they are about."""
    assert any(len(held.intervals) > 1 for rule in compile_rules(one_with_union()).rules for _, held in rule.conditions)
