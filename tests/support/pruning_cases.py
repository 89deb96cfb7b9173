"""Trees, recipes and tables that the tests of pruning share."""

from random import Random
from typing import Any

from attrs import evolve
from hypothesis import strategies as st

from strategies_random import columns
from treerules import Feature, Kind, Recipe, Schema, Tree, c45, cart
from treerules.trees import ClassPrediction, Leaf, Node, Split, ThresholdTest, fold

LABELS = ("a", "b", "c")


RECIPES = (
    cart(max_depth=4),
    cart(max_depth=3, criterion="entropy", missing="branch"),
    c45(max_depth=2),  # fractions of rows
    c45(max_depth=2, missing="larger"),
)


@st.composite
def problems(draw: st.DrawFn, values: tuple[Any, ...] = LABELS) -> dict[str, list[Any]]:
    """Draw a table with a target y of these values."""
    data = draw(columns())
    n = len(next(iter(data.values())))
    return {**data, "y": draw(st.lists(st.sampled_from(values), min_size=n, max_size=n))}


def full(tree: Tree, seed: int) -> Tree:
    """Return a drawn tree with figures in its splits: the sums over its leaves, and any label or mean."""
    random = Random(seed)

    def joined(split: Split, children: tuple[Node, ...]) -> Node:
        figures = [child.as_leaf if isinstance(child, Split) else child for child in children]
        counts = [sum(column) for column in zip(*(leaf.counts for leaf in figures), strict=True)]  # type: ignore
        return evolve(split, children=children, as_leaf=Leaf(random.choice(figures).prediction, counts))  # type: ignore

    return evolve(tree, root=fold(tree.root, leaf=lambda leaf: leaf, split=joined))


AB = Schema([Feature("x", Kind.NUMBER)], Feature("y", Kind.CATEGORY, LABELS[:2]))


def end(*counts: float, label: str | None = None) -> Leaf:
    """Return a leaf of these counts of a and b."""
    n = sum(counts)
    shares = [count / n for count in counts] if n else [1 / len(counts)] * len(counts)
    return Leaf(ClassPrediction(label or LABELS[counts.index(max(counts))], shares), counts)


def fork(*children: Node, label: str | None = None) -> Split:
    """Return a split of x whose counts are its children's."""
    figures = [child.as_leaf if isinstance(child, Split) else child for child in children]
    counts = [sum(column) for column in zip(*(leaf.counts for leaf in figures), strict=True)]  # type: ignore
    return Split(ThresholdTest(0, 0.0), children, 0, None, end(*counts, label=label))


def ab(root: Node, recipe: Recipe | None = None) -> Tree:
    """Return a tree of the classes a and b."""
    return Tree(AB, root, recipe)
