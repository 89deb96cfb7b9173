"""Forests and boosted models of scikit-learn, imported: the library itself says what each answer is."""

import math
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
from sklearn.dummy import DummyClassifier
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
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, OrdinalEncoder, StandardScaler

from profiles import examples
from selection import few
from sklearn_models import CASES, DIABETES, EFFECT, IRIS, TEXTS, boundary_rows, fitted, margins_of
from treerules import (
    Ensemble,
    Tree,
    check,
    compile_rules,
    evaluate,
    load,
    predict,
    predict_proba,
    predict_table,
    render,
    save,
)
from treerules.errors import DataError, OptionError
from treerules.importers import import_model, sklearn_boosting, sklearn_histogram_boosting, sklearn_trees
from treerules.importers.inputs import MemberTest, NodeTest
from treerules.trees import Split, ThresholdTest, predict_margin, preorder

#: Encoders warn of unknown categories, which some rows have.
pytestmark = pytest.mark.filterwarnings("ignore:Found unknown categories")


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
    if ensemble.schema.is_regression:  # means with a logarithmic link are numpy's exp, which depends on the processor
        return int((differs | (ulps(answers, labels) > (4 if ensemble.link == "exp" else 0))).sum())
    with np.errstate(all="ignore"):
        shares = model.predict_proba(rows)
    too_far = (ulps(np.asarray(predict_proba(ensemble, rows, columns=columns)), shares) > 4).any(axis=1)
    return int((differs | (answers != labels) | too_far).sum())


@pytest.mark.parametrize("name", few(CASES, 10))
def test_margins_and_labels_are_those_of_the_library_to_the_bit(name: str) -> None:
    """At each threshold and beside it, for missing, unseen and huge cells, and infinite ones where it takes them."""
    model = fitted(name)
    ensemble = import_model(model)
    rows = boundary_rows(model, ensemble)
    assert len(rows) >= 1_000  # the library takes them all: it refuses none
    assert n_different(model, ensemble, rows) == 0


@pytest.mark.compiled
@pytest.mark.parametrize("name", CASES)
def test_compiled_sums_are_the_same(name: str) -> None:
    """The kernel adds in the same order."""
    model = fitted(name)
    ensemble = import_model(model)
    assert n_different(model, ensemble, boundary_rows(model, ensemble), compiled=True) == 0


@pytest.mark.parametrize("name", few(CASES, 4))
def test_one_row_has_the_answer_of_many(name: str) -> None:
    """predict and predict_margin of a mapping are those of a table."""
    ensemble = import_model(fitted(name))
    rows = boundary_rows(fitted(name), ensemble, n=20)
    names = [feature.name for feature in ensemble.schema.features]
    dicts = (
        rows.to_dict("records") if isinstance(rows, pd.DataFrame) else [dict(zip(names, r, strict=True)) for r in rows]
    )
    margins = predict_margin(ensemble, dicts).tolist()
    assert [np.atleast_1d(predict_margin(ensemble, row)).tolist() for row in dicts] == [
        np.atleast_1d(margin).tolist() for margin in margins
    ]
    assert [predict(ensemble, row) for row in dicts] == predict(ensemble, dicts).tolist()


@pytest.mark.parametrize("name", few(CASES, 4))
def test_each_tree_has_proved_rules_and_the_ensemble_a_file(name: str, tmp_path: Any) -> None:
    """The rules of each tree are exclusive and complete; a model file and pickle give an equal ensemble."""
    ensemble = import_model(fitted(name), target="y")
    assert all(check(compile_rules(tree)) for tree in ensemble.trees[:3])
    save(ensemble, tmp_path / "model.ensemble.json")
    loaded = load(tmp_path / "model.ensemble.json")
    assert loaded == ensemble and hash(loaded) == hash(ensemble) and loaded.notes == ensemble.notes
    assert pickle.loads(pickle.dumps(ensemble)) == ensemble


@settings(max_examples=examples(15))
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


@pytest.mark.parametrize("name", few(PIPELINES, 1))
def test_a_pipeline_with_an_ensemble_speaks_of_the_columns_of_the_frame(name: str) -> None:
    """Features are the columns that come in, with their categories; margins and labels are the pipeline's."""
    model = PIPELINES[name].fit(TEXTS, np.where(EFFECT > 200, "high", "low"))
    ensemble = import_model(model)
    assert [feature.name for feature in ensemble.schema.features] == ["age", "城市", "bmi", "smokes"]
    assert ensemble.schema.feature("smokes").categories == ("no", "yes")
    rows = boundary_rows(model, ensemble)
    taken = _is_taken(rows)
    assert taken.sum() >= 1_000 and taken.mean() >= 0.8
    assert n_different(model, ensemble, rows[taken]) == 0


def _is_taken(rows: Any) -> Any:
    """Return which rows the library takes: scalers may make numbers beyond float32 of huge ones."""
    return ~(rows[["age", "bmi"]].abs() > 1e30).any(axis=1)


@pytest.mark.large
@settings(max_examples=examples(6))
@given(st.data())
def test_drawn_pipelines_of_ensembles_give_the_margins_of_the_library(data: st.DataObject) -> None:
    """Steps, options, models and rows of the frame are drawn."""
    seed = data.draw(st.integers(0, 99))
    number = make_pipeline(
        SimpleImputer(strategy=data.draw(st.sampled_from(["mean", "median"])), add_indicator=data.draw(st.booleans())),
        *data.draw(st.lists(st.sampled_from([StandardScaler(), MinMaxScaler()]), max_size=2)),
    )
    drop = data.draw(st.sampled_from([None, "if_binary"]))
    category = data.draw(st.sampled_from([ORDINAL, OneHotEncoder(handle_unknown="ignore", drop=drop)]))
    kinds = [
        RandomForestClassifier(4, max_depth=5, random_state=seed),
        ExtraTreesRegressor(4, max_depth=5, random_state=seed),
        GradientBoostingClassifier(n_estimators=5, subsample=0.7, random_state=seed),
        HistGradientBoostingClassifier(max_iter=5, max_leaf_nodes=data.draw(st.integers(2, 31))),
    ]
    columns = _columns(number, category)
    columns.sparse_threshold = 0  # HistGradientBoosting takes no sparse rows
    model = make_pipeline(columns, data.draw(st.sampled_from(kinds)))
    level = np.where(np.quantile(EFFECT, 0.7) < EFFECT, "high", np.where(EFFECT > 120, "middle", "low"))
    model.fit(TEXTS, EFFECT if isinstance(model[-1], ExtraTreesRegressor) else level)
    ensemble = import_model(model)
    rows = boundary_rows(model, ensemble, 300)
    taken = _is_taken(rows)
    assert taken.mean() >= 0.8
    assert n_different(model, ensemble, rows[taken]) == 0


# ---- models at the edge


@pytest.mark.parametrize("kind", [RandomForestClassifier, ExtraTreesClassifier])
def test_a_forest_that_knows_one_class_always_says_it(kind: Any) -> None:
    """Its probability is 1, shape (rows, 1), for rows and tables."""
    frame = pd.DataFrame({"x0": [1.0, 2.0, 3.0]})
    model = kind(3).fit(frame, ["x"] * 3)
    ensemble = import_model(model)
    assert np.array_equal(np.asarray(predict_proba(ensemble, frame)), model.predict_proba(frame))
    assert predict_proba(ensemble, {"x0": 1.0}) == (1.0,)
    assert render(predict_table(ensemble, frame, proba=True), format="csv") == "prediction,p_x\n" + "x,1.0\n" * 3
    assert evaluate(ensemble, frame.assign(target="x")).accuracy == 1


def test_models_without_a_sum_that_repeats_itself_are_refused() -> None:
    """Boosted models of one class, and those that begin with random answers."""
    rows = np.arange(40.0).reshape(-1, 1)
    with pytest.raises(OptionError, match="one class"):
        import_model(HistGradientBoostingClassifier(max_iter=2).fit(rows, ["x"] * 40))
    random = GradientBoostingClassifier(init=DummyClassifier(strategy="stratified"), n_estimators=2)
    with pytest.raises(OptionError, match="random answers of its init"):
        import_model(random.fit(rows, [0, 1] * 20))


# ---- mutants of the importers: each differs


def _mutant_differs(name: str) -> bool:
    model = fitted(name)
    ensemble = import_model(model)
    return n_different(model, ensemble, boundary_rows(model, ensemble)) > 0


@pytest.mark.parametrize("name", few(["forest", "boosted", "extra, regression"], 1))
def test_comparing_by_less_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`<` for `<=`: the library's threshold itself goes right."""
    exact = sklearn_trees.exact_thresholds
    monkeypatch.setattr(
        sklearn_trees, "exact_thresholds", lambda t: exact(np.nextafter(t.astype(np.float32), np.float32(-np.inf)))
    )
    rows = _boundary_rows_of_the_unchanged(name, monkeypatch)
    assert n_different(fitted(name), import_model(fitted(name)), rows) > 0


def test_comparing_histograms_by_less_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """`<` for `<=`: HistGradientBoosting compares doubles."""
    rows = boundary_rows(fitted("histograms"), import_model(fitted("histograms")))
    monkeypatch.setattr(
        sklearn_histogram_boosting,
        "NodeTest",
        lambda column, threshold, missing: NodeTest(column, math.nextafter(threshold, -math.inf), missing),
    )
    assert n_different(fitted("histograms"), import_model(fitted("histograms")), rows) > 0


@pytest.mark.parametrize("name", few(["forest", "boosted", "extra, regression"], 1))
def test_thresholds_without_the_rounding_of_cells_are_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library's own thresholds on doubles, without the float32 of the cells."""
    monkeypatch.setattr(sklearn_trees, "exact_thresholds", lambda thresholds: thresholds)
    rows = _boundary_rows_of_the_unchanged(name, monkeypatch)
    assert n_different(fitted(name), import_model(fitted(name)), rows) > 0


def _boundary_rows_of_the_unchanged(name: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    changed = sklearn_trees.exact_thresholds
    with monkeypatch.context() as original:
        original.setattr(sklearn_trees, "exact_thresholds", _EXACT)
        rows = boundary_rows(fitted(name), import_model(fitted(name)))
    assert sklearn_trees.exact_thresholds is changed
    return rows


_EXACT = sklearn_trees.exact_thresholds


@pytest.mark.parametrize("name", ["boosted", "histograms", "boosted, huber"])
def test_a_base_that_is_added_last_is_found(name: str) -> None:
    """The order of the sum is part of the model."""
    model = fitted(name)
    ensemble = import_model(model)
    last = evolve(ensemble, order="base last")
    assert n_different(model, last, boundary_rows(model, ensemble)) > 0


def test_a_learning_rate_that_is_applied_to_the_sum_is_found() -> None:
    """learning_rate * (sum of values) is not the sum of the products."""
    model = fitted("boosted")
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
@pytest.mark.parametrize("part", few(["first", "missing"], 1))
def test_sides_of_categories_that_are_swapped_are_found(name: str, part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One side of the categories, or the side of unseen and missing ones."""

    def swapped(column: int, first: Any, second: Any, missing: int, unseen: int) -> MemberTest:
        if part == "first":
            return MemberTest(column, second, first, missing, unseen)
        return MemberTest(column, first, second, 1 - missing, 1 - unseen)

    monkeypatch.setattr(sklearn_histogram_boosting, "MemberTest", swapped)
    assert _mutant_differs(name)


@pytest.mark.parametrize(("module", "name"), [(sklearn_trees, "extra"), (sklearn_histogram_boosting, "histograms")])
def test_swapped_sides_of_missing_numbers_are_found(module: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Missing cells that go to the other child differ."""
    monkeypatch.setattr(module, "NodeTest", lambda column, threshold, missing: NodeTest(column, threshold, 1 - missing))
    assert _mutant_differs(name)


def test_columns_of_categories_that_stay_where_they_are_are_found() -> None:
    """HistGradientBoosting moves columns of categories first, so the number of a column is not that of the input."""
    model = fitted("histograms, codes in the middle")
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
    assert import_model(fitted("boosted")).cut == 0.0
    assert import_model(fitted("histograms")).cut == nextafter(0.0, 1.0)


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

    model = pickle.loads(pickle.dumps(fitted("histograms")))
    model._loss = OwnLoss()
    with pytest.raises(OptionError, match="loss of this one is an OwnLoss"):
        import_model(model)
    monkeypatch.setattr(sklearn_histogram_boosting, "_FIELDS", sklearn_histogram_boosting._FIELDS - {"bitset_idx"})
    with pytest.raises(OptionError, match=r"not known: ..bitset_idx"):
        import_model(fitted("histograms"))
    monkeypatch.setattr(sklearn_boosting, "_CONSTANT", ("None",))
    with pytest.raises(OptionError, match="begins with the answers of its init, a DummyClassifier"):
        import_model(fitted("boosted"))
