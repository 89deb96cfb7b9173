"""How fast is predicting, beside scikit-learn?

A ratio is CPU time of scikit-learn's `predict` on an array over CPU time of `treerules.predict` on a Table of the same
rows: larger is better. Both trees are learned from the same rows to the same depth; where their leaves or the share of
training rows that they label right differ by more than 1% the row prints UNEQUAL in place of its ratios. Missing
cells are met only when predicting: both send them to the child of most rows. Where we have categories scikit-learn has
their codes, so those trees are not the same, and the ratio is printed all the same.

`compiled` is with numba, loaded; `first` is that too, for a tree that was never asked before, which is laid out as flat
arrays within the measured time; `numpy` is without numba.
"""

import argparse
from collections.abc import Iterator
from copy import copy
from functools import partial
from typing import Any

import numpy as np
from attrs import frozen
from cases import adult_like, continuous, with_holes
from measuring import Case, Depth, is_equal, judged, our_fit, race, their_fit

from treerules import Table, Tree, predict

#: The ratios wanted: with numba, and without.
GOALS = (1.0, 1 / 3)


@frozen(eq=False)
class Pair:
    """Two trees of one data set, ours and scikit-learn's, and the share of its rows that each labels right."""

    case: Case
    tree: Tree
    model: Any
    right: tuple[float, float]

    @property
    def leaves(self) -> tuple[int, int]:
        """The leaves of both."""
        return self.tree.n_leaves, int(self.model.get_n_leaves())

    @property
    def is_equal(self) -> bool:
        """Whether both do equal work, as far as it can be."""
        return not self.case.same or (is_equal(*self.leaves) and is_equal(*self.right))


def pair_of(case: Case, depth: Depth) -> Pair:
    """Return both trees of a case."""
    tree, model = our_fit(case, depth), their_fit(case, depth, 0)
    labels = predict(tree, case.table), model.predict(case.features)
    ours, theirs = (float(np.mean(found == case.target)) for found in labels)
    return Pair(case, tree, model, (ours, theirs))


def predict_anew(tree: Tree, table: Table) -> Any:
    """Return the predictions of a copy of a tree, which has no routing table yet."""
    return predict(copy(tree), table, compiled=True)


def compared(pair: Pair, name: str, table: Table, array: Any, rounds: int) -> str:
    """Return the line of a pair of trees and the rows to predict."""
    ratios: list[float | None] = [None] * 3
    if pair.is_equal:
        compiled = partial(predict, pair.tree, table, compiled=True)
        plain = partial(predict, pair.tree, table, compiled=False)
        calls = (compiled, partial(predict_anew, pair.tree, table), plain)
        ratios = [race(call, lambda _: pair.model.predict(array), rounds).ratio for call in calls]
    with_numba, first, without = ratios
    figures = judged(with_numba, GOALS[0]), judged(first, None), judged(without, round(GOALS[1], 2))
    right = (f"{share:.4f}" for share in pair.right)
    return _LAYOUT.format(name, table.n_rows, len(array[0]), *pair.leaves, *right, *figures)


_LAYOUT = "{:<20} {:>9} {:>5} {:>7} {:>7} {:>7} {:>7} {:<22} {:<16} {:<22}"
HEADER = _LAYOUT.format("data", "rows", "cols", "ours", "peer", "right", "peer", "compiled goal", "first", "numpy goal")


def report(quick: bool) -> Iterator[str]:
    """Yield the lines of the table."""
    n, rounds = (10_000, 3) if quick else (100_000, 5)
    yield "peer: scikit-learn (leaves of both, the share of training rows that both label right, ratios)"
    yield HEADER
    case = continuous(n, 20)
    more = continuous(10 * n, 20)  # other rows, so that they are not in the order of the training rows
    holed = with_holes(case)
    for depth in (3, 7, 11, 18):
        pair = pair_of(case, depth)
        yield compared(pair, case.name, case.table, case.features, rounds)
        yield compared(pair, holed.name, holed.table, holed.features, rounds)
        yield compared(pair, case.name, more.table, more.features, rounds)
    case = adult_like(n, as_categories=True)
    for depth in (3, 7, 12):
        yield compared(pair_of(case, depth), case.name, case.table, case.features, rounds)


def main() -> None:
    parser = argparse.ArgumentParser(description="Predicting beside scikit-learn, as ratios of CPU time.")
    parser.add_argument("--quick", action="store_true", help="fewer rows and rounds: under a minute")
    for text in report(parser.parse_args().quick):
        print(text, flush=True)


if __name__ == "__main__":
    main()
