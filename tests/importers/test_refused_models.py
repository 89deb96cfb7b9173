"""Models that are not read: the error names the kind of model, and says what to do.

Each is written by hand, as the library writes it, and fitted with the library itself where it is installed.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

from library_answers import RECORDED
from small_model_answers import own_margins, written
from small_models import Node, catboost_content, lightgbm_text, oblivious, xgboost_content
from treerules import predict, predict_proba
from treerules.errors import ModelFileError, OptionError
from treerules.importers import import_model
from treerules.trees import predict_margin

_RANDOM = np.random.default_rng(0)
X = _RANDOM.normal(size=(200, 3))
SCORE = X[:, 0] + X[:, 1] * X[:, 2]
TWO, THREE = (SCORE > 0).astype(int), np.digitize(SCORE, [-0.5, 0.5])
STUMP = Node(0, 0.5, 1.0, 2.0)


# ---- written by hand


def _vectors(**parameters: str) -> Any:
    content = xgboost_content(STUMP)
    content["learner"]["gradient_booster"]["model"]["trees"][0]["tree_param"].update(parameters)
    return content


def _targets() -> Any:
    content = xgboost_content(STUMP, STUMP)
    content["learner"]["learner_model_param"].update(num_target="2", base_score="[0E0,0E0]")
    content["learner"]["gradient_booster"]["model"]["tree_info"] = [0, 1]
    return content


def _quantiles() -> Any:
    content = _targets()
    own = {"name": "reg:quantileerror", "quantile_loss_param": {"quantile_alpha": "[2E-1,5E-1]"}}
    content["learner"]["objective"] = own
    return content


def _linear() -> Any:
    content = xgboost_content(STUMP)
    content["learner"]["gradient_booster"] = {"name": "gblinear", "model": {"boosted_rounds": 3, "weights": [0.5, 1.0]}}
    return content


def _statistics(**changed: Any) -> Any:
    content = json.loads((RECORDED / "catboost" / "statistics.json").read_text(encoding="utf-8"))
    for statistic in content["features_info"]["ctrs"]:
        statistic.update(changed)
    return content


def _catboost(loss: str, values: tuple[float, ...] = (1.0, 2.0), **features: Any) -> Any:
    bias = [0] * (len(values) // 2)
    content = catboost_content(oblivious([(0, 0.5)], values), borders=[[0.5]], loss=loss, scale_and_bias=(1, bias))
    content["features_info"].update(features)
    return content


class Refused(NamedTuple):
    """A model that is refused.

    Args:
        content: what its file holds.
        reason: the kind of model, in the words of its library or its user.
        remedy: what to do.
    """

    content: Any
    reason: str
    remedy: str


_COMBINED = [{"cat_feature_index": at, "combination_element": "cat_feature_value"} for at in (0, 1)]
_READ, _FIT_CTR = "objectives that are read are", "simple_ctr=['Borders'] and max_ctr_complexity=1"
_READ_LOSSES = "loss functions that are read are"

REFUSED = {
    "XGBoost, vector leaves": Refused(_vectors(size_leaf_vector="2"), "hold vectors", "one_output_per_tree"),
    "XGBoost, several targets": Refused(_targets(), "2 numbers for a row: several targets", "one model for each"),
    "XGBoost, several quantiles": Refused(_quantiles(), "several quantiles", "one model for each"),
    "XGBoost, AFT": Refused(xgboost_content(STUMP, objective="survival:aft"), "'survival:aft'", _READ),
    "XGBoost, Cox": Refused(xgboost_content(STUMP, objective="survival:cox"), "'survival:cox'", _READ),
    "XGBoost, gblinear": Refused(_linear(), "'gblinear', no sum of trees", "fit with gbtree or dart"),
    "LightGBM, custom objective": Refused(lightgbm_text(STUMP, objective=None), "custom", "objective=regression"),
    "LightGBM, linear trees": Refused(
        lightgbm_text(STUMP).replace("is_linear=0", "is_linear=1"), "linear models in its leaves", "linear_tree=False"
    ),
    "LightGBM, unknown objective": Refused(lightgbm_text(STUMP, objective="mine"), "'mine'", _READ),
    "CatBoost, custom objective": Refused(
        _catboost("PythonUserDefinedPerObject"), "'PythonUserDefinedPerObject'", _READ_LOSSES
    ),
    "CatBoost, several quantiles": Refused(
        _catboost("MultiQuantile", (1.0, 2.0, 3.0, 4.0)), "'MultiQuantile'", _READ_LOSSES
    ),
    "CatBoost, several targets": Refused(_catboost("MultiRMSE", (1.0, 2.0, 3.0, 4.0)), "'MultiRMSE'", _READ_LOSSES),
    "CatBoost, uncertainty": Refused(
        _catboost("RMSEWithUncertainty", (1.0, 2.0, 3.0, 4.0)), "'RMSEWithUncertainty'", _READ_LOSSES
    ),
    "CatBoost, several labels": Refused(
        _catboost("MultiLogloss", (1.0, 2.0, 3.0, 4.0)), "'MultiLogloss'", _READ_LOSSES
    ),
    "CatBoost, Cox": Refused(_catboost("Cox"), "'Cox'", _READ_LOSSES),
    "CatBoost, AFT": Refused(_catboost("SurvivalAft"), "'SurvivalAft'", _READ_LOSSES),
    "CatBoost, text": Refused(_catboost("RMSE", text_features=[{}]), "text features", "fit without them"),
    "CatBoost, embeddings": Refused(
        _catboost("RMSE", embedding_features=[{}]), "embedding features", "fit without them"
    ),
    "CatBoost, combined statistics": Refused(
        _statistics(elements=_COMBINED), "the statistic Borders of '城市', 'code'", _FIT_CTR
    ),
    **{
        f"CatBoost, {kind}": Refused(_statistics(ctr_type=kind), f"the statistic {kind} of '城市'", _FIT_CTR)
        for kind in ("Counter", "Buckets", "BinarizedTargetMeanValue", "FeatureFreq", "FloatTargetMeanValue")
    },
}


def check_refused(model: Any, refused: Refused) -> None:
    """Assert that a model is refused by its kind and with a remedy, and that the error asks for nothing useless."""
    with pytest.raises(ModelFileError) as caught:
        import_model(model)
    error = caught.value
    assert refused.reason in error.problem
    assert refused.remedy in error.remedy
    assert "save it again" not in error.remedy


@pytest.mark.parametrize("name", REFUSED)
def test_a_model_that_is_not_read_is_refused_by_name(name: str, tmp_path: Path) -> None:
    """The error names the kind of model as its library does, and says how to fit one that is read."""
    check_refused(written(tmp_path, REFUSED[name].content), REFUSED[name])


def test_the_remedy_for_custom_objectives_reads_the_margins(tmp_path: Path) -> None:
    """A file of LightGBM in which its user writes the objective is one of numbers, the margins."""
    text = lightgbm_text(STUMP, objective=None)
    changed = text.replace("version=v4\n", "version=v4\nobjective=regression\n")
    assert own_margins(written(tmp_path, changed), [[0.0], [1.0]]) == [1.0, 2.0]


def test_a_single_quantile_is_read(tmp_path: Path) -> None:
    """The margin is the quantile, and base_score is a margin, whose sign is free."""
    content = xgboost_content(STUMP, objective="reg:quantileerror", base_score="[-2.5E-1]")
    assert own_margins(written(tmp_path, content), [[0.0], [1.0]]) == [0.75, 1.75]


@pytest.mark.parametrize(
    ("content", "reason", "remedy"),
    [
        (b"booster[0]:\n0:[f0<0.5] yes=1,no=2,missing=2\n", "a dump of XGBoost", "save_model('model.json')"),
        (b'[\n  { "nodeid": 0, "depth": 0 }\n]', "a dump of XGBoost", "save_model('model.json')"),
        (b"binf\x00\x00\x00\x3f\x02", "the binary format of XGBoost 1", "load it with XGBoost 2"),
        (b'{"name": "tree", "version": "v4", "tree_info": []}', "a dump of LightGBM", "save_model('model.txt')"),
        (b"CBM1\x80\x1f\xff", "the binary format of CatBoost", "format='json', pool="),
    ],
)
def test_other_files_of_a_model_are_refused_by_name(content: bytes, reason: str, remedy: str, tmp_path: Path) -> None:
    """Dumps round or change numbers, and binary formats are documented nowhere."""
    path = tmp_path / "model"
    path.write_bytes(content)
    check_refused(path, Refused(None, reason, remedy))


@pytest.mark.peer
def test_other_files_that_the_libraries_write_are_refused_by_name(tmp_path: Path) -> None:
    """The dumps of XGBoost and LightGBM, and the binary format of CatBoost."""
    xgboost, lightgbm = pytest.importorskip("xgboost"), pytest.importorskip("lightgbm")
    booster = xgboost.train({"max_depth": 2, "nthread": 1}, xgboost.DMatrix(X, SCORE), 2)
    for form in ("text", "json"):
        booster.dump_model(tmp_path / form, dump_format=form)
        check_refused(tmp_path / form, Refused(None, "a dump of XGBoost", "save_model"))
    fitted = lightgbm.train({"verbose": -1, "num_threads": 1}, lightgbm.Dataset(X, SCORE), 2)
    (tmp_path / "dump").write_text(json.dumps(fitted.dump_model()))
    check_refused(tmp_path / "dump", Refused(None, "a dump of LightGBM", "save_model"))
    model = pytest.importorskip("catboost").CatBoostRegressor(**_QUICK).fit(X, SCORE)
    model.save_model(str(tmp_path / "model.cbm"))
    check_refused(tmp_path / "model.cbm", Refused(None, "the binary format of CatBoost", "format='json'"))


# ---- fitted with the libraries


def _gradients(predictions: Any, data: Any) -> Any:
    return predictions - data.get_label(), np.ones(len(predictions))


def _fitted_xgboost(parameters: dict[str, Any], target: Any, **bounds: Any) -> Callable[[Path], Any]:
    def fit(folder: Path) -> Path:
        xgboost = pytest.importorskip("xgboost")
        matrix = xgboost.DMatrix(X, target, **bounds)
        booster = xgboost.train({"max_depth": 2, "nthread": 1, **parameters}, matrix, 3)
        booster.save_model(folder / "model.json")
        return folder / "model.json"

    return fit


def _fitted_lightgbm(parameters: dict[str, Any]) -> Callable[[Path], Any]:
    def fit(folder: Path) -> Path:
        lightgbm = pytest.importorskip("lightgbm")
        quick = {"num_leaves": 4, "num_threads": 1, "verbose": -1}
        lightgbm.train({**quick, **parameters}, lightgbm.Dataset(X, SCORE), 3).save_model(folder / "model.txt")
        return folder / "model.txt"

    return fit


def _fitted_catboost(target: Any, rows: Any = X, **parameters: Any) -> Callable[[Path], Any]:
    def fit(folder: Path) -> Path:
        catboost = pytest.importorskip("catboost")
        columns = parameters.pop("cat_features", None)
        pool = catboost.Pool(rows, target, cat_features=columns)
        model = catboost.CatBoost({**_QUICK, **parameters}).fit(pool)
        model.save_model(str(folder / "model.json"), format="json", pool=pool)
        return folder / "model.json"

    return fit


class _OwnLoss:
    """A loss function of CatBoost in Python."""

    def calc_ders_range(self, margins: Any, targets: Any, weights: Any) -> list[tuple[float, float]]:
        """Return the first and second derivatives of squared errors."""
        return [(targets[at] - margins[at], -1.0) for at in range(len(targets))]


#: CatBoost compiles such a loss function by numba.
_COMPILED = "CatBoost, custom objective"
_QUICK = {"iterations": 8, "depth": 4, "verbose": 0, "thread_count": 1, "allow_writing_files": False}
_BOUNDS = np.abs(SCORE) + 0.1
_PAIR = np.column_stack([TWO, 1 - TWO])
_LETTERS = np.array(list("abcdefgh"))[_RANDOM.integers(0, 8, (200, 2))]
_MIXED = np.column_stack([_LETTERS, X[:, 0]]).astype(object)
_BY_LETTERS = (np.isin(_LETTERS[:, 0], list("abc")) ^ np.isin(_LETTERS[:, 1], list("ab"))).astype(int)
_CTR = {"cat_features": [0, 1], "one_hot_max_size": 1, "loss_function": "Logloss"}
_OUTPUTS = {"multi_strategy": "multi_output_tree"}

FITTED: dict[str, Callable[[Path], Any]] = {
    "XGBoost, vector leaves": _fitted_xgboost({**_OUTPUTS, "objective": "multi:softprob", "num_class": 3}, THREE),
    "XGBoost, several targets": _fitted_xgboost({}, X[:, :2]),
    "XGBoost, several quantiles": _fitted_xgboost(
        {"objective": "reg:quantileerror", "quantile_alpha": [0.2, 0.5]}, SCORE
    ),
    "XGBoost, AFT": _fitted_xgboost(
        {"objective": "survival:aft"}, None, label_lower_bound=_BOUNDS, label_upper_bound=_BOUNDS + 1
    ),
    "XGBoost, Cox": _fitted_xgboost({"objective": "survival:cox"}, _BOUNDS),
    "XGBoost, gblinear": _fitted_xgboost({"booster": "gblinear", "max_depth": None}, SCORE),
    "LightGBM, custom objective": _fitted_lightgbm({"objective": _gradients}),
    "LightGBM, linear trees": _fitted_lightgbm({"linear_tree": True}),
    "CatBoost, custom objective": _fitted_catboost(SCORE, loss_function=_OwnLoss(), eval_metric="RMSE"),
    "CatBoost, several quantiles": _fitted_catboost(SCORE, loss_function="MultiQuantile:alpha=0.2,0.8"),
    "CatBoost, several targets": _fitted_catboost(X[:, :2], loss_function="MultiRMSE"),
    "CatBoost, uncertainty": _fitted_catboost(SCORE, loss_function="RMSEWithUncertainty"),
    "CatBoost, several labels": _fitted_catboost(_PAIR, loss_function="MultiLogloss"),
    "CatBoost, Cox": _fitted_catboost(SCORE, loss_function="Cox"),
    "CatBoost, AFT": _fitted_catboost(np.column_stack([_BOUNDS, _BOUNDS + 1]), loss_function="SurvivalAft:dist=Normal"),
    "CatBoost, combined statistics": _fitted_catboost(
        _BY_LETTERS, _MIXED, **_CTR, max_ctr_complexity=2, simple_ctr=["Borders"], combinations_ctr=["Borders"]
    ),
    **{
        f"CatBoost, {kind}": _fitted_catboost(_BY_LETTERS, _MIXED, **_CTR, max_ctr_complexity=1, simple_ctr=[kind])
        for kind in ("Counter", "Buckets", "BinarizedTargetMeanValue")
    },
}


@pytest.mark.peer
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.compiled) if name == _COMPILED else name for name in FITTED],
)
def test_a_fitted_model_that_is_not_read_is_refused_by_name(name: str, tmp_path: Path) -> None:
    """With the same words as the model that is written by hand, the names of columns aside."""
    refused = REFUSED[name]
    reason = re.sub(r" of '.*", "", refused.reason)
    check_refused(FITTED[name](tmp_path), refused._replace(reason=reason))


@pytest.mark.peer
@pytest.mark.parametrize("kind", ["text", "embedding"])
def test_catboost_models_that_have_no_json_are_refused_by_name(kind: str) -> None:
    """CatBoost writes text and embedding features to its own format alone: its error becomes ours."""
    catboost, pandas = pytest.importorskip("catboost"), pytest.importorskip("pandas")
    cells = [" ".join(letters) for letters in _LETTERS] if kind == "text" else [list(row) for row in X]
    frame = pandas.DataFrame({"cells": cells, "x": X[:, 0]})
    fitted = catboost.CatBoostClassifier(**_QUICK).fit(frame, TWO, **{f"{kind}_features": ["cells"]})
    check_refused(fitted, Refused(None, f"{kind} features", "fit without such features"))


@pytest.mark.peer
def test_live_catboost_models_with_categories_ask_for_their_pool() -> None:
    """A live model does not hold the data that the categories stand in."""
    catboost = pytest.importorskip("catboost")
    parameters = {**_QUICK, **_CTR, "max_ctr_complexity": 1, "simple_ctr": ["Borders"]}
    pool = catboost.Pool(_MIXED, _BY_LETTERS, cat_features=parameters.pop("cat_features"))
    fitted = catboost.CatBoostClassifier(**parameters).fit(pool)
    check_refused(fitted, Refused(None, "does not hold the categories", "save it as JSON with pool="))


@pytest.mark.peer
def test_live_models_with_an_objective_of_the_user_are_refused() -> None:
    """The wrappers of XGBoost and LightGBM; the Booster of XGBoost is read as its file, which does not say it."""
    xgboost, lightgbm = pytest.importorskip("xgboost"), pytest.importorskip("lightgbm")

    def logistic(target: Any, margins: Any) -> Any:
        shares = 1 / (1 + np.exp(-margins))
        return shares - target, shares * (1 - shares)

    ours = xgboost.XGBClassifier(objective=logistic, n_estimators=3, max_depth=2, n_jobs=1).fit(X, TWO)
    check_refused(ours, Refused(None, "a function of your own", "get_booster()"))
    ensemble = import_model(ours.get_booster(), labels=[0, 1])
    names = ["f0", "f1", "f2"]
    assert (predict(ensemble, X, columns=names) == ours.predict(X)).all()
    assert (predict_margin(ensemble, X, columns=names) == ours.predict(X, output_margin=True)).all()
    shares = np.array(predict_proba(ensemble, X, columns=names))
    assert np.allclose(shares, ours.predict_proba(X), rtol=1e-6)
    other = lightgbm.LGBMClassifier(objective=logistic, n_estimators=3, n_jobs=1, verbose=-1).fit(X, TWO)
    check_refused(other, REFUSED["LightGBM, custom objective"])


@pytest.mark.peer
def test_a_fitted_quantile_is_read(tmp_path: Path) -> None:
    """Of one quantile the answers are those of XGBoost."""
    xgboost = pytest.importorskip("xgboost")
    path = _fitted_xgboost({"objective": "reg:quantileerror", "quantile_alpha": 0.3}, SCORE)(tmp_path)
    answers = xgboost.Booster(model_file=path).predict(xgboost.DMatrix(X))
    assert (predict(import_model(path), X, columns=["f0", "f1", "f2"]) == answers).all()


# ---- parts that are not known: real files, edited


def _with_entry(content: Any, *path: Any) -> Any:
    """Return a document with one more entry in the object at a path."""
    inner = content
    for key in path:
        inner = inner[key]
    inner["a_later_field"] = [1]
    return content


_MODEL = ("learner", "gradient_booster", "model")
UNKNOWN = {
    "xgboost/logistic.json": [
        (),
        ("learner",),
        ("learner", "learner_model_param"),
        ("learner", "objective"),
        ("learner", "gradient_booster"),
        _MODEL,
        (*_MODEL, "gbtree_model_param"),
        (*_MODEL, "trees", 0),
        (*_MODEL, "trees", 0, "tree_param"),
    ],
    "xgboost/dart.json": [("learner", "gradient_booster"), ("learner", "gradient_booster", "gbtree")],
    "catboost/statistics.json": [
        (),
        ("features_info",),
        ("features_info", "float_features", 0),
        ("features_info", "categorical_features", 0),
        ("features_info", "ctrs", 0),
        ("oblivious_trees", 0),
        ("oblivious_trees", 0, "splits", 0),
    ],
    "catboost/lossguide.json": [("trees", 0), ("trees", 0, "left"), ("trees", 0, "split")],
}


@pytest.mark.parametrize(("file", "path"), [(file, path) for file, paths in UNKNOWN.items() for path in paths])
def test_a_file_with_an_unknown_field_is_refused_by_its_name(file: str, path: tuple[Any, ...], tmp_path: Path) -> None:
    """A later version of a library may change what a model answers by a field that treerules does not read."""
    content = json.loads((RECORDED / file).read_text(encoding="utf-8"))
    with pytest.raises(ModelFileError, match="has 'a_later_field', which is not known and may change answers"):
        import_model(written(tmp_path, _with_entry(content, *path)), categories=None)


@pytest.mark.parametrize("before", ["feature_infos=", "leaf_value="])
def test_a_text_of_lightgbm_with_an_unknown_line_is_refused(before: str, tmp_path: Path) -> None:
    """In its header and in its trees."""
    text = (RECORDED / "lightgbm" / "l1.txt").read_text(encoding="utf-8")
    with pytest.raises(ModelFileError, match="has 'a_later_field'"):
        import_model(written(tmp_path, text.replace(before, f"a_later_field=1\n{before}", 1)))


def test_trees_of_scikit_learn_with_unknown_parts_are_refused() -> None:
    """Native categories of a later version, by the parameter or by a part of the tree: never read as numbers."""
    tree = pytest.importorskip("sklearn.tree")
    fitted = tree.DecisionTreeRegressor(max_depth=2).fit(X, SCORE)
    fitted.categorical_features = [0]
    with pytest.raises(OptionError, match="categorical_features="):
        import_model(fitted)
    del fitted.categorical_features
    state = {**fitted.tree_.__getstate__(), "category_sets": np.zeros(8)}
    arrays = {name: getattr(fitted.tree_, name) for name in dir(fitted.tree_) if not name.startswith("__")}
    fitted.tree_ = SimpleNamespace(**arrays, __getstate__=lambda: state)
    with pytest.raises(OptionError, match=r"not known: \['category_sets'\]"):
        import_model(fitted)


def test_a_version_that_was_not_tested_is_a_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of files that name their version, and of live models."""
    content = json.loads((RECORDED / "xgboost" / "squared error.json").read_text(encoding="utf-8"))
    assert not any("tested" in note for note in import_model(written(tmp_path, content)).notes)
    later = import_model(written(tmp_path, {**content, "version": [3, 9, 1]}))
    assert later.notes[-1] == "XGBoost 3.9.1 was not tested; versions 2.0 to 3.2 were"
    sklearn, tree = pytest.importorskip("sklearn"), pytest.importorskip("sklearn.tree")
    monkeypatch.setattr(sklearn, "__version__", "1.10.0")
    assert "scikit-learn 1.10.0 was not tested" in import_model(tree.DecisionTreeRegressor().fit(X, SCORE)).notes[-1]


@pytest.mark.peer
def test_labels_of_catboost_that_are_floats_keep_their_type(tmp_path: Path) -> None:
    """JSON has 0 for 0.0; and no error says that the caller gave labels."""
    catboost = pytest.importorskip("catboost")
    fitted = catboost.CatBoostClassifier(**_QUICK).fit(X, np.where(TWO, 1.5, 0.0))
    assert import_model(fitted).schema.classes == (0.0, 1.5)
    assert predict(import_model(fitted), X, columns=["0", "1", "2"]).tolist() == fitted.predict(X).tolist()


@pytest.mark.peer
def test_the_remedy_for_statistics_of_several_classes_is_another_one() -> None:
    """The settings that read statistics of two classes do not help."""
    catboost, pandas = pytest.importorskip("catboost"), pytest.importorskip("pandas")
    frame = pandas.DataFrame({"c": _RANDOM.choice(list("abcdef"), 200), "x": X[:, 0]})
    own = {**_QUICK, "simple_ctr": ["Borders"], "max_ctr_complexity": 1, "one_hot_max_size": 2}
    fitted = catboost.CatBoostClassifier(**own).fit(frame, THREE, cat_features=["c"])
    with pytest.raises(ModelFileError, match="counts more than two classes") as caught:
        import_model(fitted)
    assert "one_hot_max_size above" in caught.value.remedy and "simple_ctr" not in caught.value.remedy
