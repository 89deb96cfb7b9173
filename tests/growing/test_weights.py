"""Case weights, class weights, priors and costs: repeated rows, scikit-learn, brute force in exact arithmetic."""

import math
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from treerules import Recipe, Table, Tree, apply, c45, cart, id3, learn, predict, predict_proba
from treerules.criteria import Criterion, entropy, gini
from treerules.criteria.scores import gini_gain
from treerules.errors import ColumnError, DataError, OptionError, TreeRulesError, UnknownNameError
from treerules.growing.problem import prepare_problem, problem_of
from treerules.learning.grow_and_prune import grow_and_prune
from treerules.trees import (
    CategoryTest,
    ClassPrediction,
    MeanPrediction,
    Split,
    ThresholdTest,
    leaves,
    preorder,
    tree_to_json,
)
from treerules.trees.class_weighting import class_weighting_of_tree
from treerules.trees.nodes import shape

Data = dict[str, list[Any]]
LABELS = ("a", "b", "c")
SIZES = {"size": "ordinal:S<M<L"}
#: Gini again, as a user's criterion, which is computed split by split.
OWN_GINI = Criterion("own_gini", gini_gain)
CELLS = {
    "number": st.sampled_from((0.0, 0.1, 0.2, 1.0, -1.0, math.inf, 1.0 + 2**-52)),
    "integer": st.one_of(st.integers(-2, 2), st.sampled_from((2**53, 2**53 + 1))),
    "flag": st.booleans(),
    "colour": st.sampled_from(("red", "green", "blue", "否", "")),
    "size": st.sampled_from(("S", "M", "L")),
    "day": st.integers(0, 5).map(lambda days: date(2024, 2, 26) + timedelta(days)),
}
#: For id3 the columns are declared categories.
RECIPES: tuple[Callable[..., Recipe], ...] = (
    id3,
    c45,
    cart,
    lambda **more: c45(average_gain=True, categories="subset", **more),
    lambda **more: c45(categories="grouped", **more),
    lambda **more: c45(quinlan=True, **more),
    lambda **more: c45(quinlan=True, unpruned=True, min_samples_leaf=1, **more),
    lambda **more: cart(criterion="entropy", **more),
    lambda **more: cart(categories="one_against_rest", **more),
    lambda **more: cart(min_samples_leaf=3, **more),
    lambda **more: cart(max_leaves=4, **more),
)
EXACT = ("larger", "learned", "branch", "error")


@st.composite
def drawn(draw: st.DrawFn, missing: bool = True, max_rows: int = 24) -> Data:
    """Draw the columns of a small table full of ties."""
    n = draw(st.integers(2, max_rows))
    hole = [st.none()] if missing else []
    names = draw(st.lists(st.sampled_from(sorted(CELLS)), min_size=1, max_size=4, unique=True))
    return {name: draw(st.lists(st.one_of(CELLS[name], *hole), min_size=n, max_size=n)) for name in names}


def with_target(draw: st.DataObject, data: Data, values: st.SearchStrategy[Any]) -> Data:
    """Return the columns with a target y."""
    n = len(next(iter(data.values())))
    return {**data, "y": draw.draw(st.lists(values, min_size=n, max_size=n), label="y")}


def weights_of(draw: st.DataObject, data: Data, values: st.SearchStrategy[Any]) -> list[Any]:
    """Draw a weight for each row."""
    n = len(data["y"])
    return draw.draw(st.lists(values, min_size=n, max_size=n), label="weights")


def types_of(data: Data, recipe: Recipe) -> dict[str, str]:
    """Return the kinds that the columns of a drawn table are declared to be."""
    if recipe.name == "id3":
        return {name: "category" for name in data if name not in ("y", "w", "flag")}
    return {name: kind for name, kind in SIZES.items() if name in data}


def table_of(data: Data, recipe: Recipe) -> Table:
    """Return a drawn table."""
    return Table.from_columns(data, types=types_of(data, recipe))


def learned(data: Data, recipe: Recipe, **options: Any) -> Tree:
    """Return the tree of a drawn table, all columns kept."""
    names = [name for name in data if name not in ("y", "w")]
    return learn(table_of(data, recipe), target="y", recipe=recipe, features=names, **options)


def repeated(data: Data, times: Sequence[int]) -> Data:
    """Return the table with each row as often as its number says."""
    rows = [row for row, n in enumerate(times) for _ in range(n)]
    return {name: [cells[row] for row in rows] for name, cells in data.items()}


def text(tree: Tree) -> str:
    """Return a tree's JSON without where it came from."""
    return tree_to_json(evolve(tree, origin=None, notes=()))


def structure(tree: Tree) -> list[Any]:
    """Return the nodes without their figures: tests and routing, labels."""
    return [
        (node.test, node.missing, node.unseen)
        if isinstance(node, Split)
        else node.prediction.value  # type: ignore[attr-defined]
        if not tree.schema.is_regression
        else None
        for node in preorder(tree.root)
    ]


def figures(tree: Tree) -> list[float]:
    """Return all figures of all nodes in one list."""
    numbers: list[float] = []
    for node in preorder(tree.root):
        leaf: Any = node.as_leaf if isinstance(node, Split) else node
        own = leaf.prediction
        numbers += [*leaf.counts, *(own.probabilities if isinstance(own, ClassPrediction) else (own.value, own.sd))]
    return numbers


# ---- case weights are repeated rows


@pytest.mark.parametrize("missing", EXACT)
@given(data=drawn(), draw=st.data())
def test_whole_weights_are_repeated_rows_to_the_last_byte(missing: Any, data: Data, draw: st.DataObject) -> None:
    """Every recipe and way of missing values but fractions: the same JSON, since counts are whole."""
    if missing == "error":
        data = {name: [next(c for c in (cell, 0) if c is not None) for cell in cells] for name, cells in data.items()}
        data = {name: cells for name, cells in data.items() if name in ("number", "integer")} or {"n": [0, 1]}
    data = with_target(draw, data, st.sampled_from(LABELS))
    recipe = draw.draw(st.sampled_from(RECIPES))(missing=missing)
    weights = weights_of(draw, data, st.integers(1, 4))
    assert text(learned(data, recipe, weight=weights)) == text(learned(repeated(data, weights), recipe))


@given(data=drawn(), draw=st.data())
def test_whole_weights_are_repeated_rows_where_rows_are_divided(data: Data, draw: st.DataObject) -> None:
    """Fractions of rows: the same structure, figures within 1e-12."""
    data = with_target(draw, data, st.sampled_from(LABELS))
    recipe = draw.draw(st.sampled_from(RECIPES))(missing="fraction")
    weights = weights_of(draw, data, st.integers(1, 4))
    tree, other = learned(data, recipe, weight=weights), learned(repeated(data, weights), recipe)
    assert structure(tree) == structure(other)
    assert figures(tree) == pytest.approx(figures(other), rel=1e-12)


@pytest.mark.parametrize("missing", ["larger", "learned", "branch"])
@given(data=drawn(), draw=st.data())
def test_whole_weights_are_repeated_rows_of_a_dyadic_regression(missing: Any, data: Data, draw: st.DataObject) -> None:
    """Eighths as target: sums are exact, so is the JSON."""
    data = with_target(draw, data, st.integers(-40, 40).map(lambda n: n / 8))
    recipe = cart(missing=missing, min_samples_leaf=draw.draw(st.integers(1, 3)))
    weights = weights_of(draw, data, st.integers(1, 4))
    assert text(learned(data, recipe, weight=weights)) == text(learned(repeated(data, weights), recipe))


@pytest.mark.parametrize("missing", ["learned", "fraction"])
@given(data=drawn(), draw=st.data())
def test_whole_weights_are_repeated_rows_of_any_regression(missing: Any, data: Data, draw: st.DataObject) -> None:
    """Any floats as target: the same structure, figures within 1e-12 of the largest."""
    data = with_target(draw, data, st.floats(-1e6, 1e6))
    weights = weights_of(draw, data, st.integers(1, 4))
    tree, other = (
        learned(data, cart(missing=missing), weight=weights),
        learned(repeated(data, weights), cart(missing=missing)),
    )
    assert structure(tree) == structure(other)
    scale = max(map(abs, data["y"]))
    assert figures(tree) == pytest.approx(figures(other), rel=1e-12, abs=1e-12 * scale)


@pytest.mark.parametrize("missing", [*EXACT[:3], "fraction"])
@given(data=drawn(), draw=st.data())
def test_a_row_of_weight_zero_is_no_row(missing: Any, data: Data, draw: st.DataObject) -> None:
    """The tree of the other rows under the same schema: classes and categories that only such rows hold stay."""
    is_regression = draw.draw(st.booleans())
    recipe = cart(missing=missing) if is_regression else draw.draw(st.sampled_from(RECIPES))(missing=missing)
    values = st.sampled_from((0.5, 1.0, 7.0)) if is_regression else st.sampled_from(LABELS)
    data = with_target(draw, data, values)
    weights = weights_of(draw, data, st.sampled_from((0, 0, 1, 2, 0.5)))
    weights[0] = weights[0] or 1
    names = [name for name in data if name != "y"]
    whole = problem_of(table_of(data, recipe), target="y", recipe=recipe, features=names)
    of_row = np.array(weights, dtype=float)[whole.rows]
    part = whole.part(np.flatnonzero(of_row > 0))
    fewer = prepare_problem(part.schema, part.columns, part.target, of_row[of_row > 0], recipe, part.rows, ())
    tree = learned(data, recipe, weight=weights)
    assert tree.schema == whole.schema
    assert text(tree) == text(grow_and_prune(fewer, recipe))


@given(data=drawn(), draw=st.data(), seed=st.integers(0, 2**32))
def test_the_order_of_weighted_rows_is_nothing(data: Data, draw: st.DataObject, seed: int) -> None:
    """Shuffled rows with their weights give the same bytes, also of a regression, also where rows are divided."""
    missing = draw.draw(st.sampled_from((*EXACT[:3], "fraction")))
    is_regression = draw.draw(st.booleans())
    recipe = cart(missing=missing) if is_regression else draw.draw(st.sampled_from(RECIPES))(missing=missing)
    data = with_target(draw, data, st.floats(-1e6, 1e6) if is_regression else st.sampled_from(LABELS))
    weights = weights_of(draw, data, st.one_of(st.sampled_from((0.1, 0.3, 1.0, 2.0)), st.floats(0.01, 100)))
    order = Random(seed).sample(range(len(weights)), len(weights))
    shuffled = {name: [cells[row] for row in order] for name, cells in data.items()}
    other = learned(shuffled, recipe, weight=[weights[row] for row in order])
    assert text(other) == text(learned(data, recipe, weight=weights))


@pytest.mark.parametrize("choice", [{"class_weight": "balanced"}, {"priors": {"a": 0.3, "b": 0.7}}])
def test_factors_of_classes_do_not_depend_on_the_order_of_rows(choice: Any) -> None:
    """They divide by sums of case weights, which rounding makes depend on their order unless that is fixed."""
    random = np.random.default_rng(3)
    n = 60
    columns = {"x": random.normal(size=n), "y": random.choice(["a", "b"], size=n), "w": random.random(n)}
    trees = set()
    for _ in range(20):
        order = random.permutation(n)
        table = Table.from_columns({name: column[order].tolist() for name, column in columns.items()})
        trees.add(learn(table, target="y", weight="w", recipe=cart(max_depth=2, **choice)))
    assert len(trees) == 1


@given(data=drawn(), draw=st.data())
def test_a_column_of_weights_is_no_feature(data: Data, draw: st.DataObject) -> None:
    """weight="w" makes the tree that the array makes of the table without that column; whole numbers do as well."""
    data = with_target(draw, data, st.sampled_from(LABELS))
    weights = weights_of(draw, data, draw.draw(st.sampled_from((st.integers(1, 5), st.floats(0.1, 9.0)))))
    tree = learned({**data, "w": weights}, cart(), weight="w")
    assert tree == learned(data, cart(), weight=np.array(weights))
    assert "w" not in tree.schema.indices


@pytest.mark.parametrize("factor", [1, 1000.0])
@given(data=drawn(missing=False), draw=st.data())
def test_stopping_rules_count_rows_before_classes_weigh(factor: float, data: Data, draw: st.DataObject) -> None:
    """Weights are copies where all are whole; whatever class_weight, priors and costs say."""
    data = with_target(draw, data, st.sampled_from(LABELS))
    weights = weights_of(draw, data, st.sampled_from((0.25, 0.5, 1, 3)))
    labels_present = sorted(set(data["y"]))
    bounds: Any = {"min_samples_split": 4, "min_samples_leaf": draw.draw(st.sampled_from((1, 1.5, 2)))}
    plain = learned(data, cart(**bounds), weight=weights)
    same = learned(data, cart(class_weight=dict.fromkeys(labels_present, factor), **bounds), weight=weights)
    assert structure(plain) == structure(same)
    choices: Any = {
        "class_weight": {label: 10.0 ** (at + 1) for at, label in enumerate(labels_present)},
        "priors": {label: 0.01 + at for at, label in enumerate(labels_present)},
        "costs": {pair: 100 for pair in product(labels_present, labels_present) if pair[0] < pair[1]},
    }
    for tree in (plain, *(learned(data, cart(**{k: choices[k]}, **bounds), weight=weights) for k in choices)):
        numbers = apply(tree, table_of(data, cart()))
        counted = weights if set(weights) <= {1, 3} else [1] * len(weights)
        sizes = np.bincount(numbers, counted, minlength=tree.n_leaves + 1)
        for at, leaf in enumerate(leaves(tree.root), 1):
            assert leaf.n == sum(w for w, number in zip(weights, numbers.tolist(), strict=True) if number == at)
            assert sizes[at] >= bounds["min_samples_leaf"] or tree.n_leaves == 1
        numbers_of_leaves = {id(leaf): at for at, leaf in enumerate(leaves(tree.root), 1)}
        for node in preorder(tree.root):
            if isinstance(node, Split):
                size = sum(sizes[numbers_of_leaves[id(leaf)]] for leaf in leaves(node))
                assert size >= bounds["min_samples_split"]


def test_c45_counts_weight_where_it_asks_whether_a_column_has_many_values() -> None:
    """Four cities are many for eight rows, and few for eight that weigh three each: then their gain is averaged too."""
    data: Data = {
        "city": ["t", "q", "t", "t", "q", "s", "p", "s"],
        "x": [2, 4, 4, 1, 4, 3, 3, 2],
        "flag": [True, True, False, False, True, False, False, False],
        "y": ["a", "a", "b", "a", "a", "a", "a", "b"],
    }
    recipe = c45(quinlan=True, unpruned=True, min_samples_leaf=1)
    tree = learned(data, recipe, weight=[3] * 8)
    assert text(tree) == text(learned(repeated(data, [3] * 8), recipe))
    assert structure(tree) != structure(learned(data, recipe))


PLAIN: Data = {
    "x": [1.0, 2.0, 3.0],
    "t": ["p", "q", "q"],
    "w": [1.0, -1.0, 2.0],
    "h": [1, None, 2],
    "y": ["a", "b", "b"],
}


@pytest.mark.parametrize(
    ("weight", "error", "message"),
    [
        ("w", ColumnError, "(for example -1.0)"),
        ("h", ColumnError, "column 'h' has"),
        ("t", ColumnError, "column 't' holds text; weights must be numbers"),
        ("ww", UnknownNameError, "did you mean 'w'"),
        ("y", OptionError, "weight='y'): expected other columns than the target"),
        ([1, math.nan, 1], ColumnError, "(for example nan)"),
        ([1, math.inf, 1], ColumnError, "(for example inf)"),
        ([1, -1e-300, 1], ColumnError, "(for example -1e-300); give each row"),
        (["a", "b", "c"], ColumnError, "holds no weights"),
        ([1, 2], ColumnError, "give 3 numbers"),
        ([[1, 2, 3]], ColumnError, "the shape (1, 3)"),
        (2.0, ColumnError, "the shape ()"),
        ([0, 0, 0], DataError, "no row with a target weighs more than 0; give at least one row a weight"),
    ],
)
def test_what_is_no_weight_is_refused(weight: Any, error: type[TreeRulesError], message: str) -> None:
    """The error names the column, shows cells and says what to give."""
    with pytest.raises(error) as caught:
        learn(Table.from_columns(PLAIN), target="y", weight=weight, recipe=cart())
    assert message in str(caught.value)


def test_weights_of_rows_without_a_target_do_not_count() -> None:
    """A row that is dropped takes its weight along; when no other weighs anything the error says so."""
    table = Table.from_columns({"x": [1.0, 2.0, 3.0], "y": ["a", None, "b"]})
    tree = learn(table, target="y", weight=[2, 100, 3], drop_missing_target=True, recipe=cart())
    assert [leaf.counts for leaf in leaves(tree.root)] == [(2, 0), (0, 3)]
    with pytest.raises(DataError, match="no row with a target weighs more than 0"):
        learn(table, target="y", weight=[0, 1, 0], drop_missing_target=True, recipe=cart())


# ---- scikit-learn


LOADERS = (load_iris, load_wine, load_breast_cancer)


def their_table(loaded: Any) -> Table:
    """Return a data set of scikit-learn's."""
    return Table.from_columns({f"x{n}": column for n, column in enumerate(loaded.data.T)} | {"y": loaded.target})


def impurity(tree: Tree) -> float:
    """Return the training impurity: of the leaves, by the weight of their rows and classes."""
    if tree.schema.is_regression:
        parts = [(leaf.n, leaf.n * leaf.prediction.sd**2) for leaf in leaves(tree.root)]  # type: ignore[union-attr]
        return sum(part for _, part in parts) / sum(n for n, _ in parts)
    of = entropy if tree.recipe.criterion == "entropy" else gini
    weights_of_leaves = [class_weighting_of_tree(tree).weigh_counts(leaf.counts) for leaf in leaves(tree.root)]
    return sum(sum(weights) * of(weights) for weights in weights_of_leaves) / sum(map(sum, weights_of_leaves))


def their_impurity(model: Any) -> float:
    """Return the same of a tree of scikit-learn's."""
    tree = model.tree_
    ends = tree.children_left == -1
    weight = tree.weighted_n_node_samples
    return float((tree.impurity[ends] * weight[ends]).sum() / weight[0])


def assert_one_agrees(tree: Tree, models: list[Any], table: Table, rows: Any) -> None:
    """Assert that a model has the tree's training impurity and its predictions for the training rows."""
    ours = impurity(tree)
    predictions = predict(tree, table) if tree.schema.is_regression else predict_proba(tree, table)
    alike = [model for model in models if their_impurity(model) == pytest.approx(ours, rel=1e-9, abs=1e-12)]
    assert alike
    theirs = [model.predict(rows) if tree.schema.is_regression else model.predict_proba(rows) for model in alike]
    assert any(other == pytest.approx(predictions, rel=1e-9, abs=1e-12) for other in theirs)
    if not tree.schema.is_regression:
        labels = [model.predict(rows).tolist() for model in alike]
        assert any(other == predict(tree, table).tolist() for other in labels)


@pytest.mark.peer
@pytest.mark.parametrize(("depth", "leaf"), [(1, 1), (2, 10), (3, 1), (3, 20), (4, 5)])
@pytest.mark.parametrize("load", [*LOADERS, load_diabetes], ids=lambda load: load.__name__)
def test_case_weights_are_scikit_learns(load: Any, depth: int, leaf: int) -> None:
    """sample_weight: the same impurity and predictions (one of ten seeds, by which it breaks ties)."""
    loaded = load()
    weights = np.random.default_rng(depth).choice([0.0, 0.3, 1.0, 2.5, 4.0], len(loaded.target))
    task: Any = "regression" if load is load_diabetes else "classification"
    table = their_table(loaded)
    recipe = cart(max_depth=depth, min_samples_leaf=leaf)
    tree = learn(table, target="y", recipe=recipe, weight=weights, task=task)
    make = DecisionTreeRegressor if load is load_diabetes else DecisionTreeClassifier
    is_weighted = weights > 0
    models = [
        make(max_depth=depth, min_samples_leaf=leaf, random_state=seed).fit(
            loaded.data[is_weighted], loaded.target[is_weighted], weights[is_weighted]
        )
        for seed in range(10)
    ]
    kept = Table.from_columns({f"x{n}": column[is_weighted] for n, column in enumerate(loaded.data.T)})
    assert_one_agrees(tree, models, kept, loaded.data[is_weighted])


@pytest.mark.peer
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("choice", ["balanced", {0: 1.0, 1: 7.5}, {0: 20.0}], ids=str)
@pytest.mark.parametrize("load", LOADERS, ids=lambda load: load.__name__)
def test_class_weights_are_scikit_learns(load: Any, choice: Any, criterion: Any) -> None:
    """class_weight as a mapping and "balanced": impurity, probabilities and labels of stumps and shallow trees."""
    loaded = load()
    table = their_table(loaded)
    for depth in (1, 2, 3):
        recipe = cart(max_depth=depth, class_weight=choice, criterion=criterion)
        models = [
            DecisionTreeClassifier(max_depth=depth, class_weight=choice, criterion=criterion, random_state=seed).fit(
                loaded.data, loaded.target
            )
            for seed in range(10)
        ]
        assert_one_agrees(learn(table, target="y", recipe=recipe), models, table, loaded.data)


# ---- priors and costs


@given(data=drawn(), draw=st.data())
def test_priors_that_are_the_shares_change_nothing(data: Data, draw: st.DataObject) -> None:
    """The classes' shares in the table, by weight, given as priors (not normalised): the same tree."""
    data = with_target(draw, data, st.sampled_from(LABELS))
    weights = weights_of(draw, data, st.sampled_from((1, 2, 0.5)))
    of_class = {c: sum(w for w, y in zip(weights, data["y"], strict=True) if y == c) for c in sorted(set(data["y"]))}
    make = draw.draw(st.sampled_from(RECIPES))
    tree, other = (learned(data, make(**more), weight=weights) for more in ({}, {"priors": of_class}))
    assert structure(tree) == structure(other)
    assert figures(tree) == pytest.approx(figures(other), rel=1e-12)


@given(data=drawn(), draw=st.data())
def test_priors_are_class_weights(data: Data, draw: st.DataObject) -> None:
    """A prior p_k is the class weight p_k N / N_k: rows of a class weigh so much that its share is p_k."""
    data = with_target(draw, data, st.sampled_from(LABELS))
    labels_present = sorted(set(data["y"]))
    priors = {label: draw.draw(st.integers(1, 9)) for label in labels_present}
    n, whole = len(data["y"]), sum(priors.values())
    factors = {label: prior / whole * n / data["y"].count(label) for label, prior in priors.items()}
    make = draw.draw(st.sampled_from(RECIPES))
    tree, other = (learned(data, make(**more)) for more in ({"priors": priors}, {"class_weight": factors}))
    assert structure(tree) == structure(other)
    assert figures(tree) == pytest.approx(figures(other), rel=1e-12)
    root: Any = tree.root.as_leaf if isinstance(tree.root, Split) else tree.root
    assert root.prediction.probabilities == pytest.approx([priors[label] / whole for label in labels_present])


@st.composite
def cost_matrices(draw: st.DrawFn, labels: Sequence[str]) -> dict[tuple[str, str], int]:
    """Draw what each error costs; some are not named, so they cost 1."""
    pairs = [pair for pair in product(labels, labels) if pair[0] != pair[1]]
    named = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return {pair: draw(st.integers(1, 6)) for pair in named}


@given(data=drawn(), draw=st.data())
def test_labels_have_the_least_expected_cost(data: Data, draw: st.DataObject) -> None:
    """Every node, by brute force: the first class for which the summed costs of its rows are least."""
    data = with_target(draw, data, st.sampled_from(LABELS))
    labels_present = sorted(set(data["y"]))
    costs = draw.draw(cost_matrices(labels_present))
    class_weight = draw.draw(st.dictionaries(st.sampled_from(labels_present), st.integers(1, 4)))
    make = draw.draw(st.sampled_from(RECIPES))
    tree = learned(data, make(costs=costs, class_weight=class_weight, missing="learned"))
    for node in preorder(tree.root):
        leaf: Any = node.as_leaf if isinstance(node, Split) else node
        weights = [Fraction(n) * class_weight.get(c, 1) for n, c in zip(leaf.counts, labels_present, strict=True)]
        expected = [
            sum(
                (w * costs.get((c, label), 1) for w, c in zip(weights, labels_present, strict=True) if c != label),
                Fraction(),
            )
            for label in labels_present
        ]
        if leaf.n:
            assert leaf.prediction.value == labels_present[expected.index(min(expected))]
            assert leaf.prediction.probabilities == pytest.approx([float(w / sum(weights)) for w in weights])


def all_splits(feature: str, cells: list[Any]) -> list[frozenset[int]]:
    """Return the first side's rows of every split of a column in two, in the order in which ties are broken."""
    order = SIZES["size"].partition(":")[2].split("<").index if feature == "size" else lambda value: value
    values = sorted(set(cells), key=order)
    if feature != "colour":
        sides = [values[: at + 1] for at in range(len(values) - 1)]
    else:
        chosen = [[v for v, taken in zip(values[1:], bits, strict=True) if taken] for bits in subsets(len(values) - 1)]
        sides = sorted([values[0], *more] for more in chosen if len(more) < len(values) - 1)
    return [frozenset(row for row, cell in enumerate(cells) if cell in side) for side in sides]


def subsets(n: int) -> list[tuple[bool, ...]]:
    """Return every choice among n things."""
    return list(product((False, True), repeat=n))


def altered_gain(sides: Sequence[Any], labels: list[str], weights: dict[str, Fraction]) -> Fraction:
    """Return the decrease of Gini, where rows weigh as their class does (Breiman 1984, section 4.4.3)."""

    def purity(rows: Any) -> Fraction:
        of_class = [sum((weights[labels[row]] for row in rows if labels[row] == c), Fraction()) for c in weights]
        return sum((w * w for w in of_class), Fraction()) / sum(of_class) if rows else Fraction()

    whole = frozenset().union(*sides)
    return sum(map(purity, sides), Fraction()) - purity(whole)


@pytest.mark.parametrize("n_classes", [2, 3])
@given(data=drawn(missing=False, max_rows=16), draw=st.data())
def test_the_root_with_costs_is_the_first_best_by_altered_priors(
    n_classes: int, data: Data, draw: st.DataObject
) -> None:
    """Gini of priors altered by the cost of each class's errors, over every split, in exact arithmetic."""
    data = with_target(draw, data, st.sampled_from(LABELS[:n_classes]))
    labels_present = sorted(set(data["y"]))
    costs = draw.draw(cost_matrices(labels_present))
    priors = {label: draw.draw(st.integers(1, 5)) for label in labels_present} if draw.draw(st.booleans()) else {}
    summed = {c: sum(costs.get((c, other), 1) for other in labels_present if other != c) for c in labels_present}
    prior = {c: Fraction(priors.get(c, 1), data["y"].count(c) if priors else 1) for c in labels_present}
    weights = {c: prior[c] * (summed[c] or 1) for c in labels_present}
    tree = learned(data, cart(max_depth=1, costs=costs, priors=priors))
    best, chosen = Fraction(0), None
    for name in (name for name in data if name != "y"):
        for first in all_splits(name, data[name]):
            rest = frozenset(range(len(data["y"]))) - first
            gain = altered_gain((first, rest), data["y"], weights)
            if gain > best:
                best, chosen = gain, (name, first)
    if chosen is None:
        assert tree.n_leaves == 1
        return
    numbers = apply(tree, table_of(data, cart())).tolist()
    assert isinstance(tree.root, Split)
    assert tree.schema.features[tree.root.test.feature].name == chosen[0]
    assert frozenset(row for row, number in enumerate(numbers) if number == 1) == chosen[1]


def known_gain(first: frozenset[int], cells: list[Any], labels: list[str], weights: dict[str, Fraction]) -> Fraction:
    """Return the decrease of Gini among the rows with a known value, times their share of the node's weight."""
    known = frozenset(row for row, cell in enumerate(cells) if cell is not None)
    return altered_gain((first, known - first), labels, weights) / sum(weights[label] for label in labels)


@pytest.mark.parametrize("criterion", ["gini", OWN_GINI], ids=["gini", "own"])
@given(data=drawn(max_rows=12), draw=st.data())
def test_the_share_of_known_rows_is_that_of_their_weight(criterion: Any, data: Data, draw: st.DataObject) -> None:
    """With class weights too, as in rpart: over every split of every column, in exact arithmetic."""
    data = with_target(draw, data, st.sampled_from(LABELS[:2]))
    present = sorted(set(data["y"]))
    class_weight = {label: draw.draw(st.integers(1, 6)) for label in present}
    weights = {label: Fraction(class_weight[label]) for label in present}
    recipe = cart(criterion=criterion, max_depth=1, missing="larger", class_weight=class_weight)
    tree = learned(data, recipe)
    best, chosen = Fraction(0), None
    for name in (name for name in data if name != "y"):
        values = [cell for cell in data[name] if cell is not None]
        rows = [row for row, cell in enumerate(data[name]) if cell is not None]
        for part in all_splits(name, values):
            first = frozenset(rows[position] for position in part)
            gain = known_gain(first, data[name], data["y"], weights)
            if gain > best:
                best, chosen = gain, (name, first)
    if chosen is None:
        assert tree.n_leaves == 1
        return
    numbers = apply(tree, table_of(data, cart())).tolist()
    assert isinstance(tree.root, Split)
    assert tree.schema.features[tree.root.test.feature].name == chosen[0]
    first = {row for row, number in enumerate(numbers) if number == 1 and data[chosen[0]][row] is not None}
    assert first == chosen[1]


@given(data=drawn(), draw=st.data())
def test_no_split_where_every_error_of_the_others_is_free(data: Data, draw: st.DataObject) -> None:
    """For every recipe of a criterion of impurity: predicting the only class that costs is never wrong."""
    data = with_target(draw, data, st.sampled_from(LABELS[:2]))
    data["y"][:2] = ["a", "b"]
    make = draw.draw(st.sampled_from([cart, id3, c45]))
    assert learned(data, make(costs={("a", "b"): 0})).n_leaves == 1


@given(data=drawn(), draw=st.data())
def test_costs_of_two_classes_are_priors(data: Data, draw: st.DataObject) -> None:
    """Breiman 1984, section 4.4.3: with two classes, costs and altered priors make the same splits and labels."""
    data = with_target(draw, data, st.sampled_from(LABELS[:2]))
    if len(set(data["y"])) < 2:
        data["y"][:2] = ["a", "b"]
    a, b = draw.draw(st.integers(1, 9)), draw.draw(st.integers(1, 9))
    make = draw.draw(st.sampled_from(RECIPES))
    costs = learned(data, make(costs={("a", "b"): a, ("b", "a"): b}))
    priors = learned(data, make(priors={"a": a * data["y"].count("a"), "b": b * data["y"].count("b")}))
    if costs.recipe.confidence is None:  # pessimistic pruning counts errors, not costs
        assert structure(costs) == structure(priors)


@pytest.mark.parametrize(
    "choice",
    [
        {"class_weight": "balanced"},
        {"class_weight": {"a": 2}},
        {"priors": {"a": 1, "b": 1}},
        {"costs": {("a", "b"): 2}},
    ],
    ids=str,
)
def test_a_regression_has_no_classes_to_weigh(choice: Any) -> None:
    """The error says for what such choices are."""
    table = Table.from_columns({"x": [1.0, 2.0], "y": [0.5, 1.5]})
    with pytest.raises(OptionError, match="the target makes this a regression, which has no classes"):
        learn(table, target="y", recipe=cart(**choice))


CITIES = Table.from_columns({"x": [1.0, 2.0, 3.0], "y": ["Oslo", "Rome", "Rome"]})


@pytest.mark.parametrize(
    "choice",
    [
        {"class_weight": {"oslo": 2}},
        {"priors": {"oslo": 1, "Rome": 1}},
        {"costs": {("oslo", "Rome"): 1}},
        {"costs": {("Rome", "oslo"): 1}},
    ],
    ids=str,
)
def test_an_unknown_class_is_refused_with_the_closest(choice: Any) -> None:
    """A slip in a name must not silently mean a weight of 1."""
    with pytest.raises(UnknownNameError, match="did you mean 'Oslo'"):
        learn(CITIES, target="y", recipe=cart(**choice))


def test_priors_name_every_class() -> None:
    """One class left out is an error that names them all."""
    with pytest.raises(OptionError, match="one for each class: Oslo, Rome"):
        learn(CITIES, target="y", recipe=cart(priors={"Oslo": 1}))


@pytest.mark.parametrize("classes", [(0, 1), (False, True), (date(2024, 1, 1), date(2024, 1, 2))], ids=str)
def test_a_class_may_be_named_by_its_text(classes: tuple[Any, Any]) -> None:
    """A command line knows "1" alone; so it means the class 1."""
    a, b = classes
    x = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    table = Table.from_columns({"x": x, "y": [a, b, a, b, a, a]}, types={"y": "category"})
    for choice in (
        {"class_weight": {b: 5}},
        {"priors": {a: 1, b: 5}},
        {"costs": {(b, a): 5}},
    ):
        option, values = next(iter(choice.items()))
        spelled = {tuple(map(str, key)) if isinstance(key, tuple) else str(key): v for key, v in values.items()}
        tree, other = (
            learn(table, target="y", recipe=cart(max_depth=1, **{option: spelling}), features=["x"])
            for spelling in (values, spelled)
        )
        assert tree.root == other.root
        assert tree.root != learn(table, target="y", recipe=cart(max_depth=1), features=["x"]).root


# ---- exactness


@pytest.mark.parametrize("change", [lambda y: y + 1e8, lambda y: y * 2.0**-30, lambda y: y * 2.0**500], ids="+-*")
@given(data=drawn(), draw=st.data())
def test_a_regression_does_not_feel_shift_and_scale(change: Any, data: Data, draw: st.DataObject) -> None:
    """Eighths as target, weighted by halves: y + 1e8, y * 2^-30 and y * 2^500 have the same structure."""
    data = with_target(draw, data, st.integers(-40, 40).map(lambda n: n / 8))
    weights = weights_of(draw, data, st.sampled_from((0.5, 1, 2))) if draw.draw(st.booleans()) else None
    missing = draw.draw(st.sampled_from(("larger", "learned", "branch")))
    recipe = cart(missing=missing, max_leaves=draw.draw(st.sampled_from((None, 4))))
    changed = {**data, "y": [change(value) for value in data["y"]]}
    tree, other = (learned(columns, recipe, weight=weights) for columns in (data, changed))
    assert structure(tree) == structure(other)
    for ours, theirs in zip(leaves(tree.root), leaves(other.root), strict=True):
        assert isinstance(ours.prediction, MeanPrediction) and isinstance(theirs.prediction, MeanPrediction)
        assert theirs.counts == ours.counts
        assert theirs.prediction.value == pytest.approx(change(ours.prediction.value), rel=1e-12)


LARGE = st.one_of(
    st.integers(2**53 - 3, 2**53 + 3), st.integers(2**63 - 4, 2**63 - 1), st.integers(-(2**63), -(2**63) + 3)
)


@given(draw=st.data(), x=st.lists(LARGE, min_size=2, max_size=20))
def test_integers_beyond_doubles_are_split_exactly(draw: st.DataObject, x: list[int]) -> None:
    """The rows are divided as if the values were their ranks 0, 1, 2, ...; thresholds are whole and lie between."""
    ranks = {value: rank for rank, value in enumerate(sorted(set(x)))}
    is_regression = draw.draw(st.booleans())
    goal = st.integers(0, 9).map(float) if is_regression else st.sampled_from(LABELS)
    data = with_target(draw, {"x": x}, goal)
    weights = weights_of(draw, data, st.integers(1, 3)) if draw.draw(st.booleans()) else None
    ranked = {**data, "x": [ranks[value] for value in x]}
    published = c45(quinlan=True, unpruned=True, min_samples_leaf=1)
    recipe = cart() if is_regression else draw.draw(st.sampled_from((cart(), c45(), published)))
    tree, other = (learned(columns, recipe, weight=weights) for columns in (data, ranked))
    sides = [apply(t, table_of(d, cart())).tolist() for t, d in ((tree, data), (other, ranked))]
    assert sides[0] == sides[1]
    assert shape(tree.root) == shape(other.root)
    by_rank = sorted(ranks)
    for ours, theirs in zip(preorder(tree.root), preorder(other.root), strict=True):
        if isinstance(ours, Split) and isinstance(theirs, Split):
            assert isinstance(ours.test, ThresholdTest) and isinstance(theirs.test, ThresholdTest)
            low = theirs.test.threshold
            assert type(ours.test.threshold) is int
            assert by_rank[low] <= ours.test.threshold < by_rank[-1]
        else:
            assert not isinstance(ours, Split)
            assert ours.counts == theirs.counts  # type: ignore[attr-defined]


def test_ordinals_and_booleans_take_their_weight() -> None:
    """Two thirds of the weight on one row of three decide every label."""
    table = Table.from_columns({"size": ["S", "M", "L"], "y": ["a", "b", "a"]}, types={"size": SIZES["size"]})
    tree = learn(table, target="y", recipe=cart(max_depth=1), weight=[1, 4, 1])
    assert isinstance(tree.root, Split)
    assert tree.root.test == CategoryTest(0, ((0,), (1, 2)))
    assert [leaf.counts for leaf in leaves(tree.root)] == [(1, 0), (1, 4)]
