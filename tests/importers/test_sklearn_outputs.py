"""The code of imported models of scikit-learn: the library itself says what margin and label each row has."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ensemble_outputs import NODE, Outputs, n_different, of_arrays, of_javascript, of_python, of_sql
from selection import few
from sklearn_models import CASES, boundary_rows, fitted, margins_of
from treerules import Ensemble, predict_proba
from treerules.importers import import_model

pytestmark = pytest.mark.filterwarnings("ignore:Found unknown categories")

BESIDE = ("javascript", "postgres")
LANGUAGES = ("python", "vectorized", "javascript", "duckdb", "sqlite", "postgres")
LEAST_ROWS = 1_000


def parameters() -> list[Any]:
    """Return each model with each language; those beside this Python, DuckDB and SQLite are marked `engine`."""
    chosen = few([(name, language) for name in CASES for language in LANGUAGES], 12)
    return [
        pytest.param(*pair.values, marks=[*pair.marks, *([pytest.mark.engine] if pair.values[1] in BESIDE else [])])
        for pair in chosen
    ]


def rows_and_answers(name: str) -> tuple[Ensemble, list[dict[str, Any]], Outputs]:
    """Return the ensemble of a model, rows that it takes, and the answers of the library."""
    model = fitted(name)
    ensemble = import_model(model)
    table = boundary_rows(model, ensemble)
    names = [feature.name for feature in ensemble.schema.features]
    columns = {name: table[name].tolist() for name in names} if isinstance(table, pd.DataFrame) else {}
    columns = columns or dict(zip(names, table.T.tolist(), strict=True))
    rows = [{name: _cell(ensemble, name, column[at]) for name, column in columns.items()} for at in range(len(table))]
    with np.errstate(all="ignore"):
        margins = np.asarray(margins_of(model, table)).reshape(len(table), -1).tolist()
        labels = model.predict(table).tolist()
        shares = [] if ensemble.schema.is_regression else model.predict_proba(table).tolist()
    return ensemble, rows, Outputs(margins, labels, shares)


def _cell(ensemble: Ensemble, name: str, value: Any) -> Any:
    """Return a cell as a row has it: codes of categories are integers, NaN is missing."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    return int(value) if ensemble.schema.feature(name).scalar == "integer" else value


@pytest.mark.parametrize(("name", "language"), parameters())
def test_emitted_code_gives_the_margins_and_labels_of_the_library(name: str, language: str, tmp_path: Path) -> None:
    """0 rows differ at and beside each threshold, with missing, unseen and huge cells, and infinite ones if taken."""
    ensemble, rows, expected = rows_and_answers(name)
    assert len(rows) >= LEAST_ROWS
    if language == "javascript":
        if NODE is None:
            pytest.skip("Node.js is not installed")
        found = of_javascript(ensemble, rows, tmp_path)
    elif language in ("python", "vectorized"):
        found = (of_python if language == "python" else of_arrays)(ensemble, rows)
    else:
        found = of_sql(ensemble, rows, language)
    assert n_different(expected, found) == 0


def test_probabilities_of_a_forest_are_exact() -> None:
    """They are the margins; nothing is computed of them."""
    ensemble, rows, expected = rows_and_answers("forest")
    assert np.array_equal(predict_proba(ensemble, rows), expected.probabilities)
