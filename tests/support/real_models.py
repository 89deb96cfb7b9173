"""Models of XGBoost, LightGBM and CatBoost that are fitted on real tables, and their own answers.

The tables lie in the folder that TREERULES_DATA names. Columns of numbers are doubles, also of integers.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from treerules import Ensemble
from treerules.importers import import_model
from treerules.trees import Split, ValueSetTest, preorder
from treerules.trees.node_parts import ThresholdTest

DATA = os.environ.get("TREERULES_DATA")
_ADULT = (
    *("age", "workclass", "fnlwgt", "education", "years", "marital", "occupation", "relationship", "race", "sex"),
    *("gain", "loss", "hours", "country", "income"),
)
#: What a category is where it is missing, in CatBoost, which takes no missing ones.
NONE = "missing"


class RealTable(NamedTuple):
    """A table: the rows of the fit, the rows that are held out, both with their columns of categories, and the targets.

    Args:
        fit: the features of the fit.
        target: their targets: numbers, or texts.
        held_out: the features of other rows.
        classes: the labels in their order; empty where the target is a number.
    """

    fit: pd.DataFrame
    target: Any
    held_out: pd.DataFrame
    classes: tuple[str, ...]


class RealModel(NamedTuple):
    """A fitted model, its file, and the ensembles of both.

    Args:
        fitted: the live model.
        of_file: the ensemble of its file.
        of_live: that of the live model; None where the library's file alone has the categories.
        table: the table.
        given: returns a frame as the library takes it.
    """

    fitted: Any
    of_file: Ensemble
    of_live: Ensemble | None
    table: RealTable
    given: Callable[[pd.DataFrame], Any]


def _read(name: str, **options: Any) -> pd.DataFrame:
    return pd.read_csv(Path(str(DATA)) / f"{name}.csv", skipinitialspace=True, **options)


def _table(frame: pd.DataFrame, target: str, n_fit: int, n_held_out: int, *, is_class: bool = True) -> RealTable:
    chosen = frame.sample(n=min(n_fit + n_held_out, len(frame)), random_state=0).reset_index(drop=True)
    y, features = chosen[target], chosen.drop(columns=target)
    for column in features:
        if pd.api.types.is_numeric_dtype(features[column]):
            features[column] = features[column].astype(np.float64)
        else:
            texts = features[column].map(str, na_action="ignore")
            features[column] = pd.Categorical(texts, categories=sorted(texts.dropna().unique()))
    values = np.array([str(value) for value in y]) if is_class else y.to_numpy(np.float64)
    classes = tuple(sorted(set(values))) if is_class else ()
    return RealTable(features[:n_fit], values[:n_fit], features[n_fit:].reset_index(drop=True), classes)


def _adult() -> RealTable:
    options: dict[str, Any] = {"header": None, "names": _ADULT, "na_values": "?"}
    frame = pd.concat([_read("adult_train", **options), _read("adult_test", **options)])
    return _table(frame.assign(income=frame["income"].str.rstrip(".")), "income", 6_000, 6_000)


def _covertype() -> RealTable:
    return _table(_read("covertype_a"), "Cover_Type", 4_000, 1_000)


def _titanic() -> RealTable:
    frame = _read("titanic")
    frame["Cabin"] = frame["Cabin"].str[:1]
    return _table(frame.drop(columns=["Name", "Ticket", "PassengerId"]), "Survived", 600, 291)


def _california() -> RealTable:
    frame = _read("california_housing")
    bins = pd.cut(frame["latitude"], 12, labels=False)
    return _table(
        frame.assign(region=[f"band {number}" for number in bins]), "median_house_value", 5_000, 1_500, is_class=False
    )


TABLES: Mapping[str, Callable[[], RealTable]] = {
    "adult": _adult,
    "covertype": _covertype,
    "titanic": _titanic,
    "california": _california,
}


# ---- fitting


def _iterations(table: RealTable) -> int:
    return 50 if len(table.classes) < 3 else 8


def fit_xgboost(table: RealTable, folder: Path) -> RealModel:
    """Return a model of XGBoost: categories of the frame, and base_score and the rest by default."""
    import xgboost

    quick = {"n_estimators": _iterations(table), "max_depth": 5, "n_jobs": 1, "enable_categorical": True}
    kind = xgboost.XGBClassifier if table.classes else xgboost.XGBRegressor
    codes = [table.classes.index(value) for value in table.target] if table.classes else table.target
    fitted = kind(**quick).fit(table.fit, codes)
    path = folder / "model.ubj"
    fitted.save_model(path)
    options = {"labels": range(len(table.classes))} if table.classes else {}
    return RealModel(fitted, import_model(path, **options), import_model(fitted), table, lambda frame: frame)


def fit_lightgbm(table: RealTable, folder: Path) -> RealModel:
    """Return a model of LightGBM with the categories of the frame."""
    import lightgbm

    quick = {"n_estimators": _iterations(table), "num_leaves": 24, "n_jobs": 1, "verbose": -1, "deterministic": True}
    kind = lightgbm.LGBMClassifier if table.classes else lightgbm.LGBMRegressor
    fitted = kind(**quick).fit(table.fit, table.target)
    path = folder / "model.txt"
    fitted.booster_.save_model(path)
    options = {"labels": table.classes} if table.classes else {}
    return RealModel(fitted, import_model(path, **options), import_model(fitted), table, lambda frame: frame)


def fit_catboost(table: RealTable, folder: Path) -> RealModel:
    """Return a model of CatBoost: one-hot splits of up to 10 categories, statistics of more."""
    import catboost

    columns = [name for name in table.fit if isinstance(table.fit[name].dtype, pd.CategoricalDtype)]

    def given(frame: pd.DataFrame, target: Any = None) -> Any:
        texts = {name: frame[name].astype(object).where(frame[name].notna(), NONE) for name in columns}
        return catboost.Pool(frame.assign(**texts), target, cat_features=columns)

    quick = {"iterations": _iterations(table), "depth": 5, "thread_count": 1, "verbose": 0, "random_seed": 0}
    statistics = {"one_hot_max_size": 10, "simple_ctr": ["Borders"], "max_ctr_complexity": 1} if columns else {}
    kind = catboost.CatBoostClassifier if table.classes else catboost.CatBoostRegressor
    pool = given(table.fit, table.target)
    fitted = kind(**quick, **statistics, allow_writing_files=False).fit(pool)
    path = folder / "model.json"
    fitted.save_model(str(path), format="json", pool=pool)
    return RealModel(fitted, import_model(path), None if columns else import_model(fitted), table, given)


FITS: Mapping[str, Callable[[RealTable, Path], RealModel]] = {
    "xgboost": fit_xgboost,
    "lightgbm": fit_lightgbm,
    "catboost": fit_catboost,
}


# ---- rows, and the answers of the libraries


def boundary_frame(model: RealModel, n_most: int) -> pd.DataFrame:
    """Return held-out rows in each of which one number is a threshold of the model, or the double above it."""
    thresholds = {
        (node.test.feature, bound)
        for tree in model.of_file.trees
        for node in preorder(tree)
        if isinstance(node, Split) and isinstance(node.test, ThresholdTest | ValueSetTest)
        for bound in node.test.thresholds
        if np.isfinite(bound)
    }
    random = np.random.default_rng(0)
    cells = [
        (feature, cell) for feature, bound in sorted(thresholds) for cell in (bound, float(np.nextafter(bound, np.inf)))
    ]
    chosen = [cells[at] for at in sorted(random.permutation(len(cells))[:n_most])]
    frame = model.table.held_out.sample(n=len(chosen), replace=True, random_state=1).reset_index(drop=True)
    columns = {name: frame[name].to_numpy(copy=True) for name in frame if frame[name].dtype == np.float64}
    for row, (feature, cell) in enumerate(chosen):
        columns[frame.columns[feature]][row] = cell
    return frame.assign(**columns)


def library_answers(model: RealModel, frame: pd.DataFrame) -> tuple[Any, list[Any], Any]:
    """Return the margins, shape (rows, margins), the labels or numbers, and the probabilities or numbers."""
    rows, fitted = model.given(frame), model.fitted
    module = type(fitted).__module__.split(".")[0]
    options: dict[str, Any] = {
        "xgboost": {"output_margin": True},
        "lightgbm": {"raw_score": True},
        "catboost": {"prediction_type": "RawFormulaVal"},
    }[module]
    margins = np.asarray(fitted.predict(rows, **options), dtype=np.float64).reshape(len(frame), -1)
    predictions = np.asarray(fitted.predict(rows)).ravel().tolist()
    shares = fitted.predict_proba(rows) if model.table.classes else np.asarray(predictions)[:, np.newaxis]
    return margins, predictions, np.asarray(shares)


def as_rows(model: RealModel, frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows as treerules takes them: None where a value is missing, but for categories of CatBoost."""
    is_catboost = "catboost" in type(model.fitted).__module__
    columns = {}
    for name in frame:
        cells = frame[name].astype(object)
        none = NONE if is_catboost and isinstance(frame[name].dtype, pd.CategoricalDtype) else None
        columns[name] = [none if pd.isna(cell) else cell for cell in cells]
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
