"""`treerules.testing`: what is drawn is what was asked for, small when it fails; what is asserted is so."""

import math
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import date
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import duckdb
import pytest
from attrs import evolve
from hypothesis import find, given, settings
from hypothesis import strategies as st

import treerules.testing
from engines import parameters
from engines.postgres import connection as postgres
from paths import ROOT
from profiles import examples
from run_emitted import POSTGRES
from treerules import (
    Condition,
    Feature,
    Interval,
    Kind,
    RuleSet,
    Schema,
    Table,
    Tree,
    TreeRulesError,
    cart,
    check,
    compile_rules,
    learn,
    to_javascript,
    to_python,
    to_sql,
)
from treerules.data.domain import ColumnDomain, next_value
from treerules.data.interval import union_of
from treerules.errors import MissingExtraError, OptionError, UnknownNameError
from treerules.formats.rules_text.text_reader import rules_from_text
from treerules.readers import read_csv
from treerules.rules.rule_set import RuleList
from treerules.testing import (
    DifferentAnswersError,
    RulesError,
    Sql,
    assert_complete,
    assert_equivalent,
    assert_exclusive,
    check_rules,
    parametrize_rules,
    rows,
    rule_sets,
    schemas,
    tables,
    trees,
)
from treerules.testing.checks import CHECKS
from treerules.testing.hypothesis_choices import HypothesisChoices
from treerules.testing.mutations import EDITS, mutate
from treerules.trees import CategoryTest, Leaf, MeanPrediction, Split, ThresholdTest, find_leaf, fold, leaves, preorder
from treerules.verification.compared_rows import rows_within

SOURCE = Path(treerules.testing.__file__).parent
#: Shrinking is the same in every run.
SMALLEST = settings(max_examples=1500, derandomize=True, database=None, deadline=None)


def loans() -> Tree:
    """Return the tree of the README's loan table."""
    return learn(read_csv(ROOT / "examples" / "loan.csv"), target="类别", recipe=cart())


def ages(threshold: float = 30.0, high: float = 1.0) -> Tree:
    """Return a tree of one cut."""
    schema = Schema([Feature("age", Kind.NUMBER)], Feature("y", Kind.NUMBER))
    return Tree(
        schema, Split(ThresholdTest(0, threshold), [Leaf(MeanPrediction(0.0), [1]), Leaf(MeanPrediction(high), [1])])
    )


# ---- strategies


@given(st.data())
def test_schemas_are_as_asked_for(data: st.DataObject) -> None:
    """So many features, of those kinds and names, for that task."""
    schema = data.draw(schemas(min_features=2, max_features=3, kinds=["date", Kind.ORDINAL], task="regression"))
    assert 2 <= len(schema.features) <= 3 and schema.is_regression
    assert {feature.kind for feature in schema.features} <= {Kind.DATE, Kind.ORDINAL}
    named = data.draw(schemas(max_features=2, names=["", "y", "名"], task="classification"))
    assert set(named.indices) <= {"", "名"} and named.classes


@given(st.data())
def test_trees_are_as_asked_for(data: st.DataObject) -> None:
    """At most so many splits, over the schema that was given; a deep tree has each split below the one before."""
    tree = data.draw(trees(max_splits=9))
    splits = [node for node in preorder(tree.root) if isinstance(node, Split)]
    assert len(splits) <= 9
    deep = data.draw(trees(tree.schema, max_splits=9, deep=True))
    assert deep.schema is tree.schema
    assert deep.depth == sum(isinstance(node, Split) for node in preorder(deep.root))


@settings(max_examples=examples(15))
@given(tables(schemas(task="classification"), max_rows=12), tables(schemas(task="regression"), missing=False))
def test_tables_can_be_learned_from(table: Table, other: Table) -> None:
    """Every recipe's input: cells are known values of their columns, or missing unless refused, the target is known."""
    for drawn in (table, other):
        assert drawn.n_rows >= 1 and not drawn.column("y").n_missing
        tree = learn(drawn, target="y", recipe=cart())
        for row in drawn.rows():
            assert find_leaf(tree, row) in list(leaves(tree.root))
    for column in other.columns:
        assert not column.n_missing or not (column.feature.is_ordered or column.feature.categories)


@settings(max_examples=examples(15))
@given(rule_sets(partition=True), rule_sets(partition=False))
def test_a_partition_is_one_and_what_is_asked_to_be_none_is_none(whole: RuleSet, broken: RuleSet) -> None:
    """The first are exclusive and complete; of the second a row fires two rules or none."""
    assert check(whole)
    verdict = check(broken)
    assert not verdict
    witnesses = [*(found.row for found in verdict.overlaps), *(found.row for found in verdict.gaps)]
    assert witnesses and all(len(broken.firing(row)) != 1 for row in witnesses)


@settings(max_examples=examples(40))
@given(st.data())
def test_rows_inside_fire_and_all_rows_are_of_the_schema(data: st.DataObject) -> None:
    """A row inside fires a rule; every row has each column of the schema, with a value of its kind."""
    rules = data.draw(rule_sets())
    tree = data.draw(trees(rules.schema))
    for of in (tree, rules, RuleList(rules.schema, rules.rules), rules.schema):
        for at in ("boundaries", "inside", "any"):
            row = data.draw(rows(of, at=at))
            assert list(row) == list(rules.schema.indices)
            assert find_leaf(tree, row) in list(leaves(tree.root))  # which refuses values of other kinds
            if at == "inside" and of is tree:
                assert len(compile_rules(tree).firing(row)) == 1


@settings(max_examples=examples(40))
@given(st.data())
def test_rows_inside_fire_whatever_the_rules(data: st.DataObject) -> None:
    """Also of overlapping rules with gaps: where some rule can fire, a row inside fires one."""
    rules = data.draw(rule_sets(partition=False))
    can_fire = any(all(_can_hold(rules.schema.feature(name), asked) for name, asked in rule.conditions)
                   for rule in rules.rules)  # fmt: skip
    assert bool(rules.firing(data.draw(rows(rules, at="inside")))) or not can_fire


def _can_hold(feature: Feature, asked: Any) -> bool:
    """Whether some value meets a condition, by what conditions mean."""
    values = asked.values
    if isinstance(values, Interval):
        some = values.above is None or values.above < feature.highest
    else:
        some = values is not None and any(category in values for category in feature.categories)
    return some or asked.missing or asked.unseen


@settings(max_examples=examples(30))
@given(st.data())
def test_a_row_at_a_boundary_has_a_value_at_one(data: st.DataObject) -> None:
    """Some value is missing, a category or unseen, a bound of a rule or beside it, or a corner of its kind."""
    kinds = [Kind.INTEGER, Kind.NUMBER]
    tree = data.draw(trees(schemas(kinds=kinds, max_features=3), max_splits=6))
    row = data.draw(rows(tree))
    cuts: dict[str, set[Any]] = {feature.name: set() for feature in tree.schema.features}
    for node in preorder(tree.root):
        if isinstance(node, Split):
            feature = tree.schema.features[node.test.feature]
            for cut in node.test.thresholds:
                cuts[feature.name] |= {cut, next_value(feature, cut), next_value(feature, cut, up=False)}
    corners = {*treerules.testing.edge_cases.NUMBERS, *treerules.testing.edge_cases.INTEGERS, 2.0**53 - 1, 1 - 2**53}
    corners |= {-1.7976931348623157e308, -(2**53), -(2**53) - 1}
    assert any(v is None or v != v or v in cuts[name] or v in corners for name, v in row.items())


@pytest.mark.large
def test_failures_shrink_to_one_split() -> None:
    """The least tree that is no leaf has one split of one feature at zero; so has the least of each routing."""
    least = find(trees(max_splits=40), lambda tree: tree.n_leaves > 1, settings=SMALLEST)
    assert (least.n_leaves, len(least.schema.features)) == (2, 1)
    assert least.root.test == ThresholdTest(0, 0.0)

    def has_own_child(tree: Tree) -> bool:
        return any(isinstance(node, Split) and node.missing == node.test.arity for node in preorder(tree.root))

    own = find(trees(), has_own_child, settings=SMALLEST)
    assert (own.n_leaves, own.depth, own.schema.features) == (3, 1, (Feature("x", Kind.NUMBER),))

    def sends_unseen_on(tree: Tree) -> bool:
        splits = (node for node in preorder(tree.root) if isinstance(node, Split))
        return any(isinstance(node.test, CategoryTest) and node.unseen == 1 for node in splits)

    # one search in six stops at a column more, from where each single step leads to a tree that is no example
    searches = (find(trees(), sends_unseen_on, settings=SMALLEST, random=Random(seed)) for seed in range(3))
    unseen = min(searches, key=lambda tree: (tree.n_leaves, len(tree.schema.features)))
    assert (unseen.n_leaves, unseen.depth, len(unseen.schema.features)) == (2, 1, 1)


@pytest.mark.large
def test_failing_rules_shrink_to_a_pair_and_a_half_line() -> None:
    """The least overlap are two rules that always fire, the least gap beside a rule is one bound."""
    overlap = find(rule_sets(partition=False), lambda rules: bool(check(rules).overlaps), settings=SMALLEST)
    assert [rule.conditions for rule in overlap.rules] == [(), ()]

    def has_gap(rules: RuleSet) -> bool:
        return len(rules) > 0 and bool(check(rules).gaps)

    gap = find(rule_sets(partition=False, edits=1), has_gap, settings=SMALLEST)
    assert len(gap.rules) == 1 and len(gap.rules[0].conditions) == 1


def test_failing_rows_shrink_to_the_rule_and_the_simplest_values() -> None:
    """A row of a rule keeps the one value that the rule needs, the nearest to zero; the others are zero."""
    schema = Schema([Feature("n", "integer"), Feature("x", "number"), Feature("d", "date")], Feature("y", "number"))
    root = Split(ThresholdTest(0, 100), [Leaf(MeanPrediction(0.0), [1]), Leaf(MeanPrediction(1.0), [1])])
    tree = Tree(schema, root)

    def is_high(row: dict[str, Any]) -> bool:
        return find_leaf(tree, row).prediction.value == 1.0

    for at in ("boundaries", "inside"):
        assert find(rows(tree, at=at), is_high, settings=SMALLEST) == {"n": 101, "x": 0.0, "d": date(2000, 1, 1)}


def test_nothing_is_filtered() -> None:
    """No strategy throws away what it drew: no filter, no assume, no reject."""
    for path in SOURCE.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not any(word in text for word in (".filter(", "assume(", "reject(", "unique_by", "unique=")), path.name


@settings(max_examples=examples(30), suppress_health_check=[])
@given(trees(), rule_sets(), tables(), schemas())
def test_strategies_pass_the_health_checks(tree: Tree, rules: RuleSet, table: Table, schema: Schema) -> None:
    """Together and with every health check on: neither slow, nor large, nor filtered."""
    assert tree.n_leaves and table.n_rows and schema.target and rules.schema.target


@st.composite
def edited_partitions(draw: st.DrawFn, kind: str) -> tuple[RuleSet, RuleSet]:
    """Draw a partition and what becomes of it by one edit of a kind."""
    features = [Feature("x", "number"), Feature("c", "category", ["a", "b", "c"]), Feature("d", "date")]
    before = compile_rules(draw(trees(Schema(features, Feature("y", "number")), max_splits=6)))
    after, made = mutate(HypothesisChoices(draw), before, [kind])
    assert (made is None) is (after is before) and made in (kind, None)
    return before, after


@pytest.mark.parametrize("kind", EDITS)
def test_each_kind_of_edit_changes_what_it_says(kind: str) -> None:
    """One rule more or less; or one condition, which takes other values as the kind's name says."""
    met = []

    @settings(max_examples=examples(60), derandomize=True, database=None)
    @given(edited_partitions(kind))
    def run(pair: tuple[RuleSet, RuleSet]) -> None:
        before, after = pair
        if after is before:
            return
        met.append(kind)
        if kind in ("drop", "duplicate"):
            shown = [[(rule.conditions, rule.value) for rule in rules.rules] for rules in (before, after)]
            more, less = shown if kind == "drop" else shown[::-1]
            assert len(more) == len(less) + 1 and all(rule in more for rule in less)
            return
        changed = [pair for pair in zip(before.rules, after.rules, strict=True) if pair[0] != pair[1]]
        ((old, new),) = changed
        ((name, was), (_, now)) = next(
            pair for pair in zip(old.conditions, new.conditions, strict=True) if pair[0] != pair[1]
        )
        assert changes_as(kind, before.schema.feature(name), was, now)

    run()
    assert met


def changes_as(kind: str, feature: Feature, was: Condition, now: Condition) -> bool:
    """Whether a condition became another as a kind of edit says, by the values that each takes."""
    if kind in ("missing", "unseen"):
        others = [(c.values, c.unseen if kind == "missing" else c.missing) for c in (was, now)]
        return getattr(was, kind) is not getattr(now, kind) and others[0] == others[1]
    if (was.missing, was.unseen) != (now.missing, now.unseen):
        return False
    if kind.startswith("category"):
        taken = [{c for c in feature.categories if asked.holds(feature, c)} for asked in (was, now)]
        return len(taken[0] ^ taken[1]) == 1 and (len(taken[1]) > len(taken[0])) is (kind == "category_added")
    return any(changes_interval_as(kind, feature, was, interval, now) for interval in was.intervals)


def changes_interval_as(kind: str, feature: Feature, was: Condition, old: Interval, now: Condition) -> bool:
    """Whether a condition became another as a kind of edit says, by what became of one of its intervals."""
    upto, above = old.upto, old.above
    rest = [interval for interval in was.intervals if interval is not old]
    now_takes = [value is not None and now.holds(feature, value) for value in (upto, above)]
    after = None if upto is None else next_value(feature, upto)
    wider = after is not None and now.holds(feature, after)
    return {
        "at_most_to_below": upto is not None and not now_takes[0],
        "above_to_at_least": now_takes[1],
        "ulp_up": wider or (above is not None and not now.holds(feature, next_value(feature, above))),
        "ulp_down": now_takes[1] or (upto is not None and not now_takes[0]),
        "bound_dropped": now.intervals in (union_of([*rest, wide]) for wide in (Interval(above), Interval(None, upto))),
        "shrunk": not all(end is None or now.holds(feature, end) for end in ends(feature, old)),
    }[kind]


def ends(feature: Feature, interval: Interval) -> list[Any]:
    """Return the first and the last value of an interval, None where it has none."""
    return [None if interval.above is None else next_value(feature, interval.above), interval.upto]


# ---- assertions


@settings(max_examples=examples(25))
@given(rule_sets(partition=False))
def test_what_is_no_partition_is_told_with_a_row_to_paste(rules: RuleSet) -> None:
    """The numbers and texts of the rules, and a row that reads back as itself and fires two rules, or none."""
    import datetime

    with pytest.raises(RulesError) as caught:
        assert_exclusive(rules)
        assert_complete(rules)
    said, row = str(caught.value), caught.value.row
    assert isinstance(caught.value, AssertionError) and row is not None
    assert eval(said.rsplit("row = ", 1)[1], {"datetime": datetime}) == row
    fired = rules.firing(row)
    assert len(fired) != 1
    assert all(f"rule {rule.number}: " in said for rule in fired[:2]) or len(fired) > 2


@settings(max_examples=examples(15))
@given(trees(max_splits=8))
def test_partitions_pass_all_checks(tree: Tree) -> None:
    """What is compiled from a tree is exclusive and complete, and its Python and SQL answer as it does."""
    assert_exclusive(tree)
    assert_complete(compile_rules(tree))
    check_rules(tree)


def test_the_domain_decides_what_is_complete() -> None:
    """Rules from 18 to 65 are complete for whom the domain allows, and only there."""
    rules = compile_rules(ages())
    adults = RuleSet(rules.schema, [rule for rule in rules.rules if rule.number == 2])
    with pytest.raises(RulesError, match="none of 1 rule fires"):
        assert_complete(adults)
    domain = {"age": ColumnDomain(31.0, 99.0, missing=False)}
    assert_complete(adults, domain=domain)
    with pytest.raises(RulesError, match="none of 1 rule"):
        check_rules(adults, {"age": ColumnDomain(31.0, 99.0)})


def test_rules_proved_over_a_domain_pass_all_checks_over_it() -> None:
    """Rules that are complete over a domain alone become code all the same, and are asked for rows of the domain."""
    rules = rules_from_text("IF age <= 30 THEN n  IF age > 30 THEN p").rules
    assert isinstance(rules, RuleSet)
    domain = {"age": ColumnDomain(missing=False)}
    check_rules(rules, domain)
    for parameter in parametrize_rules([rules], domain=domain).mark.args[1]:
        parameter.values[1](parameter.values[0])
    with pytest.raises(RulesError, match="0 rules fire for a boundary row"):
        CHECKS["boundary_rows"](rules, {"age": ColumnDomain(0.0, 99.0)})
    CHECKS["boundary_rows"](rules, domain)


def test_a_column_that_can_hold_nothing_has_no_rows() -> None:
    """Over an empty domain every set of rules is complete; a category of which none is known holds unseen ones."""
    schema = Schema([Feature("c", "category")], ages().schema.target)
    rules = RuleSet(schema, [])
    CHECKS["boundary_rows"](rules, {"c": ColumnDomain(missing=False, unseen=False)})
    unseen = [*rows_within([{}], schema, {"c": ColumnDomain(missing=False)})]
    assert unseen == [{"c": "unseen"}]


@parametrize_rules({"loan": loans(), "ages": compile_rules(ages())})
def test_the_rules_of_the_examples(rules: RuleSet, check: Any) -> None:
    """Each check is a test of its own."""
    check(rules)


def test_each_check_is_a_parameter_with_its_name() -> None:
    """One test for each of the rules and each check; without names they are numbered."""
    mark = parametrize_rules([ages(), loans()]).mark
    assert mark.name == "parametrize" and mark.args[0] == ("rules", "check")
    ids = [parameter.id for parameter in mark.args[1]]
    assert ids == [f"{name}-{check}" for name in ("y1", "类别2") for check in CHECKS]
    with pytest.raises(OptionError):
        parametrize_rules([3])  # type: ignore[list-item]


# ---- equivalence


@settings(max_examples=examples(15))
@given(trees(max_splits=8))
def test_a_tree_is_equivalent_to_all_that_is_made_of_it(tree: Tree) -> None:
    """Its rules, a list of them, emitted Python as text and module, SQL on SQLite and DuckDB, a function."""
    rules = compile_rules(tree)
    text = to_python(tree)
    module = ModuleType("made")
    exec(text, module.__dict__)
    for other in (tree, rules, RuleSet(rules.schema, rules.rules), RuleList(rules.schema, rules.rules), text, module):
        assert_equivalent(tree, other)
    assert_equivalent(lambda row: find_leaf(tree, row).prediction.value, rules, most=200)
    with closing(sqlite3.connect(":memory:")) as lite, duckdb.connect() as duck:
        assert_equivalent(tree, Sql(to_sql(tree, dialect="sqlite"), lite), most=200)
        assert_equivalent(Sql(to_sql(tree, dialect="duckdb"), duck), text, rows=[{}], schema=tree.schema)
        assert_equivalent(Sql(to_sql(tree, dialect="duckdb"), duck), tree, most=200)


@pytest.mark.process
def test_files_are_run(tmp_path: Path) -> None:
    """A path of Python, SQL or JavaScript is run apart, as the command line's `verify` does."""
    tree = loans()
    for name, text in {"m.py": to_python(tree), "m.sql": to_sql(tree, dialect="sqlite")}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert_equivalent(tree, tmp_path / name)
        assert_equivalent(str(tmp_path / name), tree)
        with pytest.raises(DifferentAnswersError):
            assert_equivalent(tmp_path / name, lambda row: "是", rows=[{}, {"信贷情况": "一般"}], schema=tree.schema)
    assert "predict" in to_javascript(tree)


@pytest.mark.parametrize("kind", ["expression", "select", "view", "table"])
@pytest.mark.parametrize("engine", parameters(["sqlite", "duckdb", "postgres"]))
def test_sql_is_run_on_the_connection_of_the_user(kind: Any, engine: str) -> None:
    """Expressions and statements, keys beside the answers or none; nothing is made in the database."""
    if engine == "postgres" and not POSTGRES:
        pytest.skip("no Postgres server (TREERULES_POSTGRES is not set)")
    tree, changed = ages(0.1 + 0.2), ages(0.3)
    keys = {} if kind == "expression" else {"table": "people", "keys": ["id"]}
    connection: Any
    opened = {"sqlite": lambda: sqlite3.connect(":memory:"), "duckdb": duckdb.connect, "postgres": postgres}
    connection = opened[engine]()
    for choices in (keys, {} if kind == "expression" else {"table": "people"}):
        text = to_sql(tree, dialect=engine, kind=kind, **choices)
        assert_equivalent(tree, Sql(text, connection))
        with pytest.raises(DifferentAnswersError) as caught:
            assert_equivalent(changed, Sql(text, connection, engine))
        assert caught.value.row == {"age": 0.1 + 0.2}
    if engine != "postgres":
        cursor = connection.cursor()
        listing = "SELECT name FROM sqlite_master" if engine == "sqlite" else "SELECT table_name FROM duckdb_tables()"
        assert cursor.execute(listing).fetchall() == []
        connection.close()


@settings(max_examples=examples(25))
@given(st.data())
def test_a_leaf_that_answers_otherwise_is_found(data: st.DataObject) -> None:
    """Of two trees that differ in one leaf the proof finds a row, if one gets there; it says what both answer."""
    tree = data.draw(trees(schemas(task="regression"), max_splits=8))
    ends = list(leaves(tree.root))
    place = data.draw(st.integers(0, len(ends) - 1))
    order = list(range(len(ends)))[::-1]  # fold meets the last leaf first

    def leaf(end: Leaf) -> Leaf:
        return Leaf(MeanPrediction(7.25), end.counts) if order.pop(0) == place else end

    def split(node: Split, children: tuple[Any, ...]) -> Split:
        return Split(node.test, children, node.missing, node.unseen)

    other = Tree(tree.schema, fold(tree.root, leaf, split))
    reached = any(rule.number == place + 1 for rule in compile_rules(tree).rules)
    if not reached or ends[place].prediction.value == 7.25:
        assert_equivalent(tree, other)
        return
    for second in (other, to_python(other)):
        with pytest.raises(DifferentAnswersError) as caught:
            assert_equivalent(tree, second)
        row = caught.value.row
        assert caught.value.difference.expected == find_leaf(tree, row).prediction.value
        assert caught.value.difference.answer == 7.25 == find_leaf(other, row).prediction.value


@pytest.mark.parametrize("threshold", [math.nextafter(30.0, 0), math.nextafter(30.0, 99), 31.0])
def test_one_ulp_is_found_however_it_is_asked(threshold: float) -> None:
    """A threshold next to the other's: the proof and boundary rows both find the row between."""
    for first, second in ((ages(), ages(threshold)), (to_python(ages()), ages(threshold))):
        with pytest.raises(DifferentAnswersError) as caught:
            assert_equivalent(first, second)
        assert min(30.0, threshold) < caught.value.row["age"] <= max(30.0, threshold)


def test_rules_without_an_answer_answer_none() -> None:
    """Where no rule fires the answer is None, as NULL is; rules that contradict each other have none."""
    rules = compile_rules(ages())
    low = RuleSet(rules.schema, rules.rules[:1])
    assert_equivalent(low, lambda row: None if (row.get("age") or 0) > 30 else 0.0)
    with closing(sqlite3.connect(":memory:")) as lite:
        sql = "CASE WHEN age > 30 THEN NULL ELSE 0.0 END"
        assert_equivalent(RuleList(low.schema, low.rules), Sql(sql, lite))
    doubled = RuleSet(rules.schema, [*rules.rules, *compile_rules(ages(20.0)).rules[1:]][:2])
    assert_equivalent(doubled, rules)
    with pytest.raises(DifferentAnswersError, match="contradicts itself: rules 1 and 5 fire"):
        assert_equivalent(rules, RuleSet(rules.schema, [*rules.rules, evolve(rules.rules[1], number=5, conditions=())]))


def test_the_domain_bounds_what_is_compared() -> None:
    """Two models that differ only for values that never come are equivalent."""
    domain = {"age": ColumnDomain(0.0, 20.0, missing=False)}
    assert_equivalent(ages(30.0), ages(40.0), domain=domain)
    assert_equivalent(ages(30.0), to_python(ages(40.0)), domain=domain)
    assert_equivalent(ages(30.0), lambda row: 0.0 * row["age"], domain=domain)
    with pytest.raises(DifferentAnswersError):
        assert_equivalent(ages(30.0), ages(19.0), domain=domain)


def test_a_function_that_raises_is_told() -> None:
    """What it raised stands where the answer would; two functions need rows."""
    with pytest.raises(DifferentAnswersError, match="raised KeyError: 'age'"):
        assert_equivalent(ages(), lambda row: {}["age"])
    with pytest.raises(OptionError, match="rows"):
        assert_equivalent(lambda row: 1, lambda row: 1)
    assert_equivalent(lambda row: 1, lambda row: 1, rows=[{"a": 1}])


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (OptionError, lambda: schemas(task="clustering")),
        (OptionError, lambda: schemas(min_features=3, max_features=2)),
        (OptionError, lambda: schemas(kinds=[])),
        (OptionError, lambda: trees("x")),  # type: ignore[arg-type]
        (OptionError, lambda: trees(Schema([]))),
        (OptionError, lambda: trees(max_splits=-1)),
        (OptionError, lambda: tables(3)),  # type: ignore[arg-type]
        (OptionError, lambda: tables(min_rows=3, max_rows=2)),
        (OptionError, lambda: rule_sets(3)),  # type: ignore[arg-type]
        (OptionError, lambda: rule_sets(Schema([]))),
        (OptionError, lambda: rule_sets(partition="no")),  # type: ignore[arg-type]
        (OptionError, lambda: rule_sets(partition=True, edits=2)),
        (OptionError, lambda: rule_sets(partition=False, edits=0)),
        (UnknownNameError, lambda: rule_sets(kinds=["dropped"])),
        (UnknownNameError, lambda: rows(ages(), at="border")),
        (OptionError, lambda: rows("x > 3")),
        (OptionError, lambda: assert_exclusive(RuleList(ages().schema, ()))),
        (OptionError, lambda: assert_equivalent(ages(), "SELECT CASE")),
        (OptionError, lambda: assert_equivalent(ages(), 3)),
        (OptionError, lambda: assert_equivalent(ages(), ModuleType("empty"))),
        (UnknownNameError, lambda: assert_equivalent(ages(), Sql("1", sqlite3, "sybase"))),
        (OptionError, lambda: assert_equivalent(ages(), Sql("1", object()))),
    ],
)
def test_what_cannot_be_asked_for(error: type[Exception], call: Any) -> None:
    """Each is refused by name."""
    with pytest.raises(error):
        call()


# ---- without hypothesis, and with its entry point


def run(code: str) -> str:
    """Return what a fresh Python prints."""
    lines = f"import sys; sys.path[:0] = {[path for path in sys.path if path]!r}\n{code}"
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, check=False, text=True)
    assert not done.returncode, done.stderr
    return done.stdout.strip()


@pytest.mark.process
def test_hypothesis_and_pytest_are_loaded_where_they_are_needed() -> None:
    """Importing loads neither; a strategy without hypothesis names the extra, an assertion needs none."""
    code = "import treerules.testing; print([name for name in ('hypothesis', 'pytest') if name in sys.modules])"
    assert run(code) == "[]"
    code = (
        "sys.modules['hypothesis'] = None\n"
        "from treerules.testing import assert_exclusive\n"
        "try:\n    from treerules.testing import trees\n"
        "except ImportError as error:\n    print(type(error).__name__, error)"
    )
    told = run(code)
    assert told.startswith(MissingExtraError.__name__) and "treerules[testing]" in told


@pytest.mark.process
@pytest.mark.parametrize("first", ["treerules", "hypothesis"])
def test_types_have_their_strategies(first: str) -> None:
    """from_type gives a tree, rules, a schema, a table, whichever is imported first, without treerules.testing."""
    second = "hypothesis" if first == "treerules" else "treerules"
    code = (
        f"import {first}\nimport {second}\n"
        "from _treerules_hypothesis import register; register()  # as hypothesis does when it is imported\n"
        "assert 'numpy' not in sys.modules\n"
        "from hypothesis import strategies as st, find\n"
        "from treerules import Tree, RuleSet, Schema, Table\n"
        "from hypothesis import Phase, settings\n"
        "quick = settings(phases=[Phase.generate], max_examples=5, database=None, deadline=None)\n"
        "kinds = (Tree, RuleSet, Schema, Table)\n"
        "print([type(find(st.from_type(kind), lambda v: True, settings=quick)).__name__ for kind in kinds])"
    )
    assert run(code) == "['Tree', 'RuleSet', 'Schema', 'Table']"


@pytest.mark.process
def test_types_are_registered_when_another_thread_has_imported_hypothesis(tmp_path: Path) -> None:
    """While it imports hypothesis, whose modules are halves, a name that is loaded registers nothing, but waits."""
    fake = tmp_path / "hypothesis"
    fake.mkdir()
    (fake / "__init__.py").write_text(
        "from hypothesis import strategies\nimport time\ntime.sleep(1)\nis_whole = True\n"
    )
    (fake / "strategies.py").write_text(
        "import hypothesis\nregistered = []\n"
        "def register_type_strategy(kind, strategy):\n    registered.append(hasattr(hypothesis, 'is_whole'))\n"
    )
    code = (
        f"import importlib, threading, time\nsys.path.insert(0, {str(tmp_path)!r})\n"
        "import treerules.data.schema, treerules.testing.registration\n"
        "other = threading.Thread(target=importlib.import_module, args=('hypothesis',))\nother.start()\n"
        "while not hasattr(sys.modules.get('hypothesis.strategies'), 'register_type_strategy'):\n    time.sleep(0.01)\n"
        "treerules.Schema\nother.join()\n"
        "print(set(sys.modules['hypothesis.strategies'].registered))"
    )
    assert run(code) == "{True}"


@pytest.mark.process
def test_importing_hypothesis_does_not_import_treerules() -> None:
    """The entry point that pyproject.toml names is a function, which loads nothing where treerules is not used."""
    named = (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("[project.entry-points.hypothesis]")[2]
    assert named.strip().splitlines()[0] == 'treerules = "_treerules_hypothesis:register"'
    code = (
        "import hypothesis\nfrom _treerules_hypothesis import register; register()\n"
        "print([name for name in sys.modules if name.startswith('treerules')])"
    )
    assert run(code) == "[]"


def test_errors_are_assertions_of_ours() -> None:
    """What an assertion raises is an AssertionError, and a TreeRulesError."""
    for error in (RulesError, DifferentAnswersError):
        assert issubclass(error, AssertionError) and issubclass(error, TreeRulesError)
