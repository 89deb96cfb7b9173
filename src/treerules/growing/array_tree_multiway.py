"""From a tree in arrays to frozen nodes, where a split has a child for each category."""

from typing import Any

import numpy as np
from attrs import frozen

from treerules.data.schema import Feature
from treerules.growing.criterion_support import refusal_for_many_children
from treerules.growing.encoding import is_cut_in_order
from treerules.growing.problem import Problem
from treerules.growing.refusals import common_reasons, first_of
from treerules.growing.unchecked import blank, fill, leaves_of
from treerules.recipes.recipe import Recipe
from treerules.trees.node_parts import CategoryTest
from treerules.trees.nodes import garbage_uncollected
from treerules.trees.tree import Leaf, Node, Split

#: All categories of all features, and a missing value of each, are numbered in 16 bits.
_MOST_CELLS = 1 << 16
#: Keys of counts stay below this.
_MOST_KEYS = 1 << 62

_Codes = tuple[int, ...]


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


def multiway_refusal(problem: Problem, recipe: Recipe, validation: Any) -> str | None:
    """Return why the kernels for many children cannot grow what a recipe makes of a problem; None where they can.

    They know a child for each category of all features, by information gain or gain ratio of classes that weigh the
    same, C4.5 as published too, all stops but that of leaves, and missing values that go to the larger child.
    """
    unscored = refusal_for_many_children(recipe.scoring)
    has_missing = any(column.n_missing for column in problem.columns)
    n_cells = sum(len(column.feature.categories) + 1 for column in problem.columns)
    return first_of(
        [
            *common_reasons(problem, recipe, validation),
            (problem.weighing is None, "the target is a number"),
            (recipe.categories != "multiway", "categories are not divided into a child each"),
            (unscored is not None, unscored or ""),
            (any(is_cut_in_order(column.feature, recipe) for column in problem.columns), "a feature is cut in order"),
            (recipe.missing != "larger" and has_missing, f"missing values are treated as {recipe.missing!r}"),
            (n_cells > _MOST_CELLS, f"the features have more than {_MOST_CELLS} categories in all"),
        ]
    )


def root_of(flat: Flat, problem: Problem, recipe: Recipe) -> Node:
    """Return the root of a flat tree as frozen nodes. Nodes of equal counts share the leaf that they would be."""
    with garbage_uncollected():
        nodes: list[Any] = _leaves(flat.counts, problem)
        empty: dict[tuple[float, ...], Leaf] = {}
        parts = [_part(index, column.feature) for index, column in enumerate(problem.columns)]
        join = _joined_everywhere if recipe.quinlan else _joined
        codes = tuple(flat.code.tolist())
        at = np.flatnonzero(flat.feature >= 0)
        places = at.tolist()
        collapsed, splits = list(map(nodes.__getitem__, places)), blank(Split, len(places))
        for place, split in zip(places, splits, strict=True):
            nodes[place] = split
        tests, below, to, unseen = [], [], [], []
        fields = (field[at].tolist() for field in (flat.feature, flat.child, flat.end, flat.largest))
        for leaf, feature, first, end, largest in zip(collapsed, *fields, strict=True):
            part, test, children = parts[feature], parts[feature].whole, tuple(nodes[first:end])
            if end - first < part.n:
                absent = empty.get(leaf.counts)
                if absent is None:
                    absent = empty[leaf.counts] = Leaf(leaf.prediction, (0,) * len(leaf.counts))
                test, children, largest = join(part, codes[first:end], children, absent, largest)
            tests.append(test)
            below.append(children)
            to.append(largest)
            unseen.append(largest if part.is_open else None)
        fill(Split, splits, tests, below, to, unseen, collapsed)
    return nodes[0]  # type: ignore[no-any-return]


@frozen(eq=False)
class _Part:
    """What the splits of one feature share."""

    #: the test of all categories
    whole: CategoryTest
    #: other tests, by the codes that are held
    tests: dict[_Codes, CategoryTest]
    #: how many categories there are
    n: int
    is_open: bool


def _part(index: int, feature: Feature) -> _Part:
    whole = CategoryTest(index, [(code,) for code in range(len(feature.categories))])
    return _Part(whole, {}, len(whole.groups), feature.is_open)


def _joined(part: _Part, held: _Codes, children: tuple[Node, ...], absent: Leaf, largest: int) -> Any:
    """Return the test, the children and the largest of a split whose absent categories share the last child."""
    test = part.tests.get(held)
    if test is None:
        whole = part.whole
        others = set(range(part.n)).difference(held)
        groups = (*[whole.groups[code] for code in held], tuple(sorted(others)))
        test = part.tests[held] = CategoryTest(whole.feature, groups)
    return test, (*children, absent), largest


def _joined_everywhere(part: _Part, held: _Codes, children: tuple[Node, ...], absent: Leaf, largest: int) -> Any:
    """Return the same of C4.5 as published: each absent category has a child of its own."""
    found: list[Node] = [absent] * part.n
    for code, child in zip(held, children, strict=True):
        found[code] = child
    return part.whole, tuple(found), held[largest]


def _leaves(counts: Any, problem: Problem) -> list[Leaf]:
    """Return the leaf that each node is or would be, one for all nodes of equal counts."""
    assert problem.weighing is not None
    _, places, which = np.unique(_keys(counts), return_index=True, return_inverse=True)
    leaves = list(leaves_of(list(map(tuple, counts[places].tolist())), problem.weighing).values())
    return list(map(leaves.__getitem__, which.tolist()))


def _keys(counts: Any) -> Any:
    """Return a number for each row of counts, equal for equal ones."""
    keys = counts[:, 0].astype(np.int64)
    for column in counts.T[1:]:
        span = int(column.max()) + 1
        if int(keys.max()) >= _MOST_KEYS // span:
            keys = np.unique(keys, return_inverse=True)[1]
        keys = keys * span + column
    return keys
