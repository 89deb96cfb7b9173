"""Least numbers of rows count rows, unless all weights are whole numbers: then a row of weight k is k rows."""

from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

from selection import few
from treerules import (
    Interval,
    Recipe,
    Table,
    Tree,
    apply,
    auto,
    c45,
    cart,
    compare_recipes,
    cross_validate,
    feature_gains,
    id3,
    learn,
    optimal,
    prune,
    relearn,
)
from treerules.sklearn import TreeRulesClassifier, TreeRulesRegressor
from treerules.trees import Split, leaves, preorder

POLICIES = st.sampled_from(("larger", "learned", "branch", "fraction"))
CELLS = {
    "x": st.one_of(st.none(), st.integers(0, 9).map(float)),
    "k": st.one_of(st.none(), st.sampled_from("pqrs")),
    "z": st.integers(0, 3).map(float),
}
#: Weights, and a factor that keeps fractions fractions: powers of two times an odd number of thirds are never whole.
FRACTIONS = st.integers(1, 12).map(lambda n: n / 7)
FACTORS = st.sampled_from((1e-6, 0.01, 0.3, 1.1, 13.3, 1e5))

RECIPES: dict[str, Any] = {
    "cart": cart,
    "cart_bounds": lambda **more: cart(min_samples_leaf=3, min_samples_split=7, **more),
    "entropy": lambda **more: cart(criterion="entropy", categories="one_against_rest", min_samples_leaf=2, **more),
    "c45": c45,
    "c45_pruned": lambda **more: c45(quinlan=True, min_samples_leaf=2, **more),
    "c45_unpruned": lambda **more: c45(quinlan=True, unpruned=True, **more),
    "grouped": lambda **more: c45(categories="grouped", min_samples_leaf=2, **more),
    "max_leaves": lambda **more: cart(max_leaves=4, **more),
    "auto": auto,
}


@st.composite
def tables(draw: st.DrawFn, most: int = 40) -> dict[str, list[Any]]:
    """Draw the columns of a table of two to three classes, with missing values."""
    n = draw(st.integers(4, most))
    columns = {name: draw(st.lists(cells, min_size=n, max_size=n)) for name, cells in CELLS.items()}
    return {**columns, "y": draw(st.lists(st.sampled_from("abc"), min_size=n, max_size=n))}


def learned(columns: dict[str, list[Any]], recipe: Recipe, weight: Any = None) -> Tree:
    """Return the tree of drawn columns, all of them features."""
    table = Table.from_columns(columns, types={"k": "category"})
    return learn(table, target="y", recipe=recipe, weight=weight, features=list(CELLS))


def structure(tree: Tree) -> list[Any]:
    """Return the nodes without figures of weight: tests, routing, labels and shares."""
    return [(node.test, node.missing, node.unseen) if isinstance(node, Split) else None for node in preorder(tree.root)]


def predictions(tree: Tree) -> list[float]:
    """Return the shares of classes, or the means, of all leaves."""
    parts = [leaf.prediction for leaf in leaves(tree.root)]
    return [value for part in parts for value in getattr(part, "probabilities", None) or (part.value, part.sd)]  # type: ignore[union-attr]


def assert_same_but_for_weight(one: Tree, other: Tree) -> None:
    """Two trees are equal but for figures of weight, and the estimated errors too."""
    assert structure(one) == structure(other)
    assert predictions(one) == pytest.approx(predictions(other), rel=1e-9, abs=1e-9)
    if one.estimate is not None and other.estimate is not None:
        figures = [(each.error, each.standard_error, each.training_error) for each in (one.estimate, other.estimate)]
        assert figures[0] == pytest.approx(figures[1], rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("name", RECIPES)
@given(columns=tables(), draw=st.data(), factor=FACTORS, policy=POLICIES)
def test_scaling_fractional_weights_changes_figures_of_weight_alone(
    name: str, columns: dict[str, list[Any]], draw: st.DataObject, factor: float, policy: str
) -> None:
    """Any weights that are not all whole, times a constant that keeps them so."""
    n = len(columns["y"])
    weights = np.array(draw.draw(st.lists(FRACTIONS, min_size=n, max_size=n)))
    assume((weights % 1).any() and (weights * factor % 1).any())
    recipe = RECIPES[name](missing=policy)
    assert_same_but_for_weight(learned(columns, recipe, weights), learned(columns, recipe, weights * factor))


@given(columns=tables(30), draw=st.data(), factor=FACTORS, least=st.sampled_from((1, 2, 5)))
def test_optimal_trees_of_scaled_weights_are_one_tree(
    columns: dict[str, list[Any]], draw: st.DataObject, factor: float, least: int
) -> None:
    """No penalty, which is a figure of weight. Of several optimal trees each is right: the cost is compared."""
    n = len(columns["y"])
    weights = np.array(draw.draw(st.lists(FRACTIONS, min_size=n, max_size=n)))
    assume((weights % 1).any() and (weights * factor % 1).any())
    recipe = optimal(max_depth=2, leaf_penalty=0, min_samples_leaf=least)
    one, other = (learned(columns, recipe, weight) for weight in (weights, weights * factor))
    assert one.bounds is not None
    assert other.bounds is not None
    assert other.bounds.cost == pytest.approx(one.bounds.cost * factor, rel=1e-6)
    numbers = apply(one, Table.from_columns(columns, types={"k": "category"})).tolist()
    assert one.n_leaves == 1 or min(Counter(numbers).values()) >= least


@pytest.mark.parametrize("name", RECIPES)
@given(columns=tables(), policy=POLICIES, factor=st.sampled_from((1e-3, 0.01, 0.3)))
def test_equal_fractions_are_no_weights(name: str, columns: dict[str, list[Any]], policy: str, factor: float) -> None:
    """sample_weight=1e-3 for all rows gives the tree without weights."""
    recipe = RECIPES[name](missing=policy)
    weighted = learned(columns, recipe, np.full(len(columns["y"]), factor))
    assert structure(weighted) == structure(learned(columns, recipe))


@given(columns=tables(), draw=st.data(), leaf=st.integers(1, 6), split=st.integers(2, 14), policy=POLICIES)
def test_leaves_and_split_nodes_have_the_rows_asked_for(
    columns: dict[str, list[Any]], draw: st.DataObject, leaf: int, split: int, policy: str
) -> None:
    """Counted by routing the rows, whatever they weigh."""
    assume(policy not in ("branch", "fraction"))  # a branch of missing values may be small; parts of rows are not rows
    n = len(columns["y"])
    weights = draw.draw(st.lists(FRACTIONS, min_size=n, max_size=n))
    assume(any(weight % 1 for weight in weights))
    tree = learned(columns, cart(min_samples_leaf=leaf, min_samples_split=split, missing=policy), weights)
    sizes = Counter(apply(tree, Table.from_columns(columns, types={"k": "category"})).tolist())
    numbers = {id(each): number for number, each in enumerate(leaves(tree.root), 1)}
    for node in preorder(tree.root):
        size = sum(sizes[numbers[id(each)]] for each in leaves(node))
        assert size >= (split if isinstance(node, Split) else leaf) or tree.n_leaves == 1


@pytest.mark.parametrize("recipe", [None, cart(min_samples_leaf=3), c45(), id3(), optimal(max_depth=2, leaf_penalty=0)])
@given(draw=st.data(), factor=st.sampled_from((1e-6, 0.5, 1.7, 3.0, 100.0)))
def test_scaling_sample_weight_changes_no_answer(recipe: Recipe | None, draw: st.DataObject, factor: float) -> None:
    """The estimators' sample_weight counts rows always, also where it is whole."""
    n = draw.draw(st.integers(6, 40))
    rows = np.array(draw.draw(st.lists(st.tuples(*[st.integers(0, 6)] * 2), min_size=n, max_size=n)), dtype=float)
    frame: Any = {"x": [f"v{value:g}" for value in rows[:, 0]]} if recipe == id3() else None
    labels = draw.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    weights = np.array(draw.draw(st.lists(st.integers(1, 5), min_size=n, max_size=n)), dtype=float)
    if frame is not None:
        import pandas as pd

        rows = pd.DataFrame(frame)
    one, other = (
        TreeRulesClassifier(recipe=recipe).fit(rows, labels, sample_weight=weight).tree_
        for weight in (weights, weights * factor)
    )
    if recipe is not None and recipe.optimal_search is not None:
        assert other.bounds.cost == pytest.approx(one.bounds.cost * factor, rel=1e-6)
    else:
        assert_same_but_for_weight(one, other)


@given(draw=st.data(), factor=st.sampled_from((0.5, 2.0, 64.0)))
def test_scaling_sample_weight_changes_no_regression(draw: st.DataObject, factor: float) -> None:
    """A leaf of a regression has at least 5 rows, not weight."""
    n = draw.draw(st.integers(6, 60))
    rows = np.array(draw.draw(st.lists(st.integers(0, 12), min_size=n, max_size=n)), dtype=float)[:, None]
    values = draw.draw(st.lists(st.integers(-8, 8).map(lambda value: value / 4), min_size=n, max_size=n))
    weights = np.array(draw.draw(st.lists(st.integers(1, 5), min_size=n, max_size=n)), dtype=float)
    trees = [TreeRulesRegressor().fit(rows, values, sample_weight=w).tree_ for w in (weights, weights * factor)]
    assert_same_but_for_weight(*trees)


def test_boosting_by_scikit_learn_goes_on_beyond_the_first_tree() -> None:
    """AdaBoost's weights sum to 1: as with scikit-learn's own stumps."""
    generator = np.random.default_rng(0)
    rows = generator.normal(size=(300, 2))
    labels = (rows[:, 0] + rows[:, 1] > 0).astype(int)
    ours, theirs = (
        AdaBoostClassifier(stump, n_estimators=20, random_state=0).fit(rows, labels)
        for stump in (TreeRulesClassifier(recipe=cart(max_depth=1)), DecisionTreeClassifier(max_depth=1))
    )
    assert len(ours.estimators_) == len(theirs.estimators_) == 20
    assert ours.score(rows, labels) == pytest.approx(theirs.score(rows, labels), abs=0.02)


def test_a_note_says_what_is_counted() -> None:
    """Of weights that are not all whole; weights of whole numbers are copies, as promised."""
    columns = {"x": [1.0, 2.0, 3.0, 4.0], "z": [0.0] * 4, "k": ["p"] * 4, "y": list("aabb")}
    note = "some weights are not whole numbers: min_samples_leaf and min_samples_split count rows, not weight"
    assert note in learned(columns, cart(), [0.5, 1, 1, 1]).notes
    assert not any("weight" in each for each in learned(columns, cart(), [2, 1, 1, 1]).notes)
    assert learned(columns, cart(min_samples_leaf=3), [3, 1, 1, 5]).n_leaves == 2
    assert learned(columns, cart(min_samples_leaf=3), [3.5, 1, 1, 5]).n_leaves == 1


def test_gains_of_features_count_as_the_tree_does() -> None:
    """The cut of `feature_gains` leaves as many rows on both sides as a tree's; at a node as at the root."""
    columns = {"x": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "y": list("abbbbb"), "w": [9.5, 1.0, 1.0, 1.0, 1.0, 1.0]}
    table = Table.from_columns(columns)
    for least, cut in ((1, 1.5), (2, 2.5)):
        (gain,) = feature_gains(table, target="y", weight="w", recipe=cart(min_samples_leaf=least)).features
        assert gain.cut == cut
    flags = Table.from_columns({"k": list("pqqqqr"), "y": list("abbbba"), "w": [9.5, 1.0, 1.0, 1.0, 1.0, 7.0]})
    recipe = cart(categories="one_against_rest", min_samples_leaf=2)
    (gain,) = feature_gains(flags, target="y", weight="w", recipe=recipe).features
    assert str(gain.best) == "in {q}" or "q" in str(gain.best)


def test_what_is_done_with_a_tree_of_an_estimator_counts_as_it_does() -> None:
    """Whole-number `sample_weight` are no copies of rows where its tree is learned again, or its gains are shown."""
    rows, weights = np.arange(12.0)[:, None], np.array([1, 9, 1, 1, 2, 1, 1, 1, 1, 3, 1, 1])
    labels = list("aabbbbbbabab")
    tree = TreeRulesClassifier(recipe=cart(min_samples_leaf=3)).fit(rows, labels, sample_weight=weights).tree_
    table = Table.from_columns({"x0": rows[:, 0], "target": labels})
    assert tree.schema.counted == "weight"
    assert relearn(tree, table, weight=weights) == tree
    assert feature_gains(table, tree=tree, weight=weights).features[0].best == Interval(None, 2.5)


@given(columns=tables(), draw=st.data(), factor=FACTORS, method=st.sampled_from(("pessimistic", "minimum_error")))
def test_pruning_afterwards_counts_rows(
    columns: dict[str, list[Any]], draw: st.DataObject, factor: float, method: str
) -> None:
    """Fractional weights, times a constant, and equal fractions instead of no weights, prune the same nodes."""
    n = len(columns["y"])
    weights = np.array(draw.draw(st.lists(FRACTIONS, min_size=n, max_size=n)))
    assume((weights % 1).any() and (weights * factor % 1).any())
    one, other = (prune(learned(columns, cart(), weight), method) for weight in (weights, weights * factor))
    assert_same_but_for_weight(one, other)
    equal, alone = (prune(learned(columns, cart(), weight), method) for weight in (np.full(n, 0.01), None))
    assert structure(equal) == structure(alone)


@pytest.mark.parametrize("factor", [1e-3, 13.3])
@pytest.mark.parametrize(
    ("recipe", "is_number"),
    few([(c45(), False), *product((cart(min_samples_leaf=3), auto(), optimal(max_depth=1)), (False, True))], 3),
)
def test_cross_validation_of_scaled_weights_is_the_same(recipe: Recipe, factor: float, is_number: bool) -> None:
    """The cp table, the chosen row and the estimate are those of the weights without a constant; alpha is a weight."""
    random = np.random.default_rng(5)
    n = 30
    weights = random.integers(1, 13, n) / 7
    x, z, noise = random.integers(0, 4, n), random.integers(0, 3, n), random.random(n)
    y: Any = (x + noise).tolist() if is_number else np.where((x > 1) ^ (noise < 0.2), "a", "b").tolist()
    found = []
    for times in (1.0, factor):
        table = Table.from_columns({"x": x, "z": z, "w": weights * times, "y": y})
        found.append(cross_validate(table, tree=learn(table, target="y", weight="w", recipe=recipe), folds=4))
    one, other = found
    figures = [
        [(row.cp, row.n_splits, row.relative_error, row.xerror, row.xstd) for row in each.rows] for each in found
    ]
    assert figures[0] == [pytest.approx(row, rel=1e-6, abs=1e-9) for row in figures[1]]
    assert other.root_risk == pytest.approx(one.root_risk * factor)
    assert_same_but_for_weight(one.tree, other.tree)
    assert [each.chosen("min").n_leaves - 1 for each in found] == [one.row("min").n_splits] * 2
    assert [each.chosen("1se").n_leaves - 1 for each in found] == [one.row("1se").n_splits] * 2


def test_cross_validation_by_equal_fractions_is_that_without_weights() -> None:
    """sample_weight=1e-3 for all rows deals the same folds, with the same errors and standard errors."""
    random = np.random.default_rng(0)
    columns: dict[str, Any] = {"x": random.integers(0, 9, 80).tolist(), "z": random.integers(0, 3, 80).tolist()}
    columns["y"] = np.where(random.random(80) < 0.3, "a", "b").tolist()
    alone = cross_validate(Table.from_columns(columns), target="y", folds=5)
    weighted = cross_validate(Table.from_columns(columns), target="y", folds=5, weight=np.full(80, 1e-3))
    pairs = [[(row.cp, row.xerror, row.xstd) for row in each.rows] for each in (alone, weighted)]
    assert pairs[0] == [pytest.approx(row) for row in pairs[1]]


@pytest.mark.parametrize("factor", [1e-3, 13.3])
def test_recipes_are_compared_alike_with_scaled_weights(factor: float) -> None:
    """The folds, errors and standard errors are those of the weights without a constant."""
    random = np.random.default_rng(1)
    columns: dict[str, Any] = {"x": random.integers(0, 4, 40).tolist(), "z": random.integers(0, 3, 40).tolist()}
    columns["y"] = np.where(random.random(40) < 0.3, "a", "b").tolist()
    weights = random.integers(1, 13, 40) / 7
    one, other = (
        compare_recipes(Table.from_columns(columns), [cart(), c45()], target="y", folds=4, weight=each)
        for each in (weights, weights * factor)
    )
    figures = [[(row.error, row.standard_error, row.training_error) for row in each.rows] for each in (one, other)]
    assert figures[0] == [pytest.approx(row) for row in figures[1]]


@pytest.mark.parametrize("factor", [1 / 7, 1e-7, 0.01, 0.3])
@pytest.mark.parametrize(
    ("recipe", "x", "z", "n_of_a"),
    [
        # C4.5 keeps a subtree that saves 0.001 errors: of rows, not of weight
        (c45(quinlan=True, missing="larger"), [None] * 10 + [0.0, 0.0, 1.0, 1.0], [0.0] * 14, 12),
        # rows are dealt to folds by whole numbers, from which scaled weights differ by rounding
        (auto(missing="larger"), [None] * 14, [1.0] + [0.0] * 7 + [1.0] + [0.0] * 5, 9),
    ],
)
def test_no_rounding_of_equal_fractions_changes_a_tree(
    recipe: Recipe, x: list[Any], z: list[float], n_of_a: int, factor: float
) -> None:
    """Two tables where a limit in rows was compared with weight, or with a sum that rounding had changed."""
    columns = {"x": x, "k": ["p"] + [None] * 13, "z": z, "y": ["a"] * n_of_a + ["b"] * (14 - n_of_a)}
    assert structure(learned(columns, recipe, np.full(14, factor))) == structure(learned(columns, recipe))
