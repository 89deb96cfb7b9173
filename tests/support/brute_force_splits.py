"""Every split of a small table and its gain in exact arithmetic, for comparison with what is learned."""

from fractions import Fraction
from itertools import combinations
from typing import Any

from hypothesis import strategies as st

from strategies_random import columns
from treerules import Recipe, Table, Tree, learn
from treerules.criteria import gini
from treerules.trees import MeanPrediction, Split, ThresholdTest, leaves, tree_to_json

LABELS = ("a", "b", "c")


@st.composite
def problems(draw: st.DrawFn, n_classes: int = 3, missing: bool = True) -> dict[str, list[Any]]:
    """Draw a table with a target y of a few classes, all columns kept."""
    data = draw(columns(missing=missing))
    n = len(next(iter(data.values())))
    return {**data, "y": draw(st.lists(st.sampled_from(LABELS[:n_classes]), min_size=n, max_size=n))}


def learned(data: dict[str, list[Any]], recipe: Recipe, **options: Any) -> Tree:
    """Return the tree of a drawn table."""
    return learn(Table.from_columns(data), target="y", recipe=recipe, features=[n for n in data if n != "y"], **options)


def bytes_of(tree: Tree) -> str:
    """Return a model file."""
    return tree_to_json(tree)


def children_at_root(tree: Tree, data: dict[str, list[Any]], *, with_missing: bool) -> list[list[int]]:
    """Return the rows of each child of the root, those of missing value where they go, or left out."""
    assert isinstance(tree.root, Split)
    cells = data[tree.schema.features[tree.root.test.feature].name]
    sides = _sides(tree, tree.root, data, [row for row, value in enumerate(cells) if value is not None])
    if with_missing:
        sides[tree.root.missing] += [row for row, value in enumerate(cells) if value is None]
    return sides


def _sides(tree: Tree, node: Split, data: dict[str, list[Any]], rows: list[int]) -> list[list[int]]:
    feature = tree.schema.features[node.test.feature]
    sides: list[list[int]] = [[] for _ in node.children]
    for row in rows:
        value = data[feature.name][row]
        if isinstance(node.test, ThresholdTest):
            sides[0 if value <= node.test.threshold else 1].append(row)
        else:
            place = feature.position(value)
            sides[next(s for s, group in enumerate(node.test.groups) if place in group)].append(row)
    return sides


def gini_gain(sides: list[list[str]], n: int) -> Fraction:
    """Return the exact gain of a split of the known rows, times their share of n."""
    everything = [label for side in sides for label in side]
    return (_purity(sides) - _purity([everything])) / n


def _purity(sides: list[list[str]]) -> Fraction:
    return sum((Fraction(sum(side.count(c) ** 2 for c in set(side)), len(side)) for side in sides if side), Fraction())


def binary_splits(feature: Any, cells: list[Any], one_against_rest: bool) -> list[tuple[Any, frozenset[int]]]:
    """Return every split of a column into two sides, in the order in which ties are broken: (what, first rows)."""
    known = [row for row, cell in enumerate(cells) if cell is not None]
    values = sorted({cells[row] for row in known})
    if feature.is_ordered:
        return [(a, frozenset(row for row in known if cells[row] <= a)) for a in values[:-1]]
    first_sides = []
    for size in range(len(values)):
        for others in combinations(values[1:], size):
            side = (values[0], *others)
            if len(side) < len(values) and (not one_against_rest or 1 in (len(side), len(values) - len(side))):
                first_sides.append(side)
    ordered = sorted(first_sides, key=lambda side: [feature.position(value) for value in side])
    return [(side, frozenset(row for row in known if cells[row] in side)) for side in ordered]


#: A way to split: the sides of known values, the children whose rows count, where missing values go; `None` for the
#: first side is known against missing.
Way = tuple[Any, list[set[int]], list[set[int]], int]


def ways(feature: Any, cells: list[Any], recipe: Recipe) -> list[Way]:
    """Return every way in which a recipe of two sides may split by a feature, in the order in which ties are broken."""
    known = {row for row, cell in enumerate(cells) if cell is not None}
    missing = set(range(len(cells))) - known
    found: list[Way] = []
    for what, first in binary_splits(feature, cells, recipe.categories == "one_against_rest"):
        sides = [set(first), known - first]
        large = 0 if len(sides[0]) >= len(sides[1]) else 1
        if not missing or recipe.missing in ("larger", "fraction"):
            found.append((what, sides, sides, large))
        elif recipe.missing == "branch":
            found.append((what, sides, [*sides, missing], 2))
        else:
            for to in (large, 1 - large):
                found.append((what, sides, [side | missing if at == to else side for at, side in enumerate(sides)], to))
    if missing and known and recipe.missing in ("learned", "branch"):
        found.append((None, [known, set()], [known, missing], 1))
    return [way for way in found if min(map(len, way[2][:2])) >= recipe.min_samples_leaf]


def best_way(tree: Tree, data: dict[str, list[Any]], gain: Any) -> tuple[Fraction, Any]:
    """Return the greatest gain of all ways to split a table, and the first (feature, way) of those that have it."""
    best, chosen = Fraction(0), None
    for feature in tree.schema.features:
        for way in ways(feature, data[feature.name], tree.recipe):
            found = gain([[data["y"][row] for row in child] for child in way[2]], len(data["y"]))
            if found > best:
                best, chosen = found, (feature, way)
    return best, chosen


def impurity_left(tree: Tree) -> float:
    """Return the training impurity: of the leaves, weighted by their rows."""
    n = sum(leaf.n for leaf in leaves(tree.root))
    if tree.schema.is_regression:
        return (
            sum(
                leaf.n * leaf.prediction.sd**2
                for leaf in leaves(tree.root)
                if isinstance(leaf.prediction, MeanPrediction)
            )
            / n
        )
    return sum(leaf.n * gini(leaf.counts) for leaf in leaves(tree.root)) / n


def their_impurity(model: Any) -> float:
    """Return the training impurity of a tree of scikit-learn's."""
    tree = model.tree_
    ends = tree.children_left == -1
    return float((tree.impurity[ends] * tree.n_node_samples[ends]).sum() / tree.n_node_samples[0])


def square_gain(sides: list[list[int]], n: int) -> Fraction:
    """Return the exact decrease of the variance on the rows of the sides, times their share of n."""
    everything = [value for side in sides for value in side]
    parts = sum((Fraction(sum(side) ** 2, len(side)) for side in sides if side), Fraction())
    return (parts - Fraction(sum(everything) ** 2, len(everything))) / n
