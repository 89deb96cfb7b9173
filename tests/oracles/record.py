"""Record a library's models and answers: python tests/oracles/record.py xgboost PYTHON  (or lightgbm, catboost)

PYTHON has the library; this process has treerules, which draws the rows at the thresholds of the models.
"""

import json
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))

from library_answers import RECORDED, cases_of, imported, rows_of, run_oracle

N_ROWS = 120


def main(library: str, python: str) -> None:
    """Fit, draw rows and ask."""
    folder = RECORDED / library
    folder.mkdir(parents=True, exist_ok=True)
    run_oracle(library, python, "fit", folder)
    rows = {name: rows_of(library, imported(folder, case), case, N_ROWS) for name, case in cases_of(folder).items()}
    np.savez_compressed(folder / "rows.npz", **rows)
    run_oracle(library, python, "answer", folder)
    if library == "catboost":
        shorten(folder)


def shorten(folder: Path) -> None:
    """Remove what nothing reads: CatBoost's own format, and 25 kB of parameters and times of the training a file."""
    for path in folder.glob("*.cbm"):
        path.unlink()
    for case in cases_of(folder).values():
        path = folder / case["file"]
        content = json.loads(path.read_text(encoding="utf-8"))
        info = content["model_info"]
        read = {"loss_function": info["params"]["loss_function"]}
        content["model_info"] = {**{k: info[k] for k in ("class_params",) if k in info}, "params": read}
        path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
