"""How fast is learning, beside scikit-learn?

A ratio is CPU time of `DecisionTree*.fit` over CPU time of `treerules.learn`: larger is better. Both start from
columns in memory, so both sort and build their nodes within the measured time. A row where the leaves or the training
impurity differ by more than 1% did not do equal work: it prints UNEQUAL in place of a ratio.
"""

import argparse
import csv
import gc
import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from math import ceil
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import numpy as np
from attrs import frozen
from sklearn import datasets
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from treerules import Recipe, Table, Tree, cart, learn, rule_numbers

#: scikit-learn breaks ties at random, so its leaves and impurity are medians over these seeds.
SEEDS = range(5)
#: A side is called repeatedly until it has used about so much CPU time, in seconds.
ENOUGH = 0.1
#: A round that takes longer, in seconds, is run only `FEW` times.
SLOW = 4.0
FEW = 3

Depth = int | None


# ---- measuring


@frozen
class Work:
    """What a tree amounts to: its leaves, and its training impurity as a share of the root's."""

    leaves: float
    impurity: float


def is_equal(a: float, b: float) -> bool:
    """Whether two figures differ by at most 1%; both being nothing but rounding counts as equal."""
    return abs(a - b) <= 0.01 * max(a, b) + 1e-9


def cpu(call: Callable[[], Any], repeat: int = 1) -> float:
    """Return the CPU seconds of one call."""
    gc.collect()
    start = process_time()
    for _ in range(repeat):
        call()
    return (process_time() - start) / repeat


def ratio(ours: Callable[[], Any], theirs: Callable[[int], Any], rounds: int) -> float:
    """Return CPU time of theirs over ours: the median of interleaved rounds. Theirs is given the round's number."""
    first = cpu(ours), cpu(partial(theirs, 0))
    repeats = [ceil(ENOUGH / max(seconds, 1e-6)) for seconds in first]
    quotients = []
    for seed in range(rounds if sum(first) < SLOW else min(rounds, FEW)):
        our_time, their_time = cpu(ours, repeats[0]), cpu(partial(theirs, seed), repeats[1])
        quotients.append(their_time / our_time)
    return median(quotients)


def impurity(target: Any, leaf: Any) -> float:
    """Return the squared error left when each row's leaf predicts its mean, as a share of the error without a tree.

    Gini is the squared error of the classes' indicators, so one sum serves both tasks.
    """
    columns = [target] if target.dtype.kind == "f" else [(target == c).astype(float) for c in np.unique(target)]
    _, leaf = np.unique(leaf, return_inverse=True)
    sizes = np.bincount(leaf)
    left = sum(np.square(y - (np.bincount(leaf, weights=y) / sizes)[leaf]).sum() for y in columns)
    return float(left / sum(np.square(y - y.mean()).sum() for y in columns))


# ---- the cases


@frozen(eq=False)
class Case:
    """A data set twice, as a Table whose target is "y" and as scikit-learn's arrays, and the depths to learn it to."""

    name: str
    table: Table
    features: Any
    target: Any
    depths: tuple[Depth, ...] = (6, 12, None)
    recipe: Callable[..., Recipe] = cart


def case_of(name: str, features: Any, target: Any, **choices: Any) -> Case:
    """Return the case of a matrix of numbers."""
    columns = {f"x{index}": column.copy() for index, column in enumerate(features.T)}
    matrix = np.ascontiguousarray(features, dtype=np.float64)
    return Case(name, Table.from_columns({**columns, "y": target}), matrix, target, **choices)


def signal(features: Any, rng: np.random.Generator) -> Any:
    """Return a target that interacts, bends and is noisy, so that a tree has something to find at every depth."""
    a, b, c, d = features.T[:4]
    return a * b + np.sin(2 * c) + d + rng.normal(size=len(features))


def continuous(n: int, width: int, *, is_regression: bool = False) -> Case:
    """Return normal columns, two classes or a regression."""
    rng = np.random.default_rng(7)
    features = rng.normal(size=(n, width))
    target = signal(features, rng)
    if is_regression:
        return case_of("regression", features, target)
    return case_of("continuous", features, (target > 0).astype(np.int64))


def covertype_like(n: int) -> Case:
    """Return 10 columns of 16 to 256 integers, 20 of two, and seven classes."""
    rng = np.random.default_rng(7)
    normal = rng.normal(size=(n, 30))
    ranges = np.array([256] * 4 + [64] * 3 + [16] * 3 + [2] * 20)
    levels = np.array(
        [np.searchsorted(np.linspace(-2, 2, r + 1)[1:-1], x) for r, x in zip(ranges, normal.T, strict=True)]
    ).T
    flags = levels[:, 10:14] @ np.array([1.0, -0.7, 0.5, 0.3])
    target = np.digitize(signal(normal, rng) + flags, [-2.5, -1.2, -0.3, 0.5, 1.4, 2.6])
    return case_of("covertype-like", levels, target)


def tiny() -> Case:
    """Return 15 rows."""
    rng = np.random.default_rng(7)
    features = rng.normal(size=(15, 4))
    return case_of("15 rows", features, (features[:, 0] > features[:, 1]).astype(np.int64), depths=(None,))


def bundled(name: str) -> Case:
    """Return a data set that comes with scikit-learn."""
    features, target = getattr(datasets, f"load_{name}")(return_X_y=True)
    return case_of(name.replace("_", " "), features, target, depths=(3, None))


def adult(paths: Iterable[Path], n: int | None) -> Case:
    """Return the first rows of the adult data that have no "?": categories for us, one-hot columns for scikit-learn."""
    rows = []
    for path in paths:
        with path.open(encoding="utf-8", newline="") as file:
            rows += [[cell.strip().rstrip(".") for cell in row] for row in csv.reader(file) if len(row) == 15]
    *columns, target = (np.array(column) for column in zip(*[r for r in rows if "?" not in r][:n], strict=True))
    columns = [column.astype(np.int64) if column[0].isdigit() else column for column in columns]
    matrix = np.hstack([column[:, None] if column.dtype.kind == "i" else one_hot(column) for column in columns])
    named = {
        f"x{index}": column if column.dtype.kind == "i" else column.tolist() for index, column in enumerate(columns)
    }
    table = Table.from_columns({**named, "y": target.tolist()})
    recipe = partial(cart, categories="one_against_rest")
    return Case("adult", table, np.ascontiguousarray(matrix, dtype=np.float64), target, recipe=recipe)


def one_hot(column: Any) -> Any:
    """Return a column of 0 and 1 for each category."""
    return (column[:, None] == np.unique(column)).astype(np.float64)


def cases(quick: bool) -> Iterator[Case]:
    """Yield every case in turn, so that one at a time is in memory."""
    n = 5_000 if quick else 50_000
    yield continuous(n, 20)
    if not quick:
        yield continuous(200_000, 10)
    yield continuous(n, 20, is_regression=True)
    yield covertype_like(n)
    folder = os.environ.get("TREERULES_DATA")
    if folder and Path(folder).is_dir():
        yield adult([Path(folder, name) for name in ("adult_train.csv", "adult_test.csv")], n)
    yield from map(bundled, ("breast_cancer", "wine", "iris", "diabetes"))
    yield tiny()


# ---- comparing


def our_fit(case: Case, depth: Depth) -> Tree:
    """Return the tree that treerules learns."""
    return learn(case.table, target="y", recipe=case.recipe(max_depth=depth))


def their_fit(case: Case, depth: Depth, seed: int) -> Any:
    """Return the model that scikit-learn fits."""
    model = DecisionTreeRegressor if case.target.dtype.kind == "f" else DecisionTreeClassifier
    return model(max_depth=depth, random_state=seed).fit(case.features, case.target)


def our_work(case: Case, tree: Tree) -> Work:
    """Return what our tree amounts to."""
    return Work(tree.n_leaves, impurity(case.target, rule_numbers(tree, case.table)))


def their_work(case: Case, depth: Depth) -> Work:
    """Return what scikit-learn's trees amount to."""
    models = [their_fit(case, depth, seed) for seed in SEEDS]
    return Work(
        median(int(model.get_n_leaves()) for model in models),
        median(impurity(case.target, model.apply(case.features)) for model in models),
    )


def compared(case: Case, depth: Depth, rounds: int) -> str:
    """Return the line of one case at one depth."""
    ours, theirs = our_work(case, our_fit(case, depth)), their_work(case, depth)
    result = "UNEQUAL"
    if is_equal(ours.leaves, theirs.leaves) and is_equal(ours.impurity, theirs.impurity):
        result = f"{ratio(partial(our_fit, case, depth), partial(their_fit, case, depth), rounds):.2f}"
    return line(case, depth, ours, theirs, result)


def compared_with_holes(whole: Case, depth: Depth, rounds: int) -> str:
    """Return the line of our own time on a whole table over our time when a fifth of its cells are missing.

    The trees see different cells, so their leaves alone are held equal.
    """
    rng = np.random.default_rng(11)
    holed = case_of(
        "20% missing", np.where(rng.random(whole.features.shape) < 0.2, np.nan, whole.features), whole.target
    )
    ours, theirs = (our_work(case, our_fit(case, depth)) for case in (holed, whole))
    result = "UNEQUAL"
    if is_equal(ours.leaves, theirs.leaves):
        result = f"{ratio(partial(our_fit, holed, depth), lambda _: our_fit(whole, depth), rounds):.2f}"
    return line(holed, depth, ours, theirs, result)


# ---- printing

_LAYOUT = "{:<15} {:>7} {:>4} {:>6} {:>11} {:>11} {:>13} {:>13} {:>8}"
HEADER = _LAYOUT.format(
    "data", "rows", "cols", "depth", "our leaves", "peer leaves", "our impurity", "peer impurity", "ratio"
)


def line(case: Case, depth: Depth, ours: Work, theirs: Work, result: str) -> str:
    """Return one aligned line."""
    rows, width = case.table.n_rows, len(case.table.columns) - 1
    impurities = f"{ours.impurity:.4f}", f"{theirs.impurity:.4f}"
    return _LAYOUT.format(case.name, rows, width, depth or "-", ours.leaves, theirs.leaves, *impurities, result)


def report(quick: bool) -> Iterator[str]:
    """Yield the lines of both tables."""
    rounds = 3 if quick else 5
    yield "peer: scikit-learn (impurity as a share of the root's; depth - is unlimited)"
    yield HEADER
    for case in cases(quick):
        yield from (compared(case, depth, rounds) for depth in case.depths)
    yield ""
    yield "peer: treerules itself without the missing values"
    yield HEADER
    whole = continuous(5_000 if quick else 50_000, 20)
    yield from (compared_with_holes(whole, depth, rounds) for depth in (3, 5))  # deeper trees differ too much


def main() -> None:
    parser = argparse.ArgumentParser(description="Learning beside scikit-learn, as ratios of CPU time.")
    parser.add_argument("--quick", action="store_true", help="smaller data and fewer rounds: under a minute")
    for text in report(parser.parse_args().quick):
        print(text, flush=True)


if __name__ == "__main__":
    main()
