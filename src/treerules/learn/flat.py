"""From a tree in arrays to a tree of frozen nodes, made once, from the leaves up.

The figures of all nodes are made here, by the functions that make those of the reference's nodes.
"""

from collections.abc import Sequence
from itertools import repeat
from operator import attrgetter
from typing import Any

import numpy as np
from attrs import frozen

from treerules.learn.known import blank, fill, leaves_of
from treerules.learn.problem import Problem
from treerules.learn.recipe import Recipe
from treerules.nodes import garbage_uncollected
from treerules.parts import Groups, Mean, Test, Threshold
from treerules.schema import Feature, Kind, at_ordinate
from treerules.tree import Leaf, Node, Split
from treerules.weighing import Weighing

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
    """Return the root of a flat tree as frozen nodes. Splits of equal counts share the leaf they would be."""
    with garbage_uncollected():
        nodes: list[Any] = _means(flat.figures) if problem.weighing is None else _labels(flat, problem.weighing)
        at = np.flatnonzero(flat.kind)
        places, first, feature = at.tolist(), flat.child[at], flat.feature[at]
        is_open = np.array([feature.is_open for feature in problem.schema.features])
        collapsed = list(map(nodes.__getitem__, places))
        splits = blank(Split, len(places))
        for place, split in zip(places, splits, strict=True):
            nodes[place] = split
        children = zip(*(map(nodes.__getitem__, (first + side).tolist()) for side in (0, 1)), strict=True)
        unseen: list[Any] = np.where(is_open[feature], flat.largest[at], np.array(None)).tolist()
        fill(Split, splits, _tests(flat, at, problem, recipe), children, flat.to[at].tolist(), unseen, collapsed)
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


def _labels(flat: Flat, weighing: Weighing) -> list[Leaf]:
    """Return the leaf that each node of a classification is or would be."""
    counts = flat.figures if (flat.figures % 1).any() else flat.figures.astype(np.int64)
    rows = list(zip(*counts.T.tolist(), strict=True))
    by_counts = leaves_of(rows, weighing)
    nodes = list(map(by_counts.__getitem__, rows))
    ends = np.flatnonzero(flat.kind == LEAF).tolist()
    found = list(map(nodes.__getitem__, ends))
    fields = (map(attrgetter(name), found) for name in ("prediction", "counts"))
    own = fill(Leaf, blank(Leaf, len(ends)), *fields)
    for place, leaf in zip(ends, own, strict=True):
        nodes[place] = leaf
    return nodes


def _means(figures: Any) -> list[Leaf]:
    """Return the leaf that each node of a regression is or would be; figures are weight, mean, standard deviation."""
    n, weights = len(figures), figures[:, 0]
    whole: list[float] = (weights if (weights % 1).any() else weights.astype(np.int64)).tolist()
    counts = {weight: (weight,) for weight in set(whole)}
    sds = [sd or 0.0 for sd in figures[:, 2].tolist()]  # half of them are 0: one object
    means = fill(Mean, blank(Mean, n), figures[:, 1].tolist(), sds)
    return fill(Leaf, blank(Leaf, n), means, map(counts.__getitem__, whole))


# ---- tests


def _tests(flat: Flat, at: Any, problem: Problem, recipe: Recipe) -> list[Any]:
    """Return the test of each split, which stand at these places of a flat tree."""
    tests: list[Any] = [None] * len(at)
    kinds, features = flat.kind[at], flat.feature[at]
    for index, feature in enumerate(problem.schema.features):
        those = np.flatnonzero(features == index)
        cuts = those[kinds[those] == CUT]
        thresholds = thresholds_between(feature, *_around(flat, at[cuts], problem))
        for place, test in zip(cuts.tolist(), _cuts(index, feature, thresholds), strict=True):
            tests[place] = test
        for place in those[kinds[those] == APART].tolist():
            tests[place] = _apart(index, feature)
        divided = those[kinds[those] == GROUPS]
        sides, largest = flat.low[at[divided]].tolist(), flat.largest[at[divided]].tolist()
        for place, row, to in zip(divided.tolist(), sides, largest, strict=True):
            tests[place] = _groups(index, flat.sides[row], to)
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


def _cuts(index: int, feature: Feature, thresholds: list[Any]) -> list[Any]:
    """Return the tests of cuts of one feature; those of categories are shared."""
    if feature.is_ordered:
        return fill(Threshold, blank(Threshold, len(thresholds)), repeat(index), thresholds)
    n = len(feature.categories)
    tests = {at: Groups(index, (range(at + 1), range(at + 1, n))) for at in set(thresholds)}
    return [tests[threshold] for threshold in thresholds]


def _apart(index: int, feature: Feature) -> Test:
    if feature.is_ordered:
        return Threshold(index, feature.highest)
    return Groups(index, (range(len(feature.categories)), ()))


def _groups(index: int, sides: Any, largest: int) -> Test:
    sides = np.where(sides == 2, largest, sides)
    return Groups(index, [np.flatnonzero(sides == side).tolist() for side in (0, 1)])
