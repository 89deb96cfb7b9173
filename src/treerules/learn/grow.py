"""Growing a tree: one unfold, whose step makes a node of the rows that reach it."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from math import frexp, fsum, ldexp, sqrt
from typing import Any, cast

import numpy as np
from attrs import frozen

from treerules.criteria import Base, entropy, gini
from treerules.learn.encoded import Encoded, encoded, threshold_between
from treerules.learn.offers import Bag, Candidate
from treerules.learn.problem import Problem
from treerules.learn.recipe import Recipe
from treerules.learn.splits import best_split, gain_of, scaled
from treerules.parts import Groups, Label, Mean, Prediction, Test, Threshold
from treerules.schema import Schema
from treerules.tree import Leaf, Node, Split, Tree, unfold

Progress = Callable[[int, int], None]


@frozen(eq=False)
class Seed:
    """The rows that reach a node, its depth, and the leaf of its parent (which an empty node copies)."""

    rows: Any
    order: Any
    depth: int
    parent: Leaf | None


@frozen(eq=False)
class Choice:
    """What a seed would become: a leaf, or a split of it; found when its turn in best-first growth is asked for."""

    leaf: Leaf
    split: Candidate | None
    #: how much the split takes away from the tree's impurity: rows times the node's gain
    decrease: Fraction | float


def grow(problem: Problem, recipe: Recipe, progress: Progress | None = None) -> Tree:
    """Return the tree that a recipe learns from a problem; `progress` hears (rows in leaves, all rows)."""
    data = encoded(problem, recipe)
    n_rows, settled, n_leaves = len(problem.target), 0, 1
    scratch = np.zeros(n_rows, dtype=np.int8 if recipe.is_binary else np.int32)

    def stop(leaf: Leaf, n: int) -> Leaf:
        nonlocal settled
        settled += n
        if progress is not None:
            progress(settled, n_rows)
        return leaf

    def step(seed: Seed) -> Leaf | tuple[Callable[[tuple[Node, ...]], Node], list[Seed]]:
        nonlocal n_leaves
        choice = choices.pop(id(seed), None) or _choice(data, seed, problem.schema, recipe)
        best = choice.split
        if best is None:
            return stop(choice.leaf, len(seed.rows))
        test = _test(data, best, problem.schema, recipe)
        if recipe.max_leaves is not None and n_leaves + test.arity - 1 > recipe.max_leaves:
            return stop(choice.leaf, len(seed.rows))
        n_leaves += test.arity - 1
        return _divided(data, scratch, seed, choice.leaf, best, test, problem.schema)

    choices: dict[int, Choice] = {}  # of the seeds that wait

    def most_first(seed: Seed) -> Any:
        choice = choices[id(seed)] = _choice(data, seed, problem.schema, recipe)
        return -choice.decrease

    start = np.arange(n_rows, dtype=np.int32)
    with _garbage_uncollected():
        priority = None if recipe.max_leaves is None else most_first
        root = unfold(Seed(start, data.presorted, 0, None), step, priority=priority)
    return Tree(problem.schema, root, recipe, problem.notes)


def _choice(data: Encoded, seed: Seed, schema: Schema, recipe: Recipe) -> Choice:
    """Return what a seed becomes, as far as its own rows decide."""
    n = len(seed.rows)
    if n == 0:
        return Choice(Leaf(cast(Leaf, seed.parent).prediction, [0] * max(1, data.n_classes)), None, 0)
    leaf = _leaf(data, seed.rows, schema)
    if _is_pure(data, seed.rows) or n < recipe.min_samples_split or seed.depth == recipe.max_depth:
        return Choice(leaf, None, 0)
    bag = _bag(data, seed, leaf, recipe)
    best = best_split(data, bag, recipe) if bag.impurity >= scaled(recipe.min_impurity, data, bag) else None
    if best is None or recipe.max_leaves is None:
        return Choice(leaf, best, 0)
    return Choice(leaf, best, n * gain_of(data, bag, best, recipe))


@contextmanager
def _garbage_uncollected() -> Iterator[None]:
    """Pause the garbage collector, which would look through all nodes again and again; they make no cycles."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _is_pure(data: Encoded, rows: Any) -> bool:
    """Whether all rows have the same target; they stand in its order."""
    return bool(data.target[rows[0]] == data.target[rows[-1]])


def _bag(data: Encoded, seed: Seed, leaf: Leaf, recipe: Recipe) -> Bag:
    if not data.is_regression:
        measure = gini(leaf.counts) if recipe.criterion == "gini" else entropy(leaf.counts, cast(Base, recipe.base))
        return Bag(seed.rows, seed.order, 0.0, 0, np.flatnonzero(leaf.counts), measure)
    low, centre, high = (float(data.target[seed.rows[at]]) for at in (0, len(seed.rows) // 2, -1))
    exponent = -frexp(high - low)[1]
    sd = ldexp(cast(Mean, leaf.prediction).sd, exponent - data.exponent)
    return Bag(seed.rows, seed.order, centre, exponent, np.empty(0, dtype=np.int64), sd * sd)


# ---- figures


def _leaf(data: Encoded, rows: Any, schema: Schema) -> Leaf:
    if data.is_regression:
        return Leaf(_mean(data, rows), (len(rows),))
    counts = np.bincount(data.target[rows], minlength=data.n_classes).tolist()
    return Leaf(label_of(counts, schema), counts)


def label_of(counts: list[float], schema: Schema) -> Label:
    """Return the most frequent class, the first on ties, and the share of each."""
    total = sum(counts)
    most = max(counts) - 1e-12 * total
    winner = next(position for position, count in enumerate(counts) if count >= most)
    return Label(schema.classes[winner], [count / total for count in counts])


def _mean(data: Encoded, rows: Any) -> Prediction:
    """Return the mean and standard deviation; the sums are correctly rounded, so the order of rows is nothing."""
    values = data.target[rows]
    if values[0] == values[-1]:
        return Mean(ldexp(values[0], data.exponent), 0.0)
    exponent = frexp(max(abs(values[0]), abs(values[-1])))[1]  # they stand in their order
    values = np.ldexp(values, -exponent)
    mean = fsum(values.tolist()) / len(rows)
    sd = sqrt(fsum(np.square(values - mean).tolist()) / len(rows))
    return Mean(ldexp(mean, exponent + data.exponent), ldexp(sd, exponent + data.exponent))


# ---- dividing


def _divided(
    data: Encoded, scratch: Any, seed: Seed, leaf: Leaf, best: Candidate, test: Test, schema: Schema
) -> tuple[Callable[[tuple[Node, ...]], Node], list[Seed]]:
    """Return how the children join, and their seeds: missing and unseen values go to the largest child."""
    largest = _largest(best)
    scratch[seed.rows] = _sides(data, seed.rows, best, test, largest)  # the child of each row of this node
    by_row, by_order = scratch.take(seed.rows, mode="clip"), scratch.take(seed.order, mode="clip")
    seeds = []
    for child in range(test.arity):
        rows = seed.rows.take((by_row == child).nonzero()[0])
        order = seed.order.take((by_order == child).ravel().nonzero()[0]).reshape(len(data.cut), len(rows))
        seeds.append(Seed(rows, order, seed.depth + 1, leaf))
    unseen = largest if schema.features[best.feature].is_open else None

    def join(children: tuple[Node, ...]) -> Node:
        return Split(test, children, largest, unseen, leaf)

    return join, seeds


def _largest(best: Candidate) -> int:
    """Return the child with most rows of known value, the first on ties."""
    return best.sizes.index(max(best.sizes))


def _test(data: Encoded, best: Candidate, schema: Schema, recipe: Recipe) -> Test:
    feature = schema.features[best.feature]
    n = len(feature.categories)
    if best.is_cut:
        row = int(np.searchsorted(data.cut, best.feature))
        threshold = threshold_between(feature, data.values[row], best.sides[0][0], best.sides[1][0])
        if feature.is_ordered:
            return Threshold(best.feature, threshold)
        return Groups(best.feature, (range(threshold + 1), range(threshold + 1, n)))
    sides = [list(side) for side in best.sides]
    absent = sorted(set(range(n)).difference(*sides))
    if not absent:
        return Groups(best.feature, sides)
    if not recipe.is_binary:
        return Groups(best.feature, [*sides, absent])
    largest = _largest(best)
    sides[largest] = sorted(sides[largest] + absent)
    return Groups(best.feature, sides)


def _sides(data: Encoded, rows: Any, best: Candidate, test: Test, largest: int) -> Any:
    """Return the child of each row."""
    if best.is_cut:
        row = int(np.searchsorted(data.cut, best.feature))
        codes = data.cut_codes[row][rows]
        sides = (codes > best.sides[0][0]).astype(np.int8)
        sides[codes == data.n_values[row]] = largest  # missing
        return sides
    groups = cast(Groups, test).groups
    child_of = np.full(1 + sum(len(group) for group in groups), largest, dtype=np.int32)  # the last: missing, code -1
    for child, group in enumerate(groups):
        child_of[list(group)] = child
    return child_of[data.group_codes[data.grouped.index(best.feature)][rows]]
