"""Explanations: the rule and its reasons are those of `firing`, the change is real and none has fewer columns."""

import json
import math
from datetime import date
from itertools import combinations, product
from random import Random
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from strategies_random import a_feature, a_schema, a_tree, a_value, some_rows, thresholds_of
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
    cart,
    compile_rules,
    learn,
    predict,
    render,
)
from treerules.data.domain import ColumnDomain, domain_of, next_value, unseen_value
from treerules.errors import CellError, NotAPartitionError, OptionError, UnknownNameError
from treerules.proof.explain import Explanation, explain
from treerules.report.explanation_report import change_text
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule_set import RuleList
from treerules.trees import ClassPrediction, find_leaf

AGE, INCOME = Feature("age", Kind.INTEGER), Feature("income", Kind.NUMBER)
JOB, SIZE = Feature("job", Kind.CATEGORY, ("clerk", "cook")), Feature("size", Kind.ORDINAL, ("S", "M", "L"))
CLASSES = Feature("y", Kind.CATEGORY, ("no", "yes"))


def rule(number: int, value: str, **conditions: Condition) -> Rule:
    """Return a rule that predicts a class."""
    return Rule(number, list(conditions.items()), ClassPrediction(value, [float(value == c) for c in ("no", "yes")]),
                RuleFigures(0, 0.0))  # fmt: skip


def within(above: Any, upto: Any, missing: bool = False) -> Condition:
    """Return the condition that a value lies in (above, upto]."""
    return Condition(Interval(above, upto), missing)


def cells_of(rules: RuleSet | RuleList, feature: Feature, domain: Any) -> list[Any]:
    """Return values of a column that stand for all that the rules tell apart, within the domain."""
    allowed = domain_of(feature, domain)
    if not feature.is_ordered:
        known = [*feature.categories, *([unseen_value(feature)] if allowed.unseen else [])]
        return [*known, *([None] if allowed.missing else [])]
    intervals = [c.values for r in rules.rules for name, c in r.conditions if name == feature.name]
    bounds = {b for i in intervals if isinstance(i, Interval) for b in (i.above, i.upto) if b is not None}
    near = {v for b in bounds for v in (b, next_value(feature, b)) if v is not None}
    found = [v for v in near | {allowed.lowest, allowed.highest} if allowed.lowest <= v <= allowed.highest]
    return [*sorted(found), *([None] if allowed.missing else [])]


def answer_of(rules: RuleSet | RuleList, row: dict[str, Any]) -> Any:
    """Return what the first rule that fires predicts, None where none fires."""
    return next((fired.value for fired in rules.firing(row)), None)


def assert_nearest(rules: RuleSet | RuleList, found: Explanation, domain: Any = None) -> None:
    """The change is real and within the domain; no smaller set of columns gives another answer."""
    now = answer_of(rules, found.row)
    assert found.answer == now and found.decided
    names = [feature.name for feature in rules.schema.features]
    cells = {feature.name: cells_of(rules, feature, domain) for feature in rules.schema.features}
    n_changed = len(names) + 1
    if found.change is not None:
        after = answer_of(rules, found.change.row)
        assert after == found.change.answer and after is not None and after != now
        assert found.change.rule in rules.firing(found.change.row)
        changed = {value.column: value.after for value in found.change.values}
        assert found.change.row == {**found.row, **changed}
        for value in found.change.values:
            feature = rules.schema.feature(value.column)
            allowed = domain_of(feature, domain)
            assert value.before == found.row[value.column] != value.after or math.isinf(value.before)
            assert allowed.missing if value.after is None else True
            if feature.is_ordered and value.after is not None:
                assert allowed.lowest <= value.after <= allowed.highest
        n_changed = len(changed)
    for n in range(1, n_changed):
        for some in combinations(names, n):
            for values in product(*(cells[name] for name in some)):
                other = answer_of(rules, {**found.row, **dict(zip(some, values, strict=True))})
                assert other is None or other == now


@given(st.integers(0, 2**32))
def test_the_change_of_a_tree_is_real_and_none_has_fewer_columns(seed: int) -> None:
    """Any kinds of columns, missing and unseen values; the path leads to the leaf, the reasons hold."""
    random = Random(seed)
    tree = a_tree(random, a_schema(random, random.randint(1, 3)), random.randint(0, 7))
    rules = compile_rules(tree)
    for row in some_rows(random, tree, 3):
        found = explain(tree, row)
        assert found.rule is not None and found.answer == find_leaf(tree, row).prediction.value
        assert explain(rules, row) == found
        assert [(each.column, each.condition) for each in found.reasons] == list(found.rule.conditions)
        for each in [*found.reasons, *found.path]:
            feature = tree.schema.feature(each.column)
            assert each.condition.holds(feature, each.value) and each.value == found.row[each.column]
        assert_path(tree, found)
        assert_nearest(rules, found)


def assert_path(tree: Tree, found: Explanation) -> None:
    """The path's nodes are splits by their numbers in preorder, from the root down to the leaf."""
    from treerules.trees import Split, preorder

    nodes = list(preorder(tree.root))
    assert [step.node for step in found.path] == sorted({step.node for step in found.path})
    for step in found.path:
        node = nodes[step.node]
        assert isinstance(node, Split) and tree.schema.features[node.test.feature].name == step.column


@given(st.integers(0, 2**32), st.booleans())
def test_the_change_of_a_list_is_real_and_none_has_fewer_columns(seed: int, is_written: bool) -> None:
    """Rules of two trees, shuffled and some left out, as a list: earlier rules take rows of later ones."""
    random = Random(seed)
    schema = a_schema(random, random.randint(1, 3))
    tree, other = (a_tree(random, schema, random.randint(0, 5)) for _ in range(2))
    both = [*compile_rules(tree).rules, *compile_rules(other).rules]
    chosen = random.sample(both, random.randint(1, len(both)))
    rules = RuleList(schema, [evolve(one, number=number) for number, one in enumerate(chosen, 1)])
    domain = {f.name: ColumnDomain(missing=random.random() < 0.5, unseen=random.random() < 0.5)
              for f in schema.features if random.random() < 0.5}  # fmt: skip
    for row in some_rows(random, tree, 3):
        found = explain(ParsedRules(rules, domain) if is_written else rules, row, domain=None if is_written else domain)
        assert_nearest(rules, found, domain)


@given(st.integers(0, 2**32))
def test_of_one_column_the_nearest_value_is_taken(seed: int) -> None:
    """Where one ordered column is enough, no value of it between the old one and the new one gives another answer."""
    random = Random(seed)
    feature = a_feature(random, "x")
    while not feature.is_ordered:
        feature = a_feature(random, "x")
    tree = a_tree(random, Schema([feature], CLASSES), 6)
    rules, cuts = compile_rules(tree), thresholds_of(tree).get(0, ())
    row = {"x": a_value(random, feature, cuts)}
    change = explain(tree, row).change
    value = feature.convert(row["x"])
    if change is None or value is None or change.values[0].after is None:
        return
    after = change.values[0].after
    low, high = min(value, after), max(value, after)
    between = [v for v in cells_of(rules, feature, None) if v is not None and low <= v <= high and v != after]
    assert all(answer_of(rules, {"x": v}) == answer_of(rules, row) for v in between)


def test_the_smaller_change_is_taken_and_ties_go_by_the_schema() -> None:
    """30 to 31 of 70 years is less than 10 to 20 of 20 coins; where both are as great the first column changes."""
    rules = [
        rule(1, "no", age=within(None, 30), income=within(None, 15.0)),
        rule(2, "yes", age=within(30, 100), income=within(None, 15.0)),
        rule(3, "yes", income=within(15.0, 20.0)),
    ]
    rule_set = RuleSet(Schema([AGE, INCOME], CLASSES), rules)
    found = explain(rule_set, {"age": 30, "income": 10})
    assert [(each.column, each.before, each.after) for each in found.change.values] == [("age", 30, 31)]  # type: ignore[union-attr]
    found = explain(rule_set, {"age": 0, "income": 14.99})
    assert [(each.column, each.after) for each in found.change.values] == [("income", math.nextafter(15, 16))]  # type: ignore[union-attr]
    tied = [
        rule(1, "no", job=Condition(Members(("cook",))), size=Condition(Members(("S", "M")))),
        rule(2, "yes", job=Condition(Members(("clerk",))), size=Condition(Members(("S",)))),
        rule(3, "yes", job=Condition(Members(("cook",))), size=Condition(Members(("L",)))),
    ]
    row = {"job": "cook", "size": "S"}
    found = explain(RuleSet(Schema([JOB, SIZE], CLASSES), tied), row)
    assert [(each.column, each.after) for each in found.change.values] == [("job", "clerk")]  # type: ignore[union-attr]
    found = explain(RuleSet(Schema([JOB, SIZE], CLASSES), tied), {"job": "cook", "size": "M"})
    assert [(each.column, each.after) for each in found.change.values] == [("size", "L")]  # type: ignore[union-attr]


def test_a_row_that_no_rule_fires_for_is_led_to_a_rule() -> None:
    """There is no rule and no reason, and the change gives an answer; a domain without missing values is kept."""
    rules = RuleSet(Schema([AGE], CLASSES), [rule(1, "yes", age=within(18, 65, missing=True))])
    found = explain(rules, {"age": 70})
    assert (found.rule, found.answer, found.reasons) == (None, None, ())
    assert found.change is not None and found.change.row == {"age": 65} and found.change.answer == "yes"
    only = RuleSet(Schema([AGE], CLASSES), [rule(1, "yes", age=Condition(None, missing=True))])
    assert explain(only, {"age": 70}).change is not None
    assert explain(only, {"age": 70}, domain={"age": ColumnDomain(missing=False)}).change is None


def test_where_nothing_gives_another_answer_there_is_no_change() -> None:
    """A leaf alone, or rules that all predict the same."""
    rules = RuleSet(Schema([AGE], CLASSES), [rule(1, "yes", age=within(None, 5)), rule(2, "yes", age=within(5, None))])
    found = explain(rules, {"age": None})
    assert found.rule is None and found.change is not None
    assert explain(rules, {"age": 3}).change is None


def test_rules_that_contradict_each_other_are_refused_with_the_row() -> None:
    """The row itself, or the nearest change of it, fires two rules that predict different values."""
    rules = RuleSet(Schema([AGE], CLASSES), [rule(1, "no", age=within(None, 5)), rule(2, "yes", age=within(4, None))])
    with pytest.raises(NotAPartitionError, match="rules 1 and 2 both fire and predict different values") as caught:
        explain(rules, {"age": 5})
    assert caught.value.witness == {"age": 5}
    with pytest.raises(NotAPartitionError):
        explain(rules, {"age": 4})


def test_past_the_budget_it_says_so() -> None:
    """An earlier rule takes the nearest rows; without budget the search ends there."""
    rules = RuleList(Schema([AGE], CLASSES), [rule(1, "no", age=within(None, 9)), rule(2, "yes", age=within(5, None))])
    assert explain(rules, {"age": 3}).change.row == {"age": 10}  # type: ignore[union-attr]
    found = explain(rules, {"age": 3}, budget=0)
    assert found.change is None and not found.decided


def test_what_cannot_be_explained_is_refused() -> None:
    """Rows of the wrong kind, domains of other columns, things that hold no rules."""
    rules = RuleSet(Schema([AGE, Feature("d", Kind.DATE)], CLASSES), [rule(1, "yes", d=within(date(2024, 1, 1), None))])
    with pytest.raises(CellError):
        explain(rules, {"age": "old"})
    with pytest.raises(UnknownNameError):
        explain(rules, {}, domain={"ages": ColumnDomain()})
    with pytest.raises(OptionError, match="a RuleSet"):
        explain([], {})  # type: ignore[arg-type]
    for wrong in (3, None, []):
        with pytest.raises(OptionError, match="a result that can be rendered"):
            render(wrong)


@pytest.mark.parametrize(
    ("bound", "value", "sentence"),
    [
        (6.05, None, "income missing -> above 6.05"),
        (6.05, 3.0, "income 3 -> above 6.05"),
        (math.nextafter(1.59, 0.0), None, "income missing -> 1.59"),
        (math.nextafter(1.59, 0.0), 2.0, "income 2 -> below 1.59"),
        (0.0, -1.0, "income -1 -> above 0"),
        (6.05, 7.0, "income 7 -> 6.05"),
    ],
)
def test_a_change_beyond_a_bound_is_told_by_the_bound(bound: float, value: float | None, sentence: str) -> None:
    """The nearest number is 6.050000000000001: the value stays exact, the sentence is short."""
    low = rule(1, "no", income=within(None, bound))
    high = rule(2, "yes", income=within(bound, None))
    missing = rule(3, "no" if value is None else "yes", income=Condition(None, missing=True))
    found = explain(RuleSet(Schema([INCOME], CLASSES), [low, high, missing]), {"income": value})
    assert change_text(found).startswith(f"nearest change: {sentence} would give ")
    after = found.change.values[0].after  # type: ignore[union-attr]
    assert after in (bound, math.nextafter(bound, math.inf))


def test_an_explanation_reads_as_a_sentence() -> None:
    """The rule, the row's values beside its conditions, and the change; names and values are exact and escaped."""
    rules = [rule(1, "yes", age=within(None, 30), income=within(None, 0.3)), rule(4, "no", age=within(30, None))]
    found = explain(RuleSet(Schema([AGE, INCOME], CLASSES), rules), {"age": 30, "income": 0.1 + 0.2 - 1e-16})
    assert change_text(found) == "nearest change: age 30 -> 31 would give no (rule 4)"
    assert change_text(evolve(found, names={4: "WHEN 2"})).endswith("would give no (WHEN 2)")
    text = render(found)
    assert text.startswith("rule 1: IF age <= 30 AND income <= 0.3 THEN y = yes\n")
    assert repr(found.row["income"]) in text and "最近的改变" in render(found, lang="zh", format="md")
    told = json.loads(render(found, format="json"))
    assert (told["rule"], told["answer"], told["row"]) == (1, "yes", found.row)
    assert told["change"]["columns"] == [{"column": "age", "before": 30, "after": 31}]
    nothing = explain(
        RuleSet(Schema([AGE], CLASSES), [rule(1, "yes", age=Condition(Interval(None, 3)))]), {"age": None}
    )
    assert render(nothing).startswith("no rule fires for this row\n")
    assert "age missing -> 0 would give yes" in render(nothing)
    with pytest.raises(UnknownNameError):
        render(found, lang="tlh")


def test_the_json_of_any_explanation_is_json() -> None:
    """Infinities, dates, missing values and hostile names go into JSON, text and Markdown."""
    for seed in range(30):
        random = Random(seed)
        tree = a_tree(random, a_schema(random, 3), 6)
        for row in some_rows(random, tree, 2):
            found = explain(tree, row)
            told = json.loads(render(found, format="json"))
            assert told["decided"] is True and len(told["conditions"]) == len(found.reasons)
            assert render(found) and render(found, format="md") and render(found, format="csv")


@pytest.mark.parametrize(("age", "answer"), [(49.5, "no"), (50.5, "yes"), (50.0, "no")])
def test_a_decimal_in_a_column_of_integers_is_explained_as_it_is_predicted(age: float, answer: str) -> None:
    """50.5 is above 50: the rule is that of `predict`, and reasons and changes show the number as it is."""
    rows = {"age": list(range(41, 61)), "y": ["no"] * 10 + ["yes"] * 10}
    tree = learn(Table.from_columns(rows), target="y", recipe=cart())
    explanation = explain(tree, {"age": age})
    assert explanation.answer == answer == predict(tree, {"age": age})
    assert explanation.row == {"age": age}
    assert [reason.value for reason in explanation.reasons] == [step.value for step in explanation.path] == [age]
    assert explanation.change is not None
    assert (explanation.change.values[0].before, explanation.change.answer) == (
        age,
        predict(tree, explanation.change.row),
    )
    assert render(explanation, format="json")
