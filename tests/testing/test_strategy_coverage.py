"""Runs without a random seed: what `treerules.testing` draws meets every kind of test, routing, value and edit."""

import math
from datetime import date, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from treerules import Feature, Kind, RuleSet, Schema, Table, Tree, check, compile_rules
from treerules.data.domain import next_value
from treerules.data.schema import SCALARS
from treerules.testing import rows, rule_sets, rule_strategies, schemas, tables, trees
from treerules.testing.edge_cases import NAMES
from treerules.testing.mutations import EDITS
from treerules.trees import CategoryTest, Leaf, MeanPrediction, Split, ThresholdTest, ValueSetTest, preorder

pytestmark = pytest.mark.large

EVERY_KIND = Schema(
    [
        Feature("x", "number"),
        Feature("n", "integer"),
        Feature("b", "boolean"),
        Feature("c", "category", ["", "a", "否"]),
        Feature("o", "ordinal", ["S", "M", "L"]),
        Feature("d", "date"),
        Feature("t", "timestamp"),
        Feature("u", "timestamp", (), "timestamp_utc"),
    ],
    Feature("y", "number"),
)
ORDERED = ("number", "integer", "date", "timestamp", "timestamp_utc")


def the_same(n: int) -> settings:
    """Return the settings of a run that draws the same n examples every time."""
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large]
    return settings(max_examples=n, derandomize=True, database=None, deadline=None, suppress_health_check=checks)


def test_schemas_meet_every_kind() -> None:
    """Each kind, each type of categories, no categories, each odd name, each task and type of classes."""
    met: set[Any] = set()

    @the_same(400)
    @given(schemas())
    def run(schema: Schema) -> None:
        assert schema.target is not None
        met.add(("target", schema.target.scalar, schema.is_regression, bool(schema.classes)))
        for feature in schema.features:
            met.update((feature.name, (feature.kind, feature.scalar)))
            met.update(
                {("none", feature.kind)} if feature.is_open and not feature.categories else {"" in feature.categories}
            )

    run()
    assert met >= set(NAMES) | {True, ("none", Kind.CATEGORY), ("target", "number", True, False)}
    assert met >= {("target", scalar, False, True) for scalar in ("text", "integer", "boolean")}
    assert met >= {(kind, kind.value) for kind in (Kind.NUMBER, Kind.INTEGER, Kind.BOOLEAN, Kind.DATE, Kind.TIMESTAMP)}
    listed = ("text", "integer", "number", "date", "timestamp")
    assert met >= {(kind, scalar) for kind in (Kind.CATEGORY, Kind.ORDINAL) for scalar in listed}
    assert (Kind.TIMESTAMP, "timestamp_utc") in met


def test_trees_meet_every_test_and_every_routing() -> None:
    """Thresholds of each kind, also at the ends of the domain, groups of each arity; missing values to the left, the
    right and a child of their own, unseen ones to each child; a leaf alone, depth over 20, more than 64 leaves.
    """
    met: set[Any] = set()

    @the_same(250)
    @given(trees(max_splits=100), trees(EVERY_KIND, max_splits=24))
    def run(tree: Tree, other: Tree) -> None:
        look(tree)
        look(other)

    def look(tree: Tree) -> None:
        met.update({"leaf"} if tree.n_leaves == 1 else set())
        met.update({"deep"} if tree.depth > 20 else set())
        met.update({"wide"} if tree.n_leaves > 64 else set())
        for node in preorder(tree.root):
            if isinstance(node, Split):
                test, feature = node.test, tree.schema.features[node.test.feature]
                side = "own" if node.missing == test.arity else node.missing
                if isinstance(test, ThresholdTest):
                    met.update(((feature.scalar, "missing", side), (feature.scalar, test.threshold)))
                elif isinstance(test, ValueSetTest):
                    met.update(((feature.scalar, "unions", len(test.values.intervals) > 1), ("unions missing", side)))
                elif isinstance(test, CategoryTest):
                    met.update(((feature.kind, "arity", test.arity), (feature.kind, "missing", side)))
                    met.add((feature.kind, "unseen", node.unseen))
                    met.update({"empty group"} if () in test.groups else set())

    run()
    assert met >= {"leaf", "deep", "wide", "empty group"}
    assert met >= {(scalar, "missing", side) for scalar in ORDERED for side in (0, 1, "own")}
    assert met >= {(scalar, "unions", several) for scalar in ORDERED for several in (False, True)}
    assert met >= {("unions missing", side) for side in (0, 1, "own")}
    grouped = (Kind.CATEGORY, Kind.ORDINAL, Kind.BOOLEAN)
    assert met >= {(kind, "arity", arity) for kind in grouped for arity in (2, 3, 4)}
    assert met >= {(kind, "missing", side) for kind in grouped for side in (0, 1, 2, "own")}
    assert met >= {(kind, "unseen", side) for kind in grouped[:2] for side in (0, 1, 2)}
    ends = {(scalar, end) for scalar in ORDERED for end in (SCALARS[scalar].lowest, SCALARS[scalar].highest)}
    assert met >= ends | {("number", 5e-324), ("integer", 2**53 + 1)}


@pytest.mark.parametrize("at", ["boundaries", "inside", "any"])
def test_rows_meet_every_value(at: str) -> None:
    """Missing as None and NaN, unseen, no text, infinities, zeros, the ends of each kind; at a cut, beside it."""
    met: set[Any] = set()

    @st.composite
    def rows_of_trees(draw: st.DrawFn) -> tuple[Tree, list[dict[str, Any]]]:
        tree = draw(trees(EVERY_KIND, max_splits=8))
        return tree, draw(st.lists(rows(tree, at=at), min_size=8, max_size=8))

    @the_same(400)
    @given(rows_of_trees())
    def run(pair: tuple[Tree, list[dict[str, Any]]]) -> None:
        tree, drawn = pair
        cuts: dict[str, set[Any]] = {feature.name: set() for feature in tree.schema.features}
        for node in preorder(tree.root):
            if isinstance(node, Split) and not isinstance(node.test, CategoryTest):
                cuts[tree.schema.features[node.test.feature].name].update(node.test.thresholds)
        for feature in tree.schema.features:
            beside = {
                name: {next_value(feature, cut, up=up) for cut in cuts[feature.name]}
                for name, up in (("above", True), ("below", False))
            }
            for value in (row[feature.name] for row in drawn):
                met.add((feature.scalar, "nan" if value != value else "-0.0" if repr(value) == "-0.0" else value))
                met.update((feature.scalar, name) for name in ("above", "below") if value in beside[name] - {None})
                met.update({(feature.scalar, "cut")} if value in cuts[feature.name] else set())
                unseen = feature.is_open and value is not None and value == value and feature.position(value) is None
                met.update({(feature.kind, "unseen")} if unseen else set())

    run()
    assert met >= {(scalar, None) for scalar in SCALARS} | {("number", "nan"), ("text", "")}
    assert met >= {("number", value) for value in (math.inf, -math.inf, 0.0)}
    assert ("number", "-0.0") in met or at != "boundaries"  # elsewhere by chance alone
    assert met >= {("integer", 2**63 - 1), ("integer", -(2**63)), ("boolean", False), ("boolean", True)}
    assert met >= {("date", date.min), ("date", date.max), ("timestamp", datetime.min), ("timestamp", datetime.max)}
    assert met >= {(kind, "unseen") for kind in (Kind.CATEGORY, Kind.ORDINAL)}
    beside = ("above", "cut") if at == "inside" else ("above", "cut", "below")  # below a cut is inside by chance alone
    assert met >= {(scalar, where) for scalar in ORDERED for where in beside}


def test_rows_at_boundaries_fire_every_rule_of_a_tree_and_leave_broken_rules() -> None:
    """Of a tree of six rules each fires; of rules that are no partition none fires, one, and two."""
    met: set[Any] = set()
    schema = Schema([Feature("x", "number")], Feature("y", "number"))
    root: Any = Leaf(MeanPrediction(5.0), [1])
    for cut in range(5):
        root = Split(ThresholdTest(0, float(cut)), [root, Leaf(MeanPrediction(float(cut)), [1])])
    six = compile_rules(Tree(schema, root))

    @the_same(200)
    @given(st.data())
    def run(data: st.DataObject) -> None:
        met.update(("leaf", rule.number) for rule in six.firing(data.draw(rows(six))))
        broken = data.draw(rule_sets(partition=False))
        met.add(("fires", len(broken.firing(data.draw(rows(broken))))))

    run()
    assert {number for what, number in met if what == "fires"} >= {0, 1, 2}
    assert {number for what, number in met if what == "leaf"} == {1, 2, 3, 4, 5, 6}


def test_rule_sets_meet_every_edit_and_every_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the twelve edits; exclusive or not with complete or not; whole partitions, and sets without rules."""
    edits: set[str] = set()
    verdicts: set[Any] = set()
    monkeypatch.setattr(rule_strategies, "event", lambda text: edits.add(text.removeprefix("edit: ")))

    @the_same(200)
    @given(rule_sets(partition=False, edits=2), rule_sets())
    def run(broken: RuleSet, some: RuleSet) -> None:
        for rules in (broken, some):
            verdict = check(rules)
            verdicts.add((verdict.exclusive, verdict.complete))
            verdicts.update({"no rules"} if not rules.rules else set())

    run()
    assert edits >= set(EDITS)
    assert verdicts >= {"no rules", *((one, other) for one in (True, False) for other in (True, False))}


def test_tables_meet_every_kind_of_column() -> None:
    """Columns of each kind, with and without missing cells, with one value and with several; one row and many."""
    met: set[Any] = set()

    @the_same(400)
    @given(tables(max_rows=12))
    def run(table: Table) -> None:
        met.add(("rows", min(table.n_rows, 9)))
        for column in table.columns[:-1]:
            some = {repr(column.value(row)) for row in range(table.n_rows)}
            met.update(((column.feature.kind, bool(column.n_missing)), (column.feature.kind, "values", len(some) > 1)))

    run()
    assert met >= {(kind, missing) for kind in Kind for missing in (True, False)}
    assert met >= {(kind, "values", several) for kind in Kind for several in (True, False)} | {("rows", 1), ("rows", 9)}
