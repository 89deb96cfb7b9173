"""Comparing rules: every cell of a small domain is looked at, and an edited copy gives its edit away."""

import json
from itertools import product
from random import Random
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from strategies_random import a_schema, a_table, a_tree
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
    cart,
    compile_rules,
    learn,
    render,
)
from treerules.data.column import of_values
from treerules.data.domain import ColumnDomain, Domain, domain_of, next_value, unseen_value
from treerules.errors import ColumnError, DataError, NotAPartitionError, OptionError, UnknownNameError
from treerules.formats import rules_from_text
from treerules.proof.align_schemas import merge_schemas
from treerules.proof.diff import Diff, diff
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule_set import RuleList
from treerules.trees import ClassPrediction, MeanPrediction

AGE, JOB = Feature("age", Kind.INTEGER), Feature("job", Kind.CATEGORY, ("clerk", "cook"))
CLASSES = Feature("y", Kind.CATEGORY, ("no", "yes"))


def rule(number: int, value: str, **conditions: Condition) -> Rule:
    """Return a rule that predicts a class."""
    return Rule(number, list(conditions.items()), ClassPrediction(value, [float(value == c) for c in ("no", "yes")]),
                RuleFigures(0, 0.0))  # fmt: skip


def within(above: Any, upto: Any, missing: bool = False) -> Condition:
    """Return the condition that a value lies in (above, upto]."""
    return Condition(Interval(above, upto), missing)


def cells(schema: Schema, domain: Domain | None, *sides: RuleSet | RuleList) -> list[dict[str, Any]]:
    """Return rows that stand for all that the rules of both sides tell apart, within the domain."""
    columns = []
    for feature in schema.features:
        allowed = domain_of(feature, domain)
        if feature.is_ordered:
            intervals = [c.values for side in sides for r in side.rules for n, c in r.conditions if n == feature.name]
            bounds = {b for i in intervals if isinstance(i, Interval) for b in (i.above, i.upto) if b is not None}
            near = {v for b in bounds for v in (b, next_value(feature, b)) if v is not None}
            found = [v for v in near | {allowed.lowest} if allowed.lowest <= v <= allowed.highest]
            column = sorted(found)
        else:
            column = [*feature.categories, *([unseen_value(feature)] if allowed.unseen else [])]
        columns.append([*column, *([None] if allowed.missing else [])])
    names = [feature.name for feature in schema.features]
    return [dict(zip(names, values, strict=True)) for values in product(*columns)]


def first(rules: RuleSet | RuleList, row: dict[str, Any]) -> Rule | None:
    """Return the rule that decides for a row, None where none fires."""
    return next(iter(rules.firing(row)), None)


def holds(found: Diff, region: Any, row: dict[str, Any]) -> bool:
    """Whether a row lies in a region."""
    return all(condition.holds(found.schema.feature(name), row[name]) for name, condition in region)


def assert_exact(found: Diff, old: RuleSet | RuleList, new: RuleSet | RuleList, domain: Domain | None = None) -> None:
    """Each cell lies in one region where the answers differ and in none where they do not; witnesses are real."""
    assert found.n_disagreements == len(found.disagreements) and not found.undecided
    n_differing = 0
    for row in cells(found.schema, domain, old, new):
        fired = first(old, row), first(new, row)
        answers = tuple(None if one is None else one.value for one in fired)
        met = [each for each in found.disagreements if holds(found, each.region, row)]
        assert len(met) == (answers[0] != answers[1])
        n_differing += len(met)
        for each in met:
            assert (each.old_value, each.new_value) == answers
            assert all(
                one is None or one.number in numbers for one, numbers in zip(fired, (each.old, each.new), strict=True)
            )
    assert found.equal is not bool(n_differing)
    for each in found.disagreements:
        assert holds(found, each.region, each.row)
        fired = first(old, each.row), first(new, each.row)
        assert (None if fired[0] is None else fired[0].value) == each.old_value
        assert (None if fired[1] is None else fired[1].value) == each.new_value
        assert all((one is None) is not bool(numbers) for one, numbers in zip(fired, (each.old, each.new), strict=True))


def a_domain(random: Random, schema: Schema) -> dict[str, ColumnDomain]:
    """Return a domain that declares some columns."""
    found = {}
    for feature in schema.features:
        if random.random() < 0.5:
            found[feature.name] = ColumnDomain(missing=random.random() < 0.5, unseen=random.random() < 0.5)
            if feature.scalar == "integer" and feature.is_ordered:
                found[feature.name] = ColumnDomain(-1, 5, missing=random.random() < 0.5)
    return found


@given(st.integers(0, 2**32))
def test_the_differences_of_two_trees_are_those_of_every_cell(seed: int) -> None:
    """Trees over the same columns of any kinds, with and without a domain."""
    random = Random(seed)
    schema = a_schema(random, random.randint(1, 3))
    old, new = (a_tree(random, schema, random.randint(0, 6)) for _ in range(2))
    domain = random.choice((None, a_domain(random, schema)))
    found = diff(old, new, domain=domain, limit=None)
    assert_exact(found, compile_rules(old), compile_rules(new), domain)


@given(st.integers(0, 2**32))
def test_rules_left_out_are_no_rule_in_some_cells(seed: int) -> None:
    """A rule set with gaps against a tree, or against another with gaps: there the answer is that there is none."""
    random = Random(seed)
    schema = a_schema(random, random.randint(1, 3))
    sides: list[Any] = []
    for _ in range(2):
        rules = compile_rules(a_tree(random, schema, random.randint(0, 5))).rules
        sides.append(RuleSet(schema, [one for one in rules if random.random() < 0.7]))
    domain = random.choice((None, a_domain(random, schema)))
    assert_exact(diff(*sides, domain=domain, limit=None), *sides, domain)


@given(st.integers(0, 2**32))
def test_lists_are_compared_by_what_they_decide(seed: int) -> None:
    """Rules of two trees, shuffled, as a list: earlier rules take rows of later ones."""
    random = Random(seed)
    schema = a_schema(random, random.randint(1, 3))
    sides = []
    for _ in range(2):
        both = [r for _ in range(2) for r in compile_rules(a_tree(random, schema, random.randint(0, 4))).rules]
        chosen = random.sample(both, random.randint(1, len(both)))
        sides.append(RuleList(schema, [evolve(one, number=number) for number, one in enumerate(chosen, 1)]))
    domain = random.choice((None, a_domain(random, schema)))
    assert_exact(diff(*sides, domain=domain, limit=None), *sides, domain)


@given(st.integers(0, 2**32))
def test_schemas_may_name_other_columns_and_categories(seed: int) -> None:
    """A category that one side does not name is unseen to it; a column that one does not name is free there."""
    random = Random(seed)
    schema = a_schema(random, 3)
    sides, others = [], []
    for _ in range(2):
        features = []
        for feature in random.sample(schema.features, 2):
            kept = [category for category in feature.categories if random.random() < 0.6]
            features.append(evolve(feature, categories=kept) if feature.is_open else feature)
        own = Schema(features, schema.target)
        tree = a_tree(random, own, random.randint(1, 5))
        sides.append(tree)
        others.append(compile_rules(tree))
    found = diff(*sides, limit=None)
    assert_exact(found, *others)
    assert_exact(diff(sides[1], sides[0], limit=None), others[1], others[0])


@given(st.integers(0, 2**32))
def test_a_tree_is_equal_to_itself_and_to_its_rules(seed: int) -> None:
    """As a tree, as rules with and without the tree, as a list: equal is a proof, and every rule is unchanged."""
    random = Random(seed)
    tree = a_tree(random, a_schema(random, random.randint(1, 4)), 12)
    rules = compile_rules(tree)
    plain = RuleSet(rules.schema, rules.rules)
    for one, other in ((tree, tree), (tree, plain), (plain, rules)):
        found = diff(one, other)
        assert found.equal is True and not found.disagreements
        assert {edit.kind for edit in found.edits} == {"unchanged"}


@given(st.integers(0, 2**32))
def test_an_edit_of_one_rule_is_found(seed: int) -> None:
    """Another answer, a rule left out, a rule moved elsewhere: the edit is named, and the region is that rule's."""
    random = Random(seed)
    tree = a_tree(random, a_schema(random, random.randint(1, 4)), 12)
    while tree.schema.is_regression or len(tree.schema.classes) < 2:
        tree = a_tree(random, a_schema(random, random.randint(1, 4)), 12)
    rules = compile_rules(tree)
    place = random.randrange(len(rules))
    chosen = rules.rules[place]
    other = next(value for value in tree.schema.classes if value != chosen.value)
    shares = [float(value == other) for value in tree.schema.classes]
    answered = evolve(rules, rules=[*rules.rules[:place], evolve(chosen, prediction=ClassPrediction(other, shares)),
                                    *rules.rules[place + 1 :]])  # fmt: skip
    found = diff(tree, answered)
    assert [edit.kind for edit in found.edits if edit.kind != "unchanged"] == ["answer"]
    assert [(each.old, each.new) for each in found.disagreements] == [((chosen.number,), (chosen.number,))]
    assert (found.disagreements[0].old_value, found.disagreements[0].new_value) == (chosen.value, other)
    dropped = evolve(rules, rules=[*rules.rules[:place], *rules.rules[place + 1 :]])
    found = diff(tree, dropped)
    assert [(edit.kind, edit.old) for edit in found.edits if edit.kind != "unchanged"] == [("removed", chosen.number)]
    assert {(each.old, each.new, each.new_value) for each in found.disagreements} == {((chosen.number,), (), None)}
    found = diff(dropped, tree)
    assert [(edit.kind, edit.new) for edit in found.edits if edit.kind != "unchanged"] == [("added", chosen.number)]


def test_a_moved_bound_is_named_with_its_column() -> None:
    """30 becomes 35: one region, both rules moved, and the ages in between as its condition."""
    cuts = [[rule(1, "no", age=within(None, cut, True)), rule(2, "yes", age=within(cut, None))] for cut in (30, 35)]
    old, new = (RuleSet(Schema([AGE], CLASSES), rules) for rules in cuts)
    found = diff(old, new)
    assert [(edit.kind, edit.old, edit.new, edit.columns) for edit in found.edits] == [
        ("moved", 1, 1, ("age",)),
        ("moved", 2, 2, ("age",)),
    ]
    (each,) = found.disagreements
    assert each.region == (("age", within(30, 35)),)
    assert (each.old, each.new, each.old_value, each.new_value) == ((2,), (1,), "yes", "no")


def test_adjacent_regions_with_the_same_answers_are_one() -> None:
    """Two old rules meet one new one: they are told together, with both numbers."""
    old = [
        rule(1, "no", age=within(None, 10)),
        rule(2, "no", age=within(10, 20, True)),
        rule(3, "yes", age=within(20, None)),
    ]
    found = diff(RuleSet(Schema([AGE], CLASSES), old), RuleSet(Schema([AGE], CLASSES), [rule(1, "yes")]))
    (each,) = found.disagreements
    assert (each.old, each.new, each.region) == ((1, 2), (1,), (("age", within(None, 20, True)),))


@given(st.integers(0, 2**32), st.booleans())
def test_rows_of_a_table_are_counted_where_they_differ(seed: int, regression: bool) -> None:
    """The counts are those of asking both sides row by row; regions with most rows come first."""
    random = Random(seed)
    table = a_table(random, regression=regression)
    old = learn(table, target="y", recipe=cart(missing="branch"))
    new = learn(table, target="y", recipe=cart(max_depth=1, missing="larger"))
    found = diff(old, new, table=table, limit=None)
    rules = compile_rules(old), compile_rules(new)
    differing = [row for row in table.rows() if first(rules[0], row).value != first(rules[1], row).value]  # type: ignore[union-attr]
    assert (found.n_rows, found.n_differing, found.n_outside) == (table.n_rows, len(differing), 0)
    for each in found.disagreements:
        assert each.n == sum(holds(found, each.region, row) for row in table.rows())
    counts = [each.n or 0 for each in found.disagreements]
    assert counts == sorted(counts, reverse=True) and sum(counts) == len(differing)


def test_rows_outside_the_domain_are_counted_apart() -> None:
    """An age that the domain excludes belongs to no region."""
    old, new = (RuleSet(Schema([AGE], CLASSES), [rule(1, value, age=within(None, None))]) for value in ("no", "yes"))
    table = Table.from_columns({"age": [5, 200, None]})
    found = diff(old, new, table=table, domain={"age": ColumnDomain(0, 120, missing=False)})
    assert (found.n_rows, found.n_differing, found.n_outside) == (1, 1, 2)


def test_what_two_files_declare_is_put_together() -> None:
    """Two are compared on the rows that lie in the domain of both, which the report says."""
    rules = RuleSet(Schema([AGE], CLASSES), [rule(1, "yes", age=within(None, 120))])
    everything = RuleSet(Schema([AGE], CLASSES), [rule(1, "yes")])
    old = ParsedRules(rules, domain={"age": ColumnDomain(0, 120, missing=False)})
    assert diff(old, everything).equal is True
    found = diff(old, ParsedRules(everything, domain={"age": ColumnDomain(50, 130)}))
    assert found.equal is True and found.domain == {"age": ColumnDomain(50, 120, missing=False)}
    lines = render(found, format="text").splitlines()
    assert lines[:3] == [
        "equal on the declared domain: proved, not sampled",
        "assuming: age in 50..120, never missing",
        "the two declare different domains: compared over their intersection",
    ]
    whole = diff(old, everything, domain={})
    assert whole.equal is False and whole.disagreements[0].region == (("age", within(120, None, True)),)
    with pytest.raises(OptionError, match="domain of column 'age'"):
        diff(old, ParsedRules(everything, domain={"age": ColumnDomain(130, 150)}))


def test_rules_that_contradict_each_other_are_refused_and_those_that_agree_are_not() -> None:
    """A set whose rules overlap has one answer only where they agree."""
    schema = Schema([AGE], CLASSES)
    wrong = RuleSet(schema, [rule(1, "no", age=within(None, 5)), rule(2, "yes", age=within(4, None))])
    with pytest.raises(NotAPartitionError, match="rules 1 and 2 both fire and predict different values") as caught:
        diff(wrong, wrong)
    assert len(wrong.firing(caught.value.witness)) == 2
    agreeing = RuleSet(schema, [rule(1, "no", age=within(None, 5)), rule(2, "no", age=within(4, None, True))])
    assert diff(agreeing, RuleSet(schema, [rule(1, "no")])).equal is True


def test_columns_that_cannot_be_compared_are_refused() -> None:
    """Another kind of a column, other types of classes, a mean beside a class."""
    rules = RuleSet(Schema([AGE], CLASSES), [rule(1, "no")])
    with pytest.raises(ColumnError, match="column 'age' is integer in the old rules and number in the new"):
        diff(rules, RuleSet(Schema([Feature("age", Kind.NUMBER)], CLASSES), [rule(1, "no")]))
    means = RuleSet(Schema([AGE], Feature("y", Kind.NUMBER)), [Rule(1, (), MeanPrediction(1.0), RuleFigures(0, 0.0))])
    with pytest.raises(DataError, match="the new rules predict numbers and the old rules classes"):
        diff(rules, means)
    with pytest.raises(DataError, match="the old rules predict numbers and the new rules classes"):
        diff(means, rules)
    numbers = Feature("y", Kind.CATEGORY, (0, 1), "integer")
    with pytest.raises(ColumnError, match=r"'y' is category in the old rules and category \(integer\) in the new"):
        diff(rules, RuleSet(Schema([AGE], numbers), [Rule(1, (), ClassPrediction(0, [1.0, 0.0]), RuleFigures(0, 0.0))]))
    for asked in ({"limit": -1}, {"table": [1]}):
        with pytest.raises(OptionError):
            diff(rules, rules, **asked)  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError):
        diff(rules, rules, domain={"ages": ColumnDomain()})


def test_the_common_schema_has_the_columns_and_categories_of_both() -> None:
    """The old columns first, categories sorted; levels in two orders are in none, so they are categories."""
    sizes = Feature("size", Kind.ORDINAL, ("S", "L")), Feature("size", Kind.ORDINAL, ("XS", "S"))
    jobs = JOB, Feature("job", Kind.CATEGORY, ("baker", "cook"))
    found = merge_schemas(Schema([jobs[0], sizes[0]], CLASSES), Schema([AGE, sizes[1], jobs[1]], CLASSES))
    assert [feature.name for feature in found.features] == ["job", "size", "age"]
    assert found.features[0].categories == ("baker", "clerk", "cook")
    assert (found.features[1].kind, found.features[1].categories) == (Kind.CATEGORY, ("L", "S", "XS"))
    assert merge_schemas(Schema(sizes[:1], CLASSES), Schema(sizes[:1], CLASSES)).features == sizes[:1]


def test_means_are_compared_exactly() -> None:
    """The least difference of two means is one."""
    schema = Schema([AGE], Feature("y", Kind.NUMBER))
    sides = [
        RuleSet(schema, [Rule(1, (), MeanPrediction(value, 1.0), RuleFigures(0, 0.0))]) for value in (0.3, 0.1 + 0.2)
    ]
    assert diff(sides[0], sides[1]).equal is False
    assert (
        diff(sides[0], evolve(sides[0], rules=[evolve(sides[0].rules[0], prediction=MeanPrediction(0.3, 2.0))])).equal
        is True
    )


def test_a_category_taken_as_unseen_is_not_the_same_as_a_named_one() -> None:
    """`cook` is unseen to rules that do not name it: they differ exactly where those that do say otherwise."""
    narrow, rest = Feature("job", Kind.CATEGORY, ("clerk",)), Condition(None, unseen=True)
    clerks, both = (Condition(Members(names), missing=True) for names in (("clerk",), ("clerk", "cook")))
    old = RuleSet(Schema([narrow], CLASSES), [rule(1, "no", job=clerks), rule(2, "yes", job=rest)])
    new = RuleSet(Schema([JOB], CLASSES), [rule(1, "no", job=both), rule(2, "yes", job=rest)])
    (each,) = diff(old, new).disagreements
    assert each.region == (("job", Condition(Members(("cook",)))),) and each.row == {"job": "cook"}
    dropped = RuleSet(Schema([JOB], CLASSES), new.rules[1:])
    assert diff(old, dropped, table=Table([of_values(JOB, ["cook", "clerk", "clerk"])])).n_differing == 3


def test_the_texts_say_whether_it_is_proved() -> None:
    """Equal is said as a proof; a region has its conditions, both answers with their rules, its row and its count."""
    schema = Schema([AGE], CLASSES)
    old = RuleSet(schema, [rule(1, "no", age=within(None, 30, True)), rule(2, "yes", age=within(30, None))])
    new = RuleSet(schema, [rule(1, "no", age=within(None, 35, True)), rule(3, "yes", age=within(35, 90))])
    assert render(diff(old, old)).startswith("equal on the whole domain: proved, not sampled\nrules: 2 unchanged\n")
    assert "已证明" in render(diff(old, old), lang="zh")
    found = diff(old, new, table=Table.from_columns({"age": [31, 32, 95, 5]}))
    text = render(evolve(found, new_names={1: "WHEN 1"}))
    assert text.startswith("different in 2 regions\nrules: 2 with other bounds\n3 of 4 rows answered differently\n")
    assert "30 < age <= 35" in text and "yes (rule 2)" in text and "no (WHEN 1)" in text and "no rule" in text
    told = json.loads(render(found, format="json"))
    assert told["equal"] is False and [region["rows"] for region in told["regions"]] == [2, 1]
    assert told["regions"][0]["old"] == {"rules": [2], "value": "yes"}
    assert told["regions"][1]["new"] == {"rules": [], "value": None}
    assert told["rules"][1] == {"change": "moved", "old": 2, "new": 3, "columns": ["age"]}
    assert "1 more region\n" in render(diff(old, new, limit=1)) and "区域" in render(found, lang="zh", format="md")
    with pytest.raises(OptionError):
        render(found, format="xml")
    for wrong in (3, None, []):
        with pytest.raises(OptionError, match="a result that can be rendered"):
            render(wrong)


def test_past_the_budget_equality_is_undecided() -> None:
    """A list that cannot be made exclusive within the budget is neither equal nor different, and the text says so."""
    schema = Schema([AGE], CLASSES)
    rules = [rule(n, "no", age=within(n, n + 5)) for n in range(1, 9)]
    found = diff(RuleList(schema, rules), RuleList(schema, rules), budget=1)
    assert found.equal is None and found.undecided == ("old", "new")
    assert render(found).startswith(
        "no difference found; undecided within the budget: old and new rules; give a greater budget"
    )
    assert diff(RuleList(schema, rules), RuleList(schema, rules)).equal is True


@given(st.integers(0, 2**32))
def test_the_json_of_any_comparison_is_json(seed: int) -> None:
    """Infinities, dates, missing values and hostile names go into JSON, text, Markdown and CSV."""
    random = Random(seed)
    schema = a_schema(random, 3)
    found = diff(a_tree(random, schema, 4), a_tree(random, schema, 4), limit=5)
    told = json.loads(render(found, format="json"))
    assert told["n_regions"] == found.n_disagreements and len(told["regions"]) == len(found.disagreements) <= 5
    for format in ("text", "md", "csv"):
        assert render(found, format=format)


def test_rules_may_predict_fewer_classes_than_the_model() -> None:
    """A pruned tree predicts two of three classes, as its SQL and its table name two: the others have probability 0."""
    table = Table.from_columns({"x": [1.5, 2.5, 3.5, 4.5, 5.5], "y": list("aabbc")})
    tree = learn(table, target="y", recipe=cart(max_leaves=2))
    assert tree.schema.classes == ("a", "b", "c")
    for text in (
        "IF x <= 3 THEN y = a\nIF (x > 3 or missing) THEN y = b",
        "ordered\nIF x <= 3 THEN y = a\nOTHERWISE b",
    ):
        rules = rules_from_text(text)
        assert diff(tree, rules).equal and diff(rules, tree).equal
    other = rules_from_text("IF x <= 3 THEN y = a\nIF (x > 3 or missing) THEN y = z")
    assert [found.new_value for found in diff(tree, other).disagreements] == ["z"]
