"""The short form of rules: it says nothing untrue, and with the lines below it says what the full form says."""

import re
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from profiles import examples
from strategies_random import trees
from treerules import (
    RuleSet,
    Schema,
    Table,
    Tree,
    auto,
    cart,
    compile_rules,
    explain,
    id3,
    learn,
    load,
    prune,
    relearn,
    render,
    save,
)
from treerules.data.value_set import ValueSet
from treerules.formats import rules_from_text, rules_to_text
from treerules.rules.conditions import to_value_set
from treerules.rules.phrasing import phrasing_for
from treerules.rules.rule import Condition
from treerules.rules.unsaid_values import unsaid_values
from treerules.rules.wording import condition_text, word
from treerules.trees.training_values import TrainingValues

_LINE = re.compile(r"(missing or unseen|missing|unseen) (.*?): (?:as (.*)|rules? ([\d, ]+) \(of those .*\))")


def _subset(draw: Any, names: list[str]) -> list[str]:
    return [name for name in names if draw(st.booleans())]


@st.composite
def learned_rules(draw: Any) -> RuleSet:
    """Rules of a tree, with drawn columns that had missing and unseen values in training."""
    rules = compile_rules(draw(trees(max_splits=10)))
    names = [feature.name for feature in rules.schema.features]
    return evolve(rules, training=TrainingValues(_subset(draw, names), _subset(draw, names)))


@settings(max_examples=examples(150))
@given(learned_rules())
def test_the_short_rules_and_the_lines_below_them_say_what_the_full_rules_say(rules: RuleSet) -> None:
    """Read back, each condition of a rule gets the missing and unseen values of its line; then it is the full one."""
    text, _, below = render(rules, full=True).partition("\n\n")
    read = rules_from_text(text, schema=rules.schema).rules
    conditions = {
        (rule.number, name): to_value_set(rules.schema.feature(name), condition)
        for rule in read
        for name, condition in rule.conditions
    }
    columns = {word(feature.name): feature for feature in rules.schema.features}
    hidden: dict[str, tuple[Any, ...]] = {}
    for line in below.splitlines():
        kinds, column, values, numbers = _LINE.fullmatch(line).groups()  # type: ignore[union-attr]
        feature = columns[column]
        like = None if values is None else _read(f"IF {values} THEN x", rules)
        for kind in kinds.split(" or "):
            hidden[feature.name, kind] = (like, set(map(int, (numbers or "0").split(", "))))  # type: ignore[index]
    for (number, name), read_values in conditions.items():
        for kind in ("missing", "unseen"):
            like, numbers = hidden.get((name, kind), (None, set()))  # type: ignore[call-overload]
            takes = not (read_values & like).is_empty if like is not None else number in numbers
            if (name, kind) in hidden:
                conditions[number, name] = evolve(conditions[number, name], **{kind: takes})
    full = {
        (rule.number, name): to_value_set(rules.schema.feature(name), condition)
        for rule in rules
        for name, condition in rule.conditions
    }
    assert conditions == full


def _read(text: str, rules: RuleSet) -> ValueSet:
    """Return the values of the one condition of a rule, without missing and unseen ones."""
    ((name, condition),) = rules_from_text(text, schema=Schema(rules.schema.features)).rules[0].conditions
    values = to_value_set(rules.schema.feature(name), condition)
    return evolve(values, missing=False, unseen=False)


@settings(max_examples=examples(100))
@given(learned_rules())
def test_missing_values_fire_the_rules_that_the_values_of_their_line_fire(rules: RuleSet) -> None:
    """By firing the rules: a row of a missing value, and the same row with a value that the line names."""
    for unsaid in unsaid_values(rules, phrasing_for(rules.training)):
        name = unsaid.feature.name
        rows = [{}, *({c: _set_of(rules, rule, c).witness() for c, _ in rule.conditions} for rule in rules)]
        if not unsaid.missing or not unsaid.values.has_known:
            continue
        for row in rows:
            with_value = {**row, name: evolve(unsaid.values, unseen=False).witness()}
            assert rules.firing({**row, name: None}) == rules.firing(with_value)


def _set_of(rules: RuleSet, rule: Any, column: str) -> ValueSet:
    return to_value_set(rules.schema.feature(column), dict(rule.conditions)[column])


@settings(max_examples=examples(60))
@given(trees(max_splits=8))
def test_where_nothing_is_known_of_the_training_rows_the_full_form_is_printed(tree: Tree) -> None:
    """A tree that was not learned, or is from an old file, reads as its exact form, and has no lines below."""
    assert tree.origin is None
    assert render(tree) == render(tree, exact=True) or tree.schema.is_regression  # whose means are rounded
    assert "\n\n" not in render(compile_rules(tree))


TABLE = Table.from_columns(
    {
        "age": [22.5, 38.5, None, 35.5, 54.5, 2.5, 27.5, 14.5],
        "town": ["a", "b", "a", "b", "c", "c", "a", "b"],
        "flag": [0, 1, 0, 1, 1, 0, 0, 1],
        "rate": [0.0, 1.0, 1.0, 0.0, None, 1.0, 0.0, 1.0],
        "ok": [True, True, False, True, False, False, True, False],
        "y": ["p", "q", "p", "q", "q", "p", "p", "q"],
    }
)


@pytest.mark.parametrize("recipe", [cart(), id3(), auto()], ids=["cart", "id3", "auto"])
def test_every_learner_records_which_columns_had_missing_values_and_just_0_and_1(recipe: Any, tmp_path: Any) -> None:
    """Also after pruning, learning again and loading; rows without weight count for nothing."""
    table = TABLE
    expected = TrainingValues((), (), ()) if recipe == id3() else TrainingValues(("age", "rate"), (), ("flag", "rate"))
    features = ["town", "ok"] if recipe == id3() else ["age", "flag", "rate", "town", "ok"]
    tree = learn(table, target="y", recipe=recipe, features=features)
    save(tree, tmp_path / "m.tree.json")
    for same in (tree, relearn(tree, table), prune(tree, "pessimistic"), load(tmp_path / "m.tree.json")):
        assert same.origin is not None and same.origin.values == expected
        assert compile_rules(same).training == expected
    weighed = learn(TABLE, target="y", recipe=cart(), weight=[1, 1, 0, 1, 0, 1, 1, 1], keep=["age", "rate"])
    assert weighed.origin is not None and weighed.origin.values is not None
    assert weighed.origin.values.missing == ()


def test_edits_of_rules_keep_what_is_known_of_the_training_rows() -> None:
    """Sorted and edited rules are printed as short as those that they come from, some of them in full."""
    rules = compile_rules(learn(TABLE, target="y", recipe=cart(), features=["flag"]))
    for edited in (rules.sorted_by("n"), rules.replace(1, value="q"), rules.without(2)):
        assert edited.training == rules.training
    assert rules.where("n", 1).training is None
    assert evolve(rules, training=None) == rules
    assert hash(evolve(rules, training=None)) == hash(rules)


def test_columns_of_0_and_1_read_as_equal() -> None:
    """`<= 0` of the exact form reads `= 0`, and the missing value has its line."""
    tree = learn(TABLE, target="y", recipe=cart(), features=["flag"])
    assert render(compile_rules(tree)).splitlines() == [
        "1: IF flag = 0 THEN y = p (n 4, coverage 0.5, support 0.5, confidence 1, lift 2)",
        "2: IF flag = 1 THEN y = q (n 4, coverage 0.5, support 0.5, confidence 1, lift 2)",
        "",
        "missing flag: as flag = 0",
        "other flag: up to 0 as flag = 0, above as flag = 1",
    ]
    assert render(compile_rules(tree), exact=True).startswith("1: IF (flag <= 0 or missing) THEN y = p (n 4")
    assert "(flag <= 0 or missing)" in rules_to_text(tree)


def test_rare_categories_that_count_as_unseen_are_said() -> None:
    """A column of which the default joins rare categories says `or unseen`, since training rows went there."""
    towns = ["a"] * 30 + ["b"] * 30 + [f"t{n}" for n in range(12)]
    table = Table.from_columns({"town": towns, "y": ["p"] * 30 + ["q"] * 42})
    rules = compile_rules(learn(table, target="y", recipe=auto()))
    assert rules.training is not None and rules.training.unseen == ("town",)
    assert "unseen" not in render(rules).split("\n\n")[-1] or " unseen)" in render(rules)
    one = rules.schema.features[0]
    (taking,) = [c for rule in rules for _, c in rule.conditions if c.unseen]
    assert condition_text(one, taking, phrasing_for(rules.training)) == condition_text(
        one, evolve(taking, missing=False)
    )


def test_a_column_whose_missing_values_follow_no_range_names_rules() -> None:
    """Where two splits of one column send missing values to sides that no value shares, the rules are named."""
    text = """
        column x: number
        column s: boolean
        target y: category {a, b}
        1: IF s = true AND (x <= 10 or missing) THEN y = a
        2: IF s = true AND x > 10 THEN y = b
        3: IF (s = false or missing) AND x <= 20 THEN y = a
        4: IF (s = false or missing) AND (x > 20 or missing) THEN y = b
    """
    rules = evolve(rules_from_text(text).rules, training=TrainingValues())
    assert render(rules).split("\n\n")[1].splitlines() == [
        "missing x: rules 1, 4 (of those with a condition on x)",
        "missing s: as s = false",
    ]


def test_an_explanation_says_the_missing_value_that_the_row_has() -> None:
    """The condition beside a missing value names it; the others stay short."""
    tree = learn(TABLE, target="y", recipe=cart(), features=["flag", "town"])
    assert "flag    missing  (flag = 0 or missing)" in render(explain(tree, {"town": "a"}))
    assert "flag    0      flag = 0" in render(explain(tree, {"town": "a", "flag": 0}))
    assert "flag    2      flag > 0" in render(explain(tree, {"town": "a", "flag": 2}))


def _cities(n: int) -> Table:
    names = [f"c{number:03}" for number in range(n)]
    return Table.from_columns({"city": names * 2, "y": ["p" if name < "c195" else "q" for name in names] * 2})


def test_long_sets_are_printed_by_their_shorter_side_and_cut() -> None:
    """`other than` leaves unseen values out, `not in` takes them; `full` prints all."""
    rules = compile_rules(learn(_cities(200), target="y", recipe=cart(), keep=["city"]))
    assert rules[0].value == "p"
    assert render(rules).startswith("1: IF city not in {c195, c196, c197, c198, c199} THEN y = p")
    feature = rules.schema.features[0]
    short = phrasing_for(rules.training)
    seen = evolve(rules[0].conditions[0][1], unseen=False, missing=False)
    assert condition_text(feature, seen, short) == "city other than {c195, c196, c197, c198, c199}"
    assert condition_text(feature, seen).count(",") == 194
    half = Condition(type(seen.values)([f"c{number:03}" for number in range(0, 200, 2)]))
    cut = ", ".join(f"c{number:03}" for number in range(0, 24, 2))
    assert condition_text(feature, half, short) == f"city in {{{cut}, … 88 more}}"
    assert condition_text(feature, half, phrasing_for(rules.training, full=True)).count(",") == 99


def test_the_line_of_a_long_set_names_the_shorter_side() -> None:
    """Missing and unseen values go with 195 cities; the line names the five others, as the rule does."""
    rules = compile_rules(learn(_cities(200), target="y", recipe=cart(), keep=["city"]))
    line = render(rules).splitlines()[-1]
    assert line == "missing or unseen city: as city not in {c195, c196, c197, c198, c199}"


def test_rules_of_a_regression_have_mean_standard_deviation_and_n() -> None:
    """The mean is rounded to four digits, or so many; the exact form has all of them."""
    table = Table.from_columns({"x": [1, 1, 1, 5, 5, 5], "y": [1.0, 2.0, 2.0, 206855.0, 206856.0, 206856.5]})
    rules = compile_rules(learn(table, target="y", recipe=cart(max_depth=1)))
    shown = render(rules).splitlines()
    assert shown[0] == "1: IF x <= 3 THEN y = 1.667 (n 3, coverage 0.5, sd 0.4714)"
    assert shown[1].startswith("2: IF x > 3 THEN y = 206856 (n 3, coverage 0.5, sd 0.6236)")
    assert "THEN y = 1.7 (n 3, coverage 0.5, sd 0.47)" in render(rules, digits=2)
    assert "THEN y = 1.6666666666666667 (" in render(rules, exact=True)


def test_chinese_rules() -> None:
    """The words of rules in Chinese; values, signs and names stay."""
    tree = learn(TABLE, target="y", recipe=cart(), features=["flag", "age"], keep=())
    rules = compile_rules(tree)
    assert render(rules, lang="zh").splitlines()[0].startswith("1: 若 flag = 0 则 y = p (样本数 4, ")
    assert render(rules, lang="zh").splitlines()[-2:] == [
        "缺失 flag:同 flag = 0",
        "其他 flag:不超过 0 同 flag = 0,以上同 flag = 1",
    ]
    assert render(rules, lang="zh", exact=True).startswith("1: 若 (flag <= 0 或缺失) 则 y = p")
    assert "规则 1: 若 flag = 0 则 y = p" in render(explain(rules, {"flag": 0}), lang="zh")
