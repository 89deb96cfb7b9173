"""Models of boosted libraries in files, rows at their thresholds, and the answers of the libraries themselves.

A library answers in a process of its own, by a script of `tests/oracles`: once when its answers were recorded beside
the models, and again wherever `.ci/run` installs it (the environment variable TREERULES_XGBOOST and so on: paths of
Pythons, separated by the separator of PATH).
"""

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from library_rows import FLOAT32_MAX, cells_around
from paths import TESTS
from treerules import Ensemble, Table, predict, predict_proba
from treerules.importers import import_model
from treerules.trees import Split, ValueSetTest, predict_margin, preorder
from treerules.trees.node_parts import ThresholdTest

ORACLES, RECORDED = TESTS / "oracles", TESTS / "importers" / "models"
#: Codes of categories that are none, or no integers.
ODD_CODES = (
    -1.0,
    -0.5,
    -0.0,
    0.5,
    1.7,
    0.9999999999999999,
    31.0,
    31.999999999,
    32.0,
    1e9,
    16777216.0,
    77.0,
)


def pythons(library: str) -> list[str]:
    """Return the Pythons in which versions of a library are installed."""
    return [path for path in os.environ.get(f"TREERULES_{library.upper()}", "").split(os.pathsep) if path]


def run_oracle(library: str, python: str, command: str, folder: Path) -> None:
    """Run the script of a library in a process of its own."""
    words = [python, str(ORACLES / f"{library}_oracle.py"), command, str(folder)]
    done = subprocess.run(words, capture_output=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr.decode()[-3000:]


def cases_of(folder: Path) -> dict[str, dict[str, Any]]:
    """Return what the script told of each case: its file, and the options that the importer needs."""
    told: dict[str, dict[str, Any]] = json.loads((folder / "cases.json").read_text(encoding="utf-8"))
    return told


def imported(folder: Path, case: Mapping[str, Any]) -> Ensemble:
    """Return the ensemble of a case."""
    options = {name: case[name] for name in ("labels", "missing", "categories") if name in case}
    ensemble = import_model(folder / case["file"], **options)
    assert isinstance(ensemble, Ensemble)
    return ensemble


#: Numbers that a library takes otherwise than others: infinite ones, and those that LightGBM takes for 0.
_SMALL = 1.0000000180025095e-35
SPECIAL: Mapping[str, tuple[float, ...]] = {
    "xgboost": (),
    "catboost": (np.inf, -np.inf),
    "lightgbm": (
        *(np.inf, -np.inf, 1e-36, -1e-36, _SMALL, -_SMALL),
        *(float(np.nextafter(_SMALL, 1)), float(np.nextafter(-_SMALL, -1)), 1e-35, -1e-35),
    ),
}


def rows_of(library: str, ensemble: Ensemble, case: Mapping[str, Any], n: int) -> Any:
    """Return rows at and beside the thresholds of each column, missing, huge, 0 and odd codes; shape (n, columns)."""
    generator = np.random.default_rng(1)
    columns = []
    for position, feature in enumerate(ensemble.schema.features):
        if feature.is_ordered:
            bounds = np.array([bound for bound in _bounds(ensemble, position) if np.isfinite(bound)])
            cells = [*cells_around(bounds).tolist(), 0.0, -0.0, FLOAT32_MAX, -FLOAT32_MAX, 5e-324, -5e-324]
            if "categories" in case and any(isinstance(test, ValueSetTest) for test in _tests(ensemble, position)):
                cells = [*ODD_CODES, *map(float, range(42))]
            cells += SPECIAL[library] * (len(cells) // 100 + 1)
            if "missing" in case:
                around = cells_around(np.array([float(np.float32(case["missing"]))])).tolist()
                cells += (around * (len(cells) // (4 * len(around)) + 1))[: len(cells) // 4 + 1]
        else:
            known = case.get("known", {}).get(feature.name, feature.categories)
            cells = list(map(float, range(len(known) + (library == "catboost"))))
        if library != "catboost" or (feature.is_ordered and "missing" in case["file"]):  # it refuses others
            cells += [np.nan] * (len(cells) // 20 + 1)
        columns.append(generator.choice(np.array(cells), n))
    return np.column_stack(columns)


def _tests(ensemble: Ensemble, position: int) -> list[ThresholdTest | ValueSetTest]:
    return [
        node.test
        for tree in ensemble.trees
        for node in preorder(tree)
        if isinstance(node, Split) and isinstance(node.test, ThresholdTest | ValueSetTest)
        if node.test.feature == position
    ]


def _bounds(ensemble: Ensemble, position: int) -> list[float]:
    return [bound for test in _tests(ensemble, position) for bound in test.thresholds]


def table_of(ensemble: Ensemble, case: Mapping[str, Any], rows: Any) -> Table:
    """Return rows as a table of the ensemble's own columns."""
    columns: dict[str, Any] = {}
    known = next((case[key] for key in ("known", "categories") if isinstance(case.get(key), dict)), {})
    for feature, cells in zip(ensemble.schema.features, rows.T, strict=True):
        names = known.get(feature.name)
        columns[feature.name] = (
            cells if names is None else [None if np.isnan(cell) else [*names, "unseen"][int(cell)] for cell in cells]
        )
    return Table.from_columns(columns)


def answers_of(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the answers of each case, by what they are."""
    found: dict[str, dict[str, Any]] = {}
    with np.load(folder / "answers.npz") as answers:
        for name in answers.files:
            case, _, what = name.rpartition("/")
            found.setdefault(case, {})[what] = answers[name]
    return found


def n_different(ensemble: Ensemble, case: Mapping[str, Any], rows: Any, answers: Mapping[str, Any]) -> int:
    """Return how many rows have another margin or label than the library's."""
    table = table_of(ensemble, case, rows)
    margins = np.asarray(predict_margin(ensemble, table)).reshape(len(rows), -1)
    differs = (margins != answers["margins"].reshape(len(rows), -1)).any(axis=1)
    if "labels" in answers:
        labels = np.array(list(ensemble.schema.classes))[answers["labels"].astype(int)]
        differs |= np.asarray(predict(ensemble, table)) != labels
    return int(differs.sum())


def distances(ensemble: Ensemble, case: Mapping[str, Any], rows: Any, answers: Mapping[str, Any]) -> Any:
    """Return the distances of means, or of probabilities, from the library's, in units of its last place."""
    table, expected = table_of(ensemble, case, rows), answers["answers"]
    if ensemble.schema.is_regression:
        found = np.asarray(predict(ensemble, table))
    elif expected.ndim == 1:
        found = np.asarray(predict_proba(ensemble, table))[:, 1]
    else:
        found = np.asarray(predict_proba(ensemble, table))
    found = found.astype(expected.dtype)
    least = np.finfo(expected.dtype).tiny
    return np.abs(found - expected) / np.spacing(np.maximum(np.abs(expected), least))
