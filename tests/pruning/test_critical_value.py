"""Critical value pruning of examples/extending: scores by hand, and splits that stay for the sake of one below them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from example_records import example_module
from pruning_cases import LABELS, ab, end, fork, full
from strategies_random import trees_with_rows
from treerules import Table, Tree, cart, learn
from treerules.criteria import CRITERIA
from treerules.errors import OptionError
from treerules.trees import Node, Split, preorder

critical_value = example_module("critical_value").critical_value
#: The root takes nothing away; its left child takes away 1/2, its right one 0.02.
STRONG, WEAK = fork(end(5, 0), end(0, 5)), fork(end(3, 2), end(2, 3))
TREE = ab(fork(STRONG, WEAK))


@pytest.mark.parametrize(("value", "n_leaves"), [(0.0, 4), (0.02, 4), (0.0201, 3), (0.5, 3), (0.5001, 1)])
def test_a_split_stays_where_it_or_one_below_reaches_the_value(value: float, n_leaves: int) -> None:
    """Scores by hand: 0, 1/2 and 1/2 - 0.48; the root scores nothing and stays for its child."""
    assert critical_value(TREE, value=value).n_leaves == n_leaves


def test_the_score_is_a_decrease_of_what_risk_says() -> None:
    """A pure split of equal classes takes away one bit of entropy, half of Gini, and half of the errors."""
    tree = ab(STRONG)
    for risk, most in ((None, 0.5), ("gini", 0.5), ("entropy", 1.0), ("misclassification", 0.5)):
        assert critical_value(tree, value=most, risk=risk).n_leaves == 2
        assert critical_value(tree, value=most + 1e-9, risk=risk).n_leaves == 1


def test_a_regression_is_scored_by_its_variance() -> None:
    """Two values at a distance of 2 have the variance 1; other risks are those of classes."""
    tree = learn(Table.from_columns({"x": [1.5, 2.5], "y": [0.5, 2.5]}), target="y", recipe=cart())
    assert critical_value(tree, value=1.0).n_leaves == 2
    assert critical_value(tree, value=1.001).n_leaves == 1
    with pytest.raises(OptionError, match=r"'gini'.*expected squared_error"):
        critical_value(tree, value=1.0, risk="gini")


def test_class_weights_weigh_the_rows_of_a_node() -> None:
    """5 a and 5 b at weight 3: shares 1/4 and 3/4, whose Gini 3/8 a pure split takes away."""
    tree = ab(STRONG, cart(class_weight={"b": 3}))
    assert critical_value(tree, value=0.375).n_leaves == 2
    assert critical_value(tree, value=0.376).n_leaves == 1


def best_score(node: Node) -> float:
    """Return the greatest decrease of Gini of a node and the splits below it; below 0 of a leaf."""
    scores = [-1.0]
    for split in preorder(node):
        if isinstance(split, Split):
            groups = [(child.as_leaf if isinstance(child, Split) else child).counts for child in split.children]  # type: ignore[union-attr]
            scores.append(CRITERIA["gini"].score_of(groups, "2") if any(map(any, groups)) else 0.0)
    return max(scores)


@given(drawn=trees_with_rows(), seed=st.integers(0, 2**32), value=st.sampled_from((0.001, 0.0317, 0.11, 0.23)))
def test_what_is_left_are_the_splits_above_a_strong_one(drawn: tuple[Tree, object], seed: int, value: float) -> None:
    """By the score of the criterion, of any tree of classes: as many splits as have a strong one in their branch."""
    tree = full(drawn[0], seed)
    if not tree.schema.is_regression:
        splits = [node for node in preorder(tree.root) if isinstance(node, Split)]
        strong = sum(best_score(split) >= value for split in splits)
        pruned = critical_value(tree, value=value)
        assert sum(isinstance(node, Split) for node in preorder(pruned.root)) == strong


def test_labels_are_those_that_the_splits_had() -> None:
    """Nothing is predicted anew."""
    tree = ab(fork(end(3, 2), end(2, 3), label=LABELS[1]))
    assert critical_value(tree, value=0.5).root == tree.root.as_leaf  # type: ignore[union-attr]
