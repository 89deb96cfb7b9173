"""Explanations of ensembles: what trees add is exact, and is what the library itself says of its leaves."""

import json
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier

from drawn_ensembles import ensembles
from paths import EXAMPLES
from treerules import (
    Ensemble,
    EnsembleExplanation,
    Feature,
    Kind,
    Schema,
    Tree,
    compile_rules,
    explain,
    predict,
    predict_proba,
)
from treerules.errors import CellError, OptionError, UnknownNameError
from treerules.importers import import_model
from treerules.testing import rows
from treerules.trees import (
    CategoryTest,
    ClassPrediction,
    Leaf,
    MeanPrediction,
    Split,
    ThresholdTest,
    find_leaf,
    predict_margin,
)

FEATURES = [Feature("x", Kind.NUMBER), Feature("颜色", Kind.CATEGORY, ("红", "绿"))]
MARGIN = Schema(FEATURES, Feature("margin", Kind.NUMBER))
ILL, LEVEL = Feature("ill", Kind.CATEGORY, ("no", "yes")), Feature("级别", Kind.CATEGORY, ("中", "低", "高"))
KYPHOSIS = EXAMPLES / "kyphosis.xgboost.json"
#: What `Booster.predict` of XGBoost 3.2 answers for rows of the example: Age, Number and Start, the number in the leaf
#: of each tree (by `pred_leaf`), and the margin (by `output_margin`).
RECORDED = (
    (
        [71.0, 3.0, 5.0],
        [
            *(0.17033080756664276, 0.3715199828147888, 0.009639313444495201, 0.21251900494098663, -0.2815433144569397),
            *(0.12236785888671875, 0.2433030605316162, 0.08679594099521637, -0.10544584691524506, -0.19004671275615692),
        ],
        -0.6862297654151917,
    ),
    (
        [None, 3.0, None],
        [
            *(-0.26614144444465637, -0.289923757314682, -0.040549252182245255, -0.2561943531036377),
            *(0.014685478061437607, -0.2322886735200882, -0.03825542330741882, -0.20752879977226257),
            *(0.13289549946784973, 0.052112385630607605),
        ],
        -2.4568583965301514,
    ),
    (
        [2.0, None, 18.0],
        [
            *(-0.26614144444465637, -0.289923757314682, -0.2729235291481018, -0.2561943531036377, 0.2477208375930786),
            *(-0.2322886735200882, -0.22392286360263824, -0.20752879977226257, -0.10544584691524506),
            0.17902836203575134,
        ],
        -2.7532901763916016,
    ),
)


def leaf(value: float) -> Leaf:
    """Return a leaf of a tree of numbers."""
    return Leaf(MeanPrediction(value), (1,))


def stump(low: float, high: float, threshold: float = 2.5) -> Tree:
    """Return a tree with one threshold; missing values go to the first leaf."""
    return Tree(MARGIN, Split(ThresholdTest(0, threshold), [leaf(low), leaf(high)], missing=0))


def exact_margin(ensemble: Ensemble, row: dict[str, Any], output: int) -> Fraction:
    """Return a margin by the definition of the ensemble, without any rounding."""
    total = Fraction(ensemble.base[output]) if ensemble.order == "base first" else Fraction(0)
    for number, tree in enumerate(ensemble.trees):
        prediction = find_leaf(tree, row).prediction
        if isinstance(prediction, ClassPrediction):
            total += Fraction(prediction.probabilities[output])
        elif ensemble.outputs[number] == output:
            total += Fraction(prediction.value)
    total *= Fraction(ensemble.scale)
    if ensemble.average:
        n_trees = len(ensemble.trees) / (1 if ensemble.adds_vectors else len(ensemble.base))
        total /= Fraction(float(np.dtype(ensemble.sum_type).type(n_trees)))
    return total + (Fraction(ensemble.base[output]) if ensemble.order == "base last" else 0)


def assert_adds_up(explanation: EnsembleExplanation, row: dict[str, Any]) -> None:
    """The base, what trees add and the rounding are exactly the margin; the rounding is no more than that of sums."""
    ensemble, added = explanation.ensemble, [tree.added for tree in explanation.contributions]
    assert explanation.rounding is not None
    assert explanation.base + sum(added) + explanation.rounding == Fraction(explanation.margin)
    assert explanation.base + explanation.added == exact_margin(ensemble, row, explanation.output)
    size = sum(map(abs, added), abs(explanation.base)) + Fraction(1e-40)
    n_steps = len(ensemble.trees) + 4
    assert abs(explanation.rounding) <= 2 * n_steps * Fraction(float(np.finfo(ensemble.sum_type).eps)) * size


@given(st.data())
def test_what_trees_add_is_exactly_the_margin(data: st.DataObject) -> None:
    """Of drawn ensembles and rows, for the margin of each class: margins are those of `predict_margin`, to the bit."""
    ensemble = data.draw(ensembles())
    row = data.draw(rows(ensemble.trees[0]))
    labels = [None, *ensemble.schema.classes] if ensemble.use == "classes" else [None]
    margins = np.atleast_1d(predict_margin(ensemble, row)).tolist()
    for label in labels:
        explanation = explain(ensemble, row, label=label)
        assert_adds_up(explanation, row)
        assert list(explanation.margins) == margins
        assert explanation.answer == predict(ensemble, row)
        assert explanation.label == (label if label is not None or ensemble.use != "classes" else explanation.answer)
        is_regression = ensemble.schema.is_regression
        assert explanation.probabilities == (None if is_regression else predict_proba(ensemble, row))
        assert list(explanation.row) == [feature.name for feature in ensemble.schema.features]


@given(st.data())
def test_the_rules_are_those_that_fire(data: st.DataObject) -> None:
    """Of each tree of the margin: the rule of `compile_rules` that fires, whose conditions hold."""
    ensemble = data.draw(ensembles())
    row = data.draw(rows(ensemble.trees[-1]))
    explanation = explain(ensemble, row)
    by_tree = {tree.tree: tree for tree in explanation.contributions}
    outputs = ensemble.outputs or [explanation.output] * len(ensemble.trees)
    assert sorted(by_tree) == [n for n, output in enumerate(outputs, 1) if output == explanation.output]
    for number, contribution in by_tree.items():
        tree = ensemble.trees[number - 1]
        fired = explain(compile_rules(tree), row, budget=0).rule
        assert contribution.rule == fired and contribution.rule.prediction == find_leaf(tree, row).prediction
        assert [(reason.column, reason.condition) for reason in contribution.reasons] == list(fired.conditions)
        for reason in contribution.reasons:
            assert reason.value == explanation.row[reason.column]
            assert reason.condition.holds(ensemble.schema.feature(reason.column), reason.value)


@given(st.data())
def test_the_largest_comes_first(data: st.DataObject) -> None:
    """By what a tree adds, whatever its sign; of equally large ones the first tree."""
    ensemble = data.draw(ensembles())
    explanation = explain(ensemble, data.draw(rows(ensemble.trees[0])))
    order = [(-abs(tree.added), tree.tree) for tree in explanation.contributions]
    assert order == sorted(order)


# ---- what libraries say of their leaves


@pytest.mark.parametrize(("cells", "leaf_numbers", "margin"), RECORDED)
def test_leaves_are_those_of_xgboost(cells: list[float | None], leaf_numbers: list[float], margin: float) -> None:
    """The recorded leaves and margins of the example."""
    sick = import_model(KYPHOSIS, target="Kyphosis", labels=["absent", "present"])
    explanation = explain(sick, dict(zip(("Age", "Number", "Start"), cells, strict=True)))
    by_tree = sorted(explanation.contributions, key=lambda tree: tree.tree)
    assert [tree.leaf for tree in by_tree] == leaf_numbers
    assert [float(tree.added) for tree in by_tree] == leaf_numbers
    assert explanation.margin == margin
    assert explanation.rounding != 0  # sums of float32


@pytest.mark.peer
@pytest.mark.parametrize("objective", ["binary:logistic", "multi:softprob", "reg:squarederror"])
def test_leaves_are_those_of_a_fitted_booster(objective: str) -> None:
    """`pred_leaf` names the leaves, the model file holds their numbers, `output_margin` is the sum."""
    xgboost = pytest.importorskip("xgboost")
    generator = np.random.default_rng(0)
    cells = np.round(generator.normal(size=(300, 4)), 2)
    cells[generator.random(cells.shape) < 0.1] = np.nan
    score = np.nan_to_num(cells[:, 0]) + np.nan_to_num(cells[:, 1] * cells[:, 2])
    target = {"binary:logistic": score > 0, "multi:softprob": np.digitize(score, [-0.5, 0.5])}.get(objective, score)
    options = {"objective": objective, "max_depth": 4, "nthread": 1, "seed": 0}
    labels = {"binary:logistic": [0, 1], "multi:softprob": [0, 1, 2]}.get(objective)
    if objective == "multi:softprob":
        options["num_class"] = 3
    booster = xgboost.train(options, xgboost.DMatrix(cells, target), num_boost_round=20)
    told = json.loads(booster.save_raw("json"))["learner"]["gradient_booster"]["model"]["trees"]
    asked = xgboost.DMatrix(cells[:40])
    leaf_nodes = booster.predict(asked, pred_leaf=True).astype(int).reshape(40, -1)
    margins = booster.predict(asked, output_margin=True).reshape(40, -1)
    ensemble = import_model(booster, labels=labels)
    names = [feature.name for feature in ensemble.schema.features]
    for row, nodes, expected in zip(cells[:40], leaf_nodes, margins, strict=True):
        explanation = explain(ensemble, dict(zip(names, row.tolist(), strict=True)))
        assert list(explanation.margins) == expected.tolist()
        assert len(explanation.contributions) == 20
        for tree in explanation.contributions:
            number = told[tree.tree - 1]["split_conditions"][nodes[tree.tree - 1]]
            assert tree.leaf == tree.added == float(np.float32(number))


def test_a_forest_adds_the_probabilities_of_its_trees() -> None:
    """scikit-learn's own `estimators_` say what each leaf holds; a tree adds its share of the average."""
    iris = load_iris()
    forest = RandomForestClassifier(n_estimators=30, max_depth=3, random_state=0).fit(iris.data, iris.target)
    ensemble = import_model(forest)
    names = [feature.name for feature in ensemble.schema.features]
    for cells in iris.data[::30]:
        row = dict(zip(names, cells.tolist(), strict=True))
        for position, label in enumerate(ensemble.schema.classes):
            explanation = explain(ensemble, row, label=label)
            assert_adds_up(explanation, row)
            assert explanation.factor == Fraction(1, 30)
            assert len(explanation.contributions) == 30
            for tree in explanation.contributions:
                own = forest.estimators_[tree.tree - 1].predict_proba([cells])[0, position]
                assert tree.leaf == own and tree.added == Fraction(own) / 30
        assert explain(ensemble, row).answer == forest.predict([cells])[0]


# ---- shapes, and what is refused


def test_missing_and_unseen_values_go_where_the_trees_send_them() -> None:
    """A missing key and a category that no tree knows."""
    by_colour = Tree(MARGIN, Split(CategoryTest(1, [[0], [1]]), [leaf(1.0), leaf(2.0)], missing=0, unseen=1))
    ensemble = Ensemble(Schema(FEATURES, ILL), [stump(0.25, -0.5), by_colour], link="sigmoid", cut=0.0)
    explanation = explain(ensemble, {"颜色": "蓝"})
    assert [(tree.tree, tree.rule.number, tree.leaf) for tree in explanation.contributions] == [
        (2, 2, 2.0),
        (1, 1, 0.25),
    ]
    assert explanation.row == {"x": None, "颜色": "蓝"} and explanation.margin == 2.25
    assert explanation.rounding == 0
    assert [tree.leaf for tree in explain(ensemble, {"x": 3.0}).contributions] == [1.0, -0.5]


def test_trees_of_one_leaf_add_their_number() -> None:
    """Their rule has no conditions."""
    ensemble = Ensemble(Schema(FEATURES, Feature("y", Kind.NUMBER)), [Tree(MARGIN, leaf(0.5))] * 3, [1.0], scale=0.5)
    explanation = explain(ensemble, {})
    assert [tree.added for tree in explanation.contributions] == [Fraction(1, 4)] * 3
    assert [tree.tree for tree in explanation.contributions] == [1, 2, 3]
    assert explanation.base == Fraction(1, 2) and explanation.answer == explanation.margin == 1.25
    assert all(tree.rule.conditions == () and tree.reasons == () for tree in explanation.contributions)


def test_a_sum_that_overflows_has_no_rounding() -> None:
    """In float32, as the library adds; what trees add is exact all the same."""
    ensemble = Ensemble(
        Schema(FEATURES, Feature("y", Kind.NUMBER)),
        [Tree(MARGIN, leaf(float(np.float32(3e38))))] * 2,
        sum_type="float32",
    )
    explanation = explain(ensemble, {})
    assert explanation.margin == float("inf") and explanation.rounding is None
    assert explanation.added == 2 * Fraction(float(np.float32(3e38)))


def test_a_deep_tree_is_explained() -> None:
    """Deeper than Python's recursion limit."""
    node: Any = leaf(0.0)
    for threshold in reversed(range(3_000)):
        node = Split(ThresholdTest(0, float(threshold)), [leaf(float(threshold)), node], missing=0)
    tree, row = Tree(MARGIN, node), {"x": 2_990.5}
    (contribution,) = explain(Ensemble(MARGIN, [tree]), row).contributions
    assert (contribution.leaf, contribution.rule.number) == (2_991.0, 2_992)
    assert (contribution.rule,) == compile_rules(tree).firing(row)


CLASSES = Ensemble(
    Schema(FEATURES, LEVEL), [stump(0.5, 1.0), stump(0.25, 2.0)], [0.0, 0.5, 0.0], outputs=[0, 2], link="softmax"
)
ONE_MARGIN = Ensemble(Schema(FEATURES, ILL), [stump(0.1, 0.2)], link="sigmoid", cut=0.0)


def test_a_class_may_be_named_by_its_text() -> None:
    """A margin that no tree adds to is its base."""
    assert [tree.tree for tree in explain(CLASSES, {"x": 1.0}, label="高").contributions] == [2]
    low = explain(CLASSES, {"x": 1.0}, label="低")
    assert low.contributions == () and low.margin == low.base == 0.5
    numbered = Ensemble(
        Schema(FEATURES, Feature("y", Kind.CATEGORY, (1, 2), "integer")),
        [stump(0.5, 1.0)],
        [0.0, 0.0],
        [1],
        link="softmax",
    )
    assert (
        explain(numbered, {}, label="2") == explain(numbered, {}, label=2) == explain(numbered, {}, label=np.int64(2))
    )


@pytest.mark.parametrize(
    ("model", "arguments", "kind", "text"),
    [
        (CLASSES, {"label": "中等"}, UnknownNameError, "no class of '级别' named '中等'; .*known: '中', '低', '高'"),
        (CLASSES, {"label": 1}, UnknownNameError, "no class of '级别' named '1'"),
        (CLASSES, {"label": np.array(["低"])}, UnknownNameError, "no class"),
        (ONE_MARGIN, {"label": "yes"}, OptionError, r"label='yes'\): expected none: this ensemble has one margin"),
        (ONE_MARGIN, {"domain": {}}, OptionError, r"domain=.*expected none: it is for rules; .*no nearest change"),
        (ONE_MARGIN, {"budget": 3}, OptionError, r"budget=3\): expected none: it is for rules"),
        (stump(0.0, 1.0), {"label": "yes"}, OptionError, r"label='yes'\): expected none: it is for an Ensemble"),
    ],
)
def test_arguments_that_do_not_apply_are_errors(model: Any, arguments: Any, kind: type[Exception], text: str) -> None:
    """Each names the argument and says what is true; of a class the nearest one is named."""
    with pytest.raises(kind, match=text):
        explain(model, {"x": 1.0}, **arguments)


def test_a_wrong_class_has_a_near_one() -> None:
    """As of other names."""
    several = Ensemble(
        Schema(FEATURES, Feature("y", Kind.CATEGORY, ("large", "small"))),
        [stump(0.0, 1.0)],
        [0.0, 0.0],
        [0],
        link="softmax",
    )
    with pytest.raises(UnknownNameError, match="did you mean 'large'"):
        explain(several, {}, label="Large")


def test_wrong_rows_are_errors() -> None:
    """A row that is no mapping, a cell of the wrong kind."""
    with pytest.raises(OptionError, match="row"):
        explain(ONE_MARGIN, [1.0])  # type: ignore[call-overload]
    with pytest.raises(CellError, match="x"):
        explain(ONE_MARGIN, {"x": "many"})


def test_truth_values_of_a_row_are_0_and_1_where_the_model_knows_numbers() -> None:
    """As in a column of a frame, for prediction and explanation."""
    schema = Schema([Feature("flag", Kind.NUMBER)], Feature("y", Kind.NUMBER))
    tree = Tree(schema, Split(ThresholdTest(0, 0.5), [Leaf(MeanPrediction(mean), (1,)) for mean in (1.0, 2.0)]))
    ensemble = Ensemble(schema, [tree])
    for value in (False, True, np.False_, np.True_):
        assert predict(ensemble, {"flag": value}) == predict(ensemble, {"flag": [value]})[0] == 1.0 + value
        assert explain(ensemble, {"flag": value}).answer == explain(tree, {"flag": value}).answer == 1.0 + value
