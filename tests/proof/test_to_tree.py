"""From rules to a tree: equal to them everywhere, and no larger than need be."""

from random import Random
from typing import Any

import pytest
from attrs import evolve

from strategies_random import a_schema, a_tree
from treerules import (
    ColumnDomain,
    Condition,
    Feature,
    Interval,
    Kind,
    Members,
    Rule,
    RuleList,
    RuleSet,
    Schema,
    Table,
    Tree,
    check,
    compile_rules,
    prune,
    render,
    to_python,
    tree_from_rules,
)
from treerules.errors import DataError, InvalidTreeError, NotAPartitionError, OptionError
from treerules.rules.rule import RuleFigures
from treerules.testing import boundary_rows
from treerules.trees import ClassPrediction, Leaf, MeanPrediction, find_leaf, leaves, tree_from_json, tree_to_json

X, N = Feature("x", Kind.NUMBER), Feature("n", Kind.INTEGER)
COLOUR, FLAG = Feature("c", Kind.CATEGORY, ["blue", "green", "red"]), Feature("b", Kind.BOOLEAN)
TARGET = Feature("y", Kind.NUMBER)


def rule(number: int, **conditions: Condition) -> Rule:
    """Return a rule that predicts its number."""
    return Rule(number, conditions.items(), MeanPrediction(float(number)), RuleFigures(0, 0.0))


def known(above: Any = None, upto: Any = None) -> Condition:
    """Return the condition of an interval without missing values."""
    return Condition(Interval(above, upto))


def assert_equal(rules: RuleSet, tree: Tree, rows: list[dict[str, Any]]) -> None:
    """On each row the tree is at a leaf of the one rule that fires."""
    for row in rows:
        (fired,) = rules.firing(row)
        leaf = find_leaf(tree, row)
        assert (leaf.rule, leaf.prediction) == (fired.number, fired.prediction)


def test_the_rules_of_a_tree_become_a_tree_with_as_many_leaves() -> None:
    """Some question of a tree's rules cuts none of them: that of its root. So no leaf is added, and answers stay."""
    for seed in range(60):
        random = Random(seed)
        tree = a_tree(random, a_schema(random, random.randint(1, 5)), random.choice((3, 12, 30)))
        rules = compile_rules(tree)
        found = tree_from_rules(rules)
        assert found.n_leaves == len(rules)
        assert check(compile_rules(found))
        assert_equal(rules, found, boundary_rows(tree, 60))


def test_edited_rules_become_a_tree_too() -> None:
    """Rules renumbered, shuffled and cut in two are still a partition; the tree carries their own numbers."""
    for seed in range(40):
        random = Random(seed)
        tree = a_tree(random, a_schema(random, random.randint(1, 4)), 12)
        rules = [evolve(each, number=100 - each.number) for each in compile_rules(tree).rules]
        random.shuffle(rules)
        edited = RuleSet(tree.schema, rules)
        assert_equal(edited, tree_from_rules(edited), boundary_rows(tree, 60))


def test_a_rule_is_cut_where_there_is_no_other_way() -> None:
    """Five boxes around a middle one, none of which spans the plane: no first question spares them all."""
    a, b = known(None, 1.0), known(1.0, 2.0)
    schema = Schema([X, Feature("z", Kind.NUMBER)], TARGET)
    domain = {name: ColumnDomain(0.0, 3.0, missing=False) for name in "xz"}
    rules = RuleSet(
        schema,
        [
            rule(1, x=known(None, 2.0), z=a),
            rule(2, x=known(2.0, None), z=known(None, 2.0)),
            rule(3, x=known(1.0, None), z=known(2.0, None)),
            rule(4, x=a, z=known(1.0, None)),
            rule(5, x=b, z=b),
        ],
    )
    tree = tree_from_rules(rules, domain=domain)
    assert tree.n_leaves == 6  # one cut is needed, and one is enough
    assert tree.notes == ("5 rules became 6 leaves",)
    rows = [{"x": x / 4, "z": z / 4} for x in range(13) for z in range(13)]
    assert_equal(rules, tree, rows)
    with pytest.raises(DataError, match="more leaves than the budget of 5; give a larger one"):
        tree_from_rules(rules, domain=domain, budget=5)


ONLY_MISSING = Condition(None, missing=True)


@pytest.mark.parametrize(
    ("feature", "conditions"),
    [
        (X, [known(), ONLY_MISSING]),
        (X, [known(None, 1.0), known(1.0), ONLY_MISSING]),
        (X, [Condition(Interval(float("-inf"), float("inf")), True), known(None, float("-inf"))]),
        (N, [known(None, 2**63 - 2), Condition(Interval(2**63 - 2, None), True)]),
        (COLOUR, [Condition(Members((), True), unseen=True), ONLY_MISSING]),
        (COLOUR, [Condition(Members((), True)), Condition(None, True, True)]),
        (COLOUR, [Condition(Members((), True), missing=True), Condition(None, unseen=True)]),
        (COLOUR, [Condition(Members(["red"])), Condition(Members(["red"], True), True), Condition(None, unseen=True)]),
        (COLOUR, [Condition(Members([c])) for c in COLOUR.categories] + [Condition(None, True, True)]),
        (COLOUR, [Condition(Members([c])) for c in COLOUR.categories] + [ONLY_MISSING, Condition(None, unseen=True)]),
        (FLAG, [Condition(Members([False])), Condition(Members([True])), ONLY_MISSING]),
        (FLAG, [Condition(Members([False, True])), ONLY_MISSING]),
    ],
)
def test_missing_and_unseen_values_alone_can_be_a_rule(feature: Feature, conditions: list[Condition]) -> None:
    """What no learned tree asks, hand-written rules do; the tree's emitted Python gives their answers too."""
    rules = RuleSet(
        Schema([feature], TARGET),
        [rule(place, **{feature.name: condition}) for place, condition in enumerate(conditions, 1)],
    )
    tree = tree_from_rules(rules)
    assert tree.n_leaves == len(conditions)
    rows = boundary_rows(tree)
    assert_equal(rules, tree, rows)
    for source, layout in ((tree, "guarded"), (tree, "flat"), (rules, "flat")):
        module: dict[str, Any] = {"__name__": "emitted"}
        exec(to_python(source, layout=layout), module)  # type: ignore[arg-type]
        assert [module["predict"](row) for row in rows] == [rules.firing(row)[0].value for row in rows]


def test_a_rule_list_becomes_a_tree_of_its_first_rules() -> None:
    """Of the rules that fire the first decides, and its number stands at the leaf."""
    listed = RuleList(
        Schema([X, COLOUR], TARGET),
        [rule(3, x=known(5.0)), rule(1, c=Condition(Members(["red"]))), rule(2)],
    )
    tree = tree_from_rules(listed)
    for row in [{"x": x, "c": c} for x in (None, 4.0, 6.0) for c in (None, "red", "blue", "other")]:
        assert find_leaf(tree, row).rule == listed.firing(row)[0].number


def test_what_is_no_partition_is_refused_with_its_witness() -> None:
    """A gap, an overlap, no rules; bad budgets; a domain of no column."""
    schema = Schema([X], TARGET)
    with pytest.raises(NotAPartitionError, match="the rules leave a gap"):
        tree_from_rules(RuleSet(schema, [rule(1, x=known())]))
    with pytest.raises(NotAPartitionError, match="rules 1 and 2 overlap"):
        tree_from_rules(RuleSet(schema, [rule(1), rule(2)]))
    with pytest.raises(NotAPartitionError, match="gap"):
        tree_from_rules(RuleSet(schema, []))
    with pytest.raises(OptionError, match=r"budget=0\): expected the greatest number of leaves"):
        tree_from_rules(RuleSet(schema, [rule(1)]), budget=0)
    with pytest.raises(OptionError, match="names a target"):
        tree_from_rules(RuleSet(Schema([X]), [rule(1)]))
    assert tree_from_rules(
        RuleSet(schema, [rule(7, x=known())]), domain={"x": ColumnDomain(missing=False)}
    ).root == Leaf(MeanPrediction(7.0), [0.0], 7)


def test_a_long_list_is_proved_as_fast_as_it_grows() -> None:
    """Its last rule falls into as many pieces as the others leave; each leaf is compared with its own alone."""
    schema = Schema([X, Feature("z", Kind.NUMBER)], TARGET)
    places = [(float(x), float(z)) for x in range(14) for z in range(14) if (x + z) % 2]
    cells = [rule(n, x=known(x, x + 1), z=known(z, z + 1)) for n, (x, z) in enumerate(places, 1)]
    tree = tree_from_rules(RuleList(schema, [*cells, rule(99)]))
    assert tree.notes[0].startswith("99 rules became ")
    for x, z in ((0.5, 1.5), (1.5, 1.5), (20.0, 1.0), (13.5, 12.5)):
        wanted = next((n for n, (a, b) in enumerate(places, 1) if a < x <= a + 1 and b < z <= b + 1), 99)
        assert find_leaf(tree, {"x": x, "z": z}).rule == wanted


def test_a_domain_without_rows_is_refused_and_pruning_says_what_it_lacks() -> None:
    """Nothing can be decided where nothing may come; a tree of rules has no recipe by which subtrees are raised."""
    never = Feature("c", Kind.CATEGORY)
    rules = RuleSet(Schema([never], TARGET), [rule(1)])
    with pytest.raises(DataError, match="column 'c' can take no value"):
        tree_from_rules(rules, domain={"c": ColumnDomain(missing=False, unseen=False)})
    answer = Feature("y", Kind.CATEGORY, ["no", "yes"])
    labels = [ClassPrediction("no", [1.0, 0.0]), ClassPrediction("yes", [0.0, 1.0])]
    asked = [evolve(rule(n, x=c), prediction=labels[n - 1]) for n, c in ((1, known()), (2, ONLY_MISSING))]
    tree = tree_from_rules(RuleSet(Schema([X], answer), asked))
    with pytest.raises(DataError, match="has no recipe"):
        prune(tree, "pessimistic", table=Table.from_columns({"x": [1.0, None], "y": ["no", "yes"]}))


def test_the_rule_of_a_leaf_is_kept_in_the_model_file() -> None:
    """Saved and loaded, pickled, compared: the numbers are there, and are whole numbers."""
    schema = Schema([X], TARGET)
    tree = tree_from_rules(RuleSet(schema, [rule(30, x=known()), rule(20, x=ONLY_MISSING)]))
    loaded = tree_from_json(tree_to_json(tree))
    assert loaded == tree
    assert [leaf.rule for leaf in leaves(loaded.root)] == [30, 20]
    drawn = render(loaded).splitlines()[1:]
    assert [line.rpartition("(")[2] for line in drawn] == ["rule 1, from rule 30)", "rule 2, from rule 20)"]
    assert Leaf(MeanPrediction(1.0), [0]) != Leaf(MeanPrediction(1.0), [0], 1)
    with pytest.raises(InvalidTreeError, match="the rule number True"):
        Leaf(MeanPrediction(1.0), [0], True)
