"""Random schemas, trees and rows, drawn from the corners: every kind, every routing, boundary values.

What makes them is public, `treerules.testing`; here it is rolled by a seed, for the runs that want many at once.
"""

import math
from random import Random
from typing import Any

from hypothesis import strategies as st

import treerules.testing as testing
from treerules import Feature, Kind, Schema, Table, Tree
from treerules.data.column import of_values
from treerules.data.domain import unseen_value
from treerules.testing.edge_cases import NAMES, NUMBERS, POOLS, TEXTS
from treerules.testing.tree_builder import (
    SeededChoices,
    build_tree,
    draw_feature,
    draw_leaf,
    draw_routed_test,
    draw_target,
    neighbour,
)
from treerules.trees import CategoryTest, Split

__all__ = ("NAMES", "NUMBERS", "TEXTS")


def a_schema(random: Random, n_features: int) -> Schema:
    """Return a schema of so many features of any kind, and a target of any task."""
    names = random.sample(NAMES, n_features)
    target = draw_target(SeededChoices(random))
    return Schema([a_feature(random, name) for name in names], target)


def a_feature(random: Random, name: str) -> Feature:
    """Return a feature of any kind."""
    return draw_feature(SeededChoices(random), name)


def a_tree(random: Random, schema: Schema, n_splits: int, *, deep: bool = False) -> Tree:
    """Return a tree of at most so many splits, grown by `unfold`; a deep one grows along one path."""
    left, choices = n_splits, SeededChoices(random)

    def question(depth: int) -> Any:
        nonlocal left
        if left <= 0 or (not deep and depth > 0 and random.random() < 0.1):
            return None
        left -= 1
        return draw_routed_test(choices, schema, random.randrange(len(schema.features)))

    return build_tree(schema, question, lambda: draw_leaf(choices, schema), deep=deep)


def a_value(random: Random, feature: Feature, thresholds: tuple[Any, ...]) -> Any:
    """Return a value from the corners of a feature: at a threshold, beside it, missing, each category, unseen."""
    if random.random() < 0.15:
        return random.choice((None, math.nan)) if feature.scalar == "number" else None
    if feature.is_ordered:
        pool = thresholds or POOLS[feature.scalar]
        value = random.choice(pool if random.random() < 0.8 else POOLS[feature.scalar])
        return value if random.random() < 0.4 else neighbour(SeededChoices(random), feature, value)
    choices = [*feature.categories, *([unseen_value(feature)] if feature.is_open else [])]
    return random.choice(choices)


def some_rows(random: Random, tree: Tree, n: int) -> list[dict[str, Any]]:
    """Return rows at the boundaries of a tree."""
    cuts = thresholds_of(tree)
    return [
        {f.name: a_value(random, f, cuts.get(index, ())) for index, f in enumerate(tree.schema.features)}
        for _ in range(n)
    ]


def thresholds_of(tree: Tree) -> dict[int, tuple[Any, ...]]:
    """Return the thresholds of each feature of a tree."""
    from treerules.trees import preorder

    cuts: dict[int, set[Any]] = {}
    for node in preorder(tree.root):
        if isinstance(node, Split) and not isinstance(node.test, CategoryTest):
            cuts.setdefault(node.test.feature, set()).update(node.test.thresholds)
    return {feature: tuple(sorted(values)) for feature, values in cuts.items()}


def a_table(random: Random, *, ordered: bool = True, holes: float = 0.3, regression: bool = False) -> Table:
    """Return a small table of any kinds of features with a target y; so many of the features' cells are missing.

    Each column has few values, from the corners; without `ordered` none is cut.
    """
    n = random.randint(1, 24)
    features = []
    for name in random.sample(NAMES, random.randint(1, 4)):
        feature = a_feature(random, name)
        while (feature.is_ordered and not ordered) or (feature.kind is Kind.CATEGORY and not feature.categories):
            feature = a_feature(random, name)
        features.append(feature)
    columns = []
    for feature in features:
        pool = feature.categories or random.choices(POOLS[feature.scalar], k=4)
        if feature.is_ordered:
            pool = [
                value if random.random() < 0.7 else neighbour(SeededChoices(random), feature, value) for value in pool
            ]
        cells = [None if random.random() < holes else random.choice(pool) for _ in range(n)]
        columns.append(of_values(feature, cells))
    labels = (0.0, 1.5, -2.0, 8.0) if regression else ("it's", "否", "")
    cells = [random.choice(labels) for _ in range(n)]
    goal = Feature("y", Kind.NUMBER) if regression else Feature("y", Kind.CATEGORY, sorted(set(cells)))
    return Table([*columns, of_values(goal, cells)], declared=frozenset(feature.name for feature in features))


def trees(max_splits: int = 40) -> st.SearchStrategy[Tree]:
    """Return the strategy for trees over one to five features, larger ones than users need."""
    return testing.trees(max_splits=max_splits)


@st.composite
def trees_with_rows(draw: st.DrawFn, max_splits: int = 40, n_rows: int = 30) -> tuple[Tree, list[dict[str, Any]]]:
    """Draw a tree and rows at its boundaries."""
    tree = draw(trees(max_splits))
    return tree, some_rows(Random(draw(st.integers(0, 2**32))), tree, n_rows)


@st.composite
def columns(draw: st.DrawFn, max_rows: int = 30, missing: bool = True) -> dict[str, list[Any]]:
    """Draw the columns of a small table to learn from, full of ties: numbers, integers, booleans, categories."""
    n = draw(st.integers(1, max_rows))
    hole = [st.none()] if missing else []
    cells = {
        "number": st.one_of(st.sampled_from((0.0, 0.1, 0.2, 1.0, -1.0, math.inf, 1.0 + 2**-52)), *hole),
        "integer": st.one_of(st.integers(-2, 2), st.sampled_from((2**53, 2**53 + 1)), *hole),
        "flag": st.one_of(st.booleans(), *hole),
        "colour": st.one_of(st.sampled_from(("red", "green", "blue", "否")), *hole),
    }
    names = draw(st.lists(st.sampled_from(sorted(cells)), min_size=1, unique=True))
    return {name: draw(st.lists(cells[name], min_size=n, max_size=n)) for name in names}
