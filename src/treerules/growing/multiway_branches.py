"""The tests and children of the splits of a multiway array tree: one child per category."""

from collections.abc import Iterable
from typing import Any

from attrs import frozen

from treerules.data.schema import Feature
from treerules.growing.array_tree import ArrayTree
from treerules.growing.problem import Problem
from treerules.recipes.recipe import Recipe
from treerules.trees.node_parts import CategoryTest
from treerules.trees.nodes import Leaf, Node

_Categories = tuple[int, ...]


@frozen(eq=False)
class _FeatureTests:
    """The tests of the splits by one feature."""

    #: the test with one branch for every category
    of_all: CategoryTest
    #: tests whose last branch takes all absent categories, by the categories that are present
    of_present: dict[_Categories, CategoryTest]
    n_categories: int
    is_open: bool


def multiway_branches(
    tree: ArrayTree, numbers: Any, nodes: list[Any], as_leaves: list[Leaf], problem: Problem, _recipe: Recipe
) -> tuple[Iterable[Any], ...]:
    """Return the tests, the children, the child of missing values and that of unseen ones, for each split.

    Args:
        tree: A multiway tree.
        numbers: The numbers of its splits.
        nodes: All nodes by number.
        as_leaves: The leaf that each split would be.
        problem: The learning problem of the tree.
    """
    empty_leaves: dict[tuple[float, ...], Leaf] = {}
    features = [_tests_of_feature(index, column.feature) for index, column in enumerate(problem.columns)]
    add_absent = _each_absent if tree.has_child_of_each else _one_for_absent
    categories = tuple(tree.category.tolist())
    tests, branches, missing, unseen = [], [], [], []
    first, n_children = tree.first_child[numbers], tree.n_children[numbers]
    arrays = tree.feature[numbers], first, first + n_children, tree.missing_child[numbers]
    for leaf, index, start, stop, child in zip(as_leaves, *(values.tolist() for values in arrays), strict=True):
        feature, children = features[index], tuple(nodes[start:stop])
        test = feature.of_all
        if stop - start < feature.n_categories:
            empty = empty_leaves.get(leaf.counts)
            if empty is None:
                empty = empty_leaves[leaf.counts] = Leaf(leaf.prediction, (0,) * len(leaf.counts))
            test, children, child = add_absent(feature, categories[start:stop], children, empty, child)
        tests.append(test)
        branches.append(children)
        missing.append(child)
        unseen.append(child if feature.is_open else None)
    return tests, branches, missing, unseen


def _tests_of_feature(index: int, feature: Feature) -> _FeatureTests:
    """Return the tests of a feature, as yet only that of all categories."""
    of_all = CategoryTest(index, [(category,) for category in range(len(feature.categories))])
    return _FeatureTests(of_all, {}, len(of_all.groups), feature.is_open)


def _one_for_absent(
    feature: _FeatureTests, present: _Categories, children: tuple[Node, ...], empty: Leaf, largest: int
) -> Any:
    """Return test, children and largest child of a split whose absent categories share a last, empty child."""
    test = feature.of_present.get(present)
    if test is None:
        of_all = feature.of_all
        absent = set(range(feature.n_categories)).difference(present)
        groups = (*[of_all.groups[category] for category in present], tuple(sorted(absent)))
        test = feature.of_present[present] = CategoryTest(of_all.feature, groups)
    return test, (*children, empty), largest


def _each_absent(
    feature: _FeatureTests, present: _Categories, children: tuple[Node, ...], empty: Leaf, largest: int
) -> Any:
    """Return test, children and largest child of a split where each absent category has an empty child of its own."""
    with_empty: list[Node] = [empty] * feature.n_categories
    for category, child in zip(present, children, strict=True):
        with_empty[category] = child
    return feature.of_all, tuple(with_empty), present[largest]
