"""From a tree in arrays to a tree of frozen nodes, made once, from the leaves up.

The figures of all nodes are made here, by the functions that make those of the reference's nodes.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import frozen

from treerules.learn.known import leaf_of, leaves_of, mean_of, split_of, threshold_of
from treerules.learn.problem import Problem
from treerules.learn.recipe import Recipe
from treerules.nodes import garbage_uncollected
from treerules.parts import Groups, Test, Threshold
from treerules.schema import Feature, Kind, at_ordinate
from treerules.tree import Leaf, Node

#: What a node of a flat tree is: a leaf, a cut, the known values against the missing ones, groups of categories.
LEAF, CUT, APART, GROUPS = range(4)
#: The kernels have so many bits for a row and its class.
BITS = 30
#: Differences of greater targets may be no floats.
_MOST = 2.0**1020
#: The kernels sort held categories by insertion, which more would make slow; classes have 16 bits; and each node has
#: room for the count of each class, so many in all.
_MOST_CATEGORIES, _MOST_CLASSES, _MOST_COUNTS = 1000, 1 << 16, 1 << 27


@frozen(eq=False)
class Flat:
    """A tree as arrays, one row a node, every child after its parent."""

    kind: Any
    feature: Any
    #: of cuts: the values next to them, by feature; of groups, a row of `sides`
    low: Any
    high: Any
    #: the children that missing values and, of groups, absent categories go to
    to: Any
    largest: Any
    #: the row of the first child, which the second one follows
    child: Any
    #: class counts, shape (nodes, classes), or weight, mean and standard deviation of a regression
    figures: Any
    #: by a node's groups: the child of each category, 2 where it is absent
    sides: Sequence[Any]


def root_of(flat: Flat, problem: Problem, recipe: Recipe) -> Node:
    """Return the root of a flat tree as frozen nodes."""
    with garbage_uncollected():
        leaves = _means(flat.figures) if problem.weighing is None else _labels(flat.figures, problem)
        tests = _tests(flat, problem, recipe)
        is_open = [feature.is_open for feature in problem.schema.features]
        unseen = [
            largest if is_open[feature] else None
            for largest, feature in zip(flat.largest.tolist(), flat.feature.tolist(), strict=True)
        ]
        nodes: list[Any] = leaves.copy()
        to, child = flat.to.tolist(), flat.child.tolist()
        for at in reversed(np.flatnonzero(flat.kind).tolist()):
            first = child[at]
            nodes[at] = split_of(tests[at], (nodes[first], nodes[first + 1]), to[at], unseen[at], leaves[at])
    return nodes[0]  # type: ignore[no-any-return]


def is_covered(problem: Problem, recipe: Recipe, validation: Any) -> bool:
    """Return whether the kernels can grow what a recipe makes of a problem; else the reference does, all of it.

    They know cuts and divisions in two subsets by squares, or by Gini or entropy of classes that weigh the same, all
    stops but that of leaves, and missing values that go to the larger child or where they help most.
    """
    n, n_classes = len(problem.target), len(problem.schema.classes)
    free = validation is None and not (recipe.monotone or recipe.feature_cost or recipe.prefer or recipe.quinlan)
    plain = problem.weights is None and (problem.weighing is None or problem.weighing.is_plain)
    if problem.weighing is None:
        plain = plain and bool(max(abs(problem.target[0]), abs(problem.target[-1])) <= _MOST)
    return (
        free
        and plain
        and recipe.is_binary
        and recipe.criterion in ("gini", "entropy", "information_gain")
        and not recipe.average_gain
        and recipe.missing in ("larger", "learned", "error")
        and recipe.max_leaves is None
        and all(len(column.feature.categories) <= _MOST_CATEGORIES for column in problem.columns)
        and n_classes <= _MOST_CLASSES
        and n * n_classes <= _MOST_COUNTS
        and max(1, (n - 1).bit_length()) + max(0, (n_classes - 1).bit_length()) <= BITS
    )


# ---- figures


def _labels(counts: Any, problem: Problem) -> list[Leaf]:
    """Return the leaf that each node of a classification is or would be."""
    assert problem.weighing is not None
    return leaves_of((counts if (counts % 1).any() else counts.astype(np.int64)).tolist(), problem.weighing)


def _means(figures: Any) -> list[Leaf]:
    """Return the leaf that each node of a regression is or would be; figures are weight, mean, standard deviation."""
    n = figures[:, 0]
    weights = n.tolist() if (n % 1).any() else n.astype(np.int64).tolist()
    return [
        leaf_of(mean_of(mean, sd), (weight,))
        for weight, mean, sd in zip(weights, figures[:, 1].tolist(), figures[:, 2].tolist(), strict=True)
    ]


# ---- tests


def _tests(flat: Flat, problem: Problem, recipe: Recipe) -> list[Any]:
    """Return the test of each split, in the places of the nodes."""
    tests: list[Any] = [None] * len(flat.kind)
    for index, feature in enumerate(problem.schema.features):
        at = np.flatnonzero((flat.kind != LEAF) & (flat.feature == index))
        if not len(at):
            continue
        cuts = at[flat.kind[at] == CUT]
        for place, threshold in zip(
            cuts.tolist(), thresholds_between(feature, *_around(flat, cuts, problem)), strict=True
        ):
            tests[place] = _cut(index, feature, threshold)
        for place in at[flat.kind[at] == APART].tolist():
            tests[place] = _apart(index, feature)
        for place in at[flat.kind[at] == GROUPS].tolist():
            tests[place] = _groups(index, flat.sides[int(flat.low[place])], int(flat.largest[place]))
    return tests


def _around(flat: Flat, cuts: Any, problem: Problem) -> tuple[Any, Any]:
    """Return the values next to cuts of one feature, which are given as rows of the problem that hold them."""
    data = problem.columns[int(flat.feature[cuts[0]])].data if len(cuts) else np.empty(0, dtype=np.int64)
    return data[flat.low[cuts]], data[flat.high[cuts]]


def thresholds_between(feature: Feature, low: Any, high: Any) -> list[Any]:
    """Return where a feature is cut between pairs of values a < b: as `encoded.threshold_between`, for many at once.

    Categories are given by their positions.
    """
    if feature.kind is Kind.NUMBER:
        with np.errstate(over="ignore", invalid="ignore"):
            middle = (low + high) / 2
            fits = (low <= middle) & (middle < high) & np.isfinite(middle)
        return np.where(fits, middle, low).tolist()  # type: ignore[no-any-return]
    middle = (low & high) + ((low ^ high) >> 1)  # the floor of the mean, whose sum may be beyond 64 bits
    if feature.kind in (Kind.DATE, Kind.TIMESTAMP):
        return [at_ordinate(feature.scalar, each) for each in middle.tolist()]
    return middle.tolist()  # type: ignore[no-any-return]


def _cut(index: int, feature: Feature, threshold: Any) -> Test:
    if feature.is_ordered:
        return threshold_of(index, threshold)
    return Groups(index, (range(threshold + 1), range(threshold + 1, len(feature.categories))))


def _apart(index: int, feature: Feature) -> Test:
    if feature.is_ordered:
        return Threshold(index, feature.highest)
    return Groups(index, (range(len(feature.categories)), ()))


def _groups(index: int, sides: Any, largest: int) -> Test:
    sides = np.where(sides == 2, largest, sides)
    return Groups(index, [np.flatnonzero(sides == side).tolist() for side in (0, 1)])
