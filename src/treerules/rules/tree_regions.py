"""The regions of a tree's nodes: the values of each feature with which a row gets there, small enough to search.

    x <= 5        Interval region   (above, upto, missing)      (None, 5, False)
    c in {a, b}   category region   (mask, unseen, missing)     (0b011, False, False)

Rules say the same in conditions that people read; a bit mask divides thousands of categories in one step.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from toolz import unique

from treerules.data.schema import Feature, Schema
from treerules.trees.node_parts import ThresholdTest
from treerules.trees.nodes import Leaf, Node, Split
from treerules.trees.tree import Tree
from treerules.trees.walkers import descend, with_child_numbers

#: Of an ordered feature: the greatest value below the region, its greatest value (None for no bound; equal ones hold no
#: known value), and whether missing values are in it. Of categories: their bit mask, unseen values, missing values.
Values = tuple[Any, Any, bool]
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
        if isinstance(split.test, ThresholdTest):
            parts = _cut(split, values, schema.features[index])
        else:
            groups = masks.get(id(split))
            if groups is None:
                groups = masks[id(split)] = [sum(1 << place for place in group) for group in split.test.groups]
            parts = _divided(split, groups, values)
        return [(child, {**region, index: part}) for child, part in parts]

    return divide


def _everything(feature: Feature) -> Values:
    return (None, None, True) if feature.is_ordered else ((1 << len(feature.categories)) - 1, feature.is_open, True)


def has_known(values: Values) -> bool:
    """Return whether values of an ordered feature hold a known one."""
    above, upto, _ = values
    return above is None or upto is None or bool(above < upto)


def _cut(split: Split, values: Values, feature: Feature) -> Iterator[tuple[int, Values]]:
    """Yield the parts of an ordered feature's values that reach each child."""
    above, upto, missing = values
    threshold = split.test.threshold  # type: ignore[union-attr]
    nothing = threshold, threshold
    low = high = nothing
    if has_known(values):
        if above is None or above < threshold:
            low = above, (threshold if upto is None or threshold < upto else upto)
        if threshold < (feature.highest if upto is None else upto):
            high = (threshold if above is None or above < threshold else above), upto
    for child in range(len(split.children)):
        bounds = (low, high, nothing)[child]
        part = (*bounds, missing and child == split.missing)
        if part[2] or has_known(part):
            yield child, part


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
