"""Small tables and trees that evaluations and importances are computed on."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn import datasets

from treerules import Feature, Kind, Schema, Table, Tree, save
from treerules.cli import main
from treerules.trees import ClassPrediction, Leaf, MeanPrediction, Split, ThresholdTest
from treerules.trees.walkers import unfold

SMALL = {
    "breast cancer": datasets.load_breast_cancer,
    "iris": datasets.load_iris,
    "wine": datasets.load_wine,
    "digits": datasets.load_digits,
}


def imported_tree(
    model: Any, x: Any, y: Any, *, weight: Any = None, target: Feature | None = None, recipe: Any = None
) -> Tree:
    """Return scikit-learn's tree as ours, with the case weights of the rows that it was learned from."""
    inner, is_regression = model.tree_, not hasattr(model, "classes_")
    weight = np.ones(len(y)) if weight is None else weight
    passes = model.decision_path(x.astype(np.float32)).toarray().astype(bool)
    if target is None:
        target = Feature("y", Kind.NUMBER) if is_regression else category("y", model.classes_.tolist())
    schema = Schema([Feature(f"x{place}", Kind.NUMBER) for place in range(x.shape[1])], target)

    def figures(node: int) -> Leaf:
        rows = passes[:, node]
        if is_regression:
            mean, sd = float(inner.value[node, 0, 0]), float(np.sqrt(max(0.0, inner.impurity[node])))
            return Leaf(MeanPrediction(mean, sd), [float(weight[rows].sum())])
        counts = [float(weight[rows & (y == label)].sum()) for label in model.classes_]
        shares = [float(share) for share in inner.value[node, 0]]
        return Leaf(ClassPrediction(schema.classes[int(np.argmax(shares))], shares), counts)

    def step(node: int) -> Any:
        if inner.children_left[node] < 0:
            return figures(node)
        test, below = ThresholdTest(int(inner.feature[node]), float(inner.threshold[node])), figures(node)
        children = [int(inner.children_left[node]), int(inner.children_right[node])]
        return (lambda nodes: Split(test, nodes, as_leaf=below)), children

    return Tree(schema, unfold(0, step), recipe)


def category(name: str, labels: Sequence[Any]) -> Feature:
    """Return the feature whose categories are these labels."""
    return Feature(name, Kind.CATEGORY, labels, "integer" if isinstance(labels[0], int) else "text")


def table_of(x: Any, y: Any, **more: Any) -> Table:
    """Return the table of features x0, x1, ... and the target y."""
    return Table.from_columns({**{f"x{place}": x[:, place] for place in range(x.shape[1])}, "y": y, **more})


def weights_of(n: int, seed: int = 0) -> Any:
    """Return case weights, some of them 0."""
    random = np.random.default_rng(seed)
    return np.where(random.random(n) < 0.1, 0.0, random.exponential(size=n))


def stump(classes: Sequence[Any] = ("a", "b"), left: Sequence[float] = (3, 1), right: Sequence[float] = (0, 4)) -> Tree:
    """Return the tree that asks whether x <= 0, with these counts on either side."""
    target = category("y", classes)

    def leaf(counts: Sequence[float]) -> Leaf:
        return Leaf(ClassPrediction(classes[int(np.argmax(counts))], [count / sum(counts) for count in counts]), counts)

    whole = leaf([a + b for a, b in zip(left, right, strict=True)])
    split = Split(ThresholdTest(0, 0.0), [leaf(left), leaf(right)], as_leaf=whole)
    return Tree(Schema([Feature("x", Kind.NUMBER)], target), split)


def steps(low: float = 1.0, high: float = 3.0) -> Tree:
    """Return the regression that predicts `low` for x <= 0, else `high`."""
    schema = Schema([Feature("x", Kind.NUMBER)], Feature("y", Kind.NUMBER))
    return Tree(schema, Split(ThresholdTest(0, 0.0), [Leaf(MeanPrediction(low), [1]), Leaf(MeanPrediction(high), [1])]))


@pytest.fixture(name="model")
def loan_model(tmp_path: Path) -> Path:
    """Return the model file of the loan table's tree, made by hand (Li Hang, figure 5.5)."""
    features = [Feature(name, Kind.CATEGORY, ["否", "是"]) for name in ("有自己的房子", "有工作")]
    from treerules.trees import CategoryTest

    no, yes = Leaf(ClassPrediction("否", [1.0, 0.0]), [6, 0]), Leaf(ClassPrediction("是", [0.0, 1.0]), [0, 3])
    work = Split(
        CategoryTest(1, [[0], [1]]), [no, yes], unseen=0, as_leaf=Leaf(ClassPrediction("否", [6 / 9, 3 / 9]), [6, 3])
    )
    owned = Leaf(ClassPrediction("是", [0.0, 1.0]), [0, 6])
    whole = Leaf(ClassPrediction("是", [6 / 15, 9 / 15]), [6, 9])
    root = Split(CategoryTest(0, [[0], [1]]), [work, owned], unseen=0, as_leaf=whole)
    path = tmp_path / "loan.tree.json"
    save(Tree(Schema(features, Feature("类别", Kind.CATEGORY, ["否", "是"])), root), path)
    return path


def output(capfdbinary: pytest.CaptureFixture[bytes], *arguments: object, code: int = 0) -> tuple[str, str]:
    """Return what a command prints on stdout and stderr."""
    assert main([str(argument) for argument in arguments]) == code
    printed = capfdbinary.readouterr()
    return printed.out.decode(), printed.err.decode()
