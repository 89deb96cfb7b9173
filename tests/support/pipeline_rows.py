"""Drawn passengers, rows at the thresholds of imported pipelines, and the rows that a pipeline takes."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from library_rows import FLOAT32_MAX
from treerules import Ensemble, Tree
from treerules.trees import ValueSetTest
from treerules.trees.node_parts import ThresholdTest
from treerules.trees.nodes import Split
from treerules.trees.walkers import preorder

#: The greatest number that LightGBM takes for 0.
_SMALL = 1.0000000180025095e-35
NUMBERS, CODES, TEXTS = ["age", "fare"], ["pclass"], ["sex", "港口"]


def passengers(n: int = 400, seed: int = 0) -> tuple[pd.DataFrame, Any]:
    """Return drawn passengers: numbers with missing cells, text with missing cells, codes; and a class."""
    rng = np.random.default_rng(seed)
    age = np.where(rng.random(n) < 0.2, np.nan, np.round(rng.gamma(3, 10, n), 1))
    sex = rng.choice(["female", "male"], n)
    port = np.array(["C", "Q", "上海", "S"], dtype=object)[rng.integers(0, 4, n)]
    frame = pd.DataFrame(
        {
            "age": age,
            "fare": np.round(rng.lognormal(3, 1, n), 2),
            "pclass": rng.integers(1, 4, n),
            "sex": sex,
            "港口": pd.Series(np.where(rng.random(n) < 0.1, None, port)),
            "name": [f"n{row}" for row in range(n)],
        }
    )
    chance = 0.2 + 0.5 * (sex == "female") - 0.1 * (frame["pclass"] - 2) + 0.2 * (np.nan_to_num(age, nan=50) < 12)
    return frame, np.where(rng.random(n) < chance, "yes", "no")


FRAME, LABELS = passengers()


def rows_at_thresholds(model: Tree | Ensemble, n: int, seed: int, n_unseen: int) -> pd.DataFrame:
    """Return drawn rows with cells at, and one double or float32 beside, each threshold; some with unseen cells."""
    rng = np.random.default_rng(seed)
    cells: dict[str, list[Any]] = {name: FRAME[name].tolist()[:20] for name in FRAME}
    for name, cut in _thresholds(model):
        single = np.float32(np.clip(cut, -FLOAT32_MAX, FLOAT32_MAX))
        with np.errstate(over="ignore"):
            beside = [np.nextafter(single, np.float32(side)) for side in (-np.inf, np.inf)]
        cells[name] += [
            *(cut, np.nextafter(cut, -np.inf), np.nextafter(cut, np.inf), single, *beside),
            *(cut, np.nextafter(cut, -np.inf), np.nextafter(cut, np.inf)),
        ]
    for name in [*NUMBERS, "港口"]:
        cells[name] += [None] * (1 + len(cells[name]) // 8)
    cells["age"] += [-1e30, 1e30, 0.0, -0.0, 5e-324, 2.0**53 + 2]
    cells["fare"] += [0.0, -0.0, 5e-324, -5e-324, 1e-36, -1e-36, _SMALL, -_SMALL] * (1 + len(cells["fare"]) // 60)
    drawn = {name: [values[at] for at in rng.integers(0, len(values), n)] for name, values in cells.items()}
    for row in range(n_unseen):
        name = ("sex", "港口", "pclass")[row % 3]
        drawn[name][row] = 9 if name == "pclass" else "x"
    return pd.DataFrame(drawn).astype(dict.fromkeys(NUMBERS, "float64"))


def _thresholds(model: Tree | Ensemble) -> list[tuple[str, float]]:
    """Return the finite thresholds of a model, each with the name of its feature."""
    return [
        (model.schema.features[node.test.feature].name, cut)
        for tree in getattr(model, "trees", [model])
        for node in preorder(tree.root)
        if isinstance(node, Split) and isinstance(node.test, ThresholdTest | ValueSetTest)
        for cut in node.test.thresholds
        if np.isfinite(cut)
    ]


def answered(model: Any, rows: pd.DataFrame) -> list[tuple[int, Any, Any]]:
    """Return the position, label and probabilities of each row that a model takes; it refuses the others."""

    def answers(some: pd.DataFrame) -> list[tuple[Any, Any]]:
        labels = model.predict(some)
        shares = model.predict_proba(some) if hasattr(model, "predict_proba") else labels[:, None]
        return list(zip(labels.tolist(), shares.tolist(), strict=True))

    return [(row, *answer) for row, answer in taken_rows(answers, rows)]


def taken_rows(
    answers: Callable[[pd.DataFrame], list[Any]], rows: pd.DataFrame, *refusals: type[Exception]
) -> list[tuple[int, Any]]:
    """Return the position and the answer of each row for which `answers` raises no ValueError and no other refusal."""

    def ask(start: int, stop: int) -> list[tuple[int, Any]]:
        try:
            return list(zip(range(start, stop), answers(rows.iloc[start:stop]), strict=True))
        except (ValueError, *refusals):
            middle = (start + stop) // 2
            return [] if stop - start == 1 else ask(start, middle) + ask(middle, stop)

    return ask(0, len(rows))
