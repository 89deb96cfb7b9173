"""Evaluations: every figure is compared with scikit-learn's."""

import csv
import json
import re
from math import ldexp
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st
from rich.cells import cell_len
from sklearn import datasets, metrics
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from evaluation_cases import SMALL, category, imported_tree, loan_model, output, steps, stump, table_of, weights_of
from paths import LOAN
from terminal import TERMINALS, Terminal
from treerules import Feature, Kind, Schema, Table, Tree, render
from treerules.errors import ColumnError, DataError, OptionError, UnknownNameError
from treerules.evaluation.evaluation import Evaluation, evaluate
from treerules.learning import metrics as scores
from treerules.trees import ClassPrediction, Leaf, Split, ThresholdTest

__all__ = ("loan_model",)  # the fixture `model`


def halves(x: Any, y: Any) -> tuple[Any, Any, Any, Any]:
    """Return every other row as float32 values, and the others."""
    x = x.astype(np.float32).astype(np.float64)
    return x[::2], y[::2], x[1::2], y[1::2]


def same_as_sklearn(found: Evaluation, y: Any, predicted: Any, shares: Any, weight: Any = None) -> None:
    """Assert that the figures of a classification are scikit-learn's, where each class has rows."""
    classes = list(found.classes)
    near: Any = {"rel": 1e-12, "abs": 1e-14}
    both: Any = {"sample_weight": weight}
    assert found.accuracy == pytest.approx(metrics.accuracy_score(y, predicted, **both), **near)
    assert found.balanced_accuracy == pytest.approx(metrics.balanced_accuracy_score(y, predicted, **both), **near)
    assert found.log_loss == pytest.approx(metrics.log_loss(y, shares, labels=classes, **both), **near)
    assert found.brier == pytest.approx(metrics.brier_score_loss(y, shares, labels=classes, **both), **near)
    two = {"y_score": shares[:, 1]} if len(classes) == 2 else {"y_score": shares, "multi_class": "ovr"}
    assert found.auc == pytest.approx(metrics.roc_auc_score(y, **two, **both), **near)
    matrix = metrics.confusion_matrix(y, predicted, labels=classes, **both)
    assert np.array(found.confusion) == pytest.approx(matrix, **near)
    same_by_label(found, y, predicted, weight)


def same_by_label(found: Evaluation, y: Any, predicted: Any, weight: Any = None) -> None:
    """Assert that precision, recall, F1 and support of each label are scikit-learn's; its nan is our None."""
    both: Any = {"sample_weight": weight, "labels": list(found.labels), "zero_division": np.nan}
    wanted = metrics.precision_recall_fscore_support(y, predicted, **both)
    ours = [[f.precision, f.recall, f.f1, f.n] for f in found.by_label]
    theirs = [[None if np.isnan(figure) else figure for figure in figures] for figures in zip(*wanted, strict=True)]
    for mine, other in zip(ours, theirs, strict=True):
        assert mine == [None if figure is None else pytest.approx(figure, rel=1e-12) for figure in other]


# ---- classification


@pytest.mark.peer
@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("depth", [1, 3, None])
@pytest.mark.parametrize("is_weighted", [False, True])
def test_a_classification_is_judged_as_scikit_learn_does(name: str, depth: int | None, is_weighted: bool) -> None:
    """Two, three and ten classes, on rows that the tree has not seen: every figure is scikit-learn's own."""
    x, y, x_new, y_new = halves(*SMALL[name](return_X_y=True))
    model = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(x, y)
    weight = weights_of(len(y_new)) if is_weighted else None
    found = evaluate(imported_tree(model, x, y), table_of(x_new, y_new), weight=weight)
    same_as_sklearn(found, y_new, model.predict(x_new), model.predict_proba(x_new), weight)
    assert found.n == len(y_new) and found.weight == pytest.approx(len(y_new) if weight is None else weight.sum())
    assert is_weighted or all(type(count) is int for row in found.confusion for count in row)
    assert found.labels == found.classes and not found.notes and not found.is_regression


@st.composite
def judged(draw: st.DrawFn) -> tuple[Any, Any, Any]:
    """Return labels of which each has a row, shares with ties, zeros and ones, and weights above 0 or None."""
    n_classes = draw(st.integers(2, 4))
    n = draw(st.integers(n_classes, 12))
    y = np.array([*range(n_classes), *draw(st.lists(st.integers(0, n_classes - 1), min_size=n - n_classes))])
    row = st.lists(st.integers(0, 3), min_size=n_classes, max_size=n_classes).filter(any)
    parts = np.array([draw(row) for _ in y], dtype=float)
    weight = draw(st.none() | st.lists(st.floats(0.01, 100), min_size=len(y), max_size=len(y)).map(np.array))
    return y, parts / parts.sum(axis=1, keepdims=True), weight


@pytest.mark.peer
@drawn(judged())
def test_figures_of_single_rows_are_scikit_learns(rows: tuple[Any, Any, Any]) -> None:
    """Each row a group of its own, shares with ties, 0 and 1: log loss, Brier score and AUC are scikit-learn's."""
    y, shares, weight = rows
    n_classes = shares.shape[1]
    counts = np.eye(n_classes)[y] * (np.ones(len(y)) if weight is None else weight)[:, None]
    both: Any = {"sample_weight": weight}
    assert scores.log_loss(counts, shares) == pytest.approx(
        metrics.log_loss(y, shares, labels=range(n_classes), **both), rel=1e-12
    )
    assert scores.brier(counts, shares) == pytest.approx(
        metrics.brier_score_loss(y, shares, labels=list(range(n_classes)), **both), rel=1e-12, abs=1e-15
    )
    two = {"y_score": shares[:, 1]} if n_classes == 2 else {"y_score": shares, "multi_class": "ovr"}
    assert scores.roc_auc(counts, shares) == pytest.approx(metrics.roc_auc_score(y, **two, **both), rel=1e-12)


@pytest.mark.peer
def test_labels_that_the_tree_does_not_know_are_errors() -> None:
    """They are rows of the confusion matrix; figures are scikit-learn's where such labels are given the share 0."""
    y = np.array(["a", "b", "b", "c", "d", "d"])
    table = Table.from_columns({"x": [-1.0, -1.0, 1.0, 1.0, -1.0, 1.0], "y": y})
    found = evaluate(stump(), table)
    predicted = np.array(["a", "a", "b", "b", "a", "b"])
    assert found.classes == ("a", "b") and found.labels == ("a", "b", "c", "d")
    labels = list(found.labels)
    assert found.confusion == ((1, 0), (1, 1), (0, 1), (1, 1))
    assert [row[:2] for row in metrics.confusion_matrix(y, predicted, labels=labels).tolist()] == [
        list(row) for row in found.confusion
    ]
    shares = np.array([[0.75, 0.25, 0, 0] if label == "a" else [0, 1, 0, 0] for label in predicted])
    assert found.accuracy == metrics.accuracy_score(y, predicted)
    assert found.balanced_accuracy == pytest.approx(metrics.balanced_accuracy_score(y, predicted))
    assert found.log_loss == pytest.approx(metrics.log_loss(y, shares, labels=labels), rel=1e-12)
    half = metrics.brier_score_loss(y, shares, labels=labels, scale_by_half=True)
    assert found.brier == pytest.approx(half, rel=1e-12)
    assert found.auc is None
    same_by_label(found, y, predicted)
    assert found.notes == ("3 rows with a label that the model does not know, counted as wrong: 'c', 'd'",)


def test_a_class_without_rows() -> None:
    """It has no recall and takes no part in balanced accuracy (as scikit-learn), and there is no AUC."""
    table = Table.from_columns({"x": [-1.0, 1.0, 1.0], "y": ["b", "b", "b"]})
    found = evaluate(stump(), table)
    assert (found.accuracy, found.auc) == (pytest.approx(2 / 3), None)
    assert found.balanced_accuracy == pytest.approx(2 / 3)
    assert (found.by_label[0].recall, found.by_label[0].precision, found.by_label[0].f1) == (None, 0.0, 0.0)
    same_by_label(found, ["b", "b", "b"], ["a", "b", "b"])
    never = evaluate(stump(left=(1, 3)), table)
    assert never.by_label[0].precision is None and never.by_label[0].f1 is None
    same_by_label(never, ["b", "b", "b"], ["b", "b", "b"])
    three = stump(("a", "b", "c"), (2, 1, 1), (0, 1, 3))
    assert evaluate(three, table).auc is None


@pytest.mark.peer
def test_shares_that_all_tie_rank_nothing() -> None:
    """A lone leaf has AUC 1/2, as scikit-learn says."""
    y = ["a", "b", "b"]
    lone = Tree(stump().schema, Leaf(ClassPrediction("b", [0.25, 0.75]), [1, 3]))
    found = evaluate(lone, Table.from_columns({"x": [1.0, 2.0, 3.0], "y": y}))
    shares = np.array([[0.25, 0.75]] * 3)
    assert found.auc == 0.5
    same_as_sklearn(found, np.array(y), np.array(["b", "b", "b"]), shares)


@pytest.mark.peer
def test_one_row_and_one_class() -> None:
    """A single row is judged; a tree that knows one class is always sure."""
    found = evaluate(stump(), Table.from_columns({"x": [-1.0], "y": ["a"]}))
    assert (found.n, found.accuracy, found.balanced_accuracy, found.auc) == (1, 1.0, 1.0, None)
    assert found.log_loss == pytest.approx(metrics.log_loss(["a"], [[0.75, 0.25]], labels=["a", "b"]), rel=1e-15)
    assert found.brier == metrics.brier_score_loss(["a"], [[0.75, 0.25]], labels=["a", "b"])
    one = Tree(Schema([Feature("x", Kind.NUMBER)], category("y", ["a"])), Leaf(ClassPrediction("a", [1.0]), [4]))
    sure = evaluate(one, Table.from_columns({"x": [1.0, 2.0], "y": ["a", "a"]}))
    assert (sure.accuracy, sure.brier, sure.auc, sure.confusion) == (1.0, 0.0, None, ((2,),))
    assert sure.log_loss == pytest.approx(np.finfo(float).eps)


@pytest.mark.peer
def test_classes_in_their_declared_order() -> None:
    """The AUC of an ordinal target is that of the second class of its order."""
    target = Feature("y", Kind.ORDINAL, ["small", "large"])
    leaves = [Leaf(ClassPrediction("small", [0.75, 0.25]), [3, 1]), Leaf(ClassPrediction("large", [0.0, 1.0]), [0, 4])]
    tree = Tree(Schema([Feature("x", Kind.NUMBER)], target), Split(ThresholdTest(0, 0.0), leaves))
    y = np.array(["small", "large", "large", "small"])
    found = evaluate(tree, Table.from_columns({"x": [-1.0, -1.0, 1.0, 1.0], "y": y}))
    assert found.classes == ("small", "large")
    assert found.auc == metrics.roc_auc_score(y == "large", [0.25, 0.25, 1.0, 1.0])
    assert found.confusion == tuple(
        map(tuple, metrics.confusion_matrix(y, ["small", "small", "large", "large"], labels=["small", "large"]))
    )
    other = evaluate(tree, Table.from_columns({"x": [1.0], "y": ["huge"]}, types={"y": "ordinal:small<large<huge"}))
    assert other.labels == ("small", "large", "huge") and other.accuracy == 0


@pytest.mark.parametrize("labels", [[0, 1, 2], [0.0, 1.0, 2.0]])
def test_labels_keep_their_type(labels: list[Any]) -> None:
    """Classes 0 and 1 meet whole floats as themselves; text is no class of theirs, and is refused."""
    found = evaluate(stump((0, 1)), Table.from_columns({"x": [-1.0, 1.0, 1.0], "y": labels}))
    assert found.accuracy == pytest.approx(2 / 3) and found.labels == (0, 1, 2)
    with pytest.raises(ColumnError, match="holds text values"):
        evaluate(stump((0, 1)), Table.from_columns({"x": [-1.0], "y": ["0"]}))


# ---- weights


@pytest.mark.peer
def test_weights_are_repetition_and_zero_is_absence() -> None:
    """Whole weights equal repeated rows, in every figure but the number of rows; a column and an array are the same."""
    x, y, x_new, y_new = halves(*datasets.load_breast_cancer(return_X_y=True))
    tree = imported_tree(DecisionTreeClassifier(max_depth=3, random_state=0).fit(x, y), x, y)
    weight = np.random.default_rng(1).integers(0, 4, len(y_new))
    weighed = evaluate(tree, table_of(x_new, y_new), weight=weight)
    assert evaluate(tree, table_of(x_new, y_new, w=weight), weight="w") == weighed
    repeated = evaluate(tree, table_of(np.repeat(x_new, weight, axis=0), np.repeat(y_new, weight)))
    assert weighed.confusion == repeated.confusion and weighed.weight == repeated.n
    for name in ("accuracy", "balanced_accuracy", "log_loss", "brier", "auc"):
        assert getattr(weighed, name) == pytest.approx(getattr(repeated, name), rel=1e-12)
    assert weighed.by_label == repeated.by_label


@pytest.mark.parametrize(
    ("weight", "said"),
    [
        ("z", "no column named 'z'"),
        ("y", "column 'y'"),
        ("negative", "for example -1"),
        ("hole", "column 'hole'"),
        ("zero", "weigh"),
        ([1.0, float("inf")], "column 'weight'"),
        ([1.0, float("nan")], "column 'weight'"),
        ([1.0], "give"),
        (["a", "b"], "column 'weight'"),
        ([1e308, 1e308], "too large"),
    ],
)
def test_weights_that_mean_nothing(weight: Any, said: str) -> None:
    """They are refused with their column, whatever is wrong with them."""
    columns = {"x": [-1.0, 1.0], "y": ["a", "b"], "negative": [1, -1], "hole": [1.0, None], "zero": [0, 0]}
    with pytest.raises((ColumnError, DataError, UnknownNameError), match=said):
        evaluate(stump(), Table.from_columns(columns), weight=weight)


# ---- regression


@pytest.mark.peer
@pytest.mark.parametrize("is_weighted", [False, True])
@pytest.mark.parametrize("depth", [0, 2, 6])
@pytest.mark.parametrize("load", [datasets.load_diabetes, datasets.load_linnerud])
def test_a_regression_is_judged_as_scikit_learn_does(load: Any, depth: int, is_weighted: bool) -> None:
    """RMSE, MAE and R2 on rows that the tree has not seen are scikit-learn's own."""
    x, y = load(return_X_y=True)
    x, y, x_new, y_new = halves(x, y if y.ndim == 1 else y[:, 0])
    model = DecisionTreeRegressor(max_depth=max(1, depth), max_leaf_nodes=None if depth else 2, random_state=0).fit(
        x, y
    )
    weight = weights_of(len(y_new)) if is_weighted else None
    found = evaluate(imported_tree(model, x, y), table_of(x_new, y_new), weight=weight)
    same_means(found, y_new, model.predict(x_new), weight)
    assert found.is_regression and found.accuracy is None and found.confusion == ()


def same_means(found: Evaluation, y: Any, predicted: Any, weight: Any = None) -> None:
    """Assert that the figures of a regression are scikit-learn's."""
    both: Any = {"sample_weight": weight}
    assert found.rmse == pytest.approx(metrics.root_mean_squared_error(y, predicted, **both), rel=1e-12)
    assert found.mae == pytest.approx(metrics.mean_absolute_error(y, predicted, **both), rel=1e-12)
    assert found.r2 == pytest.approx(metrics.r2_score(y, predicted, **both), rel=1e-11)


@pytest.mark.peer
@pytest.mark.parametrize("y", [[1.0, 3.0, 3.0], [2.0, 2.0, 2.0], [3.0, 3.0, 3.0], [1e-300, 0.0, 1.0]])
@pytest.mark.parametrize("weight", [None, [1.0, 0.0, 2.0], [0.0, 1.0, 1.0]])
def test_constant_targets_and_exact_predictions(y: list[float], weight: Any) -> None:
    """R2 is 1 where all is exact, 0 where a constant is missed, as scikit-learn has it."""
    found = evaluate(steps(), Table.from_columns({"x": [-1.0, 1.0, 1.0], "y": y}), weight=weight)
    same_means(found, y, [1.0, 3.0, 3.0], weight)


@pytest.mark.peer
def test_a_constant_is_told_by_comparison() -> None:
    """Three times 0.1, missed, has R2 0; scikit-learn takes the rounding of their mean for a distance."""
    found = evaluate(steps(), Table.from_columns({"x": [-1.0] * 3, "y": [0.1] * 3}))
    assert found.r2 == 0.0
    assert metrics.r2_score([0.1] * 3, [1.0] * 3) < -1e30
    assert metrics.r2_score([0.5] * 3, [1.0] * 3) == 0.0


def test_a_single_row_has_no_r2() -> None:
    """There is nothing to explain; scikit-learn says nan."""
    found = evaluate(steps(), Table.from_columns({"x": [-1.0], "y": [2.0]}))
    assert (found.rmse, found.mae, found.r2) == (1.0, 1.0, None)


@pytest.mark.parametrize("exponent", [-1000, -600, 500, 900])
def test_the_scale_of_a_target_is_nothing(exponent: int) -> None:
    """A target times 2**e has RMSE and MAE times 2**e, and the same R2, where its squares leave float64."""
    y, x = [1.5, 2.0, 3.25, 7.0], [-1.0, -1.0, 1.0, 1.0]
    plain = evaluate(steps(), Table.from_columns({"x": x, "y": y}))
    tree = steps(ldexp(1.0, exponent), ldexp(3.0, exponent))
    found = evaluate(tree, Table.from_columns({"x": x, "y": [ldexp(value, exponent) for value in y]}))
    assert plain.rmse is not None and plain.mae is not None
    assert (found.rmse, found.mae, found.r2) == (ldexp(plain.rmse, exponent), ldexp(plain.mae, exponent), plain.r2)


def test_errors_beyond_float64_are_infinite() -> None:
    """An error of twice the greatest double: infinite, and nothing is explained."""
    tree = steps(-1.7e308, 1.7e308)
    found = evaluate(tree, Table.from_columns({"x": [-1.0, 1.0], "y": [1.7e308, -1.7e308]}))
    assert (found.rmse, found.mae, found.r2) == (float("inf"), float("inf"), float("-inf"))
    assert json.loads(render(found, format="json"))["r2"] == "-inf"


def test_means_of_whole_numbers_are_judged_by_any_numbers() -> None:
    """A target learned as integers may come as floats."""
    tree = Tree(Schema([Feature("x", Kind.NUMBER)], Feature("y", Kind.INTEGER)), steps().root)
    assert evaluate(tree, Table.from_columns({"x": [-1.0, 1.0], "y": [1.5, 3.0]})).mae == 0.25
    assert evaluate(tree, Table.from_columns({"x": [-1.0, 1.0], "y": [2, 3]})).mae == 0.5


# ---- rows


def test_rows_without_a_target() -> None:
    """They are an error with their count, unless they are to be dropped, with their weights."""
    table = Table.from_columns({"x": [-1.0, 1.0, 1.0], "y": ["a", None, "b"], "w": [1, 5, 2]})
    with pytest.raises(DataError, match=r"1 row without a value of the target 'y'.*drop_missing_target=True"):
        evaluate(stump(), table)
    kept = Table.from_columns({"x": [-1.0, 1.0], "y": ["a", "b"], "w": [1, 2]})
    assert evaluate(stump(), table, drop_missing_target=True, weight="w") == evaluate(stump(), kept, weight="w")
    assert evaluate(stump(), table, drop_missing_target=True).notes == ("left out 1 row without a value of 'y'",)
    nothing = Table.from_columns({"x": [-1.0], "y": [None]})
    for empty in (nothing, Table.from_columns({"x": [], "y": []})):
        with pytest.raises(DataError, match="no row has a value of the target"):
            evaluate(stump(), empty, drop_missing_target=True)


def test_what_cannot_be_judged() -> None:
    """A table without the target or a column asked for, a target of another kind or infinite, things of other types."""
    good = Table.from_columns({"x": [-1.0], "y": ["a"]})
    with pytest.raises(ColumnError, match="the table lacks column 'y', which the model predicts; did you mean 'Y'"):
        evaluate(stump(), Table.from_columns({"x": [-1.0], "Y": ["a"]}))
    with pytest.raises(ColumnError, match="the table lacks column 'x', which the model tests; "):
        evaluate(stump(), Table.from_columns({"y": ["a"]}))
    with pytest.raises(ColumnError, match="column 'y'"):
        evaluate(steps(), good)
    with pytest.raises(ColumnError, match="infinite"):
        evaluate(steps(), Table.from_columns({"x": [-1.0], "y": [float("inf")]}))
    for tree, table, option in ((good, good, "tree"), (stump(), [1.0, "a"], "table")):
        with pytest.raises(OptionError, match=f"{option}="):
            evaluate(tree, table)  # type: ignore[arg-type]


def test_progress_is_told() -> None:
    """The callback hears of all rows in the end."""
    heard: list[tuple[int, int]] = []
    table = Table.from_columns({"x": [-1.0, 1.0], "y": ["a", "b"]})
    evaluate(stump(), table, progress=lambda done, total: heard.append((done, total)))
    assert heard[-1] == (2, 2)


# ---- as text


def test_the_json_holds_every_figure() -> None:
    """Format, version, exact figures, labels and the confusion matrix; null where there is none."""
    table = Table.from_columns({"x": [-1.0, 1.0, 1.0], "y": ["a", "b", "c"]})
    found = evaluate(stump(), table)
    record = json.loads(render(found, format="json"))
    assert (record["format"], record["version"], record["target"], record["n"]) == ("treerules.evaluation", 1, "y", 3)
    assert (record["accuracy"], record["auc"], record["confusion"]) == (found.accuracy, None, [[1, 0], [0, 1], [0, 1]])
    assert record["classes"] == ["a", "b"] and [label["label"] for label in record["labels"]] == ["a", "b", "c"]
    assert record["labels"][2] == {"label": "c", "n": 1, "precision": None, "recall": 0.0, "f1": 0.0}
    mean = json.loads(render(evaluate(steps(), Table.from_columns({"x": [1.0], "y": [2.0]})), format="json"))
    assert (mean["rmse"], mean["r2"]) == (1.0, None) and "confusion" not in mean


def test_the_csv_holds_every_figure() -> None:
    """A row for each, exact: name, class, prediction, value."""
    table = Table.from_columns({"x": [-1.0, 1.0, 1.0], "y": ["a", "b", "a"]})
    found = evaluate(stump(), table, weight=[0.1, 0.7, 0.2])
    rows = list(csv.reader(render(found, format="csv").splitlines()))
    assert rows[0] == ["figure", "class", "predicted", "value"]
    cells = {tuple(row[:3]): row[3] for row in rows[1:]}
    assert float(cells["accuracy", "", ""]) == found.accuracy and float(cells["weight", "", ""]) == found.weight
    assert float(cells["confusion", "a", "b"]) == found.confusion[0][1]
    assert float(cells["precision", "b", ""]) == found.by_label[1].precision


def test_text_and_markdown_in_two_languages() -> None:
    """Headings are translated, labels are not; Markdown has a rule below each heading; no other format, no language."""
    table = Table.from_columns({"x": [-1.0, 1.0], "y": ["a", "b"]})
    found = evaluate(stump(), table, weight=[1.0, 0.5])
    text = render(found)
    assert text.startswith("y: 2 rows, weight 1.5\n\nfigure") and "true \\ predicted  a    b" in text
    assert render(found, format="md").count("\n|---") == 3
    zh = render(found, lang="zh")
    assert all(word in zh for word in ("2 行,权重 1.5", "准确率", "实际 \\ 预测", "精确率", "召回率"))
    means = evaluate(steps(), Table.from_columns({"x": [1.0], "y": [2.0]}))
    assert render(means) == "y: 1 row\n\nfigure  value\nRMSE        1\nMAE         1\nR2          -\n"
    for options in ({"format": "xml"}, {"lang": "de"}):
        with pytest.raises((OptionError, UnknownNameError)):
            render(found, **options)


# ---- at the command line


def test_the_command_is_the_library(model: Path, tmp_path: Path, capfdbinary: Any) -> None:
    """evaluate prints what `render` gives, in every format, and notes on stderr."""
    from treerules import load
    from treerules.readers import read_csv

    found = evaluate(load(model), read_csv(LOAN))
    for format_ in ("text", "md", "csv", "json"):
        for lang in ("en", "zh"):
            arguments = ("evaluate", model, LOAN, "--format", format_, "--lang", lang)
            assert output(capfdbinary, *arguments)[0] == render(found, format=format_, lang=lang)
    text = LOAN.read_text(encoding="utf-8").splitlines()
    (tmp_path / "new.csv").write_text(
        "\n".join([f"{text[0]},w", *(f"{line},2" for line in text[1:4]), "青年,否,也许,一般,,1", "青年,否,否,好,拒,3"])
    )
    refused = output(capfdbinary, "evaluate", model, tmp_path / "new.csv", code=3)
    assert "1 row without a value of the target '类别'" in refused[1]
    shown, said = output(capfdbinary, "evaluate", model, tmp_path / "new.csv", "--drop-missing-target", "--weight", "w")
    assert shown.startswith("类别: 4 rows, weight 9\n")
    assert "left out 1 row" in said and "a label that the model does not know, counted as wrong: '拒'" in said
    assert "column '有自己的房子': values that the model has not seen in 1 cell" in said
    assert output(capfdbinary, "evaluate", model, LOAN, "--weight", "w", code=2)[1].count("no column named 'w'") == 1
    assert "Missing argument FILE" in output(capfdbinary, "evaluate", model, code=2)[1]


@TERMINALS
def test_it_fits_a_terminal(terminal: Terminal, model: Path) -> None:
    """With Chinese names no line of the tables is wider than 80 columns."""
    code, shown = terminal("evaluate", model, LOAN, "--lang", "zh")
    assert code == 0 and "实际 \\ 预测" in shown
    lines = re.sub("\x1b\\[[0-9;?]*[a-zA-Z]", "", shown).split("\n")
    assert max(cell_len(line.rstrip()) for line in lines) <= 80
