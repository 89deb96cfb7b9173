"""Boundary rows: every rule is reached, every threshold met at itself and beside it, whatever the tree."""

import math
import os
import subprocess
import sys
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given

from deep_trees import LEAVES, chain, chain_of_three
from strategies_random import trees
from treerules import Feature, Kind, RuleSet, Schema, Table, Tree, apply, compile_rules
from treerules.data.column import of_values
from treerules.errors import OptionError
from treerules.rules.boundary_rows import boundary_rows
from treerules.rules.rule_set import RuleList
from treerules.trees import CategoryTest, Leaf, MeanPrediction, Split, ThresholdTest, leaves, preorder, unfold
from treerules.trees.node_parts import child_of

MANY = 100_000


def passed(tree: Tree, row: dict[str, Any]) -> list[tuple[Any, Any]]:
    """Return the nodes that a row passes, each with the value that is asked there; by the textbook's own walk."""
    node, found = tree.root, []
    while isinstance(node, Split):
        feature = tree.schema.features[node.test.feature]
        value = feature.convert(row.get(feature.name))
        found.append((node, value))
        node = node.children[child_of(node.test, feature, value, node.missing, node.unseen)]
    return [*found, (node, None)]


def beside(feature: Feature, value: Any) -> list[Any]:
    """Return the values next to one of an ordered feature, within its domain."""
    if feature.scalar == "number":
        found = [math.nextafter(value, -math.inf), math.nextafter(value, math.inf)]
        return [near for near in found if near != value]
    step: Any = timedelta(microseconds=1) if isinstance(value, datetime) else 1
    step = timedelta(days=1) if type(value) is date else step
    near = [] if value == feature.lowest else [value - step]
    return near if value == feature.highest else [*near, value + step]


def can_follow(tree: Tree) -> set[int]:
    """Return the ids of the leaves that have a rule some row fires: a category of booleans has no unseen value."""
    all_leaves = list(leaves(tree.root))
    return {
        id(all_leaves[rule.number - 1])
        for rule in compile_rules(tree).rules
        if all(
            condition.values is not None
            or condition.missing
            or tree.schema.feature(name).scalar != "boolean"
            or not condition.unseen
            for name, condition in rule.conditions
        )
    }


@given(trees())
def test_every_leaf_that_a_row_can_reach_is_reached(tree: Tree) -> None:
    """Each leaf that has a rule is reached by a row, and no row is outside the domain."""
    rows = boundary_rows(tree, most=MANY)
    assert {id(passed(tree, row)[-1][0]) for row in rows} == can_follow(tree)
    assert rows == boundary_rows(compile_rules(tree), most=MANY) or any("nan" in repr(row) for row in rows)
    names = set(tree.schema.indices)
    assert all(set(row) <= names for row in rows)


@given(trees())
def test_every_threshold_is_met_at_itself_and_beside_it(tree: Tree) -> None:
    """Where a split parts known values, rows ask it at the threshold and at both neighbours that get there."""
    met: dict[int, set[Any]] = {}
    for row in boundary_rows(tree, most=MANY):
        for node, value in passed(tree, row):
            met.setdefault(id(node), set()).add(value)
    for node, wanted in asked_values(tree):
        assert wanted <= met.get(id(node), set())


def asked_values(tree: Tree) -> list[tuple[Split, set[Any]]]:
    """Return each reachable threshold with those of it and its neighbours that the path above lets through."""
    found, stack = [], [(tree.root, ())]
    while stack:
        node, path = stack.pop()
        if not isinstance(node, Split):
            continue
        feature = tree.schema.features[node.test.feature]
        for threshold in () if isinstance(node.test, CategoryTest) else node.test.thresholds:
            around = [threshold, *beside(feature, threshold)]
            wanted = {value for value in around if follows(tree, path, feature, value)}
            cuts = {threshold, *around[-1:]} <= wanted and around[-1] > threshold
            if cuts and all(follows(tree, path, other, None, free=True) for other in tree.schema.features):
                found.append((node, wanted))
        stack += [(child, (*path, (node, side))) for side, child in enumerate(node.children)]
    return found


def follows(tree: Tree, path: Any, feature: Feature, value: Any, free: bool = False) -> bool:
    """Whether a value of a feature goes along a path; with `free`, whether any probe of it does."""
    asked = [(s, side) for s, side in path if tree.schema.features[s.test.feature] is feature]
    values = [value]
    if free:
        cuts = [cut for s, _ in asked if not isinstance(s.test, CategoryTest) for cut in s.test.thresholds]
        values = [None, *cuts, *(near for cut in cuts for near in beside(feature, cut)), *feature.categories]
        if feature.is_open:
            spare = {"text": "no such text", "integer": -77, "number": -77.5, "boolean": None}
            other = spare.get(feature.scalar, getattr(feature.lowest, "max", None))
            values += [other] if other not in feature.categories else []
    return any(all(child_of(s.test, feature, v, s.missing, s.unseen) == side for s, side in asked) for v in values)


def test_categories_are_met_in_every_form() -> None:
    """Each category, an unseen one, missing ones and look-alikes: case, blanks, another normal form, no text."""
    feature = Feature("c", Kind.CATEGORY, ["a", "é"])
    tree = Tree(
        Schema([feature], Feature("y", Kind.NUMBER)),
        Split(CategoryTest(0, [[0], [1]]), [Leaf(MeanPrediction(0.0), [1]), Leaf(MeanPrediction(1.0), [1])], 0, 1),
    )
    values = {row.get("c") for row in boundary_rows(tree)}
    assert {"a", "é", None, "A", "É", "a ", " a", "", "e\u0301"} <= values
    assert any(value not in (None, *feature.categories) and value.isalpha() for value in values)


def test_numbers_and_integers_are_met_where_languages_fail() -> None:
    """Infinities, NaN, both zeros; 2**53 and its neighbours; both ends of the domain."""
    for kind, wanted in (
        ("number", {"inf", "-inf", "nan", "0.0", "-0.0", repr(2.0**53), repr(sys.float_info.max)}),
        ("integer", {str(2**53), str(2**53 + 1), str(2**53 - 1), str(2**63 - 1), str(-(2**63)), "None"}),
        ("date", {repr(date.min), repr(date.max), "None"}),
        ("timestamp", {repr(datetime.min), repr(datetime.max), "None"}),
    ):
        feature = Feature("x", Kind(kind))
        cut = feature.convert(7) if kind in ("number", "integer") else feature.lowest
        root = Split(ThresholdTest(0, cut), [Leaf(MeanPrediction(0.0), [1]), Leaf(MeanPrediction(1.0), [1])])
        rows = boundary_rows(Tree(Schema([feature], Feature("y", Kind.NUMBER)), root))
        assert wanted <= {repr(row.get("x")) for row in rows}


@given(trees())
def test_no_more_rows_than_asked_and_no_row_twice(tree: Tree) -> None:
    """`most` bounds the rows, which are distinct; where the rules fit, each still has its row."""
    for most in (1, 7, 100):
        rows = boundary_rows(tree, most=most)
        assert 1 <= len(rows) <= most
        assert len({repr(row) for row in rows}) == len(rows)
        if len(can_follow(tree)) <= most:
            assert {id(passed(tree, row)[-1][0]) for row in rows} == can_follow(tree)


@pytest.mark.parametrize("most", [0, -1, True, 2.5])
def test_most_is_a_whole_number(most: Any) -> None:
    """Anything else is refused by name."""
    tree = Tree(Schema([Feature("x", Kind.NUMBER)], Feature("y", Kind.NUMBER)), Leaf(MeanPrediction(0.0), [1]))
    assert boundary_rows(tree) == [{}]
    with pytest.raises(OptionError, match="most="):
        boundary_rows(tree, most=most)


def test_a_list_has_the_rows_of_its_rules() -> None:
    """Where a rule turns does not depend on who decides; what is no rules has no rows."""
    root = Split(ThresholdTest(0, 5.0), [Leaf(MeanPrediction(0.0), [1]), Leaf(MeanPrediction(1.0), [1])])
    rules = compile_rules(Tree(Schema([Feature("x", Kind.NUMBER)], Feature("y", Kind.NUMBER)), root))
    unordered = RuleSet(rules.schema, rules.rules)
    assert boundary_rows(RuleList(rules.schema, rules.rules)) == boundary_rows(unordered)
    with pytest.raises(OptionError, match="a Tree, an Ensemble, a RuleSet"):
        boundary_rows(3)  # type: ignore[arg-type]


def wide() -> Tree:
    """Return a balanced tree of 10,000 leaves on four numbers."""
    schema = Schema([Feature(name, Kind.NUMBER) for name in "abcd"], Feature("y", Kind.NUMBER))

    def step(seed: tuple[int, int, int]) -> Any:
        lo, hi, depth = seed
        if hi - lo == 1:
            return Leaf(MeanPrediction(float(lo)), (1,))
        middle = (lo + hi) // 2
        test = ThresholdTest(depth % 4, float(middle))
        return lambda children: Split(test, children), [(lo, middle, depth + 1), (middle, hi, depth + 1)]

    return Tree(schema, unfold((0, LEAVES, 0), step))


@pytest.mark.large
@pytest.mark.parametrize("make", [wide, lambda: chain(right=True), lambda: chain(right=False), chain_of_three])
def test_deep_and_wide_trees_have_their_rows(make: Any) -> None:
    """Depth 5,000 and 10,000 leaves: a thousand rows, spread over the leaves; every leaf when asked for enough."""
    tree = make()
    assert len(boundary_rows(tree)) == 1000
    rows = boundary_rows(tree, most=60_000)
    columns = [of_values(f, [f.convert(row.get(f.name)) for row in rows]) for f in tree.schema.features]
    reached = set(apply(tree, Table(columns)).tolist())
    assert reached == {rule.number for rule in compile_rules(tree).rules}


@pytest.mark.process
def test_the_seed_of_hashes_does_not_matter() -> None:
    """Two processes of other hash seeds make the same rows, byte for byte."""
    code = (
        f"import sys; sys.path[:0] = {[path for path in sys.path if path]!r}\n"
        "from random import Random\n"
        "from strategies_random import a_schema, a_tree\n"
        "from treerules.rules.boundary_rows import boundary_rows\n"
        "for seed in range(20):\n"
        "    random = Random(seed)\n"
        "    print(boundary_rows(a_tree(random, a_schema(random, 4), 30), most=300))\n"
    )
    texts = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"}
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)
        texts.add(done.stdout)
    assert len(texts) == 1 and all(texts)


def test_questions_that_part_nothing_are_asked_too() -> None:
    """A cut at the highest value makes one rule of no conditions; its values are tried all the same."""
    schema = Schema([Feature("x", Kind.NUMBER), Feature("b", Kind.BOOLEAN)], Feature("y", Kind.NUMBER))
    flag = Split(CategoryTest(1, [[0], [1]]), [Leaf(MeanPrediction(0.0), [1]), Leaf(MeanPrediction(1.0), [1])])
    tree = Tree(schema, Split(ThresholdTest(0, math.inf), [Leaf(MeanPrediction(2.0), [1]), flag]))
    assert [rule.conditions for rule in compile_rules(tree).rules] == [()]
    rows = boundary_rows(tree)
    assert {row.get("x") for row in rows} >= {math.inf, sys.float_info.max, None}
    assert {row.get("b") for row in rows} == {False, True, None}


@pytest.mark.large
def test_preorder_knows_the_splits_of_the_wide_tree() -> None:
    """The wide tree of these tests has 10,000 leaves indeed."""
    assert sum(isinstance(node, Leaf) for node in preorder(wide().root)) == LEAVES
