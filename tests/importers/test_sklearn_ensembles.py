"""Forests and boosted models of scikit-learn, imported: the library itself says what each answer is."""

import pickle
from collections.abc import Callable
from math import nextafter
from typing import Any

import numpy as np
import pandas as pd
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

from library_rows import FLOAT32_MAX, cells_around, takes_missing, with_missing
from treerules import Ensemble, Tree, check, compile_rules, load, predict, predict_proba, save
from treerules.errors import DataError, OptionError
from treerules.importers import import_model, sklearn_boosting, sklearn_histogram_boosting, sklearn_trees
from treerules.importers.inputs import MemberTest, NodeTest
from treerules.trees import Split, ThresholdTest, predict_margin, preorder

#: Encoders warn of unknown categories, which some rows have.
pytestmark = pytest.mark.filterwarnings("ignore:Found unknown categories")

IRIS, DIABETES, CANCER = load_iris(), load_diabetes(), load_breast_cancer()
GENERATOR = np.random.default_rng(0)
#: A number, codes of categories in the middle, a number; and the same as a frame with text.
CODES = np.column_stack([DIABETES.data[:, 0], GENERATOR.integers(0, 12, 442), DIABETES.data[:, 2]])
FRAME = pd.DataFrame(
    {
        "age": DIABETES.data[:, 0],
        "城市": pd.Categorical(GENERATOR.choice(["a", "b", "上海", ""], 442)),
        "bmi": with_missing(DIABETES.data[:, 2]),
        "smokes": pd.Categorical(GENERATOR.choice(["no", "yes"], 442)),
    }
)
FRAME.loc[::9, "城市"] = None
EFFECT = DIABETES.target + 80 * (CODES[:, 1] > 6) + 100 * (FRAME["城市"] == "上海") + 60 * (FRAME["smokes"] == "yes")
SPECIES = IRIS.target_names[IRIS.target]
#: A column that a category only has among the rows for early stopping would need; drawn so that this happens.
RARE = np.where(np.arange(442) % 40 == 0, np.arange(442), 0.0)

MODELS: dict[str, Any] = {
    "forest": RandomForestClassifier(20, random_state=0).fit(IRIS.data, SPECIES),
    "forest, missing, weighted": RandomForestClassifier(20, class_weight="balanced", random_state=0).fit(
        with_missing(IRIS.data[20:]), IRIS.target[20:] > 1
    ),
    "forest, regression": RandomForestRegressor(15, random_state=0).fit(with_missing(DIABETES.data), DIABETES.target),
    "forest, one class": RandomForestClassifier(3).fit([[1.0], [2.0]], ["a", "a"]),
    "extra": ExtraTreesClassifier(20, max_depth=7, random_state=0).fit(with_missing(CANCER.data), CANCER.target),
    "extra, regression": ExtraTreesRegressor(15, max_depth=7, random_state=0).fit(DIABETES.data, DIABETES.target),
    "boosted": GradientBoostingClassifier(n_estimators=30, random_state=0).fit(CANCER.data, CANCER.target),
    "boosted, exponential": GradientBoostingClassifier(n_estimators=20, loss="exponential", random_state=0).fit(
        CANCER.data, CANCER.target_names[CANCER.target]
    ),
    "boosted from zero": GradientBoostingClassifier(n_estimators=10, init="zero", random_state=0).fit(
        IRIS.data, IRIS.target
    ),
    "boosted, three classes": GradientBoostingClassifier(n_estimators=12, subsample=0.5, random_state=0).fit(
        IRIS.data, SPECIES
    ),
    "boosted, squared error": GradientBoostingRegressor(n_estimators=30, random_state=0).fit(
        DIABETES.data, DIABETES.target
    ),
    **{
        f"boosted, {loss}": GradientBoostingRegressor(n_estimators=20, loss=loss, random_state=0).fit(
            DIABETES.data, DIABETES.target
        )
        for loss in ("absolute_error", "huber", "quantile")
    },
    "histograms": HistGradientBoostingClassifier(max_iter=25).fit(with_missing(CANCER.data), CANCER.target),
    "histograms, three classes": HistGradientBoostingClassifier(max_iter=8).fit(IRIS.data, SPECIES),
    **{
        f"histograms, {loss}": HistGradientBoostingRegressor(max_iter=20, loss=loss).fit(
            with_missing(DIABETES.data), DIABETES.target
        )
        for loss in ("squared_error", "absolute_error", "poisson", "gamma")
    },
    "histograms, quantile": HistGradientBoostingRegressor(max_iter=20, loss="quantile", quantile=0.9).fit(
        DIABETES.data, DIABETES.target
    ),
    "histograms, codes in the middle": HistGradientBoostingRegressor(max_iter=20, categorical_features=[1]).fit(
        CODES, EFFECT
    ),
    "histograms, rare codes": HistGradientBoostingRegressor(
        max_iter=20, categorical_features=[1], early_stopping=True, random_state=0, min_samples_leaf=1
    ).fit(np.column_stack([CODES[:, 0], RARE]), EFFECT),
    "histograms, frame": HistGradientBoostingClassifier(max_iter=20, early_stopping=True, random_state=0).fit(
        FRAME, np.where(EFFECT > 200, "high", "low")
    ),
}
MODELS["histograms, text"] = HistGradientBoostingRegressor(max_iter=15, categorical_features=["城市", "smokes"]).fit(
    FRAME.astype({"城市": object, "smokes": object}), EFFECT
)


def margins_of(model: Any, rows: Any) -> Any:
    """Return the margins of the library: of a forest its probabilities or means."""
    if hasattr(model, "decision_function"):
        return model.decision_function(rows)
    if isinstance(model, HistGradientBoostingRegressor):
        return model._raw_predict(rows).ravel()
    return model.predict_proba(rows) if hasattr(model, "predict_proba") else model.predict(rows)


def compares_in_float32(model: Any) -> bool:
    """Return whether a model rounds cells to float32."""
    return not hasattr(model, "_baseline_prediction")


def boundary_rows(model: Any, ensemble: Ensemble, n: int = 1_500) -> Any:
    """Return rows whose cells lie at and beside the thresholds of their column, are missing, unseen, huge or 0."""
    generator = np.random.default_rng(1)
    is_frame = hasattr(model, "feature_names_in_")
    is_single = compares_in_float32(model)
    huge = FLOAT32_MAX if is_single else np.inf
    hole = [np.nan] * 3 if is_frame or takes_missing(model) else [3.0]
    columns = {}
    for position, feature in enumerate(ensemble.schema.features):
        if feature.is_ordered:
            cells = [*_around(ensemble, position, is_single), *hole, 0.0, -0.0, huge, -huge, 5e-324, 1.0]
        else:
            cells = [
                *feature.categories,
                *feature.categories,
                *([77.0] if feature.scalar == "integer" else ["?"]),
                None,
            ]
        array = np.array(cells, dtype=None if feature.is_ordered else object)
        columns[feature.name] = generator.permutation(np.resize(array, max(n, len(array))))[:n]
    if is_frame:
        return pd.DataFrame(columns)
    return np.column_stack([np.asarray(column, dtype=np.float64) for column in columns.values()])


def _around(ensemble: Ensemble, position: int, is_single: bool) -> list[float]:
    thresholds = [
        node.test.threshold
        for tree in ensemble.trees
        for node in preorder(tree)
        if isinstance(node, Split) and isinstance(node.test, ThresholdTest) and node.test.feature == position
    ]
    finite = np.array([t for t in thresholds if np.isfinite(t)], dtype=np.float64)
    if is_single:
        return cells_around(finite).tolist()
    return np.concatenate([finite, np.nextafter(finite, -np.inf), np.nextafter(finite, np.inf)]).tolist()


def ulps(found: Any, expected: Any) -> Any:
    """Return the distance of two arrays in units of the last place of the second."""
    with np.errstate(over="ignore"):
        return np.abs(found - expected) / np.spacing(np.maximum(np.abs(expected), np.finfo(np.float64).tiny))


def n_different(model: Any, ensemble: Ensemble, rows: Any, *, compiled: bool | None = None) -> int:
    """Return how many rows have another margin or label than the library's, or a probability 4 ulp beside it."""
    columns = None if isinstance(rows, pd.DataFrame) else [feature.name for feature in ensemble.schema.features]
    with np.errstate(all="ignore"):
        expected, labels = np.asarray(margins_of(model, rows)), model.predict(rows)
    margins = np.asarray(predict_margin(ensemble, rows, columns=columns, compiled=compiled))
    differs = (margins.reshape(len(rows), -1) != expected.reshape(len(rows), -1)).any(axis=1)
    answers = np.asarray(predict(ensemble, rows, columns=columns, compiled=compiled))
    if ensemble.schema.is_regression:
        return int((differs | (ulps(answers, labels) > (4 if ensemble.link == "exp" else 0))).sum())
    with np.errstate(all="ignore"):
        shares = model.predict_proba(rows)
    too_far = (ulps(np.asarray(predict_proba(ensemble, rows, columns=columns)), shares) > 4).any(axis=1)
    return int((differs | (answers != labels) | too_far).sum())


@pytest.mark.parametrize("name", MODELS)
def test_margins_and_labels_are_those_of_the_library_to_the_bit(name: str) -> None:
    """At each threshold and beside it, for missing, unseen, infinite and huge cells; probabilities within 4 ulp."""
    model = MODELS[name]
    ensemble = import_model(model)
    rows = boundary_rows(model, ensemble)
    assert len(rows) >= 1_000  # the library takes them all
    assert n_different(model, ensemble, rows) == 0


@pytest.mark.compiled
@pytest.mark.parametrize("name", MODELS)
def test_compiled_sums_are_the_same(name: str) -> None:
    """The kernel adds in the same order."""
    model = MODELS[name]
    ensemble = import_model(model)
    assert n_different(model, ensemble, boundary_rows(model, ensemble), compiled=True) == 0


@pytest.mark.parametrize("name", MODELS)
def test_one_row_has_the_answer_of_many(name: str) -> None:
    """predict and predict_margin of a mapping are those of a table."""
    ensemble = import_model(MODELS[name])
    rows = boundary_rows(MODELS[name], ensemble, n=20)
    names = [feature.name for feature in ensemble.schema.features]
    dicts = (
        rows.to_dict("records") if isinstance(rows, pd.DataFrame) else [dict(zip(names, r, strict=True)) for r in rows]
    )
    margins = predict_margin(ensemble, dicts).tolist()
    assert [np.atleast_1d(predict_margin(ensemble, row)).tolist() for row in dicts] == [
        np.atleast_1d(margin).tolist() for margin in margins
    ]
    assert [predict(ensemble, row) for row in dicts] == predict(ensemble, dicts).tolist()


@pytest.mark.parametrize("name", MODELS)
def test_each_tree_has_proved_rules_and_the_ensemble_a_file(name: str, tmp_path: Any) -> None:
    """The rules of each tree are exclusive and complete; a model file and pickle give an equal ensemble."""
    ensemble = import_model(MODELS[name], target="y")
    assert all(check(compile_rules(tree)) for tree in ensemble.trees[:3])
    save(ensemble, tmp_path / "model.ensemble.json")
    loaded = load(tmp_path / "model.ensemble.json")
    assert loaded == ensemble and hash(loaded) == hash(ensemble) and loaded.notes == ensemble.notes
    assert pickle.loads(pickle.dumps(ensemble)) == ensemble


@settings(max_examples=15)
@given(st.data())
def test_drawn_ensembles_give_the_margins_of_the_library(data: st.DataObject) -> None:
    """Kinds, sizes, classes, weights and missing cells are drawn."""
    n, seed = data.draw(st.integers(10, 60)), data.draw(st.integers(0, 2**32 - 1))
    generator = np.random.default_rng(seed)
    rows = generator.choice([0.1, 0.30000001, 1.0, 2.0**24 + 1, -7.0, 1e30], (n, 3))
    kinds: list[Callable[..., Any]] = [
        lambda: RandomForestClassifier(data.draw(st.integers(1, 5)), random_state=0),
        lambda: ExtraTreesRegressor(data.draw(st.integers(1, 5)), bootstrap=data.draw(st.booleans()), random_state=0),
        lambda: GradientBoostingClassifier(
            n_estimators=data.draw(st.integers(1, 4)), learning_rate=data.draw(st.floats(0.01, 3)), random_state=0
        ),
        lambda: HistGradientBoostingClassifier(
            max_iter=data.draw(st.integers(1, 4)), min_samples_leaf=data.draw(st.integers(1, 5))
        ),
        lambda: HistGradientBoostingRegressor(
            max_iter=data.draw(st.integers(1, 4)),
            min_samples_leaf=2,
            loss=data.draw(st.sampled_from(["squared_error", "poisson"])),
        ),
    ]
    model = data.draw(st.sampled_from(kinds))()
    if not isinstance(model, GradientBoostingClassifier) and data.draw(st.booleans()):
        rows = np.where(generator.random(rows.shape) < 0.2, np.nan, rows)
    labels = data.draw(st.sampled_from([["b", "a", "中"], [3, 1, 2], [True, False]]))
    is_classifier = hasattr(model, "predict_proba")
    y = np.resize(np.array(labels), n) if is_classifier else generator.random(n) + 0.1
    model.fit(rows, y, sample_weight=data.draw(st.sampled_from([None, generator.integers(1, 4, n)])))
    ensemble = import_model(model)
    assert n_different(model, ensemble, boundary_rows(model, ensemble, 200)) == 0


# ---- pipelines


def _columns(number: Any, category: Any) -> ColumnTransformer:
    return ColumnTransformer([("number", number, ["age", "bmi"]), ("category", category, ["城市", "smokes"])])


ORDINAL = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1, encoded_missing_value=-2)
PIPELINES = {
    "forest": make_pipeline(
        _columns(SimpleImputer(add_indicator=True), OneHotEncoder(handle_unknown="ignore")),
        RandomForestClassifier(10, max_depth=5, random_state=0),
    ),
    "boosted, scaled": make_pipeline(
        _columns(make_pipeline(SimpleImputer(), StandardScaler()), OneHotEncoder(handle_unknown="ignore")),
        GradientBoostingClassifier(n_estimators=15, random_state=0),
    ),
    "histograms, encoded twice": make_pipeline(
        _columns(StandardScaler(), ORDINAL), HistGradientBoostingClassifier(max_iter=15, categorical_features=[2, 3])
    ),
    "search": GridSearchCV(
        make_pipeline(_columns("passthrough", ORDINAL), ExtraTreesClassifier(8, max_depth=6, random_state=0)),
        {"extratreesclassifier__max_depth": [4, 6]},
        cv=2,
    ),
}


@pytest.mark.parametrize("name", PIPELINES)
def test_a_pipeline_with_an_ensemble_speaks_of_the_columns_of_the_frame(name: str) -> None:
    """Features are the columns that come in, with their categories; margins and labels are the pipeline's."""
    frame = FRAME.astype({"城市": object, "smokes": object})
    model = PIPELINES[name].fit(frame, np.where(EFFECT > 200, "high", "low"))
    ensemble = import_model(model)
    assert [feature.name for feature in ensemble.schema.features] == ["age", "城市", "bmi", "smokes"]
    assert ensemble.schema.feature("smokes").categories == ("no", "yes")
    rows = boundary_rows(model, ensemble)
    inside = np.isfinite(rows["age"]) & (rows["age"].abs() < 1e30) & ~(rows["bmi"].abs() > 1e30)
    assert inside.sum() >= 1_000  # scalers make numbers beyond float32 of others
    assert n_different(model, ensemble, rows[inside]) == 0


# ---- mutants of the importers: each differs


def _mutant_differs(name: str) -> bool:
    model = MODELS[name]
    ensemble = import_model(model)
    return n_different(model, ensemble, boundary_rows(model, ensemble)) > 0


@pytest.mark.parametrize("name", ["forest", "boosted", "extra, regression"])
def test_comparing_by_less_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`<` for `<=`: the library's threshold itself goes right."""
    exact = sklearn_trees.exact_thresholds
    monkeypatch.setattr(
        sklearn_trees, "exact_thresholds", lambda t: exact(np.nextafter(t.astype(np.float32), np.float32(-np.inf)))
    )
    rows = _boundary_rows_of_the_unchanged(name, monkeypatch)
    assert n_different(MODELS[name], import_model(MODELS[name]), rows) > 0


@pytest.mark.parametrize("name", ["forest", "boosted", "extra, regression"])
def test_thresholds_without_the_rounding_of_cells_are_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library's own thresholds on doubles, without the float32 of the cells."""
    monkeypatch.setattr(sklearn_trees, "exact_thresholds", lambda thresholds: thresholds)
    rows = _boundary_rows_of_the_unchanged(name, monkeypatch)
    assert n_different(MODELS[name], import_model(MODELS[name]), rows) > 0


def _boundary_rows_of_the_unchanged(name: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    changed = sklearn_trees.exact_thresholds
    with monkeypatch.context() as original:
        original.setattr(sklearn_trees, "exact_thresholds", _EXACT)
        rows = boundary_rows(MODELS[name], import_model(MODELS[name]))
    assert sklearn_trees.exact_thresholds is changed
    return rows


_EXACT = sklearn_trees.exact_thresholds


@pytest.mark.parametrize("name", ["boosted", "histograms", "boosted, huber"])
def test_a_base_that_is_added_last_is_found(name: str) -> None:
    """The order of the sum is part of the model."""
    model = MODELS[name]
    ensemble = import_model(model)
    last = evolve(ensemble, order="base last")
    assert n_different(model, last, boundary_rows(model, ensemble)) > 0


def test_a_learning_rate_that_is_applied_to_the_sum_is_found() -> None:
    """learning_rate * (sum of values) is not the sum of the products."""
    model = MODELS["boosted"]
    ensemble = import_model(model)
    rows = boundary_rows(model, ensemble)
    with np.errstate(all="ignore"):
        expected = model.decision_function(rows)
        raw = sum(stage[0].predict(rows) for stage in model.estimators_)
    assert (ensemble.base[0] + model.learning_rate * raw != expected).any()
    assert (
        np.asarray(predict_margin(ensemble, rows, columns=[f.name for f in ensemble.schema.features])) == expected
    ).all()


@pytest.mark.parametrize("name", ["histograms, codes in the middle", "histograms, frame"])
@pytest.mark.parametrize("part", ["first", "missing"])
def test_sides_of_categories_that_are_swapped_are_found(name: str, part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One side of the categories, or the side of unseen and missing ones."""

    def swapped(column: int, first: Any, second: Any, missing: int) -> MemberTest:
        if part == "first":
            return MemberTest(column, second, first, missing)
        return MemberTest(column, first, second, 1 - missing)

    monkeypatch.setattr(sklearn_histogram_boosting, "MemberTest", swapped)
    assert _mutant_differs(name)


@pytest.mark.parametrize(("module", "name"), [(sklearn_trees, "extra"), (sklearn_histogram_boosting, "histograms")])
def test_swapped_sides_of_missing_numbers_are_found(module: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Missing cells that go to the other child differ."""
    monkeypatch.setattr(module, "NodeTest", lambda column, threshold, missing: NodeTest(column, threshold, 1 - missing))
    assert _mutant_differs(name)


def test_columns_of_categories_that_stay_where_they_are_are_found() -> None:
    """HistGradientBoosting moves columns of categories first, so the number of a column is not that of the input."""
    model = MODELS["histograms, codes in the middle"]
    moved = {node["feature_idx"] for stage in model._predictors for node in stage[0].nodes if node["is_categorical"]}
    tested = {
        node.test.feature
        for tree in import_model(model).trees
        for node in preorder(tree)
        if isinstance(node, Split) and not isinstance(node.test, ThresholdTest)
    }
    assert moved == {0} and tested == {1}


# ---- the label at a margin of 0


@pytest.mark.parametrize(("kind", "label"), [(GradientBoostingClassifier, 1), (HistGradientBoostingClassifier, 0)])
def test_the_label_at_a_margin_of_zero_is_that_of_the_library(kind: Any, label: int) -> None:
    """GradientBoosting says the second class there, HistGradientBoosting the first."""
    x, y = [[0.0], [1.0]] * 20, [0, 1] * 20
    options = {"n_estimators": 1, "init": "zero"} if kind is GradientBoostingClassifier else {"max_iter": 1}
    model = kind(**options).fit(x, y)
    ensemble = import_model(model)
    zero = evolve(ensemble, base=[0.0], trees=[_zero_tree(ensemble)] * len(ensemble.trees))
    assert predict_margin(zero, {"x0": 0.0}) == 0 and predict(zero, {"x0": 0.0}) == label
    _set_to_zero(model)
    assert model.decision_function([[0.0]])[0] == 0 and model.predict([[0.0]])[0] == label


def _zero_tree(ensemble: Ensemble) -> Tree:
    leaf = next(node for node in preorder(ensemble.trees[0]) if not isinstance(node, Split))
    return Tree(ensemble.trees[0].schema, evolve(leaf, prediction=evolve(leaf.prediction, value=0.0)))  # type: ignore[attr-defined]


def _set_to_zero(model: Any) -> None:
    """Set all leaves of a fitted model, and its base, to 0."""
    if hasattr(model, "estimators_"):
        model.estimators_[0, 0].tree_.value[:] = 0
    else:
        model._predictors[0][0].nodes["value"][:] = 0
        model._baseline_prediction[:] = 0


def test_cuts_are_the_least_margin_of_the_second_class() -> None:
    """>= 0 and > 0 as one number each."""
    assert import_model(MODELS["boosted"]).cut == 0.0
    assert import_model(MODELS["histograms"]).cut == nextafter(0.0, 1.0)


# ---- what is said and refused


def test_forests_equal_those_of_one_thread() -> None:
    """With several threads the library adds in another order, within some ulp."""
    model = RandomForestRegressor(30, random_state=0, n_jobs=2).fit(DIABETES.data, DIABETES.target)
    ensemble = import_model(model)
    model.n_jobs = 1
    rows = boundary_rows(model, ensemble)
    assert n_different(model, ensemble, rows) == 0


def test_what_cannot_be_imported_is_refused_by_name() -> None:
    """An init of the user's, several outputs, models that are no sums of trees, models that are not fitted."""
    x, y = DIABETES.data, DIABETES.target
    with pytest.raises(OptionError, match="init, a LinearRegression: fit without init"):
        import_model(GradientBoostingRegressor(n_estimators=2, init=LinearRegression()).fit(x, y))
    with pytest.raises(OptionError, match="2 outputs"):
        import_model(RandomForestRegressor(2).fit(x, np.column_stack([y, y])))
    with pytest.raises(OptionError, match=r"AdaBoostClassifier.*estimators_ one by one"):
        import_model(AdaBoostClassifier(n_estimators=2).fit(IRIS.data, IRIS.target))
    with pytest.raises(OptionError, match=r"BaggingRegressor.*RandomForestRegressor"):
        import_model(BaggingRegressor(n_estimators=2).fit(x, y))
    for kind in (RandomForestClassifier, GradientBoostingRegressor, HistGradientBoostingRegressor):
        with pytest.raises(DataError, match=f"{kind.__name__} is not fitted"):
            import_model(kind())


def test_losses_and_nodes_that_are_not_known_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A loss of the user's has a link of its own; a later version may give nodes another meaning."""

    class OwnLoss:
        """A loss that is none of scikit-learn's."""

    model = pickle.loads(pickle.dumps(MODELS["histograms"]))
    model._loss = OwnLoss()
    with pytest.raises(OptionError, match="loss of this one is a OwnLoss"):
        import_model(model)
    monkeypatch.setattr(sklearn_histogram_boosting, "_FIELDS", sklearn_histogram_boosting._FIELDS - {"bitset_idx"})
    with pytest.raises(OptionError, match=r"not known: ..bitset_idx"):
        import_model(MODELS["histograms"])
    monkeypatch.setattr(sklearn_boosting, "_CONSTANT", ("None",))
    with pytest.raises(OptionError, match="begins with the answers of its init, a DummyClassifier"):
        import_model(MODELS["boosted"])
