"""The laws of the whole line: tree, rules, Python and SQL give one answer to every row of the domain."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given

from run_emitted import ENGINES, PARAMETERS, same
from strategies_random import a_schema, a_tree, some_rows, trees, trees_with_rows
from treerules import Table, Tree, apply, check, compile_rules, predict, render
from treerules.data.column import of_values
from treerules.trees import CategoryTest, Split, ThresholdTest, find_leaf, preorder, tree_from_json, tree_to_json


def table_of(tree: Tree, rows: list[dict[str, Any]]) -> Table:
    """Return rows as a Table with the tree's own features."""
    return Table([of_values(f, [row.get(f.name) for row in rows]) for f in tree.schema.features])


@given(trees_with_rows())
def test_every_row_fires_exactly_one_rule(drawn: tuple[Tree, list[dict[str, Any]]]) -> None:
    """The rules of a tree partition the domain, and the one that fires is that of the row's leaf."""
    tree, rows = drawn
    rules = compile_rules(tree)
    for row in rows:
        (fired,) = rules.firing(row)
        assert fired.prediction == find_leaf(tree, row).prediction
    numbers = [rules.firing(row)[0].number for row in rows]
    assert numbers == apply(tree, table_of(tree, rows)).tolist()


@given(trees())
def test_the_check_finds_every_tree_exclusive_and_complete(tree: Tree) -> None:
    """A tree is total: from its rules alone the check proves it."""
    verdict = check(compile_rules(tree))
    assert verdict.exclusive
    assert verdict.complete


@pytest.mark.parametrize("engine", PARAMETERS)
@given(drawn=trees_with_rows())
def test_every_engine_gives_the_answer_of_the_tree(engine: str, drawn: tuple[Tree, list[dict[str, Any]]]) -> None:
    """Both layouts in every language agree with the tree on boundary rows, missing and unseen values included."""
    tree, rows = drawn
    wanted = [find_leaf(tree, row).prediction.value for row in rows]
    found = ENGINES[engine](tree, rows)
    wrong = [(row, w, f) for row, w, f in zip(rows, wanted, found, strict=True) if not same(w, f)]
    assert not wrong


@given(trees_with_rows())
def test_a_table_is_predicted_as_its_rows_are(drawn: tuple[Tree, list[dict[str, Any]]]) -> None:
    """Batch prediction is row prediction."""
    tree, rows = drawn
    assert predict(tree, table_of(tree, rows)).tolist() == [predict(tree, row) for row in rows]


@given(trees())
def test_json_reads_back_the_same_tree(tree: Tree) -> None:
    """Writing and reading a model is the identity, and the same tree gives the same bytes."""
    text = tree_to_json(tree)
    assert tree_from_json(text) == tree
    assert tree_from_json(text.encode()) == tree
    assert tree_to_json(tree_from_json(text)) == text


@given(trees())
def test_a_rule_has_at_most_one_condition_a_feature_and_every_leaf_at_most_one_rule(tree: Tree) -> None:
    """Conditions are merged; numbers are those of the leaves."""
    rules = compile_rules(tree)
    assert [rule.number for rule in rules.rules] == sorted({rule.number for rule in rules.rules})
    assert all(1 <= rule.number <= tree.n_leaves for rule in rules.rules)
    for rule in rules.rules:
        names = [name for name, _ in rule.conditions]
        assert len(names) == len(set(names))
    assert render(rules).count("\n") == len(rules)


def test_the_drawn_trees_meet_every_case() -> None:
    """What the laws draw includes every kind of test, every routing, deep trees and wide ones."""
    met: Counter[str] = Counter()
    for seed in range(150):
        random = Random(seed)
        tree = a_tree(random, a_schema(random, random.randint(1, 5)), random.randint(0, 100), deep=seed % 2 == 0)
        met["deep"] += tree.depth > 20
        met["wide"] += tree.n_leaves > 64
        met["regression"] += tree.schema.is_regression
        met["path that no value follows"] += len(compile_rules(tree)) < tree.n_leaves
        for row in some_rows(random, tree, 5):
            met["missing cell"] += None in row.values()
        for node in preorder(tree.root):
            if not isinstance(node, Split):
                continue
            kind = tree.schema.features[node.test.feature].kind
            met[f"{kind} {type(node.test).__name__} {'multiway' if node.test.arity > 2 else 'binary'}"] += 1
            of_its_own = "its own" if node.missing == node.test.arity else "another"
            met[f"missing to {'first' if node.missing == 0 else of_its_own}"] += 1
            met[f"unseen to {'none' if node.unseen is None else 'first' if node.unseen == 0 else 'another'}"] += 1
            if isinstance(node.test, CategoryTest):
                met["empty group"] += any(not group for group in node.test.groups)
            if isinstance(node.test, ThresholdTest):
                met["infinite threshold"] += node.test.threshold in (float("inf"), float("-inf"))
    ordered = [
        f"{kind} {test} binary"
        for kind in ("number", "integer", "date", "timestamp")
        for test in ("ThresholdTest", "ValueSetTest")
    ]
    grouped = [
        f"{kind} CategoryTest {n}" for kind in ("boolean", "category", "ordinal") for n in ("binary", "multiway")
    ]
    routed = ["missing to first", "missing to another", "missing to its own"]
    routed += ["unseen to none", "unseen to first", "unseen to another"]
    others = [
        "deep",
        "wide",
        "regression",
        "path that no value follows",
        "missing cell",
        "empty group",
        "infinite threshold",
    ]
    assert not [case for case in (*ordered, *grouped, *routed, *others) if not met[case]]
