"""What the benchmarks share: CPU time, rounds that take turns, equal work, goals, and a data set with its two fits."""

import gc
from collections.abc import Callable
from functools import partial
from math import ceil
from statistics import median
from time import process_time
from typing import Any

import numpy as np
from attrs import frozen
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from treerules import Recipe, Table, Tree, apply, cart, learn

#: scikit-learn breaks ties at random, so its leaves and impurity are medians over these seeds.
SEEDS = range(5)
#: A side is called repeatedly until it has used about so much CPU time, in seconds.
ENOUGH = 0.1

Depth = int | None


# ---- time


def cpu(call: Callable[[], Any], repeat: int = 1) -> float:
    """Return the CPU seconds of one call, those of all its threads together."""
    gc.collect()
    start = process_time()
    for _ in range(repeat):
        call()
    return (process_time() - start) / repeat


@frozen
class Race:
    """The median CPU seconds of the two sides, and the median of what theirs took over ours, round by round."""

    ours: float
    theirs: float
    ratio: float


def race_of(pairs: list[tuple[float, float]]) -> Race:
    """Return the race of rounds (our seconds, their seconds)."""
    ours, theirs = zip(*pairs, strict=True)
    return Race(median(ours), median(theirs), median(b / a for a, b in pairs))


def race(ours: Callable[[], Any], theirs: Callable[[int], Any], rounds: int) -> Race:
    """Return the times of two calls that take turns. Theirs is given the round's number.

    Ours is called once before, so that nothing is compiled within the measured time.
    """
    ours()
    first = cpu(ours), cpu(partial(theirs, 0))
    repeats = [ceil(ENOUGH / max(seconds, 1e-6)) for seconds in first]
    pairs = [first] if max(repeats) == 1 else []  # a long call needs no second try
    for seed in range(len(pairs), rounds):
        pairs.append((cpu(ours, repeats[0]), cpu(partial(theirs, seed), repeats[1])))
    return race_of(pairs)


def ratio(ours: Callable[[], Any], theirs: Callable[[int], Any], rounds: int) -> float:
    """Return CPU time of theirs over ours: the median of rounds that take turns."""
    return race(ours, theirs, rounds).ratio


# ---- equal work


@frozen
class Work:
    """What a tree amounts to: its leaves, and its training impurity as a share of the root's."""

    leaves: float
    impurity: float

    def equals(self, other: "Work") -> bool:
        """Whether both figures differ by at most 1%."""
        return is_equal(self.leaves, other.leaves) and is_equal(self.impurity, other.impurity)


def is_equal(a: float, b: float) -> bool:
    """Whether two figures differ by at most 1%; both being nothing but rounding counts as equal."""
    return abs(a - b) <= 0.01 * max(a, b) + 1e-9


def impurity(target: Any, leaf: Any) -> float:
    """Return the squared error left when each row's leaf predicts its mean, as a share of the error without a tree.

    Gini is the squared error of the classes' indicators, so one sum serves both tasks.
    """
    columns = [target] if target.dtype.kind == "f" else [(target == c).astype(float) for c in np.unique(target)]
    _, leaf = np.unique(leaf, return_inverse=True)
    sizes = np.bincount(leaf)
    left = sum(np.square(y - (np.bincount(leaf, weights=y) / sizes)[leaf]).sum() for y in columns)
    return float(left / sum(np.square(y - y.mean()).sum() for y in columns))


# ---- goals


def judged(figure: float | None, goal: float | None, *, at_most: bool = False) -> str:
    """Return a figure beside its goal, and whether it is met; None is UNEQUAL work, which meets no goal."""
    said = " UNEQUAL" if figure is None else f"{figure:8.2f}"
    if goal is None:
        return f"{said} {'-':>5}"
    met = figure is not None and (figure <= goal if at_most else figure >= goal)
    return f"{said} {goal:>5g} {'met' if met else 'missed'}"


# ---- a data set and its fits


@frozen(eq=False)
class Case:
    """A data set twice, as a Table whose target is "y" and as scikit-learn's arrays, and the depths to learn it to.

    `goals` are the ratios wanted at those depths. `same` says whether both search the same partitions; where they do
    not, their work cannot be equal, and the ratio is printed all the same.
    """

    name: str
    table: Table
    features: Any
    target: Any
    depths: tuple[Depth, ...] = (6, 12, None)
    goals: tuple[float | None, ...] = (None, None, None)
    recipe: Callable[..., Recipe] = cart
    same: bool = True


def our_fit(case: Case, depth: Depth, *, threads: int = 1, compiled: bool | None = None) -> Tree:
    """Return the tree that treerules learns."""
    return learn(case.table, target="y", recipe=case.recipe(max_depth=depth), compiled=compiled, threads=threads)


def warm() -> None:
    """Load the kernels, if numba is installed, so that small tables use them too."""
    table = Table.from_columns({"x": [0.5, 1.5, 2.5], "y": [0, 1, 0]})
    learn(table, target="y", recipe=cart(), compiled=True)


def their_fit(case: Case, depth: Depth, seed: int) -> Any:
    """Return the model that scikit-learn fits."""
    model = DecisionTreeRegressor if case.target.dtype.kind == "f" else DecisionTreeClassifier
    return model(max_depth=depth, random_state=seed).fit(case.features, case.target)


def our_work(case: Case, tree: Tree) -> Work:
    """Return what our tree amounts to."""
    return Work(tree.n_leaves, impurity(case.target, apply(tree, case.table)))


def their_work(case: Case, models: list[Any]) -> Work:
    """Return what scikit-learn's trees amount to."""
    return Work(
        median(int(model.get_n_leaves()) for model in models),
        median(impurity(case.target, model.apply(case.features)) for model in models),
    )
