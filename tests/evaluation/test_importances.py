"""Importances: compared with scikit-learn's, the book's numbers and the definitions spelled out."""

import csv
import json
import re
from math import inf, ldexp
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.cells import cell_len
from sklearn import datasets, inspection, metrics
from sklearn.inspection import _permutation_importance as theirs
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from evaluation_cases import SMALL, category, imported_tree, loan_model, output, steps, stump, table_of, weights_of
from paths import LOAN
from terminal import TERMINALS, Terminal
from treerules import Feature, Kind, Schema, Table, Tree, c45, cart, id3, learn, load, render
from treerules.criteria import gini
from treerules.errors import ColumnError, DataError, OptionError, UnknownNameError
from treerules.evaluation.evaluation import evaluate
from treerules.evaluation.importances import importances, permutation_importances
from treerules.readers import read_csv
from treerules.recipes.recipe import MISSING
from treerules.trees import ClassPrediction, Leaf, MeanPrediction, Split, ThresholdTest
from treerules.trees.nodes import as_leaf
from treerules.trees.walkers import leaves

__all__ = ("loan_model",)  # the fixture `model`


def single(x: Any) -> Any:
    """Return values that float32, in which scikit-learn splits, holds exactly."""
    return x.astype(np.float32).astype(np.float64)


def values(found: Any) -> list[float]:
    """Return the value of each feature, in the schema's order."""
    return [importance.value for importance in found.features]


# ---- by impurity


@pytest.mark.peer
@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("is_weighted", [False, True])
def test_decrease_of_impurity_is_scikit_learns(name: str, criterion: Any, is_weighted: bool) -> None:
    """The same tree has the same feature_importances_, weighted or not; `decrease` is what is not normalised."""
    x, y = SMALL[name](return_X_y=True)
    x, weight = single(x), weights_of(len(y)) if is_weighted else None
    fitted = DecisionTreeClassifier(criterion=criterion, max_depth=6, random_state=0).fit(x, y, sample_weight=weight)
    found = importances(imported_tree(fitted, x, y, weight=weight, recipe=cart(criterion=criterion)))
    assert values(found) == pytest.approx(fitted.feature_importances_.tolist(), abs=1e-12)
    plain = fitted.tree_.compute_feature_importances(normalize=False)
    assert [importance.decrease for importance in found.features] == pytest.approx(plain.tolist(), abs=1e-12)
    asked = np.bincount(fitted.tree_.feature[fitted.tree_.feature >= 0], minlength=x.shape[1])
    assert [importance.n_splits for importance in found.features] == asked.tolist()
    assert (found.method, found.measure, found.score) == ("impurity", criterion, None)


@pytest.mark.peer
@pytest.mark.parametrize("class_weight", ["balanced", {0: 3.0, 1: 0.5}])
def test_class_weights_count(class_weight: Any) -> None:
    """Counts are multiplied by the weight of their class, as scikit-learn's class_weight does."""
    x, y = datasets.load_breast_cancer(return_X_y=True)
    x = single(x)
    fitted = DecisionTreeClassifier(max_depth=4, random_state=0, class_weight=class_weight).fit(x, y)
    found = importances(imported_tree(fitted, x, y, recipe=cart(class_weight=class_weight)))
    assert values(found) == pytest.approx(fitted.feature_importances_.tolist(), abs=1e-12)


@pytest.mark.peer
def test_priors_count() -> None:
    """Priors are class weights: prior over share (Breiman 1984, 4.4)."""
    x, y = datasets.load_breast_cancer(return_X_y=True)
    x = single(x)
    weight = {0: 0.9 * len(y) / (y == 0).sum(), 1: 0.1 * len(y) / (y == 1).sum()}
    fitted = DecisionTreeClassifier(max_depth=4, random_state=0, class_weight=weight).fit(x, y)
    found = importances(imported_tree(fitted, x, y, recipe=cart(priors={0: 0.9, 1: 0.1})))
    assert values(found) == pytest.approx(fitted.feature_importances_.tolist(), abs=1e-12)


@pytest.mark.peer
@pytest.mark.parametrize("is_weighted", [False, True])
def test_decrease_of_variance_is_scikit_learns(is_weighted: bool) -> None:
    """A regression's impurity is the variance."""
    x, y = datasets.load_diabetes(return_X_y=True)
    x, weight = single(x), weights_of(len(y)) if is_weighted else None
    fitted = DecisionTreeRegressor(max_depth=5, random_state=0).fit(x, y, sample_weight=weight)
    found = importances(imported_tree(fitted, x, y, weight=weight, recipe=cart()))
    assert values(found) == pytest.approx(fitted.feature_importances_.tolist(), abs=1e-9)
    plain = fitted.tree_.compute_feature_importances(normalize=False)
    assert [importance.decrease for importance in found.features] == pytest.approx(plain.tolist(), rel=1e-9)
    assert found.measure == "variance"


@pytest.mark.parametrize("recipe", [id3(), c45(), cart(criterion="entropy")], ids=lambda recipe: recipe.name)
def test_the_base_of_logarithms_is_the_recipes(recipe: Any, model: Path) -> None:
    """Li Hang's loans: 0.420 bits by 有自己的房子 (example 5.2), then 9/15 of 0.918 (5.3); ln 2 times that in nats."""
    from attrs import evolve

    tree = evolve(load(model), recipe=recipe)
    house, work = (importance.decrease for importance in importances(tree).features)
    assert house == pytest.approx(0.420, abs=5e-4) and work == pytest.approx(9 / 15 * 0.918, abs=5e-4)
    in_nats = importances(evolve(tree, recipe=evolve(recipe, base="e")))
    assert in_nats.measure == "entropy"
    assert [importance.decrease for importance in in_nats.features] == pytest.approx(
        [house * np.log(2), work * np.log(2)], rel=1e-12
    )


def test_the_loan_tree_by_gini(model: Path) -> None:
    """Gini(D) is 0.48 and 4/15 after 有自己的房子 (Li Hang, example 5.4); the rest, 4/15, goes by 有工作."""
    found = importances(load(model))
    assert found.measure == "gini"  # no recipe is known
    house, work = found.features
    assert (house.decrease, work.decrease) == (pytest.approx(0.48 - 4 / 15), pytest.approx(4 / 15))
    assert (house.value, work.value) == (pytest.approx(4 / 9), pytest.approx(5 / 9))
    assert [importance.feature for importance in found.ranked] == ["有工作", "有自己的房子"]
    assert found.feature("有工作") == work
    with pytest.raises(UnknownNameError, match="did you mean '有工作'"):
        found.feature("有工 作")


@pytest.mark.parametrize("target", ["size", "kind"])
@pytest.mark.parametrize("missing", MISSING)
def test_all_decrease_is_that_from_root_to_leaves(target: str, missing: Any) -> None:
    """However rows with missing values are sent: what is between root and leaves cancels out."""
    random = np.random.default_rng(3)
    x, z = random.normal(size=(2, 120)).round(1)
    hole = np.where((random.random(120) < 0.2) & (missing != "error"), np.nan, x)
    kind = np.where(x + random.normal(size=120) > 0, "a", np.where(z > 0, "b", "c"))
    table = Table.from_columns({"x": hole, "z": z, target: kind if target == "kind" else x * z})
    tree = learn(table, target=target, recipe=cart(missing=missing, min_samples_leaf=5))

    def impurity(leaf: Leaf) -> float:
        return leaf.prediction.sd**2 if isinstance(leaf.prediction, MeanPrediction) else gini(leaf.counts)

    root = as_leaf(tree.root)
    below = sum(leaf.n * impurity(leaf) for leaf in leaves(tree.root)) / root.n
    found = importances(tree)
    decrease = sum(importance.decrease or 0.0 for importance in found.features)
    assert decrease == pytest.approx(impurity(root) - below, rel=1e-9) and decrease > 0
    assert sum(values(found)) == pytest.approx(1)
    assert permutation_importances(tree, table, repeats=2).feature("x").n_splits == found.feature("x").n_splits


def test_a_lone_leaf_owes_nothing() -> None:
    """Nothing splits: all is 0."""
    lone = Tree(stump().schema, Leaf(ClassPrediction("b", [0.25, 0.75]), [1, 3]))
    assert [(f.value, f.decrease, f.n_splits) for f in importances(lone).features] == [(0.0, 0.0, 0)]


def test_a_tree_that_does_not_know_its_own_figures() -> None:
    """A split without `as_leaf` is refused, at the root and below."""
    tree = stump()
    assert isinstance(tree.root, Split)
    bare = Split(tree.root.test, tree.root.children)
    with pytest.raises(DataError, match="does not hold the leaf that it would be"):
        importances(Tree(tree.schema, bare))
    with pytest.raises(DataError, match="does not hold the leaf that it would be"):
        importances(Tree(tree.schema, Split(ThresholdTest(0, 5.0), [bare, bare], as_leaf=tree.root.as_leaf)))
    with pytest.raises(OptionError):
        importances(3)  # type: ignore[arg-type]


def test_parts_may_be_negative() -> None:
    """Rows with a missing value can make a split raise the impurity; that is kept, and shares still add up to 1."""
    schema = Schema([Feature("x", Kind.NUMBER), Feature("z", Kind.NUMBER)], category("y", ["a", "b"]))

    def leaf(*counts: float) -> Leaf:
        return Leaf(ClassPrediction("a", [count / sum(counts) for count in counts]), counts)

    worse = Split(ThresholdTest(1, 0.0), [leaf(3, 3), leaf(2, 2)], as_leaf=leaf(7, 3))  # as if some rows were others
    root = Split(ThresholdTest(0, 0.0), [worse, leaf(0, 10)], as_leaf=leaf(7, 13))
    found = importances(Tree(schema, root))
    x, z = (importance.decrease for importance in found.features)
    assert z == pytest.approx((10 * 0.42 - 6 * 0.5 - 4 * 0.5) / 20) and z < 0
    assert x == pytest.approx((20 * 0.455 - 10 * 0.42) / 20)
    assert sum(values(found)) == pytest.approx(1) and values(found)[1] < 0
    alone = importances(Tree(schema, worse))
    assert values(alone) == [0.0, 0.0] and alone.features[1].decrease == pytest.approx(-0.08)


@pytest.mark.parametrize("exponent", [-520, 0, 500, 510, 520])
def test_the_scale_of_a_target_is_nothing(exponent: int) -> None:
    """Shares do not depend on it; a decrease beyond float64 is infinite."""

    def mean(value: float, sd: float, n: int) -> Leaf:
        return Leaf(MeanPrediction(ldexp(value, exponent), ldexp(sd, exponent)), [n])

    schema = Schema([Feature("x", Kind.NUMBER), Feature("z", Kind.NUMBER)], Feature("y", Kind.NUMBER))
    below = Split(ThresholdTest(1, 0.0), [mean(0, 0, 1), mean(2, 0, 1)], as_leaf=mean(1, 1, 2))
    root = Split(ThresholdTest(0, 0.0), [below, mean(9, 0, 2)], as_leaf=mean(5, 16.5**0.5, 4))
    found = importances(Tree(schema, root))
    assert values(found) == pytest.approx([16 / 16.5, 0.5 / 16.5], rel=1e-12)
    if abs(exponent) < 510:
        wanted = [ldexp(16.0, 2 * exponent), ldexp(0.5, 2 * exponent)]
        assert [importance.decrease for importance in found.features] == pytest.approx(wanted, rel=1e-12)
    if exponent == 520:
        assert [importance.decrease for importance in found.features] == [inf, inf]
        assert json.loads(render(found, format="json"))["features"][0]["decrease"] == "inf"


# ---- by permutation


class Dealt:
    """A random state for scikit-learn that shuffles, repeat by repeat, to the permutations it is given."""

    def __init__(self, orders: list[Any]) -> None:
        self.orders, self.done = orders, 0

    def randint(self, most: int) -> "Dealt":
        """Return the seed of every feature."""
        return self

    def shuffle(self, indices: Any) -> None:
        """Scikit-learn shuffles the shuffled column again: give what makes the next permutation of the last."""
        before = self.orders[self.done - 1] if self.done else np.arange(len(indices))
        indices[:] = np.argsort(before)[self.orders[self.done]]
        self.done += 1


def by_sklearn(fitted: Any, x: Any, y: Any, repeats: int, seed: int, weight: Any, patch: Any) -> Any:
    """Return scikit-learn's permutation_importance with the permutations that default_rng(seed) gives."""
    random = np.random.default_rng(seed)
    orders = [random.permutation(len(y)) for _ in range(repeats)]
    patch.setattr(theirs, "check_random_state", lambda state: Dealt(orders))
    return inspection.permutation_importance(fitted, x, y, n_repeats=repeats, sample_weight=weight)


@pytest.mark.peer
@pytest.mark.parametrize("is_weighted", [False, True])
@pytest.mark.parametrize("name", ["breast cancer", "wine"])
def test_permutation_is_scikit_learns(name: str, is_weighted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fed with the same permutations scikit-learn's permutation_importance gives the same drops, mean and sd."""
    x, y = SMALL[name](return_X_y=True)
    x, weight = single(x), weights_of(len(y)) if is_weighted else None
    fitted = DecisionTreeClassifier(max_depth=3, random_state=0).fit(x[::2], y[::2])
    tree = imported_tree(fitted, x[::2], y[::2])
    found = permutation_importances(tree, table_of(x, y), repeats=4, seed=7, weight=weight)
    wanted = by_sklearn(fitted, x, y, 4, 7, weight, monkeypatch)
    assert [list(f.drops) for f in found.features] == [pytest.approx(row, abs=1e-12) for row in wanted.importances]
    assert values(found) == pytest.approx(wanted.importances_mean.tolist(), abs=1e-12)
    assert [f.sd for f in found.features] == pytest.approx(wanted.importances_std.tolist(), abs=1e-12)
    assert found.score == pytest.approx(metrics.accuracy_score(y, fitted.predict(x), sample_weight=weight), rel=1e-12)
    assert found.score == pytest.approx(evaluate(tree, table_of(x, y), weight=weight).accuracy, rel=1e-12)
    assert any(values(found)) and (found.method, found.measure) == ("permutation", "accuracy")


@pytest.mark.peer
@pytest.mark.parametrize("is_weighted", [False, True])
def test_permutation_of_a_regression_is_scikit_learns(is_weighted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """What falls is R2."""
    x, y = datasets.load_diabetes(return_X_y=True)
    x, weight = single(x), weights_of(len(y)) if is_weighted else None
    fitted = DecisionTreeRegressor(max_depth=3, random_state=0).fit(x, y)
    found = permutation_importances(imported_tree(fitted, x, y), table_of(x, y), repeats=3, seed=1, weight=weight)
    wanted = by_sklearn(fitted, x, y, 3, 1, weight, monkeypatch)
    assert [list(f.drops) for f in found.features] == [pytest.approx(row, abs=1e-10) for row in wanted.importances]
    assert found.score == pytest.approx(metrics.r2_score(y, fitted.predict(x), sample_weight=weight), rel=1e-11)
    assert found.measure == "r2"


@pytest.mark.peer
def test_what_is_not_asked_for_is_exactly_nothing() -> None:
    """A feature that the tree does not ask for is 0, and may be absent; so is a constant column that it asks for."""
    x, y = SMALL["iris"](return_X_y=True)
    x = single(x)
    fitted = DecisionTreeClassifier(max_depth=2, random_state=0).fit(x, y)
    tree = imported_tree(fitted, x, y)
    asked = {place for place in fitted.tree_.feature.tolist() if place >= 0}
    table = Table.from_columns({**{f"x{place}": x[:, place] for place in asked}, "y": y})
    found = permutation_importances(tree, table)
    for place, importance in enumerate(found.features):
        assert (importance.value == importance.sd == 0.0) is (place not in asked)
        assert len(importance.drops) == 5 and (importance.n_splits > 0) is (place in asked)
    x[:, list(asked)] = 1.0
    assert set(values(permutation_importances(tree, table_of(x, y)))) == {0.0}


@pytest.mark.peer
def test_the_seed_decides() -> None:
    """The same seed gives the same, another seed another; more repeats begin with those of fewer."""
    x, y = SMALL["iris"](return_X_y=True)
    x = single(x)
    tree = imported_tree(DecisionTreeClassifier(max_depth=3, random_state=0).fit(x, y), x, y)
    table = table_of(x, y)
    found = permutation_importances(tree, table, repeats=3)
    assert permutation_importances(tree, table, repeats=3, seed=0) == found
    assert permutation_importances(tree, table, repeats=3, seed=1) != found
    more = permutation_importances(tree, table, repeats=6)
    assert [f.drops for f in found.features] == [f.drops[:3] for f in more.features]


def test_rows_and_labels_that_cannot_be_judged() -> None:
    """Rows without a target are refused or left out; unknown labels are errors before and after shuffling."""
    table = Table.from_columns({"x": [-1.0, 1.0, 1.0, -1.0], "y": ["a", "b", None, "c"]})
    with pytest.raises(DataError, match="1 row without a value of the target"):
        permutation_importances(stump(), table)
    found = permutation_importances(stump(), table, drop_missing_target=True)
    assert found.score == pytest.approx(2 / 3)
    assert [note.partition(":")[0] for note in found.notes] == [
        "left out 1 row without a value of 'y'",
        "1 row with a label that the model does not know, counted as wrong",
    ]
    kept = Table.from_columns({"x": [-1.0, 1.0, -1.0], "y": ["a", "b", "c"]})
    assert permutation_importances(stump(), kept).features == found.features


def test_options_that_mean_nothing() -> None:
    """Repeats are whole from 1, seeds from 0; R2 needs two rows; weights are checked as `evaluate` does."""
    table = Table.from_columns({"x": [-1.0, 1.0], "y": ["a", "b"]})
    wrong: list[dict[str, Any]] = [{"repeats": 0}, {"repeats": 1.5}, {"repeats": True}, {"seed": -1}, {"seed": None}]
    for options in wrong:
        with pytest.raises(OptionError, match=f"{next(iter(options))}="):
            permutation_importances(stump(), table, **options)
    with pytest.raises(DataError, match="single row"):
        permutation_importances(steps(), Table.from_columns({"x": [1.0], "y": [1.0]}))
    with pytest.raises(ColumnError, match="negative"):
        permutation_importances(stump(), table, weight=[1, -1])
    with pytest.raises(ColumnError, match="which the model tests"):
        permutation_importances(stump(), Table.from_columns({"y": ["a", "b"]}))


def test_progress_is_told() -> None:
    """The callback hears of every shuffle."""
    heard: list[tuple[int, int]] = []
    table = Table.from_columns({"x": [-1.0, 1.0], "y": ["a", "b"]})
    permutation_importances(stump(), table, repeats=3, progress=lambda done, total: heard.append((done, total)))
    assert heard == [(1, 3), (2, 3), (3, 3)]


# ---- as text and at the command line


def test_texts_are_sorted_and_exact_where_machines_read(model: Path) -> None:
    """The most important first; CSV and JSON read back to the value; headings in two languages."""
    found = importances(load(model))
    text = render(found)
    assert text.startswith("类别: decrease of impurity (Gini)\n\nfeature ")
    assert text.index("有工作") < text.index("有自己的房子")
    rows = list(csv.reader(render(found, format="csv").splitlines()))
    assert rows[0] == ["feature", "importance", "decrease", "splits"]
    assert [float(row[1]) for row in rows[1:]] == [importance.value for importance in found.ranked]
    record = json.loads(render(found, format="json"))
    assert (record["format"], record["version"], record["method"]) == ("treerules.importances", 1, "impurity")
    assert record["features"][0] == {
        "feature": "有工作", "value": found.features[1].value, "splits": 1, "decrease": found.features[1].decrease,
        "sd": None, "drops": [],
    }  # fmt: skip
    assert all(word in render(found, lang="zh") for word in ("不纯度减少量(基尼指数)", "重要性", "划分数"))
    assert "|---" in render(found, format="md")
    shuffled = permutation_importances(load(model), read_csv(LOAN), repeats=2, seed=3)
    assert render(shuffled).startswith("类别: drop of accuracy 1 by shuffling 2x (seed 3)\n")
    assert json.loads(render(shuffled, format="json"))["features"][0]["drops"] == list(shuffled.ranked[0].drops)
    for options in ({"format": "xml"}, {"lang": "de"}):
        with pytest.raises((OptionError, UnknownNameError)):
            render(found, **options)


def test_the_command_is_the_library(model: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """importances prints what `render` gives, with a file and --permutation what shuffling it gives."""
    tree = load(model)
    found = importances(tree)
    shuffled = permutation_importances(tree, read_csv(LOAN), repeats=3, seed=9)
    for format_ in ("text", "md", "csv", "json"):
        asked = ("importances", model, "--format", format_, "--lang", "zh")
        assert output(capfdbinary, *asked)[0] == render(found, format=format_, lang="zh")
        asked = ("importances", model, LOAN, "--permutation", "--repeats", 3, "--seed", 9, "--format", format_)
        assert output(capfdbinary, *asked)[0] == render(shuffled, format=format_)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((LOAN,), "FILE needs --permutation"),
        (("--repeats", 3), "--repeats needs --permutation"),
        (("--seed", 3), "--seed needs --permutation"),
        (("--weight", "w"), "--weight needs --permutation"),
        (("--query", "SELECT 1"), "--query needs --permutation"),
        (("--permutation",), "--permutation needs a FILE"),
        ((LOAN, "--permutation", "--repeats", 0), "--repeats"),
        ((LOAN, "--permutation", "--weight", "w"), "no column named 'w'"),
    ],
)
def test_what_the_command_refuses(
    model: Path, arguments: tuple[object, ...], said: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """A file needs --permutation and the reverse: exit code 2, and the message says so."""
    assert said in output(capfdbinary, "importances", model, *arguments, code=2)[1]


@TERMINALS
def test_it_fits_a_terminal(terminal: Terminal, model: Path) -> None:
    """With Chinese names no line is wider than 80 columns."""
    code, shown = terminal("importances", model, "--lang", "zh")
    assert code == 0 and "重要性" in shown
    lines = re.sub("\x1b\\[[0-9;?]*[a-zA-Z]", "", shown).split("\n")
    assert max(cell_len(line.rstrip()) for line in lines) <= 80


@pytest.mark.parametrize("unit", [1e-200, 1e-310])
def test_importances_of_tiny_weights_are_computed(unit: float) -> None:
    """A model file may hold such counts; their squares are no floats, and the shares are those of any other unit."""
    values = []
    for n in (1.0, unit):
        children = [
            Leaf(ClassPrediction("a", (0.75, 0.25)), (3 * n, n)),
            Leaf(ClassPrediction("b", (0.0, 1.0)), (0.0, 2 * n)),
        ]
        own = Leaf(ClassPrediction("a", (0.5, 0.5)), (3 * n, 3 * n))
        schema = Schema([Feature("x", Kind.NUMBER)], Feature("y", Kind.CATEGORY, ("a", "b")))
        values.append(importances(Tree(schema, Split(ThresholdTest(0, 0.0), children, 0, None, own))).features[0])
    assert values[1].value == values[0].value == 1.0
    assert values[1].decrease == pytest.approx(values[0].decrease, rel=1e-3)
