"""The data sets that the benchmarks learn from: generated, bundled with scikit-learn, or read from TREERULES_DATA."""

import csv
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from measuring import Case
from sklearn import datasets

from treerules import Table, cart

#: How many values the ten integer columns of covertype take, in its order.
COVERTYPE_VALUES = (1978, 361, 67, 551, 700, 5785, 207, 185, 255, 5827)
#: The columns of adult: how many values each takes, and whether they are categories.
ADULT_VALUES = (
    *((74, False), (9, True), (28_523, False), (16, True), (16, False), (7, True), (15, True)),
    *((6, True), (5, True), (2, True), (123, False), (99, False), (96, False), (42, True)),
)

#: The share of random classes at which the whole tree of 581,012 rows has about as many leaves as covertype's own.
NOISE = 0.01


def case_of(name: str, features: Any, target: Any, **choices: Any) -> Case:
    """Return the case of a matrix of numbers."""
    columns = {f"x{index}": column.copy() for index, column in enumerate(features.T)}
    matrix = np.ascontiguousarray(features, dtype=np.float64)
    return Case(name, Table.from_columns({**columns, "y": target}), matrix, target, **choices)


def signal(features: Any, rng: np.random.Generator) -> Any:
    """Return a target that interacts, bends and is noisy, so that a tree has something to find at every depth."""
    a, b, c, d = features.T[:4]
    return a * b + np.sin(2 * c) + d + rng.normal(size=len(features))


def continuous(n: int, width: int, *, is_regression: bool = False, **choices: Any) -> Case:
    """Return normal columns, two classes or a regression."""
    rng = np.random.default_rng(7)
    features = rng.normal(size=(n, width))
    target = signal(features, rng)
    if is_regression:
        return case_of("regression", features, target, **choices)
    return case_of("continuous", features, (target > 0).astype(np.int64), **choices)


def heavy_tails(n: int, width: int, **choices: Any) -> Case:
    """Return columns of Student's t with two degrees of freedom, and two classes by a product of three of them."""
    rng = np.random.default_rng(5)
    features = rng.standard_t(2, size=(n, width))
    target = features[:, 0] + features[:, 3] * features[:, 5] + rng.standard_t(2, size=n)
    return case_of("heavy tails", features, (target > 0).astype(np.int64), **choices)


def with_holes(case: Case) -> Case:
    """Return a case of numbers with a fifth of its cells missing."""
    rng = np.random.default_rng(11)
    holed = np.where(rng.random(case.features.shape) < 0.2, np.nan, case.features)
    return case_of("20% missing", holed, case.target)


def levels(values: Any, count: int) -> Any:
    """Return normal values as whole numbers from 0 to count - 1, the outer ones rarest."""
    return np.searchsorted(np.linspace(-2.5, 2.5, count + 1)[1:-1], values)


def chosen(values: Any, count: int) -> Any:
    """Return normal values as one of `count` categories that are not equally frequent, a column of 0 and 1 for each."""
    return np.eye(count, dtype=np.int64)[levels(values, count)]


def covertype_like(n: int, **choices: Any) -> Case:
    """Return columns as covertype has them: ten of integers, then 4 and 40 of which one is 1, and seven classes."""
    rng = np.random.default_rng(7)
    latent = rng.normal(size=(n, 12))
    latent[:, 10] = 0.7 * latent[:, 0] + 0.7 * latent[:, 10]  # areas and soils go with the height
    latent[:, 11] = 0.6 * latent[:, 0] + 0.3 * latent[:, 1] + 0.7 * latent[:, 11]
    integers = np.array([levels(x, count) for x, count in zip(latent.T, COVERTYPE_VALUES, strict=False)]).T
    area, soil = chosen(latent[:, 10], 4), chosen(latent[:, 11], 40)
    steps = np.round(2 * latent[:, :6]) / 2  # real classes have borders that follow the columns
    bends = steps[:, 0] + np.sin(2 * steps[:, 1]) + 0.5 * steps[:, 5] * (steps[:, 0] > 0)
    score = bends + area @ np.array([1.0, -0.7, 0.5, 0.3]) + 0.7 * soil @ rng.normal(size=40)
    target = np.digitize(score, [-2.5, -1.2, -0.3, 0.5, 1.4, 2.6])
    target = np.where(rng.random(n) < NOISE, rng.integers(0, 7, n), target)
    return case_of("covertype-like", np.hstack([integers, area, soil]), target, **choices)


def adult_like(n: int, *, as_categories: bool = False, **choices: Any) -> Case:
    """Return columns as adult has them, two classes. Categories are codes for scikit-learn, and for us on demand."""
    rng = np.random.default_rng(7)
    latent = rng.normal(size=(n, len(ADULT_VALUES)))
    latent[:, 4] = 0.8 * latent[:, 3] + 0.6 * latent[:, 4]
    latent[:, 10:12] -= 2.0  # capital gains and losses, 0 for most
    codes, score = [], np.zeros(n)
    for values, (count, is_category) in zip(latent.T, ADULT_VALUES, strict=True):
        column = levels(values, count)
        order = rng.permutation(count) if is_category else np.arange(count)  # the codes of categories say nothing
        codes.append(order[column])
        score += rng.normal() * np.sin(values) + 0.3 * values
    target = (score + latent[:, 0] * latent[:, 12] + rng.normal(size=n) > 3.0).astype(np.int64)
    features = np.array(codes).T
    if not as_categories:
        return case_of("adult-like codes", features, target, **choices)
    columns: dict[str, Any] = {
        f"x{place}": [f"c{code:02}" for code in column] if is_category else column
        for place, (column, (_, is_category)) in enumerate(zip(codes, ADULT_VALUES, strict=True))
    }
    columns["y"] = target
    table = Table.from_columns(columns)
    matrix = np.ascontiguousarray(features, dtype=np.float64)
    return Case("adult-like subsets", table, matrix, target, same=False, **choices)


def tiny() -> Case:
    """Return 15 rows."""
    rng = np.random.default_rng(7)
    features = rng.normal(size=(15, 4))
    return case_of("15 rows", features, (features[:, 0] > features[:, 1]).astype(np.int64), depths=(None,))


def bundled(name: str, goal: float | None = None) -> Case:
    """Return a data set that comes with scikit-learn."""
    features, target = getattr(datasets, f"load_{name}")(return_X_y=True)
    return case_of(name.replace("_", " "), features, target, depths=(3, None), goals=(None, goal))


# ---- adult itself


def adult_paths() -> list[Path]:
    """Return the two files of adult in the folder that TREERULES_DATA names; none without them."""
    paths = [Path(os.environ.get("TREERULES_DATA", ""), name) for name in ("adult_train.csv", "adult_test.csv")]
    return paths if all(path.is_file() for path in paths) else []


def adult_columns(n: int | None = None) -> list[Any]:
    """Return the columns of the first rows of adult that have no "?", the target last; integers or text."""
    rows = []
    for path in adult_paths():
        with path.open(encoding="utf-8", newline="") as file:
            rows += [[cell.strip().rstrip(".") for cell in row] for row in csv.reader(file) if len(row) == 15]
    columns = (np.array(column) for column in zip(*[r for r in rows if "?" not in r][:n], strict=True))
    return [column.astype(np.int64) if column[0].isdigit() else column for column in columns]


def adult(n: int | None = None, recipe: Callable[..., Any] | None = None, **choices: Any) -> Case:
    """Return adult: categories for us, one against the rest; one-hot columns for scikit-learn."""
    *columns, target = adult_columns(n)
    matrix = np.hstack([column[:, None] if column.dtype.kind == "i" else one_hot(column) for column in columns])
    named = {
        f"x{index}": column if column.dtype.kind == "i" else column.tolist() for index, column in enumerate(columns)
    }
    table = Table.from_columns({**named, "y": target.tolist()})
    recipe = recipe or partial(cart, categories="one_against_rest")
    return Case("adult", table, np.ascontiguousarray(matrix, dtype=np.float64), target, recipe=recipe, **choices)


def one_hot(column: Any) -> Any:
    """Return a column of 0 and 1 for each category."""
    return (column[:, None] == np.unique(column)).astype(np.float64)
