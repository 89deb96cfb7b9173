"""The regions of a tree's nodes: the values of each feature with which a row gets there, small enough to search.

    x <= 5        interval region   (intervals, unseen, missing)   (((None, 5),), False, False)
    c in {a, b}   category region   (mask, unseen, missing)        (0b011, False, False)

Rules say the same in conditions that people read; a bit mask divides thousands of categories in one step.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from toolz import unique

from treerules.data.schema import Feature, Schema
from treerules.trees.node_parts import CategoryTest, OrderedTest
from treerules.trees.nodes import Leaf, Node, Split
from treerules.trees.tree import Tree
from treerules.trees.walkers import descend, with_child_numbers

#: Pairs of the greatest value below an interval and its greatest value; None is no bound.
Pairs = tuple[tuple[Any, Any], ...]
#: Of an ordered feature: its intervals, no unseen values, and whether missing values are in the region. Of categories:
#: their bit mask, unseen values, missing values.
Values = tuple[Any, bool, bool]
#: The known values of an ordered feature that no test has divided.
_ALL: Pairs = ((None, None),)
#: The values of each feature that some split above tested, by the feature's position.
Region = Mapping[int, Values]
#: Returns the children that rows of a region reach, each with its part of the region.
Dividing = Callable[[Split, Region], list[tuple[int, Region]]]


def divider_of(schema: Schema) -> Dividing:
    """Return a function that divides the region of a split among its children, without those that no row reaches."""
    everything = [_everything(feature) for feature in schema.features]
    masks: dict[int, list[int]] = {}  # of each split, which the tree keeps alive

    def divide(split: Split, region: Region) -> list[tuple[int, Region]]:
        index = split.test.feature
        values = region.get(index, everything[index])
        if not isinstance(split.test, CategoryTest):
            parts = _cut(split, split.test, values, schema.features[index])
        else:
            groups = masks.get(id(split))
            if groups is None:
                groups = masks[id(split)] = [sum(1 << place for place in group) for group in split.test.groups]
            parts = _divided(split, groups, values)
        return [(child, {**region, index: part}) for child, part in parts]

    return divide


def _everything(feature: Feature) -> Values:
    return (_ALL, False, True) if feature.is_ordered else everything_of_categories(feature)


def everything_of_categories(feature: Feature) -> Values:
    """Return all values of a feature with categories."""
    return (1 << len(feature.categories)) - 1, feature.is_open, True


def _cut(split: Split, test: OrderedTest, values: Values, feature: Feature) -> Iterator[tuple[int, Values]]:
    """Yield the parts of an ordered feature's values that reach each child."""
    rest, _, missing = values
    known: list[Pairs] = [(), (), ()]
    turn = test.lowest_child
    for threshold in test.thresholds:
        low, rest = cut_pairs(rest, threshold, feature)
        known[turn] += low
        turn = 1 - turn
    known[turn] += rest
    for child in range(len(split.children)):
        part = known[child], False, missing and child == split.missing
        if part[0] or part[2]:
            yield child, part


def cut_pairs(pairs: Pairs, threshold: Any, feature: Feature) -> tuple[Pairs, Pairs]:
    """Return the parts of intervals up to a threshold and above it."""
    low = tuple(
        (above, threshold if upto is None or threshold < upto else upto)
        for above, upto in pairs
        if above is None or above < threshold
    )
    high = tuple(
        (threshold if above is None or above < threshold else above, upto)
        for above, upto in pairs
        if threshold < (feature.highest if upto is None else upto)
    )
    return low, high


def _divided(split: Split, groups: Sequence[int], values: Values) -> Iterator[tuple[int, Values]]:
    """Yield the parts of a feature's categories that reach each child."""
    mask, unseen, missing = values
    for child in range(len(split.children)):
        known = mask & groups[child] if child < len(groups) else 0
        part = known, unseen and child == split.unseen, missing and child == split.missing
        if any(part):
            yield child, part


def node_regions(tree: Tree, divide: Dividing) -> Iterator[tuple[Node, Region]]:
    """Yield each node that a row can reach, in preorder, with its region."""

    def step(split: Split, region: Region | None) -> list[Region | None]:
        parts = {} if region is None else dict(divide(split, region))
        return [parts.get(child) for child in range(len(split.children))]

    start: Region | None = {}
    for node, region in descend(tree.root, start, step):
        if region is not None:
            yield node, region


class Below(NamedTuple):
    """What a search needs to know of the leaves below a node."""

    #: their answers; two stand for all others
    answers: frozenset[Any]
    #: the number of the last one, from 0
    last: int


def below_by_node(tree: Tree) -> dict[int, Below]:
    """Return what is known of the leaves below each node, by its identity; a node in several places has the last."""
    nodes = with_child_numbers(tree)
    below: list[Below] = []
    n_leaves = sum(isinstance(node, Leaf) for node, _ in nodes)
    for node, children in reversed(nodes):
        if isinstance(node, Leaf):
            n_leaves -= 1
            below.append(Below(frozenset([node.prediction.value]), n_leaves))
        else:
            parts = [below[len(nodes) - 1 - child] for child in children]
            answers = unique(answer for part in parts for answer in part.answers)
            below.append(Below(frozenset(islice(answers, 2)), parts[-1].last))
    found: dict[int, Below] = {}
    for (node, _), part in zip(nodes, reversed(below), strict=True):
        found[id(node)] = part
    return found
