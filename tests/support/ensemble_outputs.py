"""What the emitted code of an ensemble answers, run for real: margins, predictions and probabilities of rows."""

import json
import math
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import engines
from engines import Stored
from run_emitted import module
from treerules import Ensemble, predict, predict_proba, to_javascript, to_python, to_sql
from treerules.trees import predict_margin
from treerules.trees.margins import margin_names

NODE = shutil.which("node")


class Outputs(NamedTuple):
    """The answers to rows: margins, shape (rows, margins); predictions; probabilities, shape (rows, classes)."""

    margins: list[list[float]]
    predictions: list[Any]
    probabilities: list[list[float]]


def filled(ensemble: Ensemble, rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows with a key for every feature."""
    return [{feature.name: row.get(feature.name) for feature in ensemble.schema.features} for row in rows]


def of_ensemble(ensemble: Ensemble, rows: Sequence[dict[str, Any]]) -> Outputs:
    """Return our own answers, one row after the other."""
    margins = [np.atleast_1d(predict_margin(ensemble, row)).tolist() for row in rows]
    has_classes = not ensemble.schema.is_regression
    shares = [list(predict_proba(ensemble, row)) for row in rows] if has_classes else []
    return Outputs(margins, [predict(ensemble, row) for row in rows], shares)


def of_python(ensemble: Ensemble, rows: Sequence[dict[str, Any]], **options: Any) -> Outputs:
    """Return the answers of the plain module."""
    emitted = module(to_python(ensemble, **options))
    margins = [emitted.predict_margin(row) for row in rows]
    has_classes = not ensemble.schema.is_regression
    shares = [list(emitted.predict_proba(row).values()) for row in rows] if has_classes else []
    return Outputs([_listed(margin) for margin in margins], [emitted.predict(row) for row in rows], shares)


def _listed(margin: Any) -> list[float]:
    return list(margin.values()) if isinstance(margin, dict) else [margin]


def of_arrays(ensemble: Ensemble, rows: Sequence[dict[str, Any]], **options: Any) -> Outputs:
    """Return the answers of the vectorized module."""
    emitted = module(to_python(ensemble, vectorized=True, **options))
    columns = {name: [row.get(name) for row in rows] for name in emitted.FEATURES} or {"": [None] * len(rows)}
    margins = emitted.predict_margin(columns)
    has_classes = not ensemble.schema.is_regression
    shares = emitted.predict_proba(columns).tolist() if has_classes else []
    return Outputs(margins.reshape(len(rows), -1).tolist(), emitted.predict(columns).tolist(), shares)


RUNNER = """
import { readFileSync } from "node:fs";
const module = await import("./ensemble.mjs");
const read = { n: Number, i: BigInt, v: (value) => value };
const tag = (value) => (typeof value === "number" ? String(value) : value);
const found = JSON.parse(readFileSync("rows.json")).map((cells) => {
  const row = new Map(cells.map(([name, kind, value]) => [name, read[kind](value)]));
  const margin = module.predictMargin(row);
  const shares = module.predictProba ? [...module.predictProba(row).values()] : [];
  const answer = module.predict(row);
  const margins = margin instanceof Map ? [...margin.values()] : [margin];
  return [margins.map(tag), typeof answer === "bigint" ? Number(answer) : tag(answer), shares.map(tag)];
});
console.log(JSON.stringify(found));
"""


def of_javascript(ensemble: Ensemble, rows: Sequence[dict[str, Any]], folder: Path, **options: Any) -> Outputs:
    """Return the answers of the JavaScript module."""
    (folder / "ensemble.mjs").write_text(to_javascript(ensemble, **options), encoding="utf-8")
    cells = [[[name, *_tagged(value)] for name, value in row.items()] for row in rows]
    (folder / "rows.json").write_text(json.dumps(cells), encoding="utf-8")
    (folder / "run.mjs").write_text(RUNNER, encoding="utf-8")
    done = subprocess.run([str(NODE), "run.mjs"], cwd=folder, capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    found = json.loads(done.stdout)
    is_number = ensemble.schema.is_regression or isinstance(ensemble.schema.classes[0], float)
    answers = [float(answer) if is_number else answer for _, answer, _ in found]
    if isinstance((ensemble.schema.classes or ("",))[0], int) and not isinstance(ensemble.schema.classes[0], bool):
        answers = [int(answer) for answer in answers]
    margins = [[float(margin) for margin in margins] for margins, _, _ in found]
    return Outputs(margins, answers, [[float(share) for share in shares] for _, _, shares in found])


def _tagged(value: Any) -> tuple[str, Any]:
    if isinstance(value, float):
        return "n", {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}.get(repr(value), repr(value))
    if isinstance(value, int) and not isinstance(value, bool):
        return "i", str(value)
    return "v", value.isoformat() if hasattr(value, "isoformat") else value


def of_sql(ensemble: Ensemble, rows: Sequence[dict[str, Any]], dialect: str, **options: Any) -> Outputs:
    """Return the answers of a query on an engine; rows must be storable there."""
    engine = engines.opened(dialect)
    columns = [Stored(f.name, f.scalar, [row.get(f.name) for row in rows]) for f in ensemble.schema.features]
    has_classes = not ensemble.schema.is_regression
    sql = to_sql(
        ensemble,
        dialect=dialect,
        kind="select",
        table=engine.table,
        keys=["rid"],
        margin=True,
        proba=has_classes,
        **options,
    )
    found = engine.ask(columns, [sql])[0]
    n_margins = len(margin_names(ensemble))
    predictions = engine.predictions(ensemble.schema, found)
    margins = [[float(cell) for cell in row[1 : n_margins + 1]] for row in found]
    return Outputs(margins, predictions, [[float(cell) for cell in row[n_margins + 1 :]] for row in found])


def n_different(expected: Outputs, found: Outputs, *, ulps: int = 4) -> int:
    """Return how many rows have another margin or label, or a probability that is more than some ulp away.

    A mean that is the exp of a margin may be as far away; the probability of the first of two classes is 1 minus that
    of the second, so its distance is measured in ulp of 1.
    """
    rows = zip(*(_by_row(outputs) for outputs in (expected, found)), strict=True)
    return sum(not _is_alike(first, second, ulps, is_mean=not expected.probabilities) for first, second in rows)


def _by_row(outputs: Outputs) -> list[tuple[list[float], Any, list[float]]]:
    shares = outputs.probabilities or [[] for _ in outputs.margins]
    return list(zip(outputs.margins, outputs.predictions, shares, strict=True))


def _is_alike(expected: Any, found: Any, ulps: int, *, is_mean: bool) -> bool:
    (margins, answer, shares), (own_margins, own_answer, own_shares) = expected, found
    is_same = type(answer) is type(own_answer) and answer == own_answer
    is_near = is_mean and _near(answer, own_answer, ulps)
    are_near = [_near(*pair, ulps) for pair in zip(shares, own_shares, strict=True)]
    if len(margins) < len(shares):  # one margin: the first share is 1 minus the second
        are_near[0] = abs(shares[0] - own_shares[0]) <= ulps * math.ulp(0.5)
    return margins == own_margins and (is_same or is_near) and all(are_near)


def _near(expected: float, answer: Any, ulps: int) -> bool:
    return expected == answer or (math.isfinite(expected) and abs(expected - answer) <= ulps * math.ulp(expected))
