"""The steps of C4.5's pruning beside pessimistic limits: collapsing, and which branch is raised."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pruning_cases import RECIPES, problems
from treerules import Table, c45, cart, learn, prune, render
from treerules.errors import OptionError
from treerules.trees import Leaf, Node, Split, leaves, preorder

#: Six rows of columns a, b, c and the class; two branches of b are equally large when it is pruned.
EQUAL_BRANCHES = ("000p", "110q", "100p", "000p", "101q", "000p")


def test_the_last_of_equally_large_branches_is_raised() -> None:
    """Release 8 (prune.c: `Factor >= MaxFactor`) has three leaves here, b and then c; raising the first keeps four."""
    table = Table.from_columns({name: [row[place] for row in EQUAL_BRANCHES] for place, name in enumerate("abcy")})
    tree = learn(table, target="y", recipe=c45(quinlan=True, min_samples_leaf=1, confidence=0.5))
    assert render(tree, exact=True).splitlines() == [
        "y: p 4, q 2",
        '├─ (b = "0" or unseen or missing): p 4, q 1',
        '│  ├─ (c = "0" or unseen or missing) -> p: p 4 (rule 1)',
        '│  └─ c = "1" -> q: q 1 (rule 2)',
        '└─ b = "1" -> q: q 1 (rule 3)',
    ]


def errors(node: Node) -> float:
    """Return the training errors of a node's leaves."""
    return sum(leaf.n - max(leaf.counts, default=0) for leaf in leaves(node))


@given(data=problems(), recipe=st.sampled_from(RECIPES))
def test_collapse_cuts_off_what_saves_no_training_errors(data: dict[str, list[object]], recipe: object) -> None:
    """Each split that stays saves 0.001 errors, and all leaves together err as often as before."""
    features = [name for name in data if name != "y"]
    tree = learn(Table.from_columns(data), target="y", recipe=recipe, features=features)  # type: ignore[arg-type]
    collapsed = prune(tree, "collapse")
    for node in preorder(collapsed.root):
        if isinstance(node, Split):
            assert isinstance(node.as_leaf, Leaf)
            assert errors(node) <= errors(node.as_leaf) - 1e-3 + 1e-9
    assert errors(tree.root) <= errors(collapsed.root) <= errors(tree.root) + 1e-3 * tree.n_leaves
    assert prune(collapsed, "collapse").root == collapsed.root


def test_collapse_makes_the_unpruned_tree_of_release_8() -> None:
    """The split of x = 2 gains, but both of its leaves say p as it does itself: J48 -U has three leaves, not four."""
    rows = ("1ap", "1ap", "1bp", "2ap", "2bp", "2bq", "3bq", "3bq", "3aq")
    table = Table.from_columns({name: [row[place] for row in rows] for place, name in enumerate("xzy")})
    tree = learn(table, target="y", recipe=c45(quinlan=True, unpruned=True, min_samples_leaf=1))
    counts = [leaf.counts for leaf in leaves(prune(tree, "collapse").root)]
    assert tree.n_leaves == 4 and counts == [(3, 0), (2, 1), (0, 3)]


def test_collapse_refuses_regressions() -> None:
    """It counts errors, which a regression has none of."""
    table = Table.from_columns({"x": [1.0, 2.0], "y": [0.5, 1.5]})
    with pytest.raises(OptionError, match="classification; a regression has no errors"):
        prune(learn(table, target="y", recipe=cart()), "collapse")
