"""The tests and children of the splits of a binary array tree."""

from collections.abc import Iterable
from itertools import compress, repeat
from typing import Any

import numpy as np

from treerules.data.column import Column
from treerules.data.schema import Feature
from treerules.growing.array_tree import ABSENT, CUT, MISSING_TEST, N_KINDS, ArrayTree
from treerules.growing.problem import Problem
from treerules.growing.thresholds import threshold_between, thresholds_between
from treerules.growing.unchecked import allocate, assign_fields
from treerules.recipes.recipe import Recipe
from treerules.trees.node_parts import CategoryTest, Test, ThresholdTest
from treerules.trees.nodes import Leaf

#: Up to this many cuts of a feature are computed faster one by one than with numpy.
_FEW = 4
#: Translations of sides in bytes: absent categories go to a child (0 or 1); the children change places.
_ABSENT_TO = tuple(bytes.maketrans(bytes([ABSENT]), bytes([child])) for child in (0, 1))
_SWAPPED = bytes.maketrans(b"\0\1", b"\1\0")


def binary_branches(
    tree: ArrayTree, numbers: Any, nodes: list[Any], _as_leaves: list[Leaf], problem: Problem, recipe: Recipe
) -> tuple[Iterable[Any], ...]:
    """Return the tests, the children, the child of missing values and that of unseen ones, for each split.

    Args:
        tree: A binary tree.
        numbers: The numbers of its splits.
        nodes: All nodes by number.
        problem: The learning problem of the tree.
        recipe: Its recipe, which names the form of thresholds.
    """
    first, feature = tree.first_child[numbers], tree.feature[numbers]
    children = zip(*(map(nodes.__getitem__, (first + child).tolist()) for child in (0, 1)), strict=True)
    is_open = [feature.is_open for feature in problem.schema.features]
    unseen: Iterable[Any] = repeat(None)
    if any(is_open):
        unseen = np.where(np.array(is_open)[feature], tree.largest_child[numbers], np.array(None)).tolist()
    return _tests(tree, numbers, problem, recipe), children, tree.missing_child[numbers].tolist(), unseen


def _tests(tree: ArrayTree, numbers: Any, problem: Problem, recipe: Recipe) -> list[Any]:
    """Return the test of each split; tests of one feature and kind are made together."""
    keys = (tree.feature[numbers] * N_KINDS + tree.kind[numbers]).astype(_key_type(N_KINDS * len(problem.columns)))
    order = keys.argsort(kind="stable")
    sizes = np.bincount(keys)
    in_order: list[Any] = []
    low, high, largest = (field[numbers[order]] for field in (tree.low, tree.high, tree.largest_child))
    for key in sizes.nonzero()[0].tolist():
        index, kind = divmod(key, N_KINDS)
        feature, size = problem.schema.features[index], int(sizes[key])
        own = slice(len(in_order), len(in_order) + size)
        if kind == CUT:
            thresholds = cut_thresholds(problem.columns[index], recipe.thresholds, low[own], high[own])
            in_order += _cut_tests(index, feature, thresholds)
        elif kind == MISSING_TEST:
            in_order += [_missing_test(index, feature)] * size
        else:
            sides = map(tree.sides.__getitem__, low[own].tolist())
            in_order += _subset_tests(index, sides, largest[own].tolist())
    tests: list[Any] = [None] * len(numbers)
    for position, test in zip(order.tolist(), in_order, strict=True):
        tests[position] = test
    return tests


def _key_type(n: int) -> Any:
    """Return the type of sort keys below n: numpy sorts 16-bit integers in linear time."""
    return np.uint16 if n <= 1 << 16 else np.int64


def cut_thresholds(column: Column, form: str, low: Any, high: Any) -> list[Any]:
    """Return the threshold of each cut of a column between the values of two rows; shapes (cuts,).

    Args:
        column: the column of the problem; categories are cut between their positions.
        form: the form of thresholds that the recipe asks for.
        low: the rows that hold the values below the cuts.
        high: the rows that hold those above.
    """
    values = np.unique(column.data[~column.missing]) if form == "data" else ()
    below, above = column.data[low], column.data[high]
    if len(low) > _FEW:
        return thresholds_between(column.feature, form, below, above, values)
    pairs = zip(below.tolist(), above.tolist(), strict=True)
    return [threshold_between(column.feature, form, *pair, values) for pair in pairs]


def _cut_tests(index: int, feature: Feature, thresholds: list[Any]) -> list[Any]:
    """Return the tests of cuts of one feature; equal tests of categories are shared."""
    if feature.is_ordered and len(thresholds) <= _FEW:
        return list(map(ThresholdTest, repeat(index), thresholds))
    if feature.is_ordered:
        return assign_fields(ThresholdTest, allocate(ThresholdTest, len(thresholds)), repeat(index), thresholds)
    n = len(feature.categories)
    tests = {last: CategoryTest(index, (range(last + 1), range(last + 1, n))) for last in set(thresholds)}
    return [tests[threshold] for threshold in thresholds]


def _missing_test(index: int, feature: Feature) -> Test:
    """Return the test that sends all known values to the first child."""
    if feature.is_ordered:
        return ThresholdTest(index, feature.highest)
    return CategoryTest(index, (range(len(feature.categories)), ()))


def _subset_tests(index: int, sides: Iterable[Any], largest: list[int]) -> list[Any]:
    """Return the tests of splits by subsets of one feature's categories; equal tests are shared.

    Absent categories go to the largest child.
    """
    keys = [side.tobytes().translate(_ABSENT_TO[child]) for side, child in zip(sides, largest, strict=True)]
    tests, categories = dict.fromkeys(keys), tuple(range(len(keys[0])))
    groups = [tuple(tuple(compress(categories, side)) for side in (key.translate(_SWAPPED), key)) for key in tests]
    distinct = assign_fields(CategoryTest, allocate(CategoryTest, len(tests)), repeat(index), groups)
    return list(map(dict(zip(tests, distinct, strict=True)).__getitem__, keys))
