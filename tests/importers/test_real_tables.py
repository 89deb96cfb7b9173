"""Models of XGBoost, LightGBM and CatBoost fitted on real tables: every answer is that of the library."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ensemble_outputs import NODE, Outputs, of_arrays, of_javascript, of_python, of_sql
from treerules import Ensemble, Table, predict, predict_proba
from treerules.trees import predict_margin

pytestmark = pytest.mark.peer
real_models = pytest.importorskip("real_models", reason="pandas is not installed")
if real_models.DATA is None:
    pytest.skip("TREERULES_DATA does not name the folder of real data", allow_module_level=True)

#: The rows that emitted code answers: held-out ones, and as many at thresholds.
N_EMITTED = 150


MODELS = {f"{library}-{table}": (library, table) for table in real_models.TABLES for library in real_models.FITS}


@pytest.fixture(scope="module", params=MODELS)
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return a model of each library, fitted on each table."""
    library, table = MODELS[request.param]
    pytest.importorskip(library)
    folder = tmp_path_factory.mktemp("model")
    return real_models.FITS[library](real_models.TABLES[table](), folder)


def ulps_between(model: Any, expected: Any, found: Any) -> Any:
    """Return the distances of probabilities or numbers in units of the library's last place: float32 in XGBoost.

    Of two classes only the second has a probability of its own: that of the first is 1 minus it.
    """
    if expected.shape[1] == 2:
        expected, found = expected[:, 1:], found[:, 1:]
    kind = np.float32 if "xgboost" in type(model.fitted).__module__ else np.float64
    expected, found = expected.astype(kind), np.asarray(found).astype(kind)
    return np.abs(found - expected) / np.spacing(np.maximum(np.abs(expected), np.finfo(kind).tiny))


def check(model: Any, expected: tuple[Any, list[Any], Any], found: Outputs) -> int:
    """Assert that no row has another margin or label, and no probability is far; return how many of these differ."""
    margins, predictions, shares = expected
    assert (np.asarray(found.margins).reshape(len(predictions), -1) != margins).any(axis=1).sum() == 0
    if model.table.classes:
        assert sum(label != answer for label, answer in zip(predictions, found.predictions, strict=True)) == 0
    own = found.probabilities if model.table.classes else [[answer] for answer in found.predictions]
    ulps = ulps_between(model, shares, np.array(own))
    assert ulps.max() <= (8 if has_own_exp(model) else 4)
    return int((ulps > 0).any(axis=1).sum())


def answers_of(ensemble: Ensemble, rows: list[dict[str, Any]]) -> Outputs:
    """Return the answers of treerules for a table of rows."""
    table = Table.from_columns({name: [row[name] for row in rows] for name in rows[0]})
    shares = [] if ensemble.schema.is_regression else np.asarray(predict_proba(ensemble, table)).tolist()
    margins = np.asarray(predict_margin(ensemble, table)).reshape(len(rows), -1).tolist()
    return Outputs(margins, np.asarray(predict(ensemble, table)).tolist(), shares)


def has_own_exp(model: Any) -> bool:
    """Return whether CatBoost computes the exp of several classes by itself, some ulp beside the C library."""
    return "catboost" in type(model.fitted).__module__ and len(model.table.classes) > 2


def test_answers_are_those_of_the_library(model: Any, request: pytest.FixtureRequest) -> None:
    """Of the file and of the live model, for held-out rows and at every threshold: 0 margins and labels differ, and
    fewer than 0.1% of the rows in a probability."""
    n_rows = n_differing = 0
    for frame in (model.table.held_out, real_models.boundary_frame(model, 8_000)):
        expected, rows = real_models.library_answers(model, frame), real_models.as_rows(model, frame)
        n_rows += len(rows)
        n_differing += check(model, expected, answers_of(model.of_file, rows))
        if model.of_live is not None:
            check(model, expected, answers_of(model.of_live, rows))
    figures = f"{n_rows} rows, 0 other margins and labels, {n_differing} rows with a probability that differs"
    request.node.user_properties.append(("engine", f"{request.node.callspec.id}: {figures}"))
    assert has_own_exp(model) or n_differing <= max(1, 0.001 * n_rows)
    assert model.of_live is None or model.of_live == model.of_file


OUTPUTS: dict[str, Callable[[Ensemble, list[dict[str, Any]], Path], Outputs]] = {
    "Python": lambda ensemble, rows, _: of_python(ensemble, rows),
    "Python, lookup": lambda ensemble, rows, _: of_python(ensemble, rows, style="lookup"),
    "vectorized Python": lambda ensemble, rows, _: of_arrays(ensemble, rows),
    "JavaScript": of_javascript,
    "JavaScript, lookup": partial(of_javascript, style="lookup"),
    "DuckDB": lambda ensemble, rows, _: of_sql(ensemble, rows, "duckdb"),
    "SQLite": lambda ensemble, rows, _: of_sql(ensemble, rows, "sqlite"),
}


@pytest.mark.large
@pytest.mark.parametrize("output", OUTPUTS)
def test_emitted_code_answers_as_the_library(model: Any, output: str, tmp_path: Path) -> None:
    """300 rows, half of them at thresholds: 0 margins and labels differ; a probability of at most one, by up to 4 ulp.

    The exp of V8 is its own: more rows may differ.
    """
    if "JavaScript" in output and NODE is None:
        pytest.skip("there is no node here")
    n_differing = 0
    for frame in (model.table.held_out.head(N_EMITTED), real_models.boundary_frame(model, N_EMITTED)):
        expected, rows = real_models.library_answers(model, frame), real_models.as_rows(model, frame)
        n_differing += check(model, expected, OUTPUTS[output](model.of_file, rows, tmp_path))
    assert has_own_exp(model) or "JavaScript" in output or n_differing <= 1
