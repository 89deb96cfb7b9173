"""Learning against what we did not write: brute force in exact arithmetic, scikit-learn, and the laws of ties."""

import math
from random import Random
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from brute_force_splits import (
    LABELS,
    best_way,
    bytes_of,
    children_at_root,
    gini_gain,
    impurity_left,
    learned,
    problems,
    square_gain,
    their_impurity,
)
from strategies_random import columns
from treerules import Kind, Recipe, Table, Tree, apply, c45, cart, id3, learn, predict
from treerules.criteria import entropy, information_gain, split_information
from treerules.errors import ColumnError, DataError, OptionError, TreeRulesError, UnknownNameError
from treerules.trees import CategoryTest, MeanPrediction, Split, ThresholdTest, leaves, preorder
from treerules.trees.nodes import shape

#: Every row goes to one leaf, by all policies but one.
WHOLE = [
    cart(missing="larger"),
    cart(criterion="entropy", missing="larger"),
    cart(categories="one_against_rest", missing="larger"),
    c45(missing="larger"),
    c45(average_gain=True, missing="larger"),
    cart(),
    cart(criterion="entropy"),
    cart(categories="one_against_rest"),
    c45(missing="learned"),
    cart(missing="branch"),
    c45(missing="branch"),
]
#: Rows with a missing value go to all children, in parts.
IN_PARTS = [c45(), c45(average_gain=True), cart(missing="fraction")]
RECIPES = [*WHOLE, *IN_PARTS]


def rows_at(tree: Tree, data: dict[str, list[Any]]) -> dict[int, list[int]]:
    """Return the training rows that reach each node, by node number."""
    table = Table.from_columns(data)
    numbers = apply(tree, table)
    found: dict[int, list[int]] = {}
    leaf = 0
    for at, node in enumerate(preorder(tree.root)):
        if not isinstance(node, Split):
            leaf += 1
        below = range(leaf + 1, leaf + 1 + shape(node)[0]) if isinstance(node, Split) else [leaf]
        found[at] = [row for row, number in enumerate(numbers.tolist()) if number in below]
    return found


# ---- laws


@pytest.mark.parametrize("recipe", RECIPES, ids=str)
@given(data=problems(), seed=st.integers(0, 2**32))
def test_the_order_of_rows_is_nothing(recipe: Recipe, data: dict[str, list[Any]], seed: int) -> None:
    """Shuffled rows give the same bytes."""
    order = Random(seed).sample(range(len(data["y"])), len(data["y"]))
    shuffled = {name: [cells[row] for row in order] for name, cells in data.items()}
    assert bytes_of(learned(shuffled, recipe)) == bytes_of(learned(data, recipe))


@given(data=columns(), values=st.data(), seed=st.integers(0, 2**32))
def test_the_order_of_rows_is_nothing_to_a_regression(
    data: dict[str, list[Any]], values: st.DataObject, seed: int
) -> None:
    """Sums are taken in an order of their own, so figures are equal bit for bit."""
    n = len(next(iter(data.values())))
    data = {**data, "y": values.draw(st.lists(st.floats(-1e6, 1e6), min_size=n, max_size=n))}
    order = Random(seed).sample(range(n), n)
    shuffled = {name: [cells[row] for row in order] for name, cells in data.items()}
    for missing in ("larger", "learned", "branch", "fraction"):
        recipe = cart(missing=missing)
        assert bytes_of(learned(shuffled, recipe)) == bytes_of(learned(data, recipe))


@pytest.mark.parametrize("recipe", WHOLE, ids=str)
@given(data=problems())
def test_leaves_hold_the_rows_that_reach_them(recipe: Recipe, data: dict[str, list[Any]]) -> None:
    """The training figures are those of the training rows, routed by the finished tree, missing values included."""
    tree = learned(data, recipe)
    classes = tree.schema.classes
    counts = [[0] * len(classes) for _ in leaves(tree.root)]
    for number, label in zip(apply(tree, Table.from_columns(data)).tolist(), data["y"], strict=True):
        counts[number - 1][classes.index(label)] += 1
    assert [list(leaf.counts) for leaf in leaves(tree.root)] == counts
    for leaf in leaves(tree.root):
        if leaf.n:
            assert leaf.prediction.value == classes[leaf.counts.index(max(leaf.counts))]  # the first on ties


@pytest.mark.parametrize("recipe", RECIPES, ids=str)
@given(data=problems())
def test_every_node_knows_the_leaf_it_would_be(recipe: Recipe, data: dict[str, list[Any]]) -> None:
    """A split carries its own figures: the sums over its leaves; up to rounding where rows go in parts."""
    tree = learned(data, recipe)
    for node in preorder(tree.root):
        if isinstance(node, Split):
            below = [sum(column) for column in zip(*(leaf.counts for leaf in leaves(node)), strict=True)]
            assert node.as_leaf is not None
            found = list(node.as_leaf.counts)
            assert found == (pytest.approx(below, rel=1e-12) if recipe.missing == "fraction" else below)


@given(data=problems())
def test_missing_and_unseen_values_go_to_the_largest_child(data: dict[str, list[Any]]) -> None:
    """Where the recipe says so. Largest by rows of known value; the first on ties."""
    tree = learned(data, cart(missing="larger"))
    rows = rows_at(tree, data)
    for at, node in enumerate(preorder(tree.root)):
        if isinstance(node, Split):
            feature = tree.schema.features[node.test.feature]
            known = [row for row in rows[at] if data[feature.name][row] is not None]
            sizes = [0] * len(node.children)
            for row in known:
                value = data[feature.name][row]
                if isinstance(node.test, ThresholdTest):
                    sizes[0 if value <= node.test.threshold else 1] += 1
                else:
                    place = feature.position(value)
                    sizes[next(side for side, group in enumerate(node.test.groups) if place in group)] += 1
            assert node.missing == sizes.index(max(sizes))
            assert node.unseen == (node.missing if feature.is_open else None)


@given(
    data=problems(),
    depth=st.integers(0, 3),
    split=st.integers(2, 12),
    leaf=st.integers(1, 6),
    gain=st.sampled_from((0.0, 0.05, 0.2)),
)
def test_stopping_rules_are_kept(data: dict[str, list[Any]], depth: int, split: int, leaf: int, gain: float) -> None:
    """Depth, rows to split, rows in a leaf, gain: no node breaks one, for binary and for multiway splits."""
    for make in (cart, c45):
        for missing in ("larger", "learned", "branch", "fraction"):
            options = {"max_depth": depth, "min_samples_split": split, "min_samples_leaf": leaf, "min_gain": gain}
            tree = learned(data, make(**options, missing=missing))
            assert tree.depth <= depth
            for node in preorder(tree.root):
                if isinstance(node, Split):
                    sizes = [sum(x.n for x in leaves(child)) for child in node.children]
                    assert sum(sizes) >= split - 1e-9
                    large = sum(size >= leaf - 1e-9 for size in sizes[: node.test.arity])
                    assert large >= 2 if node.test.arity > 2 else large == 2
            if make is cart and isinstance(tree.root, Split):
                assert _gain_at_root(tree, data) >= gain - 1e-12


def _gain_at_root(tree: Tree, data: dict[str, list[Any]]) -> float:
    """Return the decrease of Gini at the root, of the known rows times their share where missing ones do not count."""
    sides = children_at_root(tree, data, with_missing=tree.recipe.missing in ("learned", "branch"))
    return float(gini_gain([[data["y"][row] for row in side] for side in sides], len(data["y"])))


# ---- brute force at the root


@pytest.mark.parametrize("missing", ["larger", "learned", "branch", "fraction"])
@pytest.mark.parametrize("options", [{}, {"categories": "one_against_rest"}, {"min_samples_leaf": 3}], ids=str)
@given(data=problems())
def test_the_root_of_cart_is_the_first_best_of_all_splits(
    missing: Any, options: dict[str, Any], data: dict[str, list[Any]]
) -> None:
    """Exact rational arithmetic over every cut and every subset, ties by the stated order; see `ways`."""
    recipe = cart(missing=missing, **options)
    tree = learned(data, recipe)
    _, chosen = best_way(tree, data, gini_gain)
    if chosen is None or len(data["y"]) < recipe.min_samples_split:
        assert not isinstance(tree.root, Split)
        return
    feature, (what, sides, _, to) = chosen
    assert isinstance(tree.root, Split)
    assert tree.schema.features[tree.root.test.feature] == feature
    assert [set(side) for side in children_at_root(tree, data, with_missing=False)[:2]] == sides
    assert tree.root.missing == to
    assert tree.root.unseen == (int(len(sides[0]) < len(sides[1])) if feature.is_open else None)
    assert len(tree.root.children) == (3 if to == 2 else 2)
    if what is None:
        everything = range(len(feature.categories))
        apart = ThresholdTest(0, feature.highest) if feature.is_ordered else CategoryTest(0, (everything, ()))
        assert evolve(tree.root.test, feature=0) == apart
    elif isinstance(tree.root.test, ThresholdTest):
        above = min(data[feature.name][row] for row in sides[1])
        assert what <= tree.root.test.threshold < above


@given(data=problems())
def test_the_root_of_id3_has_the_greatest_gain(data: dict[str, list[Any]]) -> None:
    """Over the categories and booleans of drawn tables, missing values weighed by their share."""
    data = {name: cells for name, cells in data.items() if name in ("flag", "colour", "y")}
    assume(len(data) > 1)
    tree = learned(data, id3())
    scores = {name: _multiway(data, name)[0] for name in data if name != "y"}
    best = max(scores.values())
    if best <= 1e-12:
        assert not isinstance(tree.root, Split)
    else:
        assert isinstance(tree.root, Split)
        name = tree.schema.features[tree.root.test.feature].name
        assert scores[name] == pytest.approx(best, abs=1e-12)
        assert name == next(n for n, score in scores.items() if score >= best - 1e-12)


def _multiway(data: dict[str, list[Any]], name: str) -> tuple[float, float]:
    """Return the information gain of a column and its split information, from the definitions."""
    known = [(v, y) for v, y in zip(data[name], data["y"], strict=True) if v is not None]
    values = sorted({value for value, _ in known})
    table = [[sum(v == value and y == c for v, y in known) for c in LABELS] for value in values]
    if len(values) < 2:
        return 0.0, 0.0
    return len(known) / len(data["y"]) * information_gain(table), split_information(table)


@given(data=problems(missing=False))
def test_the_root_of_c45_has_the_greatest_gain_ratio(data: dict[str, list[Any]]) -> None:
    """Over categories; a number's cut is the one of greatest gain, not of greatest ratio."""
    tree = learned(data, c45())
    ratios = {}
    for feature in tree.schema.features:
        gain, width = _best_cut(data, feature.name) if feature.is_ordered else _multiway(data, feature.name)
        if gain > 1e-12 * max(entropy([data["y"].count(c) for c in LABELS]), 1e-300):
            ratios[feature.name] = gain / width
    if not ratios:
        assert not isinstance(tree.root, Split)
    else:
        assert isinstance(tree.root, Split)
        name = tree.schema.features[tree.root.test.feature].name
        best = max(ratios.values())
        assert name == next(n for n, ratio in ratios.items() if ratio >= best - 1e-11)  # the first of equals


def _best_cut(data: dict[str, list[Any]], name: str) -> tuple[float, float]:
    cells, found = data[name], (0.0, 1.0)
    for cut in sorted(set(cells))[:-1]:
        table = [
            [sum((v <= cut) is first and y == c for v, y in zip(cells, data["y"], strict=True)) for c in LABELS]
            for first in (True, False)
        ]
        if information_gain(table) > found[0] + 1e-12:
            found = information_gain(table), split_information(table)
    return found


# ---- scikit-learn


@pytest.mark.peer
@pytest.mark.parametrize("depth", range(1, 9))
@pytest.mark.parametrize(
    "load", [load_iris, load_wine, load_breast_cancer, load_diabetes], ids=lambda load: load.__name__
)
def test_training_impurity_is_that_of_scikit_learn(load: Any, depth: int) -> None:
    """Within 1e-9 of scikit-learn's at the same depth: its ties are broken at random, so one of its seeds agrees."""
    data = load()
    table = Table.from_columns({f"x{n}": data.data[:, n] for n in range(data.data.shape[1])} | {"y": data.target})
    task = "regression" if load is load_diabetes else "classification"
    ours = impurity_left(learn(table, target="y", recipe=cart(max_depth=depth), task=task))  # type: ignore[arg-type]
    model = DecisionTreeRegressor if load is load_diabetes else DecisionTreeClassifier
    theirs = [their_impurity(model(max_depth=depth, random_state=s).fit(data.data, data.target)) for s in range(10)]
    scale = max(1.0, theirs[0])
    assert min(abs(ours - other) for other in theirs) <= 1e-9 * scale


# ---- exactness


@pytest.mark.parametrize(
    "recipe", [cart(), c45(), c45(quinlan=True, unpruned=True)], ids=["cart", "c45", "c45 as published"]
)
def test_adjacent_and_enormous_values_are_told_apart(recipe: Recipe) -> None:
    """Neighbouring doubles, infinities, the largest integers: cuts separate what float32 cannot.

    C4.5 as published cuts at values of the table, and only between those more than 1e-5 apart.
    """
    pairs: list[tuple[Any, Any]] = [
        (1.0, math.nextafter(1.0, 2.0)),
        (16777216.0, 16777217.0),
        (1e308, 1.7e308),
        (-1.7e308, 1.7e308),
        (0.0, 5e-324),
        (-math.inf, math.inf),
        (1.0, math.inf),
        (-math.inf, 1.0),
        (2**53, 2**53 + 1),
        (2**63 - 2, 2**63 - 1),
        (-(2**63), 2**63 - 1),
    ]
    for low, high in pairs:
        tree = learned({"x": [low, low, high, high], "y": ["a", "a", "b", "b"]}, recipe)
        if recipe.quinlan and high - low <= 1e-5:
            assert tree.n_leaves == 1
            continue
        assert isinstance(tree.root, Split) and isinstance(tree.root.test, ThresholdTest)
        assert not recipe.quinlan or tree.root.test.threshold == low
        assert low <= tree.root.test.threshold < high
        assert predict(tree, Table.from_columns({"x": [low, high]})).tolist() == ["a", "b"]


def test_negative_zero_is_zero() -> None:
    """-0.0 and 0.0 are one value: nothing to cut."""
    tree = learned({"x": [-0.0, 0.0], "y": ["a", "b"]}, cart())
    assert not isinstance(tree.root, Split)


@pytest.mark.parametrize("power", [-1000, -40, 60, 500, 1000])
def test_a_regression_does_not_feel_its_scale(power: int) -> None:
    """y * 2**k gives the same structure, and figures times 2**k exactly; none of these targets has a decimal unit."""
    table, scaled = _dyadic(lambda y: y * 2.0**-30), _dyadic(lambda y: y * 2.0**power)
    tree, other = (learn(t, target="y", recipe=cart(min_samples_leaf=3)) for t in (table, scaled))
    assert [_structure(node) for node in preorder(tree.root)] == [_structure(node) for node in preorder(other.root)]
    for a, b in zip(leaves(tree.root), leaves(other.root), strict=True):
        value, sd = (math.ldexp(figure, power + 30) for figure in (a.prediction.value, a.prediction.sd))  # type: ignore[union-attr]
        assert b.prediction == MeanPrediction(value, sd)


@pytest.mark.parametrize("power", [-1000, -30, 0, 1, 60, 1000])
def test_exact_figures_and_sums_of_doubles_agree(power: int) -> None:
    """Eighths have a decimal unit, and figures from exact sums; y * 2**k gives the same structure, and near figures."""
    table, scaled = _dyadic(lambda y: y), _dyadic(lambda y: y * 2.0**power)
    tree, other = (learn(t, target="y", recipe=cart(min_samples_leaf=3)) for t in (table, scaled))
    assert [_structure(node) for node in preorder(tree.root)] == [_structure(node) for node in preorder(other.root)]
    for a, b in zip(leaves(tree.root), leaves(other.root), strict=True):
        for figure in ("value", "sd"):
            near = pytest.approx(math.ldexp(getattr(a.prediction, figure), power), rel=1e-14, abs=0.0)
            assert getattr(b.prediction, figure) == near


@pytest.mark.parametrize("shift", [1e6, 1e8, 2.0**40])
def test_a_regression_does_not_feel_where_it_lies(shift: float) -> None:
    """y + 1e8 gives the same structure: sums are centred."""
    tree, other = (
        learn(t, target="y", recipe=cart(min_samples_leaf=3))
        for t in (_dyadic(lambda y: y), _dyadic(lambda y: y + shift))
    )
    assert [_structure(node) for node in preorder(tree.root)] == [_structure(node) for node in preorder(other.root)]
    assert tree.n_leaves > 20


def _dyadic(of: Any) -> Table:
    """Return a table whose target are eighths, so that scaling and shifting are exact."""
    random = np.random.default_rng(0)
    x = random.normal(size=(200, 3))
    y = np.round((x[:, 0] * x[:, 1] + random.normal(size=200)) * 8) / 8
    return Table.from_columns({"a": x[:, 0], "b": x[:, 1], "c": x[:, 2], "y": np.array([of(float(v)) for v in y])})


def _structure(node: Any) -> Any:
    return (node.test, node.missing) if isinstance(node, Split) else node.n


# ---- categories


def _categorical(n_categories: int, n_classes: int) -> dict[str, list[Any]]:
    random = Random(n_categories)
    cells = [f"k{random.randrange(n_categories):02}" for _ in range(n_categories * 8)]
    labels = [LABELS[(int(cell[1:]) * 7 + random.randrange(2)) % n_classes] for cell in cells]
    return {"c": cells, "y": labels}


def test_many_categories_of_many_classes_are_divided_in_one_order_with_a_note() -> None:
    """Beyond ten categories and two classes the search is not exhaustive, and the tree says so."""
    tree = learned(_categorical(14, 3), cart(max_depth=1))
    order = "the cuts of one order: the main direction in which their class shares differ"
    assert any("14 categories" in note and order in note for note in tree.notes)
    assert not any("categories:" in note for note in learned(_categorical(10, 3), cart()).notes)
    assert not any("categories:" in note for note in learned(_categorical(14, 2), cart()).notes)
    assert any("14 categories" in note for note in learned(_categorical(14, 2), cart(min_samples_leaf=2)).notes)


def test_an_ordinal_is_cut_in_its_order_by_cart_and_opened_by_id3() -> None:
    """S < M < L: CART asks size <= M, ID3 makes a child for each level."""
    table = Table.from_columns(
        {"size": ["S", "M", "L", "L"], "y": ["a", "a", "b", "b"]}, types={"size": "ordinal:S<M<L"}
    )
    binary, multiway = (learn(table, target="y", recipe=recipe) for recipe in (cart(), id3()))
    assert binary.schema.features[0].kind is Kind.ORDINAL
    assert binary.root.test == CategoryTest(0, ((0, 1), (2,)))  # type: ignore[attr-defined]
    assert multiway.root.test == CategoryTest(0, ((0,), (1,), (2,)))  # type: ignore[attr-defined]
    assert predict(binary, {"size": "XL"}) == predict(binary, {"size": None})


# ---- what is learned from


def test_named_features_are_exactly_those_of_the_tree() -> None:
    """None of them is left out, whatever it holds; they stand in the order of the table, and no note is made."""
    data: dict[str, list[Any]] = {"one": [1, 1], "x": [1.0, 2.0], "id": [4, 5], "z": [3.0, 9.0], "y": ["a", "b"]}
    tree = learn(Table.from_columns(data), target="y", features=("id", "one"), recipe=cart())
    assert [feature.name for feature in tree.schema.features] == ["one", "id"]
    assert not any(note.startswith("left out") for note in tree.notes)
    assert learn(Table.from_columns(data), target="y", features={"id", "one"}, recipe=cart()) == tree


def test_columns_that_teach_nothing_are_left_out() -> None:
    """Constants, text unique in every row and row numbers, each with a note; named ones stay, and so does the last."""
    data: dict[str, list[Any]] = {
        "id": [7, 5, 6, 8],
        "name": ["Ann", "Bob", "Cid", "Dan"],
        "one": [1, 1, 1, 1],
        "x": [1.0, 2.0, 3.0, 4.0],
        "y": ["a", "a", "b", "b"],
    }
    table = Table.from_columns(data)
    tree = learn(table, target="y", recipe=cart())
    assert [feature.name for feature in tree.schema.features] == ["x"]
    assert sum(note.startswith("left out") for note in tree.notes) == 3
    kept = learn(table, target="y", features=["id"], recipe=cart())
    assert [feature.name for feature in kept.schema.features] == ["id"]
    declared = learn(Table.from_columns(data, types={"name": "category"}), target="y", recipe=cart())
    assert [feature.name for feature in declared.schema.features] == ["name", "x"]
    last = learn(Table.from_columns({"id": [1, 2], "n": [3, 4], "y": ["a", "b"]}), target="y", recipe=cart())
    assert [feature.name for feature in last.schema.features] == ["n"]


@pytest.mark.parametrize(
    ("target", "task", "classes"),
    [
        ([1, 2, 1, 2], "classification", (1, 2)),
        (list(range(11)), "regression", ()),
        (list(range(10)), "classification", tuple(range(10))),
        ([0.5, 1.5], "regression", ()),
        ([True, False], "classification", (False, True)),
        (["b", "a"], "classification", ("a", "b")),
    ],
)
def test_the_task_is_told_by_the_target(target: list[Any], task: str, classes: tuple[Any, ...]) -> None:
    """Numbers are a regression, integers of more than ten values too; classes keep their type and are sorted."""
    table = Table.from_columns({"x": [float(n % 3) for n in range(len(target))], "y": target})
    tree = learn(table, target="y", recipe=cart())
    assert tree.schema.is_regression is (task == "regression")
    assert tree.schema.classes == classes
    assert [type(c) for c in tree.schema.classes] == [type(c) for c in classes]
    assert any(task in note for note in tree.notes)
    if task == "classification" and classes and isinstance(classes[0], int) and not isinstance(classes[0], bool):
        assert learn(table, target="y", task="regression", recipe=cart()).schema.is_regression


def test_rows_without_a_target_are_refused_or_dropped() -> None:
    """The error counts them."""
    table = Table.from_columns({"x": [1.0, 2.0, 3.0], "y": ["a", None, "b"]})
    with pytest.raises(DataError, match="1 row without a value of the target"):
        learn(table, target="y", recipe=cart())
    assert sum(leaf.n for leaf in leaves(learn(table, target="y", drop_missing_target=True, recipe=cart()).root)) == 2


NUMERIC = {"age": [1, 5, 2, 8], "y": ["a", "b", "a", "b"]}


@pytest.mark.parametrize(
    ("data", "options", "error", "message"),
    [
        (NUMERIC, {"recipe": id3()}, ColumnError, "use c45, or declare it a category: .*--types age=category"),
        (NUMERIC, {"target": "Y"}, UnknownNameError, "known: 'age', 'y'"),
        (NUMERIC, {"target": "agee"}, UnknownNameError, "did you mean 'age'"),
        (NUMERIC, {"drop": ["y"]}, OptionError, "other columns than the target"),
        (NUMERIC, {"drop": ["age"]}, DataError, "only the target column"),
        (NUMERIC, {"task": "ranking"}, OptionError, "classification or regression"),
        (NUMERIC, {"task": "regression"}, ColumnError, "use the task classification"),
        ({"x": [1.0], "y": [None]}, {}, DataError, "no row with a value of the target"),
        ({"x": [1.0, 2.0], "y": [1.0, math.inf]}, {}, ColumnError, "infinite"),
        ({"x": ["a", "b"], "y": [1.5, 2.5]}, {"recipe": c45()}, ColumnError, "which c45 cannot learn"),
        ({}, {}, TreeRulesError, "no column named 'y'"),
        (NUMERIC, {"recipe": "cart"}, OptionError, r"a Recipe: auto\(\), id3"),
        (NUMERIC, {"features": "age"}, OptionError, "features=.age..: expected a collection of names"),
        (NUMERIC, {"features": 3}, OptionError, "a collection of names"),
        (NUMERIC, {"features": ["age", 3]}, OptionError, "a collection of names"),
        (NUMERIC, {"features": []}, OptionError, "at least one name"),
        (NUMERIC, {"features": ["age", "y"]}, OptionError, "other columns than the target"),
        (NUMERIC, {"features": ["age"], "drop": ["age"]}, OptionError, "features= or drop=, one of them"),
        (NUMERIC, {"features": ["age"], "weight": "age"}, OptionError, "other columns than 'age', which weight= names"),
        (NUMERIC, {"features": ["agge"]}, UnknownNameError, "did you mean 'age'"),
    ],
)
def test_what_cannot_be_learned_is_refused_with_the_way_out(
    data: dict[str, list[Any]], options: dict[str, Any], error: type[Exception], message: str
) -> None:
    """Errors say what was asked, what is true and what to do."""
    with pytest.raises(error, match=message):
        learn(Table.from_columns(data), **{"target": "y", **options})


@pytest.mark.parametrize(
    "options",
    [
        {"max_depth": -1},
        {"min_samples_split": 0},
        {"min_samples_split": True},
        {"min_samples_leaf": 0},
        {"min_samples_leaf": -0.5},
        {"min_samples_leaf": math.nan},
        {"min_samples_leaf": math.inf},
        {"min_samples_leaf": "2"},
        {"missing": "drop"},
        {"confidence": 0.6},
        {"feature_cost": {"x": 0}},
        {"prefer": "x"},
        {"monotone": {"x": 2}},
        {"max_leaves": 0},
        {"min_gain": -0.1},
        {"min_gain": math.nan},
        {"min_impurity": True},
        {"base": "10"},
        {"max_depth": 2.0},
        {"criterion": "chi2"},
        {"categories": "each"},
    ],
)
def test_a_recipe_that_means_nothing_cannot_be_built(options: dict[str, Any]) -> None:
    """Every choice is checked where the recipe is made."""
    recipe = c45 if "confidence" in options else cart
    with pytest.raises(OptionError, match="expected"):
        recipe(**options)


def test_learning_from_what_is_no_table_is_refused() -> None:
    """The error names what is one."""
    with pytest.raises(OptionError, match="a Table, a data frame, a list of dicts"):
        learn([1, 2], target="x", recipe=cart())
    with pytest.raises(TypeError, match="recip"):
        learn(Table.from_columns(NUMERIC), target="y", recip=cart(), recipe=cart())  # type: ignore[call-arg]


def test_learning_reports_progress_up_to_all_rows() -> None:
    """Rows in leaves, and all rows."""
    heard: list[tuple[int, int]] = []
    table = Table.from_columns(NUMERIC)
    learn(table, target="y", recipe=cart(), progress=lambda done, n: heard.append((done, n)))
    assert heard[-1] == (4, 4)


@pytest.mark.parametrize(
    "recipe",
    [make(missing=missing) for make in (cart, c45, id3) for missing in ("larger", "learned", "branch", "fraction")],
    ids=lambda recipe: f"{recipe.name} {recipe.missing}",
)
def test_degenerate_tables(recipe: Recipe) -> None:
    """One row, one class, one column, nothing but missing values; one known value is told from missing ones if ever."""
    for data in (
        {"c": ["a"], "y": ["p"]},
        {"c": ["a", "b"], "y": ["p", "p"]},
        {"c": [None, None], "y": ["p", "q"]},
        {"c": ["a", None], "y": ["p", "q"]},
        {"c": ["a", "a"], "y": ["p", "q"]},
    ):
        tree = learned(data, recipe)
        is_told = data["c"] == ["a", None] and recipe.missing in ("learned", "branch")
        assert tree.n_leaves == (2 if is_told else 1)
        assert predict(tree, {"c": "anything"}) == "p"
        assert predict(tree, {"c": None}) == ("q" if is_told else "p")


def test_cuts_that_look_alike_on_their_known_rows_are_told_apart() -> None:
    """Two features may agree left of a cut and in their number of known rows, and still divide different rows."""
    data: dict[str, list[Any]] = {"u": [1, 2, None, None], "v": [1, None, 2, None], "y": ["a", "a", "b", "b"]}
    for names in (("u", "v"), ("v", "u")):
        tree = learned({name: data[name] for name in (*names, "y")}, cart(missing="larger"))
        assert tree.n_leaves == 2
        assert tree.schema.features[tree.root.test.feature].name == "v"  # type: ignore[attr-defined]


def test_a_regression_over_many_magnitudes_keeps_its_small_leaves() -> None:
    """1e200 beside 1e-150: each node is scaled by its own range."""
    tree = learn(
        Table.from_columns({"x": [1.0, 2.0, 3.0, 4.0, 5.0], "y": [1e200, 1e200, 1e-150, 2e-150, 3e-150]}),
        target="y",
        recipe=cart(),
    )
    assert [leaf.prediction.value for leaf in leaves(tree.root)] == [1e200, 1e-150, 2e-150, 3e-150]
    far = learn(Table.from_columns({"x": [1.0, 2.0], "y": [-1.7e308, 1.7e308]}), target="y", recipe=cart())
    assert [leaf.prediction.value for leaf in leaves(far.root)] == [-1.7e308, 1.7e308]


def test_bounds_hold_at_every_scale_of_a_regression() -> None:
    """A variance of 1e-600 is below any bound, one of 1e600 above: neither overflows."""
    for size, n_leaves in ((1e-300, 1), (1.0, 2), (1e300, 2)):
        table = Table.from_columns({"x": [1.0, 2.0], "y": [0.0, size]})
        for bound in ({"min_gain": 0.1}, {"min_impurity": 0.1}):
            assert learn(table, target="y", recipe=cart(**bound)).n_leaves == n_leaves  # type: ignore[arg-type]


@pytest.mark.parametrize("missing", ["larger", "learned", "branch", "fraction"])
@given(data=columns(), values=st.data())
def test_the_root_of_a_regression_is_the_best_of_all_splits(
    missing: Any, data: dict[str, list[Any]], values: st.DataObject
) -> None:
    """Exact rational sums of squares over every cut and every subset, of integers as target."""
    n = len(next(iter(data.values())))
    data = {**data, "y": values.draw(st.lists(st.integers(-5, 5), min_size=n, max_size=n))}
    tree = learned(data, cart(missing=missing), task="regression")
    best, chosen = best_way(tree, data, square_gain)
    if chosen is None:
        assert not isinstance(tree.root, Split)
    else:
        children = children_at_root(tree, data, with_missing=missing in ("learned", "branch"))
        found = square_gain([[data["y"][row] for row in side] for side in children], n)
        assert float(found) == pytest.approx(float(best), rel=1e-9)


# ---- best-first growth


def _left_in(tree: Tree) -> float:
    """Return what is left in the leaves: rows times Gini, or squared errors."""
    left = 0.0
    for leaf in leaves(tree.root):
        n = leaf.n
        if isinstance(leaf.prediction, MeanPrediction):
            left += leaf.prediction.sd**2 * n
        elif n:
            left += n - sum(count * count for count in leaf.counts) / n
    return left


@pytest.mark.peer
@pytest.mark.parametrize("n_leaves", [1, 2, 3, 5, 8, 13, 20])
@pytest.mark.parametrize("name", ["breast_cancer", "wine", "diabetes"])
def test_best_first_growth_is_that_of_scikit_learn(name: str, n_leaves: int) -> None:
    """max_leaf_nodes: as many leaves, as much impurity left (one of its ten seeds, since it breaks ties by them)."""
    data = {"breast_cancer": load_breast_cancer, "wine": load_wine, "diabetes": load_diabetes}[name]()
    is_regression = name == "diabetes"
    target = data.target.tolist() if is_regression else [str(label) for label in data.target]
    table = Table.from_columns({**{f"x{i}": column for i, column in enumerate(data.data.T)}, "y": target})
    tree = learn(table, target="y", recipe=cart(max_leaves=n_leaves))
    peer = DecisionTreeRegressor if is_regression else DecisionTreeClassifier
    theirs = []
    for seed in range(10 if n_leaves > 1 else 0):
        grown = peer(max_leaf_nodes=n_leaves, random_state=seed).fit(data.data, data.target).tree_
        ends = grown.children_left < 0
        theirs.append((int(ends.sum()), float((grown.impurity[ends] * grown.n_node_samples[ends]).sum())))
    if n_leaves == 1:
        assert tree.n_leaves == 1
    else:
        found = _left_in(tree)
        assert any(n == tree.n_leaves and abs(found - left) <= 1e-9 * max(1.0, left) for n, left in theirs)


@given(columns(), st.integers(1, 9), st.sampled_from([id3, c45, cart]), st.randoms(use_true_random=False))
def test_best_first_growth_keeps_to_its_leaves(
    data: dict[str, list[Any]], most: int, recipe: Any, random: Random
) -> None:
    """At most so many leaves; with enough of them the tree of depth-first growth; whatever the order of rows."""
    n = len(next(iter(data.values())))
    data = {**data, "y": [random.choice("pqr") for _ in range(n)]}
    names = [name for name in data if name != "y"]
    types = dict.fromkeys(names, "category") if recipe is id3 else {}
    table = Table.from_columns(data, types=types)
    tree = learn(table, target="y", recipe=recipe(max_leaves=most), features=names)
    assert tree.n_leaves <= most
    whole = learn(table, target="y", recipe=recipe(), features=names)
    assert learn(table, target="y", recipe=recipe(max_leaves=10_000), features=names).root == whole.root
    order = random.sample(range(n), n)
    shuffled = Table.from_columns({name: [cells[at] for at in order] for name, cells in data.items()}, types=types)
    assert learn(shuffled, target="y", recipe=recipe(max_leaves=most), features=names) == tree
