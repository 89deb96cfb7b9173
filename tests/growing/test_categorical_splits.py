"""How categories and ordinals are divided, and which feature wins: against brute force in exact arithmetic, and SVD."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from brute_force_c45 import entropy, gain_and_width, reached, ways_of_c45
from brute_force_splits import best_way, children_at_root, gini_gain, problems, square_gain, ways
from selection import few
from strategies_random import a_table
from treerules import Recipe, Table, Tree, c45, cart, id3, learn
from treerules.trees import CategoryTest, Leaf, Split, leaves, preorder

SEEDS = st.integers(0, 2**32)
#: Each test is run for many recipes and policies, so with few examples each.
FEW = settings(max_examples=max(5, settings().max_examples // 5))


class Rows:
    """A table of one feature c and a target y, with case weights and class factors, and its scores by definition."""

    def __init__(self, cells: list[str], y: list[Any], weights: list[Fraction], factors: dict[Any, Fraction]) -> None:
        self.cells, self.y, self.weights = cells, y, weights
        self.altered = [weight * factors.get(label, Fraction(1)) for weight, label in zip(weights, y, strict=True)]
        self.values = sorted(set(cells))

    def rows(self, side: Sequence[str]) -> list[int]:
        """Return the rows of some categories."""
        return [row for row, cell in enumerate(self.cells) if cell in side]

    def size(self, side: Sequence[str]) -> Fraction:
        """Return the case weight of some categories."""
        return sum((self.weights[row] for row in self.rows(side)), Fraction())

    def count(self, side: Sequence[str]) -> Fraction:
        """Return what least numbers of rows count: copies where all weights are whole numbers, otherwise rows."""
        are_copies = all(weight.denominator == 1 for weight in self.weights)
        return self.size(side) if are_copies else Fraction(len(self.rows(side)))

    def _sums(self, side: Sequence[str]) -> list[Fraction]:
        rows = self.rows(side)
        return [sum((self.altered[r] for r in rows if self.y[r] == c), Fraction()) for c in sorted(set(self.y))]

    def gini_gain(self, sides: Sequence[Sequence[str]]) -> Fraction:
        """Return the exact decrease of Gini (Breiman 1984, 2.4)."""
        whole = self._sums(self.values)
        parts = [self._sums(side) for side in sides]
        squares = [sum((n * n for n in part), Fraction()) / sum(part) for part in (*parts, whole)]
        return (sum(squares[:-1], Fraction()) - squares[-1]) / sum(whole)

    def information_gain(self, sides: Sequence[Sequence[str]]) -> float:
        """Return the information gain in bits."""
        whole = sum(self._sums(self.values))
        parts = [[float(n) for n in self._sums(side)] for side in sides]
        after = sum(sum(part) * entropy(part) for part in parts)
        return entropy([float(n) for n in self._sums(self.values)]) - after / float(whole)

    def variance_gain(self, sides: Sequence[Sequence[str]]) -> Fraction:
        """Return the exact decrease of the variance."""

        def of(side: Sequence[str]) -> Fraction:
            total = sum((self.weights[row] * self.y[row] for row in self.rows(side)), Fraction())
            return total * total / self.size(side)

        return (sum((of(side) for side in sides), Fraction()) - of(self.values)) / self.size(self.values)

    def table(self, lost: int = 0) -> Table:
        """Return the rows with a column w of their weights, and so many more whose category is missing."""
        weights = [*(float(weight) for weight in self.weights), *[1.0] * lost]
        columns = {"c": [*self.cells, *[None] * lost], "w": weights, "y": [*self.y, *self.y[:1] * lost]}
        return Table.from_columns(columns, types={"c": "category"})


def drawn(
    random: Random, *, most: int, classes: int, weighed: bool = False, factored: bool = False, rows_per_value: int = 3
) -> Rows:
    """Return rows of up to so many categories; no classes: a target of integers."""
    n_values = random.randint(2, most)
    values = [f"k{value:02}" for value in range(n_values)]
    cells = values + [random.choice(values) for _ in range(n_values * random.randint(0, rows_per_value))]
    y = [random.randint(-5, 5) if classes == 0 else "abcd"[random.randrange(classes)] for _ in cells]
    weights = [Fraction(random.choice((1, 2, 3, 4)), 2) if weighed else Fraction(1) for _ in cells]
    return Rows(cells, y, weights, {"a": Fraction(4), "b": Fraction(1, 2)} if factored else {})


def learned(rows: Rows, recipe: Recipe, lost: int = 0, **options: Any) -> Tree:
    """Return the tree of drawn rows."""
    return learn(rows.table(lost), target="y", recipe=recipe, weight="w", features=["c"], **options)


def first_sides(values: Sequence[str]) -> list[tuple[str, ...]]:
    """Return every first side of a division in two, which holds the first category, in the order of ties."""
    sides = [(values[0], *others) for size in range(len(values) - 1) for others in combinations(values[1:], size)]
    return sorted(sides)


def assert_first_best(
    tree: Tree, rows: Rows, gain: Callable[..., Any], sides: Sequence[tuple[str, ...]], least: float
) -> None:
    """Compare the root with the first of the best divisions, within 1e-12 of the impurity."""
    scored = []
    for side in sides:
        rest = tuple(value for value in rows.values if value not in side)
        if min(rows.count(side), rows.count(rest)) >= least:
            scored.append((gain((side, rest)), side))
    tolerance = 1e-12 * max([1, *(abs(float(score)) for score, _ in scored)])
    best = max((score for score, _ in scored), default=Fraction())
    if best <= tolerance:
        assert not isinstance(tree.root, Split)
        return
    wanted = next(side for score, side in scored if score >= best - tolerance)
    assert isinstance(tree.root, Split) and isinstance(tree.root.test, CategoryTest)
    assert tuple(tree.schema.features[0].categories[index] for index in tree.root.test.groups[0]) == wanted


# ---- two subsets


@pytest.mark.parametrize("least", few([1, 2, 3.5], 1))
@pytest.mark.parametrize("factored", [False, True], ids=["plain", "class_weight"])
@pytest.mark.parametrize("weighed", [False, True], ids=["rows", "weights"])
@pytest.mark.parametrize("classes", [2, 3, 4])
@FEW
@given(seed=SEEDS)
def test_the_best_subset_is_that_of_all_subsets(
    classes: int, weighed: bool, factored: bool, least: float, seed: int
) -> None:
    """By Gini, entropy and C4.5's gain, exact for two classes (Breiman, theorem 4.5) and for more up to 10 categories.

    With leaves that one category alone may not fill the theorem does not hold, and all subsets are searched too.
    """
    rows = drawn(Random(seed), most=6, classes=classes, weighed=weighed, factored=factored)
    options: dict[str, Any] = {"min_samples_leaf": least, "max_depth": 1}
    if factored:
        options["class_weight"] = {c: f for c, f in (("a", 4), ("b", 0.5)) if c in rows.y}
    sides = first_sides(rows.values)
    assert_first_best(learned(rows, cart(**options)), rows, rows.gini_gain, sides, least)
    for recipe in (cart(criterion="entropy", **options), c45(categories="subset", **options)):
        assert_first_best(learned(rows, recipe), rows, rows.information_gain, sides, least)


@pytest.mark.parametrize("least", [1, 2, 3.5])
@pytest.mark.parametrize("weighed", [False, True], ids=["rows", "weights"])
@FEW
@given(seed=SEEDS)
def test_the_best_subset_of_a_regression_is_that_of_all_subsets(weighed: bool, least: float, seed: int) -> None:
    """The squared error, in exact arithmetic."""
    rows = drawn(Random(seed), most=6, classes=0, weighed=weighed)
    tree = learned(rows, cart(min_samples_leaf=least, max_depth=1), task="regression")
    assert_first_best(tree, rows, rows.variance_gain, first_sides(rows.values), least)


@pytest.mark.large
@pytest.mark.parametrize(("classes", "n", "least"), [(2, 12, 1), (0, 12, 1), (3, 10, 1), (2, 10, 4), (0, 10, 4)])
@pytest.mark.parametrize("seed", range(4))
def test_many_categories_are_still_divided_best(classes: int, n: int, least: int, seed: int) -> None:
    """Two classes and regressions by the theorem at any number, all else by trying all subsets of up to ten."""
    random = Random(seed)
    rows = drawn(random, most=2, classes=classes)
    while len(rows.values) != n:
        rows = drawn(random, most=n, classes=classes)
    tree = learned(rows, cart(min_samples_leaf=least, max_depth=1), task=None if classes else "regression")
    gain = rows.gini_gain if classes else rows.variance_gain
    assert_first_best(tree, rows, gain, first_sides(rows.values), least)


@pytest.mark.parametrize("is_regression", [False, True], ids=["two classes", "regression"])
@FEW
@given(seed=SEEDS)
def test_missing_values_too_few_for_a_leaf_join_the_best_subset(is_regression: bool, seed: int) -> None:
    """They are one category more, too small to stand alone, so the order of means would miss some of the best sides."""
    random = Random(seed)
    cells: list[Any] = [value for value in "ABCD" for _ in range(random.choice((3, 4, 20)))]
    y = [random.choice((0, 0, 1)) for _ in cells]
    cells, y = [*cells, None, None], [*y, *([60, 60] if is_regression else [1, 1])]
    data: dict[str, list[Any]] = {"c": cells, "y": y if is_regression else ["ab"[label] for label in y]}
    task: Any = "regression" if is_regression else "classification"
    recipe = cart(min_samples_leaf=3, max_depth=1)
    tree = learn(Table.from_columns(data), target="y", recipe=recipe, features=["c"], task=task)
    gain = square_gain if is_regression else gini_gain
    best, chosen = best_way(tree, data, gain)
    assert (chosen is None) is not isinstance(tree.root, Split)
    if chosen is not None:
        children = children_at_root(tree, data, with_missing=True)
        actual = gain([[data["y"][row] for row in side] for side in children], len(cells))
        assert float(actual) == pytest.approx(float(best), rel=1e-9)


@FEW
@given(seed=SEEDS)
def test_one_against_the_rest(seed: int) -> None:
    """Li Hang, algorithm 5.6: one category on one side, whichever gains most."""
    rows = drawn(Random(seed), most=8, classes=3, weighed=True)
    sides = [side for side in first_sides(rows.values) if 1 in (len(side), len(rows.values) - len(side))]
    for least in (0.5, 2):
        recipe = cart(categories="one_against_rest", max_depth=1, min_samples_leaf=least, min_samples_split=0.1)
        assert_first_best(learned(rows, recipe), rows, rows.gini_gain, sides, least)


# ---- beyond ten categories


def by_principal_component(rows: Rows) -> tuple[list[tuple[str, ...]], float]:
    """Return the first sides of the cuts in the order of Coppersmith, Hong and Hosking (1999), section 4, by SVD.

    Class shares of the categories, centred, each row times the root of its weight: the places on the first right
    singular vector. Also how far the first singular value is above the second, relatively.
    """
    classes = sorted(set(rows.y))
    of_value = [[sum(rows.altered[r] for r in rows.rows([v]) if rows.y[r] == c) for c in classes] for v in rows.values]
    sums = np.array(of_value, dtype=np.float64)
    sizes = sums.sum(axis=1)
    shares = sums / sizes[:, None]
    centred = shares - (sizes @ shares) / sizes.sum()
    _, values, vectors = np.linalg.svd(np.sqrt(sizes)[:, None] * centred)
    coordinates = np.round(centred @ vectors[0], 9)
    sides = []
    for cut in sorted(set(coordinates.tolist()))[:-1]:
        below = tuple(v for v, index in zip(rows.values, coordinates.tolist(), strict=True) if index <= cut)
        above = tuple(v for v in rows.values if v not in below)
        sides.append(min(below, above))
    return sorted(sides), float((values[0] - values[1]) / values[0]) if values[0] else 0.0


@pytest.mark.parametrize("factored", [False, True], ids=["plain", "class_weight"])
@pytest.mark.parametrize("least", [1, 5])
@FEW
@given(seed=SEEDS)
def test_many_categories_of_many_classes_are_cut_in_the_order_of_the_first_component(
    least: int, factored: bool, seed: int
) -> None:
    """Eleven and more categories, three and more classes: the best cut of that order, and no other division."""
    random = Random(seed)
    rows = drawn(random, most=16, classes=random.choice((3, 4)), weighed=True, factored=factored)
    assume(len(rows.values) > 10 and len(set(rows.y)) > 2)
    sides, gap = by_principal_component(rows)
    assume(gap > 1e-6)  # else there is no first one
    options: dict[str, Any] = {"class_weight": {"a": 4, "b": 0.5}} if factored else {}
    assume(not factored or {"a", "b"} <= set(rows.y))
    tree = learned(rows, cart(max_depth=1, min_samples_leaf=least, **options))
    assert_first_best(tree, rows, rows.gini_gain, sides, least)


@pytest.mark.parametrize("classes", [0, 2])
@FEW
@given(seed=SEEDS)
def test_many_categories_too_small_for_a_leaf_are_cut_in_the_order_of_their_means(classes: int, seed: int) -> None:
    """Where the theorem does not hold and all subsets would be too many: the best cut of its order."""
    rows = drawn(Random(seed), most=15, classes=classes, weighed=True)
    assume(len(rows.values) > 10 and len(set(rows.y)) > 1)
    assume(min(rows.count([value]) for value in rows.values) < 3)
    y = [sorted(set(rows.y)).index(label) for label in rows.y] if classes else rows.y

    def mean(value: str) -> Fraction:
        return sum((rows.weights[r] * y[r] for r in rows.rows([value])), Fraction()) / rows.size([value])

    means = {value: mean(value) for value in rows.values}
    sides = []
    for cut in sorted(set(means.values()))[:-1]:
        below = tuple(value for value in rows.values if means[value] <= cut)
        sides.append(min(below, tuple(value for value in rows.values if value not in below)))
    tree = learned(rows, cart(min_samples_leaf=3, max_depth=1), task=None if classes else "regression")
    assert_first_best(tree, rows, rows.gini_gain if classes else rows.variance_gain, sorted(sides), 3)


# ---- a child for each, and groups


def greedy_groups(rows: Rows, least: float, lost: int) -> list[tuple[str, ...]]:
    """Return the groups that Quinlan's merging finds (C4.5, 1993, chapter 7), by the definition.

    From one category each, the two groups are merged that leave the greatest gain ratio, the first pair on ties,
    while it rises (or the groups are too small to be offered) and more than two are left. So many rows more have a
    missing value, which is one of its own in the split information.
    """
    groups = [(value,) for value in rows.values]
    share = float(rows.size(rows.values) / (rows.size(rows.values) + lost))

    def ratio_of(groups: Sequence[Sequence[str]]) -> float:
        return share * rows.information_gain(groups) / entropy([*(float(rows.size(group)) for group in groups), lost])

    def is_offered() -> bool:
        return sum(rows.count(group) >= least for group in groups) >= 2

    best = ratio_of(groups)
    while len(groups) > 2:
        merged = []
        for a, b in combinations(range(len(groups)), 2):
            rest = [group for index, group in enumerate(groups) if index != b]
            rest[a] = tuple(sorted(groups[a] + groups[b]))
            merged.append((ratio_of(rest), rest))
        ratio = max(ratio for ratio, _ in merged)
        if ratio <= best + 1e-12 and is_offered():
            break
        best = max(best, ratio) if is_offered() else ratio
        groups = next(rest for actual, rest in merged if actual >= ratio - 1e-12)
    return sorted(groups)


@pytest.mark.parametrize("lost", [0, 5])
@pytest.mark.parametrize("least", [1, 3])
@pytest.mark.parametrize("classes", [2, 3])
@FEW
@given(seed=SEEDS)
def test_groups_are_those_of_quinlans_merging(classes: int, least: int, lost: int, seed: int) -> None:
    """Compared with the definition, on weighed rows and with missing values; a child for each group."""
    rows = drawn(Random(seed), most=7, classes=classes, weighed=True)
    assume(len(set(rows.y)) > 1)
    tree = learned(rows, c45(categories="grouped", max_depth=1, min_samples_leaf=least), lost)
    groups = greedy_groups(rows, least, lost)
    large = sum(rows.count(group) >= least for group in groups)
    if large < 2 or rows.information_gain(groups) <= 1e-12:
        assert not isinstance(tree.root, Split)
        return
    assert isinstance(tree.root, Split) and isinstance(tree.root.test, CategoryTest)
    categories = tree.schema.features[0].categories
    assert [tuple(categories[index] for index in group) for group in tree.root.test.groups] == groups


@pytest.mark.parametrize("recipe", [id3(), c45()], ids=["id3", "c45"])
@FEW
@given(seed=SEEDS)
def test_a_child_for_each_category(recipe: Recipe, seed: int) -> None:
    """In their order; offered where two of them are large enough for a leaf."""
    rows = drawn(Random(seed), most=8, classes=3)
    tree = learned(rows, recipe)
    if isinstance(tree.root, Split):
        assert isinstance(tree.root.test, CategoryTest)
        assert tree.root.test.groups == tuple((index,) for index in range(len(rows.values)))
        assert [sum(x.n for x in leaves(child)) for child in tree.root.children] == [
            rows.size([value]) for value in rows.values
        ]
    else:
        assert rows.information_gain([(value,) for value in rows.values]) <= 1e-12


@pytest.mark.parametrize("kind", ["id3", "c45", "grouped", "subset", "one_against_rest"])
@FEW
@given(seed=SEEDS)
def test_categories_that_do_not_reach_a_node_are_routed_by_its_test(kind: str, seed: int) -> None:
    """Of two sides to the larger; else to a last child for all of them, an empty leaf that predicts as its node."""
    make: dict[str, Any] = {
        "id3": id3(missing="branch"),
        "c45": c45(missing="branch"),
        "grouped": c45(categories="grouped", missing="branch"),
        "subset": cart(missing="branch"),
        "one_against_rest": cart(categories="one_against_rest", missing="branch"),
    }
    table = a_table(Random(seed), ordered=False)
    tree = learn(table, target="y", recipe=make[kind], features=[name for name in table.schema.indices if name != "y"])
    for visit in reached(tree, [table.row(row) for row in range(table.n_rows)]):
        node = visit.node
        if not isinstance(node, Split) or not isinstance(node.test, CategoryTest) or () in node.test.groups:
            continue
        feature = tree.schema.features[node.test.feature]
        if (feature.kind == "ordinal" and kind != "id3") or (feature.kind == "boolean" and tree.recipe.is_binary):
            continue  # cut in their order
        present = {table.row(row)[feature.name] for row in visit.parts}
        absent = {index for index, category in enumerate(feature.categories) if category not in present}
        if tree.recipe.is_binary:
            assert absent <= set(node.test.groups[0 if visit.known[0] >= visit.known[1] else 1])
        elif absent:
            empty = node.children[node.test.arity - 1]
            assert set(node.test.groups[-1]) == absent
            assert isinstance(empty, Leaf) and empty.n == 0
            assert node.as_leaf is not None and empty.prediction == node.as_leaf.prediction


# ---- ordinals


@pytest.mark.parametrize("recipe", [cart(), cart(criterion="entropy"), c45(), c45(categories="grouped")], ids=str)
@FEW
@given(seed=SEEDS)
def test_an_ordinal_is_cut_in_its_declared_order(recipe: Recipe, seed: int) -> None:
    """Whatever the spelling of its levels: the best of the cuts between levels that rows hold; the lowest on ties."""
    random = Random(seed)
    rows = drawn(random, most=6, classes=3)
    order = random.sample(rows.values, len(rows.values))
    table = Table.from_columns({"c": rows.cells, "y": rows.y}, types={"c": f"ordinal:{'<'.join(order)}<never"})
    tree = learn(table, target="y", recipe=evolve(recipe, max_depth=1), features=["c"])
    gain = rows.gini_gain if recipe.criterion == "gini" else rows.information_gain
    scored = [(gain((order[:cut], order[cut:])), cut) for cut in range(1, len(order))]
    best = max(score for score, _ in scored)
    if best <= 1e-12:
        assert not isinstance(tree.root, Split)
        return
    cut = next(cut for score, cut in scored if score >= best - Fraction(1, 10**12))
    assert isinstance(tree.root, Split) and isinstance(tree.root.test, CategoryTest)
    low, high = tree.root.test.groups
    assert [*low, *high] == list(range(len(order) + 1)) and len(low) == cut


# ---- costs of asking


@st.composite
def costly(draw: st.DrawFn) -> tuple[dict[str, list[Any]], dict[str, float], list[str]]:
    """Draw a problem, the costs of some features (powers of two, so that quotients are exact) and preferred ones."""
    data = draw(problems())
    names = [name for name in data if name != "y"]
    twin = draw(st.sampled_from(names))
    data = {**{name: data[name] for name in names}, "twin": data[twin], "y": data["y"]}
    names.append("twin")
    costs = draw(st.dictionaries(st.sampled_from(names), st.sampled_from((0.25, 0.5, 2.0, 4.0))))
    return data, costs, draw(st.permutations(names))[: draw(st.integers(0, len(names)))]


def _grown(data: dict[str, list[Any]], recipe: Recipe) -> Tree:
    return learn(Table.from_columns(data), target="y", recipe=recipe, features=[name for name in data if name != "y"])


@pytest.mark.parametrize("missing", ["larger", "learned"])
@FEW
@given(drawn=costly())
def test_gains_are_divided_by_the_cost_of_asking(missing: Any, drawn: Any) -> None:
    """CART: the greatest improvement over cost wins (as by rpart's cost); of equal ones the first preferred feature."""
    data, costs, prefer = drawn
    tree = _grown(data, cart(missing=missing, feature_cost=costs, prefer=prefer))
    best, chosen = Fraction(0), None
    for name in in_order_of_ties(tree, prefer):
        feature = tree.schema.features[tree.schema.index(name)]
        for way in ways(feature, data[name], tree.recipe):
            gain = gini_gain([[data["y"][row] for row in child] for child in way[2]], len(data["y"]))
            if gain / Fraction(costs.get(name, 1.0)) > best:
                best, chosen = gain / Fraction(costs.get(name, 1.0)), (name, way[3])
    if chosen is None:
        assert not isinstance(tree.root, Split)
    else:
        assert isinstance(tree.root, Split)
        assert (tree.schema.features[tree.root.test.feature].name, tree.root.missing) == chosen


def in_order_of_ties(tree: Tree, prefer: Sequence[str]) -> list[str]:
    """Return the features' names, the preferred ones first."""
    return [*prefer, *(feature.name for feature in tree.schema.features if feature.name not in prefer)]


@pytest.mark.parametrize("make", [id3, c45], ids=["id3", "c45"])
@FEW
@given(drawn=costly())
def test_gain_ratios_are_divided_by_the_cost_of_asking(make: Any, drawn: Any) -> None:
    """ID3 and C4.5: gain or gain ratio over cost; of equal ones the first preferred feature."""
    data, costs, prefer = drawn
    if make is id3:
        closed = {
            name for name, cells in data.items() if all(isinstance(cell, (str, bool, type(None))) for cell in cells)
        }
        assume(len(closed) > 1)
        data = {name: cells for name, cells in data.items() if name in closed}
        costs, prefer = {name: costs[name] for name in costs if name in closed}, [n for n in prefer if n in closed]
    tree = _grown(data, make(missing="larger", feature_cost=costs, prefer=prefer))
    tolerance = 1e-12 * entropy([data["y"].count(c) for c in set(data["y"])])
    rivals = []
    for name in in_order_of_ties(tree, prefer):
        feature = tree.schema.features[tree.schema.index(name)]
        divisions = ways_of_c45(feature, data[name], tree.recipe)
        actual = [gain_and_width(way, data["y"], "larger") for way in divisions]
        best = max((gain for gain, _ in actual), default=0.0)
        if best > tolerance:
            gain, width = next(way for way in actual if way[0] >= best - tolerance)
            rivals.append(((gain if make is id3 else gain / width) / costs.get(name, 1.0), name))
    if not rivals:
        assert not isinstance(tree.root, Split)
    else:
        assert isinstance(tree.root, Split)
        wanted = next(name for worth, name in rivals if worth >= max(worth for worth, _ in rivals) - 1e-11)
        assert tree.schema.features[tree.root.test.feature].name == wanted


@FEW
@given(data=problems())
def test_preferring_a_feature_decides_between_equals_alone(data: dict[str, list[Any]]) -> None:
    """A copy of a column wins everywhere when it is preferred, and the tree is the same but for its name."""
    first = next(name for name in data if name != "y")
    twin = {**{name: cells for name, cells in data.items() if name != "y"}, "twin": data[first], "y": data["y"]}
    plain, preferred = (_grown(twin, cart(prefer=prefer)) for prefer in ((), ("twin",)))

    def tested_features(tree: Tree) -> list[Any]:
        names = [feature.name for feature in tree.schema.features]
        return [names[node.test.feature] if isinstance(node, Split) else node.n for node in preorder(tree.root)]

    assert "twin" not in tested_features(plain)
    if set(data) == {first, "y"}:
        assert [first if name == "twin" else name for name in tested_features(preferred)] == tested_features(plain)
    assert first not in tested_features(preferred)
