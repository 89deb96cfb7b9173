"""The rules of plain modules, written straight from the paths of a tree."""

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from treerules import Table, Tree, cart, compile_rules, learn, to_javascript, to_python
from treerules.emit import checked_rules
from treerules.emit.checked_rules import check_source
from treerules.emit.hashed_text import hash_of_rule_texts, hash_of_rules
from treerules.emit.spelled_rules import NO_RULE, spelled_rules
from treerules.rules.phrasing import phrasing_for
from treerules.rules.shared_conditions import constraint_writers
from treerules.rules.wording import rule_texts
from treerules.testing.strategies import trees


@given(trees(), st.sampled_from(["en", "zh"]))
def test_rules_spelled_from_paths_are_those_of_the_rule_set(tree: Tree, lang: str) -> None:
    """The sentences, numbers, predictions and hash of a tree's paths are those of its compiled rules."""
    spelled = spelled_rules(check_source(tree), constraint_writers(tree.schema), lang)
    fired = [rule for rule in spelled if rule.hashed]
    rules = compile_rules(tree)
    texts = rule_texts(tree.schema, rules.rules, None, evolve(phrasing_for(None, lang), mean_digits=None))
    assert [(rule.number, rule.prediction) for rule in fired] == [(rule.number, rule.prediction) for rule in rules]
    assert [rule.text for rule in fired] == texts
    assert hash_of_rule_texts(tree.schema, [rule.hashed for rule in fired]) == hash_of_rules(rules)
    assert {rule.text for rule in spelled if not rule.hashed} <= {NO_RULE} and len(spelled) == tree.n_leaves


@given(trees())
def test_modules_of_a_tree_and_of_its_rules_are_the_same(tree: Tree) -> None:
    """Plain modules are the same text whether a tree or the rules compiled from it are given."""
    rules = compile_rules(tree)
    assert to_python(tree) == to_python(rules) and to_javascript(tree) == to_javascript(rules)


def test_large_plain_modules_compile_no_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plain module of a tree of more than 64 leaves is written without a rule set."""
    n = 100
    table = Table.from_columns({"x": list(range(n)), "y": [row % 2 for row in range(n)]})
    tree = learn(table, target="y", features=["x"], recipe=cart())
    monkeypatch.setattr(checked_rules, "compile_rules", None)
    assert tree.n_leaves == n and to_python(tree).count("return ") > n
