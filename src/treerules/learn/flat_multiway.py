"""From a tree in arrays to frozen nodes, where a split has a child for each category."""

from typing import Any

import numpy as np
from attrs import frozen

from treerules.learn.encoded import is_cut_in_order
from treerules.learn.known import groups_of, leaves_of, split_of
from treerules.learn.problem import Problem
from treerules.learn.recipe import Recipe
from treerules.nodes import garbage_uncollected
from treerules.parts import Groups
from treerules.schema import Feature
from treerules.tree import Leaf, Node

#: All categories of all features, and a missing value of each, are numbered in 16 bits.
_MOST_CELLS = 1 << 16
#: Keys of counts stay below this.
_MOST_KEYS = 1 << 62


@frozen(eq=False)
class Flat:
    """A tree as arrays, one row a node, every child after its parent; nodes that no row reaches are left out."""

    #: -1: a leaf
    feature: Any
    #: the first child and the one after the last, by number; the place of the largest among them
    child: Any
    end: Any
    largest: Any
    #: the category that a node has in its parent's feature, ascending among siblings
    code: Any
    #: class counts, shape (nodes, classes)
    counts: Any


def is_covered_multiway(problem: Problem, recipe: Recipe, validation: Any) -> bool:
    """Return whether the kernels for many children can grow what a recipe makes of a problem; else the reference does.

    They know a child for each category of all features, by information gain or gain ratio of classes that weigh the
    same, C4.5 as published too, all stops but that of leaves, and missing values that go to the larger child.
    """
    free = validation is None and not (recipe.monotone or recipe.feature_cost or recipe.prefer)
    plain = problem.weighing is not None and problem.weighing.is_plain and problem.weights is None
    return (
        free
        and plain
        and recipe.categories == "multiway"
        and recipe.criterion in ("information_gain", "entropy", "gain_ratio")
        and recipe.max_leaves is None
        and not any(is_cut_in_order(column.feature, recipe) for column in problem.columns)
        and (recipe.missing == "larger" or not any(column.n_missing for column in problem.columns))
        and sum(len(column.feature.categories) + 1 for column in problem.columns) <= _MOST_CELLS
    )


def root_of(flat: Flat, problem: Problem, recipe: Recipe) -> Node:
    """Return the root of a flat tree as frozen nodes. Nodes of equal counts share the leaf that they would be."""
    with garbage_uncollected():
        nodes: list[Any] = _leaves(flat.counts, problem)
        empty: dict[tuple[float, ...], Leaf] = {}
        parts = [_part(index, column.feature) for index, column in enumerate(problem.columns)]
        join = _joined_everywhere if recipe.quinlan else _joined
        codes, width = flat.code.tobytes(), flat.code.itemsize
        splits = np.flatnonzero(flat.feature >= 0)[::-1]
        fields = splits, flat.feature[splits], flat.child[splits], flat.end[splits], flat.largest[splits]
        for at, feature, first, end, largest in zip(*(field.tolist() for field in fields), strict=True):
            part, leaf, children = parts[feature], nodes[at], tuple(nodes[first:end])
            test = part.whole
            if end - first < len(test.groups):
                absent = empty.get(leaf.counts)
                if absent is None:
                    absent = empty[leaf.counts] = Leaf(leaf.prediction, (0,) * len(leaf.counts))
                test, children, largest = join(part, codes[first * width : end * width], children, absent, largest)
            nodes[at] = split_of(test, children, largest, largest if part.is_open else None, leaf)
    return nodes[0]  # type: ignore[no-any-return]


@frozen(eq=False)
class _Part:
    """What the splits of one feature share."""

    #: the test of all categories
    whole: Groups
    #: other tests, by the codes that are held, as bytes
    tests: dict[bytes, Groups]
    is_open: bool


def _part(index: int, feature: Feature) -> _Part:
    whole = Groups(index, [(code,) for code in range(len(feature.categories))])
    return _Part(whole, {}, feature.is_open)


def _joined(part: _Part, held: bytes, children: tuple[Node, ...], absent: Leaf, largest: int) -> Any:
    """Return the test, the children and the largest of a split whose absent categories share the last child."""
    test = part.tests.get(held)
    if test is None:
        codes, whole = _codes(held), part.whole
        others = set(range(len(whole.groups))).difference(codes)
        groups = (*[whole.groups[code] for code in codes], tuple(sorted(others)))
        test = part.tests[held] = groups_of(whole.feature, groups)
    return test, (*children, absent), largest


def _joined_everywhere(part: _Part, held: bytes, children: tuple[Node, ...], absent: Leaf, largest: int) -> Any:
    """Return the same of C4.5 as published: each absent category has a child of its own."""
    found: list[Node] = [absent] * len(part.whole.groups)
    codes = _codes(held)
    for code, child in zip(codes, children, strict=True):
        found[code] = child
    return part.whole, tuple(found), codes[largest]


def _codes(held: bytes) -> list[int]:
    return np.frombuffer(held, dtype=np.uint16).tolist()  # type: ignore[no-any-return]


def _leaves(counts: Any, problem: Problem) -> list[Leaf]:
    """Return the leaf that each node is or would be, one for all nodes of equal counts."""
    assert problem.weighing is not None
    _, places, which = np.unique(_keys(counts), return_index=True, return_inverse=True)
    leaves = np.empty(len(places), dtype=object)
    leaves[:] = leaves_of(counts[places].tolist(), problem.weighing)
    return leaves[which].tolist()  # type: ignore[no-any-return]


def _keys(counts: Any) -> Any:
    """Return a number for each row of counts, equal for equal ones."""
    keys = counts[:, 0].astype(np.int64)
    for column in counts.T[1:]:
        span = int(column.max()) + 1
        if int(keys.max()) >= _MOST_KEYS // span:
            keys = np.unique(keys, return_inverse=True)[1]
        keys = keys * span + column
    return keys
