"""Models of boosted libraries, read from their files: the library itself says what each answer is."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from library_answers import (
    RECORDED,
    SPECIAL,
    answers_of,
    cases_of,
    distances,
    imported,
    n_different,
    pythons,
    rows_of,
    run_oracle,
)

#: The recorded cases of each library.
CASES = [(library, name) for library in SPECIAL for name in cases_of(RECORDED / library)]
ANSWERS = {library: answers_of(RECORDED / library) for library in SPECIAL}


def answers_probabilities(case: dict[str, Any], name: str) -> bool:
    """Return whether the library answers probabilities or means; two cases of XGBoost answer margins, and labels."""
    return case["objective"] != "binary:logitraw" and name != "softmax"


def has_own_exp(library: str, case: dict[str, Any]) -> bool:
    """Return whether the library computes exp by itself, as CatBoost does: up to 4 ulp beside that of the C library."""
    return library == "catboost" and case["objective"] in ("MultiClass", "Poisson", "Tweedie")


@pytest.mark.parametrize(("library", "name"), CASES)
def test_recorded_models_answer_as_the_library_did(library: str, name: str) -> None:
    """Margins and labels to the bit at the thresholds and beside them; means and probabilities within 4 ulp."""
    folder = RECORDED / library
    case = cases_of(folder)[name]
    ensemble, answers = imported(folder, case), ANSWERS[library][name]
    with np.load(folder / "rows.npz") as rows:
        cells = rows[name]
    assert n_different(ensemble, case, cells, answers) == 0
    if answers_probabilities(case, name):
        assert distances(ensemble, case, cells, answers).max() <= 4


@pytest.mark.peer
@pytest.mark.parametrize("library", SPECIAL)
def test_live_models_answer_as_the_library_does(library: str, tmp_path: Path) -> None:
    """Each case fitted anew by each version, 1,500 rows: 0 differ; below 0.1% of probabilities do, by at most 4 ulp."""
    if not pythons(library):
        pytest.skip(f"TREERULES_{library.upper()} names no Python with {library}")
    for number, python in enumerate(pythons(library)):
        _check_live_models(library, python, tmp_path / str(number))


def _check_live_models(library: str, python: str, folder: Path) -> None:
    run_oracle(library, python, "fit", folder)
    cases = cases_of(folder)
    models = {name: imported(folder, case) for name, case in cases.items()}
    rows = {name: rows_of(library, models[name], case, 1_500) for name, case in cases.items()}
    np.savez(folder / "rows.npz", **rows)
    run_oracle(library, python, "answer", folder)
    answers = answers_of(folder)
    assert answers.keys() == cases.keys()
    far = []
    for name, case in cases.items():
        assert n_different(models[name], case, rows[name], answers[name]) == 0, (python, name)
        if answers_probabilities(case, name) and not has_own_exp(library, case):
            far.append(distances(models[name], case, rows[name], answers[name]).ravel())
    ulps = np.concatenate(far)
    assert ulps.max() <= 4
    assert (ulps > 0).mean() < 0.001
