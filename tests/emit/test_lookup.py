"""The lookup layout on DuckDB: a tree as arrays that a query walks gives the tree's answer for every row."""

import math
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given

from duckdb_session import session
from hostile_names import ATTACKS, attack_parameters
from run_emitted import same
from strategies_random import a_schema, a_tree, some_rows, trees_with_rows
from treerules import Feature, Kind, Schema, Table, Tree, c45, cart, learn, predict
from treerules.emit.checked_rules import CheckedRules, check_source
from treerules.emit.layout import guarded
from treerules.emit.numeric_cuts import cut_graph
from treerules.emit.sql.lookup import MOST_GUARDED, MOST_STEPS, is_worth_lookup, lookup_of
from treerules.emit.sql.result_columns import outputs_of
from treerules.emit.template_records import printed_lines
from treerules.errors import OptionError, UnsupportedError
from treerules.rendering.templates import render_template
from treerules.sql.dialects import DIALECTS
from treerules.trees import CategoryTest, ClassPrediction, Leaf, MeanPrediction, Split, ThresholdTest, find_leaf
from treerules.trees.walkers import leaves

DUCKDB = DIALECTS["duckdb"].spelling


def query(tree: Tree, *, keys: tuple[str, ...] = ("rid",), table: str = "t", extras: tuple[Any, ...] = ()) -> str:
    """Return the query of this layout."""
    rules = check_source(tree)
    lines = printed_lines(DUCKDB, rules, guarded(tree))
    outputs = outputs_of(DUCKDB, rules, lines, extras, {})
    names = [DUCKDB.identifier(key) for key in keys]
    lookup = lookup_of(DUCKDB, rules, table=DUCKDB.identifier(table), keys=names, outputs=outputs)
    return render_template("sql/lookup.sql.j2", lookup=lookup)


def answered(tree: Tree, rows: list[dict[str, Any]], *, table: str = "t", **choices: Any) -> list[tuple[Any, ...]]:
    """Return what DuckDB answers for rows: the prediction and what else is asked for."""
    features = tree.schema.features
    types = ["INTEGER", *(DUCKDB.types[feature.scalar] for feature in features)]
    names = ["rid", *(DUCKDB.identifier(feature.name) for feature in features)]
    fields = ", ".join(f"unnest(CAST(? AS {kind}[])) AS {name}" for name, kind in zip(names, types, strict=True))
    cells = [list(range(len(rows))), *([_cell(row.get(feature.name)) for row in rows] for feature in features)]
    with session() as connection:
        connection.execute(f"CREATE TEMP TABLE {DUCKDB.identifier(table)} AS SELECT {fields}", cells)
        result = connection.execute(query(tree, table=table, **choices)).fetchall()
    return [tuple(row[1:]) for row in sorted(result, key=lambda row: row[0])]


def _cell(value: Any) -> Any:
    return str(value) if isinstance(value, (date, datetime)) else value


def agrees(tree: Tree, rows: list[dict[str, Any]], **choices: Any) -> None:
    """Assert that DuckDB answers as the tree does, alone and beside the number of the rule, which is that of a leaf."""
    ends = list(leaves(tree.root))
    wanted = [find_leaf(tree, row) for row in rows]
    beside, alone = (answered(tree, rows, extras=extras, **choices) for extras in (("rule",), ()))
    for row, leaf, (prediction, rule), (same_prediction,) in zip(rows, wanted, beside, alone, strict=True):
        assert same(prediction, leaf.prediction.value), row
        assert same(same_prediction, prediction), row
        assert ends[rule - 1] is leaf, row


# ---- the law


@given(trees_with_rows())
def test_drawn_trees_answer_as_the_tree(drawn: tuple[Tree, list[dict[str, Any]]]) -> None:
    """Every kind and routing, at boundaries: thresholds and neighbours, infinities, NaN, missing, unseen."""
    agrees(*drawn)


@pytest.mark.large
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("deep", [False, True])
def test_great_drawn_trees_answer_as_the_tree(seed: int, deep: bool) -> None:
    """Hundreds of splits of all kinds over five columns; a deep one goes down one path."""
    random = Random(seed)
    tree = a_tree(random, a_schema(random, 5), 120 if deep else 900, deep=deep)
    agrees(tree, some_rows(random, tree, 700))


@pytest.mark.large
@pytest.mark.parametrize("recipe", [cart(), c45()], ids=["cart", "c45"])
def test_learned_trees_of_a_thousand_leaves_answer_as_the_tree(recipe: Any) -> None:
    """Numbers with NaN and infinities, integers, categories with holes; each column's values, and those beside."""
    rng = np.random.default_rng(5)
    n = 6_000
    columns: dict[str, Any] = {
        "x": np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n)),
        "z": rng.choice([-math.inf, math.inf, -0.0, 0.0, 5e-324, 0.1 + 0.2], size=n),
        "n": 2**60 + rng.integers(-9, 9, size=n),
        "c": [None if p < 0.1 else f"c{int(p * 30)}" for p in rng.random(n)],
        "y": rng.integers(0, 3, size=n),
    }
    tree = learn(Table.from_columns(columns), target="y", recipe=recipe)
    assert tree.n_leaves > 1_000
    agrees(tree, some_rows(Random(1), tree, 4_000))


@pytest.mark.large
def test_all_rows_of_a_table_answer_as_predict() -> None:
    """100,000 rows in several vectors and threads: no difference from `predict`."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=(100_000, 3))
    x[rng.random(x.shape) < 0.05] = np.nan
    table = Table.from_columns({"a": x[:, 0], "b": x[:, 1], "c": x[:, 2], "y": rng.normal(size=len(x))})
    tree = learn(table, target="y", recipe=cart(max_leaves=2_000))
    with closing(duckdb.connect()) as connection:
        connection.execute("CREATE TABLE t (rid INTEGER, a DOUBLE, b DOUBLE, c DOUBLE)")
        arrays = {"rid": np.arange(len(x)), "a": x[:, 0], "b": x[:, 1], "c": x[:, 2]}
        connection.register("given", arrays)
        connection.execute("INSERT INTO t SELECT rid, a, b, c FROM given")
        predictions = connection.execute(f"SELECT prediction FROM ({query(tree)}) ORDER BY rid").fetchnumpy()[
            "prediction"
        ]
    assert np.array_equal(predictions, np.asarray(predict(tree, table)))


# ---- kinds


def two(feature: Feature, threshold: Any, *, missing: int = 0) -> Tree:
    """Return a tree of one cut: low up to the threshold, then high; a third leaf where missing has a child."""
    schema = Schema([feature], Feature("y", Kind.CATEGORY, ["gone", "high", "low"]))
    ends = [Leaf(ClassPrediction(label, (1.0, 0.0, 0.0)), (1, 1, 1)) for label in ("low", "high", "gone")]
    return Tree(schema, Split(ThresholdTest(0, threshold), ends[: 3 if missing == 2 else 2], missing))


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_integers_are_exact(missing: int) -> None:
    """All of int64, where neighbours are the same double; at each threshold the next integer goes the other way."""
    integers = [0, -1, 2**53 - 1, 2**53, 2**53 + 1, -(2**53) - 1, 2**62 + 1, 2**63 - 2, 2**63 - 1, -(2**63), 1 - 2**63]
    for threshold in integers:
        near = [integer for integer in (threshold - 1, threshold, threshold + 1) if -(2**63) <= integer < 2**63]
        agrees(
            two(Feature("n", Kind.INTEGER), threshold, missing=missing), [{"n": n} for n in (*near, *integers, None)]
        )


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_numbers_are_exact(missing: int) -> None:
    """Thresholds at the ends of the line and beside 0, their neighbours, NaN and missing."""
    line = [-math.inf, -1.7976931348623157e308, -5e-324, -0.0, 0.0, 5e-324, 0.1, 1.7976931348623157e308, math.inf]
    near = [math.nextafter(x, side) for x in line for side in (-math.inf, math.inf)]
    for threshold in line:
        tree = two(Feature("x", Kind.NUMBER), threshold, missing=missing)
        agrees(tree, [{"x": x} for x in (*line, *near, math.nan, None)])


@pytest.mark.parametrize("zone", [None, UTC])
@pytest.mark.parametrize("missing", [0, 1, 2])
def test_moments_are_exact(zone: Any, missing: int) -> None:
    """Microseconds from year 1 to 9999: beyond 1684 and 2255 their number since 1970 is no double."""
    moments = [
        datetime(1, 1, 1),
        datetime(1684, 1, 1),
        datetime(1970, 1, 1),
        datetime(9999, 12, 31, 23, 59, 59, 999998),
    ]
    scalar = "timestamp_utc" if zone else "timestamp"
    for moment in moments:
        threshold = moment.replace(tzinfo=zone)
        near = [threshold, threshold + timedelta(microseconds=1), *(m.replace(tzinfo=zone) for m in moments), None]
        tree = two(Feature("m", Kind.TIMESTAMP, (), scalar), threshold, missing=missing)
        agrees(tree, [{"m": m} for m in near])


@pytest.mark.parametrize(("kind", "threshold"), [("DATE", date(2024, 3, 1)), ("TIMESTAMP", datetime(2024, 3, 1))])
def test_infinite_days_and_moments_are_no_missing_values(kind: str, threshold: Any) -> None:
    """DuckDB has days and moments before and after all others."""
    feature = Feature("d", Kind.DATE if kind == "DATE" else Kind.TIMESTAMP)
    for missing, gone in enumerate(("low", "high", "gone")):
        sql = query(two(feature, threshold, missing=missing))
        days = "(1, '-infinity'), (2, 'infinity'), (3, NULL)"
        rows = f"SELECT i AS rid, CAST(d AS {kind}) AS d FROM (VALUES {days}) v(i, d)"
        result = duckdb.sql(f"WITH t AS ({rows}) {sql} ORDER BY rid").fetchall()
        assert result == [(1, "low"), (2, "high"), (3, gone)]


@pytest.mark.parametrize("kind", [Kind.CATEGORY, Kind.ORDINAL])
@pytest.mark.parametrize("n", [1, 5, 100, 101, pytest.param(400, marks=pytest.mark.large)])
def test_many_categories_answer_as_the_tree(n: int, kind: Kind) -> None:
    """Groups that follow no order, unseen and missing values sent anywhere; '' and blanks are categories."""
    random = Random(n)
    categories = sorted({"", " ", "it's", *(f"C{i:03}" for i in range(n - 3))} if n > 3 else {"", " ", "x"})[:n]
    feature = Feature("c", kind, categories)
    ends = [Leaf(MeanPrediction(float(i)), (1,)) for i in range(4)]
    schema = Schema([feature], Feature("y", Kind.NUMBER))
    for missing in range(4):
        sides = [random.randrange(3) for _ in categories]
        groups = [[p for p, side in enumerate(sides) if side == child] for child in range(3)]
        children = ends if missing == 3 else ends[:3]
        tree = Tree(schema, Split(CategoryTest(0, groups), children, missing, unseen=random.randrange(3)))
        agrees(tree, [{"c": c} for c in (*categories, "unseen", "c001", "it''s", None)])


def test_columns_of_other_types_are_compared_as_doubles() -> None:
    """FLOAT, DECIMAL and INTEGER columns of a number: as by CASE."""
    tree = two(Feature("x", Kind.NUMBER), 0.3)
    for kind, cell, label in (
        ("FLOAT", "0.3", "high"),  # the FLOAT nearest to 0.3 is above the double
        ("DECIMAL(30, 20)", "0.30000000000000000001", "low"),
        ("INTEGER", "1", "high"),
        ("FLOAT", "'NaN'", "low"),
    ):
        sql = query(tree)
        result = duckdb.sql(f"WITH t AS (SELECT 1 AS rid, CAST({cell} AS {kind}) AS x) {sql}").fetchall()
        assert result == [(1, label)], kind


# ---- names


OURS = [
    "node", "numbers", "number_1", "number_2", "key_1", "asked", "thresholds", "nexts", "tree", "walked", "answers",
    "scored", "values_1", "places_1", "zero", "prediction_", "t",
]  # fmt: skip


@pytest.mark.parametrize(
    "name", attack_parameters([a for a in (*ATTACKS, *OURS) if a != "rid"]), ids=lambda attack: ascii(attack)[:20]
)
def test_hostile_names_categories_and_labels_are_only_literals(name: str) -> None:
    """As feature, category, label, table and key, ours among them: the answer is the tree's."""
    other, last = "other name", sorted([name + "2", name])
    features = [Feature(name, Kind.CATEGORY, sorted([name, "b"])), Feature(other, Kind.NUMBER)]
    schema = Schema(features, Feature("y", Kind.CATEGORY, last))
    low, high = (Leaf(ClassPrediction(label, (0.5, 0.5)), (1, 1)) for label in last)
    below = Split(ThresholdTest(1, 0.5), (low, high), 1)
    tree = Tree(schema, Split(CategoryTest(0, ((0,), (1,))), (below, low), 1, unseen=0))
    rows = [{name: c, other: x} for c in (name, "b", "unseen", None) for x in (0.25, 0.75, None)]
    agrees(tree, rows, table=name)
    result = answered(tree, rows, keys=("rid", name))
    assert result == [(row[name], find_leaf(tree, row).prediction.value) for row in rows]


# ---- the query


def test_more_columns_than_the_prediction() -> None:
    """Probabilities are the leaf's, the number is the rule's, in the order that was asked."""
    tree = learn(Table.from_columns({"x": [1.0, 1.0, 2.0, 3.0], "y": ["a", "b", "b", "b"]}), target="y", recipe=cart())
    rows = [{"x": 0.0}, {"x": 5.0}]
    result = answered(tree, rows, extras=("proba", "rule", "reason"))
    for row, (value, *shares, rule, reason) in zip(rows, result, strict=True):
        leaf = find_leaf(tree, row)
        assert (value, tuple(shares)) == (leaf.prediction.value, leaf.prediction.probabilities)
        assert list(leaves(tree.root))[rule - 1] is leaf
        assert reason.endswith(f"THEN y = {value}")


@pytest.mark.parametrize("where", ["prediction = 1", "rid % 2 = 0", "rid = 7 OR prediction = 0"])
def test_a_filter_on_the_result_is_planned_in_no_time(where: str) -> None:
    """Conditions are not pushed through the steps, where each would be written out three times as long."""
    random = Random(4)
    x = np.array([random.random() for _ in range(400)])
    tree = learn(Table.from_columns({"x": x, "y": [random.randrange(2) for _ in x]}), target="y", recipe=cart())
    assert tree.depth > 12
    with closing(duckdb.connect()) as connection:
        connection.execute("CREATE TABLE t AS SELECT i AS rid, i / 100.0 AS x FROM range(100) r(i)")
        connection.execute(f"CREATE VIEW v AS {query(tree)}")
        connection.execute("CREATE TABLE r AS SELECT * FROM v")
        every = connection.execute("SELECT * FROM r ORDER BY rid").fetchall()
        some, wanted = (connection.execute(f"SELECT * FROM {of} WHERE {where} ORDER BY rid").fetchall() for of in "vr")
    assert some == wanted
    assert every == [(rid, find_leaf(tree, {"x": rid / 100.0}).prediction.value) for rid in range(100)]


def test_the_query_is_the_body_of_a_table_macro() -> None:
    """A macro of a table's name stands for the query of any table."""
    tree = two(Feature("x", Kind.NUMBER), 0.5)
    sql = query(tree).replace('"t"', "query_table(source)")
    with closing(duckdb.connect()) as connection:
        connection.execute(f"CREATE MACRO scored_by(source) AS TABLE {sql}")
        connection.execute("CREATE TABLE people AS SELECT 1 AS rid, 0.25 AS x")
        assert connection.execute("FROM scored_by('people')").fetchall() == [(1, "low")]


def test_a_lone_leaf_and_the_same_bytes() -> None:
    """A constant is a query too; the text does not depend on when it is made."""
    schema = Schema([Feature("x", Kind.NUMBER)], Feature("y", Kind.NUMBER))
    tree = Tree(schema, Leaf(MeanPrediction(0.1), (1,)))
    assert answered(tree, [{"x": 1.0}, {}]) == [(0.1,), (0.1,)]
    drawn = a_tree(Random(7), a_schema(Random(7), 4), 60)
    assert query(drawn) == query(a_tree(Random(7), a_schema(Random(7), 4), 60))


# ---- what is refused, and what auto takes


def chain(n: int) -> Tree:
    """Return a tree of one path: each of n cuts takes the next values off."""
    node: Any = Leaf(MeanPrediction(float(n)), (1,))
    for level in reversed(range(n)):
        node = Split(ThresholdTest(0, float(level)), (Leaf(MeanPrediction(float(level)), (1,)), node))
    return Tree(Schema([Feature("x", Kind.NUMBER)], Feature("y", Kind.NUMBER)), node)


@pytest.mark.large
def test_other_dialects_edited_rules_and_deep_trees_are_refused() -> None:
    """The error names the layout that works."""
    tree = two(Feature("x", Kind.NUMBER), 0.5)
    rules = check_source(tree)
    with pytest.raises(UnsupportedError, match="for duckdb, postgres only; use the guarded layout"):
        lookup_of(DIALECTS["sqlite"].spelling, rules, table="t", keys=(), outputs=())
    with pytest.raises(OptionError, match="flat', or emit tree_from_rules"):
        lookup_of(DUCKDB, CheckedRules(rules.rules.sorted_by("n"), None), table="t", keys=(), outputs=())
    agrees(chain(MOST_STEPS), [{"x": x} for x in (-1.0, 0.5, 200.0, 1e9, None)])
    with pytest.raises(UnsupportedError, match="use the guarded layout"):
        query(chain(MOST_STEPS + 100))


def test_auto_takes_it_for_great_trees_that_are_not_deep() -> None:
    """On DuckDB; a long path is left to CASE."""
    rng = np.random.default_rng(1)
    noise = Table.from_columns({"x": rng.normal(size=1_500), "z": rng.normal(size=1_500), "y": rng.normal(size=1_500)})
    tree = learn(noise, target="y", recipe=cart())
    assert tree.n_leaves > 1_000
    assert is_worth_lookup(DUCKDB, tree)
    assert not is_worth_lookup(DIALECTS["sqlite"].spelling, tree)
    assert not is_worth_lookup(DUCKDB, None)
    assert not is_worth_lookup(DUCKDB, learn(noise, target="y", recipe=cart(max_leaves=MOST_GUARDED)))
    assert not is_worth_lookup(DUCKDB, chain(1_200))


@given(trees_with_rows(max_splits=30, n_rows=1))
def test_cuts_lead_onwards(drawn: tuple[Tree, Any]) -> None:
    """Each cut leads to later ones or to leaves, asks for no NaN, and sends its two sides apart."""
    tree, _ = drawn
    graph = cut_graph(tree)
    for position, cut in enumerate(graph.cuts):
        assert cut.threshold == cut.threshold
        assert cut.met != cut.failed
        for below in (cut.met, cut.failed):
            assert position < below < len(graph.cuts) or -tree.n_leaves <= below < 0
