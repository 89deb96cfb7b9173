"""The walkers take a Tree or a Node, and refuse everything else."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given

from strategies_random import trees
from treerules import RuleSet, Table, Tree, compile_rules
from treerules.errors import OptionError
from treerules.trees import descend, fold, leaves, paths, preorder
from treerules.trees.walkers import with_child_numbers

WALKERS: dict[str, Callable[[Any], list[Any]]] = {
    "preorder": lambda tree: list(preorder(tree)),
    "leaves": lambda tree: list(leaves(tree)),
    "paths": lambda tree: list(paths(tree)),
    "fold": lambda tree: [fold(tree, leaf=lambda leaf: leaf.n, split=lambda _, below: sum(below))],
    "descend": lambda tree: list(descend(tree, 0, lambda split, depth: [depth + 1] * len(split.children))),
    "with_child_numbers": with_child_numbers,
}


@pytest.mark.parametrize("name", WALKERS)
@given(tree=trees())
def test_a_tree_is_walked_as_its_root_is(name: str, tree: Tree) -> None:
    """What a walker gives for a Tree is what it gives for the root."""
    assert WALKERS[name](tree) == WALKERS[name](tree.root)


@pytest.mark.parametrize("name", WALKERS)
@given(tree=trees())
def test_what_is_no_tree_is_refused_at_once(name: str, tree: Tree) -> None:
    """A rule set, its rules, a table, text, None: an error that names the function and the argument."""
    rules = compile_rules(tree)
    for value in (rules, RuleSet(rules.schema, rules.rules), rules.rules, Table.from_columns({"a": [1]}), "tree", None):
        with pytest.raises(OptionError, match="a Tree or a Node") as raised:
            WALKERS[name](value)
        assert raised.value.option == "tree"
    with pytest.raises(OptionError):
        preorder("tree")  # type: ignore[arg-type]  # before anything is asked of the iterator
