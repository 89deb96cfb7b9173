"""Forests and boosted models of scikit-learn, fitted when they are first asked for, and rows at their thresholds."""

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)

from library_rows import FLOAT32_MAX, cells_around, takes_missing, with_missing
from treerules import Ensemble
from treerules.trees import Split, ThresholdTest, preorder

IRIS, DIABETES, CANCER = load_iris(), load_diabetes(), load_breast_cancer()
_GENERATOR = np.random.default_rng(0)
#: A number, codes of categories in the middle, a number; and the same as a frame with text.
CODES = np.column_stack([DIABETES.data[:, 0], _GENERATOR.integers(0, 12, 442), DIABETES.data[:, 2]])
FRAME = pd.DataFrame(
    {
        "age": DIABETES.data[:, 0],
        "城市": pd.Categorical(_GENERATOR.choice(["a", "b", "上海", ""], 442)),
        "bmi": with_missing(DIABETES.data[:, 2]),
        "smokes": pd.Categorical(_GENERATOR.choice(["no", "yes"], 442)),
    }
)
FRAME.loc[::9, "城市"] = None
TEXTS = FRAME.astype({"城市": object, "smokes": object})
EFFECT = DIABETES.target + 80 * (CODES[:, 1] > 6) + 100 * (FRAME["城市"] == "上海") + 60 * (FRAME["smokes"] == "yes")
LEVEL = np.where(EFFECT > 200, "high", "low")
SPECIES = IRIS.target_names[IRIS.target]
#: Codes most of which one row has: some are only among the rows that early stopping holds out.
_RARE = np.where(np.arange(442) % 40 == 0, np.arange(442) // 2, 0.0)
_DIABETES = (DIABETES.data, DIABETES.target)
_MISSING_DIABETES = (with_missing(DIABETES.data), DIABETES.target)
_MISSING_CANCER = (with_missing(CANCER.data), CANCER.target)
_SEED: dict[str, Any] = {"random_state": 0}

#: Estimators, their rows and their targets.
CASES: dict[str, tuple[Any, Any, Any]] = {
    "forest": (RandomForestClassifier(20, **_SEED), IRIS.data, SPECIES),
    "forest, missing, weighted": (
        RandomForestClassifier(20, class_weight="balanced", **_SEED),
        with_missing(IRIS.data[20:]),
        IRIS.target[20:] > 1,
    ),
    "forest, regression": (RandomForestRegressor(15, **_SEED), *_MISSING_DIABETES),
    "forest, one class": (RandomForestClassifier(3), [[1.0], [2.0]], ["a", "a"]),
    "extra": (ExtraTreesClassifier(15, max_depth=6, **_SEED), *_MISSING_CANCER),
    "extra, regression": (ExtraTreesRegressor(15, max_depth=6, **_SEED), *_DIABETES),
    "boosted": (GradientBoostingClassifier(n_estimators=30, **_SEED), CANCER.data, CANCER.target),
    "boosted, exponential": (
        GradientBoostingClassifier(n_estimators=20, loss="exponential", **_SEED),
        CANCER.data,
        CANCER.target_names[CANCER.target],
    ),
    "boosted from zero": (GradientBoostingClassifier(n_estimators=10, init="zero", **_SEED), IRIS.data, IRIS.target),
    "boosted, three classes": (
        GradientBoostingClassifier(n_estimators=12, subsample=0.5, **_SEED),
        IRIS.data,
        SPECIES,
    ),
    "boosted, squared error": (GradientBoostingRegressor(n_estimators=30, **_SEED), *_DIABETES),
    **{
        f"boosted, {loss}": (GradientBoostingRegressor(n_estimators=15, loss=loss, **_SEED), *_DIABETES)
        for loss in ("absolute_error", "huber", "quantile")
    },
    "histograms": (HistGradientBoostingClassifier(max_iter=25), *_MISSING_CANCER),
    "histograms, three classes": (HistGradientBoostingClassifier(max_iter=8), IRIS.data, SPECIES),
    **{
        f"histograms, {loss}": (HistGradientBoostingRegressor(max_iter=15, loss=loss), *_MISSING_DIABETES)
        for loss in ("squared_error", "absolute_error", "poisson", "gamma")
    },
    "histograms, quantile": (HistGradientBoostingRegressor(max_iter=15, loss="quantile", quantile=0.9), *_DIABETES),
    "histograms, codes in the middle": (
        HistGradientBoostingRegressor(max_iter=20, categorical_features=[1]),
        CODES,
        EFFECT,
    ),
    "histograms, rare codes": (
        HistGradientBoostingRegressor(
            max_iter=20, categorical_features=[1], early_stopping=True, min_samples_leaf=1, **_SEED
        ),
        np.column_stack([CODES[:, 0], _RARE]),
        EFFECT,
    ),
    "histograms, frame": (HistGradientBoostingClassifier(max_iter=20, early_stopping=True, **_SEED), FRAME, LEVEL),
    "histograms, text": (
        HistGradientBoostingRegressor(max_iter=15, categorical_features=["城市", "smokes"]),
        TEXTS,
        EFFECT,
    ),
}


@cache
def fitted(name: str) -> Any:
    """Return the fitted model of a case."""
    model, rows, target = CASES[name]
    return model.fit(rows, target)


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
