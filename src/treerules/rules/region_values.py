"""Values in a region of a tree, and those at which a test or a condition may go wrong."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from treerules.data.domain import next_value, unseen_value
from treerules.data.schema import Feature
from treerules.rules.probe_values import ProbeValues
from treerules.rules.tree_regions import Pairs, Values, everything_of_categories
from treerules.trees.node_parts import CategoryTest
from treerules.trees.nodes import Split

#: The categories that a rule's rows take, where it is written by those that it excludes.
_FEW = 3


def region_choices(column: ProbeValues, values: Values) -> Iterator[Any]:
    """Yield values of a column in a region: the ends of an interval or the categories, unseen, missing (None)."""
    if column.feature.is_ordered:
        yield from _interval_choices(column, values)
        return
    mask, unseen, missing = values
    categories = (column.feature.categories[place] for place in places_of(mask))
    yield from islice(categories, _FEW) if unseen else categories
    if unseen:
        yield column.unseen
    if missing:
        yield None


def places_of(mask: int) -> Iterator[int]:
    """Yield the positions of the bits of a mask."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def _interval_choices(column: ProbeValues, values: Values) -> Iterator[Any]:
    pairs, _, missing = values
    for above, upto in pairs:
        if upto is not None:
            yield upto
        if above is not None:
            yield next_value(column.feature, above)
        if upto is None:
            yield column.feature.highest
        if above is None:
            yield column.landmarks[0] if upto is None and column.landmarks else column.feature.lowest
    if missing:
        yield None


def tested_values(split: Split, feature: Feature, values: Values | None) -> Iterator[Any]:
    """Yield the values at which a test may go wrong, of those that reach it; None is missing."""
    if not isinstance(split.test, CategoryTest):
        pairs, _, missing = values or (((None, None),), False, True)
        for threshold in split.test.thresholds:
            beside = threshold, next_value(feature, threshold)
            yield from (value for value in beside if value is not None and _holds(pairs, value))
    else:
        mask, unseen, missing = values or everything_of_categories(feature)
        yield from (feature.categories[place] for place in places_of(mask))
        if unseen and (value := unseen_value(feature)) is not None:
            yield value
    if missing:
        yield None


def _holds(pairs: Pairs, value: Any) -> bool:
    return any((above is None or above < value) and (upto is None or value <= upto) for above, upto in pairs)


def other_children(split: Split, own: int) -> Iterator[int]:
    """Yield the children that a faulty test may send a value to: all others of two or three, else the default."""
    n = len(split.children)
    if n <= 3:
        yield from (child for child in range(n) if child != own)
        return
    default = split.unseen if isinstance(split.test, CategoryTest) and split.unseen is not None else split.missing
    yield default if default != own else (own + 1) % n


def values_beside(feature: Feature, values: Values) -> Iterator[Any]:
    """Yield values just outside a region of a feature: beyond its bounds, unseen; None is missing."""
    known, takes_unseen, missing = values
    if feature.is_ordered:
        for above, upto in known:
            beyond = None if upto is None else next_value(feature, upto)
            yield from (value for value in (above, beyond) if value is not None)
    elif not takes_unseen and feature.is_open and (unseen := unseen_value(feature)) is not None:
        yield unseen
    if not missing:
        yield None


def other_categories(feature: Feature, values: Values) -> Iterator[Any]:
    """Yield the categories outside a region of a feature."""
    if not feature.is_ordered:
        outside = ((1 << len(feature.categories)) - 1) & ~values[0]
        yield from (feature.categories[place] for place in places_of(outside))
