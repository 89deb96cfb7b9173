"""Ensembles: sums of trees in the order and the type of their library, as values and as files."""

import copy
import json
import pickle
from math import exp
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from drawn_ensembles import ensembles
from treerules import (
    Ensemble,
    Feature,
    Kind,
    Schema,
    Table,
    Tree,
    apply,
    cart,
    evaluate,
    learn,
    load,
    predict,
    predict_proba,
    predict_table,
    save,
)
from treerules.errors import InvalidTreeError, ModelFileError, OptionError, UnknownNameError
from treerules.testing import rows
from treerules.trees import ClassPrediction, Leaf, MeanPrediction, Split, ThresholdTest, find_leaf, predict_margin
from treerules.trees.json_ensemble import _digest, ensemble_to_json
from treerules.trees.links import LINKS
from treerules.trees.model_files import model_from_json

FEATURES = [Feature("x", Kind.NUMBER), Feature("颜色", Kind.CATEGORY, ("红", "绿"))]
CLASSES = Feature("y", Kind.CATEGORY, ("no", "yes"))


def stump(low: float, high: float, threshold: float = 2.5) -> Tree:
    """Return a tree with one threshold."""
    leaves = [Leaf(MeanPrediction(value), (1,)) for value in (low, high)]
    schema = Schema(FEATURES, Feature("margin", Kind.NUMBER))
    return Tree(schema, Split(ThresholdTest(0, threshold), leaves))


BINARY = Ensemble(Schema(FEATURES, CLASSES), [stump(0.1, 0.2), stump(0.3, -0.7, 1.0)], [0.25], link="sigmoid", cut=0.0)


def reference_margins(ensemble: Ensemble, row: Any) -> list[float]:
    """Return the margins of a row by the definition: one number after the other, in scalars of the sum's type."""
    number = np.dtype(ensemble.sum_type).type
    found = []
    for position, base in enumerate(ensemble.base):
        total = number(base) if ensemble.order == "base first" else number(0)
        for at, tree in enumerate(ensemble.trees):
            prediction: Any = find_leaf(tree, row).prediction
            if isinstance(prediction, ClassPrediction):
                total = total + number(prediction.probabilities[position])
            elif ensemble.outputs[at] == position:
                total = total + number(prediction.value)
        if ensemble.scale != 1:
            total = total * number(ensemble.scale)
        if ensemble.average:
            total = total / number(len(ensemble.trees) / (1 if ensemble.adds_vectors else len(ensemble.base)))
        found.append(float(total + number(base) if ensemble.order == "base last" else total))
    return found


@given(st.data())
def test_margins_are_sums_in_the_order_and_type_of_the_ensemble(data: st.DataObject) -> None:
    """For drawn ensembles and rows: margins, labels and means follow from the definition, for rows and for tables."""
    ensemble = data.draw(ensembles())
    some = data.draw(st.lists(rows(ensemble.trees[0]), min_size=1, max_size=5))
    names = [feature.name for feature in ensemble.schema.features]
    table = [{name: row.get(name) for name in names} for row in some] if names else [{"none": 0} for _ in some]
    for row, margins in zip(some, np.asarray(predict_margin(ensemble, table)), strict=True):
        expected = reference_margins(ensemble, row)
        assert np.atleast_1d(margins).tolist() == expected
        assert np.atleast_1d(predict_margin(ensemble, row)).tolist() == expected
        answer = _answer(ensemble, expected)
        is_rounded = ensemble.use == "mean" and ensemble.link != "identity"
        assert predict(ensemble, row) == (pytest.approx(answer, rel=1e-6) if is_rounded else answer)
    assert predict(ensemble, table).tolist() == [predict(ensemble, row) for row in some]


def _answer(ensemble: Ensemble, margins: list[float]) -> Any:
    if ensemble.schema.is_regression:
        return np.atleast_1d(_by_definition(ensemble.link, margins))[0]
    if ensemble.label_by == "probabilities":
        margins = list(LINKS[ensemble.link].answers(np.array([margins], dtype=ensemble.sum_type), ensemble.slope)[0])
    if ensemble.cut is not None:
        return ensemble.schema.classes[margins[0] >= ensemble.cut]
    return ensemble.schema.classes[margins.index(max(margins))]


@given(ensembles())
def test_an_ensemble_is_a_value(ensemble: Ensemble) -> None:
    """A file, pickle and a copy are equal; another base, order or tree is not; the text is always the same."""
    text = ensemble_to_json(ensemble)
    assert model_from_json(text.encode()) == ensemble and ensemble_to_json(ensemble) == text
    assert pickle.loads(pickle.dumps(ensemble)) == ensemble == copy.deepcopy(ensemble)
    assert hash(evolve(ensemble, notes=["other notes"])) == hash(ensemble)
    others = [evolve(ensemble, base=[number + 1.0 if number == 0 else 0.0 for number in ensemble.base])]
    others += [evolve(ensemble, order="base last" if ensemble.order == "base first" else "base first")]
    others += [evolve(ensemble, average=not ensemble.average)]
    assert all(other != ensemble for other in others)
    assert repr(ensemble) == (
        f"<Ensemble {ensemble.schema.target.name!r} trees={len(ensemble.trees)} leaves={ensemble.n_leaves}>"  # type: ignore[union-attr]
    )


def test_sums_in_float32_differ_from_sums_in_float64() -> None:
    """0.1 + 0.2 + ... in float32 is another number; both are those of numpy's scalars."""
    numbers = [float(np.float32(number)) for number in (0.1, 0.2, 0.3)]
    members = [stump(number, number) for number in numbers]
    schema = Schema(FEATURES, Feature("y", Kind.NUMBER))
    single, double = (Ensemble(schema, members, sum_type=kind) for kind in ("float32", "float64"))
    row = {"x": 1.0}
    assert predict_margin(single, row) == float(np.float32(0.1) + np.float32(0.2) + np.float32(0.3))
    assert predict_margin(double, row) == sum(numbers) != predict_margin(single, row)
    assert predict_margin(single, [row]).dtype == np.float32


def test_answers_come_in_the_callers_kind() -> None:
    """A frame gives a series or a frame with its index; probabilities are those of the link function."""
    frame = pd.DataFrame({"x": [1.0, 3.0], "颜色": ["红", None]}, index=["a", "b"])
    margins = predict_margin(BINARY, frame)
    assert margins.name == "margin" and list(margins.index) == ["a", "b"]
    assert margins.tolist() == [0.25 + 0.1 + 0.3, 0.25 + 0.2 - 0.7]
    assert predict(BINARY, frame).tolist() == ["yes", "no"]
    shares = predict_proba(BINARY, frame)
    assert list(shares.columns) == ["p_no", "p_yes"] and list(shares.index) == ["a", "b"]
    assert shares["p_yes"].tolist() == [1 / (1 + exp(-margin)) for margin in margins]
    assert predict_proba(BINARY, {"x": 1.0}) == tuple(shares.iloc[0])
    multi = Ensemble(
        Schema(FEATURES, Feature("y", Kind.CATEGORY, ("a", "b", "c"))),
        [stump(1.0, 2.0)] * 3,
        [0.0] * 3,
        [0, 1, 2],
        link="softmax",
    )
    polars = predict_margin(multi, pl.DataFrame({"x": [1.0], "颜色": ["红"]}))
    assert polars.columns == ["margin_a", "margin_b", "margin_c"] and predict(multi, {"x": 1.0}) == "a"
    assert predict_proba(multi, {"x": 1.0}) == pytest.approx((1 / 3, 1 / 3, 1 / 3))


def test_tables_of_predictions_and_evaluations_take_an_ensemble() -> None:
    """Figures are those of the answers: beside an accuracy and a log loss by their definitions."""
    table = Table.from_columns(
        {"x": [1.0, 3.0, 0.5, None], "颜色": ["红", "红", "绿", None], "y": ["yes", "no", "no", "yes"]}
    )
    result = evaluate(BINARY, table)
    labels, shares = predict(BINARY, table).tolist(), predict_proba(BINARY, table)
    truth = ["yes", "no", "no", "yes"]
    assert result.accuracy == np.mean([a == b for a, b in zip(labels, truth, strict=True)])
    assert result.log_loss == pytest.approx(np.mean([-np.log(shares[i, int(t == "yes")]) for i, t in enumerate(truth)]))
    predictions = predict_table(BINARY, table, proba=True, keys=["y"])
    assert predictions.names == ("y", "prediction", "p_no", "p_yes")
    assert predictions.to_frame("pandas")["prediction"].tolist() == labels
    with pytest.raises(OptionError, match="rule of each tree fires"):
        predict_table(BINARY, table, rule=True)
    numbers = Ensemble(Schema(FEATURES, Feature("y", Kind.NUMBER)), [stump(1.0, 2.0)])
    assert evaluate(numbers, {"x": [1.0, 3.0], "颜色": ["红", "红"], "y": [1.0, 4.0]}).mae == 1.0
    with pytest.raises(OptionError, match="a Tree"):
        apply(BINARY, table)  # type: ignore[arg-type]


def test_a_learned_tree_keeps_its_recipe_in_an_ensemble(tmp_path: Path) -> None:
    """An ensemble of one's own: the parts of each tree are in the file."""
    table = Table.from_columns({"x": [1.0, 2.0, 3.0, 4.0], "y": ["a", "a", "b", "b"]})
    members = [learn(table, target="y", recipe=cart()), learn(table, target="y")]
    ensemble = Ensemble(members[0].schema, members, [0.0, 0.0], average=True)
    save(ensemble, tmp_path / "own.ensemble.json")
    loaded = load(tmp_path / "own.ensemble.json")
    assert loaded == ensemble and loaded.trees[0].recipe == members[0].recipe
    assert loaded.trees[1].estimate == members[1].estimate and predict(loaded, {"x": 1.5}) == "a"


def test_every_truncation_and_every_edit_of_a_byte_loads_equal_or_is_refused() -> None:
    """All lengths, and each byte replaced once."""
    data, random = ensemble_to_json(BINARY).encode(), Random(0)
    damaged = [data[:length] for length in range(len(data))]
    damaged += [data[:at] + bytes([random.randrange(256)]) + data[at + 1 :] for at in range(len(data))]
    refused = 0
    for text in damaged:
        try:
            assert model_from_json(text) == BINARY
        except ModelFileError:
            refused += 1
    assert refused > len(data)


def _at(*path: Any, value: Any) -> Any:
    def change(content: Any) -> None:
        for key in path[:-1]:
            content = content[key]
        content[path[-1]] = value

    return change


@pytest.mark.parametrize(
    "change",
    [
        _at("version", value=2),
        _at("version", value=True),
        _at("sum", "base", value=[]),
        _at("sum", "base", value=["x"]),
        _at("sum", "base", value=[1e999]),
        _at("sum", "outputs", value=[0]),
        _at("sum", "outputs", value=[0, 1]),
        _at("sum", "outputs", value=[0, -1]),
        _at("sum", "outputs", value=[0, False]),
        _at("sum", "order", value="base"),
        _at("sum", "sum_type", value="float32"),
        _at("sum", "scale", value="nan"),
        _at("sum", "link", value="softmax"),
        _at("sum", "link", value=["sigmoid"]),
        _at("sum", "cut", value=None),
        _at("sum", "cut", value="0"),
        _at("sum", "more", value=1),
        _at("sum", value=[]),
        _at("trees", value=[]),
        _at("trees", value={}),
        _at("trees", 0, value=[]),
        _at("trees", 0, "nodes", value=[]),
        _at("trees", 0, "nodes", 0, 0, value=7),
        _at("trees", 0, "nodes", 1, 0, value=["yes", [0.0, 1.0]]),
        _at("trees", 0, "target", value=None),
        _at("notes", value=[1]),
        _at("schema", "target", value=None),
    ],
)
def test_a_file_that_describes_no_ensemble_is_refused(change: Any) -> None:
    """Also where its digest fits: each part is checked."""
    content = json.loads(ensemble_to_json(BINARY))
    change(content)
    rest = {name: value for name, value in content.items() if name not in ("format", "version", "digest")}
    try:
        digest = _digest(rest)
    except ValueError:  # a number that is none in JSON
        digest = ""
    with pytest.raises(ModelFileError):
        model_from_json(json.dumps({**content, "digest": digest}).encode())


def test_parts_that_do_not_fit_each_other_are_refused() -> None:
    """Each with what is wrong."""
    schema, members = Schema(FEATURES, CLASSES), [stump(0.1, 0.2)]
    for arguments, message in (
        ({"trees": []}, "at least one tree"),
        ({"base": [0.0, 0.0]}, "2 numbers as its base; it needs 1"),
        ({"base": [float("nan")]}, "base of an ensemble is nan"),
        ({"scale": float("inf")}, "scale of an ensemble is inf"),
        ({"outputs": [1]}, "outputs of 1 tree"),
        ({"outputs": [0, 0]}, "outputs of 1 tree"),
        ({"link": "exp"}, "link 'exp'"),
        ({"link": "identity"}, "link 'identity'"),
        ({"slope": 2.0, "link": "softmax", "cut": None, "base": [0.0, 0.0], "outputs": [0]}, "slope 2.0"),
        ({"link": "identity", "cut": None, "base": [0.0, 0.0], "outputs": [0]}, "no probabilities"),
        ({"slope": 0.0}, "slope of an ensemble is 0.0"),
        ({"slope": -2.0}, "slope of an ensemble is -2.0"),
        ({"sum_type": "float32"}, "no float32"),
        ({"sum_type": "float32", "trees": [stump(0.5, 0.25)], "cut": 0.1}, "no float32"),
        ({"sum_type": "float32", "trees": [stump(0.5, 0.25)], "scale": 0.1}, "no float32"),
        (
            {"trees": [Tree(Schema(FEATURES[:1], Feature("m", Kind.NUMBER)), Leaf(MeanPrediction(0.0), (1,)))]},
            "features",
        ),
    ):
        with pytest.raises(InvalidTreeError, match=message):
            Ensemble(**{"schema": schema, "trees": members, "link": "sigmoid", "cut": 0.0, **arguments})
    with pytest.raises(UnknownNameError, match="softmax"):
        Ensemble(schema, members, link="softmx", cut=0.0)
    for name, value in (("order", "first"), ("sum_type", "float16"), ("average", 1), ("trees", [1]), ("schema", None)):
        with pytest.raises(OptionError, match=name):
            Ensemble(**{"schema": schema, "trees": members, "link": "sigmoid", "cut": 0.0, name: value})


@pytest.mark.parametrize("name", LINKS)
def test_link_functions_are_those_of_their_definitions(name: str) -> None:
    """By Python's own exp; huge margins overflow nowhere."""
    margins = np.array([[0.3, -1.0], [0.0, 0.0], [-800.0, 800.0], [1e308, -1e308]])
    used = margins if "classes" in LINKS[name].uses else margins[:, :1]
    with np.errstate(all="raise"):
        found = LINKS[name].answers(used, 1.0)
    for row, answer in zip(used.tolist(), found.tolist(), strict=True):
        assert np.allclose(answer, _by_definition(name, row))
    singles = used[:3].astype(np.float32)
    found = LINKS[name].answers(singles, 1.0)
    assert found.dtype == (np.float64 if name in ("square", "softplus", "sigmoids") else np.float32)
    for row, answer in zip(singles.tolist(), found.tolist(), strict=True):
        assert np.allclose(answer, _by_definition(name, row), rtol=1e-6)


def _by_definition(name: str, margins: list[float]) -> Any:
    if name == "identity":
        return margins
    if name in ("sigmoid", "expit"):
        second = 1 / (1 + exp(-margins[0])) if margins[0] > -700 else 0.0
        return [second] if name == "expit" else [1 - second, second]
    if name == "step":
        return [0.0, 1.0] if margins[0] > 0 else [1.0, 0.0]
    if name == "sigmoids":
        return [_by_definition("expit", [margin])[0] for margin in margins]
    if name == "square":
        return abs(margins[0]) * margins[0] if abs(margins[0]) < 1e150 else np.copysign(np.inf, margins[0])
    if name == "softplus":
        return np.log1p(exp(margins[0])) if margins[0] < 700 else np.inf
    if name == "exp":
        return exp(margins[0]) if margins[0] < 700 else np.inf
    powers = [exp(margin - max(margins)) for margin in margins]
    return [power / sum(powers) for power in powers]
