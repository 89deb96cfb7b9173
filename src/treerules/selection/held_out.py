"""What a tree loses on rows that it was not learned from, whole or pruned at several alphas at once."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from math import fsum
from multiprocessing import get_context
from typing import Any

import numpy as np
from attrs import frozen

from treerules.errors import OptionError
from treerules.learn.problem import Problem
from treerules.learn.recipe import Recipe
from treerules.learn.whole import made
from treerules.parts import Label
from treerules.predict import rule_numbers
from treerules.prune.cost_complexity import collapse_alphas, reached
from treerules.prune.figures import Risk, as_leaf, checked_risk, own_cost
from treerules.prune.rpart import rpart_alphas
from treerules.table import Table
from treerules.tree import Leaf, Node, Split, Tree, descend
from treerules.weighing import Weighing

Progress = Callable[[int, int], None]


@frozen(eq=False)
class Losses:
    """Of the rows of a problem that a fold holds out: their numbers, and their loss, shape (alphas, rows)."""

    rows: Any
    losses: Any
    n_leaves: int


def risk_of_problem(problem: Problem, root: Leaf) -> Risk:
    """Return the risk of a leaf, summed over its rows: its label's cost as the whole problem weighs the classes, or
    the squared error.

    Raises:
        DataError: the squares of errors of about the root's are no floats.
    """
    weighing = problem.weighing
    return checked_risk(root) if weighing is None else lambda leaf: own_cost(leaf, weighing)


def held_out(
    problem: Problem,
    recipe: Recipe,
    folds: Any,
    alphas: Sequence[float],
    *,
    whole: bool = False,
    least: float | None = None,
    processes: int = 1,
    progress: Progress | None = None,
) -> list[Losses]:
    """Return, fold by fold, the losses of the rows left out. `alphas` are those of the whole problem's weight; with
    `whole` the trees are not pruned at any. With a `least` alpha they are pruned by rpart's shortcut.

    `progress` is called with (folds done, folds). More than one of `processes` learn folds side by side; Python starts
    each of them anew, so a script that asks for them needs the usual `if __name__ == "__main__":`.

    Raises:
        OptionError: `processes` is no whole number from 1, or a process died.
    """
    if isinstance(processes, bool) or not isinstance(processes, int) or processes < 1:
        raise OptionError("processes", processes, "a whole number from 1")
    n_folds = int(folds.max()) + 1
    run = partial(_of_fold, problem, recipe, folds, (-1.0,) if whole else tuple(alphas), least)
    found = []
    for done, losses in enumerate(_each(run, n_folds, processes), 1):
        found.append(losses)
        if progress is not None:
            progress(done, n_folds)
    return found


def _each(run: Callable[[int], Losses], n_folds: int, processes: int) -> Iterator[Losses]:
    if min(processes, n_folds) == 1:
        yield from map(run, range(n_folds))
        return
    try:
        with ProcessPoolExecutor(min(processes, n_folds), mp_context=get_context("spawn")) as pool:
            yield from pool.map(run, range(n_folds))
    except BrokenProcessPool as error:
        wanted = 'fewer, or put what your script does below if __name__ == "__main__":'
        raise OptionError("processes", processes, wanted) from error


def _of_fold(
    problem: Problem, recipe: Recipe, folds: Any, alphas: tuple[float, ...], least: float | None, fold: int
) -> Losses:
    out = np.flatnonzero(folds == fold)
    kept = problem.part(np.flatnonzero(folds != fold))
    tree = made(kept, recipe)
    share = _weight(kept) / _weight(problem)
    gone = alphas_of(tree, risk_of_problem(problem, as_leaf(tree.root)), None if least is None else least * share)
    ends = _ends(tree, gone, np.array(alphas) * share)
    rows = problem.part(out)
    rules = rule_numbers(tree, Table(rows.columns)) - 1
    return Losses(out, _losses(rows, tree, ends[:, rules]), tree.n_leaves)


def _weight(problem: Problem) -> float:
    return float(len(problem.target)) if problem.weights is None else float(problem.weights.sum())


def alphas_of(tree: Tree, risk: Risk, least: float | None) -> list[float]:
    """Return the alpha of each node: of the weakest link; with a `least`, by rpart's shortcut."""
    return collapse_alphas(tree.root, risk) if least is None else rpart_alphas(tree.root, risk, least=least)


def _ends(tree: Tree, gone: list[float], alphas: Any) -> Any:
    """Return the number of the node where the rows of each rule end when the tree is pruned at each alpha.

    Shape (alphas, rules).
    """
    number = -1
    found = []
    start, reach = np.full(len(alphas), -1, dtype=np.int64), reached(alphas)

    def ended(node: Node, above: Any) -> Any:
        nonlocal number
        number += 1
        stays = reach >= gone[number] if isinstance(node, Split) else np.ones(len(alphas), dtype=bool)
        return np.where((above < 0) & stays, number, above)

    contexts: dict[int, Any] = {}

    def step(split: Split, above: Any) -> list[Any]:
        return [contexts[id(split)]] * len(split.children)

    for node, above in descend(tree.root, start, step):
        here = ended(node, above)
        if isinstance(node, Leaf):
            found.append(here)
        else:
            contexts[id(node)] = here
    return np.stack(found, axis=1)


def _losses(rows: Problem, tree: Tree, ends: Any) -> Any:
    from treerules.tree import preorder

    leaves = [as_leaf(node) for node in preorder(tree.root)]
    if rows.weighing is None:
        values = np.array([leaf.prediction.value for leaf in leaves], dtype=np.float64)
        return np.square(values[ends] - rows.target)
    labels = np.array([rows.weighing.classes.index(_label(leaf)) for leaf in leaves])
    return _cost_matrix(rows.weighing)[rows.target, labels[ends]]


def _label(leaf: Leaf) -> Any:
    assert isinstance(leaf.prediction, Label)
    return leaf.prediction.value


def _cost_matrix(weighing: Weighing) -> Any:
    """Return what it costs to give a row of a class (first axis) a label (second), with the class's factor."""
    return np.array([weighing.cost_column(label) for label in range(len(weighing.classes))], dtype=np.float64).T


def sums_of(problem: Problem, parts: Sequence[Losses]) -> tuple[Any, Any]:
    """Return, for each alpha, the weighted sum of the losses and its standard error, over all rows held out.

    The standard error is that of rpart: of a sum of independent losses, sqrt(sum w l^2 - (sum w l)^2 / sum w).
    """
    losses = np.empty((len(parts[0].losses), len(problem.target)))
    for part in parts:
        losses[:, part.rows] = part.losses
    weights = np.ones(len(problem.target)) if problem.weights is None else problem.weights
    sums = np.array([fsum((line * weights).tolist()) for line in losses])
    squares = np.array([fsum((line * line * weights).tolist()) for line in losses])
    return sums, np.sqrt(np.maximum(squares - sums * sums / weights.sum(), 0.0))
