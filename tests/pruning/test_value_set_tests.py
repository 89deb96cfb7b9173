"""A tree whose cuts are written as sets of values is pruned and measured as the tree with thresholds."""

from typing import Any

import numpy as np
import pytest
from attrs import evolve

from treerules import (
    Interval,
    Table,
    Tree,
    ValueSet,
    cart,
    evaluate,
    importances,
    learn,
    permutation_importances,
    predict_proba,
    prune,
)
from treerules.trees import Node, Split, ThresholdTest, ValueSetTest, fold


def data(seed: int) -> Table:
    """Return rows of two numbers, of which some are missing, and a class that depends on them."""
    rng = np.random.default_rng(seed)
    x, n = rng.normal(size=300), rng.integers(0, 9, size=300)
    classes = np.where((abs(x) > 1) ^ (n > 4) ^ (rng.random(300) < 0.2), "a", "b")
    cells = [None if hole else float(value) for value, hole in zip(x, rng.random(300) < 0.1, strict=True)]
    return Table.from_columns({"x": cells, "n": n.tolist(), "y": classes.tolist()})


TABLE, OTHERS = data(1), data(2)
GROWN = learn(TABLE, target="y", recipe=cart())


def in_sets(tree: Tree) -> Tree:
    """Return the tree with the set of the values up to each threshold."""

    def split(node: Split, children: tuple[Node, ...]) -> Node:
        assert isinstance(node.test, ThresholdTest)
        feature = tree.schema.features[node.test.feature]
        values = ValueSet(feature, [Interval(None, node.test.threshold)])
        return evolve(node, test=ValueSetTest(node.test.feature, values), children=children)

    return evolve(tree, root=fold(tree.root, lambda node: node, split))


METHODS: dict[str, dict[str, Any]] = {
    "penalised": {"alpha": 9.0},
    "cost_complexity": {"alpha": 0.005},
    "pessimistic": {"table": TABLE},
    "reduced_error": {"table": OTHERS},
    "minimum_error": {},
    "snip": {"node": [1]},
    "merge_equal_leaves": {},
    "collapse": {},
}


@pytest.mark.parametrize("method", METHODS)
def test_pruning_does_not_depend_on_how_a_cut_is_written(method: str) -> None:
    """By every method, those that send rows down the tree included."""
    pruned = prune(GROWN, method, **METHODS[method])
    assert in_sets(pruned) == prune(in_sets(GROWN), method, **METHODS[method])
    assert pruned.n_leaves < GROWN.n_leaves or method in ("merge_equal_leaves", "collapse")


def test_measures_do_not_depend_on_how_a_cut_is_written() -> None:
    """Importances, permutation importances, an evaluation and probabilities."""
    tree = in_sets(GROWN)
    assert importances(tree) == importances(GROWN)
    assert permutation_importances(tree, OTHERS) == permutation_importances(GROWN, OTHERS)
    assert evaluate(tree, OTHERS) == evaluate(GROWN, OTHERS)
    assert np.array_equal(predict_proba(tree, OTHERS), predict_proba(GROWN, OTHERS))
