"""Boosted models behind steps of scikit-learn: margins and labels are those of the pipeline, for rows at thresholds."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import (
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    RobustScaler,
    StandardScaler,
)

from pipeline_rows import CODES, FRAME, LABELS, NUMBERS, TEXTS, rows_at_thresholds, taken_rows
from treerules import Ensemble, check, compile_rules, predict, render, to_python, verify
from treerules.errors import DataError, OptionError
from treerules.importers import (
    catboost_reader,
    from_sklearn,
    import_model,
    lightgbm_reader,
    sklearn_inputs,
    xgboost_reader,
)
from treerules.trees import predict_margin

xgboost = pytest.importorskip("xgboost")
lightgbm = pytest.importorskip("lightgbm")
catboost = pytest.importorskip("catboost")
#: Encoders warn of the unknown categories that they ignore, and LightGBM of names that steps do not give.
pytestmark = [
    pytest.mark.peer,
    pytest.mark.filterwarnings("ignore:Found unknown categories"),
    pytest.mark.filterwarnings("ignore:X does not have valid feature names"),
]


def _columns(number: Any, category: Any, **options: Any) -> ColumnTransformer:
    return ColumnTransformer([("number", number, NUMBERS), ("category", category, CODES + TEXTS)], **options)


def _one_hot(**options: Any) -> OneHotEncoder:
    return OneHotEncoder(handle_unknown="ignore", **options)


def _ordinal(unknown: float, **options: Any) -> OrdinalEncoder:
    return OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=unknown, **options)


#: The steps before the models: dense and sparse tables, frames, zeros of every origin.
STEPS: dict[str, Callable[[], list[Any]]] = {
    "dense": lambda: [_columns("passthrough", _one_hot(sparse_output=False))],
    "sparse": lambda: [_columns("passthrough", _one_hot(), sparse_threshold=1)],
    "sparse, shifted": lambda: [_columns(MinMaxScaler(), _one_hot(), sparse_threshold=1), MaxAbsScaler()],
    "sparse, imputed by 0": lambda: [
        _columns(make_pipeline(SimpleImputer(add_indicator=True), StandardScaler()), _one_hot(), sparse_threshold=1),
        StandardScaler(with_mean=False),
        SimpleImputer(strategy="constant", fill_value=0),
    ],
    "imputed, scaled": lambda: [_columns(make_pipeline(SimpleImputer(), RobustScaler()), _one_hot())],
    "ordinal": lambda: [_columns(StandardScaler(), _ordinal(-1, encoded_missing_value=-2))],
    "ordinal, frame": lambda: [_columns("passthrough", _ordinal(np.nan)).set_output(transform="pandas")],
}
#: The models of each library, by classifier or regressor, with options.
MODELS: dict[str, Callable[..., Any]] = {
    "xgboost": lambda kind, **options: getattr(xgboost, f"XGB{kind}")(
        n_estimators=15, max_depth=4, n_jobs=1, **options
    ),
    "xgboost, 0 is missing": lambda kind: MODELS["xgboost"](kind, missing=0),
    "lightgbm": lambda kind, **options: getattr(lightgbm, f"LGBM{kind}")(
        n_estimators=15, num_leaves=12, min_child_samples=5, n_jobs=1, verbose=-1, **options
    ),
    "lightgbm, 0 is missing": lambda kind: MODELS["lightgbm"](kind, zero_as_missing=True),
    "catboost": lambda kind, **options: getattr(catboost, f"CatBoost{kind}")(
        iterations=15, depth=4, thread_count=1, verbose=0, allow_writing_files=False, **options
    ),
}
#: What is predicted: two classes, three, and numbers.
_AMOUNT = FRAME["fare"].to_numpy() ** 0.5 + 3 * (LABELS == "yes") + np.nan_to_num(FRAME["age"].to_numpy()) / 10
TARGETS: dict[str, tuple[str, Any]] = {
    "two classes": ("Classifier", (LABELS == "yes").astype(int)),
    "three classes": ("Classifier", np.digitize(_AMOUNT, [7.0, 9.0])),
    "numbers": ("Regressor", _AMOUNT),
}


def _margins(model: Any, cells: Any) -> Any:
    """Return the margins of the library on what the steps make, shape (rows, margins)."""
    if isinstance(model, xgboost.XGBModel):
        matrix = xgboost.DMatrix(cells, missing=model.missing)
        margins = model.get_booster().predict(matrix, output_margin=True)
    elif isinstance(model, lightgbm.LGBMModel):
        margins = model.predict(cells, raw_score=True)
    else:
        margins = model.predict(cells, prediction_type="RawFormulaVal")
    return np.asarray(margins).reshape(cells.shape[0], -1)


def _n_different(ensemble: Ensemble, pipeline: Any, rows: pd.DataFrame) -> tuple[int, int]:
    """Return how many rows have another margin or label than the library's, and how many were compared."""

    def answers(some: pd.DataFrame) -> list[tuple[Any, Any]]:
        margins = _margins(pipeline[-1], pipeline[:-1].transform(some))
        return list(zip(np.asarray(pipeline.predict(some)).reshape(-1).tolist(), margins.tolist(), strict=True))

    answered = taken_rows(answers, rows, xgboost.core.XGBoostError, catboost.CatBoostError)
    margins = np.asarray(predict_margin(ensemble, rows)).reshape(len(rows), -1)
    labels = np.asarray(predict(ensemble, rows)).tolist()
    if isinstance(pipeline[-1], xgboost.XGBModel) and ensemble.schema.is_regression:  # which answers in float32
        labels = np.asarray(labels, dtype=np.float32).tolist()
    differs = [labels[row] != label or margins[row].tolist() != margin for row, (label, margin) in answered]
    return sum(differs), len(differs)


def _fitted(steps: str, model: str, target: str) -> Pipeline:
    kind, values = TARGETS[target]
    return make_pipeline(*STEPS[steps](), MODELS[model](kind)).fit(FRAME, values)


#: Each model behind each kind of steps, the targets in turn.
CASES = [
    (steps, model, list(TARGETS)[(at + number) % len(TARGETS)])
    for at, steps in enumerate(STEPS)
    for number, model in enumerate(MODELS)
]


@pytest.mark.parametrize(("steps", "model", "target"), CASES)
def test_a_pipeline_gives_the_same_answers(steps: str, model: str, target: str) -> None:
    """Margins and labels to the bit at and beside every threshold, for missing and unseen values, and around 0."""
    pipeline = _fitted(steps, model, target)
    ensemble = import_model(pipeline, target="survived")
    n_different, n_compared = _n_different(ensemble, pipeline, rows_at_thresholds(ensemble, 800, 1, n_unseen=30))
    assert n_different == 0 and n_compared >= 600
    assert {feature.name for feature in ensemble.schema.features} == {*NUMBERS, *CODES, *TEXTS}


@pytest.mark.parametrize("model", MODELS)
def test_columns_of_float32_pass_scalers_in_float32(model: str) -> None:
    """`dtype` says so, as for models of scikit-learn."""
    numbers = FRAME[NUMBERS].astype("float32")
    pipeline = make_pipeline(StandardScaler(), MODELS[model]("Classifier")).fit(numbers, TARGETS["two classes"][1])
    ensemble = import_model(pipeline, dtype="float32")
    rows = rows_at_thresholds(ensemble, 600, 2, n_unseen=0)[NUMBERS].astype("float32")
    n_different, n_compared = _n_different(ensemble, pipeline, rows)
    assert n_different == 0 and n_compared >= 500


# ---- zeros that a sparse table does not store


def _n_different_zeros(name: str) -> int:
    """Return how many rows of -1, 0, 1 and missing values differ; 0 and missing values have labels of their own."""
    frame = pd.DataFrame({"x": [-1.0, 0.0, 1.0, np.nan] * 50, "c": ["a", "b", "b", "a"] * 50})
    columns = ColumnTransformer([("c", OneHotEncoder(), ["c"])], remainder="passthrough", sparse_threshold=1)
    pipeline = make_pipeline(columns, MODELS[name]("Classifier")).fit(frame, [0, 1, 0, 2] * 50)
    return _n_different(import_model(pipeline), pipeline, frame)[0]


@pytest.mark.parametrize(
    ("name", "reader", "other"),
    [
        ("xgboost", xgboost_reader, "zero"),
        ("lightgbm", lightgbm_reader, "missing"),
        ("catboost", catboost_reader, "missing"),
    ],
)
def test_zeros_that_are_not_stored_are_missing_values_of_xgboost_alone(
    name: str, reader: Any, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is found if a library is said to take them as another one does."""
    assert _n_different_zeros(name) == 0
    inputs = reader.boosted_inputs
    monkeypatch.setattr(
        reader, "boosted_inputs", lambda *values, **options: inputs(*values, **{**options, "unstored": other})
    )
    assert _n_different_zeros(name) > 0


def test_numbers_that_go_where_missing_values_go_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the interval of numbers that are not stored, 0 is compared as a number."""
    between = sklearn_inputs._between
    monkeypatch.setattr(
        sklearn_inputs,
        "_between",
        lambda above, upto: between(above, upto) if above == -np.inf or upto == np.inf else None,
    )
    assert _n_different_zeros("xgboost") > 0


# ---- categories, searches, rules, options


def test_codes_of_an_encoder_may_be_categories_of_the_model() -> None:
    """LightGBM and XGBoost split by sets of the codes that an OrdinalEncoder makes."""
    places = {"lightgbm": {"categorical_feature": [2, 3, 4]}, "xgboost": {}}
    types = {"lightgbm": {}, "xgboost": {"feature_types": ["q", "q", "c", "c", "c"], "enable_categorical": True}}
    for name in places:
        codes = _ordinal(np.nan)
        model = MODELS[name]("Classifier", **types[name])
        pipeline = Pipeline([("columns", _columns("passthrough", codes)), ("model", model)])
        pipeline.fit(FRAME, TARGETS["two classes"][1], **{f"model__{key}": at for key, at in places[name].items()})
        ensemble = import_model(pipeline)
        n_different, n_compared = _n_different(ensemble, pipeline, rows_at_thresholds(ensemble, 600, 3, n_unseen=30))
        assert n_different == 0 and n_compared >= 500


def test_a_search_is_its_best_pipeline_or_model() -> None:
    """A GridSearchCV of a pipeline, of a model, and of a model inside a pipeline."""
    target = TARGETS["two classes"][1]
    pipeline = make_pipeline(*STEPS["dense"](), MODELS["xgboost"]("Classifier"))
    search = GridSearchCV(pipeline, {"xgbclassifier__max_depth": [2, 3]}, cv=2).fit(FRAME, target)
    ensemble = from_sklearn(search, target="survived")
    assert isinstance(ensemble, Ensemble)
    assert predict(ensemble, FRAME).tolist() == search.predict(FRAME).tolist()
    numbers = FRAME[NUMBERS]
    alone = GridSearchCV(MODELS["lightgbm"]("Classifier"), {"num_leaves": [3, 5]}, cv=2).fit(numbers, target)
    assert predict(import_model(alone), numbers).tolist() == alone.predict(numbers).tolist()
    inside = make_pipeline(SimpleImputer(), alone).fit(numbers, target)
    assert predict(import_model(inside), numbers).tolist() == inside.predict(numbers).tolist()


def test_rules_speak_of_the_columns_of_the_frame() -> None:
    """Categories by their names, in the rules of a tree and in code, which answers alike."""
    ensemble = import_model(_fitted("sparse", "xgboost", "two classes"), target="survived")
    text = render(compile_rules(ensemble.trees[0]))
    assert "sex = female" in text or "sex = male" in text
    assert check(ensemble.trees[0]) and verify(ensemble, to_python(ensemble))


@pytest.mark.parametrize("name", ["xgboost", "lightgbm", "catboost"])
def test_what_cannot_be_followed_is_refused_by_name(name: str) -> None:
    """Options that do not fit; a model that is not fitted; categories that pass the steps."""
    pipeline = make_pipeline(SimpleImputer(), MODELS[name]("Classifier"))
    with pytest.raises(DataError, match="Classifier is not fitted"):
        import_model(pipeline)
    pipeline.fit(FRAME[NUMBERS], TARGETS["two classes"][1])
    if name != "catboost":
        with pytest.raises(OptionError, match="the steps before the model know them"):
            import_model(pipeline, categories={"age": [1]})
    with pytest.raises(OptionError, match="2 different names"):
        import_model(pipeline, features=["a"])
    with pytest.raises(OptionError, match="dtype"):
        import_model(pipeline[-1], dtype="float32")


def test_categories_that_pass_the_steps_are_refused() -> None:
    """A frame behind the steps has columns of categories, which no encoder has made numbers."""
    frame = FRAME.assign(sex=FRAME["sex"].astype("category"))[["age", "sex"]]
    columns = ColumnTransformer([("n", SimpleImputer(), ["age"]), ("c", "passthrough", ["sex"])])
    columns.set_output(transform="pandas")
    models = [
        MODELS["xgboost"]("Classifier", enable_categorical=True),
        MODELS["lightgbm"]("Classifier"),
        MODELS["catboost"]("Classifier", cat_features=[1]),
    ]
    for model in models:
        pipeline = make_pipeline(columns, model).fit(frame, TARGETS["two classes"][1])
        with pytest.raises(OptionError, match=r"reads the categories of 'c__sex'.*OneHotEncoder"):
            import_model(pipeline)


def test_a_pipeline_of_another_model_is_refused_by_its_name() -> None:
    """The last step is of no library that is known."""

    class Other:
        """A model of somebody's own."""

        def fit(self, X: Any, y: Any) -> "Other":  # noqa: N803
            return self

    pipeline = Pipeline([("imputer", SimpleImputer()), ("model", Other())]).fit(FRAME[NUMBERS], LABELS)
    with pytest.raises(OptionError, match="a pipeline of an Other"):
        import_model(pipeline)


def test_iterations_beyond_the_best_one_can_be_asked_for() -> None:
    """Of a Booster that kept its later trees; the number may be one of numpy. Others hold those up to the best one."""
    target, numbers = TARGETS["two classes"][1], FRAME[NUMBERS].fillna(0)
    held, kept = (lightgbm.Dataset(numbers[at], target[at]) for at in (slice(200, 400), slice(0, 200)))
    options = {"objective": "binary", "num_leaves": 31, "min_data_in_leaf": 2, "num_threads": 1, "verbose": -1}
    stop = [lightgbm.early_stopping(10, verbose=False)]
    model = lightgbm.train(options, kept, 60, [held], callbacks=stop, keep_training_booster=True)
    assert 0 < model.best_iteration < model.current_iteration()
    best = import_model(model, labels=[0, 1])
    assert len(best.trees) == model.best_iteration
    assert (predict_margin(best, numbers) == model.predict(numbers, raw_score=True)).all()
    n = np.int64(model.best_iteration + 5)
    later = import_model(model, labels=[0, 1], iterations=n)  # type: ignore[arg-type]
    assert (predict_margin(later, numbers) == model.predict(numbers, raw_score=True, num_iteration=int(n))).all()
    model = lightgbm.train(options, kept, 60, [held], callbacks=stop)
    with pytest.raises(OptionError, match=f"from 1 to {model.best_iteration}"):
        import_model(model, labels=[0, 1], iterations=n)  # type: ignore[arg-type]
