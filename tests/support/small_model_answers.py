"""Files of small models, and the answers of treerules and of the libraries for them.

The libraries are imported where they are asked, since the default tests do without them.
"""

import importlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from treerules import predict
from treerules.importers import import_model
from treerules.trees import predict_margin


def written(folder: Path, content: Any) -> Path:
    """Write a model, and return the path."""
    path = folder / ("model.txt" if isinstance(content, str) else "model.json")
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def own_margins(path: Path, rows: Sequence[Sequence[Any]], **options: Any) -> list[Any]:
    """Return the margins of treerules for rows: numbers, or lists of one for each class."""
    ensemble = import_model(path, **options)
    names = [feature.name for feature in ensemble.schema.features]
    margins = [predict_margin(ensemble, dict(zip(names, row, strict=True))) for row in rows]
    return [margin if isinstance(margin, float) else list(margin) for margin in margins]


def library_margins(path: Path, rows: Sequence[Sequence[Any]], **options: Any) -> list[Any]:
    """Return the margins of the library of a file for rows of numbers."""
    is_text = path.suffix == ".txt"
    of = _of_lightgbm if is_text else _of_xgboost if '"learner"' in path.read_text("utf-8") else _of_catboost
    margins: list[Any] = np.asarray(of(path, rows, **options), dtype=np.float64).tolist()
    return margins


def _library(name: str) -> Any:
    """Return a library; the test is skipped where it is lacking, and fails where TREERULES_ENGINES says "required"."""
    is_required = os.environ.get("TREERULES_ENGINES") == "required"
    return importlib.import_module(name) if is_required else pytest.importorskip(name)


def _of_xgboost(path: Path, rows: Any, *, missing: float = np.nan, iterations: int = 0, **_: Any) -> Any:
    xgboost = _library("xgboost")
    booster = xgboost.Booster(model_file=str(path))
    kinds = booster.feature_types
    options = {"feature_types": kinds, "enable_categorical": True} if kinds else {}
    matrix = xgboost.DMatrix(np.array(rows), missing=missing, nthread=1, feature_names=booster.feature_names, **options)
    return booster.predict(matrix, output_margin=True, iteration_range=(0, iterations))


def _of_lightgbm(path: Path, rows: Any, **_: Any) -> Any:
    lightgbm = _library("lightgbm")
    booster = lightgbm.Booster(model_file=str(path))
    n = booster.num_trees() if "average_output" in path.read_text("utf-8") else 1
    return booster.predict(np.array(rows), raw_score=True, num_threads=1) / n


def _of_catboost(path: Path, rows: Any, **_: Any) -> Any:
    catboost = _library("catboost")
    model = catboost.CatBoost().load_model(str(path), format="json")
    return model.predict(np.array(rows), prediction_type="RawFormulaVal", thread_count=1)


# ---- labels of two classes, as positions


def own_labels(path: Path, rows: Sequence[Sequence[Any]], **options: Any) -> list[int]:
    """Return the labels of treerules, 0 or 1."""
    ensemble = import_model(path, labels=[0, 1], **options)
    names = [feature.name for feature in ensemble.schema.features]
    return [predict(ensemble, dict(zip(names, row, strict=True))) for row in rows]


def library_labels(path: Path, rows: Sequence[Sequence[Any]]) -> list[int]:
    """Return the labels of the classifier of a library, 0 or 1."""
    cells = np.array(rows)
    if path.suffix == ".txt":
        lightgbm = _library("lightgbm")
        second = np.asarray(lightgbm.Booster(model_file=str(path)).predict(cells, num_threads=1))
        labels = np.column_stack([1.0 - second, second]).argmax(axis=1)
    elif '"learner"' in path.read_text("utf-8"):
        xgboost = _library("xgboost")
        classifier = xgboost.XGBClassifier(n_jobs=1)
        classifier.load_model(path)
        labels = classifier.predict(cells)
    else:
        catboost = _library("catboost")
        model = catboost.CatBoostClassifier().load_model(str(path), format="json")
        labels = model.predict(cells, prediction_type="Class", thread_count=1)
    return [int(label) for label in labels]
