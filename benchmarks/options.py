"""CPU time of options and of kinds of tables that a plain tree does not have.

    python benchmarks/options.py [--quick]

A ratio is the CPU time of the plain tree of the same table (or of scikit-learn, on the codes of categories: an easier
task) divided by that of the option, both interleaved on one thread, kernels loaded: larger is better.
"""

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, product
from typing import Any

import numpy as np
from measuring import judged, ratio, warm
from sklearn.tree import DecisionTreeClassifier

from treerules import Recipe, Table, c45, cart, learn

#: The rounds of a ratio.
_ROUNDS = 5


def weighted_table(n: int) -> Table:
    """Return eight heavy-tailed columns and two classes, one of them rare."""
    random = np.random.default_rng(1)
    x = random.standard_t(3, size=(n, 8))
    is_rare = x[:, 0] + x[:, 1] * x[:, 2] + random.normal(size=n) > 1.5
    return Table.from_columns({**{f"x{j}": x[:, j] for j in range(8)}, "y": np.where(is_rare, "yes", "no").tolist()})


def mixed_table(n: int) -> Table:
    """Return four numbers of two decimals, four columns of six categories, and two classes."""
    random = np.random.default_rng(2)
    x, c = np.round(random.normal(size=(n, 4)), 2), random.integers(0, 6, size=(n, 4))
    signal = x[:, 0] + (c[:, 0] == 2) + x[:, 1] * (c[:, 1] > 3) + random.normal(size=n)
    columns: dict[str, Any] = {f"x{j}": x[:, j] for j in range(4)}
    columns |= {f"c{j}": [f"k{code}" for code in c[:, j]] for j in range(4)}
    return Table.from_columns({**columns, "y": np.where(signal > 0, "yes", "no").tolist()})


def number_table(n: int) -> Table:
    """Return eight heavy-tailed columns, and a number of two decimals."""
    random = np.random.default_rng(5)
    x = random.standard_t(3, size=(n, 8))
    signal = x[:, 0] + x[:, 1] * x[:, 2] + random.normal(size=n)
    return Table.from_columns({**{f"x{j}": x[:, j] for j in range(8)}, "y": np.round(signal, 2)})


def category_table(n: int, n_categories: int, n_classes: int) -> tuple[Table, Any, Any]:
    """Return a column of categories and a number, and the same as a matrix of codes, with the target."""
    random = np.random.default_rng(3)
    effects, codes = random.normal(size=(n_categories, n_classes)), random.integers(0, n_categories, n)
    z = random.normal(size=n)
    scores = effects[codes] + z[:, None] * np.linspace(-1, 1, n_classes) + random.gumbel(size=(n, n_classes))
    target = scores.argmax(axis=1)
    cells = {"c": [f"k{code:04}" for code in codes], "z": z, "y": [f"y{label}" for label in target]}
    return Table.from_columns(cells), np.column_stack([codes, z]), target


def _grown(table: Table, recipe: Recipe, weight: Any = None, _seed: int = 0) -> Any:
    return learn(table, target="y", recipe=recipe, weight=weight, compiled=True)


#: A name, our fit, the fit that it is compared with, and the goal of the ratio.
Fits = Iterator[tuple[str, Callable[[], Any], Callable[[int], Any], float]]


def weighted_fits(n: int) -> Fits:
    """Yield trees of weighted classes and rows, beside plain ones."""
    table, random = weighted_table(n), np.random.default_rng(4)
    for depth in (8, None):
        plain, text = partial(_grown, table, cart(max_depth=depth), None), f"depth {depth or '-'}"
        balanced = cart(max_depth=depth, class_weight="balanced")
        yield f"balanced classes, {text}", partial(_grown, table, balanced), plain, 0.67
        for name, weights in (
            ("whole weights", random.integers(1, 5, n)),
            ("weights of two decimals", random.integers(1, 100, n) / 100),
            ("weights of doubles", random.random(n) + 0.01),
        ):
            yield f"{name}, {text}", partial(_grown, table, cart(max_depth=depth), weights), plain, 0.67


def bounded_fits(n: int) -> Fits:
    """Yield trees of monotone features, costs of features, weighted regressions and best-first growth."""
    tables = {"classes": weighted_table(n), "numbers": number_table(n)}
    weights = np.random.default_rng(6).random(n) + 0.01
    options: dict[str, Any] = {"monotone": {"monotone": {"x0": 1}}, "feature costs": {"feature_cost": {"x0": 2.0}}}
    for depth in (6, 12):
        for (kind, table), (name, choice) in product(tables.items(), options.items()):
            plain = partial(_grown, table, cart(max_depth=depth), None)
            yield f"{name}, {kind}, depth {depth}", partial(_grown, table, cart(max_depth=depth, **choice)), plain, 0.5
        plain, recipe = partial(_grown, tables["numbers"], cart(max_depth=depth), None), cart(max_depth=depth)
        weighted = partial(_grown, tables["numbers"], recipe, weights)
        yield f"weights of doubles, numbers, depth {depth}", weighted, plain, 0.5
    for kind, table in tables.items():
        plain = partial(_grown, table, cart(max_depth=6), None)
        yield f"50 leaves best first, {kind}", partial(_grown, table, cart(max_leaves=50)), plain, 0.5


def category_fits(n: int) -> Fits:
    """Yield trees of categories: C4.5 beside a plain tree, and subsets of many classes beside scikit-learn."""
    mixed = mixed_table(n)
    plain = partial(_grown, mixed, cart(), None)
    yield "C4.5 as published on mixed columns", partial(_grown, mixed, c45(quinlan=True, unpruned=True)), plain, 0.33
    yield "c45 on mixed columns, beside cart", partial(_grown, mixed, c45()), plain, 0.33
    for n_categories, n_classes, goal in ((8, 5, 1.0), (100, 5, 1.0), (2_000, 5, 0.5), (2_000, 2, 1.0)):
        table, features, target = category_table(n, n_categories, n_classes)
        yield (
            f"{n_categories} categories, {n_classes} classes, depth 12",
            partial(_grown, table, cart(max_depth=12)),
            partial(_sklearn, features, target),
            goal,
        )


def fits(quick: bool) -> Fits:
    """Yield all fits."""
    n = 2_000 if quick else 100_000
    return chain(weighted_fits(n), bounded_fits(n), category_fits(2_000 if quick else 20_000))


def _sklearn(features: Any, target: Any, seed: int) -> Any:
    return DecisionTreeClassifier(max_depth=12, random_state=seed).fit(features, target)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure options beside plain trees.")
    parser.add_argument("--quick", action="store_true", help="small data, for a check that all runs")
    quick = parser.parse_args().quick
    warm()
    print(f"    {'':44} {'ratio':>8} {'goal':>5}")
    for name, ours, theirs, goal in fits(quick):
        ours()
        print(f"    {name:44} {judged(ratio(ours, theirs, 1 if quick else _ROUNDS), goal)}", flush=True)


if __name__ == "__main__":
    main()
