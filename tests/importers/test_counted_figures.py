"""Figures of imported models: rows where a library keeps their number, and the word "weight" where it keeps weights."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from treerules import Tree, compile_rules, cost_complexity_path, importances, prune
from treerules.errors import DataError
from treerules.importers import import_model
from treerules.trees.json_codec import tree_from_json, tree_to_json
from treerules.trees.leaf_of_row import find_leaf
from treerules.trees.nodes import Leaf, as_leaf
from treerules.trees.walkers import leaves, preorder

DRAW = np.random.default_rng(7)
ROWS = DRAW.integers(0, 6, (200, 3)).astype(float)
LABELS = np.array(["ann", "bob", "cy"])[np.minimum((ROWS[:, 0] + DRAW.integers(0, 3, 200)) // 3, 2).astype(int)]
NUMBERS = ROWS[:, 1] ** 2 + DRAW.integers(0, 9, 200)
WEIGHTS = DRAW.choice([0.5, 1.0, 2.5], 200)
FACTORS = {"ann": 0.1, "bob": 3.7}


def true_counts(model: Any) -> list[tuple[int, ...]]:
    """Return the numbers of training rows by class in each node, in preorder, as scikit-learn numbers them."""
    path = model.decision_path(ROWS).toarray().astype(bool)
    counts = [Counter(LABELS[inside].tolist()) for inside in path.T]
    return [tuple(count[label] for label in model.classes_.tolist()) for count in counts]


@pytest.mark.parametrize("class_weight", ["balanced", FACTORS, None], ids=["balanced", "factors", "none"])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("depth", [2, 3, None])
def test_a_tree_with_weights_of_classes_has_the_numbers_of_its_rows(
    class_weight: Any, criterion: Any, depth: int | None
) -> None:
    """Of each class in each node; the confidence of a rule is their share. Probabilities are those of the library."""
    options: Any = {"class_weight": class_weight, "criterion": criterion, "max_depth": depth}
    model = DecisionTreeClassifier(random_state=0, **options).fit(ROWS, LABELS)
    tree = import_model(model)
    assert isinstance(tree, Tree) and tree.schema.counted == "rows"
    assert [as_leaf(node).counts for node in preorder(tree.root)] == true_counts(model)
    for rule, leaf in zip(compile_rules(tree).rules, leaves(tree.root), strict=True):
        assert rule.figures.n == sum(leaf.counts)
        assert rule.figures.confidence == leaf.counts[tree.schema.classes.index(rule.value)] / sum(leaf.counts)
    ends = [find_leaf(tree, dict(zip(("x0", "x1", "x2"), row, strict=True))) for row in ROWS.tolist()]
    assert [leaf.prediction.probabilities for leaf in ends] == [
        tuple(row) for row in model.predict_proba(ROWS).tolist()
    ]  # type: ignore[union-attr]


@pytest.mark.parametrize("class_weight", ["balanced", FACTORS], ids=["balanced", "factors"])
def test_weights_of_classes_still_count_in_importances_and_pruning(class_weight: Any) -> None:
    """They are those of scikit-learn, although the figures are rows."""
    model = DecisionTreeClassifier(random_state=0, max_depth=4, class_weight=class_weight).fit(ROWS, LABELS)
    tree = import_model(model)
    assert isinstance(tree, Tree)
    own = {each.feature: each.value for each in importances(tree).features}
    values = np.array([own[name] for name in ("x0", "x1", "x2")])
    assert values / values.sum() == pytest.approx(model.feature_importances_)
    total = model.tree_.weighted_n_node_samples[0] / len(ROWS)
    alphas = model.cost_complexity_pruning_path(ROWS, LABELS).ccp_alphas
    for alpha in (alphas[:-1] + alphas[1:]) / 2:
        pruned = DecisionTreeClassifier(random_state=0, max_depth=4, class_weight=class_weight, ccp_alpha=alpha)
        kept = prune(tree, "cost_complexity", alpha=alpha * len(ROWS), risk="gini")
        assert kept.n_leaves == pruned.fit(ROWS, LABELS).get_n_leaves(), total


@pytest.mark.parametrize(
    ("model", "target"),
    [
        (DecisionTreeClassifier(max_depth=3), LABELS),
        (DecisionTreeClassifier(max_depth=3, class_weight="balanced"), LABELS),
        (DecisionTreeClassifier(max_depth=3, class_weight=FACTORS), LABELS),
        (DecisionTreeRegressor(max_depth=3), NUMBERS),
        (RandomForestRegressor(n_estimators=3, bootstrap=False), NUMBERS),
    ],
    ids=["classes", "balanced", "factors", "regression", "forest"],
)
def test_weights_of_rows_are_weights(model: Any, target: Any) -> None:
    """The figures are sums of weights, and the model says so; a model file keeps it."""
    tree = import_model(model.fit(ROWS, target, sample_weight=WEIGHTS))
    tree = tree if isinstance(tree, Tree) else tree.trees[0]
    fitted = getattr(model, "estimators_", [model])[0].tree_
    assert tree_from_json(tree_to_json(tree)).schema.counted == "weight"
    assert [as_leaf(node).n for node in preorder(tree.root)] == pytest.approx(fitted.weighted_n_node_samples)


@pytest.mark.parametrize("depth", [0, 1])
def test_weights_of_classes_that_no_node_tells_apart_are_weights(depth: int) -> None:
    """Fewer leaves than classes, after "balanced": the numbers of nodes do not say how many rows each class has."""
    model = DecisionTreeClassifier(max_leaf_nodes=2, class_weight="balanced", min_impurity_decrease=1.0 - depth)
    tree = import_model(model.fit(ROWS, LABELS))
    assert isinstance(tree, Tree) and tree.depth == depth and tree.schema.counted == "weight"
    assert sum(as_leaf(tree.root).counts) == pytest.approx(len(ROWS))


def ends_of(tree: Tree) -> list[Leaf]:
    """Return the leaf of each row."""
    names = [feature.name for feature in tree.schema.features]
    return [find_leaf(tree, dict(zip(names, row, strict=True))) for row in ROWS.tolist()]


def assert_rows(trees: Any, ends: Any, rows: Any = None) -> None:
    """Fail unless the figures of leaves are numbers of training rows, where `ends` has the leaf of each, by tree."""
    for tree, numbers in zip(trees, np.asarray(ends).T, strict=True):
        counts = np.bincount(numbers, weights=rows)
        assert tree.schema.counted == "rows"
        assert [leaf.n for leaf in ends_of(tree)] == [counts[number] for number in numbers]


def test_forests_count_rows_as_often_as_they_were_drawn() -> None:
    """Bootstrap samples are copies of rows; without them a forest counts each row once."""
    model = RandomForestClassifier(n_estimators=3, random_state=0).fit(ROWS, LABELS)
    for tree, member, drawn in zip(
        import_model(model).trees, model.apply(ROWS).T, model.estimators_samples_, strict=True
    ):  # type: ignore[union-attr]
        assert_rows([tree], member[:, None], np.bincount(drawn, minlength=len(ROWS)))
    whole = ExtraTreesClassifier(n_estimators=3, random_state=0).fit(ROWS, LABELS)
    assert_rows(import_model(whole).trees, whole.apply(ROWS))  # type: ignore[union-attr]


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["no_weights", "weights"])
def test_boosted_trees_of_scikit_learn_count_rows(weights: Any) -> None:
    """They keep numbers of rows beside weights, or alone."""
    model = GradientBoostingRegressor(n_estimators=3, random_state=0).fit(ROWS, NUMBERS, sample_weight=weights)
    assert_rows(import_model(model).trees, model.apply(ROWS).astype(int))  # type: ignore[union-attr]
    histogram = HistGradientBoostingClassifier(max_iter=2, min_samples_leaf=5).fit(ROWS, LABELS, sample_weight=weights)
    for tree in import_model(histogram).trees:  # type: ignore[union-attr]
        assert tree.schema.counted == "rows" and sum(leaf.n for leaf in leaves(tree.root)) == len(ROWS)


def test_lightgbm_counts_rows() -> None:
    """`leaf_count` is a number of rows, whatever they weigh."""
    lightgbm = pytest.importorskip("lightgbm")
    model = lightgbm.LGBMRegressor(n_estimators=3, min_child_samples=5, verbose=-1).fit(ROWS, NUMBERS, WEIGHTS)
    assert_rows(import_model(model).trees, model.predict(ROWS, pred_leaf=True))  # type: ignore[union-attr]


def test_xgboost_counts_sums_of_hessians() -> None:
    """Of a regression by squared errors the weights of rows; the word stands in its notes too."""
    xgboost = pytest.importorskip("xgboost")
    model = xgboost.XGBRegressor(n_estimators=2, max_depth=2).fit(ROWS, NUMBERS, sample_weight=WEIGHTS)
    ensemble = import_model(model)
    assert ensemble.schema.counted == "weight" and "weight is the sum of hessians" in ensemble.notes[0]
    for tree, numbers in zip(ensemble.trees, model.apply(ROWS).T.astype(int), strict=True):  # type: ignore[union-attr]
        sums = np.bincount(numbers, weights=WEIGHTS)
        assert [leaf.n for leaf in ends_of(tree)] == pytest.approx([sums[number] for number in numbers])
        assert tree.schema.counted == "weight"


def test_catboost_counts_weights_of_rows() -> None:
    """`leaf_weights` are sums of weights, 1 each where none was given, which the file does not say."""
    catboost = pytest.importorskip("catboost")
    model = catboost.CatBoostRegressor(iterations=2, depth=2, verbose=False, allow_writing_files=False)
    for weights in (WEIGHTS, None):
        model = catboost.CatBoostRegressor(iterations=2, depth=2, verbose=False, allow_writing_files=False)
        ensemble = import_model(model.fit(ROWS, NUMBERS, sample_weight=weights))
        assert ensemble.schema.counted == "weight"
        own = np.ones(len(ROWS)) if weights is None else weights
        for tree, numbers in zip(ensemble.trees, model.calc_leaf_indexes(ROWS).T, strict=True):  # type: ignore[union-attr]
            sums = np.bincount(numbers, weights=own)
            assert [leaf.n for leaf in ends_of(tree)] == pytest.approx([sums[number] for number in numbers])


@pytest.mark.parametrize("criterion", ["absolute_error", "poisson"])
def test_what_needs_standard_deviations_is_refused_where_the_library_keeps_none(criterion: Any) -> None:
    """A tree of absolute errors was pruned to its root, and all its features had importance 0."""
    tree = import_model(DecisionTreeRegressor(max_depth=3, criterion=criterion, random_state=0).fit(ROWS, NUMBERS))
    assert isinstance(tree, Tree)
    for ask in (importances, cost_complexity_path, lambda tree: prune(tree, alpha=1e-6)):
        with pytest.raises(DataError, match="standard deviations of the tree are not known"):
            ask(tree)
