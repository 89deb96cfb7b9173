"""From a tree in arrays to a tree of frozen nodes, made once, from the leaves up.

The figures of all nodes are made here, by the functions that make those of the reference's nodes.
"""

from collections.abc import Iterable, Sequence
from itertools import compress, repeat
from operator import attrgetter
from typing import Any

import numpy as np
from attrs import frozen

from treerules.data.schema import Feature, Kind, at_ordinate
from treerules.growing.criterion_support import refusal_in_one_step
from treerules.growing.encoding import threshold_between
from treerules.growing.problem import Problem
from treerules.growing.refusals import common_reasons, first_of
from treerules.growing.unchecked import blank, fill, leaves_of
from treerules.recipes.recipe import Recipe
from treerules.trees.class_weighting import Weighing
from treerules.trees.node_parts import CategoryTest, MeanPrediction, Test, ThresholdTest
from treerules.trees.nodes import garbage_uncollected
from treerules.trees.tree import Leaf, Node, Split

#: What a node of a flat tree is: a leaf, a cut, the known values against the missing ones, groups of categories.
LEAF, CUT, APART, GROUPS = range(_KINDS := 4)
#: The kernels have so many bits for a row and its class.
BITS = 30
#: Differences of greater targets may be no floats.
_MOST = 2.0**1020
#: The kernels sort held categories by insertion, which more would make slow; classes have 16 bits; and each node has
#: room for the count of each class, so many in all.
_MOST_CATEGORIES, _MOST_CLASSES, _MOST_COUNTS = 1000, 1 << 16, 1 << 27
#: So few cuts of a feature are quicker one by one.
_FEW = 4
#: Translations of sides in bytes: where absent categories, 2, go to a side, and where sides change places.
_ABSENT_TO = tuple(bytes.maketrans(b"\2", bytes([to])) for to in (0, 1))
_CHANGED = bytes.maketrans(b"\0\1", b"\1\0")


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


def root_of(flat: Flat, problem: Problem) -> Node:
    """Return the root of a flat tree as frozen nodes. Splits of equal counts share the leaf they would be."""
    with garbage_uncollected():
        nodes: list[Any] = _means(flat.figures) if problem.weighing is None else _labels(flat, problem.weighing)
        at = flat.kind.nonzero()[0]
        places, first, feature = at.tolist(), flat.child[at], flat.feature[at]
        is_open = [feature.is_open for feature in problem.schema.features]
        collapsed = list(map(nodes.__getitem__, places))
        splits = blank(Split, len(places))
        for place, split in zip(places, splits, strict=True):
            nodes[place] = split
        children = zip(*(map(nodes.__getitem__, (first + side).tolist()) for side in (0, 1)), strict=True)
        unseen: Iterable[Any] = repeat(None)
        if any(is_open):
            unseen = np.where(np.array(is_open)[feature], flat.largest[at], np.array(None)).tolist()
        fill(Split, splits, _tests(flat, at, problem), children, flat.to[at].tolist(), unseen, collapsed)
    return nodes[0]  # type: ignore[no-any-return]


def kernel_refusal(problem: Problem, recipe: Recipe, validation: Any) -> str | None:
    """Return why the kernels cannot grow what a recipe makes of a problem; None where they can.

    They know cuts and divisions in two subsets by squares, or by Gini or entropy of classes that weigh the same, all
    stops but that of leaves, and missing values that go to the larger child or where they help most.
    """
    n, n_classes = len(problem.target), len(problem.schema.classes)
    far = problem.weighing is None and max(abs(problem.target[0]), abs(problem.target[-1])) > _MOST
    unscored = refusal_in_one_step(recipe.scoring_of(problem.weighing is None))
    bits = max(1, (n - 1).bit_length()) + max(0, (n_classes - 1).bit_length())
    return first_of(
        [
            *common_reasons(problem, recipe, validation),
            (recipe.quinlan, "C4.5 as published is asked for"),
            (bool(far), f"targets beyond {_MOST:.0e} have differences that may be no floats"),
            (not recipe.is_binary, "splits may have more than two children"),
            (unscored is not None, unscored or ""),
            (recipe.average_gain, "the average gain bounds the choice"),
            (recipe.missing not in ("larger", "learned", "error"), f"missing values are treated as {recipe.missing!r}"),
            (
                any(len(column.feature.categories) > _MOST_CATEGORIES for column in problem.columns),
                f"a feature has more than {_MOST_CATEGORIES} categories",
            ),
            (n_classes > _MOST_CLASSES, f"there are more than {_MOST_CLASSES} classes"),
            (n * n_classes > _MOST_COUNTS, f"rows times classes are more than {_MOST_COUNTS}"),
            (bits > BITS, f"a row and its class need more than {BITS} bits"),
        ]
    )


# ---- figures


def _labels(flat: Flat, weighing: Weighing) -> list[Leaf]:
    """Return the leaf that each node of a classification is or would be."""
    whole = flat.figures.astype(np.int64)
    counts = whole if (whole == flat.figures).all() else flat.figures
    rows = list(zip(*counts.T.tolist(), strict=True))
    by_counts = leaves_of(rows, weighing)
    nodes = list(map(by_counts.__getitem__, rows))
    ends = (flat.kind == LEAF).nonzero()[0].tolist()
    found = list(map(nodes.__getitem__, ends))
    fields = (map(attrgetter(name), found) for name in ("prediction", "counts"))
    own = fill(Leaf, blank(Leaf, len(ends)), *fields, repeat(None))
    for place, leaf in zip(ends, own, strict=True):
        nodes[place] = leaf
    return nodes


def _means(figures: Any) -> list[Leaf]:
    """Return the leaf that each node of a regression is or would be; figures are weight, mean, standard deviation."""
    n, weights = len(figures), figures[:, 0]
    whole: list[float] = (weights if (weights % 1).any() else weights.astype(np.int64)).tolist()
    counts = {weight: (weight,) for weight in set(whole)}
    sds = [sd or 0.0 for sd in figures[:, 2].tolist()]  # half of them are 0: one object
    means = fill(MeanPrediction, blank(MeanPrediction, n), figures[:, 1].tolist(), sds)
    return fill(Leaf, blank(Leaf, n), means, map(counts.__getitem__, whole), repeat(None))


# ---- tests


def _tests(flat: Flat, at: Any, problem: Problem) -> list[Any]:
    """Return the test of each split, which stand at these places of a flat tree.

    They are made together that ask for one feature in one way; features that no split asks for take no time.
    """
    keys = (flat.feature[at] * _KINDS + flat.kind[at]).astype(_smallest(_KINDS * len(problem.columns)))
    order = keys.argsort(kind="stable")
    sizes = np.bincount(keys)
    found: list[Any] = []
    low, high, largest = (field[at[order]] for field in (flat.low, flat.high, flat.largest))
    for key in sizes.nonzero()[0].tolist():
        index, kind = divmod(key, _KINDS)
        feature, size = problem.schema.features[index], int(sizes[key])
        own = slice(len(found), len(found) + size)
        if kind == CUT:
            thresholds = _thresholds(feature, problem.columns[index].data, low[own], high[own])
            found += _cuts(index, feature, thresholds)
        elif kind == APART:
            found += [_apart(index, feature)] * size
        else:
            sides = map(flat.sides.__getitem__, low[own].tolist())
            found += _groups(index, sides, largest[own].tolist())
    tests: list[Any] = [None] * len(at)
    for place, test in zip(order.tolist(), found, strict=True):
        tests[place] = test
    return tests


def _smallest(n: int) -> Any:
    """Return the type of n keys to sort: numpy sorts those of 16 bits by their digits."""
    return np.uint16 if n <= 1 << 16 else np.int64


def _thresholds(feature: Feature, data: Any, low: Any, high: Any) -> list[Any]:
    """Return where a feature is cut between pairs of rows: few by the reference's own function."""
    if len(low) > _FEW:
        return thresholds_between(feature, data[low], data[high])
    return [threshold_between(feature, data, *pair) for pair in zip(low.tolist(), high.tolist(), strict=True)]


def thresholds_between(feature: Feature, low: Any, high: Any) -> list[Any]:
    """Return where a feature is cut between pairs of values a < b: as `encoding.threshold_between`, for many at once.

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
    if feature.is_ordered and len(thresholds) <= _FEW:
        return list(map(ThresholdTest, repeat(index), thresholds))
    if feature.is_ordered:
        return fill(ThresholdTest, blank(ThresholdTest, len(thresholds)), repeat(index), thresholds)
    n = len(feature.categories)
    tests = {at: CategoryTest(index, (range(at + 1), range(at + 1, n))) for at in set(thresholds)}
    return [tests[threshold] for threshold in thresholds]


def _apart(index: int, feature: Feature) -> Test:
    if feature.is_ordered:
        return ThresholdTest(index, feature.highest)
    return CategoryTest(index, (range(len(feature.categories)), ()))


def _groups(index: int, sides: Iterable[Any], largest: list[int]) -> list[Any]:
    """Return the tests of divisions of one feature, by the side of each category, a byte; equal ones are shared."""
    keys = [side.tobytes().translate(_ABSENT_TO[to]) for side, to in zip(sides, largest, strict=True)]
    tests, whole = dict.fromkeys(keys), tuple(range(len(keys[0])))  # which share their numbers
    groups = [tuple(tuple(compress(whole, side)) for side in (key.translate(_CHANGED), key)) for key in tests]
    made = fill(CategoryTest, blank(CategoryTest, len(tests)), repeat(index), groups)
    return list(map(dict(zip(tests, made, strict=True)).__getitem__, keys))
